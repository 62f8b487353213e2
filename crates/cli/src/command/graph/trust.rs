//! `lookfar graph trust`: trust from pages that people have checked, pages worth a check, and
//! spam mass (G4).

use std::ops::ControlFlow;
use std::path::Path;

use ::graph::{
    MassOptions, Named, Node, PageMass, PageRankOptions, Teleport, host_masses, spam_mass_with,
    suggest_seeds,
};
use anyhow::Result;

use super::from::{FromArgs, hold_names};
use super::owners::Owners;
use super::table::{Column, Listed, ShowArgs};
use super::walk::{WalkArgs, Watch, with_progress};
use crate::Done;
use crate::progress::{Of, Progress};

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph trust --suggest 20                     which pages to check first
  lookfar graph trust --seeds @checked.txt             trust of the rest, best first
  lookfar graph trust --seeds @checked.txt --hosts     the same by host
  lookfar graph trust --seeds @checked.txt --mass      rank that checked pages do not explain
  printf 'A\\tB\\nB\\tA\\nC\\tD\\nD\\tC\\n' > links.tsv
  lookfar graph trust --graph links.tsv --seeds A --mass --good-share 0.5";

#[derive(clap::Args)]
pub(crate) struct TrustArgs {
    #[command(flatten)]
    from: FromArgs,
    /// Pages that people have checked: B,D, 'http://a.example/*', '?query', or a file with a name
    /// per line.
    #[arg(
        long,
        value_name = "NODES",
        required_unless_present = "suggest",
        help_heading = "How to rank"
    )]
    seeds: Option<String>,
    /// Names N pages whose check would spread trust furthest, by PageRank with all links turned.
    #[arg(long, value_name = "N", conflicts_with_all = ["seeds", "mass", "hosts"],
          help_heading = "How to rank")]
    suggest: Option<usize>,
    /// Shows spam mass instead: the part of a rank that good pages do not explain, most first.
    #[arg(long, help_heading = "How to rank")]
    mass: bool,
    /// Share of all pages that are good, of which the seeds are a sample; otherwise 0.85.
    #[arg(
        long,
        value_name = "G",
        requires = "mass",
        allow_hyphen_values = true,
        help_heading = "How to rank"
    )]
    good_share: Option<f64>,
    #[command(flatten)]
    walk: WalkArgs,
    /// Adds up by host.
    #[arg(long, help_heading = "What to show")]
    hosts: bool,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(dir: &Path, args: &TrustArgs) -> Result<Done> {
    let mut named = args.from.open_counted(dir)?;
    if args.show.all {
        hold_names(&mut named)?;
    }
    let options = args.walk.options(&args.from.ranking(dir)?);
    if let Some(count) = args.suggest {
        return suggest(args, &named, count, &options);
    }
    let seeds = args.seeds.as_deref().unwrap_or_default();
    let seeds = args.from.sets(dir, &named).nodes(seeds)?;
    let owners = if args.hosts { Some(Owners::read(&named)?) } else { None };
    match args.mass {
        true => mass(args, &named, owners.as_ref(), &seeds, options),
        false => trust(args, &mut named, owners.as_ref(), seeds, &options),
    }
}

fn trust(
    args: &TrustArgs,
    named: &mut Named,
    owners: Option<&Owners>,
    seeds: Vec<Node>,
    options: &PageRankOptions,
) -> Result<Done> {
    let teleports = [Teleport::Nodes(seeds), Teleport::Uniform];
    let names = ["trust", "PageRank"];
    let (ranks, rest) = args.walk.rank_all(&names, named.take_in_links(), &teleports, options)?;
    let column = |(name, ranks): (&str, ::graph::Ranks)| match owners {
        Some(owners) => Column::new(name, owners.sums(&ranks.scores)),
        None => Column::new(name, ranks.scores),
    };
    let columns: Vec<Column> = ["trust", "pagerank"].into_iter().zip(ranks).map(column).collect();
    Ok(rest.done(args.show.list(listed(named, owners), &columns)?))
}

fn mass(
    args: &TrustArgs,
    named: &Named,
    owners: Option<&Owners>,
    seeds: &[Node],
    pagerank: PageRankOptions,
) -> Result<Done> {
    let mut options = MassOptions { pagerank, ..MassOptions::default() };
    options.good_share = args.good_share.unwrap_or(options.good_share);
    args.walk.begin_log()?;
    let links = named.links().in_links();
    let mut progress =
        Progress::new("ranking, step", Of::Items, options.pagerank.max_iterations.into());
    let mass = spam_mass_with(links, seeds, &options, |number| {
        progress.show(number.into());
        ControlFlow::Continue(())
    });
    progress.finish();
    let mass = mass?;
    let rest = args.walk.tell(&mass.walks, &options.pagerank)?;
    let by_host = match owners {
        Some(owners) => Some(host_masses(&mass, owners.host_of())?),
        None => None,
    };
    let masses = by_host.as_ref().unwrap_or(&mass.pages);
    let column = |name: &str, value: fn(&PageMass) -> f64| {
        Column::new(name, masses.iter().map(value).collect())
    };
    let columns = [
        column("mass", PageMass::absolute),
        column("relative", PageMass::relative),
        column("pagerank", |mass| mass.rank),
        column("from good", |mass| mass.good),
    ];
    let done = args.show.list(listed(named, owners), &columns)?;
    Ok(rest.done(done))
}

fn listed<'a>(named: &'a Named, owners: Option<&'a Owners>) -> Listed<'a> {
    owners.map_or(Listed::Nodes(named), Listed::Hosts)
}

fn suggest(
    args: &TrustArgs,
    named: &Named,
    count: usize,
    options: &PageRankOptions,
) -> Result<Done> {
    let rank = |watch: Watch<'_>| suggest_seeds(named.links(), count, options, watch);
    args.walk.begin_log()?;
    let (seeds, walk) = with_progress(options, rank)?;
    let rest = args.walk.tell(&[walk], options)?;
    Ok(rest.done(args.show.pairs(named, "inverse pagerank", &seeds)?))
}
