//! Several topics ranked in one pass over the graph, and their blend (G3).
//!
//! Ranking reads the arcs again and again, and the arcs are what costs. So the rank vectors of
//! up to eight topics lie interleaved, node by node: an arc that has been read serves all of
//! them, and their eight numbers share a line of the cache. Each topic takes the very steps that
//! it would take alone, so the ranks are the same to the last bit.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::pagerank::arcs::{Arcs, Full, Weighted};
use crate::pagerank::rooms::Rooms;
use crate::pagerank::{Jump, Sums, check_numbers, rank_of, share_of, start_vector};
use crate::{
    DeadEnds, Error, InLinks, Iteration, PageRankOptions, Precision, Ranks, Teleport, pagerank_with,
};

/// Most topics that share a pass: eight numbers of 8 bytes fill a cache line.
const LANES: usize = 8;

/// Ranks the graph once per topic, as [`pagerank`] does with that topic as its teleport.
///
/// [`PageRankOptions::teleport`] is not looked at, and what links carry has 64 bits whatever
/// [`PageRankOptions::precision`] says; everything else holds for all topics. With
/// [`DeadEnds::Prune`] topics are ranked one after the other. Cost per step: one random read per
/// arc and eight topics; 24 bytes per node and topic of a pass.
pub fn topics(
    links: &InLinks,
    teleports: &[Teleport],
    options: &PageRankOptions,
) -> Result<Vec<Ranks>, Error> {
    topics_with(links, teleports, options, |_| ControlFlow::Continue(()))
}

/// Like [`topics`]; `watch` is told the number of every step of every pass and may break off with
/// [`Error::Interrupted`].
pub fn topics_with(
    links: &InLinks,
    teleports: &[Teleport],
    options: &PageRankOptions,
    mut watch: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<Vec<Ranks>, Error> {
    check_numbers(options)?;
    if options.dead_ends == DeadEnds::Prune || links.num_nodes() == 0 {
        let with = |teleport: &Teleport| PageRankOptions {
            teleport: teleport.clone(),
            precision: Precision::Double,
            ..options.clone()
        };
        let mut rank = |teleport| pagerank_with(links, &with(teleport), |step| watch(step.number));
        return teleports.iter().map(&mut rank).collect();
    }
    match links.weights() {
        None => rank_all(&Full(links), teleports, options, &mut watch),
        Some(weights) => rank_all(&Weighted { links, weights }, teleports, options, &mut watch),
    }
}

/// Ranks any graph that has nodes once per topic; dead ends are not pruned.
pub(crate) fn rank_all(
    arcs: &impl Arcs,
    teleports: &[Teleport],
    options: &PageRankOptions,
    watch: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Vec<Ranks>, Error> {
    check_numbers(options)?;
    let start = arcs.arranged(start_vector(arcs.num_nodes(), &options.start)?);
    let jump = |teleport| Ok(Jump::new(arcs.num_nodes(), teleport)?.arranged(arcs));
    let mut ranks = Vec::with_capacity(teleports.len());
    for some in teleports.chunks(LANES) {
        let jumps = some.iter().map(jump).collect::<Result<Vec<Jump>, Error>>()?;
        ranks.extend(match jumps.len() {
            1 => iterate::<1, _>(arcs, options, &jumps, &start, watch)?,
            2 => iterate::<2, _>(arcs, options, &jumps, &start, watch)?,
            3 | 4 => iterate::<4, _>(arcs, options, &jumps, &start, watch)?,
            _ => iterate::<LANES, _>(arcs, options, &jumps, &start, watch)?,
        });
    }
    Ok(ranks)
}

/// Adds up scores by weight: `Σ weight · scores / Σ weight`.
///
/// Fails unless all lists have the same length and the weights are finite, not negative and
/// not all 0. Linear in all entries.
pub fn blend(parts: &[(&[f64], f64)]) -> Result<Vec<f64>, Error> {
    let wanted = parts.first().map_or(0, |(scores, _)| scores.len());
    for (scores, weight) in parts {
        if scores.len() != wanted {
            return Err(Error::WrongLength { what: "a topic", found: scores.len(), wanted });
        }
        if !(*weight >= 0.0 && weight.is_finite()) {
            let wanted = "a finite number, not negative";
            return Err(Error::BadOption { name: "weight", value: *weight, wanted });
        }
    }
    let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
    if !(total > 0.0 && total.is_finite()) {
        let wanted = "finite and above 0";
        return Err(Error::BadOption { name: "the sum of weights", value: total, wanted });
    }
    let mut blended = vec![0.0; wanted];
    for (scores, weight) in parts {
        for (sum, score) in blended.iter_mut().zip(*scores) {
            *sum += weight / total * score;
        }
    }
    Ok(blended)
}

/// Ranks up to `K` topics together; lanes beyond them hold zeros.
fn iterate<const K: usize, A: Arcs>(
    arcs: &A,
    options: &PageRankOptions,
    jumps: &[Jump],
    start: &[f64],
    watch: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Result<Vec<Ranks>, Error> {
    let mut pass = Pass::<K, A>::new(arcs, options, jumps, start);
    let mut done: Vec<Option<Ranks>> = vec![None; jumps.len()];
    let mut logs = vec![Vec::new(); jumps.len()];
    for number in 1..=options.max_iterations {
        let l1 = pass.step()?;
        for (lane, log) in logs.iter_mut().enumerate() {
            // A topic that has converged keeps the ranks it had then, while others go on.
            if done[lane].is_none() {
                log.push(Iteration { number, l1: l1[lane] });
                if l1[lane] <= options.tolerance {
                    let log = std::mem::take(log);
                    done[lane] = Some(Ranks { scores: pass.lane(lane), log, converged: true });
                }
            }
        }
        if watch(number).is_break() {
            return Err(Error::Interrupted);
        }
        if done.iter().all(Option::is_some) {
            break;
        }
    }
    let ended = done.into_iter().zip(logs).enumerate();
    let ranks = ended.map(|(lane, (done, log))| {
        done.unwrap_or_else(|| Ranks { scores: pass.lane(lane), log, converged: false })
    });
    Ok(ranks.collect())
}

/// The interleaved vectors.
struct Pass<'a, const K: usize, A> {
    arcs: &'a A,
    options: &'a PageRankOptions,
    /// Rank per link of each node, as when a topic is ranked alone.
    shares: Vec<[f64; K]>,
    next: Vec<[f64; K]>,
    /// Where each topic teleports to.
    jumps: Vec<[f64; K]>,
    dead_rank: [f64; K],
    rooms: Rooms<[f64; K]>,
}

impl<'a, const K: usize, A: Arcs> Pass<'a, K, A> {
    fn new(arcs: &'a A, options: &'a PageRankOptions, jumps: &[Jump], start: &[f64]) -> Self {
        let jump = |node| {
            std::array::from_fn(|lane| jumps.get(lane).map_or(0.0, |jump: &Jump| jump.share(node)))
        };
        let mut dead_rank = [0.0; K];
        let mut share = |(node, score): (usize, &f64)| {
            let out = arcs.out(node);
            std::array::from_fn(|lane| {
                let rank = f64::from(lane < jumps.len()) * score;
                if out == 0.0 {
                    dead_rank[lane] += rank;
                }
                share_of(rank, out)
            })
        };
        let shares: Vec<[f64; K]> = start.iter().enumerate().map(&mut share).collect();
        let next = vec![[0.0; K]; shares.len()];
        let jumps = (0..start.len()).map(jump).collect();
        Self { arcs, options, shares, next, jumps, dead_rank, rooms: Rooms::new() }
    }

    /// Moves all topics one step on; returns the L1 distances.
    fn step(&mut self) -> Result<[f64; K], Error> {
        let options = self.options;
        let spread = match options.dead_ends {
            DeadEnds::Redistribute => self.dead_rank.map(|rank| options.beta * rank),
            DeadEnds::Stay | DeadEnds::Leak | DeadEnds::Prune => [0.0; K],
        };
        let teleported = spread.map(|spread| 1.0 - options.beta + spread);
        let (arcs, jumps, shares, rooms) = (self.arcs, &self.jumps, &self.shares, &self.rooms);
        let piece = Piece { arcs, options, jumps, shares, teleported };
        let sums: Result<Vec<_>, Error> = arcs
            .pieces(&mut self.next)
            .into_par_iter()
            .map_init(|| rooms.take(), |room, (first, next)| piece.take(first, next, room))
            .collect();
        let sums = Sums::total(sums?);
        self.dead_rank = sums.map(|(_, dead_rank)| dead_rank);
        std::mem::swap(&mut self.shares, &mut self.next);
        Ok(sums.map(|(l1, _)| l1))
    }

    fn lane(&self, lane: usize) -> Vec<f64> {
        let rank = |(node, shares): (usize, &[f64; K])| rank_of(shares[lane], self.arcs.out(node));
        self.arcs.by_node(self.shares.iter().enumerate().map(rank).collect())
    }
}

/// What one piece of a step reads.
struct Piece<'a, const K: usize, A> {
    arcs: &'a A,
    options: &'a PageRankOptions,
    jumps: &'a [[f64; K]],
    shares: &'a [[f64; K]],
    /// Rank that each topic's teleport spreads in this step.
    teleported: [f64; K],
}

impl<const K: usize, A: Arcs> Piece<'_, K, A> {
    /// Moves the nodes from `first` on one step; returns L1 distances and dead ends' rank.
    fn take(
        &self,
        first: usize,
        next: &mut [[f64; K]],
        room: &mut Vec<[f64; K]>,
    ) -> Result<Sums<K>, Error> {
        let mut sums = Sums::NONE;
        self.arcs.pull(first..first + next.len(), self.shares, room, |node, pulled| {
            let out = self.arcs.out(node);
            let stays = out == 0.0 && self.options.dead_ends == DeadEnds::Stay;
            let (shares, jump) = (&self.shares[node], &self.jumps[node]);
            sums.enter(node);
            for lane in 0..K {
                let before = rank_of(shares[lane], out);
                let pulled = if stays { pulled[lane] + before } else { pulled[lane] };
                let after = self.options.beta * pulled + self.teleported[lane] * jump[lane];
                sums.add(lane, (after - before).abs(), if out == 0.0 { after } else { 0.0 });
                next[node - first][lane] = share_of(after, out);
            }
        })?;
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Node, Start, pagerank};

    const W1: [(u32, u32); 8] = [(0, 1), (0, 2), (0, 3), (1, 0), (1, 3), (2, 0), (3, 1), (3, 2)];

    fn links(num_nodes: u32, arcs: &[(u32, u32)]) -> InLinks {
        let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
        InLinks::from_arcs(num_nodes, arcs).unwrap()
    }

    fn nodes(numbers: &[u32]) -> Teleport {
        Teleport::Nodes(numbers.iter().copied().map(Node).collect())
    }

    #[test]
    fn w5_comes_out_beside_other_topics() {
        let options = PageRankOptions {
            beta: 0.8,
            tolerance: 1e-13,
            start: Start::Vector(vec![0.0, 0.5, 0.0, 0.5]),
            ..Default::default()
        };
        let sets = [nodes(&[0]), nodes(&[1, 3]), Teleport::Uniform];
        let ranks = topics(&links(4, &W1), &sets, &options).unwrap();
        let expected = [54.0, 59.0, 38.0, 59.0].map(|part| part / 210.0);
        for (score, expected) in ranks[1].scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-12);
        }
        let three = PageRankOptions { max_iterations: 3, tolerance: 0.0, ..options };
        let ranks = topics(&links(4, &W1), &sets, &three).unwrap();
        let expected = [62.0, 71.0, 46.0, 71.0].map(|part| part / 250.0);
        assert!(!ranks[1].converged && ranks[1].log.len() == 3);
        for (score, expected) in ranks[1].scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn steps_are_watched_and_may_be_broken_off() {
        let links = links(4, &W1);
        let sets = [nodes(&[0]), nodes(&[1])];
        for dead_ends in [DeadEnds::Redistribute, DeadEnds::Prune] {
            let options = PageRankOptions { dead_ends, ..PageRankOptions::default() };
            let mut seen = Vec::new();
            let broken = topics_with(&links, &sets, &options, |number| {
                seen.push(number);
                if number == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(matches!(broken, Err(Error::Interrupted)));
            assert_eq!(seen, [1, 2, 3]);
        }
    }

    #[test]
    fn bad_topics_are_refused_and_no_topics_are_no_ranks() {
        let four = links(4, &W1);
        let options = PageRankOptions::default();
        assert!(topics(&four, &[], &options).unwrap().is_empty());
        let empty = topics(&four, &[nodes(&[1]), nodes(&[])], &options);
        assert!(matches!(empty, Err(Error::EmptyTeleport)));
        let unknown = topics(&four, &[nodes(&[4])], &options);
        assert!(matches!(unknown, Err(Error::UnknownNode { node: 4, .. })));
        let beta = PageRankOptions { beta: f64::NAN, ..options };
        assert!(matches!(topics(&four, &[], &beta), Err(Error::BadOption { .. })));
    }

    #[test]
    fn a_blend_is_the_weighted_mean() {
        let (first, second) = ([0.5, 0.5, 0.0], [0.0, 0.2, 0.8]);
        let blended = blend(&[(&first, 3.0), (&second, 1.0)]).unwrap();
        for (sum, expected) in blended.iter().zip([0.375, 0.425, 0.2]) {
            assert!((sum - expected).abs() < 1e-15);
        }
        for weights in [[f64::NAN, 1.0], [-1.0, 2.0], [0.0, 0.0], [f64::INFINITY, 1.0]] {
            assert!(blend(&[(&first, weights[0]), (&second, weights[1])]).is_err());
        }
        let short = blend(&[(&first, 1.0), (&second[..2], 1.0)]);
        assert!(matches!(short, Err(Error::WrongLength { found: 2, wanted: 3, .. })));
        assert!(blend(&[]).is_err());
    }

    proptest! {
        #[test]
        fn topics_together_are_topics_alone(
            arcs in prop::collection::vec((0..30u32, 0..30u32), 0..120),
            sets in prop::collection::vec(prop::collection::vec(0..30u32, 1..5), 1..20),
            beta in 0.0..0.99f64,
            mode in 0..4usize,
        ) {
            let modes =
                [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Leak, DeadEnds::Redistribute];
            let options = PageRankOptions { beta, dead_ends: modes[mode], ..Default::default() };
            let links = links(30, &arcs);
            let sets: Vec<Teleport> = sets.iter().map(|set| nodes(set)).collect();
            let together = topics(&links, &sets, &options).unwrap();
            for (ranks, teleport) in together.iter().zip(&sets) {
                let alone = PageRankOptions { teleport: teleport.clone(), ..options.clone() };
                prop_assert_eq!(ranks, &pagerank(&links, &alone).unwrap());
            }
        }
    }
}
