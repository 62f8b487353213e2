//! The time of day as a crawl sees it: it never jumps (STO-14).

use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use rustix::time::{ClockId, clock_gettime};

use crate::Clock;

/// Returns a clock that is right at this moment and goes on evenly, whatever happens to the
/// computer's: one that is put forward must end no rest early, one that is put back must not
/// make a host wait for years.
///
/// Time in which the computer slept counts: the dates of pages stay right.
pub fn steady_clock(now: Timestamp) -> Clock {
    let begun = since_boot();
    Arc::new(move || now.plus(since_boot().saturating_sub(begun)))
}

fn since_boot() -> Duration {
    let time = clock_gettime(ClockId::Boottime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sto_14_the_time_goes_on_evenly_from_whatever_year_it_is() {
        for year in [0, 1_763_285_400_000, 4_102_444_800_000] {
            let clock = steady_clock(Timestamp::from_millis(year));
            let before = clock();
            std::thread::sleep(Duration::from_millis(20));
            let gone = clock().since(before);
            assert!(
                gone >= Duration::from_millis(19) && gone < Duration::from_secs(60),
                "{gone:?}"
            );
            assert!(clock().since(Timestamp::from_millis(year)) < Duration::from_secs(60));
        }
    }
}
