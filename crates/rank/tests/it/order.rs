//! What each part of the second stage does to the order, with everything else the same.

use base::{DateSource, Dated, PageRecord, Spam, SpamKind, SpamReason, Timestamp, Zone};
use rank::{Hit, Model, Options, Reading, Request, Results, Searcher, Weights};

use crate::standing::{analyse, jaguars};
use crate::web::{Web, block, hosts, link, page};

/// When the pages of these webs are fetched and searched.
const NOW: i64 = 1_763_285_400_000;
const DAY: i64 = 24 * 3_600_000;

/// Returns the hosts in order under the given weights.
fn found(web: &Web, query: &str, weights: Weights) -> Vec<String> {
    let options = Options { weights, ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    hosts(&searcher.search(&Request::new(query)).unwrap())
}

/// Returns the weights with one of them set.
fn with(name: &str, value: f32) -> Weights {
    let mut weights = Weights { closeness: 0.0, phrase: 0.0, letters: 0.0, ..Weights::default() };
    weights.set(name, value).unwrap();
    weights
}

/// Answers with all that the scores are made of.
fn explained(web: &Web, query: &str, weights: Weights) -> Results {
    let clock: rank::Clock = || Timestamp::from_millis(NOW);
    let options = Options { weights, clock, ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    searcher.search(&Request { explain: true, ..Request::new(query) }).unwrap()
}

/// Returns what a part of a score has measured.
fn raw(hit: &Hit, name: &str) -> f32 {
    hit.parts.iter().find(|part| part.name == name).map_or(0.0, |part| part.raw)
}

/// Returns the date that a page is sure of, so many days ago.
fn days_ago(days: i64) -> Option<Dated> {
    let (at, source) = (Timestamp::from_millis(NOW - days * DAY), DateSource::Meta);
    Some(Dated { at, source, confidence: 90 })
}

#[test]
fn words_that_stand_near_each_other_count_more() {
    let web = Web::of_texts(&[
        "jaguar one two three four five six seven eight nine ten family",
        "one two three jaguar family four five six seven eight nine ten",
        "jaguar one two family three four five six seven eight nine ten",
    ]);
    assert_eq!(found(&web, "jaguar family", with("closeness", 0.0)), ["d1", "d2", "d3"]);
    assert_eq!(found(&web, "jaguar family", with("closeness", 0.5)), ["d2", "d3", "d1"]);
}

#[test]
fn words_that_stand_in_a_row_as_in_the_query_count_more() {
    let web = Web::of_texts(&[
        "one two three family jaguar four five six seven eight nine ten",
        "one two three jaguar family four five six seven eight nine ten",
        "jaguar one two family three four five six seven eight nine ten",
    ]);
    assert_eq!(found(&web, "jaguar family", with("phrase", 0.0)), ["d1", "d2", "d3"]);
    assert_eq!(found(&web, "jaguar family", with("phrase", 0.5)), ["d2", "d1", "d3"]);
    // What is only near is told apart from what stands just so.
    assert_eq!(found(&web, "jaguar family", with("closeness", 0.5)), ["d1", "d2", "d3"]);
    // The end of one block and the beginning of the next are no row.
    let mut blocks = Web::new();
    let parted = vec![block(Zone::Body, "one jaguar"), block(Zone::Body, "family two")];
    blocks.push(&PageRecord { blocks: parted, ..page("http://d1.example/", "") });
    blocks.push(&page("http://d2.example/", "one jaguar family two"));
    blocks.index();
    assert_eq!(found(&blocks, "jaguar family", with("phrase", 0.5)), ["d2", "d1"]);
}

#[test]
fn words_that_are_spelt_alike_count_a_little() {
    let web = Web::of_texts(&[
        "the minister spoke about the budget of the country",
        "the minister spoke about the defenceless of the country",
    ]);
    let query = "minister OR defence";
    assert_eq!(found(&web, query, with("letters", 0.0)), ["d1", "d2"]);
    assert_eq!(found(&web, query, with("letters", 0.4)), ["d2", "d1"]);
}

#[test]
fn of_pages_alike_the_one_that_was_worked_on_last_comes_first() {
    let mut web = Web::new();
    for (host, modified) in [("silent", None), ("old", days_ago(4 * 365)), ("new", days_ago(30))] {
        let mut record = page(&format!("http://{host}.example/"), "The jaguar sleeps here.");
        record.about.modified = modified;
        web.push(&record);
    }
    web.index();
    let results = explained(&web, "jaguar", Weights::default());
    assert_eq!(hosts(&results), ["new", "old", "silent"]);
    let fresh: Vec<f32> = results.hits.iter().map(|hit| raw(hit, "freshness")).collect();
    // Half of it goes with each year.
    assert!((fresh[0] - 0.945).abs() < 0.001 && (fresh[1] - 0.0625).abs() < 1e-4, "{fresh:?}");
    assert_eq!(fresh[2], 0.0);
    let without = explained(&web, "jaguar", Weights { freshness: 0.0, ..Weights::default() });
    assert_eq!(hosts(&without), ["silent", "old", "new"]);
    assert_eq!(without.hits[0].score, without.hits[2].score);
}

#[test]
fn what_the_best_answers_have_in_common_is_asked_for_if_wanted() {
    let mut texts = vec![
        "jaguar jaguar felidae predator".to_owned(),
        "jaguar jaguar felidae predator".to_owned(),
        "jaguar engine sports coupe".to_owned(),
        "jaguar felidae predator coupe".to_owned(),
    ];
    texts.extend((0..60).map(|number| format!("page number {number} says something else")));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let web = Web::of_texts(&texts);
    assert_eq!(found(&web, "jaguar", with("feedback", 0.0)), ["d1", "d2", "d3", "d4"]);
    assert_eq!(found(&web, "jaguar", with("feedback", 0.3)), ["d1", "d2", "d4", "d3"]);
}

#[test]
fn parts_add_up_to_the_score_and_say_what_they_mean() {
    let web = Web::of_texts(&["jaguar family of the new world", "family of jaguars"]);
    let options = Options { weights: with("feedback", 0.1), ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    for model in Model::ALL {
        let request = Request { model, ..Request::new("jaguar family") };
        for hit in searcher.search(&request).unwrap().hits {
            let sum: f32 = hit.parts.iter().map(|part| part.value).sum();
            assert!((sum - hit.score).abs() < 1e-4, "{model}: {hit:?}");
            for part in &hit.parts {
                assert!((part.raw * part.weight - part.value).abs() < 1e-5, "{part:?}");
                assert_ne!(part.meaning(), "a part of the score", "{part:?}");
            }
        }
    }
}

#[test]
fn whoever_asks_why_is_told_what_counted_nothing_too() {
    let web = Web::of_texts(&["jaguar family of the new world", "family of jaguars"]);
    let names = |explain| {
        let request = Request { explain, ..Request::new("jaguar") };
        let hit = web.searcher().search(&request).unwrap().hits.swap_remove(0);
        hit.parts.iter().map(|part| part.name).collect::<Vec<_>>()
    };
    let all = names(true);
    for name in [
        "text",
        "exact",
        "title",
        "address",
        "anchors",
        "links",
        "freshness",
        "quality",
        "trust",
        "spam",
        "closeness",
        "phrase",
        "letters",
        "feedback",
    ] {
        assert_eq!(all.iter().filter(|known| **known == name).count(), 1, "{name} in {all:?}");
    }
    assert!(names(false).len() < all.len());
}

#[test]
fn weights_that_are_set_count_from_the_next_question_on() {
    let web = Web::of_texts(&["jaguar family of the new world", "family of jaguars"]);
    let searcher = Searcher::open(&web.collection).unwrap();
    let weight = || {
        let request = Request { explain: true, ..Request::new("jaguar") };
        let hit = searcher.search(&request).unwrap().hits.swap_remove(0);
        hit.parts.iter().find(|part| part.name == "exact").unwrap().weight
    };
    assert_eq!(weight(), Weights::default().exact);
    searcher.set_weights(with("exact", 0.75));
    assert_eq!(weight(), 0.75);
}

#[test]
fn a_page_that_looks_made_for_search_engines_says_why() {
    let mut web = Web::of_texts(&["something else"]);
    let mut doubtful = page("http://doubtful.example/", "the jaguar is rare");
    let reason = |kind| SpamReason { kind, weight: 60, evidence: "rare".to_owned() };
    doubtful.spam.score = 90;
    doubtful.spam.reasons =
        [SpamKind::HiddenText, SpamKind::Repetition].into_iter().map(reason).collect();
    web.push(&doubtful);
    // Below where anything is taken off.
    let mut harmless = page("http://harmless.example/", "a rare jaguar");
    harmless.spam = Spam { score: 20, reasons: vec![reason(SpamKind::Frequency)] };
    web.push(&harmless);
    web.index();
    let remarks = |weights| -> Vec<(String, Vec<String>)> {
        let results = explained(&web, "rare", weights);
        let told = |hit: &Hit| hit.remarks.iter().map(ToString::to_string).collect();
        hosts(&results).into_iter().zip(results.hits.iter().map(told)).collect()
    };
    let sentence = "Looks made for search engines: the same words over and over, text that \
                    visitors do not see.";
    let told = |host: &str, remarks: &[&str]| {
        (host.to_owned(), remarks.iter().map(|remark| (*remark).to_owned()).collect::<Vec<_>>())
    };
    let mut found = remarks(Weights::default());
    found.sort();
    assert_eq!(found, [told("doubtful", &[sentence]), told("harmless", &[])]);
    // Where it is not held against pages, it is not said of them.
    assert!(remarks(with("quality", 0.0)).iter().all(|(_, remarks)| remarks.is_empty()));
}

/// A part that is never computed looks like one that finds nothing.
#[test]
fn every_part_measures_something_on_some_page() {
    let mut web = jaguars();
    let mut doubtful = page("http://doubtful.example/", "the jaguar is rare");
    doubtful.spam.score = 90;
    web.push(&doubtful);
    let mut dated = page("http://dated.example/jaguar", "a jaguar was seen");
    dated.title = "Jaguar".to_owned();
    dated.about.modified = days_ago(1);
    web.push(&dated);
    for host in ["friend", "fan", "fellow"] {
        let mut record = page(&format!("http://{host}.example/"), "animals");
        record.links.push(link("http://dated.example/jaguar", "jaguar"));
        web.push(&record);
    }
    web.index();
    let check = |names: &[&str]| {
        let results = explained(&web, "jaguar OR rare", Weights::default());
        for name in names {
            let is_measured = results.hits.iter().any(|hit| raw(hit, name) != 0.0);
            assert!(is_measured, "{name}: {:?}", results.hits);
        }
    };
    analyse(&web, &[], &[]);
    check(&["text", "exact", "title", "address", "anchors", "links", "freshness", "quality"]);
    check(&["closeness", "letters", "spam"]);
    analyse(&web, &[], &["garage.example"]);
    check(&["trust"]);
}

/// A word repeated in a bag counts twice; in the language of queries it is one word.
#[test]
fn a_bag_of_words_is_ranked_beyond_what_search_shows() {
    let texts: Vec<String> = (0..1_200).map(|i| format!("word{} common", i % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let web = Web::of_texts(&texts);
    let searcher = web.searcher();
    for model in [Model::Bm25, Model::Lookfar] {
        let ranking = searcher.ranking("common AND word3", model, 2_000).unwrap();
        assert_eq!((ranking.pages.len(), ranking.is_partial), (1_200, false), "{model}");
        assert!(ranking.pages.is_sorted_by(|one, next| one.1 >= next.1));
        let first = searcher.address(ranking.pages[0].0).unwrap().unwrap();
        assert_eq!(first.as_str(), "http://d4.example/");
    }
    assert!(searcher.ranking("…", Model::Lookfar, 10).unwrap().pages.is_empty());
}

#[test]
fn asking_for_more_pages_leaves_the_first_ones_as_they_are() {
    let mut web = Web::new();
    // Short pages are the best by BM25 alone.
    for number in 0..300 {
        let text = "jaguar one two three four five six seven eight nine ten family";
        web.push(&page(&format!("http://d{number}.example/"), text));
    }
    let mut long = "jaguar family jaguar family ".to_owned();
    long.push_str(&"more ".repeat(400));
    web.push(&page("http://long.example/jaguar/family", &long));
    web.index();
    let searcher = web.searcher();
    let ranked = |count| {
        let ranking = searcher.searched("jaguar family", Reading::Words, &[], count).unwrap();
        assert!(ranking.pages.is_sorted_by(|one, other| one.1 > other.1), "{count}");
        ranking.pages.into_iter().map(|(page, _)| page).collect::<Vec<_>>()
    };
    let (few, many) = (ranked(10), ranked(1_000));
    assert_eq!((few.len(), many.len()), (10, 301));
    assert_eq!(few, many[..10]);
}
