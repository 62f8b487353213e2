//! The loop that takes the time: one sweep over all arcs per step.
//!
//! What is kept of a node is its share, what it passes on along a link that counts in full, so
//! that an arc costs one read and one addition, and a division is made once per node. Its rank is
//! that share times what its links count; a dead end, whose share nobody reads, keeps its rank in
//! that place. So two numbers per node do, those before the step and those after.
//!
//! Where links carry 32 bits, ranks are kept beside the shares with 64.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::arcs::Arcs;
use super::rooms::{Room, Rooms};
use super::{DeadEnds, Iteration, Jump, PageRankOptions, Precision, Ranks};
use crate::Error;

/// Nodes per parallel piece of work, or per part of one. Fixed, so that sums do not depend on the
/// threads.
pub(crate) const CHUNK: usize = 4_096;

/// Takes steps from `start` on until they converge.
pub(super) fn iterate(
    arcs: &impl Arcs,
    options: &PageRankOptions,
    jump: &Jump,
    start: Vec<f64>,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    let walk = Walk { arcs, options, jump };
    match options.precision {
        Precision::Double => {
            let mut ranks = Double::new(&walk, start);
            let (log, converged) = walk.go(&mut ranks, watch)?;
            Ok(Ranks { scores: ranks.scores(&walk), log, converged })
        }
        Precision::Single => {
            let mut ranks = Single::new(&walk, start);
            let (log, converged) = walk.go(&mut ranks, watch)?;
            Ok(Ranks { scores: ranks.scores, log, converged })
        }
    }
}

/// Returns the rank of a node by its share.
#[inline]
pub(crate) fn rank_of(share: f64, out: f64) -> f64 {
    share * parts(out)
}

/// Returns the share of a node by its rank.
#[inline]
pub(crate) fn share_of(rank: f64, out: f64) -> f64 {
    rank / parts(out)
}

/// Returns how many shares make a rank. Chosen, not branched upon: which nodes are dead ends is
/// not to be foreseen, and wrong guesses cost more than a division.
#[inline]
fn parts(out: f64) -> f64 {
    if out == 0.0 { 1.0 } else { out }
}

/// What all steps read.
struct Walk<'a, A> {
    arcs: &'a A,
    options: &'a PageRankOptions,
    jump: &'a Jump,
}

/// The ranks on their way.
trait State {
    /// Returns the rank of dead ends.
    fn dead_rank(&self) -> f64;
    /// Moves one step on, in which teleporting spreads so much; returns the L1 distance.
    fn step<A: Arcs>(&mut self, walk: &Walk<'_, A>, teleported: f64) -> Result<f64, Error>;
}

impl<A: Arcs> Walk<'_, A> {
    /// Takes steps until they converge; returns what each moved and whether they did.
    fn go(
        &self,
        ranks: &mut impl State,
        watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
    ) -> Result<(Vec<Iteration>, bool), Error> {
        let options = self.options;
        let mut log = Vec::new();
        for number in 1..=options.max_iterations {
            let spread = match options.dead_ends {
                DeadEnds::Redistribute => options.beta * ranks.dead_rank(),
                DeadEnds::Stay | DeadEnds::Leak | DeadEnds::Prune => 0.0,
            };
            let l1 = ranks.step(self, 1.0 - options.beta + spread)?;
            let iteration = Iteration { number, l1 };
            log.push(iteration);
            if watch(iteration).is_break() {
                return Err(Error::Interrupted);
            }
            if l1 <= options.tolerance {
                return Ok((log, true));
            }
        }
        Ok((log, false))
    }

    /// Returns the rank of a node after a step in which it was given `pulled`.
    #[inline]
    fn next(&self, node: usize, before: f64, out: f64, pulled: f64, teleported: f64) -> f64 {
        let stays = out == 0.0 && self.options.dead_ends == DeadEnds::Stay;
        let pulled = if stays { pulled + before } else { pulled };
        self.options.beta * pulled + teleported * self.jump.share(node)
    }
}

/// How far the ranks of `K` topics moved and what their dead ends have, added up node by node
/// within [`CHUNK`] nodes and those sums in turn: a piece may have many more nodes, and a sum of so
/// many numbers in a row would be off by more.
#[derive(Clone, Copy)]
pub(crate) struct Sums<const K: usize> {
    whole: [(f64, f64); K],
    part: [(f64, f64); K],
}

impl<const K: usize> Sums<K> {
    pub(crate) const NONE: Self = Self { whole: [(0.0, 0.0); K], part: [(0.0, 0.0); K] };

    /// Goes on to a node; they come in their order.
    #[inline]
    pub(crate) fn enter(&mut self, node: usize) {
        if node.is_multiple_of(CHUNK) {
            self.close();
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, topic: usize, moved: f64, dead_rank: f64) {
        self.part[topic].0 += moved;
        self.part[topic].1 += dead_rank;
    }

    fn close(&mut self) {
        for (whole, part) in self.whole.iter_mut().zip(&mut self.part) {
            whole.0 += part.0;
            whole.1 += part.1;
            *part = (0.0, 0.0);
        }
    }

    /// Adds up the sums of pieces in their order.
    pub(crate) fn total(pieces: Vec<Self>) -> [(f64, f64); K] {
        let mut total = Self::NONE;
        for mut piece in pieces {
            piece.close();
            total.part = piece.whole;
            total.close();
        }
        total.whole
    }
}

/// Ranks as shares of 64 bits: 16 bytes per node.
struct Double {
    shares: Vec<f64>,
    next: Vec<f64>,
    dead_rank: f64,
    rooms: Rooms<f64>,
}

impl Double {
    fn new<A: Arcs>(walk: &Walk<'_, A>, start: Vec<f64>) -> Self {
        let (mut shares, mut dead_rank) = (start, 0.0);
        for (node, share) in shares.iter_mut().enumerate() {
            let out = walk.arcs.out(node);
            if out == 0.0 {
                dead_rank += *share;
            }
            *share = share_of(*share, out);
        }
        Self { next: vec![0.0; shares.len()], shares, dead_rank, rooms: Rooms::new() }
    }

    fn scores<A: Arcs>(mut self, walk: &Walk<'_, A>) -> Vec<f64> {
        for (node, share) in self.shares.iter_mut().enumerate() {
            *share = rank_of(*share, walk.arcs.out(node));
        }
        self.shares
    }
}

impl State for Double {
    fn dead_rank(&self) -> f64 {
        self.dead_rank
    }

    fn step<A: Arcs>(&mut self, walk: &Walk<'_, A>, teleported: f64) -> Result<f64, Error> {
        let (shares, rooms) = (&self.shares, &self.rooms);
        let piece = |room: &mut Room<'_, f64>, (first, next): (usize, &mut [f64])| {
            let mut sums = Sums::<1>::NONE;
            walk.arcs.pull(first..first + next.len(), shares, room, |node, pulled| {
                let out = walk.arcs.out(node);
                let before = rank_of(shares[node], out);
                let after = walk.next(node, before, out, pulled, teleported);
                sums.enter(node);
                sums.add(0, (after - before).abs(), if out == 0.0 { after } else { 0.0 });
                next[node - first] = share_of(after, out);
            })?;
            Ok(sums)
        };
        let pieces = walk.arcs.pieces(&mut self.next).into_par_iter();
        let sums: Result<Vec<_>, Error> = pieces.map_init(|| rooms.take(), piece).collect();
        let [(l1, dead_rank)] = Sums::total(sums?);
        self.dead_rank = dead_rank;
        std::mem::swap(&mut self.shares, &mut self.next);
        Ok(l1)
    }
}

/// Ranks with 64 bits and shares with 32: 12 bytes per node, and a second sweep over the nodes.
struct Single {
    scores: Vec<f64>,
    shares: Vec<f32>,
    dead_rank: f64,
    rooms: Rooms<f64>,
}

impl Single {
    fn new<A: Arcs>(walk: &Walk<'_, A>, start: Vec<f64>) -> Self {
        let (shares, rooms) = (vec![0.0; start.len()], Rooms::new());
        let mut ranks = Self { shares, scores: start, dead_rank: 0.0, rooms };
        ranks.share_out(walk);
        ranks
    }

    fn share_out<A: Arcs>(&mut self, walk: &Walk<'_, A>) {
        let pieces = self.shares.par_chunks_mut(CHUNK).zip(self.scores.par_chunks(CHUNK));
        let dead: Vec<f64> = pieces
            .enumerate()
            .map(|(number, (shares, scores))| {
                let mut dead_rank = 0.0;
                for (place, (share, score)) in shares.iter_mut().zip(scores).enumerate() {
                    let out = walk.arcs.out(number * CHUNK + place);
                    if out == 0.0 {
                        dead_rank += score;
                    }
                    *share = share_of(*score, out) as f32;
                }
                dead_rank
            })
            .collect();
        self.dead_rank = dead.iter().sum();
    }
}

impl State for Single {
    fn dead_rank(&self) -> f64 {
        self.dead_rank
    }

    fn step<A: Arcs>(&mut self, walk: &Walk<'_, A>, teleported: f64) -> Result<f64, Error> {
        let (shares, rooms) = (&self.shares, &self.rooms);
        let piece = |room: &mut Room<'_, f64>, (first, scores): (usize, &mut [f64])| {
            let mut sums = Sums::<1>::NONE;
            walk.arcs.pull(first..first + scores.len(), shares, room, |node, pulled| {
                let score = &mut scores[node - first];
                let after = walk.next(node, *score, walk.arcs.out(node), pulled, teleported);
                sums.enter(node);
                sums.add(0, (after - *score).abs(), 0.0);
                *score = after;
            })?;
            Ok(sums)
        };
        let pieces = walk.arcs.pieces(&mut self.scores).into_par_iter();
        let sums: Result<Vec<_>, Error> = pieces.map_init(|| rooms.take(), piece).collect();
        let [(l1, _)] = Sums::total(sums?);
        self.share_out(walk);
        Ok(l1)
    }
}
