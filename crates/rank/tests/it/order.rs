//! What each part of the second stage does to the order, with everything else the same.

use rank::{Model, Options, Request, Searcher, Weights};

use crate::web::{Web, hosts};

/// Returns the hosts in order under the given weights.
fn found(web: &Web, query: &str, weights: Weights) -> Vec<String> {
    let options = Options { weights, ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    hosts(&searcher.search(&Request::new(query)).unwrap())
}

/// Returns the weights with one of them set.
fn with(name: &str, value: f32) -> Weights {
    let mut weights = Weights { closeness: 0.0, letters: 0.0, ..Weights::default() };
    weights.set(name, value).unwrap();
    weights
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
        "letters",
        "feedback",
    ] {
        assert_eq!(all.iter().filter(|known| **known == name).count(), 1, "{name} in {all:?}");
    }
    assert!(names(false).len() < all.len());
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
