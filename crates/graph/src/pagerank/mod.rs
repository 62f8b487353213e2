//! PageRank by power iteration (G2).
//!
//! One step takes the rank vector `r` to
//!
//! ```text
//! r'[v] = β · Σ r[u] / out(u)  over the arcs u → v
//!       + β · (what dead ends do with their rank)
//!       + (1 − β) · t[v]
//! ```
//! with the teleport distribution `t`: uniform, or uniform over a set of nodes. Where links have
//! weights, `w(u, v) / Σ w(u, ·)` stands for `1 / out(u)`. The loop pulls over [`InLinks`], or over
//! the lists on disk, with all threads of the pool; partial sums are taken over fixed chunks and
//! added in their order, so the result does not depend on the number of threads.

pub(crate) mod arcs;
mod kernel;
mod prune;
pub(crate) mod rooms;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub(crate) use kernel::{CHUNK, Sums, rank_of, share_of};

use crate::{Error, InLinks, Node};
use arcs::{Arcs, Full, Weighted};
use kernel::iterate;

/// How PageRank is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRankOptions {
    /// Chance that a visitor follows a link instead of teleporting; 1 is no teleport.
    /// Default 0.85, the value of the original paper.
    pub beta: f64,
    /// The iteration has converged when the L1 distance of two steps is not above this.
    /// Default 1e-9: far below what could change an order of pages, some 130 steps at 0.85.
    pub tolerance: f64,
    /// Most steps taken. Default 200: what has not converged then, will not (a periodic graph
    /// without teleport).
    pub max_iterations: u32,
    /// What happens to the rank of nodes without links.
    pub dead_ends: DeadEnds,
    /// Where a visitor goes who does not follow a link.
    pub teleport: Teleport,
    /// Where the iteration begins.
    pub start: Start,
    /// How exactly ranks are passed along links.
    pub precision: Precision,
}

impl Default for PageRankOptions {
    fn default() -> Self {
        Self {
            beta: 0.85,
            tolerance: 1e-9,
            max_iterations: 200,
            dead_ends: DeadEnds::Redistribute,
            teleport: Teleport::Uniform,
            start: Start::Uniform,
            precision: Precision::Double,
        }
    }
}

/// What happens to the rank of nodes without links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadEnds {
    /// It is spread as teleporting spreads it. Ranks sum to 1.
    #[default]
    Redistribute,
    /// It stays where it is, as if the node linked to itself. Ranks sum to 1.
    Stay,
    /// Dead ends are removed, again and again until none is left; the rest is ranked; then each
    /// removed node gets `Σ r[u] / out(u)` from those that link to it, last removed first.
    /// The rest sums to 1, so all of it to more.
    Prune,
    /// It is lost: no treatment at all, to show why one is needed. Ranks sum to less than 1.
    Leak,
}

/// How exactly ranks are passed along links. Ranks themselves and all sums have 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// What a link carries has 64 bits.
    #[default]
    Double,
    /// What a link carries has 32 bits: less memory, and where the caches are too small for the
    /// graph less time. Ranks are off by some 1e-7 of their size; a tolerance far below that may
    /// never be reached.
    Single,
}

/// Where a visitor goes who does not follow a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Teleport {
    /// To any node.
    #[default]
    Uniform,
    /// To one of these nodes; a node named twice counts once.
    Nodes(Vec<Node>),
}

/// Where the iteration begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// The same rank for every node.
    #[default]
    Uniform,
    /// One number per node, none negative; scaled to sum to 1.
    Vector(Vec<f64>),
}

/// What a ranking came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The rank by node.
    pub scores: Vec<f64>,
    /// One entry per step.
    pub log: Vec<Iteration>,
    /// Whether the last step moved no more than the tolerance.
    pub converged: bool,
}

impl Ranks {
    /// Returns how the ranking went, under a name.
    pub fn walk(&self, what: &str) -> Walk {
        Walk { what: what.to_owned(), log: self.log.clone(), converged: self.converged }
    }
}

/// How a ranking went, without its ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// What was ranked, in a word or two.
    pub what: String,
    /// One entry per step.
    pub log: Vec<Iteration>,
    /// Whether the last step moved no more than the tolerance.
    pub converged: bool,
}

/// One step of the iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Counted from 1.
    pub number: u32,
    /// L1 distance between the ranks before and after it.
    pub l1: f64,
}

/// Ranks the nodes of a graph.
///
/// Fails on options that mean nothing. A graph without nodes has no ranks and is converged. An
/// iteration that does not converge ends after [`PageRankOptions::max_iterations`] and says so.
/// Cost per step: one random read per arc; 16 bytes per node besides the graph, 12 with
/// [`Precision::Single`], and 8 more for a [`Teleport::Nodes`].
pub fn pagerank(links: &InLinks, options: &PageRankOptions) -> Result<Ranks, Error> {
    pagerank_with(links, options, |_| ControlFlow::Continue(()))
}

/// Like [`pagerank`]; `watch` sees every step and may break off with [`Error::Interrupted`].
pub fn pagerank_with(
    links: &InLinks,
    options: &PageRankOptions,
    mut watch: impl FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    let start = start_vector(links.num_nodes(), &options.start)?;
    rank_links(links, options, start, &mut watch)
}

/// Ranks the nodes of a graph in memory from `start` on, which sums to 1.
pub(crate) fn rank_links(
    links: &InLinks,
    options: &PageRankOptions,
    start: Vec<f64>,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    if options.dead_ends == DeadEnds::Prune && links.num_nodes() > 0 {
        check_numbers(options)?;
        // Checked as if nothing were pruned, so that the same sets are refused.
        Jump::new(links.num_nodes(), &options.teleport)?;
        return prune::rank(links, options, &start, watch);
    }
    match links.weights() {
        None => rank(&Full(links), options, start, watch),
        Some(weights) => rank(&Weighted { links, weights }, options, start, watch),
    }
}

/// Ranks the nodes of any graph from `start` on, which sums to 1; dead ends are not pruned.
pub(crate) fn rank(
    arcs: &impl Arcs,
    options: &PageRankOptions,
    start: Vec<f64>,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    check_numbers(options)?;
    let jump = Jump::new(arcs.num_nodes(), &options.teleport)?;
    if arcs.num_nodes() == 0 {
        return Ok(Ranks { scores: Vec::new(), log: Vec::new(), converged: true });
    }
    let jump = jump.arranged(arcs);
    let ranks = iterate(arcs, options, &jump, arcs.arranged(start), watch)?;
    Ok(Ranks { scores: arcs.by_node(ranks.scores), ..ranks })
}

/// The teleport distribution.
pub(crate) enum Jump {
    Uniform(f64),
    Vector(Vec<f64>),
}

impl Jump {
    pub(crate) fn new(num_nodes: u32, teleport: &Teleport) -> Result<Self, Error> {
        let nodes = match teleport {
            Teleport::Uniform => return Ok(Self::Uniform(1.0 / f64::from(num_nodes.max(1)))),
            Teleport::Nodes(nodes) => nodes,
        };
        if nodes.is_empty() {
            return Err(Error::EmptyTeleport);
        }
        let mut vector = vec![0.0; num_nodes as usize];
        for node in nodes {
            let place = vector.get_mut(node.index());
            *place.ok_or(Error::UnknownNode { node: node.0, num_nodes })? = 1.0;
        }
        scale_to_one(&mut vector);
        Ok(Self::Vector(vector))
    }

    /// Returns it in the order in which `arcs` count nodes.
    pub(crate) fn arranged(self, arcs: &impl Arcs) -> Self {
        match self {
            Self::Uniform(share) => Self::Uniform(share),
            Self::Vector(shares) => Self::Vector(arcs.arranged(shares)),
        }
    }

    pub(crate) fn share(&self, node: usize) -> f64 {
        match self {
            Self::Uniform(share) => *share,
            Self::Vector(shares) => shares[node],
        }
    }
}

pub(crate) fn check_numbers(options: &PageRankOptions) -> Result<(), Error> {
    if !(0.0..=1.0).contains(&options.beta) {
        let wanted = "between 0 and 1";
        return Err(Error::BadOption { name: "beta", value: options.beta, wanted });
    }
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        let wanted = "a finite number, not negative";
        return Err(Error::BadOption { name: "tolerance", value: options.tolerance, wanted });
    }
    Ok(())
}

pub(crate) fn start_vector(num_nodes: u32, start: &Start) -> Result<Vec<f64>, Error> {
    let mut vector = match start {
        Start::Uniform => return Ok(vec![1.0 / f64::from(num_nodes.max(1)); num_nodes as usize]),
        Start::Vector(vector) => vector.clone(),
    };
    if vector.len() != num_nodes as usize {
        return Err(Error::BadStart("it needs one number per node"));
    }
    if !vector.iter().all(|share| share.is_finite() && *share >= 0.0) {
        return Err(Error::BadStart("its numbers must be finite and not negative"));
    }
    if !scale_to_one(&mut vector) && num_nodes > 0 {
        return Err(Error::BadStart("its numbers must have a finite sum above 0"));
    }
    Ok(vector)
}

/// Scales to a sum of 1; `false`, with nothing changed, if the sum is not a number above 0.
fn scale_to_one(vector: &mut [f64]) -> bool {
    let sum: f64 = vector.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return false;
    }
    // What already sums to 1 stays as it was given, to the last bit.
    if sum != 1.0 {
        vector.iter_mut().for_each(|share| *share /= sum);
    }
    true
}
