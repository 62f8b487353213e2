//! The words of a collection and how much each is used: the dictionaries of the index and of the
//! anchor texts.

use std::cmp::Reverse;
use std::collections::HashMap;

use index::Snapshot;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{SegmentReader, Term};

use super::edits;
use crate::generation::Links;
use crate::patience::Patience;
use crate::plan::Languages;
use crate::suggest::keys;

/// What a page with a word in its title is worth, in pages that say it.
const TITLE: f32 = 4.0;
/// What a page is worth that links call by a word.
const ANCHOR: f32 = 2.0;
/// A word of this weight is never in doubt.
const TRUSTED: f32 = 5.0;
/// In large collections slips are frequent too: nor is a word that one of so many pages says.
const TRUSTED_SHARE: f32 = 1.0 / 2_000.0;
/// How many times the weight of the typed word a candidate must have, for each slip.
const CLEARLY: f32 = 20.0;
/// What a slip takes off a candidate's score: about one letter of fifty is mistyped.
const SLIP: f32 = 4.0;
/// What it gets if it sounds like the word that was typed.
const SOUND: f32 = 1.0;
/// How likely a word that no page has was meant after all, in pages.
const UNKNOWN: f32 = 0.02;
/// Words of fewer letters have too many neighbours to tell which was meant.
const LEAST_LETTERS: usize = 4;
/// Words of so many letters may have two slips.
const LONG_LETTERS: usize = 6;
/// A word of such a share of the trusted weight has one slip at most: who slips twice seldom hits upon
/// a word that is known, and most of the time of a proposal goes into the second walk.
const KNOWN_SHARE: f32 = 1.0 / 20.0;
/// What words may cost at most that only sound the same.
const MOST_COST: f32 = 4.0;
/// What words may cost at most that sound only roughly the same: Soundex takes half of the
/// consonants for each other.
const ROUGH_COST: f32 = 2.5;
/// Longest word that is spelled anew.
const MOST_LETTERS: usize = 24;
/// Entries of dictionaries that one word may bring up.
const MOST_ENTRIES: usize = 20_000;
/// Pages whose words are walked through: as many, and a part of all. A word that is clearly more used
/// than the one typed stands in any part of a large collection.
const LEAST_WALKED: u64 = 20_000;
const WALKED_PART: u64 = 4;
/// Candidates that are looked at more closely.
const MOST_CANDIDATES: usize = 24;

/// The words of one commit and one generation.
pub(crate) struct Vocabulary<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) links: &'a Links,
    pub(crate) languages: &'a Languages,
    pub(crate) patience: Patience,
}

/// A word that may have been meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) word: String,
    /// How much likelier it is than the word that was typed.
    pub(super) gain: f32,
}

impl Vocabulary<'_> {
    /// Returns what may have been meant by a word, the likeliest first; `None` if the word is not
    /// in doubt.
    pub(super) fn candidates(&self, word: &str) -> tantivy::Result<Option<Vec<Candidate>>> {
        let typed = self.languages.normal(word);
        let num_letters = typed.chars().count();
        if !(LEAST_LETTERS..=MOST_LETTERS).contains(&num_letters)
            || !typed.chars().all(is_spelled)
            || self.languages.is_stop(&typed)
        {
            return Ok(None);
        }
        let num_docs = self.snapshot.searcher.num_docs() as f32;
        let trusted = TRUSTED.max(num_docs * TRUSTED_SHARE);
        // Most words are told by the first look.
        if self.frequency(self.snapshot.fields.words, &typed)? as f32 >= trusted {
            return Ok(None);
        }
        let weight = self.weight_of_typed(&typed)?;
        if weight >= trusted {
            return Ok(None);
        }
        let mut found = HashMap::new();
        self.walk(&typed, 1, &mut found)?;
        if num_letters >= LONG_LETTERS {
            if weight < trusted * KNOWN_SHARE {
                self.walk(&typed, 2, &mut found)?;
            }
            self.listen(&typed, &mut found)?;
        }
        self.judge(&typed, weight, found).map(Some)
    }

    /// Returns the weight of a word, or of its other forms if no page has this one.
    fn weight_of_typed(&self, typed: &str) -> tantivy::Result<f32> {
        let own = self.weight(typed)?;
        if own > 0.0 {
            return Ok(own);
        }
        let mut most = 0_u64;
        for stem in self.languages.stems(typed) {
            most = most.max(self.frequency(self.snapshot.fields.stems, &stem)?);
        }
        Ok(most as f32)
    }

    /// Returns how much a word is used.
    fn weight(&self, word: &str) -> tantivy::Result<f32> {
        let fields = self.snapshot.fields;
        let own = self.frequency(fields.words, word)?;
        if own == 0 {
            return Ok(0.0);
        }
        let mut titles = 0;
        for stem in self.languages.likely_stems(word) {
            titles = titles.max(self.frequency(fields.title, &stem)?);
        }
        let anchors = match &self.links.anchors {
            Some(anchors) => {
                anchors.searcher.doc_freq(&Term::from_field_text(anchors.fields.words, word))?
            }
            None => 0,
        };
        // A title's stem may be that of another form, which pages say more often than this one.
        Ok(own as f32 + TITLE * titles.min(own) as f32 + ANCHOR * anchors as f32)
    }

    fn frequency(&self, field: Field, term: &str) -> tantivy::Result<u64> {
        self.snapshot.searcher.doc_freq(&Term::from_field_text(field, term))
    }

    /// Returns the largest segments that are enough to find a word which is much used.
    fn walked(&self) -> Vec<&SegmentReader> {
        let mut segments: Vec<&SegmentReader> =
            self.snapshot.searcher.segment_readers().iter().collect();
        segments.sort_by_key(|segment| Reverse(segment.num_docs()));
        let enough = LEAST_WALKED.max(self.snapshot.searcher.num_docs() / WALKED_PART);
        let mut num_docs = 0;
        segments.retain(|segment| {
            let is_wanted = num_docs < enough;
            num_docs += u64::from(segment.num_docs());
            is_wanted
        });
        segments
    }

    /// Looks up the words that differ by at most so many letters, with how many pages say them, of
    /// those that are walked through.
    fn walk(
        &self,
        typed: &str,
        edits: u8,
        found: &mut HashMap<String, u64>,
    ) -> tantivy::Result<()> {
        let field = self.snapshot.fields.words;
        let automaton =
            FuzzyTermQuery::new(Term::from_field_text(field, typed), edits, true).automaton()?;
        // With two slips the first letter is taken to be right: elsewhere the walk would go
        // through most of the dictionary.
        let first: String = typed.chars().take(usize::from(edits > 1)).collect();
        let mut end = first.clone().into_bytes();
        if let Some(last) = end.last_mut() {
            *last += 1;
        }
        let (mut num_entries, mut steps) = (0, 0);
        // Two walks find the same words; each is counted from nothing.
        let mut counts: HashMap<String, u64> = HashMap::new();
        for segment in self.walked() {
            let index = segment.inverted_index(field)?;
            let mut search = index.terms().search(&automaton);
            if edits > 1 {
                search = search.ge(&first).lt(&end);
            }
            let mut stream = search.into_stream()?;
            while let Some((key, info)) = stream.next() {
                num_entries += 1;
                if num_entries > MOST_ENTRIES || self.patience.is_lost(&mut steps) {
                    break;
                }
                let Ok(word) = std::str::from_utf8(key) else { continue };
                if word != typed && word.chars().all(is_spelled) {
                    *counts.entry(word.to_owned()).or_default() += u64::from(info.doc_freq);
                }
            }
        }
        found.extend(counts);
        Ok(())
    }

    /// Looks up words that sound the same, however they are written.
    fn listen(&self, typed: &str, found: &mut HashMap<String, u64>) -> tantivy::Result<()> {
        let Some(suggestions) = &self.links.suggestions else { return Ok(()) };
        let same = suggestions.sounds.like(typed).map(|word| (word, MOST_COST));
        let rough = suggestions.sounds.roughly_like(typed).map(|word| (word, ROUGH_COST));
        for (word, most) in same.chain(rough) {
            let is_near = !found.contains_key(word) && edits::cost(typed, word) <= most;
            if is_near && word != typed && !self.patience.is_over() {
                let frequency = self.frequency(self.snapshot.fields.words, word)?;
                if frequency > 0 {
                    found.insert(word.to_owned(), frequency);
                }
            }
        }
        Ok(())
    }

    /// Returns the candidates that are clearly likelier than the word that was typed.
    fn judge(
        &self,
        typed: &str,
        typed_weight: f32,
        found: HashMap<String, u64>,
    ) -> tantivy::Result<Vec<Candidate>> {
        let score = |weight: f32, cost: f32| (1.0 + weight).ln() - SLIP * cost;
        let mut rough: Vec<(f32, f32, String)> = Vec::new();
        for (word, frequency) in found {
            let cost = edits::cost(typed, &word);
            rough.push((score(frequency as f32, cost), cost, word));
        }
        rough.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.2.cmp(&other.2)));
        rough.truncate(MOST_CANDIDATES);
        let stems = self.languages.likely_stems(typed);
        let mut candidates = Vec::new();
        for (_, cost, word) in rough {
            // Another form of the same word is found anyway.
            let is_form =
                self.languages.likely_stems(&word).iter().any(|stem| stems.contains(stem));
            if is_form || self.patience.is_over() {
                continue;
            }
            let weight = self.weight(&word)?;
            if weight < typed_weight * CLEARLY * cost.max(1.0) {
                continue;
            }
            let sound = if sound_alike(typed, &word) { SOUND } else { 0.0 };
            let gain = score(weight, cost) + sound - (UNKNOWN + typed_weight).ln();
            candidates.push(Candidate { word, gain });
        }
        candidates.sort_by(|one, other| {
            other.gain.total_cmp(&one.gain).then_with(|| one.word.cmp(&other.word))
        });
        Ok(candidates)
    }
}

/// Returns whether a letter belongs to words that are spelled: letters with a mark or none, not
/// the signs of Chinese, Japanese, Korean and Thai, each of which stands for more than a letter.
fn is_spelled(letter: char) -> bool {
    letter.is_alphabetic()
        && !matches!(letter,
            '\u{0E00}'..='\u{0EFF}'
            | '\u{1000}'..='\u{11FF}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{9FFF}'
            | '\u{A960}'..='\u{A97F}'
            | '\u{AC00}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FFDC}'
            | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether two words have a key of Double Metaphone in common.
fn sound_alike(one: &str, other: &str) -> bool {
    let (one, other) = (keys(one), keys(other));
    one.iter().any(|key| other.contains(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_are_spelled() {
        assert!("jaguarsøæжя".chars().all(is_spelled));
        for letter in "日ひカ한1-ก".chars() {
            assert!(!is_spelled(letter), "{letter}");
        }
    }

    #[test]
    fn words_that_sound_alike_are_known() {
        assert!(sound_alike("fonetic", "phonetic"));
        assert!(sound_alike("smith", "schmidt"));
        assert!(!sound_alike("cat", "dog"));
        assert!(!sound_alike("ягуар", "жук"));
    }
}
