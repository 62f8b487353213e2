//! Random queries, each answer held against a reading of the texts without any index.

use proptest::prelude::*;
use rank::query::{Node, Query};
use rank::{Request, Searcher};

use crate::web::{JAGUARS, Web, hosts, page};

/// Words of the texts that are their own stems, and one that no text has.
const WORDS: [&str; 9] =
    ["jaguar", "new", "us", "rule", "cat", "big", "world", "football", "zebra"];

fn holds(node: &Node, text: &str) -> bool {
    let has_phrase = |words: &str| format!(" {text} ").contains(&format!(" {words} "));
    match node {
        Node::Word(word) => has_phrase(word),
        Node::Phrase(words) => has_phrase(words),
        Node::And(parts) => parts.iter().all(|part| holds(part, text)),
        Node::Or(parts) => parts.iter().any(|part| holds(part, text)),
        Node::Not(part) => !holds(part, text),
        other => panic!("no reading for {other:?}"),
    }
}

fn queries() -> impl Strategy<Value = String> {
    let word = || prop::sample::select(&WORDS[..]);
    let phrase = prop::sample::select(&["new world", "big cat", "jaguar new", "jaguar paw"][..]);
    let leaf = prop_oneof![
        3 => word().prop_map(str::to_owned),
        1 => phrase.prop_map(|words| format!("\"{words}\"")),
        1 => (word(), word()).prop_map(|(one, other)| format!("\"{one} {other}\"")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.join(" AND ")),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(" OR "))),
            inner.prop_map(|part| format!("NOT ({part})")),
        ]
    })
}

/// The jaguars several times over, in several segments, some of them replaced.
fn web() -> (Web, Vec<(String, &'static str)>) {
    let mut web = Web::new();
    let mut texts = Vec::new();
    for round in 0..4 {
        for (i, text) in JAGUARS.iter().enumerate() {
            let host = format!("r{round}d{i}");
            web.push(&page(&format!("http://{host}.example/"), text));
            texts.push((host, *text));
        }
        web.index();
    }
    // Every third page says something else now.
    for (number, (host, text)) in texts.iter_mut().enumerate().filter(|(number, _)| number % 3 == 0)
    {
        *text = JAGUARS[(number + 1) % 7];
        let mut record = page(&format!("http://{host}.example/"), text);
        record.id = base::PageId::new(0, number as u64).unwrap();
        web.push_as_it_is(&record);
    }
    web.index();
    (web, texts)
}

fn found(searcher: &Searcher, query: &str) -> Vec<String> {
    let request = Request { count: 100, ..Request::new(query) };
    let results = searcher.search(&request).unwrap();
    assert_eq!(results.total.count, results.hits.len() as u64);
    let mut hosts = hosts(&results);
    hosts.sort_unstable();
    hosts
}

#[test]
fn answers_are_what_the_texts_say() {
    let (web, texts) = web();
    let searcher = web.searcher();
    let config = ProptestConfig { cases: 1_000, ..ProptestConfig::default() };
    proptest!(config, |(text in queries())| {
        let Ok(query) = Query::parse(&text) else { return Ok(()) };
        let root = query.root().expect("there are words in it");
        let mut expected: Vec<String> = texts
            .iter()
            .filter(|(_, text)| holds(root, text))
            .map(|(host, _)| host.clone())
            .collect();
        expected.sort_unstable();
        prop_assert_eq!(found(&searcher, &text), expected, "{}", text);
    });
}
