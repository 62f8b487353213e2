//! The loop that takes the time: one sweep over all arcs per step.
//!
//! What a node passes on along each of its links is kept beside its rank, so that an arc costs one
//! read and one addition, and a division is made once per node. The reads go anywhere; where they
//! hit the cache, the additions would wait for each other, so there are [`SUMS`] of them side by
//! side.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{DeadEnds, Iteration, Jump, PageRankOptions, Precision, Ranks};
use crate::{Error, InLinks};

/// Nodes per parallel piece of work. Fixed, so that sums do not depend on the threads.
pub(crate) const CHUNK: usize = 4_096;

/// Sums that what a node is given is added up in, source by source in turn; added at the end, the
/// first to the second and so on. Fixed, since the order of additions shows in the last bit.
pub(crate) const SUMS: usize = 2;

/// What is passed on along a link, as it is stored.
trait Share: Copy + Default + Send + Sync {
    fn new(rank: f64) -> Self;
    fn get(self) -> f64;
}

impl Share for f64 {
    fn new(rank: f64) -> Self {
        rank
    }

    fn get(self) -> f64 {
        self
    }
}

impl Share for f32 {
    fn new(rank: f64) -> Self {
        rank as f32
    }

    fn get(self) -> f64 {
        f64::from(self)
    }
}

/// Takes steps from `start` on until they converge.
pub(super) fn iterate(
    links: &InLinks,
    options: &PageRankOptions,
    jump: &Jump,
    start: Vec<f64>,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    match options.precision {
        Precision::Double => iterate_with::<f64>(links, options, jump, start, watch),
        Precision::Single => iterate_with::<f32>(links, options, jump, start, watch),
    }
}

fn iterate_with<S: Share>(
    links: &InLinks,
    options: &PageRankOptions,
    jump: &Jump,
    start: Vec<f64>,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    let mut scores = start;
    let mut shares = vec![S::default(); scores.len()];
    let mut next_shares = shares.clone();
    let mut dead_rank = share_out(links, &scores, &mut shares);
    let mut log = Vec::new();
    let mut converged = false;
    for number in 1..=options.max_iterations {
        let spread = match options.dead_ends {
            DeadEnds::Redistribute => options.beta * dead_rank,
            DeadEnds::Stay | DeadEnds::Leak | DeadEnds::Prune => 0.0,
        };
        let step =
            Step { links, options, jump, shares: &shares, teleported: 1.0 - options.beta + spread };
        let (l1, dead) = step.take(&mut scores, &mut next_shares);
        dead_rank = dead;
        std::mem::swap(&mut shares, &mut next_shares);
        let iteration = Iteration { number, l1 };
        log.push(iteration);
        if watch(iteration).is_break() {
            return Err(Error::Interrupted);
        }
        if l1 <= options.tolerance {
            converged = true;
            break;
        }
    }
    Ok(Ranks { scores, log, converged })
}

/// What one step reads.
struct Step<'a, S> {
    links: &'a InLinks,
    options: &'a PageRankOptions,
    jump: &'a Jump,
    /// Rank per link of each node before the step.
    shares: &'a [S],
    /// Rank that the teleport distribution spreads in this step.
    teleported: f64,
}

impl<S: Share> Step<'_, S> {
    /// Moves `scores` one step on and leaves its shares; returns L1 distance and dead ends' rank.
    fn take(&self, scores: &mut [f64], next_shares: &mut [S]) -> (f64, f64) {
        let sums: Vec<(f64, f64)> = scores
            .par_chunks_mut(CHUNK)
            .zip(next_shares.par_chunks_mut(CHUNK))
            .enumerate()
            .map(|(chunk, (scores, next_shares))| self.chunk(chunk * CHUNK, scores, next_shares))
            .collect();
        sums.iter().fold((0.0, 0.0), |total, part| (total.0 + part.0, total.1 + part.1))
    }

    fn chunk(&self, first: usize, scores: &mut [f64], next_shares: &mut [S]) -> (f64, f64) {
        let out_degrees = &self.links.raw_out_degrees()[first..first + scores.len()];
        let (mut l1, mut dead_rank) = (0.0, 0.0);
        let places = scores.iter_mut().zip(next_shares).zip(out_degrees).enumerate();
        for (place, ((score, next_share), out_degree)) in places {
            let node = first + place;
            let mut pulled = pull(self.links.raw_sources(node), self.shares);
            if *out_degree == 0 && self.options.dead_ends == DeadEnds::Stay {
                pulled += *score;
            }
            let next = self.options.beta * pulled + self.teleported * self.jump.share(node);
            l1 += (next - *score).abs();
            *score = next;
            match out_degree {
                0 => dead_rank += next,
                degree => *next_share = S::new(next / f64::from(*degree)),
            }
        }
        (l1, dead_rank)
    }
}

/// Adds up what the sources of a node pass on.
#[inline]
fn pull<S: Share>(sources: &[u32], shares: &[S]) -> f64 {
    let (groups, rest) = sources.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for group in groups {
        for (sum, source) in sums.iter_mut().zip(group) {
            *sum += shares[*source as usize].get();
        }
    }
    for (sum, source) in sums.iter_mut().zip(rest) {
        *sum += shares[*source as usize].get();
    }
    sums.iter().fold(0.0, |total, sum| total + sum)
}

/// Fills in the rank per link of each node; returns the rank of dead ends.
fn share_out<S: Share>(links: &InLinks, scores: &[f64], shares: &mut [S]) -> f64 {
    let mut dead_rank = 0.0;
    for ((score, degree), share) in scores.iter().zip(links.raw_out_degrees()).zip(shares) {
        match degree {
            0 => dead_rank += score,
            degree => *share = S::new(score / f64::from(*degree)),
        }
    }
    dead_rank
}
