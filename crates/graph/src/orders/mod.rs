//! Orders of crawling compared on a graph that is known (G10): which finds what matters first?
//!
//! A crawl is replayed: the seeds are fetched; what they link to waits; one waiting page is
//! fetched, and what it links to waits from then on, unless it has been fetched. Which one is next
//! is the [`Order`]. What an order is worth is how much of all PageRank its first pages hold
//! ([`gathered`]).

#[cfg(test)]
mod tests;
mod waiting;

use crate::{Error, Links, Node};
use waiting::Waiting;

/// Which of the waiting pages is fetched next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order<'a> {
    /// The one that was found first.
    BreadthFirst,
    /// The first link of the page just fetched that is not fetched yet; if there is none, of the
    /// page before it.
    DepthFirst,
    /// Any, by a generator that begins with this number.
    Random(u64),
    /// The one that most fetched pages link to, the first found among equals.
    InLinks,
    /// The one with the most cash, the first found among equals: each fetched page gives
    /// 85 % of its cash and one unit more to its links, in equal parts, as the crawler has it.
    Opic,
    /// As the crawler does it: by cash rounded down to a power of two between 1/256 and 16, then
    /// by links from the nearest seed as first found, then the first found. Hosts, their
    /// politeness, and the share of the turns that every front queue has are left out.
    Frontier,
    /// The one with the highest of these scores by node, the first found among equals. With the
    /// ranks of the whole graph, what no crawler knows, this shows how well one could do.
    Best(&'a [f64]),
}

/// Replays a crawl until nothing waits; returns the pages in the order in which they are fetched.
///
/// Seeds come first, as they are given; one named twice counts once. Fails if a seed is no node, or if [`Order::Best`] does not
/// bring one score per node. O(nodes + arcs) by breadth, depth and chance, O((nodes + arcs) · log
/// arcs) by the others; memory: up to 48 bytes per arc.
pub fn crawl_order(links: &Links, seeds: &[Node], order: Order<'_>) -> Result<Vec<Node>, Error> {
    let num_nodes = links.num_nodes();
    if let Some(seed) = seeds.iter().find(|seed| seed.0 >= num_nodes) {
        return Err(Error::UnknownNode { node: seed.0, num_nodes });
    }
    if let Order::Best(scores) = order {
        check_length(scores, num_nodes as usize)?;
    }
    let mut waiting = Waiting::new(num_nodes as usize, order);
    let mut fetched = waiting.start(seeds, links);
    while let Some(node) = waiting.next() {
        fetched.push(node);
        waiting.found(node, links);
    }
    Ok(fetched)
}

/// One point of a curve: what share of all score the first pages hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gathered {
    /// Fetched pages as a share of all pages.
    pub pages: f64,
    /// The sum of their scores as a share of the sum of all.
    pub score: f64,
}

/// Returns how much of all score is gathered along the way, in at most `most` + 1 points.
///
/// They are evenly spaced over all nodes, whether all have been fetched or not; the last stands
/// where the crawl ended. Fails if a node has no score, or if the sum of all scores is not a
/// finite number above 0. O(scores).
pub fn gathered(fetched: &[Node], scores: &[f64], most: usize) -> Result<Vec<Gathered>, Error> {
    let total: f64 = scores.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        let wanted = "finite and above 0";
        return Err(Error::BadOption { name: "the sum of scores", value: total, wanted });
    }
    let step = scores.len().div_ceil(most.max(1));
    let mut points = vec![Gathered { pages: 0.0, score: 0.0 }];
    let mut sum = 0.0;
    for (number, node) in fetched.iter().enumerate() {
        let num_nodes = u32::try_from(scores.len()).unwrap_or(u32::MAX);
        let score = scores.get(node.index());
        sum += score.ok_or(Error::UnknownNode { node: node.0, num_nodes })?;
        let done = number + 1;
        if done.is_multiple_of(step) || done == fetched.len() {
            let pages = done as f64 / scores.len() as f64;
            points.push(Gathered { pages, score: sum / total });
        }
    }
    Ok(points)
}

fn check_length(scores: &[f64], wanted: usize) -> Result<(), Error> {
    match scores.len() {
        found if found == wanted => Ok(()),
        found => Err(Error::WrongLength { what: "the scores", found, wanted }),
    }
}
