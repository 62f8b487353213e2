//! `lookfar forget`: takes pages out of everything and keeps them out (C18).

use std::io::Write;
use std::path::Path;

use ::crawl::{Crawler, Target};
use anyhow::{Context, Result};
use base::Collection;
use indicatif::HumanCount;

use crate::Done;
use crate::analyst::Analyst;
use crate::args::ForgetArgs;
use crate::config::Config;
use crate::control::{self, Gone, Request};
use crate::place::options_of;
use crate::progress;

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
    let forgotten = progress::during("looks through page log and archive", || {
        Ok::<_, anyhow::Error>(crawler.forget(target)?)
    })?;
    let analyst = Analyst::once(collection, &crawler)?;
    drop(crawler);
    // Without an index nothing can be found, and the first one will not hold it.
    if collection.index().exists() {
        let options = Config::read(&collection.config())?.index_options()?;
        progress::during("takes it out of the index", || {
            index::catch_up(collection, options, |_| ())
                .context("cannot take it out of the index; the next crawl does")
        })?;
        progress::during("takes it out of the link analysis", || analyst.renew())
            .context("its words for other pages stay until the next crawl")?;
    }
    Ok(Gone::new(target, forgotten))
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
