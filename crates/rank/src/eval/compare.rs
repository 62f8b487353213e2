//! Whether one run is better than another, or only luckier.
//!
//! Paired randomisation test: if the two runs were alike, the sign of each query's difference
//! would be a coin's. So signs are thrown again and again; the p value is how often chance alone
//! makes a mean difference as large as the one seen, in either direction.

use super::Measure;
use super::measure::Measures;

/// How often signs are thrown: p values below 0.0001 are not told apart.
pub const ROUNDS: u32 = 10_000;
/// Where the coin starts, so that the same runs give the same p value.
pub const SEED: u64 = 0x10_0fa5;

/// Two runs over the same queries, by one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// What was compared.
    pub measure: Measure,
    /// Mean of the first.
    pub first: f64,
    /// Mean of the second.
    pub second: f64,
    /// Chance of a difference at least this large between runs that are alike.
    pub p: f64,
    /// Queries in which the second is better, worse, and the same.
    pub queries: (usize, usize, usize),
}

impl Comparison {
    /// Compares two runs, query by query in the same order; the longer is cut.
    ///
    /// Cost: [`ROUNDS`] times the number of queries in which they differ.
    pub fn new(measure: Measure, first: &[Measures], second: &[Measures]) -> Self {
        let pairs = || first.iter().zip(second).map(|(a, b)| (a.get(measure), b.get(measure)));
        let count = pairs().count().max(1) as f64;
        let differences: Vec<f64> = pairs().map(|(one, other)| other - one).collect();
        let num = |test: fn(&f64) -> bool| differences.iter().filter(|value| test(value)).count();
        Self {
            measure,
            first: pairs().map(|pair| pair.0).sum::<f64>() / count,
            second: pairs().map(|pair| pair.1).sum::<f64>() / count,
            p: p_value(&differences),
            queries: (num(|d| *d > 0.0), num(|d| *d < 0.0), num(|d| *d == 0.0)),
        }
    }

    /// Returns by how much the second is better on the mean.
    pub fn difference(&self) -> f64 {
        self.second - self.first
    }
}

fn p_value(differences: &[f64]) -> f64 {
    let differences: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    // Sums in other orders differ in their last digits; they are the same sum.
    let seen = differences.iter().sum::<f64>().abs() * (1.0 - 1e-12);
    let mut coin = Coin(SEED);
    let mut num_larger = 0;
    for _ in 0..ROUNDS {
        let mut sum = 0.0;
        for chunk in differences.chunks(64) {
            let signs = coin.throw();
            for (bit, difference) in chunk.iter().enumerate() {
                sum += if signs >> bit & 1 == 1 { *difference } else { -difference };
            }
        }
        num_larger += u32::from(sum.abs() >= seen);
    }
    f64::from(num_larger + 1) / f64::from(ROUNDS + 1)
}

/// SplitMix64: 64 throws at a time, the same on every machine.
struct Coin(u64);

impl Coin {
    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_the_same_differ_by_chance_alone() {
        assert_eq!(p_value(&[0.0; 30]), 1.0);
        assert_eq!(p_value(&[]), 1.0);
    }

    #[test]
    fn five_gains_of_five_have_the_exact_chance_of_two_in_32() {
        let p = p_value(&[0.1; 5]);
        assert!((p - 2.0 / 32.0).abs() < 0.01, "{p}");
    }

    #[test]
    fn the_direction_does_not_matter() {
        let gains = [0.3, 0.1, -0.05, 0.2, 0.0, 0.4];
        let losses = gains.map(|gain| -gain);
        // All 32 ways to set the signs of the five: those that reach 0.95 are +++++ and
        // ++-++ and what mirrors them.
        let p = p_value(&gains);
        assert!((p - 4.0 / 32.0).abs() < 0.012, "{p}");
        assert_eq!(p, p_value(&losses));
    }

    #[test]
    fn the_same_runs_give_the_same_answer() {
        let differences: Vec<f64> = (0..200).map(|i| f64::from(i % 7) - 2.9).collect();
        assert_eq!(p_value(&differences), p_value(&differences));
    }
}
