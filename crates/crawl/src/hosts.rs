//! The hosts of a crawl as a table: searched, sorted, a page at a time (U3).

use std::collections::BTreeMap;
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
    /// A part of the name, in ASCII or in its own letters; empty for all.
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
///
/// Hosts that a person has decided about are among them, known or not.
pub(crate) fn list(query: &HostQuery, sources: &Sources<'_>) -> Result<HostRows, Error> {
    let Sources { options, frontier, .. } = sources;
    let mut ruled: BTreeMap<Host, HostRule> = options.host_rules.all().into_iter().collect();
    ruled.retain(|_, rule| *rule != HostRule::default());
    let mut table = Table::new(query);
    let (mut looked, mut is_cut) = (0, false);
    frontier.each_host(|state| {
        if looked == LOOKED_AT {
            is_cut = true;
            return false;
        }
        looked += 1;
        let is_ruled = ruled.remove(&state.host).is_some();
        table.add(state, is_ruled);
        true
    })?;
    for host in ruled.into_keys() {
        // What was not looked at may be known; what was never seen is not.
        let known = if is_cut { frontier.host(&host)? } else { None };
        table.add(known.unwrap_or_else(|| HostState::new(host)), true);
    }
    let total = table.total;
    let rows = table.rows().into_iter().map(|state| sources.row(&state)).collect();
    Ok(HostRows { rows, total, is_cut })
}

/// Hosts as they are found, no more of them than the page may need.
struct Table<'a> {
    query: &'a HostQuery,
    part: Part,
    found: Vec<(u64, HostState)>,
    /// Hosts found so far, those included that were dropped.
    total: u64,
}

impl<'a> Table<'a> {
    fn new(query: &'a HostQuery) -> Self {
        Self { query, part: Part::new(&query.find), found: Vec::new(), total: 0 }
    }

    /// Takes a host in if it is wanted.
    fn add(&mut self, state: HostState, is_ruled: bool) {
        if !self.part.is_in(state.host.as_str()) {
            return;
        }
        self.total += 1;
        let key = match self.query.order {
            HostOrder::Waiting => state.waiting,
            HostOrder::Fetched => state.responses,
            HostOrder::Errors => u64::from(state.errors),
            HostOrder::Bytes => state.bytes,
            HostOrder::Rules => u64::from(is_ruled),
            HostOrder::Name => 0,
        };
        self.found.push((key, state));
        // Now and then what cannot be on the page any more is dropped.
        let wanted = self.query.skip.saturating_add(self.limit());
        if self.found.len() > wanted.saturating_mul(2).saturating_add(1_000) {
            sort(&mut self.found);
            self.found.truncate(wanted);
        }
    }

    /// Returns those of the page.
    fn rows(mut self) -> Vec<HostState> {
        sort(&mut self.found);
        let (skip, limit) = (self.query.skip, self.limit());
        self.found.into_iter().skip(skip).take(limit).map(|(_, state)| state).collect()
    }

    fn limit(&self) -> usize {
        self.query.limit.min(HostQuery::MOST)
    }
}

fn sort(found: &mut [(u64, HostState)]) {
    found.sort_by(|(key, state), (other_key, other)| {
        other_key.cmp(key).then_with(|| state.host.as_str().cmp(other.host.as_str()))
    });
}

/// A part of a name, as a person writes it.
enum Part {
    /// As hosts are kept.
    Ascii(String),
    /// In the letters of the name, which hosts are kept without.
    Letters(String),
}

impl Part {
    fn new(text: &str) -> Self {
        let text = text.trim();
        match text.is_ascii() {
            true => Self::Ascii(text.to_ascii_lowercase()),
            // Upper case and marks that are letters of their own become what names are made of.
            false => Self::Letters(idna::domain_to_unicode(text).0),
        }
    }

    /// Returns whether a host's name has it. A part of a label says nothing about the label's ASCII
    /// form, so the name is read in its own letters.
    fn is_in(&self, name: &str) -> bool {
        match self {
            Self::Ascii(part) => name.contains(part),
            Self::Letters(part) => {
                name.contains("xn--") && idna::domain_to_unicode(name).0.contains(part)
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_name_is_found_in_ascii_and_in_its_own_letters() {
        let finds = |part: &str, name: &str| Part::new(part).is_in(name);
        let name = "www.xn--bcherei-n2a.example";
        assert_eq!(Host::parse("www.bücherei.example").unwrap().as_str(), name);
        // The second one is written with a mark that stands behind its letter.
        for part in ["bücher", "bu\u{308}cherei.ex", " BÜCHEREI", "xn--bcher", "Example", ""] {
            assert!(finds(part, name), "{part}");
        }
        for part in ["bucher", "büchner", "ücherei.org"] {
            assert!(!finds(part, name), "{part}");
        }
        assert!(!finds("bücher", "www.bucher.example") && finds("BUCHER", "www.bucher.example"));
    }
}
