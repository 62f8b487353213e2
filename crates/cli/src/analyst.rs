//! Keeps the link analysis up with the crawl: a new generation now and then, in the background.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::log::{Position, Tail};
use base::{Collection, Generation, PageRecord, Url, pages};
use crawl::{Crawler, Handle};
use index::anchors::Step;
use rank::Phrases;

use crate::config::Config;

/// Builds generations in a thread of its own.
pub(crate) struct Analyst {
    pub(crate) collection: Collection,
    pub(crate) tail: Tail,
    /// Shortest time between two generations.
    pub(crate) interval: Duration,
    /// Which links count as votes.
    pub(crate) options: graph::AnalyseOptions,
    pub(crate) orders: Arc<Orders>,
    /// Says what must not be found by the words of others either, and hears what matters.
    pub(crate) handle: Handle,
}

/// When [`Analyst::build`] builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// If the page log goes on behind the last generation.
    Behind,
    /// In any case.
    Always,
}

/// How far a generation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Building {
    /// Its graph and scores.
    Links(graph::Progress),
    /// Its anchor texts; counts bytes of the page log.
    Anchors { step: Step, done: u64, total: u64 },
}

/// What the engine tells the analyst, and hears from it.
#[derive(Default)]
pub(crate) struct Orders {
    /// End as soon as possible, leaving a generation unfinished.
    pub(crate) stop: AtomicBool,
    /// Analyse now, whatever the interval, if there is anything new.
    pub(crate) hurry: AtomicBool,
    /// Generation in use.
    pub(crate) generation: AtomicU64,
    /// How far the log has been analysed.
    pub(crate) position: Mutex<Position>,
    /// Which links count from the next generation on, if that was said anew.
    options: Mutex<Option<graph::AnalyseOptions>>,
}

impl Orders {
    fn set_position(&self, position: Position) {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = position;
    }

    /// Lets links be analysed in another way, at once if it is another.
    pub(crate) fn set_options(&self, options: graph::AnalyseOptions) {
        *self.options.lock().unwrap_or_else(PoisonError::into_inner) = Some(options);
    }

    fn new_options(&self) -> Option<graph::AnalyseOptions> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Returns whether the page log holds nothing durable behind `position`.
///
/// Positions alone do not tell: an empty segment has a header behind which nothing stands.
pub(crate) fn is_at_end(collection: &Collection, position: Position, tail: &Tail) -> Result<bool> {
    if position >= tail.durable() {
        return Ok(true);
    }
    match pages::Reader::follow(&collection.pages(), position, tail.clone()) {
        // Of a log that has been written anew since: all of it is to be read.
        Err(error) if is_another_log(&error) => Ok(false),
        reader => Ok(reader?.next_entry()?.is_none()),
    }
}

/// Returns whether a position lies in a segment that is not there: logs that are written anew
/// never use a number twice.
fn is_another_log(error: &pages::Error) -> bool {
    matches!(error, pages::Error::Log(base::log::Error::File { source, .. })
        if source.kind() == std::io::ErrorKind::NotFound)
}

/// The first generation of a collection comes after this time at the latest.
const FIRST: Duration = Duration::from_secs(3);
/// After an analysis so many times as long as it took is rest, so that the links of a large crawl
/// take a quarter of a core and of the disk at most. Answers lag behind by as much.
const REST: u32 = 3;
/// URLs that the crawl is told of after each analysis.
const WANTED: usize = 1_000;
const NAP: Duration = Duration::from_millis(100);

impl Analyst {
    /// Returns one for a command that does its work once, when asked.
    pub(crate) fn once(collection: &Collection, crawler: &Crawler) -> Result<Self> {
        Ok(Self {
            collection: collection.clone(),
            tail: crawler.tail(),
            interval: Duration::ZERO,
            options: Config::read(&collection.config())?.analyse_options(collection.root())?,
            orders: Arc::default(),
            handle: crawler.handle(),
        })
    }

    /// Works until told to stop. A generation that fails is tried again after the interval.
    pub(crate) fn run(mut self) -> Result<()> {
        let mut generation = self.collection.generation()?;
        self.orders.generation.store(generation.map_or(0, |found| found.0), Ordering::Relaxed);
        let mut analysed = self.analysed(generation).unwrap_or_default();
        // One that was made before something was kept out holds what others say of it (C18).
        if generation.is_some_and(|generation| self.is_older_than_the_list(generation)) {
            analysed = Position::default();
        }
        self.orders.set_position(analysed);
        let (mut last, mut took) = (Instant::now(), Duration::ZERO);
        let (mut listed, mut is_urgent) = (self.handle.blocked().num_targets(), false);
        // The crawl begins a moment later than this; it then hears what the last run has found.
        let mut untold = generation;
        while !self.orders.stop.load(Ordering::Relaxed) {
            untold = untold.filter(|generation| !self.promote(*generation));
            let targets = self.handle.blocked().num_targets();
            if std::mem::replace(&mut listed, targets) != targets && generation.is_some() {
                (analysed, is_urgent) = (Position::default(), true);
                self.orders.set_position(analysed);
            }
            if let Some(options) = self.orders.new_options().filter(|new| *new != self.options) {
                self.options = options;
                (analysed, is_urgent) = (Position::default(), true);
                self.orders.set_position(analysed);
            }
            let is_current = is_at_end(&self.collection, analysed, &self.tail)?;
            // Until there is a first generation nobody's words about a page count: do not wait.
            let interval =
                if generation.is_some() { self.interval } else { self.interval.min(FIRST) };
            let is_hurried = is_urgent || self.orders.hurry.load(Ordering::Relaxed);
            let due = last.elapsed() >= pause(interval, took) || is_hurried;
            if is_current || !due {
                std::thread::sleep(NAP);
                continue;
            }
            let next = Generation(generation.map_or(0, |found| found.0) + 1);
            let begun = Instant::now();
            match self.analyse(next) {
                Ok(Some(up_to)) => {
                    (generation, analysed) = (Some(next), up_to);
                    self.orders.set_position(analysed);
                    self.orders.generation.store(next.0, Ordering::Relaxed);
                }
                Ok(None) => break,
                // Ranking goes on with the last generation; the crawl must not end for this.
                Err(error) if !self.orders.hurry.load(Ordering::Relaxed) => {
                    tracing::warn!(
                        generation = next.0,
                        error = format!("{error:#}"),
                        "analysis failed"
                    );
                }
                Err(error) => return Err(error),
            }
            (last, took, is_urgent) = (Instant::now(), begun.elapsed(), false);
        }
        Ok(())
    }

    /// Builds a generation and puts it to use; `None` if told to stop meanwhile.
    fn analyse(&self, generation: Generation) -> Result<Option<Position>> {
        Ok(self.analyse_shown(generation, &mut |_| ())?.map(|summary| summary.up_to))
    }

    fn analyse_shown(
        &self,
        generation: Generation,
        show: &mut dyn FnMut(Building),
    ) -> Result<Option<graph::Summary>> {
        let mut watch = |progress| {
            show(Building::Links(progress));
            match self.orders.stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        // What an earlier, interrupted build left under this number.
        self.collection.remove_unfinished()?;
        let mut options = self.options.clone();
        // What a power cut could still take back must not be analysed.
        options.build.up_to = Some(self.tail.durable());
        let summary = match graph::analyse(&self.collection, generation, &options, &mut watch) {
            Ok(analysis) => analysis.graph,
            Err(graph::Error::Interrupted) => return Ok(None),
            Err(error) => return Err(error).context("cannot analyse the links"),
        };
        let pages = self.collection.pages();
        let options = index::anchors::Options::default();
        let folder = self.collection.anchors(generation);
        let blocked = self.handle.blocked();
        let sites = graph::PageSites::open(&self.collection.graph(generation))
            .context("cannot read the sites")?;
        let is_kept_out = |url: &Url| blocked.holds(url);
        let voice_of = |url: &Url| sites.voices().of_url(url);
        let phrases = Phrases::new(&self.collection, generation, &is_kept_out, &voice_of);
        let (phrases, show) = (RefCell::new(phrases), RefCell::new(show));
        let knowledge = index::anchors::Knowledge {
            is_kept_out: &is_kept_out,
            voice_of: &voice_of,
            on_page: &|record: &PageRecord| phrases.borrow_mut().push(record),
            on_read: &|step, done, total| {
                (*show.borrow_mut())(Building::Anchors { step, done, total });
            },
        };
        index::anchors::build_with(&pages, &folder, options, &knowledge)
            .context("cannot gather the anchor texts")?;
        phrases.into_inner().finish().context("cannot gather the suggestions")?;
        self.collection.publish(generation)?;
        self.promote(generation);
        tracing::info!(generation = generation.0, nodes = summary.num_nodes, "analysed");
        Ok(Some(summary))
    }

    /// Lets what PageRank holds for important and nobody has fetched go first from now on (C3);
    /// returns `false` if the crawl cannot hear it yet.
    fn promote(&self, generation: Generation) -> bool {
        match graph::wanted(&self.collection, generation, WANTED) {
            Ok(wanted) => self.handle.promote(wanted),
            Err(error) => {
                tracing::warn!(%error, "the crawl is not told what matters");
                true
            }
        }
    }

    /// Builds a generation for a person who watches, and returns what it holds; `None` if the
    /// last one is of the present log and that will do.
    pub(crate) fn build(
        &self,
        when: When,
        show: &mut dyn FnMut(Building),
    ) -> Result<Option<graph::Summary>> {
        let generation = self.collection.generation()?;
        let analysed = self.analysed(generation).unwrap_or_default();
        if when == When::Behind && is_at_end(&self.collection, analysed, &self.tail)? {
            return Ok(None);
        }
        self.analyse_shown(Generation(generation.map_or(0, |found| found.0) + 1), show)
    }

    /// Builds one more generation, if there is one already, for a person who watches.
    pub(crate) fn renew(&self, show: &mut dyn FnMut(Building)) -> Result<()> {
        if let Some(generation) = self.collection.generation()? {
            self.analyse_shown(Generation(generation.0 + 1), show)?;
        }
        Ok(())
    }

    fn is_older_than_the_list(&self, generation: Generation) -> bool {
        let made = std::fs::metadata(self.collection.anchors(generation));
        let made = made.and_then(|folder| folder.modified()).ok();
        crawl::Blocked::written(&self.collection)
            .is_some_and(|at| made.is_none_or(|made| made < at))
    }

    fn analysed(&self, generation: Option<Generation>) -> Option<Position> {
        let folder = self.collection.graph(generation?);
        graph::read_summary(&folder).ok().map(|summary| summary.up_to)
    }
}

/// Returns how long to rest between two analyses, of which the first took so long.
fn pause(interval: Duration, took: Duration) -> Duration {
    interval.max(took.saturating_mul(REST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_rests_longer() {
        let seconds = Duration::from_secs;
        assert_eq!(pause(seconds(30), Duration::ZERO), seconds(30));
        assert_eq!(pause(seconds(30), seconds(9)), seconds(30));
        assert_eq!(pause(seconds(30), seconds(600)), seconds(1_800));
        assert_eq!(pause(Duration::ZERO, seconds(1)), seconds(3));
        assert_eq!(pause(seconds(30), Duration::MAX), Duration::MAX);
    }
}
