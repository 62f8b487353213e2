//! Threads of the crawl that give way to the scheduler, the sockets and whoever searches.

/// How far they stand back: of two that want one processor, such a thread gets a quarter. The stages
/// that index and analyse stand back further.
pub(crate) const NICENESS: i32 = 5;

/// Lowers the priority of this thread.
pub(crate) fn stand_back() {
    // On Linux a thread has a priority of its own. Where it cannot be lowered, all are equal.
    let lowered = rustix::process::getpriority_process(None)
        .and_then(|now| rustix::process::setpriority_process(None, now + NICENESS));
    if let Err(error) = lowered {
        tracing::debug!(%error, "a thread of the crawl has the priority of fetchers");
    }
}
