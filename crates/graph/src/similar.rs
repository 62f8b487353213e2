//! Pages like a page, by links alone (G8, Q8): cited together, or citing the same.
//!
//! ```text
//! cocitation(u, v) = Σ w(out(c)) over c → u, c → v    / √(in(u) · in(v))    · s(n)
//! coupling(u, v)   = Σ w(in(t))  over u → t, v → t    / √(out(u) · out(v))  · s(n)
//! w(d) = 1 / log2(1 + d)        s(n) = n / (n + 1), n the terms of the sum
//! score = 1 − (1 − cocitation) · (1 − coupling)
//! ```
//! The roots make it a cosine, so a page that everybody links to is not like every other; the
//! weight lets a list of ten links say more than one of a thousand, and a target that ten pages
//! share more than one that all do. A single term may be chance, so few of them count less. Both
//! parts are between 0 and 1. A page's link to itself is no evidence.
//!
//! Where voices are known, each counts once: a term of the sum is the cosine among the pages of one
//! voice, and in() and out() count voices. So a menu that is on a thousand pages of a site says as
//! much as one on ten, and pages of a single site are compared as if there were no voices. For s(n)
//! the pages of a voice count 1, ½, ¼ and so on, two at most. All of it is the same from either
//! page.
//!
//! Who is worth a closer look is found by the plain sums first, since counting the voices of every
//! page that shares anything would read all their lists.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use crate::spread::spread;
use crate::{Error, Graph, Links, Node};

/// Most nodes named as evidence for one part.
const MAX_EVIDENCE: usize = 3;
/// Nodes looked at closely for each that is wanted, and at least.
const LOOKED_AT: usize = 4;
const LEAST_LOOKED_AT: usize = 200;
/// Entries of a list that are decompressed for each that is wanted: an even choice sees more
/// hosts than the first ones, but to reach the end of a list all of it must be read.
const READ_FOR_EACH: usize = 16;

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
    /// How many pages were.
    pub num_citing_pages: usize,
    /// How many pages both were seen to link to.
    pub num_targets: usize,
    /// Up to three pages that link to both, of as many voices as there are, those with the fewest
    /// links first.
    pub citers: Vec<Node>,
    /// Up to three pages that both link to, of as many voices as there are, those with the fewest
    /// in-links first.
    pub targets: Vec<Node>,
}

impl Similar {
    /// Returns why the page is like the other, each with the part of the likeness that it stands
    /// for; those that stand for nothing are left out.
    pub fn reasons(&self) -> impl Iterator<Item = (f64, LinkLikeness)> + use<> {
        let cited = match (self.num_citing, self.num_citing_pages) {
            (1, pages) if pages > 1 => LinkLikeness::CitedByPages { pages },
            (sites, _) => LinkLikeness::CitedBySites { sites },
        };
        let citing = LinkLikeness::LinksTo { pages: self.num_targets };
        let reasons = [(self.cocitation, cited), (self.coupling, citing)];
        reasons.into_iter().filter(|(part, _)| *part > 0.0)
    }
}

/// Why links make two pages alike; its `Display` is plain English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkLikeness {
    /// Sites link to both.
    CitedBySites {
        /// How many.
        sites: usize,
    },
    /// One site links to both.
    CitedByPages {
        /// From how many of its pages: two or more.
        pages: usize,
    },
    /// Both link to the same pages.
    LinksTo {
        /// How many.
        pages: usize,
    },
}

impl fmt::Display for LinkLikeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CitedBySites { sites: 1 } => f.write_str("cited together by 1 site"),
            Self::CitedBySites { sites } => write!(f, "cited together by {sites} sites"),
            Self::CitedByPages { pages } => write!(f, "cited together by {pages} pages of 1 site"),
            Self::LinksTo { pages: 1 } => f.write_str("links to the same page"),
            Self::LinksTo { pages } => write!(f, "links to the same {pages} pages"),
        }
    }
}

/// Links that can be looked up from either end.
pub trait Arcs {
    /// Returns how many nodes there are.
    fn num_nodes(&self) -> u32;
    /// Returns the nodes that link to a node, ascending; if there are more than `most`, so many of
    /// them, spread as evenly as O(`most`) allows.
    fn linking(&self, node: Node, most: usize) -> Cow<'_, [u32]>;
    /// Returns the nodes that a node links to, in the same way.
    fn linked(&self, node: Node, most: usize) -> Cow<'_, [u32]>;
    /// Returns how many nodes link to a node.
    fn num_linking(&self, node: Node) -> usize;
    /// Returns how many nodes a node links to.
    fn num_linked(&self, node: Node) -> usize;
}

impl Arcs for Links {
    fn num_nodes(&self) -> u32 {
        self.num_nodes()
    }

    fn linking(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        chosen(self.in_links().raw_sources(node.index()), most)
    }

    fn linked(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        chosen(self.turned().raw_sources(node.index()), most)
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

    fn linking(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        read(|first| self.transpose().successors(node, first), most)
    }

    fn linked(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        read(|first| self.forward().successors(node, first), most)
    }

    fn num_linking(&self, node: Node) -> usize {
        self.in_degree(node)
    }

    fn num_linked(&self, node: Node) -> usize {
        self.out_degree(node)
    }
}

/// Returns a list, or an even choice of it.
fn chosen(list: &[u32], most: usize) -> Cow<'_, [u32]> {
    match list.len() <= most {
        true => Cow::Borrowed(list),
        false => spread(list, most).collect(),
    }
}

/// Reads a list, or an even choice of its beginning.
fn read(first: impl FnOnce(usize) -> Vec<u32>, most: usize) -> Cow<'static, [u32]> {
    let beginning = first(most.saturating_mul(READ_FOR_EACH));
    match beginning.len() <= most {
        true => Cow::Owned(beginning),
        false => Cow::Owned(chosen(&beginning, most).into_owned()),
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
        let (own_citers, own_targets) = (by_citers.voices(node), by_targets.voices(node));
        for parts in &mut best {
            parts.cocitation = by_citers.part(&own_citers, parts.node, &cited);
            parts.coupling = by_targets.part(&own_targets, parts.node, &citing);
        }
        sort(&mut best);
    }
    best.truncate(options.most);
    let told = best.into_iter().map(|parts| {
        let (citers, num_citing, num_citing_pages) = by_citers.evidence(parts.node, &cited);
        let (targets, _, num_targets) = by_targets.evidence(parts.node, &citing);
        Similar {
            node: parts.node,
            score: parts.score(),
            cocitation: parts.cocitation,
            coupling: parts.coupling,
            num_citing,
            num_citing_pages,
            num_targets,
            citers,
            targets,
        }
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
    /// Returns what a page may share with others, as far as it is followed.
    fn near(&self, node: Node) -> Cow<'_, [u32]> {
        let most = self.options.max_links;
        if self.is_cited { self.arcs.linking(node, most) } else { self.arcs.linked(node, most) }
    }

    fn num_near(&self, node: Node) -> usize {
        if self.is_cited { self.arcs.num_linking(node) } else { self.arcs.num_linked(node) }
    }

    /// Returns the pages that share a node.
    fn far(&self, node: Node) -> Cow<'_, [u32]> {
        let most = self.options.max_degree as usize;
        if self.is_cited { self.arcs.linked(node, most) } else { self.arcs.linking(node, most) }
    }

    fn num_far(&self, node: Node) -> usize {
        if self.is_cited { self.arcs.num_linked(node) } else { self.arcs.num_linking(node) }
    }

    fn meetings(&self, node: Node) -> Meetings {
        let near = self.near(node);
        let mut shared = Vec::new();
        let mut list = Vec::new();
        for middle in near.iter().copied().map(Node).filter(|middle| *middle != node) {
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
            let cosine = (sum * scale / (degree * other_degree).sqrt()).min(1.0);
            (other, cosine * sureness(list.len() as f64))
        };
        meetings.list.chunk_by(|a, b| a >> 32 == b >> 32).map(part).collect()
    }

    /// Returns how much a node shares, each voice once; `own` are the voices of the page.
    fn part(&self, own: &Voices, other: Node, meetings: &Meetings) -> f64 {
        let common = self.by_voice(other, meetings);
        if common.is_empty() {
            return 0.0;
        }
        let others = self.voices(other);
        let (mut sum, mut num_terms, mut num_voices) = (0.0, 0.0, 0.0);
        for same in common.chunk_by(|a, b| a.0 == b.0) {
            let weights: f64 = same.iter().map(|(_, _, weight)| weight).sum();
            // A sample may have seen fewer of the other's than are known to be shared.
            let count = |voices: &Voices| voices.num_pages(same[0].0).max(same.len()) as f64;
            sum += weights / (count(own) * count(&others)).sqrt();
            num_terms += 2.0 - 0.5f64.powf(same.len() as f64 - 1.0);
            num_voices += 1.0;
        }
        let scale = own.scale.min(others.all() / num_voices).max(1.0);
        (sum * scale / (own.all() * others.all()).sqrt()).min(1.0) * sureness(num_terms)
    }

    /// Returns what is shared with a node by voice, of each voice what weighs most first.
    fn by_voice(&self, other: Node, meetings: &Meetings) -> Vec<(u32, Node, f64)> {
        let voice = |(middle, weight)| ((self.voice_of)(middle), middle, weight);
        let mut common: Vec<(u32, Node, f64)> = meetings.with(other).map(voice).collect();
        common.sort_by(|a, b| a.0.cmp(&b.0).then(b.2.total_cmp(&a.2)).then(a.1.cmp(&b.1)));
        common
    }

    /// Counts the voices around a node, in a sample of its links where there are many.
    fn voices(&self, node: Node) -> Voices {
        // A page's link to itself is no evidence, but it is one of its links.
        let voice = |near: &u32| (self.voice_of)(Node(*near));
        let mut list: Vec<u32> = self.near(node).iter().map(voice).collect();
        list.sort_unstable();
        let scale = (self.num_near(node) as f64 / list.len().max(1) as f64).max(1.0);
        let num_voices = list.chunk_by(|a, b| a == b).count();
        Voices { list, num_voices, scale }
    }

    /// Returns what speaks most for a node, the number of voices that do, and that of nodes.
    fn evidence(&self, other: Node, meetings: &Meetings) -> (Vec<Node>, usize, usize) {
        let common = self.by_voice(other, meetings);
        let num_nodes = common.len();
        let (mut ranked, mut num_voices) = (Vec::with_capacity(num_nodes), 0);
        for same in common.chunk_by(|a, b| a.0 == b.0) {
            num_voices += 1;
            ranked.extend(
                same.iter().enumerate().map(|(place, (_, node, weight))| (place, *weight, *node)),
            );
        }
        // Another voice says more than the same again; what weighs most is shared by the fewest.
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let nodes = ranked.into_iter().take(MAX_EVIDENCE).map(|(_, _, node)| node).collect();
        (nodes, num_voices, num_nodes)
    }
}

/// Voices around a page.
struct Voices {
    /// Of each link that was followed, ascending.
    list: Vec<u32>,
    num_voices: usize,
    /// Links for each that was followed.
    scale: f64,
}

impl Voices {
    /// Returns how many pages of a voice there are among those that were followed.
    fn num_pages(&self, voice: u32) -> usize {
        let start = self.list.partition_point(|other| *other < voice);
        self.list[start..].partition_point(|other| *other == voice)
    }

    /// Returns how many voices there are in all, as far as those that were followed tell.
    fn all(&self) -> f64 {
        self.num_voices.max(1) as f64 * self.scale
    }
}

/// Returns how much of a likeness is believed that rests on so many terms.
fn sureness(num_terms: f64) -> f64 {
    num_terms / (num_terms + 1.0)
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
