//! Where the list of each node begins: read off the file of gaps, and held in two bytes and a half
//! per node.
//!
//! A list's first bit is told from that of the block it is in, which is where every
//! [`BLOCK`]th list begins. The few that are too far from it, behind lists of thousands of links,
//! are held apart.

use std::path::Path;

use super::bits::BitReader;
use super::map::Map;
use crate::Error;

/// Nodes of a block.
const BLOCK: u32 = 16;
/// Stands for a list that is too far from where its block begins.
const FAR: u16 = u16::MAX;

/// Where lists begin.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    blocks: Vec<u64>,
    /// How far each list is from its block.
    within: Vec<u16>,
    /// Those that are [`FAR`], by node.
    far: Vec<(u32, u64)>,
}

impl Offsets {
    /// Reads the offsets of lists that take at most `bits`.
    pub(super) fn read(path: &Path, num_nodes: u32, bits: u64) -> Result<Self, Error> {
        let map = Map::open(path)?;
        let mut gaps = BitReader::new(map.bytes());
        // A gap takes a bit at least.
        let room = (num_nodes as usize).min(map.bytes().len() * 8);
        let mut offsets = Self { within: Vec::with_capacity(room), ..Self::default() };
        let mut list = 0u64;
        for node in 0..=num_nodes {
            let next = gaps.gamma().and_then(|gap| list.checked_add(gap));
            let Some(next) = next.filter(|next| *next <= bits) else {
                let reason = format!("where the list of node {node} begins is not readable");
                return Err(Error::damaged(path, reason));
            };
            list = next;
            if node < num_nodes {
                offsets.push(node, list);
            }
        }
        Ok(offsets)
    }

    fn push(&mut self, node: u32, list: u64) {
        if node.is_multiple_of(BLOCK) {
            self.blocks.push(list);
        }
        let block = self.blocks.last().copied().unwrap_or(0);
        let within = u16::try_from(list - block).unwrap_or(FAR);
        if within == FAR {
            self.far.push((node, list));
        }
        self.within.push(within);
    }

    /// Returns the bit at which a node's list begins; `None` if there is no such node.
    #[inline]
    pub(super) fn position(&self, node: u32) -> Option<u64> {
        match *self.within.get(node as usize)? {
            FAR => {
                let place = self.far.binary_search_by_key(&node, |(node, _)| *node).ok()?;
                Some(self.far[place].1)
            }
            within => Some(self.blocks.get((node / BLOCK) as usize)? + u64::from(within)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_list_is_found_however_long_those_before_it_are(
            gaps in prop::collection::vec(prop_oneof![0..40u64, 0..200_000u64, 65_530..65_540u64], 0..60),
        ) {
            let (mut offsets, mut list) = (Offsets::default(), 0);
            let mut expected = Vec::new();
            for (node, gap) in (0u32..).zip(&gaps) {
                list += gap;
                offsets.push(node, list);
                expected.push(Some(list));
            }
            expected.push(None);
            let found: Vec<_> = (0u32..).map(|node| offsets.position(node)).take(expected.len()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
