//! `cargo xtask eval --tune`: looks for weights that are better on all sets together.
//!
//! Coordinate ascent from the defaults: one weight after the other is made one step smaller and one
//! step larger, and the best value stays. What is raised is the mean over sets of the measure divided by that of the
//! defaults, so that no set counts more because its figures are larger. Weights that fit the sets
//! they were found on would fit them by luck too, so sets are also parted into folds: weights found
//! without a fold are judged on it. All is decided by [`SEED`].
//!
//! The test collections have no links and no boilerplate: they say nothing of the weights of these.
//! The terms of the manuals do ([`super::known`]), which are one more set each where they are at hand.
//! What only trials tell of ([`super::trials`]) is looked for after them and alone, since each of those
//! weights has one trial and no other: on one half of the queries, and judged on the other.
//!
//! It takes hours, so every value that was measured is noted, and with `--keep` a search that was
//! ended goes on where it was: the notes are those of one commit and one number of queries.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::Context as _;

use super::{Bench, Manual, Set, Trial, Way};

/// Which queries are asked and which sets form a fold.
const SEED: u64 = 16;
/// Queries of one set that are asked, at most: differences of a hundredth show with these.
const QUERIES: usize = 150;
/// Parts into which the sets are parted.
const FOLDS: usize = 3;
/// Times that each weight is looked at, at most.
const ROUNDS: usize = 3;
/// The same for trials, whose values lie further apart.
const TRIAL_ROUNDS: usize = 6;
/// What a change must bring: less is noise.
const LEAST_GAIN: f64 = 0.000_5;

/// A weight with its default and the values that are tried.
type Weight = (&'static str, f64, &'static [f64]);

/// Weights that every set tells of.
const WEIGHTS: [Weight; 9] = [
    ("k1", 1.2, &[0.6, 0.9, 1.2, 1.5, 2.0]),
    ("b", 0.75, &[0.4, 0.5, 0.6, 0.75, 0.9]),
    ("title_zone", 3.0, &[1.0, 2.0, 3.0, 4.0, 6.0]),
    ("exact", 0.25, &[0.0, 0.1, 0.25, 0.5]),
    ("title", 0.8, &[0.0, 0.2, 0.5, 0.8, 1.2]),
    ("address", 0.2, &[0.0, 0.1, 0.2, 0.4]),
    ("closeness", 0.8, &[0.0, 0.2, 0.4, 0.8, 1.2]),
    ("phrase", 0.2, &[0.0, 0.1, 0.2, 0.4, 0.8]),
    ("letters", 0.4, &[0.0, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0]),
];

/// Weights of what only crawled pages have.
const CRAWLED: [Weight; 4] = [
    ("aside_zone", 0.15, &[0.0, 0.05, 0.15, 0.3, 0.6, 1.0]),
    ("anchors", 5.0, &[0.0, 1.0, 2.5, 5.0, 7.5, 10.0]),
    ("anchor_half", 3.0, &[1.0, 2.0, 3.0, 5.0, 10.0]),
    ("links", 1.0, &[0.0, 0.5, 1.0, 2.0, 4.0]),
];

/// Weights that only trials tell of.
const TRIED: [Weight; 6] = [
    ("topics", 8.0, &[0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]),
    ("trust", 1.0, &[0.0, 0.5, 1.0, 2.0, 4.0, 8.0]),
    ("spam", 0.8, &[0.0, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0]),
    ("freshness", 0.2, &[0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0]),
    ("quality", 0.7, &[0.0, 0.3, 0.5, 0.7, 0.9, 1.0]),
    ("related", 20.0, &[0.0, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0]),
];

/// One value for each of the weights that are looked at.
type Point = Vec<f64>;

/// What is asked while weights are looked for.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Set(&'a Set),
    Manual(&'a Manual),
    /// One half of the queries of a trial.
    Trial(&'a Trial, Half),
}

/// Which queries of a trial are asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Half {
    /// Those by which weights are chosen.
    Used,
    /// Those by which they are judged.
    Held,
}

impl Source<'_> {
    fn name(self) -> String {
        match self {
            Self::Set(set) => set.name.to_owned(),
            Self::Manual(manual) => manual.name.to_owned(),
            Self::Trial(trial, Half::Used) => format!("{}-used", trial.name),
            Self::Trial(trial, Half::Held) => format!("{}-held", trial.name),
        }
    }

    /// Returns where all its queries lie.
    fn queries(self, bench: &Bench) -> anyhow::Result<PathBuf> {
        match self {
            Self::Set(set) => Ok(bench.queries(set)),
            Self::Manual(manual) => {
                manual.write_queries(bench)?;
                Ok(manual.queries_path(bench))
            }
            Self::Trial(trial, _) => Ok(trial.queries_path(bench)),
        }
    }

    /// Returns which queries are asked, of all in an order by chance.
    fn choose(self, lines: Vec<&str>, most: usize) -> Vec<&str> {
        let odd = match self {
            Self::Set(_) | Self::Manual(_) => return lines.into_iter().take(most).collect(),
            Self::Trial(_, half) => usize::from(half == Half::Held),
        };
        lines.into_iter().skip(odd).step_by(2).take(most).collect()
    }

    fn ask(self, bench: &Bench, model: &str, queries: &Path) -> anyhow::Result<f64> {
        match self {
            Self::Set(set) => bench.ask(set, model, queries, Way::Ranked),
            Self::Manual(manual) => manual.ask(bench, model, queries, Way::Ranked),
            Self::Trial(trial, _) => trial.ask(bench, model, queries),
        }
    }

    /// Returns whether it tells anything of a weight.
    fn tells_of(self, weight: &str) -> bool {
        let is_in = |weights: &[Weight]| weights.iter().any(|(name, ..)| *name == weight);
        match self {
            Self::Set(_) => is_in(&WEIGHTS),
            Self::Manual(_) => is_in(&WEIGHTS) || is_in(&CRAWLED),
            Self::Trial(..) => true,
        }
    }
}

pub(super) fn run(
    bench: &Bench,
    sources: &[Source<'_>],
    queries: Option<usize>,
) -> anyhow::Result<()> {
    let queries = queries.unwrap_or(QUERIES);
    let mut search = Search::new(bench, sources, weights(sources), queries)?;
    let start = search.start();
    say(&format!("seed {SEED}, at most {queries} queries of each of {} sets\n", sources.len()));
    let mut order: Vec<usize> = (0..sources.len()).collect();
    shuffle(&mut order);
    for fold in 0..FOLDS {
        let (held, used): (Vec<(usize, usize)>, Vec<_>) =
            order.iter().copied().enumerate().partition(|(place, _)| place % FOLDS == fold);
        let places = |part: &[(usize, usize)]| part.iter().map(|(_, i)| *i).collect::<Vec<_>>();
        let (held, used) = (places(&held), places(&used));
        let found = search.ascend(&start, &used, ROUNDS)?;
        let (on_used, on_held) = (search.gain(&found, &used)?, search.gain(&found, &held)?);
        let names: Vec<String> = held.iter().map(|i| sources[*i].name()).collect();
        say(&format!("without {}: {}", names.join(", "), told(&search.weights, &found)));
        say(&format!("  gain {on_used:+.4} where looked for, {on_held:+.4} where not\n"));
    }
    let all: Vec<usize> = (0..sources.len()).collect();
    let found = search.ascend(&start, &all, ROUNDS)?;
    say(&format!("on all sets: {}", told(&search.weights, &found)));
    say(&format!("  gain {:+.4}", search.gain(&found, &all)?));
    for (i, source) in sources.iter().enumerate() {
        let (before, after) = (search.value(&start, i)?, search.value(&found, i)?);
        say(&format!("  {} {before:.4} → {after:.4}", source.name()));
    }
    Ok(())
}

/// Looks for the weights that only trials tell of.
pub(super) fn run_trials(
    bench: &Bench,
    trials: &[&Trial],
    queries: Option<usize>,
) -> anyhow::Result<()> {
    let mut sources = Vec::new();
    for trial in trials {
        sources.extend([Half::Used, Half::Held].map(|half| Source::Trial(trial, half)));
    }
    let mut search = Search::new(bench, &sources, TRIED.to_vec(), queries.unwrap_or(usize::MAX))?;
    let start = search.start();
    let names: Vec<&str> = trials.iter().map(|trial| trial.name).collect();
    let (used, held): (Vec<usize>, Vec<usize>) = (0..sources.len()).partition(|i| i % 2 == 0);
    for (i, (weight, default, values)) in TRIED.into_iter().enumerate() {
        say(&format!("\n| `{weight}` | {} |", names.join(" | ")));
        say(&format!("|---:|{}", "---:|".repeat(trials.len())));
        for value in values {
            let mut point = start.clone();
            point[i] = *value;
            let mut line =
                format!("| {value}{} |", if *value == default { " (default)" } else { "" });
            for pair in used.iter().zip(&held) {
                let mean = (search.value(&point, *pair.0)? + search.value(&point, *pair.1)?) / 2.0;
                line += &format!(" {mean:.4} |");
            }
            say(&line);
        }
    }
    let found = search.ascend(&start, &used, TRIAL_ROUNDS)?;
    say(&format!("\ntrials: {}", told(&search.weights, &found)));
    let (on_used, on_held) = (search.gain(&found, &used)?, search.gain(&found, &held)?);
    say(&format!("  gain {on_used:+.4} where looked for, {on_held:+.4} where not"));
    for (i, source) in sources.iter().enumerate() {
        let (before, after) = (search.value(&start, i)?, search.value(&found, i)?);
        say(&format!("  {} {before:.4} → {after:.4}", source.name()));
    }
    Ok(())
}

/// Returns the weights that at least one of the sources tells of.
fn weights(sources: &[Source<'_>]) -> Vec<Weight> {
    let is_told = |weight: &Weight| sources.iter().any(|source| source.tells_of(weight.0));
    WEIGHTS.into_iter().chain(CRAWLED).filter(is_told).collect()
}

struct Search<'a> {
    bench: &'a Bench,
    sources: &'a [Source<'a>],
    weights: Vec<Weight>,
    /// Queries of one set that are asked, at most.
    queries: usize,
    /// Files with the queries that are asked.
    samples: Vec<PathBuf>,
    /// What was measured, by weights as text and set.
    known: Known,
    /// The same for the next time.
    notes: File,
}

type Known = HashMap<(String, usize), f64>;

/// Reads what was noted: the set, the weights, the value. A line that was cut is none.
fn known(notes: &str, sources: &[Source<'_>]) -> Known {
    let read = |line: &str| {
        let mut columns = line.split('\t');
        let name = columns.next()?;
        let place = sources.iter().position(|source| source.name() == name)?;
        let (model, value) = (columns.next()?.to_owned(), columns.next()?.parse().ok()?);
        // Values may be cut and still be numbers; what stands behind them may not.
        (columns.next() == Some(".")).then_some(((model, place), value))
    };
    notes.lines().filter_map(read).collect()
}

impl<'a> Search<'a> {
    fn new(
        bench: &'a Bench,
        sources: &'a [Source<'a>],
        weights: Vec<Weight>,
        queries: usize,
    ) -> anyhow::Result<Self> {
        let path = bench.folder.join(format!("tuned-{queries}-{}.tsv", super::commit()));
        let notes = File::options().create(true).append(true).open(&path);
        let notes = notes.with_context(|| format!("cannot write `{}`", path.display()))?;
        let known = known(&fs::read_to_string(&path).unwrap_or_default(), sources);
        eprintln!("{} values are known from {}", known.len(), path.display());
        let samples = Vec::new();
        let mut search = Self { bench, sources, weights, queries, samples, known, notes };
        for source in sources {
            search.samples.push(search.sample(*source)?);
        }
        Ok(search)
    }

    /// Returns the defaults.
    fn start(&self) -> Point {
        self.weights.iter().map(|(_, default, _)| *default).collect()
    }

    fn ascend(&mut self, start: &Point, sources: &[usize], rounds: usize) -> anyhow::Result<Point> {
        let (mut best, mut best_gain) = (start.clone(), 0.0);
        for _ in 0..rounds {
            let before = best.clone();
            for (i, (_, _, values)) in self.weights.clone().into_iter().enumerate() {
                for value in beside(values, best[i]) {
                    let mut point = best.clone();
                    point[i] = value;
                    let gain = self.gain(&point, sources)?;
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
    fn gain(&mut self, point: &Point, sources: &[usize]) -> anyhow::Result<f64> {
        let start = self.start();
        self.measure(&start, sources)?;
        self.measure(point, sources)?;
        let mut sum = 0.0;
        for source in sources {
            sum += self.value(point, *source)? / self.value(&start, *source)?.max(1e-9) - 1.0;
        }
        Ok(sum / sources.len().max(1) as f64)
    }

    fn value(&mut self, point: &Point, place: usize) -> anyhow::Result<f64> {
        self.measure(point, &[place])?;
        Ok(self.known[&(self.model(point, place), place)])
    }

    /// Returns the weights as a set is asked with them: without those that make no difference to it.
    fn model(&self, point: &Point, place: usize) -> String {
        let is_told = |weight: &Weight| self.sources[place].tells_of(weight.0);
        let (weights, values): (Vec<Weight>, Point) =
            self.weights.iter().zip(point).filter(|(weight, _)| is_told(weight)).unzip();
        format!("lookfar,{}", told(&weights, &values).replace(' ', ","))
    }

    /// Measures a point on the sets on which it was not, as many at a time as there are cores.
    fn measure(&mut self, point: &Point, sources: &[usize]) -> anyhow::Result<()> {
        let asked = sources.iter().map(|place| (self.model(point, *place), *place));
        let unknown: Vec<_> = asked.filter(|asked| !self.known.contains_key(asked)).collect();
        let (next, measured) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some((model, place)) = unknown.get(next.fetch_add(1, Ordering::Relaxed)) {
                let value = self.sources[*place].ask(self.bench, model, &self.samples[*place]);
                measured.lock().expect("nobody panics with it").push((model, *place, value));
            }
        };
        let num_threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..num_threads.min(unknown.len()) {
                scope.spawn(work);
            }
        });
        for (model, place, value) in measured.into_inner().expect("nobody panics with it") {
            let (name, value) = (self.sources[place].name(), value?);
            eprintln!("{name} {model} {value:.4}");
            writeln!(self.notes, "{name}\t{model}\t{value}\t.").context("cannot note a value")?;
            self.known.insert((model.clone(), place), value);
        }
        Ok(())
    }

    /// Writes some of a set's queries to a file of their own.
    fn sample(&self, source: Source<'_>) -> anyhow::Result<PathBuf> {
        let path = source.queries(self.bench)?;
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let mut lines: Vec<&str> = text.lines().collect();
        shuffle(&mut lines);
        let lines = source.choose(lines, self.queries);
        let sample = self.bench.folder.join(format!("{}-sample", source.name()));
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

fn told(weights: &[Weight], point: &Point) -> String {
    let parts = weights.iter().zip(point).map(|((name, ..), value)| format!("{name}={value}"));
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
    use crate::eval::{MANUALS, SETS, TRIALS};

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
        let source = fs::read_to_string(crate::cargo::root().join("crates/rank/src/weights.rs"));
        let source = source.unwrap();
        for (name, default, values) in WEIGHTS.into_iter().chain(CRAWLED).chain(TRIED) {
            assert!(values.contains(&default), "{name}");
            assert!(beside(values, default).all(|value| value != default), "{name}");
            assert!(
                source.contains(&format!(" {name}: {default:?},")),
                "{name} has another default"
            );
        }
    }

    #[test]
    fn what_was_noted_is_known_the_next_time() {
        let sources = [Source::Set(&SETS[0]), Source::Manual(&MANUALS[0])];
        let name = SETS[0].name;
        let notes = format!(
            "{name}\tlookfar,k1=1.2\t0.25\t.\nknown-python\tlookfar,k1=2\t0.5\t.\n\
             strange\tlookfar,k1=1.2\t0.75\t.\n{name}\tlookfar,k1=0.9\t0.3"
        );
        let expected = [("lookfar,k1=1.2", 0, 0.25), ("lookfar,k1=2", 1, 0.5)];
        let expected = expected.map(|(model, place, value)| ((model.to_owned(), place), value));
        assert_eq!(known(&notes, &sources), HashMap::from(expected));
    }

    #[test]
    fn weights_of_links_are_looked_at_where_there_are_links() {
        let (set, manual) = (Source::Set(&SETS[0]), Source::Manual(&MANUALS[0]));
        let names = |sources: &[Source<'_>]| {
            weights(sources).into_iter().map(|(name, ..)| name).collect::<Vec<_>>().join(" ")
        };
        assert!(names(&[set]).ends_with("closeness phrase letters"));
        assert!(names(&[set, manual]).ends_with("aside_zone anchors anchor_half links"));
        let point = vec![1.5; 13];
        assert!(told(&weights(&[set]), &point).ends_with("letters=1.5"));
        assert!(set.tells_of("k1") && !set.tells_of("links") && !manual.tells_of("topics"));
    }

    #[test]
    fn the_halves_of_a_trial_have_no_query_in_common() {
        let lines = vec!["a", "b", "c", "d", "e"];
        let choose = |half, most| Source::Trial(&TRIALS[0], half).choose(lines.clone(), most);
        assert_eq!(choose(Half::Used, 9), ["a", "c", "e"]);
        assert_eq!(choose(Half::Held, 9), ["b", "d"]);
        assert_eq!(choose(Half::Used, 2), ["a", "c"]);
        assert_eq!(Source::Set(&SETS[0]).choose(lines.clone(), 4), ["a", "b", "c", "d"]);
    }
}
