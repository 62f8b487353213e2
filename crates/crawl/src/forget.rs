//! Forgetting (C18): out of the frontier, the results, the archive and the page log, for good.
//!
//! The order makes a crash harmless. The target is in `blocked.txt` before anything is taken out,
//! and in `blocked.done` after everything is; what lies between is done again at the next start,
//! and doing it twice is doing it once:
//!
//! 1. Every known URL of the target gets a tombstone in the page log, so that index, graph and
//!    anchors drop it when they read on.
//! 2. The frontier marks it forgotten and moves its checkpoint behind the tombstones.
//! 3. Its captures are overwritten in the archive.
//! 4. Its records are overwritten in the page log.

mod list;

use std::collections::{BTreeSet, HashMap};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use base::file::size_below;
use base::log::{Position, bytes_before};
use base::{Capture, Collection, Oddity, PageId, PageRecord, Timestamp, Url, pages};

pub use list::{BadTarget, BlockError, BlockList, Blocked, Target};

use crate::Error;
use crate::frontier::{Changes, Frontier};

/// What was taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// URLs that were known.
    pub urls: u64,
    /// Records taken out of the page log.
    pub records: u64,
    /// Responses taken out of the archive.
    pub captures: u64,
    /// Nothing of what is stored has been taken out yet; the next start of a crawl does it.
    pub is_pending: bool,
}

/// How far forgetting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forgetting {
    /// What is being done.
    pub step: Step,
    /// How much of it is done.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}

/// The parts of forgetting, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Looking through the page log; counts bytes.
    Log,
    /// Looking through the archive's indexes; counts bytes.
    Archive,
    /// Taking out what was found; counts URLs, responses and records.
    TakeOut,
}

/// Called now and then.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(Forgetting);

/// Records between two calls: often enough for a person, seldom enough to cost nothing.
const TOLD_EVERY: u64 = 1_024;
/// Records overwritten between two calls.
const ERASED_AT_ONCE: usize = 4_096;

/// A request to forget, on its way to whoever owns the writers.
pub(crate) struct Errand {
    targets: Vec<Target>,
    answer: SyncSender<Result<Forgotten, Error>>,
}

/// Those who own what is written.
pub(crate) struct Stores<'a> {
    pub(crate) collection: &'a Collection,
    pub(crate) frontier: &'a Frontier,
    pub(crate) archive: &'a mut archive::Writer,
    pub(crate) pages: &'a mut pages::Writer,
    pub(crate) blocked: &'a Blocked,
}

impl Errand {
    pub(crate) fn new(targets: Vec<Target>) -> (Self, Receiver<Result<Forgotten, Error>>) {
        let (answer, receiver) = sync_channel(1);
        (Self { targets, answer }, receiver)
    }

    /// Does what was asked and says how it went to the one who asked.
    pub(crate) fn answer(self, work: impl FnOnce(&[Target]) -> Result<Forgotten, Error>) {
        // One that no longer waits has left it for the next start to make sure.
        let _ = self.answer.send(work(&self.targets));
    }
}

pub(crate) fn pending() -> Forgotten {
    Forgotten { is_pending: true, ..Forgotten::default() }
}

/// Carries out what was asked for and not done yet: by a process that was killed, or by a
/// person who edited the list.
pub(crate) fn carry_out_pending(stores: &mut Stores<'_>, now: Timestamp) -> Result<(), Error> {
    let targets = stores.blocked.pending(stores.collection)?;
    if !targets.is_empty() {
        let (forgotten, _) = carry_out(stores, &targets, now, &mut |_| ())?;
        tracing::info!(urls = forgotten.urls, captures = forgotten.captures, "forgot");
    }
    Ok(())
}

/// Takes everything of the targets out of all stores; returns what changed in the queues.
///
/// Cost: reads the page log once and the archive's indexes once.
pub(crate) fn carry_out(
    stores: &mut Stores<'_>,
    targets: &[Target],
    now: Timestamp,
    watch: Watch<'_>,
) -> Result<(Forgotten, Changes), Error> {
    // From here on nothing of it is only in memory or in a file that is still written.
    stores.archive.close_file()?;
    stores.pages.sync()?;
    let list = BlockList::new(targets.iter().cloned());
    let logged = Logged::read(stores.collection, &list, watch)?;
    let folder = stores.collection.archive();
    let captures = archive::find_shown(&folder, |url| list.holds(url), &mut |done, total| {
        watch(Forgetting { step: Step::Archive, done, total });
    })?;
    let mut urls = logged.urls.clone();
    for target in targets {
        urls.extend(stores.frontier.known(target, &list)?);
        // Others may have named it without its being known to the frontier.
        if let Target::Page(url) = target {
            urls.insert(url.clone());
        }
    }
    let total = (urls.len() + captures.len() + logged.places.len()) as u64;
    let mut tell = |done| watch(Forgetting { step: Step::TakeOut, done, total });
    let graves = bury(stores, &urls, &logged, now, &mut tell)?;
    let changes = stores.frontier.forget(&graves, stores.pages.end())?;
    stores.frontier.sync()?;
    let mut done = urls.len() as u64;
    archive::erase_shown(&folder, &captures, now, &mut |erased| tell(done + erased))?;
    done += captures.len() as u64;
    for places in logged.places.chunks(ERASED_AT_ONCE) {
        pages::erase(&stores.collection.pages(), places)?;
        done += places.len() as u64;
        tell(done);
    }
    stores.blocked.set_done(stores.collection, targets)?;
    let forgotten = Forgotten {
        urls: urls.len() as u64,
        records: logged.num_records,
        captures: captures.len() as u64,
        is_pending: false,
    };
    Ok((forgotten, changes))
}

/// What the page log holds of the targets.
#[derive(Default)]
struct Logged {
    urls: BTreeSet<Url>,
    /// URLs whose last record is a tombstone.
    buried: HashMap<Url, PageId>,
    /// Frames to be overwritten, those that a crash left half overwritten among them.
    places: Vec<Position>,
    num_records: u64,
}

impl Logged {
    fn read(collection: &Collection, list: &BlockList, watch: Watch<'_>) -> Result<Self, Error> {
        let mut logged = Self::default();
        let folder = collection.pages();
        let (mut num_read, total) = (0u64, size_below(&folder));
        let mut tell = |done: u64| {
            watch(Forgetting { step: Step::Log, done: done.min(total), total });
        };
        let mut reader = pages::Reader::open(&folder, Position::START)?;
        while let Some(entry) = reader.next_entry()? {
            if num_read.is_multiple_of(TOLD_EVERY) {
                tell(bytes_before(&folder, entry.start));
            }
            num_read += 1;
            let record = entry.record;
            if !list.holds(&record.url) {
                continue;
            }
            if record.is_forgotten() {
                logged.buried.insert(record.url.clone(), record.id);
            } else {
                logged.buried.remove(&record.url);
                logged.places.push(entry.start);
                logged.num_records += 1;
            }
            logged.urls.insert(record.url);
        }
        tell(total);
        logged.places.extend(reader.half_erased());
        Ok(logged)
    }
}

/// Appends a tombstone for every URL that has none; returns the page id of each URL.
fn bury(
    stores: &mut Stores<'_>,
    urls: &BTreeSet<Url>,
    logged: &Logged,
    now: Timestamp,
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<(Url, PageId)>, Error> {
    let totals = stores.frontier.totals();
    let mut next = totals.pages;
    let mut graves = Vec::new();
    for url in urls {
        let buried = logged.buried.get(url).copied();
        let known = stores.frontier.url(url)?.and_then(|state| state.page);
        let page = buried.or(known).unwrap_or_else(|| {
            let page = PageId::new(0, next).expect("fewer than 2^48 pages");
            next += 1;
            page
        });
        // After a crash the archive is read from the capture of the last record on: that must
        // stay the last capture. Without one nothing was ever fetched, and nobody has an answer
        // to take back.
        if let Some(capture) = totals.capture.filter(|_| buried.is_none()) {
            stores.pages.append(&tombstone(url, page, capture, now))?;
        }
        graves.push((url.clone(), page));
        tell(graves.len() as u64);
    }
    stores.pages.sync()?;
    Ok(graves)
}

fn tombstone(url: &Url, id: PageId, capture: Capture, now: Timestamp) -> PageRecord {
    PageRecord {
        capture,
        oddities: vec![Oddity::Forgotten],
        ..PageRecord::new(id, url.clone(), now, GONE)
    }
}

/// HTTP's word for a page that was taken away for good.
const GONE: u16 = 410;
