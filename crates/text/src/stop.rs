//! Stop words: words so common in a language that they say nothing of a page alone (T5).

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::language::Language;
use crate::tables::stop_words;

/// Returns whether a surface form (as [`crate::Word::surface`] gives it) is a stop word of the
/// language; without a language no word is. Cost: constant.
pub fn is_stop_word(language: Option<Language>, surface: &str) -> bool {
    language.is_some_and(|language| list(language).contains(surface))
}

/// A language's words, made ready the first time that they are asked for.
struct List {
    words: HashSet<&'static str, foldhash::fast::RandomState>,
    /// Length of the longest in bytes: most words of a text are longer than any stop word.
    longest: usize,
}

impl List {
    fn contains(&self, surface: &str) -> bool {
        surface.len() <= self.longest && self.words.contains(surface)
    }
}

fn list(language: Language) -> &'static List {
    static LISTS: [OnceLock<List>; Language::COUNT] = [const { OnceLock::new() }; Language::COUNT];
    LISTS[language.place()].get_or_init(|| {
        let words = stop_words::of(language.code());
        let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
        List { words: words.iter().copied().collect(), longest }
    })
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
