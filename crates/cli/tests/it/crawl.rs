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
