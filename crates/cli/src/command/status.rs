//! `lookfar status`: how large the collection is and what the crawl is doing.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use base::Collection;
use indicatif::{HumanBytes, HumanCount};

use crate::Done;
use crate::args::JsonArgs;
use crate::numbers::Numbers;

pub(crate) fn run(dir: &Path, args: JsonArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let numbers = Numbers::read(&collection)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&numbers)?)?;
        return Ok(Done::Well);
    }
    let state = match numbers.is_crawling {
        true if numbers.is_paused => "paused".to_owned(),
        true if numbers.waits_for.is_some() => {
            format!("waits: {}", numbers.waits_for.as_deref().unwrap_or_default())
        }
        true => match numbers.all_rest_seconds {
            Some(left) => format!("all hosts rest; the next visit is in {left} s"),
            None => format!("crawling, {:.1} pages/s", numbers.pages_per_second),
        },
        false => "not crawling".to_owned(),
    };
    let rows = [
        ("state", state),
        ("pages fetched", HumanCount(numbers.pages_fetched).to_string()),
        ("fetched again", HumanCount(numbers.fetched_again).to_string()),
        ("URLs known", HumanCount(numbers.urls_known).to_string()),
        ("URLs waiting", HumanCount(numbers.urls_waiting).to_string()),
        ("hosts", hosts(&numbers)),
        ("copies", HumanCount(numbers.copies).to_string()),
        ("mirrors waiting", HumanCount(numbers.suspects).to_string()),
        ("page-log records", HumanCount(numbers.page_log_records).to_string()),
        ("documents indexed", HumanCount(numbers.documents_indexed).to_string()),
        (
            "graph",
            format!(
                "{} nodes, {} arcs",
                HumanCount(numbers.graph_nodes),
                HumanCount(numbers.graph_arcs)
            ),
        ),
        ("generation", numbers.generation.to_string()),
        ("archive", HumanBytes(numbers.bytes_archived).to_string()),
    ];
    for (name, value) in rows {
        writeln!(out, "{name:<18} {value}")?;
    }
    for (reason, count) in &numbers.reasons {
        writeln!(out, "left out or failed: {reason:<18} {}", HumanCount(*count))?;
    }
    Ok(Done::Well)
}

fn hosts(numbers: &Numbers) -> String {
    let known = HumanCount(numbers.hosts);
    if !numbers.is_crawling {
        return known.to_string();
    }
    format!(
        "{known} ({} in rotation, {} ready, {} requests under way)",
        HumanCount(numbers.hosts_active),
        HumanCount(numbers.hosts_ready),
        HumanCount(numbers.in_flight)
    )
}
