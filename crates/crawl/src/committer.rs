//! The one order that makes a page *done*: archive, page log, frontier.
//!
//! A thread takes outcomes in batches. It appends every response to the archive and syncs it,
//! appends the page records in the same order to the page log and syncs it, then applies
//! everything to the frontier in one atomic batch. A crash leaves at most a tail of archive
//! records without page records, and a tail of page records not yet applied; [`read_on`] and
//! [`apply_log`] carry both on before a crawl begins.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use base::{Capture, Host, PageId, PageRecord, Timestamp, Url, pages};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::fetch::Fetched;
use crate::forget::{self, Errand, Stores, Watch};
use crate::frontier::{Changes, Frontier, Role, Update};
use crate::guard::{Guard, Hold};
use crate::importance::Fingerprint;
use crate::reading::{self, Reading};
use crate::robots::{self, Robots};
use crate::scheduler::Event;
use crate::visit::Asked;
use crate::{Blocked, Error, Failure, Forgotten, LeftOut, Options, Stats, Target};

/// What became of a URL or of a host.
pub(crate) enum Outcome {
    /// A response, read.
    Page(Box<Page>),
    /// A response that brought nothing new.
    Revisited(Box<Revisited>),
    /// A robots.txt: archived, and kept if it says something.
    Robots {
        /// A URL of the origin.
        page: Url,
        /// Whose rules these are.
        origin: String,
        /// The file itself, behind what redirects to it.
        asked: Vec<Asked>,
        copy: Option<robots::Copy>,
    },
    /// No response.
    Failed { url: Url, failure: Failure },
    /// robots.txt forbids it.
    Forbidden { url: Url },
    /// Not wanted any more.
    LeftOut { url: Url, reason: &'static str },
    /// The host rests for long.
    Rest { host: Host, until: Timestamp, errors: u32, failure: Option<Failure> },
    /// Pages that are due are to be brought into the queues.
    Renew,
    /// The host makes room for others.
    Rotate { host: Host },
    /// Waiting URLs that matter, by what PageRank says of them.
    Promote(Vec<(Url, f32)>),
    /// Pages that a person wants fetched.
    Seeds(Vec<Url>),
    /// A host that was held may be visited again.
    Wake { host: Host },
    /// Something is to be taken out.
    Forget(Errand),
}

impl Outcome {
    /// Returns whether it comes from outside: the scheduler has not counted it.
    fn is_from_outside(&self) -> bool {
        matches!(self, Self::Promote(_) | Self::Seeds(_) | Self::Wake { .. })
    }

    /// What was forgotten while it was being fetched is not kept (C18).
    fn unless_blocked(self, blocked: &Blocked) -> Self {
        match self {
            Self::Page(page) if blocked.holds(&page.url) => {
                Self::LeftOut { url: page.url, reason: LeftOut::Blocked.name() }
            }
            Self::Revisited(page) if blocked.holds(&page.url) => {
                Self::LeftOut { url: page.url, reason: LeftOut::Blocked.name() }
            }
            outcome => outcome,
        }
    }
}

pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) at: Timestamp,
    pub(crate) fetched: Fetched,
    pub(crate) reading: Reading,
    /// Room taken by the body until it is on the disk.
    pub(crate) _room: Option<OwnedSemaphorePermit>,
}

/// A visit to a page that is still what it was.
pub(crate) struct Revisited {
    pub(crate) url: Url,
    pub(crate) at: Timestamp,
    pub(crate) fetched: Fetched,
    pub(crate) revisit: archive::Revisit,
    /// When the page came that still holds.
    pub(crate) since: Timestamp,
    pub(crate) _room: Option<OwnedSemaphorePermit>,
}

/// Owns the writers.
pub(crate) struct Committer {
    pub(crate) collection: base::Collection,
    pub(crate) archive: archive::Writer,
    pub(crate) pages: pages::Writer,
    pub(crate) frontier: Arc<Frontier>,
    pub(crate) stats: Arc<Stats>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) options: Options,
}

/// Outcomes are gathered this long before they are made durable together: a sync costs
/// milliseconds, and nobody waits for it but the page's own links.
const GATHER: Duration = Duration::from_millis(20);
/// Most outcomes of one batch.
const BATCH: usize = 512;
/// Pages that are due and come into the queues at once.
const RENEWED: usize = 1_000;
/// How often a full disk is looked at.
const DISK_WAIT: Duration = Duration::from_millis(500);

impl Committer {
    /// Works until all senders are gone; then everything is durable.
    pub(crate) fn run(
        mut self,
        mut outcomes: UnboundedReceiver<Outcome>,
        events: &UnboundedSender<Event>,
    ) -> Result<(), Error> {
        while let Some(first) = outcomes.blocking_recv() {
            if outcomes.len() < BATCH {
                std::thread::sleep(GATHER);
            }
            let mut batch = vec![first];
            while batch.len() < BATCH
                && let Ok(next) = outcomes.try_recv()
            {
                batch.push(next);
            }
            self.wait_for_room(&outcomes);
            let (errands, batch): (Vec<Outcome>, Vec<Outcome>) = batch
                .into_iter()
                .map(|outcome| outcome.unless_blocked(&self.options.blocked))
                .partition(|outcome| matches!(outcome, Outcome::Forget(_)));
            let (done, changes) = self.commit(batch, events)?;
            // Nobody listens any more when the crawl is being stopped.
            let _ = events.send(Event::Committed { done, changes });
            for errand in errands {
                let Outcome::Forget(errand) = errand else { continue };
                errand.answer(|targets| {
                    let (forgotten, changes) = self.forget(targets, &mut |_| ())?;
                    let _ = events.send(Event::Committed { done: Vec::new(), changes });
                    Ok(forgotten)
                });
            }
        }
        self.frontier.save_lessons()?;
        self.archive.finish()?;
        self.frontier.sync()?;
        Ok(())
    }

    /// A full disk is waited for; what has been fetched is kept in memory meanwhile.
    ///
    /// When the crawl is being stopped nobody can make room: then what is there is tried.
    fn wait_for_room(&self, outcomes: &UnboundedReceiver<Outcome>) {
        while self.guard.held() == Some(Hold::Disk) && !outcomes.is_closed() {
            std::thread::sleep(DISK_WAIT);
            self.guard.look();
        }
    }

    /// Takes everything of the targets out of all stores (C18).
    pub(crate) fn forget(
        &mut self,
        targets: &[Target],
        watch: Watch<'_>,
    ) -> Result<(Forgotten, Changes), Error> {
        let Self { collection, archive, pages, frontier, .. } = self;
        let blocked = &self.options.blocked;
        let mut stores = Stores { collection, frontier, archive, pages, blocked };
        let done = forget::carry_out(&mut stores, targets, (self.options.clock)(), watch)?;
        self.stats.count(&self.frontier);
        Ok(done)
    }

    fn commit(
        &mut self,
        batch: Vec<Outcome>,
        events: &UnboundedSender<Event>,
    ) -> Result<(Vec<(Host, Fingerprint)>, Changes), Error> {
        let mut captures = VecDeque::new();
        for outcome in &batch {
            captures.extend(self.archive(outcome)?);
        }
        self.archive.sync()?;
        let num_archived = captures.len();
        let _ = events.send(Event::Archived(num_archived));
        let frontier = self.frontier.clone();
        let mut update = frontier.update();
        update.now = (self.options.clock)();
        let mut done = Vec::new();
        let (mut num_outcomes, mut is_renewed) = (0, false);
        for outcome in batch {
            num_outcomes += usize::from(!outcome.is_from_outside());
            is_renewed |= matches!(outcome, Outcome::Renew);
            let url = self.apply(outcome, &mut captures, &mut update)?;
            done.extend(url.map(|url| (url.host(), Fingerprint::of(&url))));
        }
        self.pages.sync()?;
        let changes = Changes { num_outcomes, num_archived, is_renewed, ..update.commit()? };
        self.stats.count(&self.frontier);
        Ok((done, changes))
    }

    /// Applies an outcome to page log and frontier; returns the URL that is done with it.
    fn apply(
        &mut self,
        outcome: Outcome,
        captures: &mut VecDeque<Capture>,
        update: &mut Update<'_>,
    ) -> Result<Option<Url>, Error> {
        let options = &self.options;
        let mut capture = || captures.pop_front().expect("each response was archived before");
        Ok(match outcome {
            Outcome::Page(page) => {
                let Page { url, at, reading, .. } = *page;
                let record = (reading, url.clone(), at, capture());
                log(&mut self.pages, update, record, options)?;
                Some(url)
            }
            Outcome::Revisited(page) => {
                let Revisited { url, at, fetched, .. } = *page;
                update.revisited(&url, (at, capture()), &fetched.headers, options)?;
                Some(url)
            }
            Outcome::Robots { page, origin, asked, copy } => {
                if let Some(copy) = copy {
                    let now = asked.last().map_or(copy.at, |asked| asked.at);
                    self.keep_robots(update, (&page, &origin), copy, now)?;
                }
                None
            }
            Outcome::Failed { url, failure } => {
                update.fail(&url, failure, options.politeness.tries_per_url)?;
                Some(url)
            }
            Outcome::Forbidden { url } => {
                update.forbid(&url)?;
                Some(url)
            }
            Outcome::LeftOut { url, reason } => {
                update.leave_out(&url, reason)?;
                Some(url)
            }
            of_no_page => {
                self.steer(of_no_page, update)?;
                None
            }
        })
    }

    /// Applies an outcome that is of hosts or of the whole crawl, and ends no visit of a page.
    fn steer(&self, outcome: Outcome, update: &mut Update<'_>) -> Result<(), Error> {
        let options = &self.options;
        match outcome {
            Outcome::Renew => update.renew(RENEWED, options)?,
            Outcome::Rest { host, until, errors, failure } => {
                update.rest(&host, until, errors, failure)?;
            }
            Outcome::Rotate { host } => update.rotate(&host)?,
            Outcome::Promote(ranked) => {
                for (url, rank) in ranked {
                    update.promote(&url, rank, options)?;
                }
            }
            Outcome::Seeds(seeds) => {
                for seed in seeds {
                    update.seed(&seed, (options.clock)())?;
                }
            }
            // A host that is not known has nothing that could wait.
            Outcome::Wake { host } if self.frontier.host(&host)?.is_some() => {
                update.rotate(&host)?;
            }
            Outcome::Wake { .. } | Outcome::Forget(_) => {}
            // What is of a page was applied to it.
            Outcome::Page(_)
            | Outcome::Revisited(_)
            | Outcome::Robots { .. }
            | Outcome::Failed { .. }
            | Outcome::Forbidden { .. }
            | Outcome::LeftOut { .. } => {}
        }
        Ok(())
    }

    /// Keeps a robots.txt, with the rest that it costs its host, and queues its sitemaps.
    fn keep_robots(
        &self,
        update: &mut Update<'_>,
        (page, origin): (&Url, &str),
        copy: robots::Copy,
        now: Timestamp,
    ) -> Result<(), Error> {
        let rules = Robots::parse(&copy.body, &self.options.agent.token);
        update.sitemaps(page, rules.sitemaps(), now, &self.options)?;
        update.robots(origin, copy);
        let politeness = &self.options.politeness;
        let asked = rules.asked_delay().unwrap_or_default();
        let rest = asked.min(politeness.longest_crawl_delay).max(politeness.delay);
        // The rest begins when the answer is there, not when it was asked for.
        update.asked(&page.host(), (self.options.clock)().plus(rest))?;
        Ok(())
    }

    /// Appends what came over the wire; returns where a page lies.
    fn archive(&mut self, outcome: &Outcome) -> Result<Option<Capture>, Error> {
        match outcome {
            Outcome::Page(page) => {
                let response = response(&page.url, page.at, &page.fetched);
                Ok(Some(self.archive.append(&response)?))
            }
            Outcome::Revisited(page) => {
                let response = response(&page.url, page.at, &page.fetched);
                Ok(Some(self.archive.append_revisit(&response, page.revisit, page.since)?))
            }
            Outcome::Robots { asked, .. } => {
                // A record under another name would be taken for a page when the archive is read.
                for Asked { url, at, fetched } in asked.iter().filter(|asked| is_robots(&asked.url))
                {
                    self.archive.append(&response(url, *at, fetched))?;
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}

fn response<'a>(url: &'a Url, at: Timestamp, fetched: &'a Fetched) -> archive::Response<'a> {
    archive::Response {
        url,
        fetched: at,
        address: Some(fetched.address),
        request: &fetched.request,
        head: &fetched.head,
        body: &fetched.body,
        cut: fetched.cut,
    }
}

/// robots.txt files are archived, but they are never pages.
pub(crate) fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt"
}

/// Appends the record of a response to the page log and applies it, and those that follow from
/// it.
fn log(
    pages: &mut pages::Writer,
    update: &mut Update<'_>,
    (mut reading, url, at, capture): (Reading, Url, Timestamp, Capture),
    options: &Options,
) -> Result<(), Error> {
    update.arrived(&url, reading.take_arrived());
    let id: PageId = update.page_id(&url)?;
    let mut record = reading.into_record(url, id, at, capture);
    let anew = update.judge(&mut record)?;
    for record in std::iter::once(&record).chain(&anew) {
        append(pages, update, record, options)?;
    }
    Ok(())
}

/// Appends a record to the page log and applies it.
pub(crate) fn append(
    pages: &mut pages::Writer,
    update: &mut Update<'_>,
    record: &PageRecord,
    options: &Options,
) -> Result<(), Error> {
    let start = pages.append(record)?;
    Ok(update.record(record, start, pages.end(), options)?)
}

/// What had to be carried on after a crash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// Page records that the frontier had not applied.
    pub(crate) applied: u64,
    /// Archive records that had no page record.
    pub(crate) reread: u64,
}

/// Applies what the page log holds behind the frontier's checkpoint; returns how many records.
pub(crate) fn apply_log(
    collection: &base::Collection,
    frontier: &Frontier,
    options: &Options,
) -> Result<u64, Error> {
    let mut applied = 0_u64;
    let mut reader = pages::Reader::open(&collection.pages(), frontier.totals().checkpoint)?;
    let mut update = frontier.update();
    while let Some(entry) = reader.next_entry()? {
        update.record(&entry.record, entry.start, entry.end, options)?;
        applied += 1;
        if applied.is_multiple_of(1000) {
            update.commit()?;
            update = frontier.update();
        }
    }
    update.commit()?;
    Ok(applied)
}

/// Responses that are read at once, on all processors.
const READ_BATCH: usize = 64;
/// Bytes of responses that are read at once.
const READ_BYTES: usize = 64 * 1024 * 1024;

/// Reads what the archive holds behind the last page record into page log and frontier; returns
/// how many responses that were.
pub(crate) fn read_on(
    collection: &base::Collection,
    pages: &mut pages::Writer,
    frontier: &Frontier,
    options: &Options,
) -> Result<u64, Error> {
    let archive = archive::Reader::open(&collection.archive())?;
    let mut captures = archive.captures_from(frontier.totals().capture)?;
    let mut num_read = 0;
    loop {
        let (mut batch, mut bytes, mut revisits) = (Vec::new(), 0, Vec::new());
        while batch.len() + revisits.len() < READ_BATCH
            && bytes < READ_BYTES
            && let Some(captured) = captures.next()
        {
            let captured = captured?;
            let Some(url) = captured.url.clone().filter(|url| !is_robots(url)) else { continue };
            if captured.revisit.is_some() {
                revisits.push((url, captured));
                continue;
            }
            let role = frontier.url(&url)?.map_or(Role::Page, |state| state.role);
            bytes += captured.body.len();
            batch.push((url, role, captured));
        }
        if batch.is_empty() && revisits.is_empty() {
            return Ok(num_read);
        }
        num_read += (batch.len() + revisits.len()) as u64;
        let readings = reading::all_from_archive(&batch, options);
        let mut update = frontier.update();
        for (reading, (url, _, captured)) in readings.into_iter().zip(batch) {
            let record = (reading, url, captured.fetched, captured.capture);
            log(pages, &mut update, record, options)?;
        }
        // A page and a later visit to it that brought nothing new come in this order; the other
        // way round the visit is known to be older, and is passed over.
        for (url, captured) in revisits {
            let headers = reading::headers(&captured.head);
            let (at, capture) = (captured.fetched, captured.capture);
            update.revisited(&url, (at, capture), &headers, options)?;
        }
        pages.sync()?;
        update.commit()?;
    }
}
