//! Lets as many searches run as there are threads worth having, and a few wait (WEB-17, QRY-18).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rank::{Helps, Request, Results};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};
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
    running: Arc<Semaphore>,
    waiting: Semaphore,
    patience: Duration,
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
        let Turns { running, waiting, .. } = &self.turns;
        running.available_permits() == 0 && waiting.available_permits() == 0
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
    pub(crate) fn new(running: usize, waiting: usize, patience: Duration) -> Self {
        let running = Arc::new(Semaphore::new(running.max(1)));
        Self { running, waiting: Semaphore::new(waiting), patience }
    }

    /// Does a piece of work on a thread of its own.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let deadline = Instant::now() + self.patience;
        let turn = match self.running.clone().try_acquire_owned() {
            Ok(turn) => turn,
            Err(_) => {
                let _place = self.waiting.try_acquire().map_err(|_| Problem::busy())?;
                let turn = timeout_at(deadline, self.running.clone().acquire_owned()).await;
                turn.map_err(|_| Problem::busy())?.expect("the semaphore is never closed")
            }
        };
        let thread = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        let outcome = timeout_at(deadline, thread).await.map_err(|_| Problem::busy())?;
        outcome.map_err(|error| {
            error!(%error, "search panicked");
            Problem::internal()
        })
    }
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

    #[tokio::test]
    async fn web_17_what_does_not_fit_is_refused_at_once() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = std::sync::Mutex::new(wait);
        let limits = Limits { searches: 1, waiting_searches: 1, ..Limits::default() };
        let gate = gate(limits, move || wait.lock().unwrap().recv().unwrap());
        let ask = |gate: &Arc<Gate>| {
            let gate = gate.clone();
            tokio::spawn(async move { gate.search("a", &params()).await })
        };
        let (first, second) = (ask(&gate), ask(&gate));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(gate.search("a", &params()).await.unwrap_err().code, "busy");
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert!(first.await.unwrap().is_ok());
        assert!(second.await.unwrap().is_ok());
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
        let limits = Limits { search: Duration::from_millis(20), ..Limits::default() };
        let gate = gate(limits, || std::thread::sleep(Duration::from_millis(200)));
        assert_eq!(gate.search("a", &params()).await.unwrap_err().code, "busy");
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
