//! Another spelling of a query, from the words of the collection (Q7).

use std::time::Duration;

use base::PageRecord;
use rank::query::Filter;
use rank::{Options, Request, Searcher};

use crate::web::{JAGUARS, Web, page};

/// A searcher that has all the time it wants: tests run on busy machines.
fn patient(web: &Web) -> Searcher {
    let options = Options { deadline: Duration::from_secs(60), ..Options::default() };
    Searcher::open_with(&web.collection, options).unwrap()
}

#[track_caller]
fn check(web: &Web, query: &str, expected: Option<&str>) {
    let searcher = patient(web);
    let spelled = || searcher.search(&Request::new(query)).unwrap().did_you_mean;
    // Other spellings have a tenth of a second, which on a busy machine may be over before the first.
    let mut tries = (0..50).map(|_| spelled());
    let found = tries.find(|found| found.is_some() || expected.is_none()).flatten();
    assert_eq!(found.as_deref(), expected, "{query}");
}

#[test]
fn slips_of_all_kinds_are_seen() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "jagaur", Some("jaguar"));
    check(&web, "jagguar", Some("jaguar"));
    check(&web, "kaguar", Some("jaguar"));
    check(&web, "jagur", Some("jaguar"));
    check(&web, "profesionel", Some("professional"));
    check(&web, "Jaksonvile", Some("Jacksonville"));
    // Nothing is near enough, or it is too short to tell.
    check(&web, "zzzzzzzz", None);
    check(&web, "bug", None);
}

#[test]
fn words_that_pages_have_are_not_touched() {
    let mut texts = vec!["the actor wrote"; 40];
    texts.extend(["the author wrote"; 6]);
    texts.push("a factor");
    let web = Web::of_texts(&texts);
    check(&web, "author", None);
    check(&web, "authors", None);
    // A single page is enough, unless another word is clearly more frequent.
    check(&web, "factor", Some("actor"));
    check(&web, "actor", None);
    let mut web = Web::new();
    for number in 0..40 {
        web.push(&page(&format!("http://d{number}.example/"), "the actor wrote"));
    }
    let title = "Factor".to_owned();
    web.push(&PageRecord { title, ..page("http://f.example/", "a number") });
    web.index();
    check(&web, "factor", None);
}

#[test]
fn other_words_decide_which_spelling_is_meant() {
    let web = Web::of_texts(&[
        "a table of contents",
        "a table of figures",
        "a cable for power",
        "a cable for light",
        "the power of a cable",
    ]);
    check(&web, "rable figures", Some("table figures"));
    check(&web, "rable power", Some("cable power"));
    check(&web, "rable zebra", None);
}

#[test]
fn operators_fields_and_quotes_stay_as_they_are() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "\"jaguar desing\" -atari", Some("\"jaguar design\" -atari"));
    check(&web, "(mamal OR enginne) AND jaguar", Some("(mammal OR engine) AND jaguar"));
    check(&web, "Mamal site:d1.example", Some("Mammal site:d1.example"));
    check(&web, "mamal site:d2.example", None);
    check(&web, "+mamal", None);
    check(&web, "jaguar -mamal", None);
    check(&web, "mamal~1", None);
    check(&web, "inurl:mamal", None);
}

#[test]
fn words_that_sound_the_same_are_meant_too() {
    let mut web = Web::new();
    let title = "Phonetic alphabet".to_owned();
    web.push(&PageRecord { title, ..page("http://a.example/", "letters") });
    web.index();
    check(&web, "fonetik", None);
    web.analyse();
    check(&web, "fonetik", Some("phonetic"));
    check(&web, "fonetik leters", Some("phonetic letters"));
}

#[test]
fn w12_who_asks_for_rupert_may_mean_robert() {
    let mut web = Web::new();
    let title = "Robert of the islands".to_owned();
    web.push(&PageRecord { title, ..page("http://a.example/", "Robert keeps bees") });
    web.index();
    web.analyse();
    check(&web, "rupert", Some("robert"));
    check(&web, "rupert bees", Some("robert bees"));
    check(&web, "walter", None);
}

#[test]
fn w12_names_that_only_soundex_takes_for_each_other_are_found() {
    // Three slips, and other keys of Double Metaphone: nothing else brings them together.
    let (typed, meant) = ("janezin", "jameson");
    assert_eq!(text::soundex(typed), text::soundex(meant));
    assert_ne!(text::double_metaphone(typed), text::double_metaphone(meant));
    let differing = typed.chars().zip(meant.chars()).filter(|(one, other)| one != other);
    assert_eq!(differing.count(), 3);
    let mut web = Web::new();
    let title = "Jameson of the islands".to_owned();
    web.push(&PageRecord { title, ..page("http://a.example/", "Jameson keeps bees") });
    web.index();
    check(&web, typed, None);
    web.analyse();
    check(&web, typed, Some(meant));
    check(&web, "walterin", None);
}

#[test]
fn only_scripts_that_spell_are_spelled_anew() {
    let web = Web::of_texts(&["東京都庁舎 と 東京都美術館", "большой ягуар спит"]);
    check(&web, "東京部庁舎館", None);
    check(&web, "ягаур", Some("ягуар"));
}

#[test]
fn later_pages_of_answers_are_not_told_again() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = patient(&web);
    let request = Request { offset: 10, ..Request::new("jagaur") };
    assert_eq!(searcher.search(&request).unwrap().did_you_mean, None);
}

#[test]
fn filters_beside_the_query_hold_for_another_spelling_too() {
    let mut web = Web::of_texts(&JAGUARS);
    web.push(&page("http://h.example/", "A page about nothing of that."));
    web.index();
    let meant = |filter: &str| {
        let filters = [Filter::parse("site", filter).unwrap()];
        let request = Request { filters: &filters, ..Request::new("jagaur") };
        patient(&web).search(&request).unwrap().did_you_mean
    };
    assert_eq!(meant("h.example"), None);
    assert_eq!(meant("example").as_deref(), Some("jaguar"));
}

#[test]
fn any_query_is_spelled_within_its_time() {
    let web = Web::of_texts(&JAGUARS);
    // However many words are in doubt, three of them are spelled anew.
    let typed = ["jagaur"; 5].join(" OR ");
    let meant = typed.replacen("jagaur", "jaguar", 3);
    check(&web, &typed, Some(&meant));
    // When the time is over nothing more is done.
    let options = Options { deadline: Duration::ZERO, ..Options::default() };
    let hasty = Searcher::open_with(&web.collection, options).unwrap();
    for query in [typed.as_str(), "jagaur", "((((jagaur"] {
        assert_eq!(hasty.search(&Request::new(query)).unwrap().did_you_mean, None, "{query}");
    }
    check(&web, "jagaur", Some("jaguar"));
    check(&web, "((((jagaur", Some("((((jaguar"));
    // Words that are too long, none, or in letters that nobody has.
    let long = "jagaurjagaurjagaurjagaur ".repeat(40);
    for query in [long.as_str(), "NOT jagaur", "a\u{300}\u{301}bcdefg", "ǆǆǆǆǆǆ"] {
        check(&web, query, None);
    }
}
