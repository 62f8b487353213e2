//! Stop words: words so common in a language that they say nothing of a page alone (T5).

use crate::language::Language;
use crate::tables::stop_words;

/// Returns whether a surface form (as [`crate::Word::surface`] gives it) is a stop word of the
/// language; without a language no word is. Cost: O(log words).
pub fn is_stop_word(language: Option<Language>, surface: &str) -> bool {
    let Some(language) = language else { return false };
    stop_words::of(language.code()).binary_search(&surface).is_ok()
}

/// Returns the stop words of a language, sorted; none if it has no list.
pub fn stop_words(language: Language) -> &'static [&'static str] {
    stop_words::of(language.code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyzer;

    #[track_caller]
    fn check(language: &str, word: &str, expected: bool) {
        assert_eq!(is_stop_word(Language::parse(language), word), expected, "{language} {word}");
    }

    #[test]
    fn common_words_are_stop_words_of_their_language() {
        check("en", "the", true);
        check("en", "jaguar", false);
        check("da", "og", true);
        check("en", "og", false);
        check("", "the", false);
        let count = Language::all().filter(|language| language.has_stop_words()).count();
        assert!(count >= 60, "{count} lists are found by their code");
    }

    #[test]
    fn lists_are_sorted_and_made_of_surface_forms() {
        for language in Language::all() {
            let words = stop_words::of(language.code());
            assert!(words.is_sorted_by(|one, other| one < other), "{language}: order or twins");
            let analyzer = Analyzer::new(Some(language));
            let is_odd = |word: &&&str| {
                let tokens = analyzer.tokens(word);
                tokens.len() != 1 || tokens[0].surface != **word
            };
            assert_eq!(words.iter().filter(is_odd).collect::<Vec<_>>(), [&""; 0], "{language}");
        }
    }
}
