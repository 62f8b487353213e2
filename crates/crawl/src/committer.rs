//! The one order that makes a page *done*: archive, page log, frontier.
//!
//! A thread takes outcomes in batches. It appends every response to the archive and syncs it,
//! appends the page records in the same order to the page log and syncs it, then applies
//! everything to the frontier in one atomic batch. A crash leaves at most a tail of archive
//! records without page records, and a tail of page records not yet applied; [`recover`] carries
//! both on before a crawl begins.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base::{Capture, Host, PageId, PageRecord, Timestamp, Url, pages};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::fetch::Fetched;
use crate::frontier::{Changes, Frontier, Place, RobotsCopy, Update};
use crate::reading::{self, Reading};
use crate::scheduler::Event;
use crate::{Error, Failure, Options, Scope, Stats};

/// What became of a URL.
pub(crate) enum Outcome {
    /// A response, read.
    Page(Box<Page>),
    /// A robots.txt: archived, and kept if it says something.
    Robots {
        /// What was asked: the file itself, or what it redirects to.
        url: Url,
        /// Whose rules these are.
        origin: String,
        at: Timestamp,
        fetched: Box<Fetched>,
        copy: Option<RobotsCopy>,
    },
    /// No response.
    Failed { url: Url, place: Place, failure: Failure },
    /// robots.txt forbids it.
    Forbidden { url: Url, place: Place },
}

pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) place: Place,
    pub(crate) at: Timestamp,
    pub(crate) fetched: Fetched,
    pub(crate) reading: Reading,
}

/// Owns the writers.
pub(crate) struct Committer {
    pub(crate) archive: archive::Writer,
    pub(crate) pages: pages::Writer,
    pub(crate) frontier: Arc<Frontier>,
    pub(crate) stats: Arc<Stats>,
    pub(crate) scope: Scope,
    pub(crate) tries_per_url: u8,
}

/// Outcomes are gathered this long before they are made durable together: a sync costs
/// milliseconds, and nobody waits for it but the page's own links.
const GATHER: Duration = Duration::from_millis(50);
/// Most outcomes of one batch.
const BATCH: usize = 512;

impl Committer {
    /// Works until all senders are gone; then everything is durable.
    pub(crate) fn run(
        mut self,
        mut outcomes: UnboundedReceiver<Outcome>,
        events: &UnboundedSender<Event>,
    ) -> Result<(), Error> {
        while let Some(first) = outcomes.blocking_recv() {
            std::thread::sleep(GATHER);
            let mut batch = vec![first];
            while batch.len() < BATCH
                && let Ok(next) = outcomes.try_recv()
            {
                batch.push(next);
            }
            let (done, changes) = self.commit(&batch)?;
            // Nobody listens any more when the crawl is being stopped.
            let _ = events.send(Event::Committed { done, changes });
        }
        self.archive.finish()?;
        self.frontier.sync()?;
        Ok(())
    }

    fn commit(&mut self, batch: &[Outcome]) -> Result<(Vec<(Host, Place)>, Changes), Error> {
        let mut captures = VecDeque::new();
        for outcome in batch {
            captures.extend(self.archive(outcome)?);
        }
        self.archive.sync()?;
        let mut update = self.frontier.update();
        let mut done = Vec::new();
        for outcome in batch {
            match outcome {
                Outcome::Page(page) => {
                    let capture = captures.pop_front().expect("each page was archived above");
                    let id = update.page_id(&page.url)?;
                    let record = page.reading.record(&page.url, id, page.at, capture);
                    log(&mut self.pages, &mut update, &record, &self.scope, self.tries_per_url)?;
                    done.push((page.url.host(), page.place));
                }
                Outcome::Robots { origin, copy, .. } => {
                    if let Some(copy) = copy {
                        update.robots(origin, copy.clone());
                    }
                }
                Outcome::Failed { url, place, failure } => {
                    update.fail(url, *failure, self.tries_per_url)?;
                    done.push((url.host(), *place));
                }
                Outcome::Forbidden { url, place } => {
                    update.forbid(url)?;
                    done.push((url.host(), *place));
                }
            }
        }
        self.pages.sync()?;
        let changes = update.commit()?;
        self.stats.set_totals(self.frontier.totals());
        Ok((done, changes))
    }

    /// Appends what came over the wire; returns where a page lies.
    fn archive(&mut self, outcome: &Outcome) -> Result<Option<Capture>, Error> {
        let (url, at, fetched, is_page) = match outcome {
            Outcome::Page(page) => (&page.url, page.at, &page.fetched, true),
            // A record under another name would be taken for a page when the archive is read.
            Outcome::Robots { url, at, fetched, .. } if is_robots(url) => {
                (url, *at, &**fetched, false)
            }
            _ => return Ok(None),
        };
        let capture = self.archive.append(&archive::Response {
            url,
            fetched: at,
            address: Some(fetched.address),
            request: &fetched.request,
            head: &fetched.head,
            body: &fetched.body,
            cut: fetched.cut,
        })?;
        Ok(is_page.then_some(capture))
    }
}

/// robots.txt files are archived, but they are never pages.
fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt"
}

/// Appends a record to the page log and applies it.
fn log(
    pages: &mut pages::Writer,
    update: &mut Update<'_>,
    record: &PageRecord,
    scope: &Scope,
    tries_per_url: u8,
) -> Result<(), Error> {
    let start = pages.append(record)?;
    Ok(update.record(record, start, pages.end(), scope, tries_per_url)?)
}

/// What had to be carried on after a crash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// Page records that the frontier had not applied.
    pub(crate) applied: u64,
    /// Archive records that had no page record.
    pub(crate) reread: u64,
}

/// Brings page log and frontier up to the archive's end.
pub(crate) fn recover(
    collection: &base::Collection,
    pages: &mut pages::Writer,
    frontier: &Frontier,
    options: &Options,
) -> Result<Recovered, Error> {
    let (scope, tries_per_url) = (&options.scope, options.politeness.tries_per_url);
    let mut recovered = Recovered::default();
    let mut reader = pages::Reader::open(&collection.pages(), frontier.totals().checkpoint)?;
    let mut update = frontier.update();
    while let Some(entry) = reader.next_entry()? {
        update.record(&entry.record, entry.start, entry.end, scope, tries_per_url)?;
        recovered.applied += 1;
        if recovered.applied.is_multiple_of(1000) {
            update.commit()?;
            update = frontier.update();
        }
    }
    update.commit()?;
    let archive = archive::Reader::open(&collection.archive())?;
    for captured in archive.captures_from(frontier.totals().capture)? {
        let captured = captured?;
        let Some(url) = captured.url.clone().filter(|url| !is_robots(url)) else { continue };
        let reading =
            reading::from_archive(&url, &captured, options.fetch.body_bytes, &options.agent.token);
        let mut update = frontier.update();
        let id: PageId = update.page_id(&url)?;
        let record = reading.record(&url, id, captured.fetched, captured.capture);
        log(pages, &mut update, &record, scope, tries_per_url)?;
        pages.sync()?;
        update.commit()?;
        recovered.reread += 1;
    }
    Ok(recovered)
}
