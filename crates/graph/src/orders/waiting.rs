//! The pages that wait to be fetched, in each of the orders.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use super::Order;
use crate::{Links, Node};

/// What a page passes on of its cash, as the crawler has it.
const PASSED_ON: f64 = 0.85;
/// What each fetched page adds.
const OWN: f64 = 1.0;

/// The frontier of a replayed crawl.
pub(super) struct Waiting<'a> {
    places: Places<'a>,
    is_fetched: Vec<bool>,
}

enum Places<'a> {
    /// Each page once, in the order in which they were found.
    Queue { queue: VecDeque<Node>, is_found: Vec<bool> },
    /// A page once for each link to it; the last one counts.
    Stack(Vec<Node>),
    /// Each page once, in no order.
    Bag { bag: Vec<Node>, is_found: Vec<bool>, state: u64 },
    /// A page once for each time that it gained; the last one counts, since it is the highest.
    Heap { heap: BinaryHeap<Entry>, gains: Gains<'a>, num_found: u32, found: Vec<Found> },
}

/// What raises a page.
enum Gains<'a> {
    InLinks(Vec<u32>),
    Cash(Vec<f64>),
    /// Cash by powers of two, and links from a seed.
    Classes(Vec<f64>),
    Fixed(&'a [f64]),
}

/// When a page was found: how many links from a seed, where that counts, and after how many others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    depth: u32,
    number: u32,
}

/// Stands for a page that was not found yet.
const NOT_FOUND: Found = Found { depth: 0, number: u32::MAX };

impl<'a> Waiting<'a> {
    pub(super) fn new(num_nodes: usize, order: Order<'a>) -> Self {
        let heap = |gains| Places::Heap {
            heap: BinaryHeap::new(),
            gains,
            num_found: 0,
            found: vec![NOT_FOUND; num_nodes],
        };
        let is_found = vec![false; num_nodes];
        let places = match order {
            Order::BreadthFirst => Places::Queue { queue: VecDeque::new(), is_found },
            Order::DepthFirst => Places::Stack(Vec::new()),
            Order::Random(state) => Places::Bag { bag: Vec::new(), is_found, state },
            Order::InLinks => heap(Gains::InLinks(vec![0; num_nodes])),
            Order::Opic => heap(Gains::Cash(vec![0.0; num_nodes])),
            Order::Frontier => heap(Gains::Classes(vec![0.0; num_nodes])),
            Order::Best(scores) => heap(Gains::Fixed(scores)),
        };
        Self { places, is_fetched: vec![false; num_nodes] }
    }

    /// Fetches the seeds; returns each once.
    pub(super) fn start(&mut self, seeds: &[Node], links: &Links) -> Vec<Node> {
        let mut fetched = Vec::new();
        for seed in seeds {
            if !std::mem::replace(&mut self.is_fetched[seed.index()], true) {
                fetched.push(*seed);
            }
        }
        for seed in &fetched {
            self.found(*seed, links);
        }
        fetched
    }

    /// Takes the next page out, for good.
    pub(super) fn next(&mut self) -> Option<Node> {
        loop {
            let node = match &mut self.places {
                Places::Queue { queue, .. } => queue.pop_front()?,
                Places::Stack(stack) => stack.pop()?,
                Places::Bag { bag, .. } if bag.is_empty() => return None,
                Places::Bag { bag, state, .. } => {
                    let place = random(state) % bag.len() as u64;
                    bag.swap_remove(place as usize)
                }
                Places::Heap { heap, .. } => heap.pop()?.node,
            };
            if !std::mem::replace(&mut self.is_fetched[node.index()], true) {
                return Some(node);
            }
        }
    }

    /// Puts in what a page that has been fetched links to.
    pub(super) fn found(&mut self, node: Node, links: &Links) {
        let is_fetched = &self.is_fetched;
        let nodes = links.successors(node).filter(|node| !is_fetched[node.index()]);
        match &mut self.places {
            Places::Queue { queue, is_found } => queue.extend(nodes.filter(unseen(is_found))),
            Places::Bag { bag, is_found, .. } => bag.extend(nodes.filter(unseen(is_found))),
            Places::Stack(stack) => {
                let before = stack.len();
                stack.extend(nodes);
                // The first link is to lie on top.
                stack[before..].reverse();
            }
            Places::Heap { heap, gains, num_found, found } => {
                let cash = gains.share(node, links.out_degree(node));
                let depth = if gains.counts_depth() { found[node.index()].depth + 1 } else { 0 };
                for node in nodes {
                    let is_known = found[node.index()] != NOT_FOUND;
                    if !is_known {
                        found[node.index()] = Found { depth, number: *num_found };
                        *num_found += 1;
                    }
                    if let Some(worth) = gains.gain(node, is_known, cash) {
                        heap.push(Entry { worth, found: found[node.index()], node });
                    }
                }
            }
        }
    }
}

impl Gains<'_> {
    fn counts_depth(&self) -> bool {
        matches!(self, Self::Classes(_))
    }

    /// Takes all cash of a page that is fetched; returns what each of its links gets.
    fn share(&mut self, node: Node, num_links: u32) -> f64 {
        match self {
            Self::Cash(all) | Self::Classes(all) => {
                let held = std::mem::take(&mut all[node.index()]);
                (PASSED_ON * held + OWN) / f64::from(num_links.max(1))
            }
            Self::InLinks(_) | Self::Fixed(_) => 0.0,
        }
    }

    /// Raises a page for one more link; returns what it is worth now, or `None` if that is what it
    /// was worth before.
    fn gain(&mut self, node: Node, is_known: bool, cash: f64) -> Option<f64> {
        match self {
            Self::InLinks(counts) => {
                counts[node.index()] += 1;
                Some(f64::from(counts[node.index()]))
            }
            Self::Cash(all) => {
                all[node.index()] += cash;
                Some(all[node.index()])
            }
            Self::Classes(all) => {
                let before = class(all[node.index()]);
                all[node.index()] += cash;
                let now = class(all[node.index()]);
                (!is_known || now > before).then_some(now)
            }
            Self::Fixed(scores) => (!is_known).then(|| scores[node.index()]),
        }
    }
}

/// Returns the power of two below an amount of cash, between the ends.
fn class(cash: f64) -> f64 {
    cash.max(f64::MIN_POSITIVE).log2().floor().clamp(-8.0, 4.0)
}

/// A waiting page; the greatest is fetched first.
struct Entry {
    worth: f64,
    found: Found,
    node: Node,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| other.found.cmp(&self.found))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// Returns a filter that lets each page pass once.
fn unseen(is_found: &mut [bool]) -> impl FnMut(&Node) -> bool + '_ {
    |node| !std::mem::replace(&mut is_found[node.index()], true)
}

/// Returns the next number of a generator (SplitMix64, as Vigna gives it).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
