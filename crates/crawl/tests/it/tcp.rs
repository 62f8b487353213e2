//! Connections that stall or break, seen from the page record (TCP-02 … TCP-05).

use std::time::Duration;

use testweb::{End, Pace, Raw, Script, Web};

use crate::help::{Place, options};

#[test]
fn tcp_02_tcp_04_slow_servers_are_cut_off() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", testweb::Answer::not_found())
                .page("/", "<a href=/mute>1</a> <a href=/drip>2</a>")
                .raw("/mute", Raw::new(Vec::new()).then(End::Hang))
                .raw(
                    "/drip",
                    Raw::new(
                        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>drip</title>"
                            .to_vec(),
                    )
                    .followed_by(b"x".to_vec(), 1000)
                    .paced(Pace::pieces(40, Duration::from_millis(100))),
                ),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.head = Duration::from_millis(300);
    options.fetch.total = Duration::from_millis(900);
    options.politeness.tries_per_url = 1;
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.reasons["head-timeout"], 1, "{:?}", snapshot.reasons);
    let drip = &place.records()["http://a.lookfar/drip"][0];
    assert!(drip.oddities.contains(&base::Oddity::BodyIncomplete));
}

#[test]
fn tcp_05_a_page_whose_connection_broke_is_not_taken_for_whole() {
    let broken = Raw::new(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n\
         <title>Half</title><p>half",
    );
    let later = Pace::pieces(0, Duration::from_millis(50));
    let broken = broken.followed_by(" more", 1).paced(later).then(End::Reset);
    let web = Web::new().site(Script::new("a.lookfar").raw("/", broken)).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let half = &place.records()["http://a.lookfar/"][0];
    assert_eq!(half.title, "Half");
    assert!(half.oddities.contains(&base::Oddity::BodyIncomplete), "{:?}", half.oddities);
    assert_eq!(place.captured("http://a.lookfar/").cut, Some(archive::Cut::Disconnect));
    place.check();
}

#[test]
fn tcp_08_a_host_that_speaks_something_else_is_left_alone() {
    let ssh = Raw::new("SSH-2.0-OpenSSH_9.2\r\n").then(End::Hang);
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<p>never").greeting(ssh))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 3;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.pages, 0);
    assert!(snapshot.reasons["robots-unreachable"] > 0, "{:?}", snapshot.reasons);
    assert!(place.records().is_empty());
}
