//! `lookfar graph similar`: pages that are cited together with a page, cite the same, or say the
//! same (G8, Q8).

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use ::graph::{Named, Node, SimilarOptions, similar};
use anyhow::{Context, Result};
use base::Collection;
use rank::Alike;
use serde::Serialize;

use super::from::FromArgs;
use super::owners::Owners;
use super::table::{ShowArgs, Table, nothing, printable, shown};
use crate::Done;
use crate::config::Config;
use crate::lexicon::open_searcher;

pub(super) const EXAMPLES: &str =
    "Two pages are alike if the same sites link to both (cocitation), if both link to the same pages
(coupling), or, in a collection, if they have their most telling words in common (text). A list of
ten links counts more than one of a thousand, and many pages of one site count once. The query
related:URL finds the same pages.

Examples:
  lookfar graph similar http://a.example/
  lookfar graph similar a.example --hosts
  printf 'hub\\tA\\nhub\\tB\\nA\\tC\\nB\\tC\\n' > links.tsv
  lookfar graph similar A --graph links.tsv";

/// Longest that texts are read: a person waits, but longer than for a search.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub(crate) struct SimilarArgs {
    /// The page: a URL of the collection, or a node's name.
    #[arg(value_name = "URL|NAME")]
    node: String,
    #[command(flatten)]
    from: FromArgs,
    /// Finds hosts like the page's host, by links alone.
    #[arg(long, help_heading = "What to show")]
    hosts: bool,
    #[command(flatten)]
    show: ShowArgs,
}

/// A page like another, as it is shown.
#[derive(Serialize)]
struct Line {
    node: String,
    score: f64,
    cocitation: f64,
    coupling: f64,
    /// In a collection only: a graph file has no texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<f64>,
    linked_by: Vec<String>,
    link_to: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<String>,
    reasons: Vec<String>,
}

pub(crate) fn run(dir: &Path, args: &SimilarArgs) -> Result<Done> {
    let found = match args.from.collection(dir) {
        Some(dir) if !args.hosts => of_collection(dir, args)?,
        _ => of_links(dir, args)?,
    };
    if found.is_empty() {
        return Ok(nothing());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.show.json {
        true => {
            for line in &found {
                writeln!(out, "{}", serde_json::to_string(line)?)?;
            }
        }
        false => write_table(&mut out, &found)?,
    }
    out.flush()?;
    Ok(Done::Well)
}

/// Asks as `related:` does.
fn of_collection(dir: &Path, args: &SimilarArgs) -> Result<Vec<Line>> {
    let collection = Collection::open(dir)?;
    let mut options = Config::read(&collection.config())?.search_options()?;
    options.deadline = PATIENCE;
    let searcher = open_searcher(&collection, options)?;
    let found = searcher.similar(&args.node, args.show.most(usize::MAX))?;
    let found = found.with_context(|| {
        format!("neither the index nor the link graph has a page `{}`", printable(&args.node))
    })?;
    Ok(found.into_iter().map(Line::of_page).collect())
}

/// Goes by links alone: of a graph file, or of hosts.
fn of_links(dir: &Path, args: &SimilarArgs) -> Result<Vec<Line>> {
    let mut named = args.from.open(dir)?;
    let mut owners = Owners::read(&named)?;
    let node = if args.hosts {
        let page = named.find(&args.node)?;
        let host = page.map(|page| owners.name(owners.host_of()[page.index()]).to_owned());
        named = owners.host_graph(named.links())?;
        owners = Owners::read(&named)?;
        args.from.sets(dir, &named).node(host.as_deref().unwrap_or(&args.node))?
    } else {
        args.from.sets(dir, &named).node(&args.node)?
    };
    let voice_of = |node: Node| owners.voice(node);
    let most = args.show.most(named.links().num_nodes() as usize);
    let options = SimilarOptions { most, ..Default::default() };
    let found = similar(named.links(), node, &options, Some(&voice_of))?;
    found.iter().map(|similar| Line::of_node(&named, similar)).collect()
}

impl Line {
    fn of_page(alike: Alike) -> Self {
        let names = |urls: Vec<base::Url>| urls.iter().map(ToString::to_string).collect();
        Self {
            node: alike.url.to_string(),
            score: alike.score,
            cocitation: alike.cocitation,
            coupling: alike.coupling,
            text: Some(alike.text),
            linked_by: names(alike.linked_by),
            link_to: names(alike.link_to),
            words: alike.words,
            reasons: alike.reasons.iter().map(ToString::to_string).collect(),
        }
    }

    fn of_node(named: &Named, similar: &::graph::Similar) -> Result<Self> {
        let name = |node: &Node| Ok(named.name(*node)?.into_owned());
        let names = |nodes: &[Node]| nodes.iter().map(name).collect::<Result<Vec<String>>>();
        let mut reasons: Vec<_> = similar.reasons().collect();
        reasons.sort_by(|(more, _), (less, _)| less.total_cmp(more));
        Ok(Self {
            node: name(&similar.node)?,
            score: similar.score,
            cocitation: similar.cocitation,
            coupling: similar.coupling,
            text: None,
            linked_by: names(&similar.citers)?,
            link_to: names(&similar.targets)?,
            words: Vec::new(),
            reasons: reasons.into_iter().map(|(_, reason)| reason.to_string()).collect(),
        })
    }
}

fn write_table(out: &mut impl Write, found: &[Line]) -> Result<()> {
    let has_texts = found.iter().any(|line| line.text.is_some());
    let text = has_texts.then_some("text");
    let heads = ["place", "score", "cocitation", "coupling"];
    let mut table = Table::new(heads.into_iter().chain(text).chain(["node"]));
    for (place, line) in found.iter().enumerate() {
        let scores = [line.score, line.cocitation, line.coupling].into_iter().chain(line.text);
        let place = (place + 1).to_string();
        table.push([place].into_iter().chain(scores.map(shown)).chain([line.node.clone()]));
    }
    write!(out, "{table}\nwhy:\n")?;
    for (place, line) in found.iter().enumerate() {
        let place = place + 1;
        for reason in &line.reasons {
            writeln!(out, "{place:>5}  {}", printable(reason))?;
        }
        for (what, names) in
            [("both are linked by", &line.linked_by), ("both link to", &line.link_to)]
        {
            if !names.is_empty() {
                writeln!(out, "{:>5}  {what} {}", "", printable(&names.join(", ")))?;
            }
        }
    }
    Ok(())
}
