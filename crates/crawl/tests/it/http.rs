//! Responses that break HTTP's rules, seen from the page record (HTTP-02 … HTTP-22).

use std::time::Duration;

use base::{ContentKind, Oddity};
use testweb::{Answer, End, Raw, Script, Web};

use crate::help::{Place, options};

#[test]
fn one_bad_page_costs_one_page() {
    let raw = |bytes: &str| Raw::new(bytes.as_bytes().to_vec()).then(End::Close);
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", Answer::not_found())
                .page("/", "<a href=/garbage>1</a> <a href=/short>2</a> <a href=/nothing>3</a> <a href=/good>4</a>")
                .raw("/garbage", raw("SSH-2.0-OpenSSH_9.2\r\n"))
                .raw("/short", raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>cut"))
                .raw("/nothing", raw(""))
                .page("/good", "<title>good</title><p>good"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.error_rest = Duration::from_millis(5);
    options.politeness.errors_before_leave = 50;
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    let records = place.records();
    assert_eq!(records["http://a.lookfar/good"][0].title, "good");
    let short = &records["http://a.lookfar/short"][0];
    assert!(short.oddities.contains(&Oddity::BodyIncomplete), "{:?}", short.oddities);
    assert!(!records.contains_key("http://a.lookfar/garbage"));
    assert_eq!(snapshot.reasons["protocol"], 3, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.reasons["closed"], 3, "{:?}", snapshot.reasons);
    place.check();
}

#[test]
fn http_09_a_head_that_is_too_long_costs_one_page() {
    let head = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "x".repeat(90_000));
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", Answer::not_found())
                .page("/", "<a href=/long>1</a> <a href=/good>2</a>")
                .raw("/long", Raw::new(head.into_bytes()).then(End::Close))
                .page("/good", "good"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 2);
    assert_eq!(snapshot.reasons["protocol"], 3, "{:?}", snapshot.reasons);
    place.check();
}

#[test]
fn http_15_http_16_odd_waits_are_capped_or_replaced_by_our_own() {
    let busy = |wait: &str| Answer::status(503, "text/plain", "").with_header("Retry-After", wait);
    let mut site = Script::new("a.lookfar");
    let waits = ["1000000000000", "-1", "soon", "Thu, 01 Jan 2099 00:00:00 GMT"];
    for (n, wait) in waits.into_iter().enumerate() {
        site = site.answer(&format!("/{n}"), busy(wait)).page(&format!("/{n}"), "<p>back");
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.longest_wait = Duration::from_millis(80);
    let seeds: Vec<String> = (0..waits.len()).map(|n| format!("http://a.lookfar/{n}")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, waits.len() as u64, "{:?}", snapshot.reasons);
    let requests = web.log().requests("a.lookfar");
    let after = |target: &str| {
        let place = requests.iter().position(|entry| entry.target == target).unwrap();
        requests[place + 1].at - requests[place].at
    };
    assert!(after("/0") >= Duration::from_millis(80), "capped, not ignored");
    assert!(after("/1") >= Duration::from_millis(20), "our own rest");
}

#[test]
fn http_18_content_types_that_are_missing_or_wrong_are_seen_through() {
    let html = "<!doctype html><title>Page</title><p>A page of text.";
    let raw = |fields: &str| {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n", html.len());
        Raw::new(format!("{head}\r\n{html}")).then(End::KeepAlive)
    };
    let long = format!("Content-Type: text/html; charset={}\r\n", "x".repeat(10 * 1024));
    let site = Script::new("a.lookfar")
        .raw("/missing", raw(""))
        .raw("/png", raw("Content-Type: image/png\r\n"))
        .raw("/charset", raw("Content-Type: text/html; charset=;;;\r\n"))
        .raw("/long", raw(&long))
        .raw("/nonsense", raw("Content-Type: \u{1F600}\r\n"));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let seeds = ["missing", "png", "charset", "long", "nonsense"];
    let seeds = seeds.map(|name| format!("http://a.lookfar/{name}"));
    place.crawl(&seeds.each_ref().map(String::as_str), options(&web, Duration::ZERO));
    let records = place.records();
    for seed in &seeds {
        let record = &records[seed][0];
        assert_eq!(record.kind, ContentKind::Html, "{seed}");
        assert_eq!(record.title, "Page", "{seed}");
    }
    let png = &records["http://a.lookfar/png"][0];
    assert!(png.oddities.contains(&Oddity::TypeMismatch), "{:?}", png.oddities);
}

#[test]
fn http_19_an_endless_download_is_stopped_and_not_read_as_a_page() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\
                Content-Length: 5368709120\r\n\r\n";
    let endless = Raw::new(head).followed_by([0_u8, 1, 2, 3].repeat(1024), 1 << 40);
    let web = Web::new().site(Script::new("a.lookfar").raw("/x.html", endless)).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.body_bytes = 200_000;
    place.crawl(&["http://a.lookfar/x.html"], options);
    let record = &place.records()["http://a.lookfar/x.html"][0];
    assert_ne!(record.kind, ContentKind::Html);
    assert!(record.oddities.contains(&Oddity::BodyCut), "{:?}", record.oddities);
    assert!(record.title.is_empty() && record.blocks.is_empty());
    assert_eq!(place.captured("http://a.lookfar/x.html").body.len(), 200_000);
    place.check();
}

#[test]
fn http_22_names_in_content_disposition_name_no_files() {
    let evil = |name: &str| {
        Answer::html("<title>Fine</title>")
            .with_header("Content-Disposition", &format!("attachment; filename=\"{name}\""))
    };
    let site = Script::new("a.lookfar")
        .answer("/up", evil("../../evil-name"))
        .answer("/root", evil("/tmp/evil-name"))
        .answer("/long", evil(&"evil-name".repeat(500)));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let seeds = ["http://a.lookfar/up", "http://a.lookfar/root", "http://a.lookfar/long"];
    place.crawl(&seeds, options(&web, Duration::ZERO));
    let records = place.records();
    assert!(seeds.iter().all(|seed| records[*seed][0].title == "Fine"));
    let mut folders = vec![place.collection.archive().parent().unwrap().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            assert!(!entry.file_name().to_string_lossy().contains("evil"), "{entry:?}");
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
}

#[test]
fn url_03_the_host_that_was_checked_is_the_host_that_is_asked() {
    let web = Web::new()
        .site(Script::new("good.lookfar").otherwise(Answer::html("<title>Good</title>")))
        .site(Script::new("evil.lookfar").page(
            "/",
            "<a href='http://good.lookfar@evil.lookfar/1'>1</a> \
             <a href='http://good.lookfar\\@evil.lookfar/2'>2</a> \
             <a href='http:///evil.lookfar/3'>3</a> <a href='http:four'>4</a>",
        ))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://evil.lookfar/"], options(&web, Duration::ZERO));
    let mut evil = web.log().paths("evil.lookfar");
    evil.sort();
    assert_eq!(evil, ["/", "/1", "/3", "/four", "/robots.txt"]);
    // A backslash ends the host, as a slash does.
    let mut good = web.log().paths("good.lookfar");
    good.sort();
    assert_eq!(good, ["/@evil.lookfar/2", "/robots.txt"]);
}

#[test]
fn url_05_line_breaks_in_a_link_make_no_second_request_line() {
    let page = "<a href='/a\tb\nc\r\nd'>1</a> \
                <a href='/x%0D%0AHost:%20evil%0D%0A%0D%0AGET%20/evil?a=\r\nb'>2</a> \
                <a href='/n\0l'>3</a> <a href='/sp ace HTTP/1.1'>4</a>";
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", page).otherwise(Answer::html("<p>x")))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let mut paths = web.log().paths("a.lookfar");
    paths.retain(|path| path != "/" && path != "/robots.txt");
    paths.sort();
    assert_eq!(paths.len(), 4, "{paths:?}");
    assert!(paths.contains(&"/abcd".to_owned()), "{paths:?}");
    assert!(paths.iter().any(|path| path.starts_with("/x%0D%0AHost:%20evil")), "{paths:?}");
    assert!(paths.iter().all(|path| !path.starts_with("/evil")), "{paths:?}");
    assert_eq!(web.log().count(testweb::Of::All), 6);
}
