//! The live inverted index, fed from the page log, and the anchor texts by target.
//!
//! - Place in the flow: reads the page log that `crawl` appends to; `rank` searches what is here.
//! - Reads and writes: `index/` from `pages/*.log`; `anchors/<gen>/` from the same log.
//! - Start at: [`follow`] and [`Writer`] to fill it, [`Reader`] to look into it,
//!   [`anchors::build`] for the anchor texts of a generation.
//! - Promises: one document per page that may be an answer; a commit that returned survives a power loss
//!   and says up to which record of the log it has read; readers never wait for the writer; an
//!   index that is damaged is filled again from the log.
//! - Does not: know queries, ranks or what an answer looks like.

pub mod anchors;
mod breaks;
mod bulk;
mod by_page;
mod check;
mod cut;
mod directory;
mod doubts;
mod error;
pub mod facts;
mod folder;
mod follow;
mod footer;
mod labels;
mod lists;
mod long;
mod pictures;
mod prepared;
mod queue;
mod reader;
mod schema;
mod showing;
mod texts;
mod writer;

pub use breaks::Breaks;
pub use check::{Health, Problem, check, rebuild, rebuild_by_rank};
pub use cut::{num_missed, survive_cut_files};
pub use error::{Error, is_want};
pub use follow::{catch_up, follow};
pub use labels::{Labels, Names};
pub use long::num_cut_words;
pub use pictures::{Picture, Pictured};
pub use reader::{Expired, Reader, Snapshot};
pub use schema::{Fields, HEADING_FOLD, NO_LANGUAGE, SILENT, STORED_BYTES, StoredPage, TITLE_FOLD};
pub use showing::{Print, Showing};
pub use texts::Texts;
pub use writer::{Committed, Options, Writer, is_answer};
