//! First stage: the best documents by their words plus their static rank, exactly.
//!
//! ```text
//! score(d)  = bm25(d) + g(d)          g(d) = weight · importance of the page by its links
//! threshold = k-th best score so far − the largest g of all documents still to come
//! ```
//! tantivy skips blocks of documents whose BM25 cannot pass a threshold. A document at or below
//! this one cannot be among the best whatever its rank, so skipping it loses nothing, in any order
//! of documents; the better the order fits the rank, the sooner the bound falls and the search ends
//! (`docs/decisions/0005-the-first-stage.md`).

mod flat;
mod heap;
mod ranks;
mod walk;
mod words;

use index::Expired;
use tantivy::query::{Bm25Weight, EnableScoring, Query, Weight};
use tantivy::{DocAddress, Searcher, SegmentReader, TERMINATED};

use crate::answer::Total;
use crate::row::{self, RowQuery};
pub(crate) use flat::Flat;
pub(crate) use heap::{Heap, Scored};
pub(crate) use ranks::{Ranks, RanksByCommit};
pub(crate) use walk::Walk;
use walk::Walker;
use words::Weighed;

/// The best documents of one search, and what it took to find them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Best first; of equal ones the earlier document.
    pub(crate) best: Vec<Scored>,
    /// Whether as many were found as asked for, so that there may be more.
    pub(crate) is_full: bool,
    /// Whether the time ran out.
    pub(crate) is_cut_short: bool,
    /// Documents that were scored.
    pub(crate) num_documents: u64,
    /// Entries of posting lists that were read, where the walk knows.
    pub(crate) num_postings: Option<u64>,
    /// How many documents match, where that came out on the way.
    pub(crate) num_matching: Option<Total>,
}

impl Found {
    /// Returns the documents in order of address.
    pub(crate) fn addresses(&self) -> Vec<DocAddress> {
        let mut addresses: Vec<_> = self.best.iter().map(|scored| scored.address).collect();
        addresses.sort_unstable();
        addresses
    }
}

/// Documents looked at between two looks at the clock.
const STRIDE: u64 = 512;

/// Returns the `count` best documents by BM25 plus static rank.
///
/// `is_over` is asked now and then; once it says so, what was found by then is returned. Documents
/// that are `gone` do not count.
pub(crate) fn best(
    searcher: &Searcher,
    query: &dyn Query,
    walk: Walk<'_>,
    count: usize,
    ranks: &Ranks,
    is_over: &dyn Fn() -> bool,
    gone: Option<Expired<'_>>,
) -> tantivy::Result<Found> {
    let mut counting = None;
    let mut count_to = |most| counting = Some(Counting { most, enough: None });
    let way = match walk {
        Walk::Pruned => Way::Pruned(weight_of(query, searcher)?),
        Walk::Whole => Way::Whole(weight_of(query, searcher)?),
        Walk::Row(row, most) => {
            count_to(most);
            Way::Row(row, row.weigher(searcher)?)
        }
        Walk::Words(flat, most) => {
            count_to(most);
            Way::Words(Weighed::new(&flat, searcher)?)
        }
        Walk::By(walker) => Way::By(walker),
    };
    let mut search = Search {
        heap: Heap::new(count),
        num_documents: 0,
        num_alive: 0,
        num_passed: 0,
        num_postings: None,
        counting,
        is_over,
        is_cut_short: false,
        gone,
    };
    // The segment with the most important documents first: it lifts the threshold soonest.
    let mut order: Vec<u32> = (0..).take(searcher.segment_readers().len()).collect();
    order.sort_by(|one, other| ranks.most(*other).total_cmp(&ranks.most(*one)));
    for (number, segment_ord) in order.into_iter().enumerate() {
        // Where hardly anything matches, there are no visits at which to look at the clock.
        search.is_cut_short |= number > 0 && is_over();
        if search.is_cut_short {
            break;
        }
        let segment = searcher.segment_reader(segment_ord);
        search.segment(&way, segment, segment_ord, ranks)?;
        search.num_passed += u64::from(segment.max_doc());
    }
    Ok(Found {
        num_matching: search.num_matching(&way),
        is_full: search.heap.is_full(),
        best: search.heap.into_best(),
        is_cut_short: search.is_cut_short,
        num_documents: search.num_documents,
        num_postings: search.num_postings,
    })
}

fn weight_of(query: &dyn Query, searcher: &Searcher) -> tantivy::Result<Box<dyn Weight>> {
    query.weight(EnableScoring::enabled_from_searcher(searcher))
}

/// A walk with what it needs in every segment.
enum Way<'a> {
    Pruned(Box<dyn Weight>),
    Whole(Box<dyn Weight>),
    Row(&'a RowQuery, Bm25Weight),
    Words(Weighed),
    By(&'a Walker<'a>),
}

/// How matches are counted by a walk that leaves some out.
struct Counting {
    /// Matches to be counted before any are left out.
    most: u64,
    /// How many matched, of how many documents, when so many were counted.
    enough: Option<(u64, u64)>,
}

/// A search under way.
struct Search<'a> {
    heap: Heap,
    num_documents: u64,
    /// Those of them that can be answers.
    num_alive: u64,
    /// Documents of the segments that are done, matching or not.
    num_passed: u64,
    /// Entries of posting lists that were read, of walks that tell.
    num_postings: Option<u64>,
    counting: Option<Counting>,
    is_over: &'a dyn Fn() -> bool,
    is_cut_short: bool,
    gone: Option<Expired<'a>>,
}

impl Search<'_> {
    fn segment(
        &mut self,
        way: &Way<'_>,
        segment: &SegmentReader,
        segment_ord: u32,
        ranks: &Ranks,
    ) -> tantivy::Result<()> {
        let is_over = self.is_over;
        let first = match &self.counting {
            Some(counting) if counting.enough.is_none() => f32::MIN,
            _ => threshold(&self.heap, ranks.most(segment_ord)),
        };
        let mut visit = |doc_id, score: f32| {
            self.num_documents += 1;
            if self.num_documents.is_multiple_of(STRIDE) && is_over() {
                self.is_cut_short = true;
            }
            if self.is_cut_short {
                return f32::INFINITY;
            }
            let address = DocAddress { segment_ord, doc_id };
            if !segment.is_deleted(doc_id) && !self.gone.is_some_and(|gone| gone.holds(address)) {
                self.num_alive += 1;
                self.heap.push(score + ranks.of(address), address);
            }
            if let Some(counting) = self.counting.as_mut().filter(|it| it.enough.is_none()) {
                if self.num_alive < counting.most {
                    return f32::MIN;
                }
                counting.enough = Some((self.num_alive, self.num_passed + u64::from(doc_id) + 1));
            }
            threshold(&self.heap, ranks.most_after(segment_ord, doc_id))
        };
        match way {
            Way::Pruned(weight) => weight.for_each_pruning(first, segment, &mut visit),
            Way::Whole(weight) => walk_whole(weight.as_ref(), segment, &mut visit),
            Way::Row(row, weigher) => {
                let is_done = row::walk(row, weigher, segment, first, is_over, &mut visit)?;
                self.is_cut_short |= !is_done;
                Ok(())
            }
            Way::Words(weighed) => {
                let walked = words::walk(weighed, segment, first, is_over, &mut visit)?;
                self.is_cut_short |= !walked.is_done;
                *self.num_postings.get_or_insert(0) += walked.num_postings;
                Ok(())
            }
            Way::By(walker) => walker(segment, first, &mut visit),
        }
    }

    /// Returns how many documents match, if they were counted or enough of them.
    fn num_matching(&self, way: &Way<'_>) -> Option<Total> {
        if self.is_cut_short || matches!(way, Way::Pruned(_) | Way::By(_)) {
            return None;
        }
        Some(match self.counting.as_ref().and_then(|counting| counting.enough) {
            None => Total { count: self.num_alive, is_exact: true },
            Some((num_alive, num_passed)) => {
                let share = self.num_passed as f64 / num_passed as f64;
                Total { count: (num_alive as f64 * share) as u64, is_exact: false }
            }
        })
    }
}

/// Returns what the BM25 of a document must pass if its rank gives it `most` at best.
///
/// A little less than the difference: sums of 32 bits are rounded, and a document that is as good
/// as the worst kept one may be the earlier of the two.
fn threshold(heap: &Heap, most: f32) -> f32 {
    let Some(worst) = heap.worst() else { return f32::MIN };
    worst - most - (worst.abs() + most) * 4.0 * f32::EPSILON
}

/// Visits every match of a query until the visitor asks for more than there can be.
fn walk_whole(
    weight: &dyn Weight,
    segment: &SegmentReader,
    visit: &mut impl FnMut(u32, f32) -> f32,
) -> tantivy::Result<()> {
    let mut scorer = weight.scorer(segment, 1.0)?;
    let mut doc = scorer.doc();
    while doc != TERMINATED {
        if visit(doc, scorer.score()) == f32::INFINITY {
            break;
        }
        doc = scorer.advance();
    }
    Ok(())
}
