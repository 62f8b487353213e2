//! Files grow old, change and disappear: R43, R45, R46, R50, ROB-06, ROB-07.

use std::time::Duration;

use testweb::{Answer, Script, Web};

use super::{DAY, HOUR, asked, file, options};
use crate::help::Place;

fn broken() -> Answer {
    Answer::status(503, "text/plain", "")
}

/// A site that has every page, and these files one after the other.
fn site(files: impl IntoIterator<Item = Answer>) -> Script {
    let site = Script::new("a.lookfar").otherwise(Answer::html("<p>page"));
    files.into_iter().fold(site, |site, file| site.answer("/robots.txt", file))
}

#[test]
fn r43_rob_06_while_the_file_is_unreachable_the_last_good_one_is_used_for_30_days() {
    let web =
        Web::new().site(site([file("User-agent: *\nDisallow: /x\n"), broken()])).start().unwrap();
    let place = Place::new();
    let crawl = |seeds: &[&str], later: Duration| {
        web.log().clear();
        place.crawl(seeds, options(&web, later));
        let mut paths = asked(&web, "a.lookfar");
        paths.dedup();
        paths
    };
    assert_eq!(crawl(&["http://a.lookfar/1"], Duration::ZERO), ["/robots.txt", "/1"]);
    let seeds = ["http://a.lookfar/2", "http://a.lookfar/x/2"];
    assert_eq!(crawl(&seeds, DAY * 2), ["/robots.txt", "/2"]);
    assert_eq!(crawl(&["http://a.lookfar/3"], DAY * 29), ["/robots.txt", "/3"]);
    // Renewed in vain is not renewed: the copy is as old as it is.
    assert_eq!(crawl(&["http://a.lookfar/4"], DAY * 31), ["/robots.txt"]);
}

#[test]
fn r43_a_host_that_never_had_a_readable_file_stays_closed() {
    let web = Web::new().site(site([broken()])).start().unwrap();
    let place = Place::new();
    for later in [Duration::ZERO, DAY * 31, DAY * 400] {
        place.crawl(&["http://a.lookfar/1"], options(&web, later));
    }
    assert!(web.log().paths("a.lookfar").iter().all(|path| path == "/robots.txt"));
    assert!(web.log().count("a.lookfar") >= 3, "it is asked for again each time");
}

#[test]
fn r45_a_file_is_asked_for_again_after_a_day_and_not_before() {
    let web = Web::new().site(site([file("")])).start().unwrap();
    let place = Place::new();
    for (number, (later, files)) in
        [(Duration::ZERO, 1), (HOUR * 23, 1), (HOUR * 25, 2), (HOUR * 48, 2), (HOUR * 50, 3)]
            .into_iter()
            .enumerate()
    {
        place.crawl(&[&format!("http://a.lookfar/{number}")], options(&web, later));
        assert_eq!(web.log().under("a.lookfar", "/robots.txt").len(), files, "{later:?}");
    }
    assert_eq!(asked(&web, "a.lookfar").len(), 3 + 5);
}

#[test]
fn r45_cache_control_shortens_the_day_and_never_lengthens_it() {
    let short = ["max-age=7200", "no-cache", "public, max-age=0"];
    let long = ["max-age=9999999", "immutable"];
    let values: Vec<&str> = short.into_iter().chain(long).collect();
    let host = |number: usize| format!("h{number}.lookfar");
    let web = values.iter().enumerate().fold(Web::new(), |web, (number, value)| {
        let rules = file("").with_header("Cache-Control", value);
        let site = Script::new(&host(number)).answer("/robots.txt", rules);
        web.site(site.otherwise(Answer::html("<p>page")))
    });
    let web = web.start().unwrap();
    let place = Place::new();
    // After how long, and how often those have been asked for that say less or more than a day.
    // Within an hour none is, whatever it says.
    let runs = [(0, [1, 1]), (50, [1, 1]), (3 * 60, [2, 1]), (28 * 60, [3, 2])];
    for (run, (minutes, counts)) in runs.into_iter().enumerate() {
        let seeds: Vec<String> =
            (0..values.len()).map(|number| format!("http://{}/{run}", host(number))).collect();
        let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
        place.crawl(&seeds, options(&web, Duration::from_secs(60 * minutes)));
        for (number, value) in values.iter().enumerate() {
            let count = web.log().under(&*host(number), "/robots.txt").len();
            let expected = counts[usize::from(number >= short.len())];
            assert_eq!(count, expected, "{value} after {minutes} minutes");
        }
    }
}

#[test]
fn r46_the_file_is_asked_for_with_conditions_and_304_renews_the_day() {
    let rules = file("User-agent: *\nDisallow: /x\n").with_header("ETag", "\"v1\"");
    let web = Web::new().site(site([rules])).start().unwrap();
    let place = Place::new();
    for (number, later) in [Duration::ZERO, HOUR * 25, HOUR * 48].into_iter().enumerate() {
        let seeds = [format!("http://a.lookfar/{number}"), format!("http://a.lookfar/x{number}")];
        place.crawl(&[&seeds[0], &seeds[1]], options(&web, later));
    }
    assert!(web.log().wait_until_idle(Duration::from_secs(5)));
    let files = web.log().under("a.lookfar", "/robots.txt");
    assert_eq!(files.iter().map(|entry| entry.status).collect::<Vec<_>>(), [200, 304]);
    assert_eq!(web.log().under("a.lookfar", "/x").len(), 0, "the old rules hold");
    assert_eq!(asked(&web, "a.lookfar").len(), 2 + 3);
}

#[test]
fn r50_rob_07_urls_already_queued_are_judged_by_the_rules_of_the_day() {
    let links: String = (0..9).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", file("User-agent: *\nAllow: /\n"))
        .answer("/robots.txt", file("User-agent: *\nDisallow: /\n"))
        .page("/", &links)
        .otherwise(Answer::html("<p>page"));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let mut first = options(&web, Duration::ZERO);
    first.scope.pages = Some(1);
    let snapshot = place.crawl(&["http://a.lookfar/"], first);
    assert_eq!((snapshot.pages, snapshot.queue), (1, 9));
    let snapshot = place.crawl(&[], options(&web, HOUR * 25));
    assert_eq!((snapshot.pages, snapshot.queue), (1, 0));
    assert_eq!(snapshot.reasons["robots"], 9);
    assert_eq!(asked(&web, "a.lookfar"), ["/robots.txt", "/", "/robots.txt"]);
}
