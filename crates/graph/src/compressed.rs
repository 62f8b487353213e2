//! The arcs on disk, compressed by `webgraph` in the BV format.
//!
//! A graph with base name `forward` is four files, all of the library's making: `forward.graph`
//! (successor lists as a bit stream), `forward.offsets` (where each list begins),
//! `forward.ef` (the same for random access) and `forward.properties`. They carry no checksums:
//! the manifest of the generation has them, and they are verified before the library, which
//! trusts its input, gets to see them. Two are mapped; what a cut one shows instead must not get to
//! the library either, so whoever holds a graph for long asks [`Compressed::is_whole`] before use.
//! A graph without nodes has no files.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use dsi_bitstream::prelude::{BE, BufBitWriter, WordAdapter};
use dsi_progress_logger::no_logging;
use webgraph::prelude::{
    BvComp, BvGraph, CompFlags, DynCodesDecoderFactory, DynCodesEncoder, EF, MmapHelper,
    OffsetsWriter, RandomAccessGraph, RandomAccessLabeling, SequentialLabeling, store_ef_with_data,
};

use crate::build::{Arc, Sorted};
use crate::{Error, Node};

type Decoder = DynCodesDecoderFactory<BE, MmapHelper<u32>, EF>;

/// A compressed graph, open for reading any node's successors.
pub(crate) struct Compressed {
    basename: PathBuf,
    /// `None` for a graph without nodes.
    graph: Option<BvGraph<Decoder>>,
    num_nodes: u32,
    /// The files that are mapped, and their lengths.
    mapped: Vec<(File, u64)>,
}

/// What [`compress`] wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) num_arcs: u64,
    pub(crate) bits: u64,
}

impl Compressed {
    /// Opens the graph; its files were verified by the caller.
    pub(crate) fn open(basename: &Path, num_nodes: u32) -> Result<Self, Error> {
        let graph = match num_nodes {
            0 => None,
            _ => {
                let graph = BvGraph::with_basename(basename).load();
                Some(graph.map_err(|source| failed("open", basename, source))?)
            }
        };
        let graph_len = graph.as_ref().map_or(0, SequentialLabeling::num_nodes);
        if graph_len != num_nodes as usize {
            return Err(Error::damaged(basename, "its number of nodes is not the generation's"));
        }
        let mut mapped = Vec::new();
        for ending in ["graph", "ef"].iter().filter(|_| num_nodes > 0) {
            let path = basename.with_extension(ending);
            let opened = File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
            let (len, file) = opened.map_err(Error::file("open", &path))?;
            mapped.push((file, len));
        }
        Ok(Self { basename: basename.to_owned(), graph, num_nodes, mapped })
    }

    /// Returns whether the mapped files are as long as they were. Asks the system about two files.
    pub(crate) fn is_whole(&self) -> bool {
        let has_len = |(file, len): &(File, u64)| file.metadata().is_ok_and(|is| is.len() == *len);
        self.mapped.iter().all(has_len)
    }

    /// Returns a node's successors, ascending; none for a node that is not there.
    pub(crate) fn successors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let graph = self.graph.as_ref().filter(|_| node.0 < self.num_nodes);
        let list = graph.map(|graph| graph.successors(node.index()));
        list.into_iter().flatten().map(to_node)
    }

    /// Returns how many successors a node has, without reading them.
    pub(crate) fn degree(&self, node: Node) -> usize {
        let graph = self.graph.as_ref().filter(|_| node.0 < self.num_nodes);
        graph.map_or(0, |graph| graph.outdegree(node.index()))
    }

    /// Calls `visit` with every node and its successors, in order.
    pub(crate) fn for_each(
        &self,
        mut visit: impl FnMut(Node, &[usize]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut lists = self.lists(Node(0));
        for node in 0..self.num_nodes {
            visit(Node(node), lists.next()?)?;
        }
        Ok(())
    }

    /// Returns the successors of node after node, from one on.
    ///
    /// Costs a few lists before it; then what a pass over all costs, in part.
    pub(crate) fn lists(&self, from: Node) -> Lists<'_> {
        let graph = self.graph.as_ref().filter(|_| from.0 < self.num_nodes);
        let left = self.num_nodes.saturating_sub(from.0);
        Lists { graph: self, lists: graph.map(|graph| graph.iter_from(from.index())), left }
    }
}

/// Successors of node after node.
pub(crate) struct Lists<'a> {
    graph: &'a Compressed,
    lists: Option<<BvGraph<Decoder> as SequentialLabeling>::Lender<'a>>,
    left: u32,
}

impl Lists<'_> {
    /// Returns the next node's successors, ascending; none behind the last node.
    pub(crate) fn next(&mut self) -> Result<&[usize], Error> {
        let Some(lists) = self.lists.as_mut().filter(|_| self.left > 0) else { return Ok(&[]) };
        self.left -= 1;
        lists.next_successors().map_err(|source| failed("read", &self.graph.basename, source))
    }
}

impl std::fmt::Debug for Compressed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Compressed").field("basename", &self.basename).finish()
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
    let failed = |source| failed("write", basename, source);
    let flags = CompFlags::default();
    let path = basename.with_extension("graph");
    let (graph_file, graph_fault) = Deferred::create(&path)?;
    let bits = BufBitWriter::<BE, _>::new(WordAdapter::<usize, _>::new(BufWriter::new(graph_file)));
    let encoder = DynCodesEncoder::new(bits, &flags).map_err(failed)?;
    let offsets_path = basename.with_extension("offsets");
    let (offsets_file, offsets_fault) = Deferred::create(&offsets_path)?;
    let offsets = OffsetsWriter::from_write(offsets_file, true).map_err(failed)?;
    let mut writer = BvComp::new(
        encoder,
        offsets,
        flags.compression_window,
        flags.max_ref_count,
        flags.min_interval_length,
        0,
        (),
    );
    let mut next = arcs.next()?;
    let mut successors: Vec<usize> = Vec::new();
    for node in 0..num_nodes {
        successors.clear();
        while let Some(arc) = next.filter(|arc| arc.from == node) {
            if successors.last() != Some(&(arc.to as usize)) {
                successors.push(arc.to as usize);
            }
            next = arcs.next()?;
        }
        writer.push(successors.iter().map(|node| (*node, ()))).map_err(failed)?;
        graph_fault.check()?;
        tick()?;
    }
    let stats = writer.flush().map_err(failed)?;
    graph_fault.check()?;
    offsets_fault.check()?;
    let properties = flags.to_properties::<BE>(&stats).map_err(failed)?;
    let properties_path = basename.with_extension("properties");
    fs::write(&properties_path, properties).map_err(Error::file("write", &properties_path))?;
    let ef_path = basename.with_extension("ef");
    store_ef_with_data(num_nodes as usize, &path, &offsets_path, &ef_path, no_logging!())
        .map_err(failed)?;
    Ok(Written { num_arcs: stats.num_arcs, bits: stats.written_bits })
}

/// A file whose first refused write is remembered, while all writes seem to work.
///
/// The library's bit writers write once more when they are dropped and panic if that fails: two
/// of them on a full disk would abort the process.
struct Deferred {
    file: File,
    fault: Rc<RefCell<Option<io::Error>>>,
}

/// The other end of a [`Deferred`].
struct Fault {
    path: PathBuf,
    fault: Rc<RefCell<Option<io::Error>>>,
}

impl Deferred {
    fn create(path: &Path) -> Result<(Self, Fault), Error> {
        let file = File::create(path).map_err(Error::file("create", path))?;
        let fault = Rc::new(RefCell::new(None));
        let other_end = Fault { path: path.to_owned(), fault: fault.clone() };
        Ok((Self { file, fault }, other_end))
    }
}

impl Write for Deferred {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut fault = self.fault.borrow_mut();
        if fault.is_none()
            && let Err(error) = self.file.write_all(bytes)
        {
            *fault = Some(error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Fault {
    /// Fails if a write has failed.
    fn check(&self) -> Result<(), Error> {
        match self.fault.borrow_mut().take() {
            Some(error) => Err(Error::file("write", &self.path)(error)),
            None => Ok(()),
        }
    }
}

fn to_node(number: usize) -> Node {
    Node(u32::try_from(number).expect("`compress` writes 32-bit node numbers"))
}

fn failed(
    action: &'static str,
    path: &Path,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    Error::Compressed { action, path: path.to_owned(), source: source.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Sorter;

    #[test]
    fn sto_04_a_full_disk_is_an_error_and_no_abort() {
        for full in ["graph", "offsets", "ef"] {
            let folder = tempfile::tempdir().unwrap();
            let basename = folder.path().join("forward");
            std::os::unix::fs::symlink("/dev/full", basename.with_extension(full)).unwrap();
            let mut arcs = Sorter::new(folder.path(), "arcs", 1 << 20);
            for from in 0..20_000 {
                arcs.push(Arc { from, to: from.wrapping_mul(2_654_435_761) % 20_000 }).unwrap();
            }
            let written = compress(&basename, 20_000, arcs.finish().unwrap(), || Ok(()));
            assert!(written.is_err(), "{full}");
        }
    }
}
