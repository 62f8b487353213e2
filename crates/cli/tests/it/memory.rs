//! A crawl under a small ceiling of memory, measured from outside (C16, STO-13).

use std::fs;
use std::process::Child;
use std::time::Duration;

use testweb::{Generated, GeneratedOptions, Mix, Web};

use crate::run::{collection, output, start, text};

/// The smallest ceiling that can be set, in MiB.
const CEILING: u64 = 128;
/// What may lie above it, in MiB: pages of the program itself and of mapped files, which the
/// ceiling does not count, and what came in between two looks at the memory, a second apart.
const MARGIN: u64 = 128;
const PAGES: u64 = 1_000;

/// Returns the most memory that a process has had so far, in MiB; nothing once it has ended.
fn most_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
}

#[test]
fn sto_13_a_crawl_of_large_pages_stays_near_its_ceiling_and_ends() {
    let generated = Generated::new(GeneratedOptions {
        hosts: 40,
        pages: PAGES,
        page_bytes: 40_000..=40_000,
        mix: Mix::none(),
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let limits = format!("delay = \"1ms\"\nslowness_factor = 0\nmemory = \"{CEILING}MiB\"");
    collection(folder.path(), &web, &limits);
    let mut child = start(folder.path(), &["crawl", "--until-idle", &generated.seed_url()]);
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most_memory(&child).unwrap_or(0).max(most);
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.wait_with_output().unwrap();
    println!("{most} MiB at most");
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
    assert!(most <= CEILING + MARGIN, "{most} MiB");
    let status = output(folder.path(), &["status", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert!(status["pages_fetched"].as_u64().unwrap() >= PAGES * 9 / 10, "{status}");
    assert_eq!(status["urls_waiting"], 0);
}
