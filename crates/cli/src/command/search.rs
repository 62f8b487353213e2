//! `lookfar search`: a query answered on the terminal.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::{Result, bail};
use base::{Collection, Timestamp};
use rank::{Grouping, Hit, Model, Part, Report, Request, Results, Snippet};
use serde::Serialize;

use crate::Done;
use crate::args::SearchArgs;
use crate::config::Config;
use crate::lexicon::open_searcher;

/// One answer as JSON.
#[derive(Serialize)]
struct Line<'a> {
    rank: usize,
    url: &'a str,
    title: &'a str,
    snippet: String,
    score: f32,
    language: Option<&'a str>,
    fetched: Option<String>,
    date: Option<String>,
    /// Near copies folded into it.
    similar: u32,
    /// Sites that describe it, if it was never fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    described_by: Option<u64>,
    /// What the score is the sum of; only with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<&'a [Part]>,
    /// Why it is like the page of `related:`.
    #[serde(skip_serializing_if = "<[rank::Likeness]>::is_empty")]
    reasons: &'a [rank::Likeness],
    /// What links say of it; only with `--explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<&'a [rank::Remark]>,
    /// The query in another spelling that finds more; the same on each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<&'a str>,
    /// How candidates were found; only with `--strategy`, the same on each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_stage: Option<&'a FirstStage>,
}

/// How candidates were found, as JSON.
#[derive(Serialize)]
struct FirstStage {
    strategy: &'static str,
    documents: u64,
    postings: Option<u64>,
    milliseconds: f64,
    #[serde(rename = "recall@10", skip_serializing_if = "Option::is_none")]
    recall: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl FirstStage {
    fn new(report: &Report) -> Self {
        let Report { strategy, documents, postings, took, note, recall } = *report;
        let milliseconds = took.as_secs_f64() * 1_000.0;
        Self { strategy: strategy.name(), documents, postings, milliseconds, recall, note }
    }
}

/// The one line of JSON where there is no answer, but a query that has some.
#[derive(Serialize)]
struct Nothing<'a> {
    did_you_mean: &'a str,
}

pub(crate) fn run(dir: &Path, args: &SearchArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let config = Config::read(&collection.config())?;
    let mut options = config.search_options()?;
    options.weights = args.model.weights(options.weights)?;
    let searcher = open_searcher(&collection, options)?;
    let model = args.model.model;
    if model != Model::Lookfar && !args.links.is_plain() {
        bail!("`--topic`, `--without` and `--order` are for the model lookfar, not for {model}");
    }
    if model != Model::Lookfar && args.strategy.is_some() {
        bail!("`--strategy` is for the model lookfar: {model} looks at every page with a word");
    }
    let query = args.query.join(" ");
    let request = Request {
        count: args.k,
        model,
        grouping: if args.unfolded { Grouping::Plain } else { Grouping::Folded },
        topics: &args.links.topics,
        without: args.links.without,
        sorting: args.links.order,
        explain: args.explain,
        ..Request::new(&query)
    };
    let results = match args.strategy {
        Some(strategy) => {
            searcher.prepare(strategy)?;
            searcher.search_by(strategy, &request)?
        }
        None => searcher.search(&request)?,
    };
    if let (Some(_), Some(report)) = (args.strategy, &results.first) {
        drop(writeln!(std::io::stderr(), "first stage by {report}"));
    }
    let mut out = std::io::stdout().lock();
    for note in &results.notes {
        drop(writeln!(std::io::stderr(), "note: {}", printable(&note.to_string())));
    }
    if let Some(spelling) = results.did_you_mean.as_deref().filter(|_| !args.json) {
        drop(writeln!(std::io::stderr(), "did you mean: {}", printable(spelling)));
    }
    if args.json {
        let first = args.strategy.and(results.first.as_ref()).map(FirstStage::new);
        print_json(&mut out, &results, first.as_ref(), args.explain)?;
    } else {
        print_text(&mut out, &results, args.explain)?;
    }
    Ok(if results.hits.is_empty() { Done::Empty } else { Done::Well })
}

fn print_json(
    out: &mut impl Write,
    results: &Results,
    first_stage: Option<&FirstStage>,
    explain: bool,
) -> Result<()> {
    if let (Some(did_you_mean), []) = (&results.did_you_mean, results.hits.as_slice()) {
        writeln!(out, "{}", serde_json::to_string(&Nothing { did_you_mean })?)?;
    }
    for (place, hit) in results.hits.iter().enumerate() {
        let line = Line {
            rank: place + 1,
            url: hit.url.as_str(),
            title: &hit.title,
            snippet: hit.snippet.text(),
            score: hit.score,
            language: hit.language.as_deref(),
            fetched: hit.fetched.map(Timestamp::rfc3339),
            date: hit.date.map(Timestamp::rfc3339),
            similar: hit.similar,
            described_by: hit.described_by,
            parts: explain.then_some(hit.parts.as_slice()),
            reasons: &hit.reasons,
            remarks: explain.then_some(hit.remarks.as_slice()),
            did_you_mean: results.did_you_mean.as_deref(),
            first_stage,
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}

fn print_text(out: &mut impl Write, results: &Results, explain: bool) -> Result<()> {
    let bold = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for (place, hit) in results.hits.iter().enumerate() {
        writeln!(out, "{:>2}. {}", place + 1, marked(&printable(&hit.title), bold))?;
        writeln!(out, "    {}{}", hit.url, remarks(hit))?;
        print_snippet(out, hit, bold)?;
        if explain {
            print_parts(out, hit)?;
        }
    }
    if results.hits.is_empty() {
        drop(writeln!(std::io::stderr(), "nothing found for {}", printable(&results.made_of)));
    }
    Ok(())
}

/// Returns what else there is to say of an answer, in brackets.
fn remarks(hit: &Hit) -> String {
    let mut remarks = Vec::new();
    remarks
        .extend(hit.described_by.map(|sites| format!("not fetched, described by {sites} sites")));
    remarks.extend(hit.date.map(|date| date.rfc3339()[..10].to_owned()));
    remarks.extend((hit.similar > 0).then(|| format!("{} similar", hit.similar)));
    remarks.extend((hit.held_back > 0).then(|| format!("{} more of its site", hit.held_back)));
    if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) }
}

fn print_snippet(out: &mut impl Write, hit: &Hit, bold: bool) -> Result<()> {
    let Snippet { segments, .. } = &hit.snippet;
    if segments.is_empty() {
        return Ok(writeln!(out)?);
    }
    write!(out, "    ")?;
    for segment in segments {
        write!(out, "{}", marked(&printable(&segment.text), bold && segment.is_marked))?;
    }
    Ok(writeln!(out, "\n")?)
}

/// Prints what the score is made of: the largest part first, those that add nothing in one line.
fn print_parts(out: &mut impl Write, hit: &Hit) -> Result<()> {
    for reason in &hit.reasons {
        writeln!(out, "    {}", printable(&reason.to_string()))?;
    }
    writeln!(out, "    score {:.3}", hit.score)?;
    let (mut parts, nothing): (Vec<&Part>, Vec<&Part>) =
        hit.parts.iter().partition(|part| part.value != 0.0);
    parts.sort_by(|one, other| other.value.total_cmp(&one.value));
    for part in parts {
        let share = 100.0 * part.share(&hit.parts);
        let Part { name, value, raw, weight, .. } = part;
        let meaning = part.meaning();
        writeln!(
            out,
            "    {share:>5.1} %  {value:>8.3} = {raw:.3} × {weight:<6} {name}: {meaning}"
        )?;
    }
    if !nothing.is_empty() {
        let told = |part: &&Part| format!("{} {:.3} × {}", part.name, part.raw, part.weight);
        let told: Vec<String> = nothing.iter().map(told).collect();
        writeln!(out, "      0.0 %  counted nothing: {}", told.join(", "))?;
    }
    for remark in &hit.remarks {
        writeln!(out, "    - {}", printable(&remark.to_string()))?;
    }
    Ok(writeln!(out)?)
}

fn marked(text: &str, bold: bool) -> String {
    if bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// Strangers' text must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_names_every_field_of_an_answer() {
        let first_stage = FirstStage {
            strategy: "tiers",
            documents: 1,
            postings: Some(1),
            milliseconds: 1.0,
            recall: Some(1.0),
            note: Some("made for an earlier commit"),
        };
        let line = Line {
            rank: 1,
            url: "",
            title: "",
            snippet: String::new(),
            score: 1.0,
            language: None,
            fetched: None,
            date: None,
            similar: 0,
            described_by: Some(2),
            parts: Some(&[]),
            reasons: &[rank::Likeness::Words(Vec::new())],
            remarks: Some(&[]),
            did_you_mean: Some(""),
            first_stage: Some(&first_stage),
        };
        let documentation = include_str!("../../../../docs/json.md");
        for object in [serde_json::to_value(&line), serde_json::to_value(&first_stage)] {
            for name in object.unwrap().as_object().unwrap().keys() {
                assert!(documentation.contains(&format!("`{name}`")), "`{name}` is missing");
            }
        }
    }
}
