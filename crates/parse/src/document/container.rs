//! What all formats in a ZIP archive share: paths between members, and properties in XML.

use std::ops::ControlFlow;

use super::build::Builder;
use super::xml::{self, Node};

/// Resolves a path of one member against the folder of another.
pub(super) fn resolve(from: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap_or_default().replace('\\', "/");
    let whole = match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => match from.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{target}"),
            None => target,
        },
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Takes title, author and dates from properties in Dublin Core's words, as Office,
/// OpenDocument and EPUB write them.
pub(super) fn properties(xml: &str, builder: &mut Builder<'_>) {
    let mut text = String::new();
    xml::walk(xml, |node| {
        match node {
            Node::Open(_) => text.clear(),
            Node::Text(piece) if text.len() < 64 * 1024 => text.push_str(piece),
            Node::Text(_) => {}
            Node::Close(name) => {
                let value = text.trim();
                if !value.is_empty() {
                    property(name, value, builder);
                }
                text.clear();
            }
        }
        ControlFlow::Continue(())
    });
}

fn property(name: &str, value: &str, builder: &mut Builder<'_>) {
    match name {
        "title" => builder.title(value),
        "creator" | "initial-creator" => builder.author(value),
        "description" => builder.description(value),
        "language" => builder.language(value),
        "created" | "creation-date" => builder.created(value),
        "modified" | "date" => builder.modified(value),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_inside_of_the_archive() {
        assert_eq!(resolve("word/document.xml", "media/a.png"), "word/media/a.png");
        assert_eq!(resolve("word/document.xml", "../customXml/a.xml"), "customXml/a.xml");
        assert_eq!(resolve("word/document.xml", "/word/b.xml"), "word/b.xml");
        assert_eq!(resolve("", "word/document.xml"), "word/document.xml");
        assert_eq!(resolve("a/b.xml", "../../../../etc/passwd"), "etc/passwd");
        assert_eq!(resolve("OPS/a.opf", "c%20d.html#x"), "OPS/c%20d.html");
    }
}
