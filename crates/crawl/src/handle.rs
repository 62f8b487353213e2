//! What others may ask of a crawl while it runs, or of a collection that nobody crawls.
//!
//! A [`Handle`] is cheap to clone and works from any thread. Pausing and stopping are orders that
//! the crawl watches; telling what is known of a URL only reads; forgetting is done by whoever
//! owns the writers of archive and page log, which is the committer while a crawl runs.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base::{Collection, Host, Url};
use tokio::sync::watch;

use crate::committer::Outcome;
use crate::forget::{self, Blocked, Errand, Forgotten, Target};
use crate::frontier::{Frontier, HostState, Sizes};
use crate::grants::GrantLog;
use crate::hosts::{self, HostQuery, HostRow, HostRows};
use crate::outside::Outside;
use crate::owner::{self, OwnerReport};
use crate::picture::{NoPicture, Picture};
use crate::politeness::Politeness;
use crate::story::{self, Story};
use crate::{Error, HostRule, Options, Scope, guard};

/// Steers a crawl and asks it questions.
#[derive(Clone)]
pub struct Handle(Arc<Inner>);

/// What a crawl is told to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Send no new requests; what is under way comes to its end.
    pub is_paused: bool,
    /// End cleanly.
    pub is_stopping: bool,
}

/// What is measured when somebody looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauges {
    /// Hosts that rest in the store, up to [`Self::MOST`].
    pub hosts_resting: u64,
    /// Pages that are due to be fetched again and do not wait for it yet, up to [`Self::MOST`].
    pub overdue: u64,
    /// Bytes of this process in memory.
    pub memory: u64,
    /// Bytes that are free on the collection's disk.
    pub disk_free: u64,
    /// Its size.
    pub disk_size: u64,
}

impl Gauges {
    /// Where counting stops.
    pub const MOST: usize = 10_000;

    /// Measures memory and disk alone, as a process can that opens no store; nothing is counted.
    pub fn of_machine(folder: &Path) -> Self {
        let (disk_free, disk_size) = guard::disk(folder).unwrap_or_default();
        let memory = guard::resident_bytes().unwrap_or_default();
        Self { memory, disk_free, disk_size, ..Self::default() }
    }
}

struct Inner {
    collection: Collection,
    options: Options,
    /// `None` while the stores are closed.
    frontier: RwLock<Option<Arc<Frontier>>>,
    politeness: Politeness,
    grants: Arc<GrantLog>,
    orders: watch::Sender<Orders>,
    carrier: Mutex<Option<Carrier>>,
    outside: Mutex<Option<Arc<Outside>>>,
}

/// Hands something to the owner of the writers; returns `false` if there is none any more.
pub(crate) type Carrier = Box<dyn Fn(Outcome) -> bool + Send + Sync>;

impl Handle {
    pub(crate) fn new(collection: &Collection, options: &Options, frontier: Arc<Frontier>) -> Self {
        let grants = GrantLog::new(collection, options.clock.clone(), options.grants);
        let grants = Arc::new(grants);
        Self(Arc::new(Inner {
            collection: collection.clone(),
            options: options.clone(),
            frontier: RwLock::new(Some(frontier)),
            politeness: Politeness::new(options.politeness).logging(grants.clone()),
            grants,
            orders: watch::Sender::default(),
            carrier: Mutex::default(),
            outside: Mutex::default(),
        }))
    }

    /// Returns a handle to a collection that nobody crawls, to ask [`Self::why`].
    ///
    /// The caller holds the collection's lock.
    pub fn open(collection: &Collection, options: &Options) -> Result<Self, Error> {
        options.blocked.read(collection, options.url_rules)?;
        options.host_rules.read(collection)?;
        let frontier = Arc::new(Frontier::open(&collection.frontier(), Sizes::default())?);
        Ok(Self::new(collection, options, frontier))
    }

    /// Lets no new request go out until [`Self::resume`].
    pub fn pause(&self) {
        self.0.orders.send_if_modified(|orders| !std::mem::replace(&mut orders.is_paused, true));
    }

    /// Lets requests go out again.
    pub fn resume(&self) {
        self.0.orders.send_if_modified(|orders| std::mem::take(&mut orders.is_paused));
    }

    /// Returns whether the crawl is paused.
    pub fn is_paused(&self) -> bool {
        self.0.orders.borrow().is_paused
    }

    /// Ends the crawl cleanly; a crawl that begins later with this handle ends at once.
    pub fn stop(&self) {
        self.0.orders.send_if_modified(|orders| !std::mem::replace(&mut orders.is_stopping, true));
    }

    /// Waits until somebody calls [`Self::stop`].
    pub async fn stopped(&self) {
        let mut orders = self.orders();
        // The sender lives in this handle, so waiting cannot fail.
        let _ = orders.wait_for(|orders| orders.is_stopping).await;
    }

    /// Returns the orders, to be watched.
    pub fn orders(&self) -> watch::Receiver<Orders> {
        self.0.orders.subscribe()
    }

    /// Tells everything that is known of a URL, written in any way.
    ///
    /// Reads stores, so it belongs on a thread that may block. Cost: some point reads.
    pub fn why(&self, asked: &str) -> Result<Story, Error> {
        self.with_sources(|sources| story::tell(asked, sources))
    }

    /// Takes everything of `target` out of the collection and keeps it out (C18).
    ///
    /// It is kept out, durably, when this returns. What is stored is taken out by the owner of
    /// the writers, which is waited for; without one [`Forgotten::is_pending`] says that the next
    /// [`crate::Crawler::open`] will do it. Blocks.
    pub fn forget(&self, target: &Target) -> Result<Forgotten, Error> {
        let Inner { collection, options, .. } = &*self.0;
        let target = target.under(options.url_rules);
        options.blocked.add(collection, &target)?;
        let (errand, answer) = Errand::new(vec![target]);
        if !self.carry(Outcome::Forget(errand)) {
            return Ok(forget::pending());
        }
        // An errand that is dropped undone stays for the next start.
        answer.recv().unwrap_or_else(|_| Ok(forget::pending()))
    }

    /// Returns what is kept out; it changes with [`Self::forget`].
    pub fn blocked(&self) -> Blocked {
        self.0.options.blocked.clone()
    }

    /// Lists hosts. Blocks; reads all of them, up to a limit.
    pub fn hosts(&self, query: &HostQuery) -> Result<HostRows, Error> {
        self.with_sources(|sources| hosts::list(query, sources))
    }

    /// Returns one host; `None` if nothing is known of it and nobody has decided anything.
    pub fn host(&self, host: &Host) -> Result<Option<HostRow>, Error> {
        self.with_sources(|sources| {
            let is_ruled = sources.options.host_rules.of(host) != HostRule::default();
            let state = match sources.frontier.host(host)? {
                None if is_ruled => Some(HostState::new(host.clone())),
                found => found,
            };
            Ok(state.map(|state| sources.row(&state)))
        })
    }

    /// Lets something hold for a host from now on, also after a restart; returns what held before.
    ///
    /// Requests under way come to their end. Blocks.
    pub fn set_host_rule(&self, host: &Host, rule: HostRule) -> Result<HostRule, Error> {
        let Inner { collection, options, .. } = &*self.0;
        let before = options.host_rules.set(collection, host, rule)?;
        if before.is_paused && !rule.is_paused || before.pages != rule.pages {
            self.carry(Outcome::Wake { host: host.clone() });
        }
        Ok(before)
    }

    /// Notes every grant of a permit in `grants.log` from now on, or no longer; until the process
    /// ends, as [`Options::grants`] decides how the next one begins.
    pub fn log_grants(&self, is_on: bool) -> Result<(), Error> {
        self.0.grants.switch(is_on)
    }

    /// Returns whether grants are noted.
    pub fn logs_grants(&self) -> bool {
        self.0.grants.is_on()
    }

    /// Opens the log of grants, if it is wanted: a crawl begins.
    pub(crate) fn begin_grants(&self) -> Result<(), Error> {
        self.0.grants.begin()
    }

    /// Lets another scope hold from now on, until the process ends: for what is found, and for what
    /// waits when its turn comes. Links that were left out before are looked through again when a
    /// crawl begins with it.
    pub fn set_scope(&self, scope: Scope) {
        self.0.options.new_scope.set(scope);
        // A crawl that has reached one of its limits waits for something to happen.
        self.0.orders.send_modify(|_| ());
    }

    /// Adds seeds to a crawl that runs; returns `false` if none does.
    ///
    /// They are durable once the caller has written them where the next run finds them.
    pub fn add_seeds(&self, seeds: Vec<Url>) -> bool {
        self.carry(Outcome::Seeds(seeds))
    }

    /// Tells what the owner of a host may know. Blocks; reads its URLs, up to a limit.
    pub fn owner_report(&self, host: &Host) -> Result<OwnerReport, Error> {
        self.with_sources(|sources| owner::report(host, sources))
    }

    /// Returns whether a host's robots.txt, or the DNS at `_lookfar.HOST`, holds a proof of whose
    /// it is. Blocks: two point reads and, if they do not find it and a crawl runs, one lookup.
    pub fn is_proved(&self, host: &Host, proof: &str) -> Result<bool, Error> {
        let is_it = |text: &String| owner::is_proof(text, proof);
        if self.with_sources(|sources| owner::proofs(host, sources))?.iter().any(is_it) {
            return Ok(true);
        }
        let texts = self.outside().map(|outside| outside.texts(host)).unwrap_or_default();
        Ok(texts.iter().any(|text| is_it(&owner::in_text(text))))
    }

    /// Measures what is not counted all the time. Blocks for some milliseconds.
    pub fn gauges(&self) -> Result<Gauges, Error> {
        let Inner { collection, options, .. } = &*self.0;
        let frontier = self.frontier()?;
        let now = (options.clock)();
        let overdue = match options.again.first {
            Some(_) => frontier.num_due(now, Gauges::MOST)?,
            None => 0,
        };
        let hosts_resting = frontier.num_resting(now, Gauges::MOST)?;
        Ok(Gauges { hosts_resting, overdue, ..Gauges::of_machine(collection.root()) })
    }

    fn with_sources<T>(
        &self,
        ask: impl FnOnce(&story::Sources<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Inner { collection, options, politeness, .. } = &*self.0;
        let frontier = &*self.frontier()?;
        ask(&story::Sources { collection, options, frontier, politeness })
    }

    fn frontier(&self) -> Result<Arc<Frontier>, Error> {
        let frontier = self.0.frontier.read().unwrap_or_else(PoisonError::into_inner);
        frontier.clone().ok_or(Error::Closed)
    }

    /// Asks this store from now on, or none: the last who lets go of one closes it.
    pub(crate) fn set_frontier(&self, frontier: Option<Arc<Frontier>>) {
        *self.0.frontier.write().unwrap_or_else(PoisonError::into_inner) = frontier;
    }

    /// Hands something to the owner of the writers; returns `false` if there is none.
    fn carry(&self, outcome: Outcome) -> bool {
        let carrier = self.0.carrier.lock().unwrap_or_else(PoisonError::into_inner);
        carrier.as_ref().is_some_and(|carry| carry(outcome))
    }

    /// Says how much waiting URLs matter, by what PageRank gives them: 1 is an average page (C3).
    ///
    /// Returns `false` if no crawl runs that could hear it.
    pub fn promote(&self, ranked: Vec<(Url, f32)>) -> bool {
        self.carry(Outcome::Promote(ranked))
    }

    /// Lets errands go to the owner of the writers from now on.
    pub(crate) fn connect(&self, carrier: Carrier) {
        *self.0.carrier.lock().unwrap_or_else(PoisonError::into_inner) = Some(carrier);
    }

    /// Lets people ask the network through the crawl from now on.
    pub(crate) fn lend(&self, outside: Outside) {
        *self.0.outside.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(outside));
    }

    fn outside(&self) -> Option<Arc<Outside>> {
        self.0.outside.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fetches a picture that a page names (P8), under all the rules of a page, or hands out the
    /// one that was fetched a while ago. The caller sees to it that a page names it.
    pub async fn picture(&self, url: &Url) -> Result<Picture, NoPicture> {
        match self.outside().filter(|_| !self.is_paused()) {
            Some(outside) => outside.picture(url).await,
            None => Err(NoPicture::Later),
        }
    }

    /// Returns the one place that grants permits.
    pub(crate) fn politeness(&self) -> Politeness {
        self.0.politeness.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use base::Timestamp;

    use super::*;
    use crate::{Reach, Scope};

    fn handle() -> (tempfile::TempDir, Handle) {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let clock = Arc::new(|| Timestamp::from(SystemTime::now()));
        let options = Options::new(Scope::new(Reach::Open), clock);
        (folder, Handle::open(&collection, &options).unwrap())
    }

    #[test]
    fn orders_reach_those_who_watch_and_only_when_they_change() {
        let (_folder, handle) = handle();
        let mut orders = handle.orders();
        handle.resume();
        assert!(!orders.has_changed().unwrap());
        handle.clone().pause();
        assert!(orders.borrow_and_update().is_paused && handle.is_paused());
        handle.pause();
        assert!(!orders.has_changed().unwrap());
        handle.resume();
        handle.stop();
        assert_eq!(*orders.borrow(), Orders { is_paused: false, is_stopping: true });
    }

    #[test]
    fn an_errand_waits_for_its_owner_or_for_the_next_start() {
        let (_folder, handle) = handle();
        let target: Target = "a.example".parse().unwrap();
        assert!(handle.forget(&target).unwrap().is_pending);
        handle.connect(Box::new(|outcome| {
            let Outcome::Forget(errand) = outcome else { panic!("nothing else was asked") };
            errand.answer(|_| Ok(Forgotten { urls: 7, ..Forgotten::default() }));
            true
        }));
        let forgotten = handle.forget(&target).unwrap();
        assert_eq!((forgotten.urls, forgotten.is_pending), (7, false));
        handle.connect(Box::new(|_| true));
        assert!(handle.forget(&target).unwrap().is_pending, "dropped undone");
    }
}
