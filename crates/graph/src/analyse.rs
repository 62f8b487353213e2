//! One generation of link analysis, from the page log to scores.

use std::ops::ControlFlow;

use base::{Collection, Generation};
use tracing::{info, warn};

use crate::progress::{Progress, Stage, Watch};
use crate::{
    BuildOptions, Counted, Error, Graph, HostGraph, Hosts, InLinks, Links, PageRankOptions,
    ReputationOptions, SpamOptions, Summary, build, find_spam, folder, pagerank_with, reputation,
    scores, without_spam,
};

/// How a generation is made.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyseOptions {
    /// How the graph is built.
    pub build: BuildOptions,
    /// Which kinds of links count for the ranks; the graph keeps them all.
    pub counted: Counted,
    /// Whether links of farms, exchanges and shared targets count too. Default true: people look
    /// at the report first.
    pub spam: bool,
    /// How its nodes are ranked.
    pub pagerank: PageRankOptions,
    /// What else is found out of the links.
    pub reputation: ReputationOptions,
}

impl Default for AnalyseOptions {
    fn default() -> Self {
        Self {
            build: BuildOptions::default(),
            counted: Counted::default(),
            spam: true,
            pagerank: PageRankOptions::default(),
            reputation: ReputationOptions::default(),
        }
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
}

/// Builds graph and scores of a generation; publishing it is the caller's next step.
///
/// For the one process that holds the collection's lock. Fails if `generation` is not newer than
/// the one in use. Interrupted or killed, it leaves the generation in use as it was, and folders
/// that nobody reads and the next call removes. Memory: the larger of
/// [`BuildOptions::memory`] and, for ranking, 4 bytes per arc and 40 per node; three times that
/// when spam is looked for, and ten times the 40 when there are topics.
pub fn analyse(
    collection: &Collection,
    generation: Generation,
    options: &AnalyseOptions,
    watch: Watch<'_>,
) -> Result<Analysis, Error> {
    options.reputation.check()?;
    if let Some(used) = collection.generation()?.filter(|used| *used >= generation) {
        return Err(Error::OldGeneration { generation, used });
    }
    let (graph_folder, scores_folder) =
        (collection.graph(generation), collection.scores(generation));
    for parent in [graph_folder.parent(), scores_folder.parent()].into_iter().flatten() {
        folder::remove_unfinished(parent)?;
    }
    let summary = build(&collection.pages(), &graph_folder, &options.build, watch)?;
    let graph = Graph::open(&graph_folder)?;
    let mut links = graph.in_links_with(&options.counted)?;
    if !options.spam {
        links = honest(&graph, links)?;
    }
    let total = Some(u64::from(options.pagerank.max_iterations));
    let ranks = pagerank_with(&links, &options.pagerank, |iteration| {
        watch(Progress { stage: Stage::Rank, done: u64::from(iteration.number), total })
    })?;
    drop(links);
    let num_iterations = ranks.log.last().map_or(0, |iteration| iteration.number);
    if !ranks.converged {
        let l1 = ranks.log.last().map(|iteration| iteration.l1);
        warn!(%generation, num_iterations, l1, "pagerank did not converge");
    }
    scores::write(&scores_folder, &graph, &options.pagerank, &ranks, |folder| {
        reputation::write(folder, &graph, options, watch)
    })?;
    let Summary { num_nodes, num_arcs, .. } = summary;
    info!(%generation, num_nodes, num_arcs, num_iterations, "analysed links");
    Ok(Analysis { graph: summary, num_iterations, converged: ranks.converged })
}

/// Returns the links without those of spam.
pub(crate) fn honest(graph: &Graph, links: InLinks) -> Result<InLinks, Error> {
    let host_graph = HostGraph::of(graph)?;
    let host_of = host_graph.by_node();
    let hosts = Hosts::new(&host_of, host_graph.domains())?;
    let links = Links::new(links);
    let report = find_spam(&links, &hosts, &SpamOptions::default())?;
    let honest = without_spam(&links, &hosts, &report)?;
    let num_left_out = links.num_arcs() - honest.num_arcs();
    info!(num_findings = report.findings.len(), num_left_out, "left out links of spam");
    Ok(honest)
}

/// Watches nothing: for callers that neither show progress nor stop.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
