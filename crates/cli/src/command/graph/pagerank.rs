//! `lookfar graph pagerank`: PageRank of any graph, step by step if asked (G2, W1 to W6).

use std::path::Path;

use ::graph::{PageRankOptions, Start, Teleport};
use anyhow::Result;

use super::from::FromArgs;
use super::sets::Sets;
use super::table::ShowArgs;
use super::walk::WalkArgs;
use crate::Done;

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph pagerank                                 the collection's pages, best first
  printf 'A\\tB\\nB\\tA\\nB\\tC\\n' > links.tsv
  lookfar graph pagerank --graph links.tsv --beta 0.8
  lookfar graph pagerank --graph links.tsv --iterations 2 --beta 1 --dead-ends stay
  lookfar graph pagerank --graph links.tsv --teleport A,C --start A=0.5,C=0.5 --log
  lookfar graph pagerank --graph cnr-2000 --all --json > ranks.jsonl";

#[derive(clap::Args)]
pub(crate) struct PagerankArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    walk: WalkArgs,
    /// Visitors jump only to these nodes: B,D, 'http://a.example/*', '?query', or a file with a
    /// name per line.
    #[arg(long, value_name = "NODES", help_heading = "How to rank")]
    teleport: Option<String>,
    /// Visitors begin at these nodes: A, or B=0.5,D=0.5; otherwise anywhere.
    #[arg(long, value_name = "NODES", help_heading = "How to rank")]
    start: Option<String>,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(dir: &Path, args: &PagerankArgs) -> Result<Done> {
    let mut named = args.from.open(dir)?;
    if args.show.all {
        named.hold_names()?;
    }
    let options = options(args, &args.from.sets(dir, &named))?;
    args.walk.begin_log()?;
    let (ranks, rest) = args.walk.rank("PageRank", named.links().in_links(), &options)?;
    let done = args.show.print(&named, "score", &ranks.scores, &[])?;
    Ok(rest.done(done))
}

fn options(args: &PagerankArgs, sets: &Sets<'_>) -> Result<PageRankOptions> {
    let mut options = args.walk.options();
    if let Some(text) = &args.teleport {
        options.teleport = Teleport::Nodes(sets.nodes(text)?);
    }
    if let Some(text) = &args.start {
        let mut vector = vec![0.0; sets.named.links().num_nodes() as usize];
        for (node, weight) in sets.weights(text)? {
            vector[node.index()] += weight;
        }
        options.start = Start::Vector(vector);
    }
    Ok(options)
}
