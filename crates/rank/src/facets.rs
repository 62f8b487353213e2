//! What the matching pages are, counted: languages, types, sites, countries, years. For links
//! that narrow a search (U2).
//!
//! Every match is counted up to [`MOST_LOOKED_AT`]. Where there are more, each segment of the
//! index is looked at as far as its size allows, its most important pages first, and what was
//! found is multiplied by what was left out; [`Facets::is_exact`] says so.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use index::{Expired, Labels, NO_LANGUAGE, Names, Snapshot};
use serde::Serialize;
use tantivy::columnar::{Column, RowId};
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocAddress, DocId, SegmentReader, TERMINATED};

use crate::candidates::MOST_COUNTED;
use crate::patience::Patience;

/// What the matching pages are, each list by number of pages, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    /// Languages as ISO 639-1, as `lang:` takes them.
    pub languages: Vec<Facet>,
    /// Types, as `filetype:` takes them; a page may be of two, by its bytes and by its name.
    pub types: Vec<Facet>,
    /// Registered domains, as `site:` takes them.
    pub sites: Vec<Facet>,
    /// Countries, as `country:` takes them; a page may be of several.
    pub countries: Vec<Facet>,
    /// Years, the latest first, as `after:` and `before:` take them.
    pub years: Vec<Facet>,
    /// Whether every match was counted; otherwise the numbers are estimates.
    pub is_exact: bool,
}

/// A value that pages share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many pages have it.
    pub count: u64,
}

/// Matches that are looked at: as many as are counted for the number of results.
const MOST_LOOKED_AT: u64 = MOST_COUNTED;
/// Matches that are looked at in each segment, however small it is.
const LEAST_LOOKED_AT: u64 = 256;
/// Values of one list.
const MOST_VALUES: usize = 24;
/// Values of one list that are taken over from each segment: names are dear to look up.
const MOST_NAMES: usize = 100;
/// Values of a column that have a counter each, whether or not they occur.
const MOST_COUNTERS: usize = 16_384;

/// Counts the pages that a query matches.
pub(crate) fn of_query(
    snapshot: &Snapshot,
    query: &dyn Query,
    patience: &Patience,
    gone: Option<Expired<'_>>,
) -> tantivy::Result<Facets> {
    let searcher = &snapshot.searcher;
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let size = |segment: &SegmentReader| u64::from(segment.max_doc());
    let all: u64 = searcher.segment_readers().iter().map(size).sum();
    let mut totals = Totals { is_exact: true, ..Totals::default() };
    let mut steps = 0;
    let segments = searcher.segment_readers().iter().zip(snapshot.labels());
    for (segment_ord, (reader, labels)) in (0..).zip(segments) {
        let room = (MOST_LOOKED_AT * size(reader) / all.max(1)).max(LEAST_LOOKED_AT);
        let mut segment = Segment::new(labels);
        let mut scorer = weight.scorer(reader, 1.0)?;
        let mut doc_id = scorer.doc();
        let mut share = 1.0;
        while doc_id != TERMINATED {
            if segment.num_docs >= room || patience.is_lost(&mut steps) {
                share = size(reader) as f64 / f64::from(doc_id.max(1));
                totals.is_exact = false;
                break;
            }
            let address = DocAddress { segment_ord, doc_id };
            if !reader.is_deleted(doc_id) && !gone.is_some_and(|gone| gone.holds(address)) {
                segment.push(doc_id);
            }
            doc_id = scorer.advance();
        }
        segment.finish(share, &mut totals)?;
    }
    Ok(totals.finish())
}

/// Counts pages.
pub(crate) fn of_documents(
    snapshot: &Snapshot,
    mut addresses: Vec<DocAddress>,
) -> tantivy::Result<Facets> {
    addresses.sort_unstable();
    let mut totals = Totals { is_exact: true, ..Totals::default() };
    for run in addresses.chunk_by(|one, other| one.segment_ord == other.segment_ord) {
        let mut segment = Segment::new(&snapshot.labels()[run[0].segment_ord as usize]);
        run.iter().for_each(|address| segment.push(address.doc_id));
        segment.finish(1.0, &mut totals)?;
    }
    Ok(totals.finish())
}

/// The columns of a segment, and what was counted of them.
struct Segment {
    columns: [Option<Counted>; 4],
    dates: Column<i64>,
    years: HashMap<i64, u64, RandomState>,
    num_docs: u64,
    /// Documents that wait to be counted: many are read together for half of what they cost one by
    /// one.
    waiting: Vec<DocId>,
    /// Room for what is read of them, used again for the next ones.
    read: Read,
}

/// Documents that are read together.
const BATCH: usize = 512;

#[derive(Default)]
struct Read {
    docs: Vec<DocId>,
    rows: Vec<RowId>,
    names: Vec<u64>,
    moments: Vec<Option<i64>>,
}

impl Segment {
    fn new(labels: &Labels) -> Self {
        let Labels { languages, kinds, sites, countries, dates, .. } = labels.clone();
        Self {
            // In the order of [`Totals::names`].
            columns: [languages, kinds, sites, countries].map(|column| column.map(Counted::new)),
            dates,
            years: HashMap::default(),
            num_docs: 0,
            waiting: Vec::with_capacity(BATCH),
            read: Read::default(),
        }
    }

    fn push(&mut self, doc_id: DocId) {
        self.num_docs += 1;
        self.waiting.push(doc_id);
        if self.waiting.len() == BATCH {
            self.count();
        }
    }

    /// Counts what waits.
    fn count(&mut self) {
        for column in self.columns.iter_mut().flatten() {
            column.count(&self.waiting, &mut self.read);
        }
        let moments = &mut self.read.moments;
        moments.clear();
        moments.resize(self.waiting.len(), None);
        self.dates.first_vals(&self.waiting, moments);
        // Neighbours are often of one year.
        for run in moments.chunk_by(|one, other| one.map(year) == other.map(year)) {
            if let Some(millis) = run[0] {
                *self.years.entry(year(millis)).or_default() += run.len() as u64;
            }
        }
        self.waiting.clear();
    }

    /// Adds what was counted, `share` times.
    fn finish(mut self, share: f64, totals: &mut Totals) -> tantivy::Result<()> {
        self.count();
        for (column, names) in self.columns.into_iter().zip(&mut totals.names) {
            let Some(column) = column else { continue };
            column.finish(|name, count| {
                if name != NO_LANGUAGE {
                    *names.entry(name.to_owned()).or_default() += count as f64 * share;
                }
            })?;
        }
        for (year, count) in self.years {
            *totals.years.entry(year).or_default() += count as f64 * share;
        }
        Ok(())
    }
}

/// A column of names, and how often each was met.
struct Counted {
    column: Names,
    counts: Counts,
}

/// Counters by number of the name.
enum Counts {
    /// For columns with few names.
    Each(Vec<u32>),
    Met(HashMap<u64, u32, RandomState>),
}

impl Counted {
    fn new(column: Names) -> Self {
        let counts = match column.num_names() {
            few @ ..=MOST_COUNTERS => Counts::Each(vec![0; few]),
            _ => Counts::Met(HashMap::default()),
        };
        Self { column, counts }
    }

    fn count(&mut self, docs: &[DocId], read: &mut Read) {
        self.column.numbers_of(docs, (&mut read.docs, &mut read.rows), &mut read.names);
        for number in &read.names {
            match &mut self.counts {
                Counts::Each(counts) => {
                    if let Some(count) = counts.get_mut(*number as usize) {
                        *count += 1;
                    }
                }
                Counts::Met(counts) => *counts.entry(*number).or_default() += 1,
            }
        }
    }

    /// Tells the names that were met most often.
    fn finish(self, mut tell: impl FnMut(&str, u32)) -> tantivy::Result<()> {
        let mut met: Vec<(u64, u32)> = match self.counts {
            Counts::Each(counts) => (0..).zip(counts).filter(|(_, count)| *count > 0).collect(),
            Counts::Met(counts) => counts.into_iter().collect(),
        };
        if met.len() > MOST_NAMES {
            let by_count = |(number, count): &(u64, u32)| (Reverse(*count), *number);
            met.select_nth_unstable_by_key(MOST_NAMES, by_count);
            met.truncate(MOST_NAMES);
        }
        met.sort_unstable();
        let numbers: Vec<u64> = met.iter().map(|(number, _)| *number).collect();
        let counts: HashMap<u64, u32, RandomState> = met.into_iter().collect();
        self.column.each(&numbers, |number, name| {
            tell(name, counts.get(&number).copied().unwrap_or(0));
        })
    }
}

/// What was counted in all segments.
#[derive(Default)]
struct Totals {
    names: [HashMap<String, f64>; 4],
    years: HashMap<i64, f64>,
    is_exact: bool,
}

impl Totals {
    fn finish(self) -> Facets {
        let [languages, types, sites, countries] = self.names.map(largest);
        let years = self.years.into_iter().map(|(year, count)| (format!("{year:04}"), count));
        let mut years = largest(years.collect());
        years.sort_by(|one, other| other.value.cmp(&one.value));
        Facets { languages, types, sites, countries, years, is_exact: self.is_exact }
    }
}

/// Returns the values with the most pages.
fn largest(counts: HashMap<String, f64>) -> Vec<Facet> {
    let facet = |(value, count): (String, f64)| Facet { value, count: count.round() as u64 };
    let mut facets: Vec<Facet> = counts.into_iter().map(facet).collect();
    facets.sort_unstable_by(|one, other| {
        other.count.cmp(&one.count).then_with(|| one.value.cmp(&other.value))
    });
    facets.truncate(MOST_VALUES);
    facets
}

/// Returns the year of a moment in UTC.
///
/// Years are counted from the first of March, so that the leap day is the last of its year.
fn year(millis: i64) -> i64 {
    const DAY: i64 = 86_400_000;
    let days = millis.div_euclid(DAY) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // January and February, from day 306 on, are of the next year.
    era * 400 + year_of_era + i64::from(day_of_year >= 306)
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    #[test]
    fn years_begin_and_end_at_midnight() {
        for (text, expected) in [
            ("1969-12-31T23:59:59Z", 1969),
            ("1970-01-01T00:00:00Z", 1970),
            ("2000-02-29T12:00:00Z", 2000),
            ("2023-12-31T23:59:59Z", 2023),
            ("2024-01-01T00:00:00Z", 2024),
            ("2024-02-29T00:00:00Z", 2024),
            ("2100-03-01T00:00:00Z", 2100),
        ] {
            let millis = Timestamp::parse_rfc3339(text).unwrap().as_millis();
            assert_eq!(year(millis), expected, "{text}");
        }
    }
}
