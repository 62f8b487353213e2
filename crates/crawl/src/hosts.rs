//! The hosts of a crawl as a table: searched, sorted, a page at a time (U3).

use std::time::Duration;

use base::Host;
use serde::{Deserialize, Serialize};

use crate::frontier::HostState;
use crate::story::{Moment, Sources};
use crate::{Error, HostRule};

/// Which hosts are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostQuery {
    /// A part of the name; empty for all.
    pub find: String,
    /// What they are sorted by.
    pub order: HostOrder,
    /// Hosts passed over.
    pub skip: usize,
    /// Hosts wanted; at most [`Self::MOST`] are given.
    pub limit: usize,
}

impl HostQuery {
    /// Most hosts of one answer.
    pub const MOST: usize = 500;
}

/// What hosts are sorted by: the most first, but names from a to z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HostOrder {
    /// URLs that wait.
    #[default]
    Waiting,
    /// Responses.
    Fetched,
    /// Errors in a row.
    Errors,
    /// Bytes.
    Bytes,
    /// Those with a rule of their own first.
    Rules,
    /// The name.
    Name,
}

/// Some hosts, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRows {
    /// The rows.
    pub rows: Vec<HostRow>,
    /// Hosts that were found in all.
    pub total: u64,
    /// Whether there are more hosts than were looked at.
    pub is_cut: bool,
}

/// One host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostRow {
    /// Its name.
    pub name: String,
    /// URLs known.
    pub known: u64,
    /// Of these, how many wait.
    pub waiting: u64,
    /// Responses of any status.
    pub responses: u64,
    /// Responses that told something new, and that did not.
    pub useful: u64,
    /// Copies, empty ones, the same for every address.
    pub wasted: u64,
    /// Decoded bytes.
    pub bytes: u64,
    /// Errors in a row.
    pub errors: u32,
    /// What the last error was.
    pub failure: Option<String>,
    /// Until when it rests, if it does.
    pub rests_until: Option<Moment>,
    /// Whether it has used up what it may take for now.
    pub is_exhausted: bool,
    /// Whether it waits as a mirror of another host, or as a suspected one.
    pub is_slowed: bool,
    /// What a person has decided about it.
    pub rule: HostRule,
}

/// Hosts looked at for one answer: a second or so.
const LOOKED_AT: usize = 200_000;

/// Answers a question about hosts. Cost: reads all of them, up to a limit.
pub(crate) fn list(query: &HostQuery, sources: &Sources<'_>) -> Result<HostRows, Error> {
    let Sources { options, frontier, .. } = sources;
    let find = query.find.trim().to_lowercase();
    let mut found: Vec<(u64, HostState)> = Vec::new();
    let (mut total, mut looked) = (0, 0);
    let wanted = query.skip.saturating_add(query.limit.min(HostQuery::MOST));
    let mut is_cut = false;
    frontier.each_host(|state| {
        if looked == LOOKED_AT {
            is_cut = true;
            return false;
        }
        looked += 1;
        if !state.host.as_str().contains(&find) {
            return true;
        }
        total += 1;
        let key = match query.order {
            HostOrder::Waiting => state.waiting,
            HostOrder::Fetched => state.responses,
            HostOrder::Errors => u64::from(state.errors),
            HostOrder::Bytes => state.bytes,
            HostOrder::Rules => {
                u64::from(options.host_rules.of(&state.host) != HostRule::default())
            }
            HostOrder::Name => 0,
        };
        found.push((key, state));
        // Now and then what cannot be on the page any more is dropped.
        if found.len() > 2 * wanted + 1_000 {
            sort(&mut found);
            found.truncate(wanted);
        }
        true
    })?;
    sort(&mut found);
    let rows = found.into_iter().skip(query.skip).take(query.limit.min(HostQuery::MOST));
    Ok(HostRows { rows: rows.map(|(_, state)| sources.row(&state)).collect(), total, is_cut })
}

fn sort(found: &mut [(u64, HostState)]) {
    found.sort_by(|(key, state), (other_key, other)| {
        other_key.cmp(key).then_with(|| state.host.as_str().cmp(other.host.as_str()))
    });
}

impl Sources<'_> {
    /// Returns what the table shows of a host.
    pub(crate) fn row(&self, state: &HostState) -> HostRow {
        let now = (self.options.clock)();
        let rests = self.rest_of(&state.host, state);
        HostRow {
            name: state.host.to_string(),
            known: state.known,
            waiting: state.waiting,
            responses: state.responses,
            useful: state.useful,
            wasted: state.wasted,
            bytes: state.bytes,
            errors: state.errors,
            failure: state.failure.map(|failure| failure.name().to_owned()),
            rests_until: (rests > Duration::ZERO).then(|| Moment(now.plus(rests))),
            is_exhausted: state.is_exhausted(),
            is_slowed: state.is_slowed(),
            rule: self.options.host_rules.of(&state.host),
        }
    }

    /// Returns how long a host still rests.
    pub(crate) fn rest_of(&self, host: &Host, state: &HostState) -> Duration {
        let rests = self.politeness.rests_until(host);
        let now = tokio::time::Instant::now();
        let rests = rests.map(|until| until.saturating_duration_since(now)).unwrap_or_default();
        rests.max(state.rests_until.since((self.options.clock)()))
    }
}
