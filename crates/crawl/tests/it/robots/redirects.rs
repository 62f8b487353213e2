//! Files that have moved: R37–R39, ROB-08, ROB-09.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use testweb::{Answer, Script, Web};

use super::{ALL, ALL_BUT_CLOSED, file, options, site};
use crate::help::Place;

/// A web in which the robots.txt of `a.lookfar` is found after `hops` redirects over two hosts.
fn chain(hops: usize) -> Web {
    let mut sites = [site("a.lookfar"), site("b.lookfar")];
    let mut from = (0, "/robots.txt".to_owned());
    for hop in 1..=hops {
        let (host, path) = (hop % 2, format!("/hop{hop}"));
        let status = [301, 302, 303, 307, 308][hop % 5];
        let target = format!("http://{}.lookfar{path}", ["a", "b"][host]);
        sites[from.0] = std::mem::replace(&mut sites[from.0], Script::new("x"))
            .answer(&from.1, Answer::redirect(status, &target));
        from = (host, path);
    }
    let [a, b] = sites;
    let rules = file("User-agent: *\nDisallow: /closed\n");
    match from {
        (0, path) => Web::new().site(a.answer(&path, rules)).site(b),
        (_, path) => Web::new().site(a).site(b.answer(&path, rules)),
    }
}

fn pages(paths: &[String]) -> Vec<&str> {
    let is_page = |path: &&str| !path.starts_with("/hop") && *path != "/robots.txt";
    paths.iter().map(String::as_str).filter(is_page).collect()
}

#[test]
fn r37_rob_08_five_redirects_are_followed_also_to_other_hosts() {
    for hops in 1..=5 {
        let web = chain(hops).start().unwrap();
        Place::new().crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!(pages(&web.log().paths("a.lookfar")), ALL_BUT_CLOSED[1..], "{hops} hops");
        // Nothing of the host in between but what the file was asked for at.
        assert_eq!(pages(&web.log().paths("b.lookfar")), [""; 0], "{hops} hops");
    }
}

#[test]
fn r38_a_file_behind_redirects_binds_the_host_first_asked() {
    let web = chain(5).start().unwrap();
    let seeds = ["http://a.lookfar/", "http://b.lookfar/"];
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(pages(&web.log().paths("a.lookfar")), ALL_BUT_CLOSED[1..]);
    // It has none of its own.
    assert_eq!(pages(&web.log().paths("b.lookfar")), ALL[1..]);
}

#[test]
fn r39_rob_08_behind_more_than_five_redirects_or_a_loop_the_host_is_closed() {
    let round = Script::new("a.lookfar")
        .answer("/robots.txt", Answer::redirect(302, "/hop1"))
        .answer("/hop1", Answer::redirect(302, "/robots.txt"))
        .page("/", "<p>page");
    let fresh = Script::new("a.lookfar")
        .page("/", "<p>page")
        .otherwise(Answer::redirect(302, "/hop?again"));
    for (what, web) in
        [("six", chain(6)), ("a loop", Web::new().site(round)), ("no end", Web::new().site(fresh))]
    {
        let web = web.start().unwrap();
        let snapshot = Place::new().crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!(pages(&web.log().paths("a.lookfar")), [""; 0], "{what}");
        assert_eq!((snapshot.responses, snapshot.queue), (0, 1), "{what}: {:?}", snapshot.reasons);
        // The first question and five more, each time that it was tried.
        let tries = web.log().under("a.lookfar", "/robots.txt").len();
        assert!(web.log().count(testweb::Of::All) <= 6 * tries, "{what}");
    }
}

#[test]
fn rob_09_a_file_that_moves_to_a_private_address_closes_the_host() {
    for target in ["http://metadata.lookfar/robots.txt", "http://10.0.0.1/", "http://[::1]/x"] {
        let site = site("a.lookfar").answer("/robots.txt", Answer::redirect(302, target));
        let inside = [IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254))];
        let web = Web::new().site(site).name("metadata.lookfar", &inside).start().unwrap();
        let snapshot = Place::new().crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!(pages(&web.log().paths("a.lookfar")), [""; 0], "{target}");
        assert_eq!(snapshot.queue, 1, "{target}: {:?}", snapshot.reasons);
    }
}

#[test]
fn a_file_that_moves_to_what_is_not_the_web_closes_the_host() {
    for target in ["file:///etc/passwd", "ftp://a.lookfar/robots.txt", "javascript:1", ""] {
        let site = site("a.lookfar").answer("/robots.txt", Answer::redirect(301, target));
        let web = Web::new().site(site).start().unwrap();
        Place::new().crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!(pages(&web.log().paths("a.lookfar")), [""; 0], "{target:?}");
    }
}
