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
//!
//! Where voices are known, each counts once: of the pages of one voice in a sum the one that weighs
//! most is taken, and in() and out() count voices. Otherwise a menu that is on every page of a site
//! would make its entries alike a thousand times over. All of it is the same from either page.
//!
//! Who is worth a closer look is found by the plain sums first, since counting the voices of every
//! page that shares anything would read all their lists.

use std::borrow::Cow;

use crate::spread::spread;
use crate::{Error, Graph, Links, Node};

/// Most nodes named as evidence for one part.
const MAX_EVIDENCE: usize = 3;
/// Nodes looked at closely for each that is wanted, and at least.
const LOOKED_AT: usize = 4;
const LEAST_LOOKED_AT: usize = 200;
/// Most entries of one list that are decompressed.
const MOST_READ: usize = 100_000;

/// How far a search for similar pages goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarOptions {
    /// How many are wanted. Default 10: a page of results.
    pub most: usize,
    /// Most links of a page followed on each side, evenly spaced over all of them; sums over a
    /// part of them are scaled up. Default 500.
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
    /// How many voices were seen to link to both; pages, where voices are not known.
    pub num_citing: usize,
    /// How many pages both were seen to link to.
    pub num_targets: usize,
    /// Up to three pages that link to both, of different voices, those with the fewest links first.
    pub citers: Vec<Node>,
    /// Up to three pages that both link to, of different voices, those with the fewest in-links
    /// first.
    pub targets: Vec<Node>,
}

/// Links that can be looked up from either end.
pub trait Arcs {
    /// Returns how many nodes there are.
    fn num_nodes(&self) -> u32;
    /// Returns the nodes that link to a node, ascending; of very many the first.
    fn linking(&self, node: Node) -> Cow<'_, [u32]>;
    /// Returns the nodes that a node links to, ascending; of very many the first.
    fn linked(&self, node: Node) -> Cow<'_, [u32]>;
    /// Returns how many nodes link to a node.
    fn num_linking(&self, node: Node) -> usize;
    /// Returns how many nodes a node links to.
    fn num_linked(&self, node: Node) -> usize;
}

impl Arcs for Links {
    fn num_nodes(&self) -> u32 {
        self.num_nodes()
    }

    fn linking(&self, node: Node) -> Cow<'_, [u32]> {
        Cow::Borrowed(self.in_links().raw_sources(node.index()))
    }

    fn linked(&self, node: Node) -> Cow<'_, [u32]> {
        Cow::Borrowed(self.turned().raw_sources(node.index()))
    }

    fn num_linking(&self, node: Node) -> usize {
        self.in_links().raw_sources(node.index()).len()
    }

    fn num_linked(&self, node: Node) -> usize {
        self.turned().raw_sources(node.index()).len()
    }
}

/// Lists are decompressed one by one, without reading the graph into memory.
impl Arcs for Graph {
    fn num_nodes(&self) -> u32 {
        self.summary().num_nodes
    }

    fn linking(&self, node: Node) -> Cow<'_, [u32]> {
        self.predecessors(node).map(|node| node.0).take(MOST_READ).collect()
    }

    fn linked(&self, node: Node) -> Cow<'_, [u32]> {
        self.successors(node).map(|node| node.0).take(MOST_READ).collect()
    }

    fn num_linking(&self, node: Node) -> usize {
        self.in_degree(node)
    }

    fn num_linked(&self, node: Node) -> usize {
        self.out_degree(node)
    }
}

/// Finds the pages most like a page, best first, those with the same score ascending.
///
/// `voice_of` tells who speaks on a node, as a number. Fails if there is no such node. The result
/// is exact if no page has more than `max_links` links on either side, none of them is passed over,
/// and at most 4 · `most`, or 200, pages share anything. Cost, whatever the degrees: with
/// n = 2 · `max_links` · `max_degree` (a million by default) and k = 4 · `most`, O(n · log n +
/// k · `max_links` · log `max_links`) and 48 n bytes.
pub fn similar(
    arcs: &impl Arcs,
    node: Node,
    options: &SimilarOptions,
    voice_of: Option<&dyn Fn(Node) -> u32>,
) -> Result<Vec<Similar>, Error> {
    let num_nodes = arcs.num_nodes();
    if node.0 >= num_nodes {
        return Err(Error::UnknownNode { node: node.0, num_nodes });
    }
    let voice = |node: Node| voice_of.map_or(node.0, |voice_of| voice_of(node));
    let is_plain = voice_of.is_none();
    let side = |is_cited| Side { arcs, is_cited, options, voice_of: &voice };
    let (by_citers, by_targets) = (side(true), side(false));
    let (cited, citing) = (by_citers.meetings(node), by_targets.meetings(node));
    let mut best = merged(&by_citers.rough(node, &cited), &by_targets.rough(node, &citing));
    sort(&mut best);
    if !is_plain {
        best.truncate(options.most.saturating_mul(LOOKED_AT).max(LEAST_LOOKED_AT));
        let (own_citers, own_targets) = (by_citers.num_voices(node), by_targets.num_voices(node));
        for parts in &mut best {
            parts.cocitation = by_citers.part(own_citers, parts.node, &cited);
            parts.coupling = by_targets.part(own_targets, parts.node, &citing);
        }
        sort(&mut best);
    }
    best.truncate(options.most);
    let told = best.into_iter().map(|parts| {
        let (citers, num_citing, _) = by_citers.evidence(parts.node, &cited);
        let (targets, _, num_targets) = by_targets.evidence(parts.node, &citing);
        let Parts { node, cocitation, coupling } = parts;
        let score = parts.score();
        Similar { node, score, cocitation, coupling, num_citing, num_targets, citers, targets }
    });
    Ok(told.collect())
}

fn sort(best: &mut [Parts]) {
    best.sort_unstable_by(|a, b| b.score().total_cmp(&a.score()).then(a.node.cmp(&b.node)));
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

/// What a page shares with others.
struct Meetings {
    /// What is shared, and how much it counts.
    shared: Vec<(Node, f64)>,
    /// Other node above, place of what is shared below, ascending: what belongs together is
    /// together, always in the same order.
    list: Vec<u64>,
}

impl Meetings {
    /// Returns what is shared with one node.
    fn with(&self, other: Node) -> impl Iterator<Item = (Node, f64)> + '_ {
        let start = self.list.partition_point(|meeting| ((meeting >> 32) as u32) < other.0);
        let is_with = move |meeting: &&u64| (**meeting >> 32) as u32 == other.0;
        self.list[start..]
            .iter()
            .take_while(is_with)
            .map(|meeting| self.shared[*meeting as u32 as usize])
    }
}

/// One of the two ways round.
struct Side<'a, A> {
    arcs: &'a A,
    /// From a page to those that link to it, rather than to those that it links to.
    is_cited: bool,
    options: &'a SimilarOptions,
    voice_of: &'a dyn Fn(Node) -> u32,
}

impl<A: Arcs> Side<'_, A> {
    /// Returns what a page may share with others.
    fn near(&self, node: Node) -> Cow<'_, [u32]> {
        if self.is_cited { self.arcs.linking(node) } else { self.arcs.linked(node) }
    }

    fn num_near(&self, node: Node) -> usize {
        if self.is_cited { self.arcs.num_linking(node) } else { self.arcs.num_linked(node) }
    }

    /// Returns the pages that share a node.
    fn far(&self, node: Node) -> Cow<'_, [u32]> {
        if self.is_cited { self.arcs.linked(node) } else { self.arcs.linking(node) }
    }

    fn num_far(&self, node: Node) -> usize {
        if self.is_cited { self.arcs.num_linked(node) } else { self.arcs.num_linking(node) }
    }

    fn meetings(&self, node: Node) -> Meetings {
        let near = self.near(node);
        let followed = spread(&near, self.options.max_links).map(Node);
        let mut shared = Vec::new();
        let mut list = Vec::new();
        for middle in followed.filter(|middle| *middle != node) {
            let degree = self.num_far(middle);
            if degree > self.options.max_degree as usize {
                continue;
            }
            let place = shared.len() as u64;
            shared.push((middle, weight(degree)));
            // The other's own link to itself is no evidence either.
            let others = self.far(middle);
            let others = others.iter().filter(|other| ![node.0, middle.0].contains(other));
            list.extend(others.map(|other| u64::from(*other) << 32 | place));
        }
        list.sort_unstable();
        Meetings { shared, list }
    }

    /// Returns each node that shares something with `node` and how much if every node is a voice,
    /// ascending.
    fn rough(&self, node: Node, meetings: &Meetings) -> Vec<(Node, f64)> {
        let degree = self.num_near(node) as f64;
        let seen = degree.min(self.options.max_links as f64);
        let part = |list: &[u64]| {
            let other = Node((list[0] >> 32) as u32);
            let weights = list.iter().map(|meeting| meetings.shared[*meeting as u32 as usize].1);
            let sum: f64 = weights.sum();
            let other_degree = self.num_near(other) as f64;
            // Seen in a sample, it is scaled up, but to no more than the other node has in all.
            let scale = (degree / seen).min(other_degree / list.len() as f64);
            (other, (sum * scale / (degree * other_degree).sqrt()).min(1.0))
        };
        meetings.list.chunk_by(|a, b| a >> 32 == b >> 32).map(part).collect()
    }

    /// Returns how much a node shares, each voice once; `own` are the voices of the page.
    fn part(&self, own: Voices, other: Node, meetings: &Meetings) -> f64 {
        let common = self.by_voice(other, meetings);
        if common.is_empty() {
            return 0.0;
        }
        let sum: f64 = common.iter().map(|(_, _, weight)| weight).sum();
        let others = self.num_voices(other).all;
        let scale = (own.all / own.seen).min(others / common.len() as f64).max(1.0);
        (sum * scale / (own.all * others).sqrt()).min(1.0)
    }

    /// Returns what is shared with a node, of each voice what weighs most, voices ascending.
    fn by_voice(&self, other: Node, meetings: &Meetings) -> Vec<(u32, Node, f64)> {
        let voice = |(middle, weight)| ((self.voice_of)(middle), middle, weight);
        let mut common: Vec<(u32, Node, f64)> = meetings.with(other).map(voice).collect();
        common.sort_by(|a, b| a.0.cmp(&b.0).then(b.2.total_cmp(&a.2)).then(a.1.cmp(&b.1)));
        common.dedup_by_key(|(voice, _, _)| *voice);
        common
    }

    /// Counts the voices around a node, in a sample of its links where there are many.
    fn num_voices(&self, node: Node) -> Voices {
        let near = self.near(node);
        let followed = spread(&near, self.options.max_links).map(Node);
        let mut voices: Vec<u32> = followed.map(|near| (self.voice_of)(near)).collect();
        let num_followed = voices.len().max(1) as f64;
        voices.sort_unstable();
        voices.dedup();
        let seen = voices.len().max(1) as f64;
        Voices { seen, all: seen * (self.num_near(node) as f64 / num_followed).max(1.0) }
    }

    /// Returns what speaks most for a node, the number of voices that do, and that of nodes.
    fn evidence(&self, other: Node, meetings: &Meetings) -> (Vec<Node>, usize, usize) {
        let mut common = self.by_voice(other, meetings);
        let num_voices = common.len();
        // What weighs most is shared by the fewest.
        common.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.1.cmp(&b.1)));
        common.truncate(MAX_EVIDENCE);
        let nodes = common.into_iter().map(|(_, node, _)| node).collect();
        (nodes, num_voices, meetings.with(other).count())
    }
}

/// Voices around a page.
#[derive(Clone, Copy)]
struct Voices {
    /// Among those that were followed.
    seen: f64,
    /// Among all, as far as those tell.
    all: f64,
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
        let found = similar(&links, Node(2), &all(), None).unwrap();
        let [like] = &found[..] else { panic!("{found:?}") };
        let expected = 2.0 / 3f64.log2() / 6f64.sqrt();
        assert!((like.cocitation - expected).abs() < 1e-12, "{like:?}");
        assert_eq!((like.node, like.coupling, like.score), (Node(3), 0.0, like.cocitation));
        assert_eq!((&like.citers[..], &like.targets[..]), (&[Node(0), Node(1)][..], &[][..]));
    }

    #[test]
    fn pages_that_cite_the_same_are_alike() {
        let links = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3)]);
        let found = similar(&links, Node(0), &all(), None).unwrap();
        assert_eq!(found.iter().map(|like| like.node.0).collect::<Vec<_>>(), [1, 4]);
        let weights = [1.0 / 3f64.log2(), 1.0 / 4f64.log2()];
        assert!((found[0].coupling - (weights[0] + weights[1]) / 2.0).abs() < 1e-12);
        assert!((found[1].coupling - weights[1] / 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(found[0].targets, [Node(2), Node(3)]);
    }

    #[test]
    fn a_page_is_not_like_one_for_linking_to_itself() {
        let links = graph(2, &[(0, 0), (1, 0), (1, 1), (0, 1)]);
        let found = similar(&links, Node(0), &all(), None).unwrap();
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn long_lists_are_passed_over() {
        let arcs = [(0, 1), (0, 2), (0, 3), (4, 1), (4, 2)];
        let options = SimilarOptions { max_degree: 2, ..all() };
        let found = similar(&graph(5, &arcs), Node(1), &options, None).unwrap();
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
        let found = similar(&links, Node(0), &options, None).unwrap();
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
        let unknown = similar(&graph(2, &[(0, 1)]), Node(2), &all(), None);
        assert!(matches!(unknown, Err(Error::UnknownNode { node: 2, num_nodes: 2 })));
        assert!(similar(&graph(1, &[]), Node(0), &all(), None).unwrap().is_empty());
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

    /// Three citers of one voice and one of another link to 4 and 5; one of the first to 6 too.
    #[test]
    fn a_voice_counts_once() {
        let links = graph(
            7,
            &[(0, 4), (0, 5), (1, 4), (1, 5), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6)],
        );
        let voice_of = |node: Node| if node.0 < 3 { 100 } else { node.0 };
        let found = similar(&links, Node(4), &all(), Some(&voice_of)).unwrap();
        let cocitation = |node: u32| {
            found.iter().find(|like| like.node.0 == node).map_or(0.0, |like| like.cocitation)
        };
        // Of the three the shortest list speaks; both pages have two voices around them.
        let expected = (1.0 / 3f64.log2() + 1.0 / 4f64.log2()) / 2.0;
        assert!((cocitation(5) - expected).abs() < 1e-12, "{found:?}");
        assert!((cocitation(6) - (2.0 / 4f64.log2()) / 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!((found[0].num_citing, &found[0].citers[..]), (2, &[Node(0), Node(3)][..]));
        // A menu on a thousand pages makes its entries no more alike than one on three.
        let menu: Vec<(u32, u32)> = (10..1_010).flat_map(|page| [(page, 4), (page, 5)]).collect();
        let links = graph(1_010, &[&[(3, 4), (3, 5), (3, 6)], &menu[..]].concat());
        let voice_of = |node: Node| if node.0 >= 10 { 100 } else { node.0 };
        let options = SimilarOptions { max_links: usize::MAX, ..all() };
        let found = similar(&links, Node(4), &options, Some(&voice_of)).unwrap();
        let like = found.iter().find(|like| like.node.0 == 5).unwrap();
        assert!((like.cocitation - expected).abs() < 1e-12, "{like:?}");
    }

    #[test]
    fn shared_pages_are_counted_and_told_by_different_voices() {
        let arcs: Vec<(u32, u32)> = (2..9).flat_map(|to| [(0, to), (1, to)]).collect();
        let found = similar(&graph(9, &arcs), Node(0), &all(), Some(&|node| node.0 / 4)).unwrap();
        let like = &found[0];
        assert_eq!((like.node, like.num_targets, like.num_citing), (Node(1), 7, 0));
        assert_eq!(like.targets, [Node(2), Node(4), Node(8)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn likeness_is_the_same_from_either_page(
            arcs in prop::collection::vec((0..30u32, 0..30u32), 0..150),
            has_voices: bool,
        ) {
            let links = graph(30, &arcs);
            let voice: &dyn Fn(Node) -> u32 = &|node| node.0 % 7;
            let voice_of = has_voices.then_some(voice);
            let all_found: Vec<Vec<Similar>> =
                (0..30).map(|u| similar(&links, Node(u), &all(), voice_of).unwrap()).collect();
            for (u, found) in all_found.iter().enumerate() {
                for like in found {
                    prop_assert!(like.node.index() != u);
                    prop_assert!(like.score > 0.0 && like.score <= 1.0, "{:?}", like);
                    let back = all_found[like.node.index()].iter().find(|back| back.node.index() == u);
                    let Some(back) = back else { panic!("{u} is not like {like:?}") };
                    prop_assert!((back.cocitation - like.cocitation).abs() < 1e-12);
                    prop_assert!((back.coupling - like.coupling).abs() < 1e-12);
                    prop_assert_eq!(back.num_citing, like.num_citing);
                    prop_assert_eq!(&back.citers, &like.citers);
                }
            }
        }

        #[test]
        fn random_graphs_give_what_the_definition_gives(
            arcs in prop::collection::vec((0..30u32, 0..30u32), 0..150),
            u in 0..30u32,
        ) {
            let found = similar(&graph(30, &arcs), Node(u), &all(), None).unwrap();
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
