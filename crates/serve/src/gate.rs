//! Lets as many searches run as there are threads worth having, and a few wait (WEB-17, QRY-18).
//!
//! A thread that is done takes the next piece of work by itself. Were it ended and another one woken
//! for that, by way of whoever waits, a core would have nothing to do meanwhile: with as many threads
//! as cores, that was about a fifth of all their time.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rank::{Helps, Request, Results};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::error;

use crate::params::Params;
use crate::problem::Problem;
use crate::{Limits, SearchFn};

/// Stands between the visitors and the searcher.
pub(crate) struct Gate {
    search: SearchFn,
    turns: Turns,
}

/// Lets a few pieces of work run at once, and a few wait; what does not fit is refused.
pub(crate) struct Turns {
    most_running: usize,
    most_waiting: usize,
    patience: Duration,
    line: Arc<Mutex<Line>>,
}

/// Who runs and who waits.
#[derive(Default)]
struct Line {
    num_running: usize,
    /// First come, first served; nobody waits while there is a thread to be had.
    waiting: VecDeque<Job>,
}

/// A piece of work that somebody waits for.
struct Job {
    /// Does the work and hands over what comes of it.
    work: Box<dyn FnOnce() + Send>,
    /// Whether nobody waits any more.
    is_left: Arc<AtomicBool>,
}

impl Gate {
    /// Puts a function behind the limits.
    pub(crate) fn new(search: SearchFn, limits: Limits) -> Self {
        let turns = Turns::new(limits.searches, limits.waiting_searches, limits.search);
        Self { search, turns }
    }

    /// Searches on a thread of its own.
    ///
    /// A visitor who leaves while waiting costs nothing more, and one who leaves while a search
    /// runs ends it (QRY-19). A search that overstays its time
    /// is answered with 503, and keeps its thread, which is why the threads are counted.
    pub(crate) async fn search(&self, query: &str, params: &Params) -> Result<Results, Problem> {
        let (search, query) = (self.search.clone(), query.to_owned());
        let is_left = Arc::new(AtomicBool::new(false));
        let _leaving = Leaving(is_left.clone());
        let params = params.clone();
        let request = move || {
            let filters = params.filters();
            search(&Request {
                offset: params.offset,
                count: params.count,
                grouping: params.grouping,
                topics: params.topics_wanted(),
                without: params.without,
                sorting: params.sorting,
                filters: &filters,
                // Who is told the answers alone need not wait for more.
                helps: if params.page.helps { Helps::ALL } else { Helps::NONE },
                is_left: Some(&is_left),
                personal: Some(&params.page.wishes.personal),
                explain: params.explain || params.page.why.is_some(),
                ..Request::new(&query)
            })
        };
        self.run(request).await?.map_err(|error| Problem::of(&error))
    }

    /// Returns whether the next search would be refused at once.
    pub(crate) fn is_full(&self) -> bool {
        self.turns.is_full()
    }

    /// Does a piece of work on a thread of its own, under the same limits as a search.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.turns.run(work).await
    }
}

impl Turns {
    /// Lets so many run and so many wait, and nobody wait longer than `patience` in all.
    pub(crate) fn new(most_running: usize, most_waiting: usize, patience: Duration) -> Self {
        Self { most_running: most_running.max(1), most_waiting, patience, line: Arc::default() }
    }

    fn is_full(&self) -> bool {
        let mut line = locked(&self.line);
        line.num_running >= self.most_running && !line.has_place(self.most_waiting)
    }

    /// Does a piece of work on a thread of its own.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (sender, outcome) = oneshot::channel();
        let is_left = Arc::new(AtomicBool::new(false));
        let _leaving = Leaving(is_left.clone());
        let work = move || {
            // `None` stands for a panic. Nobody is there to be told if the visitor has gone.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)).ok());
        };
        self.enter(Job { work: Box::new(work), is_left })?;
        match timeout(self.patience, outcome).await {
            Ok(Ok(Some(done))) => Ok(done),
            Err(_) => Err(Problem::busy()),
            // A panic; or the work was thrown away, because the server stops.
            Ok(Ok(None) | Err(_)) => {
                error!("search panicked");
                Err(Problem::internal())
            }
        }
    }

    /// Begins a job, or lets it wait.
    fn enter(&self, job: Job) -> Result<(), Problem> {
        let mut line = locked(&self.line);
        if line.num_running < self.most_running {
            line.num_running += 1;
            let line = self.line.clone();
            tokio::task::spawn_blocking(move || work_on(job, &line));
            return Ok(());
        }
        if !line.has_place(self.most_waiting) {
            return Err(Problem::busy());
        }
        line.waiting.push_back(job);
        Ok(())
    }
}

impl Line {
    /// Returns whether one more may wait; those who have gone give their places up.
    fn has_place(&mut self, most: usize) -> bool {
        if self.waiting.len() >= most {
            self.waiting.retain(|job| !job.is_left());
        }
        self.waiting.len() < most
    }
}

impl Job {
    fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }
}

/// Does a job and then those that wait.
fn work_on(mut job: Job, line: &Mutex<Line>) {
    loop {
        if !job.is_left() {
            (job.work)();
        }
        let mut line = locked(line);
        match line.waiting.pop_front() {
            Some(next) => job = next,
            None => {
                line.num_running -= 1;
                return;
            }
        }
    }
}

/// Locks what is never left half changed: no work is done while it is held.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells a search that nobody waits for it any more, when the waiting is dropped.
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn params() -> Params {
        Params { count: 10, ..Params::default() }
    }

    fn gate(limits: Limits, search: impl Fn() + Send + Sync + 'static) -> Arc<Gate> {
        let search = move |_: &Request<'_>| {
            search();
            Ok(Results::default())
        };
        Arc::new(Gate::new(Arc::new(search), limits))
    }

    /// Lets others go on until something has come true.
    async fn until(is_true: impl Fn() -> bool) {
        let wait = async {
            while !is_true() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(60), wait).await.expect("it comes true");
    }

    #[tokio::test]
    async fn web_17_what_does_not_fit_is_refused_at_once() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let limits = Limits { searches: 1, waiting_searches: 1, ..Limits::default() };
        let gate = gate(limits, move || wait.lock().unwrap().recv().unwrap());
        let ask = |gate: &Arc<Gate>| {
            let gate = gate.clone();
            tokio::spawn(async move { gate.search("a", &params()).await })
        };
        let (first, second) = (ask(&gate), ask(&gate));
        until(|| gate.is_full()).await;
        assert_eq!(gate.search("a", &params()).await.unwrap_err().code, "busy");
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert!(first.await.unwrap().is_ok());
        assert!(second.await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn who_has_left_gives_the_place_up_and_is_not_searched_for() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let searched = Arc::new(Mutex::new(0));
        let count = searched.clone();
        let limits = Limits { searches: 1, waiting_searches: 2, ..Limits::default() };
        let gate = gate(limits, move || {
            *count.lock().unwrap() += 1;
            wait.lock().unwrap().recv().unwrap();
        });
        let ask = |gate: &Arc<Gate>| {
            let gate = gate.clone();
            tokio::spawn(async move { gate.search("a", &params()).await })
        };
        let (first, others) = (ask(&gate), [ask(&gate), ask(&gate)]);
        until(|| gate.is_full()).await;
        others.iter().for_each(tokio::task::JoinHandle::abort);
        // Looking clears their places away.
        until(|| !gate.is_full()).await;
        let last = ask(&gate);
        until(|| locked(&gate.turns.line).waiting.len() == 1).await;
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert!(first.await.unwrap().is_ok() && last.await.unwrap().is_ok());
        assert_eq!(*searched.lock().unwrap(), 2);
    }

    #[tokio::test]
    async fn how_links_count_reaches_the_search() {
        let search = |request: &Request<'_>| {
            assert_eq!((request.topics.len(), request.without.trust), (2, true));
            assert_eq!(request.sorting, rank::Sorting::Authorities);
            Err(rank::Error::TopicWeights)
        };
        let gate = Gate::new(Arc::new(search), Limits::default());
        let raw = "q=a&topic=news:0.7,sport&without=trust&order=authorities";
        let params = Params::parse(Some(raw)).unwrap();
        // What is wrong with a question is told to the person who asks.
        let problem = gate.search("a", &params).await.unwrap_err();
        assert_eq!((problem.status.as_u16(), problem.code), (400, "query"));
        assert!(problem.detail.contains("weights of topics"), "{}", problem.detail);
    }

    #[tokio::test]
    async fn a_search_that_takes_too_long_is_not_waited_for() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let limits = Limits { search: Duration::from_millis(20), ..Limits::default() };
        let gate = gate(limits, move || wait.lock().unwrap().recv().unwrap());
        assert_eq!(gate.search("a", &params()).await.unwrap_err().code, "busy");
        go.send(()).unwrap();
    }

    #[tokio::test]
    async fn a_panicking_search_costs_one_answer() {
        let limits = Limits { searches: 1, ..Limits::default() };
        let gate = gate(limits, || panic!("on purpose"));
        for _ in 0..3 {
            assert_eq!(gate.search("a", &params()).await.unwrap_err().code, "internal");
        }
    }
}
