//! Other spellings of a query, from the collection's own words (Q7).
//!
//! ```text
//! weight(w)   = pages that say w + 4 · pages with it in the title + 2 · pages that links call so
//! gain(c, w)  = ln(1 + weight(c)) − 4 · cost of having typed w for c + 1 if they sound alike
//!             − ln(0.02 + weight(w))
//! ```
//! A word is in doubt if its weight is small for the collection. Candidates are the words of the
//! dictionary that differ by at most two letters, and words of suggestions that sound the same. What is proposed here is only likely: who asks
//! counts what it finds, so that words are judged by the company they keep.
//!
//! Nothing is learned from what people type: nothing of it is kept.

mod edits;
mod words;

use std::ops::Range;

use self::words::Candidate;
pub(crate) use self::words::Vocabulary;
use crate::query::Query;

/// Words in doubt that are spelled anew; the first ones.
const MOST_WORDS: usize = 3;
/// Spellings tried of each.
const MOST_SPELLINGS: usize = 3;
/// Spellings of the whole query that are worth counting what they find.
const MOST_PROPOSALS: usize = 6;

/// A query in another spelling.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Proposal {
    /// The whole query: only words differ from what was typed.
    pub(crate) text: String,
    /// How likely it is, to be compared with others of the same query.
    pub(crate) score: f32,
}

/// Returns other spellings of a query, the likeliest first; none if no word is in doubt.
///
/// Cost: a look into the dictionaries for each word, and a walk through them for words in doubt,
/// up to the end of the vocabulary's patience.
pub(crate) fn proposals(text: &str, vocabulary: &Vocabulary<'_>) -> tantivy::Result<Vec<Proposal>> {
    let mut doubtful = Vec::new();
    for range in Query::plain_words(text) {
        let word = &text[range.clone()];
        let Some(mut candidates) = vocabulary.candidates(word)? else { continue };
        candidates.truncate(MOST_SPELLINGS);
        if !candidates.is_empty() {
            doubtful.push((range, candidates));
        }
        if doubtful.len() >= MOST_WORDS || vocabulary.patience.is_over() {
            break;
        }
    }
    Ok(combined(text, &doubtful))
}

/// Puts the spellings of the words together: each word in one of its spellings, or as it is.
fn combined(text: &str, doubtful: &[(Range<usize>, Vec<Candidate>)]) -> Vec<Proposal> {
    let mut choices: Vec<(f32, Vec<Option<usize>>)> = vec![(0.0, Vec::new())];
    for (_, candidates) in doubtful {
        let mut longer = Vec::new();
        for (score, chosen) in &choices {
            let with = |choice| [chosen.as_slice(), &[choice]].concat();
            longer.push((*score, with(None)));
            for (place, candidate) in candidates.iter().enumerate() {
                longer.push((score + candidate.gain, with(Some(place))));
            }
        }
        choices = longer;
    }
    choices.retain(|(_, chosen)| chosen.iter().any(Option::is_some));
    choices.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    choices.truncate(MOST_PROPOSALS);
    let proposal = |(score, chosen): (f32, Vec<Option<usize>>)| {
        let mut spelled = String::with_capacity(text.len() + 8);
        let mut from = 0;
        for ((range, candidates), choice) in doubtful.iter().zip(chosen) {
            let Some(candidate) = choice.map(|place| &candidates[place]) else { continue };
            spelled.push_str(&text[from..range.start]);
            spelled.push_str(&as_written(&candidate.word, &text[range.clone()]));
            from = range.end;
        }
        spelled.push_str(&text[from..]);
        Proposal { text: spelled, score }
    };
    choices.into_iter().map(proposal).collect()
}

/// Gives a word the capitals of the one it stands for: none, or one at the beginning.
fn as_written(word: &str, typed: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) if typed.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(word: &str, gain: f32) -> Candidate {
        Candidate { word: word.to_owned(), gain }
    }

    #[test]
    fn only_words_are_replaced_and_the_likeliest_come_first() {
        let text = "site:a.example (Jagaur OR \"wrold map\") -dog";
        let words = Query::plain_words(text);
        let doubtful = vec![
            (words[0].clone(), vec![candidate("jaguar", 2.0), candidate("jagua", 0.5)]),
            (words[1].clone(), vec![candidate("world", 1.0)]),
        ];
        let proposals = combined(text, &doubtful);
        let texts: Vec<&str> = proposals.iter().map(|proposal| proposal.text.as_str()).collect();
        let expected = [
            "site:a.example (Jaguar OR \"world map\") -dog",
            "site:a.example (Jaguar OR \"wrold map\") -dog",
            "site:a.example (Jagua OR \"world map\") -dog",
            "site:a.example (Jagaur OR \"world map\") -dog",
            "site:a.example (Jagua OR \"wrold map\") -dog",
        ];
        assert_eq!(texts, expected);
        assert!((proposals[0].score - 3.0).abs() < 1e-6);
        assert!(combined(text, &[]).is_empty());
    }
}
