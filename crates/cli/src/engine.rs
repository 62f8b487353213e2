//! All stages at the same time, in one process.
//!
//! ```text
//! crawl (async) ──appends──→ page log ──wakes──→ index (thread)
//!                                └──now and then──→ analyst (thread): graph, scores, anchors
//! serve (async) asks what index and analyst have made; the main task shows and tells numbers
//! ```

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use base::log::{Position, Tail};
use crawl::{Crawler, Ending, Handle, Stats, Summary};
use tokio::runtime::{self, Builder, Runtime};
use tokio::sync::watch;

use crate::analyst::{Analyst, Orders, is_at_end};
use crate::control::{Desk, Server};
use crate::copies;
use crate::fresh;
use crate::lexicon::open_searcher;
use crate::live::{Live, Rate};
use crate::numbers::Numbers;
use crate::pictures;
use crate::place::Place;
use crate::room::{self, Crawl};

/// What the engine is to do.
pub(crate) struct Job {
    pub(crate) ending: Ending,
    /// The search page, if one is wanted; bound already, so that a port in use is known early.
    pub(crate) page: Option<(serve::Listener, serve::Options)>,
    /// Access logs whose referrers are queued first (C8).
    pub(crate) referrers: Vec<PathBuf>,
    /// Whether the numbers also go to stdout as JSON.
    pub(crate) json: bool,
}

/// Runs everything until Ctrl-C or, if asked, until there is nothing left to do.
pub(crate) fn run(place: Place, job: Job) -> Result<Summary> {
    let crawling = threads_of_crawl()?;
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(all(place, job, crawling.handle()));
    // Requests of the search page that still hang are not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    crawling.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Starts the threads of the crawl: whoever searches has others, and waits for no socket of it.
fn threads_of_crawl() -> std::io::Result<Runtime> {
    // Of this thread: those of a runtime start each other.
    let behind = niceness() + CRAWL_NICENESS;
    let mut threads = Builder::new_multi_thread();
    threads.thread_name("crawl").on_thread_start(move || stand_back(behind)).enable_all().build()
}

/// Queues the pages that visitors came from, by an access log.
fn add_referrers(crawler: &Crawler, place: &Place, log: &Path) -> Result<u64> {
    let context = || format!("cannot read the access log `{}`", log.display());
    let referrers =
        crawl::Referrers::open(log, place.config.crawl.urls.rules()).with_context(context)?;
    crawler.add_referrers(referrers.map(|url| url.with_context(context)))
}

async fn all(place: Place, job: Job, crawling: &runtime::Handle) -> Result<Summary> {
    let mut options = place.config.crawl_options(&place.seeds)?;
    // Documents are read by this same program, in a process of their own.
    options.documents = std::env::current_exe().ok().map(parse::document::Reader::new);
    let crawler = Crawler::open(&place.collection, options)?;
    crawler.add_seeds(&place.seeds)?;
    let mut live = Live::new(job.json);
    for log in &job.referrers {
        let found = add_referrers(&crawler, &place, log)?;
        live.say(&format!("{found} pages by the referrers in `{}`", log.display()));
    }
    if let (applied, reread) = crawler.recovered()
        && applied + reread > 0
    {
        live.say(&format!(
            "went on after an interruption: {} pages carried over",
            applied + reread
        ));
    }
    let (stop_sender, stop) = watch::channel(false);
    let handle = crawler.handle();
    let stages = Stages::start(&place, crawler.tail(), crawler.stats(), handle.clone())?;
    let _control = listen(&place, &stages);
    let serving = match job.page {
        Some((listener, options)) => {
            Some(stages.serve(&place, listener, options, stop.clone(), &live)?)
        }
        None => None,
    };
    tokio::spawn(stop_when_asked(stop_sender, handle));
    let mut crawl = crawling.spawn(crawler.run(stop.clone(), job.ending));
    let mut tick = tokio::time::interval(Duration::from_millis(250));
    let summary = loop {
        tokio::select! {
            ended = &mut crawl => match ended.context("the crawl died")? {
                Err(error) if serving.is_some() && error.is_of_storage() => {
                    let error = anyhow::Error::from(error);
                    stages.mourn(&place, &error);
                    serve_on(stop.clone()).await;
                    return Err(error);
                }
                ended => break ended?,
            },
            _ = tick.tick() => {
                live.show(&stages.tell(&place));
                stages.complain_if_dead()?;
            }
        }
    };
    // On this thread; signals and the search page have others.
    let finished = tokio::task::block_in_place(|| stages.finish(&place, summary, &stop, &mut live));
    if let Some(serving) = serving {
        serving.abort();
    }
    live.finish(&finished?);
    Ok(summary)
}

/// A disk that fails ends the crawl, not the search page: what is indexed can be searched until
/// somebody has looked and ends the process.
async fn serve_on(mut stop: watch::Receiver<bool>) {
    // Whoever could have stopped us is gone, or has done so.
    let _ = stop.wait_for(|is_stopping| *is_stopping).await;
}

/// Lets other processes steer this one; a crawl that cannot be steered is still a crawl.
fn listen(place: &Place, stages: &Stages) -> Option<Server> {
    match Server::start(&place.collection, stages.desk(place)) {
        Ok(server) => Some(server),
        Err(error) => {
            let error = format!("{error:#}");
            tracing::warn!(error, "`lookfar pause`, `stop`, `why` and `forget` cannot reach us");
            None
        }
    }
}

/// The first Ctrl-C (or a polite kill, or `lookfar stop`) ends cleanly, the second at once.
async fn stop_when_asked(stop: watch::Sender<bool>, handle: Handle) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    for is_second in [false, true] {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
            () = handle.stopped(), if !is_second => {}
        }
        if is_second {
            std::process::exit(130);
        }
        let _ = stop.send(true);
    }
}

/// The stages behind the crawl.
struct Stages {
    tail: Tail,
    stats: Arc<Stats>,
    handle: Handle,
    index: Mutex<Option<JoinHandle<Result<()>>>>,
    analyst: Mutex<Option<JoinHandle<Result<()>>>>,
    stop_index: Arc<AtomicBool>,
    indexed: Arc<Indexed>,
    orders: Arc<Orders>,
    pace: Mutex<Pace>,
    numbers: Arc<Mutex<Numbers>>,
}

/// How far the index is.
#[derive(Default)]
struct Indexed {
    documents: AtomicU64,
    position: Mutex<Position>,
}

/// When things were last shown and written.
#[derive(Default)]
struct Pace {
    rate: Rate,
    told: Option<Instant>,
    measured: Option<Instant>,
}

/// How often other processes are told.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// How often is measured what is not counted.
const MEASURE_EVERY: Duration = Duration::from_secs(5);

impl Stages {
    /// Starts them; the first numbers are gathered when this returns.
    fn start(place: &Place, tail: Tail, stats: Arc<Stats>, handle: Handle) -> Result<Self> {
        let options = place.config.analyse_options(place.collection.root())?;
        let indexing = place.config.live_index_options()?;
        let stop_index = Arc::<AtomicBool>::default();
        let indexed = Arc::new(Indexed::of(&place.collection));
        let orders = Arc::<Orders>::default();
        // Told before the analyst has come to look; what cannot be read, it says.
        if let Ok(Some(generation)) = place.collection.generation() {
            orders.generation.store(generation.0, Ordering::Relaxed);
        }
        let index = {
            let (collection, tail) = (place.collection.clone(), tail.clone());
            let (stop, indexed) = (stop_index.clone(), indexed.clone());
            spawn("index", move || {
                let told = |committed: index::Committed| indexed.set(committed);
                Ok(index::follow(&collection, &tail, indexing, &stop, told)?)
            })?
        };
        let analyst = Analyst {
            collection: place.collection.clone(),
            tail: tail.clone(),
            interval: place.config.index.analyse_every.0,
            options,
            orders: orders.clone(),
            handle: handle.clone(),
        };
        let analyst = spawn("analyst", move || {
            if let Err(error) = graph::own_threads() {
                tracing::debug!(%error, "links are ranked on threads that searches use too");
            }
            analyst.run()
        })?;
        let stages = Self {
            tail,
            stats,
            handle,
            index: Mutex::new(Some(index)),
            analyst: Mutex::new(Some(analyst)),
            stop_index,
            indexed,
            orders,
            pace: Mutex::default(),
            numbers: Arc::default(),
        };
        // Whoever asks first is told what is, not zeros.
        stages.tell(place);
        Ok(stages)
    }

    fn serve(
        &self,
        place: &Place,
        listener: serve::Listener,
        options: serve::Options,
        mut stop: watch::Receiver<bool>,
        live: &Live,
    ) -> Result<tokio::task::JoinHandle<()>> {
        index::survive_cut_files();
        let searching = place.config.search_options()?;
        let searcher = Arc::new(open_searcher(&place.collection, searching)?);
        fresh::keep(&searcher)?;
        let numbers = self.numbers.clone();
        let status = move || status(&numbers.lock().unwrap_or_else(PoisonError::into_inner));
        let address = listener.address()?;
        let copies = copies::of(&place.collection, searcher.clone());
        let crawl = Crawl::Here(self.desk(place));
        let control =
            room::control(&place.collection, &place.config, crawl.clone(), searcher.clone())?;
        let mut state = serve::State::new(searcher, Arc::new(status), options)
            .with_copies(copies)
            .with_control(control)
            .with_story(room::story(crawl.clone()))
            .with_owners(room::about(&place.config, crawl));
        if place.config.serve.pictures {
            state = state.with_pictures(pictures::of(self.handle.clone()));
        }
        live.say_page(&page_url(address));
        Ok(tokio::spawn(async move {
            let shutdown = async move { while !*stop.borrow() && stop.changed().await.is_ok() {} };
            if let Err(error) = serve::run(listener, state, shutdown).await {
                tracing::error!(%error, "search page stopped");
            }
        }))
    }

    /// Returns who answers questions about the crawl.
    fn desk(&self, place: &Place) -> Desk {
        let (read, root) = (place.settings(), place.collection.root().to_owned());
        let (handle, orders) = (self.handle.clone(), self.orders.clone());
        let settle = move || {
            let (config, seeds) = read()?;
            let (crawling, analysing) =
                (config.crawl_options(&seeds)?, config.analyse_options(&root)?);
            handle.set_scope(crawling.scope);
            orders.set_options(analysing);
            Ok(())
        };
        let (handle, numbers) = (self.handle.clone(), self.numbers.clone());
        Desk { handle, numbers, settle: Some(Arc::new(settle)) }
    }

    /// Gathers the numbers and, now and then, tells other processes.
    fn tell(&self, place: &Place) -> Numbers {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = self.stats.snapshot();
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.set_crawl(&snapshot);
        numbers.is_crawling = true;
        numbers.is_paused = self.handle.is_paused();
        numbers.pages_per_second = pace.rate.per_second(Instant::now(), snapshot.pages);
        numbers.documents_indexed = self.indexed.documents.load(Ordering::Relaxed);
        numbers.generation = self.orders.generation.load(Ordering::Relaxed);
        if pace.told.is_none_or(|at| at.elapsed() >= TELL_EVERY) {
            pace.told = Some(Instant::now());
            if pace.measured.is_none_or(|at| at.elapsed() >= MEASURE_EVERY) {
                pace.measured = Some(Instant::now());
                self.measure(&mut numbers);
            }
            if let Err(error) = numbers.tell(&place.collection) {
                tracing::warn!(error = format!("{error:#}"), "status not written");
            }
        }
        numbers.clone()
    }

    fn measure(&self, numbers: &mut Numbers) {
        match self.handle.gauges() {
            Ok(gauges) => numbers.set_gauges(&gauges),
            Err(error) => tracing::warn!(%error, "the frontier cannot be measured"),
        }
    }

    /// Says that the crawl has ended before its time.
    fn mourn(&self, place: &Place, error: &anyhow::Error) {
        let error = format!("{error:#}");
        tracing::error!(error, "the crawl has ended; what is indexed can be searched");
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        (numbers.is_crawling, numbers.pages_per_second) = (false, 0.0);
        if let Err(error) = numbers.tell(&place.collection) {
            tracing::warn!(error = format!("{error:#}"), "status not written");
        }
    }

    /// A stage that has ended before it was told to has failed.
    fn complain_if_dead(&self) -> Result<()> {
        for (name, thread) in [("index", &self.index), ("analyst", &self.analyst)] {
            if is_finished(thread) {
                join(name, thread)?;
                return Err(anyhow!("the {name} stopped unexpectedly"));
            }
        }
        Ok(())
    }

    /// Ends the stages: after an idle crawl when they are done with it, else at once.
    fn finish(
        &self,
        place: &Place,
        summary: Summary,
        stop: &watch::Receiver<bool>,
        live: &mut Live,
    ) -> Result<Numbers> {
        if summary == Summary::Idle {
            self.orders.hurry.store(true, Ordering::Relaxed);
            while !(*stop.borrow() || self.is_indexed(place)? && self.is_analysed(place)?) {
                live.show(&self.tell(place));
                self.complain_if_dead()?;
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        self.stop_index.store(true, Ordering::Relaxed);
        self.orders.stop.store(true, Ordering::Relaxed);
        join("index", &self.index)?;
        join("analyst", &self.analyst)?;
        let mut numbers = self.tell(place);
        (numbers.is_crawling, numbers.is_paused, numbers.pages_per_second) = (false, false, 0.0);
        numbers.set_derived(&place.collection)?;
        numbers.tell(&place.collection)?;
        Ok(numbers)
    }

    fn is_indexed(&self, place: &Place) -> Result<bool> {
        let position = *self.indexed.position.lock().unwrap_or_else(PoisonError::into_inner);
        is_at_end(&place.collection, position, &self.tail)
    }

    fn is_analysed(&self, place: &Place) -> Result<bool> {
        let position = *self.orders.position.lock().unwrap_or_else(PoisonError::into_inner);
        is_at_end(&place.collection, position, &self.tail)
    }
}

impl Indexed {
    /// Begins with what an earlier run has committed.
    ///
    /// What cannot be read is filled again by the index itself.
    fn of(collection: &base::Collection) -> Self {
        let indexed = Self::default();
        if let Ok(Some(snapshot)) = index::Reader::open(&collection.index()).snapshot() {
            let (position, num_docs) = (snapshot.checkpoint, snapshot.searcher.num_docs());
            indexed.set(index::Committed { position, num_docs });
        }
        indexed
    }

    fn set(&self, committed: index::Committed) {
        self.documents.store(committed.num_docs, Ordering::Relaxed);
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = committed.position;
    }
}

/// Returns the address as a person on this machine opens it.
pub(crate) fn page_url(listen: SocketAddr) -> String {
    format!("http://{}/", reachable(listen))
}

/// One listens at every address of a machine, but asks at one.
pub(crate) fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Returns what the search page shows of the numbers.
pub(crate) fn status(numbers: &Numbers) -> serve::Status {
    serve::Status {
        pages: numbers.pages_fetched,
        pages_per_second: numbers.pages_per_second,
        queue: numbers.urls_waiting,
        hosts: numbers.hosts,
        indexed: numbers.documents_indexed,
        generation: numbers.generation,
        is_crawling: numbers.is_crawling,
    }
}

/// How far a stage stands back behind whoever searches: of two that want one core, it gets a tenth.
/// Threads that it starts stand back as far.
const NICENESS: i32 = 10;
/// So for the crawl: it gets a quarter, and threads that it starts may stand back further.
const CRAWL_NICENESS: i32 = 5;

fn spawn(
    name: &str,
    work: impl FnOnce() -> Result<()> + Send + 'static,
) -> Result<JoinHandle<Result<()>>> {
    let behind = move || {
        stand_back(niceness() + NICENESS);
        work()
    };
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(behind)
        .with_context(|| format!("cannot start the thread for the {name}"))
}

/// Returns how far this thread stands back. On Linux each has a priority of its own.
fn niceness() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

/// Lowers the priority of this thread. Where it cannot be lowered, all are equal.
fn stand_back(to: i32) {
    if let Err(error) = rustix::process::setpriority_process(None, to) {
        tracing::debug!(%error, "a stage has the priority of searches");
    }
}

fn is_finished(thread: &Mutex<Option<JoinHandle<Result<()>>>>) -> bool {
    let thread = thread.lock().unwrap_or_else(PoisonError::into_inner);
    thread.as_ref().is_some_and(JoinHandle::is_finished)
}

fn join(name: &str, thread: &Mutex<Option<JoinHandle<Result<()>>>>) -> Result<()> {
    let thread = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
    match thread {
        Some(thread) => thread.join().map_err(|_| anyhow!("the {name} died"))?,
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the niceness of all threads of this process whose names begin so.
    #[cfg(target_os = "linux")]
    fn niceness_of(name: &str) -> Vec<i32> {
        let mut found = Vec::new();
        for task in std::fs::read_dir("/proc/self/task").unwrap().flatten() {
            // `1234 (name) S …`: what is behind the name is told apart by blanks, and the
            // seventeenth is the niceness. A thread that has ended meanwhile has no file.
            let Ok(stat) = std::fs::read_to_string(task.path().join("stat")) else { continue };
            let (before, behind) = stat.rsplit_once(')').unwrap();
            if before.split_once('(').unwrap().1.starts_with(name) {
                found.push(behind.split_whitespace().nth(16).unwrap().parse().unwrap());
            }
        }
        found
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_crawl_stands_back_behind_whoever_searches() {
        let here = niceness();
        let threads = threads_of_crawl().unwrap();
        let crawl = threads.handle().spawn(async move {
            // What it hands out to others stands back too.
            let blocking = tokio::task::spawn_blocking(niceness).await.unwrap();
            (niceness(), blocking)
        });
        let there = (here + CRAWL_NICENESS).min(19);
        assert_eq!(threads.block_on(crawl).unwrap(), (there, there));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn links_are_ranked_behind_whoever_searches() {
        // Others have used the shared threads before, at full priority.
        let links = graph::InLinks::from_arcs(2, [(graph::Node(0), graph::Node(1))]).unwrap();
        graph::pagerank(&links, &graph::PageRankOptions::default()).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        let stage = spawn("stage", move || {
            graph::own_threads()?;
            // A thread gives itself its name when it begins.
            let many = std::thread::available_parallelism()?.get();
            let begun = Instant::now();
            while niceness_of(graph::THREAD_NAMES).len() + 1 < many {
                anyhow::ensure!(begun.elapsed() < Duration::from_secs(20), "it has no others");
                std::thread::sleep(Duration::from_millis(5));
            }
            sender.send(niceness_of(graph::THREAD_NAMES))?;
            Ok(())
        });
        stage.unwrap().join().unwrap().unwrap();
        let niceness = receiver.recv().unwrap();
        assert!(niceness.iter().all(|found| *found >= NICENESS), "{niceness:?}");
    }
}
