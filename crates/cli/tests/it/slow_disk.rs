//! A disk that takes seconds to put anything down for good.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use testweb::{Generated, GeneratedOptions, Mix, Web};

use crate::run::{Served, collection, expect, lookfar, output};

/// Stands before the system's own calls.
const SLOW: &str = "
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
#define SLOW(name) \\
    int name(int file) { \\
        int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name); \\
        sleep(10); \\
        return next(file); \\
    }
SLOW(fsync)
SLOW(fdatasync)
";

/// Builds it with the linker that Rust needs anyway.
fn slow_calls(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("slow.c"), folder.join("slow.so"));
    fs::write(&source, SLOW).unwrap();
    let mut build = Command::new("cc");
    build.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    assert!(build.status().unwrap().success());
    library
}

/// Most memory that the process has had, in megabytes.
fn most_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[test]
fn sto_15_while_the_disk_takes_seconds_queries_do_not_and_the_crawl_waits() {
    let folder = tempfile::tempdir().unwrap();
    let library = slow_calls(folder.path());
    let generated = Generated::new(GeneratedOptions {
        hosts: 20,
        pages: 20_000,
        page_bytes: 2_000..=6_000,
        mix: Mix { busy: 0, slow: 0, broken: 0, ..Mix::default() },
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let dir = folder.path().join("c");
    let limited = "delay = \"1ms\"\nslowness_factor = 0\n[serve]\nlisten = \"127.0.0.1:0\"\n";
    collection(&dir, &web, limited);
    // Something to be found, put down by a disk in order.
    let seed = generated.seed_url();
    expect(&output(&dir, &["crawl", "--until-idle", "--pages", "200", &seed]), 0);
    let before = web.log().requests(testweb::Of::All).len();

    let mut command = lookfar(&dir, &["up"]);
    command.env("LD_PRELOAD", &library);
    let served = Served::from(command);
    let begun = Instant::now();
    let (mut slowest, mut asked) = (Duration::ZERO, 0);
    while begun.elapsed() < Duration::from_secs(25) {
        let asking = Instant::now();
        let answer = served.get("/api/v1/search?q=river");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        slowest = slowest.max(asking.elapsed());
        asked += 1;
        std::thread::sleep(Duration::from_millis(200));
    }
    let fetched = web.log().requests(testweb::Of::All).len() - before;
    let memory = most_memory(served.child());
    println!("{asked} queries, slowest {slowest:?}; {fetched} requests meanwhile, {memory} MB");
    // The deadline of a query, and its way here.
    assert!(slowest < Duration::from_millis(1_200), "{slowest:?}");
    // Three syncs at most, and no more under way between two of them than the crawl may have.
    assert!(fetched <= 4 * 64, "{fetched}");
    assert!(memory < 400, "{memory} MB");
}
