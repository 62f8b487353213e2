//! Texts out of pages of manuals, which are well formed: no parser is needed to cut them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

/// Pages of a manual that sentences are taken from.
const PAGES: usize = 200;

/// Returns paragraphs of some pages of a folder.
pub(super) fn sentences(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for path in super::evenly(&files(folder)?, PAGES) {
        let page = read(&path)?;
        let paragraphs = page.split("<p>").skip(1).filter_map(|rest| rest.split("</p>").next());
        found.extend(paragraphs.map(plain).filter(|text| (60..600).contains(&text.len())));
    }
    Ok(found)
}

/// Returns the pages of a folder and of those in it, in order.
pub(super) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
        for entry in entries {
            let entry = entry.context("cannot list a folder")?;
            // Links lead to pages that are listed elsewhere, or out of the package.
            let kind = entry.file_type().context("cannot look at a file")?;
            let is_page = entry.path().extension().is_some_and(|ending| ending == "html");
            match () {
                () if kind.is_dir() => folders.push(entry.path()),
                () if kind.is_file() && is_page => found.push(entry.path()),
                () => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a page, whatever its encoding says.
pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the heading of a page.
pub(super) fn heading(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("<h1")?;
    let (_, rest) = rest.split_once('>')?;
    let text = plain(rest.split("</h1>").next()?);
    (!text.is_empty()).then_some(text)
}

/// Returns the words of a piece of mark-up.
pub(super) fn plain(piece: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for character in piece.chars() {
        match character {
            '<' => is_tag = true,
            '>' => is_tag = false,
            // What Sphinx hangs on headings to link to them.
            '¶' | '\u{f0c1}' => {}
            _ if !is_tag => text.push(character),
            _ => {}
        }
    }
    for (escaped, meant) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#8217;", "’"), ("&amp;", "&")]
    {
        text = text.replace(escaped, meant);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text as it may stand in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_out_of_mark_up() {
        assert_eq!(plain("a <b>&lt;x&gt;</b>\n  &amp;lt; c"), "a <x> &lt; c");
        let page = "<h1 class=\"x\">Loop <i>unrolling</i><a title=\"y\">¶</a></h1><p>z</p>";
        assert_eq!(heading(page).as_deref(), Some("Loop unrolling"));
        assert_eq!(heading("<h1></h1>"), None);
        assert_eq!(plain(&escaped("a < b & c")), "a < b & c");
    }
}
