//! Who is connected, and who gives way when the house is full (WEB-12, WEB-15).
//!
//! Refusing newcomers would let anybody with enough idle connections lock the door. So when
//! every seat is taken, the connection that has been waiting longest for a request to arrive
//! loses its seat; a newcomer who asks at once is served. Only when every connection is in the
//! middle of a request is the newcomer refused.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// The seats of one server.
#[derive(Debug)]
pub(crate) struct Crowd {
    size: usize,
    opened: Instant,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    seats: HashMap<u64, Arc<Seat>>,
}

/// One connection's place; it is free again when the [`Guest`] is dropped.
#[derive(Debug)]
struct Seat {
    /// Microseconds from the crowd's opening to the moment the connection began to wait for a
    /// request; [`BUSY`] while one is being answered.
    waiting_since: AtomicU64,
    evicted: Notify,
}

const BUSY: u64 = u64::MAX;

/// Holds a seat.
#[derive(Debug)]
pub(crate) struct Guest {
    crowd: Arc<Crowd>,
    number: u64,
    seat: Arc<Seat>,
}

impl Crowd {
    /// Opens a house of `size` seats.
    pub(crate) fn new(size: usize) -> Arc<Self> {
        Arc::new(Self { size: size.max(1), opened: Instant::now(), taken: Mutex::default() })
    }

    /// Gives the newcomer a seat, taking one from the longest waiting if need be; `None` if
    /// everybody is in the middle of a request. Cost when full: O(seats).
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Guest> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.seats.len() >= self.size {
            let waiting = |seat: &Seat| seat.waiting_since.load(Ordering::Relaxed);
            let (&number, seat) = taken.seats.iter().min_by_key(|(_, seat)| waiting(seat))?;
            if waiting(seat) == BUSY {
                return None;
            }
            seat.evicted.notify_one();
            taken.seats.remove(&number);
        }
        let number = taken.next;
        taken.next += 1;
        let waiting_since = AtomicU64::new(self.now());
        let seat = Arc::new(Seat { waiting_since, evicted: Notify::new() });
        taken.seats.insert(number, seat.clone());
        Some(Guest { crowd: self.clone(), number, seat })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(BUSY - 1)
    }
}

impl Guest {
    /// Says that a request arrived: this seat is safe.
    pub(crate) fn begin(&self) {
        self.seat.waiting_since.store(BUSY, Ordering::Relaxed);
    }

    /// Says that the answer is ready: from now on this connection waits.
    pub(crate) fn end(&self) {
        self.seat.waiting_since.store(self.crowd.now(), Ordering::Relaxed);
    }

    /// Waits until somebody else got this seat.
    pub(crate) async fn evicted(&self) {
        self.seat.evicted.notified().await;
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut taken = self.crowd.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.seats.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn the_longest_waiting_gives_way_and_the_busy_stay() {
        let crowd = Crowd::new(2);
        let first = crowd.enter().unwrap();
        std::thread::sleep(Duration::from_millis(1));
        let second = crowd.enter().unwrap();
        first.begin();
        let third = crowd.enter().unwrap();
        let soon = Duration::from_millis(50);
        assert!(tokio::time::timeout(soon, second.evicted()).await.is_ok());
        assert!(tokio::time::timeout(soon, first.evicted()).await.is_err());
        third.begin();
        assert!(crowd.enter().is_none(), "both seats are in the middle of a request");
        third.end();
        assert!(crowd.enter().is_some());
    }

    #[test]
    fn a_seat_is_free_when_its_guest_leaves() {
        let crowd = Crowd::new(1);
        let guest = crowd.enter().unwrap();
        guest.begin();
        assert!(crowd.enter().is_none());
        drop(guest);
        assert!(crowd.enter().is_some());
    }
}
