//! Threads that read pages, behind those that fetch them.
//!
//! Reading is work for the processors, so there are as many of these threads as there are
//! processors. They stand back behind the scheduler, the sockets and whoever searches: these need
//! a processor for a moment only, and then at once. Where all had the same priority, a fetcher that
//! could have worked waited until a page was read
//! (`docs/measurements/2026-11-17-crawler.md`).

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::priority::stand_back;

/// Threads that wait for work; they end when it is dropped and what was given to them is done.
pub(crate) struct Readers(Arc<Jobs>);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Jobs {
    queue: Mutex<Queue>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    is_closed: bool,
}

impl Readers {
    /// Starts as many threads as there are processors.
    pub(crate) fn start() -> Self {
        let jobs = Arc::<Jobs>::default();
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            let jobs = jobs.clone();
            thread::Builder::new()
                .name("reader".to_owned())
                .spawn(move || {
                    stand_back();
                    while let Some(job) = jobs.next() {
                        job();
                    }
                })
                .expect("the system can start a few threads more");
        }
        Self(jobs)
    }

    /// Has work done, in the order in which it is given; `None` if it panicked.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        let job = move || {
            if let Ok(done) = catch_unwind(AssertUnwindSafe(work)) {
                // Nobody waits for it any more when the crawl is being given up.
                let _ = sender.send(done);
            }
        };
        self.0.queue().jobs.push_back(Box::new(job));
        self.0.arrived.notify_one();
        answer.await.ok()
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.arrived.notify_all();
    }
}

impl Jobs {
    /// Waits for the next; `None` when there will be none.
    fn next(&self) -> Option<Job> {
        let is_idle = |queue: &mut Queue| queue.jobs.is_empty() && !queue.is_closed;
        let waited = self.arrived.wait_while(self.queue(), is_idle);
        waited.unwrap_or_else(PoisonError::into_inner).jobs.pop_front()
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_costs_only_its_own_answer() {
        let readers = Readers::start();
        let many = thread::available_parallelism().map_or(2, usize::from) + 1;
        for _ in 0..many {
            assert_eq!(readers.read(|| -> u32 { panic!("a page") }).await, None);
        }
        assert_eq!(readers.read(|| 7).await, Some(7));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn readers_stand_back_behind_those_who_fetch() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let here = niceness();
        let there = Readers::start().read(niceness).await;
        assert_eq!(there, Some((here + crate::priority::NICENESS).min(19)));
    }

    #[tokio::test]
    async fn what_was_given_is_done_though_nobody_gives_more() {
        let readers = Readers::start();
        let (sender, done) = oneshot::channel();
        let waiting = readers.read(move || sender.send(()));
        let _ = tokio::time::timeout(std::time::Duration::ZERO, waiting).await;
        drop(readers);
        assert_eq!(done.await, Ok(()));
    }
}
