//! Finds topics, trust and spam of a generation and writes them beside its scores.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tracing::{info, warn};

use super::{
    FINDING_KIND, FINDINGS, FORMAT, NO_FINDING, ReputationOptions, SPAM, SPAM_KIND, SUMMARY,
    SpamFinding, Summary, SummaryFile, TOPIC_KIND, TRUST, TRUST_KIND, Topic, TopicSummary, VERSION,
    WHOLE_WEB, topic_file,
};
use crate::array::{self, Kind};
use crate::graph::NO_NODE;
use crate::progress::{Progress, Stage, Watch};
use crate::{
    AnalyseOptions, DeadEnds, Error, Finding, Graph, InLinks, Links, Node, PageRankOptions,
    SpamReport, Teleport, honest, topics_with,
};

/// Topics ranked at a time: what [`topics_with`] does in one pass, so that memory is that of a pass.
const PASS: usize = 8;
/// Bytes per node for each set of a pass: the ranks of two steps, the teleport, and the result.
const SET_BYTES: u64 = 32;
/// Findings whose reasons are kept, the surest first; pages of others have their score alone.
const MAX_FINDINGS: usize = 10_000;

/// Finds out what is asked for and writes it into the folder of a generation's scores.
///
/// `report` is what was found of spam if its links are left out. Costs a decompressed graph, a pass
/// of [`topics_with`] per eight topics, and `honest::find` unless that is known. What would take
/// more memory than allowed is left out, and told.
pub(crate) fn write(
    folder: &Path,
    graph: &Graph,
    options: &AnalyseOptions,
    report: Option<SpamReport>,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let (wanted, limit) = (&options.reputation, options.memory);
    if wanted.is_nothing() {
        return Ok(());
    }
    let mut summary = Summary::default();
    let for_spam = options.memory_for_spam(graph);
    let by_set = SET_BYTES * u64::from(graph.summary().num_nodes);
    let needed = for_spam.saturating_add(by_set * wanted.num_sets().min(PASS) as u64);
    let sets = match needed <= limit {
        true => sets(graph, wanted, &mut summary)?,
        false => Vec::new(),
    };
    if needed > limit && wanted.num_sets() > 0 {
        warn!(needed, limit, "no topics and trust: they take more memory than allowed");
        summary.needed_memory = Some(needed).filter(|_| !wanted.topics.is_empty());
    }
    let finds_spam = wanted.spam && for_spam <= limit;
    if wanted.spam && !finds_spam {
        warn!(
            needed = for_spam,
            limit, "spam is not looked for: it takes more memory than allowed"
        );
    }
    if !sets.is_empty() || finds_spam {
        let mut links = graph.in_links_with(&options.counted)?;
        // Links that give no rank give no trust either.
        if let Some(report) = report.as_ref().filter(|_| !sets.is_empty()) {
            links = honest::leave_out(graph, &Links::new(links), report)?;
        }
        write_ranks(folder, graph, &links, &sets, &options.pagerank, watch)?;
        if finds_spam {
            let report = match report {
                Some(report) => report,
                None => honest::find(graph, &Links::new(links), &options.pagerank, watch)?,
            };
            write_spam(folder, graph, report, &mut summary)?;
        }
    }
    let file = SummaryFile { format: FORMAT.to_owned(), version: VERSION, summary };
    let text = serde_json::to_string_pretty(&file).expect("plain data becomes JSON");
    let path = folder.join(SUMMARY);
    fs::write(&path, text + "\n").map_err(Error::file("write", &path))
}

/// A set of nodes to jump to, and where the ranks go.
struct Set {
    teleport: Teleport,
    file: String,
    kind: Kind,
}

/// Looks up topics and trusted pages. What has no page in the graph yet is left out, and told.
fn sets(
    graph: &Graph,
    wanted: &ReputationOptions,
    summary: &mut Summary,
) -> Result<Vec<Set>, Error> {
    let lists: Vec<&[String]> = wanted.topics.iter().map(|topic| topic.pages.as_slice()).collect();
    let lists = [lists, vec![&wanted.trusted]].concat();
    let mut members = graph.members(&lists)?;
    let mut sets = Vec::new();
    let trusted = members.pop().map(|members| members.nodes).unwrap_or_default();
    for (Topic { name, .. }, members) in wanted.topics.iter().zip(members) {
        if members.nodes.is_empty() {
            warn!(name, "no page of the topic is in the graph");
            continue;
        }
        let (name, num_pages) = (name.clone(), members.nodes.len() as u64);
        let teleport = Teleport::Nodes(members.nodes);
        sets.push(Set { teleport, file: topic_file(&name), kind: TOPIC_KIND });
        summary.topics.push(TopicSummary { name, num_pages });
    }
    if !sets.is_empty() {
        let name = WHOLE_WEB.to_owned();
        sets.insert(
            0,
            Set { teleport: Teleport::Uniform, file: topic_file(&name), kind: TOPIC_KIND },
        );
        let num_pages = graph.summary().num_nodes.into();
        summary.topics.insert(0, TopicSummary { name, num_pages });
    }
    if trusted.is_empty() {
        if !wanted.trusted.is_empty() {
            warn!("no trusted page is in the graph");
        }
    } else {
        summary.trusted = Some(trusted.len() as u64);
        let teleport = Teleport::Nodes(trusted);
        sets.push(Set { teleport, file: TRUST.to_owned(), kind: TRUST_KIND });
    }
    Ok(sets)
}

fn write_ranks(
    folder: &Path,
    graph: &Graph,
    links: &InLinks,
    sets: &[Set],
    options: &PageRankOptions,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let dead_ends = match options.dead_ends {
        DeadEnds::Redistribute => DeadEnds::Leak,
        other => other,
    };
    let linear = PageRankOptions { dead_ends, ..options.clone() };
    let total = Some(u64::from(options.max_iterations));
    for some in sets.chunks(PASS) {
        let teleports: Vec<Teleport> = some.iter().map(|set| set.teleport.clone()).collect();
        let ranks = topics_with(links, &teleports, &linear, |number| {
            watch(Progress { stage: Stage::Rank, done: u64::from(number), total })
        })?;
        for (set, ranks) in some.iter().zip(ranks) {
            if !ranks.converged {
                warn!(file = set.file, "ranks of a set did not converge");
            }
            let score = |node: u32| ranks.scores[node as usize] as f32;
            by_page(folder, &set.file, set.kind, graph, f32::NAN, score)?;
        }
    }
    Ok(())
}

fn write_spam(
    folder: &Path,
    graph: &Graph,
    report: SpamReport,
    summary: &mut Summary,
) -> Result<(), Error> {
    let mut findings: Vec<(f64, Finding)> =
        report.findings.into_iter().map(|finding| (finding.unasked(), finding)).collect();
    findings.retain(|(score, _)| *score > 0.0);
    findings.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut found: HashMap<u32, (f32, u32)> = HashMap::new();
    // The surest come first, so the first finding of a page is the one that counts.
    for (number, (score, finding)) in findings.iter().enumerate() {
        let code = |role: u32| match number < MAX_FINDINGS {
            true => 2 * number as u32 + role,
            false => NO_FINDING,
        };
        let score = score.clamp(0.0, 1.0) as f32;
        for Node(node) in &finding.targets {
            found.entry(*node).or_insert((score, code(1)));
        }
        for Node(node) in &finding.pages {
            found.entry(*node).or_insert((score, code(0)));
        }
    }
    let of = |node: u32| found.get(&node).copied().unwrap_or((0.0, NO_FINDING));
    by_page(folder, SPAM, SPAM_KIND, graph, 0.0, |node| of(node).0)?;
    by_page(folder, FINDINGS, FINDING_KIND, graph, NO_FINDING, |node| of(node).1)?;
    info!(num_findings = findings.len(), num_nodes = found.len(), "looked for spam");
    summary.num_spam = Some(found.len() as u64);
    let kept = findings.into_iter().take(MAX_FINDINGS).map(|(score, finding)| SpamFinding {
        kind: finding.evidence.kind().to_owned(),
        score,
        reasons: finding.reasons,
    });
    summary.findings = Some(kept.collect());
    Ok(())
}

/// Writes an array by page of values by node.
fn by_page<T: array::Value>(
    folder: &Path,
    name: &str,
    kind: Kind,
    graph: &Graph,
    unknown: T,
    value: impl Fn(u32) -> T,
) -> Result<(), Error> {
    let values = graph.nodes_by_page().iter().map(|node| match *node {
        NO_NODE => unknown,
        node => value(node),
    });
    array::write(&folder.join(name), kind, graph.partition(), values)
}
