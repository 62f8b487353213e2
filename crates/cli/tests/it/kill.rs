//! `kill -9` at random moments of a crawl (C16, X5): nothing lost, nothing twice.

use std::collections::{BTreeMap, HashSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::log::Position;
use base::pages;
use testweb::{Generated, GeneratedOptions, Kind, Mix, Web};

use crate::run::{collection, expect, lookfar, output, wait_until};

/// Requests under way at once, the default.
const UNDER_WAY: usize = 64;
/// The most after one kill: those that wait for their answer for long do not count (TCP-06).
const MOST_UNDER_WAY: usize = 4 * UNDER_WAY;
/// Longest time from a request to the archive on a busy machine.
const SHORTLY: Duration = Duration::from_secs(2);
/// What a restart may take, for up to a million pages.
const RESTART: Duration = Duration::from_secs(10);

#[test]
fn sto_01_killed_fifty_times_at_full_speed_every_page_is_there_exactly_once() {
    check_killed(50, 2_000);
}

#[test]
#[ignore = "takes minutes; cargo test -p cli --test it -- --ignored sto_01"]
fn sto_01_killed_five_hundred_times_every_page_is_there_exactly_once() {
    check_killed(500, 20_000);
}

/// What [`check_pages`] takes for granted: a page is found by its mark, and no other is. Once it was
/// not so: German takes `-ik` off a word, and marks ended in `k`.
#[test]
fn sto_01_no_two_marks_have_one_stem_in_any_language() {
    let generated = web_of(20_000);
    let marks: Vec<String> = generated.pages().map(|page| page.mark).collect();
    for code in ["en", "de", "da", "es", "ja"] {
        let analyzer = text::Analyzer::new(text::Language::parse(code));
        let stems: HashSet<String> = marks.iter().map(|mark| analyzer.stem_of(mark)).collect();
        assert_eq!(stems.len(), marks.len(), "{code}");
    }
}

/// Kills a crawl of so many pages again and again, and looks at everything that it left.
fn check_killed(rounds: usize, pages: u64) {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let generated = web_of(pages);
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let place = collection(&dir, &web, "delay = \"1ms\"\nslowness_factor = 0");
    let seed_url = generated.seed_url();
    let (mut kills, mut slowest) = (Vec::<Option<Duration>>::new(), Duration::ZERO);
    for round in 0..rounds {
        let begun = Instant::now();
        let before = web.log().requests(testweb::Of::All).len();
        let mut child = lookfar(&dir, &arguments(&contact(round), &seed_url)).spawn().unwrap();
        // Now and then it is waited for until it is at work again.
        while round % 10 == 9 && web.log().requests(testweb::Of::All).len() == before {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            sleep(Duration::from_millis(5));
            slowest = slowest.max(begun.elapsed());
        }
        sleep(Duration::from_millis(random.u64(30..400)));
        let is_running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        kills.push(is_running.then(|| web.log().began().elapsed().unwrap()));
    }
    println!("slowest restart {slowest:?}");
    assert!(slowest < RESTART, "{slowest:?}");
    let interrupted = kills.iter().flatten().count();
    assert!(interrupted >= rounds - 2, "only {interrupted} kills hit a running crawl");
    expect(&output(&dir, &arguments(&contact(rounds), &seed_url)), 0);
    expect(&output(&dir, &["check"]), 0);

    // A request that was under way when its crawl was killed is sent again, no other.
    let requests = web.log().requests(testweb::Of::All);
    check_repeats(&requests, &kills);
    check_pages(&generated, &place);
}

/// Says in every request which round it is of. The time that the web has noted does not: a request
/// may wait in a socket of a busy machine while its crawl is killed, and be read after that.
fn contact(round: usize) -> String {
    format!("https://round.example/{round}")
}

fn arguments<'a>(contact: &'a str, seed_url: &'a str) -> [&'a str; 5] {
    ["crawl", "--until-idle", "--contact", contact, seed_url]
}

/// Returns the round that a request is of.
fn round_of(request: &testweb::Entry) -> usize {
    let number = request.user_agent.rsplit('/').next().map(|rest| rest.trim_end_matches(')'));
    number.and_then(|number| number.parse().ok()).expect("every crawl names its round")
}

/// Checks that what was asked for twice was under way when a crawl was killed: no round asks twice,
/// only a round that was killed is asked after, it was killed shortly after the request came, and
/// no kill has more of them than may be under way.
fn check_repeats(requests: &[testweb::Entry], kills: &[Option<Duration>]) {
    let mut times: BTreeMap<(&str, &str), Vec<(usize, Duration)>> = BTreeMap::new();
    for request in requests.iter().filter(|request| request.target != "/robots.txt") {
        let asked = (round_of(request), request.at);
        times.entry((&*request.host, &*request.target)).or_default().push(asked);
    }
    let (mut repeats, mut num_late) = (vec![0_usize; kills.len()], 0);
    for (page, mut asked) in times {
        asked.sort_unstable();
        for pair in asked.windows(2) {
            let ((first, at), (second, _)) = (pair[0], pair[1]);
            assert!(first < second, "{page:?} was sent twice by one crawl: {pair:?}");
            let kill = kills[first].unwrap_or_else(|| panic!("{page:?} was sent again: {pair:?}"));
            num_late += usize::from(at > kill);
            let before = kill.saturating_sub(at);
            assert!(before <= SHORTLY, "{page:?} was sent {before:?} before a kill, and again");
            repeats[first] += 1;
        }
    }
    let (again, most) = (repeats.iter().sum::<usize>(), repeats.iter().max().unwrap_or(&0));
    println!(
        "{} requests, {again} of them again, {most} after one kill; {num_late} were read after it",
        requests.len()
    );
    assert!(*most <= MOST_UNDER_WAY, "{most} requests were sent again after one kill");
    assert!(again <= kills.len() * UNDER_WAY, "{again} requests were sent again");
}

/// Returns whether [`check_repeats`] lets requests for one page pass, each given with its round and
/// when it came in milliseconds; the first round was killed after ten seconds, and the second ended.
fn passes(asked: &[(usize, u64)]) -> bool {
    let entry = |(round, at): &(usize, u64)| testweb::Entry {
        at: Duration::from_millis(*at),
        done: None,
        connection: 1,
        address: std::net::Ipv4Addr::LOCALHOST,
        host: "a.lookfar".into(),
        method: "GET".into(),
        target: "/".to_owned(),
        user_agent: format!("lookfar/1 (+{})", contact(*round)).into(),
        status: 200,
        bytes: 1,
    };
    let requests: Vec<testweb::Entry> = asked.iter().map(entry).collect();
    let kills = [Some(Duration::from_secs(10)), None];
    std::panic::catch_unwind(|| check_repeats(&requests, &kills)).is_ok()
}

#[test]
fn sto_01_only_what_was_under_way_at_a_kill_may_be_asked_for_again() {
    assert!(passes(&[(0, 9_900)]) && passes(&[(0, 9_900), (1, 10_100)]));
    // On a busy machine the web reads a request when the next crawl has already begun.
    assert!(passes(&[(0, 10_050), (1, 10_100)]) && passes(&[(1, 10_040), (0, 10_050)]));
    // One crawl asks once, kill or not; who has ended has got all; and so has who was not killed
    // soon after.
    assert!(!passes(&[(0, 9_800), (0, 9_900)]) && !passes(&[(1, 10_100), (1, 10_200)]));
    assert!(!passes(&[(0, 9_900), (1, 10_100), (2, 10_200)]));
    assert!(!passes(&[(1, 10_100), (2, 10_200)]));
    assert!(!passes(&[(0, 0), (1, 10_100)]));
}

pub(crate) fn web_of(pages: u64) -> Generated {
    Generated::new(GeneratedOptions {
        hosts: 20,
        pages,
        page_bytes: 2_000..=6_000,
        mix: Mix { busy: 0, slow: 0, broken: 0, ..Mix::default() },
        ..GeneratedOptions::default()
    })
}

/// Checks that every page is archived, logged and found exactly once.
pub(crate) fn check_pages(generated: &Generated, place: &base::Collection) {
    let archived = archived(place);
    let logged = logged(place);
    let searcher = rank::Searcher::open(place).unwrap();
    let mut good = 0;
    for page in generated.pages() {
        let times = usize::from(page.kind != Kind::Disallowed);
        assert_eq!(archived.get(&page.url).copied().unwrap_or(0), times, "archive: {}", page.url);
        assert_eq!(logged.get(&page.url).copied().unwrap_or(0), times, "log: {}", page.url);
        if times == 1 && page.status == 200 {
            good += 1;
            let found = searcher.search(&rank::Request::new(&page.mark)).unwrap();
            let urls: Vec<&str> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
            assert_eq!(urls, [page.url.as_str()], "{}", page.mark);
        }
    }
    assert_eq!(searcher.num_docs().unwrap(), good);
}

#[test]
fn sto_16_a_copy_made_while_it_runs_is_the_collection_of_some_moment() {
    let generated = web_of(600);
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    collection(&dir, &web, "delay = \"1ms\"\nslowness_factor = 0");
    let arguments = ["crawl", "--until-idle", &generated.seed_url()];
    let mut child = lookfar(&dir, &arguments).spawn().unwrap();
    let mut copies = Vec::new();
    for number in 0..2 {
        let asked = web.log().count(testweb::Of::All);
        wait_until("it goes on", || web.log().count(testweb::Of::All) > asked + 50);
        let copy = folder.path().join(format!("copy {number}"));
        // Files may go while they are copied; what is left must do.
        let mut copying = std::process::Command::new("cp");
        copying.arg("-r").arg(&dir).arg(&copy).stderr(std::process::Stdio::null());
        copying.status().unwrap();
        copies.push(copy);
    }
    assert!(child.try_wait().unwrap().is_none(), "the crawl ended before it was copied");
    child.kill().unwrap();
    child.wait().unwrap();
    for copy in copies {
        expect(&output(&copy, &["check", "--repair"]), 0);
        expect(&output(&copy, &arguments), 0);
        expect(&output(&copy, &["check"]), 0);
        let place = base::Collection::open(&copy).unwrap();
        check_pages(&generated, &place);
    }
}

/// Returns how often each URL lies in the archive, robots.txt aside.
fn archived(place: &base::Collection) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    let reader = archive::Reader::open(&place.archive()).unwrap();
    for captured in reader.captures_from(None).unwrap() {
        *times.entry(captured.unwrap().target).or_default() += 1;
    }
    times
}

fn logged(place: &base::Collection) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    let mut reader = pages::Reader::open(&place.pages(), Position::START).unwrap();
    while let Some(entry) = reader.next_entry().unwrap() {
        *times.entry(entry.record.url.to_string()).or_default() += 1;
    }
    times
}
