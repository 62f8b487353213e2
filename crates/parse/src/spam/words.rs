//! One count over the words of a text: how often, in which company, in what kind of block.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;
use text::Language;

use crate::letters::{self, Small};

/// Longest period of words in a row that is looked for: `buy cheap watches buy cheap watches`.
const PERIODS: usize = 6;
/// Words of a phrase.
const PHRASE: usize = 4;
/// Words from which a block may be a list of search words.
const LIST_WORDS: u32 = 24;
/// Text for each distinct word, in bytes: about what prose of a few pages has.
const BYTES_PER_WORD: usize = 24;

/// Counts over a text, built block by block. Cost: linear in the text.
pub(super) struct Profile<'a> {
    language: Option<Language>,
    table: HashMap<u64, Entry<'a>, RandomState>,
    phrases: Seen,
    /// Words; of scripts without blanks, pairs of characters.
    pub(super) words: u32,
    /// Words that are neither numbers, single letters nor stop words.
    pub(super) content: u32,
    stops: u32,
    sentences: u32,
    /// Words that end a phrase met before.
    pub(super) repeated: u32,
    /// Words of blocks that are lists of search words.
    pub(super) listed: u32,
    /// The beginning of the first of them.
    pub(super) list_start: &'a str,
    /// Most words in a row that repeat with a short period, and one of them.
    pub(super) longest_run: u32,
    pub(super) run_word: &'a str,
    /// The last words, the newest first.
    last: [u64; PERIODS],
    runs: [u32; PERIODS],
    blocks: u32,
    block: Counts,
}

#[derive(Clone, Copy)]
struct Entry<'a> {
    word: &'a str,
    count: u32,
    is_content: bool,
    is_stop: bool,
    /// The last block that has it.
    block: u32,
}

/// Counts over one block.
#[derive(Default)]
struct Counts {
    words: u32,
    stops: u32,
    numbers: u32,
    distinct: u32,
    sentences: u32,
    /// Signs of code, tables and addresses: `{`, `=`, `@`, `--`, a point inside a word.
    signs: u32,
}

impl Counts {
    /// Returns whether a block is a list of words that repeat each other. Honest lists (authors,
    /// countries, index terms) name each thing once.
    fn is_list(&self) -> bool {
        let many = self.words >= LIST_WORDS && (self.numbers + self.signs) * 6 < self.words;
        let no_sentences = self.sentences * 40 < self.words && self.stops * 8 < self.words;
        many && no_sentences && self.distinct * 100 < self.words * 55
    }
}

impl<'a> Profile<'a> {
    pub(super) fn new(language: Option<Language>) -> Self {
        Self {
            language,
            table: HashMap::default(),
            phrases: Seen::default(),
            words: 0,
            content: 0,
            stops: 0,
            sentences: 0,
            repeated: 0,
            listed: 0,
            list_start: "",
            longest_run: 0,
            run_word: "",
            last: [0; PERIODS],
            runs: [0; PERIODS],
            blocks: 0,
            block: Counts::default(),
        }
    }

    /// Makes room for the words of so much text, so that the table grows once.
    pub(super) fn expect(&mut self, bytes: usize) {
        self.table.reserve(bytes / BYTES_PER_WORD);
    }

    /// Counts a block of text.
    pub(super) fn add(&mut self, text: &'a str) {
        self.blocks += 1;
        self.block = Counts::default();
        let bytes = text.as_bytes();
        let mut place = 0;
        while let Some(&byte) = bytes.get(place) {
            if byte.is_ascii_alphanumeric() || !byte.is_ascii() {
                place = self.word(text, place);
            } else {
                let is_last = bytes.get(place + 1).is_none_or(|next| matches!(next, b' ' | b'"'));
                match byte {
                    b'.' | b'!' | b'?' | b':' if is_last => self.block.sentences += 1,
                    b' ' | b',' | b';' | b'|' | b'\'' | b'"' => {}
                    // A hyphen inside a word is a hyphen.
                    b'-' if !is_last && bytes[place.saturating_sub(1)] != b' ' => {}
                    _ => self.block.signs += 1,
                }
                place += 1;
            }
        }
        self.sentences += self.block.sentences;
        if self.block.is_list() {
            self.listed += self.block.words;
            if self.list_start.is_empty() {
                self.list_start = text;
            }
        }
    }

    /// Reads the word, or the other character, at `start`; returns where the next begins.
    fn word(&mut self, text: &'a str, start: usize) -> usize {
        let mut hash = Hash::default();
        let (length, has_letters) = letters::each_ascii(&text.as_bytes()[start..], |small| {
            hash.mix(u32::from(small));
        });
        let place = start + length;
        // Most words of most texts are ASCII alone.
        if text.as_bytes().get(place).is_none_or(u8::is_ascii) {
            self.count(hash.0, &text[start..place], !has_letters, length > 1);
            return place;
        }
        self.foreign_word(text, start..place, hash, !has_letters)
    }

    /// Reads on behind the ASCII letters that a word may begin with.
    fn foreign_word(
        &mut self,
        text: &'a str,
        begun: Range<usize>,
        mut hash: Hash,
        mut is_number: bool,
    ) -> usize {
        let Range { start, end: mut place } = begun;
        let mut letters = begun.len();
        let mut wide: Option<(usize, char)> = None;
        for character in text[place..].chars() {
            if character.is_ascii_alphanumeric() {
                is_number &= character.is_ascii_digit();
                hash.mix(u32::from(character.to_ascii_lowercase()));
            } else if character.is_ascii() {
                break;
            } else if is_wide(character) {
                if letters > 0 {
                    break;
                }
                // Words are not told apart here: pairs of neighbours stand for them.
                if let Some((before, first)) = wide {
                    let mut pair = Hash::default();
                    pair.mix(u32::from(first));
                    pair.mix(u32::from(character));
                    let end = place + character.len_utf8();
                    self.count(pair.0, &text[before..end], false, true);
                }
                wide = Some((place, character));
                place += character.len_utf8();
                continue;
            } else if let Some(small) = Small::of(character).first(character) {
                is_number &= letters::is_number(character);
                hash.mix(u32::from(small));
            } else if letters == 0 && wide.is_none() {
                let is_end = matches!(character, '。' | '！' | '？' | '।' | '؟');
                self.block.sentences += u32::from(is_end);
                return place + character.len_utf8();
            } else {
                break;
            }
            if wide.is_some() {
                return place;
            }
            letters += 1;
            place += character.len_utf8();
        }
        if letters > 0 {
            self.count(hash.0, &text[start..place], is_number, letters > 1);
        }
        place.max(start + 1)
    }

    fn count(&mut self, hash: u64, word: &'a str, is_number: bool, is_long: bool) {
        self.words += 1;
        self.block.words += 1;
        self.block.numbers += u32::from(is_number);
        let language = self.language;
        let entry = self.table.entry(hash).or_insert_with(|| {
            let is_stop = !is_number && is_stop(language, word);
            let is_content = is_long && !is_number && !is_stop;
            Entry { word, count: 0, is_content, is_stop, block: 0 }
        });
        entry.count += 1;
        self.content += u32::from(entry.is_content);
        self.stops += u32::from(entry.is_stop);
        self.block.stops += u32::from(entry.is_stop);
        self.block.distinct += u32::from(entry.block != self.blocks);
        entry.block = self.blocks;
        if is_long || is_number {
            self.company(hash, word, is_number);
        }
    }

    /// Holds a word against those before it. Numbers part rows, but columns of them are none.
    fn company(&mut self, hash: u64, word: &'a str, is_number: bool) {
        let mut longest = 0;
        for (run, last) in self.runs.iter_mut().zip(&self.last) {
            *run = if *last == hash { *run + 1 } else { 0 };
            longest = longest.max(*run);
        }
        if longest > self.longest_run && !is_number {
            self.longest_run = longest;
            self.run_word = word;
        }
        self.last.copy_within(..PERIODS - 1, 1);
        self.last[0] = hash;
        if is_number {
            return;
        }
        let mut phrase = Hash::default();
        for word in &self.last[..PHRASE] {
            phrase.0 = (phrase.0.rotate_left(17) ^ word).wrapping_mul(MULTIPLIER);
        }
        self.repeated += u32::from(!self.phrases.insert(phrase.0));
    }

    /// Ends counting.
    pub(super) fn finish(&mut self) {
        self.phrases = Seen::default();
    }

    /// Returns the most frequent word that says something, and how often it stands there.
    pub(super) fn top(&self) -> (u32, &'a str) {
        let content = self.table.values().filter(|entry| entry.is_content);
        // Among equals the first by name, so that the same page gives the same evidence.
        let top = content.max_by(|one, other| {
            one.count.cmp(&other.count).then_with(|| other.word.cmp(one.word))
        });
        top.map_or((0, ""), |entry| (entry.count, entry.word))
    }

    /// Returns how many distinct words there are.
    #[cfg(test)]
    pub(super) fn distinct(&self) -> usize {
        self.table.len()
    }

    /// Returns how many words of `other` that say something stand here at least `least` times.
    pub(super) fn shared(&self, other: &Profile<'_>, least: u32) -> u32 {
        let content = other.table.iter().filter(|(_, entry)| entry.is_content);
        let here = content.filter_map(|(hash, _)| self.table.get(hash));
        here.map(|entry| u32::from(entry.count >= least)).sum()
    }

    /// Returns 1 for a word that stands here, else 0.
    pub(super) fn weight_of(&self, word: &str) -> f32 {
        let has = self.table.values().any(|entry| entry.word.eq_ignore_ascii_case(word));
        if has { 1.0 } else { 0.0 }
    }

    /// Returns whether it reads like sentences.
    pub(super) fn is_prose(&self) -> bool {
        self.sentences >= 2 && self.words <= 60 * self.sentences && self.listed * 3 < self.words
    }
}

fn is_stop(language: Option<Language>, word: &str) -> bool {
    // Stop words are short, and most are written small.
    if word.len() > 16 {
        return false;
    }
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let mut lower = [0; 16];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        return std::str::from_utf8(lower).is_ok_and(|word| text::is_stop_word(language, word));
    }
    text::is_stop_word(language, word)
}

/// Characters of scripts that put no blanks between words.
fn is_wide(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;

/// The hash of a word, made character by character. Words that collide on purpose are counted
/// as one: the page makes itself look worse. Their places in the table have a key of their own
/// (SPM-10).
#[derive(Default)]
struct Hash(u64);

impl Hash {
    fn mix(&mut self, character: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(character)).wrapping_mul(MULTIPLIER);
    }
}

/// Phrases met so far: a bit for each hash. Of the few thousand phrases that are looked at, one in
/// fifty is at most taken for known by chance, which no limit notices.
#[derive(Default)]
struct Seen(Vec<u64>);

impl Seen {
    const BITS: u32 = 18;

    /// Notes a hash; returns whether it is new.
    fn insert(&mut self, hash: u64) -> bool {
        if self.0.is_empty() {
            self.0.resize(1 << (Self::BITS - 6), 0);
        }
        let bit = hash >> (64 - Self::BITS);
        let Some(word) = self.0.get_mut((bit >> 6) as usize) else { return true };
        let is_new = *word >> (bit & 63) & 1 == 0;
        *word |= 1 << (bit & 63);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> Profile<'_> {
        let mut profile = Profile::new(Language::parse("en"));
        profile.add(text);
        profile.finish();
        profile
    }

    #[test]
    fn words_are_counted_in_every_script() {
        let counts = |text: &str| {
            let profile = profile(text);
            (profile.words, profile.content)
        };
        assert_eq!(counts("The cat, the CAT and 12 a b"), (8, 2));
        assert_eq!(profile("The cat, the CAT").top(), (2, "cat"));
        assert_eq!(counts("東京タワー"), (4, 4));
        assert_eq!(counts("東京abc京都、x"), (4, 3));
        assert_eq!(counts("Ærø øl—ærø"), (3, 3));
        assert_eq!(counts(" — … "), (0, 0));
        assert_eq!(counts(""), (0, 0));
    }

    #[test]
    fn counts_of_no_script_ever_change() {
        let mut found = String::new();
        for number in 0..2_000 {
            let text = crate::babel::text(number);
            let profile = profile(&text);
            let counts = [profile.words, profile.content, profile.stops, profile.sentences];
            let rows = [profile.repeated, profile.longest_run, profile.listed];
            let (distinct, top) = (profile.distinct(), profile.top());
            found.push_str(&format!("{counts:?} {rows:?} {distinct} {top:?} "));
            found.push_str(&format!("{} {}\n", profile.run_word, profile.list_start));
        }
        // Scores are stored, and the limits were measured with these counts.
        assert_eq!(xxhash_rust::xxh3::xxh3_64(found.as_bytes()), 11_826_520_810_768_568_607);
    }

    #[test]
    fn rows_and_phrases_are_found() {
        assert_eq!(profile(&"cheap watches ".repeat(20)).longest_run, 38);
        assert_eq!(profile("one two three four five six seven").longest_run, 0);
        assert_eq!(profile(&"buy very cheap watches here now ".repeat(10)).repeated, 51);
    }

    #[test]
    fn lists_of_words_that_repeat_each_other_are_lists() {
        let list = "cheap hotel paris, hotel paris, paris hotel deals, paris cheap hotels, ";
        assert!(profile(&list.repeat(4)).listed > 24);
        let authors = (0..40).map(|i| format!("Author{i} Name{i}, ")).collect::<String>();
        assert_eq!(profile(&authors).listed, 0);
        let addresses =
            (0..40).map(|i| format!("Ann{i} ann{i}@cs.example.org ")).collect::<String>();
        assert_eq!(profile(&addresses).listed, 0);
        assert_eq!(profile(&"int a = 0; if (a) { b(a); } ".repeat(20)).listed, 0);
    }
}
