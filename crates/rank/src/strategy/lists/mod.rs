//! Posting lists ordered by weight, with random access by document, for one commit of the index.
//!
//! ```text
//! file    = "LOOKFARL" | version: u32 le | list × n | tail | trailer
//! list    = block × ⌈count / 512⌉ by weight, largest first | as many by ordinal
//! block   = (ordinal: u32 le, weight: f32 le) × up to 512 | crc32 of them: u32 le
//! tail    = commit: text | pages: [u64] by ordinal | leaders: [(ordinal: u32, norm: f32)]
//!         | led by: [u32] by ordinal, place in `leaders`
//!         | terms: [(term: text, offset: u64, count: u32, first ordinals: [u32] by block)]
//! trailer = offset of the tail: u64 le | its length: u64 le | its crc32: u32 le
//!         | crc32 of the three: u32 le
//! text    = length: u32 le | bytes      [x] = length: u32 le | x × length      all le
//! ```
//! A document's ordinal is its page's place in `pages`, which is in order. A weight is the BM25 of
//! the term in the document, as tantivy computes it in that commit. Terms of fewer documents than
//! the floor have no list here: theirs is made from the index when it is asked for.

mod build;
mod file;
mod leaders;

use std::collections::{HashMap, hash_map};
use std::io;
use std::path::Path;

use base::PageId;
use index::Snapshot;
use tantivy::Searcher;
use tantivy::Term;

pub(crate) use build::{Weigher, build};
#[cfg(test)]
pub(crate) use file::write_given;
use file::{BLOCK, Place, Source};
pub(crate) use file::{Entry, check};

/// Terms of fewer documents have no list on disk.
pub(crate) const FLOOR: u64 = 64;

/// The lists of one commit.
#[derive(Debug)]
pub(crate) struct Lists {
    source: Source,
    commit: String,
    pages: Vec<u64>,
    leaders: Vec<Leader>,
    led_by: Vec<u32>,
    terms: HashMap<Vec<u8>, Place>,
}

/// A document that others follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leader {
    pub(crate) ordinal: u32,
    /// Length of its vector of weights.
    pub(crate) norm: f32,
}

/// The list of one term.
#[derive(Debug)]
pub(crate) enum List<'a> {
    /// On disk; blocks are read when they are needed.
    Stored {
        source: &'a Source,
        place: &'a Place,
        /// The block by weight that was read last.
        by_weight: Option<(usize, Vec<Entry>)>,
        /// The blocks by ordinal that were read.
        by_ordinal: HashMap<usize, Vec<Entry>>,
    },
    /// Made from the index.
    Made { by_weight: Vec<Entry>, by_ordinal: Vec<Entry> },
}

impl Lists {
    /// Opens a file and verifies all of it but the lists, whose blocks are verified when read.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        file::open(path)
    }

    /// Returns whether they were made of exactly this commit.
    pub(crate) fn is_of(&self, snapshot: &Snapshot) -> bool {
        self.commit == commit_name(&snapshot.searcher)
    }

    /// Returns the number of documents.
    pub(crate) fn num_docs(&self) -> u32 {
        u32::try_from(self.pages.len()).expect("ordinals are 32 bits")
    }

    /// Returns the page of a document.
    pub(crate) fn page(&self, ordinal: u32) -> PageId {
        PageId::from_u64(self.pages[ordinal as usize])
    }

    pub(crate) fn leaders(&self) -> &[Leader] {
        &self.leaders
    }

    /// Returns the place of each document's leader.
    pub(crate) fn led_by(&self) -> &[u32] {
        &self.led_by
    }

    /// Returns the list of a term.
    pub(crate) fn list(&self, term: &Term, snapshot: &Snapshot) -> tantivy::Result<List<'_>> {
        if let Some(list) = self.stored(term.serialized_value_bytes()) {
            return Ok(list);
        }
        let by_ordinal = build::entries_of(term, snapshot, |page| {
            self.pages.binary_search(&page.as_u64()).ok().and_then(|place| place.try_into().ok())
        })?;
        let mut by_weight = by_ordinal.clone();
        by_weight.sort_by(Entry::by_weight);
        Ok(List::Made { by_weight, by_ordinal })
    }

    /// Returns the list of a term on disk.
    pub(crate) fn stored(&self, term: &[u8]) -> Option<List<'_>> {
        let place = self.terms.get(term)?;
        let (by_weight, by_ordinal) = (None, HashMap::new());
        Some(List::Stored { source: &self.source, place, by_weight, by_ordinal })
    }
}

impl List<'_> {
    /// Returns the number of documents.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Stored { place, .. } => place.count as usize,
            Self::Made { by_weight, .. } => by_weight.len(),
        }
    }

    /// Returns the entry that only `place` others outweigh; `None` behind the end.
    pub(crate) fn by_weight(&mut self, place: usize) -> io::Result<Option<Entry>> {
        match self {
            Self::Made { by_weight, .. } => Ok(by_weight.get(place).copied()),
            Self::Stored { place: list, .. } if place >= list.count as usize => Ok(None),
            Self::Stored { source, place: list, by_weight, .. } => {
                let number = place / BLOCK;
                if by_weight.as_ref().is_none_or(|(read, _)| *read != number) {
                    *by_weight = Some((number, source.block_by_weight(list, number)?));
                }
                let block = by_weight.as_ref().map(|(_, entries)| entries);
                Ok(block.and_then(|entries| entries.get(place % BLOCK)).copied())
            }
        }
    }

    /// Returns the weight in a document; `None` if it does not have the term.
    pub(crate) fn weight_of(&mut self, ordinal: u32) -> io::Result<Option<f32>> {
        let entries = match self {
            Self::Made { by_ordinal, .. } => &*by_ordinal,
            Self::Stored { source, place, by_ordinal, .. } => {
                let behind = place.firsts.partition_point(|first| *first <= ordinal);
                let Some(number) = behind.checked_sub(1) else { return Ok(None) };
                match by_ordinal.entry(number) {
                    hash_map::Entry::Occupied(read) => &*read.into_mut(),
                    hash_map::Entry::Vacant(room) => {
                        room.insert(source.block_by_ordinal(place, number)?)
                    }
                }
            }
        };
        let found = entries.binary_search_by_key(&ordinal, |entry| entry.ordinal);
        Ok(found.ok().map(|place| entries[place].weight))
    }
}

/// Returns a text that is the same for two commits only if they hold the same documents: their
/// segments and how many documents of each are deleted, which only grow in number.
fn commit_name(searcher: &Searcher) -> String {
    let mut segments: Vec<String> = searcher
        .segment_readers()
        .iter()
        .map(|segment| {
            format!("{} {}", segment.segment_id().uuid_string(), segment.num_deleted_docs())
        })
        .collect();
    segments.sort_unstable();
    segments.join("\n")
}
