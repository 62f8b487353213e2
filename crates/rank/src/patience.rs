//! How long a search may work: until its deadline, and while somebody waits for the answer
//! (QRY-08, QRY-19).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Until when work may go on, and whether it was broken off. Clones share the latter.
#[derive(Clone, Debug)]
pub(crate) struct Patience {
    deadline: Instant,
    is_left: Option<Arc<AtomicBool>>,
    is_over: Arc<AtomicBool>,
}

/// Steps between two looks at the clock.
const STRIDE: u32 = 64;

impl Patience {
    /// Lasts until a moment, or until `is_left` is set.
    pub(crate) fn until(deadline: Instant, is_left: Option<Arc<AtomicBool>>) -> Self {
        Self { deadline, is_left, is_over: Arc::default() }
    }

    /// Returns another that lasts as long as this one, and `most` from now on at most.
    pub(crate) fn within(&self, most: Duration) -> Self {
        let deadline = self.deadline.min(Instant::now() + most);
        Self::until(deadline, self.is_left.clone())
    }

    /// Looks at the clock and at who waits; returns whether work must end.
    pub(crate) fn is_over(&self) -> bool {
        let is_left = self.is_left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed));
        if is_left || Instant::now() >= self.deadline {
            self.is_over.store(true, Ordering::Relaxed);
        }
        self.was_lost()
    }

    /// Counts a small step; returns whether it was one too many.
    pub(crate) fn is_lost(&self, steps: &mut u32) -> bool {
        *steps = steps.wrapping_add(1);
        if steps.is_multiple_of(STRIDE) { self.is_over() } else { self.was_lost() }
    }

    /// Returns whether work was broken off.
    pub(crate) fn was_lost(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_with_the_time_or_when_nobody_waits() {
        let late = Instant::now() + Duration::from_secs(3_600);
        let left = Arc::new(AtomicBool::new(false));
        let patience = Patience::until(late, Some(left.clone()));
        assert!(!patience.is_over());
        left.store(true, Ordering::Relaxed);
        let mut steps = 0;
        let lost = (0..STRIDE).filter(|_| patience.clone().is_lost(&mut steps)).count();
        assert_eq!((lost, patience.was_lost()), (1, true));
        assert!(Patience::until(Instant::now(), None).is_over());
        // A part of the work may end sooner, and does not end the rest.
        let patience = Patience::until(late, None);
        assert!(patience.within(Duration::ZERO).is_over() && !patience.is_over());
        assert!(!patience.within(Duration::from_secs(7_200)).is_over());
    }
}
