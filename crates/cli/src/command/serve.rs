//! `lookfar serve`: the search page over what is there.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use base::Collection;

use crate::Done;
use crate::args::ServeArgs;
use crate::config::Config;
use crate::copies;
use crate::engine::{page_url, status};
use crate::fresh;
use crate::lexicon::open_searcher;
use crate::live::Live;
use crate::numbers::Numbers;
use crate::room::{self, Crawl};

use super::up::{listen_address, page_options};

/// How long numbers read from disk are shown before they are read again.
const NUMBERS_FOR: Duration = Duration::from_secs(2);

pub(crate) fn run(dir: &Path, args: &ServeArgs) -> Result<Done> {
    index::survive_cut_files();
    let collection = Collection::open(dir)?;
    let config = Config::read(&collection.config())?;
    let listener = ::serve::Listener::bind(listen_address(&config, args.listen))?;
    let searcher = Arc::new(open_searcher(&collection, config.search_options()?)?);
    fresh::keep(&searcher)?;
    let copies = copies::of(&collection, searcher.clone());
    let at = collection.clone();
    let numbers = Mutex::new((Instant::now(), Numbers::read_beside(&collection)?));
    let told = move || {
        let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if numbers.0.elapsed() > NUMBERS_FOR {
            // What cannot be read now is shown as it was.
            let fresh = Numbers::read_beside(&collection).unwrap_or_else(|_| numbers.1.clone());
            *numbers = (Instant::now(), fresh);
        }
        status(&numbers.1)
    };
    Live::new(args.json).say_page(&page_url(listener.address()?));
    let crawl = Crawl::elsewhere(&at);
    let control = room::control(&at, &config, crawl.clone(), searcher.clone())?;
    let state = ::serve::State::new(searcher, Arc::new(told), page_options(&config))
        .with_copies(copies)
        .with_control(control)
        .with_story(room::story(crawl.clone()))
        .with_owners(room::about(&config, crawl));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let stop = async {
        use tokio::signal::unix::{SignalKind, signal};
        // As the first process of a container, only what is waited for ends us.
        let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    };
    runtime.block_on(::serve::run(listener, state, stop))?;
    Ok(Done::Well)
}
