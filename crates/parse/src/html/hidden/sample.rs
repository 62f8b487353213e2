//! Samples of hidden text, one for each reason, bounded.

use base::{Hidden, HiddenReason, limits};

use super::text::Counts;
use crate::clean::Folded;

/// Hidden text kept for one reason, and for a page, in bytes.
const REASON_BYTES: usize = 4 * 1024;
const PAGE_BYTES: usize = 16 * 1024;
/// Text of `<noscript>` looked at, in bytes, and words in it that are not worth a mention: "this
/// page needs a script" in four languages.
const NOSCRIPT_BYTES: usize = 64 * 1024;
const NOSCRIPT_WORDS: usize = 60;

/// Gathers samples.
#[derive(Default)]
pub(super) struct Samples {
    texts: Vec<(HiddenReason, Folded)>,
    /// Text of all `<noscript>` elements, tags taken out.
    noscript: Folded,
    noscript_words: Counts,
}

impl Samples {
    /// Adds hidden text.
    pub(super) fn push(&mut self, reason: HiddenReason, text: &str) {
        let text_of = |texts: &mut Vec<(HiddenReason, Folded)>| {
            texts.iter().position(|(found, _)| *found == reason).unwrap_or_else(|| {
                texts.push((reason, Folded::default()));
                texts.len() - 1
            })
        };
        let place = text_of(&mut self.texts);
        let sample = &mut self.texts[place].1;
        if sample.len() < REASON_BYTES {
            sample.push(limits::cut(text, 2 * REASON_BYTES));
        }
    }

    /// Notes a border between words.
    pub(super) fn space(&mut self) {
        for (_, sample) in &mut self.texts {
            sample.space();
        }
    }

    /// Adds the inside of a `<noscript>`, which is mark-up that was not read.
    pub(super) fn noscript(&mut self, markup: &str) {
        let mut rest = limits::cut(markup, NOSCRIPT_BYTES);
        while self.noscript.len() < NOSCRIPT_BYTES {
            // Some escape the mark-up inside once more.
            let plain = rest.find('<').map(|place| (place, 1, ">"));
            let head = plain.map_or(rest, |(place, _, _)| &rest[..place]);
            let escaped = head.find("&lt;").map(|place| (place, 4, "&gt;"));
            let Some((place, length, end)) = escaped.or(plain) else { break };
            self.noscript_text(&rest[..place]);
            let tag = &rest[place + length..];
            // Sheets and scripts inside have no text.
            let is_style = ["style", "script"].iter().any(|name| {
                tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            });
            let end = if is_style { "</" } else { end };
            rest = tag.split_once(end).map_or("", |(_, behind)| behind);
        }
        self.noscript_text(rest);
    }

    fn noscript_text(&mut self, text: &str) {
        self.noscript.push(text);
        self.noscript.space();
        self.noscript_words.add(text, false);
    }

    /// Returns what was gathered, in the order of the reasons.
    pub(super) fn finish(mut self) -> Vec<Hidden> {
        if self.noscript_words.words > NOSCRIPT_WORDS {
            self.texts.push((HiddenReason::NoScript, self.noscript));
        }
        self.texts.sort_by_key(|(reason, _)| *reason);
        let mut room = PAGE_BYTES;
        let mut hidden = Vec::new();
        for (reason, mut text) in self.texts {
            let mut text = text.take();
            text.truncate(text.floor_char_boundary(room.min(REASON_BYTES)));
            text.truncate(text.trim_end().len());
            room -= text.len();
            if !text.is_empty() {
                hidden.push(Hidden { reason, text });
            }
        }
        hidden
    }
}
