//! The words around a link (P6): they say what it leads to when its anchor only says "here".

use base::{Block, Span};

/// Longest text returned on each side, in bytes: some pages know no spaces.
const MOST_BYTES: usize = 512;

/// Returns the `words` words before and behind a span within its block; both empty if there is
/// no such place.
///
/// Words stand between white space. In scripts that have none, two characters count as a word,
/// which is what words of Chinese and Japanese have on average.
pub fn around(blocks: &[Block], span: Span, words: usize) -> (&str, &str) {
    let Some(block) = blocks.get(span.block as usize) else { return ("", "") };
    let (start, end) = (span.start as usize, span.end as usize);
    let parts = (block.text.get(..start), block.text.get(start..end), block.text.get(end..));
    let (Some(before), Some(_), Some(behind)) = parts else { return ("", "") };
    let reach = reach(before.chars().rev(), words);
    let first = before[before.len() - reach..].trim();
    (first, behind[..self::reach(behind.chars(), words)].trim())
}

/// Returns how many bytes the first `words` words of a text take; it may run in either direction.
fn reach(text: impl Iterator<Item = char>, words: usize) -> usize {
    // In halves, for the characters of which two are a word.
    let most = 2 * words;
    let (mut halves, mut bytes, mut in_word) = (0, 0, false);
    for character in text {
        let is_spaced = !character.is_whitespace() && !is_unspaced(character);
        if is_spaced && !in_word {
            halves += 2;
        } else if is_unspaced(character) {
            halves += 1;
        }
        in_word = is_spaced;
        if halves > most || bytes + character.len_utf8() > MOST_BYTES {
            break;
        }
        bytes += character.len_utf8();
    }
    bytes
}

/// Returns whether a character is of a script that puts no spaces between words.
pub fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}'       // Thai, Lao
        | '\u{1000}'..='\u{109F}'     // Myanmar
        | '\u{1780}'..='\u{17FF}'     // Khmer
        | '\u{2E80}'..='\u{9FFF}'     // radicals, kana, ideographs and their punctuation
        | '\u{F900}'..='\u{FAFF}'     // ideographs
        | '\u{FF00}'..='\u{FFEF}'     // wide forms
        | '\u{20000}'..='\u{3FFFF}') // more ideographs
}

#[cfg(test)]
mod tests {
    use base::Zone;

    use super::*;

    /// The anchor stands between bars.
    #[track_caller]
    fn check(marked: &str, words: usize, expected: (&str, &str)) {
        let start = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        let end = marked.rfind('|').unwrap() - 1;
        let blocks = [
            Block { zone: Zone::Heading, text: "not these words".to_owned() },
            Block { zone: Zone::Body, text },
        ];
        let span = Span { block: 1, start: start as u32, end: end as u32 };
        assert_eq!(around(&blocks, span, words), expected, "{marked}");
    }

    #[test]
    fn words_are_counted_on_both_sides() {
        check("one two three |here| four five six", 2, ("two three", "four five"));
        check("one |here| two", 10, ("one", "two"));
        check("|here|", 10, ("", ""));
        check("|here| and there", 1, ("", "and"));
        check("go |here|, or not", 2, ("go", ", or"));
        check("größer als |das| da drüben", 1, ("als", "da"));
        check("a b |c| d e", 0, ("", ""));
    }

    #[test]
    fn scripts_without_spaces_are_counted_by_characters() {
        check("東京都の天気は|ここ|を見てください", 2, ("の天気は", "を見てく"));
        check("see 東京 |here| 大阪城公園 map", 2, ("see 東京", "大阪城公"));
        check("ดูที่|นี่|ครับผม", 1, ("ี่", "คร"));
    }

    #[test]
    fn places_that_are_none_have_no_words() {
        let blocks = [Block { zone: Zone::Body, text: "naïve".to_owned() }];
        for (block, start, end) in [(1, 0, 1), (0, 3, 4), (0, 4, 2), (0, 0, 99)] {
            assert_eq!(around(&blocks, Span { block, start, end }, 10), ("", ""));
        }
        check(
            &format!("{0}|here|{0}", "x".repeat(10_000)),
            10,
            (&"x".repeat(512), &"x".repeat(512)),
        );
    }
}
