//! Do the terms find the right page? Mean reciprocal rank of question sets, by kind of token.
//!
//! `LOOKFAR_DATA=… cargo bench -p text --bench tokens`: plain BM25 (k1 0.9, b 0.4) over stems, each
//! question the OR of its terms. It compares ways to cut a text, not rankings.

#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use text::{Analyzer, Form, Language, Token};

const SETS: [(&str, &str); 8] = [
    ("xquad-zh", "zh"),
    ("drcd-dev", "zh"),
    ("jaquad-dev", "ja"),
    ("xquad-en", "en"),
    ("xquad-de", "de"),
    ("xquad-es", "es"),
    ("xquad-ru", "ru"),
    ("xquad-ar", "ar"),
];

type Cut = fn(&Analyzer, &str) -> Vec<String>;

const CUTS: [(&str, Cut); 5] = [
    ("words", |analyzer, text| stems(analyzer.tokens(text))),
    ("surfaces", |analyzer, text| {
        analyzer.tokens(text).into_iter().map(|token| token.surface).collect()
    }),
    ("running", |analyzer, text| {
        let mut terms = analyzer.terms(text);
        terms.retain(|term| term.form.is_running());
        stems(terms)
    }),
    ("running+long-entries", |analyzer, text| {
        let mut terms = analyzer.terms(text);
        terms.retain(|term| term.form != Form::Entry || term.surface.chars().count() > 2);
        stems(terms)
    }),
    ("terms", |analyzer, text| stems(analyzer.terms(text))),
];

fn stems(tokens: Vec<Token>) -> Vec<String> {
    tokens.into_iter().map(|token| token.stem).collect()
}

fn main() {
    let Some(data) = std::env::var_os("LOOKFAR_DATA") else {
        println!("skipped: LOOKFAR_DATA is not set");
        return;
    };
    for (set, code) in SETS {
        let folder = Path::new(&data).join("sets").join(set);
        let analyzer = Analyzer::new(Language::parse(code));
        for (name, cut) in CUTS {
            let rank = reciprocal_rank(&folder, |text| cut(&analyzer, text));
            println!("{set:12} {name:22} MRR@10 {rank:.4}");
        }
    }
}

fn lines(path: PathBuf) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn text_of(line: &serde_json::Value, key: &str) -> String {
    let value = &line[key];
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn reciprocal_rank(folder: &Path, cut: impl Fn(&str) -> Vec<String>) -> f64 {
    let documents = lines(folder.join("docs.jsonl"));
    let mut postings: HashMap<String, HashMap<usize, f64>> = HashMap::new();
    let mut lengths = Vec::new();
    for (place, document) in documents.iter().enumerate() {
        let text = format!("{}\n{}", text_of(document, "title"), text_of(document, "text"));
        let terms = cut(&text);
        lengths.push(terms.len() as f64);
        for term in terms {
            *postings.entry(term).or_default().entry(place).or_default() += 1.0;
        }
    }
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let wanted = std::fs::read_to_string(folder.join("qrels.tsv")).unwrap_or_default();
    let mut relevant: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in wanted.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        relevant.entry(fields[0]).or_default().push(fields[1]);
    }
    let questions = lines(folder.join("queries.jsonl"));
    let mut sum = 0.0;
    for question in &questions {
        let mut scores = vec![0.0; documents.len()];
        for term in cut(&text_of(question, "text")) {
            let Some(found) = postings.get(&term) else { continue };
            let count = found.len() as f64;
            let rarity = (1.0 + (lengths.len() as f64 - count + 0.5) / (count + 0.5)).ln();
            for (place, times) in found {
                let norm = 0.9 * (0.6 + 0.4 * lengths[*place] / mean);
                scores[*place] += rarity * times * 1.9 / (times + norm);
            }
        }
        let mut order: Vec<usize> =
            (0..scores.len()).filter(|place| scores[*place] > 0.0).collect();
        order.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
        let id = text_of(question, "id");
        let Some(wanted) = relevant.get(id.as_str()) else { continue };
        let is_wanted =
            |place: &usize| wanted.contains(&text_of(&documents[*place], "id").as_str());
        if let Some(rank) = order.iter().take(10).position(is_wanted) {
            sum += 1.0 / (rank + 1) as f64;
        }
    }
    sum / questions.len() as f64
}
