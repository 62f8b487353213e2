//! The crawl as a whole: opened, recovered, run until told to stop.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base::log::Tail;
use base::{Collection, Url, pages};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use crate::committer::{Committer, Recovered, recover};
use crate::dns::Dns;
use crate::fetch::Fetcher;
use crate::forget::{self, Stores};
use crate::frontier::Frontier;
use crate::scheduler::{Event, Events, Scheduler};
use crate::visit::Shared;
use crate::{
    DnsOptions, Error, Failure, Forgotten, Handle, Options, Orders, Snapshot, Stats, Target,
};

/// A crawl that is ready to run. The caller holds the collection's lock.
pub struct Crawler {
    options: Options,
    committer: Committer,
    frontier: Arc<Frontier>,
    stats: Arc<Stats>,
    recovered: Recovered,
    handle: Handle,
    collection: Collection,
}

/// When a crawl ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// When nothing is left to fetch now.
    Idle,
    /// Never; it waits for more.
    Stop,
}

/// How a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// Nothing was left to fetch.
    Idle,
    /// It was told to stop.
    Stopped,
}

/// How long requests under way may still take when a crawl is told to stop.
const GRACE: Duration = Duration::from_secs(5);

impl Crawler {
    /// Opens the stores and carries on what a crash left unfinished.
    pub fn open(collection: &Collection, options: Options) -> Result<Self, Error> {
        let token = &options.agent.token;
        let is_part = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
        if token.is_empty() || !token.bytes().all(is_part) {
            return Err(Error::BadToken(token.clone()));
        }
        options.blocked.read(collection)?;
        let mut pages = pages::Writer::open(&collection.pages())?;
        let archive = archive::Writer::open(&collection.archive(), archive_options(&options))?;
        let frontier = Arc::new(open_frontier(collection, &pages)?);
        let tries_per_url = options.politeness.tries_per_url;
        let recovered = recover(collection, &mut pages, &frontier, &options)?;
        if recovered != Recovered::default() {
            tracing::info!(applied = recovered.applied, reread = recovered.reread, "recovered");
        }
        let mut archive = archive;
        let mut stores = Stores {
            collection,
            frontier: &frontier,
            archive: &mut archive,
            pages: &mut pages,
            blocked: &options.blocked,
        };
        forget::carry_out_pending(&mut stores, (options.clock)())?;
        let stats = Arc::<Stats>::default();
        stats.set_totals(frontier.totals());
        let handle = Handle::new(collection, &options, frontier.clone());
        let committer = Committer {
            archive,
            pages,
            frontier: frontier.clone(),
            stats: stats.clone(),
            scope: options.scope.clone(),
            tries_per_url,
        };
        let collection = collection.clone();
        Ok(Self { options, committer, frontier, stats, recovered, handle, collection })
    }

    /// Returns what steers this crawl and answers questions about it, also while it runs.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Takes everything of `target` out of the collection and keeps it out (C18); for a crawl
    /// that does not run, see [`Handle::forget`] for one that does.
    pub fn forget(&mut self, target: &Target) -> Result<Forgotten, Error> {
        let blocked = &self.options.blocked;
        blocked.add(&self.collection, target)?;
        let Committer { archive, pages, frontier, .. } = &mut self.committer;
        let collection = &self.collection;
        let mut stores = Stores { collection, frontier, archive, pages, blocked };
        let targets = std::slice::from_ref(target);
        let (forgotten, _) = forget::carry_out(&mut stores, targets, (self.options.clock)())?;
        self.stats.set_totals(self.frontier.totals());
        Ok(forgotten)
    }

    /// Adds seeds; those known already change nothing.
    pub fn add_seeds(&self, seeds: &[Url]) -> Result<(), Error> {
        let mut update = self.frontier.update();
        for seed in seeds {
            update.seed(seed, (self.options.clock)())?;
        }
        update.commit()?;
        self.frontier.sync()?;
        self.stats.set_totals(self.frontier.totals());
        Ok(())
    }

    /// Returns what tells readers of the page log how far it is durable.
    pub fn tail(&self) -> Tail {
        self.committer.pages.tail()
    }

    /// Returns the numbers of this crawl.
    pub fn stats(&self) -> Arc<Stats> {
        self.stats.clone()
    }

    /// Returns how many page records and archive records were carried on at opening.
    pub fn recovered(&self) -> (u64, u64) {
        (self.recovered.applied, self.recovered.reread)
    }

    /// Crawls until `stop` becomes true or, if asked, until nothing is left.
    ///
    /// When it returns, everything fetched is durable.
    pub async fn run(self, stop: watch::Receiver<bool>, ending: Ending) -> Result<Summary, Error> {
        let (event_sender, event_receiver) = mpsc::unbounded_channel();
        let (outcome_sender, outcome_receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            dns: Dns::new(self.options.dns.clone())?,
            fetcher: Fetcher::new(self.options.fetch.clone(), &self.options.agent)?,
            politeness: self.handle.politeness(),
            parsers: Semaphore::new(thread::available_parallelism().map_or(2, usize::from)),
            events: event_sender.clone(),
            options: self.options,
        });
        let mut scheduler =
            Scheduler::new(shared, self.frontier.clone(), self.stats.clone(), outcome_sender)?;
        let mut events = Events(event_receiver);
        let committer = self.committer;
        let committing = thread::Builder::new()
            .name("committer".to_owned())
            .spawn(move || {
                let closing = Closing(event_sender);
                committer.run(outcome_receiver, &closing.0)
            })
            .expect("the system can start one more thread");
        let orders = self.handle.orders();
        let result = steer(&mut scheduler, &mut events, stop, orders, ending).await;
        // Without senders the committer finishes what it has and ends.
        drop(scheduler);
        let joined = tokio::task::spawn_blocking(move || committing.join()).await;
        joined.map_err(|_| Error::Died("committer"))?.map_err(|_| Error::Died("committer"))??;
        result
    }
}

/// Opens the frontier; one that knows more than the page log is made again from it.
///
/// That happens when the log's end was damaged or its folder removed. The archive still has
/// everything: what the log lost is read from there.
fn open_frontier(collection: &Collection, pages: &pages::Writer) -> Result<Frontier, Error> {
    let frontier = Frontier::open(&collection.frontier())?;
    if frontier.totals().checkpoint <= pages.end() {
        return Ok(frontier);
    }
    tracing::warn!("the page log ends before the frontier; both are made again from the archive");
    drop(frontier);
    let path = collection.frontier();
    std::fs::remove_dir_all(&path)
        .map_err(|source| Error::Remove { path: path.clone(), source })?;
    Ok(Frontier::open(&path)?)
}

/// Tells the scheduler that the committer has ended, also when it panics.
struct Closing(UnboundedSender<Event>);

impl Drop for Closing {
    fn drop(&mut self) {
        let _ = self.0.send(Event::Closed);
    }
}

async fn steer(
    scheduler: &mut Scheduler,
    events: &mut Events,
    mut stop: watch::Receiver<bool>,
    mut orders: watch::Receiver<Orders>,
    ending: Ending,
) -> Result<Summary, Error> {
    loop {
        let Orders { is_paused, is_stopping } = *orders.borrow_and_update();
        if *stop.borrow() || is_stopping {
            finish(scheduler, events).await?;
            return Ok(Summary::Stopped);
        }
        let wake = if is_paused { None } else { scheduler.dispatch()? };
        if ending == Ending::Idle && scheduler.is_idle() {
            return Ok(Summary::Idle);
        }
        tokio::select! {
            alive = events.pass(scheduler, wake) => {
                if !alive? {
                    // The error itself comes from joining the committer.
                    return Ok(Summary::Stopped);
                }
            }
            // The handle that sends orders lives as long as somebody can give any.
            Ok(()) = orders.changed() => {}
            changed = stop.changed() => {
                if changed.is_err() {
                    // Whoever could have stopped us is gone.
                    finish(scheduler, events).await?;
                    return Ok(Summary::Stopped);
                }
            }
        }
    }
}

/// Lets requests under way come to an end, for a while; the rest is fetched next time.
async fn finish(scheduler: &mut Scheduler, events: &mut Events) -> Result<(), Error> {
    let deadline = Instant::now() + GRACE;
    while !scheduler.is_quiet() && Instant::now() < deadline {
        if !events.pass(scheduler, Some(deadline)).await? {
            break;
        }
    }
    Ok(())
}

fn archive_options(options: &Options) -> archive::Options {
    archive::Options {
        operator: options.agent.contact.clone(),
        user_agent: Some(options.agent.header()),
        ..archive::Options::default()
    }
}

/// Looks up the hosts of seeds before anything is written; returns those that cannot be reached.
pub async fn reachable_seeds(
    seeds: &[Url],
    options: &DnsOptions,
) -> Result<Vec<(Url, Failure)>, Error> {
    let dns = Dns::new(options.clone())?;
    let mut unreachable = Vec::new();
    for seed in seeds {
        if let Err(failure) = dns.resolve(&seed.host()).await {
            unreachable.push((seed.clone(), failure));
        }
    }
    Ok(unreachable)
}

/// Verifies the frontier's store; returns what is wrong. The caller holds the collection's lock.
pub fn check(collection: &Collection) -> Result<Vec<String>, Error> {
    if !collection.frontier().exists() {
        return Ok(Vec::new());
    }
    let frontier = Frontier::open(&collection.frontier())?;
    let mut problems = frontier.check()?;
    let end = pages::check(&collection.pages())?.end;
    if frontier.totals().checkpoint > end {
        let (segment, offset) = (end.segment, end.offset);
        problems.push(format!("the page log ends at {segment}:{offset}, before what was applied"));
    }
    Ok(problems)
}

/// Returns the numbers that the frontier holds. The caller holds the collection's lock.
pub fn stored_snapshot(collection: &Collection) -> Result<Snapshot, Error> {
    let stats = Stats::default();
    if collection.frontier().exists() {
        stats.set_totals(Frontier::open(&collection.frontier())?.totals());
    }
    Ok(stats.snapshot())
}
