//! A made-up web from page records to a searcher.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use base::{
    Block, Collection, ContentKind, Generation, Link, LinkKind, PageId, PageRecord, Rel, Timestamp,
    Url, Zone, pages,
};
use index::anchors::Knowledge;
use rank::{Phrases, Request, Results, Searcher};
use tempfile::TempDir;

/// A collection in a temporary folder with an open page log.
pub(crate) struct Web {
    _folder: TempDir,
    pub(crate) collection: Collection,
    log: pages::Writer,
    num_pages: u64,
}

impl Web {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let log = pages::Writer::open(&collection.pages()).unwrap();
        Self { _folder: folder, collection, log, num_pages: 0 }
    }

    /// Makes a web of pages `http://d1.example/`, `http://d2.example/`, … with these texts.
    pub(crate) fn of_texts(texts: &[&str]) -> Self {
        let mut web = Self::new();
        for (number, text) in (1..).zip(texts) {
            web.push(&page(&format!("http://d{number}.example/"), text));
        }
        web.index();
        web
    }

    /// Appends a page; it gets the next id.
    pub(crate) fn push(&mut self, record: &PageRecord) {
        let record = PageRecord { id: PageId::new(0, self.num_pages).unwrap(), ..record.clone() };
        self.num_pages += 1;
        self.push_as_it_is(&record);
    }

    pub(crate) fn push_as_it_is(&mut self, record: &PageRecord) {
        self.log.append(record).unwrap();
        self.log.sync().unwrap();
    }

    pub(crate) fn index(&self) {
        let options = index::Options { memory_bytes: 16 * 1024 * 1024 };
        index::catch_up(&self.collection, options, |_| {}).unwrap();
        assert_eq!(index::check(&self.collection).unwrap().problems, []);
    }

    /// Makes and publishes the next generation of scores and anchors.
    pub(crate) fn analyse(&self) {
        let last = self.collection.generation().unwrap().unwrap_or(Generation(0));
        let next = Generation(last.0 + 1);
        let options = graph::AnalyseOptions::default();
        graph::analyse(&self.collection, next, &options, &mut graph::unwatched).unwrap();
        let folder = self.collection.anchors(next);
        let options = index::anchors::Options::default();
        let voice_of = |url: &Url| url.site().as_str().to_owned();
        let phrases = Phrases::new(&self.collection, next, &|_| false, &voice_of);
        let phrases = RefCell::new(phrases);
        let on_page = |record: &PageRecord| phrases.borrow_mut().push(record);
        let knowledge = Knowledge { on_page: &on_page, ..Knowledge::default() };
        let pages = self.collection.pages();
        index::anchors::build_with(&pages, &folder, options, &knowledge).unwrap();
        phrases.into_inner().finish().unwrap();
        self.collection.publish(next).unwrap();
    }

    pub(crate) fn searcher(&self) -> Searcher {
        Searcher::open(&self.collection).unwrap()
    }

    pub(crate) fn search(&self, query: &str) -> Results {
        self.searcher().search(&Request::new(query)).unwrap()
    }

    /// Returns the hosts of the answers without the top, best first.
    pub(crate) fn found(&self, query: &str) -> Vec<String> {
        hosts(&self.search(query))
    }

    /// Like [`Self::found`], in order of name.
    pub(crate) fn found_sorted(&self, query: &str) -> Vec<String> {
        let mut hosts = self.found(query);
        hosts.sort_unstable();
        hosts
    }
}

pub(crate) fn hosts(results: &Results) -> Vec<String> {
    let host = |hit: &rank::Hit| hit.url.host().as_str().replace(".example", "");
    results.hits.iter().map(host).collect()
}

/// Returns the notes of an answer in words.
pub(crate) fn told(results: &Results) -> Vec<String> {
    results.notes.iter().map(ToString::to_string).collect()
}

/// Waits until something has come true; nothing here takes nearly as long as is waited.
#[track_caller]
pub(crate) fn until(what: &str, is_true: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn page(url: &str, text: &str) -> PageRecord {
    PageRecord {
        kind: ContentKind::Html,
        language: Some("en".to_owned()),
        blocks: vec![block(Zone::Body, text)],
        ..PageRecord::new(
            PageId::new(0, 0).unwrap(),
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

/// The seven documents of W9.
pub(crate) const JAGUARS: [&str; 7] = [
    "jaguar new world mammal felidae family",
    "jaguar design four new engine",
    "jaguar atari keen 68k family device",
    "jacksonville jaguar professional us football team",
    "mac os x jaguar available price us $199 apple new family pack",
    "one such rule family incorporate jaguar their name jaguar paw",
    "big cat",
];
