//! `lookfar graph hits`: hubs and authorities around the answers to a query (G5).

use std::io::{BufWriter, Write};
use std::path::Path;

use ::graph::{
    BaseSet, BaseSetOptions, HitsOptions, HubsAndAuthorities, Links, Named, Node, hits, salsa,
};
use anyhow::{Result, bail};
use indicatif::HumanCount;
use serde_json::json;

use super::from::FromArgs;
use super::owners::Owners;
use super::table::{ShowArgs, Table, nothing, shown};
use crate::Done;

pub(super) const EXAMPLES: &str = "A good hub links to good authorities, and a good authority is linked to by good hubs. Roots are
the answers to the query, best first; around them come pages they link to and pages that link to
them, with a cap on each. Roots are marked with *. Links within a site do not count. Of links
between sites those to answers count, and of several from one registered domain to the same answer
one.

Examples:
  lookfar graph hits jaguar
  lookfar graph hits jaguar --salsa                       the steadier cousin
  lookfar graph hits jaguar --hosts                       hosts in place of pages
  lookfar graph hits jaguar --plain                       as in the books: see it drift
  printf 'H\\tA\\nH\\tB\\nG\\tA\\n' > links.tsv
  lookfar graph hits --roots H --graph links.tsv
  lookfar graph hits --roots '*' --graph links.tsv        the whole graph";

#[derive(clap::Args)]
pub(crate) struct HitsArgs {
    /// What to search for in the collection.
    #[arg(value_name = "QUERY", required_unless_present = "roots")]
    query: Option<String>,
    #[command(flatten)]
    from: FromArgs,
    /// These nodes as roots: B,D, 'http://a.example/*', or a file with a name per line.
    #[arg(long, value_name = "NODES", conflicts_with = "query", help_heading = "How to rank")]
    roots: Option<String>,
    /// Most roots, best first; otherwise 50 answers to a query, or all that --roots names.
    #[arg(long, value_name = "N", help_heading = "How to rank")]
    max_roots: Option<usize>,
    /// Most neighbours that a root adds on each side.
    #[arg(long, default_value_t = BaseSetOptions::default().max_neighbours, value_name = "N",
          help_heading = "How to rank")]
    max_neighbours: usize,
    /// Most nodes besides the roots.
    #[arg(long, default_value_t = BaseSetOptions::default().max_nodes, value_name = "N",
          help_heading = "How to rank")]
    max_nodes: usize,
    /// Counts all links between sites of the base set of a query, as in Kleinberg's paper;
    /// otherwise only those to answers, and one per registered domain and answer.
    #[arg(long, conflicts_with = "roots", help_heading = "How to rank")]
    plain: bool,
    /// Ranks by SALSA: a visitor who goes back and forth over links, so that a tightly knit group
    /// does not take all.
    #[arg(long, help_heading = "How to rank")]
    salsa: bool,
    /// Ranks hosts in place of pages: the roots' hosts, and the hosts around them.
    #[arg(long, help_heading = "What to show")]
    hosts: bool,
    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(dir: &Path, args: &HitsArgs) -> Result<Done> {
    let mut named = args.from.open(dir)?;
    let mut roots = roots(dir, args, &named)?;
    let mut owners = Owners::read(&named)?;
    if args.hosts {
        roots = owners.hosts_of(&roots);
        named = owners.host_graph(named.links())?;
        owners = Owners::read(&named)?;
    }
    let defaults = BaseSetOptions::default();
    let max_roots = args.max_roots.unwrap_or(match args.query {
        Some(_) => BaseSet::QUERY_ROOTS,
        None => roots.len(),
    });
    let options = BaseSetOptions {
        max_roots,
        max_neighbours: args.max_neighbours,
        max_nodes: args.max_nodes.saturating_add(max_roots.min(roots.len())),
        ..defaults
    };
    let is_same_site = |one: Node, other: Node| owners.site(one) == owners.site(other);
    let base = BaseSet::new(named.links(), &roots, &options, is_same_site)?;
    let on_topic = match args.query.is_some() && !args.plain {
        true => Some(base.on_topic(|node| owners.voice(node))?),
        false => None,
    };
    let links = on_topic.as_ref().unwrap_or(base.links());
    let found = match args.salsa {
        true => salsa(links),
        false => hits(links, &HitsOptions::default())?,
    };
    tell(&base, links, &found, max_roots.min(roots.len()));
    let done = print(args, &named, &base, &found)?;
    Ok(if found.converged { done } else { Done::Empty })
}

fn roots(dir: &Path, args: &HitsArgs, named: &Named) -> Result<Vec<Node>> {
    let sets = args.from.sets(dir, named);
    match (&args.query, &args.roots) {
        (Some(query), _) => sets.answers(query),
        (None, Some(roots)) => sets.nodes(roots),
        (None, None) => bail!("there is neither a query nor --roots"),
    }
}

/// Says on stderr what was ranked and how it ended.
fn tell(base: &BaseSet, links: &Links, found: &HubsAndAuthorities, num_roots: usize) {
    let (nodes, arcs) = (HumanCount(base.nodes().len() as u64), HumanCount(links.num_arcs()));
    let ended = match (found.log.last(), found.converged) {
        (None, _) => String::new(),
        (Some(last), true) => format!("; converged after {} steps", last.number),
        (Some(last), false) => {
            format!("; not converged after {} steps, try --salsa", last.number)
        }
    };
    let roots = HumanCount(num_roots as u64);
    let noun = if num_roots == 1 { "root" } else { "roots" };
    drop(writeln!(
        std::io::stderr(),
        "base set: {roots} {noun}, {nodes} nodes, {arcs} links that count{ended}"
    ));
}

fn print(
    args: &HitsArgs,
    named: &Named,
    base: &BaseSet,
    found: &HubsAndAuthorities,
) -> Result<Done> {
    let most = args.show.most(base.nodes().len());
    let authorities = base.best(&found.authorities, most);
    let hubs = base.best(&found.hubs, most);
    if authorities.is_empty() {
        return Ok(nothing());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    if args.show.json {
        for (kind, best) in [("authority", &authorities), ("hub", &hubs)] {
            for (node, score) in best {
                let (name, is_root) = (named.name(*node)?, base.is_root(*node));
                let line = json!({ "node": name, "score": score, "as": kind, "root": is_root });
                writeln!(out, "{line}")?;
            }
        }
        out.flush()?;
        return Ok(Done::Well);
    }
    let cells = |best: &[(Node, f64)], place: usize| -> Result<[String; 2]> {
        let Some((node, score)) = best.get(place) else {
            return Ok([String::new(), String::new()]);
        };
        let mark = if base.is_root(*node) { "*" } else { " " };
        Ok([shown(*score), format!("{mark}{}", named.name(*node)?)])
    };
    let mut table = Table::new(["place", "authority", " node", "hub", " node"]);
    for place in 0..authorities.len().max(hubs.len()) {
        let both = [cells(&authorities, place)?, cells(&hubs, place)?];
        table.push([(place + 1).to_string()].into_iter().chain(both.into_iter().flatten()));
    }
    write!(out, "{table}")?;
    out.flush()?;
    Ok(Done::Well)
}
