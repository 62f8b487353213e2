//! `lookfar reparse`: the archive read again with the present parser (P1).

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use ::crawl::Crawler;
use anyhow::Result;
use base::Collection;
use indicatif::{HumanCount, HumanDuration};
use serde_json::json;

use crate::Done;
use crate::args::JsonArgs;
use crate::derive;
use crate::place::Place;
use crate::progress::{Of, showing};

pub(crate) fn run(dir: &Path, told: JsonArgs) -> Result<Done> {
    let begun = Instant::now();
    Collection::open(dir)?;
    let place = Place::open_without_seeds(dir)?;
    let options = place.config.crawl_options(&place.seeds)?;
    let reparsed = showing("read", Of::Items, |watch| {
        ::crawl::reparse(&place.collection, &options, &place.seeds, watch)
    })?;
    let crawler = Crawler::open(&place.collection, options)?;
    let num_docs = derive::read_on(&place, crawler, derive::From::Nothing)?;
    let mut out = std::io::stdout().lock();
    if told.json {
        let line = json!({
            "read": reparsed.read, "kept": reparsed.kept, "documents": num_docs,
            "seconds": begun.elapsed().as_secs_f64(),
        });
        writeln!(out, "{line}")?;
        return Ok(Done::Well);
    }
    writeln!(out, "read {} responses again", HumanCount(reparsed.read))?;
    if reparsed.kept > 0 {
        let kept = HumanCount(reparsed.kept);
        writeln!(out, "{kept} records kept as they were: their responses cannot be read")?;
    }
    writeln!(out, "{} documents can be found", HumanCount(num_docs))?;
    writeln!(out, "done in {}", HumanDuration(begun.elapsed()))?;
    Ok(Done::Well)
}
