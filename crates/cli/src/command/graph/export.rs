//! `lookfar graph export`: the graph as text that any program reads.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use super::from::FromArgs;
use crate::Done;

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph export > links.tsv
  lookfar graph export --graph cnr-2000 | head";

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    from: FromArgs,
}

pub(crate) fn run(dir: &Path, args: &ExportArgs) -> Result<Done> {
    let mut named = args.from.open(dir)?;
    named.hold_names()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    named.write_arcs(&mut out)?;
    out.flush()?;
    Ok(if named.links().num_nodes() == 0 { Done::Empty } else { Done::Well })
}
