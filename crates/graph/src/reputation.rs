//! What links say of a page besides its PageRank: topics, trust, spam (G3, G4, G7).
//!
//! ```text
//! scores/<gen>/
//!   reputation.json   {"format": "lookfar reputation", "version": 1, …} what there is, and findings
//!   topic.<name>.f32  array by page: rank of visitors who jump to the topic's pages only
//!   trust.f32         array by page: the same of trusted pages
//!   spam.f32          array by page: how surely the page takes part in spam, 0 to 1
//!                     ([`Finding::unasked`])
//!   spam.finding      array by page: twice the number of the finding that says so, and one more if
//!                     the page gets the links rather than gives them; 2^32 − 1 for none
//! ```
//! Beside the files of [`Scores`], in the same manifest; generations of earlier releases have none
//! of them. The arrays are drawn in `array.rs`; ranks are not a number where the page is not in the
//! graph.
//!
//! Topics are to be blended when somebody asks. The rank of a mix of teleport sets is the mix of
//! the ranks where rank is linear in the teleport; if dead ends redistribute it is not, because
//! what they spread follows each topic's own set. So topics are ranked with the rank of dead ends
//! lost, which is linear, and a blend of them is, up to one factor for all pages, the very rank
//! that redistributes (`trust.rs` says why). The factor does not matter to whoever compares a
//! page with the mean. The topic [`WHOLE_WEB`] is all pages, for blends with ordinary PageRank.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use base::PageId;
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use crate::analyse::honest;
use crate::array::{self, Array, Kind};
use crate::graph::NO_NODE;
use crate::progress::{Progress, Stage, Watch};
use crate::{
    AnalyseOptions, DeadEnds, Error, Finding, Graph, HostGraph, Hosts, InLinks, Links, Node,
    PageRankOptions, Scores, SpamOptions, Teleport, find_spam, topics_with,
};

/// Most topics of a collection, besides [`WHOLE_WEB`].
pub const MAX_TOPICS: usize = 64;
/// The topic that every page is about: ordinary PageRank.
pub const WHOLE_WEB: &str = "web";
/// Longest name of a topic, in bytes.
const NAME_BYTES: usize = 40;
/// Topics ranked at a time: what [`topics_with`] does in one pass, so that memory is that of a pass.
const PASS: usize = 8;
/// Findings whose reasons are kept, the surest first; pages of others have their score alone.
const MAX_FINDINGS: usize = 10_000;

/// Memory that this takes, as a multiple of what ranking does: links both ways, and ranks of a pass.
const TIMES_RANKING: u64 = 3;

const SUMMARY: &str = "reputation.json";
const TRUST: &str = "trust.f32";
const SPAM: &str = "spam.f32";
const FINDINGS: &str = "spam.finding";
const TOPIC_KIND: Kind = Kind(*b"TOPC");
const TRUST_KIND: Kind = Kind(*b"TRST");
const SPAM_KIND: Kind = Kind(*b"SPAM");
const FINDING_KIND: Kind = Kind(*b"SPMF");
const NO_FINDING: u32 = u32::MAX;

/// What besides PageRank is to be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReputationOptions {
    /// The topics, at most [`MAX_TOPICS`].
    pub topics: Vec<Topic>,
    /// Pages that people have checked, as [`Graph::members`] reads them; none is no trust.
    pub trusted: Vec<String>,
    /// Whether spam is looked for. Default true; costs two or three rankings more.
    pub spam: bool,
}

impl Default for ReputationOptions {
    fn default() -> Self {
        Self { topics: Vec::new(), trusted: Vec::new(), spam: true }
    }
}

/// A set of pages under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Lower-case letters, digits, `-` and `_`, at most 40; a part of a file's name.
    pub name: String,
    /// Its pages, as [`Graph::members`] reads them.
    pub pages: Vec<String>,
}

impl ReputationOptions {
    /// Refuses names that are none, names given twice, and more than [`MAX_TOPICS`].
    pub fn check(&self) -> Result<(), Error> {
        let bad = |name: &str, reason: &str| {
            Err(Error::BadTopic { name: name.to_owned(), reason: reason.to_owned() })
        };
        if let Some(topic) = self.topics.get(MAX_TOPICS) {
            return bad(&topic.name, "there are more than 64 topics");
        }
        for (place, Topic { name, .. }) in self.topics.iter().enumerate() {
            let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
            if name.is_empty() || name.len() > NAME_BYTES || !name.bytes().all(is_plain) {
                return bad(name, "a name is lower-case letters, digits, `-` and `_`, at most 40");
            }
            if name == WHOLE_WEB {
                return bad(name, "this name stands for all pages");
            }
            if self.topics[..place].iter().any(|other| other.name == *name) {
                return bad(name, "there are two of this name");
            }
        }
        Ok(())
    }

    fn is_nothing(&self) -> bool {
        self.topics.is_empty() && self.trusted.is_empty() && !self.spam
    }
}

/// What links say of the pages of one generation besides their PageRank.
///
/// In memory: 4 bytes per page for trust and for each topic that was asked for, and some 20 per
/// page that is named as spam.
#[derive(Debug)]
pub struct Reputation {
    folder: PathBuf,
    topics: Vec<(String, OnceLock<Arc<Scores>>)>,
    trust: Option<Scores>,
    partition: u16,
    /// Pages that spam was looked for among, if it was.
    spam_len: Option<u64>,
    /// By page index.
    spam: HashMap<u64, (f32, u32)>,
    findings: Vec<SpamFinding>,
}

/// Why a page is held for spam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpamFinding {
    /// `farm`, `exchange` or `shared targets`.
    pub kind: String,
    /// How certain, from 0 to 1.
    pub score: f64,
    /// Sentences for a person, with the numbers.
    pub reasons: Vec<String>,
}

/// What a page does in a structure of spam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpamRole {
    /// It gets the links.
    Target,
    /// It gives them.
    Helper,
}

impl Reputation {
    /// Opens what a generation's folder holds; `None` if it is one that holds nothing of this.
    ///
    /// Topics are read when they are first asked for.
    pub fn open(folder: &Path) -> Result<Option<Self>, Error> {
        let Some(summary) = read_summary(folder)? else { return Ok(None) };
        let trust = match summary.trusted {
            Some(_) => Some(Scores::read(&folder.join(TRUST), TRUST_KIND)?),
            None => None,
        };
        let topics = summary.topics.into_iter().map(|topic| (topic.name, OnceLock::new()));
        let mut reputation = Self {
            folder: folder.to_owned(),
            topics: topics.collect(),
            trust,
            partition: 0,
            spam_len: None,
            spam: HashMap::new(),
            findings: summary.findings.unwrap_or_default(),
        };
        if summary.num_spam.is_some() {
            reputation.read_spam()?;
        }
        Ok(Some(reputation))
    }

    fn read_spam(&mut self) -> Result<(), Error> {
        let path = self.folder.join(FINDINGS);
        let scores = Array::<f32>::open(&self.folder.join(SPAM), SPAM_KIND)?;
        let findings = Array::<u32>::open(&path, FINDING_KIND)?;
        if findings.values.len() != scores.values.len() {
            return Err(Error::damaged(&path, "it has not one entry per page"));
        }
        let is_score = |score: &f32| (0.0..=1.0).contains(score);
        if !scores.values.iter().all(is_score) {
            return Err(Error::damaged(&self.folder.join(SPAM), "a score is no score"));
        }
        self.partition = scores.partition;
        self.spam_len = Some(scores.values.len() as u64);
        for (index, (score, finding)) in (0..).zip(scores.values.into_iter().zip(findings.values)) {
            if score > 0.0 {
                self.spam.insert(index, (score, finding));
            }
        }
        Ok(())
    }

    /// Returns the names of the topics, as they were given; [`WHOLE_WEB`] first, if there are any.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.topics.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the ranks of a topic; `None` if there is none of this name. The first call reads
    /// them from disk and verifies their checksum.
    pub fn topic(&self, name: &str) -> Result<Option<Arc<Scores>>, Error> {
        let Some((name, scores)) = self.topics.iter().find(|(known, _)| known == name) else {
            return Ok(None);
        };
        if let Some(scores) = scores.get() {
            return Ok(Some(scores.clone()));
        }
        let read = Scores::read(&self.folder.join(topic_file(name)), TOPIC_KIND)?;
        Ok(Some(scores.get_or_init(|| Arc::new(read)).clone()))
    }

    /// Returns trust by page, if anybody is trusted.
    pub fn trust(&self) -> Option<&Scores> {
        self.trust.as_ref()
    }

    /// Returns how surely a page takes part in spam, from 0 to 1. O(1).
    pub fn spam(&self, page: PageId) -> f32 {
        self.found(page).map_or(0.0, |(score, _)| score)
    }

    /// Returns why a page is held for spam, if it is and the reason was kept, and its part in it.
    /// O(1).
    pub fn spam_finding(&self, page: PageId) -> Option<(&SpamFinding, SpamRole)> {
        let (_, coded) = self.found(page)?;
        let role = if coded & 1 == 1 { SpamRole::Target } else { SpamRole::Helper };
        self.findings.get(coded as usize / 2).map(|finding| (finding, role))
    }

    fn found(&self, page: PageId) -> Option<(f32, u32)> {
        self.spam.get(&page.index()).copied().filter(|_| page.partition() == self.partition)
    }
}

/// Verifies what a generation holds of this; the manifest's checksums were verified before.
pub(crate) fn check(folder: &Path, num_pages: u64) -> Result<(), Error> {
    let Some(reputation) = Reputation::open(folder)? else { return Ok(()) };
    let wrong = |name: &str| Error::damaged(&folder.join(name), "it has not one entry per page");
    for name in reputation.topics() {
        let scores = reputation.topic(name)?;
        if scores.is_none_or(|scores| scores.len() != num_pages || !scores.are_scores()) {
            return Err(wrong(&topic_file(name)));
        }
    }
    if reputation.trust().is_some_and(|trust| trust.len() != num_pages || !trust.are_scores()) {
        return Err(wrong(TRUST));
    }
    if reputation.spam_len.is_some_and(|len| len != num_pages) {
        return Err(wrong(SPAM));
    }
    Ok(())
}

/// Finds out what is asked for and writes it into the folder of a generation's scores.
///
/// Costs a decompressed graph, a pass of [`topics_with`] per eight topics, and [`find_spam`].
pub(crate) fn write(
    folder: &Path,
    graph: &Graph,
    options: &AnalyseOptions,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let wanted = &options.reputation;
    if wanted.is_nothing() {
        return Ok(());
    }
    let needed = TIMES_RANKING.saturating_mul(graph.memory_to_rank(&options.counted));
    if needed > options.memory {
        let limit = options.memory;
        warn!(needed, limit, "no topics, trust and spam: they take more memory than allowed");
        return Ok(());
    }
    let links = graph.in_links_with(&options.counted)?;
    let mut summary = Summary::default();
    let sets = sets(graph, wanted, &mut summary)?;
    // Links that give no rank give no trust either.
    let honest = match options.spam || sets.is_empty() {
        true => None,
        false => Some(honest(graph, links.clone())?),
    };
    let counted = honest.as_ref().unwrap_or(&links);
    write_ranks(folder, graph, counted, &sets, &options.pagerank, watch)?;
    drop(honest);
    if wanted.spam {
        write_spam(folder, graph, links, &mut summary)?;
    }
    let file = SummaryFile { format: FORMAT.to_owned(), version: VERSION, summary };
    let text = serde_json::to_string_pretty(&file).expect("plain data becomes JSON");
    let path = folder.join(SUMMARY);
    fs::write(&path, text + "\n").map_err(Error::file("write", &path))
}

/// A set of nodes to jump to, and where the ranks go.
struct Set {
    teleport: Teleport,
    file: String,
    kind: Kind,
}

/// Looks up topics and trusted pages. What has no page in the graph yet is left out, and told.
fn sets(
    graph: &Graph,
    wanted: &ReputationOptions,
    summary: &mut Summary,
) -> Result<Vec<Set>, Error> {
    let lists: Vec<&[String]> = wanted.topics.iter().map(|topic| topic.pages.as_slice()).collect();
    let lists = [lists, vec![&wanted.trusted]].concat();
    let mut members = graph.members(&lists)?;
    let mut sets = Vec::new();
    let trusted = members.pop().map(|members| members.nodes).unwrap_or_default();
    for (Topic { name, .. }, members) in wanted.topics.iter().zip(members) {
        if members.nodes.is_empty() {
            warn!(name, "no page of the topic is in the graph");
            continue;
        }
        let (name, num_pages) = (name.clone(), members.nodes.len() as u64);
        let teleport = Teleport::Nodes(members.nodes);
        sets.push(Set { teleport, file: topic_file(&name), kind: TOPIC_KIND });
        summary.topics.push(TopicSummary { name, num_pages });
    }
    if !sets.is_empty() {
        let name = WHOLE_WEB.to_owned();
        sets.insert(
            0,
            Set { teleport: Teleport::Uniform, file: topic_file(&name), kind: TOPIC_KIND },
        );
        let num_pages = graph.summary().num_nodes.into();
        summary.topics.insert(0, TopicSummary { name, num_pages });
    }
    if trusted.is_empty() {
        if !wanted.trusted.is_empty() {
            warn!("no trusted page is in the graph");
        }
    } else {
        summary.trusted = Some(trusted.len() as u64);
        let teleport = Teleport::Nodes(trusted);
        sets.push(Set { teleport, file: TRUST.to_owned(), kind: TRUST_KIND });
    }
    Ok(sets)
}

fn write_ranks(
    folder: &Path,
    graph: &Graph,
    links: &InLinks,
    sets: &[Set],
    options: &PageRankOptions,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let dead_ends = match options.dead_ends {
        DeadEnds::Redistribute => DeadEnds::Leak,
        other => other,
    };
    let linear = PageRankOptions { dead_ends, ..options.clone() };
    let total = Some(u64::from(options.max_iterations));
    for some in sets.chunks(PASS) {
        let teleports: Vec<Teleport> = some.iter().map(|set| set.teleport.clone()).collect();
        let ranks = topics_with(links, &teleports, &linear, |number| {
            watch(Progress { stage: Stage::Rank, done: u64::from(number), total })
        })?;
        for (set, ranks) in some.iter().zip(ranks) {
            if !ranks.converged {
                warn!(file = set.file, "ranks of a set did not converge");
            }
            let score = |node: u32| ranks.scores[node as usize] as f32;
            by_page(folder, &set.file, set.kind, graph, f32::NAN, score)?;
        }
    }
    Ok(())
}

fn write_spam(
    folder: &Path,
    graph: &Graph,
    links: InLinks,
    summary: &mut Summary,
) -> Result<(), Error> {
    let host_graph = HostGraph::of(graph)?;
    let host_of = host_graph.by_node();
    let hosts = Hosts::new(&host_of, host_graph.domains())?;
    let report = find_spam(&Links::new(links), &hosts, &SpamOptions::default())?;
    let mut findings: Vec<(f64, Finding)> =
        report.findings.into_iter().map(|finding| (finding.unasked(), finding)).collect();
    findings.retain(|(score, _)| *score > 0.0);
    findings.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut found: HashMap<u32, (f32, u32)> = HashMap::new();
    // The surest come first, so the first finding of a page is the one that counts.
    for (number, (score, finding)) in findings.iter().enumerate() {
        let code = |role: u32| match number < MAX_FINDINGS {
            true => 2 * number as u32 + role,
            false => NO_FINDING,
        };
        let score = score.clamp(0.0, 1.0) as f32;
        for Node(node) in &finding.targets {
            found.entry(*node).or_insert((score, code(1)));
        }
        for Node(node) in &finding.pages {
            found.entry(*node).or_insert((score, code(0)));
        }
    }
    let of = |node: u32| found.get(&node).copied().unwrap_or((0.0, NO_FINDING));
    by_page(folder, SPAM, SPAM_KIND, graph, 0.0, |node| of(node).0)?;
    by_page(folder, FINDINGS, FINDING_KIND, graph, NO_FINDING, |node| of(node).1)?;
    info!(num_findings = findings.len(), num_nodes = found.len(), "looked for spam");
    summary.num_spam = Some(found.len() as u64);
    let kept = findings.into_iter().take(MAX_FINDINGS).map(|(score, finding)| SpamFinding {
        kind: finding.evidence.kind().to_owned(),
        score,
        reasons: finding.reasons,
    });
    summary.findings = Some(kept.collect());
    Ok(())
}

/// Writes an array by page of values by node.
fn by_page<T: array::Value>(
    folder: &Path,
    name: &str,
    kind: Kind,
    graph: &Graph,
    unknown: T,
    value: impl Fn(u32) -> T,
) -> Result<(), Error> {
    let values = graph.nodes_by_page().iter().map(|node| match *node {
        NO_NODE => unknown,
        node => value(node),
    });
    array::write(&folder.join(name), kind, graph.partition(), values)
}

fn topic_file(name: &str) -> String {
    format!("topic.{name}.f32")
}

/// What a generation holds besides PageRank.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Summary {
    topics: Vec<TopicSummary>,
    /// How many trusted pages there are, if any.
    trusted: Option<u64>,
    /// How many addresses are named as spam, if any was looked for.
    num_spam: Option<u64>,
    findings: Option<Vec<SpamFinding>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TopicSummary {
    name: String,
    /// How many addresses of the graph are its.
    num_pages: u64,
}

/// `reputation.json` as it is written.
#[derive(Serialize, Deserialize)]
struct SummaryFile {
    format: String,
    version: u32,
    #[serde(flatten)]
    summary: Summary,
}

const FORMAT: &str = "lookfar reputation";
const VERSION: u32 = 1;

fn read_summary(folder: &Path) -> Result<Option<Summary>, Error> {
    let path = folder.join(SUMMARY);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(Error::file("read", &path))?,
    };
    let file: SummaryFile =
        serde_json::from_str(&text).map_err(|error| Error::damaged(&path, error.to_string()))?;
    if file.version > VERSION {
        return Err(Error::Newer { path, found: file.version, known: VERSION });
    }
    match file.format == FORMAT {
        true => Ok(Some(file.summary)),
        false => Err(Error::damaged(&path, "it does not say what is known of pages")),
    }
}
