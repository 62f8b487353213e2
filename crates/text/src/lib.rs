//! One analysis of text for pages and queries: identify the language, find words, normalise, stem.
//!
//! - Place in the flow: under `parse`, `index` and `rank`; it runs nothing by itself.
//! - Reads and writes: nothing; all data is compiled in.
//! - Start at: [`Analyzer::for_each_term`] for an index and its queries, [`Analyzer::for_each`]
//!   for words as a reader counts them, [`identify()`]; [`Language::all`] lists what each
//!   language gets (`docs/languages.md`).
//! - Promises: the same text gives the same tokens on a page and in a query of the same
//!   language; any text is answered without a panic in time linear in its length; tokens are at
//!   most [`base::limits::TOKEN_BYTES`] long and their ranges end on character borders.
//! - Does not: know zones, fields, weights or query operators.

mod analyze;
mod around;
mod cache;
mod compound;
mod identify;
mod language;
mod normalize;
mod numbers;
mod segment;
mod sought;
mod sound;
mod stem;
mod stop;
mod synonyms;
mod tables;
mod terms;

pub use analyze::{Analyzer, Token, Word};
pub use around::{around, is_unspaced};
pub use compound::join;
pub use identify::identify;
pub use language::{Folding, Language, Numbers, Segmentation};
pub use normalize::{composed, is_letter_or_mark};
pub use sought::Beginnings;
pub use sound::{double_metaphone, soundex};
pub use stem::Stemmer;
pub use stop::{is_stop_word, stop_words};
pub use synonyms::{Expansion, Lexicon, Synonyms};
pub use terms::{Form, Term};
