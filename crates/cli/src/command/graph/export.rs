//! `lookfar graph export`: the graph as text that any program reads.

use std::io::{BufWriter, Write};
use std::path::Path;

use ::graph::Named;
use anyhow::Result;
use serde_json::json;

use super::from::{FromArgs, LevelArgs};
use crate::Done;

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
    named.hold_names()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.json {
        true => write_json(&named, &mut out)?,
        false => named.write_arcs(&mut out)?,
    }
    out.flush()?;
    Ok(if named.links().num_nodes() == 0 { Done::Empty } else { Done::Well })
}

/// Writes what [`Named::write_arcs`] does, whatever names hold.
fn write_json(named: &Named, out: &mut impl Write) -> Result<()> {
    let links = named.links();
    for from in links.nodes() {
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
