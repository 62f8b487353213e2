//! Bombs: a phrase that many pages of few owners give to a page that never says it.
//!
//! Links within one owner's hosts do not count: people name their own pages as they like. Nor do
//! phrases that go to pages of many owners ("click here", "home page"): they are words about
//! links. What many owners say of a page, each once or a little, is a name that the web has
//! given it, whether the page likes it or not.

use std::collections::HashMap;

use super::hosts::{Hosts, sorted};
use super::{Evidence, Finding, SpamOptions, count};
use crate::{Error, Node};

/// Most characters of a phrase; a longer one is cut.
const MAX_PHRASE: usize = 200;
/// Fewest hosts that give the phrase: a link in one site's template is no bomb.
const MIN_HOSTS: usize = 3;
/// A phrase that pages of so many owners get is a common one.
const COMMON: usize = 5;

/// One link with its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor<'a> {
    /// The page that links.
    pub source: Node,
    /// The page linked to.
    pub target: Node,
    /// The text of the link.
    pub text: &'a str,
}

/// Looks for phrases that few owners have given to a page many times.
///
/// `says` tells whether a page's own content has the words of a phrase, which is given in lower
/// case with single spaces; it is asked only about the few that are suspicious otherwise. Texts
/// without words, and links within one owner's hosts, are passed over. Fails if an anchor
/// names a node without a host. Time: a sort of the anchors. Memory: 12 bytes per anchor, and
/// each distinct text once.
pub fn find_bombs<'a>(
    anchors: impl IntoIterator<Item = Anchor<'a>>,
    hosts: &Hosts<'_>,
    mut says: impl FnMut(Node, &str) -> bool,
    options: &SpamOptions,
) -> Result<Vec<Finding>, Error> {
    let mut phrases = Phrases::default();
    let mut given: Vec<(u32, Node, Node)> = Vec::new();
    for anchor in anchors {
        for node in [anchor.source, anchor.target] {
            if node.index() >= hosts.num_nodes() {
                let num_nodes = u32::try_from(hosts.num_nodes()).unwrap_or(u32::MAX);
                return Err(Error::UnknownNode { node: node.0, num_nodes });
            }
        }
        if hosts.owner(anchor.source) != hosts.owner(anchor.target) {
            let phrase = phrases.number(anchor.text);
            given.extend(phrase.map(|phrase| (phrase, anchor.target, anchor.source)));
        }
    }
    let given = sorted(given);
    let mut findings = Vec::new();
    for same_phrase in given.chunk_by(|a, b| a.0 == b.0) {
        let target_owners = same_phrase.iter().map(|(_, target, _)| hosts.owner(*target)).collect();
        if sorted(target_owners).len() >= COMMON {
            continue;
        }
        for same_target in same_phrase.chunk_by(|a, b| a.1 == b.1) {
            let (phrase, target, _) = same_target[0];
            let pages: Vec<Node> = same_target.iter().map(|(_, _, source)| *source).collect();
            let from_hosts = hosts.hosts(pages.iter().copied());
            let num_owners = hosts.owners(&from_hosts).len();
            let few = num_owners as f64 <= options.max_owners.1 * pages.len() as f64;
            if pages.len() < options.min_pages || from_hosts.len() < MIN_HOSTS || !few {
                continue;
            }
            let phrase = &phrases.texts[phrase as usize];
            if !says(target, phrase) {
                findings.push(tell(hosts, phrase, target, pages, from_hosts.len(), num_owners));
            }
        }
    }
    findings.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(findings)
}

fn tell(
    hosts: &Hosts<'_>,
    phrase: &str,
    target: Node,
    pages: Vec<Node>,
    num_hosts: usize,
    num_owners: usize,
) -> Finding {
    let involved = hosts.hosts(pages.iter().copied().chain([target]));
    let reasons = vec![
        format!(
            "{} on {} of {} call this page \"{phrase}\"",
            count(pages.len(), "page"),
            count(num_hosts, "host"),
            count(num_owners, "owner"),
        ),
        "the page never says so itself".to_owned(),
    ];
    Finding {
        score: (1.0 - num_owners as f64 / pages.len() as f64).clamp(0.0, 1.0),
        evidence: Evidence::Bomb { phrase: phrase.to_owned(), num_hosts, num_owners },
        pages,
        targets: vec![target],
        owners: hosts.owners(&involved),
        hosts: involved,
        reasons,
    }
}

/// Numbers for phrases, counted from 0.
#[derive(Default)]
struct Phrases {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Phrases {
    /// Returns a phrase's number, or `None` if it has no words.
    fn number(&mut self, text: &str) -> Option<u32> {
        let cut = text.char_indices().nth(MAX_PHRASE).map_or(text, |(end, _)| &text[..end]);
        let words: Vec<String> = cut.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return None;
        }
        let phrase = words.join(" ");
        if let Some(number) = self.numbers.get(&phrase) {
            return Some(*number);
        }
        let number = u32::try_from(self.texts.len()).ok()?;
        self.texts.push(phrase.clone());
        self.numbers.insert(phrase, number);
        Some(number)
    }
}
