//! A filter in memory in front of the store: most links point to what is known already.
//!
//! A page of a site repeats the links of its neighbours. Asking the store for each of them costs
//! some ten microseconds; asking here costs a memory access. The filter forgets (a slot holds the
//! last fingerprint that fell into it), and then the store is asked: it never says that a known
//! URL is new. It may take a new URL for a known one when all 64 bits agree: with N known URLs
//! that befalls a new one with probability N / 2^64, below 10^-11 for 10^8 (URL-20).

use crate::importance::Fingerprint;

/// Fingerprints of URLs that were seen lately. Memory: 8 bytes a slot, fixed.
pub(crate) struct Seen {
    slots: Vec<u64>,
    /// How often it was asked, and how often it knew.
    pub(crate) asked: u64,
    pub(crate) knew: u64,
}

impl Seen {
    /// Makes a filter of about `slots` slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self { slots: vec![0; slots.next_power_of_two()], asked: 0, knew: 0 }
    }

    /// Returns whether the URL is known for sure.
    pub(crate) fn holds(&mut self, fingerprint: Fingerprint) -> bool {
        let slot = self.slots[self.slot(fingerprint)];
        let is_known = slot == fingerprint.as_u64() && slot != 0;
        self.asked += 1;
        self.knew += u64::from(is_known);
        is_known
    }

    /// Remembers a URL that the store knows.
    pub(crate) fn insert(&mut self, fingerprint: Fingerprint) {
        let slot = self.slot(fingerprint);
        self.slots[slot] = fingerprint.as_u64();
    }

    fn slot(&self, fingerprint: Fingerprint) -> usize {
        fingerprint.as_u64() as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use base::Url;

    use super::*;

    #[test]
    fn url_20_no_new_url_among_a_million_is_taken_for_a_known_one() {
        let fingerprint = |number: u64| {
            Fingerprint::of(
                &Url::parse(&format!("http://h{}.example/{number}", number % 997)).unwrap(),
            )
        };
        let mut seen = Seen::new(1 << 16);
        for number in 0..200_000 {
            seen.insert(fingerprint(number));
        }
        let wrong = (200_000..1_000_000).filter(|number| seen.holds(fingerprint(*number))).count();
        assert_eq!(wrong, 0);
        assert!(seen.holds(fingerprint(199_999)));
    }
}
