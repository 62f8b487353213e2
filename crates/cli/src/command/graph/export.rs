//! `lookfar graph export`: the graph as text that any program reads.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

use ::graph::{Named, NodeWatch};
use anyhow::Result;
use serde_json::json;

use super::from::{FromArgs, LevelArgs, hold_names};
use crate::Done;
use crate::progress::{Of, showing};

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph export > links.tsv
  lookfar graph export --hosts --json
  lookfar graph export --graph cnr-2000 | head";

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// One JSON object per line: from, to; a node without any arc is a node.
    #[arg(long, help_heading = "What to show")]
    json: bool,
}

pub(crate) fn run(dir: &Path, args: &ExportArgs) -> Result<Done> {
    let mut named = args.from.open_at(&args.level, dir)?;
    hold_names(&mut named)?;
    match std::io::stdout().is_terminal() {
        // The arcs themselves show it there, and would run into the line.
        true => write(&named, args.json, &mut |_, _| ())?,
        false => showing("exported nodes", Of::Items, |watch| write(&named, args.json, watch))?,
    }
    Ok(if named.links().num_nodes() == 0 { Done::Empty } else { Done::Well })
}

fn write(named: &Named, json: bool, watch: NodeWatch<'_>) -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match json {
        true => write_json(named, &mut out, watch)?,
        false => named.write_arcs(&mut out, watch)?,
    }
    Ok(out.flush()?)
}

/// Writes what [`Named::write_arcs`] does, whatever names hold.
fn write_json(named: &Named, out: &mut impl Write, watch: NodeWatch<'_>) -> Result<()> {
    let links = named.links();
    let total = u64::from(links.num_nodes());
    for (number, from) in (0..).zip(links.nodes()) {
        watch(number, total);
        let name = named.name(from)?;
        if links.out_degree(from) == 0 && links.in_degree(from) == 0 {
            writeln!(out, "{}", json!({ "node": name }))?;
        }
        for to in links.successors(from) {
            writeln!(out, "{}", json!({ "from": name, "to": named.name(to)? }))?;
        }
    }
    Ok(())
}
