//! Keeps the link analysis up with the crawl: a new generation now and then, in the background.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::log::{Position, Tail};
use base::{Collection, Generation};

/// Builds generations in a thread of its own.
pub(crate) struct Analyst {
    pub(crate) collection: Collection,
    pub(crate) tail: Tail,
    /// Shortest time between two generations.
    pub(crate) interval: Duration,
    pub(crate) orders: Arc<Orders>,
}

/// What the engine tells the analyst, and hears from it.
#[derive(Default)]
pub(crate) struct Orders {
    /// End as soon as possible, leaving a generation unfinished.
    pub(crate) stop: AtomicBool,
    /// Analyse now, whatever the interval, if there is anything new.
    pub(crate) hurry: AtomicBool,
    /// Generation in use.
    pub(crate) generation: AtomicU64,
    /// Whether everything in the log at the last look has been analysed.
    pub(crate) is_current: AtomicBool,
}

const NAP: Duration = Duration::from_millis(100);

impl Analyst {
    /// Works until told to stop. A generation that fails is tried again after the interval.
    pub(crate) fn run(self) -> Result<()> {
        let mut generation = self.collection.generation()?;
        self.orders.generation.store(generation.map_or(0, |found| found.0), Ordering::Relaxed);
        let mut analysed = self.analysed(generation);
        let mut last = Instant::now();
        while !self.orders.stop.load(Ordering::Relaxed) {
            let end = self.tail.durable();
            let is_current = analysed == Some(end);
            self.orders.is_current.store(is_current, Ordering::Relaxed);
            let due = last.elapsed() >= self.interval || self.orders.hurry.load(Ordering::Relaxed);
            if is_current || !due {
                std::thread::sleep(NAP);
                continue;
            }
            let next = Generation(generation.map_or(0, |found| found.0) + 1);
            match self.analyse(next) {
                Ok(Some(up_to)) => {
                    (generation, analysed) = (Some(next), Some(up_to));
                    self.orders.generation.store(next.0, Ordering::Relaxed);
                }
                Ok(None) => break,
                // Ranking goes on with the last generation; the crawl must not end for this.
                Err(error) if !self.orders.hurry.load(Ordering::Relaxed) => {
                    tracing::warn!(
                        generation = next.0,
                        error = format!("{error:#}"),
                        "analysis failed"
                    );
                }
                Err(error) => return Err(error),
            }
            last = Instant::now();
        }
        Ok(())
    }

    /// Builds a generation and puts it to use; `None` if told to stop meanwhile.
    fn analyse(&self, generation: Generation) -> Result<Option<Position>> {
        let mut watch = |_| match self.orders.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        // What an earlier, interrupted build left under this number.
        self.collection.remove_unfinished()?;
        let mut options = graph::AnalyseOptions::default();
        // What a power cut could still take back must not be analysed.
        options.build.up_to = Some(self.tail.durable());
        let summary = match graph::analyse(&self.collection, generation, &options, &mut watch) {
            Ok(analysis) => analysis.graph,
            Err(graph::Error::Interrupted) => return Ok(None),
            Err(error) => return Err(error).context("cannot analyse the links"),
        };
        let pages = self.collection.pages();
        let options = index::anchors::Options::default();
        index::anchors::build(&pages, &self.collection.anchors(generation), options)
            .context("cannot gather the anchor texts")?;
        self.collection.publish(generation)?;
        tracing::info!(generation = generation.0, nodes = summary.num_nodes, "analysed");
        Ok(Some(summary.up_to))
    }

    fn analysed(&self, generation: Option<Generation>) -> Option<Position> {
        let folder = self.collection.graph(generation?);
        graph::read_summary(&folder).ok().map(|summary| summary.up_to)
    }
}
