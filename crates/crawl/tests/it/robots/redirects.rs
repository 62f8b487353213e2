//! Files that have moved: R37–R39, ROB-08, ROB-09.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use crawl::RobotsChain;
use testweb::{Answer, Running, Script, Web};

use super::{ALL, ALL_BUT_CLOSED, Reply, asked, check_closed, file, options, site};
use crate::help::Place;

/// Adds hosts `a5.lookfar` and `b5.lookfar` to a web, where the robots.txt of the first is found
/// after five redirects over both, or whatever number `hops` is.
fn with_chain(web: Web, hops: usize) -> Web {
    let hosts = [format!("a{hops}.lookfar"), format!("b{hops}.lookfar")];
    let mut scripts = hosts.each_ref().map(|host| Some(site(host)));
    let mut from = (0, "/robots.txt".to_owned());
    let mut answer = |(host, path): (usize, String), answer| {
        scripts[host] = scripts[host].take().map(|script: Script| script.answer(&path, answer));
    };
    for hop in 1..=hops {
        let (host, path) = (hop % 2, format!("/hop{hop}"));
        let status = [301, 302, 303, 307, 308][hop % 5];
        let target = format!("http://{}{path}", hosts[host]);
        answer(from, Answer::redirect(status, &target));
        from = (host, path);
    }
    answer(from, file("User-agent: *\nDisallow: /closed\n"));
    scripts.into_iter().flatten().fold(web, Web::site)
}

/// Returns the pages that a host was asked for.
fn pages(web: &Running, host: &str) -> Vec<String> {
    let is_page = |path: &String| !path.starts_with("/hop") && path != "/robots.txt";
    asked(web, host).into_iter().filter(is_page).collect()
}

#[test]
fn r37_rob_08_five_redirects_are_followed_also_to_other_hosts() {
    let web = (1..=5).fold(Web::new(), with_chain).start().unwrap();
    let seeds = [1, 2, 3, 4, 5].map(|hops| format!("http://a{hops}.lookfar/"));
    let seeds = seeds.each_ref().map(String::as_str);
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    for hops in 1..=5 {
        assert_eq!(pages(&web, &format!("a{hops}.lookfar")), ALL_BUT_CLOSED[1..], "{hops} hops");
        // Nothing of the other host but what the file was asked for at.
        assert_eq!(pages(&web, &format!("b{hops}.lookfar")), [""; 0], "{hops} hops");
    }
}

#[test]
fn r38_a_file_behind_redirects_binds_the_host_first_asked() {
    let web = with_chain(Web::new(), 5).start().unwrap();
    let seeds = ["http://a5.lookfar/", "http://b5.lookfar/"];
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(pages(&web, "a5.lookfar"), ALL_BUT_CLOSED[1..]);
    // It has none of its own.
    assert_eq!(pages(&web, "b5.lookfar"), ALL[1..]);
}

#[test]
fn r39_rob_08_behind_more_than_five_redirects_or_a_loop_the_host_is_closed() {
    let round = site("round.lookfar")
        .answer("/robots.txt", Answer::redirect(302, "/hop1"))
        .answer("/hop1", Answer::redirect(302, "/robots.txt"));
    let endless = site("endless.lookfar").otherwise(Answer::redirect(302, "/hop?again"));
    let web = with_chain(Web::new(), 6).site(round).site(endless).start().unwrap();
    let seeds = ["http://a6.lookfar/", "http://round.lookfar/", "http://endless.lookfar/"];
    let snapshot = Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(snapshot.responses, 0, "{:?}", snapshot.reasons);
    for host in ["a6.lookfar", "b6.lookfar", "round.lookfar", "endless.lookfar"] {
        assert_eq!(pages(&web, host), [""; 0], "{host}");
    }
    // No seventh question.
    let tries = web.log().under("a6.lookfar", "/robots.txt").len();
    assert_eq!(web.log().under("b6.lookfar", "/hop5").len(), tries);
    assert!(web.log().under("a6.lookfar", "/hop6").is_empty());
}

#[test]
fn r39_behind_more_than_five_redirects_the_host_is_open_if_that_is_wanted() {
    let round = site("round.lookfar").answer("/robots.txt", Answer::redirect(302, "/robots.txt?"));
    let odd = site("odd.lookfar").answer("/robots.txt", Answer::redirect(302, "javascript:1"));
    let web = with_chain(with_chain(Web::new(), 5), 6).site(round).site(odd).start().unwrap();
    let seeds = ["a5", "a6", "round", "odd"].map(|host| format!("http://{host}.lookfar/"));
    let mut options = options(&web, Duration::ZERO);
    options.politeness.robots_chain = RobotsChain::Unavailable;
    Place::new().crawl(&seeds.each_ref().map(String::as_str), options);
    assert_eq!(pages(&web, "a6.lookfar"), ALL[1..]);
    assert!(web.log().under("a6.lookfar", "/hop6").is_empty(), "no seventh question");
    // A file within five still binds; one that leads nowhere is no chain.
    assert_eq!(pages(&web, "a5.lookfar"), ALL_BUT_CLOSED[1..]);
    for host in ["round.lookfar", "odd.lookfar"] {
        assert_eq!(pages(&web, host), [""; 0], "{host}");
    }
}

#[test]
fn rob_09_a_file_that_moves_to_a_private_address_closes_the_host() {
    let inside = [IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254))];
    let web = Web::new().name("metadata.lookfar", &inside);
    let targets =
        ["http://metadata.lookfar/robots.txt", "http://10.0.0.1/", "http://192.168.1.1/x"];
    check_closed(web, targets.map(|target| (target, Reply::Answer(Answer::redirect(302, target)))));
}

#[test]
fn a_file_that_moves_to_what_is_not_the_web_closes_the_host() {
    let targets = ["file:///etc/passwd", "ftp://a.lookfar/robots.txt", "javascript:1", ""];
    check_closed(
        Web::new(),
        targets.map(|target| (target, Reply::Answer(Answer::redirect(301, target)))),
    );
}
