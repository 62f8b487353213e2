//! The textbook models, through the real path, held against numbers computed by hand (Q3, W9–W11).

use std::collections::HashMap;

use proptest::prelude::*;
use rank::{Model, Options, Request, Searcher, Weights};

use crate::web::{JAGUARS, Web, hosts, link, page};

/// Returns the scores by host.
fn scores(searcher: &Searcher, model: Model, query: &str) -> Vec<(String, f32)> {
    let request = Request { model, count: 100, ..Request::new(query) };
    let results = searcher.search(&request).unwrap();
    assert!(!results.is_partial && results.total.count == results.hits.len() as u64);
    let scores = results.hits.iter().map(|hit| hit.score);
    hosts(&results).into_iter().zip(scores).collect()
}

#[track_caller]
fn check(searcher: &Searcher, model: Model, query: &str, tolerance: f32, expected: &[(&str, f32)]) {
    let mut found = scores(searcher, model, query);
    let mut expected: Vec<_> =
        expected.iter().map(|(host, score)| ((*host).to_owned(), *score)).collect();
    assert!(found.is_sorted_by(|one, next| one.1 >= next.1), "{query}: {found:?}");
    found.sort_by(|one, other| one.0.cmp(&other.0));
    expected.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(found.len(), expected.len(), "{query}: {found:?}");
    for ((host, score), (expected_host, expected_score)) in found.iter().zip(&expected) {
        let is_near = (score - expected_score).abs() <= tolerance;
        assert!(host == expected_host && is_near, "{query}: {found:?}, not {expected:?}");
    }
}

/// W9, as rounded there.
#[test]
fn tfidf_of_the_seven_documents_is_that_of_the_notes() {
    let searcher = Web::of_texts(&JAGUARS).searcher();
    let check = |query, expected: &[_]| check(&searcher, Model::TfIdf, query, 0.006, expected);
    check("family", &[("d1", 0.13), ("d3", 0.13), ("d6", 0.08), ("d5", 0.07)]);
    check("football", &[("d4", 0.47)]);
    check(
        "jaguar",
        // The notes have .04 for two occurrences in ten words: 2/10 · log2(7/6) is .044.
        &[("d1", 0.04), ("d2", 0.04), ("d3", 0.04), ("d4", 0.04), ("d6", 0.04), ("d5", 0.02)],
    );
    check("new", &[("d2", 0.24), ("d1", 0.20), ("d5", 0.10)]);
    check("rule", &[("d6", 0.28)]);
    check("us", &[("d4", 0.30), ("d5", 0.15)]);
    check("world", &[("d1", 0.47)]);
}

/// W10 by exhaustive search: the three best for two words.
#[test]
fn tfidf_adds_up_over_the_words_of_a_query() {
    let searcher = Web::of_texts(&JAGUARS).searcher();
    let found = scores(&searcher, Model::TfIdf, "new OR family");
    let expected = [("d1", 0.33), ("d2", 0.24), ("d5", 0.17)];
    for ((host, score), (expected_host, expected_score)) in found.iter().zip(expected) {
        assert_eq!(host, expected_host);
        // The notes add rounded weights.
        assert!((score - expected_score).abs() < 0.01, "{found:?}");
    }
}

/// W11 is the query language's; a model that reads words does not leave pages out.
#[test]
fn only_the_default_model_knows_operators() {
    let web = Web::of_texts(&JAGUARS);
    let query = "(jaguar AND new AND NOT family) OR cat";
    assert_eq!(web.found_sorted(query), ["d2", "d7"]);
    assert_eq!(scores(&web.searcher(), Model::TfIdf, query).len(), 7);
}

#[test]
fn the_other_textbook_form_takes_logarithms() {
    let searcher = Web::of_texts(&JAGUARS).searcher();
    let once = (7.0_f32 / 6.0).log10();
    let twice = (1.0 + 2.0_f32.log10()) * once;
    let expected =
        [("d1", once), ("d2", once), ("d3", once), ("d4", once), ("d5", once), ("d6", twice)];
    check(&searcher, Model::TfIdfLog, "jaguar", 1e-5, &expected);
    let both = (7.0_f32 / 4.0).log10() + (7.0_f32 / 3.0).log10();
    let (first, _) = scores(&searcher, Model::TfIdfLog, "new family").into_iter().next().unwrap();
    assert_eq!(first, "d1");
    let found = scores(&searcher, Model::TfIdfLog, "new family");
    assert!((found[0].1 - both).abs() < 1e-5, "{found:?}");
}

#[test]
fn the_cosine_of_a_text_with_itself_is_one() {
    let searcher = Web::of_texts(&JAGUARS).searcher();
    check(&searcher, Model::Cosine, "big cat", 1e-5, &[("d7", 1.0)]);
    // One of two words of equal weight: half a right angle.
    check(&searcher, Model::Cosine, "cat", 1e-5, &[("d7", 0.5_f32.sqrt())]);
    check(&searcher, Model::Cosine, "cat zebra", 1e-5, &[("d7", 0.5_f32.sqrt())]);
    let found = scores(&searcher, Model::Cosine, JAGUARS[1]);
    assert!(found[0].0 == "d2" && (found[0].1 - 1.0).abs() < 1e-5, "{found:?}");
}

#[test]
fn bm25_has_the_parameters_of_the_weights() {
    let web = Web::of_texts(&JAGUARS);
    let value = |k1: f32, b: f32| {
        // 47 words in seven texts, six of them in this one.
        let norm = 1.0 - b + b * 6.0 / (47.0 / 7.0);
        (1.0_f32 + 6.5 / 1.5).ln() * (k1 + 1.0) / (1.0 + k1 * norm)
    };
    check(&web.searcher(), Model::Bm25, "football", 1e-4, &[("d4", value(0.9, 0.4))]);
    let weights = Weights { plain_k1: 2.0, plain_b: 1.0, ..Weights::default() };
    let options = Options { weights, ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    check(&searcher, Model::Bm25, "football", 1e-4, &[("d4", value(2.0, 1.0))]);
}

/// The textbook product of Q5.
#[test]
fn the_product_with_pagerank_prefers_what_is_linked_to() {
    let mut web = Web::new();
    web.push(&page("http://d1.example/", "big cat"));
    web.push(&page("http://d2.example/", "big cat"));
    let mut hub = page("http://d3.example/", "see there");
    hub.links = vec![link("http://d2.example/", "there")];
    web.push(&hub);
    web.index();
    let searcher = web.searcher();
    let by_text = scores(&searcher, Model::TfIdfLinks, "cat");
    assert_eq!(by_text, scores(&searcher, Model::TfIdf, "cat"), "no ranks yet");
    web.analyse();
    let searcher = web.searcher();
    let found = scores(&searcher, Model::TfIdfLinks, "cat");
    assert_eq!(found[0].0, "d2");
    assert!(found[0].1 > found[1].1);
    let plain = scores(&searcher, Model::TfIdf, "cat");
    assert_eq!(plain[0].1, plain[1].1);
}

#[test]
fn a_title_counts_like_any_other_words() {
    let mut web = Web::new();
    let mut titled = page("http://d1.example/", "cat");
    titled.title = "big".to_owned();
    web.push(&titled);
    web.push(&page("http://d2.example/", "big cat"));
    web.push(&page("http://d3.example/", "dog"));
    web.index();
    let searcher = web.searcher();
    for model in Model::ALL.into_iter().filter(|model| *model != Model::Lookfar) {
        for query in ["big", "cat", "big cat"] {
            let found = scores(&searcher, model, query);
            assert_eq!(found[0].1, found[1].1, "{model} {query}");
        }
    }
}

#[test]
fn a_textbook_score_is_explained_word_by_word() {
    let searcher = Web::of_texts(&JAGUARS).searcher();
    let told = |model, query| {
        let request = Request { model, explain: true, ..Request::new(query) };
        let remarks = searcher.search(&request).unwrap().hits.swap_remove(0).remarks;
        remarks.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        told(Model::TfIdf, "new family zebra"),
        [
            "new: tf 0.167 (1 of 6 words) × idf 1.222 (3 of 7 pages) = 0.204",
            "family: tf 0.167 (1 of 6 words) × idf 0.807 (4 of 7 pages) = 0.135",
        ]
    );
    assert_eq!(
        told(Model::TfIdfLog, "football football"),
        [
            "football: tf 1.000 (1 of 6 words) × idf 0.845 (1 of 7 pages) × 2.000 in the query = 1.690"
        ]
    );
    let cosine = told(Model::Cosine, "cat");
    assert!(cosine[0].contains("idf 0.845") && cosine[1].contains("lengths"), "{cosine:?}");
    assert!(told(Model::TfIdfLinks, "cat")[1].ends_with("× 1.000"));
    assert!(told(Model::Bm25, "cat")[0].starts_with("cat: tf "));
    // Nobody asked why.
    let request = Request { model: Model::TfIdf, ..Request::new("cat") };
    assert!(searcher.search(&request).unwrap().hits[0].remarks.is_empty());
}

#[test]
fn every_model_is_called_by_its_name() {
    for model in Model::ALL {
        assert_eq!(model.name().parse(), Ok(model));
    }
    let error = "tf".parse::<Model>().unwrap_err();
    assert!(error.starts_with("no model `tf`; there are lookfar, bm25"), "{error}");
}

/// Computes a model from the texts, without any index.
fn by_hand(model: Model, query: &[&str], texts: &[&str]) -> HashMap<usize, f32> {
    let words: Vec<Vec<&str>> = texts.iter().map(|text| text.split(' ').collect()).collect();
    let num = words.len() as f32;
    let mean = words.iter().map(Vec::len).sum::<usize>() as f32 / num;
    let df = |term: &str| words.iter().filter(|text| text.contains(&term)).count() as f32;
    let count = |text: &[&str], term: &str| text.iter().filter(|w| **w == term).count() as f32;
    let log = |n: f32, term: &str| (1.0 + n.log10()) * (num / df(term)).log10();
    let distinct = |text: &[&str]| {
        let mut terms: Vec<String> = text.iter().map(|term| (*term).to_owned()).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let length = |text: &[&str]| {
        let known = distinct(text).into_iter().filter(|term| df(term) > 0.0);
        known.map(|term| log(count(text, &term), &term).powi(2)).sum::<f32>().sqrt()
    };
    let mut scores = HashMap::new();
    for (i, text) in words.iter().enumerate() {
        for term in distinct(query).iter().filter(|term| text.contains(&term.as_str())) {
            let (n, wanted) = (count(text, term), count(query, term));
            let score = match model {
                Model::TfIdf => wanted * n / text.len() as f32 * (num / df(term)).log2(),
                Model::TfIdfLog => wanted * log(n, term),
                Model::Cosine => log(wanted, term) * log(n, term) / length(text) / length(query),
                _ => {
                    let idf = (1.0 + (num - df(term) + 0.5) / (df(term) + 0.5)).ln();
                    let norm = 0.6 + 0.4 * text.len() as f32 / mean;
                    wanted * idf * n * 1.9 / (n + 0.9 * norm)
                }
            };
            *scores.entry(i).or_default() += score;
        }
    }
    scores
}

/// Random bags over texts in several segments.
#[test]
fn models_rank_every_page_that_has_a_word_exactly() {
    const WORDS: [&str; 8] = ["jaguar", "new", "rule", "cat", "big", "world", "paw", "zebra"];
    let mut web = Web::new();
    let mut texts: Vec<&str> = Vec::new();
    for round in 0..3 {
        for (i, text) in JAGUARS.iter().enumerate().skip(round) {
            web.push(&page(&format!("http://d{}.example/", texts.len()), text));
            texts.push(JAGUARS[i]);
        }
        web.index();
    }
    // The analysis takes $199 for 199 and cuts endings; words that it would change are not asked.
    let searcher = web.searcher();
    let bags = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6);
    proptest!(ProptestConfig { cases: 100, ..ProptestConfig::default() }, |(bag in bags)| {
        for model in [Model::TfIdf, Model::TfIdfLog, Model::Cosine, Model::Bm25] {
            let expected = by_hand(model, &bag, &texts);
            let found = scores(&searcher, model, &bag.join(" "));
            prop_assert_eq!(found.len(), expected.len());
            for (host, score) in found {
                let number: usize = host[1..].parse().unwrap();
                prop_assert!((score - expected[&number]).abs() < 1e-4, "{model} {bag:?} {host}");
            }
        }
    });
}
