//! Hostile texts: whatever they are, words and terms are bounded and lead back to the text.

use base::limits::TOKEN_BYTES;
use proptest::prelude::*;
use text::{Form, Language, Token, identify};

use super::analyzer;

/// What holds for every text in every language.
#[track_caller]
fn check(code: &str, text: &str) -> Vec<Token> {
    let analyzer = analyzer(code);
    let terms = analyzer.terms(text);
    let mut running = 0;
    for term in &terms {
        assert!(text.get(term.start..term.end).is_some_and(|range| !range.is_empty()), "{term:?}");
        for form in [&term.surface, &term.stem] {
            assert!((1..=TOKEN_BYTES).contains(&form.len()), "{term:?}");
            assert!(!form.contains(['\0', '\n', ' ']), "{term:?}");
        }
        if term.form.is_running() {
            assert_eq!(term.position, running, "{code} {text:?} {term:?}");
            running += 1;
        } else {
            assert!(term.position < running && term.length >= 1, "{code} {text:?} {term:?}");
        }
    }
    assert!(terms.is_sorted_by_key(|term| term.position), "{code} {text:?}");
    let reach = terms.iter().map(|term| term.position + term.length).max().unwrap_or_default();
    assert!(reach <= running, "{code} {text:?}: {reach} of {running}: {terms:?}");
    terms
}

#[test]
fn chr_08_no_term_contains_nul() {
    let text: String = "word-play 北京大学 a@b.example".chars().flat_map(|c| [c, '\0']).collect();
    for code in ["en", "zh", ""] {
        assert!(!check(code, &text).is_empty());
    }
}

#[test]
fn chr_09_ten_thousand_marks_make_one_short_term() {
    let text = format!(
        "a{}b-c 北{}京 {}",
        "\u{301}".repeat(10_000),
        "\u{3099}".repeat(10_000),
        "\u{301}".repeat(10_000)
    );
    let terms = check("en", &text);
    assert!(terms.len() < 12, "{}", terms.len());
}

#[test]
fn chr_10_one_word_has_one_term() {
    for form in ["café", "cafe\u{301}", "ＣＡＦÉ", "ca\u{AD}fé", "ca\u{2060}fé", "CAF\u{200D}É"]
    {
        let terms = check("fr", form);
        assert_eq!((terms.len(), terms[0].surface.as_str()), (1, "café"), "{form:?}");
    }
    let half = check("ja", "ﾊﾞｰｺｰﾄﾞ");
    let full = check("ja", "バーコード");
    let surfaces = |terms: &[Token]| -> Vec<String> {
        terms
            .iter()
            .filter(|term| term.form == Form::Pair)
            .map(|term| term.surface.clone())
            .collect()
    };
    assert_eq!(surfaces(&half), surfaces(&full));
}

/// Counts the terms of a text that is too long for keeping them all.
fn count(code: &str, text: &str) -> usize {
    let mut count = 0;
    analyzer(code).for_each_term(text, |term| {
        assert!((1..=TOKEN_BYTES).contains(&term.surface.len()));
        count += 1;
    });
    count
}

#[test]
fn chr_11_five_mebibytes_without_a_space_are_read_in_one_pass() {
    let size = 5 << 20;
    assert_eq!(count("en", &"a".repeat(size)), 1);
    let chain = count("en", &"abcdefgh-".repeat(size / 9));
    assert!((size / 9..size / 9 + 2).contains(&chain), "{chain}");
    assert!(count("zh", &"北京大学学习".repeat(size / 18)) > size / 3 - 2);
    for piece in
        ["a.", "1,", "x@", "l'", "https://", "A&", "aB", "あ", "ก", "\u{301}", "9\u{A0}999"]
    {
        check("fr", &piece.repeat((16 << 10) / piece.len()));
    }
}

#[test]
fn chr_13_letters_that_change_their_length_keep_ranges_on_borders() {
    for code in ["en", "tr", "de", ""] {
        let terms = check(code, "İİİ-ßß ŉ ǰ ﷺ ΐ ﬃ-ﬀ");
        assert!(terms.len() >= 6);
    }
}

#[test]
fn idx_02_terms_are_cut_at_their_limit() {
    let long = format!("{}-{} {}", "ß".repeat(300), "x".repeat(300), "字".repeat(300));
    for code in ["de", "zh", "en"] {
        check(code, &long);
    }
}

#[test]
fn idx_04_odd_characters_are_no_trouble() {
    for text in [
        "\u{FFFD}a\u{FFFD}",
        "𝕏𝔘-𐐷",
        "🦀crab🦀",
        "\u{10FFFF}x",
        "𠮷野家で𠮷",
        "\u{E000}a",
        "\u{feff}b",
    ] {
        for code in ["en", "ja", ""] {
            assert!(!check(code, text).is_empty(), "{text:?}");
        }
    }
}

#[test]
fn spm_11_a_false_declaration_and_five_characters_are_no_trouble() {
    let english = "Once upon a time there was a king whose son wished to marry a real princess.";
    let code = |text: &str, declared: &str| {
        identify(text, Language::parse(declared)).map_or("", Language::code)
    };
    assert_eq!(code(english, "ja"), "en");
    let mixed = format!("{english} むかしむかし、ある国に王様が住んでいました。");
    assert_eq!(code(&mixed, "ja"), "en");
    for text in ["", "a", "ab", "abcde", "北", "あ", "…", "1234", "\u{301}", "ß", "λ", "ї", "क"]
    {
        for declared in ["", "ja", "en", "lo", "yi"] {
            code(text, declared);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_has_well_formed_terms(text in any::<String>()) {
        for code in ["en", "de", "tr", "ja", "ar", "ko", ""] {
            check(code, &text);
        }
    }

    #[test]
    fn any_compound_has_well_formed_terms(text in "([a-zA-Z0-9é北京あкก]{0,4}[-_.@&/:+', ]?){0,12}") {
        for code in ["en", "fr", "zh"] {
            check(code, &text);
        }
    }
}
