//! `lookfar forget`: takes pages out of everything and keeps them out (C18).

use std::io::Write;
use std::path::Path;

use ::crawl::{Crawler, ForgetStep, Forgetting, Forgotten, Target};
use anyhow::{Context, Result};
use base::Collection;
use base::file::size_below;
use base::log::bytes_before;
use indicatif::HumanCount;

use crate::Done;
use crate::analyst::Analyst;
use crate::args::ForgetArgs;
use crate::command::graph::Shown;
use crate::config::Config;
use crate::control::{self, Gone, Request};
use crate::place::options_of;
use crate::progress::{Of, Progress, Steps};

pub(crate) fn run(dir: &Path, args: &ForgetArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let text = &args.target;
    // A target that makes no sense is refused before anybody is asked.
    let target: Target = text.parse().with_context(|| format!("cannot forget `{text}`"))?;
    let request = Request::Forget { target: target.to_string() };
    let gone = control::ask(&collection, &request, || alone(&collection, &target))?;
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&gone)?)?,
        false => write!(out, "{}", told(&gone))?,
    }
    Ok(Done::Well)
}

/// Nobody crawls: does it, and lets index, graph and anchors read on.
///
/// The caller holds the collection's lock.
pub(crate) fn alone(collection: &Collection, target: &Target) -> Result<Gone> {
    let mut crawler = Crawler::open(collection, options_of(collection)?)?;
    let forgotten = forget(&mut crawler, target)?;
    let analyst = Analyst::once(collection, &crawler)?;
    drop(crawler);
    // Without an index nothing can be found, and the first one will not hold it.
    if collection.index().exists() {
        index_on(collection)?;
        let mut shown = Shown::default();
        let renewed = analyst.renew(&mut |now| shown.show(now));
        shown.finish();
        renewed.context("its words for other pages stay until the next crawl")?;
    }
    Ok(Gone::new(target, forgotten))
}

/// Takes it out of page log, archive and queues.
fn forget(crawler: &mut Crawler, target: &Target) -> Result<Forgotten> {
    let mut steps = Steps::default();
    let forgotten = crawler.forget(target, &mut |now| {
        let Forgetting { step, done, total } = now;
        steps.show(step, done, || match step {
            ForgetStep::Log => Progress::new("read of the page log", Of::Bytes, total),
            ForgetStep::Archive => Progress::new("read of the archive's indexes", Of::Bytes, total),
            ForgetStep::TakeOut => Progress::new("took out", Of::Items, total),
        });
    });
    steps.finish();
    Ok(forgotten?)
}

/// Lets the index read on to the end of the page log.
fn index_on(collection: &Collection) -> Result<()> {
    let options = Config::read(&collection.config())?.index_options()?;
    let pages = collection.pages();
    let snapshot = index::Reader::open(&collection.index()).snapshot();
    // What cannot be read is filled anew.
    let before = snapshot.ok().flatten().map_or(0, |found| bytes_before(&pages, found.checkpoint));
    let total = size_below(&pages).saturating_sub(before);
    let mut progress = Progress::new("read into the index", Of::Bytes, total);
    progress.show(0);
    let indexed = index::catch_up(collection, options, |now| {
        progress.show(bytes_before(&pages, now.position).saturating_sub(before));
    });
    progress.finish();
    indexed.map(drop).context("cannot take it out of the index; the next crawl does")
}

fn told(gone: &Gone) -> String {
    let Gone { target, urls, records, captures, is_pending } = gone;
    let taken = match is_pending {
        true => "what is stored of it is taken out at the next start of a crawl".to_owned(),
        false => format!(
            "forgot {} URLs: {} responses of the archive, {} page records",
            HumanCount(*urls),
            HumanCount(*captures),
            HumanCount(*records)
        ),
    };
    format!("{taken}\n`{target}` is kept out from now on (blocked.txt)\n")
}
