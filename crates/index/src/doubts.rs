//! What speaks for a page being made for search engines (S1), in one number of a column.
//!
//! ```text
//! score: 8 bits | one bit for each kind of reason
//! ```
//! Few pages have any, and the column packs its numbers, so the reasons cost them a few bits each.

use base::{Spam, SpamKind};

/// Every kind, at the place of its bit.
const KINDS: [SpamKind; 5] = [
    SpamKind::Repetition,
    SpamKind::Frequency,
    SpamKind::KeywordList,
    SpamKind::StuffedTitle,
    SpamKind::HiddenText,
];
const SCORE_BITS: u32 = 8;

/// Returns the number of a page; `None` if nothing speaks against it.
pub(crate) fn pack(spam: &Spam) -> Option<u64> {
    let bit = |kind: SpamKind| KINDS.iter().position(|known| *known == kind);
    let reasons = spam.reasons.iter().filter_map(|reason| bit(reason.kind));
    let bits = reasons.fold(0u64, |bits, place| bits | 1 << place);
    (spam.score > 0).then(|| u64::from(spam.score) | bits << SCORE_BITS)
}

/// Returns the score in a number, from 0 to 1.
pub(crate) fn score(packed: u64) -> f32 {
    (packed & ((1 << SCORE_BITS) - 1)).min(100) as f32 / 100.0
}

/// Returns the kinds of reasons in a number.
pub(crate) fn kinds(packed: u64) -> Vec<SpamKind> {
    let is_in = |place: &usize| packed >> SCORE_BITS & 1 << place != 0;
    (0..KINDS.len()).filter(is_in).map(|place| KINDS[place]).collect()
}

#[cfg(test)]
mod tests {
    use base::SpamReason;

    use super::*;

    #[test]
    fn score_and_reasons_come_out_as_they_went_in() {
        let reason = |kind| SpamReason { kind, weight: 50, evidence: "lamps".to_owned() };
        for bits in 0..1_usize << KINDS.len() {
            let is_in = |place: &usize| bits & 1 << place != 0;
            let expected: Vec<SpamKind> =
                (0..KINDS.len()).filter(is_in).map(|place| KINDS[place]).collect();
            let reasons = expected.iter().rev().copied().map(reason).collect();
            let packed = pack(&Spam { score: 70, reasons }).unwrap();
            assert_eq!((score(packed), kinds(packed)), (0.7, expected));
        }
        assert_eq!(pack(&Spam::default()), None);
        // As indexes had it before there were reasons.
        assert_eq!((score(100), kinds(100)), (1.0, Vec::new()));
    }
}
