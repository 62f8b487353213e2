//! Completing what was typed, over phrases in memory.

use super::*;

fn suggestions(shown: &[&str]) -> Suggestions {
    let phrase = |shown: &&str| Phrase {
        page: None,
        shown: (*shown).into(),
        normal: Normal::of(shown).text.into(),
    };
    Suggestions::new(shown.iter().map(phrase).collect())
}

#[track_caller]
fn check(known: &Suggestions, typed: &str, expected: &[&str]) {
    let found = known.beginning_with(typed, 4);
    let found: Vec<&str> = found.iter().map(|phrase| &*phrase.shown).collect();
    assert_eq!(found, expected, "{typed:?}");
}

#[test]
fn any_word_may_be_begun_and_the_best_come_first() {
    let known = suggestions(&["Jaguar", "Black jaguar", "Jaguar cars", "Café au lait", "The cat"]);
    check(&known, "jag", &["Jaguar", "Jaguar cars", "Black jaguar"]);
    check(&known, "JAGUAR", &["Jaguar cars", "Black jaguar"]);
    check(&known, "jaguar ", &["Jaguar cars"]);
    check(&known, "jaguar c", &["Jaguar cars"]);
    check(&known, "cafe a", &["Café au lait"]);
    check(&known, "ca", &["Café au lait", "Jaguar cars", "The cat"]);
    check(&known, "aguar", &[]);
    check(&known, "", &[]);
    check(&known, "  ?", &[]);
}

#[test]
fn words_may_stand_in_another_order() {
    let known = suggestions(&["Black jaguar of Peru", "Jaguar cars"]);
    check(&known, "jaguar bl", &["Black jaguar of Peru"]);
    check(&known, "peru jag", &["Black jaguar of Peru"]);
    check(&known, "peru car", &[]);
}

#[test]
fn scripts_without_spaces_are_completed_too() {
    let known = suggestions(&["東京タワー", "大阪城"]);
    check(&known, "東", &["東京タワー"]);
    check(&known, "東京タ", &["東京タワー"]);
    check(&known, "タワ", &["東京タワー"]);
}

#[test]
fn web_23_one_letter_brings_only_as_many_as_were_asked_for() {
    let many: Vec<String> = (0..5_000).map(|n| format!("Apple {n} a{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let known = suggestions(&many);
    check(&known, "a", &["Apple 0 a0", "Apple 1 a1", "Apple 2 a2", "Apple 3 a3"]);
}
