//! How soon a page that was fetched can be found (X2).

use std::collections::{HashMap, VecDeque};
use std::thread::sleep;
use std::time::{Duration, Instant};

use testweb::{Generated, GeneratedOptions, Mix, Of, Web};

use crate::run::{Served, collection, lookfar};

/// What is promised.
const SOON: Duration = Duration::from_secs(2);
/// Set where nothing else runs on the machine: then it is promised for every page.
const QUIET: &str = "LOOKFAR_QUIET";

/// Returns how many want each core, on average of the last minute.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap();
    let waiting: f64 = text.split(' ').next().unwrap().parse().unwrap();
    waiting / std::thread::available_parallelism().unwrap().get() as f64
}

/// From the last byte that the server sent to the first answer that has the page.
#[test]
fn a_page_can_be_found_two_seconds_after_it_was_fetched() {
    let generated = Generated::new(GeneratedOptions {
        hosts: 10,
        pages: 250,
        page_bytes: 2_000..=6_000,
        mix: Mix::none(),
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let begun = Instant::now();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let more = "delay = \"300ms\"\nslowness_factor = 0\n[serve]\nlisten = \"127.0.0.1:0\"\n\
                requests_per_second = 0\n";
    collection(&dir, &web, more);
    let served = Served::from(lookfar(&dir, &["up", &generated.seed_url()]));
    let mut unknown: HashMap<String, String> =
        generated.pages().map(|page| (page.url, page.mark)).collect();
    let num_pages = unknown.len();
    assert!(num_pages >= 200, "{num_pages}");
    // Pages come into the index about in the order of their answers: only the first is asked for.
    let mut waiting = VecDeque::new();
    let mut waits = Vec::new();
    while waits.len() < num_pages {
        let left = num_pages - waits.len();
        assert!(begun.elapsed() < Duration::from_secs(180), "{left} pages were never found");
        for request in web.log().requests(Of::All) {
            let url = format!("http://{}{}", request.host, request.target);
            if let Some(done) = request.done
                && let Some(mark) = unknown.remove(&url)
            {
                waiting.push_back((done, url, mark));
            }
        }
        while let Some((done, url, mark)) = waiting.front() {
            let answer = served.get(&format!("/api/v1/search?q={mark}"));
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            if !answer.contains(url.as_str()) {
                break;
            }
            waits.push(begun.elapsed().saturating_sub(*done));
            waiting.pop_front();
        }
        sleep(Duration::from_millis(20));
    }
    waits.sort_unstable();
    let (median, most) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    println!("{num_pages} pages: found after {median:?} (median), {most:?} at most");
    let nearly_all = waits[waits.len() * 99 / 100];
    // Where several wait for each core, all takes as much longer.
    let soon = SOON.mul_f64(load().max(1.0));
    assert!(median <= soon, "{median:?}, promised {soon:?}");
    assert!(nearly_all <= 2 * soon, "99 of 100 after {nearly_all:?}, promised {soon:?}");
    assert!(most <= SOON || std::env::var_os(QUIET).is_none(), "{most:?}");
}
