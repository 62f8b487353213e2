//! Short texts that may be shown as queries: what they must not be, and the form by which they are
//! compared.

use text::Analyzer;

/// Longest phrase, in characters.
const MOST_LETTERS: usize = 60;
/// Longest phrase, in words.
const MOST_WORDS: usize = 8;
/// Digits from which on a number may be somebody's telephone.
const PHONE_DIGITS: usize = 7;
/// Signs that part a title: the name of the page from that of its site.
const PARTING: [&str; 8] = [" | ", " - ", " – ", " — ", " · ", " :: ", " » ", ": "];

/// A text in the form by which phrases are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Normal {
    /// Words in lower case without marks, one space between them.
    pub(crate) text: String,
    /// The bytes at which its words begin.
    pub(crate) starts: Vec<u16>,
}

impl Normal {
    /// Returns the normal form of a text.
    ///
    /// It has no language: the same text is the same phrase on every page. Scripts that have no
    /// spaces keep none, but their words may be begun at too.
    pub(crate) fn of(text: &str) -> Self {
        let mut normal = Self::default();
        let mut end = 0;
        Analyzer::new(None).for_each(text, |word| {
            let has_gap = word.start > end && !normal.text.is_empty();
            end = word.end;
            if has_gap {
                normal.text.push(' ');
            }
            normal.starts.extend(u16::try_from(normal.text.len()));
            normal.text.push_str(word.stem);
        });
        normal
    }

    /// Returns its words.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(' ').filter(|word| !word.is_empty())
    }
}

/// Returns a text as it may be shown, without invisible signs; `None` if it is too long or short,
/// or may name a person: an e-mail address, a telephone number; or if it is an address.
pub(crate) fn shown(text: &str) -> Option<String> {
    // Far longer texts are not even looked at.
    if text.len() > 8 * MOST_LETTERS {
        return None;
    }
    let visible = visible(text);
    let trim =
        |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | ':' | '|' | '¶');
    let words: Vec<&str> = visible.trim_matches(trim).split_whitespace().collect();
    let shown = words.join(" ");
    let num_letters = shown.chars().count();
    let is_short = num_letters < 2 || !shown.contains(char::is_alphabetic);
    if is_short
        || num_letters > MOST_LETTERS
        || words.len() > MOST_WORDS
        || is_contact(&shown)
        || is_address(&shown)
    {
        return None;
    }
    Some(shown)
}

/// Returns a text without invisible signs, and with spaces for those that move a cursor.
pub(crate) fn visible(text: &str) -> String {
    let visible = text.chars().filter(|letter| !is_invisible(*letter));
    visible.map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Returns a title and its parts.
pub(crate) fn parts(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    let mut rest = vec![title];
    for sign in PARTING {
        rest = rest.into_iter().flat_map(|part| part.split(sign)).collect();
    }
    if rest.len() > 1 {
        parts.extend(rest.into_iter().take(MOST_WORDS));
    }
    parts
}

/// Returns whether a text has an e-mail address or a telephone number in it.
fn is_contact(text: &str) -> bool {
    let mut before = ' ';
    let mut num_digits = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_around = |letter: Option<&char>| letter.is_some_and(|next| next.is_alphanumeric());
        if matches!(letter, '@' | '＠') && is_around(Some(&before)) && is_around(letters.peek()) {
            return true;
        }
        if letter.is_numeric() {
            num_digits += 1;
        } else if !matches!(letter, ' ' | '-' | '–' | '.' | '(' | ')' | '/' | '+') {
            num_digits = 0;
        }
        if num_digits >= PHONE_DIGITS {
            return true;
        }
        before = letter;
    }
    false
}

fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("://") || lower.starts_with("www.") || lower.starts_with("mailto:")
}

/// Signs without width, and those that turn the direction of what follows.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{00AD}'
        | '\u{061C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_compared_without_case_marks_and_signs() {
        let check = |text: &str, expected: &str, starts: &[u16]| {
            let normal = Normal::of(text);
            assert_eq!((normal.text.as_str(), normal.starts.as_slice()), (expected, starts));
        };
        check("Big   Café — Ågård!", "big cafe agard", &[0, 4, 9]);
        check("", "", &[]);
        check("!!", "", &[]);
        let japanese = Normal::of("東京タワー");
        assert_eq!(japanese.text, "東京タワー");
        assert!(japanese.starts.len() > 1);
    }

    #[test]
    fn nothing_personal_and_nothing_endless_is_shown() {
        assert_eq!(shown(" Black\u{202E} \tjaguar,").as_deref(), Some("Black jaguar"));
        assert_eq!(shown("C++ 20").as_deref(), Some("C++ 20"));
        assert_eq!(shown("RFC 9309").as_deref(), Some("RFC 9309"));
        for text in [
            "write to ann@example.org",
            "ann＠example.org",
            "call +45 12 34 56 78",
            "(555) 123-4567",
            "call 555.1234 now",
            "http://a.example/",
            "www.example.org",
            "x",
            "12 34",
            "",
            &"long ".repeat(20),
            &"x".repeat(61),
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn titles_have_parts() {
        assert_eq!(parts("Jaguar"), ["Jaguar"]);
        let title = "Jaguar: a big cat | Zoo - Wiki";
        assert_eq!(parts(title), [title, "Jaguar", "a big cat", "Zoo", "Wiki"]);
    }
}
