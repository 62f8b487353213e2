//! The web graph and what its links say of a page.
//!
//! - Start at: [`pagerank`].

mod error;
mod in_links;
mod pagerank;

pub use error::Error;
pub use in_links::{InLinks, Node};
pub use pagerank::{
    DeadEnds, Iteration, PageRankOptions, Ranks, Start, Teleport, pagerank, pagerank_with,
};
