//! Crawls over HTTP/2, from the socket to what is on disk.

use std::time::Duration;

use testweb::{END_HEADERS, End, Frame, Frames, Script, Web, header_block};

use crate::help::{Place, options};

#[test]
fn a_site_is_crawled_over_http_2_and_its_archive_can_be_read_again() {
    let site = Script::new("a.lookfar")
        .page("/", "<title>Home</title><a href=/x>x</a> <a href=/gone>g</a> <a href=/moved>m</a>")
        .page("/x", &format!("<title>X</title>{}", "<p>some words".repeat(20_000)))
        .answer("/moved", testweb::Answer::redirect(301, "/x"));
    let web = Web::new().site(site).with_tls().start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["https://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.responses), (2, 4), "{:?}", snapshot.reasons);
    let captured = place.captured("https://a.lookfar/x");
    assert!(captured.head.starts_with(b"HTTP/1.1 200 OK\r\n"));
    assert_eq!(captured.status(), Some(200));
    place.check();
    // The archive alone makes the same records.
    let before = place.records();
    let requests = web.log().count("a.lookfar");
    for folder in [place.collection.pages(), place.collection.frontier()] {
        std::fs::remove_dir_all(folder).unwrap();
    }
    place.crawl(&["https://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(place.records(), before);
    assert!(web.log().count("a.lookfar") <= requests + 1, "robots.txt may be asked again");
}

#[test]
fn http_25_http_26_http_27_bad_frames_cost_one_page() {
    let head = || Frame::headers(END_HEADERS, header_block(200, &[("content-type", "text/html")]));
    let long = header_block(200, &[("x-long", &"x".repeat(16_000))]);
    let mut block = vec![Frame::headers(0, long.clone())];
    block.extend((0..64).map(|_| Frame::continuation(0, long[1..].to_vec())));
    let pings = Frames::new([], End::Hang).followed_by([Frame::ping()], 1 << 40);
    let site = Script::new("a.lookfar")
        .page(
            "/",
            "<a href=/block>1</a> <a href=/pings>2</a> <a href=/away>3</a> <a href=/half>4</a> \
             <a href=/good>5</a>",
        )
        .frames("/block", Frames::new(block, End::Hang))
        .frames("/pings", pings)
        .frames("/away", Frames::new([Frame::go_away(0, 0)], End::Close))
        .frames("/half", Frames::new([head(), Frame::data(0, "<title>Half</title>")], End::Close))
        .page("/good", "<title>Good</title>");
    let web = Web::new().site(site).with_tls().start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.tries_per_url = 1;
    let snapshot = place.crawl(&["https://a.lookfar/"], options);
    let records = place.records();
    assert_eq!(records["https://a.lookfar/good"][0].title, "Good");
    let half = &records["https://a.lookfar/half"][0];
    assert!(half.oddities.contains(&base::Oddity::BodyIncomplete), "{:?}", half.oddities);
    assert_eq!(snapshot.reasons["protocol"], 2, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.reasons["closed"], 1, "{:?}", snapshot.reasons);
    place.check();
}
