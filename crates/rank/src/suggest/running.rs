//! Counts the phrases of running text: two to four words that stand together on several sites.
//!
//! ```text
//! page → words of its body → phrases on it, each once ─→ seen: who said it last, by hash
//!                                                     └→ known: those that somebody else said too
//! ```
//! Most runs of words are said once and never again, so they leave no more than a slot of `seen`,
//! which the next one with the same hash takes. What comes again before that, from another site, is
//! written out and counted by sites from then on. So the frequent are found and the rare are missed
//! the more, the more pages there are; a text is never held, but for those that are counted.
//!
//! A phrase stands within a sentence, begins and ends with a word that is no stop word, and has no
//! numbers in it. Navigation, headings and what a page forbids to quote are not read. Pages in a
//! language without stop words do not speak here.
//!
//! Cost: [`MOST_PAGES`] pages at most are read, spread over all by a hash, [`MOST_BYTES`] of each.
//! Memory, whatever the number of pages: 32 MB for `seen`, 1 MB for words, and up to some 40 MB
//! for what is known; only as much of it as there is text.

use std::collections::{HashMap, HashSet};

use base::{PageRecord, Zone};
use text::{Analyzer, Language, Word};

use super::build::{hash, keep_best};

/// Words of a phrase.
const WORDS: std::ops::RangeInclusive<usize> = 2..=LONGEST;
const LONGEST: usize = 4;
/// Pages that are read.
const MOST_PAGES: u64 = 200_000;
/// Bytes read of one page.
const MOST_BYTES: usize = 8 * 1024;
/// Slots for what was said once: a power of two.
const SLOTS: usize = 1 << 22;
/// Counters of words: a power of two.
const COUNTERS: usize = 1 << 18;
/// Phrases that are counted at a time; beyond it those that fewest sites say are let go.
const MOST_KNOWN: usize = 200_000;
/// Phrases that are handed on.
const MOST_TOLD: usize = 40_000;
/// Sites counted for one phrase; more make no difference.
const MOST_VOICES: usize = 16;
/// Sites that must say a phrase, or all of them if there are fewer.
const LEAST_VOICES: usize = 3;
/// Pages that must say it where there is one site only.
const LEAST_PAGES: u32 = 4;
/// A phrase is a part of a longer one if that makes up as much of its pages.
const PART: f32 = 0.8;

/// Phrases under way.
pub(super) struct Running {
    limits: Limits,
    /// Pages are read whose hash is not above it.
    sample: u64,
    seen: Vec<Seen>,
    /// On how many pages the words of a counter stand.
    words: Vec<u32>,
    known: HashMap<u64, Known>,
    /// The first sites that spoke, each once.
    voices: Vec<u64>,
    /// What the present page has said.
    said: HashSet<u64>,
}

#[derive(Clone, Copy)]
struct Limits {
    slots: usize,
    known: usize,
}

/// Who has said a phrase last, by parts of hashes. All zero if nobody has.
#[derive(Clone, Copy, Default)]
struct Seen {
    phrase: u32,
    page: Page,
}

/// Who speaks on a page, and which page it is. Two that are taken for one make a phrase count less,
/// never more.
#[derive(Clone, Copy, Default, PartialEq)]
struct Page {
    /// Never zero.
    voice: u16,
    number: u16,
}

/// A phrase that is counted.
struct Known {
    /// As most have written it, and how many more wrote it so than otherwise.
    shown: Box<str>,
    lead: u32,
    /// Who says it, ascending, each once.
    voices: Vec<u16>,
    pages: u32,
    /// Counters of its words, [`NO_WORD`] for stop words and those that it has not.
    words: [u32; LONGEST],
    /// Its hash without the first word, and without the last.
    parts: [u64; 2],
}

const NO_WORD: u32 = u32::MAX;

/// A phrase of running text and what it is worth.
pub(super) struct Told {
    pub(super) shown: Box<str>,
    pub(super) num_voices: usize,
    /// How firmly its words belong together, from 0 to 1.
    pub(super) hold: f32,
}

/// A word of the sentence at hand.
#[derive(Clone, Copy)]
struct Spot {
    start: usize,
    end: usize,
    hash: u64,
    /// Whether a phrase may begin or end with it.
    is_edge: bool,
    counter: u32,
}

impl Running {
    /// `num_pages` says how many pages there are, about.
    pub(super) fn new(num_pages: u64) -> Self {
        let sample = match num_pages.checked_div(MOST_PAGES) {
            None | Some(0) => u64::MAX,
            _ => (u128::from(u64::MAX) * u128::from(MOST_PAGES) / u128::from(num_pages)) as u64,
        };
        Self {
            limits: Limits { slots: SLOTS, known: MOST_KNOWN },
            sample,
            seen: Vec::new(),
            words: Vec::new(),
            known: HashMap::new(),
            voices: Vec::new(),
            said: HashSet::new(),
        }
    }

    /// Takes the text of a page; who speaks there is told by a hash.
    pub(super) fn push(&mut self, record: &PageRecord, voice: u64) {
        if hash(&record.id) > self.sample {
            return;
        }
        let language = record.language.as_deref().and_then(Language::parse);
        let Some(language) = language.filter(|language| language.has_stop_words()) else { return };
        if self.seen.is_empty() {
            self.seen = vec![Seen::default(); self.limits.slots];
            self.words = vec![0; COUNTERS];
        }
        if self.voices.len() < LEAST_VOICES && !self.voices.contains(&voice) {
            self.voices.push(voice);
        }
        let page = Page { voice: voice as u16 | 1, number: hash(&record.id) as u16 };
        self.said.clear();
        let mut left = MOST_BYTES;
        for (place, block) in record.blocks.iter().enumerate() {
            let is_quotable = record.unquotable.iter().all(|span| span.block as usize != place);
            if block.zone == Zone::Body && is_quotable {
                let text = &block.text[..block.text.floor_char_boundary(left)];
                left -= text.len();
                self.read(text, language, page);
            }
        }
        if self.known.len() > self.limits.known {
            keep_best(&mut self.known, self.limits.known / 2, Known::rank, Ord::cmp);
        }
    }

    fn read(&mut self, text: &str, language: Language, page: Page) {
        let mut sentence: Vec<Spot> = Vec::with_capacity(LONGEST + 1);
        Analyzer::new(Some(language)).for_each(text, |word| {
            if !word.surface.contains(char::is_alphabetic) {
                sentence.clear();
                return;
            }
            if sentence.last().is_some_and(|last| !is_blank(&text[last.end..word.start])) {
                sentence.clear();
            }
            let spot = self.spot(&word);
            if sentence.len() == LONGEST {
                sentence.remove(0);
            }
            sentence.push(spot);
            if spot.is_edge {
                self.end_at(text, &sentence, page);
            }
        });
    }

    /// Counts a word's pages and keeps what phrases need of it.
    fn spot(&mut self, word: &Word<'_>) -> Spot {
        let number = hash(word.surface);
        let is_edge = !word.is_stop && word.surface.chars().nth(1).is_some();
        let counter = (number as usize & (COUNTERS - 1)) as u32;
        if !word.is_stop && self.said.insert(number) {
            let count = &mut self.words[counter as usize];
            *count = count.saturating_add(1);
        }
        let counter = if word.is_stop { NO_WORD } else { counter };
        Spot { start: word.start, end: word.end, hash: number, is_edge, counter }
    }

    /// Takes the phrases that end where the sentence has come to.
    fn end_at(&mut self, text: &str, sentence: &[Spot], page: Page) {
        for len in WORDS.take_while(|len| *len <= sentence.len()) {
            let spots = &sentence[sentence.len() - len..];
            if spots[0].is_edge {
                let number = joined(spots);
                if self.said.insert(number) {
                    self.credit(number, text, spots, page);
                }
            }
        }
    }

    fn credit(&mut self, number: u64, text: &str, spots: &[Spot], page: Page) {
        let shown = || text[spots[0].start..spots[spots.len() - 1].end].trim();
        if let Some(known) = self.known.get_mut(&number) {
            known.credit(shown(), page.voice);
            return;
        }
        let now = Seen { phrase: (number >> 32) as u32, page };
        let slot = &mut self.seen[number as usize & (self.limits.slots - 1)];
        let before = std::mem::replace(slot, now);
        // As long as there is one site only, its pages speak for themselves.
        let is_other = match self.voices.len() {
            0 | 1 => before.page != page,
            _ => before.page.voice != page.voice,
        };
        if before.phrase != now.phrase || before.page.voice == 0 || !is_other {
            return;
        }
        let mut words = [NO_WORD; LONGEST];
        for (word, spot) in words.iter_mut().zip(spots) {
            *word = spot.counter;
        }
        let parts = [joined(&spots[1..]), joined(&spots[..spots.len() - 1])];
        let (shown, voices) = (shown().into(), vec![before.page.voice]);
        let mut known = Known { shown, lead: 0, voices, pages: 1, words, parts };
        known.credit(&known.shown.clone(), page.voice);
        self.known.insert(number, known);
    }

    /// Returns the phrases that may be suggested, those that most sites say first.
    pub(super) fn finish(mut self) -> Vec<Told> {
        let is_alone = self.voices.len() < 2;
        let least = self.voices.len().min(LEAST_VOICES);
        let is_said = |known: &Known| match is_alone {
            true => known.pages >= LEAST_PAGES,
            false => known.voices.len() >= least,
        };
        self.known.retain(|_, known| is_said(known));
        let mut parts = HashSet::new();
        for known in self.known.values() {
            let is_most = |part: &u64| {
                let whole = self.known.get(part);
                whole.is_some_and(|whole| known.pages as f32 >= PART * whole.pages as f32)
            };
            parts.extend(known.parts.iter().copied().filter(is_most));
        }
        self.known.retain(|number, _| !parts.contains(number));
        let mut known: Vec<Known> = self.known.into_values().collect();
        known.sort_by(|one, other| {
            other.rank().cmp(&one.rank()).then_with(|| one.shown.cmp(&other.shown))
        });
        known.truncate(MOST_TOLD);
        let told = |known: Known| {
            let hold = hold(&known, &self.words);
            Told { shown: known.shown, num_voices: known.voices.len(), hold }
        };
        known.into_iter().map(told).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

impl Known {
    /// Returns how much it counts: by sites, then by pages.
    fn rank(&self) -> (usize, u32) {
        (self.voices.len(), self.pages)
    }

    fn credit(&mut self, shown: &str, voice: u16) {
        self.pages = self.pages.saturating_add(1);
        if let Err(place) = self.voices.binary_search(&voice)
            && self.voices.len() < MOST_VOICES
        {
            self.voices.insert(place, voice);
        }
        // The vote of Boyer and Moore: what more than half write wins, and nothing else is kept.
        match (&*self.shown == shown, self.lead) {
            (true, lead) => self.lead = lead.saturating_add(1),
            (false, 0) => (self.shown, self.lead) = (shown.into(), 1),
            (false, lead) => self.lead = lead - 1,
        }
    }
}

/// Returns the share of its words' pages that a phrase has: "many people" is said often, but so are
/// both of its words without the other.
fn hold(known: &Known, counters: &[u32]) -> f32 {
    let words = known.words.iter().filter(|word| **word != NO_WORD);
    let counts: Vec<f32> =
        words.map(|word| (counters[*word as usize].max(1) as f32).ln()).collect();
    let mean = counts.iter().sum::<f32>() / counts.len().max(1) as f32;
    (known.pages as f32 / mean.exp()).clamp(0.0, 1.0)
}

/// Returns the hash of the words of a phrase, in their order.
fn joined(spots: &[Spot]) -> u64 {
    // The length goes in first, so that no phrase is taken for one of its words.
    spots.iter().fold(spots.len() as u64, |sum, spot| {
        (sum.rotate_left(25) ^ spot.hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// Returns whether nothing but a blank stands there: words of one sentence.
fn is_blank(gap: &str) -> bool {
    gap.len() <= 4 && gap.chars().all(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use base::{Block, ContentKind, PageId, Timestamp, Url};

    use super::*;

    fn page(number: u64, text: String) -> PageRecord {
        let url = Url::parse(&format!("http://h{number}.example/")).unwrap();
        let id = PageId::new(0, number).unwrap();
        PageRecord {
            kind: ContentKind::Html,
            language: Some("en".to_owned()),
            blocks: vec![Block { zone: Zone::Body, text }],
            ..PageRecord::new(id, url, Timestamp::from_millis(0), 200)
        }
    }

    fn shown(running: Running) -> Vec<String> {
        running.finish().into_iter().map(|told| told.shown.into_string()).collect()
    }

    #[test]
    fn what_is_held_does_not_grow_with_the_pages_and_the_frequent_stay() {
        let mut running =
            Running { limits: Limits { slots: 1 << 12, known: 500 }, ..Running::new(0) };
        let mut most = 0;
        for number in 0..3_000u64 {
            // Half of it is said by three sites in a row, the other half by nobody else.
            let common: String =
                (0..20).map(|word| format!("pair{}x{word} twin{word}. ", number / 3)).collect();
            let own: String =
                (0..20).map(|word| format!("own{number}x{word} word{word}. ")).collect();
            let text = format!("{common}{own} The lantern keeper walks.");
            running.push(&page(number, text), hash(&number));
            most = most.max(running.known.len());
            assert_eq!((running.seen.len(), running.words.len()), (1 << 12, COUNTERS));
        }
        assert!(most <= 500 + 40, "{most}");
        assert!(most > 300, "{most}: nothing was let go");
        assert_eq!(shown(running)[0], "lantern keeper walks");
    }

    #[test]
    fn of_many_pages_some_are_read_and_they_are_spread() {
        let running = Running::new(10 * MOST_PAGES);
        let is_read = |number: &u64| hash(&PageId::new(0, *number).unwrap()) <= running.sample;
        let read: Vec<u64> = (0..10_000).filter(is_read).collect();
        assert!((800..1_200).contains(&read.len()), "{}", read.len());
        assert!(read[0] < 100 && read[read.len() - 1] > 9_900);
        assert_eq!(Running::new(MOST_PAGES).sample, u64::MAX);
    }

    #[test]
    fn a_phrase_is_written_as_most_write_it() {
        let mut running = Running::new(0);
        let spellings = ["Lantern keeper", "lantern keeper", "LANTERN KEEPER", "lantern keeper"];
        for (number, spelling) in (0..).zip(spellings.iter().chain(&spellings[1..])) {
            running.push(&page(number, format!("The {spelling}, again.")), hash(&number));
        }
        assert_eq!(shown(running), ["lantern keeper"]);
    }

    #[test]
    fn words_that_stand_everywhere_hold_together_less() {
        let mut running = Running::new(0);
        for number in 0..20u64 {
            let text = match number {
                0..5 => "Old people came. A copper kettle, too.",
                _ => "Old, and people.",
            };
            running.push(&page(number, text.to_owned()), hash(&number));
        }
        let told = running.finish();
        let hold = |shown: &str| told.iter().find(|told| &*told.shown == shown).unwrap().hold;
        assert!((hold("copper kettle") - 1.0).abs() < 1e-3, "{}", hold("copper kettle"));
        assert!((hold("Old people came") - 0.4).abs() < 0.01, "{}", hold("Old people came"));
    }

    #[test]
    fn a_page_in_a_language_without_stop_words_says_nothing() {
        let mut running = Running::new(0);
        for number in 0..5 {
            let language = Some("xx".to_owned());
            let record = PageRecord { language, ..page(number, "lantern keeper".to_owned()) };
            running.push(&record, hash(&number));
        }
        assert_eq!(running.len(), 0);
    }
}
