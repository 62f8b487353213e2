//! Who wrote a page, where only its looks say so: `rel=author`, classes, `By Ada Lovelace`.

use base::Block;

use super::super::tree::{NodeId, Tree};
use super::text_below;
use crate::about::{Draft, Rank};

/// Longest text that may be a name or two, in bytes.
const NAME_BYTES: usize = 100;
/// Longest class looked at.
const CLASS_BYTES: usize = 256;

/// Takes the text of an element whose `class` or `rel` says that it names the author.
pub(super) fn of_element(tree: &Tree, node: NodeId, value: &str, about: &mut Draft) {
    // One of the two letters stands in both words; most classes have neither.
    if memchr::memchr2(b'y', b'u', value.as_bytes()).is_none() || about.has_author(Rank::Look) {
        return;
    }
    let mut tokens = base::limits::cut(value, CLASS_BYTES).split_ascii_whitespace();
    if !tokens.any(names_author) {
        return;
    }
    let text = text_below(tree, node, 4 * NAME_BYTES);
    if let Some(name) = name(&text) {
        about.author(name, Rank::Look);
    }
}

/// `author`, `post-author`, `authorName`, `byline`; but not the box about the author.
fn names_author(token: &str) -> bool {
    let token = token.to_ascii_lowercase();
    let is_other = ["bio", "avatar", "image", "img", "photo", "box", "info", "comment", "desc"];
    token.contains("byline")
        || (token.ends_with("author") || token.ends_with("author-name") || token == "authorname")
            && !is_other.iter().any(|other| token.contains(other))
}

/// Words that stand before a name.
const LEADS: [&str; 16] = [
    "written by",
    "posted by",
    "by:",
    "by",
    "von",
    "par",
    "por",
    "door",
    "av",
    "af",
    "di",
    "author:",
    "autor:",
    "auteur:",
    "автор:",
    "作者：",
];

/// Returns the name in a byline: without the words before it and the date behind it.
fn name(text: &str) -> Option<&str> {
    let text = without_lead(text.trim());
    let end = text.find(|c: char| c.is_ascii_digit() || matches!(c, '|' | '•' | '·' | '—' | '@'));
    let text = text[..end.unwrap_or(text.len())].trim_end();
    let text = text.strip_suffix(" on").unwrap_or(text);
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '–' | ':' | '('));
    let is_name =
        text.len() <= NAME_BYTES && text.chars().filter(|c| c.is_alphabetic()).count() > 1;
    is_name.then_some(text)
}

fn without_lead(text: &str) -> &str {
    for lead in LEADS {
        let Some(head) = text.get(..lead.len()) else { continue };
        if !head.chars().flat_map(char::to_lowercase).eq(lead.chars()) {
            continue;
        }
        let rest = &text[lead.len()..];
        if rest.starts_with(char::is_whitespace) || lead.ends_with([':', '：']) {
            return rest.trim_start();
        }
    }
    text
}

/// Blocks of the text looked at for a byline.
const FIRST_BLOCKS: usize = 20;

/// Takes a short line that reads `By Ada Lovelace`.
pub(super) fn of_text(blocks: &[Block], about: &mut Draft) {
    if about.has_author(Rank::Text) {
        return;
    }
    for block in blocks.iter().take(FIRST_BLOCKS) {
        let text = block.text.as_str();
        if text.len() > NAME_BYTES || without_lead(text).len() == text.len() {
            continue;
        }
        let Some(name) = name(text) else { continue };
        let mut words = name.split_whitespace();
        // `By car or train` is no name.
        let is_name = words.clone().count() <= 5
            && words.all(|word| !word.starts_with(char::is_lowercase) || word.len() <= 3);
        if is_name && name.contains(' ') {
            return about.author(name, Rank::Text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_out_of_bylines() {
        for (text, expected) in [
            ("By Ada Lovelace", Some("Ada Lovelace")),
            ("by Ada Lovelace on 17 May 2024", Some("Ada Lovelace")),
            ("Von Ada Lovelace | 3 Kommentare", Some("Ada Lovelace")),
            ("Byron Lovelace", Some("Byron Lovelace")),
            ("Ada Lovelace, ", Some("Ada Lovelace")),
            ("作者：魯迅", Some("魯迅")),
            ("17 May 2024", None),
            ("", None),
            ("By", Some("By")),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
        assert_eq!(name(&"long ".repeat(100)), None);
    }

    #[test]
    fn classes_of_boxes_about_authors_are_not_bylines() {
        for class in ["author", "post-author", "entry-author-name", "ByLine", "c-byline__item"] {
            assert!(names_author(class), "{class}");
        }
        for class in
            ["author-bio", "authored", "authority", "author-avatar", "body", "comment-author"]
        {
            assert!(!names_author(class), "{class}");
        }
    }
}
