//! The part of the web around a query's results: roots, what they link to, what links to them.
//!
//! Caps keep it small however popular a root is. A root with more neighbours than
//! [`BaseSetOptions::max_neighbours`] on one side gives an even choice of them (not the first,
//! which would all be of one host). If the roots together have too many, those stay that most
//! roots share, then those of the best root, then the lowest number: no chance is involved.
//! Links inside a site are left out throughout: they are navigation, not praise.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::spread::spread;
use crate::{Arcs, Error, Links, Node};

/// Most links of one node of the set looked at, to find those that stay inside. Pages have fewer;
/// what an attacker makes of many pages with one address costs no more.
const MAX_INSIDE: usize = 1 << 16;

/// How large a base set may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseSetOptions {
    /// Most roots taken, best first. Default 200, as in Kleinberg's paper.
    pub max_roots: usize,
    /// Most neighbours that one root adds on each side. Default 50, as in Kleinberg's paper.
    pub max_neighbours: usize,
    /// Most links of one root looked at on each side, evenly spaced over all of them (of a graph
    /// on disk, over the first of them: [`Arcs::linking`]), to find neighbours on other sites.
    /// Default 1,000: a root with a million in-links costs as much.
    pub max_links: usize,
    /// Most nodes in all, roots included. Default 5,000, the size that the paper found useful.
    pub max_nodes: usize,
}

impl Default for BaseSetOptions {
    fn default() -> Self {
        Self { max_roots: 200, max_neighbours: 50, max_links: 1_000, max_nodes: 5_000 }
    }
}

/// A small graph with numbers of its own, cut out of the whole one.
///
/// Its nodes are numbered 0, 1, 2, … in the order of [`Self::nodes`]; scores by node of
/// [`Self::links`] are read with [`Self::best`].
#[derive(Clone, Debug, PartialEq)]
pub struct BaseSet {
    nodes: Vec<Node>,
    roots: Vec<bool>,
    links: Links,
    num_cut: usize,
}

impl BaseSet {
    /// Collects the base set of some roots, given best first.
    ///
    /// A root named twice counts once; one that is not in the graph is an error. A node's link to
    /// itself is always left out, other links where `is_same_site` says so. Cost, with r roots
    /// and b nodes in the set: at most 2 r · `max_links` calls of `is_same_site`, and for each
    /// node of the set O(min(d, b) · log max(d, b)) to find which of its d links stay inside,
    /// with one more call for each that does; on disk, O(d) to read them. Of more than 65,536
    /// links of a node an even choice of so many is looked at.
    pub fn new(
        links: &impl Arcs,
        roots: &[Node],
        options: &BaseSetOptions,
        is_same_site: impl Fn(Node, Node) -> bool,
    ) -> Result<Self, Error> {
        let go_on = || ControlFlow::Continue(());
        Self::new_with(links, roots, options, is_same_site, go_on)
    }

    /// Like [`Self::new`]; `watch` is asked before the links of each node are read, and may break
    /// off with [`Error::Interrupted`].
    pub fn new_with(
        links: &impl Arcs,
        roots: &[Node],
        options: &BaseSetOptions,
        is_same_site: impl Fn(Node, Node) -> bool,
        mut watch: impl FnMut() -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let num_nodes = links.num_nodes();
        if let Some(unknown) = roots.iter().find(|root| root.0 >= num_nodes) {
            return Err(Error::UnknownNode { node: unknown.0, num_nodes });
        }
        let is_inside = |from: Node, to: Node| from == to || is_same_site(from, to);
        let roots = first_of_each(roots, options.max_roots.min(options.max_nodes));
        let most = options.max_links;
        let is_cut = |root: &&Node| links.num_linking(**root).max(links.num_linked(**root)) > most;
        let num_cut = roots.iter().filter(is_cut).count();
        let mut nodes = neighbours(links, &roots, options, &is_inside, &mut watch)?;
        nodes.truncate(options.max_nodes - roots.len());
        nodes.extend(&roots);
        nodes.sort_unstable();
        let mut is_root = vec![false; nodes.len()];
        for root in roots {
            let place = nodes.binary_search(&root).expect("every root was put in");
            is_root[place] = true;
        }
        let arcs = arcs_between(links, &nodes, &is_inside, &mut watch)?;
        let size = u32::try_from(nodes.len()).expect("they are nodes of a larger graph");
        let links = Links::from_arcs(size, arcs)?;
        Ok(Self { nodes, roots: is_root, links, num_cut })
    }

    /// Returns of how many roots not all links were looked at.
    pub fn num_cut(&self) -> usize {
        self.num_cut
    }

    /// Returns the nodes of the whole graph that are in the set, ascending.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns whether a node of the whole graph is one of the roots. O(log nodes).
    pub fn is_root(&self, node: Node) -> bool {
        self.nodes.binary_search(&node).is_ok_and(|place| self.roots[place])
    }

    /// Returns the links between the nodes of the set, under numbers of its own.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Returns which of the given scores, one per node of the set, is that of a node of the whole
    /// graph; `None` if the set does not hold it. O(log nodes).
    pub fn score(&self, scores: &[f64], node: Node) -> Option<f64> {
        self.nodes.binary_search(&node).ok().and_then(|place| scores.get(place).copied())
    }

    /// Returns the `most` nodes with the highest of the given scores, best first, those with the
    /// same score ascending; none without a score above 0. O(nodes · log nodes).
    ///
    /// `scores` has one number per node of the set, as [`crate::hits`] and [`crate::salsa`] give
    /// them for [`Self::links`].
    pub fn best(&self, scores: &[f64], most: usize) -> Vec<(Node, f64)> {
        let scored = self.nodes.iter().copied().zip(scores.iter().copied());
        let mut best: Vec<_> = scored.filter(|(_, score)| *score > 0.0).collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(most);
        best
    }
}

fn first_of_each(roots: &[Node], most: usize) -> Vec<Node> {
    let mut seen = HashSet::new();
    let mut distinct = Vec::new();
    for root in roots {
        if distinct.len() == most {
            break;
        }
        if seen.insert(*root) {
            distinct.push(*root);
        }
    }
    distinct
}

/// Returns the neighbours of the roots that are no roots, those that matter most first.
fn neighbours(
    links: &impl Arcs,
    roots: &[Node],
    options: &BaseSetOptions,
    is_inside: &impl Fn(Node, Node) -> bool,
    watch: &mut impl FnMut() -> ControlFlow<()>,
) -> Result<Vec<Node>, Error> {
    // How many roots have it as a neighbour, and the rank of the best of them.
    let mut found: HashMap<Node, (usize, usize)> = HashMap::new();
    for (rank, root) in roots.iter().enumerate() {
        go_on(watch)?;
        let mut of_root = Vec::new();
        let most = options.max_links;
        for side in [links.linked(*root, most), links.linking(*root, most)] {
            let is_outside = |other: &u32| !is_inside(*root, Node(*other));
            let outside: Vec<u32> = side.iter().copied().filter(is_outside).collect();
            of_root.extend(spread(&outside, options.max_neighbours));
        }
        of_root.sort_unstable();
        of_root.dedup();
        for neighbour in of_root {
            found.entry(Node(neighbour)).or_insert((0, rank)).0 += 1;
        }
    }
    for root in roots {
        found.remove(root);
    }
    let mut ordered: Vec<_> = found.into_iter().collect();
    ordered.sort_unstable_by_key(|(node, (count, rank))| (usize::MAX - count, *rank, *node));
    Ok(ordered.into_iter().map(|(node, _)| node).collect())
}

/// Returns the arcs between the given nodes (ascending), under their places in the list.
fn arcs_between(
    links: &impl Arcs,
    nodes: &[Node],
    is_inside: &impl Fn(Node, Node) -> bool,
    watch: &mut impl FnMut() -> ControlFlow<()>,
) -> Result<Vec<(Node, Node)>, Error> {
    let place_of = |place: usize| Node(u32::try_from(place).expect("places are fewer than nodes"));
    let mut arcs = Vec::new();
    for (from_place, from) in nodes.iter().enumerate() {
        go_on(watch)?;
        let successors = links.linked(*from, MAX_INSIDE);
        let mut keep = |to_place: usize| {
            if !is_inside(*from, nodes[to_place]) {
                arcs.push((place_of(from_place), place_of(to_place)));
            }
        };
        // The shorter list is walked, the longer one searched.
        if successors.len() <= nodes.len() {
            let places = successors.iter().map(|to| nodes.binary_search(&Node(*to)));
            places.flatten().for_each(&mut keep);
        } else {
            let is_linked = |place: &usize| successors.binary_search(&nodes[*place].0).is_ok();
            (0..nodes.len()).filter(is_linked).for_each(&mut keep);
        }
    }
    Ok(arcs)
}

fn go_on(watch: &mut impl FnMut() -> ControlFlow<()>) -> Result<(), Error> {
    match watch() {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
