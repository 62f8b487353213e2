//! Takes in what others have kept, without a network (P1).
//!
//! The archive is the truth: what is imported is appended to it and synced, and page log and
//! frontier follow by [`read_on`], the same way as after a crash. So a kill at any moment loses
//! nothing that was counted, and the next run goes on: what the archive holds is known by address,
//! second and digest, and is not appended again.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use archive::Known;
use archive::foreign::{Foreign, Item};
use base::{Rules, Timestamp, Url};

use crate::committer::{is_robots, read_on};
use crate::frontier::Standing;
use crate::{Crawler, Error, LeftOut, Pattern};

/// What is taken of a source.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Only addresses that match one of these; all without any.
    pub only: Vec<Pattern>,
    /// Most responses that are taken; 0 for all.
    pub limit: u64,
}

/// What an import has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Responses that are in the archive, the page log and the frontier now.
    pub taken: u64,
    /// Responses that were there before.
    pub known: u64,
    /// Records passed over, by reason.
    pub passed: BTreeMap<String, u64>,
    /// Records that could not be read.
    pub broken: u64,
}

/// What happens during an import.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something in the source cannot be read, and is passed over.
    Broken(&'a archive::Error),
    /// Everything counted is durable; so many bytes of the source are done with.
    Done(&'a Imported),
}

/// An import into a collection. The caller holds the collection's lock.
pub struct Import<'a> {
    crawler: &'a mut Crawler,
    options: ImportOptions,
    known: Known,
    batch: Batch,
    imported: Imported,
    /// What the batch will add once it is durable.
    waiting: Imported,
}

/// Responses that are appended together.
#[derive(Default)]
struct Batch {
    responses: Vec<(Url, Foreign)>,
    /// The newest date of each address in it.
    dates: HashMap<Url, Timestamp>,
    bytes: usize,
}

/// Most responses of one batch: a batch costs three syncs.
const BATCH: usize = 256;
/// Most bytes of one batch.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// Whether an item is taken.
enum Verdict {
    Take(Url),
    Known,
    Pass(String),
}

impl Crawler {
    /// Prepares an import. Cost: reads the indexes of the archive.
    pub fn import(&mut self, options: ImportOptions) -> Result<Import<'_>, Error> {
        let committer = self.committer_mut();
        // A closed file has an index, and an index tells what is known.
        committer.archive.close_file()?;
        let known = Known::read(&committer.collection.archive())?;
        let (batch, imported, waiting) = Default::default();
        Ok(Import { crawler: self, options, known, batch, imported, waiting })
    }
}

impl Import<'_> {
    /// Takes items until there are no more, the limit is reached or `watch` breaks off.
    ///
    /// When it returns, everything counted is durable. May be called for one source after another.
    pub fn take(
        &mut self,
        source: &mut dyn Iterator<Item = Result<Item, archive::Error>>,
        watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<&Imported, Error> {
        for item in source {
            match item {
                Ok(Item::Response(foreign)) => self.offer(*foreign)?,
                Ok(Item::Other(what)) => self.waiting.pass(what),
                Err(error) => {
                    self.waiting.broken += 1;
                    if watch(Event::Broken(&error)).is_break() {
                        break;
                    }
                }
            }
            if self.batch.is_full() || self.is_enough() {
                self.commit()?;
                if watch(Event::Done(&self.imported)).is_break() || self.is_enough() {
                    break;
                }
            }
        }
        self.commit()?;
        let _ = watch(Event::Done(&self.imported));
        Ok(&self.imported)
    }

    /// Returns whether as much as was asked for has been taken.
    pub fn is_enough(&self) -> bool {
        let taken = self.imported.taken + self.batch.responses.len() as u64;
        self.options.limit > 0 && taken >= self.options.limit
    }

    fn offer(&mut self, foreign: Foreign) -> Result<(), Error> {
        match self.judge(&foreign)? {
            Verdict::Take(url) => {
                self.known.insert(&url, &foreign.response(&url));
                self.batch.push(url, foreign);
            }
            Verdict::Known => self.waiting.known += 1,
            Verdict::Pass(reason) => self.waiting.pass(&reason),
        }
        Ok(())
    }

    fn judge(&mut self, foreign: &Foreign) -> Result<Verdict, Error> {
        let pass = |reason: &str| Ok(Verdict::Pass(reason.to_owned()));
        let options = self.crawler.options();
        // An address made for this import is what it was made, so that it can be made again.
        let rules = if foreign.is_named_by_us { Rules::NONE } else { options.url_rules };
        let url = match Url::parse_with(&foreign.target, rules) {
            Ok(url) => url,
            Err(error) => return pass(&format!("address: {error}")),
        };
        if options.blocked.holds(&url) {
            return pass(LeftOut::Blocked.name());
        }
        if is_robots(&url) {
            return pass("robots.txt");
        }
        let only = &self.options.only;
        if !only.is_empty() && !only.iter().any(|pattern| pattern.matches(&url)) {
            return pass("not asked for");
        }
        if foreign.head.len() > base::limits::HEAD_BYTES {
            return pass("head too long");
        }
        if self.known.holds(&url, &foreign.response(&url)) {
            return Ok(Verdict::Known);
        }
        if self.batch.dates.get(&url).is_some_and(|date| *date >= foreign.fetched) {
            return pass(OLDER);
        }
        self.compare(url, foreign)
    }

    /// Compares with what is known of the page.
    fn compare(&mut self, url: Url, foreign: &Foreign) -> Result<Verdict, Error> {
        let state = self.crawler.committer_mut().frontier.url(&url)?;
        let Some(Standing::Fetched { at, capture, .. }) = state.map(|state| state.standing) else {
            return Ok(Verdict::Take(url));
        };
        // The last record of a page is what counts; an older one must not come behind it.
        if at >= foreign.fetched {
            return Ok(Verdict::Pass(OLDER.to_owned()));
        }
        // Files are touched without being changed; what was made of one has no other date.
        if foreign.is_made() {
            let folder = self.crawler.committer_mut().collection.archive();
            let before = archive::read(&folder, capture)?;
            if before.body == foreign.body && before.status() == Some(200) {
                return Ok(Verdict::Known);
            }
        }
        Ok(Verdict::Take(url))
    }

    fn commit(&mut self) -> Result<(), Error> {
        let committer = self.crawler.committer_mut();
        let responses = std::mem::take(&mut self.batch).responses;
        for (url, foreign) in &responses {
            committer.archive.append(&foreign.response(url))?;
        }
        committer.archive.sync()?;
        let crate::committer::Committer { collection, pages, frontier, options, stats, .. } =
            committer;
        if !responses.is_empty() {
            read_on(collection, pages, frontier, options)?;
            stats.count(frontier);
        }
        self.waiting.taken = responses.len() as u64;
        self.imported.add(&std::mem::take(&mut self.waiting));
        Ok(())
    }
}

const OLDER: &str = "not newer than what is known";

impl Imported {
    fn pass(&mut self, reason: &str) {
        *self.passed.entry(reason.to_owned()).or_default() += 1;
    }

    fn add(&mut self, more: &Self) {
        self.taken += more.taken;
        self.known += more.known;
        self.broken += more.broken;
        for (reason, count) in &more.passed {
            *self.passed.entry(reason.clone()).or_default() += count;
        }
    }
}

impl Batch {
    fn push(&mut self, url: Url, foreign: Foreign) {
        self.bytes += foreign.head.len() + foreign.body.len();
        self.dates.insert(url.clone(), foreign.fetched);
        self.responses.push((url, foreign));
    }

    fn is_full(&self) -> bool {
        self.responses.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}
