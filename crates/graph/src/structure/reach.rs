//! How far links lead: reach, distances and the effective diameter, from a sample of nodes.
//!
//! Counting all pairs would cost nodes · arcs. A breadth-first search from each of some hundred
//! nodes drawn by chance gives the same numbers with an error that the sample itself tells: the
//! jackknife, which looks at how much a number moves when one node of the sample is left out.
//! (`HyperBall` in `webgraph-algo` approximates every node's counts at once; searches need no
//! further dependency, are exact for each node drawn, and tell reach back and forth alike.)

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use crate::{Error, InLinks, Links};

/// Distances from here on are counted as this one. The web's are some tens.
const MAX_DISTANCE: usize = 1_000;
/// The effective diameter spans this share of the pairs that are connected.
const MOST_PAIRS: f64 = 0.9;

/// How a sample is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachOptions {
    /// How many nodes are drawn, each at most once; all of them if there are no more. Default 100:
    /// reach comes out within some percent of the whole.
    pub sample: usize,
    /// What chance starts from: the same number draws the same nodes. Default 1.
    pub seed: u64,
}

impl Default for ReachOptions {
    fn default() -> Self {
        Self { sample: 100, seed: 1 }
    }
}

/// A number seen in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error; 0 if the sample was everything.
    pub error: f64,
}

/// How far links lead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// How many nodes were drawn.
    pub sample: usize,
    /// Mean share of all nodes that a node reaches by following links, itself included.
    pub forward: Estimate,
    /// Mean share of all nodes that reach a node.
    pub back: Estimate,
    /// By distance 0, 1, 2, …: how many nodes lie so far from a node drawn, all draws together.
    /// The last of 1,001 entries counts everything farther as well.
    pub distances: Vec<u64>,
    /// Mean distance of a node from another that it reaches; 0 if none reaches another.
    pub mean_distance: Estimate,
    /// The distance within which nine tenths of these pairs lie, interpolated between whole
    /// numbers; 0 if none reaches another.
    pub effective_diameter: Estimate,
}

/// Measures reach and distances by breadth-first search from a sample of nodes.
///
/// Cost: O(sample · (nodes + arcs)), on all threads of the pool; 8 bytes per node and thread. The
/// result does not depend on the number of threads.
pub fn reach(links: &Links, options: &ReachOptions) -> Reach {
    let never = |_| ControlFlow::Continue(());
    reach_with(links, options, never).expect("only the caller interrupts")
}

/// Like [`reach`]; `watch` is told after every search how many of the 2 · sample are done, from
/// any thread, and may break off with [`Error::Interrupted`].
pub fn reach_with(
    links: &Links,
    options: &ReachOptions,
    watch: impl Fn(usize) -> ControlFlow<()> + Sync,
) -> Result<Reach, Error> {
    let drawn = draw(links.num_nodes(), options);
    let done = AtomicUsize::new(0);
    let histograms = |links: &InLinks| -> Result<Vec<Vec<u64>>, Error> {
        let search = |search: &mut Search<'_>, node: &u32| {
            let histogram = search.from(*node);
            match watch(done.fetch_add(1, Ordering::Relaxed) + 1) {
                ControlFlow::Continue(()) => Ok(histogram),
                ControlFlow::Break(()) => Err(Error::Interrupted),
            }
        };
        drawn.par_iter().map_init(|| Search::new(links), search).collect()
    };
    let (forward, back) = (histograms(links.turned())?, histograms(links.in_links())?);
    Ok(Reach::of(links.num_nodes(), &forward, &back))
}

impl Reach {
    /// Puts together what the searches forward and back have found.
    fn of(num_nodes: u32, forward: &[Vec<u64>], back: &[Vec<u64>]) -> Self {
        let sample = forward.len();
        let num_nodes = f64::from(num_nodes.max(1));
        let mean_share = |sum: &Sum| match sum.draws {
            0 => 0.0,
            draws => sum.by_distance.iter().sum::<u64>() as f64 / draws as f64 / num_nodes,
        };
        // What is left to know shrinks as the sample nears the whole.
        let unseen = 1.0 - sample as f64 / num_nodes;
        let whole = Sum::of(forward);
        Self {
            sample,
            forward: estimate(&whole, forward, unseen, mean_share),
            back: estimate(&Sum::of(back), back, unseen, mean_share),
            mean_distance: estimate(&whole, forward, unseen, mean_distance),
            effective_diameter: estimate(&whole, forward, unseen, effective_diameter),
            distances: whole.by_distance,
        }
    }
}

/// Draws nodes without putting any back, ascending.
fn draw(num_nodes: u32, options: &ReachOptions) -> Vec<u32> {
    let wanted = options.sample.min(num_nodes as usize);
    let mut chance = Chance(options.seed);
    let mut drawn = std::collections::BTreeSet::new();
    // Floyd's way: every set of that size is as likely as any other.
    for last in num_nodes - wanted as u32..num_nodes {
        let node = chance.below(last + 1);
        if !drawn.insert(node) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().collect()
}

/// SplitMix64: small, and good enough to draw nodes.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u32) -> u32 {
        // The high half of a product is even enough: off by less than one in 2^32.
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }
}

/// A breadth-first search that can be run again.
struct Search<'a> {
    links: &'a InLinks,
    /// The search in which a node was last seen.
    seen: Vec<u32>,
    number: u32,
    queue: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(links: &'a InLinks) -> Self {
        let seen = vec![0; links.num_nodes() as usize];
        Self { links, seen, number: 0, queue: Vec::new() }
    }

    /// Returns how many nodes lie at distance 0, 1, 2, … from a node.
    fn from(&mut self, node: u32) -> Vec<u64> {
        self.number += 1;
        self.queue.clear();
        self.queue.push(node);
        self.seen[node as usize] = self.number;
        let mut counts = Vec::new();
        let (mut begin, mut distance) = (0, 0);
        while begin < self.queue.len() {
            let end = self.queue.len();
            if counts.len() <= distance {
                counts.push(0);
            }
            counts[distance] += (end - begin) as u64;
            for place in begin..end {
                for other in self.links.raw_sources(self.queue[place] as usize) {
                    if self.seen[*other as usize] != self.number {
                        self.seen[*other as usize] = self.number;
                        self.queue.push(*other);
                    }
                }
            }
            begin = end;
            distance = (distance + 1).min(MAX_DISTANCE);
        }
        counts
    }
}

/// Several searches together.
struct Sum {
    draws: usize,
    by_distance: Vec<u64>,
}

impl Sum {
    fn of(histograms: &[Vec<u64>]) -> Self {
        let longest = histograms.iter().map(Vec::len).max().unwrap_or(0);
        let mut by_distance = vec![0; longest];
        for histogram in histograms {
            by_distance.iter_mut().zip(histogram).for_each(|(sum, count)| *sum += count);
        }
        Self { draws: histograms.len(), by_distance }
    }

    fn without(&self, histogram: &[u64]) -> Self {
        let mut by_distance = self.by_distance.clone();
        by_distance.iter_mut().zip(histogram).for_each(|(sum, count)| *sum -= count);
        Self { draws: self.draws - 1, by_distance }
    }
}

/// Applies a statistic to the sample, and to the sample less each node to tell its error.
fn estimate(
    whole: &Sum,
    histograms: &[Vec<u64>],
    unseen: f64,
    statistic: impl Fn(&Sum) -> f64,
) -> Estimate {
    let value = statistic(whole);
    if histograms.len() < 2 {
        // One draw tells nothing of its error, unless it was the only node.
        let error = if unseen > 0.0 { value } else { 0.0 };
        return Estimate { value, error };
    }
    let size = histograms.len() as f64;
    let without: Vec<f64> =
        histograms.iter().map(|histogram| statistic(&whole.without(histogram))).collect();
    let mean = without.iter().sum::<f64>() / size;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    Estimate { value, error: (unseen.max(0.0) * squares * (size - 1.0) / size).sqrt() }
}

/// Returns the number of pairs of different nodes by distance, from distance 1 on.
fn pairs(sum: &Sum) -> impl Iterator<Item = (f64, f64)> + '_ {
    let others = sum.by_distance.iter().enumerate().skip(1);
    others.map(|(distance, count)| (distance as f64, *count as f64))
}

fn mean_distance(sum: &Sum) -> f64 {
    let (total, weighted) =
        pairs(sum).fold((0.0, 0.0), |all, (at, count)| (all.0 + count, all.1 + at * count));
    if total > 0.0 { weighted / total } else { 0.0 }
}

fn effective_diameter(sum: &Sum) -> f64 {
    let wanted = MOST_PAIRS * pairs(sum).map(|(_, count)| count).sum::<f64>();
    let mut below = 0.0;
    for (distance, count) in pairs(sum) {
        if count > 0.0 && below + count >= wanted {
            return distance - 1.0 + (wanted - below) / count;
        }
        below += count;
    }
    0.0
}
