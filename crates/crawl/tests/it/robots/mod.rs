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
use testweb::{Answer, Running, Script, Web};

use crate::help::{self, Place};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

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
    crawl_web(Web::new().site(site), host)
}

/// Crawls a web from the front page of a host; returns what that host was asked for.
fn crawl_web(web: Web, host: &str) -> Vec<String> {
    let web = web.start().unwrap();
    Place::new().crawl(&[&format!("http://{host}/")], options(&web, Duration::ZERO));
    web.log().paths(host)
}

/// What is asked of a site that forbids `/closed`.
const ALL_BUT_CLOSED: [&str; 3] = ["/robots.txt", "/", "/open"];
/// What is asked of a site without rules.
const ALL: [&str; 4] = ["/robots.txt", "/", "/open", "/closed"];
