//! The hosts that have waiting URLs, in the order in which they come into rotation.
//!
//! ```text
//! in line: class: u8 | order: u64 be                      → Host
//! slowed:  254: u8   | moment: u64 be | host surt         → Host
//! resting: 255: u8   | moment: u64 be | host surt         → Host
//! ```
//! A host stands in the front queue of its best URL. Hosts that rest for long stand by the moment
//! when they may be visited again, so that memory holds only those that may be visited soon, and
//! so that a rest outlives a restart. Mirrors, of which single pages are read at growing distances,
//! stand apart from them: a crawl that is to end when idle waits for none of these moments.

use base::{Host, Timestamp};

use super::{Class, Frontier, FrontierError, HostState, Turn, decode};

const RESTING: u8 = u8::MAX;
const SLOWED: u8 = RESTING - 1;

impl Turn {
    pub(super) fn key(self, host: &Host) -> Vec<u8> {
        match self {
            Self::InLine { class, order } => {
                let mut key = vec![u8::try_from(class.index()).expect("there are 16 classes")];
                key.extend(order.to_be_bytes());
                key
            }
            Self::Resting { until } => moment_key(RESTING, until, host),
            Self::Slowed { until } => moment_key(SLOWED, until, host),
        }
    }
}

fn moment_key(kind: u8, moment: Timestamp, host: &Host) -> Vec<u8> {
    let millis = u64::try_from(moment.as_millis()).unwrap_or(0);
    let mut key = vec![kind];
    key.extend(millis.to_be_bytes());
    key.extend(host.surt().as_bytes());
    key
}

/// Returns the first key of hosts that rest beyond a moment.
pub(super) fn after_rest(moment: Timestamp) -> Vec<u8> {
    let millis = u64::try_from(moment.as_millis()).unwrap_or(0);
    [&[RESTING][..], &(millis + 1).to_be_bytes()].concat()
}

/// Returns the key of a turn and the host that stands in it.
pub(super) fn host_of_turn(guard: fjall::Guard) -> Result<(Vec<u8>, Host), FrontierError> {
    let (key, value) = guard.into_inner()?;
    Ok((key.to_vec(), decode(&value, "turns")?))
}

/// Brings hosts into rotation: takes turns among the front queues.
pub(crate) struct Picker {
    /// Turns before these have been handed out.
    reached: [u64; Class::COUNT],
    shares: Shares,
}

impl Picker {
    pub(crate) fn new() -> Self {
        Self { reached: [0; Class::COUNT], shares: Shares::default() }
    }

    /// Returns up to `limit` hosts whose turn it is and that `is_active` does not hold.
    pub(crate) fn pick(
        &mut self,
        frontier: &Frontier,
        limit: usize,
        is_active: impl Fn(&Host) -> bool,
    ) -> Result<Vec<HostState>, FrontierError> {
        let mut picked = Vec::new();
        let mut open = [true; Class::COUNT];
        while picked.len() < limit {
            let Some(class) = self.shares.next(|class| open[class.index()]) else { break };
            // A few at a time keeps the number of range reads small and the shares true enough.
            let some = (limit - picked.len()).min(8);
            let found = self.pick_of(frontier, class, some, &is_active)?;
            open[class.index()] = found.len() == some;
            picked.extend(found);
        }
        Ok(picked)
    }

    fn pick_of(
        &mut self,
        frontier: &Frontier,
        class: Class,
        limit: usize,
        is_active: &impl Fn(&Host) -> bool,
    ) -> Result<Vec<HostState>, FrontierError> {
        let number = u8::try_from(class.index()).expect("there are 16 classes");
        let mut start = vec![number];
        start.extend(self.reached[class.index()].to_be_bytes());
        let mut picked = Vec::new();
        for guard in frontier.turns.range(start..vec![number + 1]) {
            let (key, value) = guard.into_inner()?;
            let order = key.get(1..9).and_then(|bytes| bytes.try_into().ok());
            let order = order.ok_or(FrontierError::Value { keyspace: "turns" })?;
            self.reached[class.index()] = u64::from_be_bytes(order) + 1;
            let host: Host = decode(&value, "turns")?;
            if is_active(&host) {
                continue;
            }
            picked.extend(frontier.host(&host)?);
            if picked.len() == limit {
                break;
            }
        }
        Ok(picked)
    }
}

impl Frontier {
    /// Returns up to `limit` hosts whose rest is over, and when the next one's will be.
    pub(crate) fn rested(
        &self,
        now: Timestamp,
        limit: usize,
        is_active: impl Fn(&Host) -> bool,
    ) -> Result<(Vec<HostState>, Option<Timestamp>), FrontierError> {
        self.due(RESTING, now, limit, is_active)
    }

    /// Returns up to `limit` slowed hosts of which a page is to be read now.
    pub(crate) fn looks(
        &self,
        now: Timestamp,
        limit: usize,
        is_active: impl Fn(&Host) -> bool,
    ) -> Result<Vec<HostState>, FrontierError> {
        Ok(self.due(SLOWED, now, limit, is_active)?.0)
    }

    /// Returns up to `limit` hosts of a kind whose moment has come, and when the next one's will.
    fn due(
        &self,
        kind: u8,
        now: Timestamp,
        limit: usize,
        is_active: impl Fn(&Host) -> bool,
    ) -> Result<(Vec<HostState>, Option<Timestamp>), FrontierError> {
        let mut rested = Vec::new();
        for guard in self.turns.prefix(vec![kind]) {
            let (key, value) = guard.into_inner()?;
            let millis = key.get(1..9).and_then(|bytes| bytes.try_into().ok());
            let millis =
                u64::from_be_bytes(millis.ok_or(FrontierError::Value { keyspace: "turns" })?);
            let until = Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
            if until > now {
                return Ok((rested, Some(until)));
            }
            if rested.len() == limit {
                return Ok((rested, Some(now)));
            }
            let host: Host = decode(&value, "turns")?;
            if !is_active(&host) {
                rested.extend(self.host(&host)?);
            }
        }
        Ok((rested, None))
    }
}

/// Divides turns among the front queues: better ones get more, none gets nothing.
///
/// Smooth weighted round robin: each queue earns its weight with every turn, the richest is
/// served and pays what all have earned.
#[derive(Default)]
pub(crate) struct Shares {
    credits: [i32; Class::COUNT],
}

/// Half the share every two classes.
const WEIGHTS: [i32; Class::COUNT] = [128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 2, 1, 1];

impl Shares {
    /// Returns the front queue whose turn it is among those that are open.
    pub(crate) fn next(&mut self, is_open: impl Fn(Class) -> bool) -> Option<Class> {
        let mut total = 0;
        let mut richest: Option<usize> = None;
        for (index, weight) in WEIGHTS.into_iter().enumerate() {
            if !is_open(Class::new(index as u8)) {
                continue;
            }
            total += weight;
            self.credits[index] += weight;
            if richest.is_none_or(|best| self.credits[index] > self.credits[best]) {
                richest = Some(index);
            }
        }
        let richest = richest?;
        self.credits[richest] -= total;
        Some(Class::new(richest as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_front_queue_gets_its_share() {
        let mut shares = Shares::default();
        let mut served = [0; Class::COUNT];
        for _ in 0..447 * 10 {
            served[shares.next(|_| true).unwrap().index()] += 1;
        }
        for (count, weight) in served.into_iter().zip(WEIGHTS) {
            assert_eq!(count, weight * 10);
        }
        assert!(shares.next(|_| false).is_none());
        assert_eq!(shares.next(|class| class == Class::LAST), Some(Class::LAST));
    }
}
