//! Token F1 against the articles of the readability pack.

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use base::Zone;
use dom_smoothie::Readability;

use super::{pages, read, switch, usage, words};

/// A page and the words of its article.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) expected: Vec<String>,
}

/// The ways that are compared.
pub(crate) const WAYS: [&str; 3] = ["ours", "all text", "dom_smoothie"];

pub(crate) fn run() {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "readability") else { return };
    let samples = samples(&pack.join("mozilla-readability/test/test-pages"));
    let bytes: usize = samples.iter().map(|sample| sample.source.len()).sum();
    println!("articles: {} pages, {:.1} MB", samples.len(), bytes as f64 / 1e6);
    let mut sums = [0.0; 3];
    for sample in &samples {
        let scores = scores(sample);
        for (sum, found) in sums.iter_mut().zip(&scores) {
            *sum += found.f1();
        }
        if switch("--pages") {
            let [ours, _, theirs] = &scores;
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
    for (way, sum) in WAYS.iter().zip(sums) {
        println!("  mean F1 {:.4}  {way}", sum / samples.len() as f64);
    }
    speed(&samples, bytes);
}

/// Compares what each of the [`WAYS`] takes for the article with the expected one.
pub(crate) fn scores(sample: &Sample) -> [Found; WAYS.len()] {
    [ours(sample), all(sample), theirs(sample)].map(|found| compare(&found, &sample.expected))
}

fn speed(samples: &[Sample], bytes: usize) {
    let options = parse::Options::default();
    let tree = usage::measure(|| {
        for sample in samples {
            black_box(parse::bench::tree(&sample.source, &options));
        }
    });
    let ours = usage::measure(|| {
        for sample in samples {
            black_box(read(sample.source.as_bytes()));
        }
    });
    let theirs = usage::measure(|| {
        for sample in samples {
            black_box(article(&sample.source));
        }
    });
    for (name, time) in
        [("tree alone", tree), ("whole page record", ours), ("dom_smoothie", theirs)]
    {
        println!("  {:.1} MB per CPU-s  {name}", bytes as f64 / 1e6 / time);
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

fn all(sample: &Sample) -> Vec<String> {
    visible(sample.source.as_bytes())
}

fn theirs(sample: &Sample) -> Vec<String> {
    article(&sample.source).map(|html| visible(html.as_bytes())).unwrap_or_default()
}

fn article(source: &str) -> Option<String> {
    let mut reader = Readability::new(source, None, None).ok()?;
    reader.parse().ok().map(|article| article.content.to_string())
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
