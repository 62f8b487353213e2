//! The compression of a graph, list after list.
//!
//! A list is written once as it is and, with each list of the window as its reference, tried as
//! what differs from that; the way with the fewest bits is taken, and of several the one with the
//! nearest reference. It is the algorithm of the framework: from the same lists come the same bytes.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::bits::{BitWriter, Code, folded};
use super::properties::{Parameters, Properties};
use crate::Error;

/// Writes a graph in the BV format. Memory: the lists of the window.
#[derive(Debug)]
pub struct BvWriter {
    basename: PathBuf,
    properties: Properties,
    graph: Out,
    offsets: Out,
    /// The lists that the next may refer to, each at its node's number modulo their number.
    recent: Vec<Recent>,
    best: Plan,
    trial: Plan,
    bits: u64,
    sum_of_chains: u64,
    sum_of_references: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many arcs.
    pub num_arcs: u64,
    /// Length of all lists.
    pub bits: u64,
}

/// A list that was written.
#[derive(Clone, Debug, Default)]
struct Recent {
    list: Vec<u32>,
    /// How many lists must be read besides to have it.
    chain: u32,
}

impl BvWriter {
    /// Creates the files of a graph with this base name.
    pub fn create(basename: &Path) -> Result<Self, Error> {
        Self::with(basename, Parameters::default())
    }

    pub(crate) fn with(basename: &Path, parameters: Parameters) -> Result<Self, Error> {
        let recent = vec![Recent::default(); parameters.window as usize + 1];
        let graph = Out::create(basename.with_added_extension("graph"))?;
        let mut offsets = Out::create(basename.with_added_extension("offsets"))?;
        offsets.write(|bits| bits.gamma(0))?;
        Ok(Self {
            basename: basename.to_owned(),
            properties: Properties { num_nodes: 0, num_arcs: 0, parameters },
            graph,
            offsets,
            recent,
            best: Plan::default(),
            trial: Plan::default(),
            bits: 0,
            sum_of_chains: 0,
            sum_of_references: 0,
        })
    }

    /// Writes the list of the next node, which must be strictly ascending.
    ///
    /// Linear in it and in the lists of the window.
    pub fn push(&mut self, list: &[u32]) -> Result<(), Error> {
        let Properties { num_nodes: node, parameters, .. } = &self.properties;
        let (node, room) = (*node, self.recent.len());
        self.best.make(parameters, node, list, None, u64::MAX);
        let mut chain = 0;
        for reference in 1..=parameters.window.min(node) {
            let source = &self.recent[(node - reference) as usize % room];
            if source.chain >= parameters.max_chain || source.list.is_empty() {
                continue;
            }
            let source_of = Some((reference, &*source.list));
            if self.trial.make(parameters, node, list, source_of, self.best.bits) {
                std::mem::swap(&mut self.trial, &mut self.best);
                chain = source.chain + 1;
            }
        }
        let best = &self.best;
        self.graph.write(|bits| best.write(bits, parameters, node, list.len()))?;
        self.offsets.write(|bits| bits.gamma(best.bits))?;
        self.bits += best.bits;
        self.sum_of_chains += u64::from(chain);
        self.sum_of_references += u64::from(best.reference);
        let recent = &mut self.recent[node as usize % room];
        recent.chain = chain;
        recent.list.clear();
        recent.list.extend_from_slice(list);
        self.properties.num_arcs += list.len() as u64;
        self.properties.num_nodes = node.checked_add(1).ok_or(Error::TooManyNodes)?;
        Ok(())
    }

    /// Writes what is left, and the properties.
    pub fn finish(self) -> Result<Written, Error> {
        self.graph.finish()?;
        self.offsets.finish()?;
        let text = self.properties.to_text(self.bits, self.sum_of_chains, self.sum_of_references);
        let path = self.basename.with_added_extension("properties");
        fs::write(&path, text).map_err(Error::file("write", &path))?;
        Ok(Written { num_arcs: self.properties.num_arcs, bits: self.bits })
    }
}

/// One of the two streams.
#[derive(Debug)]
struct Out {
    path: PathBuf,
    bits: BitWriter<BufWriter<File>>,
}

impl Out {
    fn create(path: PathBuf) -> Result<Self, Error> {
        let file = File::create(&path).map_err(Error::file("create", &path))?;
        Ok(Self { path, bits: BitWriter::new(BufWriter::with_capacity(1 << 16, file)) })
    }

    #[inline]
    fn write(
        &mut self,
        write: impl FnOnce(&mut BitWriter<BufWriter<File>>) -> io::Result<()>,
    ) -> Result<(), Error> {
        write(&mut self.bits).map_err(Error::file("write", &self.path))
    }

    fn finish(self) -> Result<(), Error> {
        self.bits.finish().map_err(Error::file("write", &self.path))
    }
}

/// One way to write a list.
#[derive(Debug, Default)]
struct Plan {
    /// How many nodes before its own is that whose list it refers to; 0 if it does to none.
    reference: u32,
    /// Lengths of the runs that are copied and skipped in turn.
    blocks: Vec<u32>,
    /// First nodes and lengths of runs of successive nodes.
    intervals: Vec<(u32, u32)>,
    /// All nodes that are not copied; then those of them that are in no interval.
    residuals: Vec<u32>,
    has_extra: bool,
    bits: u64,
}

impl Plan {
    /// Plans the list of a node; returns whether it takes less than `most` bits. Otherwise the plan
    /// is not whole.
    fn make(
        &mut self,
        parameters: &Parameters,
        node: u32,
        list: &[u32],
        source: Option<(u32, &[u32])>,
        most: u64,
    ) -> bool {
        self.blocks.clear();
        self.intervals.clear();
        self.residuals.clear();
        self.reference = 0;
        match source {
            Some((reference, source)) => {
                self.reference = reference;
                self.subtract(list, source);
            }
            None => self.residuals.extend_from_slice(list),
        }
        self.has_extra = !self.residuals.is_empty();
        self.bits = self.bits_of_head(parameters, list.len());
        if self.bits >= most {
            return false;
        }
        if parameters.min_interval > 0 {
            self.find_intervals(parameters.min_interval as usize);
        }
        self.bits += self.bits_of_intervals(parameters, node);
        match parameters.codes.residual {
            // The usual code is worth a loop of its own.
            Code::Zeta(3) => self.add_residuals(node, most, |gap| Code::Zeta(3).len(gap)),
            code => self.add_residuals(node, most, |gap| code.len(gap)),
        }
    }

    /// Finds which runs of a list are in this one, and what is not in it.
    fn subtract(&mut self, list: &[u32], source: &[u32]) {
        let (mut list, mut source) = (list, source);
        let (mut is_copied, mut run) = (true, 0);
        while let ([next, rest @ ..], [other, others @ ..]) = (list, source) {
            match next.cmp(other) {
                Ordering::Less => {
                    self.residuals.push(*next);
                    list = rest;
                }
                Ordering::Equal => {
                    if !is_copied {
                        self.blocks.push(run);
                        (is_copied, run) = (true, 0);
                    }
                    run += 1;
                    (list, source) = (rest, others);
                }
                Ordering::Greater => {
                    if is_copied {
                        self.blocks.push(run);
                        (is_copied, run) = (false, 0);
                    }
                    run += 1;
                    source = others;
                }
            }
        }
        // The last run reaches to the end if it is copied, and says nothing if it is not.
        if is_copied && !source.is_empty() {
            self.blocks.push(run);
        }
        self.residuals.extend_from_slice(list);
    }

    /// Takes long runs of successive nodes out of the residuals.
    fn find_intervals(&mut self, min_interval: usize) {
        // The framework asks for two at least.
        let min_interval = min_interval.max(2);
        let (mut from, mut kept) = (0, 0);
        for place in 1..=self.residuals.len() {
            let last = self.residuals[place - 1];
            self.residuals[kept] = last;
            kept += 1;
            if self.residuals.get(place).is_some_and(|next| last + 1 == *next) {
                continue;
            }
            let len = place - from;
            from = place;
            if len >= min_interval {
                kept -= len;
                self.intervals.push((self.residuals[kept], len as u32));
            }
        }
        self.residuals.truncate(kept);
    }

    /// Returns the bits of degree, reference and blocks.
    fn bits_of_head(&self, parameters: &Parameters, degree: usize) -> u64 {
        let codes = &parameters.codes;
        let mut bits = codes.degree.len(degree as u64);
        if degree > 0 && parameters.window > 0 {
            bits += codes.reference.len(self.reference.into());
        }
        if self.reference > 0 {
            bits += codes.block.len(self.blocks.len() as u64);
            bits += self.blocks().map(|len| codes.block.len(len)).sum::<u64>();
        }
        bits
    }

    fn bits_of_intervals(&self, parameters: &Parameters, node: u32) -> u64 {
        if !self.has_extra || parameters.min_interval == 0 {
            return 0;
        }
        let code = parameters.codes.interval;
        let numbers = self.intervals(node, parameters.min_interval);
        code.len(self.intervals.len() as u64) + numbers.map(|number| code.len(number)).sum::<u64>()
    }

    /// Adds the bits of the residuals as far as all are below `most`; returns whether they are.
    #[inline]
    fn add_residuals(&mut self, node: u32, most: u64, len: impl Fn(u64) -> u64) -> bool {
        let mut bits = self.bits;
        for gap in self.gaps(node) {
            bits += len(gap);
            if bits >= most {
                return false;
            }
        }
        self.bits = bits;
        bits < most
    }

    fn write<W: io::Write>(
        &self,
        bits: &mut BitWriter<W>,
        parameters: &Parameters,
        node: u32,
        degree: usize,
    ) -> io::Result<()> {
        let codes = &parameters.codes;
        bits.write(codes.degree, degree as u64)?;
        if degree > 0 && parameters.window > 0 {
            bits.write(codes.reference, self.reference.into())?;
        }
        if self.reference > 0 {
            bits.write(codes.block, self.blocks.len() as u64)?;
            self.blocks().try_for_each(|len| bits.write(codes.block, len))?;
        }
        if self.has_extra && parameters.min_interval > 0 {
            bits.write(codes.interval, self.intervals.len() as u64)?;
            let mut numbers = self.intervals(node, parameters.min_interval);
            numbers.try_for_each(|number| bits.write(codes.interval, number))?;
        }
        self.gaps(node).try_for_each(|gap| bits.write(codes.residual, gap))
    }

    /// Returns the numbers that say where blocks end: only the first can be empty.
    fn blocks(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().enumerate().map(|(place, len)| u64::from(*len) - u64::from(place > 0))
    }

    /// Returns the numbers that say where intervals are: two for each.
    fn intervals(&self, node: u32, min_interval: u32) -> impl Iterator<Item = u64> {
        let mut last = None;
        self.intervals.iter().flat_map(move |(first, len)| {
            let gap = gap(node, last, *first);
            // No interval begins where another ends.
            last = Some(first + len);
            [gap, u64::from(len - min_interval)]
        })
    }

    /// Returns the numbers that say which nodes are residuals.
    fn gaps(&self, node: u32) -> impl Iterator<Item = u64> {
        let mut last = None;
        self.residuals.iter().map(move |next| gap(node, last.replace(*next), *next))
    }
}

/// Returns how far a number is behind the last, less one, or the first from the node.
#[inline]
fn gap(node: u32, last: Option<u32>, next: u32) -> u64 {
    match last {
        Some(last) => u64::from(next) - u64::from(last) - 1,
        None => folded(i64::from(next) - i64::from(node)),
    }
}
