//! How much a page looks written for search engines instead of people (S1).
//!
//! One count over the words of a page ([`words::Profile`]), and a few ratios of it held against
//! what honest pages have; the limits come from real pages
//! (`docs/measurements/2026-11-16-reading-spam.md`). Each ratio past its limit is a reason with a
//! weight and the word that shows it; reasons add up as independent doubts do. A score is data
//! for ranking and for people who want to know why, never a verdict by itself.

mod words;

use base::{Block, Hidden, HiddenReason, Spam, SpamKind, SpamReason, limits};
use text::Language;

use words::Profile;

/// Text looked at, in bytes; of a longer page as many pieces, evenly spread.
const SAMPLE_BYTES: usize = 64 * 1024;
const PIECES: usize = 32;
/// With fewer words than this a text says nothing by its frequencies.
const FEW_WORDS: u32 = 60;
/// Reasons weaker than this are noise.
const LEAST_WEIGHT: u8 = 10;
/// Longest evidence kept, in bytes.
const EVIDENCE_BYTES: usize = 80;

/// Judges a page by its title, its blocks and what it hides. Cost: linear, at most that of
/// `SAMPLE_BYTES` of text.
pub(crate) fn judge(
    title: &str,
    blocks: &[Block],
    hidden: &[Hidden],
    language: Option<Language>,
) -> Spam {
    let mut page = Profile::new(language);
    sample(blocks, &mut page);
    page.finish();
    let mut reasons = Vec::new();
    reasons.extend(repetition(&page));
    reasons.extend(frequency(&page));
    reasons.extend(keyword_list(&page));
    reasons.extend(stuffed_title(title, language));
    reasons.extend(hidden_text(title, hidden, &page, language));
    combine(reasons)
}

/// Takes the words of a page's own text, evenly spread if it is long.
fn sample<'a>(blocks: &'a [Block], page: &mut Profile<'a>) {
    let main = || blocks.iter().filter(|block| !block.zone.is_frame());
    let total: usize = main().map(|block| block.text.len()).sum();
    page.expect(total.min(SAMPLE_BYTES));
    if total <= SAMPLE_BYTES {
        for block in main() {
            page.add(&block.text);
        }
        return;
    }
    let stride = total / PIECES;
    let piece = SAMPLE_BYTES / PIECES;
    let mut start = 0;
    for block in main() {
        let end = start + block.text.len();
        // The pieces that begin before this block ends and end behind its beginning.
        let first = (start.saturating_sub(piece)).div_ceil(stride.max(1));
        for place in (first..).map(|number| number * stride).take_while(|place| *place < end) {
            let from = block.text.floor_char_boundary(place.saturating_sub(start));
            let to = block.text.floor_char_boundary((place + piece).saturating_sub(start));
            page.add(&block.text[from..to.max(from)]);
        }
        start = end;
    }
}

/// Adds doubts up: two of a half make three quarters.
fn combine(mut reasons: Vec<SpamReason>) -> Spam {
    reasons.retain(|reason| reason.weight >= LEAST_WEIGHT);
    reasons.sort_by(|one, other| other.weight.cmp(&one.weight).then(one.kind.cmp(&other.kind)));
    let trust = reasons.iter().map(|reason| 1.0 - f32::from(reason.weight) / 100.0);
    let score = percent(1.0 - trust.product::<f32>());
    Spam { score, reasons }
}

fn reason(kind: SpamKind, weight: f32, evidence: &str) -> Option<SpamReason> {
    let weight = percent(weight);
    let evidence = limits::cut(evidence.trim(), EVIDENCE_BYTES).to_owned();
    (weight >= LEAST_WEIGHT).then_some(SpamReason { kind, weight, evidence })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
fn percent(share: f32) -> u8 {
    (share * 100.0).round().clamp(0.0, 100.0) as u8
}

/// Returns how far `value` lies between what honest pages have and what only spam has.
fn ramp(value: f32, honest: f32, spam: f32) -> f32 {
    ((value - honest) / (spam - honest)).clamp(0.0, 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// The same words in a row, or the same phrases all over the page.
fn repetition(page: &Profile<'_>) -> Option<SpamReason> {
    let in_row = ramp(share(page.longest_run, 1), 40.0, 160.0);
    let phrases = if page.words >= 4 * FEW_WORDS {
        ramp(share(page.repeated, page.words), 0.85, 1.0) * 0.7
    } else {
        0.0
    };
    let word = if in_row > 0.0 { page.run_word } else { page.top().1 };
    reason(SpamKind::Repetition, in_row.max(phrases), word)
}

/// One word far more often than honest texts of that length have it.
fn frequency(page: &Profile<'_>) -> Option<SpamReason> {
    if page.content < FEW_WORDS {
        return None;
    }
    let (count, word) = page.top();
    let honest = honest_share(page.content);
    let weight = ramp(share(count, page.content), honest, honest + 0.15);
    reason(SpamKind::Frequency, weight, word)
}

/// Returns the largest share of one word that honest texts of `content` words have.
fn honest_share(content: u32) -> f32 {
    // Short texts name their subject in every line; long ones cannot.
    match content {
        0..=99 => 0.25,
        100..=299 => 0.20,
        300..=999 => 0.16,
        _ => 0.12,
    }
}

/// Long lists of words that repeat each other, without sentences.
fn keyword_list(page: &Profile<'_>) -> Option<SpamReason> {
    let amount = ramp(share(page.listed, 1), 40.0, 160.0);
    let part = ramp(share(page.listed, page.words), 0.05, 0.4);
    reason(SpamKind::KeywordList, amount * (0.3 + 0.6 * part), page.list_start)
}

/// The same word again and again in the title.
fn stuffed_title(title: &str, language: Option<Language>) -> Option<SpamReason> {
    let mut profile = Profile::new(language);
    profile.add(title);
    profile.finish();
    let (count, word) = profile.top();
    if count < 3 || profile.words < 6 {
        return None;
    }
    let often = ramp(share(count, 1), 2.0, 8.0);
    let dense = ramp(share(count, profile.words), 0.1, 0.4);
    reason(SpamKind::StuffedTitle, (often * 0.6 + dense * 0.4) * 0.9, word)
}

/// Hidden text that is a list of search words, or repeats the title.
fn hidden_text(
    title: &str,
    hidden: &[Hidden],
    page: &Profile<'_>,
    language: Option<Language>,
) -> Option<SpamReason> {
    let is_honest = |reason| matches!(reason, HiddenReason::Folded | HiddenReason::AriaHidden);
    let mut profile = Profile::new(language);
    let mut first = "";
    for piece in hidden.iter().filter(|piece| !is_honest(piece.reason)) {
        profile.add(&piece.text);
        first = if first.is_empty() { &piece.text } else { first };
    }
    profile.finish();
    if profile.words < FEW_WORDS / 3 {
        return None;
    }
    let mut named = Profile::new(language);
    named.add(title);
    named.finish();
    if profile.is_prose() {
        // Sentences are what a script will show, or a dialog; never ranked, but no stuffing.
        return None;
    }
    let list = ramp(share(profile.listed, profile.words), 0.3, 0.7);
    let (count, word) = profile.top();
    // Labels repeat too; only those who repeat what the page is found by want to be found.
    let dense = ramp(share(count, profile.content), 0.08, 0.25) * named.weight_of(word);
    let shape = list.max(dense);
    let wanted = ramp(share(profile.shared(&named, 3), 1), 0.0, 2.0);
    let is_more = profile.words > page.words;
    let weight = shape * (0.45 + 0.35 * wanted + if is_more { 0.1 } else { 0.0 });
    reason(SpamKind::HiddenText, weight, first)
}

#[cfg(test)]
mod tests {
    use base::Zone;

    use super::*;

    #[test]
    fn doubts_add_up() {
        let half = |kind| reason(kind, 0.5, "x").unwrap();
        let spam = combine(vec![half(SpamKind::Frequency), half(SpamKind::Repetition)]);
        assert_eq!(spam.score, 75);
        assert_eq!(spam.reasons[0].kind, SpamKind::Repetition);
        assert_eq!(combine(Vec::new()), Spam::default());
    }

    #[test]
    fn long_pages_are_sampled_evenly() {
        let block = |text: String| Block { zone: Zone::Body, text };
        let blocks: Vec<Block> =
            (0..1_000).map(|i| block(format!("word{i} ").repeat(100))).collect();
        let mut page = Profile::new(None);
        sample(&blocks, &mut page);
        page.finish();
        assert!((5_000..20_000).contains(&page.words), "{}", page.words);
        assert!(page.distinct() > 30, "{}", page.distinct());
        let one = [block("abc ".repeat(1_000_000))];
        let mut page = Profile::new(None);
        sample(&one, &mut page);
        assert!(page.words < 20_000);
    }
}
