//! `lookfar graph advise`: which new links would raise a page's rank most (G9).

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ::graph::{
    Advice, Links, Named, Node, PageRankOptions, Suggestion, advise_with, pagerank_with,
};
use anyhow::Result;
use serde_json::json;

use super::from::FromArgs;
use super::table::{Table, printable, shown};
use super::walk::JumpArgs;
use crate::Done;
use crate::progress::{Of, Progress};

pub(super) const EXAMPLES: &str = "The first link is the best there is; each further one is the best after those before it. Predicted
is the rank by a closed form, recomputed the rank of the graph with the link in it. For comparison
stands the rank with as many links from the most popular pages instead.

Examples:
  lookfar graph advise http://a.example/ -k 3
  lookfar graph advise http://a.example/ --from 'http://friends.example/*'
  printf 'A\\tB\\nB\\tC\\nC\\tA\\nD\\n' > links.tsv
  lookfar graph advise D --graph links.tsv -k 2 --beta 0.8";

#[derive(clap::Args)]
pub(crate) struct AdviseArgs {
    /// The page that wants links: a URL of the collection, or a node's name.
    #[arg(value_name = "URL|NAME")]
    node: String,
    #[command(flatten)]
    which: FromArgs,
    /// How many links.
    #[arg(short = 'k', default_value = "1", value_name = "K", help_heading = "How to rank")]
    k: NonZeroUsize,
    /// Only links from these pages: B,D, 'http://a.example/*', '?query', or a file with a name
    /// per line; otherwise from any.
    #[arg(long, value_name = "NODES", help_heading = "How to rank")]
    from: Option<String>,
    #[command(flatten)]
    jump: JumpArgs,
    /// One JSON object per line: the page that should link, and the ranks.
    #[arg(long, help_heading = "What to show")]
    json: bool,
}

pub(crate) fn run(dir: &Path, args: &AdviseArgs) -> Result<Done> {
    let named = args.which.open(dir)?;
    let sets = args.which.sets(dir, &named);
    let target = sets.node(&args.node)?;
    let allowed: Option<HashSet<Node>> = match &args.from {
        Some(text) => Some(sets.nodes(text)?.into_iter().collect()),
        None => None,
    };
    let may_link = |node| allowed.as_ref().is_none_or(|allowed| allowed.contains(&node));
    let options = args.jump.options(&PageRankOptions::default());
    let passes = Passes::new(args.k.get(), &options);
    let tick = || passes.tick();
    let advice = advise_with(named.links(), target, args.k.get(), may_link, &options, &tick)?;
    if advice.suggestions.is_empty() {
        passes.finish();
        drop(writeln!(std::io::stderr(), "no new link would raise its rank of {}", advice.before));
        return Ok(Done::Empty);
    }
    let num_links = advice.suggestions.len();
    let instead = from_popular(named.links(), target, num_links, may_link, &options, &passes)?;
    passes.finish();
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.json {
        true => write_json(&mut out, &named, &advice, &instead)?,
        false => {
            writeln!(out, "{} has rank {}", printable(&args.node), shown(advice.before))?;
            write!(out, "{}", table(&named, &advice, &instead)?)?;
        }
    }
    out.flush()?;
    Ok(Done::Well)
}

/// Shows how many passes over the links were made, of about how many.
struct Passes {
    progress: Mutex<(u64, Progress)>,
}

/// Passes that one number of 64 bits takes to come to rest, without jumps back: `β^n` is nothing.
const REST: f64 = 1e-15;

impl Passes {
    /// For so many links: each is two solutions, a page tried, and two rankings; one more before.
    fn new(num_links: usize, options: &PageRankOptions) -> Self {
        let most = f64::from(options.max_iterations);
        let each = (REST.ln() / options.beta.ln()).clamp(1.0, most) as u64;
        let total = (num_links as u64).saturating_mul(5).saturating_add(2).saturating_mul(each);
        Self { progress: Mutex::new((0, Progress::new("ranking, pass", Of::Items, total))) }
    }

    fn tick(&self) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, progress) = &mut *progress;
        *done += 1;
        progress.show(*done);
    }

    fn finish(self) {
        self.progress.into_inner().unwrap_or_else(PoisonError::into_inner).1.finish();
    }
}

/// Returns the rank of `target` with a link from the most popular page that has none to it yet,
/// from the two most popular, and so on. Ranks once more than there are links.
fn from_popular(
    links: &Links,
    target: Node,
    num_links: usize,
    may_link: impl Fn(Node) -> bool,
    options: &PageRankOptions,
    passes: &Passes,
) -> Result<Vec<f64>> {
    let rank = |links: &Links| {
        pagerank_with(links.in_links(), options, |_| {
            passes.tick();
            ControlFlow::Continue(())
        })
    };
    let ranks = rank(links)?.scores;
    let linking: HashSet<Node> = links.predecessors(target).collect();
    let is_new = |node: &Node| *node != target && !linking.contains(node) && may_link(*node);
    let mut popular: Vec<Node> = links.nodes().filter(is_new).collect();
    popular.sort_by(|one, other| ranks[other.index()].total_cmp(&ranks[one.index()]));
    let mut instead = Vec::new();
    for count in 1..=num_links {
        let old = links.nodes().flat_map(|to| links.predecessors(to).map(move |from| (from, to)));
        let new = popular.iter().take(count).map(|from| (*from, target));
        let changed = Links::from_arcs(links.num_nodes(), old.chain(new))?;
        instead.push(rank(&changed)?.scores[target.index()]);
    }
    Ok(instead)
}

/// Returns each suggestion with the rank that popular pages would give instead.
fn compared<'a>(
    advice: &'a Advice,
    instead: &'a [f64],
) -> impl Iterator<Item = (&'a Suggestion, f64)> {
    advice.suggestions.iter().zip(instead.iter().copied())
}

fn write_json(out: &mut impl Write, named: &Named, advice: &Advice, instead: &[f64]) -> Result<()> {
    let mut before = advice.before;
    for (suggestion, popular) in compared(advice, instead) {
        let line = json!({
            "node": named.name(suggestion.from)?,
            "score": suggestion.recomputed,
            "before": before,
            "predicted": suggestion.predicted,
            "recomputed": suggestion.recomputed,
            "from_popular": popular,
            "proven": suggestion.proven,
        });
        writeln!(out, "{line}")?;
        before = suggestion.recomputed;
    }
    Ok(())
}

fn table(named: &Named, advice: &Advice, instead: &[f64]) -> Result<Table> {
    let heads =
        ["link", "predicted", "recomputed", "times", "from popular", "best there is", "from"];
    let mut table = Table::new(heads);
    for (place, (suggestion, popular)) in compared(advice, instead).enumerate() {
        // A page that nothing leads to may have no rank at all, with jumps elsewhere.
        let times = match advice.before > 0.0 {
            true => format!("{:.2}", suggestion.recomputed / advice.before),
            false => "–".to_owned(),
        };
        table.push([
            (place + 1).to_string(),
            shown(suggestion.predicted),
            shown(suggestion.recomputed),
            times,
            shown(popular),
            if suggestion.proven { "yes" } else { "not proven" }.to_owned(),
            named.name(suggestion.from)?.into_owned(),
        ]);
    }
    Ok(table)
}
