//! Pages like a page, by links alone (G8, Q8): cited together, or citing the same.
//!
//! ```text
//! cocitation(u, v) = Σ w(out(c)) over c → u, c → v    / √(in(u) · in(v))
//! coupling(u, v)   = Σ w(in(t))  over u → t, v → t    / √(out(u) · out(v))
//! w(d) = 1 / log2(1 + d)
//! score = 1 − (1 − cocitation) · (1 − coupling)
//! ```
//! The roots make it a cosine, so a page that everybody links to is not like every other; the
//! weight lets a list of ten links say more than one of a thousand, and a target that ten pages
//! share more than one that all do. Both parts are between 0 and 1. A page's link to itself is
//! no evidence.

use crate::spread::spread;
use crate::{Error, InLinks, Links, Node};

/// Most nodes named as evidence for one part.
const MAX_EVIDENCE: usize = 3;

/// How far a search for similar pages goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarOptions {
    /// How many are wanted. Default 10: a page of results.
    pub most: usize,
    /// Most links of the page itself followed on each side, evenly spaced over all of them; sums
    /// over a part of them are scaled up. Default 500.
    pub max_links: usize,
    /// A citer with more links, or a target with more in-links, is passed over: it is a directory
    /// or a home page that would weigh little and cost much. Default 1,000.
    pub max_degree: u32,
}

impl Default for SimilarOptions {
    fn default() -> Self {
        Self { most: 10, max_links: 500, max_degree: 1_000 }
    }
}

/// A page like the one asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    /// The page.
    pub node: Node,
    /// Both parts in one, between 0 and 1.
    pub score: f64,
    /// How far the same pages link to both.
    pub cocitation: f64,
    /// How far both link to the same pages.
    pub coupling: f64,
    /// Up to three pages that link to both, those with the fewest links first.
    pub citers: Vec<Node>,
    /// Up to three pages that both link to, those with the fewest in-links first.
    pub targets: Vec<Node>,
}

/// Finds the pages most like a page, best first, those with the same score ascending.
///
/// Fails if there is no such node. The result is exact if the page has at most `max_links` links
/// on each side and none of them is passed over. Cost, whatever the degrees: with
/// n = 2 · `max_links` · `max_degree` (a million by default), O(n · log n) and 48 n bytes.
pub fn similar(links: &Links, node: Node, options: &SimilarOptions) -> Result<Vec<Similar>, Error> {
    let num_nodes = links.num_nodes();
    if node.0 >= num_nodes {
        return Err(Error::UnknownNode { node: node.0, num_nodes });
    }
    let by_citers = Side { near: links.in_links(), far: links.turned(), options };
    let by_targets = Side { near: links.turned(), far: links.in_links(), options };
    let mut best = merged(&by_citers.parts(node), &by_targets.parts(node));
    best.sort_unstable_by(|a, b| b.score().total_cmp(&a.score()).then(a.node.cmp(&b.node)));
    best.truncate(options.most);
    let told = best.into_iter().map(|parts| Similar {
        node: parts.node,
        score: parts.score(),
        cocitation: parts.cocitation,
        coupling: parts.coupling,
        citers: by_citers.evidence(node, parts.node),
        targets: by_targets.evidence(node, parts.node),
    });
    Ok(told.collect())
}

/// Both parts of one node.
struct Parts {
    node: Node,
    cocitation: f64,
    coupling: f64,
}

impl Parts {
    fn score(&self) -> f64 {
        1.0 - (1.0 - self.cocitation) * (1.0 - self.coupling)
    }
}

/// One of the two ways round.
struct Side<'a> {
    /// From a page to what it may share with others.
    near: &'a InLinks,
    /// From there to the pages that share it.
    far: &'a InLinks,
    options: &'a SimilarOptions,
}

impl Side<'_> {
    /// Returns what is followed from a page to find others.
    fn shared(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let all = self.near.raw_sources(node.index());
        let useful = move |shared: &Node| {
            *shared != node && self.far.sources(*shared).len() <= self.options.max_degree as usize
        };
        spread(all, self.options.max_links).map(Node).filter(useful)
    }

    /// Returns each node that shares something with `node` and how much, ascending.
    fn parts(&self, node: Node) -> Vec<(Node, f64)> {
        let shared: Vec<Node> = self.shared(node).collect();
        // Other node above, place of what is shared below: sorting brings together what belongs
        // together, always in the same order.
        let mut meetings = Vec::new();
        for (place, middle) in shared.iter().enumerate() {
            let others = self.far.sources(*middle).filter(|other| *other != node);
            // The other's own link to itself is no evidence either.
            let others = others.filter(|other| other != middle);
            meetings.extend(others.map(|other| u64::from(other.0) << 32 | place as u64));
        }
        meetings.sort_unstable();
        let degree = self.near.sources(node).len() as f64;
        let seen = degree.min(self.options.max_links as f64);
        let part = |meetings: &[u64]| {
            let other = Node((meetings[0] >> 32) as u32);
            let middles = meetings.iter().map(|meeting| shared[*meeting as u32 as usize]);
            let sum: f64 = middles.map(|middle| weight(self.far.sources(middle).len())).sum();
            let other_degree = self.near.sources(other).len() as f64;
            // Seen in a sample, it is scaled up, but to no more than the other node has in all.
            let scale = (degree / seen).min(other_degree / meetings.len() as f64);
            (other, (sum * scale / (degree * other_degree).sqrt()).min(1.0))
        };
        meetings.chunk_by(|a, b| a >> 32 == b >> 32).map(part).collect()
    }

    /// Returns what speaks most for two nodes being alike.
    fn evidence(&self, node: Node, other: Node) -> Vec<Node> {
        let links_to_other =
            |middle: Node| self.far.raw_sources(middle.index()).binary_search(&other.0).is_ok();
        let common = self.shared(node).filter(|middle| *middle != other);
        let mut common: Vec<Node> = common.filter(|middle| links_to_other(*middle)).collect();
        common.sort_by_key(|middle| (self.far.sources(*middle).len(), *middle));
        common.truncate(MAX_EVIDENCE);
        common
    }
}

/// Returns how much a shared node counts that `degree` pages share.
fn weight(degree: usize) -> f64 {
    1.0 / (1.0 + degree as f64).log2()
}

/// Brings the two parts of each node together; both lists ascend.
fn merged(cocitation: &[(Node, f64)], coupling: &[(Node, f64)]) -> Vec<Parts> {
    let mut all = Vec::with_capacity(cocitation.len() + coupling.len());
    let (mut i, mut j) = (0, 0);
    loop {
        let next = [cocitation.get(i), coupling.get(j)].into_iter().flatten();
        let Some(node) = next.map(|(node, _)| *node).min() else { break };
        let take = |list: &[(Node, f64)], place: &mut usize| {
            let part = list.get(*place).filter(|(other, _)| *other == node);
            *place += usize::from(part.is_some());
            part.map_or(0.0, |(_, part)| *part)
        };
        let (cocitation, coupling) = (take(cocitation, &mut i), take(coupling, &mut j));
        all.push(Parts { node, cocitation, coupling });
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
        let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
        Links::from_arcs(num_nodes, arcs).unwrap()
    }

    fn all() -> SimilarOptions {
        SimilarOptions { most: usize::MAX, ..Default::default() }
    }

    #[test]
    fn pages_cited_together_are_alike() {
        // 0 and 1 both cite 2 and 3; 4 cites 3 alone.
        let links = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3)]);
        let found = similar(&links, Node(2), &all()).unwrap();
        let [like] = &found[..] else { panic!("{found:?}") };
        let expected = 2.0 / 3f64.log2() / 6f64.sqrt();
        assert!((like.cocitation - expected).abs() < 1e-12, "{like:?}");
        assert_eq!((like.node, like.coupling, like.score), (Node(3), 0.0, like.cocitation));
        assert_eq!((&like.citers[..], &like.targets[..]), (&[Node(0), Node(1)][..], &[][..]));
    }

    #[test]
    fn pages_that_cite_the_same_are_alike() {
        let links = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3)]);
        let found = similar(&links, Node(0), &all()).unwrap();
        assert_eq!(found.iter().map(|like| like.node.0).collect::<Vec<_>>(), [1, 4]);
        let weights = [1.0 / 3f64.log2(), 1.0 / 4f64.log2()];
        assert!((found[0].coupling - (weights[0] + weights[1]) / 2.0).abs() < 1e-12);
        assert!((found[1].coupling - weights[1] / 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(found[0].targets, [Node(2), Node(3)]);
    }

    #[test]
    fn a_page_is_not_like_one_for_linking_to_itself() {
        let links = graph(2, &[(0, 0), (1, 0), (1, 1), (0, 1)]);
        let found = similar(&links, Node(0), &all()).unwrap();
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn long_lists_are_passed_over() {
        let arcs = [(0, 1), (0, 2), (0, 3), (4, 1), (4, 2)];
        let options = SimilarOptions { max_degree: 2, ..all() };
        let found = similar(&graph(5, &arcs), Node(1), &options).unwrap();
        let [like] = &found[..] else { panic!("{found:?}") };
        assert_eq!((like.node, &like.citers[..]), (Node(2), &[Node(4)][..]));
    }

    #[test]
    fn a_page_that_all_link_to_is_judged_by_a_sample() {
        // Half of 100,000 pages cite 0 and 1, the other half 0 alone; one cites 0 and 2.
        let arcs = (3..100_003).flat_map(|from| {
            let second = if from == 3 { 2 } else { u32::from(from % 2 == 0) };
            [(from, 0), (from, second)]
        });
        let links = graph(100_003, &arcs.collect::<Vec<_>>());
        let options = SimilarOptions { max_links: 501, ..all() };
        let found = similar(&links, Node(0), &options).unwrap();
        let whole = 50_000.0 / 3f64.log2() / (100_000f64 * 50_000.0).sqrt();
        assert_eq!(found[0].node, Node(1));
        assert!((found[0].cocitation - whole).abs() < 0.05 * whole, "{:?}", found[0]);
        // 3 is the first citer, so it is in the sample, and must not stand for 200 others.
        assert_eq!(found[1].node, Node(2));
        assert!((found[1].cocitation - 1.0 / 3f64.log2() / 100_000f64.sqrt()).abs() < 1e-12);
        assert_eq!(found[1].citers, [Node(3)]);
    }

    #[test]
    fn the_page_must_be_a_node_of_the_graph() {
        let unknown = similar(&graph(2, &[(0, 1)]), Node(2), &all());
        assert!(matches!(unknown, Err(Error::UnknownNode { node: 2, num_nodes: 2 })));
        assert!(similar(&graph(1, &[]), Node(0), &all()).unwrap().is_empty());
    }

    /// Cocitation of one pair by the book; coupling, if the arcs are turned around.
    fn naive(arcs: &[(u32, u32)], u: u32, v: u32) -> (f64, Vec<u32>) {
        let has = |from: u32, to: u32| arcs.contains(&(from, to));
        let count = |wanted: &dyn Fn(u32) -> bool| (0..30).filter(|x| wanted(*x)).count();
        let mut common: Vec<u32> =
            (0..30).filter(|c| *c != u && *c != v && has(*c, u) && has(*c, v)).collect();
        let out = |c: u32| count(&|to| has(c, to));
        let sum: f64 = common.iter().map(|c| 1.0 / (1.0 + out(*c) as f64).log2()).sum();
        common.sort_by_key(|c| (out(*c), *c));
        common.truncate(3);
        let (of_u, of_v) = (count(&|from| has(from, u)), count(&|from| has(from, v)));
        (if sum == 0.0 { 0.0 } else { sum / ((of_u * of_v) as f64).sqrt() }, common)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn random_graphs_give_what_the_definition_gives(
            arcs in prop::collection::vec((0..30u32, 0..30u32), 0..150),
            u in 0..30u32,
        ) {
            let found = similar(&graph(30, &arcs), Node(u), &all()).unwrap();
            let turned: Vec<_> = arcs.iter().map(|(from, to)| (*to, *from)).collect();
            let numbers = |nodes: &[Node]| nodes.iter().map(|node| node.0).collect::<Vec<_>>();
            for v in (0..30).filter(|v| *v != u) {
                let (cocitation, citers) = naive(&arcs, u, v);
                let (coupling, targets) = naive(&turned, u, v);
                let Some(like) = found.iter().find(|like| like.node.0 == v) else {
                    prop_assert_eq!((cocitation, coupling), (0.0, 0.0));
                    continue;
                };
                prop_assert!((like.cocitation - cocitation).abs() < 1e-12);
                prop_assert!((like.coupling - coupling).abs() < 1e-12);
                prop_assert_eq!((numbers(&like.citers), numbers(&like.targets)), (citers, targets));
                prop_assert!(like.score > 0.0 && like.score <= 1.0);
            }
            prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
            prop_assert!(found.iter().all(|like| like.node.0 != u));
        }
    }
}
