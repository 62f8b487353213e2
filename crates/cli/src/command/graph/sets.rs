//! Names of nodes as people write them: a few on the command line, many in a file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use ::graph::{Named, Node};
use anyhow::{Context, Result, bail};

/// Longest line of a file of names.
const MAX_LINE: u64 = 64 * 1024;
/// Unknown names that an error lists.
const TOLD: usize = 3;

/// Returns the nodes that a text means: `B,D`, or a file with a name per line.
///
/// What is a name in the graph, is that; `@FILE` is always a file. A name that the graph does not
/// have is an error on the command line. In a file, such as a list of bookmarks, it is passed
/// over, and how many is said on stderr; only a file without any known name is an error.
pub(super) fn nodes(named: &Named, text: &str) -> Result<Vec<Node>> {
    if let Some(path) = text.strip_prefix('@') {
        return from_file(named, Path::new(path));
    }
    if let Some(node) = named.find(text)? {
        return Ok(vec![node]);
    }
    let mut nodes = Vec::new();
    let mut unknown = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match named.find(name)? {
            Some(node) => nodes.push(node),
            None => unknown.push(name),
        }
    }
    if unknown.is_empty() && !nodes.is_empty() {
        return Ok(nodes);
    }
    if nodes.is_empty() && Path::new(text).is_file() {
        return from_file(named, Path::new(text));
    }
    if unknown.is_empty() {
        bail!("`{text}` names no node");
    }
    bail!("{}", told(&unknown))
}

/// Returns the weight of each node of a text such as `A`, `A,B` or `B=0.5,D=0.5`.
pub(super) fn weights(named: &Named, text: &str) -> Result<Vec<(Node, f64)>> {
    let mut weights = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        // Addresses may have a `=` of their own, so the whole is tried first.
        if let Some(node) = named.find(part)? {
            weights.push((node, 1.0));
            continue;
        }
        let Some((name, weight)) = part.rsplit_once('=') else { bail!("{}", told(&[part])) };
        let Some(node) = named.find(name)? else { bail!("{}", told(&[name])) };
        let weight =
            weight.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        let weight = weight.with_context(|| {
            format!("`{part}`: behind `=` stands a number that is not negative")
        })?;
        weights.push((node, weight));
    }
    Ok(weights)
}

fn told(unknown: &[&str]) -> String {
    let listed: Vec<String> = unknown.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    let more = match unknown.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("the graph has no node {}{more}", listed.join(", "))
}

fn from_file(named: &Named, path: &Path) -> Result<Vec<Node>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot open `{shown}`"))?;
    let mut file = BufReader::new(file);
    let (mut nodes, mut num_unknown) = (Vec::new(), 0);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let len = file.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        if len.with_context(|| format!("cannot read `{shown}`"))? == 0 {
            break;
        }
        if line.len() as u64 > MAX_LINE {
            bail!("line {number} of `{shown}` is longer than {MAX_LINE} bytes");
        }
        let name = std::str::from_utf8(&line)
            .with_context(|| format!("line {number} of `{shown}` is no text"))?
            .trim();
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        match named.find(name)? {
            Some(node) => nodes.push(node),
            None => num_unknown += 1,
        }
    }
    if nodes.is_empty() {
        bail!("the graph has none of the nodes that `{shown}` names");
    }
    if num_unknown > 0 {
        let known = nodes.len();
        drop(writeln!(
            std::io::stderr(),
            "note: {num_unknown} names in `{shown}` are not in the graph, {known} are"
        ));
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> (tempfile::TempDir, Named) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arcs");
        std::fs::write(&path, "A B\nC D\nx=1,y\tA\n").unwrap();
        let named = Named::open(&path, None, &mut |_, _| ()).unwrap();
        (folder, named)
    }

    #[test]
    fn names_come_from_the_line_or_a_file() {
        let (folder, named) = graph();
        assert_eq!(nodes(&named, "B, D").unwrap(), [Node(1), Node(3)]);
        assert_eq!(nodes(&named, "x=1,y").unwrap(), [Node(4)]);
        let path = folder.path().join("set");
        std::fs::write(&path, "# mine\nC\n\nnobody\nA\r\n").unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(nodes(&named, path).unwrap(), [Node(2), Node(0)]);
        assert_eq!(nodes(&named, &format!("@{path}")).unwrap(), [Node(2), Node(0)]);
    }

    #[test]
    fn unknown_names_are_told() {
        let (folder, named) = graph();
        let said = |text: &str| nodes(&named, text).unwrap_err().to_string();
        assert_eq!(said("A,Q"), "the graph has no node `Q`");
        assert_eq!(said("Q,R,S,T,U"), "the graph has no node `Q`, `R`, `S` and 2 more");
        assert_eq!(said(","), "`,` names no node");
        assert!(said("@/nonexistent").starts_with("cannot open"));
        let path = folder.path().join("set");
        std::fs::write(&path, "nobody\n").unwrap();
        assert!(said(path.to_str().unwrap()).contains("none of the nodes"));
    }

    #[test]
    fn weights_stand_behind_an_equals_sign() {
        let (_folder, named) = graph();
        assert_eq!(weights(&named, "A").unwrap(), [(Node(0), 1.0)]);
        let found = weights(&named, "B=0.5,D=.25").unwrap();
        assert_eq!(found, [(Node(1), 0.5), (Node(3), 0.25)]);
        for (text, reason) in [
            ("Q", "no node `Q`"),
            ("Q=1", "no node `Q`"),
            ("A=x", "not negative"),
            ("A=-1", "not negative"),
            ("A=NaN", "not negative"),
        ] {
            let said = weights(&named, text).unwrap_err().to_string();
            assert!(said.contains(reason), "{said}");
        }
    }
}
