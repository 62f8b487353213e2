//! What pages of a collection call each other, for finding bombs (G7).
//!
//! The page log is read twice: to learn which record of each page is its last, and for the links
//! of those records between owners. Whether a page says a phrase itself is looked up in its
//! record, only for the few pages that are asked about. `lookfar graph spam` and the control room ask.

use std::collections::HashMap;
use std::path::Path;

use ::graph::{Anchor, Finding, Graph, Hosts, Node, SpamOptions, find_bombs};
use anyhow::Result;
use base::log::Position;
use base::{LinkKind, PageId, PageRecord, Url, pages};

/// Texts of links between owners, each distinct text once.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u32>,
    /// Source, target, number of the text.
    given: Vec<(Node, Node, u32)>,
}

/// Looks for bombs in the page log of the collection that the graph is of.
///
/// `tick` is called for each record that is read, which is [`readings`] times. Time: two readings of
/// the log. Memory: 24 bytes per page, 12 per link between owners, and each distinct text and foreign
/// address once.
pub(crate) fn bombs(
    folder: &Path,
    graph: &Graph,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
    tick: &mut dyn FnMut(),
) -> Result<Vec<Finding>> {
    let (last, texts) = read(folder, graph, tick)?;
    let mut by_number = vec![""; texts.numbers.len()];
    for (text, number) in &texts.numbers {
        by_number[*number as usize] = text;
    }
    let anchors = texts.given.iter().map(|(source, target, number)| Anchor {
        source: *source,
        target: *target,
        text: by_number[*number as usize],
    });
    let mut failed = None;
    let says = |node: Node, phrase: &str| match page_says(folder, graph, &last, node, phrase) {
        Ok(says) => says,
        Err(error) => {
            failed.get_or_insert(error);
            true
        }
    };
    let findings = find_bombs(anchors, hosts, says, options)?;
    match failed {
        Some(error) => Err(error),
        None => Ok(findings),
    }
}

/// Returns how many records [`bombs`] reads, about.
pub(crate) fn readings(graph: &Graph) -> u64 {
    2 * graph.summary().num_records
}

type LastRecords = HashMap<PageId, Position>;

/// Reads the log twice; `tick` is called once per record.
fn read(folder: &Path, graph: &Graph, tick: &mut dyn FnMut()) -> Result<(LastRecords, Texts)> {
    let last = last_records(folder, tick)?;
    let texts = gather(folder, graph, &last, tick)?;
    Ok((last, texts))
}

/// Returns where the last record of each page begins.
fn last_records(folder: &Path, tick: &mut dyn FnMut()) -> Result<LastRecords> {
    let mut last = HashMap::new();
    let mut reader = pages::Reader::open(folder, Position::START)?;
    while let Some(entry) = reader.next_entry()? {
        tick();
        last.insert(entry.record.id, entry.start);
    }
    Ok(last)
}

fn gather(
    folder: &Path,
    graph: &Graph,
    last: &LastRecords,
    tick: &mut dyn FnMut(),
) -> Result<Texts> {
    let mut texts = Texts::default();
    // Pages are linked to again and again, and a node is found on disk.
    let mut nodes: HashMap<Url, Option<Node>> = HashMap::new();
    let mut reader = pages::Reader::open(folder, Position::START)?;
    while let Some(entry) = reader.next_entry()? {
        tick();
        let record = &entry.record;
        if record.status != 200 || last.get(&record.id) != Some(&entry.start) {
            continue;
        }
        let Some(source) = graph.node_of_page(record.id) else { continue };
        let site = record.url.site();
        for link in &record.links {
            let counts = link.kind == LinkKind::Anchor && link.rel.is_endorsement();
            if !counts || link.anchor.trim().is_empty() || link.target.site() == site {
                continue;
            }
            let target = match nodes.get(&link.target) {
                Some(node) => *node,
                None => {
                    let node = graph.node_of_url(&link.target)?;
                    nodes.insert(link.target.clone(), node);
                    node
                }
            };
            if let Some(target) = target {
                texts.push(source, target, &link.anchor);
            }
        }
    }
    Ok(texts)
}

impl Texts {
    fn push(&mut self, source: Node, target: Node, text: &str) {
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                // Texts are fewer than links, and what is beyond 2^32 of them finds no bomb more.
                let Ok(number) = u32::try_from(self.numbers.len()) else { return };
                self.numbers.insert(text.to_owned(), number);
                number
            }
        };
        self.given.push((source, target, number));
    }
}

/// Returns whether a page says a phrase itself. Nobody knows what a page says that was never
/// read, and a page of pictures says nothing at all: neither is accused.
fn page_says(
    folder: &Path,
    graph: &Graph,
    last: &LastRecords,
    node: Node,
    phrase: &str,
) -> Result<bool> {
    let Some(start) = graph.page(node)?.and_then(|page| last.get(&page)) else { return Ok(true) };
    let entry = pages::Reader::open(folder, *start)?.next_entry()?;
    Ok(entry.is_none_or(|entry| record_says(&entry.record, phrase)))
}

fn record_says(record: &PageRecord, phrase: &str) -> bool {
    let pictures = record.images.iter().map(|image| image.alt.as_str());
    let blocks = record.blocks.iter().map(|block| block.text.as_str());
    let head = [record.title.as_str(), record.about.description.as_str()];
    let texts: Vec<&str> = blocks.chain(pictures).chain(head).collect();
    let mut said: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    if record.status != 200 || said.len() < FEW_WORDS {
        return true;
    }
    said.extend(words(record.url.as_str()));
    said.sort_unstable();
    // Where words stand without blanks between them, the phrase is part of a longer run.
    words(phrase).all(|word| is_said(&said, &word))
        || texts.iter().any(|text| text.to_lowercase().contains(phrase))
}

/// Returns whether one of the words (ascending) is this one, or begins like it: pages are not
/// accused for saying it in another form.
fn is_said(said: &[String], word: &str) -> bool {
    let place = said.partition_point(|other| other.as_str() < word);
    let is_longer = |other: &String| other == word || is_stem(word) && other.starts_with(word);
    if said.get(place).is_some_and(is_longer) {
        return true;
    }
    let begins = word.char_indices().map(|(end, _)| &word[..end]).filter(|begin| is_stem(begin));
    begins.into_iter().any(|begin| said.binary_search_by(|other| other.as_str().cmp(begin)).is_ok())
}

/// Returns whether a beginning is long enough to be a word of its own in another form.
fn is_stem(begin: &str) -> bool {
    begin.chars().nth(3).is_some()
}

/// A page of fewer words says too little to tell what it is about.
const FEW_WORDS: usize = 20;

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use base::{Block, Timestamp, Zone};

    use super::*;

    #[test]
    fn a_page_says_what_its_words_are() {
        let url = Url::parse("http://a.example/gov/about").unwrap();
        let id = PageId::new(0, 0).unwrap();
        let mut record = PageRecord::new(id, url, Timestamp::from_millis(0), 200);
        let few = "The Office of Roads";
        record.blocks.push(Block { zone: Zone::Body, text: few.to_owned() });
        assert!(record_says(&record, "miserable failure"), "it says too little to judge");
        let more = "builds roads and bridges and it opens them every week with a small speech";
        record
            .blocks
            .push(Block { zone: Zone::Body, text: format!("{more}, a cake, and a band.") });
        for phrase in ["office of roads", "small cakes", "gov", "bridge!", "them every we"] {
            assert!(record_says(&record, phrase), "{phrase}");
        }
        for phrase in ["miserable failure", "failure of roads"] {
            assert!(!record_says(&record, phrase), "{phrase}");
        }
    }
}
