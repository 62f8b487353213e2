//! A short memory of pages seen: enough to tell whether two of them were the same.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Pages remembered; the oldest goes.
pub(super) const MAX_ENTRIES: usize = 192;

/// What stood at an address, as far as it is worth remembering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Text(u32);

impl Text {
    /// No page, or an empty one.
    pub(super) const NOTHING: Self = Self(0);
    /// The address leads to another one, so nothing is known of a page here.
    pub(super) const ELSEWHERE: Self = Self(1);

    /// Returns what stands for a text with this hash.
    pub(super) fn of_hash(hash: u64) -> Self {
        Self(((hash ^ hash >> 32) as u32).max(2))
    }

    /// Returns whether two pages were the same; `None` if that cannot be told.
    pub(super) fn agrees(self, other: Self) -> Option<bool> {
        if self == Self::ELSEWHERE || other == Self::ELSEWHERE {
            return None;
        }
        // Two missing pages have nothing in common.
        (self != Self::NOTHING || other != Self::NOTHING).then_some(self == other)
    }
}

/// One address seen: `key` is shared with its kin, `form` tells it from them. Both are hashes; two
/// strangers meet under one key once in ten million pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) key: u32,
    pub(super) form: u32,
    pub(super) text: Text,
}

/// The last [`MAX_ENTRIES`] addresses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Memory {
    entries: VecDeque<Entry>,
}

impl Memory {
    /// Returns the bytes that it takes.
    pub(super) fn weight(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    pub(super) fn find(&self, key: u32) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.key == key)
    }

    /// Takes an address in, in place of what was known of the same one.
    pub(super) fn put(&mut self, new: Entry) {
        let is_same = |entry: &&mut Entry| entry.key == new.key && entry.form == new.form;
        if let Some(entry) = self.entries.iter_mut().find(is_same) {
            *entry = new;
            return;
        }
        while self.entries.len() >= MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(new);
    }
}
