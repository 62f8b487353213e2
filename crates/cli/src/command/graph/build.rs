//! `lookfar graph build`: a new generation, by the same way as the analysis beside a crawl.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use ::crawl::Crawler;
use ::graph::{Stage, Summary};
use anyhow::Result;
use base::Collection;
use index::anchors::Step;
use indicatif::{HumanCount, HumanDuration};
use serde_json::json;

use crate::Done;
use crate::analyst::{Analyst, Building, When};
use crate::place::Place;
use crate::progress::{Of, Progress, Steps};

#[derive(clap::Args)]
pub(crate) struct BuildArgs {
    /// Also if nothing has come to the page log since the last one.
    #[arg(long)]
    again: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(dir: &Path, args: &BuildArgs) -> Result<Done> {
    let begun = Instant::now();
    // Without a collection this makes none.
    Collection::open(dir)?;
    let place = Place::open_without_seeds(dir)?;
    let crawler = Crawler::open(&place.collection, place.config.crawl_options(&place.seeds)?)?;
    let analyst = Analyst::once(&place.collection, &crawler)?;
    drop(crawler);
    let mut shown = Shown::default();
    let when = if args.again { When::Always } else { When::Behind };
    let built = analyst.build(when, &mut |now| shown.show(now))?;
    shown.finish();
    tell(&place.collection, args.json, built.as_ref(), begun)?;
    Ok(Done::Well)
}

fn tell(
    collection: &Collection,
    json: bool,
    built: Option<&Summary>,
    begun: Instant,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let Some(generation) = collection.generation()? else {
        return Ok(writeln!(out, "there are no pages to make a graph of")?);
    };
    let (is_new, summary) = match built {
        Some(summary) => (true, *summary),
        None => (false, ::graph::read_summary(&collection.graph(generation))?),
    };
    let Summary { num_nodes, num_arcs, num_pages, forward_bits, .. } = summary;
    let bits = forward_bits as f64 / num_arcs.max(1) as f64;
    if json {
        let line = json!({
            "generation": generation.0, "new": is_new, "nodes": num_nodes, "pages": num_pages,
            "arcs": num_arcs, "bits_per_link": bits,
        });
        return Ok(writeln!(out, "{line}")?);
    }
    let (nodes, arcs) = (HumanCount(num_nodes.into()), HumanCount(num_arcs));
    let pages = HumanCount(num_pages);
    let held = format!("{nodes} nodes ({pages} fetched), {arcs} arcs, {bits:.2} bits per link");
    let took = HumanDuration(begun.elapsed());
    match is_new {
        true => writeln!(out, "generation {}: {held}, in {took}", generation.0)?,
        false => writeln!(out, "generation {} is of all pages: {held}", generation.0)?,
    }
    Ok(())
}

/// The stage that is being shown.
#[derive(Default)]
pub(crate) struct Shown(Steps<Part>);

/// A part of the making of a generation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Links(Stage),
    Anchors(Step),
}

impl Shown {
    /// Shows how far a generation is, each stage on a line of its own.
    pub(crate) fn show(&mut self, now: Building) {
        match now {
            Building::Links(now) => self.show_links(now),
            Building::Anchors { step, done, total } => {
                let begin = || Progress::new(read_for(step), Of::Bytes, total);
                self.0.show(Part::Anchors(step), done, begin);
            }
        }
    }

    /// As [`Self::show`], of graph and scores alone.
    pub(crate) fn show_links(&mut self, now: ::graph::Progress) {
        // How many records and links there are is not known before the end.
        let begin = || match now.total {
            Some(total) => Progress::new(said(now.stage), Of::Items, total),
            None => Progress::counting(said(now.stage), Of::Items),
        };
        self.0.show(Part::Links(now.stage), now.done, begin);
    }

    /// Takes the line away.
    pub(crate) fn finish(self) {
        self.0.finish();
    }
}

fn read_for(step: Step) -> &'static str {
    match step {
        Step::Survey => "looked for anchor texts, read",
        Step::Gather => "gathered anchor texts, read",
    }
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "read records",
        Stage::Number => "numbered URLs",
        Stage::Join => "joined links",
        Stage::Compress => "compressed lists",
        Stage::Sites => "grouped into sites",
        Stage::Levels => "linked hosts and sites",
        Stage::Rank => "ranked, step",
    }
}
