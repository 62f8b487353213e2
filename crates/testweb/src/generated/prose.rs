//! Writes sentences, titles and names from a table of words.
//!
//! Words are drawn with falling probability down their list, names by Zipf's law from a stock
//! of fifty thousand, so that generated text has the few frequent and many rare words that an
//! index meets in real text.

use fastrand::Rng;

use super::words::Language;

/// Different names in one web.
const NUM_NAMES: f64 = 50_000.0;

const ONSETS: [&str; 16] =
    ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st"];
const VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "ei"];
const CODAS: [&str; 8] = ["", "", "n", "r", "l", "s", "th", "m"];

/// Writes one sentence or title from a pattern (see [`Language::patterns`]).
pub(super) fn fill(pattern: &str, language: &Language, rng: &mut Rng, out: &mut String) {
    let begin = out.len();
    for part in pattern.chars() {
        match part {
            'N' => out.push_str(draw(language.nouns, rng)),
            'A' => out.push_str(draw(language.adjectives, rng)),
            'V' => out.push_str(draw(language.verbs, rng)),
            'X' => push_name(zipf(rng), out),
            other => out.push(other),
        }
    }
    capitalise(out, begin);
}

/// Writes one sentence and its end.
pub(super) fn sentence(language: &Language, rng: &mut Rng, out: &mut String) {
    let pattern = language.patterns[rng.usize(..language.patterns.len())];
    fill(pattern, language, rng, out);
    out.push_str(language.stop);
}

/// Returns a word that no other number has and no other text contains.
pub(super) fn mark(mut number: u64) -> String {
    const CONSONANTS: &[u8; 14] = b"bdfghjklmnprtv";
    const VOWELS: &[u8; 5] = b"aeiou";
    let mut word = "xu".to_owned();
    loop {
        let digit = usize::try_from(number % 70).expect("below 70");
        word.push(char::from(CONSONANTS[digit / 5]));
        word.push(char::from(VOWELS[digit % 5]));
        number /= 70;
        if number == 0 {
            break;
        }
    }
    // A consonant that no stemmer takes for an ending. `k` was one in German: `-ik`.
    word.push('q');
    word
}

/// Returns one of `words`, the first ones more often.
pub(super) fn draw<'a>(words: &[&'a str], rng: &mut Rng) -> &'a str {
    let u = rng.f64();
    let index = (u * u * words.len() as f64) as usize;
    words[index.min(words.len() - 1)]
}

/// Returns a number below [`NUM_NAMES`] with probability about 1 / (n + 1).
fn zipf(rng: &mut Rng) -> u64 {
    NUM_NAMES.powf(rng.f64()) as u64
}

/// Writes the name with this number: two or three syllables.
fn push_name(number: u64, out: &mut String) {
    let begin = out.len();
    let mut bits = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) ^ number;
    let mut take = |among: usize| {
        let digit = usize::try_from(bits % among as u64).expect("below a small number");
        bits /= among as u64;
        digit
    };
    for _ in 0..2 + take(2) {
        out.push_str(ONSETS[take(ONSETS.len())]);
        out.push_str(VOWELS[take(VOWELS.len())]);
        out.push_str(CODAS[take(CODAS.len())]);
    }
    capitalise(out, begin);
}

fn capitalise(text: &mut String, from: usize) {
    let first = text[from..].chars().next();
    if let Some(first) = first.filter(char::is_ascii_lowercase) {
        text.replace_range(from..=from, first.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::super::words::{ENGLISH, LANGUAGES};
    use super::*;

    #[test]
    fn marks_are_distinct() {
        let marks: HashSet<String> = (0..100_000).map(mark).collect();
        assert_eq!(marks.len(), 100_000);
        assert!(marks.iter().all(|mark| mark.starts_with("xu") && mark.ends_with('q')));
    }

    #[test]
    fn frequent_words_are_few_and_rare_words_many() {
        let mut rng = Rng::with_seed(1);
        let mut text = String::new();
        for _ in 0..20_000 {
            sentence(&ENGLISH, &mut rng, &mut text);
        }
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *counts.entry(word).or_default() += 1;
        }
        let mut frequencies: Vec<u32> = counts.into_values().collect();
        frequencies.sort_unstable_by(|a, b| b.cmp(a));
        let total: u32 = frequencies.iter().sum();
        let top: u32 = frequencies.iter().take(10).sum();
        assert!(top * 4 > total, "ten words make a quarter of the text: {top} of {total}");
        let rare = frequencies.iter().filter(|&&count| count <= 2).count();
        assert!(rare * 3 > frequencies.len(), "a third of the words are rare: {rare}");
        assert!(frequencies.len() > 5_000, "{}", frequencies.len());
    }

    #[test]
    fn sentences_of_every_language_are_filled() {
        let mut rng = Rng::with_seed(2);
        for language in LANGUAGES {
            let mut text = String::new();
            sentence(language, &mut rng, &mut text);
            assert!(text.ends_with(language.stop) && text.chars().count() > 8, "{text}");
        }
    }
}
