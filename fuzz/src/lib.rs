//! What must hold for any bytes that a stranger may send: one function for each kind of reader.
//!
//! - Place in the flow: none; it calls the readers of `parse`, `archive`, `crawl` and `rank`.
//! - Reads and writes: one small file in the folder for temporary files, for WARC.
//! - Start at: [`html`]; `docs/fuzzing.md` says how to run it for an hour.
//! - Promises: each function is quick for small inputs, and panics if what it is given is read
//!   in a way that no input may be read in.
//! - Does not: make inputs. `cargo fuzz` does, guided by the code that they reach, and so does
//!   `tests/it` without any tools, by changing the stored ones.

// The sources that it includes bring tests of their own, which are run where they belong.
#![cfg(not(test))]

mod charset;
mod html;
mod listing;
mod page;
mod query;
mod robots;
mod warc;

pub use charset::charset;
pub use html::html;
pub use listing::listing;
pub use query::query;
pub use robots::robots;
pub use warc::warc;
