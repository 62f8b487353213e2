//! Who is connected, and who gives way when the house is full (WEB-12, WEB-15).
//!
//! Refusing newcomers would let anybody with enough idle connections lock the door. So when
//! every seat is taken, the connection that has been waiting longest for a request to arrive
//! loses its seat; a newcomer who asks at once is served. Only when every connection is in the
//! middle of a request is the newcomer refused.
//!
//! No address has more than its share of the seats (WEB-16): who has it all and comes again makes
//! one of its own give way. This machine is no such address, because a proxy on it brings everybody.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::rate::Network;

/// The seats of one server.
#[derive(Debug)]
pub(crate) struct Crowd {
    size: usize,
    share: usize,
    seats: Mutex<Seats>,
}

#[derive(Debug, Default)]
struct Seats {
    num_taken: usize,
    next_ticket: u64,
    /// Who waits for a request to arrive, by ticket, and how to tell them to leave. Tickets are
    /// drawn when the waiting begins, so the first has been waiting longest.
    waiting: BTreeMap<u64, Waiting>,
    /// Seats of each address, as far as it has any.
    by_network: HashMap<Network, usize>,
}

/// Somebody who waits.
#[derive(Debug)]
struct Waiting {
    leave: Arc<Notify>,
    network: Option<Network>,
}

/// Holds a seat; it is free again when this is dropped or evicted.
#[derive(Debug)]
pub(crate) struct Guest {
    crowd: Arc<Crowd>,
    /// The ticket while waiting; [`BUSY`] during a request, [`GONE`] once the seat is lost.
    ticket: AtomicU64,
    leave: Arc<Notify>,
    network: Option<Network>,
}

const BUSY: u64 = u64::MAX;
const GONE: u64 = u64::MAX - 1;

impl Crowd {
    /// Opens a house of `size` seats, of which one address has at most `share`.
    pub(crate) fn new(size: usize, share: usize) -> Arc<Self> {
        Arc::new(Self { size: size.max(1), share: share.max(1), seats: Mutex::default() })
    }

    /// Gives the newcomer a seat, taking one from the longest waiting if need be; `None` if
    /// everybody is in the middle of a request, or all of its own address are and have its share.
    /// Cost: O(log seats), and O(seats) for an address that has its share.
    pub(crate) fn enter(self: &Arc<Self>, network: Option<Network>) -> Option<Guest> {
        let mut seats = self.seats();
        let taken = network.and_then(|network| seats.by_network.get(&network).copied());
        if taken.unwrap_or(0) >= self.share && !seats.evict_of(network) {
            return None;
        }
        if seats.num_taken >= self.size && !seats.evict() {
            return None;
        }
        seats.take(network);
        let leave = Arc::new(Notify::new());
        let ticket = AtomicU64::new(seats.wait(leave.clone(), network));
        Some(Guest { crowd: self.clone(), ticket, leave, network })
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
    fn wait(&mut self, leave: Arc<Notify>, network: Option<Network>) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting.insert(ticket, Waiting { leave, network });
        ticket
    }

    fn take(&mut self, network: Option<Network>) {
        self.num_taken += 1;
        if let Some(network) = network {
            *self.by_network.entry(network).or_default() += 1;
        }
    }

    fn free(&mut self, network: Option<Network>) {
        self.num_taken -= 1;
        let Some(network) = network else { return };
        if let Some(taken) = self.by_network.get_mut(&network) {
            *taken -= 1;
            if *taken == 0 {
                self.by_network.remove(&network);
            }
        }
    }

    /// Frees the seat of the longest waiting; returns whether anybody waits.
    fn evict(&mut self) -> bool {
        let Some((_, waiting)) = self.waiting.pop_first() else { return false };
        waiting.leave.notify_one();
        self.free(waiting.network);
        true
    }

    /// Frees the seat of the longest waiting of one address; returns whether any of it waits.
    fn evict_of(&mut self, network: Option<Network>) -> bool {
        let found = self.waiting.iter().find(|(_, waiting)| waiting.network == network);
        let Some(ticket) = found.map(|(ticket, _)| *ticket) else { return false };
        if let Some(waiting) = self.waiting.remove(&ticket) {
            waiting.leave.notify_one();
            self.free(waiting.network);
        }
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
            self.ticket.store(seats.wait(self.leave.clone(), self.network), Ordering::Relaxed);
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
            seats.free(self.network);
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
        let crowd = Crowd::new(2, 2);
        let first = crowd.enter(None).unwrap();
        let second = crowd.enter(None).unwrap();
        first.begin();
        let third = crowd.enter(None).unwrap();
        assert!(is_evicted(&second).await);
        assert!(!is_evicted(&first).await);
        third.begin();
        assert!(crowd.enter(None).is_none(), "both seats are in the middle of a request");
        first.end();
        third.end();
        let _fourth = crowd.enter(None).unwrap();
        assert!(is_evicted(&first).await, "it began to wait before the third");
        assert!(!is_evicted(&third).await);
    }

    #[test]
    fn seats_are_counted_right() {
        let crowd = Crowd::new(2, 2);
        let guests: Vec<_> = (0..9).map(|_| crowd.enter(None).unwrap()).collect();
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

    #[tokio::test]
    async fn web_16_one_address_has_no_more_than_its_share_of_the_seats() {
        let crowd = Crowd::new(10, 2);
        let network = |text: &str| Some(Network::of(text.parse().unwrap()));
        let (greedy, other) = (network("203.0.113.7"), network("203.0.113.8"));
        let first = crowd.enter(greedy).unwrap();
        let second = crowd.enter(greedy).unwrap();
        let guest = crowd.enter(other).unwrap();
        first.begin();
        let third = crowd.enter(greedy).unwrap();
        assert!(is_evicted(&second).await, "its own gives way");
        assert!(!is_evicted(&guest).await);
        third.begin();
        assert!(crowd.enter(greedy).is_none(), "both of its seats are busy");
        assert!(crowd.enter(other).is_some() && crowd.enter(None).is_some());
        drop((first, second, third));
        assert!(crowd.enter(greedy).is_some());
        drop(guest);
        assert!(crowd.seats().by_network.is_empty(), "only addresses with seats are counted");
    }
}
