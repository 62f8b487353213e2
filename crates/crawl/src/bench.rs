//! Drives the frontier's store without a network, for `benches/frontier`.
//!
//! No part of the crawler's interface: it may change or go at any time.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use base::log::Position;
use base::{
    Block, Capture, ContentKind, Host, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url,
    Zone,
};
use xxhash_rust::xxh3::xxh3_128;

use crate::frontier::{Frontier, Lane, Picker, Place, Sizes, Update, Waiting};
use crate::{Error, Options, Reach, Scope};

/// A frontier, and as much of a scheduler as it takes to empty it.
pub struct FrontierBench {
    frontier: Frontier,
    options: Options,
    picker: Picker,
    /// Hosts in rotation; the first one's turn is next.
    rotation: VecDeque<Turn>,
    in_rotation: HashSet<Host>,
    /// Hosts that have had their visits and stand in line again after the next batch.
    leaving: Vec<Host>,
    /// End of a page log that is not written.
    end: Position,
}

/// A page that was taken, and the links that are found on it.
pub struct MadeUpPage {
    /// Its address.
    pub url: Url,
    /// What it links to.
    pub links: Vec<Url>,
}

/// What a frontier holds.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// URLs known.
    pub known: u64,
    /// URLs that wait.
    pub waiting: u64,
    /// Hosts known.
    pub hosts: u64,
    /// How often it was asked whether a URL is known.
    pub asked: u64,
    /// How often the filter in memory could say so.
    pub answered_in_memory: u64,
}

struct Turn {
    host: Host,
    buffer: VecDeque<Waiting>,
    reached: Option<Place>,
    visits: u32,
}

/// As in the scheduler: URLs read from a host's queue at once, and visits per turn.
const BUFFER: usize = 32;
const VISITS: u32 = 64;
/// Hosts brought into rotation at once.
const PICKED: usize = 256;
/// Bytes of a page record; more than a page log's smallest, so that positions differ.
const RECORD_BYTES: u64 = 4_000;

impl FrontierBench {
    /// Makes a frontier in an empty folder, with the default sizes and the default strategy.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let clock = Arc::new(|| Timestamp::from_millis(1_763_285_400_000));
        let mut options = Options::new(Scope::new(Reach::Open), clock);
        // Nobody is there who could answer.
        options.guesses = false;
        Ok(Self {
            frontier: Frontier::open(folder, Sizes::default())?,
            options,
            picker: Picker::new(),
            rotation: VecDeque::new(),
            in_rotation: HashSet::new(),
            leaving: Vec::new(),
            end: Position { segment: 1, offset: 0 },
        })
    }

    /// Adds seeds in one batch.
    pub fn seed(&self, seeds: &[Url]) -> Result<(), Error> {
        let mut update = self.frontier.update();
        for seed in seeds {
            update.seed(seed, (self.options.clock)())?;
        }
        update.commit()?;
        Ok(())
    }

    /// Returns the next URLs, at most one of each host; all must be [`Self::apply`]ed before the
    /// next ones are taken.
    pub fn take(&mut self, limit: usize) -> Result<Vec<Url>, Error> {
        self.fill()?;
        let mut taken = Vec::with_capacity(limit);
        for _ in 0..self.rotation.len() {
            let Some(mut turn) = self.rotation.pop_front() else { break };
            let Some(url) = turn.next(&self.frontier)? else {
                self.in_rotation.remove(&turn.host);
                continue;
            };
            taken.push(url);
            if turn.visits < VISITS {
                self.rotation.push_back(turn);
            } else {
                self.in_rotation.remove(&turn.host);
                self.leaving.push(turn.host);
            }
            if taken.len() == limit {
                break;
            }
        }
        Ok(taken)
    }

    /// Applies the pages in one batch, as the committer does; nothing waits for the disk.
    pub fn apply(&mut self, pages: Vec<MadeUpPage>) -> Result<(), Error> {
        let mut update = self.frontier.update();
        for MadeUpPage { url, links } in pages {
            let id = update.page_id(&url)?;
            let mut record = record(id, url, links);
            update.judge(&mut record)?;
            let start = self.end;
            self.end.offset += RECORD_BYTES;
            update.record(&record, start, self.end, &self.options)?;
        }
        update.commit()?;
        // Hosts go when nothing of theirs is on its way to the disk.
        if !self.leaving.is_empty() {
            let mut update: Update<'_> = self.frontier.update();
            for host in self.leaving.drain(..) {
                update.rotate(&host)?;
            }
            update.commit()?;
        }
        Ok(())
    }

    /// Makes everything durable.
    pub fn sync(&self) -> Result<(), Error> {
        Ok(self.frontier.sync()?)
    }

    /// Returns what the frontier holds.
    pub fn counts(&self) -> Counts {
        let totals = self.frontier.totals();
        let (asked, answered_in_memory) = self.frontier.lookups();
        Counts {
            known: totals.known,
            waiting: totals.waiting,
            hosts: totals.hosts,
            asked,
            answered_in_memory,
        }
    }

    /// Brings hosts into rotation while there is room, as many at once as the scheduler.
    fn fill(&mut self) -> Result<(), Error> {
        let room = self.options.active_hosts.saturating_sub(self.rotation.len()).min(PICKED);
        let in_rotation = &self.in_rotation;
        let picked =
            self.picker.pick(&self.frontier, room, |host: &Host| in_rotation.contains(host))?;
        for state in picked {
            self.in_rotation.insert(state.host.clone());
            let turn = Turn { host: state.host, buffer: VecDeque::new(), reached: None, visits: 0 };
            self.rotation.push_back(turn);
        }
        Ok(())
    }
}

impl Turn {
    fn next(&mut self, frontier: &Frontier) -> Result<Option<Url>, Error> {
        if self.buffer.is_empty() {
            let mut found =
                frontier.waiting((&self.host, Lane::New), self.reached, BUFFER, |_| false)?;
            if found.is_empty() && self.reached.is_some() {
                found = frontier.waiting((&self.host, Lane::New), None, BUFFER, |_| false)?;
            }
            self.reached = found.last().map(|last| last.place);
            self.buffer = found.into();
        }
        self.visits += 1;
        Ok(self.buffer.pop_front().map(|waiting| waiting.url))
    }
}

/// Makes the record of a page that says what no other says.
fn record(id: PageId, url: Url, links: Vec<Url>) -> PageRecord {
    let link = |target| Link {
        target,
        kind: LinkKind::Anchor,
        rel: Rel::default(),
        anchor: String::new(),
    };
    let text = "A text that is long enough to be compared with those of others. ".repeat(4);
    PageRecord {
        capture: Capture { file: 1, offset: id.index() * RECORD_BYTES, length: 4_000 },
        kind: ContentKind::Html,
        language: Some("en".to_owned()),
        title: "A title".to_owned(),
        blocks: vec![Block { zone: Zone::Body, text }],
        links: links.into_iter().map(link).collect(),
        text_hash: xxh3_128(url.as_str().as_bytes()),
        body_bytes: 40_000,
        ..PageRecord::new(id, url, Timestamp::from_millis(1_763_285_400_000), 200)
    }
}
