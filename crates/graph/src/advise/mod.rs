//! Which new links would raise a page's rank most (G9).
//!
//! Rank is `r = (1 − β) · N · t` with `N = (I − βP)⁻¹`, where column `u` of `P` says where a
//! visitor of `u` goes next: `1/d` to each of its `d` links; for a dead end the teleport `t`,
//! the page itself or nowhere, as [`DeadEnds`] has it. `N[a][b]` is the expected number of
//! visits to `a` of one who begins at `b` and stays with chance `β` at each step.
//!
//! A new link `u → v` changes one column of `P`, from `p` to `(d·p + e_v)/(d + 1)`; with `d = 0`
//! this is right for dead ends too, whatever their `p`. So `P' = P + δ·e_uᵀ` with
//! `δ = (e_v − p)/(d + 1)`, and the formula of Sherman and Morrison gives
//!
//! ```text
//! r'[v] − r[v] = β · r[u] · (N·δ)[v] / (1 − β · (N·δ)[u])
//! ```
//! Let `h = N[v][·]`, the visits to `v` from everywhere: one solution of the transposed system.
//! From `N = I + βNP` follow `β · N[v][·]·p = h[u]` (as `u ≠ v`) and
//! `β · N[u][·]·p = N[u][u] − 1`. Put in, the factors `d + 1` cancel:
//!
//! ```text
//! gain(u) = r[u] · (β·h[v] − h[u]) / (d + N[u][u] − β·N[u][v])
//! ```
//! `h` and `N[·][v]` take one solution each for all `u` together. Only the diagonal `N[u][u]`
//! would take one per page. But it is bounded from below: by the visits to `u` after returning
//! along two links, by those after a return through `v` (`1 + h[u]·N[u][v]/h[v]`), and by
//! `N[u][v]/β`. So every page gets a gain it cannot exceed; pages are solved exactly in that
//! order, the first alone and then eight at a time, until the best exact gain is no less than any that is left. That is
//! the best page, not a guess. Beyond one link the choice is greedy: the best link is put in,
//! the ranks are computed anew, and the next is sought.

mod solve;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::in_links::Builder;
use crate::{DeadEnds, Error, Links, Node, PageRankOptions, Precision, Start, pagerank_with};
use solve::{LANES, System};

/// Pages solved exactly for one link, at most. The bounds settle nearly every case with the first
/// page or the eight after it; the limit keeps a graph made to defeat them from taking a solution per page.
const MAX_SOLVED: usize = 512;

/// Which links to ask for, and what they would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The page's rank today.
    pub before: f64,
    /// The links, best first; each presumes those before it.
    pub suggestions: Vec<Suggestion>,
}

/// One new link to the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suggestion {
    /// The page that should link.
    pub from: Node,
    /// Rank of the target with this link and those before it, by the closed form.
    pub predicted: f64,
    /// The same from ranking the changed graph.
    pub recomputed: f64,
    /// Whether no other allowed page could do better at this place. `false` only when the search
    /// was cut off after a fixed number of pages.
    pub proven: bool,
}

/// Finds up to `k` new links, from pages that `allowed` lets through, that raise `target` most.
///
/// The first is the best there is; further ones are each the best after those before. Pages
/// that link to the target already, the target itself, and links that gain nothing are left out,
/// so there may be fewer than `k`. Fails on options that [`crate::pagerank`] refuses, on a target that
/// is no node, on β = 1 (no closed form without teleport) and on [`DeadEnds::Prune`]. Cost per
/// link: about 200 passes over the arcs at β = 0.85 for each of the two solutions, the ranks, the
/// first page solved exactly and any eight more (most often none), and a sort of the nodes.
pub fn advise(
    links: &Links,
    target: Node,
    k: usize,
    allowed: impl Fn(Node) -> bool,
    options: &PageRankOptions,
) -> Result<Advice, Error> {
    advise_with(links, target, k, allowed, options, &|| ())
}

/// Like [`advise`]; `tick` is called after every pass over the arcs.
pub fn advise_with(
    links: &Links,
    target: Node,
    k: usize,
    allowed: impl Fn(Node) -> bool,
    options: &PageRankOptions,
    tick: &(dyn Fn() + Sync),
) -> Result<Advice, Error> {
    let num_nodes = links.num_nodes();
    if target.0 >= num_nodes {
        return Err(Error::UnknownNode { node: target.0, num_nodes });
    }
    if options.dead_ends == DeadEnds::Prune {
        return Err(Error::NotWithPruning("the link advisor"));
    }
    let mut ranks = exact_ranks(links, options, options.start.clone(), tick)?;
    let before = ranks[target.index()];
    let mut suggestions = Vec::new();
    let mut changed: Option<Links> = None;
    while suggestions.len() < k {
        let now = changed.as_ref().unwrap_or(links);
        let system = System::new(now, options, tick)?;
        let Some(best) = best_link(&system, target, &ranks, &allowed) else { break };
        let predicted = ranks[target.index()] + best.gain;
        let next = with_link(now, best.from, target);
        ranks = exact_ranks(&next, options, Start::Vector(ranks), tick)?;
        let recomputed = ranks[target.index()];
        changed = Some(next);
        let (from, proven) = (best.from, best.proven);
        suggestions.push(Suggestion { from, predicted, recomputed, proven });
    }
    Ok(Advice { before, suggestions })
}

struct Best {
    from: Node,
    gain: f64,
    proven: bool,
}

/// A page that could link, and the gain that it cannot exceed.
struct Candidate {
    from: Node,
    /// `r[u] · (β·h[v] − h[u])`.
    weight: f64,
    /// `d − β·N[u][v]`.
    rest: f64,
    bound: f64,
}

fn best_link(
    system: &System<'_>,
    target: Node,
    ranks: &[f64],
    allowed: &dyn Fn(Node) -> bool,
) -> Option<Best> {
    let candidates = candidates(system, target, ranks, allowed);
    let mut best: Option<Best> = None;
    let limit = candidates.len().min(MAX_SOLVED);
    // The first is nearly always the best, and alone it costs less than eight.
    let (first, rest) = candidates[..limit].split_at(limit.min(1));
    for some in first.chunks(1).chain(rest.chunks(LANES)) {
        if best.as_ref().is_some_and(|best| best.gain >= some[0].bound) {
            return best.map(|best| Best { proven: true, ..best });
        }
        let starts: Vec<Node> = some.iter().map(|candidate| candidate.from).collect();
        for (candidate, visits) in some.iter().zip(system.returns(&starts)) {
            let gain = candidate.weight / (candidate.rest + visits);
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                best = Some(Best { from: candidate.from, gain, proven: false });
            }
        }
    }
    let left = candidates.get(limit).map_or(0.0, |candidate| candidate.bound);
    best.map(|best| Best { proven: best.gain >= left, ..best })
}

/// Returns the pages that may link and would help, by falling bound.
fn candidates(
    system: &System<'_>,
    target: Node,
    ranks: &[f64],
    allowed: &dyn Fn(Node) -> bool,
) -> Vec<Candidate> {
    let reach = system.reach(target);
    let visits = system.visits::<1>(&[target]);
    let at_target = reach[target.index()];
    let links = system.links;
    let mut linking = vec![false; ranks.len()];
    linking[target.index()] = true;
    for source in links.predecessors(target) {
        linking[source.index()] = true;
    }
    let mut candidates = Vec::new();
    for from in links.nodes() {
        let weight = ranks[from.index()] * (system.beta * at_target - reach[from.index()]);
        // Not above 0, or not a number: nothing to gain.
        if linking[from.index()] || weight.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            continue;
        }
        if !allowed(from) {
            continue;
        }
        let from_target = visits[from.index()][0];
        let rest = f64::from(links.out_degree(from)) - system.beta * from_target;
        let through = 1.0 + reach[from.index()] * from_target / at_target;
        let least = through.max(from_target / system.beta).max(system.short_returns(from));
        // The bounds are exact in theory; a hair of slack keeps rounding from breaking them.
        let bound = weight / (rest + least) * (1.0 + 1e-11);
        candidates.push(Candidate { from, weight, rest, bound });
    }
    candidates.sort_by(|a, b| b.bound.total_cmp(&a.bound));
    candidates
}

/// Ranks so exactly that differences of ranks mean something.
fn exact_ranks(
    links: &Links,
    options: &PageRankOptions,
    start: Start,
    tick: &dyn Fn(),
) -> Result<Vec<f64>, Error> {
    if options.beta == 1.0 {
        let wanted = "below 1 for the link advisor";
        return Err(Error::BadOption { name: "beta", value: options.beta, wanted });
    }
    let exact = PageRankOptions {
        tolerance: options.tolerance.min(1e-14),
        max_iterations: solve::num_steps(options.beta),
        start,
        precision: Precision::Double,
        ..options.clone()
    };
    let ranks = pagerank_with(links.in_links(), &exact, |_| {
        tick();
        ControlFlow::Continue(())
    });
    Ok(ranks?.scores)
}

/// Returns the graph with one link more. Linear.
fn with_link(links: &Links, from: Node, to: Node) -> Links {
    let expected = usize::try_from(links.num_arcs()).unwrap_or(0) + 1;
    let mut builder = Builder::new(links.num_nodes(), expected);
    for node in links.nodes() {
        let mut extra = (node == to).then_some(from.0);
        for source in links.predecessors(node) {
            let due = extra.take_if(|extra| *extra <= source.0);
            if let Some(extra) = due.filter(|extra| *extra != source.0) {
                builder.push(extra);
            }
            builder.push(source.0);
        }
        if let Some(extra) = extra {
            builder.push(extra);
        }
        builder.end_node();
    }
    Links::new(builder.finish())
}
