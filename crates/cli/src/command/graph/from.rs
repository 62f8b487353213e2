//! Which graph a command is about.

use std::path::{Path, PathBuf};

use ::graph::Named;
use anyhow::{Context, Result};
use base::Collection;

use super::sets::Sets;
use crate::progress::{Of, Progress};

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

impl FromArgs {
    /// Returns how sets of nodes are found in the graph that was opened.
    pub(super) fn sets<'a>(&self, dir: &'a Path, named: &'a Named) -> Sets<'a> {
        Sets { named, dir: self.collection(dir) }
    }

    /// Returns the collection's folder, if the graph is a collection's.
    pub(super) fn collection<'a>(&self, dir: &'a Path) -> Option<&'a Path> {
        self.graph.is_none().then_some(dir)
    }

    /// Opens the graph file, or the generation that the collection uses.
    pub(super) fn open(&self, dir: &Path) -> Result<Named> {
        let Some(path) = &self.graph else {
            let collection = Collection::open(dir)?;
            let generation = collection.generation()?.with_context(|| {
                let dir = dir.display();
                format!("`{dir}` has no link graph yet: make it with `lookfar graph build`")
            })?;
            return Ok(Named::generation(&collection.graph(generation))?);
        };
        let mut progress = None;
        let named = Named::open(path, self.names.as_deref(), &mut |done, total| {
            let progress = progress.get_or_insert_with(|| Progress::new("read", Of::Bytes, total));
            progress.show(done);
        });
        if let Some(progress) = progress {
            progress.finish();
        }
        Ok(named?)
    }
}
