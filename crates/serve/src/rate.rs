//! What one address may ask: a bucket of requests that fills up again (WEB-16).
//!
//! An address is an IPv4 address or an IPv6 network of 64 bits, which is what one customer gets.
//! This machine has no bucket: a proxy here asks for everybody. If a proxy is trusted (`proxy.rs`),
//! the address that it names has one instead.
//!
//! The table is bounded: buckets live in two halves, and when the younger is full, the older is
//! thrown away and they change places. Whoever is thrown away has not asked while half a table of
//! others has, and begins with a full bucket.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Rate;

/// Addresses in one half of the table: some 3 MB each.
const HALF: usize = 32_768;

/// The one address that somebody's requests are counted under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network(IpAddr);

impl Network {
    /// Returns the network of an address.
    pub(crate) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let mask = u128::MAX << 64;
                Self(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask)))
            }
            address => Self(address),
        }
    }
}

/// The buckets of all addresses.
#[derive(Debug)]
pub(crate) struct Buckets {
    rate: Rate,
    half: usize,
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    young: HashMap<Network, Bucket>,
    old: HashMap<Network, Bucket>,
}

/// What an address has left, and when that was.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Buckets {
    /// Gives every address the same; `None` if there is no limit.
    pub(crate) fn new(rate: Rate) -> Option<Self> {
        Self::with_room(rate, HALF)
    }

    fn with_room(rate: Rate, half: usize) -> Option<Self> {
        (rate.per_second > 0).then(|| Self { rate, half, tables: Mutex::default() })
    }

    /// Takes something worth `count` requests out of an address's bucket; if there is not so much
    /// in it, returns in how many seconds there will be. Cost: O(1).
    pub(crate) fn take(&self, network: Network, count: u32, now: Instant) -> Result<(), u32> {
        let per_second = f64::from(self.rate.per_second);
        let size = f64::from(self.rate.burst.max(1));
        // A bucket that is smaller than what is asked for would never let it pass.
        let wanted = f64::from(count).min(size);
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tables.young.get(&network).or_else(|| tables.old.get(&network)).copied();
        let mut bucket = known.unwrap_or(Bucket { left: size, at: now });
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket = Bucket { left: (bucket.left + passed * per_second).min(size), at: now };
        let is_given = bucket.left >= wanted;
        if is_given {
            bucket.left -= wanted;
        }
        if tables.young.len() >= self.half && !tables.young.contains_key(&network) {
            tables.old = std::mem::take(&mut tables.young);
        }
        tables.young.insert(network, bucket);
        match is_given {
            true => Ok(()),
            false => Err(((wanted - bucket.left) / per_second).ceil() as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn web_16_an_address_gets_its_burst_and_then_its_rate() {
        assert!(Buckets::new(Rate { per_second: 0, burst: 9 }).is_none(), "0 is no limit");
        let buckets = Buckets::new(Rate { per_second: 2, burst: 5 }).unwrap();
        let (begun, guest) = (Instant::now(), network("203.0.113.7"));
        let at = |millis| begun + Duration::from_millis(millis);
        for _ in 0..5 {
            assert_eq!(buckets.take(guest, 1, at(0)), Ok(()));
        }
        assert_eq!(buckets.take(guest, 1, at(0)), Err(1));
        assert_eq!(buckets.take(network("203.0.113.8"), 1, at(0)), Ok(()), "others have their own");
        assert_eq!(buckets.take(guest, 1, at(500)), Ok(()));
        assert_eq!(buckets.take(guest, 1, at(500)), Err(1));
        for _ in 0..5 {
            assert_eq!(buckets.take(guest, 1, at(60_000)), Ok(()), "it is full again, not fuller");
        }
        assert!(buckets.take(guest, 1, at(60_000)).is_err());
        assert!(buckets.take(guest, 1, at(0)).is_err(), "clocks that go back give nothing");
    }

    #[test]
    fn web_16_twenty_searches_a_second_from_one_address_are_too_many() {
        let buckets = Buckets::new(Rate::default()).unwrap();
        let (begun, guest) = (Instant::now(), network("203.0.113.7"));
        let mut outcomes = (0..30 * 20_u64).map(|number| {
            buckets.take(guest, Rate::SEARCH, begun + Duration::from_millis(50 * number))
        });
        // A burst is let through: 20 searches, and those that ten a second add meanwhile.
        let first = outcomes.position(|outcome| outcome == Err(1)).unwrap();
        assert!((37..=40).contains(&first), "{first}");
        let given = outcomes.filter(Result::is_ok).count();
        assert!((270..=290).contains(&given), "{given} of the other 560: ten a second");
        let at_once = Buckets::new(Rate::default()).unwrap();
        let given = (0..50).filter(|_| at_once.take(guest, Rate::SEARCH, begun).is_ok()).count();
        assert_eq!(given, 20, "what may come at once");
        let small = Buckets::new(Rate { per_second: 1, burst: 2 }).unwrap();
        assert_eq!(small.take(guest, Rate::SEARCH, begun), Ok(()), "nobody is kept out for ever");
        assert_eq!(small.take(guest, Rate::SEARCH, begun), Err(2));
    }

    #[test]
    fn web_16_an_ipv6_customer_is_one_address_and_ipv4_is_ipv4_however_it_is_written() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:203.0.113.7"), network("203.0.113.7"));
    }

    #[test]
    fn web_16_the_table_is_bounded_and_who_keeps_asking_stays_in_it() {
        let buckets = Buckets::with_room(Rate { per_second: 1, burst: 3 }, 100).unwrap();
        let (now, busy) = (Instant::now(), network("198.51.100.1"));
        let mut given = 0;
        for number in 0..10_000_u32 {
            given += u32::from(number % 50 == 0 && buckets.take(busy, 1, now).is_ok());
            let other = Network::of(IpAddr::V4((0x0a00_0000 + number).into()));
            assert_eq!(buckets.take(other, 1, now), Ok(()));
        }
        assert_eq!(given, 3, "it was not forgotten");
        let tables = buckets.tables.lock().unwrap();
        assert!(tables.young.len() <= 100 && tables.old.len() <= 100);
    }
}
