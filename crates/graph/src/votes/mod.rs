//! The links of a generation that count as votes, in memory where they fit, on disk where not.
//!
//! In memory an arc costs 4 bytes, or less in a large graph, which is packed; from disk it is decoded
//! anew in every step of a ranking, which takes some ten times as long. Numbers by node are in memory
//! in any case. Ranks are the same to the last bit, or nearly so where the graph was packed.

mod disk;
mod lists;

use std::ops::ControlFlow;

pub use disk::DiskLinks;
pub(crate) use lists::{Before, CountedArcs};

use crate::in_links::Builder;
use crate::pagerank::{rank, rank_links, start_vector};
use crate::progress::{Counter, NodeWatch};
use crate::topics::rank_all;
use crate::{
    Counted, DeadEnds, Error, Graph, InLinks, Iteration, Packed, PageRankOptions, Ranks, Teleport,
    topics_with,
};

/// Links that count, ready for ranking.
#[derive(Debug)]
pub enum Votes<'g> {
    /// In memory.
    Memory(InLinks),
    /// In memory, packed: large graphs whose links all count in full.
    Packed(Packed),
    /// On disk, read in every step.
    Disk(DiskLinks<'g>),
}

impl Graph {
    /// Makes the kinds of links that are asked for ready for ranking, within `memory` bytes.
    ///
    /// Where links and ranks take more, the links stay on disk; the numbers by node, 20 bytes or
    /// 24 with weights, do not. Linear in nodes and arcs.
    pub fn votes(&self, counted: &Counted, memory: u64) -> Result<Votes<'_>, Error> {
        if self.memory_to_rank(counted) > memory {
            return Ok(Votes::Disk(DiskLinks::open(self, counted)?));
        }
        let links = self.in_links_with(counted)?;
        // Both are there for a moment. How many arcs take 2 bytes packed is not known before, so
        // it is as if all took 4.
        let (num_nodes, num_arcs) = (u64::from(links.num_nodes()), links.num_arcs());
        let both = num_arcs.saturating_mul(8).saturating_add(40 * num_nodes);
        let packed = if both <= memory { Packed::new(&links) } else { None };
        Ok(packed.map_or_else(|| Votes::Memory(links), Votes::Packed))
    }

    /// Returns how many arcs count at most.
    fn num_counted(&self, counted: &Counted) -> u64 {
        let summary = self.summary();
        let num_nofollow = if counted.nofollow.get() > 0.0 { summary.num_nofollow } else { 0 };
        summary.num_arcs.saturating_add(num_nofollow)
    }

    /// Returns about how many bytes ranking takes with all links in memory.
    pub fn memory_to_rank(&self, counted: &Counted) -> u64 {
        let (summary, num_arcs) = (self.summary(), self.num_counted(counted));
        // Starts, degrees and two numbers of 64 bits; with weights a class and a sum.
        let (per_arc, per_node) = if counted.has_weights() { (5, 32) } else { (4, 24) };
        num_arcs.saturating_mul(per_arc).saturating_add(per_node * u64::from(summary.num_nodes))
    }

    /// Decompresses the graph for ranking, with the links that count by default: all that the
    /// pages vouch for. Linear; costs 4 bytes per arc and 8 per node.
    pub fn in_links(&self) -> Result<InLinks, Error> {
        self.in_links_with(&Counted::default())
    }

    /// Decompresses the graph for ranking, with the kinds of links that are asked for.
    ///
    /// The nodes are always the same; one whose links do not count is a dead end. Linear; costs
    /// 4 bytes per arc and 8 per node, and 1 and 8 more if a kind counts in part.
    pub fn in_links_with(&self, counted: &Counted) -> Result<InLinks, Error> {
        self.in_links_shown(counted, &mut |_, _| ())
    }

    /// As [`Self::in_links_with`]; `watch` is told of the nodes.
    pub(crate) fn in_links_shown(
        &self,
        counted: &Counted,
        watch: NodeWatch<'_>,
    ) -> Result<InLinks, Error> {
        let summary = self.summary();
        let arcs = CountedArcs::open(self, counted)?;
        let expected = usize::try_from(self.num_counted(counted)).unwrap_or(0);
        let mut builder = Builder::weighted(summary.num_nodes, expected, arcs.weights());
        let mut lists = arcs.lists(crate::Node(0), Before::default())?;
        let mut counter = Counter::start(watch, summary.num_nodes.into());
        for _ in 0..summary.num_nodes {
            let (sources, classes) = lists.next()?;
            for (source, class) in sources.iter().zip(classes) {
                builder.push_class(*source, *class);
            }
            builder.end_node();
            counter.tick();
        }
        Ok(builder.finish())
    }
}

impl Votes<'_> {
    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        match self {
            Self::Memory(links) => links.num_nodes(),
            Self::Packed(links) => links.num_nodes(),
            Self::Disk(links) => links.num_nodes(),
        }
    }

    /// Returns whether the links are read from disk in every step.
    pub fn is_on_disk(&self) -> bool {
        matches!(self, Self::Disk(_))
    }

    /// Ranks the nodes, as [`crate::pagerank_with`] does.
    ///
    /// Fails where dead ends are to be pruned and the links are on disk.
    pub fn pagerank_with(
        &self,
        options: &PageRankOptions,
        mut watch: impl FnMut(Iteration) -> ControlFlow<()>,
    ) -> Result<Ranks, Error> {
        let start = start_vector(self.num_nodes(), &options.start)?;
        self.rank_from(start, options, &mut watch)
    }

    /// As [`Self::pagerank_with`], from `start` on, which sums to 1, whatever the options say.
    pub(crate) fn rank_from(
        &self,
        start: Vec<f64>,
        options: &PageRankOptions,
        watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
    ) -> Result<Ranks, Error> {
        match self {
            Self::Memory(links) => rank_links(links, options, start, watch),
            Self::Packed(links) => links.rank_from(start, options, watch),
            Self::Disk(links) => {
                check_disk(options)?;
                rank(links, options, start, watch)
            }
        }
    }

    /// Ranks the nodes once per topic, as [`topics_with`] does.
    ///
    /// Fails where dead ends are to be pruned and the links are on disk.
    pub fn topics_with(
        &self,
        teleports: &[Teleport],
        options: &PageRankOptions,
        mut watch: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<Vec<Ranks>, Error> {
        match self {
            Self::Memory(links) => topics_with(links, teleports, options, watch),
            Self::Packed(links) => links.topics_with(teleports, options, watch),
            Self::Disk(links) if links.num_nodes() == 0 => {
                let none = Ranks { scores: Vec::new(), log: Vec::new(), converged: true };
                Ok(vec![none; teleports.len()])
            }
            Self::Disk(links) => {
                check_disk(options)?;
                rank_all(links, teleports, options, &mut watch)
            }
        }
    }
}

fn check_disk(options: &PageRankOptions) -> Result<(), Error> {
    match options.dead_ends {
        DeadEnds::Prune => Err(Error::NeedsMemory("pruning dead ends")),
        DeadEnds::Redistribute | DeadEnds::Stay | DeadEnds::Leak => Ok(()),
    }
}
