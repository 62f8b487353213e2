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

#[test]
fn why_names_what_was_learnt_of_a_trap() {
    let months: String = (0..60).map(|n| format!("<a href=/calendar/20{n}/1>{n}</a> ")).collect();
    let site = Script::new("a.lookfar")
        .page("/", &months)
        .answer("/robots.txt", Answer::not_found())
        .otherwise(Answer::html(format!("<p>{}", "Nothing is planned this month. ".repeat(20))));
    let web = Web::new().site(site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "delay = \"1ms\"\nguesses = false");
    expect(&output(folder.path(), &["crawl", "--until-idle", "http://a.lookfar/"]), 0);
    let why = output(folder.path(), &["why", "http://a.lookfar/calendar/2099/01"]);
    expect(&why, 1);
    let said = String::from_utf8_lossy(&why.stdout).into_owned();
    assert!(said.contains("never seen, and it would be left out"), "{said}");
    assert!(said.contains("learnt      fruitless-shape: "), "{said}");
}

#[test]
fn a_crawl_hears_from_a_generation_that_was_there_before_it() {
    let leaves: String = (0..30).map(|n| format!("<a href=/leaf/{n}>{n}</a> ")).collect();
    let mut site = Script::new("a.lookfar").page("/popular", "<p>at last");
    let mut arguments = vec!["crawl", "--until-idle", "--strategy=random", "--pages=6"];
    let seeds = (0..6).map(|n| format!("http://a.lookfar/{n}")).collect::<Vec<_>>();
    for n in 0..6 {
        let text = format!("<p>page {n} {leaves} <a href=/popular>popular</a>");
        let links = if n == 0 { text } else { format!("<p>{n} <a href=/popular>popular</a>") };
        site = site.page(&format!("/{n}"), &links);
    }
    let web = Web::new().site(site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "delay = \"400ms\"\nguesses = false\nconcurrency = 1");
    arguments.extend(seeds.iter().map(String::as_str));
    expect(&output(folder.path(), &arguments), 0);
    expect(&output(folder.path(), &["graph", "build", "--again"]), 0);
    web.log().clear();
    // Found by lot so far: only the rank of its links sends one of them ahead.
    expect(&output(folder.path(), &["crawl", "--until-idle", "--pages=7", "--time=10s"]), 0);
    let asked = web.log().paths("a.lookfar");
    assert_eq!(asked.first().map(String::as_str), Some("/popular"), "{asked:?}");
}
