//! Words with `*` and `?` in them, held against words of the dictionary.

use super::languages::Languages;

/// What a word with `*` and `?` in it fits.
pub(super) struct Pattern {
    /// What stands before the first of them.
    pub(super) start: String,
    /// All of it.
    letters: Vec<char>,
}

impl Pattern {
    pub(super) fn new(pattern: &str, languages: &Languages) -> Self {
        let mut letters = String::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            let wild = rest.find(['*', '?']).unwrap_or(rest.len());
            if wild > 0 {
                letters.push_str(&languages.surface_of(&rest[..wild]));
            }
            letters.extend(rest[wild..].chars().next());
            rest = rest.get(wild + 1..).unwrap_or_default();
        }
        let start = letters.split(['*', '?']).next().unwrap_or_default().to_owned();
        Self { start, letters: letters.chars().collect() }
    }

    /// Returns whether a term fits. After a mismatch only the last `*` is tried again, which is
    /// enough: cost at most the product of the lengths.
    pub(super) fn fits(&self, term: &str) -> bool {
        let term: Vec<char> = term.chars().collect();
        let (mut place, mut at) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while at < term.len() {
            match self.letters.get(place) {
                Some('*') => {
                    star = Some((place, at));
                    place += 1;
                }
                Some(letter) if *letter == '?' || *letter == term[at] => {
                    place += 1;
                    at += 1;
                }
                _ => {
                    let Some((from, reached)) = &mut star else { return false };
                    *reached += 1;
                    (place, at) = (*from + 1, *reached);
                }
            }
        }
        self.letters[place..].iter().all(|letter| *letter == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, start: &str, fitting: &[&str], others: &[&str]) {
        let pattern = Pattern::new(pattern, &Languages::new(&[], ""));
        assert_eq!(pattern.start, start);
        assert!(fitting.iter().all(|term| pattern.fits(term)), "{fitting:?}");
        assert!(!others.iter().any(|term| pattern.fits(term)), "{others:?}");
    }

    #[test]
    fn stars_are_any_letters_and_question_marks_are_one() {
        check("pre*", "pre", &["pre", "prefix"], &["pr", "apre"]);
        check("W?ld", "w", &["wild", "wæld"], &["wld", "wiild"]);
        check("ab*cd*e", "ab", &["abcde", "abxcdcde", "abcdcdxe"], &["abcd", "abce", "abcdex"]);
        check("ÆB*", "æb", &["æbler"], &["aebler"]);
        check("हिन्*", "हिन्", &["हिन्दी"], &["हिन", "हिनदी"]);
        // A mark behind a sign is one on the letter that the sign stands for.
        check("हि?्दी", "हि", &["हिन्दी"], &["हिदी", "हिनदी"]);
    }

    #[test]
    fn patterns_made_to_be_slow_are_not() {
        let pattern = Pattern::new(&("aa*".repeat(20) + "c"), &Languages::new(&[], ""));
        assert!(!pattern.fits(&("a".repeat(250) + "b")));
    }
}
