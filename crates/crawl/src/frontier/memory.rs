//! What the frontier keeps in memory only: filters and estimates that may be lost.

use std::collections::HashMap;

use base::{Timestamp, Url};

use super::seen::Seen;
use super::{Frontier, FrontierError, Sizes, encode, read};
use crate::importance::Importance;
use crate::learn::Lessons;

/// Bounded by [`Sizes`] and by the number of lessons kept.
pub(crate) struct Memory {
    pub(super) seen: Seen,
    pub(super) importance: Importance,
    /// By name without `www.`: the two are evidence about each other.
    pub(super) lessons: HashMap<String, Learnt>,
    uses: u64,
    /// No page is due before this moment: what lies there is only the remains of earlier ones.
    pub(super) due_from: Timestamp,
}

/// The lessons of a host, and how long ago they were needed.
pub(crate) struct Learnt {
    pub(super) lessons: Lessons,
    used: u64,
    /// Observations that the store does not have yet.
    pub(super) unsaved: u32,
}

/// Hosts whose lessons are held; a few kilobytes each.
const HELD: usize = 4_096;
/// Observations after which lessons are stored with the batch.
const SAVE_AFTER: u32 = 16;

impl Memory {
    pub(super) fn new(sizes: Sizes) -> Self {
        Self {
            seen: Seen::new(sizes.seen),
            importance: Importance::new(sizes.importance),
            lessons: HashMap::new(),
            uses: 0,
            due_from: Timestamp::default(),
        }
    }
}

impl Frontier {
    /// Asks or changes the lessons of a URL's host.
    pub(crate) fn with_lessons<T>(
        &self,
        url: &Url,
        act: impl FnOnce(&mut Learnt) -> T,
    ) -> Result<T, FrontierError> {
        let name = Lessons::host_of(url);
        let mut memory = self.memory();
        memory.uses += 1;
        let used = memory.uses;
        if !memory.lessons.contains_key(name) {
            let lessons = read(&self.lessons, "lessons", name.as_bytes())?;
            let lessons = lessons.unwrap_or_default();
            if memory.lessons.len() >= HELD {
                self.make_room(&mut memory)?;
            }
            memory.lessons.insert(name.to_owned(), Learnt { lessons, used, unsaved: 0 });
        }
        let learnt = memory.lessons.get_mut(name).expect("inserted above");
        learnt.used = used;
        Ok(act(learnt))
    }

    /// Returns how often it was asked whether a URL is known, and how often memory could say so.
    pub(crate) fn lookups(&self) -> (u64, u64) {
        let seen = &self.memory().seen;
        (seen.asked, seen.knew)
    }

    /// Stores and drops the quarter of the lessons that was not needed for longest.
    fn make_room(&self, memory: &mut Memory) -> Result<(), FrontierError> {
        let mut uses: Vec<u64> = memory.lessons.values().map(|learnt| learnt.used).collect();
        let quarter = uses.len() / 4;
        let (_, limit, _) = uses.select_nth_unstable(quarter);
        let limit = *limit;
        for (name, learnt) in memory.lessons.iter().filter(|(_, learnt)| learnt.used <= limit) {
            if learnt.unsaved > 0 {
                self.lessons.insert(name, encode(&learnt.lessons))?;
            }
        }
        memory.lessons.retain(|_, learnt| learnt.used > limit);
        Ok(())
    }

    /// Stores all lessons that are not stored yet.
    pub(crate) fn save_lessons(&self) -> Result<(), FrontierError> {
        for (name, learnt) in &mut self.memory().lessons {
            if std::mem::take(&mut learnt.unsaved) > 0 {
                self.lessons.insert(name, encode(&learnt.lessons))?;
            }
        }
        Ok(())
    }
}

impl Learnt {
    pub(crate) fn lessons(&self) -> &Lessons {
        &self.lessons
    }

    /// Counts an observation; returns whether it is time to store what was learnt.
    pub(super) fn note(&mut self) -> bool {
        self.unsaved += 1;
        if self.unsaved < SAVE_AFTER {
            return false;
        }
        self.unsaved = 0;
        true
    }
}
