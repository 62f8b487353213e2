//! The arcs of a generation on disk, in the BV format (see [`crate::bv`]).
//!
//! A graph with base name `forward` is three files: `forward.graph` (successor lists),
//! `forward.offsets` (where each begins) and `forward.properties`. They carry no checksums: the
//! manifest of the generation has them, and they are verified before a graph is opened. Generations
//! of earlier releases have `forward.ef` besides, which nobody reads. The lists are mapped; a
//! file that is cut shows something else, so whoever holds a graph for long asks
//! [`Compressed::is_whole`].
//! A graph without nodes has no files.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::build::{Arc, Sorted};
use crate::bv::{BvGraph, BvLists, BvWriter, Written};
use crate::{Error, Node};

/// A compressed graph, open for reading any node's successors.
#[derive(Debug)]
pub(crate) struct Compressed {
    /// `None` for a graph without nodes.
    graph: Option<BvGraph>,
    num_nodes: u32,
    /// Set when a list could not be read.
    is_damaged: AtomicBool,
}

impl Compressed {
    /// Opens the graph; its files were verified by the caller.
    pub(crate) fn open(basename: &Path, num_nodes: u32) -> Result<Self, Error> {
        let graph = match num_nodes {
            0 => None,
            _ => Some(BvGraph::open(basename)?),
        };
        if graph.as_ref().map_or(0, BvGraph::num_nodes) != num_nodes {
            return Err(Error::damaged(basename, "its number of nodes is not the generation's"));
        }
        Ok(Self { graph, num_nodes, is_damaged: AtomicBool::new(false) })
    }

    /// Returns whether the mapped file is as long as it was, and whatever was asked for could be
    /// read. Asks the system about a file.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_damaged.load(Ordering::Relaxed)
            && self.graph.as_ref().is_none_or(BvGraph::is_whole)
    }

    /// Returns the first `most` successors of a node, ascending; none of a node that is not there.
    /// A list that cannot be read has none either, and from then on the graph is not whole.
    pub(crate) fn successors(&self, node: Node, most: usize) -> Vec<u32> {
        self.ask(node, |graph| graph.successors(node.0, most))
    }

    /// Returns how many successors a node has, without reading them.
    pub(crate) fn degree(&self, node: Node) -> usize {
        self.ask(node, |graph| graph.degree(node.0))
    }

    fn ask<T: Default>(&self, node: Node, of: impl FnOnce(&BvGraph) -> Result<T, Error>) -> T {
        let graph = self.graph.as_ref().filter(|_| node.0 < self.num_nodes);
        graph.map_or_else(T::default, |graph| {
            of(graph).unwrap_or_else(|error| {
                if !self.is_damaged.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%error, "links cannot be used");
                }
                T::default()
            })
        })
    }

    /// Calls `visit` with every node and its successors, in order.
    pub(crate) fn for_each(
        &self,
        mut visit: impl FnMut(Node, &[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut lists = self.lists(Node(0))?;
        for node in 0..self.num_nodes {
            visit(Node(node), lists.next()?)?;
        }
        Ok(())
    }

    /// Returns the successors of node after node, from one on.
    ///
    /// Costs a few lists before it; then what a pass over all costs, in part.
    pub(crate) fn lists(&self, from: Node) -> Result<Lists<'_>, Error> {
        let graph = self.graph.as_ref().filter(|_| from.0 < self.num_nodes);
        Ok(Lists { lists: graph.map(|graph| graph.lists(from.0)).transpose()? })
    }
}

/// Successors of node after node.
pub(crate) struct Lists<'a> {
    lists: Option<BvLists<'a>>,
}

impl Lists<'_> {
    /// Returns the next node's successors, ascending; none behind the last node.
    pub(crate) fn next(&mut self) -> Result<&[u32], Error> {
        self.lists.as_mut().map_or(Ok(&[]), BvLists::next_list)
    }
}

/// Writes the graph of sorted arcs; an arc that comes twice is written once.
///
/// `tick` is called once per node. Memory: a few of the longest successor lists.
pub(crate) fn compress(
    basename: &Path,
    num_nodes: u32,
    mut arcs: Sorted<Arc>,
    mut tick: impl FnMut() -> Result<(), Error>,
) -> Result<Written, Error> {
    if num_nodes == 0 {
        return Ok(Written { num_arcs: 0, bits: 0 });
    }
    let mut writer = BvWriter::create(basename)?;
    let mut next = arcs.next()?;
    let mut successors: Vec<u32> = Vec::new();
    for node in 0..num_nodes {
        successors.clear();
        while let Some(arc) = next.filter(|arc| arc.from == node) {
            if successors.last() != Some(&arc.to) {
                successors.push(arc.to);
            }
            next = arcs.next()?;
        }
        writer.push(&successors)?;
        tick()?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Sorter;

    #[test]
    fn sto_04_a_full_disk_is_an_error_and_no_abort() {
        for full in ["graph", "offsets", "properties"] {
            let folder = tempfile::tempdir().unwrap();
            let basename = folder.path().join("forward");
            std::os::unix::fs::symlink("/dev/full", basename.with_extension(full)).unwrap();
            let mut arcs = Sorter::new(folder.path(), "arcs", 1 << 20);
            for from in 0..20_000 {
                arcs.push(Arc { from, to: from.wrapping_mul(2_654_435_761) % 20_000 }).unwrap();
            }
            let written = compress(&basename, 20_000, arcs.finish().unwrap(), || Ok(()));
            assert!(matches!(written, Err(Error::File { action: "write", .. })), "{full}");
        }
    }
}
