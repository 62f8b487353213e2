//! Drops attributes past a limit from the text of a page.
//!
//! html5ever compares each attribute of a tag with all before it, so a tag with 100,000 of them
//! costs 5 billion steps (HTM-03). This scan follows the tag rules of the HTML standard; where
//! it cannot know what the parser will take for a tag (scripts inside drawings), the guard's
//! patience is the second line.

use crate::bytes::{Attributes, next_tag, raw_end};

/// Returns the text with at most `most` attributes per tag, or `None` if that is so already.
pub(super) fn attributes(text: &str, most: usize) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out: Option<String> = None;
    let mut copied = 0;
    let mut from = 0;
    while let Some((start, behind_name)) = next_tag(bytes, from) {
        let mut attributes = Attributes::new(bytes, behind_name);
        let mut count = 0;
        let mut cut = None;
        for attribute in &mut attributes {
            count += 1;
            if count == most + 1 {
                cut = Some(attribute.start);
            }
        }
        from = attributes.place();
        if let Some(cut) = cut {
            let out = out.get_or_insert_with(|| String::with_capacity(text.len()));
            out.push_str(&text[copied..cut]);
            // The `>` itself stays; a tag that never closes is dropped by the parser anyway.
            copied = if attributes.is_closed() { from - 1 } else { from };
        }
        if let Some(end) = raw_end(bytes, &bytes[start + 1..behind_name], from) {
            from = end;
        }
    }
    let mut out = out?;
    out.push_str(&text[copied..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(attributes(text, 2).as_deref().unwrap_or(text), expected);
    }

    #[test]
    fn attributes_past_the_limit_go() {
        check("<p a b>x</p>", "<p a b>x</p>");
        check("<p a b c=1 d>x</p>", "<p a b >x</p>");
        check("ä<p a='>' b=\">\" c='>' d/>x<i 1 2 3>y", "ä<p a='>' b=\">\" >x<i 1 2 >y");
        check("</p a b c>x", "</p a b >x");
        check("<p a b c d", "<p a b ");
    }

    #[test]
    fn scripts_and_comments_stay_as_they_are() {
        for text in [
            "<script>if (a<b c d e f)</script><p a b>",
            "<!-- <p a b c d e> --><p>",
            "<title><p a b c d></title>",
            "<style>a<b c d e f",
        ] {
            check(text, text);
        }
    }
}
