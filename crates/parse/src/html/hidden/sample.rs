//! Samples of hidden text, one for each reason, bounded.

use base::{Hidden, HiddenReason, limits};

use super::text::Counts;
use crate::clean::Folded;

/// Hidden text kept for one reason, and for a page, in bytes.
const REASON_BYTES: usize = 4 * 1024;
const PAGE_BYTES: usize = 16 * 1024;
/// Room that every reason has.
const LEAST_BYTES: usize = 1024;
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
        let num_reasons = self.texts.len();
        for (number, (reason, mut text)) in self.texts.into_iter().enumerate() {
            let mut text = text.take();
            // Those that come later keep their share, so that no reason goes without a sample.
            let kept = (num_reasons - number - 1) * LEAST_BYTES;
            text.truncate(text.floor_char_boundary((room - kept).min(REASON_BYTES)));
            text.truncate(text.trim_end().len());
            room -= text.len();
            if !text.is_empty() {
                hidden.push(Hidden { reason, text });
            }
        }
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_keeps_a_sample() {
        use HiddenReason::{
            AriaHidden, Attribute, Clipped, Colour, Folded, NoScript, NotShown, OffScreen, Tiny,
        };
        let mut samples = Samples::default();
        let reasons = [Folded, AriaHidden, Clipped, OffScreen, Tiny, Colour, Attribute, NotShown];
        for reason in reasons {
            samples.push(reason, &format!("{reason:?} ").repeat(10_000));
        }
        samples.noscript(&"noscript ".repeat(10_000));
        let hidden = samples.finish();
        let total: usize = hidden.iter().map(|hidden| hidden.text.len()).sum();
        assert!(total <= PAGE_BYTES, "{total}");
        let found: Vec<HiddenReason> = hidden.iter().map(|hidden| hidden.reason).collect();
        let all =
            [NotShown, Attribute, Colour, Tiny, OffScreen, Clipped, AriaHidden, NoScript, Folded];
        assert_eq!(found, all);
        assert!(hidden.iter().all(|hidden| hidden.text.len() > LEAST_BYTES - 16));
    }
}
