//! The time of day as a crawl sees it: it never jumps (STO-14).

use std::sync::Arc;
use std::time::Instant;

use base::Timestamp;

use crate::Clock;

/// Returns a clock that is right at this moment and goes on evenly, whatever happens to the
/// computer's: one that is put forward must end no rest early, one that is put back must not
/// make a host wait for years.
pub fn steady_clock(now: Timestamp) -> Clock {
    let begun = Instant::now();
    Arc::new(move || now.plus(begun.elapsed()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
