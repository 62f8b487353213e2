//! The grammar by example, the limits, and the way from tree to text and back.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, printed: &str) {
    assert_eq!(Query::parse(text).unwrap().to_string(), printed);
}

#[test]
fn words_are_joined_by_and() {
    check("jaguar new", "jaguar AND new");
    check("jaguar AND new", "jaguar AND new");
    check("  a\tb\u{0}c\n", "a AND b AND c");
}

#[test]
fn and_binds_closer_than_or() {
    check("a b OR c d", "(a AND b) OR (c AND d)");
    check("a AND (b OR c)", "a AND (b OR c)");
    check("a OR (b OR c)", "a OR b OR c");
    check("(jaguar AND new AND NOT family) OR cat", "(jaguar AND new AND NOT family) OR cat");
}

#[test]
fn minus_and_not_are_the_same() {
    check("jaguar -car", "jaguar AND NOT car");
    check("jaguar NOT car", "jaguar AND NOT car");
    check("-(a b)", "NOT (a AND b)");
    check("-\"a b\"", "NOT \"a b\"");
    check("NOT NOT a", "a");
    check("NOT -(NOT a)", "NOT a");
    check("host-name --option -", "host-name AND --option");
}

#[test]
fn phrases_fold_their_spaces() {
    check("\" new  world - mammal \"", "\"new world mammal\"");
    check("\u{201e}new world\u{201c}", "\"new world\"");
    check("a\"b c\"d", "a AND \"b c\" AND d");
}

#[test]
fn lower_case_operators_are_words() {
    check("cats and dogs or birds", "cats AND and AND dogs AND or AND birds");
}

/// QRY-05.
#[test]
fn odd_syntax_is_searched_as_words() {
    check("\"new world", "new AND world");
    check("(new world", "new AND world");
    check("(new world^2", "new AND world^2");
    check("a) b", "a AND b");
    check("AND", "and");
    check("a AND", "a AND and");
    check("OR a", "or AND a");
    check("a OR", "a AND or");
    check("a OR OR b", "(a AND or) OR b");
    check("AND OR NOT", "and OR not");
    check("NOT", "not");
    check("a NOT", "a AND not");
    check("() -() NOT ()", "");
    check("- *", "");
    check(":", "");
    check("a:", "a:");
    check(":a", ":a");
    check("^ ~ \" ' ) (", "");
}

/// QRY-01.
#[test]
fn nothing_is_a_query_too() {
    for text in ["", "   ", "...", "\"\"", "\" - \"", "\u{0}"] {
        assert_eq!(Query::parse(text).unwrap().root(), None, "{text:?}");
    }
    check("\u{1f406}", "\u{1f406}");
}

/// QRY-02.
#[test]
fn long_queries_are_refused() {
    assert!(Query::parse(&"a".repeat(1_024)).is_ok());
    assert_eq!(Query::parse(&"a".repeat(1_025)), Err(TooLarge::Bytes(1_024)));
    assert_eq!(Query::parse(&"a".repeat(1 << 20)), Err(TooLarge::Bytes(1_024)));
}

/// QRY-03.
#[test]
fn deep_queries_are_refused() {
    let nested = |depth| "(".repeat(depth) + "a" + &")".repeat(depth);
    for depth in [20, 32] {
        assert_eq!(Query::parse(&nested(depth)).unwrap().to_string(), "a");
    }
    assert_eq!(Query::parse(&nested(33)), Err(TooLarge::Depth(32)));
    assert!(Query::parse(&nested(10_000)).is_err());
    assert_eq!(Query::parse(&"(".repeat(1_000)), Err(TooLarge::Depth(32)));
    // Side by side is not deep.
    assert!(Query::parse(&"(a)".repeat(64)).is_ok());
}

/// QRY-04.
#[test]
fn queries_of_many_words_are_refused() {
    let joined = |count| vec!["a"; count].join(" OR ");
    assert!(Query::parse(&joined(64)).is_ok());
    assert_eq!(Query::parse(&joined(65)), Err(TooLarge::Terms(64)));
    assert!(Query::parse(&joined(10_000)).is_err());
    let phrase = |count| format!("\"{}\"", vec!["a"; count].join(" "));
    assert!(Query::parse(&phrase(64)).is_ok());
    assert_eq!(Query::parse(&phrase(65)), Err(TooLarge::Terms(64)));
    assert_eq!(Query::parse(&"AND ".repeat(200)), Err(TooLarge::Terms(64)));
}

const WIDE: Limits = Limits { bytes: 1 << 20, terms: 1 << 16, depth: 200 };

fn queries() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zæ日]{1,4}",
        1 => Just("AND".to_owned()),
        1 => Just("OR".to_owned()),
        1 => Just("NOT".to_owned()),
        1 => Just("(".to_owned()),
        1 => Just(")".to_owned()),
        1 => Just("\"".to_owned()),
        1 => Just("-".to_owned()),
        1 => any::<char>().prop_map(String::from),
    ];
    let space = prop_oneof![3 => Just(" "), 1 => Just("")];
    prop::collection::vec((piece, space), 0..60).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, space)| piece + space).collect::<String>()
    })
}

proptest! {
    #[test]
    fn what_is_printed_parses_to_the_same_tree(text in queries()) {
        let query = Query::parse_with(&text, WIDE).unwrap();
        let printed = query.to_string();
        prop_assert_eq!(&Query::parse_with(&printed, WIDE).unwrap(), &query, "{}", printed);
    }

    #[test]
    fn any_text_is_a_query_or_too_large(text in any::<String>()) {
        let _ = Query::parse(&text);
    }
}
