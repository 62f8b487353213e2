//! Where ranking begins: at the ranks of the last generation, as far as its pages are still there.
//!
//! Most of a web is the same from one generation to the next, so its ranks nearly are, and
//! beginning with them saves steps. Nodes of both generations are in the order of their addresses;
//! one pass over both lists matches them, fetched or not. What the last generation did not know
//! begins with the mean.

use std::path::Path;

use crate::graph::NODES;
use crate::nodes::{Entry, Nodes};
use crate::{Error, Graph, read_node_scores};

/// Returns a start for the nodes of `graph` that sums to 1; `None` if it shares no node with the
/// last generation, in these folders.
///
/// Linear in the addresses of both. Memory: 8 bytes per node, and 4 per node of the last one.
pub(crate) fn start(
    last_graph: &Path,
    last_scores: &Path,
    graph: &Graph,
) -> Result<Option<Vec<f64>>, Error> {
    let scores = read_node_scores(last_scores)?;
    let path = last_graph.join(NODES);
    let last = Nodes::open(&path)?;
    if last.num_nodes() as usize != scores.len() {
        return Err(Error::damaged(&path, "its number of nodes is not that of the scores"));
    }
    let mut before = Keys::new(&last);
    let mut known = before.next()?.zip(scores.iter().copied().next());
    let mut rest = scores.iter().copied().skip(1);
    let mut start = Vec::with_capacity(graph.summary().num_nodes as usize);
    let mut keys = Keys::new(graph.names());
    while let Some(entry) = keys.next()? {
        while known.as_ref().is_some_and(|(before, _)| before.key < entry.key) {
            known = before.next()?.zip(rest.next());
        }
        let found = known.as_ref().filter(|(before, _)| before.key == entry.key);
        start.push(found.map_or(f64::NAN, |(_, score)| f64::from(*score)));
    }
    Ok(filled(start))
}

/// Gives those that are unknown the mean of the others, and scales to a sum of 1.
fn filled(mut start: Vec<f64>) -> Option<Vec<f64>> {
    let known = start.iter().filter(|score| !score.is_nan());
    let (count, sum) = known.fold((0u32, 0.0), |(count, sum), score| (count + 1, sum + score));
    if !(sum > 0.0 && f64::is_finite(sum)) {
        return None;
    }
    let mean = sum / f64::from(count);
    let scale = 1.0 / (mean * start.len() as f64);
    for score in &mut start {
        *score = scale * if score.is_nan() { mean } else { *score };
    }
    Some(start)
}

/// The nodes of a list in turn.
struct Keys<'a> {
    nodes: &'a Nodes,
    next_block: u32,
    entries: std::vec::IntoIter<Entry>,
}

impl<'a> Keys<'a> {
    fn new(nodes: &'a Nodes) -> Self {
        Self { nodes, next_block: 0, entries: Vec::new().into_iter() }
    }

    fn next(&mut self) -> Result<Option<Entry>, Error> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        if self.next_block == self.nodes.num_blocks() {
            return Ok(None);
        }
        self.entries = self.nodes.block(self.next_block)?.into_iter();
        self.next_block += 1;
        Ok(self.entries.next())
    }
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn what_is_new_begins_with_the_mean() {
        let start = filled(vec![0.3, f64::NAN, 0.1]).unwrap();
        let expected = [0.5, 1.0 / 3.0, 0.5 / 3.0];
        assert!(start.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-15));
        assert_eq!(filled(vec![f64::NAN, f64::NAN]), None);
        assert_eq!(filled(vec![0.0, f64::NAN]), None);
        assert_eq!(filled(Vec::new()), None);
    }
}
