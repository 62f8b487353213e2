//! Pages in folders: a walk over the keys that begin so.
//!
//! A host may have a million pages, and a query may name sixty folders of it. A range of tantivy
//! reads all its keys before it tells the first page, however long that takes. This walk looks at
//! the clock; where time runs out, it tells the pages that it has come to, and the search says that
//! it is partial. What was walked to the end is kept for as long as the search lasts, since the
//! same is asked when pages are found, counted and ordered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::index::SegmentId;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::{
    BitSetDocSet, ConstScorer, EmptyScorer, EnableScoring, Explanation, Query, Scorer, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, InvertedIndexReader, Score, SegmentReader, TantivyError};

use crate::patience::Patience;
use crate::plan::Start;

/// Bytes of sets that a search keeps: those of 25 conditions on ten million pages.
const MOST_BYTES: usize = 32 << 20;

/// Asks for the pages whose keys begin in one of some ways.
#[derive(Clone, Debug)]
pub(crate) struct BelowQuery {
    field: Field,
    starts: Arc<[Start]>,
    folders: Folders,
    patience: Patience,
}

impl BelowQuery {
    /// Takes the field of the keys. What lies in several of the folders is walked once.
    pub(crate) fn new(
        field: Field,
        mut starts: Vec<Start>,
        folders: &Folders,
        patience: &Patience,
    ) -> Self {
        // A folder comes before those in it.
        starts.sort_unstable();
        starts.dedup_by(|next, kept| kept.covers(next));
        let (folders, patience) = (folders.clone(), patience.clone());
        Self { field, starts: starts.into(), folders, patience }
    }

    /// Returns the pages of a segment that were come to in time; `None` if none was looked for.
    fn pages(&self, reader: &SegmentReader) -> tantivy::Result<Option<BitSet>> {
        let place = (reader.segment_id(), self.starts.clone());
        if let Some(known) = self.folders.get(&place) {
            return Ok(Some(known));
        }
        if self.patience.is_over() {
            return Ok(None);
        }
        let index = reader.inverted_index(self.field)?;
        let mut walk = Walk {
            index: &index,
            pages: BitSet::with_max_value(reader.max_doc()),
            postings: None,
            patience: &self.patience,
            steps: 0,
        };
        for start in self.starts.iter() {
            if !walk.take(start)? {
                return Ok(Some(walk.pages));
            }
        }
        self.folders.keep(place, &walk.pages);
        Ok(Some(walk.pages))
    }
}

impl Query for BelowQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(BelowWeight(self.clone())))
    }
}

struct BelowWeight(BelowQuery);

impl Weight for BelowWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(match self.0.pages(reader)? {
            Some(pages) => Box::new(ConstScorer::new(BitSetDocSet::from(pages), boost)),
            None => Box::new(EmptyScorer),
        })
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        if self.0.pages(reader)?.is_some_and(|pages| pages.contains(doc)) {
            return Ok(Explanation::new("Below", 1.0));
        }
        Err(TantivyError::InvalidArgument(format!("document {doc} is in none of the folders")))
    }
}

/// The pages of folders, segment by segment, as far as a search has looked for them. Clones share
/// what they know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folders(Arc<Mutex<Kept>>);

/// A segment, and the folders in it.
type Place = (SegmentId, Arc<[Start]>);

#[derive(Debug, Default)]
struct Kept {
    pages: HashMap<Place, BitSet>,
    num_bytes: usize,
}

impl Folders {
    fn get(&self, place: &Place) -> Option<BitSet> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pages.get(place).cloned()
    }

    /// Keeps a whole set, if there is room for it.
    fn keep(&self, place: Place, pages: &BitSet) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let num_bytes = kept.num_bytes + pages.max_value() as usize / 8;
        if num_bytes <= MOST_BYTES {
            kept.num_bytes = num_bytes;
            kept.pages.insert(place, pages.clone());
        }
    }
}

/// A walk over the keys of a segment. Its steps return whether there was time to come to the end.
struct Walk<'a> {
    index: &'a InvertedIndexReader,
    pages: BitSet,
    /// The list of the key before, used again: most hold one page, and room for a block of them.
    postings: Option<BlockSegmentPostings>,
    patience: &'a Patience,
    steps: u32,
}

impl Walk<'_> {
    fn take(&mut self, start: &Start) -> tantivy::Result<bool> {
        let whole = format!("{}){}", start.origin, start.path);
        if !self.take_range(whole.as_bytes())? {
            return Ok(false);
        }
        if !start.is_any_port {
            return Ok(true);
        }
        // Keys with a port stand together, and those of one port too: the walk goes from port to
        // port without looking at the pages of other folders.
        let mut from = format!("{}:", start.origin).into_bytes();
        let end = after(&from);
        while let Some(origin) = self.next_origin(&from, &end)? {
            let whole = [&*origin, start.path.as_bytes()].concat();
            if self.patience.is_lost(&mut self.steps) || !self.take_range(&whole)? {
                return Ok(false);
            }
            from = after(&origin);
        }
        Ok(true)
    }

    /// Takes the pages of all keys that begin so.
    fn take_range(&mut self, prefix: &[u8]) -> tantivy::Result<bool> {
        let range = self.index.terms().range().without_keys();
        let mut keys = range.ge(prefix).lt(after(prefix)).into_stream()?;
        while keys.advance() {
            if self.patience.is_lost(&mut self.steps) {
                return Ok(false);
            }
            self.take_pages(keys.value())?;
        }
        Ok(true)
    }

    /// Takes the pages of one key: one, and those that it has replaced since the last merge.
    fn take_pages(&mut self, info: &TermInfo) -> tantivy::Result<()> {
        if let Some(postings) = &mut self.postings {
            self.index.reset_block_postings_from_terminfo(info, postings)?;
        } else {
            let option = IndexRecordOption::Basic;
            self.postings = Some(self.index.read_block_postings_from_terminfo(info, option)?);
        }
        let Some(postings) = &mut self.postings else { return Ok(()) };
        while !postings.docs().is_empty() {
            for doc in postings.docs() {
                self.pages.insert(*doc);
            }
            postings.advance();
        }
        Ok(())
    }

    /// Returns what the first key of a range begins with, up to its parenthesis.
    fn next_origin(&self, from: &[u8], end: &[u8]) -> tantivy::Result<Option<Vec<u8>>> {
        let mut keys = self.index.terms().range().ge(from).lt(end).into_stream()?;
        let Some((key, _)) = keys.next() else { return Ok(None) };
        let last = key.iter().position(|byte| *byte == b')');
        Ok(last.map(|last| key[..=last].to_vec()))
    }
}

/// Returns what comes after everything that begins so.
fn after(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    // No byte of a text is the largest there is.
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use base::Url;
    use tantivy::schema::{STRING, Schema};
    use tantivy::{DocSet, Index, IndexWriter, Searcher, TERMINATED, TantivyDocument};

    use super::*;

    /// Returns an index with a page for each address, and the field of their keys.
    fn searcher(addresses: impl Iterator<Item = String>) -> (Searcher, Field) {
        let mut builder = Schema::builder();
        let field = builder.add_text_field("key", STRING);
        let index = Index::create_in_ram(builder.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for address in addresses {
            let mut document = TantivyDocument::new();
            document.add_text(field, Url::parse(&address).unwrap().surt());
            writer.add_document(document).unwrap();
        }
        writer.commit().unwrap();
        (index.reader().unwrap().searcher(), field)
    }

    fn start(address: &str, is_any_port: bool) -> Start {
        Start::of(&Url::parse(address).unwrap(), is_any_port).unwrap()
    }

    fn found(searcher: &Searcher, query: &BelowQuery) -> Vec<DocId> {
        let weight = query.weight(EnableScoring::disabled_from_searcher(searcher)).unwrap();
        let mut docs = Vec::new();
        for segment in searcher.segment_readers() {
            let mut scorer = weight.scorer(segment, 1.0).unwrap();
            while scorer.doc() != TERMINATED {
                docs.push(scorer.doc());
                scorer.advance();
            }
        }
        docs
    }

    fn patience(rest: Duration) -> Patience {
        Patience::until(Instant::now() + rest, None)
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_folder_is_found_at_any_port_or_at_one() {
        let addresses = [
            "http://a.example/x",
            "http://a.example/xy?z",
            "http://a.example/y",
            "http://a.example:80/x/z",
            "http://a.example:8/x",
            "http://a.example:808/a",
            "http://a.example:8080/x",
            "http://a.example:8080/w",
            "http://a.example:8081/x/y",
            "https://a.example/x",
            "https://a.example:8080/x",
            "http://aa.example:8080/x",
            "http://b.a.example:8080/x",
        ];
        let (searcher, field) = searcher(addresses.iter().map(ToString::to_string));
        let check = |starts: &[Start], expected: &[DocId]| {
            let patience = patience(HOUR);
            let folders = Folders::default();
            let query = BelowQuery::new(field, starts.to_vec(), &folders, &patience);
            assert_eq!(found(&searcher, &query), expected, "{starts:?}");
            // The second time it is known.
            assert_eq!(folders.0.lock().unwrap().pages.len(), 1);
            assert_eq!(found(&searcher, &query), expected, "{starts:?}");
            // Keys say the same one by one.
            let holds = |address: &str| {
                let key = Url::parse(address).unwrap().surt();
                starts.iter().any(|start| start.holds(&key))
            };
            let numbers = (0_u32..).zip(addresses).filter(|(_, address)| holds(address));
            assert_eq!(numbers.map(|(number, _)| number).collect::<Vec<_>>(), expected);
        };
        check(&[start("http://a.example/x", true)], &[0, 1, 3, 4, 6, 8]);
        check(&[start("http://a.example/x", false)], &[0, 1, 3]);
        check(&[start("http://a.example:8080/x", false)], &[6]);
        check(&[start("http://a.example:8080/", false)], &[6, 7]);
        check(&[start("http://a.example:80/x/", false)], &[3]);
        check(&[start("https://a.example/", true)], &[9, 10]);
        check(&[start("http://nowhere.example/", true)], &[]);
        check(&[start("http://a.example/y", true), start("http://a.example/xy", true)], &[1, 2]);
    }

    #[test]
    fn what_lies_in_another_folder_is_not_walked_again() {
        let folders = ["/x", "/xy", "/y", "/x/z", "/"]
            .map(|path| [true, false].map(|any| start(&format!("http://a.example{path}"), any)));
        let new = |starts: Vec<Start>| {
            let field = Field::from_field_id(0);
            BelowQuery::new(field, starts, &Folders::default(), &patience(HOUR)).starts
        };
        let all: Vec<Start> = folders.concat();
        assert_eq!(*new(all[..8].to_vec()), [&all[1], &all[5], &all[0], &all[4]].map(Clone::clone));
        assert_eq!(*new(all.clone()), [&all[9], &all[8]].map(Clone::clone));
    }

    #[test]
    fn a_walk_ends_with_the_time_and_is_not_kept() {
        let addresses = (0..2_000).map(|number| format!("http://a.example:80{number}/{number}"));
        let addresses = addresses.filter(|address| Url::parse(address).is_ok());
        let others = (0..2_000).map(|number| format!("http://a.example/{number}"));
        let (searcher, field) = searcher(addresses.chain(others));
        let starts = vec![start("http://a.example/", true)];
        let folders = Folders::default();
        let query =
            |patience: &Patience| BelowQuery::new(field, starts.clone(), &folders, patience);
        let over = patience(Duration::ZERO);
        assert!(found(&searcher, &query(&over)).is_empty() && over.was_lost());
        assert!(folders.0.lock().unwrap().pages.is_empty());
        // One that is lost on the way ends at the next look at the clock.
        let segment = searcher.segment_reader(0);
        let index = segment.inverted_index(field).unwrap();
        let mut walk = Walk {
            index: &index,
            pages: BitSet::with_max_value(segment.max_doc()),
            postings: None,
            patience: &patience(Duration::ZERO),
            steps: 0,
        };
        assert!(!walk.take(&starts[0]).unwrap());
        assert!((1..100).contains(&walk.pages.len()), "{}", walk.pages.len());
        // In time all are found, and then they are known without any.
        let all = found(&searcher, &query(&patience(HOUR)));
        assert_eq!(all.len(), searcher.num_docs() as usize);
        assert_eq!(found(&searcher, &query(&over)), all);
    }
}
