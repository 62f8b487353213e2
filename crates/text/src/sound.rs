//! Phonetic keys: names that sound alike get the same key (T4, W12).

use rphonetic::DoubleMetaphone;

/// Longest word that is given a key; names are shorter.
const WORD_BYTES: usize = 64;
/// Letters of a Double Metaphone key, as its author has it.
const KEY_LETTERS: usize = 4;

/// Returns the Double Metaphone keys of a word (`SM0` and `XMT` for Smith), the second one only
/// if it differs; `None` if the word has no letter A–Z that sounds. Letters with marks count as
/// the bare letter.
pub fn double_metaphone(word: &str) -> Option<(String, Option<String>)> {
    let letters = letters(word);
    let found = DoubleMetaphone::new(Some(KEY_LETTERS)).double_metaphone(&letters);
    let (primary, alternate) = (found.primary(), found.alternate());
    let other = (alternate != primary && !alternate.is_empty()).then_some(alternate);
    (!primary.is_empty()).then_some((primary, other))
}

/// Returns the letters A–Z of a word, in lower case.
fn letters(word: &str) -> String {
    let mut folded = String::new();
    let lower = base::limits::cut(word, WORD_BYTES).to_lowercase();
    crate::normalize::fold(&lower, None, &mut folded);
    folded.retain(|letter| letter.is_ascii_lowercase());
    folded
}

/// Returns the American Soundex key of a word (`R163` for Robert and Rupert), or `None` if it
/// has no letter A–Z. Letters with marks count as the bare letter.
pub fn soundex(word: &str) -> Option<String> {
    let letters = letters(word);
    let mut letters = letters.bytes();
    let first = letters.next()?;
    let mut key = String::from(char::from(first.to_ascii_uppercase()));
    let mut last = digit(first);
    for letter in letters {
        let code = digit(letter);
        if let Some(code) = code
            && Some(code) != last
        {
            key.push(code);
            if key.len() == 4 {
                break;
            }
        }
        // H and W do not separate two letters of one code; vowels do.
        if !matches!(letter, b'h' | b'w') {
            last = code;
        }
    }
    while key.len() < 4 {
        key.push('0');
    }
    Some(key)
}

fn digit(letter: u8) -> Option<char> {
    Some(match letter {
        b'b' | b'f' | b'p' | b'v' => '1',
        b'c' | b'g' | b'j' | b'k' | b'q' | b's' | b'x' | b'z' => '2',
        b'd' | b't' => '3',
        b'l' => '4',
        b'm' | b'n' => '5',
        b'r' => '6',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, key: &str) {
        assert_eq!(soundex(word).as_deref(), Some(key), "{word}");
    }

    #[test]
    fn w12_robert_and_rupert_sound_alike() {
        check("Robert", "R163");
        check("Rupert", "R163");
    }

    #[test]
    fn the_rules_for_doubled_letters_hold() {
        check("Rubin", "R150");
        check("Ashcraft", "A261");
        check("Tymczak", "T522");
        check("Pfister", "P236");
        check("Honeyman", "H555");
        check("Lee", "L000");
        check("Müller", "M460");
    }

    #[track_caller]
    fn metaphone(word: &str, primary: &str, alternate: &str) {
        let (first, second) = double_metaphone(word).unwrap();
        let second = second.unwrap_or_default();
        assert_eq!((first.as_str(), second.as_str()), (primary, alternate), "{word}");
    }

    #[test]
    fn names_have_the_keys_of_double_metaphone() {
        metaphone("Smith", "SM0", "XMT");
        metaphone("Schmidt", "XMT", "SMT");
        metaphone("Thompson", "TMPS", "");
        metaphone("Katherine", "K0RN", "KTRN");
        metaphone("Catherine", "K0RN", "KTRN");
        metaphone("Müller", "MLR", "");
        metaphone("Stephen", "STFN", "");
        metaphone("Steven", "STFN", "");
    }

    #[test]
    fn any_letters_have_a_key_or_none() {
        for word in ["w", "h", "''", "zzzzzzzzzz", "gh", "ggggghhhh", "ﬀ", &"x".repeat(9_999)] {
            let _ = double_metaphone(word);
            let _ = soundex(word);
        }
    }

    #[test]
    fn words_without_letters_have_no_key() {
        assert_eq!(double_metaphone("日本 42"), None);
        assert_eq!(soundex(""), None);
        assert_eq!(soundex("日本 42"), None);
    }
}
