//! Where a waiting URL stands in its host's queue: front queue first, then the strategy's order.

use base::Url;
use base::log::Position;
use serde::{Deserialize, Serialize};

use crate::importance::Fingerprint;
use crate::options::Strategy;

/// A front queue (C2): 0 is served first.
///
/// A share of the turns goes to every front queue that is not empty, so none starves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Class(u8);

impl Class {
    /// Number of front queues.
    pub(crate) const COUNT: usize = 16;
    /// Seeds, robots' own business, what a user asked for.
    pub(crate) const FIRST: Self = Self(0);
    /// Where nothing is known for or against a URL.
    pub(crate) const MIDDLE: Self = Self(8);
    /// URLs that are tried again: behind everything that has not been tried.
    pub(crate) const AGAIN: Self = Self(14);
    /// The least of all.
    pub(crate) const LAST: Self = Self(15);

    /// Returns the class with this number, or the last.
    pub(crate) fn new(number: u8) -> Self {
        Self(number.min(Self::LAST.0))
    }

    /// Returns the class moved by a user's rule, between the ends.
    pub(crate) fn moved(self, by: i8) -> Self {
        Self(self.0.saturating_add_signed(by.saturating_neg()).min(Self::LAST.0))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the class of a URL that has gathered this much importance: halving it costs one.
    ///
    /// 1 is what a page passes on that has one link and no importance of its own.
    pub(crate) fn of_importance(cash: f32) -> Self {
        // Between 1 (16 and more) and 13 (below 1/256).
        let step = -cash.max(f32::MIN_POSITIVE).log2().floor();
        Self((step.clamp(-4.0, 8.0) + 5.0) as u8)
    }
}

/// A place in a host's queue: lower comes first.
///
/// ```text
/// key = class: u8 | order: u64 be | segment: u32 be | offset: u64 be | number: u16 be
/// ```
/// The last three say where the URL was found: on which record of the page log, which link of it.
/// They make a place unique, and reading the log again gives the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) class: Class,
    pub(crate) order: u64,
    pub(crate) found: Position,
    pub(crate) number: u16,
}

/// Bytes of a place as part of a key.
pub(super) const PLACE_BYTES: usize = 23;

/// What decides a URL's place when it is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding<'a> {
    pub(crate) url: &'a Url,
    pub(crate) depth: u16,
    pub(crate) found: Position,
    pub(crate) number: u16,
    /// Importance gathered so far.
    pub(crate) cash: f32,
    /// Classes that a user's rules and a sitemap's hints move it by.
    pub(crate) moved: i8,
}

impl Place {
    /// Returns the place that a strategy gives (C3).
    pub(crate) fn by(strategy: Strategy, finding: Finding<'_>) -> Self {
        let Finding { url, depth, found, number, cash, moved } = finding;
        let by_depth =
            |depth: u16| Class::new(u8::try_from(depth.saturating_add(1)).unwrap_or(13).min(13));
        let (class, order) = match strategy {
            Strategy::BreadthFirst => (by_depth(depth), u64::from(depth)),
            // The deepest and newest first: both count backwards.
            Strategy::DepthFirst => {
                let newest = u64::MAX - (u64::from(found.segment) << 40 | found.offset);
                (by_depth(12u16.saturating_sub(depth)), newest)
            }
            Strategy::Random => (Class::MIDDLE, Fingerprint::of(url).as_u64()),
            Strategy::BestFirst => (Class::of_importance(cash), u64::from(depth)),
        };
        Self { class: class.moved(moved), order, found, number }
    }

    pub(super) fn to_bytes(self) -> [u8; PLACE_BYTES] {
        let mut bytes = [0; PLACE_BYTES];
        bytes[0] = self.class.0;
        bytes[1..9].copy_from_slice(&self.order.to_be_bytes());
        bytes[9..13].copy_from_slice(&self.found.segment.to_be_bytes());
        bytes[13..21].copy_from_slice(&self.found.offset.to_be_bytes());
        bytes[21..].copy_from_slice(&self.number.to_be_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; PLACE_BYTES] = bytes.try_into().ok()?;
        let (class, rest) = bytes.split_first()?;
        let (order, rest) = rest.split_first_chunk()?;
        let (segment, rest) = rest.split_first_chunk()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let segment = u32::from_be_bytes(*segment);
        let found = Position { segment, offset: u64::from_be_bytes(*offset) };
        let number = u16::from_be_bytes(rest.try_into().ok()?);
        Some(Self { class: Class(*class), order: u64::from_be_bytes(*order), found, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(url: &Url, depth: u16, offset: u64, cash: f32) -> Finding<'_> {
        let found = Position { segment: 1, offset };
        Finding { url, depth, found, number: 0, cash, moved: 0 }
    }

    /// Returns which of two findings a strategy fetches first.
    #[track_caller]
    fn check(strategy: Strategy, first: (u16, u64, f32), then: (u16, u64, f32)) {
        let url = Url::parse("http://a.example/").unwrap();
        let place = |(depth, offset, cash)| Place::by(strategy, finding(&url, depth, offset, cash));
        assert!(place(first) < place(then), "{:?} {:?}", place(first), place(then));
        assert!(place(first).to_bytes() < place(then).to_bytes());
        assert_eq!(Place::from_bytes(&place(first).to_bytes()), Some(place(first)));
    }

    #[test]
    fn breadth_first_takes_the_shallow_and_the_old() {
        check(Strategy::BreadthFirst, (1, 9, 0.0), (2, 1, 9.0));
        check(Strategy::BreadthFirst, (2, 1, 0.0), (2, 9, 9.0));
        check(Strategy::BreadthFirst, (20, 9, 0.0), (30, 1, 9.0));
    }

    #[test]
    fn depth_first_takes_the_deep_and_the_new() {
        check(Strategy::DepthFirst, (2, 1, 0.0), (1, 9, 9.0));
        check(Strategy::DepthFirst, (2, 9, 0.0), (2, 1, 9.0));
    }

    #[test]
    fn best_first_takes_what_many_point_to() {
        check(Strategy::BestFirst, (9, 9, 2.0), (1, 1, 0.9));
        check(Strategy::BestFirst, (1, 9, 0.6), (2, 1, 0.9));
    }

    #[test]
    fn random_is_the_same_each_time_and_not_by_depth() {
        let urls: Vec<Url> =
            (0..100).map(|n| Url::parse(&format!("http://a.example/{n}")).unwrap()).collect();
        let places = urls.iter().enumerate().map(|(number, url)| {
            Place::by(Strategy::Random, finding(url, number as u16, number as u64, 0.0))
        });
        let places: Vec<Place> = places.collect();
        let falling = places.windows(2).filter(|pair| pair[0] > pair[1]).count();
        assert!((30..70).contains(&falling), "{falling} of 99");
    }

    #[test]
    fn rules_move_between_the_ends() {
        assert_eq!(Class::MIDDLE.moved(3), Class(5));
        assert_eq!(Class::MIDDLE.moved(-100), Class::LAST);
        assert_eq!(Class::MIDDLE.moved(100), Class::FIRST);
        assert_eq!(Class::MIDDLE.moved(i8::MIN), Class::LAST);
    }
}
