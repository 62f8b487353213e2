//! What a list has given so far: each target once, within the limit (SMP-03).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use base::{Listed, ListedKind, Url};

/// Entries looked at for one that may be kept: repeated and unusable ones cost time too.
const SEEN_PER_KEPT: usize = 4;
/// The same for extras: a site in fifteen languages names all of them with each page.
const EXTRAS_SEEN_PER_KEPT: usize = 16;
/// Priority of what has none, by the sitemaps protocol.
pub(super) const PRIORITY: u8 = 5;

/// Entries found so far, each target once.
pub(super) struct Found<'a> {
    /// The list itself, which is no entry of itself (SMP-04).
    url: &'a Url,
    most: usize,
    seen: usize,
    listed: Vec<Listed>,
    places: HashMap<Url, usize>,
    extras: Vec<Url>,
    extras_known: HashSet<Url>,
    extras_seen: usize,
    is_cut: bool,
}

impl<'a> Found<'a> {
    pub(super) fn new(url: &'a Url, most: usize) -> Self {
        Self {
            url,
            most,
            seen: 0,
            listed: Vec::new(),
            places: HashMap::new(),
            extras: Vec::new(),
            extras_known: HashSet::new(),
            extras_seen: 0,
            is_cut: false,
        }
    }

    /// Counts an entry; ends the reading when there were too many, whatever became of them.
    pub(super) fn see(&mut self) -> ControlFlow<()> {
        self.seen += 1;
        if self.seen > self.most.saturating_mul(SEEN_PER_KEPT) {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Takes an entry; ends the reading at the first one for which there is no room (SMP-03).
    pub(super) fn add(&mut self, listed: Listed) -> ControlFlow<()> {
        if listed.target == *self.url {
            return ControlFlow::Continue(());
        }
        match self.places.entry(listed.target.clone()) {
            Entry::Occupied(place) => {
                let known = &mut self.listed[*place.get()];
                known.modified = known.modified.max(listed.modified);
            }
            Entry::Vacant(_) if self.listed.len() >= self.most => {
                self.is_cut = true;
                return ControlFlow::Break(());
            }
            Entry::Vacant(place) => {
                place.insert(self.listed.len());
                self.listed.push(listed);
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts an extra; returns whether it is worth resolving.
    pub(super) fn see_extra(&mut self) -> bool {
        self.extras_seen += 1;
        let has_room = self.extras_seen <= self.most.saturating_mul(EXTRAS_SEEN_PER_KEPT);
        self.is_cut |= !has_room;
        has_room
    }

    /// Takes a page of which nothing but the address is said. Entries come first: thousands of
    /// pages that each name forty languages would leave no room for the pages otherwise.
    pub(super) fn extra(&mut self, target: Url) {
        if self.extras_known.contains(&target) {
            return;
        }
        if self.extras.len() >= self.most {
            self.is_cut = true;
            return;
        }
        self.extras_known.insert(target.clone());
        self.extras.push(target);
    }

    pub(super) fn finish(mut self) -> (Vec<Listed>, bool) {
        for target in std::mem::take(&mut self.extras) {
            let _ = self.add(bare(target));
        }
        (self.listed, self.is_cut)
    }
}

/// Returns a page of which nothing is said.
pub(super) fn bare(target: Url) -> Listed {
    Listed { target, kind: ListedKind::Page, modified: None, priority: PRIORITY }
}
