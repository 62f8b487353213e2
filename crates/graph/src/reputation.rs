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

mod write;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use base::PageId;
use serde::{Deserialize, Serialize};

pub(crate) use self::write::write;
use crate::array::{Array, Kind};
use crate::{Error, Scores};

/// Most topics of a collection, besides [`WHOLE_WEB`].
pub const MAX_TOPICS: usize = 64;
/// The topic that every page is about: ordinary PageRank.
pub const WHOLE_WEB: &str = "web";
/// The name that stands for all topics, each as far as the query is about it.
pub const BY_QUERY: &str = "auto";
/// Longest name of a topic, in bytes.
const NAME_BYTES: usize = 40;

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
            if name == BY_QUERY {
                return bad(name, "this name stands for what a query tells");
            }
            if self.topics[..place].iter().any(|other| other.name == *name) {
                return bad(name, "there are two of this name");
            }
        }
        Ok(())
    }

    /// Returns how many sets of pages are ranked: topics, the whole web with them, and trust.
    fn num_sets(&self) -> usize {
        let num_topics = self.topics.len() + usize::from(!self.topics.is_empty());
        num_topics + usize::from(!self.trusted.is_empty())
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
    needed_memory: Option<u64>,
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
            needed_memory: summary.needed_memory,
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

    /// Returns how many bytes of memory ranking the topics would have taken, if there were some
    /// and they were left out because that was more than allowed.
    pub fn needed_memory(&self) -> Option<u64> {
        self.needed_memory
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
    /// Bytes of memory that topics would have taken, if they were left out for want of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    needed_memory: Option<u64>,
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
