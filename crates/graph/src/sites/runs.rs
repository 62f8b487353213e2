//! A number for each node, kept as runs of nodes with the same one.
//!
//! Nodes are in the order of their addresses, so those of a host or of a folder stand together:
//! 8 bytes per run instead of 4 per node, and a bit per two nodes to find the way. Where every
//! node had a number of its own it would be twice as much as a plain list.

/// Nodes per signpost; also the most runs that a question goes over.
const BLOCK: usize = 64;

/// Numbers by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    /// First node of each run, ascending, and its number.
    starts: Vec<u32>,
    values: Vec<u32>,
    /// The run of every [`BLOCK`]th node.
    signposts: Vec<u32>,
    len: u32,
}

impl Runs {
    /// Gives the next `count` nodes a number.
    pub(crate) fn push(&mut self, value: u32, count: u32) {
        if count == 0 {
            return;
        }
        if self.values.last() != Some(&value) {
            self.starts.push(self.len);
            self.values.push(value);
        }
        self.len += count;
        let run = self.starts.len() as u32 - 1;
        self.signposts.resize((self.len as usize).div_ceil(BLOCK), run);
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Returns the number of a node, or `None` if there is no such node. O(1).
    pub(crate) fn get(&self, node: usize) -> Option<u32> {
        let mut run = *self.signposts.get(node / BLOCK)? as usize;
        if node >= self.len as usize {
            return None;
        }
        while self.starts.get(run + 1).is_some_and(|start| *start as usize <= node) {
            run += 1;
        }
        Some(self.values[run])
    }

    /// Returns the number of each node, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.len]);
        let runs = self.starts.iter().zip(ends).zip(&self.values);
        runs.flat_map(|((start, end), value)| (*start..end).map(|_| *value))
    }

    /// Gives every run another number, in the order of the nodes.
    pub(crate) fn map(self, mut number: impl FnMut(u32) -> u32) -> Self {
        let mut mapped = Self::default();
        let ends = self.starts.iter().skip(1).copied().chain([self.len]);
        for ((start, end), value) in self.starts.iter().zip(ends).zip(&self.values) {
            mapped.push(number(*value), end - start);
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Short runs too: more than one to a block.
        #[test]
        fn every_node_has_the_number_it_was_given(
            pushed in prop::collection::vec((0u32..4, prop_oneof![0u32..3, 0u32..100]), 0..40),
        ) {
            let (mut runs, mut plain) = (Runs::default(), Vec::new());
            for (value, count) in pushed {
                runs.push(value, count);
                plain.extend((0..count).map(|_| value));
            }
            prop_assert_eq!(runs.len() as usize, plain.len());
            prop_assert!(runs.iter().eq(plain.iter().copied()));
            for (node, value) in plain.iter().enumerate() {
                prop_assert_eq!(runs.get(node), Some(*value));
            }
            prop_assert_eq!(runs.get(plain.len()), None);
            let halved = runs.map(|value| value / 2);
            prop_assert!(halved.iter().eq(plain.iter().map(|value| value / 2)));
        }
    }
}
