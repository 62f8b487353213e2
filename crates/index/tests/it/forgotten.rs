//! Pages that were taken out on request (C18): not found, not credited, not heard.

use std::fs;

use base::log::Position;
use base::{ContentKind, Oddity, PageRecord, pages};
use index::anchors::{Anchors, Built, Knowledge, Options, build_with};

use crate::web::{Web, link, num_docs, num_with_stem, page};

const HOME: &str = "http://pictures.example/";

fn tombstone(record: &PageRecord) -> PageRecord {
    PageRecord {
        status: 410,
        kind: ContentKind::Empty,
        blocks: Vec::new(),
        links: Vec::new(),
        oddities: vec![Oddity::Forgotten],
        ..record.clone()
    }
}

/// Takes a page out as the crawler does: a tombstone, and its records erased.
fn forget(web: &mut Web, record: &PageRecord) {
    let mut reader = pages::Reader::open(&web.collection.pages(), Position::START).unwrap();
    let mut places = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        if entry.record.url == record.url {
            places.push(entry.start);
        }
    }
    web.push(&tombstone(record));
    pages::erase(&web.collection.pages(), &places).unwrap();
}

fn anchors(web: &Web, kept_out: &str) -> (Built, Anchors) {
    let folder = web.collection.anchors(base::Generation(1));
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    let is_kept_out = |url: &base::Url| url.as_str() == kept_out;
    let pages = web.collection.pages();
    let knowledge = Knowledge { is_kept_out: &is_kept_out, ..Knowledge::default() };
    let built = build_with(&pages, &folder, Options::default(), &knowledge).unwrap();
    (built, Anchors::open(&folder).unwrap())
}

#[test]
fn a_forgotten_page_is_not_found_and_says_nothing_of_others() {
    let mut web = Web::new();
    let (home, mut other) = (page(0, HOME, "jaguar"), page(1, "http://b.example/", "river"));
    other.links = vec![link(HOME, "big cats")];
    web.push(&home);
    web.push(&other);
    web.index();
    assert_eq!((num_docs(&web.collection), anchors(&web, "").0.num_targets), (2, 1));
    forget(&mut web, &other);
    web.index();
    assert_eq!(num_with_stem(&web.collection, "river"), 0);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 1);
    assert_eq!(anchors(&web, "").0.num_targets, 0, "its words are gone too");
}

#[test]
fn an_index_that_never_saw_the_page_agrees() {
    let mut web = Web::new();
    let home = page(0, HOME, "jaguar");
    web.push(&home);
    web.push(&page(1, "http://b.example/", "river"));
    forget(&mut web, &home);
    web.index();
    assert_eq!((num_docs(&web.collection), num_with_stem(&web.collection, "jaguar")), (1, 0));
}

#[test]
fn the_words_of_others_do_not_bring_it_back() {
    let mut web = Web::new();
    let (home, mut other) = (page(0, HOME, "jaguar"), page(1, "http://b.example/", "river"));
    let unknown = "http://pictures.example/never-fetched";
    other.links = vec![link(HOME, "big cats"), link(unknown, "lynx")];
    web.push(&home);
    web.push(&other);
    assert_eq!(anchors(&web, "").1.num_targets(), 2);
    forget(&mut web, &home);
    assert_eq!(anchors(&web, "").1.num_targets(), 1, "the one that was never fetched");
    assert_eq!(anchors(&web, unknown).1.num_targets(), 0);
}
