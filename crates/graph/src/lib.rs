//! The web graph and what its links say: PageRank, topics, trust, hubs, shape, spam, likeness,
//! advice.
//!
//! - Place in the flow: reads the page log that `crawl` writes; `rank` reads the scores. Only
//!   `cli` runs it, in the background, and publishes a generation once `index` has built the
//!   anchors that belong to it.
//! - Reads and writes: `pages/*.log`; `graph/<gen>/` (drawn in [`Graph`]'s module) and
//!   `scores/<gen>/` (drawn in the modules of [`Scores`] and [`Reputation`]).
//! - Start at: [`analyse`] for a whole generation; [`build`], [`Graph::open`],
//!   [`pagerank`] and [`Scores::open`] for its parts; [`bv`] for how links are compressed;
//!   [`Graph::sites`] and [`HostGraph`] for what lies above pages. [`InLinks::from_arcs`] ranks
//!   any list of arcs, without files.
//! - Promises: a generation's folder has its name only when it is whole and durable; a flipped
//!   bit in any of its files is found by [`check_graph`] or [`check_scores`]; building holds
//!   about [`BuildOptions::memory`] however many links there are; the same log gives the same
//!   graph, and the same graph and start the same ranks to the last bit, on any number of threads,
//!   from memory or from disk.
//! - Does not: publish or remove generations, or say how much a score counts in an answer.

mod advise;
mod analyse;
mod array;
mod build;
pub mod bv;
mod compressed;
mod error;
mod farms;
mod folder;
mod graph;
mod hits;
mod honest;
mod in_links;
mod links;
mod members;
mod nodes;
mod orders;
mod packed;
mod pagerank;
mod progress;
mod reputation;
mod scores;
mod similar;
mod sites;
mod source;
mod spread;
mod structure;
mod threads;
mod topics;
mod trust;
mod varint;
mod votes;
mod wanted;
mod warm;
mod weights;

pub use advise::{Advice, Suggestion, advise, advise_with};
pub use analyse::{AnalyseOptions, Analysis, Begin, analyse, unwatched};
pub use build::{BuildOptions, Coarse, Counted, Summary, build};
pub use error::Error;
pub use farms::{
    Anchor, Evidence, Exchange, Farm, Finding, Gain, Hosts, Preview, RankChange, SharedTargets,
    SpamOptions, SpamReport, demote, farm_rank, find_bombs, find_spam, find_spam_with, preview,
    preview_with, without_spam,
};
pub use graph::{Graph, check as check_graph, read_summary};
pub use hits::{BaseSet, BaseSetOptions, HitsOptions, HubsAndAuthorities, hits, salsa};
pub use in_links::{InLinks, Node};
pub use links::Links;
pub use members::Members;
pub use orders::{Gathered, Order, crawl_order, gathered};
pub use packed::Packed;
pub use pagerank::{
    DeadEnds, Iteration, PageRankOptions, Precision, Ranks, Start, Teleport, Walk, pagerank,
    pagerank_with,
};
pub use progress::{NodeWatch, Progress, Stage, Watch};
pub use reputation::{
    BY_QUERY, MAX_TOPICS, Reputation, ReputationOptions, SpamFinding, SpamRole, Topic, WHOLE_WEB,
};
pub use scores::{Convergence, Scores, check as check_scores, read_convergence, read_node_scores};
pub use similar::{Arcs, LinkLikeness, Similar, SimilarOptions, similar};
pub use sites::{HostArc, HostGraph, Level, Owners, PageSites, Sites, Voices};
pub use source::{Named, ReadWatch, Shape, shape};
pub use structure::{
    Bin, BowTie, Components, Degrees, Estimate, Part, PowerLaw, Reach, ReachOptions, bow_tie,
    components, draw_bow_tie, draw_degrees, plot, reach, reach_with,
};
pub use threads::{NAMES as THREAD_NAMES, own_threads};
pub use topics::{blend, topics, topics_with};
pub use trust::{
    MassOptions, PageMass, SpamMass, host_masses, spam_mass, spam_mass_with, suggest_seeds, trust,
};
pub use votes::{DiskLinks, Votes};
pub use wanted::wanted;
pub use weights::Weight;
