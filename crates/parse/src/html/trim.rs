//! Drops what would make the parser slow: attributes past a limit, and long comments.
//!
//! html5ever compares each attribute of a tag with all before it, so a tag with 100,000 of them
//! costs 5 billion steps (HTM-03). This scan follows the tag rules of the HTML standard; where
//! it cannot know what the parser will take for a tag (scripts inside drawings), the guard's
//! patience is the second line. Long comments go because that patience cannot tell an unfinished
//! comment from an unfinished tag.

use crate::bytes::{Attributes, Markup, next_markup, raw_end};

/// Longest comment left in place.
const COMMENT_BYTES: usize = 4_096;

/// A text from which pieces were taken, or not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Trimmed {
    /// The shorter text; `None` if nothing had to go.
    pub(super) text: Option<String>,
    /// Whether attributes were dropped.
    pub(super) has_lost_attributes: bool,
}

/// Returns the text with at most `most` attributes per tag and without long comments.
pub(super) fn trim(text: &str, most: usize) -> Trimmed {
    let bytes = text.as_bytes();
    let mut out = Cutter { text, out: None, copied: 0 };
    let mut has_lost_attributes = false;
    let mut from = 0;
    while let Some(markup) = next_markup(bytes, from) {
        let (start, behind_name) = match markup {
            Markup::Comment { start, end } => {
                if end - start > COMMENT_BYTES {
                    out.cut(start, end);
                }
                from = end;
                continue;
            }
            Markup::Tag { start, behind_name } => (start, behind_name),
        };
        let mut attributes = Attributes::new(bytes, behind_name);
        let past = attributes.nth(most).map(|attribute| attribute.start);
        while past.is_some() && attributes.next().is_some() {}
        from = attributes.place();
        if let Some(past) = past {
            // The `>` itself stays; a tag that never closes is dropped by the parser anyway.
            out.cut(past, if attributes.is_closed() { from - 1 } else { from });
            has_lost_attributes = true;
        }
        if let Some(end) = raw_end(bytes, &bytes[start + 1..behind_name], from) {
            from = end;
        }
    }
    Trimmed { text: out.finish(), has_lost_attributes }
}

/// Copies a text but for some ranges.
struct Cutter<'a> {
    text: &'a str,
    out: Option<String>,
    copied: usize,
}

impl Cutter<'_> {
    /// Leaves out a range behind the last one. Its ends are next to ASCII signs of mark-up, so on
    /// character borders.
    fn cut(&mut self, start: usize, end: usize) {
        let out = self.out.get_or_insert_with(|| String::with_capacity(self.text.len()));
        out.push_str(&self.text[self.copied..start]);
        self.copied = end;
    }

    fn finish(self) -> Option<String> {
        let mut out = self.out?;
        out.push_str(&self.text[self.copied..]);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(trim(text, 2).text.as_deref().unwrap_or(text), expected);
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
    fn long_comments_go() {
        let long = "x ".repeat(COMMENT_BYTES);
        check(&format!("a<!--{long}-->b<!-- c -->d<!--{long}"), "ab<!-- c -->d");
        assert!(!trim(&format!("<!--{long}-->"), 2).has_lost_attributes);
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
