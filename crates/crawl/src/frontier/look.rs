//! Questions about single URLs and hosts, for people who ask why (C16).

use base::Host;

use super::{Frontier, FrontierError, Lane, Place, queue_key, queue_prefix};

/// Places in a queue are counted up to here; behind it, the number says nothing to anyone.
const COUNTED: usize = 1_000_000;

impl Frontier {
    /// Returns how many URLs wait before `place` in a queue of a host; at most a million are
    /// counted.
    pub(crate) fn num_before(
        &self,
        (host, lane): (&Host, Lane),
        place: Place,
    ) -> Result<u64, FrontierError> {
        let range = queue_prefix(host)..queue_key(host, place);
        let mut count = 0;
        for guard in self.lane(lane).range(range).take(COUNTED) {
            guard.key()?;
            count += 1;
        }
        Ok(count)
    }
}
