//! `cargo xtask eval --tune`: looks for weights that are better on all sets together.
//!
//! Coordinate ascent from the defaults: one weight after the other is made one step smaller and one
//! step larger, and the best value stays. What is raised is the mean over sets of the measure divided by that of the
//! defaults, so that no set counts more because its figures are larger. Weights that fit the sets
//! they were found on would fit them by luck too, so sets are also parted into folds: weights found
//! without a fold are judged on it. All is decided by [`SEED`].

use std::{
    collections::HashMap,
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;

use super::{Bench, Set, Way};

/// Which queries are asked and which sets form a fold.
const SEED: u64 = 16;
/// Queries of one set that are asked, at most: differences of a hundredth show with these.
const QUERIES: usize = 150;
/// Parts into which the sets are parted.
const FOLDS: usize = 3;
/// Times that each weight is looked at.
const ROUNDS: usize = 3;
/// What a change must bring: less is noise.
const LEAST_GAIN: f64 = 0.000_5;

/// Weights with their defaults and the values that are tried. Those of anchors and links are not
/// among them: these sets have neither.
const WEIGHTS: [(&str, f64, &[f64]); 8] = [
    ("k1", 1.2, &[0.6, 0.9, 1.2, 1.5, 2.0]),
    ("b", 0.75, &[0.4, 0.5, 0.6, 0.75, 0.9]),
    ("title_zone", 3.0, &[1.0, 2.0, 3.0, 4.0, 6.0]),
    ("exact", 0.25, &[0.0, 0.1, 0.25, 0.5]),
    ("title", 0.8, &[0.0, 0.2, 0.5, 0.8, 1.2]),
    ("address", 0.2, &[0.0, 0.1, 0.2, 0.4]),
    ("closeness", 0.8, &[0.0, 0.2, 0.4, 0.8, 1.2]),
    ("letters", 0.4, &[0.0, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0]),
];

/// One value for each of [`WEIGHTS`].
type Point = [f64; WEIGHTS.len()];

pub(super) fn run(bench: &Bench, sets: &[&Set], queries: Option<usize>) -> anyhow::Result<()> {
    let queries = queries.unwrap_or(QUERIES);
    let mut search = Search { bench, sets, queries, samples: Vec::new(), known: HashMap::new() };
    for set in sets {
        search.samples.push(search.sample(set)?);
    }
    let start = WEIGHTS.map(|(_, default, _)| default);
    say(&format!("seed {SEED}, at most {queries} queries of each of {} sets\n", sets.len()));
    let mut order: Vec<usize> = (0..sets.len()).collect();
    shuffle(&mut order);
    for fold in 0..FOLDS {
        let (held, used): (Vec<(usize, usize)>, Vec<_>) =
            order.iter().copied().enumerate().partition(|(place, _)| place % FOLDS == fold);
        let places = |part: &[(usize, usize)]| part.iter().map(|(_, i)| *i).collect::<Vec<_>>();
        let (held, used) = (places(&held), places(&used));
        let found = search.ascend(start, &used)?;
        let (on_used, on_held) = (search.gain(found, &used)?, search.gain(found, &held)?);
        let names: Vec<&str> = held.iter().map(|i| sets[*i].name).collect();
        say(&format!("without {}: {}", names.join(", "), told(found)));
        say(&format!("  gain {on_used:+.4} where looked for, {on_held:+.4} where not\n"));
    }
    let all: Vec<usize> = (0..sets.len()).collect();
    let found = search.ascend(start, &all)?;
    say(&format!("on all sets: {}", told(found)));
    say(&format!("  gain {:+.4}", search.gain(found, &all)?));
    for (i, set) in sets.iter().enumerate() {
        let (before, after) = (search.value(start, i)?, search.value(found, i)?);
        say(&format!("  {} {before:.4} → {after:.4}", set.name));
    }
    Ok(())
}

struct Search<'a> {
    bench: &'a Bench,
    sets: &'a [&'a Set],
    /// Queries of one set that are asked, at most.
    queries: usize,
    /// Files with the queries that are asked.
    samples: Vec<PathBuf>,
    /// What was measured, by weights as text and set.
    known: HashMap<(String, usize), f64>,
}

impl Search<'_> {
    fn ascend(&mut self, start: Point, sets: &[usize]) -> anyhow::Result<Point> {
        let (mut best, mut best_gain) = (start, 0.0);
        for _ in 0..ROUNDS {
            let before = best;
            for (i, (_, _, values)) in WEIGHTS.iter().enumerate() {
                for value in beside(values, best[i]) {
                    let mut point = best;
                    point[i] = value;
                    let gain = self.gain(point, sets)?;
                    if gain > best_gain + LEAST_GAIN {
                        (best, best_gain) = (point, gain);
                    }
                }
            }
            if best == before {
                break;
            }
        }
        Ok(best)
    }

    /// Returns by how much better than the defaults a point is, on the mean over sets.
    fn gain(&mut self, point: Point, sets: &[usize]) -> anyhow::Result<f64> {
        let start = WEIGHTS.map(|(_, default, _)| default);
        let mut sum = 0.0;
        for set in sets {
            sum += self.value(point, *set)? / self.value(start, *set)?.max(1e-9) - 1.0;
        }
        Ok(sum / sets.len().max(1) as f64)
    }

    fn value(&mut self, point: Point, set: usize) -> anyhow::Result<f64> {
        let model = format!("lookfar,{}", told(point).replace(' ', ","));
        if let Some(value) = self.known.get(&(model.clone(), set)) {
            return Ok(*value);
        }
        let value = self.bench.ask(self.sets[set], &model, &self.samples[set], Way::Ranked)?;
        eprintln!("{} {model} {value:.4}", self.sets[set].name);
        self.known.insert((model, set), value);
        Ok(value)
    }

    /// Writes some of a set's queries to a file of their own.
    fn sample(&self, set: &Set) -> anyhow::Result<PathBuf> {
        let path = self.bench.queries(set);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let mut lines: Vec<&str> = text.lines().collect();
        shuffle(&mut lines);
        lines.truncate(self.queries);
        let sample = self.bench.folder.join(format!("{}-sample.jsonl", set.name));
        fs::write(&sample, lines.join("\n")).context("cannot write a sample of the queries")?;
        Ok(sample)
    }
}

/// Returns the values next to one of a list.
fn beside(values: &[f64], value: f64) -> impl Iterator<Item = f64> {
    let place = values.iter().position(|known| *known == value).unwrap_or(0);
    let (before, after) = (place.checked_sub(1).map(|i| values[i]), values.get(place + 1).copied());
    before.into_iter().chain(after)
}

fn told(point: Point) -> String {
    let parts = WEIGHTS.iter().zip(point).map(|((name, ..), value)| format!("{name}={value}"));
    parts.collect::<Vec<_>>().join(" ")
}

fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Shuffles by [`SEED`] (Fisher and Yates, with numbers of SplitMix64).
fn shuffle<T>(items: &mut [T]) {
    let mut state = SEED;
    for i in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = state;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^= value >> 31;
        items.swap(i, (value % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_everything_and_repeats_itself() {
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items);
        let mut again: Vec<u32> = (0..100).collect();
        shuffle(&mut again);
        assert_eq!(items, again);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }

    #[test]
    fn every_default_is_among_the_values_tried() {
        for (name, default, values) in WEIGHTS {
            assert!(values.contains(&default), "{name}");
            assert!(beside(values, default).all(|value| value != default), "{name}");
        }
    }
}
