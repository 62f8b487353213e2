//! Token F1 against the articles of the readability pack.

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use base::Zone;

use super::help::{read, switch, words};
use super::{pages, usage};

/// A page and the words of its article.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) expected: Vec<String>,
}

/// Another program that takes the article from a page, as HTML.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) article: fn(&str) -> Option<String>,
}

/// Returns the names of the ways that are compared; the last one is what ours is held against.
pub(crate) fn ways(rivals: &[Rival]) -> Vec<&'static str> {
    ["ours", "all text"].into_iter().chain(rivals.iter().map(|rival| rival.name)).collect()
}

pub(crate) fn run(rivals: &[Rival]) {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "readability") else { return };
    let samples = samples(&pack.join("mozilla-readability/test/test-pages"));
    let bytes: usize = samples.iter().map(|sample| sample.source.len()).sum();
    println!("articles: {} pages, {:.1} MB", samples.len(), bytes as f64 / 1e6);
    let ways = ways(rivals);
    let mut sums = vec![0.0; ways.len()];
    for sample in &samples {
        let scores = scores(sample, rivals);
        for (sum, found) in sums.iter_mut().zip(&scores) {
            *sum += found.f1();
        }
        if switch("--pages") {
            let (ours, theirs) = (&scores[0], &scores[scores.len() - 1]);
            println!(
                "  {:+.3} {:<40} ours {:.3} (p {:.3} r {:.3}) theirs {:.3} (p {:.3} r {:.3})",
                ours.f1() - theirs.f1(),
                sample.name,
                ours.f1(),
                ours.precision,
                ours.recall,
                theirs.f1(),
                theirs.precision,
                theirs.recall
            );
        }
    }
    for (way, sum) in ways.iter().zip(sums) {
        println!("  mean F1 {:.4}  {way}", sum / samples.len() as f64);
    }
    speed(&samples, bytes, rivals);
}

/// Compares what each of the [`ways`] takes for the article with the expected one.
pub(crate) fn scores(sample: &Sample, rivals: &[Rival]) -> Vec<Found> {
    let theirs = rivals.iter().map(|rival| {
        let html = (rival.article)(&sample.source);
        html.map(|html| visible(html.as_bytes())).unwrap_or_default()
    });
    let found = [ours(sample), visible(sample.source.as_bytes())].into_iter().chain(theirs);
    found.map(|found| compare(&found, &sample.expected)).collect()
}

fn speed(samples: &[Sample], bytes: usize, rivals: &[Rival]) {
    let tell = |name: &str, task: &dyn Fn(&str)| {
        let time = usage::measure(|| samples.iter().for_each(|sample| task(&sample.source)));
        println!("  {:.1} MB per CPU-s  {name}", bytes as f64 / 1e6 / time);
    };
    let options = parse::Options::default();
    tell("tree alone", &|source| {
        black_box(parse::bench::tree(source, &options));
    });
    tell("whole page record", &|source| {
        black_box(read(source.as_bytes()));
    });
    for rival in rivals {
        tell(rival.name, &|source| {
            black_box((rival.article)(source));
        });
    }
}

fn samples(folder: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(expected) = fs::read(path.join("expected.html")) else { continue };
        let source = fs::read_to_string(path.join("source.html")).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        samples.push(Sample { name, source, expected: visible(&expected) });
    }
    samples.sort_by(|one, other| one.name.cmp(&other.name));
    samples
}

/// Returns all words that a page shows.
pub(crate) fn visible(html: &[u8]) -> Vec<String> {
    words(&read(html).blocks, |zone| zone != Zone::Alt)
}

fn ours(sample: &Sample) -> Vec<String> {
    words(&read(sample.source.as_bytes()).blocks, |zone| {
        !matches!(zone, Zone::Alt | Zone::Folded) && !zone.is_frame()
    })
}

/// How well one bag of words meets another.
pub(crate) struct Found {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
}

impl Found {
    pub(crate) fn f1(&self) -> f64 {
        let Self { precision, recall } = self;
        let sum = precision + recall;
        if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum }
    }
}

/// Compares two bags of words.
fn compare(found: &[String], expected: &[String]) -> Found {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in expected {
        *left.entry(word).or_default() += 1;
    }
    let mut common = 0;
    for word in found {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    let share = |of: usize| if of == 0 { 0.0 } else { f64::from(common) / of as f64 };
    Found { precision: share(found.len()), recall: share(expected.len()) }
}
