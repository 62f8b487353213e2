//! `lookfar pause`: no new requests until `lookfar resume`.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use base::Collection;

use crate::Done;
use crate::control::{Client, Request};

pub(crate) fn run(dir: &Path) -> Result<Done> {
    order(dir, &Request::Pause, "paused; requests under way come to their end")
}

/// Gives an order that needs a crawl; exit code 1 if there is none.
pub(super) fn order(dir: &Path, request: &Request, done: &str) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let Some(mut client) = Client::connect(&collection)? else { return Ok(nobody(dir)) };
    client.ask(request)?;
    drop(writeln!(std::io::stderr(), "{done}"));
    Ok(Done::Well)
}

pub(super) fn nobody(dir: &Path) -> Done {
    drop(writeln!(std::io::stderr(), "no crawl runs in `{}`", dir.display()));
    Done::Empty
}
