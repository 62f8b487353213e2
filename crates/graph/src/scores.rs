//! What link analysis says of each page, one array per score.
//!
//! ```text
//! scores/<gen>/
//!   pagerank.f32        array by page; not a number where the page is not in the graph
//!   pagerank.nodes.f32  array by node of the graph of the same generation
//!   pagerank.json       {"format": "lookfar pagerank", "version": 1, …} how it converged
//!   manifest            sizes and checksums of all of them
//! ```
//! The arrays are drawn in `array.rs`; `reputation.rs` draws what stands beside them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::Path;

use base::PageId;
use serde::{Deserialize, Serialize};

use crate::array::{self, Array, Kind};
use crate::folder::{self, Unfinished};
use crate::graph::NO_NODE;
use crate::{Error, Graph, Iteration, PageRankOptions, Ranks, reputation};

const BY_PAGE: &str = "pagerank.f32";
const BY_NODE: &str = "pagerank.nodes.f32";
const LOG: &str = "pagerank.json";
const BY_PAGE_KIND: Kind = Kind(*b"RNKP");
const BY_NODE_KIND: Kind = Kind(*b"RNKN");

/// The scores of one generation, or those of a topic, in memory: 4 bytes per page.
#[derive(Clone, Debug)]
pub struct Scores {
    pagerank: Array<f32>,
    max: f32,
    mean: f32,
}

impl Scores {
    /// Opens the scores in a generation's folder and verifies their checksum.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::read(&folder.join(BY_PAGE), BY_PAGE_KIND)
    }

    /// Opens an array of scores by page and verifies its checksum.
    pub(crate) fn read(path: &Path, kind: Kind) -> Result<Self, Error> {
        let pagerank = Array::<f32>::open(path, kind)?;
        let known = || pagerank.values.iter().copied().filter(|score| !score.is_nan());
        let max = known().fold(0.0, f32::max);
        // Added in 64 bits: a million small numbers lose too much in 32.
        let sum: f64 = known().map(f64::from).sum();
        let mean = match known().count() {
            0 => 0.0,
            count => (sum / count as f64) as f32,
        };
        Ok(Self { pagerank, max, mean })
    }

    /// Returns a page's PageRank, or `None` if the page came after this generation.
    pub fn get(&self, page: PageId) -> Option<f32> {
        if page.partition() != self.pagerank.partition {
            return None;
        }
        let index = usize::try_from(page.index()).ok()?;
        self.pagerank.values.get(index).copied().filter(|score| !score.is_nan())
    }

    /// Returns whether all that is known are finite numbers, none negative.
    pub(crate) fn are_scores(&self) -> bool {
        let known = self.pagerank.values.iter().filter(|score| !score.is_nan());
        known.into_iter().all(|score| score.is_finite() && *score >= 0.0)
    }

    /// Returns the largest PageRank of a page; 0 if there is none.
    pub fn max(&self) -> f32 {
        self.max
    }

    /// Returns the mean PageRank of the pages; 0 if there is none.
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// Returns the `most` pages with the highest score, best first, of equals the lower page first.
    ///
    /// O(pages · log `most`).
    pub fn best(&self, most: usize) -> Vec<(PageId, f32)> {
        // Scores are not negative, so their bits are in their order; the smallest is on top.
        let mut best = BinaryHeap::new();
        for (index, score) in self.pagerank.values.iter().enumerate() {
            if score.is_nan() || *score < 0.0 {
                continue;
            }
            best.push(Reverse((score.to_bits(), Reverse(index as u64))));
            if best.len() > most {
                best.pop();
            }
        }
        let page = |Reverse((bits, Reverse(index)))| {
            let page = PageId::new(self.pagerank.partition, index)?;
            Some((page, f32::from_bits(bits)))
        };
        best.into_sorted_vec().into_iter().filter_map(page).collect()
    }

    /// Returns one more than the largest page index that may have a score.
    pub fn len(&self) -> u64 {
        self.pagerank.values.len() as u64
    }

    /// Returns whether no page has a score.
    pub fn is_empty(&self) -> bool {
        self.pagerank.values.is_empty()
    }
}

/// How a generation's PageRank came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// [`PageRankOptions::beta`].
    pub beta: f64,
    /// [`PageRankOptions::tolerance`].
    pub tolerance: f64,
    /// Whether the last step moved no more than the tolerance.
    pub converged: bool,
    /// One entry per step.
    pub log: Vec<Iteration>,
}

/// Reads the PageRank of each node of the generation's graph, for URLs that were not fetched.
pub fn read_node_scores(folder: &Path) -> Result<Vec<f32>, Error> {
    Ok(Array::open(&folder.join(BY_NODE), BY_NODE_KIND)?.values)
}

/// Reads how a generation's PageRank came about.
pub fn read_convergence(folder: &Path) -> Result<Convergence, Error> {
    let path = folder.join(LOG);
    let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let file: LogFile =
        serde_json::from_str(&text).map_err(|error| Error::damaged(&path, error.to_string()))?;
    if file.version > LOG_VERSION {
        return Err(Error::Newer { path, found: file.version, known: LOG_VERSION });
    }
    match file.format == LOG_FORMAT {
        true => Ok(file.convergence),
        false => Err(Error::damaged(&path, "it is no log of a ranking")),
    }
}

/// Verifies every file of a generation's scores.
pub fn check(folder: &Path) -> Result<(), Error> {
    folder::check(folder)?;
    read_convergence(folder)?;
    let by_node = read_node_scores(folder)?;
    let scores = Scores::open(folder)?;
    let is_score = |score: f32| score.is_finite() && score >= 0.0;
    if !scores.are_scores() || !by_node.into_iter().all(is_score) {
        return Err(Error::damaged(&folder.join(BY_PAGE), "a score is no score"));
    }
    reputation::check(folder, scores.len())
}

/// Writes the scores of a generation; the folder appears when it is whole. `more` adds its files.
pub(crate) fn write(
    place: &Path,
    graph: &Graph,
    options: &PageRankOptions,
    ranks: &Ranks,
    more: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let unfinished = Unfinished::create(place)?;
    let score = |node: u32| ranks.scores[node as usize] as f32;
    let by_page = graph.nodes_by_page().iter().map(|node| match *node {
        NO_NODE => f32::NAN,
        node => score(node),
    });
    let path = unfinished.path().join(BY_PAGE);
    array::write(&path, BY_PAGE_KIND, graph.partition(), by_page)?;
    let by_node = (0..graph.summary().num_nodes).map(score);
    array::write(&unfinished.path().join(BY_NODE), BY_NODE_KIND, 0, by_node)?;
    let convergence = Convergence {
        beta: options.beta,
        tolerance: options.tolerance,
        converged: ranks.converged,
        log: ranks.log.clone(),
    };
    let file = LogFile { format: LOG_FORMAT.to_owned(), version: LOG_VERSION, convergence };
    let text = serde_json::to_string_pretty(&file).expect("plain data becomes JSON");
    let path = unfinished.path().join(LOG);
    fs::write(&path, text + "\n").map_err(Error::file("write", &path))?;
    more(unfinished.path())?;
    unfinished.finish()
}

/// `pagerank.json` as it is written.
#[derive(Serialize, Deserialize)]
struct LogFile {
    format: String,
    version: u32,
    #[serde(flatten)]
    convergence: Convergence,
}

const LOG_FORMAT: &str = "lookfar pagerank";
const LOG_VERSION: u32 = 1;
