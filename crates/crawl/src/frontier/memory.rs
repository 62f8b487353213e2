//! What the frontier keeps in memory only: filters and estimates that may be lost.

use std::collections::HashMap;

use base::{Timestamp, Url};

use super::seen::Seen;
use super::{Batch, Frontier, FrontierError, Sizes, encode, read};
use crate::Options;
use crate::importance::Importance;
use crate::learn::{Advice, Lessons};

/// Bounded by [`Sizes`].
pub(crate) struct Memory {
    pub(super) seen: Seen,
    pub(super) importance: Importance,
    /// By name without `www.`: the two are evidence about each other.
    lessons: HashMap<String, Learnt>,
    /// Bytes that they take, about, and may take.
    lessons_bytes: (usize, usize),
    uses: u64,
    /// No page is due before this moment: what lies there is only the remains of earlier ones.
    pub(super) due_from: Timestamp,
}

/// The lessons of a host, and how long ago they were needed.
pub(crate) struct Learnt {
    pub(super) lessons: Lessons,
    used: u64,
    /// Something was learnt since they were read, not only asked for.
    is_pupil: bool,
    /// Observations that the store does not have yet.
    pub(super) unsaved: u32,
}

/// What holding a host's lessons takes beside them.
const HOLDING_BYTES: usize = 128;
/// Observations after which lessons are stored with the batch.
const SAVE_AFTER: u32 = 16;

impl Memory {
    pub(super) fn new(sizes: Sizes) -> Self {
        Self {
            seen: Seen::new(sizes.seen),
            importance: Importance::new(sizes.importance),
            lessons: HashMap::new(),
            lessons_bytes: (0, sizes.lessons_bytes),
            uses: 0,
            due_from: Timestamp::default(),
        }
    }
}

impl Frontier {
    /// Asks or changes the lessons of a URL's host.
    ///
    /// Those of all hosts in rotation are to be held: each is visited in turn, so one that was
    /// dropped would be read, and written again, for every single page.
    pub(crate) fn with_lessons<T>(
        &self,
        url: &Url,
        act: impl FnOnce(&mut Learnt) -> T,
    ) -> Result<T, FrontierError> {
        let name = Lessons::host_of(url);
        let mut memory = self.memory();
        let Memory { lessons, lessons_bytes: (held, most), uses, .. } = &mut *memory;
        *uses += 1;
        if !lessons.contains_key(name) {
            let stored: Option<Lessons> = read(&self.lessons, "lessons", name.as_bytes())?;
            let learnt = Learnt::new(stored.unwrap_or_default());
            *held += learnt.weight();
            lessons.insert(name.to_owned(), learnt);
        }
        let learnt = lessons.get_mut(name).expect("inserted above");
        learnt.used = *uses;
        let before = learnt.weight();
        let done = act(learnt);
        *held = (*held + learnt.weight()).saturating_sub(before);
        if *held > *most {
            self.make_room(&mut memory)?;
        }
        Ok(done)
    }

    /// Returns what the lessons of a URL's host say of fetching it.
    ///
    /// Whether another spelling is to be believed says [`super::HostState::believes`].
    pub(crate) fn advice(&self, url: &Url, options: &Options) -> Result<Advice, FrontierError> {
        self.with_lessons(url, |learnt| match options.learn_spellings {
            true => learnt.lessons().verdict_under(url, options.url_rules),
            false => learnt.lessons().verdict_of_shape(url),
        })
    }

    /// Returns how often it was asked whether a URL is known, and how often memory could say so.
    pub(crate) fn lookups(&self) -> (u64, u64) {
        let seen = &self.memory().seen;
        (seen.asked, seen.knew)
    }

    /// Drops the lessons that were only asked for, because a page elsewhere links there; if they
    /// are few, stores and drops the quarter of all that was not needed for longest.
    fn make_room(&self, memory: &mut Memory) -> Result<(), FrontierError> {
        let Memory { lessons, lessons_bytes: (held, most), .. } = memory;
        let weigh = |lessons: &HashMap<String, Learnt>| lessons.values().map(Learnt::weight).sum();
        lessons.retain(|_, learnt| learnt.is_pupil);
        *held = weigh(lessons);
        if *held <= *most / 4 * 3 {
            return Ok(());
        }
        let mut uses: Vec<u64> = lessons.values().map(|learnt| learnt.used).collect();
        let quarter = uses.len() / 4;
        let (_, limit, _) = uses.select_nth_unstable(quarter);
        let limit = *limit;
        self.store_lessons(lessons.iter_mut().filter(|(_, learnt)| learnt.used <= limit))?;
        lessons.retain(|_, learnt| learnt.used > limit);
        *held = weigh(lessons);
        Ok(())
    }

    /// Stores all lessons that are not stored yet.
    pub(crate) fn save_lessons(&self) -> Result<(), FrontierError> {
        self.store_lessons(self.memory().lessons.iter_mut())
    }

    /// Stores all lessons and holds none any more; each is read again when it is needed.
    pub(crate) fn drop_lessons(&self) -> Result<(), FrontierError> {
        let mut memory = self.memory();
        let Memory { lessons, lessons_bytes: (held, _), .. } = &mut *memory;
        self.store_lessons(lessons.iter_mut())?;
        *lessons = HashMap::new();
        *held = 0;
        Ok(())
    }

    /// Stores those of these that are not stored yet. As a batch, which counts what it writes: the
    /// store itself would gather them in memory without end.
    fn store_lessons<'a>(
        &self,
        lessons: impl Iterator<Item = (&'a String, &'a mut Learnt)>,
    ) -> Result<(), FrontierError> {
        let mut batch = Batch::new(&self.database);
        for (name, learnt) in lessons {
            if std::mem::take(&mut learnt.unsaved) > 0 {
                batch.insert(&self.lessons, name, encode(&learnt.lessons));
            }
        }
        Ok(batch.commit(&self.written)?)
    }
}

impl Learnt {
    fn new(lessons: Lessons) -> Self {
        Self { lessons, used: 0, is_pupil: false, unsaved: 0 }
    }

    /// Returns the bytes that it takes, about.
    fn weight(&self) -> usize {
        self.lessons.weight() + HOLDING_BYTES
    }

    pub(crate) fn lessons(&self) -> &Lessons {
        &self.lessons
    }

    /// Counts an observation; returns whether it is time to store what was learnt.
    pub(super) fn note(&mut self) -> bool {
        self.is_pupil = true;
        self.unsaved += 1;
        if self.unsaved < SAVE_AFTER {
            return false;
        }
        self.unsaved = 0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round over all hosts in rotation, with links to as many others on every page.
    #[test]
    fn lessons_of_hosts_in_rotation_stay_and_those_only_asked_for_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = Sizes { lessons_bytes: 1 << 20, ..super::super::tests::SIZES };
        let frontier = Frontier::open(folder.path(), sizes).unwrap();
        let url = |kind: &str, n: usize| Url::parse(&format!("http://{kind}{n}.example/")).unwrap();
        let empty = Learnt::new(Lessons::default()).weight();
        let rotation = sizes.lessons_bytes / empty / 2;
        for round in 0..3 {
            for host in 0..rotation {
                let learn = |learnt: &mut Learnt| (learnt.unsaved, learnt.note()).0;
                let before = frontier.with_lessons(&url("in", host), learn).unwrap();
                assert_eq!(before, round, "host {host} was dropped");
                let other = url("out", round as usize * rotation + host);
                frontier.with_lessons(&other, |_| ()).unwrap();
            }
            let (held, most) = frontier.memory().lessons_bytes;
            assert!(held <= most, "{held}");
            let counted: usize = frontier.memory().lessons.values().map(Learnt::weight).sum();
            assert_eq!(counted, held);
        }
        // Twice as many as fit: the bound holds, and nothing that was learnt is lost.
        for host in 0..4 * rotation {
            frontier.with_lessons(&url("new", host), Learnt::note).unwrap();
        }
        let (held, most) = frontier.memory().lessons_bytes;
        assert!(held <= most, "{held}");
        let stored = frontier.lessons.len().unwrap();
        let unsaved = frontier.memory().lessons.len();
        assert!(stored + unsaved >= 5 * rotation, "{stored} stored, {unsaved} in memory");
    }

    /// The store puts nothing on disk by itself: what is not counted stays in memory.
    #[test]
    fn lessons_that_make_room_for_others_go_to_disk() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = Sizes { lessons_bytes: 1 << 18, ..super::super::tests::SIZES };
        let frontier = Frontier::open(folder.path(), sizes).unwrap();
        for host in 0..60_000 {
            let url = Url::parse(&format!("http://host{host}.example/")).unwrap();
            frontier.with_lessons(&url, Learnt::note).unwrap();
        }
        let lessons = &frontier.lessons;
        assert!(lessons.table_count() + lessons.sealed_memtable_count() > 0);
    }
}
