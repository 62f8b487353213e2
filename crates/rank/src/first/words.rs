//! A walk over the best documents that have all words, where a word may be any of several terms and
//! questions are asked besides.
//!
//! tantivy leaves out blocks only of a plain AND or OR of terms. In a collection of several languages
//! hardly a word has one stem, and visitors narrow by language, time or site: such queries were scored
//! whole. This walk goes along the rarest word. Where a run of documents begins over which
//! no list changes its block, the bounds of all blocks are added up, and if they cannot pass what is
//! asked for, the run is left out. Within a run a document is given up as soon as what it
//! has, with the bounds of the words not looked at yet, cannot pass. Questions come last: they are
//! asked only of documents that would pass.

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::query::{Bm25Weight, EnableScoring, Query, Scorer, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Score, Searcher, SegmentReader, TERMINATED, Term};

use super::flat::Flat;

/// Is told documents with their scores, and says what the next ones must pass.
type Visit<'a> = dyn FnMut(DocId, Score) -> Score + 'a;

/// What a walk needs in every segment.
pub(crate) struct Weighed {
    words: Vec<Vec<(Term, Bm25Weight)>>,
    filters: Vec<Box<dyn Weight>>,
    excluded: Vec<Box<dyn Weight>>,
}

impl Weighed {
    pub(crate) fn new(flat: &Flat<'_>, searcher: &Searcher) -> tantivy::Result<Self> {
        let weigh = |term: &Term| -> tantivy::Result<_> {
            Ok((term.clone(), Bm25Weight::for_terms(searcher, std::slice::from_ref(term))?))
        };
        let words = flat.words.iter().map(|word| word.iter().map(weigh).collect());
        let questions = |queries: &[&dyn Query]| -> tantivy::Result<Vec<Box<dyn Weight>>> {
            let scoring = EnableScoring::disabled_from_searcher(searcher);
            queries.iter().map(|query| query.weight(scoring)).collect()
        };
        Ok(Self {
            words: words.collect::<tantivy::Result<_>>()?,
            filters: questions(&flat.filters)?,
            excluded: questions(&flat.excluded)?,
        })
    }
}

/// How a walk over a segment ended.
pub(crate) struct Walked {
    /// Whether it came to the end before the time was over.
    pub(crate) is_done: bool,
    /// Entries of the blocks that were decoded.
    pub(crate) num_postings: u64,
}

/// Documents looked at between two looks at the clock.
const STRIDE: u32 = 512;
/// Entries of a full block, as tantivy has it.
const BLOCK: usize = 128;

/// Tells a visitor the documents of a segment that pass what it asks for, from a threshold on.
///
/// Cost: a step for every document of the rarest word, one in each other list for those that may
/// pass, and a question for those that do.
pub(crate) fn walk(
    weighed: &Weighed,
    segment: &SegmentReader,
    threshold: Score,
    is_over: &dyn Fn() -> bool,
    visit: &mut Visit<'_>,
) -> tantivy::Result<Walked> {
    let Some(mut lists) = Lists::open(weighed, segment)? else {
        return Ok(Walked { is_done: true, num_postings: 0 });
    };
    let mut asked = Asked::open(weighed, segment)?;
    let is_done = lists.walk(threshold, &mut asked, is_over, visit);
    Ok(Walked { is_done, num_postings: lists.num_postings() })
}

/// The words of a query in one segment, the rarest first.
struct Lists {
    words: Vec<Word>,
    /// Up to which document no list changes its block.
    end: Option<DocId>,
    /// What a document until there can have of each word and those behind it; one more for the end.
    bounds: Vec<Score>,
}

impl Lists {
    /// Opens the lists; `None` where a word is unknown.
    fn open(weighed: &Weighed, segment: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let mut words = Vec::with_capacity(weighed.words.len());
        for terms in &weighed.words {
            let word = Word::open(terms, segment)?;
            if word.lists.is_empty() {
                return Ok(None);
            }
            words.push(word);
        }
        words.sort_by_key(Word::len);
        let bounds = vec![0.0; words.len() + 1];
        Ok(Some(Self { words, end: None, bounds }))
    }

    /// Returns whether it came to the end before the time was over.
    fn walk(
        &mut self,
        mut threshold: Score,
        asked: &mut Asked,
        is_over: &dyn Fn() -> bool,
        visit: &mut Visit<'_>,
    ) -> bool {
        let most: Score = self.words.iter().map(Word::most).sum();
        let mut num_steps = 0_u32;
        let mut doc = self.words[0].doc();
        while doc != TERMINATED && most > threshold {
            num_steps = num_steps.wrapping_add(1);
            if num_steps.is_multiple_of(STRIDE) && is_over() {
                return false;
            }
            let next = match self.step(doc, threshold) {
                Step::Scored(score) => match asked.next(doc) {
                    None => {
                        threshold = visit(doc, score);
                        doc + 1
                    }
                    Some(next) => next,
                },
                Step::GoTo(next) => next,
            };
            doc = self.words[0].seek(next);
        }
        true
    }

    /// Looks at one document of the first word.
    fn step(&mut self, doc: DocId, threshold: Score) -> Step {
        if self.end.is_none_or(|end| doc > end) {
            self.end = None;
            if let Some(next) = self.settle(doc) {
                return Step::GoTo(next);
            }
        }
        if self.bounds[0] <= threshold {
            let end = self.end.unwrap_or(TERMINATED);
            return Step::GoTo(if end == TERMINATED { TERMINATED } else { end + 1 });
        }
        let mut score = 0.0;
        for (place, word) in self.words.iter_mut().enumerate() {
            let found = word.seek(doc);
            if found != doc {
                return Step::GoTo(found);
            }
            score += word.score(doc);
            if score + self.bounds[place + 1] <= threshold {
                return Step::GoTo(doc + 1);
            }
        }
        Step::Scored(score)
    }

    /// Brings all words to a document and adds up their bounds from there on; returns where to go on
    /// if one of them does not have it.
    fn settle(&mut self, doc: DocId) -> Option<DocId> {
        let mut end = TERMINATED;
        for word in &mut self.words {
            let found = word.seek(doc);
            if found != doc {
                return Some(found);
            }
            end = end.min(word.end());
        }
        let mut bound = 0.0;
        for (place, word) in self.words.iter_mut().enumerate().rev() {
            bound += word.bound();
            self.bounds[place] = bound;
        }
        self.end = Some(end);
        None
    }

    fn num_postings(&self) -> u64 {
        self.words.iter().flat_map(|word| &word.lists).map(|list| list.num_read).sum()
    }
}

enum Step {
    /// The document has all words and passes.
    Scored(Score),
    /// Neither it nor any other before this one passes.
    GoTo(DocId),
}

/// The lists of the terms that a word may be; at least one.
struct Word {
    lists: Vec<List>,
}

impl Word {
    fn open(terms: &[(Term, Bm25Weight)], segment: &SegmentReader) -> tantivy::Result<Self> {
        let mut lists = Vec::with_capacity(terms.len());
        for (term, weigher) in terms {
            lists.extend(List::open(term, weigher, segment)?);
        }
        Ok(Self { lists })
    }

    fn len(&self) -> u64 {
        self.lists.iter().map(|list| u64::from(list.blocks.doc_freq())).sum()
    }

    fn doc(&self) -> DocId {
        self.lists.iter().map(List::doc).min().unwrap_or(TERMINATED)
    }

    /// Goes on to the first document that is not before the target.
    fn seek(&mut self, target: DocId) -> DocId {
        let docs = self.lists.iter_mut().map(|list| list.seek(target));
        docs.min().unwrap_or(TERMINATED)
    }

    /// Returns what a document that it stands at has of it.
    fn score(&self, doc: DocId) -> Score {
        self.lists.iter().filter(|list| list.doc() == doc).map(List::score).sum()
    }

    /// Returns what any document can have of it.
    fn most(&self) -> Score {
        self.lists.iter().map(|list| list.weigher.max_score()).sum()
    }

    /// Returns what a document up to the end of the present blocks can have of it.
    fn bound(&mut self) -> Score {
        self.lists.iter_mut().map(List::bound).sum()
    }

    fn end(&self) -> DocId {
        self.lists.iter().map(List::end).min().unwrap_or(TERMINATED)
    }
}

/// The list of one term, and where its walk is.
struct List {
    blocks: BlockSegmentPostings,
    place: usize,
    lengths: FieldNormReader,
    weigher: Bm25Weight,
    num_read: u64,
}

impl List {
    fn open(
        term: &Term,
        weigher: &Bm25Weight,
        segment: &SegmentReader,
    ) -> tantivy::Result<Option<Self>> {
        let index = segment.inverted_index(term.field())?;
        let blocks = index.read_block_postings(term, IndexRecordOption::WithFreqs)?;
        let lengths = segment.get_fieldnorms_reader(term.field())?;
        Ok(blocks.map(|blocks| {
            let num_read = blocks.block_len() as u64;
            Self { blocks, place: 0, lengths, weigher: weigher.clone(), num_read }
        }))
    }

    fn doc(&self) -> DocId {
        self.blocks.doc(self.place)
    }

    fn score(&self) -> Score {
        let length = self.lengths.fieldnorm_id(self.doc());
        self.weigher.score(length, self.blocks.freq(self.place))
    }

    /// Returns the last document of the present block; the last block has no end.
    fn end(&self) -> DocId {
        if self.blocks.block_len() == BLOCK { self.blocks.doc(BLOCK - 1) } else { TERMINATED }
    }

    fn bound(&mut self) -> Score {
        self.blocks.block_max_score(&self.lengths, &self.weigher)
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc() < target {
            let is_here = target <= self.end();
            // Most often it is the next one.
            if is_here && self.blocks.doc(self.place + 1) >= target {
                self.place += 1;
            } else {
                self.place = self.blocks.seek(target);
            }
            if !is_here {
                self.num_read += self.blocks.block_len() as u64;
            }
        }
        self.doc()
    }
}

/// What is asked of documents besides their words, in one segment.
struct Asked {
    filters: Vec<Box<dyn Scorer>>,
    excluded: Vec<Box<dyn Scorer>>,
}

impl Asked {
    fn open(weighed: &Weighed, segment: &SegmentReader) -> tantivy::Result<Self> {
        let open = |weights: &[Box<dyn Weight>]| -> tantivy::Result<Vec<_>> {
            weights.iter().map(|weight| weight.scorer(segment, 1.0)).collect()
        };
        Ok(Self { filters: open(&weighed.filters)?, excluded: open(&weighed.excluded)? })
    }

    /// Returns the first document that may do if this one does not.
    fn next(&mut self, doc: DocId) -> Option<DocId> {
        for filter in &mut self.filters {
            let found = reach(filter.as_mut(), doc);
            if found != doc {
                return Some(found);
            }
        }
        let is_excluded = self.excluded.iter_mut().any(|set| reach(set.as_mut(), doc) == doc);
        is_excluded.then_some(doc + 1)
    }
}

/// Moves on to the first document that is not before the target.
fn reach(set: &mut dyn Scorer, target: DocId) -> DocId {
    if set.doc() < target { set.seek(target) } else { set.doc() }
}
