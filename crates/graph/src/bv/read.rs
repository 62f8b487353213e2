//! A graph that stays on disk: the list of any node, and all lists in turn.

use std::path::Path;

use super::bits::BitReader;
use super::decode::{Decoder, Lists, damaged};
use super::map::Map;
use super::offsets::Offsets;
use super::properties::Properties;
use crate::Error;

/// Nodes of a list that room is made for before it is read: the file may say anything.
const MAX_RESERVED: usize = 1 << 12;

/// A graph in the BV format, open for reading. The lists are mapped; where they begin is in memory,
/// in two bytes and a half per node.
#[derive(Debug)]
pub struct BvGraph {
    properties: Properties,
    map: Map,
    offsets: Offsets,
}

impl BvGraph {
    /// Opens a graph by the base name of its files. Reads the offsets once.
    pub fn open(basename: &Path) -> Result<Self, Error> {
        let properties = Properties::open(&basename.with_added_extension("properties"))?;
        let map = Map::open(&basename.with_added_extension("graph"))?;
        let path = basename.with_added_extension("offsets");
        let offsets = Offsets::read(&path, properties.num_nodes, map.bytes().len() as u64 * 8)?;
        Ok(Self { properties, map, offsets })
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        self.properties.num_nodes
    }

    /// Returns how many arcs there are, by the properties.
    pub fn num_arcs(&self) -> u64 {
        self.properties.num_arcs
    }

    /// Returns how many successors a node has, without reading them.
    pub fn degree(&self, node: u32) -> Result<usize, Error> {
        let head = self.decoder(node).and_then(|mut decoder| decoder.head(node));
        Ok(head.ok_or_else(|| self.damaged(node))?.degree)
    }

    /// Returns a node's successors, ascending, the first `most` of them.
    ///
    /// Reads some lists before it if it refers to them, each as far as it is needed.
    pub fn successors(&self, node: u32, most: usize) -> Result<Vec<u32>, Error> {
        let list = self.list(node, most, self.properties.parameters.max_chain);
        Ok(list.ok_or_else(|| self.damaged(node))?.0)
    }

    /// Returns the lists of node after node, from one on.
    ///
    /// Costs a few lists before it; then what a pass over all costs, in part.
    pub fn lists(&self, from: u32) -> Result<BvLists<'_>, Error> {
        let max_chain = self.properties.parameters.max_chain;
        let list = |node| Some(self.list(node, usize::MAX, max_chain)?.0);
        let lists = match from < self.num_nodes() {
            true => {
                self.bits(from).and_then(|bits| Lists::from(&self.properties, bits, from, list))
            }
            false => Some(Lists::new(&self.properties, BitReader::new(&[]))),
        };
        let lists = lists.ok_or_else(|| self.damaged(from))?;
        Ok(BvLists { graph: self, lists, node: from })
    }

    /// Returns whether nobody has cut the lists since they were opened. Asks the system.
    pub fn is_whole(&self) -> bool {
        self.map.is_whole()
    }

    /// Returns the first `most` successors of a node, and how many it has; a reference is followed
    /// `chain` times.
    fn list(&self, node: u32, most: usize, chain: u32) -> Option<(Vec<u32>, usize)> {
        let mut decoder = self.decoder(node)?;
        let head = decoder.head(node)?;
        let mut list = Vec::with_capacity(head.degree.min(most).min(MAX_RESERVED));
        let mut copied = 0;
        if head.reference > 0 {
            let needed = if most < head.degree { decoder.needed(most)? } else { usize::MAX };
            let chain = chain.checked_sub(1)?;
            let (source, degree) = self.list(node - head.reference, needed, chain)?;
            copied = decoder.copy(&source, degree, &mut list)?;
            decoder.take_room(source);
        }
        decoder.extra(head, copied, most, &mut list)?;
        list.truncate(most);
        Some((list, head.degree))
    }

    fn decoder(&self, node: u32) -> Option<Decoder<'_>> {
        Some(Decoder::new(&self.properties, self.bits(node)?))
    }

    fn bits(&self, node: u32) -> Option<BitReader<'_>> {
        Some(BitReader::at(self.map.bytes(), self.offsets.position(node)?))
    }

    fn damaged(&self, node: u32) -> Error {
        damaged(self.map.path(), node)
    }
}

/// The lists of node after node.
#[derive(Debug)]
pub struct BvLists<'a> {
    graph: &'a BvGraph,
    lists: Lists<'a>,
    node: u32,
}

impl BvLists<'_> {
    /// Returns the next node's successors, ascending; none behind the last node.
    #[inline]
    pub fn next_list(&mut self) -> Result<&[u32], Error> {
        if self.node >= self.graph.num_nodes() {
            return Ok(&[]);
        }
        let node = self.node;
        self.node += 1;
        self.lists.next(u64::MAX).ok_or_else(|| self.graph.damaged(node))
    }
}
