//! Bombs are found, and names that the web gives are not taken for bombs.

use super::web::Web;
use crate::farms::{Anchor, Evidence, Finding, SpamOptions, SpamReport, find_bombs, without_spam};
use crate::{Error, Node};

/// A page, forty pages on eight hosts of two owners, and what else calls pages by names.
struct Case {
    web: Web,
    victim: Node,
    sources: Vec<Node>,
}

impl Case {
    fn new() -> Self {
        let mut web = Web::default();
        let victim = lone_page(&mut web);
        let owners = [web.owner(), web.owner()];
        let mut sources = Vec::new();
        for number in 0..8 {
            let host = web.host(owners[number % 2]);
            sources.extend(web.pages(host, 5));
        }
        Self { web, victim, sources }
    }

    /// Looks for bombs where all of `calls` (sources, target, text) are made; the victim says
    /// "the president". Returns the bombs and what was asked.
    fn find(&self, calls: &[(&[Node], Node, &str)]) -> (Vec<Finding>, Vec<String>) {
        let anchors = calls.iter().flat_map(|(sources, target, text)| {
            sources.iter().map(|source| Anchor { source: *source, target: *target, text })
        });
        let mut asked = Vec::new();
        let says = |page: Node, phrase: &str| {
            assert_eq!(page, self.victim);
            asked.push(phrase.to_owned());
            phrase == "the president"
        };
        let options = SpamOptions::default();
        let bombs = find_bombs(anchors, &self.web.hosts(), says, &options).unwrap();
        (bombs, asked)
    }
}

fn lone_page(web: &mut Web) -> Node {
    let host = web.new_host();
    web.page(host)
}

#[test]
fn a_phrase_that_few_owners_give_and_the_page_never_says_is_a_bomb() {
    let case = Case::new();
    let (bombs, asked) = case.find(&[
        (&case.sources, case.victim, "Miserable  Failure"),
        (&case.sources, case.victim, "the president"),
    ]);
    assert_eq!(asked, ["miserable failure", "the president"]);
    assert_eq!(bombs.len(), 1, "{bombs:#?}");
    let phrase = "miserable failure".to_owned();
    assert_eq!(bombs[0].evidence, Evidence::Bomb { phrase, num_hosts: 8, num_owners: 2 });
    assert_eq!((&bombs[0].pages, &bombs[0].targets), (&case.sources, &vec![case.victim]));
    let told = "40 pages on 8 hosts of 2 owners call this page \"miserable failure\"";
    assert_eq!(bombs[0].reasons[0], told);
    assert!((bombs[0].score - 0.95).abs() < 1e-9);
    let mut report = SpamReport::default();
    report.add(bombs);
    let scores = report.page_scores();
    assert_eq!(scores.keys().copied().collect::<Vec<_>>(), case.sources);
    assert!(!scores.contains_key(&case.victim), "it did nothing");
    assert!(
        !report.host_scores(&case.web.hosts()).contains_key(&case.web.hosts().host(case.victim))
    );
    let kept = without_spam(&case.web.links(), &case.web.hosts(), &report).unwrap();
    assert_eq!(&kept, case.web.links().in_links(), "a bomb takes no link away");
}

#[test]
fn names_common_words_and_words_at_home_are_no_bombs() {
    let mut case = Case::new();
    let others: Vec<Node> = (0..6).map(|_| lone_page(&mut case.web)).collect();
    let many: Vec<Node> = (0..40).map(|_| lone_page(&mut case.web)).collect();
    let home = case.web.pages(0, 40);
    let host = case.web.new_host();
    let template = case.web.pages(host, 100);
    let mut calls: Vec<(&[Node], Node, &str)> = vec![
        (&many, case.victim, "a name that many give"),
        (&home, case.victim, "what the owner says"),
        (&template, case.victim, "in one site's template"),
        (&case.sources[..19], case.victim, "too few say this"),
        (&case.sources, case.victim, " \n "),
        (&case.sources, case.victim, "click here"),
    ];
    calls.extend(others.iter().map(|other| (&case.sources[..1], *other, "click here")));
    let (bombs, asked) = case.find(&calls);
    assert!(bombs.is_empty() && asked.is_empty(), "{bombs:#?} {asked:?}");
}

#[test]
fn anchors_from_nowhere_are_refused() {
    let case = Case::new();
    let stray = [Anchor { source: Node(9_999), target: case.victim, text: "x" }];
    let refused = find_bombs(stray, &case.web.hosts(), |_, _| true, &SpamOptions::default());
    assert!(matches!(refused, Err(Error::UnknownNode { node: 9_999, .. })));
}

#[test]
fn long_and_strange_anchors_are_cut_not_feared() {
    let web = Web::honest(200, 18);
    let long = "é".repeat(100_000);
    let texts = [long.as_str(), "\u{0}", "\u{202E}txet", "İ"];
    let anchors = texts.iter().map(|text| Anchor { source: Node(0), target: Node(150), text });
    let bombs = find_bombs(anchors, &web.hosts(), |_, _| false, &SpamOptions::default());
    assert!(bombs.unwrap().is_empty());
}
