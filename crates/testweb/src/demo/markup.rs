//! Inline marks: the links inside a sentence, before it becomes HTML.
//!
//! Text in the making carries links as `\u{1}address\u{2}label\u{3}`, three characters that no
//! sentence of ours contains, so that grammar work (capital letters, "a" or "an", slugs) sees
//! plain words and escaping happens once, at the very end.

use std::collections::HashSet;
use std::fmt::Write as _;

const OPEN: char = '\u{1}';
const MIDDLE: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// Returns `label` marked as a link to `address`.
pub(super) fn link(address: &str, label: &str) -> String {
    format!("{OPEN}{address}{MIDDLE}{label}{CLOSE}")
}

/// Whether the text is one marked link and nothing else.
pub(super) fn is_link(text: &str) -> bool {
    text.starts_with(OPEN) && text.find(CLOSE) == Some(text.len() - CLOSE.len_utf8())
}

/// Returns a name as it stands in a heading: `the Moon` becomes `The Moon`, `tern init` stays.
pub(super) fn heading(name: &str) -> String {
    name.strip_prefix("the ").map_or_else(|| name.to_owned(), |rest| format!("The {rest}"))
}

/// Returns the text without its marks, labels kept.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside_address = false;
    for ch in text.chars() {
        match ch {
            OPEN => inside_address = true,
            MIDDLE => inside_address = false,
            CLOSE => {}
            _ if inside_address => {}
            _ => out.push(ch),
        }
    }
    out
}

/// Returns the text as HTML; an address already in `seen` is written as plain words.
pub(super) fn html(text: &str, seen: &mut HashSet<String>) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        out.push_str(&escape(&rest[..start]));
        rest = &rest[start + OPEN.len_utf8()..];
        let (address, tail) = rest.split_once(MIDDLE).unwrap_or(("", rest));
        let (label, tail) = tail.split_once(CLOSE).unwrap_or((tail, ""));
        if address.is_empty() || !seen.insert(address.to_owned()) {
            out.push_str(&escape(label));
        } else {
            let _ = write!(out, "<a href=\"{}\">{}</a>", escape(address), escape(label));
        }
        rest = tail;
    }
    out.push_str(&escape(rest));
    out
}

/// Returns the text with the four characters that mean something to HTML replaced.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the text with the first letter of every sentence in upper case.
///
/// The grammars hold phrases in lower case, so that one phrase can begin or end a sentence.
pub(super) fn sentences(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut at_start, mut after_stop, mut inside_address) = (true, false, false);
    for ch in text.chars() {
        match ch {
            OPEN => inside_address = true,
            MIDDLE => inside_address = false,
            _ => {}
        }
        let is_mark = matches!(ch, OPEN | MIDDLE | CLOSE);
        if inside_address || is_mark || matches!(ch, '"' | '“' | '”') {
            // `"Who?" asks` goes on; whoever wants a new sentence there writes the capital.
            after_stop &= is_mark;
            out.push(ch);
            continue;
        }
        if ch.is_whitespace() {
            at_start |= after_stop;
            after_stop = false;
            out.push(ch);
            continue;
        }
        after_stop = matches!(ch, '.' | '!' | '?');
        if at_start {
            out.extend(ch.to_uppercase());
            at_start = false;
        } else {
            out.push(ch);
        }
    }
    out
}

/// Returns a path segment made of the text's words: `Old Harbour, 1912` → `old-harbour-1912`.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for ch in plain(text).chars().flat_map(char::to_lowercase) {
        let piece = match ch {
            'æ' | 'ä' => "ae",
            'ø' | 'ö' => "oe",
            'å' | 'à' | 'â' => "a",
            'é' | 'è' | 'ê' => "e",
            'ü' => "ue",
            'ñ' => "n",
            '’' | '\'' => continue,
            _ if ch.is_ascii_alphanumeric() => {
                out.push(ch);
                continue;
            }
            _ => "-",
        };
        if piece != "-" || !(out.is_empty() || out.ends_with('-')) {
            out.push_str(piece);
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Returns the first sentence of a text, unmarked.
pub(super) fn first_sentence(text: &str) -> String {
    let text = plain(text);
    text.find(". ").map_or_else(|| text.clone(), |end| text[..=end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_written_once_and_then_as_words() {
        let mut seen = HashSet::new();
        let marked = format!("{} & {}", link("/a", "robin"), link("/a", "robin"));
        assert_eq!(html(&marked, &mut seen), "<a href=\"/a\">robin</a> &amp; robin");
        assert_eq!(plain(&marked), "robin & robin");
    }

    #[test]
    fn sentences_begin_with_a_capital() {
        let text = format!("the {} sings. {} calls: twice! \"who?\" asks", "owl", link("/x", "it"));
        let expected = format!("The owl sings. {} calls: twice! \"Who?\" asks", link("/x", "It"));
        assert_eq!(sentences(&text), expected);
    }

    #[test]
    fn slugs_are_plain_words() {
        assert_eq!(slug("Old Harbour, 1912"), "old-harbour-1912");
        assert_eq!(slug("Rødgrød & fløde"), "roedgroed-floede");
    }
}
