//! How much a link counts, by its kind.
//!
//! An arc is of up to three kinds, so of one of eight classes; the weight of a class is the
//! product of the weights of its kinds. A page passes its rank on in proportion to the weights of
//! its links. What does not count at all is no arc; where all others count in full, there are no
//! classes either, and ranking costs nothing more.

use std::ops::Range;

/// How much a kind of link counts: from 0, not at all, to 1, in full.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Weight(f64);

/// Smaller ones are nothing: shares of a rank divided by them must stay finite.
const LEAST: f64 = 1e-6;

/// Weight of each class of arcs.
pub(crate) type Table = [f64; CLASSES];

/// Kinds of arcs are three bits.
pub(crate) const CLASSES: usize = 8;

impl Weight {
    /// It does not count.
    pub const NONE: Self = Self(0.0);
    /// It counts in full.
    pub const FULL: Self = Self(1.0);

    /// Returns `None` unless `value` is from 0 to 1. What is below a millionth is 0.
    pub fn new(value: f64) -> Option<Self> {
        match (0.0..=1.0).contains(&value) {
            true if value < LEAST => Some(Self::NONE),
            true => Some(Self(value)),
            false => None,
        }
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Returns whether it is neither 0 nor 1.
    pub fn is_between(self) -> bool {
        self != Self::NONE && self != Self::FULL
    }
}

impl From<bool> for Weight {
    fn from(counts: bool) -> Self {
        if counts { Self::FULL } else { Self::NONE }
    }
}

/// The weights of the arcs of a graph in memory: 1 byte per arc, 8 per node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArcWeights {
    table: Table,
    /// In the order of the sources.
    classes: Vec<u8>,
    /// Sum over the links of each node.
    out: Vec<f64>,
}

impl ArcWeights {
    pub(crate) fn new(table: Table, num_nodes: usize, expected_arcs: usize) -> Self {
        let classes = Vec::with_capacity(expected_arcs);
        Self { table, classes, out: vec![0.0; num_nodes] }
    }

    /// Returns room for as many arcs and nodes, without their weights.
    pub(crate) fn blank(&self) -> Self {
        let (classes, out) = (vec![0; self.classes.len()], vec![0.0; self.out.len()]);
        Self { table: self.table, classes, out }
    }

    /// Adds an arc behind the others.
    pub(crate) fn push(&mut self, source: u32, class: u8) {
        self.classes.push(class);
        self.out[source as usize] += self.table[usize::from(class)];
    }

    /// Fills in the arc at a place.
    pub(crate) fn set(&mut self, place: usize, source: u32, class: u8) {
        self.classes[place] = class;
        self.out[source as usize] += self.table[usize::from(class)];
    }

    pub(crate) fn table(&self) -> Table {
        self.table
    }

    /// Returns how much an arc of a class counts.
    pub(crate) fn weight(&self, class: u8) -> f64 {
        self.table[usize::from(class)]
    }

    #[inline]
    pub(crate) fn class(&self, place: usize) -> u8 {
        self.classes[place]
    }

    #[inline]
    pub(crate) fn classes(&self, places: Range<usize>) -> &[u8] {
        &self.classes[places]
    }

    /// Returns the sum of the weights of a node's links.
    #[inline]
    pub(crate) fn out(&self, node: usize) -> f64 {
        self.out[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_from_0_to_1() {
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Weight::new(value), None, "{value}");
        }
        assert_eq!(Weight::new(1e-300), Some(Weight::NONE));
        assert_eq!(Weight::new(0.25).map(Weight::get), Some(0.25));
        assert_eq!((Weight::from(true), Weight::from(false)), (Weight::FULL, Weight::NONE));
        assert!(Weight::new(0.25).is_some_and(Weight::is_between) && !Weight::FULL.is_between());
    }
}
