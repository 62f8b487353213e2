//! Room on the disk and in memory: a crawl pauses before either runs out (C16).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::{Options, heap};

/// How often memory that is free is given back to the system: seldom enough to cost nothing …
const GIVE_BACK: Duration = Duration::from_secs(30);
/// … but sooner when the ceiling is reached, before anybody waits for it.
const GIVE_BACK_SOON: Duration = Duration::from_secs(2);

/// Looks at disk and memory now and then; remembers what holds the crawl.
pub(crate) struct Guard {
    folder: PathBuf,
    disk_floor: crate::DiskFloor,
    memory: Option<u64>,
    held: AtomicU8,
    given_back: Mutex<Option<Instant>>,
}

/// What a crawl waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Room on the disk.
    Disk,
    /// Room in memory.
    Memory,
    /// Somebody to let it go on.
    Pause,
}

impl Hold {
    /// Returns a sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Disk => "the disk is nearly full (`crawl.disk_floor`); make room and it goes on",
            Self::Memory => {
                "as much memory is held as `crawl.memory` allows: it makes room, and if there is \
                 none sends one request at a time"
            }
            Self::Pause => "it is paused; `lookfar resume` lets it go on",
        }
    }
}

const NOTHING: u8 = 0;
const DISK: u8 = 1;
const MEMORY: u8 = 2;

impl Guard {
    pub(crate) fn new(folder: &Path, options: &Options) -> Self {
        let (disk_floor, memory) = (options.disk_floor, options.memory);
        let (held, given_back) = (AtomicU8::new(NOTHING), Mutex::default());
        Self { folder: folder.to_owned(), disk_floor, memory, held, given_back }
    }

    /// Looks; returns what holds the crawl from now on.
    ///
    /// What cannot be measured holds nothing.
    pub(crate) fn look(&self) -> Option<Hold> {
        let before = self.held();
        self.give_back(GIVE_BACK);
        let held = if self.is_disk_low(before == Some(Hold::Disk)) {
            DISK
        } else if self.is_memory_full(before == Some(Hold::Memory)) {
            MEMORY
        } else {
            NOTHING
        };
        self.held.store(held, Ordering::Relaxed);
        let now = self.held();
        if now != before {
            match now {
                Some(hold) => tracing::warn!(reason = hold.sentence(), "crawl waits"),
                None => tracing::info!("crawl goes on"),
            }
        }
        now
    }

    /// Returns what held the crawl when last looked at.
    pub(crate) fn held(&self) -> Option<Hold> {
        match self.held.load(Ordering::Relaxed) {
            DISK => Some(Hold::Disk),
            MEMORY => Some(Hold::Memory),
            _ => None,
        }
    }

    /// Once held, a tenth more room than the floor is waited for, so that it does not flutter.
    fn is_disk_low(&self, was_low: bool) -> bool {
        let Some((free, size)) = disk(&self.folder) else { return false };
        let floor = self.disk_floor.of(size);
        free < if was_low { floor.saturating_add(floor / 10) } else { floor }
    }

    fn is_memory_full(&self, was_full: bool) -> bool {
        let Some(ceiling) = self.memory else { return false };
        let most = if was_full { ceiling / 10 * 9 } else { ceiling };
        let is_above = || resident_bytes().is_some_and(|held| held > most);
        is_above() && {
            self.give_back(GIVE_BACK_SOON);
            is_above()
        }
    }

    /// Gives back what is free, unless that was done lately.
    fn give_back(&self, interval: Duration) {
        let mut last = self.given_back.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= interval) {
            heap::give_back();
            *last = Some(Instant::now());
        }
    }
}

/// Returns the free bytes and the size of the disk that a folder is on.
pub(crate) fn disk(folder: &Path) -> Option<(u64, u64)> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
    Some((bytes(disk.f_bavail), bytes(disk.f_blocks)))
}

/// Returns the bytes of this process's own that lie in memory, where the system tells.
pub(crate) fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut fields = text.split(' ').skip(1).map_while(|field| field.parse::<u64>().ok());
    // Pages of mapped files are the system's to give and take: an index is mapped whole.
    let pages = fields.next()?.saturating_sub(fields.next()?);
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::Timestamp;

    use super::*;
    use crate::{DiskFloor, Reach, Scope};

    fn guard(disk_floor: DiskFloor, memory: Option<u64>) -> Guard {
        let clock = Arc::new(|| Timestamp::from_millis(0));
        let mut options = Options::new(Scope::new(Reach::Open), clock);
        (options.disk_floor, options.memory) = (disk_floor, memory);
        Guard::new(&std::env::temp_dir(), &options)
    }

    #[test]
    fn a_full_disk_or_memory_holds_the_crawl() {
        let none = DiskFloor { bytes: 0, share: 0.0 };
        assert_eq!(guard(none, None).look(), None);
        assert_eq!(guard(DiskFloor { bytes: u64::MAX, share: 0.0 }, None).look(), Some(Hold::Disk));
        assert_eq!(guard(DiskFloor { bytes: 0, share: 1.0 }, None).look(), Some(Hold::Disk));
        assert_eq!(guard(none, Some(1)).look(), Some(Hold::Memory));
        assert_eq!(guard(none, Some(u64::MAX)).look(), None);
    }
}
