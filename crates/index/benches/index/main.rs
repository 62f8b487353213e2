//! How fast are pages indexed, and how large is the index? Against bare tantivy on the same texts.
//!
//! `cargo xtask bench index -- --docs 50000 --memory 64`, MiB; real text comes from HTML files below `LOOKFAR_DOCS`.
//! With `LOOKFAR_PAGES` set to a collection its pages are indexed as they are, and only the size of
//! the index is told, by field and part.
//! Both find the same words; ours indexes them twice (stems, and surface forms with positions), and
//! titles, asides, addresses and filters beside.

#![allow(clippy::print_stdout, clippy::unwrap_used, unreachable_pub, missing_docs, dead_code)]

mod bare;
mod corpus;

use std::collections::BTreeMap;
use std::path::Path;

use base::file::size_below;
use base::log::Position;
use base::{Collection, pages};
use corpus::{cpu_seconds, load, option};
use tantivy::{Searcher, SegmentReader};

/// MiB for each of them, unless `--memory` says otherwise.
const MEMORY: usize = 64;

fn main() {
    if let Some(root) = std::env::var_os("LOOKFAR_PAGES") {
        return measure(Path::new(&root));
    }
    let num_docs = option("--docs", 50_000);
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    let written = corpus::write_log(&collection, num_docs, corpus::docs().as_deref());
    let text = written.text_bytes as f64;
    println!(
        "{num_docs} documents, {} of real text, {:.0} MB of text; load {}",
        written.num_real,
        text / 1e6,
        load()
    );
    let memory_bytes = option("--memory", MEMORY) * 1024 * 1024;
    let begun = cpu_seconds();
    bare::build(&collection, &folder.path().join("bare"), memory_bytes);
    let bare_rate = num_docs as f64 / (cpu_seconds() - begun);
    let bare_size = size_below(&folder.path().join("bare")) as f64;
    println!("bare      {bare_rate:>8.0} documents per CPU-s, {:.0} MB", bare_size / 1e6);

    let options = index::Options { memory_bytes };
    let begun = cpu_seconds();
    index::catch_up(&collection, options, |_| {}).unwrap();
    report("live", num_docs, begun, bare_rate, &collection, text);
    let begun = cpu_seconds();
    let rank = |page: base::PageId| (page.index().wrapping_mul(7_919) % 1_000) as f32 / 1_000.0;
    index::rebuild_by_rank(&collection, options, &rank, |_| {}).unwrap();
    report("by rank", num_docs, begun, bare_rate, &collection, text);
}

/// Indexes the pages of a collection beside it and prints what takes how much.
fn measure(root: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    let pages = Collection::open(root).unwrap().pages();
    std::os::unix::fs::symlink(pages.canonicalize().unwrap(), collection.pages()).unwrap();
    let mut log = pages::Reader::open(&collection.pages(), Position::START).unwrap();
    let (mut text, mut blocks, mut num_docs) = (0, 0, 0);
    while let Some(entry) = log.next_entry().unwrap() {
        if index::is_answer(&entry.record) {
            num_docs += 1;
            blocks += entry.record.blocks.len();
            text += entry.record.blocks.iter().map(|block| block.text.len()).sum::<usize>();
        }
    }
    println!("{num_docs} pages, {blocks} blocks, {:.1} MB of text", text as f64 / 1e6);
    let begun = cpu_seconds();
    let options = index::Options { memory_bytes: option("--memory", MEMORY) * 1024 * 1024 };
    index::rebuild(&collection, options, |_| {}).unwrap();
    report("anew", num_docs, begun, f64::NAN, &collection, text as f64);
}

fn report(
    name: &str,
    num_docs: usize,
    begun: f64,
    bare_rate: f64,
    collection: &Collection,
    text: f64,
) {
    let rate = num_docs as f64 / (cpu_seconds() - begun);
    let snapshot = index::Reader::open(&collection.index()).snapshot().unwrap().unwrap();
    let stored =
        |segment: &SegmentReader| segment.space_usage().unwrap().store().total().get_bytes();
    let segments = snapshot.searcher.segment_readers();
    let store: u64 = segments.iter().map(stored).sum();
    let size = size_below(&collection.index());
    println!(
        "{name:<9} {rate:>8.0} documents per CPU-s, {:.2} of bare; {:.0} MB, search structures \
         {:.1} % of the text; {} segments; load {}",
        rate / bare_rate,
        size as f64 / 1e6,
        100.0 * (size - store) as f64 / text,
        segments.len(),
        load()
    );
    parts(&snapshot.searcher, text);
}

/// Prints which fields take how much, in percent of the text.
fn parts(searcher: &Searcher, text: f64) {
    let mut sizes = BTreeMap::<(String, &str), u64>::new();
    for segment in searcher.segment_readers() {
        let usage = segment.space_usage().unwrap();
        for (part, fields) in [
            ("terms", usage.termdict()),
            ("postings", usage.postings()),
            ("positions", usage.positions()),
            ("columns", usage.fast_fields()),
            ("lengths", usage.fieldnorms()),
        ] {
            for field in fields.fields() {
                let name = field.field_name().to_owned();
                *sizes.entry((name, part)).or_default() += field.total().get_bytes();
            }
        }
    }
    let mut sizes: Vec<_> = sizes.into_iter().collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    for ((field, part), size) in sizes.into_iter().take(24) {
        println!("            {:>5.1} % {field} {part}", 100.0 * size as f64 / text);
    }
}
