//! `lookfar graph advise`: which new links would raise a page's rank most (G9).

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use ::graph::{Advice, Named, Node, advise};
use anyhow::Result;
use serde_json::json;

use super::from::FromArgs;
use super::table::{Table, printable, shown};
use super::walk::JumpArgs;
use crate::Done;

pub(super) const EXAMPLES: &str = "The first link is the best there is; each further one is the best after those before it. Predicted
is the rank by a closed form, recomputed the rank of the graph with the link in it.

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
    #[arg(short = 'k', default_value_t = 1, value_name = "K", help_heading = "How to rank")]
    k: usize,
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
    let advice = advise(named.links(), target, args.k, may_link, &args.jump.options())?;
    if advice.suggestions.is_empty() {
        drop(writeln!(std::io::stderr(), "no new link would raise its rank of {}", advice.before));
        return Ok(Done::Empty);
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.json {
        true => write_json(&mut out, &named, &advice)?,
        false => {
            writeln!(out, "{} has rank {}", printable(&args.node), shown(advice.before))?;
            write!(out, "{}", table(&named, &advice)?)?;
        }
    }
    out.flush()?;
    Ok(Done::Well)
}

fn write_json(out: &mut impl Write, named: &Named, advice: &Advice) -> Result<()> {
    let mut before = advice.before;
    for suggestion in &advice.suggestions {
        let line = json!({
            "node": named.name(suggestion.from)?,
            "score": suggestion.recomputed,
            "before": before,
            "predicted": suggestion.predicted,
            "recomputed": suggestion.recomputed,
            "proven": suggestion.proven,
        });
        writeln!(out, "{line}")?;
        before = suggestion.recomputed;
    }
    Ok(())
}

fn table(named: &Named, advice: &Advice) -> Result<Table> {
    let mut table =
        Table::new(["link", "predicted", "recomputed", "times", "best there is", "from"]);
    for (place, suggestion) in advice.suggestions.iter().enumerate() {
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
            if suggestion.proven { "yes" } else { "not proven" }.to_owned(),
            named.name(suggestion.from)?.into_owned(),
        ]);
    }
    Ok(table)
}
