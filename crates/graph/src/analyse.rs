//! One generation of link analysis, from the page log to scores.

use std::ops::ControlFlow;

use base::{Collection, Generation};
use tracing::{info, warn};

use crate::pagerank::start_vector;
use crate::progress::{Progress, Stage, Watch};
use crate::{
    BuildOptions, Counted, Error, Graph, Links, PageRankOptions, ReputationOptions, SpamReport,
    Start, Summary, Votes, build, folder, honest, reputation, scores, warm,
};

/// Memory that finding spam takes, as a multiple of what ranking does: links both ways, ranks.
const TIMES_RANKING: u64 = 3;

/// How a generation is made.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyseOptions {
    /// How the graph is built.
    pub build: BuildOptions,
    /// How much kinds of links count for the ranks; the graph keeps them all.
    pub counted: Counted,
    /// Whether links of farms, exchanges and shared targets count too. Default true: people look
    /// at the report first. They count as well where there is not the memory to find them.
    pub spam: bool,
    /// How its nodes are ranked.
    pub pagerank: PageRankOptions,
    /// Bytes held for ranking, about: where links and ranks take more, the links stay on disk.
    /// Default 1 GiB: 200 million links.
    pub memory: u64,
    /// Where ranking begins, unless [`PageRankOptions::start`] says so.
    pub begin: Begin,
    /// What else is found out of the links.
    pub reputation: ReputationOptions,
}

/// Where the ranking of a new generation begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begin {
    /// At the ranks of the generation in use: fewer steps, and the same ranks within what the
    /// tolerance allows.
    #[default]
    Last,
    /// At the same rank for every node: the same log gives the same ranks to the last bit.
    Anew,
}

impl Default for AnalyseOptions {
    fn default() -> Self {
        Self {
            build: BuildOptions::default(),
            counted: Counted::default(),
            spam: true,
            pagerank: PageRankOptions::default(),
            memory: 1 << 30,
            begin: Begin::default(),
            reputation: ReputationOptions::default(),
        }
    }
}

impl AnalyseOptions {
    /// Makes the links of a generation that count ready for ranking: what [`analyse`] ranks.
    ///
    /// Fails if links of spam are to be left out and there is not the memory to find them, three
    /// times what ranking takes. `watch` is told of looking for them.
    pub fn votes<'g>(&self, graph: &'g Graph, watch: Watch<'_>) -> Result<Votes<'g>, Error> {
        if !self.spam && self.memory_for_spam(graph) > self.memory {
            return Err(Error::NeedsMemory("leaving out links of spam"));
        }
        Ok(self.votes_with(graph, watch)?.0)
    }

    /// As [`Self::votes`], but where there is not the memory to find spam, its links count, and
    /// that is told. Returns what was found of it too, if its links are left out.
    fn votes_with<'g>(
        &self,
        graph: &'g Graph,
        watch: Watch<'_>,
    ) -> Result<(Votes<'g>, Option<SpamReport>), Error> {
        let (needed, limit) = (self.memory_for_spam(graph), self.memory);
        if !self.spam && needed > limit {
            warn!(
                needed,
                limit, "links of spam count: finding them takes more memory than allowed"
            );
        }
        if self.spam || needed > limit {
            return Ok((graph.votes(&self.counted, limit)?, None));
        }
        let links = Links::new(graph.in_links_with(&self.counted)?);
        let report = honest::find(graph, &links, &self.pagerank, watch)?;
        let honest = honest::leave_out(graph, &links, &report)?;
        Ok((Votes::Memory(honest), Some(report)))
    }

    /// Returns the links of [`Self::votes`] both ways round, in memory whatever that takes.
    pub(crate) fn links(&self, graph: &Graph, watch: Watch<'_>) -> Result<Links, Error> {
        let links = Links::new(graph.in_links_with(&self.counted)?);
        if self.spam {
            return Ok(links);
        }
        let report = honest::find(graph, &links, &self.pagerank, watch)?;
        Ok(Links::new(honest::leave_out(graph, &links, &report)?))
    }

    /// Returns about how many bytes finding spam takes.
    pub(crate) fn memory_for_spam(&self, graph: &Graph) -> u64 {
        graph.memory_to_rank(&self.counted).saturating_mul(TIMES_RANKING)
    }
}

/// What a generation came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Analysis {
    /// What the graph holds.
    pub graph: Summary,
    /// Steps that PageRank took.
    pub num_iterations: u32,
    /// Whether it converged.
    pub converged: bool,
    /// Whether it began at the ranks of the generation before.
    pub is_warm: bool,
    /// Whether the links were read from disk in every step, for want of memory.
    pub is_on_disk: bool,
}

/// Builds graph and scores of a generation; publishing it is the caller's next step.
///
/// For the one process that holds the collection's lock. Fails if `generation` is not newer than
/// the one in use. Interrupted or killed, it leaves the generation in use as it was, and folders
/// that nobody reads and the next call removes. Memory: the larger of [`BuildOptions::memory`]
/// and, for ranking, [`AnalyseOptions::memory`] and 20 bytes per node.
pub fn analyse(
    collection: &Collection,
    generation: Generation,
    options: &AnalyseOptions,
    watch: Watch<'_>,
) -> Result<Analysis, Error> {
    options.reputation.check()?;
    let used = collection.generation()?;
    if let Some(used) = used.filter(|used| *used >= generation) {
        return Err(Error::OldGeneration { generation, used });
    }
    let (graph_folder, scores_folder) =
        (collection.graph(generation), collection.scores(generation));
    for parent in [graph_folder.parent(), scores_folder.parent()].into_iter().flatten() {
        folder::remove_unfinished(parent)?;
    }
    let summary = build(&collection.pages(), &graph_folder, &options.build, watch)?;
    let graph = Graph::open(&graph_folder)?;
    let (votes, spam) = options.votes_with(&graph, watch)?;
    let start = last_ranks(collection, used, options, &graph);
    let is_warm = start.is_some();
    let start = match start {
        Some(start) => start,
        None => start_vector(summary.num_nodes, &options.pagerank.start)?,
    };
    let total = Some(u64::from(options.pagerank.max_iterations));
    let ranks = votes.rank_from(start, &options.pagerank, &mut |iteration| {
        watch(Progress { stage: Stage::Rank, done: u64::from(iteration.number), total })
    })?;
    let is_on_disk = votes.is_on_disk();
    drop(votes);
    let num_iterations = ranks.log.last().map_or(0, |iteration| iteration.number);
    if !ranks.converged {
        let l1 = ranks.log.last().map(|iteration| iteration.l1);
        warn!(%generation, num_iterations, l1, "pagerank did not converge");
    }
    scores::write(&scores_folder, &graph, &options.pagerank, &ranks, |folder| {
        reputation::write(folder, &graph, options, spam, watch)
    })?;
    let Summary { num_nodes, num_arcs, .. } = summary;
    info!(%generation, num_nodes, num_arcs, num_iterations, is_warm, is_on_disk, "analysed links");
    let converged = ranks.converged;
    Ok(Analysis { graph: summary, num_iterations, converged, is_warm, is_on_disk })
}

/// Returns the ranks of the generation in use for the nodes of the new one, if they are wanted
/// and to be had: nothing depends on them but time.
fn last_ranks(
    collection: &Collection,
    used: Option<Generation>,
    options: &AnalyseOptions,
    graph: &Graph,
) -> Option<Vec<f64>> {
    let used = used.filter(|_| options.begin == Begin::Last)?;
    if options.pagerank.start != Start::Uniform {
        return None;
    }
    let start = warm::start(&collection.graph(used), &collection.scores(used), graph);
    start.unwrap_or_else(|error| {
        warn!(generation = %used, %error, "ranking begins anew");
        None
    })
}

/// Watches nothing: for callers that neither show progress nor stop.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
