//! One analysis of text for pages and queries: identify the language, find words, normalise, stem.
//!
//! - Place in the flow: under `parse`, `index` and `rank`; it runs nothing by itself.
//! - Reads and writes: nothing; all data is compiled in.
//! - Start at: [`Analyzer::for_each`] and [`identify()`]; [`Language::all`] lists what each
//!   language gets.
//! - Promises: the same text gives the same tokens on a page and in a query of the same
//!   language; any text is answered without a panic in time linear in its length; tokens are at
//!   most [`base::limits::TOKEN_BYTES`] long and their ranges end on character borders.
//! - Does not: know zones, fields, weights or query operators.

mod analyze;
mod identify;
mod language;
mod normalize;
mod segment;
mod sound;
mod stop;
mod tables;

pub use analyze::{Analyzer, Token, Word};
pub use identify::identify;
pub use language::{Language, Segmentation};
pub use sound::soundex;
pub use stop::is_stop_word;
