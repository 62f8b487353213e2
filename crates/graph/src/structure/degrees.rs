//! How many links pages have, and the power law through their tail.
//!
//! The fit follows Clauset, Shalizi and Newman (2009): the exponent of greatest likelihood for
//! whole numbers, P(x) = x^−α / ζ(α, x_min) for x ≥ x_min, with the x_min that brings law and data
//! closest in the sense of Kolmogorov and Smirnov. That is the best power law, which does not say
//! that it is a good one: the distance is returned with it, and a log-normal often fits as well.

use serde::Serialize;

use crate::Node;

/// A tail of fewer nodes is not fitted: its exponent would be uncertain by a tenth and more.
const MIN_TAIL: u64 = 50;
/// Exponents looked at. Those of the web lie between 2 and 3.
const EXPONENTS: (f64, f64) = (1.01, 10.0);

/// How many nodes have how many links.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Degrees {
    /// Each degree that occurs, ascending, with how many nodes have it.
    pub counts: Vec<(u32, u64)>,
    /// Mean degree; 0 if there are no nodes.
    pub mean: f64,
    /// Largest degree; 0 if there are no nodes.
    pub max: u32,
    /// The power law through the tail; `None` if no tail is long enough and of two degrees or more.
    pub power_law: Option<PowerLaw>,
}

/// A power law and how well it stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerLaw {
    /// The exponent: nodes of degree x are as many as x^−alpha.
    pub alpha: f64,
    /// Its standard error, (alpha − 1) / √n.
    pub error: f64,
    /// The least degree that the law speaks of.
    pub x_min: u32,
    /// How many nodes have that degree or more.
    pub n: u64,
    /// Largest distance between the tail's distribution and the law's: 0.01 is close, 0.1 is not.
    pub distance: f64,
}

/// The nodes whose degree lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// Least degree.
    pub from: u32,
    /// Largest degree.
    pub to: u32,
    /// How many nodes.
    pub count: u64,
}

impl Degrees {
    /// Counts the degrees of nodes: `degree` is [`crate::Links::in_degree`] or its like.
    ///
    /// O(nodes · log nodes) to count, O(d · log d) to fit, where d is the number of distinct
    /// degrees (at most the root of twice the arcs); 4 bytes per node meanwhile.
    pub fn of(nodes: impl Iterator<Item = Node>, degree: impl Fn(Node) -> u32) -> Self {
        let mut degrees: Vec<u32> = nodes.map(degree).collect();
        degrees.sort_unstable();
        let sum: u64 = degrees.iter().map(|degree| u64::from(*degree)).sum();
        let mean = sum as f64 / degrees.len().max(1) as f64;
        let equals = degrees.chunk_by(|a, b| a == b);
        let counts: Vec<_> = equals.map(|equal| (equal[0], equal.len() as u64)).collect();
        let power_law = fit(&counts);
        Self { max: counts.last().map_or(0, |(degree, _)| *degree), counts, mean, power_law }
    }

    /// Returns how many nodes have no link at all.
    pub fn num_without(&self) -> u64 {
        self.counts.first().filter(|(degree, _)| *degree == 0).map_or(0, |(_, count)| *count)
    }

    /// Returns the nodes with links in ranges that double: 1, 2–3, 4–7, … up to the largest
    /// degree, empty ones included.
    pub fn bins(&self) -> Vec<Bin> {
        let last = self.max.checked_ilog2().map_or(0, |exponent| exponent + 1);
        let bin = |exponent: u32| Bin {
            from: 1u32 << exponent,
            to: u32::MAX >> (31 - exponent),
            count: 0,
        };
        let mut bins: Vec<Bin> = (0..last).map(bin).collect();
        for (degree, count) in &self.counts {
            if let Some(exponent) = degree.checked_ilog2() {
                bins[exponent as usize].count += count;
            }
        }
        bins
    }
}

/// Finds the x_min and exponent that come closest to the tail.
fn fit(counts: &[(u32, u64)]) -> Option<PowerLaw> {
    let linked = &counts[counts.partition_point(|(degree, _)| *degree == 0)..];
    // Every small x_min is tried, then ever fewer: next to each other they differ by little.
    let next = |start: &usize| Some((start + 1).max(start * 21 / 20));
    let starts = std::iter::successors(Some(0), next).take_while(|start| *start < linked.len());
    let tails = starts.map(|start| &linked[start..]);
    let fits = tails.filter_map(fit_tail);
    fits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

fn fit_tail(tail: &[(u32, u64)]) -> Option<PowerLaw> {
    let n: u64 = tail.iter().map(|(_, count)| count).sum();
    if n < MIN_TAIL || tail.len() < 2 {
        return None;
    }
    let size = n as f64;
    let x_min = tail[0].0;
    let logs = tail.iter().map(|(degree, count)| f64::from(*degree).ln() * *count as f64);
    let mean_log = logs.sum::<f64>() / size;
    let alpha = most_likely(f64::from(x_min), mean_log);
    let whole = zeta(alpha, f64::from(x_min));
    let (mut below, mut distance) = (0, 0f64);
    for (degree, count) in tail {
        // Just before this degree and with it: between two degrees seen the law only rises.
        for (seen, from) in [(below, f64::from(*degree)), (below + count, f64::from(*degree) + 1.0)]
        {
            let expected = 1.0 - zeta(alpha, from) / whole;
            distance = distance.max((expected - seen as f64 / size).abs());
        }
        below += count;
    }
    Some(PowerLaw { alpha, error: (alpha - 1.0) / size.sqrt(), x_min, n, distance })
}

/// Returns the exponent of greatest likelihood by golden section: the likelihood has one peak.
fn most_likely(x_min: f64, mean_log: f64) -> f64 {
    let badness = |alpha: f64| zeta(alpha, x_min).ln() + alpha * mean_log;
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = EXPONENTS;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (badness(left), badness(right));
    // Each step leaves 0.618 of the range: 40 of them leave 4e-8.
    for _ in 0..40 {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = badness(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = badness(right);
        }
    }
    f64::midpoint(low, high)
}

/// Returns the Hurwitz zeta function, Σ (from + k)^−s over k = 0, 1, 2, …, for s > 1, from ≥ 1.
///
/// Ten terms, then the rest by Euler and Maclaurin; off by less than 1e-10 of it for s up to 10.
pub(super) fn zeta(s: f64, from: f64) -> f64 {
    let head: f64 = (0..10).map(|k| (from + f64::from(k)).powf(-s)).sum();
    let rest = from + 10.0;
    let power = rest.powf(-s);
    let integral = rest * power / (s - 1.0);
    let first = s * power / rest / 12.0;
    let third = s * (s + 1.0) * (s + 2.0) * power / rest.powi(3) / 720.0;
    head + integral + power / 2.0 + first - third
}
