//! `lookfar crawl` as people use it: ending, going on, changing the scope.

use serde_json::Value;
use testweb::{Answer, Script, Web};

use crate::run::{collection, expect, output};

#[test]
fn a_crawl_that_may_fetch_nothing_ends() {
    let rules = Answer::ok("text/plain", "User-agent: *\nDisallow: /\n");
    let web = Web::new()
        .site(Script::new("a.lookfar").answer("/robots.txt", rules).page("/", "secret"))
        .start()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "");
    expect(&output(folder.path(), &["crawl", "--until-idle", "http://a.lookfar/"]), 0);
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt"]);
    let status = output(folder.path(), &["status", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["pages_fetched"], 0);
    assert_eq!(status["reasons"]["robots"], 1);
    expect(&output(folder.path(), &["check"]), 0);
    expect(&output(folder.path(), &["search", "secret"]), 1);
}

#[test]
fn a_limit_can_be_raised_and_the_crawl_goes_on() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/", "<a href=/1>one</a>")
                .page("/1", "<a href=/2>two</a>")
                .page("/2", "<p>zwei"),
        )
        .start()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = collection(folder.path(), &web, "delay = \"1ms\"\nguesses = false");
    let arguments = ["crawl", "--until-idle", "--pages", "2", "http://a.lookfar/"];
    expect(&output(folder.path(), &arguments), 0);
    expect(&output(folder.path(), &["search", "zwei"]), 1);
    expect(&output(folder.path(), &["crawl", "--until-idle"]), 0);
    expect(&output(folder.path(), &["search", "zwei"]), 0);
    assert!(place.archive().join("0000001.cdxj").exists(), "a clean end closes the archive file");
    assert_eq!(web.log().count("a.lookfar"), 4, "robots.txt and three pages, once each");
}

#[test]
fn pages_that_visitors_came_from_are_crawled() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "home").page("/from", "<p>zwei"))
        .site(Script::new("b.lookfar").page("/", "elsewhere"))
        .start()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "delay = \"1ms\"\nguesses = false");
    let line = |referrer: &str| {
        let request = "\"GET / HTTP/1.1\" 200 4";
        format!("192.0.2.7 - - [16/Nov/2026:10:00:00 +0000] {request} \"{referrer}\" \"x\"\n")
    };
    let log = folder.path().join("access.log");
    let lines = ["-", "http://a.lookfar/from#x", "http://b.lookfar/", "http://a.lookfar/from"];
    std::fs::write(&log, lines.map(line).concat()).unwrap();
    let log = log.to_str().unwrap();
    let scope = ["--scope", "host", "--referrers", log];
    let arguments = [&["crawl", "--until-idle", "http://a.lookfar/"], &scope[..]].concat();
    expect(&output(folder.path(), &arguments), 0);
    expect(&output(folder.path(), &["search", "zwei"]), 0);
    assert_eq!(web.log().count("b.lookfar"), 0, "not in the scope");
    let why = output(folder.path(), &["why", "http://a.lookfar/from"]);
    let said = String::from_utf8_lossy(&why.stdout).into_owned();
    assert!(said.contains("in an access log"), "{said}");
}
