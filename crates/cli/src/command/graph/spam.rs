//! `lookfar graph spam`: links made to raise a rank, with reasons, and what ranking would be
//! without them (G7).

use std::io::{BufWriter, Write};
use std::path::Path;

use ::graph::{
    Evidence, Finding, Graph, Hosts, Named, Node, PageRankOptions, Preview, RankChange,
    SpamOptions, SpamReport, find_spam_with, pagerank_with, preview_with,
};
use anyhow::{Result, bail};
use base::Collection;
use serde_json::{Value, json};

use super::anchors;
use super::from::FromArgs;
use super::owners::Owners;
use super::table::{ShowArgs, Table, nothing, printable, shown};
use super::walk::{WalkArgs, with_progress};
use crate::Done;
use crate::progress::{Of, Progress};

pub(super) const EXAMPLES: &str = "What is looked for: farms (pages that exist to link to one page), exchanges (hosts of different
owners that all link to each other), shared targets (hosts of few owners whose pages all link to the
same pages), and in a collection bombs (a phrase that many pages of few owners give to a page that
never says it). In a graph file hosts are told by names that are addresses; any other name is a
host of its own.

Examples:
  lookfar graph spam                     the findings with their reasons
  lookfar graph spam --hosts             a score per host; --pages: per page
  lookfar graph spam --preview           whose rank would change without these links
  lookfar graph spam --graph links.tsv --min-supporters 5 --json";

#[derive(clap::Args)]
pub(crate) struct SpamArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    walk: WalkArgs,
    /// Fewest pages on other hosts that make a farm.
    #[arg(long, default_value_t = SpamOptions::default().min_supporters, value_name = "N",
          help_heading = "What counts")]
    min_supporters: usize,
    /// Smallest share of its rank that the target owes to the farm.
    #[arg(long, default_value_t = SpamOptions::default().min_boost, value_name = "S",
          allow_hyphen_values = true, help_heading = "What counts")]
    min_boost: f64,
    /// Looks at links only, not at their texts: faster, without bombs.
    #[arg(long, help_heading = "What counts")]
    no_anchors: bool,
    /// Shows a score for each page that is named.
    #[arg(long, conflicts_with_all = ["hosts", "preview"], help_heading = "What to show")]
    pages: bool,
    /// Shows a score for each host with such a page: the mean over all its pages.
    #[arg(long, conflicts_with = "preview", help_heading = "What to show")]
    hosts: bool,
    /// Shows whose rank would change by at least a tenth if these links did not count.
    #[arg(long, help_heading = "What to show")]
    preview: bool,
    #[command(flatten)]
    show: ShowArgs,
}

/// Smallest share of its rank by which a page's rank changes to be shown.
const LEAST_CHANGE: f64 = 0.1;
/// Pages and hosts of a finding that are listed, unless all are asked for.
const EXAMPLES_SHOWN: usize = 5;

pub(crate) fn run(dir: &Path, args: &SpamArgs) -> Result<Done> {
    if !(0.0..=1.0).contains(&args.min_boost) {
        bail!("--min-boost is {}: it must be between 0 and 1", args.min_boost);
    }
    let named = args.from.open_with_spam(dir)?;
    let owners = Owners::read(&named)?;
    owners.note_strangers();
    let hosts = owners.hosts()?;
    let options = SpamOptions {
        pagerank: args.walk.options(&args.from.ranking(dir)?),
        min_supporters: args.min_supporters,
        min_boost: args.min_boost,
        ..SpamOptions::default()
    };
    args.walk.begin_log()?;
    let mut report = with_progress(&options.pagerank, |watch| {
        find_spam_with(named.links(), &hosts, &options, watch)
    })?;
    if let (Some(dir), Some(graph), false) =
        (args.from.collection(dir), named.stored(), args.no_anchors)
    {
        let folder = Collection::open(dir)?.pages();
        report.add(bombs(&folder, graph, &hosts, &options)?);
    }
    let preview = match args.preview && !report.findings.is_empty() {
        true => Some(preview(&named, &hosts, &mut report, &options.pagerank)?),
        false => None,
    };
    let rest = args.walk.tell(&report.walks, &options.pagerank)?;
    if report.findings.is_empty() {
        drop(writeln!(std::io::stderr(), "no spam was found"));
        return Ok(Done::Empty);
    }
    let shown = Shown { args, named: &named, owners: &owners, report: &report };
    let done = match (args.pages, args.hosts, preview) {
        (true, _, _) => shown.pages()?,
        (_, true, _) => shown.hosts(&hosts)?,
        (_, _, Some(preview)) => shown.preview(preview)?,
        (false, false, None) => shown.findings()?,
    };
    Ok(rest.done(done))
}

/// Looks for bombs and shows how far that is.
fn bombs(
    folder: &Path,
    graph: &Graph,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
) -> Result<Vec<Finding>> {
    let mut progress = Progress::new("read records", Of::Items, anchors::readings(graph));
    let mut num_read = 0;
    let found = anchors::bombs(folder, graph, hosts, options, &mut || {
        num_read += 1;
        progress.show(num_read);
    });
    progress.finish();
    found
}

/// Ranks with all links and without those that are named; says in the report how that went.
fn preview(
    named: &Named,
    hosts: &Hosts<'_>,
    report: &mut SpamReport,
    options: &PageRankOptions,
) -> Result<Preview> {
    let links = named.links();
    let (today, preview) = with_progress(options, |watch| {
        let today = pagerank_with(links.in_links(), options, &mut *watch)?;
        let scores = &today.scores;
        let preview = preview_with(links, hosts, scores, report, options, LEAST_CHANGE, watch)?;
        Ok((today, preview))
    })?;
    report.walks.extend([today.walk("rank now"), preview.ranks.walk("rank then")]);
    Ok(preview)
}

/// A report and what is needed to name what it names.
struct Shown<'a> {
    args: &'a SpamArgs,
    named: &'a Named,
    owners: &'a Owners,
    report: &'a SpamReport,
}

impl Shown<'_> {
    fn pages(&self) -> Result<Done> {
        let scores = self.report.page_scores();
        let mut scores: Vec<(Node, f64)> = scores.into_iter().collect();
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        scores.truncate(self.args.show.most(scores.len()));
        self.args.show.pairs(self.named, "score", &scores)
    }

    fn hosts(&self, hosts: &Hosts<'_>) -> Result<Done> {
        let mut scores: Vec<(u32, f64)> = self.report.host_scores(hosts).into_iter().collect();
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        scores.truncate(self.args.show.most(scores.len()));
        let mut table = Table::new(["place", "score", "host"]);
        let mut lines = Vec::new();
        for (place, (host, score)) in scores.into_iter().enumerate() {
            let name = self.owners.name(host).to_owned();
            lines.push(json!({ "node": name, "score": score }));
            table.push([(place + 1).to_string(), shown(score), name]);
        }
        self.print(&table, &lines)
    }

    fn preview(&self, preview: Preview) -> Result<Done> {
        let is_bomb = |finding: &&Finding| matches!(finding.evidence, Evidence::Bomb { .. });
        match self.report.findings.iter().filter(is_bomb).count() {
            0 => {}
            number => drop(writeln!(
                std::io::stderr(),
                "note: bombs ({number}) change no rank: what all pages of an owner call a page counts once \
                 in any case"
            )),
        }
        let most = self.args.show.most(preview.changes.len());
        let mut table = Table::new(["place now", "then", "rank now", "then", "node"]);
        let mut lines = Vec::new();
        for RankChange { node, before, after, place_before, place_after } in
            preview.changes.into_iter().take(most)
        {
            let name = self.named.name(node)?.into_owned();
            lines.push(json!({
                "node": name,
                "score": after,
                "before": before,
                "after": after,
                "place_before": place_before,
                "place_after": place_after,
            }));
            let places = [place_before.to_string(), place_after.to_string()];
            table.push(places.into_iter().chain([shown(before), shown(after), name]));
        }
        self.print(&table, &lines)
    }

    fn print(&self, table: &Table, lines: &[Value]) -> Result<Done> {
        if lines.is_empty() {
            return Ok(nothing());
        }
        let mut out = BufWriter::new(std::io::stdout().lock());
        match self.args.show.json {
            true => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            false => write!(out, "{table}")?,
        }
        out.flush()?;
        Ok(Done::Well)
    }

    fn findings(&self) -> Result<Done> {
        let most = self.args.show.most(self.report.findings.len());
        let mut out = BufWriter::new(std::io::stdout().lock());
        for (place, finding) in self.report.findings.iter().take(most).enumerate() {
            match self.args.show.json {
                true => writeln!(out, "{}", self.as_json(finding)?)?,
                false => write!(out, "{}", self.as_text(place + 1, finding)?)?,
            }
        }
        if most < self.report.findings.len() {
            let more = self.report.findings.len() - most;
            drop(writeln!(std::io::stderr(), "note: {more} more findings, see --all"));
        }
        out.flush()?;
        Ok(Done::Well)
    }

    /// Returns the names of some nodes, the first of them unless all are asked for.
    fn names(&self, nodes: &[Node], most: usize) -> Result<Vec<String>> {
        let most = if self.args.show.all { nodes.len() } else { most };
        nodes.iter().take(most).map(|node| Ok(self.named.name(*node)?.into_owned())).collect()
    }

    fn as_json(&self, finding: &Finding) -> Result<Value> {
        let most = finding.examples().len();
        let hosts: Vec<&str> = finding.hosts.iter().map(|host| self.owners.name(*host)).collect();
        Ok(json!({
            "kind": finding.evidence.kind(),
            "score": finding.score,
            "targets": self.names(&finding.targets, most)?,
            "num_targets": finding.targets.len(),
            "pages": self.names(&finding.pages, most)?,
            "num_pages": finding.pages.len(),
            "hosts": hosts,
            "num_owners": finding.owners.len(),
            "reasons": finding.reasons,
            "figures": figures(&finding.evidence),
        }))
    }

    fn as_text(&self, place: usize, finding: &Finding) -> Result<String> {
        let score = finding.score;
        let mut text = format!("{place}. {}, certain to {score:.2}\n", finding.evidence.kind());
        for reason in &finding.reasons {
            text += &format!("   - {}\n", printable(reason));
        }
        let hosts: Vec<String> =
            finding.hosts.iter().map(|host| self.owners.name(*host).to_owned()).collect();
        let most = if self.args.show.all { usize::MAX } else { EXAMPLES_SHOWN };
        let lists = [
            ("targets", self.names(&finding.targets, most)?, finding.targets.len()),
            ("pages", self.names(&finding.pages, most)?, finding.pages.len()),
            ("hosts", hosts.into_iter().take(most).collect(), finding.hosts.len()),
        ];
        for (what, names, len) in lists {
            let more = match len - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            text += &format!("   {what}: {}{more}\n", printable(&names.join(", ")));
        }
        Ok(text)
    }
}

/// Returns the numbers behind the reasons.
fn figures(evidence: &Evidence) -> Value {
    match evidence {
        Evidence::Farm(farm) => json!({
            "supporters": farm.num_supporters,
            "linked_back": farm.num_returned,
            "rank": farm.rank,
            "rank_without": farm.without,
            "boost": farm.measured_boost(),
            "boost_by_closed_form": farm.predicted_boost,
        }),
        Evidence::Exchange(exchange) => json!({
            "hosts": exchange.num_hosts,
            "pairs": exchange.num_pairs,
            "density": exchange.density,
            "chance": exchange.chance,
            "partners": exchange.partners,
            "rank": exchange.gain.rank,
            "rank_without": exchange.gain.without,
            "boost": exchange.gain.boost(),
        }),
        Evidence::SharedTargets(shared) => json!({
            "pages": shared.num_pages,
            "hosts": shared.num_hosts,
            "owners": shared.num_owners,
            "targets": shared.num_targets,
            "given": shared.given,
            "rank": shared.gain.rank,
            "rank_without": shared.gain.without,
            "boost": shared.gain.boost(),
        }),
        Evidence::Bomb { phrase, num_hosts, num_owners } => json!({
            "phrase": phrase,
            "hosts": num_hosts,
            "owners": num_owners,
        }),
    }
}
