//! A query as a bag of words: no operators, no order, each word with its frequency.

use text::{Analyzer, Token};

use crate::plan::{Leaf, Plan};

/// The words of a text, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bag {
    /// In the order in which they first come.
    pub(crate) words: Vec<Word>,
}

/// A word of a bag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    /// Its stem in the query's language, then in other languages of the index where they differ.
    pub(crate) stems: Vec<String>,
    /// As written, normalised.
    pub(crate) surface: String,
    /// How often the query has it.
    pub(crate) count: u32,
}

/// Most different words of one query; those behind are left out. A query of a test collection
/// may be a page of prose, and each word costs a walk through its postings.
const MOST_WORDS: usize = 1_024;

impl Bag {
    /// Reads a text with the analyzers of the languages that it may be in, the likeliest first.
    ///
    /// Stop words are left out unless there is nothing else.
    pub(crate) fn new(text: &str, analyzers: &[Analyzer]) -> Self {
        let Some((main, others)) = analyzers.split_first() else { return Self::default() };
        let others: Vec<Vec<Token>> = others.iter().map(|other| other.terms(text)).collect();
        let terms = main.terms(text);
        let is_all_stops = terms.iter().all(|term| term.is_stop);
        let mut bag = Self::default();
        for term in terms.into_iter().filter(|term| is_all_stops || !term.is_stop) {
            let mut stems = vec![term.stem];
            for other in &others {
                // Languages part texts differently; what covers the same letters is the same word.
                let from = other.partition_point(|token| token.start < term.start);
                let same = other[from..]
                    .iter()
                    .take_while(|token| token.start == term.start)
                    .find(|token| token.end == term.end && token.form == term.form);
                if let Some(token) = same
                    && !stems.contains(&token.stem)
                {
                    stems.push(token.stem.clone());
                }
            }
            bag.push(stems, term.surface);
        }
        bag
    }

    /// Returns the plan for pages that have any of the words; its leaves are the words in order.
    pub(crate) fn plan(&self) -> Plan {
        let leaf = |word: &Word| {
            let forms = word.stems.iter().map(|stem| vec![stem.clone()]).collect();
            Leaf::word(forms, word.surface.clone())
        };
        let surfaces: Vec<&str> = self.words.iter().map(|word| word.surface.as_str()).collect();
        Plan::any_of(self.words.iter().map(leaf).collect(), surfaces.join(" OR "))
    }

    fn push(&mut self, stems: Vec<String>, surface: String) {
        let has_room = self.words.len() < MOST_WORDS;
        if let Some(word) = self.words.iter_mut().find(|word| word.stems == stems) {
            word.count += 1;
        } else if has_room {
            self.words.push(Word { stems, surface, count: 1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use text::Language;

    use super::*;

    fn bag(text: &str, codes: &[&str]) -> Vec<(String, u32)> {
        let analyzers: Vec<_> =
            codes.iter().map(|code| Analyzer::new(Language::parse(code))).collect();
        let words = Bag::new(text, &analyzers).words;
        words.into_iter().map(|word| (word.stems.join("|"), word.count)).collect()
    }

    #[track_caller]
    fn check(text: &str, codes: &[&str], expected: &[(&str, u32)]) {
        let expected: Vec<_> = expected.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
        assert_eq!(bag(text, codes), expected);
    }

    #[test]
    fn operators_and_punctuation_mean_nothing() {
        check(
            "NOT (cats) AND -\"dogs\" title:x? cat*",
            &["en"],
            &[("cat", 2), ("dog", 1), ("titl", 1), ("x", 1)],
        );
    }

    #[test]
    fn a_query_of_stop_words_keeps_them() {
        check("to be or not to be", &["en"], &[("to", 2), ("be", 2), ("or", 1), ("not", 1)]);
        check("… ?", &["en"], &[]);
        check("word", &[], &[]);
    }

    #[test]
    fn other_languages_add_their_stems() {
        check("running", &["en", "da"], &[("run|running", 1)]);
    }
}
