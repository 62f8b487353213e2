//! Telling a caller how far long work is, and letting the caller stop it.

use std::ops::ControlFlow;

use crate::Error;

/// How far link analysis is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done: records, URLs, pages, nodes or steps.
    pub done: u64,
    /// How much there is, where that is known before the end.
    pub total: Option<u64>,
}

/// The parts of link analysis, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reading the page log; counts records.
    Read,
    /// Giving numbers to URLs; counts mentions of URLs.
    Number,
    /// Joining links with their pages; counts links.
    Join,
    /// Compressing the graph, both ways, and the links nobody vouches for; counts nodes, each
    /// three times.
    Compress,
    /// Finding hosts, sites and kinds of links; counts nodes, each four times.
    Sites,
    /// Finding links between hosts and between sites, and compressing them; counts nodes, and
    /// hosts and sites twice.
    Levels,
    /// Ranking; counts steps.
    Rank,
}

/// Called now and then; `Break` ends the work with [`Error::Interrupted`].
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Called now and then with how many nodes are done, and how many there are.
pub type NodeWatch<'a> = &'a mut dyn FnMut(u64, u64);

/// Items between two calls: often enough for a person, seldom enough to cost nothing.
const INTERVAL: u64 = 1_024;

/// Counts the items of one stage.
pub(crate) struct Ticker<'w> {
    watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
    progress: Progress,
}

impl<'w> Ticker<'w> {
    /// Begins a stage and says so.
    pub(crate) fn start(
        watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
        stage: Stage,
        total: Option<u64>,
    ) -> Result<Self, Error> {
        let mut ticker = Self { watch, progress: Progress { stage, done: 0, total } };
        ticker.tell()?;
        Ok(ticker)
    }

    /// Counts one item.
    pub(crate) fn tick(&mut self) -> Result<(), Error> {
        self.progress.done += 1;
        match self.progress.done.is_multiple_of(INTERVAL) {
            true => self.tell(),
            false => Ok(()),
        }
    }

    fn tell(&mut self) -> Result<(), Error> {
        match (self.watch)(self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Interrupted),
        }
    }
}

/// Counts nodes, for work that nobody stops.
pub(crate) struct Counter<'w> {
    watch: NodeWatch<'w>,
    done: u64,
    total: u64,
}

impl<'w> Counter<'w> {
    /// Begins and says so.
    pub(crate) fn start(watch: NodeWatch<'w>, total: u64) -> Self {
        watch(0, total);
        Self { watch, done: 0, total }
    }

    /// Counts one node.
    pub(crate) fn tick(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(INTERVAL) || self.done == self.total {
            (self.watch)(self.done, self.total);
        }
    }
}
