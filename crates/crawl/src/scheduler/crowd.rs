//! Hosts that share an address earn their places, as hosts of a domain do (LNK-08).
//!
//! Politeness already serves an address one request at a time, however many names it has; that
//! bounds the rate. This bounds the whole: ten thousand domains that one machine makes up get forty
//! places to begin with, and one more for every five pages that told something new. Real shared
//! hosting earns them faster than it needs them. Seeds and hosts that were visited before need none.

use std::collections::HashMap;
use std::net::IpAddr;

/// New hosts of one address before any of them has told something.
const HOSTS_TO_BEGIN_WITH: u64 = 40;
/// Useful pages of an address that earn it one more host.
const USEFUL_PER_HOST: u64 = 5;
/// Addresses kept account of; more than that begin anew.
const ADDRESSES: usize = 1 << 16;

/// The books on addresses, of one run.
#[derive(Default)]
pub(super) struct Crowd {
    addresses: HashMap<IpAddr, Account>,
}

#[derive(Clone, Copy, Default)]
struct Account {
    hosts: u64,
    useful: u64,
}

impl Crowd {
    /// Takes a place for a new host; `false` if there is none now.
    pub(super) fn admit(&mut self, address: IpAddr) -> bool {
        let account = self.account(address);
        let has_room = account.hosts < HOSTS_TO_BEGIN_WITH + account.useful / USEFUL_PER_HOST;
        account.hosts += u64::from(has_room);
        has_room
    }

    /// Notes pages that told something new.
    pub(super) fn earned(&mut self, address: IpAddr, useful: u64) {
        if useful > 0 {
            self.account(address).useful += useful;
        }
    }

    fn account(&mut self, address: IpAddr) -> &mut Account {
        if self.addresses.len() >= ADDRESSES && !self.addresses.contains_key(&address) {
            self.addresses.clear();
        }
        self.addresses.entry(address).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lnk_08_an_address_earns_its_hosts() {
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let mut crowd = Crowd::default();
        let admitted = (0..10_000).filter(|_| crowd.admit(one)).count();
        assert_eq!(admitted, 40);
        assert!(crowd.admit(other), "others have places of their own");
        crowd.earned(one, 12);
        let admitted = (0..10_000).filter(|_| crowd.admit(one)).count();
        assert_eq!(admitted, 2);
    }

    #[test]
    fn the_books_are_bounded() {
        let mut crowd = Crowd::default();
        for number in 0..(ADDRESSES as u32 + 10) {
            crowd.admit(IpAddr::from(number.to_be_bytes()));
        }
        assert!(crowd.addresses.len() <= ADDRESSES);
    }
}
