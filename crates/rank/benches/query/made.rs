//! A collection as an analysis leaves it: pages, links, anchors, and an index sorted by rank.

use base::{Collection, Generation};

use crate::corpus::{self, Written};

/// Makes a collection of so many pages.
pub fn collection(collection: &Collection, num_docs: usize, memory: usize) -> Written {
    let written = corpus::write_log(collection, num_docs, corpus::docs().as_deref());
    let generation = Generation(1);
    let options = graph::AnalyseOptions::default();
    graph::analyse(collection, generation, &options, &mut graph::unwatched).unwrap();
    let anchors = collection.anchors(generation);
    index::anchors::build(&collection.pages(), &anchors, Default::default()).unwrap();
    collection.publish(generation).unwrap();
    let options = index::Options { memory_bytes: memory };
    index::rebuild_by_rank(collection, options, &rank::importance(collection), |_| {}).unwrap();
    written
}
