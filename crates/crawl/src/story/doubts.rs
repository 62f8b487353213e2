//! What speaks against a page: spam with its reasons, text that nobody sees (P7, S1).

use base::{HiddenReason, PageRecord, kebab_case};
use serde::{Deserialize, Serialize};

/// What speaks against a page; empty for most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubts {
    /// How much it looks like term spam, 0 to 100.
    pub spam: u8,
    /// Why, the strongest first.
    pub reasons: Vec<Doubt>,
    /// How much of its text visitors do not see, in hundredths, without what they can open and
    /// what is only kept from screen readers. At least so much: of hidden text samples are kept.
    pub hidden_percent: u8,
    /// What its visitors do not see, a sample for each way of hiding.
    pub hidden: Vec<HiddenText>,
}

/// One thing that speaks for spam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// What, as `docs/hidden-text.md` names it: `hidden-text`.
    pub kind: String,
    /// How strongly, 0 to 100.
    pub weight: u8,
    /// The word, or the text's beginning, that shows it; may be empty.
    pub evidence: String,
}

/// Text that visitors do not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenText {
    /// How it is hidden, as `docs/hidden-text.md` names it: `not-shown`.
    pub reason: String,
    /// A sample of it.
    pub text: String,
}

impl Doubts {
    /// Returns what speaks against a page.
    pub fn of(record: &PageRecord) -> Self {
        let doubt = |reason: &base::SpamReason| Doubt {
            kind: kebab_case(&reason.kind),
            weight: reason.weight,
            evidence: reason.evidence.clone(),
        };
        let hidden = |hidden: &base::Hidden| HiddenText {
            reason: kebab_case(&hidden.reason),
            text: hidden.text.clone(),
        };
        Self {
            spam: record.spam.score,
            reasons: record.spam.reasons.iter().map(doubt).collect(),
            hidden_percent: hidden_percent(record),
            hidden: record.hidden.iter().map(hidden).collect(),
        }
    }
}

/// Returns the share of hidden text among all text of a page, in hundredths.
fn hidden_percent(record: &PageRecord) -> u8 {
    let is_honest = |reason| matches!(reason, HiddenReason::Folded | HiddenReason::AriaHidden);
    let hidden = record.hidden.iter().filter(|hidden| !is_honest(hidden.reason));
    // Letters, because some scripts have no spaces between words.
    let hidden: usize = hidden.map(|hidden| hidden.text.chars().count()).sum();
    let shown: usize = record.blocks.iter().map(|block| block.text.chars().count()).sum();
    u8::try_from((100 * hidden).div_ceil((hidden + shown).max(1))).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use base::{Block, Hidden, PageId, Timestamp, Url, Zone};

    use super::*;

    #[test]
    fn what_visitors_can_open_is_not_hidden() {
        let url = Url::parse("http://a.example/").unwrap();
        let mut record =
            PageRecord::new(PageId::new(0, 0).unwrap(), url, Timestamp::default(), 200);
        assert_eq!(Doubts::of(&record), Doubts::default());
        record.blocks.push(Block { zone: Zone::Body, text: "x".repeat(75) });
        record.hidden.push(Hidden { reason: HiddenReason::Folded, text: "y".repeat(500) });
        assert_eq!(Doubts::of(&record).hidden_percent, 0);
        record.hidden.push(Hidden { reason: HiddenReason::OffScreen, text: "z".repeat(25) });
        let doubts = Doubts::of(&record);
        assert_eq!((doubts.hidden_percent, doubts.hidden[1].reason.as_str()), (25, "off-screen"));
    }
}
