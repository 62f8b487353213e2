//! The crawl as a whole: opened, recovered, run until told to stop.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base::log::{self, Position, Tail};
use base::{Collection, Url, pages};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use crate::committer::{Committer, Recovered, apply_log, read_on};
use crate::dns::Dns;
use crate::fetch::Fetcher;
use crate::forget::{self, Stores};
use crate::frontier::{Frontier, Sizes, folder};
use crate::guard::Guard;
use crate::outside::Outside;
use crate::priority::stand_back;
use crate::readers::Readers;
use crate::reopen::Known;
use crate::scheduler::{Event, Events, LONGEST_REST, Scheduler};
use crate::visit::{Shared, bodies_kib};
use crate::{
    DnsOptions, Error, Failure, Forgetting, Forgotten, FrontierError, Handle, Options, Orders,
    Snapshot, Stats, Target,
};
use crate::{repair, reparse};

/// A crawl that is ready to run. The caller holds the collection's lock.
pub struct Crawler {
    options: Options,
    committer: Committer,
    frontier: Arc<Frontier>,
    stats: Arc<Stats>,
    recovered: Recovered,
    handle: Handle,
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

/// Referrers taken into the frontier at once.
const REFERRERS: usize = 1_000;

impl Crawler {
    /// Opens the stores and carries on what a crash left unfinished.
    pub fn open(collection: &Collection, options: Options) -> Result<Self, Error> {
        Self::open_for(collection, options, None)
    }

    /// Opens the stores, for those who know the crawl already.
    pub(crate) fn open_for(
        collection: &Collection,
        options: Options,
        known: Option<Known>,
    ) -> Result<Self, Error> {
        let token = &options.agent.token;
        let is_part = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
        if token.is_empty() || !token.bytes().all(is_part) {
            return Err(Error::BadToken(token.clone()));
        }
        options.blocked.read(collection, options.url_rules)?;
        options.host_rules.read(collection)?;
        reparse::clean_up(collection)?;
        let archive = archive::Writer::open(&collection.archive(), archive_options(&options))?;
        let (mut pages, frontier, recovered) = open_recovered(collection, &options)?;
        let frontier = Arc::new(frontier);
        if recovered != Recovered::default() {
            tracing::info!(applied = recovered.applied, reread = recovered.reread, "recovered");
        }
        let longest = options.politeness.longest_wait.max(options.politeness.longest_rest);
        let now = (options.clock)();
        match frontier.shorten_rests(now.plus(longest.max(LONGEST_REST)), now.plus(longest))? {
            0 => {}
            hosts => tracing::warn!(hosts, "a clock was wrong: hosts would have rested too long"),
        }
        judge_again(collection, &frontier, &options)?;
        let mut archive = archive;
        let mut stores = Stores {
            collection,
            frontier: &frontier,
            archive: &mut archive,
            pages: &mut pages,
            blocked: &options.blocked,
        };
        forget::carry_out_pending(&mut stores, (options.clock)())?;
        let Known { handle, stats, .. } = match known {
            Some(known) => known.meet(&frontier, &mut pages),
            None => Known::new(collection, &options, &frontier, &pages),
        };
        stats.count(&frontier);
        let guard = Arc::new(Guard::new(collection.root(), &options));
        let committer = Committer {
            collection: collection.clone(),
            archive,
            pages,
            frontier: frontier.clone(),
            stats: stats.clone(),
            guard,
            options: options.clone(),
        };
        Ok(Self { options, committer, frontier, stats, recovered, handle })
    }

    /// Returns how this crawl goes.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Returns who owns the writers, while nothing runs.
    pub(crate) fn committer_mut(&mut self) -> &mut Committer {
        &mut self.committer
    }

    /// Returns what steers this crawl and answers questions about it, also while it runs.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Takes everything of `target` out of the collection and keeps it out (C18); for a crawl
    /// that does not run, see [`Handle::forget`] for one that does. `watch` is told how far it is.
    pub fn forget(
        &mut self,
        target: &Target,
        watch: &mut dyn FnMut(Forgetting),
    ) -> Result<Forgotten, Error> {
        let target = target.under(self.options.url_rules);
        self.options.blocked.add(&self.committer.collection, &target)?;
        let (forgotten, _) = self.committer.forget(&[target], watch)?;
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
        self.stats.count(&self.frontier);
        Ok(())
    }

    /// Takes notice of pages that visitors came from (C8), as an access log names them: new ones
    /// are queued if the scope wants them. Returns how many became known.
    ///
    /// What was taken before an error stays.
    pub fn add_referrers<E: From<Error>>(
        &self,
        referrers: impl Iterator<Item = Result<Url, E>>,
    ) -> Result<u64, E> {
        let before = self.frontier.totals().known;
        let mut referrers = referrers.peekable();
        while referrers.peek().is_some() {
            let batch: Vec<Url> = referrers.by_ref().take(REFERRERS).collect::<Result<_, E>>()?;
            self.name_all(&batch)?;
        }
        self.stats.count(&self.frontier);
        Ok(self.frontier.totals().known - before)
    }

    fn name_all(&self, urls: &[Url]) -> Result<(), Error> {
        let mut update = self.frontier.update();
        for url in urls {
            update.referrer(url, (self.options.clock)(), &self.options)?;
        }
        update.commit()?;
        Ok(self.frontier.sync()?)
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

    /// Returns what outlives the stores of this crawl.
    pub(crate) fn known(&self) -> Known {
        Known { handle: self.handle(), stats: self.stats(), tail: self.tail() }
    }

    /// Returns what this crawl is of.
    pub(crate) fn collection(&self) -> &Collection {
        &self.committer.collection
    }

    /// Crawls with the stores as they are open, see [`Self::run`].
    pub(crate) async fn run_once(
        self,
        stop: watch::Receiver<bool>,
        ending: Ending,
    ) -> Result<Summary, Error> {
        let (event_sender, event_receiver) = mpsc::unbounded_channel();
        let (outcome_sender, outcome_receiver) = mpsc::unbounded_channel();
        let politeness = self.handle.politeness();
        if self.frontier.totals().known > 0 {
            politeness.rest_all();
        }
        self.handle.begin_grants()?;
        let shared = Arc::new(Shared {
            frontier: self.frontier.clone(),
            dns: Arc::new(Dns::new(self.options.dns.clone())?),
            fetcher: Fetcher::new(self.options.fetch.clone(), &self.options.agent)?,
            politeness,
            readers: Readers::start(),
            bodies: Arc::new(Semaphore::new(bodies_kib(self.options.memory))),
            events: event_sender.clone(),
            options: self.options,
        });
        self.handle.lend(Outside::new(&shared));
        let guard = self.committer.guard.clone();
        // Errands and promotions come from outside; they must not keep the committer alive.
        let weak = outcome_sender.downgrade();
        self.handle.connect(Box::new(move |outcome| {
            weak.upgrade().is_some_and(|outcomes| outcomes.send(outcome).is_ok())
        }));
        let mut scheduler = Scheduler::new(
            shared,
            self.frontier.clone(),
            self.stats.clone(),
            guard,
            outcome_sender,
        );
        let mut events = Events(event_receiver);
        let committer = self.committer;
        let committing = thread::Builder::new()
            .name("committer".to_owned())
            .spawn(move || {
                stand_back();
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

/// Looks through all links again if the scope has changed since they were judged (C10).
///
/// Links that were left out are not kept, but the page log has them. Cost: one pass over it.
fn judge_again(
    collection: &Collection,
    frontier: &Frontier,
    options: &Options,
) -> Result<(), Error> {
    let mut update = frontier.update();
    if update.set_scope(options.scope.fingerprint()) {
        tracing::info!("the scope has changed: looking through the links of all pages again");
        let mut reader = pages::Reader::open(&collection.pages(), Position::START)?;
        let mut looked = 0u64;
        while let Some(entry) = reader.next_entry()? {
            update.judge_again(&entry.record, entry.start, options)?;
            looked += 1;
            if looked.is_multiple_of(1000) {
                // The new fingerprint goes with the last batch: a crash begins anew.
                update.set_scope(0);
                update.commit()?;
                update = frontier.update();
            }
        }
        update.set_scope(options.scope.fingerprint());
    }
    update.commit()?;
    Ok(())
}

/// Opens page log and frontier, and carries on what a crash left unfinished.
///
/// Refuses a log that tells of more than the archive holds: new responses would lie where it says
/// that others do ([`crate::repair`]). The caller has opened the archive.
fn open_recovered(
    collection: &Collection,
    options: &Options,
) -> Result<(pages::Writer, Frontier, Recovered), Error> {
    let mut pages = pages::Writer::open(&collection.pages())?;
    let frontier = open_frontier(collection, &pages, options)?;
    let applied = apply_log(collection, &frontier, options)?;
    let last = frontier.totals().capture;
    if last.is_some_and(|capture| !archive::reaches(&collection.archive(), capture)) {
        return Err(Error::ShortArchive { path: collection.archive() });
    }
    let reread = read_on(collection, &mut pages, &frontier, options)?;
    Ok((pages, frontier, Recovered { applied, reread }))
}

/// Opens the frontier; one that knows more than the page log is made again from it, and so is
/// one of another release, one that is damaged, and one whose place in the log is not there: the
/// log was written anew.
///
/// The first happens when the log's end was damaged or its folder removed. The archive still has
/// everything: what the log lost is read from there. URLs that no page names, seeds, are given
/// again by the caller.
fn open_frontier(
    collection: &Collection,
    pages: &pages::Writer,
    options: &Options,
) -> Result<Frontier, Error> {
    let sizes = Sizes::within(options.memory);
    match Frontier::open(&collection.frontier(), sizes) {
        Ok(frontier) if frontier.totals().checkpoint > pages.end() => tracing::warn!(
            "the page log ends before the frontier; both are made again from the archive"
        ),
        Ok(frontier) => {
            match pages::Reader::open(&collection.pages(), frontier.totals().checkpoint) {
                Err(pages::Error::Log(log::Error::File { source, .. }))
                    if source.kind() == std::io::ErrorKind::NotFound =>
                {
                    tracing::info!("the page log was written anew: so is the frontier");
                }
                opened => return opened.map(|_| frontier).map_err(Error::from),
            }
        }
        Err(error @ FrontierError::Version { .. }) => tracing::warn!(%error, "it is made again"),
        Err(error) if error.is_damage() => {
            let error = Error::from(error).with_causes();
            tracing::warn!(error, "the frontier is damaged and is made again from the page log");
        }
        Err(error) => return Err(error.into()),
    }
    let path = collection.frontier();
    folder::remove(&path).map_err(|source| Error::Remove { path: path.clone(), source })?;
    Ok(Frontier::open(&path, sizes)?)
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
        scheduler.pause(is_paused);
        let wake = scheduler.dispatch()?;
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
        if !events.pass(scheduler, deadline).await? {
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
    let frontier = match Frontier::open(&collection.frontier(), Sizes::default()) {
        Err(error @ FrontierError::Version { .. }) => return Ok(vec![error.to_string()]),
        opened => opened?,
    };
    let mut problems = frontier.check()?;
    let end = pages::check(&collection.pages())?.end;
    if frontier.totals().checkpoint > end {
        let (segment, offset) = (end.segment, end.offset);
        problems.push(format!("the page log ends at {segment}:{offset}, before what was applied"));
    }
    if repair::is_ahead(collection)? {
        problems.push("the page log tells of responses that the archive does not hold".to_owned());
    }
    Ok(problems)
}

/// Returns the numbers that the frontier holds. The caller holds the collection's lock.
pub fn stored_snapshot(collection: &Collection) -> Result<Snapshot, Error> {
    let stats = Stats::default();
    if collection.frontier().exists() {
        stats.count(&Frontier::open(&collection.frontier(), Sizes::default())?);
    }
    Ok(stats.snapshot())
}
