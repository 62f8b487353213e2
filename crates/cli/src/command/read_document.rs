//! `lookfar read-document`: the process in which one document is read; started by the crawl, for
//! each document anew, never by hand.

use anyhow::Result;

use crate::Done;

pub(crate) fn run() -> Result<Done> {
    parse::document::serve()?;
    Ok(Done::Well)
}
