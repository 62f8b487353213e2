//! What a single word asks for: its forms, a pattern, words that are nearly the same.

use super::{MOST_EDITS, Node};
use crate::Note;

/// Letters before the first `*` of a pattern, one of which may be a `?`: fewer would mean half of
/// the dictionary.
const PATTERN_START: usize = 2;
/// Letters of a word that others may nearly be.
const FUZZY_LETTERS: usize = 3;
/// Longest pattern, or word that others may nearly be, in letters.
const MOST_LETTERS: usize = 64;

/// Returns what a word asks for; says so if that is not what its signs seem to mean.
pub(super) fn read(word: &str, notes: &mut Vec<Note>) -> Node {
    let composed = text::composed(word);
    let node = fuzzy(&composed, notes).or_else(|| pattern(&composed, notes));
    node.unwrap_or_else(|| {
        note_signs(word, notes);
        Node::Word(word.to_owned())
    })
}

/// Says of a word that its signs mean nothing, if they look as if they did and nothing was said yet.
pub(super) fn note_signs(word: &str, notes: &mut Vec<Note>) {
    let is_told = matches!(notes.last(), Some(Note::NoField { text, .. }) if text == word);
    if has_signs(word) && !is_told {
        notes.push(Note::NoPattern { word: word.to_owned() });
    }
}

/// Returns whether there are signs in a word that make patterns, or words that are nearly the same,
/// of others. Questions end in one of them, and addresses have their own.
fn has_signs(word: &str) -> bool {
    let has_letters = |text: &str| text.contains(char::is_alphanumeric);
    if word.contains("://") || !has_letters(word) {
        return false;
    }
    let is_inside = |(before, behind): (&str, &str)| {
        has_letters(behind) && !before.contains('/') && !behind.contains('=')
    };
    let is_behind = |(before, behind): (&str, &str)| {
        has_letters(before)
            && !before.ends_with('/')
            && behind.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.contains('*')
        || word.split_once('?').is_some_and(is_inside)
        || word.rsplit_once('~').is_some_and(is_behind)
}

/// Reads `word~`, `word~1`, `word~2`.
fn fuzzy(word: &str, notes: &mut Vec<Note>) -> Option<Node> {
    let (stem, digits) = word.rsplit_once('~')?;
    // Marks are letters here, but a word begins with one.
    let is_word =
        stem.starts_with(char::is_alphanumeric) && stem.chars().all(text::is_letter_or_mark);
    if !is_word || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let edits = match digits {
        "" => 1,
        digits => digits.parse().unwrap_or(u8::MAX),
    };
    let num_letters = stem.chars().count();
    if edits == 0 {
        return Some(bare(stem));
    }
    if !(FUZZY_LETTERS..=MOST_LETTERS).contains(&num_letters) {
        notes.push(Note::FuzzyLength {
            word: word.to_owned(),
            least: FUZZY_LETTERS,
            most: MOST_LETTERS,
            searched: stem.to_owned(),
        });
        return Some(bare(stem));
    }
    if edits > MOST_EDITS {
        notes.push(Note::FewerEdits { word: word.to_owned(), most: MOST_EDITS });
    }
    Some(Node::Fuzzy(stem.to_owned(), edits.min(MOST_EDITS)))
}

/// Reads `pre*`, `w?ldcard`, `mid*dle`. A question mark at the end is one.
fn pattern(word: &str, notes: &mut Vec<Note>) -> Option<Node> {
    let is_wild = |letter: char| matches!(letter, '*' | '?');
    let asked = word.trim_end_matches('?');
    let is_plain = word.trim_start_matches(is_wild).starts_with(char::is_alphanumeric)
        && word.chars().all(|letter| text::is_letter_or_mark(letter) || is_wild(letter));
    if !is_plain || !asked.contains(is_wild) {
        return None;
    }
    let start = asked.find('*').unwrap_or(asked.len());
    let num_letters = asked.chars().filter(|letter| !is_wild(*letter)).count();
    let is_short = asked.starts_with(is_wild)
        || asked[..start].chars().count() < PATTERN_START
        || num_letters < PATTERN_START;
    if is_short || asked.chars().count() > MOST_LETTERS {
        let bare: String = word.chars().filter(|letter| !is_wild(*letter)).collect();
        let node = self::bare(&bare);
        let (word, least) = (word.to_owned(), PATTERN_START);
        notes.push(Note::ShortPattern { word, least, searched: bare });
        return Some(node);
    }
    let mut pattern = String::with_capacity(asked.len());
    for letter in asked.chars() {
        if letter != '*' || !pattern.ends_with('*') {
            pattern.push(letter);
        }
    }
    Some(Node::Wild(pattern))
}

/// Returns a word of which signs were taken off; what is left must not be an operator.
fn bare(word: &str) -> Node {
    let is_operator = matches!(word, "AND" | "OR" | "NOT" | "NEAR");
    Node::Word(if is_operator { word.to_ascii_lowercase() } else { word.to_owned() })
}
