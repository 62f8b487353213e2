//! `lookfar crawl`: crawl, index and rank, without a page.

use std::path::Path;

use ::crawl::Ending;
use anyhow::Result;

use crate::Done;
use crate::args::CrawlArgs;
use crate::engine::{self, Job};
use crate::place::{DEFAULT, Place, parse_seeds, refuse_unreachable};

pub(crate) fn run(dir: &Path, args: &CrawlArgs) -> Result<Done> {
    let seeds = parse_seeds(&args.seeds)?;
    let place = Place::open(dir, &seeds, DEFAULT, &args.limits, refuse_unreachable)?;
    let ending = if args.until_idle { Ending::Idle } else { Ending::Stop };
    let referrers = args.sources.referrers.clone();
    engine::run(place, Job { ending, page: None, referrers, json: args.json })?;
    Ok(Done::Well)
}
