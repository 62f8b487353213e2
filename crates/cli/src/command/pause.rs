//! `lookfar pause`: no new requests until `lookfar resume`.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use base::Collection;
use serde_json::json;

use crate::Done;
use crate::args::JsonArgs;
use crate::control::{Client, Request};

pub(crate) fn run(dir: &Path, told: JsonArgs) -> Result<Done> {
    order(dir, &Request::Pause, told, "paused; requests under way come to their end")
}

/// Gives an order that needs a crawl; exit code 1 if there is none.
pub(super) fn order(dir: &Path, request: &Request, told: JsonArgs, done: &str) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let Some(mut client) = Client::connect(&collection)? else { return nobody(dir, told) };
    let mut answer = client.ask(request)?;
    if told.json {
        answer["is_crawling"] = true.into();
        writeln!(std::io::stdout(), "{answer}")?;
    } else {
        drop(writeln!(std::io::stderr(), "{done}"));
    }
    Ok(Done::Well)
}

pub(super) fn nobody(dir: &Path, told: JsonArgs) -> Result<Done> {
    if told.json {
        writeln!(std::io::stdout(), "{}", json!({ "is_crawling": false }))?;
    } else {
        drop(writeln!(std::io::stderr(), "no crawl runs in `{}`", dir.display()));
    }
    Ok(Done::Empty)
}
