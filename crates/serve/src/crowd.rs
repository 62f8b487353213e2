//! Who is connected, and who gives way when the house is full (WEB-12, WEB-15).
//!
//! Refusing newcomers would let anybody with enough idle connections lock the door. So when
//! every seat is taken, the connection that has been waiting longest for a request to arrive
//! loses its seat; a newcomer who asks at once is served. Only when every connection is in the
//! middle of a request is the newcomer refused.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The seats of one server.
#[derive(Debug)]
pub(crate) struct Crowd {
    size: usize,
    seats: Mutex<Seats>,
}

#[derive(Debug, Default)]
struct Seats {
    num_taken: usize,
    next_ticket: u64,
    /// Who waits for a request to arrive, by ticket, and how to tell them to leave. Tickets are
    /// drawn when the waiting begins, so the first has been waiting longest.
    waiting: BTreeMap<u64, Arc<Notify>>,
}

/// Holds a seat; it is free again when this is dropped or evicted.
#[derive(Debug)]
pub(crate) struct Guest {
    crowd: Arc<Crowd>,
    /// The ticket while waiting; [`BUSY`] during a request, [`GONE`] once the seat is lost.
    ticket: AtomicU64,
    leave: Arc<Notify>,
}

const BUSY: u64 = u64::MAX;
const GONE: u64 = u64::MAX - 1;

impl Crowd {
    /// Opens a house of `size` seats.
    pub(crate) fn new(size: usize) -> Arc<Self> {
        Arc::new(Self { size: size.max(1), seats: Mutex::default() })
    }

    /// Gives the newcomer a seat, taking one from the longest waiting if need be; `None` if
    /// everybody is in the middle of a request. Cost: O(log seats).
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Guest> {
        let mut seats = self.seats();
        if seats.num_taken >= self.size && !seats.evict() {
            return None;
        }
        seats.num_taken += 1;
        let leave = Arc::new(Notify::new());
        let ticket = AtomicU64::new(seats.wait(leave.clone()));
        Some(Guest { crowd: self.clone(), ticket, leave })
    }

    /// Makes the longest waiting leave, because the system has no room left for sockets.
    pub(crate) fn make_room(&self) {
        self.seats().evict();
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seats {
    fn wait(&mut self, leave: Arc<Notify>) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting.insert(ticket, leave);
        ticket
    }

    /// Frees the seat of the longest waiting; returns whether anybody waits.
    fn evict(&mut self) -> bool {
        let Some((_, leave)) = self.waiting.pop_first() else { return false };
        leave.notify_one();
        self.num_taken -= 1;
        true
    }
}

impl Guest {
    /// Says that a request arrived: this seat is safe.
    pub(crate) fn begin(&self) {
        let mut seats = self.crowd.seats();
        let has_seat = seats.waiting.remove(&self.ticket.load(Ordering::Relaxed)).is_some();
        self.ticket.store(if has_seat { BUSY } else { GONE }, Ordering::Relaxed);
    }

    /// Says that the answer is ready: from now on this connection waits.
    pub(crate) fn end(&self) {
        let mut seats = self.crowd.seats();
        if self.ticket.load(Ordering::Relaxed) == BUSY {
            self.ticket.store(seats.wait(self.leave.clone()), Ordering::Relaxed);
        }
    }

    /// Waits until somebody else got this seat.
    pub(crate) async fn evicted(&self) {
        self.leave.notified().await;
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut seats = self.crowd.seats();
        let ticket = self.ticket.load(Ordering::Relaxed);
        if ticket == BUSY || seats.waiting.remove(&ticket).is_some() {
            seats.num_taken -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    async fn is_evicted(guest: &Guest) -> bool {
        tokio::time::timeout(Duration::from_millis(50), guest.evicted()).await.is_ok()
    }

    #[tokio::test]
    async fn web_15_the_longest_waiting_gives_way_and_the_busy_stay() {
        let crowd = Crowd::new(2);
        let first = crowd.enter().unwrap();
        let second = crowd.enter().unwrap();
        first.begin();
        let third = crowd.enter().unwrap();
        assert!(is_evicted(&second).await);
        assert!(!is_evicted(&first).await);
        third.begin();
        assert!(crowd.enter().is_none(), "both seats are in the middle of a request");
        first.end();
        third.end();
        let _fourth = crowd.enter().unwrap();
        assert!(is_evicted(&first).await, "it began to wait before the third");
        assert!(!is_evicted(&third).await);
    }

    #[test]
    fn seats_are_counted_right() {
        let crowd = Crowd::new(2);
        let guests: Vec<_> = (0..9).map(|_| crowd.enter().unwrap()).collect();
        assert_eq!(crowd.seats().num_taken, 2);
        guests[0].begin();
        guests[0].end();
        assert_eq!(crowd.seats().waiting.len(), 2, "who lost a seat does not get it back");
        guests[8].begin();
        crowd.make_room();
        assert_eq!(crowd.seats().num_taken, 1);
        drop(guests);
        assert_eq!(crowd.seats().num_taken, 0);
        assert!(crowd.seats().waiting.is_empty());
    }
}
