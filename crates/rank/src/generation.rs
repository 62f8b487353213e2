//! The link analysis in use: PageRank and reputation by page, anchor texts by target and who links
//! to whom, switched together.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use base::{Collection, Generation, PageId, Url};
use graph::{Graph, PageSites, Reputation, Scores};
use index::anchors::Anchors;
use index::is_want;
use tracing::{info, warn};

use crate::linked::WebShape;
use crate::suggest::Suggestions;

/// One generation, opened; nothing in it changes, unless somebody cuts its files.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pub(crate) generation: Option<Generation>,
    pub(crate) scores: Option<Scores>,
    /// Topics, trust and spam, as far as they were looked for.
    pub(crate) reputation: Option<Reputation>,
    pub(crate) anchors: Option<Anchors>,
    /// Web sites of the pages; registered domains stand in for them where they are missing.
    pub(crate) sites: Option<PageSites>,
    /// What people may be about to type.
    pub(crate) suggestions: Option<Suggestions>,
    /// Where the graph lies; opened when somebody asks who links to a page.
    graph_folder: PathBuf,
    graph: OnceLock<Option<Graph>>,
    /// Held by the one who opens the graph.
    opening: Mutex<()>,
    /// Some of it is missing only because this process had no file or no memory left for it.
    is_wanting: bool,
    /// Pages of cut files before it was opened.
    num_missed: u64,
    /// The most important pages and the shape of the whole, once somebody has asked.
    pub(crate) top: OnceLock<Vec<(PageId, f32)>>,
    pub(crate) shape: Mutex<Option<Arc<WebShape>>>,
}

impl Links {
    fn open(collection: &Collection, generation: Generation) -> Self {
        let num_missed = index::num_missed();
        let mut is_wanting = false;
        let mut missing = |error: &dyn std::fmt::Display, is_want: bool, what: &str| {
            is_wanting |= is_want;
            warn!(%generation, %error, is_want, "{what} cannot be used");
        };
        let scores = Scores::open(&collection.scores(generation))
            .inspect_err(|error| missing(error, error.is_want(), "scores"))
            .ok();
        let reputation = Reputation::open(&collection.scores(generation))
            .inspect_err(|error| missing(error, error.is_want(), "reputation"))
            .ok()
            .flatten();
        let anchors = Anchors::open(&collection.anchors(generation))
            .inspect_err(|error| missing(error, error.is_want(), "anchors"))
            .ok();
        let suggestions = Suggestions::open(collection, generation)
            .inspect_err(|error| missing(error, is_want(error), "suggestions"))
            .ok()
            .flatten();
        let graph_folder = collection.graph(generation);
        let sites = PageSites::open(&graph_folder)
            .inspect_err(|error| missing(error, error.is_want(), "sites"))
            .ok();
        let graph = OnceLock::new();
        Self {
            generation: Some(generation),
            scores,
            reputation,
            anchors,
            sites,
            suggestions,
            graph_folder,
            graph,
            opening: Mutex::default(),
            is_wanting,
            num_missed,
            top: OnceLock::new(),
            shape: Mutex::default(),
        }
    }

    /// Returns whether no file was cut since it was opened; if one was, what it says may be wrong
    /// (STO-08).
    pub(crate) fn is_whole(&self) -> bool {
        let graph = self.graph.get().and_then(Option::as_ref);
        self.generation.is_none()
            || (index::num_missed() == self.num_missed && graph.is_none_or(Graph::is_whole))
    }

    /// Returns at most `most` pages that link to an address; `None` while nothing is known of
    /// links.
    pub(crate) fn linking_to(&self, url: &Url, most: usize) -> Option<Vec<PageId>> {
        let graph = self.graph()?;
        let Ok(Some(node)) = graph.node_of_url(url) else { return Some(Vec::new()) };
        let sources = graph.first_predecessors(node, most);
        Some(sources.filter_map(|source| graph.page(source).ok().flatten()).collect())
    }

    /// Returns who links to whom; `None` while that is not known, and if its files were cut. The
    /// first call opens it.
    pub(crate) fn graph(&self) -> Option<&Graph> {
        self.generation?;
        let graph = self.graph.get().or_else(|| self.open_graph());
        graph?.as_ref().filter(|graph| graph.is_whole())
    }

    /// Opens who links to whom; `None` if this process cannot now, and the next who asks may get
    /// what this one does not (STO-13).
    fn open_graph(&self) -> Option<&Option<Graph>> {
        let _turn = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if self.graph.get().is_none() {
            let opened = Graph::open(&self.graph_folder)
                .inspect_err(|error| warn!(%error, "graph cannot be used"));
            if opened.as_ref().is_err_and(graph::Error::is_want) {
                return None;
            }
            let _ = self.graph.set(opened.ok());
        }
        self.graph.get()
    }

    /// Returns where the graph lies.
    pub(crate) fn graph_folder(&self) -> &Path {
        &self.graph_folder
    }

    /// Returns whether pages have ranks at all.
    pub(crate) fn has_scores(&self) -> bool {
        self.scores.is_some()
    }

    /// Returns how important a page is by its links, from 0 to 1; 0 for pages not yet ranked.
    ///
    /// Logarithmic: PageRank follows a power law, and ten times the rank is one step better.
    pub(crate) fn importance(&self, page: PageId) -> f32 {
        let Some(scores) = &self.scores else { return 0.0 };
        scores.get(page).map_or(0.0, |score| steps(score, scores.mean(), scores.max()))
    }

    /// Returns the PageRank of a page as a multiple of the mean; 1 for pages not yet ranked.
    pub(crate) fn relative(&self, page: PageId) -> f32 {
        let Some(scores) = &self.scores else { return 1.0 };
        let mean = scores.mean();
        let relative = scores.get(page).map_or(1.0, |score| score / mean);
        if mean > 0.0 && relative.is_finite() { relative } else { 1.0 }
    }
}

/// Returns a rank as a number of equal steps of growth, from 0 to 1 for the largest.
pub(crate) fn steps(score: f32, mean: f32, max: f32) -> f32 {
    let steps = (1.0 + score / mean).ln() / (1.0 + max / mean).ln();
    if mean > 0.0 && max > 0.0 && steps.is_finite() { steps.clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns how important pages are by their links, from 0 to 1, in the generation in use: for
/// sorting an index that is filled anew.
pub fn importance(collection: &Collection) -> impl Fn(PageId) -> f32 + Sync + use<> {
    let links = Follower::new(collection.clone()).links();
    move |page| links.importance(page)
}

/// Follows the generations of a collection.
#[derive(Debug)]
pub(crate) struct Follower {
    collection: Collection,
    checked: Mutex<Option<Instant>>,
    /// Why the number of the generation could not be read the last time, if so.
    trouble: Mutex<Option<String>>,
    /// When this process last lacked files or memory to open a generation.
    wanted: Mutex<Option<Instant>>,
    present: RwLock<Arc<Links>>,
}

/// How often the collection is asked for its generation, however many searches come.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// How long a generation is let alone that this process had no files or no memory left to open:
/// each attempt reads what it gets, to no use.
const WANT_REST: Duration = Duration::from_secs(2);

impl Follower {
    pub(crate) fn new(collection: Collection) -> Self {
        let (checked, trouble, wanted, present) = Default::default();
        Self { collection, checked, trouble, wanted, present }
    }

    /// Returns the generation in use; an empty one while there is none.
    pub(crate) fn links(&self) -> Arc<Links> {
        self.checked_within(CHECK_INTERVAL)
    }

    /// Looks for a new generation now, and returns the one in use.
    pub(crate) fn renewed(&self) -> Arc<Links> {
        self.checked_within(Duration::ZERO)
    }

    fn checked_within(&self, interval: Duration) -> Arc<Links> {
        // If another thread is loading, the generation before is good enough.
        let is_recent = |checked: Instant| checked.elapsed() < interval;
        if let Ok(mut checked) = self.checked.try_lock()
            && !(checked.is_some_and(is_recent) && self.present().is_whole())
        {
            self.refresh();
            *checked = Some(Instant::now());
        }
        self.present()
    }

    fn present(&self) -> Arc<Links> {
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes what went wrong, or that nothing did; returns whether that was not so before.
    fn is_news(&self, trouble: Option<String>) -> bool {
        let mut known = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = *known != trouble;
        *known = trouble;
        is_news
    }

    fn refresh(&self) {
        let generation = match self.collection.generation() {
            Ok(generation) => {
                self.is_news(None);
                generation
            }
            Err(error) => {
                if self.is_news(Some(error.to_string())) {
                    warn!(%error, "generation cannot be read; the one before stays in use");
                }
                return;
            }
        };
        let present = self.present();
        let is_present = generation == present.generation && !present.is_wanting;
        if is_present && present.is_whole() {
            return;
        }
        if !present.is_whole() {
            warn!("a file was cut while in use; links are opened anew");
        }
        let Some(generation) = generation else { return };
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.is_some_and(|tried| tried.elapsed() < WANT_REST) && present.is_whole() {
            return;
        }
        let links = Links::open(&self.collection, generation);
        *wanted = links.is_wanting.then(Instant::now);
        // What is in use is better than a part of what is newer.
        let is_better = present.generation.is_some() && !present.is_wanting;
        if links.is_wanting && is_better && present.is_whole() {
            return;
        }
        info!(%generation, "links in use");
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(links);
    }
}
