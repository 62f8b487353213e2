//! From what the crawl counts to what the control room shows.

use std::collections::BTreeMap;

use base::{Collection, Timestamp};
use crawl::{Failure, HostRow};
use indicatif::{DecimalBytes, HumanCount};
use serve::{Count, Pulse};

use crate::numbers::Numbers;

/// Rows of one table.
const ROWS: usize = 20;

/// Returns the numbers of a moment.
pub(super) fn pulse(numbers: &Numbers) -> Pulse {
    let failures: BTreeMap<&str, u64> = Failure::ALL
        .iter()
        .filter_map(|failure| Some((failure.name(), *numbers.reasons.get(failure.name())?)))
        .collect();
    let in_rotation = numbers.hosts_active.saturating_sub(numbers.hosts_ready + numbers.in_flight);
    Pulse {
        is_crawling: numbers.is_crawling,
        is_paused: numbers.is_paused,
        waits_for: numbers.waits_for.clone(),
        pages: numbers.pages_fetched,
        pages_per_second: numbers.pages_per_second,
        responses: numbers.page_log_records,
        again: numbers.fetched_again,
        copies: numbers.copies,
        bytes: numbers.bytes_fetched,
        urls: numbers.urls_known,
        waiting: numbers.urls_waiting,
        queues: numbers.queues.clone(),
        hosts: numbers.hosts,
        hosts_active: numbers.hosts_active,
        hosts_ready: numbers.hosts_ready,
        hosts_resting: numbers.hosts_resting + in_rotation,
        in_flight: numbers.in_flight,
        errors: failures.values().sum(),
        left_out: counts(numbers.reasons.iter().map(|(name, count)| (name.clone(), *count))),
        overdue: numbers.overdue,
        memory: numbers.memory,
        disk_free: numbers.disk_free,
        disk_size: numbers.disk_size,
        collection: 0,
        indexed: numbers.documents_indexed,
        generation: numbers.generation,
        outcomes: outcomes(numbers, &failures),
        kinds: most(numbers.kinds.iter().map(|(name, count)| (name.clone(), *count))),
        sizes: sizes(&numbers.sizes),
        reasons: most(numbers.reasons.iter().map(|(name, count)| (name.clone(), *count))),
    }
}

/// Returns what came of download attempts: statuses, and failures without any.
fn outcomes(numbers: &Numbers, failures: &BTreeMap<&str, u64>) -> Vec<Count> {
    let statuses = numbers.statuses.iter().map(|(status, count)| (status.to_string(), *count));
    let failed = failures.iter().map(|(name, count)| ((*name).to_owned(), *count));
    most(statuses.chain(failed))
}

/// Returns the largest counts, the largest first.
fn most(counts: impl Iterator<Item = (String, u64)>) -> Vec<Count> {
    let mut counts = self::counts(counts);
    counts
        .sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
    counts.truncate(ROWS);
    counts
}

fn counts(counts: impl Iterator<Item = (String, u64)>) -> Vec<Count> {
    counts.map(|(name, count)| Count { name, count }).collect()
}

/// Returns the classes of sizes from the first that is not empty to the last; those below a KiB are
/// one.
fn sizes(classes: &[u64]) -> Vec<Count> {
    const KIB: usize = 10;
    let mut counts = Vec::new();
    for (class, count) in classes.iter().enumerate() {
        match class {
            0 => counts.push(Count { name: "empty".to_owned(), count: *count }),
            1 => counts.push(Count { name: "below 1 KiB".to_owned(), count: *count }),
            2..=KIB => counts[1].count += count,
            class => {
                let unit = ["KiB", "MiB", "GiB", "TiB"][((class - KIB) / 10).min(3)];
                let name = format!("below {} {unit}", 1_u64 << ((class - KIB) % 10));
                counts.push(Count { name, count: *count });
            }
        }
    }
    let first = counts.iter().position(|class| class.count > 0).unwrap_or(counts.len());
    let last = counts.iter().rposition(|class| class.count > 0).map_or(0, |last| last + 1);
    counts.truncate(last);
    counts.split_off(first.min(last))
}

/// Returns a host as the table shows it.
pub(super) fn host(row: HostRow, now: Timestamp) -> serve::HostRow {
    let rule = row.rule;
    let is_spent = rule.pages.is_some_and(|pages| row.responses >= pages);
    let state = match &row.rests_until {
        _ if rule.is_blocked => "blocked".to_owned(),
        _ if rule.is_paused => "paused".to_owned(),
        _ if is_spent => "its budget is used up".to_owned(),
        _ if row.waiting == 0 => "nothing waits".to_owned(),
        _ if row.is_slowed => "slowed as a mirror".to_owned(),
        _ if row.is_exhausted => "has brought too little new".to_owned(),
        Some(until) => format!("rests {}", span(until.0.since(now).as_secs())),
        None => "ready".to_owned(),
    };
    serve::HostRow {
        name: row.name,
        state,
        known: row.known,
        waiting: row.waiting,
        fetched: row.responses,
        bytes: row.bytes,
        errors: row.errors,
        failure: row.failure,
        rule: serve::HostRule {
            is_paused: rule.is_paused,
            is_blocked: rule.is_blocked,
            delay: rule.delay_millis.map(|millis| millis as f64 / 1000.0),
            pages: rule.pages,
        },
    }
}

fn span(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Returns how far index and link analysis are.
pub(super) fn stages(collection: &Collection, numbers: &Numbers) -> Vec<(String, String)> {
    let mut lines = vec![
        ("page log", format!("{} records", HumanCount(numbers.page_log_records))),
        ("index", format!("{} documents to be found", HumanCount(numbers.documents_indexed))),
        ("archive", DecimalBytes(numbers.bytes_archived).to_string()),
    ];
    match numbers.generation {
        0 => lines.push(("generation", "none yet".to_owned())),
        generation => {
            lines.push(("generation", generation.to_string()));
            let (nodes, arcs) = (HumanCount(numbers.graph_nodes), HumanCount(numbers.graph_arcs));
            lines.push(("graph", format!("{nodes} pages, {arcs} links")));
            let scores = collection.scores(base::Generation(generation));
            if let Ok(told) = graph::read_convergence(&scores) {
                let steps = told.log.len();
                let how = if told.converged { "settled" } else { "was broken off" };
                lines.push(("PageRank", format!("{how} after {steps} steps, beta {}", told.beta)));
            }
        }
    }
    lines.into_iter().map(|(what, how)| (what.to_owned(), how)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_become_tables() {
        let mut numbers = Numbers {
            statuses: [(200, 5), (404, 2)].into(),
            reasons: [("refused".to_owned(), 3), ("scope".to_owned(), 9)].into(),
            sizes: vec![0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 7, 0, 2, 0],
            hosts_active: 10,
            hosts_ready: 2,
            in_flight: 3,
            hosts_resting: 7,
            ..Numbers::default()
        };
        let told = pulse(&numbers);
        let names = |counts: &[Count]| -> Vec<String> {
            counts.iter().map(|count| format!("{} {}", count.name, count.count)).collect()
        };
        assert_eq!(names(&told.outcomes), ["200 5", "refused 3", "404 2"]);
        assert_eq!(
            names(&told.sizes),
            ["below 1 KiB 5", "below 2 KiB 7", "below 4 KiB 0", "below 8 KiB 2"]
        );
        assert_eq!((told.errors, told.hosts_resting), (3, 12));
        assert_eq!(names(&told.reasons), ["scope 9", "refused 3"]);
        assert_eq!(names(&told.left_out), ["refused 3", "scope 9"]);
        numbers.sizes.clear();
        assert!(pulse(&numbers).sizes.is_empty());
    }
}
