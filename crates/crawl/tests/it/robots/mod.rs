//! robots.txt through the real crawl, judged by the server's own log (C5).
//!
//! The numbers are those of `docs/hostile-inputs.md`: `R` are the lines of RFC 9309, `ROB` the
//! hostile ones. How files are read and rules matched is tested beside the code.

mod age;
mod answers;
mod files;
mod redirects;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base::Timestamp;
use crawl::Options;
use testweb::{Answer, Raw, Running, Script, Web};

use crate::help::{self, Place};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// What a host says when it is asked for its robots.txt.
enum Reply {
    Answer(Answer),
    Raw(Raw),
}

/// Options for a crawl that takes place `later`, and that soon gives up on hosts that fail.
fn options(web: &Running, later: Duration) -> Options {
    let mut options = help::options(web, Duration::ZERO);
    options.clock = Arc::new(move || Timestamp::from(SystemTime::now() + later));
    options.politeness.errors_before_leave = 2;
    options.politeness.longest_rest = HOUR;
    options.fetch.head = Duration::from_millis(300);
    options.fetch.silence = Duration::from_millis(300);
    options.fetch.total = Duration::from_millis(900);
    options
}

/// A robots.txt as it should be.
fn file(text: &str) -> Answer {
    Answer::ok("text/plain", text)
}

/// A site whose front page names `/open` and `/closed`.
fn site(host: &str) -> Script {
    Script::new(host)
        .page("/", "<a href=/open>1</a> <a href=/closed>2</a>")
        .page("/open", "<p>open")
        .page("/closed", "<p>closed")
}

/// Crawls one site from its front page; returns what it was asked for.
fn crawl(site: Script, host: &str) -> Vec<String> {
    let web = Web::new().site(site).start().unwrap();
    Place::new().crawl(&[&format!("http://{host}/")], options(&web, Duration::ZERO));
    asked(&web, host)
}

/// Crawls one site for each of these replies to the question for its robots.txt, all at once;
/// returns what each was asked for.
fn crawl_each(
    web: Web,
    cases: impl IntoIterator<Item = (impl ToString, Reply)>,
) -> Vec<(String, Vec<String>)> {
    let (mut web, mut hosts) = (web, Vec::new());
    for (number, (what, reply)) in cases.into_iter().enumerate() {
        let host = format!("h{number}.lookfar");
        web = web.site(match reply {
            Reply::Answer(answer) => site(&host).answer("/robots.txt", answer),
            Reply::Raw(raw) => site(&host).raw("/robots.txt", raw),
        });
        hosts.push((what.to_string(), host));
    }
    let web = web.start().unwrap();
    let seeds: Vec<String> = hosts.iter().map(|(_, host)| format!("http://{host}/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    hosts.into_iter().map(|(what, host)| (what, asked(&web, &host))).collect()
}

/// Asserts that each of these replies leads to the same being asked for.
#[track_caller]
fn check_each(cases: impl IntoIterator<Item = (impl ToString, Answer)>, expected: &[&str]) {
    let cases = cases.into_iter().map(|(what, answer)| (what, Reply::Answer(answer)));
    for (what, asked) in crawl_each(Web::new(), cases) {
        assert_eq!(asked, expected, "{what}");
    }
}

/// Asserts that each of these replies leads to nothing being asked for but the file, if often.
#[track_caller]
fn check_closed(web: Web, cases: impl IntoIterator<Item = (impl ToString, Reply)>) {
    for (what, asked) in crawl_each(web, cases) {
        assert!(!asked.is_empty(), "{what}: the file was asked for");
        assert!(asked.iter().all(|path| path == "/robots.txt"), "{what}: {asked:?}");
    }
}

/// Returns what a host was asked for, but for the sitemap that is looked for everywhere.
fn asked(web: &Running, host: &str) -> Vec<String> {
    web.log().paths(host).into_iter().filter(|path| path != "/sitemap.xml").collect()
}

/// What is asked of a site that forbids `/closed`.
const ALL_BUT_CLOSED: [&str; 3] = ["/robots.txt", "/", "/open"];
/// What is asked of a site without rules.
const ALL: [&str; 4] = ["/robots.txt", "/", "/open", "/closed"];
