//! Where a text may be cut: between sentences if one ends near, else between words, never inside
//! what a reader sees as one character.

use unicode_segmentation::GraphemeCursor;

/// Longest look for the border of a word, in characters. Behind it stands something that is not
/// made of words with spaces between them: it is cut between characters.
const WORD_CHARS: usize = 24;
/// How much of the room must be used before a sentence's end is taken for the end, in percent.
const FULL: usize = 55;

/// Returns the stretch of at most `num_chars` characters around `(start, end)`.
///
/// Before it a sentence is begun if its beginning is not too far, behind it one is ended if
/// enough has been said by then. Both numbers must be borders of characters. Cost: linear in
/// `num_chars`, whatever the length of the text.
pub(super) fn widen(text: &str, (start, end): (usize, usize), num_chars: usize) -> (usize, usize) {
    let room = num_chars.saturating_sub(text[start..end].chars().count());
    let mut first = begin(text, start, room / 3, room * 2 / 3);
    let mut room = room.saturating_sub(text[first..start].chars().count());
    let last = forth(text, end, room);
    if last == text.len() {
        // What the end leaves unused goes to the beginning.
        room -= text[end..last].chars().count();
        first = begin_earlier(text, first, room);
        return (first, last);
    }
    (first, finish(text, first, end, last, num_chars))
}

/// Returns where to begin before `start`: with its sentence if that begins at most `most`
/// characters before it, else with a word at most `usual` characters before.
fn begin(text: &str, start: usize, usual: usize, most: usize) -> usize {
    let farthest = back(text, start, most);
    if let Some(place) = sentence_before(text, farthest, start) {
        return place;
    }
    word_start(text, back(text, start, usual), start)
}

/// Returns where to begin up to `room` characters earlier: with the first sentence there, or word.
fn begin_earlier(text: &str, first: usize, room: usize) -> usize {
    let farthest = back(text, first, room);
    if farthest == 0 {
        return skip_spaces(text, 0).min(first);
    }
    for (place, letter) in text[farthest..first].char_indices() {
        let behind = farthest + place + letter.len_utf8();
        if ends_sentence(text, behind) {
            return skip_spaces(text, behind).min(first);
        }
    }
    if farthest < first { word_start(text, farthest, first) } else { first }
}

fn skip_spaces(text: &str, place: usize) -> usize {
    let rest = &text[place..];
    place + (rest.len() - rest.trim_start().len())
}

/// Returns where to end between `end` and `last`.
fn finish(text: &str, first: usize, end: usize, last: usize, num_chars: usize) -> usize {
    let enough = forth(text, first, num_chars * FULL / 100).clamp(end, last);
    let mut found = None;
    for (place, letter) in text[enough..last].char_indices() {
        let behind = enough + place + letter.len_utf8();
        if ends_sentence(text, behind) {
            found = Some(behind);
        }
    }
    found.unwrap_or_else(|| word_end(text, last, end))
}

/// Returns whether a text that is cut at `start` begins with a sentence, likewise.
pub(super) fn is_begun(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end();
    before.is_empty() || ends_sentence(text, before.len())
}

/// Returns whether a text that is cut at `end` ends with a sentence, so that nothing need say that
/// it goes on.
pub(super) fn is_whole(text: &str, end: usize) -> bool {
    text[end..].trim().is_empty() || ends_sentence(text, end)
}

/// Returns the last beginning of a sentence from `from` to `to`.
fn sentence_before(text: &str, from: usize, to: usize) -> Option<usize> {
    for (place, letter) in text[from..to].char_indices().rev() {
        let behind = from + place + letter.len_utf8();
        if ends_sentence(text, behind) && skip_spaces(text, behind) <= to {
            return Some(skip_spaces(text, behind));
        }
    }
    (from == 0).then(|| skip_spaces(text, 0).min(to))
}

/// Returns whether a sentence ends before `place`.
fn ends_sentence(text: &str, place: usize) -> bool {
    let mut before = text[..place].chars().rev();
    match before.next() {
        Some('。' | '！' | '？' | '．' | '।' | '॥' | '።') => true,
        Some('!' | '?' | '؟' | '۔' | '…') => begins_anew(text, place),
        // A single letter before it makes it an initial or `e.g.`; a small letter or a number
        // behind it, an abbreviation.
        Some('.') => {
            let is_initial = before.next().is_some_and(char::is_alphabetic)
                && before.next().is_none_or(|letter| !letter.is_alphanumeric());
            let next = text[place..].trim_start();
            !is_initial && !next.starts_with(char::is_numeric) && begins_anew(text, place)
        }
        _ => false,
    }
}

/// Returns whether a text goes on at `place` with a space and something that may begin a
/// sentence.
fn begins_anew(text: &str, place: usize) -> bool {
    let rest = &text[place..];
    let next = rest.trim_start();
    next.len() < rest.len() && !next.starts_with(char::is_lowercase)
}

/// Returns the beginning of the first word from `place` on, not behind `most`.
fn word_start(text: &str, place: usize, most: usize) -> usize {
    if place == 0 || text[..place].ends_with(char::is_whitespace) {
        return place;
    }
    let mut is_space = false;
    for (offset, letter) in text[place..most].char_indices().take(WORD_CHARS) {
        if is_space && !letter.is_whitespace() {
            return place + offset;
        }
        is_space = letter.is_whitespace();
    }
    character_border(text, place, most)
}

/// Returns the end of the last word before `place`, not before `least`.
fn word_end(text: &str, place: usize, least: usize) -> usize {
    if place == text.len() || text[place..].starts_with(char::is_whitespace) {
        return place;
    }
    let letters = text[least..place].char_indices().rev().take(WORD_CHARS);
    for (offset, letter) in letters {
        if letter.is_whitespace() {
            return least + text[least..least + offset].trim_end().len();
        }
    }
    let mut place = place;
    while place > least && !is_character_border(text, place) {
        place = back(text, place, 1);
    }
    place
}

/// Returns the first border of what a reader sees as a character from `place` on.
fn character_border(text: &str, place: usize, most: usize) -> usize {
    let mut place = place;
    while place < most && !is_character_border(text, place) {
        place = forth(text, place, 1);
    }
    place.min(most)
}

/// How far back a character can begin that is still being written: flags and families of
/// emoji are some dozen bytes; a text of nothing but accents is cut anywhere.
const CHARACTER_BYTES: usize = 256;

fn is_character_border(text: &str, place: usize) -> bool {
    let from = text.floor_char_boundary(place.saturating_sub(CHARACTER_BYTES));
    let around = &text[from..text.ceil_char_boundary((place + 8).min(text.len()))];
    GraphemeCursor::new(place - from, around.len(), true).is_boundary(around, 0).unwrap_or(true)
}

/// Returns the place `count` characters before another.
fn back(text: &str, place: usize, count: usize) -> usize {
    text[..place].char_indices().rev().take(count).last().map_or(place, |(at, _)| at)
}

/// Returns the place `count` characters behind another.
pub(super) fn forth(text: &str, place: usize, count: usize) -> usize {
    text[place..].char_indices().nth(count).map_or(text.len(), |(at, _)| place + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, word: &str, num_chars: usize, expected: &str) {
        let start = text.find(word).unwrap();
        let (first, last) = widen(text, (start, start + word.len()), num_chars);
        assert_eq!(&text[first..last], expected);
    }

    #[test]
    fn sentences_are_begun_and_ended() {
        let text =
            "Nothing here. The jaguar lives by rivers. It sleeps by day, and hunts at night.";
        check(text, "jaguar", 36, "The jaguar lives by rivers.");
        check(text, "jaguar", 30, "The jaguar lives by rivers.");
        check(text, "hunts", 40, "It sleeps by day, and hunts at night.");
        check(text, "jaguar", 500, text);
    }

    #[test]
    fn what_only_looks_like_a_sentence_is_none() {
        let text = "Ask Dr. J. Smith, e.g. about the jaguar of the U.S. army in no. 5 of the list";
        check(text, "jaguar", 60, "J. Smith, e.g. about the jaguar of the U.S. army in no. 5 of");
        check("version 1.2.jaguar", "jaguar", 8, "2.jaguar");
    }

    #[test]
    fn long_sentences_are_cut_between_words() {
        let text = "one two three four five six seven jaguar eight nine ten eleven twelve thirteen";
        check(text, "jaguar", 30, "seven jaguar eight nine ten");
    }

    #[test]
    fn scripts_without_spaces_are_cut_between_characters() {
        let text = "今日は動物園に行きました。ジャガーは川のそばに住んでいます。夜に狩りをします";
        check(text, "ジャガー", 18, "ジャガーは川のそばに住んでいます。");
        let text = "ก็".repeat(50) + "jaguar" + &"ก็".repeat(50);
        let start = text.find("jaguar").unwrap();
        for room in 0..40 {
            let (first, last) = widen(&text, (start, start + 6), 6 + room);
            assert!(!text[first..].starts_with('็') && !text[last..].starts_with('็'), "{room}");
            assert!(text[first..last].chars().count() <= 6 + room);
        }
    }

    #[test]
    fn nothing_is_cut_inside_a_character() {
        let family = "👩\u{200d}👩\u{200d}👧\u{200d}👦";
        let text = family.repeat(9) + "jaguar" + &"e\u{301}".repeat(60) + &"🇩🇰".repeat(20);
        let start = text.find("jaguar").unwrap();
        let mut borders: Vec<usize> =
            unicode_segmentation::UnicodeSegmentation::grapheme_indices(text.as_str(), true)
                .map(|(place, _)| place)
                .collect();
        borders.push(text.len());
        for room in 0..200 {
            let (first, last) = widen(&text, (start, start + 6), 6 + room);
            assert!(borders.contains(&first) && borders.contains(&last), "{room}");
        }
    }

    #[test]
    fn any_text_and_room_will_do() {
        let text = "\u{301}\u{301}a. . .\u{200d}。。 \n\t…x\u{fffd} ".repeat(3);
        let borders: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        for &start in &borders {
            for &end in borders.iter().filter(|end| **end >= start) {
                for room in [0, 1, 5, 50, 500] {
                    let (first, last) = widen(&text, (start, end), room);
                    assert!(first <= start && last >= end, "{start} {end} {room}");
                }
            }
        }
    }
}
