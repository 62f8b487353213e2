//! Answers queries: query language, candidates, their order, snippets.
//!
//! - Place in the flow: reads what `index` and `graph` have built; `serve` and `cli` ask it.
//! - Reads and writes: reads `index/`, `anchors/<gen>/`, `scores/<gen>/` and, for web sites and
//!   who links to whom, `graph/<gen>/`; writes only `scores/<gen>/lists` and
//!   `scores/<gen>/suggestions`, when asked to ([`Searcher::prepare`], [`Phrases`]).
//! - Start at: [`Searcher::search`], [`Searcher::kept`] for a single page, [`Searcher::similar`]
//!   for pages like one, [`Searcher::suggest`] while somebody types, [`Searcher::pictures`]; the
//!   grammar is in [`query`], the formula in [`Weights`].
//! - Promises: every text of at most 1,024 bytes, 64 words and 32 nested groups is a valid query
//!   that ends in about a second; a search sees one commit of the index and one generation of
//!   the scores; text that comes back is plain and must be escaped by whoever shows it.
//! - Does not: speak HTTP or HTML, write to a collection, read the wall clock.

mod answer;
mod below;
#[doc(hidden)]
pub mod bench;
mod candidates;
mod checking;
mod choice;
mod described;
mod error;
pub mod eval;
mod explain;
mod facets;
mod first;
mod fold;
mod generation;
mod kept;
mod linked;
mod model;
mod near;
mod next;
mod note;
mod order;
mod patience;
mod personal;
mod phrase;
mod pictures;
mod plan;
mod probe;
pub mod query;
mod related;
mod remark;
mod row;
mod searcher;
mod snippet;
mod spelling;
mod standing;
mod steady;
mod strategy;
mod suggest;
mod vocabulary;
mod voices;
mod weights;

pub use answer::{Grouping, Helps, Hit, Part, Request, Results, Segment, Snippet, Total};
pub use choice::{Sorting, TopicWeight, Without};
pub use error::Error;
pub use facets::{Facet, Facets};
pub use generation::importance;
pub use graph::{LinkLikeness, SpamRole};
pub use kept::{Highlighter, Lookup};
pub use linked::{PageLinks, QueryHubs, ScoredPage, ShapePart, WebShape};
pub use model::{Model, Ranking, Reading};
pub use note::{Note, Wants, WhyNot};
pub use personal::Personal;
pub use pictures::{Picture, Pictures};
pub use query::Query;
pub use related::Alike;
pub use remark::{Likeness, Remark, SpamPart};
pub use searcher::{Clock, Options, Searcher};
pub use strategy::{Report, Strategy, check_lists, renew_lists};
pub use suggest::{Phrases, check_suggestions};
pub use text::Synonyms;
pub use weights::Weights;
