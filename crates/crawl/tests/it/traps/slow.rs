//! Hosts that cost time: slow on purpose, hanging by the hundred, refusing everything.

use std::time::Duration;

use testweb::{Answer, End, Pace, Raw, Script, Web};

use super::{Trap, crawl, link, page, prose};

#[test]
fn lnk_12_a_slow_trap_ends_with_the_time_of_its_host() {
    let slow = Trap::new("slow", &link("/slow/1"), |request| {
        let n: u32 = request.path().strip_prefix("/slow/")?.parse().ok()?;
        let next: String = (0..3).map(|m| link(&format!("/slow/{}", n * 3 + m))).collect();
        let text = prose(&["slow", &n.to_string()], 80);
        let answer = page("Slowly", &format!("<p>{text}</p>{next}"));
        Some(answer.with_pace(Pace::after(Duration::from_millis(200))))
    });
    let crawled = crawl(Web::new(), vec![slow], |options| {
        options.politeness.host_time = Duration::from_secs(4);
        // The budget says when a host must rest, not which of its pages come first; importance
        // runs down narrow paths such as this one.
        options.strategy = crawl::Strategy::BreadthFirst;
    });
    crawled.check("slow");
    assert_eq!(crawled.snapshot.reasons["slow-host"], 1);
    assert!(crawled.snapshot.queue > 0, "its pages wait");
}

#[test]
fn tcp_06_hosts_that_hang_do_not_hold_up_those_that_answer() {
    const HANGING: usize = 60;
    let mut web = Web::new();
    for n in 0..HANGING {
        let hang = Raw::new(Vec::new()).then(End::Hang);
        web = web.site(Script::new(&format!("hang{n}.lookfar")).otherwise_raw(hang));
    }
    let entry: String = (0..HANGING).map(|n| link(&format!("http://hang{n}.lookfar/"))).collect();
    let crawled = crawl(web, vec![Trap::new("entry", &entry, |_| None)], |options| {
        options.concurrency = 4;
        options.fetch.head = Duration::from_secs(1);
        options.politeness.errors_before_leave = 1;
        options.politeness.longest_rest = Duration::from_secs(3600);
    });
    crawled.check("entry");
    let requests = &crawled.requests;
    let (hanging, good): (Vec<_>, Vec<_>) =
        requests.iter().partition(|entry| entry.host.starts_with("hang"));
    // Each of them holds its fetcher for a second. Where four do, four fetchers fetch nothing
    // else, unless waiting is not counted.
    let is_held = |at: Duration| {
        let held = hanging.iter().filter(|entry| entry.at < at);
        held.filter(|entry| at < entry.at + Duration::from_millis(900)).count() >= 4
    };
    let meanwhile = good.iter().filter(|entry| is_held(entry.at)).count();
    println!("{meanwhile} of {} good requests while four and more hosts hung", good.len());
    assert_eq!(hanging.len(), HANGING);
    assert!(meanwhile >= 100, "{meanwhile} of {}", good.len());
}

#[test]
fn http_17_a_host_that_refuses_everything_is_visited_ever_more_slowly() {
    let links: String = (0..60).map(|n| link(&format!("/{n}"))).collect();
    let site = Script::new("no.lookfar")
        .answer("/robots.txt", Answer::not_found())
        .page("/", &links)
        .otherwise(Answer::status(403, "text/html", "<p>You are going too fast.</p>"));
    let web = Web::new().site(site).start().unwrap();
    let mut options = crate::help::options(&web, Duration::from_millis(5));
    options.politeness.error_rest = Duration::from_millis(100);
    options.politeness.errors_before_leave = 4;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let place = crate::help::Place::new();
    let snapshot = place.crawl(&["http://no.lookfar/"], options);
    let times: Vec<Duration> =
        web.log().requests("no.lookfar").iter().map(|entry| entry.at).collect();
    let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // robots.txt, the front page, five refusals that count as one error, two more errors.
    assert!((8..=12).contains(&times.len()), "{} requests", times.len());
    let [.., before, last] = gaps[..] else { panic!("{gaps:?}") };
    assert!(before >= Duration::from_millis(100) && last >= Duration::from_millis(200), "{gaps:?}");
    assert!(snapshot.queue > 40, "the rest waits: {snapshot:?}");
}
