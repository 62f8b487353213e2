//! `lookfar graph similar`: pages that are cited together with a page, or cite the same (G8, Q8).

use std::io::{BufWriter, Write};
use std::path::Path;

use ::graph::{Named, Node, Similar, SimilarOptions, similar};
use anyhow::Result;
use serde_json::json;

use super::from::FromArgs;
use super::owners::Owners;
use super::table::{ShowArgs, Table, nothing, printable, shown};
use crate::Done;

pub(super) const EXAMPLES: &str =
    "Two pages are alike if the same pages link to both (cocitation), or if both link to the same
pages (coupling). A list of ten links counts more than one of a thousand.

Examples:
  lookfar graph similar http://a.example/
  printf 'hub\\tA\\nhub\\tB\\nA\\tC\\nB\\tC\\n' > links.tsv
  lookfar graph similar A --graph links.tsv";

#[derive(clap::Args)]
pub(crate) struct SimilarArgs {
    /// The page: a URL of the collection, or a node's name.
    #[arg(value_name = "URL|NAME")]
    node: String,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(dir: &Path, args: &SimilarArgs) -> Result<Done> {
    let named = args.from.open(dir)?;
    let node = args.from.sets(dir, &named).node(&args.node)?;
    let most = args.show.most(named.links().num_nodes() as usize);
    let owners = Owners::read(&named)?;
    let voice_of = |node: Node| owners.voice(node);
    let options = SimilarOptions { most, ..Default::default() };
    let found = similar(named.links(), node, &options, Some(&voice_of))?;
    if found.is_empty() {
        return Ok(nothing());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.show.json {
        true => write_json(&mut out, &named, &found)?,
        false => write_table(&mut out, &named, &found)?,
    }
    out.flush()?;
    Ok(Done::Well)
}

fn names(named: &Named, nodes: &[Node]) -> Result<Vec<String>> {
    nodes.iter().map(|node| Ok(named.name(*node)?.into_owned())).collect()
}

fn write_json(out: &mut impl Write, named: &Named, found: &[Similar]) -> Result<()> {
    for similar in found {
        let line = json!({
            "node": named.name(similar.node)?,
            "score": similar.score,
            "cocitation": similar.cocitation,
            "coupling": similar.coupling,
            "linked_by": names(named, &similar.citers)?,
            "link_to": names(named, &similar.targets)?,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn write_table(out: &mut impl Write, named: &Named, found: &[Similar]) -> Result<()> {
    let mut table = Table::new(["place", "score", "cocitation", "coupling", "node"]);
    for (place, similar) in found.iter().enumerate() {
        let scores = [similar.score, similar.cocitation, similar.coupling].map(shown);
        let name = named.name(similar.node)?.into_owned();
        table.push([(place + 1).to_string()].into_iter().chain(scores).chain([name]));
    }
    write!(out, "{table}\nwhy:\n")?;
    for (place, similar) in found.iter().enumerate() {
        for (what, nodes) in
            [("both are linked by", &similar.citers), ("both link to", &similar.targets)]
        {
            if !nodes.is_empty() {
                let names = printable(&names(named, nodes)?.join(", "));
                writeln!(out, "{:>5}  {what} {names}", place + 1)?;
            }
        }
    }
    Ok(())
}
