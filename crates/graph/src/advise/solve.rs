//! Expected visits of one who follows links with chance β: the linear systems of the advisor.
//!
//! Solved by repeated substitution. After `s` steps the error is below `βˢ / (1 − β)`, so the
//! number of steps for a given accuracy is known before.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::pagerank::{CHUNK, Jump};
use crate::{DeadEnds, Error, Links, Node, PageRankOptions};

/// Starts that share a pass over the arcs.
pub(super) const LANES: usize = 8;

/// Largest error of a solution, before rounding.
const ACCURACY: f64 = 1e-15;

/// Most steps taken, enough for the accuracy at β = 0.998.
const MAX_STEPS: f64 = 20_000.0;

/// Returns after how many steps a solution is accurate.
pub(super) fn num_steps(beta: f64) -> u32 {
    if beta <= 0.0 {
        return 2;
    }
    let steps = (ACCURACY * (1.0 - beta)).ln() / beta.ln();
    // Between 2 and the limit, so it fits.
    steps.ceil().clamp(2.0, MAX_STEPS) as u32
}

/// `I − βP` of a graph.
pub(super) struct System<'a> {
    pub(super) links: &'a Links,
    pub(super) beta: f64,
    dead_ends: DeadEnds,
    jump: Jump,
    /// Called after every pass over the arcs.
    tick: &'a (dyn Fn() + Sync),
}

impl<'a> System<'a> {
    /// The caller has refused β outside of 0 to 1.
    pub(super) fn new(
        links: &'a Links,
        options: &PageRankOptions,
        tick: &'a (dyn Fn() + Sync),
    ) -> Result<Self, Error> {
        let jump = Jump::new(links.num_nodes(), &options.teleport)?;
        Ok(Self { links, beta: options.beta, dead_ends: options.dead_ends, jump, tick })
    }

    /// Returns for each node the expected visits to `target` of one who begins there.
    pub(super) fn reach(&self, target: Node) -> Vec<f64> {
        let mut reach = vec![0.0; self.links.num_nodes() as usize];
        let mut next = reach.clone();
        for _ in 0..num_steps(self.beta) {
            let from_dead_ends = match self.dead_ends {
                DeadEnds::Redistribute => self.teleported(&reach),
                DeadEnds::Stay | DeadEnds::Leak | DeadEnds::Prune => 0.0,
            };
            let chunks = next.par_chunks_mut(CHUNK).enumerate();
            chunks.for_each(|(number, chunk)| {
                for (node, next) in (number * CHUNK..).zip(chunk) {
                    *next = self.reach_of(node, target, &reach, from_dead_ends);
                }
            });
            (self.tick)();
            std::mem::swap(&mut reach, &mut next);
            if next == reach {
                break;
            }
        }
        reach
    }

    fn reach_of(&self, node: usize, target: Node, reach: &[f64], from_dead_ends: f64) -> f64 {
        let here = f64::from(node == target.index());
        let successors = self.links.turned().raw_sources(node);
        let onward = match (successors.len(), self.dead_ends) {
            (0, DeadEnds::Stay) => reach[node],
            (0, _) => from_dead_ends,
            (degree, _) => {
                let mut sum = 0.0;
                for successor in successors {
                    sum += reach[*successor as usize];
                }
                sum / degree as f64
            }
        };
        here + self.beta * onward
    }

    /// Returns what one who teleports may expect. Summed in fixed pieces.
    fn teleported(&self, values: &[f64]) -> f64 {
        let sum = |(number, chunk): (usize, &[f64])| -> f64 {
            let first = number * CHUNK;
            (first..).zip(chunk).map(|(node, value)| self.jump.share(node) * value).sum()
        };
        let sums: Vec<f64> = values.par_chunks(CHUNK).enumerate().map(sum).collect();
        sums.iter().sum()
    }

    /// Returns for each node how often one who begins at the first, second, … of at most `K`
    /// starts visits it.
    pub(super) fn visits<const K: usize>(&self, starts: &[Node]) -> Vec<[f64; K]> {
        let mut visits = vec![[0.0; K]; self.links.num_nodes() as usize];
        let mut shares = visits.clone();
        for _ in 0..num_steps(self.beta) {
            let dead = self.share_out(&visits, &mut shares);
            let pieces: Vec<bool> = visits
                .par_chunks_mut(CHUNK)
                .enumerate()
                .map(|(number, chunk)| self.step(number * CHUNK, chunk, &shares, dead, starts))
                .collect();
            (self.tick)();
            if pieces.iter().all(|still| *still) {
                break;
            }
        }
        visits
    }

    /// Moves some nodes one step on; returns whether nothing changed.
    fn step<const K: usize>(
        &self,
        first: usize,
        visits: &mut [[f64; K]],
        shares: &[[f64; K]],
        dead: [f64; K],
        starts: &[Node],
    ) -> bool {
        let out_degrees = self.links.in_links().raw_out_degrees();
        let mut still = true;
        for (node, visits) in (first..).zip(visits) {
            let mut pulled = [0.0; K];
            for source in self.links.in_links().raw_sources(node) {
                let shares = &shares[*source as usize];
                for lane in 0..K {
                    pulled[lane] += shares[lane];
                }
            }
            let stays = out_degrees[node] == 0 && self.dead_ends == DeadEnds::Stay;
            let teleported = self.jump.share(node);
            for (lane, start) in starts.iter().enumerate() {
                let own = if stays { visits[lane] } else { 0.0 };
                let onward = self.beta * (pulled[lane] + own + dead[lane] * teleported);
                // The beginning of a walk is a visit too.
                let next = f64::from(start.index() == node) + onward;
                still &= next == visits[lane];
                visits[lane] = next;
            }
        }
        still
    }

    /// Fills in the visits per link; returns the visits to dead ends that go on by teleport.
    fn share_out<const K: usize>(&self, visits: &[[f64; K]], shares: &mut [[f64; K]]) -> [f64; K] {
        let mut dead = [0.0; K];
        let out_degrees = self.links.in_links().raw_out_degrees();
        let spreads = self.dead_ends == DeadEnds::Redistribute;
        for ((visits, shares), degree) in visits.iter().zip(shares).zip(out_degrees) {
            let per_link = 1.0 / f64::from((*degree).max(1));
            for lane in 0..K {
                shares[lane] = visits[lane] * per_link;
                if *degree == 0 && spreads {
                    dead[lane] += visits[lane];
                }
            }
        }
        dead
    }

    /// Returns for each of at most [`LANES`] pages how often one who begins there is there.
    pub(super) fn returns(&self, pages: &[Node]) -> Vec<f64> {
        if let [page] = pages {
            return vec![self.visits::<1>(pages)[page.index()][0]];
        }
        let visits = self.visits::<LANES>(pages);
        pages.iter().enumerate().map(|(lane, page)| visits[page.index()][lane]).collect()
    }

    /// Returns a lower bound of [`Self::returns`]: returns within two links.
    ///
    /// Linear in the links of the page; both lists are ascending, so they are merged.
    pub(super) fn short_returns(&self, page: Node) -> f64 {
        let degree = f64::from(self.links.out_degree(page));
        let mut comes_back = match (self.links.out_degree(page), self.dead_ends) {
            (0, DeadEnds::Stay) => self.beta,
            (0, DeadEnds::Redistribute) => self.beta * self.jump.share(page.index()),
            _ => 0.0,
        };
        let mut back = self.links.predecessors(page).peekable();
        for out in self.links.successors(page) {
            while back.next_if(|back| back.cmp(&out) == Ordering::Less).is_some() {}
            if back.peek() != Some(&out) {
                continue;
            }
            comes_back += match out == page {
                true => self.beta / degree,
                false => self.beta * self.beta / degree / f64::from(self.links.out_degree(out)),
            };
        }
        1.0 / (1.0 - comes_back)
    }
}
