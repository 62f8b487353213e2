//! A host in rotation.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use base::{Host, Timestamp, Url};

use crate::frontier::{
    Class, Frontier, FrontierError, HostChange, HostState, Lane, Place, Waiting,
};
use crate::importance::Fingerprint;
use crate::{Failure, HostCounts, HostRules, Strategy};

/// What is in memory of a host that is visited now and then.
pub(super) struct Slot {
    /// The next URLs of its back queues: new ones, and pages that are fetched again.
    new: Buffer,
    again: Buffer,
    /// What is left of the share of pages that are fetched again while new ones wait.
    balance: f32,
    /// Taken from the queue, but not yet out of it on disk, with the places they were taken from.
    ///
    /// By URL: while it is fetched, a URL may come to another place, because others link to it.
    pub(super) taken: HashMap<Fingerprint, (Lane, Place)>,
    /// The front queue of its best URL.
    best: Class,
    /// Errors in a row.
    pub(super) errors: u32,
    /// Errors and refusals in this run: the host is visited the slower for them, for good.
    pub(super) troubles: u32,
    /// Refusals in a row: 403, or a page that asks for patience.
    refusals: u32,
    pub(super) visits: u32,
    /// An earlier run has visited it.
    pub(super) was_visited: bool,
    pub(super) is_exhausted: bool,
    /// Each page may change what is thought of it as a mirror.
    pub(super) is_watched: bool,
    /// Responses and bytes fetched from it.
    pub(super) fetched: (u64, u64),
    /// Pages of it that told something new.
    pub(super) useful: u64,
    /// Its queues were read ahead of its turn, and nothing was taken or came since.
    is_read: bool,
    /// Its address has a place for it.
    pub(super) has_place: bool,
    /// The last visit brought an answer.
    pub(super) has_answered: bool,
    /// Time that visits have taken since it came into rotation.
    pub(super) spent: Duration,
    /// In line, or being visited or resolved.
    pub(super) is_moving: bool,
    /// Why it goes out of rotation, once nothing of it is on its way to the disk.
    pub(super) leaving: Option<Leaving>,
}

/// What was read of a back queue.
#[derive(Default)]
struct Buffer {
    urls: VecDeque<Waiting>,
    /// Where it was read up to; everything before is taken or gone.
    reached: Option<Place>,
    /// URLs that wait in the queue, taken ones among them.
    waiting: u64,
}

/// Why a host goes out of rotation.
pub(super) enum Leaving {
    Rest {
        until: Timestamp,
        failure: Option<Failure>,
    },
    /// Others want a turn.
    Turn,
}

/// URLs read from a host's queue at once.
const BUFFER: usize = 32;
/// URLs of a new host that may be on their way to the disk at once, and the responses that allow
/// one more.
const UNLEARNT: u64 = 8;
const LEARNT: u64 = 32;
/// Refusals in a row that count as an error (HTTP-17).
const REFUSALS: u32 = 5;

impl Slot {
    /// `troubles` are those that it had earlier in this run.
    pub(super) fn new(state: &HostState, troubles: u32) -> Self {
        Self {
            new: Buffer { waiting: state.waiting - state.again, ..Buffer::default() },
            again: Buffer { waiting: state.again, ..Buffer::default() },
            balance: 0.0,
            taken: HashMap::new(),
            best: state.best,
            errors: state.errors,
            troubles,
            refusals: 0,
            visits: 0,
            was_visited: state.responses > 0 || state.rests_until != Timestamp::default(),
            is_exhausted: false,
            is_watched: state.is_watched(),
            fetched: (state.responses, state.bytes),
            useful: state.useful,
            is_read: false,
            has_place: state.is_seed || state.responses > 0,
            has_answered: state.responses > 0 && state.errors == 0,
            spent: Duration::ZERO,
            is_moving: false,
            leaving: None,
        }
    }

    /// Returns the front queue that the host stands in.
    pub(super) fn class(&self) -> Class {
        self.new.urls.front().or(self.again.urls.front()).map_or(self.best, |next| next.place.class)
    }

    /// Returns what counts against the limits of a host when a URL's turn comes.
    pub(super) fn counts(&self) -> HostCounts {
        let (pages, bytes) = self.fetched;
        HostCounts { pages, bytes, ..HostCounts::default() }
    }

    /// Returns whether more of the host is on its way to the disk than has been learnt from: what
    /// a fetch teaches counts once it is committed, and a trap is to be known by then (LNK-06).
    /// With any delay between two visits this holds only of suspected mirrors, of which one page
    /// is read at a time (LNK-10), and of a crawl that goes down before it goes on: where that is,
    /// only the links of the page before can tell.
    pub(super) fn is_ahead(&self, strategy: Strategy) -> bool {
        if self.is_watched || strategy == Strategy::DepthFirst {
            return !self.taken.is_empty();
        }
        let (responses, _) = self.fetched;
        self.taken.len() as u64 >= UNLEARNT + responses / LEARNT
    }

    /// Returns whether a person has said that it is not to be visited now.
    pub(super) fn is_held(&self, rules: &HostRules, host: &Host) -> bool {
        let (responses, _) = self.fetched;
        rules.holds(host, responses + self.taken.len() as u64)
    }

    /// Returns whether its visits took more than `time` in all, and a three-hundredth of that more
    /// for each: ten minutes, and two seconds (LNK-12).
    pub(super) fn is_too_slow(&self, time: Duration) -> bool {
        self.spent > time + time / 300 * self.visits
    }

    /// Returns the next URL; `share` is that of pages that are fetched again while new ones wait.
    pub(super) fn next(&self, share: f32) -> Option<&Waiting> {
        let (new, again) = (self.new.urls.front(), self.again.urls.front());
        let is_their_turn = self.balance >= 1.0 - share;
        if is_their_turn { again.or(new) } else { new.or(again) }
    }

    /// Takes the next URL.
    pub(super) fn take(&mut self, share: f32) -> Option<Waiting> {
        let lane = self.next(share)?.lane;
        if !self.new.urls.is_empty() && !self.again.urls.is_empty() {
            self.balance += match lane {
                Lane::New => share,
                Lane::Again => share - 1.0,
            };
        }
        let waiting = self.buffer(lane).urls.pop_front()?;
        self.is_read = false;
        self.taken.insert(Fingerprint::of(&waiting.url), (lane, waiting.place));
        Some(waiting)
    }

    fn buffer(&mut self, lane: Lane) -> &mut Buffer {
        match lane {
            Lane::New => &mut self.new,
            Lane::Again => &mut self.again,
        }
    }

    /// Reads on in the host's queues before its turn; returns whether there was a need to.
    pub(super) fn read_ahead(
        &mut self,
        frontier: &Frontier,
        host: &Host,
    ) -> Result<bool, FrontierError> {
        if std::mem::replace(&mut self.is_read, true) {
            return Ok(false);
        }
        let is_short = |buffer: &Buffer| buffer.urls.is_empty() && buffer.waiting > 0;
        let is_needed = is_short(&self.new) || is_short(&self.again);
        if is_needed {
            self.refill(frontier, host)?;
        }
        Ok(is_needed)
    }

    /// Reads on in the host's queues where nothing is left of what was read.
    pub(super) fn refill(&mut self, frontier: &Frontier, host: &Host) -> Result<(), FrontierError> {
        let taken = &self.taken;
        let is_taken = |url: &Url| taken.contains_key(&Fingerprint::of(url));
        for (lane, buffer) in [(Lane::New, &mut self.new), (Lane::Again, &mut self.again)] {
            if !buffer.urls.is_empty() || buffer.waiting == 0 {
                continue;
            }
            let places = taken.values().filter(|(of, _)| *of == lane).map(|(_, place)| *place);
            // What was raised since may stand before all that are on their way.
            let from = places.chain(buffer.reached).min();
            let mut found = frontier.waiting((host, lane), from, BUFFER, is_taken)?;
            if found.is_empty() && from.is_some() {
                found = frontier.waiting((host, lane), None, BUFFER, is_taken)?;
            }
            buffer.reached = found.last().map(|last| last.place);
            buffer.urls = found.into();
        }
        Ok(())
    }

    /// Gives up what was read of its queues; it is read again when its turn comes.
    pub(super) fn drop_read(&mut self) {
        for buffer in [&mut self.new, &mut self.again] {
            // What comes before the first of these is gone.
            if let Some(first) = buffer.urls.front() {
                buffer.reached = Some(first.place);
            }
            buffer.urls = VecDeque::new();
        }
        self.is_read = false;
    }

    /// Notes that places were filled: what was read may not be the best any more.
    pub(super) fn has_new(&mut self, change: &HostChange) {
        self.is_read = false;
        self.new.waiting = change.waiting.saturating_sub(change.again);
        self.again.waiting = change.again;
        for (lane, lowest) in [(Lane::New, change.lowest), (Lane::Again, change.lowest_again)] {
            let Some(lowest) = lowest else { continue };
            self.best = self.best.min(lowest.class);
            let buffer = self.buffer(lane);
            if buffer.reached.is_some_and(|reached| lowest < reached) {
                buffer.urls.clear();
                buffer.reached = Some(lowest);
            }
        }
    }

    /// Notes how a visit went; returns whether it counts as an error.
    pub(super) fn note(&mut self, has_answered: bool, is_refused: bool, failed: bool) -> bool {
        self.has_answered = has_answered;
        self.refusals = if is_refused { self.refusals + 1 } else { 0 };
        let is_error = failed || self.refusals >= REFUSALS;
        if is_error {
            self.errors += 1;
            self.troubles += 1;
        } else {
            self.errors = 0;
        }
        is_error
    }

    /// Returns how many times the usual rest the host gets: it never speeds up after an error.
    pub(super) fn caution(&self) -> u32 {
        1 + self.troubles.min(4)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::log::Position;
    use base::{ContentKind, Link, LinkKind, PageRecord, Rel};

    use super::*;
    use crate::frontier::{Role, Sizes};
    use crate::{Options, Reach, Scope};

    /// Returns what a host with this many new and known pages is asked for, `n` and `a`.
    fn taken(new: u64, again: u64, share: f32) -> String {
        let mut slot = Slot::new(&HostState::new(Host::parse("a.example").unwrap()), 0);
        for (lane, count) in [(Lane::New, new), (Lane::Again, again)] {
            for offset in 0..count {
                let url = Url::parse(&format!("http://a.example/{lane:?}{offset}")).unwrap();
                let found = Position { segment: 1, offset };
                let place = Place { class: Class::MIDDLE, order: 0, found, number: 0 };
                let waiting = Waiting { url, depth: 0, role: Role::Page, place, lane };
                slot.buffer(lane).urls.push_back(waiting);
            }
        }
        let mut taken = String::new();
        while let Some(next) = slot.next(share).cloned() {
            assert_eq!(slot.take(share), Some(next.clone()));
            taken.push(if next.lane == Lane::New { 'n' } else { 'a' });
        }
        taken
    }

    #[test]
    fn what_is_raised_comes_first_though_another_is_on_its_way() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = Sizes {
            cache_bytes: 1 << 20,
            seen: 1 << 10,
            importance: 1 << 10,
            lessons_bytes: 1 << 20,
        };
        let frontier = Frontier::open(folder.path(), sizes).unwrap();
        let clock = Arc::new(|| Timestamp::from_millis(0));
        let options = Options::new(Scope::new(Reach::Open), clock);
        let (host, url) =
            (Host::parse("a.example").unwrap(), |text: &str| Url::parse(text).unwrap());
        let pages = ["http://a.example/1", "http://a.example/2", "http://a.example/3"].map(url);
        let mut update = frontier.update();
        let home = url("http://a.example/");
        let link = |target: &Url| Link {
            target: target.clone(),
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            anchor: String::new(),
        };
        let id = update.page_id(&home).unwrap();
        let page = PageRecord {
            kind: ContentKind::Html,
            links: pages.iter().map(link).collect(),
            ..PageRecord::new(id, home, Timestamp::from_millis(1), 200)
        };
        let [from, to] = [10, 20].map(|offset| Position { segment: 1, offset });
        update.record(&page, from, to, &options).unwrap();
        update.commit().unwrap();
        let mut slot = Slot::new(&frontier.host(&host).unwrap().unwrap(), 0);
        slot.refill(&frontier, &host).unwrap();
        assert_eq!(slot.take(0.0).unwrap().url, pages[0]);
        let mut update = frontier.update();
        update.promote(&pages[2], 100.0, &options).unwrap();
        let changes = update.commit().unwrap();
        slot.has_new(&changes.hosts[0]);
        slot.refill(&frontier, &host).unwrap();
        let next = [(); 2].map(|()| slot.take(0.0).unwrap().url);
        assert_eq!(next.each_ref(), [&pages[2], &pages[1]]);
    }

    #[test]
    fn known_pages_get_their_share_while_new_ones_wait_and_all_of_it_otherwise() {
        assert_eq!(taken(4, 4, 0.5), "nananana");
        assert_eq!(taken(6, 3, 0.25), "nnnannnaa");
        assert_eq!(taken(3, 2, 0.0), "nnnaa");
        assert_eq!(taken(2, 3, 1.0), "aaann");
        assert_eq!(taken(0, 2, 0.5), "aa");
        assert_eq!(taken(2, 0, 0.5), "nn");
    }
}
