//! Hubs and authorities of a small part of the web (G5).
//!
//! A good hub links to good authorities, and a good authority is linked to by good hubs. HITS
//! (Kleinberg 1999) takes that at its word:
//!
//! ```text
//! a'[v] = Σ h[u]  over the arcs u → v        h'[u] = Σ a'[v]  over the arcs u → v
//! ```
//! each scaled to sum to 1, until nothing moves. The limit is the strongest direction of the
//! graph, so one tightly knit group of pages takes all of it and the others are left with
//! nothing. SALSA (Lempel and Moran 2000) is the steadier cousin: a visitor who goes back and
//! forth over the links, whose limit has a closed form by degrees, with every group weighted by
//! its size. Both are meant for the [`BaseSet`] of a query and run on any [`Links`].

mod base_set;
mod on_topic;
mod salsa;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

pub use base_set::{BaseSet, BaseSetOptions};
pub use salsa::salsa;

use crate::{Error, InLinks, Iteration, Links};

/// How hubs and authorities are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitsOptions {
    /// The iteration has converged when neither hubs nor authorities moved more than this, in L1.
    /// Default 1e-9: far below what could change an order of pages.
    pub tolerance: f64,
    /// Most steps taken. Default 1,000: a base set needs some tens; where two groups are nearly as
    /// strong as each other it takes long, and the result says that it has not converged.
    pub max_iterations: u32,
}

impl Default for HitsOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 1_000 }
    }
}

/// How good an authority and how good a hub each node is.
#[derive(Clone, Debug, PartialEq)]
pub struct HubsAndAuthorities {
    /// By node: not negative, of sum 1; all 0 if there is no arc.
    pub authorities: Vec<f64>,
    /// By node: not negative, of sum 1; all 0 if there is no arc.
    pub hubs: Vec<f64>,
    /// One entry per step, with the larger of the two distances; empty for a closed form.
    pub log: Vec<Iteration>,
    /// Whether the last step moved no more than the tolerance.
    pub converged: bool,
}

/// Finds hubs and authorities by power iteration, from the same hub score for every node.
///
/// Fails if the tolerance is negative or not a number. Where several groups of nodes are equally
/// strong, each keeps the part that it has of the start. Cost per step: O(nodes + arcs), on all
/// threads of the pool from 8,192 nodes on; 32 bytes per node besides the graph. The result does
/// not depend on the number of threads.
pub fn hits(links: &Links, options: &HitsOptions) -> Result<HubsAndAuthorities, Error> {
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        let wanted = "a finite number, not negative";
        return Err(Error::BadOption { name: "tolerance", value: options.tolerance, wanted });
    }
    let size = links.num_nodes() as usize;
    let mut found = HubsAndAuthorities {
        authorities: vec![0.0; size],
        hubs: vec![0.0; size],
        log: Vec::new(),
        converged: links.num_arcs() == 0,
    };
    if found.converged {
        return Ok(found);
    }
    found.hubs.fill(1.0 / size as f64);
    let (mut authorities, mut hubs) = (vec![0.0; size], vec![0.0; size]);
    for number in 1..=options.max_iterations {
        pull(links.in_links(), &found.hubs, &mut authorities);
        pull(links.turned(), &authorities, &mut hubs);
        let moved = distance(&authorities, &found.authorities).max(distance(&hubs, &found.hubs));
        std::mem::swap(&mut found.authorities, &mut authorities);
        std::mem::swap(&mut found.hubs, &mut hubs);
        found.log.push(Iteration { number, l1: moved });
        if moved <= options.tolerance {
            found.converged = true;
            break;
        }
    }
    Ok(found)
}

/// Nodes per parallel piece of work. Where there are not two of them, as in a base set, all stays
/// on the thread that asks: whoever searches does not wait for what a pool is doing.
const CHUNK: usize = 4_096;

/// Sums into `to` what the sources of each node have in `from`, scaled to a sum of 1.
fn pull(links: &InLinks, from: &[f64], to: &mut [f64]) {
    let pulled = |node| links.raw_sources(node).iter().map(|source| from[*source as usize]).sum();
    match to.len() < 2 * CHUNK {
        true => to.iter_mut().enumerate().for_each(|(node, score)| *score = pulled(node)),
        false => {
            let scores = to.par_iter_mut().with_min_len(CHUNK).enumerate();
            scores.for_each(|(node, score)| *score = pulled(node));
        }
    }
    // One after the other: the order of a sum is part of its result.
    let sum: f64 = to.iter().sum();
    // There is an arc, so some node always pulls; a sum of 0 could only come from underflow.
    if sum > 0.0 {
        to.iter_mut().for_each(|score| *score /= sum);
    }
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum()
}
