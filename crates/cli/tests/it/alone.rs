//! The control room and the reports for site owners of `lookfar serve` while nobody crawls.

use std::fs;
use std::io::Read as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use testweb::{Running, Web};

use crate::room::site;
use crate::run::{Served, collection, expect, output, text, wait_until};

const CRAWL: [&str; 4] = ["crawl", "--until-idle", "http://a.lookfar/", "http://c.lookfar/"];
/// A key of a site owner, and the line that proves that `c.lookfar` is theirs.
const KEY: &str = "00112233445566778899aabbccddeeff";
const PROOF: &str = "# lookfar-verify: 5a3fac89eac8f1f0c2c24750c064987e\n";

/// A collection of two hosts that is served, and that nothing has been crawled for yet.
struct Alone {
    web: Running,
    dir: PathBuf,
    served: Served,
    _folder: tempfile::TempDir,
}

impl Alone {
    fn start() -> Self {
        let rules = format!("{PROOF}User-agent: *\nDisallow: /3\n");
        let web = Web::new().site(site("a.lookfar", 5, "")).site(site("c.lookfar", 5, &rules));
        let web = web.start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        collection(&dir, &web, "delay = \"1ms\"");
        let served = Served::start(&dir);
        Self { web, dir, served, _folder: folder }
    }

    /// Returns a page that must be there.
    #[track_caller]
    fn get(&self, path: &str) -> String {
        let reply = self.served.ask("GET", path, "");
        assert!(reply.starts_with("HTTP/1.1 200"), "{path}: {reply}");
        reply
    }

    #[track_caller]
    fn order(&self, body: &str) -> String {
        let reply = self.served.ask("POST", "/admin/do", body);
        assert!(reply.starts_with("HTTP/1.1 200"), "{body}: {reply}");
        reply
    }

    fn report(&self) -> String {
        self.get(&format!("/about-crawler/host?host=c.lookfar&key={KEY}"))
    }

    #[track_caller]
    fn api(&self, path: &str) -> Value {
        let reply = self.get(path);
        serde_json::from_str(reply.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

#[test]
fn hosts_stories_and_reports_are_told_without_a_crawl() {
    let alone = Alone::start();
    let empty = alone.get("/admin/hosts");
    assert!(!empty.contains("c.lookfar"), "{empty}");
    let unproved = alone.report();
    assert!(unproved.contains("We have not seen") && unproved.contains(PROOF.trim()), "{unproved}");

    expect(&output(&alone.dir, &CRAWL), 0);
    let before = alone.web.log().count("c.lookfar");
    let hosts = alone.get("/admin/hosts?sort=name");
    assert!(hosts.contains("a.lookfar") && hosts.contains("c.lookfar"), "{hosts}");
    let host = alone.get("/admin/host?name=a.lookfar");
    assert!(host.contains("a.lookfar"), "{host}");
    let why = alone.get("/admin/why?url=http://c.lookfar/3");
    assert!(why.contains("robots.txt forbade it"), "{why}");
    let why = alone.api("/api/v1/why?url=http://a.lookfar/2");
    assert_eq!(why["story"]["standing"]["state"], "fetched", "{why}");
    assert_eq!(why["no_story"], Value::Null, "{why}");
    let report = alone.report();
    assert!(report.contains("forbidden by robots.txt"), "{report}");
    assert!(report.contains("http://c.lookfar/2") && report.contains("fetched, 200"), "{report}");
    assert!(!report.contains("a.lookfar"), "{report}");
    assert_eq!(alone.web.log().count("c.lookfar"), before, "a report costs the host nothing");

    // What needs a crawl says so.
    // The overview looks every two seconds, and may have looked last while the crawl ran.
    let is_told = || alone.get("/admin").contains("there is nothing to pause");
    wait_until("the overview has looked again", is_told);
    let refused = alone.served.ask("POST", "/admin/do", "action=pause");
    assert!(refused.starts_with("HTTP/1.1 422") && refused.contains("no crawl runs"), "{refused}");
    expect(&output(&alone.dir, &["check"]), 0);
}

#[test]
fn rules_and_forgetting_work_without_a_crawl_and_the_next_one_obeys() {
    let alone = Alone::start();
    expect(&output(&alone.dir, &CRAWL), 0);
    let count = |name: &str| alone.web.log().count(name);
    let told = alone.order("action=host&host=c.lookfar&paused=1&delay=2");
    assert!(told.contains("For c.lookfar holds from now on: paused"), "{told}");
    assert!(alone.get("/admin/hosts?sort=rules").contains("Go on"));
    let rules = fs::read_to_string(alone.dir.join("hosts.txt")).unwrap();
    assert!(rules.contains("c.lookfar paused delay=2000ms\n"), "{rules}");
    let told = alone.order("action=seeds&urls=http://c.lookfar/new");
    assert!(told.contains("the next crawl takes them"), "{told}");

    let found =
        |served: &Alone| served.api("/api/v1/search?q=words+site:a.lookfar")["total"].clone();
    assert_ne!(found(&alone), 0);
    let told = alone.order("action=forget&target=a.lookfar&again=a.lookfar");
    assert!(told.contains("a.lookfar is forgotten: "), "{told}");
    assert!(alone.get("/admin/why?url=http://a.lookfar/1").contains("forgotten on request"));
    assert_eq!(text(&output(&alone.dir, &["search", "words site:a.lookfar"]).stdout), "");
    let odd = alone.served.ask("POST", "/admin/do", "action=forget&target=*&again=*");
    assert!(odd.starts_with("HTTP/1.1 422") && odd.contains("Not done"), "{odd}");

    let before = (count("a.lookfar"), count("c.lookfar"));
    expect(&output(&alone.dir, &["crawl", "--until-idle"]), 0);
    assert_eq!((count("a.lookfar"), count("c.lookfar")), before);
    expect(&output(&alone.dir, &["check"]), 0);
}

#[test]
fn a_crawl_begins_however_much_the_room_is_asked() {
    let alone = Alone::start();
    let is_over = AtomicBool::new(false);
    let ask_on = || {
        while !is_over.load(Ordering::Relaxed) {
            let report = format!("/about-crawler/host?host=c.lookfar&key={KEY}");
            for path in ["/admin/hosts", report.as_str()] {
                let reply = alone.served.ask("GET", path, "");
                let status: u16 = reply[9..12].parse().unwrap();
                // While the crawl begins and does not listen yet, questions may be put off.
                assert!(matches!(status, 200 | 409 | 503), "{path}: {reply}");
                assert!(status != 409 || reply.contains("the collection is in use"), "{reply}");
                sleep(Duration::from_millis(50));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(ask_on);
        scope.spawn(ask_on);
        let runs = [CRAWL.as_slice(), &["status"], &["why", "http://a.lookfar/"], &CRAWL];
        let outputs = runs.map(|arguments| output(&alone.dir, arguments));
        is_over.store(true, Ordering::Relaxed);
        for output in outputs {
            expect(&output, 0);
            assert!(!text(&output.stdout).contains("crawling, "), "{}", text(&output.stdout));
        }
    });
    assert!(alone.report().contains("http://c.lookfar/2"));
}

#[test]
fn a_question_to_a_crawl_that_ends_is_answered_from_the_collection() {
    let alone = Alone::start();
    let socket = alone.dir.join("control.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::scope(|scope| {
        // It hears a question and ends.
        let is_asked = |(mut stream, _): (UnixStream, _)| stream.read(&mut [0; 512]).unwrap() > 0;
        let crawl = scope.spawn(move || {
            while !is_asked(listener.accept().unwrap()) {}
            fs::remove_file(&socket).unwrap();
        });
        alone.get("/admin/hosts");
        crawl.join().unwrap();
    });
}

#[test]
fn a_collection_that_another_process_has_is_said_to_be_in_use() {
    let alone = Alone::start();
    let lock = base::Collection::open(&alone.dir).unwrap().lock().unwrap();
    let reply = alone.served.ask("GET", "/admin/hosts", "");
    assert!(reply.starts_with("HTTP/1.1 409"), "{reply}");
    assert!(reply.contains("the collection is in use"), "{reply}");
    let why = alone.api("/api/v1/why?url=http://a.lookfar/");
    assert!(why["no_story"].as_str().unwrap().contains("try again"), "{why}");
    drop(lock);
    alone.get("/admin/hosts");
}
