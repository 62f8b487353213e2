//! `lookfar stop`: ends a crawl cleanly, and waits until it has ended.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use base::Collection;
use serde_json::json;

use super::pause::nobody;
use crate::Done;
use crate::args::JsonArgs;
use crate::control::{Client, Request, wait_for_end};
use crate::numbers::Numbers;

pub(crate) fn run(dir: &Path, told: JsonArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let Some(mut client) = Client::connect(&collection)? else { return nobody(dir, told) };
    client.ask(&Request::Stop)?;
    let lock = wait_for_end(client, &collection)?;
    // The last thing that a process tells is that it crawls no more.
    if lock.is_some() && Numbers::told(&collection).is_crawling {
        bail!("the crawl ended, but not cleanly; its own output says why");
    }
    if told.json {
        writeln!(std::io::stdout(), "{}", json!({ "is_crawling": false, "stopped": true }))?;
    } else {
        drop(writeln!(std::io::stderr(), "stopped; `lookfar crawl` or `lookfar up` goes on"));
    }
    Ok(Done::Well)
}
