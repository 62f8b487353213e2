//! The log of grants in the control room: its end, and the switch that keeps one or none.
//!
//! The switch stands in `lookfar.toml`, for the next start, and is told to a crawl that runs.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result};
use base::{Collection, Timestamp};
use serde::Deserialize;
use serve::{Grant, Grants};

use super::{Crawl, settings};
use crate::config::Config;
use crate::control::Request;

/// Bytes read of the end of a log, and lines shown.
const TAIL_BYTES: u64 = 64 * 1024;
const TAIL_LINES: usize = 200;

/// What a crawl answers.
#[derive(Deserialize)]
struct Told {
    is_on: bool,
}

/// Returns the last grants, and whether more are noted: by the crawl or, if none runs, by the next.
pub(super) fn read(collection: &Collection, crawl: &Crawl) -> Grants {
    let told = crawl.ask::<Told>(&Request::Grants { is_on: None });
    let is_crawling = told.is_ok();
    let is_on = match told {
        Ok(told) => told.is_on,
        Err(_) => Config::read(&collection.config()).is_ok_and(|config| config.crawl.grants),
    };
    let mut last = Vec::new();
    // The file may have been begun a moment ago.
    for name in ["grants.log", "grants.log.1"] {
        let text = tail(&collection.root().join(name)).unwrap_or_default();
        last.extend(text.lines().rev().filter_map(grant).take(TAIL_LINES - last.len()));
    }
    Grants { is_on, is_crawling, last }
}

/// Switches the log on or off, for good; says so in a sentence.
pub(super) fn switch(collection: &Collection, crawl: &Crawl, is_on: bool) -> Result<String> {
    let told = crawl.ask::<Told>(&Request::Grants { is_on: Some(is_on) });
    // A log that cannot be written must not keep the next crawl from starting.
    let is_running = match told {
        Ok(_) => true,
        Err(error) if crawl.is_running() => {
            return Err(error.context("the crawl does not switch its log of grants"));
        }
        Err(_) => false,
    };
    let (section, name) = settings::GRANTS;
    let change = (format!("{section}.{name}"), is_on.to_string());
    settings::write(collection, &[change]).context(match is_running {
        true => "it holds until the crawl ends, but is not kept",
        false => "it is not kept",
    })?;
    let text = match (is_on, is_running) {
        (true, true) => "Requests are noted in grants.log from now on, also after a restart.",
        (true, false) => "The next crawl notes its requests in grants.log.",
        (false, true) => "Requests are no longer noted, also after a restart; grants.log stays.",
        (false, false) => "The next crawl does not note its requests; grants.log stays.",
    };
    Ok(text.to_owned())
}

/// Returns the last whole lines of a file; `None` if it is not there.
fn tail(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let start = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match (start, text.split_once('\n')) {
        (0, _) => Some(text),
        (_, Some((_, whole))) => Some(whole.to_owned()),
        (_, None) => Some(String::new()),
    }
}

fn grant(line: &str) -> Option<Grant> {
    let mut fields = line.split('\t');
    let (at, host, address, rest) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let rest: u64 = rest.parse().ok()?;
    Some(Grant {
        at: Timestamp::from_millis(at.parse().ok()?).rfc3339(),
        host: host.to_owned(),
        address: address.to_owned(),
        rest: (rest as f64 / 1000.0).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn grants_are_read_from_the_end_of_their_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("grants.log");
        assert_eq!(tail(&path), None);
        let line = "1762000000000\ta.example\t127.0.0.1\t1500\n";
        fs::write(&path, line.repeat(5_000)).unwrap();
        let text = tail(&path).unwrap();
        assert!(text.len() as u64 <= TAIL_BYTES && text.starts_with("1762"), "{}", &text[..60]);
        let grant = grant(text.lines().next().unwrap()).unwrap();
        assert_eq!((grant.at.as_str(), grant.rest.as_str()), ("2025-11-01T12:26:40Z", "1.5"));
        assert_eq!(super::grant("half a li"), None);
    }

    #[test]
    fn the_newest_come_first_out_of_both_files() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let crawl = Crawl::elsewhere(&collection);
        assert_eq!(read(&collection, &crawl), Grants::default());
        let lines = |range: std::ops::Range<u32>| -> String {
            range.map(|n| format!("{n}\th{n}.example\t127.0.0.1\t1\n")).collect()
        };
        fs::write(folder.path().join("grants.log.1"), lines(0..500)).unwrap();
        fs::write(folder.path().join("grants.log"), lines(500..503)).unwrap();
        let last = read(&collection, &crawl).last;
        let hosts: Vec<&str> = last.iter().map(|grant| grant.host.as_str()).collect();
        assert_eq!(hosts.len(), TAIL_LINES);
        assert_eq!(hosts[..4], ["h502.example", "h501.example", "h500.example", "h499.example"]);
    }

    #[test]
    fn while_nobody_crawls_the_switch_is_for_the_next_crawl() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        fs::write(collection.config(), "[crawl]\ndepth = 3 # few\n").unwrap();
        let crawl = Crawl::elsewhere(&collection);
        let told = switch(&collection, &crawl, true).unwrap();
        assert!(told.contains("next crawl"), "{told}");
        assert!(read(&collection, &crawl).is_on);
        let text = fs::read_to_string(collection.config()).unwrap();
        assert!(text.contains("depth = 3 # few\n") && text.contains("grants = true"), "{text}");
        switch(&collection, &crawl, false).unwrap();
        assert!(!read(&collection, &crawl).is_on);
        fs::write(collection.config(), "[crawl]\ndepth = \"deep\"\n").unwrap();
        assert!(switch(&collection, &crawl, true).is_err(), "what would not start is not written");
    }
}
