//! Links without those of spam, and what says which those are (G7).
//!
//! One report serves a whole analysis: finding it costs two or three rankings.

use tracing::info;

use crate::progress::{Progress, Stage, Watch};
use crate::sites::HostRuns;
use crate::{
    Error, Graph, Hosts, InLinks, Links, PageRankOptions, SpamOptions, SpamReport, find_spam_with,
    without_spam,
};

/// Looks for spam among the links of a generation that count, ranked as the generation is.
pub(crate) fn find(
    graph: &Graph,
    links: &Links,
    pagerank: &PageRankOptions,
    watch: Watch<'_>,
) -> Result<SpamReport, Error> {
    let runs = HostRuns::read(graph.names())?;
    let host_of = runs.by_node();
    let hosts = Hosts::new(&host_of, runs.domains())?;
    let options = SpamOptions { pagerank: pagerank.clone(), ..SpamOptions::default() };
    let total = Some(u64::from(options.pagerank.max_iterations));
    find_spam_with(links, &hosts, &options, &mut |iteration| {
        watch(Progress { stage: Stage::Rank, done: u64::from(iteration.number), total })
    })
}

/// Returns the links without those of the spam that was found among them.
pub(crate) fn leave_out(
    graph: &Graph,
    links: &Links,
    report: &SpamReport,
) -> Result<InLinks, Error> {
    let runs = HostRuns::read(graph.names())?;
    let host_of = runs.by_node();
    let hosts = Hosts::new(&host_of, runs.domains())?;
    let honest = without_spam(links, &hosts, report)?;
    let num_left_out = links.num_arcs() - honest.num_arcs();
    info!(num_findings = report.findings.len(), num_left_out, "left out links of spam");
    Ok(honest)
}
