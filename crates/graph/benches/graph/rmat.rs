//! RMAT graphs, with the weights of the Graph500 and GAP benchmarks, and graphs as raw files.
//!
//! ```text
//! graph file: num_nodes: u64 | num_arcs: u64 | starts: [u64; num_nodes + 1]
//!           | sources: [u32; num_arcs]                          all little endian
//! ```
//! `sources[starts[v]..starts[v + 1]]` are the nodes that link to `v`, ascending.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use graph::{InLinks, Node};

use crate::random::Random;

/// Makes a graph; arcs drawn twice count once, so that it has a few less than asked for.
///
/// Nodes are numbered at random: a web in the order of its addresses would be kinder to caches.
pub(crate) fn rmat(num_nodes: u32, num_arcs: u64, seed: u64) -> InLinks {
    let mut random = Random(seed);
    let levels = num_nodes.next_power_of_two().trailing_zeros();
    let mut numbers: Vec<u32> = (0..num_nodes).collect();
    for place in (1..num_nodes).rev() {
        numbers.swap(place as usize, random.below(place + 1) as usize);
    }
    let mut draw = || loop {
        let (mut from, mut to) = (0u32, 0u32);
        for _ in 0..levels {
            let share = random.share();
            let (down, right) = match share {
                _ if share < 0.57 => (0, 0),
                _ if share < 0.76 => (0, 1),
                _ if share < 0.95 => (1, 0),
                _ => (1, 1),
            };
            (from, to) = (from << 1 | down, to << 1 | right);
        }
        if from < num_nodes && to < num_nodes {
            return (Node(numbers[from as usize]), Node(numbers[to as usize]));
        }
    };
    InLinks::from_arcs(num_nodes, (0..num_arcs).map(|_| draw())).unwrap()
}

/// A graph as it stands in a file.
pub(crate) struct Raw {
    pub(crate) starts: Vec<u64>,
    pub(crate) sources: Vec<u32>,
}

impl Raw {
    pub(crate) fn num_nodes(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn sources(&self, node: usize) -> &[u32] {
        &self.sources[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Returns the arcs (from, to).
    pub(crate) fn arcs(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        let of =
            |to: usize| self.sources(to).iter().map(move |from| (Node(*from), Node(to as u32)));
        (0..self.num_nodes()).flat_map(of)
    }

    pub(crate) fn open(path: &Path) -> Self {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).unwrap());
        let mut number = || {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes).unwrap();
            u64::from_le_bytes(bytes)
        };
        let (num_nodes, num_arcs) = (number(), number());
        let starts: Vec<u64> = (0..=num_nodes).map(|_| number()).collect();
        let mut sources = Vec::with_capacity(num_arcs as usize);
        for _ in 0..num_arcs {
            let mut bytes = [0; 4];
            file.read_exact(&mut bytes).unwrap();
            sources.push(u32::from_le_bytes(bytes));
        }
        Self { starts, sources }
    }
}

/// Writes a graph file.
pub(crate) fn write(links: &InLinks, path: &Path) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    let mut number = |number: u64| file.write_all(&number.to_le_bytes()).unwrap();
    number(u64::from(links.num_nodes()));
    number(links.num_arcs());
    let mut start = 0;
    number(start);
    for node in (0..links.num_nodes()).map(Node) {
        start += links.sources(node).len() as u64;
        number(start);
    }
    for node in (0..links.num_nodes()).map(Node) {
        for source in links.sources(node) {
            file.write_all(&source.0.to_le_bytes()).unwrap();
        }
    }
    file.flush().unwrap();
}
