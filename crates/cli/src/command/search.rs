//! `lookfar search`: a query answered on the terminal.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use base::{Collection, Timestamp};
use rank::{Hit, Request, Results, Searcher, Snippet};
use serde::Serialize;

use crate::Done;
use crate::args::SearchArgs;

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
}

pub(crate) fn run(dir: &Path, args: &SearchArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let searcher = Searcher::open(&collection)?;
    let request = Request { count: args.k, ..Request::new(&args.query) };
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
    if args.json {
        print_json(&mut out, &results)?;
    } else {
        print_text(&mut out, &results)?;
    }
    Ok(if results.hits.is_empty() { Done::Empty } else { Done::Well })
}

fn print_json(out: &mut impl Write, results: &Results) -> Result<()> {
    for (place, hit) in results.hits.iter().enumerate() {
        let line = Line {
            rank: place + 1,
            url: hit.url.as_str(),
            title: &hit.title,
            snippet: hit.snippet.text(),
            score: hit.score,
            language: hit.language.as_deref(),
            fetched: hit.fetched.map(Timestamp::rfc3339),
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}

fn print_text(out: &mut impl Write, results: &Results) -> Result<()> {
    let bold = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for (place, hit) in results.hits.iter().enumerate() {
        writeln!(out, "{:>2}. {}", place + 1, marked(&printable(&hit.title), bold))?;
        writeln!(out, "    {}", hit.url)?;
        print_snippet(out, hit, bold)?;
    }
    if results.hits.is_empty() {
        drop(writeln!(std::io::stderr(), "nothing found for {}", printable(&results.made_of)));
    }
    Ok(())
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

fn marked(text: &str, bold: bool) -> String {
    if bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// Strangers' text must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
