//! What the analyzer makes of words, language by language.

use base::limits::TOKEN_BYTES;
use proptest::prelude::*;

use super::*;

fn analyzer(language: &str) -> Analyzer {
    Analyzer::new(Language::parse(language))
}

#[track_caller]
fn surfaces(language: &str, text: &str, expected: &str) {
    let tokens = analyzer(language).tokens(text);
    let found: Vec<&str> = tokens.iter().map(|token| token.surface.as_str()).collect();
    assert_eq!(found.join(" "), expected, "{language} {text:?}");
}

#[track_caller]
fn stems(language: &str, text: &str, expected: &str) {
    let tokens = analyzer(language).tokens(text);
    let found: Vec<&str> = tokens.iter().map(|token| token.stem.as_str()).collect();
    assert_eq!(found.join(" "), expected, "{language} {text:?}");
}

#[test]
fn words_stand_between_spaces_and_punctuation() {
    surfaces(
        "en",
        "The quick (brown) fox -- can't jump 32.3 feet, right?",
        "the quick brown fox can't jump 32.3 feet right",
    );
    surfaces(
        "en",
        "host-name example.com max_connections a/b __init__",
        "host name example com max connections a b init",
    );
    surfaces("en", "", "");
    surfaces("en", " \t…!¿", "");
}

#[test]
fn acronyms_lose_their_dots() {
    surfaces(
        "en",
        "U.S.A. USA, the U.S. e.g. J.R.R. Tolkien. I. We",
        "usa usa the us eg jrr tolkien i we",
    );
    surfaces("en", "end.A new", "end a new");
}

#[test]
fn elisions_and_possessives_leave_the_word() {
    surfaces("en", "apple's Apple’s don't O'Neill", "apple apple don't o'neill");
    surfaces("fr", "L'homme d’aujourd'hui qu'il", "homme aujourd'hui il");
    surfaces("it", "dell'arte un'altra", "arte altra");
    stems("en", "O'Neill ONeill we're were", "oneil oneil we'r were");
}

#[test]
fn numbers_keep_their_value() {
    surfaces(
        "en",
        "1,000,000 3.14 1,2,3 1,0000 v1.2 $199 68k",
        "1000000 3.14 1 2 3 1 0000 v1.2 199 68k",
    );
}

#[test]
fn names_with_signs_stay_names() {
    surfaces("en", "C++, C# and F#. C; a#b c+++", "c++ c# and f# c a b c");
}

#[test]
fn chr_10_one_word_has_one_surface() {
    let forms = ["café", "cafe\u{301}", "ＣＡＦÉ", "ca\u{AD}fé", "CAF\u{200D}É"];
    for form in forms {
        surfaces("fr", form, "café");
        stems("en", form, "cafe");
    }
    surfaces("el", "ΟΔΟΣ οδός", "οδοσ οδόσ");
    surfaces("tr", "ISPARTA İstanbul", "ısparta istanbul");
    surfaces("en", "İstanbul ﬁne m²", "istanbul fine m2");
    surfaces("ar", "مُحَمَّد محـمد", "محمد محمد");
    surfaces("he", "שָׁלוֹם צה\"ל", "שלום צהל");
}

#[test]
fn a_language_keeps_its_own_letters() {
    stems("da", "får far café", "får far cafe");
    stems("en", "smörgåsbord naïve", "smorgasbord naiv");
    stems("de", "Straße Häuser", "strass haus");
    stems("", "мой ещё", "мой еще");
    stems("", "łódź Ærø", "lodz aero");
}

#[test]
fn stems_join_the_forms_of_a_word() {
    stems("en", "connection connected connecting", "connect connect connect");
    stems("da", "husene huset huse", "hus hus hus");
    stems("de", "laufen läuft", "lauf lauft");
    stems("fr", "continuellement continuel", "continuel continuel");
    stems("ru", "книги книга", "книг книг");
    stems("fi", "taloissa talot", "talo talo");
    stems("", "connection connected", "connection connected");
}

#[test]
fn scripts_without_spaces_are_cut_by_dictionary() {
    surfaces("zh", "我们在北京大学学习。", "我们 在 北京 大学 学习");
    surfaces("ja", "東京の大学でiPhoneを使う", "東京 の 大学 で iphone を 使う");
    surfaces("th", "ภาษาไทยเป็นภาษาที่มีระดับเสียง", "ภาษา ไทย เป็น ภาษา ที่ มี ระดับ เสียง");
    surfaces("ko", "한국어 문장을 나눈다", "한국어 문장을 나눈다");
}

#[test]
fn positions_count_words_and_ranges_lead_back() {
    let text = "Apple’s pie, naïve C++";
    let tokens = analyzer("en").tokens(text);
    let found: Vec<_> =
        tokens.iter().map(|token| (token.position, &text[token.start..token.end])).collect();
    assert_eq!(found, [(0, "Apple’s"), (1, "pie"), (2, "naïve"), (3, "C++")]);
}

#[test]
fn chr_09_combining_marks_are_bounded() {
    let text = format!("a{} b", "\u{301}".repeat(10_000));
    let tokens = analyzer("en").tokens(&text);
    assert_eq!(tokens.len(), 2);
    assert!(tokens[0].surface.chars().count() <= 5, "{:?}", tokens[0].surface);
    assert_eq!(tokens[0].stem, "a");
    assert_eq!(tokens[1].surface, "b");
}

#[test]
fn chr_11_endless_words_cost_linear_time() {
    let latin = "a".repeat(2 << 20);
    let tokens = analyzer("en").tokens(&latin);
    assert_eq!((tokens.len(), tokens[0].surface.len()), (1, TOKEN_BYTES));
    let han = "北京大学".repeat(1 << 16);
    assert!(analyzer("zh").tokens(&han).len() > 50_000);
    let kana = "あ".repeat(1 << 16);
    assert!(!analyzer("ja").tokens(&kana).is_empty());
}

#[test]
fn chr_13_letters_that_change_length_keep_ranges_on_borders() {
    let text = "İİİ ßß ŉ ǰ ﷺ";
    for token in analyzer("en").tokens(text) {
        assert!(text.get(token.start..token.end).is_some());
        assert!(!token.surface.contains(' '), "{token:?}");
    }
}

#[test]
fn chr_08_no_token_contains_nul() {
    surfaces("en", "a\0b \0c\0", "a b c");
}

fn check_any(text: &str) {
    for language in Language::all().map(Some).chain([None]) {
        let mut last = 0;
        let mut count = 0;
        Analyzer::new(language).for_each(text, |word| {
            assert!(text.get(word.start..word.end).is_some_and(|range| !range.is_empty()));
            assert!(word.start >= last, "{language:?} {word:?}");
            assert_eq!(word.position, count);
            assert!((1..=TOKEN_BYTES).contains(&word.surface.len()), "{language:?} {word:?}");
            assert!(!word.stem.is_empty() && word.stem.len() <= 2 * TOKEN_BYTES);
            last = word.end;
            count += 1;
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        check_any(&text);
        let _ = crate::identify(&text, Language::parse("da"));
        let _ = crate::soundex(&text);
    }

    #[test]
    fn words_of_any_script_are_answered(text in "[\\p{L}\\p{M}\\p{N}'’.,·\"+# ]{0,60}") {
        check_any(&text);
    }
}
