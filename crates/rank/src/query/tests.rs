//! The grammar by example, the limits, and the way from tree to text and back.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, printed: &str) {
    assert_eq!(Query::parse(text).unwrap().to_string(), printed);
}

#[test]
fn words_stand_side_by_side_or_are_joined_by_and() {
    check("jaguar new", "jaguar new");
    check("jaguar AND new", "jaguar AND new");
    check("  a\tb\u{0}c\n", "a b c");
    // Whoever joins two of them means all.
    check("a AND b c", "a AND b AND c");
    check("x (a AND b) OR c d", "x AND a AND b OR c AND d");
    // With nothing to join it means nothing.
    check("a AND ()", "a");
    // What closes nothing is noise.
    check("a OR b ) c", "a OR b c");
    check("a OR ) b", "a OR b");
    check("a) OR (b) c)", "a OR b c");
    check("() AND a b", "and a b");
}

#[test]
fn and_binds_closer_than_or() {
    check("a b OR c d", "a b OR c d");
    check("(a b) OR (c d)", "a b OR c d");
    check("a (b OR c) d", "a (b OR c) d");
    check("a AND (b OR c)", "a AND (b OR c)");
    check("a OR (b OR c)", "a OR b OR c");
    check("(jaguar AND new AND NOT family) OR cat", "jaguar AND new AND NOT family OR cat");
}

#[test]
fn minus_and_not_are_the_same() {
    check("jaguar -car", "jaguar NOT car");
    check("jaguar NOT car", "jaguar NOT car");
    check("jaguar AND -car", "jaguar AND NOT car");
    check("-(a b)", "NOT (a b)");
    check("-(a OR b) c", "NOT (a OR b) c");
    check("-\"a b\"", "NOT \"a b\"");
    check("NOT NOT a", "a");
    check("NOT -(NOT a)", "NOT a");
    check("host-name --option -", "host-name --option");
}

#[test]
fn phrases_fold_their_spaces() {
    check("\" new  world - mammal \"", "\"new world mammal\"");
    check("\u{201e}new world\u{201c}", "\"new world\"");
    check("a\"b c\"d", "a \"b c\" d");
}

#[test]
fn lower_case_operators_are_words() {
    check("cats and dogs or birds", "cats and dogs or birds");
}

#[test]
fn words_may_be_exact_wild_or_nearly_right() {
    check("+the +Jaguars", "+the +Jaguars");
    check("pre* w?ldcard mid*dle ab**c", "pre* w?ldcard mid*dle ab*c");
    check("what is a jaguar?", "what is a jaguar?");
    check("wh?t?", "wh?t");
    check("http://a.example/?q=*", "http://a.example/?q=*");
    check("jaguar~ jaguar~1 jaguar~2 jaguar~0", "jaguar~1 jaguar~1 jaguar~2 jaguar");
    check("-+the -pre*", "NOT +the NOT pre*");
}

#[test]
fn marks_are_letters_of_patterns_and_of_words_that_are_nearly_right() {
    check("हिन्दी~ हिन्* हि?्दी", "हिन्दी~1 हिन्* हि?्दी");
    // Some type a letter and its mark, or a joiner that is not seen.
    check("cafe\u{301}* re\u{301}sume\u{301}~2", "café* résumé~2");
    check("می\u{200c}خوا*", "میخوا*");
    assert_eq!(Query::parse("cafe\u{301}*"), Query::parse("caf\u{e9}*"));
    noted("हिन्दी~ हिन्* cafe\u{301}* می\u{200c}خوا*", &[]);
    // Words are left as they are typed, and do not begin with a mark.
    check("cafe\u{301}", "cafe\u{301}");
    noted("\u{301}ab* \u{301}abc~", &["only words of letters", "only words of letters"]);
}

#[test]
fn near_joins_words_and_phrases() {
    check("a NEAR/5 b", "a NEAR/5 b");
    check("a NEAR b", "a NEAR/10 b");
    check("a NEAR/2 \"b c\" NEAR d x", "a NEAR/2 \"b c\" NEAR/10 d x");
    check("-a NEAR/2 b", "NOT a NEAR/2 b");
    check("a NEAR/0 b OR a NEAR/4294967296 c", "a NEAR/1 b OR a NEAR/100 c");
    check("+a NEAR/3 pre* OR b~ NEAR c", "+a NEAR/3 pre* OR b NEAR/10 c");
    // With nothing to join it is a word.
    check("NEAR a", "near a");
    check("a NEAR", "a near");
    check("a NEAR (b OR c)", "a near (b OR c)");
    check("a near b NEAR/x", "a near b NEAR/x");
}

#[test]
fn fields_take_words_phrases_and_groups() {
    check("title:jaguar intitle:cat", "title:jaguar title:cat");
    check("title:\"big cat\" -TITLE:dog", "title:\"big cat\" NOT title:dog");
    check("title:(a -b OR \"c d\")", "title:a NOT title:b OR title:\"c d\"");
    check("title:(a NEAR/3 b site:x.example)", "title:(a NEAR/3 b) site:x.example");
    check("title:+the title:pre* inurl:a~2", "title:+the title:pre* inurl:a");
    check("site:(A.example OR b.example/x)", "site:a.example OR site:b.example/x");
    check("site:A.example:08080/b site:b.example:80/", "site:a.example:8080/b site:b.example:80");
    check("site:(A.example:80 OR b.example:80/x)", "site:a.example:80 OR site:b.example:80/x");
    check("host:::1 filetype:.PDF filetype:htm", "host:::1 filetype:pdf filetype:html");
    check("lang:en-GB country:UK", "lang:en country:gb");
    check("before:2024-05-01 after:2024-05", "before:2024-05-01 after:2024-05");
    check("link:\"http://a.example/(x)\"", "link:\"http://a.example/(x)\"");
    let likes = "related:a.example cache:http://a.example/";
    check(likes, likes);
    // What is no scheme stays where it is.
    let archived = "site:web.archive.org/web/2020/http://zoo.example";
    check(archived, archived);
    check("site:http://a.example/web/http://b.example/c", "site:a.example/web/http://b.example/c");
    check("site:ftp://a.example site:a.example:x", "site:ftp://a.example site:a.example:x");
}

#[test]
fn phrases_may_have_unknown_words() {
    check("\"new * mammal\"", "\"new * mammal\"");
    check("\"* * new * - * mammal *\"", "\"new * * mammal\"");
    check("\"* *\"", "");
}

#[track_caller]
fn noted(text: &str, expected: &[&str]) {
    let query = Query::parse(text).unwrap();
    assert_eq!(query.notes().len(), expected.len(), "{:?}", query.notes());
    for (note, expected) in query.notes().iter().zip(expected) {
        assert!(note.to_string().contains(expected), "{note:?} does not say {expected:?}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    noted("jaguar cat \"a b\" -x site:a.example jag*", &[]);
    noted("http://a.example/x mailto:a@b.example 12:30", &[]);
    noted("site:(a.example:80 OR b.example:80/x) link:(a.example:80/x)", &[]);
    noted("foo:bar", &["`foo:` is no field"]);
    noted("foo:\"bar\" _all:(x)", &["`foo:` is no field", "`_all:` is no field"]);
    noted("a NEAR/2 foo:\"bar\"", &["`foo:` is no field"]);
    noted("note: (x) note: \"x\" 12:(x) foo:\"x", &[]);
    noted("lang:qq before:tomorrow", &["a language", "a date"]);
    noted("a* b~", &["2 letters or more", "3 to 64 letters"]);
    noted("jaguar~7 a NEAR/500 b", &["at most 2", "from 1 to 100"]);
    noted("host-n* don't~ +pre* l'été~1", &["`host-n*`", "`don't~`", "`+pre*`", "`l'été~1`"]);
    noted("title:a-b* -c.d~2 title:+e* w?ld-card", &["`a-b*`", "`c.d~2`", "`+e*`", "`w?ld-card`"]);
    noted("host-n*", &["only words of letters and digits"]);
    // Nothing is said twice.
    noted("foo:ba*", &["`foo:` is no field"]);
    noted("lang:(q-q*)", &["a language"]);
    // Questions, addresses, and what is no sign at all.
    noted("what is a jaguar? host-name? why?! +why? C++? well,what?", &[]);
    noted("http://a.example/?q=* a.example/?q=x a.example?q=x-y", &[]);
    noted("http://a.example/~1 a.example/~2 ~user ~5 1.5~2.5 * ? ~", &[]);
    assert!(Query::parse(&"x:y ".repeat(60)).unwrap().notes().len() <= 8);
}

#[test]
fn only_words_without_and_are_loose() {
    let is_loose = |text| Query::parse(text).unwrap().is_loose();
    assert!(is_loose("a b") && is_loose("a OR b c") && is_loose("a AND"));
    assert!(!is_loose("a AND b") && !is_loose("x (a AND b)"));
    assert!(is_loose("a AND ()") && is_loose("() AND a") && !is_loose("a AND () b"));
    assert_ne!(Query::parse("a b").unwrap(), Query::parse("a AND b").unwrap());
}

/// Months and days that there are.
#[test]
fn dates_are_days_of_the_calendar() {
    for text in ["2024", "2024-05", "2024-02-29", "0001-01-01"] {
        assert_eq!(Day::parse(text).unwrap().to_string(), text);
    }
    for text in
        ["", "24", "2024-", "2024-5", "2024-13", "2023-02-29", "2024-05-01-01", "２０２４", "-2024"]
    {
        assert_eq!(Day::parse(text), None, "{text}");
    }
    assert_eq!(Day::parse("1970").unwrap().start().as_millis(), 0);
}

#[test]
fn qry_05_odd_syntax_is_searched_as_words() {
    check("\"new world", "new world");
    check("(new world", "new world");
    check("(new world^2", "new world^2");
    check("a) b", "a b");
    check("AND", "and");
    check("a AND", "a and");
    check("OR a", "or a");
    check("a OR", "a or");
    check("a OR OR b", "a or OR b");
    check("AND OR NOT", "and OR not");
    check("NOT", "not");
    check("a NOT", "a not");
    check("() -() NOT ()", "");
    check("- * ? *", "");
    check(":", "");
    check("a:", "a:");
    check("title:", "title:");
    check("title: a", "title: a");
    check("title:\"...\" a", "a");
    check("title:\"a", "title: a");
    check("title:(", "");
    check("lang:qq", "lang:qq");
    check("lang:\"q q\"", "\"q q\"");
    check("[* TO *] a^2", "TO a^2");
    check(":a", ":a");
    check("^ ~ \" ' ) (", "");
}

#[test]
fn qry_01_nothing_is_a_query_too() {
    for text in ["", "   ", "...", "\"\"", "\" - \"", "\u{0}"] {
        assert_eq!(Query::parse(text).unwrap().root(), None, "{text:?}");
    }
    check("\u{1f406}", "\u{1f406}");
}

#[test]
fn qry_02_long_queries_are_refused() {
    assert!(Query::parse(&"a".repeat(1_024)).is_ok());
    assert_eq!(Query::parse(&"a".repeat(1_025)), Err(TooLarge::Bytes(1_024)));
    assert_eq!(Query::parse(&"a".repeat(1 << 20)), Err(TooLarge::Bytes(1_024)));
}

#[test]
fn qry_03_deep_queries_are_refused() {
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

#[test]
fn qry_04_queries_of_many_words_are_refused() {
    let joined = |count| vec!["a"; count].join(" OR ");
    assert!(Query::parse(&joined(64)).is_ok());
    assert_eq!(Query::parse(&joined(65)), Err(TooLarge::Terms(64)));
    assert!(Query::parse(&joined(10_000)).is_err());
    let phrase = |count| format!("\"{}\"", vec!["a"; count].join(" "));
    assert!(Query::parse(&phrase(64)).is_ok());
    assert_eq!(Query::parse(&phrase(65)), Err(TooLarge::Terms(64)));
    assert_eq!(Query::parse(&"AND ".repeat(200)), Err(TooLarge::Terms(64)));
    // Operators that are words are counted together with the others.
    let mixed = |count| "a ".repeat(60) + &"OR ".repeat(count);
    assert!(Query::parse(&mixed(4)).is_ok());
    assert_eq!(Query::parse(&mixed(5)), Err(TooLarge::Terms(64)));
}

const WIDE: Limits = Limits { bytes: 1 << 20, terms: 1 << 16, depth: 200 };

/// Pieces of the grammar, whole and broken.
const SIGNS: [&str; 56] = [
    "NEAR",
    "NEAR/3",
    "NEAR/",
    "NEAR/999999999999",
    "*",
    "?",
    "~",
    "~1",
    "~9",
    "+",
    "^2",
    ":",
    "title:",
    "intitle:",
    "inurl:",
    "site:",
    "site:a.example/b",
    "site:a.example/.",
    "site:a.example:80",
    "site:a.example:08080/b",
    "site:web.archive.org/web/2020/http://zoo.example",
    "site:http://a.example/web/http://b.example/c",
    "link:web.archive.org/web/2020/http://zoo.example/",
    "related:http://a.example/web/http://b.example/",
    "cache:a.example?u=http://b.example/",
    "host:",
    "host:::1",
    "filetype:",
    "filetype:PDF",
    "lang:",
    "lang:da",
    "lang:qq",
    "before:",
    "before:2024-02-30",
    "after:2024-02",
    "country:uk",
    "link:",
    "link:\"http://a.example/(x)\"",
    "related:a.example",
    "cache:",
    "TITLE:",
    "title:\"...\"",
    "ab*cd",
    "ab?cd",
    "\"a * b\"",
    "\"* a\"",
    "_all:",
    "words:",
    "a-b*",
    "e\u{301}",
    "\u{301}",
    "\u{200c}",
    "हिन्",
    "हिन्दी~",
    "cafe\u{301}*",
    "\u{958}a?b",
];

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
        4 => prop::sample::select(&SIGNS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    let space = prop_oneof![3 => Just(" "), 1 => Just("")];
    prop::collection::vec((piece, space), 0..60).prop_map(|pieces| {
        pieces.into_iter().map(|(piece, space)| piece + space).collect::<String>()
    })
}

/// Queries of many groups, also of fields, and of what needs a group of its own in a field.
fn nested() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b NEAR c", "title:d", "lang:da"]);
    leaf.prop_map(str::to_owned).prop_recursive(8, 40, 2, |inner| {
        let operator = prop::sample::select(vec![" ", " OR ", " AND "]);
        let before = prop::sample::select(vec!["", "NOT ", "title:", "inurl:", "site:"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(one, operator, other)| format!("{one}{operator}{other}")),
            (before, inner).prop_map(|(before, inner)| format!("{before}({inner})")),
        ]
    })
}

/// Returns limits that random queries often reach.
fn some_limits() -> impl Strategy<Value = Limits> {
    let narrow = (1..24usize, 0..4usize);
    prop_oneof![
        1 => Just(WIDE),
        2 => Just(Limits::default()),
        4 => narrow.prop_map(|(terms, depth)| Limits { terms, depth, ..WIDE }),
    ]
}

/// Parses a text, and what is printed of that; `None` if the text is too large.
///
/// The bytes of what is printed have no limit: the names of hosts and paths are longer in the form
/// that is compared, and every part of a group shows its field.
fn again(text: &str, limits: Limits) -> Option<(Query, Result<Query, TooLarge>)> {
    let query = Query::parse_with(text, limits).ok()?;
    let again = Query::parse_with(&query.to_string(), Limits { bytes: WIDE.bytes, ..limits });
    Some((query, again))
}

#[track_caller]
fn round_trip(text: &str, limits: Limits) {
    let (query, again) = again(text, limits).unwrap();
    assert_eq!(again, Ok(query), "{text}");
}

/// Returns how deep groups stand in groups.
fn levels(text: &str) -> usize {
    let mut num_open = 0;
    let mut most = 0;
    for letter in text.chars() {
        match letter {
            '(' => num_open += 1,
            ')' => num_open -= 1,
            _ => {}
        }
        most = most.max(num_open);
    }
    most
}

#[test]
fn what_is_printed_of_deep_queries_is_allowed() {
    for (open, close) in [
        ("(a OR b ", ")"),
        ("(a b OR ", ")"),
        ("a (b OR ", ")"),
        ("NOT (a ", ")"),
        ("-(a OR ", ")"),
        ("NOT (NOT a OR ", " b)"),
        ("title:(a NEAR b OR ", ") c"),
        ("title:(a NEAR b OR c) inurl:(d ", ")"),
        ("title:(NOT a NEAR b c OR inurl:(", " NEAR d OR e)) f"),
    ] {
        for depth in 1..=30 {
            let text = open.repeat(depth) + "x" + &close.repeat(depth);
            round_trip(&text, Limits { depth: levels(&text), ..WIDE });
        }
    }
    // The same under the limits that hold for people.
    let text = "(a OR b ".repeat(31) + "x" + &")".repeat(31);
    round_trip(&text, Limits::default());
    check("x (title:(a NEAR b OR c) d OR e)", "x (title:(a NEAR/10 b OR title:c) d OR e)");
}

proptest! {
    #[test]
    fn what_is_printed_parses_to_the_same_query(text in queries(), limits in some_limits()) {
        if let Some((query, again)) = again(&text, limits) {
            prop_assert_eq!(again.as_ref(), Ok(&query), "{}", query);
        }
    }

    #[test]
    fn what_is_printed_is_nested_no_deeper_than_what_was_typed(text in nested()) {
        let limits = Limits { depth: levels(&text), ..WIDE };
        let (query, again) = again(&text, limits).unwrap();
        prop_assert_eq!(again.as_ref(), Ok(&query), "{}", query);
    }

    #[test]
    fn any_text_is_a_query_or_too_large(text in any::<String>()) {
        let _ = Query::parse(&text);
    }
}

#[test]
fn filters_from_elsewhere_join_the_tree_and_leave_the_words_loose() {
    let filter = |field: &str, value: &str| Filter::parse(field, value).unwrap();
    let filters = [filter("site", "a.example"), filter("lang", "da")];
    let narrowed = |text: &str| Query::parse(text).unwrap().narrowed(&filters);
    assert_eq!(narrowed("a OR b").to_string(), "(a OR b) site:a.example lang:da");
    assert_eq!(narrowed("a b").to_string(), "a b site:a.example lang:da");
    assert_eq!(narrowed("a AND b").to_string(), "a AND b AND site:a.example AND lang:da");
    assert!(narrowed("a b").is_loose() && !narrowed("a AND b").is_loose());
    assert_eq!(narrowed("").to_string(), "site:a.example lang:da");
    assert_eq!(narrowed("(\"open"), Query::parse("open site:a.example lang:da").unwrap());
    for (field, value) in [("site", "a b"), ("lang", "klingon"), ("title", "a"), ("nothing", "a")] {
        assert_eq!(Filter::parse(field, value), None, "{field}:{value}");
    }
}

#[test]
fn addresses_without_a_scheme_may_have_one_inside() {
    let urls = |value: &str| {
        Filter::urls(value).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        urls("web.archive.org/web/2020/http://zoo.example/"),
        "http://web.archive.org/web/2020/http://zoo.example/ \
         https://web.archive.org/web/2020/http://zoo.example/"
    );
    assert_eq!(
        urls("a.example/?u=http://b.example"),
        "http://a.example/?u=http://b.example https://a.example/?u=http://b.example"
    );
    assert_eq!(urls("HTTP://a.example/http://b.example"), "http://a.example/http://b.example");
    assert_eq!((urls("ftp://a.example/"), urls("http://")), (String::new(), String::new()));
}

#[test]
fn a_text_can_be_read_as_words_alone() {
    let words = |text: &str| match Query::of_words(text).root() {
        Some(Node::And(parts)) => parts.clone(),
        root => root.into_iter().cloned().collect(),
    };
    let word = |text: &str| Node::Word(text.to_owned());
    assert_eq!(words("cat -dog"), [word("cat"), word("-dog")]);
    assert_eq!(words("NOT title:x \"a  b\" ( ?"), ["NOT", "title:x", "\"a", "b\""].map(word));
    assert!(words(" … - ()").len() <= 1 && words("").is_empty());
    assert!(Query::of_words("cat dog").is_loose());
    // Longer than anybody may type: the beginning of it.
    assert_eq!(words(&"cat ".repeat(100)).len(), 64);
    assert_eq!(words(&format!("cat {} dog", "x".repeat(1_020))), [word("cat")]);
}
