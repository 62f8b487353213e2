//! Threads of its own for work that stands back behind other work.
//!
//! A step of a ranking runs on all threads of a pool. The pool that everybody shares is made by
//! whoever is the first to need it, with his priority, and serves one after the other: ranking a
//! whole generation there would run as if people waited for it, while people who search waited
//! for it.

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// What the threads are called, each with a number behind it; systems cut names at 15 bytes.
pub const NAMES: &str = "links-";

/// Gives the calling thread others to share its work with, as many as there are cores.
///
/// Whatever it does from then on in this crate runs on it and on them, and on nobody else. They
/// have the priority that it has now. They stay as long as the process: call it once, at the
/// beginning of a thread that goes on for as long. Fails if it has such threads already, or if
/// the system gives none; its work then runs where everybody's does.
pub fn own_threads() -> Result<(), ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new()
        .use_current_thread()
        .thread_name(|number| format!("{NAMES}{number}"))
        .build()?;
    // The pool ends when nobody holds it, and this thread is part of it.
    std::mem::forget(pool);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::{self, ThreadId};

    use rayon::prelude::*;

    use super::own_threads;

    fn who_works() -> HashSet<ThreadId> {
        (0..10_000).into_par_iter().map(|_| thread::current().id()).collect()
    }

    #[test]
    fn work_stays_on_threads_of_its_own() {
        let shared: HashSet<ThreadId> =
            rayon::broadcast(|_| thread::current().id()).into_iter().collect();
        let (own, others) = thread::spawn(|| {
            own_threads().unwrap();
            assert!(own_threads().is_err(), "it has some");
            let mut own: HashSet<ThreadId> =
                rayon::broadcast(|_| thread::current().id()).into_iter().collect();
            own.insert(thread::current().id());
            (own, who_works())
        })
        .join()
        .unwrap();
        assert!(others.is_subset(&own), "{others:?} {own:?}");
        assert!(own.is_disjoint(&shared), "{own:?} {shared:?}");
        assert!(who_works().is_subset(&shared), "others work where they did");
    }
}
