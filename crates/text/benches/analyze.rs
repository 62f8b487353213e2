//! How much text per CPU-second is analysed, and what telling a language costs.
//!
//! `LOOKFAR_DATA=… cargo bench -p text --bench analyze`: English and Chinese texts of the
//! collections in the data packs; without them a made-up text. Figures are kept in
//! `docs/measurements/`.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use text::{Analyzer, Language};

const LEAST_TIME: Duration = Duration::from_secs(2);

fn main() {
    for (name, set, code) in [
        ("english", "cacm", "en"),
        ("english-long", "xquad-en", "en"),
        ("german", "xquad-de", "de"),
        ("russian", "xquad-ru", "ru"),
        ("arabic", "xquad-ar", "ar"),
        ("chinese", "xquad-zh", "zh"),
        ("japanese", "jaquad-dev", "ja"),
    ] {
        let texts = texts(set);
        let analyzer = Analyzer::new(Language::parse(code));
        rate(&format!("words/{name}"), &texts, |text| {
            analyzer.for_each(text, |word| {
                black_box(word);
            });
        });
        rate(&format!("terms/{name}"), &texts, |text| {
            analyzer.for_each_term(text, |term| {
                black_box(term);
            });
        });
        rate(&format!("identify/{name}"), &texts, |text| {
            black_box(text::identify(black_box(text), None));
        });
    }
}

/// Returns the seconds that this thread has run, so that a busy machine does not count.
fn cpu_seconds() -> Option<f64> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(times.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Prints MB per CPU-second and microseconds per text, over as many rounds as the time allows.
fn rate(name: &str, texts: &[String], mut work: impl FnMut(&str)) {
    let bytes: usize = texts.iter().map(String::len).sum();
    let (began, cpu) = (Instant::now(), cpu_seconds());
    let mut rounds = 0.0;
    while began.elapsed() < LEAST_TIME {
        texts.iter().for_each(|text| work(text));
        rounds += 1.0;
    }
    let elapsed = began.elapsed().as_secs_f64();
    let spent = cpu_seconds().zip(cpu).map_or(elapsed, |(end, start)| end - start) / rounds;
    let each = spent * 1e6 / texts.len() as f64;
    println!("{name:24} {:8.1} MB/s {each:10.2} us/text", bytes as f64 / spent / 1e6);
}

/// Returns the texts of a collection, each at least 4 KB long as pages are.
fn texts(set: &str) -> Vec<String> {
    let data = std::env::var_os("LOOKFAR_DATA").unwrap_or_default();
    let path = Path::new(&data).join("sets").join(set).join("docs.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!("no {}: a made-up text", path.display());
        return vec!["The quick brown fox jumps over the lazy dog. ".repeat(2_000)];
    };
    let mut texts = Vec::new();
    let mut text = String::new();
    for line in lines.lines() {
        let document: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        text.push_str(document["text"].as_str().unwrap_or_default());
        text.push('\n');
        if text.len() > 4_096 {
            texts.push(std::mem::take(&mut text));
        }
    }
    texts
}
