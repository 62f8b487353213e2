//! `lookfar graph pagerank`: PageRank of any graph, step by step if asked (G2, W1 to W6).

use std::io::Write;
use std::path::Path;

use ::graph::{
    Graph, Named, Packed, PageRankOptions, Precision, Ranks, Start, Teleport, pagerank_with,
};
use anyhow::{Context, Result};
use base::Collection;
use indicatif::HumanBytes;

use super::from::{FromArgs, LevelArgs, folder, hold_names, watched};
use super::sets::Sets;
use super::table::{Column, Listed, ShowArgs};
use super::walk::{Rest, WalkArgs, Watch};
use crate::Done;
use crate::config::{Config, Size};

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph pagerank                                 the collection's pages, best first
  lookfar graph pagerank --hosts                         its hosts; --sites: its web sites
  printf 'A\\tB\\nB\\tA\\nB\\tC\\n' > links.tsv
  lookfar graph pagerank --graph links.tsv --beta 0.8
  lookfar graph pagerank --graph links.tsv --iterations 2 --beta 1 --dead-ends stay
  lookfar graph pagerank --graph links.tsv --teleport A,C --start A=0.5,C=0.5 --log
  lookfar graph pagerank --graph cnr-2000 --precision 32 --tolerance 1e-6
  lookfar graph pagerank --graph cnr-2000 --all --json > ranks.jsonl";

#[derive(clap::Args)]
pub(crate) struct PagerankArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    walk: WalkArgs,
    /// Visitors jump only to these nodes: B,D, 'http://a.example/*', '?query', or a file with a
    /// name per line.
    #[arg(long, value_name = "NODES", help_heading = "How to rank")]
    teleport: Option<String>,
    /// Visitors begin at these nodes: A, or B=0.5,D=0.5; otherwise anywhere.
    #[arg(long, value_name = "NODES", help_heading = "How to rank")]
    start: Option<String>,
    /// Holds about so much of a collection's graph, such as 64MiB; reads the rest from disk in every
    /// step. Otherwise what `[graph] memory` in lookfar.toml says.
    #[arg(long, value_name = "SIZE", help_heading = "How to rank", conflicts_with_all = ["graph", "hosts", "sites"])]
    memory: Option<Size>,
    /// Bits of what a link carries. With 32, large graphs take less memory and time, and ranks are
    /// off by some 1e-7 of their size: choose a --tolerance of 1e-6 or so.
    #[arg(
        long,
        value_enum,
        default_value = "64",
        value_name = "BITS",
        help_heading = "How to rank"
    )]
    precision: PrecisionArg,
    #[command(flatten)]
    show: ShowArgs,
}

/// Bits of what a link carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PrecisionArg {
    #[value(name = "64")]
    Double,
    #[value(name = "32")]
    Single,
}

pub(crate) fn run(dir: &Path, args: &PagerankArgs) -> Result<Done> {
    let is_pages = args.from.collection(dir).is_some() && args.level.level().is_none();
    let mut named = match is_pages {
        true => Named::names_of(Graph::open(&folder(&Collection::open(dir)?)?)?)?,
        false => args.from.open_at(&args.level, dir)?,
    };
    if args.show.all {
        hold_names(&mut named)?;
    }
    let unsaid = args.from.ranking(dir)?;
    let options = options(args, &args.from.sets(dir, &named), &unsaid)?;
    args.walk.begin_log()?;
    let (ranks, rest) = match is_pages {
        true => rank_pages(dir, args, &named, &options)?,
        false => {
            let links = named.take_in_links();
            let rank = |watch: Watch<'_>| match Packed::new(&links) {
                Some(packed) => {
                    // From here on names and what is packed are all that is held.
                    drop(links);
                    packed.pagerank_with(&options, watch)
                }
                None => pagerank_with(&links, &options, watch),
            };
            args.walk.rank("PageRank", &options, rank)?
        }
    };
    let done = match args.level.level() {
        Some(_) => {
            let columns = [Column::new("score", ranks.scores)];
            args.show.list(Listed::Groups(&named, args.level.one()), &columns)?
        }
        None => args.show.print(&named, "score", &ranks.scores, &[])?,
    };
    Ok(rest.done(done))
}

/// Ranks the pages of a collection with the links that count for its search.
fn rank_pages(
    dir: &Path,
    args: &PagerankArgs,
    named: &Named,
    options: &PageRankOptions,
) -> Result<(Ranks, Rest)> {
    let graph = named.stored().context("the graph is not a collection's")?;
    let collection = Collection::open(dir)?;
    let mut analyse = Config::read(&collection.config())?.analyse_options(collection.root())?;
    if let Some(Size(memory)) = args.memory {
        analyse.memory = memory;
    }
    let votes = watched(|watch| analyse.votes(graph, watch))?;
    if votes.is_on_disk() {
        let needed = HumanBytes(graph.memory_to_rank(&analyse.counted));
        let limit = HumanBytes(analyse.memory);
        drop(writeln!(
            std::io::stderr(),
            "PageRank: links and ranks take {needed}, the limit is {limit}: links are read from disk"
        ));
    }
    args.walk.rank("PageRank", options, |watch| votes.pagerank_with(options, watch))
}

fn options(
    args: &PagerankArgs,
    sets: &Sets<'_>,
    unsaid: &PageRankOptions,
) -> Result<PageRankOptions> {
    let mut options = args.walk.options(unsaid);
    options.precision = match args.precision {
        PrecisionArg::Double => Precision::Double,
        PrecisionArg::Single => Precision::Single,
    };
    if let Some(text) = &args.teleport {
        options.teleport = Teleport::Nodes(sets.nodes(text)?);
    }
    if let Some(text) = &args.start {
        let mut vector = vec![0.0; sets.named.num_nodes() as usize];
        for (node, weight) in sets.weights(text)? {
            vector[node.index()] += weight;
        }
        options.start = Start::Vector(vector);
    }
    Ok(options)
}
