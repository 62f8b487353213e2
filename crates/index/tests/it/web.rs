//! A made-up page log and short ways to look into an index.

use std::path::Path;

use base::{
    Block, Collection, ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url, Zone,
    pages,
};
use index::{Options, Reader};
use tantivy::Term;
use tantivy::collector::Count;
use tantivy::query::{PhraseQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tempfile::TempDir;

pub(crate) const OPTIONS: Options = Options { memory_bytes: 16 * 1024 * 1024 };

/// A collection in a temporary folder with an open page log.
pub(crate) struct Web {
    _folder: TempDir,
    pub(crate) collection: Collection,
    pub(crate) log: pages::Writer,
}

impl Web {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let log = pages::Writer::open(&collection.pages()).unwrap();
        Self { _folder: folder, collection, log }
    }

    pub(crate) fn push(&mut self, record: &PageRecord) {
        self.log.append(record).unwrap();
        self.log.sync().unwrap();
    }

    /// Indexes everything, and checks the result against the log.
    pub(crate) fn index(&self) -> index::Committed {
        let committed = index::catch_up(&self.collection, OPTIONS, |_| {}).unwrap();
        assert_eq!(index::check(&self.collection).unwrap().problems, []);
        committed
    }
}

pub(crate) fn page(number: u64, url: &str, text: &str) -> PageRecord {
    PageRecord {
        kind: ContentKind::Html,
        language: Some("en".to_owned()),
        blocks: vec![block(Zone::Body, text)],
        ..PageRecord::new(
            PageId::new(0, number).unwrap(),
            Url::parse(url).unwrap(),
            Timestamp::from_millis(1_763_285_400_000),
            200,
        )
    }
}

pub(crate) fn block(zone: Zone, text: &str) -> Block {
    Block { zone, text: text.to_owned() }
}

pub(crate) fn link(target: &str, anchor: &str) -> Link {
    Link {
        target: Url::parse(target).unwrap(),
        kind: LinkKind::Anchor,
        rel: Rel::default(),
        anchor: anchor.to_owned(),
    }
}

fn count(folder: &Path, make: impl Fn(index::Fields) -> Box<dyn Query>) -> usize {
    let Some(snapshot) = Reader::open(folder).snapshot().unwrap() else { return 0 };
    snapshot.searcher.search(&make(snapshot.fields), &Count).unwrap()
}

/// Returns how many pages have a stem.
pub(crate) fn num_with_stem(collection: &Collection, stem: &str) -> usize {
    count(&collection.index(), |fields| {
        let term = Term::from_field_text(fields.stems, stem);
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    })
}

/// Returns how many pages have words side by side.
pub(crate) fn num_with_phrase(collection: &Collection, words: &str) -> usize {
    count(&collection.index(), |fields| {
        let terms = words.split(' ').map(|word| Term::from_field_text(fields.words, word));
        Box::new(PhraseQuery::new(terms.collect()))
    })
}

pub(crate) fn num_docs(collection: &Collection) -> u64 {
    let snapshot = Reader::open(&collection.index()).snapshot().unwrap();
    snapshot.map_or(0, |snapshot| snapshot.searcher.num_docs())
}
