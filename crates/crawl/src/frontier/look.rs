//! Questions about single URLs and hosts, for people who ask why (C16).

use base::Host;

use super::{Frontier, FrontierError, Place, queue_key, queue_prefix};

/// Places in a queue are counted up to here; behind it, the number says nothing to anyone.
const COUNTED: usize = 1_000_000;

impl Frontier {
    /// Returns how many URLs of a host wait before `place`; at most a million are counted.
    pub(crate) fn num_before(&self, host: &Host, place: Place) -> Result<u64, FrontierError> {
        let range = queue_prefix(host)..queue_key(host, place);
        let mut count = 0;
        for guard in self.queue.range(range).take(COUNTED) {
            guard.key()?;
            count += 1;
        }
        Ok(count)
    }
}
