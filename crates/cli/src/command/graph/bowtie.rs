//! `lookfar graph bowtie`: what a web looks like from afar (G6).

use std::fs;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ::graph::{
    BowTie, Degrees, Links, Part, Reach, ReachOptions, bow_tie, draw_bow_tie, draw_degrees,
    reach_with,
};
use anyhow::{Context, Result};
use indicatif::HumanCount;
use serde_json::json;

use super::from::{FromArgs, LevelArgs};
use super::table::{Table, nothing};
use crate::Done;
use crate::progress::{Of, Progress};

pub(super) const EXAMPLES: &str = "The parts: the core is the largest set of pages of which each reaches each. Pages of `in` reach
it, pages of `out` are reached from it. Tendrils hang on one of these, tubes lead from `in` to
`out` past the core, islands know none of it.

Examples:
  lookfar graph bowtie --svg bowtie.svg                the collection, and a picture of it
  lookfar graph bowtie --hosts                         its hosts instead of its pages; --sites
  lookfar graph bowtie --degrees degrees.svg           how many pages have how many links
  lookfar graph bowtie --graph cnr-2000 --sample 100   and how far links lead
  printf 'I\\tA\\nA\\tB\\nB\\tA\\nB\\tO\\n' > links.tsv
  lookfar graph bowtie --graph links.tsv               in: I; core: A, B; out: O";

#[derive(clap::Args)]
pub(crate) struct BowtieArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// Draws the bow-tie as SVG.
    #[arg(long, value_name = "FILE", help_heading = "What to show")]
    svg: Option<PathBuf>,
    /// Draws how many nodes have how many links as SVG, on logarithmic axes.
    #[arg(long, value_name = "FILE", help_heading = "What to show")]
    degrees: Option<PathBuf>,
    /// Measures how far links lead, from N nodes drawn by chance: a search each, both ways.
    #[arg(long, value_name = "N", help_heading = "What to show")]
    sample: Option<usize>,
    /// One JSON object per line: the parts, the degrees, the reach.
    #[arg(long, help_heading = "What to show")]
    json: bool,
}

/// What was found.
struct Found {
    bow_tie: BowTie,
    into: Degrees,
    out: Degrees,
    reach: Option<Reach>,
}

pub(crate) fn run(dir: &Path, args: &BowtieArgs) -> Result<Done> {
    let named = args.from.open_at(&args.level, dir)?;
    let links = named.links();
    if links.num_nodes() == 0 {
        return Ok(nothing());
    }
    let found = Found {
        bow_tie: bow_tie(links),
        into: Degrees::of(links.nodes(), |node| links.in_degree(node)),
        out: Degrees::of(links.nodes(), |node| links.out_degree(node)),
        reach: args.sample.map(|sample| measure(links, sample)).transpose()?,
    };
    let noun = args.level.noun(&named);
    if let Some(path) = &args.svg {
        draw(path, &draw_bow_tie(&found.bow_tie, "The bow-tie", noun))?;
    }
    if let Some(path) = &args.degrees {
        draw(path, &draw_degrees(&found.into, &found.out, "Links per node", noun))?;
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.json {
        true => found.write_json(&mut out)?,
        false => write!(out, "{}", found.text(noun))?,
    }
    out.flush()?;
    Ok(Done::Well)
}

fn draw(path: &Path, svg: &str) -> Result<()> {
    fs::write(path, svg).with_context(|| format!("cannot write `{}`", path.display()))
}

fn measure(links: &Links, sample: usize) -> Result<Reach> {
    let options = ReachOptions { sample, ..ReachOptions::default() };
    let total = 2 * sample.min(links.num_nodes() as usize) as u64;
    let progress = Mutex::new(Progress::new("followed links, search", Of::Items, total));
    let reach = reach_with(links, &options, |done| {
        progress.lock().unwrap_or_else(PoisonError::into_inner).show(done as u64);
        ControlFlow::Continue(())
    });
    progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    Ok(reach?)
}

impl Found {
    fn write_json(&self, out: &mut impl Write) -> Result<()> {
        for part in Part::ALL {
            let (nodes, share) = (self.bow_tie.count(part), self.bow_tie.share(part));
            writeln!(out, "{}", json!({ "part": part.name(), "nodes": nodes, "share": share }))?;
        }
        let (nodes, components) = (self.bow_tie.num_nodes(), self.bow_tie.num_components());
        writeln!(out, "{}", json!({ "nodes": nodes, "strong_components": components }))?;
        for (name, degrees) in [("in", &self.into), ("out", &self.out)] {
            writeln!(
                out,
                "{}",
                json!({
                    "degrees": name,
                    "mean": degrees.mean,
                    "max": degrees.max,
                    "without": degrees.num_without(),
                    "power_law": degrees.power_law,
                    "counts": degrees.counts,
                })
            )?;
        }
        if let Some(reach) = &self.reach {
            writeln!(out, "{}", json!({ "reach": reach }))?;
        }
        Ok(())
    }

    fn text(&self, noun: &str) -> String {
        let mut table = Table::new(["part", noun, "share"]);
        for part in Part::ALL {
            let count = HumanCount(self.bow_tie.count(part)).to_string();
            let share = format!("{:.1} %", 100.0 * self.bow_tie.share(part));
            table.push([part.name().to_owned(), count, share]);
        }
        let total = HumanCount(self.bow_tie.num_nodes());
        let components = HumanCount(self.bow_tie.num_components());
        let mut text =
            format!("{table}\n{total} {noun} in {components} strongly connected components\n");
        for (name, degrees) in [("in-links", &self.into), ("out-links", &self.out)] {
            text += &told(name, degrees);
        }
        if let Some(reach) = &self.reach {
            text += &led(reach);
        }
        text
    }
}

/// Says in words how links are spread.
fn told(name: &str, degrees: &Degrees) -> String {
    let law = match &degrees.power_law {
        None => "no power law to be seen".to_owned(),
        Some(law) => format!(
            "as x^-{:.2} ± {:.2} from {} links on (distance {:.3})",
            law.alpha,
            law.error,
            HumanCount(law.x_min.into()),
            law.distance,
        ),
    };
    let (mean, max) = (degrees.mean, HumanCount(degrees.max.into()));
    let without = HumanCount(degrees.num_without());
    format!("{name}: {mean:.2} on average, {max} at most, none at {without}; {law}\n")
}

/// Says in words how far links lead.
fn led(reach: &Reach) -> String {
    let percent = |estimate: &::graph::Estimate| {
        format!("{:.1} ± {:.1} %", 100.0 * estimate.value, 100.0 * estimate.error)
    };
    let (mean, most) = (&reach.mean_distance, &reach.effective_diameter);
    format!(
        "reach: a node leads to {} of all and is led to from {}\n\
         distances: {:.2} ± {:.2} on average, nine in ten within {:.2} ± {:.2}\n",
        percent(&reach.forward),
        percent(&reach.back),
        mean.value,
        mean.error,
        most.value,
        most.error,
    )
}
