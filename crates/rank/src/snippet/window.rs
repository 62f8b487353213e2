//! The stretches of a page that show a query best: up to two.
//!
//! What counts, in this order: how many different words of the query a stretch has (a word of
//! the frame around the page counts a third, a stop word a fifth), the zone it stands in, how
//! near its words are to each other, how early it comes. Two stretches are taken where they show
//! more words than any single one.

use std::collections::HashMap;

use base::{Block, Zone};

/// A word of the query in a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Tells one word of the query from another.
    pub(super) unit: u64,
    pub(super) is_stop_word: bool,
}

/// A stretch of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Window {
    pub(super) block: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The words it shows, in order.
    units: Vec<u64>,
    /// What they are worth together.
    words: u32,
    /// What decides between windows of equal words.
    rest: u32,
}

/// What a word is worth.
const WORD: u32 = 15;
const STOP_WORD: u32 = 3;
/// How much a word of the frame is worth less.
const FRAME: u32 = 3;
/// The largest worth of nearness.
const NEAR: usize = 100;

/// Chooses the windows to show, in the order of the page; empty if no word is on it.
///
/// `matches` goes with `blocks`. A single window is at most `wide` characters long, two are at
/// most `narrow` each. Cost: linear in matches and in the text between them.
pub(super) fn choose(
    blocks: &[Block],
    matches: &[Vec<Match>],
    wide: usize,
    narrow: usize,
) -> Vec<Window> {
    let nothing = HashMap::new();
    let single = best(blocks, matches, wide, &nothing);
    let Some(first) = best(blocks, matches, narrow, &nothing) else {
        // One word may be longer than a narrow window.
        return single.into_iter().collect();
    };
    let shown: HashMap<u64, ()> = first.units.iter().map(|unit| (*unit, ())).collect();
    let second = best(blocks, matches, narrow, &shown);
    match (single, second) {
        (Some(single), Some(second)) if single.words < first.words + second.words => {
            let mut pair = vec![first, second];
            pair.sort_by_key(|window| (window.block, window.start));
            pair
        }
        (Some(single), _) => vec![single],
        (None, _) => vec![first],
    }
}

/// Returns the best window of at most `most` characters; words of `shown` are worth nothing.
fn best(
    blocks: &[Block],
    matches: &[Vec<Match>],
    most: usize,
    shown: &HashMap<u64, ()>,
) -> Option<Window> {
    let mut best: Option<Window> = None;
    for (place, (block, matches)) in blocks.iter().zip(matches).enumerate() {
        let matches: Vec<&Match> =
            matches.iter().filter(|found| !shown.contains_key(&found.unit)).collect();
        let mut slide = Slide::new(block, &matches, most);
        while let Some((from, to)) = slide.next() {
            let (words, rest) = slide.worth(from, to);
            let is_better =
                best.as_ref().is_none_or(|best| (words, rest) > (best.words, best.rest));
            if words > 0 && is_better {
                let end = matches[from..=to].iter().map(|found| found.end).max();
                let units = matches[from..=to].iter().map(|found| found.unit).collect();
                best = Some(Window {
                    block: place,
                    start: matches[from].start,
                    end: end.unwrap_or(matches[from].end),
                    units,
                    words,
                    rest,
                });
            }
        }
    }
    best
}

/// Goes through the windows of a block: for each match the shortest that ends with it and has
/// the most different words within the length. Both ends only move forth.
struct Slide<'a> {
    zone: Zone,
    matches: &'a [&'a Match],
    /// Characters before the beginning and the end of each match.
    chars: Vec<(usize, usize)>,
    most: usize,
    /// How often each word is in the window, and what it was held to be worth when it came in: one
    /// word may stand there in a form that is a stop word and in another that is none.
    counts: HashMap<u64, (u32, u32)>,
    /// Worth of the distinct words in the window.
    words: u32,
    from: usize,
    to: usize,
}

impl<'a> Slide<'a> {
    fn new(block: &Block, matches: &'a [&'a Match], most: usize) -> Self {
        let (mut place, mut count) = (0, 0);
        let mut chars = Vec::with_capacity(matches.len());
        for found in matches {
            // Matches over others begin with them or inside them.
            count += block.text[place..found.start.max(place)].chars().count();
            place = found.start.max(place);
            let length = block.text[found.start..found.end].chars().count();
            chars.push((count, count + length));
        }
        let (counts, zone) = (HashMap::new(), block.zone);
        Self { zone, matches, chars, most, counts, words: 0, from: 0, to: 0 }
    }

    /// Returns the first and last match of the next window.
    fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            let to = self.to;
            let found = self.matches.get(to)?;
            self.to += 1;
            let (count, held) = self.counts.entry(found.unit).or_default();
            *count += 1;
            if *count == 1 {
                *held = worth(found, self.zone);
                self.words += *held;
            }
            while self.from <= to && (self.is_long(to) || self.is_repeated(to)) {
                self.drop_first();
            }
            if self.from <= to {
                return Some((self.from, to));
            }
        }
    }

    fn is_long(&self, to: usize) -> bool {
        self.chars[to].1 - self.chars[self.from].0.min(self.chars[to].1) > self.most
    }

    /// Returns whether the first word of the window stands in it again.
    fn is_repeated(&self, to: usize) -> bool {
        self.from < to && self.counts[&self.matches[self.from].unit].0 > 1
    }

    fn drop_first(&mut self) {
        let found = self.matches[self.from];
        self.from += 1;
        let (count, held) = self.counts.get_mut(&found.unit).expect("counted when it came in");
        *count -= 1;
        if *count == 0 {
            self.words -= *held;
        }
    }

    /// Returns what the words of the present window are worth, and what decides between equals.
    fn worth(&self, from: usize, to: usize) -> (u32, u32) {
        let length = self.chars[to].1.saturating_sub(self.chars[from].0).min(self.most);
        let near = NEAR - length * NEAR / self.most.max(1);
        (self.words, zone_worth(self.zone) * 1_000 + near as u32)
    }
}

fn worth(found: &Match, zone: Zone) -> u32 {
    let worth = if found.is_stop_word { STOP_WORD } else { WORD };
    if zone.is_frame() { worth / FRAME } else { worth }
}

/// Text of the article first, then pictures, headings, what is folded away, and side bars last.
fn zone_worth(zone: Zone) -> u32 {
    match zone {
        Zone::Body => 50,
        Zone::Caption => 30,
        Zone::Heading => 20,
        Zone::Alt | Zone::Folded => 10,
        Zone::Trail => 5,
        Zone::Boilerplate => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the words of a text that are one capital letter.
    fn matches(text: &str) -> Vec<Match> {
        let mut found = Vec::new();
        for (start, letter) in text.char_indices().filter(|(_, letter)| letter.is_uppercase()) {
            let (end, unit) = (start + letter.len_utf8(), u64::from(u32::from(letter)));
            found.push(Match { start, end, unit, is_stop_word: letter == 'S' });
        }
        found
    }

    #[track_caller]
    fn check(texts: &[(Zone, &str)], expected: &[&str]) {
        let block = |(zone, text): &(Zone, &str)| Block { zone: *zone, text: (*text).to_owned() };
        let blocks: Vec<Block> = texts.iter().map(block).collect();
        let matches: Vec<_> = blocks.iter().map(|block| matches(&block.text)).collect();
        let chosen = choose(&blocks, &matches, 20, 10);
        let text = |window: &Window| &blocks[window.block].text[window.start..window.end];
        assert_eq!(chosen.iter().map(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn different_words_come_before_near_ones_and_near_ones_before_early_ones() {
        check(&[(Zone::Body, "A A A xxxxxxxxxxxxxxxxxxxxxxxxx AxxxB")], &["AxxxB"]);
        check(&[(Zone::Body, "AxxxxB xxxxxxxxxxxxxxxxxxxxxxxxx AxB")], &["AxB"]);
        check(&[(Zone::Body, "AxB xxxxxxxxxxxxxxxxxxxxxxxxx AyB")], &["AxB"]);
        check(&[(Zone::Body, "nothing")], &[]);
    }

    #[test]
    fn two_windows_show_what_one_cannot() {
        let gap = "x".repeat(50);
        check(&[(Zone::Body, &format!("A{gap}B"))], &["A", "B"]);
        check(&[(Zone::Body, &format!("C{gap}A B{gap}C"))], &["C", "A B"]);
        // A single wide one is enough here.
        check(&[(Zone::Body, "A xxxxxxxxxxx B")], &["A xxxxxxxxxxx B"]);
        check(&[(Zone::Body, "A"), (Zone::Heading, "B")], &["A", "B"]);
    }

    #[test]
    fn the_frame_and_stop_words_count_little() {
        check(&[(Zone::Boilerplate, "A B"), (Zone::Body, "A xxxxxxxxx")], &["B", "A"]);
        check(&[(Zone::Boilerplate, "A"), (Zone::Body, "xxx A")], &["A"]);
        check(&[(Zone::Body, "S xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx A")], &["S", "A"]);
    }

    /// QRY-20: what went out was counted otherwise than what had come in.
    #[test]
    fn a_word_may_be_a_stop_word_in_one_form_and_none_in_another() {
        let text = format!("a{}A{}B", "x".repeat(5), "x".repeat(50));
        let found = |letter: char, unit, is_stop_word| {
            let start = text.find(letter).unwrap();
            Match { start, end: start + 1, unit, is_stop_word }
        };
        let block = Block { zone: Zone::Body, text: text.clone() };
        for [first, second] in [[true, false], [false, true]] {
            let matches = vec![found('a', 1, first), found('A', 1, second), found('B', 2, false)];
            let chosen = choose(std::slice::from_ref(&block), &[matches], 20, 10);
            let shown: Vec<&str> =
                chosen.iter().map(|window| &text[window.start..window.end]).collect();
            assert_eq!(shown.last(), Some(&"B"));
            assert!(chosen.iter().all(|window| window.words <= WORD), "{chosen:?}");
        }
    }

    #[test]
    fn windows_are_found_in_linear_time() {
        let text = "A".repeat(60_000) + &"AB".repeat(5_000);
        check(&[(Zone::Body, &text)], &["AB"]);
    }
}
