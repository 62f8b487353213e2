//! What can go wrong with link analysis.

use std::io;
use std::path::{Path, PathBuf};

use base::PageId;
use thiserror::Error;

/// What can go wrong with link analysis.
#[derive(Debug, Error)]
pub enum Error {
    /// The system refused a file operation.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A file of a generation is not what was written.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A line of a file that others made cannot be read.
    #[error("cannot read line {line} of `{}`: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A file was written by a newer Lookfar.
    #[error("`{}` has format version {found}; this Lookfar knows {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// A generation was written by an older Lookfar; it is derived, so nothing is lost.
    #[error(
        "`{}` has format version {found}; this Lookfar reads {known}: build the graph anew",
        path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The one we read.
        known: u32,
    },
    /// The page log cannot be read.
    #[error("cannot read the page log")]
    Pages(#[from] base::pages::Error),
    /// The collection's folder is in a bad state.
    #[error(transparent)]
    Collection(#[from] base::collection::Error),
    /// A page id that does not fit the log it stands in.
    #[error("page id {id} does not belong in this log: {reason}")]
    PageId {
        /// The id.
        id: PageId,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// More pages than node numbers.
    #[error("the graph has more than {} nodes", u32::MAX)]
    TooManyNodes,
    /// An arc, a teleport set or a start names a node that is not there.
    #[error("there is no node {node}: the graph has {num_nodes}")]
    UnknownNode {
        /// The number named.
        node: u32,
        /// How many there are.
        num_nodes: u32,
    },
    /// An option has a value that means nothing.
    #[error("{name} is {value}; it must be {wanted}")]
    BadOption {
        /// Which option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What would be accepted.
        wanted: &'static str,
    },
    /// A teleport set without a node in it.
    #[error("the teleport set is empty")]
    EmptyTeleport,
    /// A topic that cannot be ranked under its name.
    #[error("topic `{name}`: {reason}")]
    BadTopic {
        /// What it is called.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A start vector that is no distribution over the nodes.
    #[error("the start vector is not usable: {0}")]
    BadStart(&'static str),
    /// A list by node that does not have one entry per node.
    #[error("{what} has {found} entries; there are {wanted} nodes")]
    WrongLength {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// How many nodes there are.
        wanted: usize,
    },
    /// An analysis that one way of treating dead ends does not allow.
    #[error("{0} is not defined where dead ends are pruned: let them redistribute or stay")]
    NotWithPruning(&'static str),
    /// What cannot be done while the links stay on disk.
    #[error("{0} needs all links in memory: raise the limit (`[graph] memory`, `--memory`)")]
    NeedsMemory(&'static str),
    /// Pruning dead ends has removed every node that could hold rank.
    #[error("pruning dead ends leaves no node to rank: let them redistribute or stay")]
    NothingLeft,
    /// The generation to build is not newer than the one in use.
    #[error("generation {generation} is not newer than generation {used}, which is in use")]
    OldGeneration {
        /// The one asked for.
        generation: base::Generation,
        /// The one in use.
        used: base::Generation,
    },
    /// The caller asked to stop.
    #[error("link analysis was interrupted")]
    Interrupted,
}

impl Error {
    /// Wraps a refused file operation; for `map_err`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }

    /// Returns whether it is this process that lacks files or memory, and nothing is wrong with what
    /// it would have read (STO-13).
    pub fn is_want(&self) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if error.downcast_ref().is_some_and(is_want) {
                return true;
            }
            cause = error.source();
        }
        false
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}

fn is_want(error: &io::Error) -> bool {
    // EMFILE and ENFILE, which have these numbers on every Unix, and no name in the library.
    matches!(error.raw_os_error(), Some(24 | 23)) || error.kind() == io::ErrorKind::OutOfMemory
}
