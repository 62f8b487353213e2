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

/// Crawls twenty hosts that answer, and as many as asked for that do not; returns how many pages
/// a second those that answer are asked for.
fn rate_beside(hanging: usize) -> f64 {
    const GOOD: usize = 20;
    const PAGES: usize = 20;
    // Long beside what a busy machine takes for a request: 125 ms more of each would be too slow.
    const DELAY: Duration = Duration::from_millis(500);
    let name = |n: usize| format!("good{n}.lookfar");
    let mut web = Web::new();
    for n in 0..GOOD {
        let links: String = (0..PAGES).map(|page| link(&format!("/{page}"))).collect();
        let script = Script::new(&name(n)).answer("/robots.txt", Answer::not_found());
        web = web.site((0..PAGES).fold(script.page("/", &links), |script, page| {
            script.page(&format!("/{page}"), &prose(&[&n.to_string(), &page.to_string()], 40))
        }));
    }
    for n in 0..hanging {
        let hang = Raw::new(Vec::new()).then(End::Hang);
        web = web.site(Script::new(&format!("hang{n}.lookfar")).otherwise_raw(hang));
    }
    let web = web.start().unwrap();
    let mut options = crate::help::options(&web, DELAY);
    options.concurrency = 64;
    options.guesses = false;
    options.fetch.head = Duration::from_secs(2);
    options.politeness.errors_before_leave = 1;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let hosts = (0..GOOD).map(name).chain((0..hanging).map(|n| format!("hang{n}.lookfar")));
    let seeds: Vec<String> = hosts.map(|host| format!("http://{host}/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    crate::help::Place::new().crawl(&seeds, options);
    let times: Vec<Duration> = (0..GOOD)
        .flat_map(|n| web.log().requests(name(n).as_str()))
        .map(|entry| entry.at)
        .collect();
    assert_eq!(times.len(), GOOD * (PAGES + 2), "robots.txt, the front page and the others");
    let (first, last) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    times.len() as f64 / (*last - *first).as_secs_f64()
}

#[test]
fn tcp_06_beside_a_thousand_hosts_that_hang_others_keep_their_rate() {
    let alone = rate_beside(0);
    // By politeness two a second of each host; whoever shares the machine may disturb a run.
    let mut ratio: f64 = 0.0;
    for _ in 0..3 {
        ratio = ratio.max(rate_beside(1_000) / alone);
        if ratio >= 0.8 {
            break;
        }
    }
    println!("{alone:.0} pages a second alone, {ratio:.2} of that beside a thousand that hang");
    assert!(ratio >= 0.8, "{ratio}");
}

#[test]
fn http_17_a_host_that_refuses_everything_is_visited_ever_more_slowly() {
    check_slows_down(&Answer::status(403, "text/html", "<p>You are going too fast.</p>"));
}

#[test]
fn http_17_a_host_that_says_rate_limited_with_200_is_visited_ever_more_slowly() {
    check_slows_down(&Answer::ok("text/html", "<p>You have been rate limited.</p>"));
}

/// Crawls a host whose pages, its front page apart, are all answered so.
#[track_caller]
fn check_slows_down(refusal: &Answer) {
    let links: String = (0..60).map(|n| link(&format!("/{n}"))).collect();
    let site = Script::new("no.lookfar")
        .answer("/robots.txt", Answer::not_found())
        .page("/", &links)
        .otherwise(refusal.clone());
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
