//! Why a search is not answered.

use std::io;
use std::path::PathBuf;

use tantivy::TantivyError;
use thiserror::Error;

use crate::query::TooLarge;

/// Why a search is not answered.
#[derive(Debug, Error)]
pub enum Error {
    /// The query is larger than allowed.
    #[error(transparent)]
    Query(#[from] TooLarge),
    /// The asked window ends too deep in the answers.
    #[error("only the first {limit} answers can be asked for")]
    Window {
        /// How deep a window may end.
        limit: usize,
    },
    /// A topic is asked for that is not known.
    #[error("there is no topic `{name}`; {known}")]
    Topic {
        /// What was asked for.
        name: String,
        /// Which topics there are, in a sentence.
        known: String,
    },
    /// The weights of topics cannot be blended.
    #[error("the weights of topics must be finite numbers, none negative, one above 0")]
    TopicWeights,
    /// The scores of a topic cannot be read.
    #[error("cannot read the scores of a topic")]
    Scores(#[from] graph::Error),
    /// The index cannot be opened.
    #[error(transparent)]
    Open(#[from] index::Error),
    /// The index cannot be read.
    #[error("cannot read the index")]
    Read(#[from] TantivyError),
    /// A file of the index was cut while this was answered; the next question opens it anew.
    #[error("a file of the index was cut while it was in use; run `lookfar check`")]
    Cut,
    /// It cannot be told while somebody waits.
    #[error("{what}")]
    NotNow {
        /// Why not.
        what: &'static str,
    },
    /// The collection does not say which generation is in use.
    #[error(transparent)]
    Collection(#[from] base::collection::Error),
    /// The lists of strategies are not what was written.
    #[error("the lists `{}` are damaged", path.display())]
    DamagedLists {
        /// The file.
        path: PathBuf,
        /// What was found.
        #[source]
        source: io::Error,
    },
    /// The lists of a strategy cannot be made.
    #[error("cannot write the lists `{}`", path.display())]
    Lists {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The suggestions are not what was written.
    #[error("the suggestions `{}` are damaged", path.display())]
    DamagedSuggestions {
        /// The file.
        path: PathBuf,
        /// What was found.
        #[source]
        source: io::Error,
    },
    /// The suggestions cannot be written.
    #[error("cannot write the suggestions `{}`", path.display())]
    Suggestions {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

impl Error {
    /// Returns whether the question was wrong, not the answering: HTTP 400 rather than 500.
    pub fn is_bad_request(&self) -> bool {
        matches!(
            self,
            Self::Query(_) | Self::Window { .. } | Self::Topic { .. } | Self::TopicWeights
        )
    }
}
