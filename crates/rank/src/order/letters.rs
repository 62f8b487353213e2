//! Likeness of spelling: pieces of words that query and page share.
//!
//! A stemmer knows the endings of its language; it does not know that `Verteidigungsminister`
//! has to do with `Verteidigung`, that a name is written in two ways, or the endings of a language
//! that it was not made for. Pieces of four letters do, roughly. There are too many of them for an
//! index, so they are counted in the text of the best candidates only, where they also tell what
//! is rare: what nearly all candidates have says nothing of one.
//!
//! ```text
//! "Die Jagd" → " die", "die ", " jag", "jagd", "agd "        "北京大学" → 北 京 大 学
//! score(page) = Σ over pieces of the query: count · idf · n (k1 + 1) / (n + k1 (1 − b + b · length / mean))
//! ```

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Letters in a piece of a word; blanks at its ends count. Three were worse than four; five were
/// better for German and worse for English, Spanish and Arabic
/// (docs/measurements/2026-11-16-ranking.md).
const PIECE: usize = 4;
/// Most bytes of one page that are looked at.
pub(crate) const TEXT_BYTES: usize = 8 * 1024;
/// Most different pieces of one query: a long one has said enough by then.
const MOST_PIECES: usize = 512;
/// How soon further occurrences stop to count.
const K1: f32 = 0.9;
/// How much long pages are held back.
const B: f32 = 0.6;

/// The pieces of a query, and how often the candidates have them.
#[derive(Debug)]
pub(crate) struct Letters {
    /// Pieces and their places in what follows.
    places: HashMap<Piece, usize, RandomState>,
    /// One bit for each piece: most pieces of a text are none of ours, and most are told here.
    filter: Vec<u64>,
    /// How often the query has each piece.
    wanted: Vec<f32>,
    /// How often each candidate has each piece: those of the first, those of the second, and so on.
    found: Vec<u32>,
    /// Pieces of each candidate in all.
    lengths: Vec<u32>,
    /// Share of each candidate's text that was looked at.
    seen: Vec<f32>,
}

/// Bits of the filter, as a power of two.
const FILTER_LOG2: u32 = 15;

/// Up to four letters, 16 bits each, the last one lowest; or one ideograph, whatever its number.
///
/// Words begin with a blank, so that what is shorter than four letters has three of them at least
/// and is larger than any ideograph.
type Piece = u64;

impl Letters {
    /// Takes the text of a query.
    pub(crate) fn new(query: &str) -> Self {
        let mut letters = Self {
            places: HashMap::default(),
            filter: vec![0; (1 << FILTER_LOG2) / 64],
            wanted: Vec::new(),
            found: Vec::new(),
            lengths: Vec::new(),
            seen: Vec::new(),
        };
        let mut pieces = Pieces::default();
        pieces.push(query, &mut |piece| letters.want(piece));
        pieces.finish(&mut |piece| letters.want(piece));
        letters
    }

    fn want(&mut self, piece: Piece) {
        let next = self.wanted.len();
        if next == MOST_PIECES && !self.places.contains_key(&piece) {
            return;
        }
        let place = *self.places.entry(piece).or_insert(next);
        if place == next {
            self.wanted.push(0.0);
            let bit = bit_of(piece);
            self.filter[bit / 64] |= 1 << (bit % 64);
        }
        self.wanted[place] += 1.0;
    }

    /// Adds a candidate by its texts, of which the first [`TEXT_BYTES`] count. Cost: linear.
    pub(crate) fn push<'a>(&mut self, texts: impl Iterator<Item = &'a str>) {
        let begin = self.found.len();
        self.found.resize(begin + self.wanted.len(), 0);
        let found = &mut self.found[begin..];
        let (filter, places) = (self.filter.as_slice(), &self.places);
        let mut length = 0;
        let mut pieces = Pieces::default();
        let mut visit = |piece: Piece| {
            length += 1;
            let bit = bit_of(piece);
            if filter[bit / 64] >> (bit % 64) & 1 == 1
                && let Some(place) = places.get(&piece)
            {
                found[*place] += 1;
            }
        };
        let (mut room, mut whole) = (TEXT_BYTES, 0);
        for text in texts {
            whole += text.len();
            let text = base::limits::cut(text, room);
            room -= text.len();
            pieces.push(text, &mut visit);
            pieces.push(" ", &mut visit);
        }
        pieces.finish(&mut visit);
        self.lengths.push(length);
        self.seen.push((TEXT_BYTES - room) as f32 / whole.max(1) as f32);
    }

    /// Returns which share of each candidate's text the scores speak of, in order of coming.
    pub(crate) fn seen(&self) -> &[f32] {
        &self.seen
    }

    /// Returns how much each candidate shares with the query, the best as 1, in order of coming.
    pub(crate) fn scores(&self) -> Vec<f32> {
        let count = self.lengths.len() as f32;
        let total: f32 = self.lengths.iter().map(|length| *length as f32).sum();
        let mean = (total / count.max(1.0)).max(1.0);
        let norm = |length: &u32| 1.0 - B + B * *length as f32 / mean;
        let norms: Vec<f32> = self.lengths.iter().map(norm).collect();
        let mut scores = vec![0.0; self.lengths.len()];
        for (place, wanted) in self.wanted.iter().enumerate() {
            let found = || self.found.iter().skip(place).step_by(self.wanted.len());
            let with = found().filter(|found| **found > 0).count() as f32;
            let idf = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
            for ((score, found), norm) in scores.iter_mut().zip(found()).zip(&norms) {
                let frequency = *found as f32;
                *score += wanted * idf * frequency * (K1 + 1.0) / (frequency + K1 * norm);
            }
        }
        let best = scores.iter().copied().fold(0.0, f32::max);
        if best > 0.0 {
            scores.iter_mut().for_each(|score| *score /= best);
        }
        scores
    }
}

/// Cuts running text into pieces.
struct Pieces {
    /// The last letters.
    window: Piece,
    /// How many letters of the word at hand are in the window, the blank before it included.
    filled: usize,
}

const BLANK: u16 = b' ' as u16;

impl Default for Pieces {
    fn default() -> Self {
        Self { window: Piece::from(BLANK), filled: 1 }
    }
}

impl Pieces {
    fn push(&mut self, text: &str, visit: &mut impl FnMut(Piece)) {
        let mut place = 0;
        while let Some(byte) = text.as_bytes().get(place) {
            if let Some(folded) = FOLDED.get(usize::from(*byte)) {
                self.letter(u16::from(*folded), visit);
                place += 1;
                continue;
            }
            let Some(letter) = text[place..].chars().next() else { return };
            self.other(letter, visit);
            place += letter.len_utf8();
        }
    }

    /// Takes a letter that is none of ASCII.
    fn other(&mut self, letter: char, visit: &mut impl FnMut(Piece)) {
        if is_ideograph(letter) {
            self.letter(BLANK, visit);
            visit(Piece::from(u32::from(letter)));
        } else if is_mark(letter) {
            // Some write it and some do not.
        } else if letter.is_alphanumeric() {
            for letter in letter.to_lowercase() {
                self.letter(short(letter), visit);
            }
        } else {
            self.letter(BLANK, visit);
        }
    }

    fn finish(mut self, visit: &mut impl FnMut(Piece)) {
        self.letter(BLANK, visit);
    }

    #[inline]
    fn letter(&mut self, letter: u16, visit: &mut impl FnMut(Piece)) {
        if letter == BLANK && self.filled == 1 {
            return;
        }
        self.window = self.window << 16 | Piece::from(letter);
        self.filled += 1;
        if self.filled >= PIECE {
            visit(self.window);
        } else if letter == BLANK {
            // A word of one or two letters is one piece, however short.
            visit(self.window & ((1 << (16 * self.filled)) - 1));
        }
        if letter == BLANK {
            self.filled = 1;
        }
    }
}

/// Returns the number of a letter in 16 bits. Letters beyond them, of scripts that hardly anybody
/// writes, share numbers that no letter has.
fn short(letter: char) -> u16 {
    let number = u32::from(letter);
    u16::try_from(number).unwrap_or(0xe000 | (number & 0xfff) as u16)
}

/// What the letters of ASCII count as: small ones and digits, blanks for all others.
const FOLDED: [u8; 128] = {
    let mut folded = [b' '; 128];
    let mut letter = 0_u8;
    while letter < 128 {
        if letter.is_ascii_alphanumeric() {
            folded[letter as usize] = letter.to_ascii_lowercase();
        }
        letter += 1;
    }
    folded
};

/// Returns the bit of the filter that stands for a piece.
fn bit_of(piece: Piece) -> usize {
    (piece.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> (64 - FILTER_LOG2)) as usize
}

/// Returns whether a letter is a word or nearly so: a piece by itself.
fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether a character only dresses the letter before it.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many pieces a text has, and how many of them another has too.
    fn shared(query: &str, text: &str) -> (u32, u32) {
        let mut letters = Letters::new(query);
        letters.push([text].into_iter());
        (letters.lengths[0], letters.found.iter().sum())
    }

    #[test]
    fn words_are_cut_into_pieces_and_ideographs_stand_alone() {
        assert_eq!(shared("Jagd", "Die Jagd!"), (5, 3));
        assert_eq!(shared("大学", "北京大学 in Beijing"), (4 + 1 + 6, 2));
        assert_eq!(shared("a", "a b c"), (3, 1));
        assert_eq!(shared("", "…"), (0, 0));
    }

    #[test]
    fn case_and_marks_make_no_difference() {
        assert_eq!(shared("MÜNCHEN", "münchen"), (6, 6));
        assert_eq!(shared("كَتَبَ", "كتب"), (2, 2));
        // Gothic, beyond 16 bits, and a word as short as an ideograph is.
        assert_eq!(shared("𐌲𐌿𐍄", "𐌲𐌿𐍄 𐌰"), (3, 2));
        assert_eq!(shared("a", "　𠀀 　"), (1, 0));
    }

    #[test]
    fn parts_of_compounds_are_alike() {
        let mut letters = Letters::new("Verteidigung");
        for text in ["Verteidigungsminister", "Minister der Finanzen"] {
            letters.push([text].into_iter());
        }
        assert_eq!(letters.scores(), [1.0, 0.0]);
    }

    #[test]
    fn only_the_beginning_of_a_page_counts() {
        let long = "word ".repeat(10_000) + "needle";
        assert_eq!(shared("needle", &long).1, 0);
        assert!(shared("word", &long).0 as usize <= TEXT_BYTES);
        let mut letters = Letters::new("word");
        letters.push([long.as_str()].into_iter());
        letters.push(["short", "word"].into_iter());
        letters.push(std::iter::empty());
        let [part, whole, none] = letters.seen() else { panic!("three were pushed") };
        assert!((0.1..0.2).contains(part), "{part}");
        assert_eq!((*whole, *none), (1.0, 0.0));
    }

    #[test]
    fn texts_of_one_page_are_kept_apart() {
        let mut letters = Letters::new("abcd");
        letters.push(["ab", "cd"].into_iter());
        assert_eq!(letters.found.iter().sum::<u32>(), 0);
    }
}
