//! Which graph a command is about.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ::graph::{AnalyseOptions, Level, Named, PageRankOptions};
use anyhow::{Context, Result};
use base::Collection;

use super::Shown;
use super::sets::Sets;
use crate::config::Config;
use crate::progress::{Of, showing};

#[derive(clap::Args)]
#[command(next_help_heading = "Which graph")]
pub(super) struct FromArgs {
    /// A graph file in place of the collection: an arc list (from, tab, to per line; a lone name
    /// is a node), a BVGraph (any of its files, or their base name), or GML (.gml).
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// What the nodes of the file are called: lines of number and name; for a BVGraph, the name
    /// of node 0, 1, 2, … in turn.
    #[arg(long, value_name = "FILE", requires = "graph")]
    names: Option<PathBuf>,
}

/// What a node is.
#[derive(clap::Args)]
#[command(next_help_heading = "Which graph")]
pub(super) struct LevelArgs {
    /// Hosts instead of pages: one links to another if any of its pages does. Of a collection only.
    #[arg(long, conflicts_with = "graph")]
    hosts: bool,
    /// Web sites instead of pages, in the same way: parts of a host, a host, or several.
    #[arg(long, conflicts_with_all = ["graph", "hosts"])]
    sites: bool,
}

impl LevelArgs {
    /// Returns what nodes are, unless they are pages.
    pub(super) fn level(&self) -> Option<Level> {
        match (self.hosts, self.sites) {
            (true, _) => Some(Level::Hosts),
            (false, true) => Some(Level::Sites),
            (false, false) => None,
        }
    }

    /// Returns what the nodes of a graph are called.
    pub(super) fn noun(&self, named: &Named) -> &'static str {
        match (self.level(), named.stored()) {
            (Some(Level::Hosts), _) => "hosts",
            (Some(Level::Sites), _) => "sites",
            (None, Some(_)) => "pages",
            (None, None) => "nodes",
        }
    }

    /// Returns what one of them is called above a column of names.
    pub(super) fn one(&self) -> &'static str {
        match self.level() {
            Some(Level::Hosts) => "host",
            Some(Level::Sites) => "site",
            None => "node",
        }
    }
}

impl FromArgs {
    /// Returns how sets of nodes are found in the graph that was opened.
    pub(super) fn sets<'a>(&self, dir: &'a Path, named: &'a Named) -> Sets<'a> {
        Sets { named, dir: self.collection(dir) }
    }

    /// Returns the collection's folder, if the graph is a collection's.
    pub(super) fn collection<'a>(&self, dir: &'a Path) -> Option<&'a Path> {
        self.graph.is_none().then_some(dir)
    }

    /// Opens the graph file, or the generation that the collection uses with the links, and their
    /// weights, that count for its search; without those of spam if its configuration says so.
    pub(super) fn open_counted(&self, dir: &Path) -> Result<Named> {
        self.open_with(dir, |_| ())
    }

    /// As [`Self::open_counted`], with links of spam in any case: for who looks for them.
    pub(super) fn open_with_spam(&self, dir: &Path) -> Result<Named> {
        self.open_with(dir, |options| options.spam = true)
    }

    fn open_with(&self, dir: &Path, change: impl FnOnce(&mut AnalyseOptions)) -> Result<Named> {
        if self.graph.is_some() {
            return self.open(dir);
        }
        let collection = Collection::open(dir)?;
        let mut options = Config::read(&collection.config())?.analyse_options(collection.root())?;
        change(&mut options);
        let folder = folder(&collection)?;
        Ok(watched(|watch| Named::generation_with(&folder, &options, watch))?)
    }

    /// Returns how visitors go on, unless the command line says so: as `[graph]` of the collection
    /// says, or with a graph file as in the books.
    pub(super) fn ranking(&self, dir: &Path) -> Result<PageRankOptions> {
        match &self.graph {
            Some(_) => Ok(PageRankOptions::default()),
            None => Config::read(&Collection::open(dir)?.config())?.pagerank_options(),
        }
    }

    /// Opens the graph file, or the pages, hosts or sites of the generation that the collection uses.
    pub(super) fn open_at(&self, level: &LevelArgs, dir: &Path) -> Result<Named> {
        match level.level() {
            Some(level) => {
                let folder = folder(&Collection::open(dir)?)?;
                Ok(showing(READ, Of::Items, |watch| Named::at(level, &folder, watch))?)
            }
            None => self.open(dir),
        }
    }

    /// Opens the graph file, or the generation that the collection uses.
    pub(super) fn open(&self, dir: &Path) -> Result<Named> {
        let Some(path) = &self.graph else {
            let folder = folder(&Collection::open(dir)?)?;
            return Ok(showing(READ, Of::Items, |watch| Named::generation(&folder, watch))?);
        };
        Ok(showing("read", Of::Bytes, |watch| Named::open(path, self.names.as_deref(), watch))?)
    }
}

/// What is done with the nodes of a collection's graph while it is opened.
const READ: &str = "read nodes";

/// Reads all names into memory.
pub(super) fn hold_names(named: &mut Named) -> Result<()> {
    Ok(showing("read names", Of::Items, |watch| named.hold_names(watch))?)
}

/// Shows the stages of some work on a collection's graph.
pub(super) fn watched<T>(
    work: impl FnOnce(&mut dyn FnMut(::graph::Progress) -> ControlFlow<()>) -> T,
) -> T {
    let mut shown = Shown::default();
    let done = work(&mut |now| {
        shown.show_links(now);
        ControlFlow::Continue(())
    });
    shown.finish();
    done
}

/// Returns the folder of the graph that a collection uses.
pub(super) fn folder(collection: &Collection) -> Result<PathBuf> {
    let generation = collection.generation()?.with_context(|| {
        let root = collection.root().display();
        format!("`{root}` has no link graph yet: make it with `lookfar graph build`")
    })?;
    Ok(collection.graph(generation))
}
