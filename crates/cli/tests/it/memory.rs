//! A crawl under a small ceiling of memory, measured from outside (C16, STO-13).

use std::fs;
use std::process::Child;
use std::time::Duration;

use testweb::{Answer, Request, Site, Web};

use crate::run::{collection, output, start, text};

/// The smallest ceiling that can be set, in MiB.
const CEILING: u64 = 128;
/// What may lie above it, in MiB: pages of the program itself and of mapped files, which the
/// ceiling does not count, and what came in between two looks at the memory, a second apart.
const MARGIN: u64 = 128;
const HOSTS: usize = 20;
const PAGES_PER_HOST: usize = 100;

/// A host of pages of 40 KB that are read soon: nearly all of each is a comment.
struct Heavy(String);

impl Site for Heavy {
    fn host(&self) -> &str {
        &self.0
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let Ok(number) = request.target[1..].parse::<usize>() else { return Answer::not_found() };
        let next = [2 * number + 1, 2 * number + 2].map(|next| match next < PAGES_PER_HOST {
            true => format!("<a href=/{next}>{next}</a>"),
            false => String::new(),
        });
        let filler: String = (0..4_000).map(|word| format!("{:x} ", word * number)).collect();
        let beside = format!("<a href=http://h{}.lookfar/0>beside</a>", number % HOSTS);
        let words = words(&format!("{}{number}", self.0));
        let next = next.concat();
        Answer::html(format!("<p>{words} {next} {beside}<!-- {filler:x<40000} -->"))
    }
}

/// Returns words that no other seed has: pages that say nothing new are not read on.
fn words(seed: &str) -> String {
    let mut state = seed
        .bytes()
        .fold(17_u64, |state, byte| state.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut letter = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 59) as u8 % 26)
    };
    (0..40).flat_map(|_| [letter(), letter(), letter(), letter(), letter(), ' ']).collect()
}

/// Returns the most memory that a process has had so far, in MiB; nothing once it has ended.
fn most_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024)
}

#[test]
fn sto_13_a_crawl_of_large_pages_stays_near_its_ceiling_and_ends() {
    let sites = (0..HOSTS).map(|n| Heavy(format!("h{n}.lookfar")));
    let web = sites.fold(Web::new(), Web::site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let limits =
        format!("delay = \"1ms\"\nslowness_factor = 0\nguesses = false\nmemory = \"{CEILING}MiB\"");
    collection(folder.path(), &web, &limits);
    let mut child = start(folder.path(), &["crawl", "--until-idle", "http://h0.lookfar/0"]);
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
    let fetched = status["pages_fetched"].as_u64().unwrap();
    assert_eq!(fetched, (HOSTS * PAGES_PER_HOST) as u64, "{status}");
    assert_eq!(status["urls_waiting"], 0);
}
