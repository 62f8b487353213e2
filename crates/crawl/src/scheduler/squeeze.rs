//! What a crawl does above its memory ceiling (C16, STO-13).
//!
//! Nothing new begins, and what can be read again from the store goes: queues that were read ahead,
//! rules of robots.txt, lessons. Where that is not enough, because others in this process hold the
//! memory or it is scattered over the allocator's heaps, the crawl does not stand still for
//! good: one request at a time goes out, which holds no more than one page.

use std::time::Duration;

use tokio::time::Instant;

use super::Scheduler;
use crate::Error;
use crate::guard::Hold;

/// How long room is waited for before one request at a time goes out.
const WAIT: Duration = Duration::from_secs(3);

/// Since when memory is short, and whether it was said that waiting did not help.
#[derive(Default)]
pub(super) struct Squeeze {
    since: Option<Instant>,
    is_said: bool,
}

impl Scheduler {
    /// Looks at disk and memory, and makes room in memory while it is short.
    pub(super) fn look(&mut self) -> Result<(), Error> {
        if self.guard.look() != Some(Hold::Memory) {
            self.squeeze = Squeeze::default();
            return Ok(());
        }
        self.squeeze.since.get_or_insert_with(Instant::now);
        // What is under way has rules and lessons that the store does not have yet.
        if self.is_quiet() {
            self.frontier.drop_lessons()?;
            self.book.drop_stored();
            self.hosts.values_mut().for_each(super::Slot::drop_read);
        }
        if self.has_waited() && !std::mem::replace(&mut self.squeeze.is_said, true) {
            tracing::warn!("memory stays full: requests go out one at a time");
        }
        Ok(())
    }

    /// Returns whether disk or memory let nothing begin now.
    pub(super) fn is_held(&self) -> bool {
        match self.guard.held() {
            None => false,
            Some(Hold::Memory) => !self.has_waited() || self.uncommitted > 0,
            Some(_) => true,
        }
    }

    /// Returns whether memory is short.
    pub(super) fn is_squeezed(&self) -> bool {
        self.squeeze.since.is_some()
    }

    /// Returns how many hosts may be in memory now.
    pub(super) fn most_hosts(&self) -> usize {
        let options = &self.shared.options;
        let most = if self.is_squeezed() { options.concurrency } else { usize::MAX };
        options.active_hosts.min(most).max(1)
    }

    fn has_waited(&self) -> bool {
        self.squeeze.since.is_some_and(|since| since.elapsed() >= WAIT)
    }
}
