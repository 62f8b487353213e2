//! A map from hosts to anything that forgets the least useful ones when it is full.
//!
//! Two generations: what is new or was used again is young. When the young ones fill half of
//! the room they become the old ones, and the old ones nobody asked for since are forgotten.
//! That is nearly "least recently used", without a list to keep in order: every operation is a
//! few hash lookups.

use std::collections::HashMap;

use base::Host;

/// A bounded map.
pub(super) struct Cache<V> {
    young: HashMap<Host, V>,
    old: HashMap<Host, V>,
    /// Most entries of each generation.
    half: usize,
}

impl<V> Cache<V> {
    /// Returns a cache for up to `room` hosts, at least two.
    pub(super) fn new(room: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), half: (room / 2).max(1) }
    }

    /// Returns the value of a host; being asked for keeps it longer.
    pub(super) fn get(&mut self, host: &Host) -> Option<&mut V> {
        if let Some((host, value)) = self.old.remove_entry(host) {
            self.insert(host, value);
        }
        self.young.get_mut(host)
    }

    /// Sets the value of a host.
    pub(super) fn insert(&mut self, host: Host, value: V) {
        self.old.remove(&host);
        if self.young.len() >= self.half && !self.young.contains_key(&host) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(host, value);
    }

    /// Forgets a host.
    pub(super) fn remove(&mut self, host: &Host) {
        self.young.remove(host);
        self.old.remove(host);
    }

    /// Returns the number of hosts.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(number: usize) -> Host {
        Host::parse(&format!("h{number}.lookfar")).unwrap()
    }

    #[test]
    fn it_never_holds_more_than_its_room() {
        let mut cache = Cache::new(100);
        for number in 0..10_000 {
            cache.insert(host(number), number);
            assert!(cache.len() <= 100);
        }
        assert!(cache.len() > 50);
        assert_eq!(cache.get(&host(9_999)), Some(&mut 9_999));
        assert!(cache.get(&host(0)).is_none());
    }

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let mut cache = Cache::new(10);
        cache.insert(host(0), 0);
        cache.insert(host(1), 1);
        for number in 2..1_000 {
            cache.insert(host(number), number);
            assert_eq!(cache.get(&host(0)), Some(&mut 0), "after {number}");
        }
        assert!(cache.get(&host(1)).is_none());
    }

    #[test]
    fn a_host_is_in_it_once() {
        let mut cache = Cache::new(4);
        for number in 0..100 {
            cache.insert(host(number % 3), number);
        }
        assert_eq!(cache.len(), 3);
        assert_eq!(cache.get(&host(0)), Some(&mut 99));
        cache.remove(&host(0));
        assert!(cache.get(&host(0)).is_none());
    }
}
