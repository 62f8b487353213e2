//! Hosts that look alike: mirrors wait, others are read in full (LNK-10).

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base::{Sketch, Timestamp, pages};
use crawl::{Fate, Handle, HostStory, Options, Snapshot, Story};
use testweb::{Answer, Of, Running, Script, Web};

use crate::help::{Place, options};
use crate::traps::prose;

const HUB: &str = "http://hub.lookfar/";
/// Pages of each host behind its front page.
const PAGES: usize = 16;
const HOUR: Duration = Duration::from_secs(3600);

fn link(to: &str) -> String {
    format!("<a href=\"{to}\">{to}</a> ")
}

/// The front page of all hosts here.
fn front() -> String {
    let links: String = (0..PAGES).map(|n| link(&format!("/p/{n}"))).collect();
    format!("<p>{}</p>{links}", prose(&["front"], 60))
}

/// A host with pages of `seed` behind the common front page.
fn host(name: &str, seed: &str) -> Script {
    let mut site = Script::new(name).page("/", &front());
    for n in 0..PAGES {
        let text = prose(&[seed, &n.to_string()], 60);
        site = site.page(&format!("/p/{n}"), &format!("<p>{text}</p>{}", link("/")));
    }
    site
}

/// A web of hosts behind a page that names them, in order.
fn web(hosts: Vec<(String, Script)>) -> Running {
    let links: String = hosts.iter().map(|(name, _)| link(&format!("http://{name}/"))).collect();
    let hub = Script::new("hub.lookfar").page("/", &links);
    hosts.into_iter().fold(Web::new().site(hub), |web, (_, site)| web.site(site)).start().unwrap()
}

/// Hosts `{kind}{n}.lookfar`; those with one seed are mirrors of each other.
fn hosts(kind: &str, num: usize, seed: impl Fn(usize) -> String) -> Vec<(String, Script)> {
    let name = |n: usize| format!("{kind}{n:02}.lookfar");
    (0..num).map(|n| (name(n), host(&name(n), &seed(n)))).collect()
}

fn mirrors(num: usize) -> Vec<(String, Script)> {
    hosts("mirror", num, |_| "mirrored".to_owned())
}

/// Options of a crawl that takes place some time from now.
fn options_in(web: &Running, later: Duration) -> Options {
    let mut options = options(web, Duration::ZERO);
    options.guesses = true;
    options.clock = Arc::new(move || Timestamp::from(SystemTime::now()).plus(later));
    options
}

fn crawl(place: &Place, web: &Running, later: Duration) -> Snapshot {
    let snapshot = place.crawl(&[HUB], options_in(web, later));
    place.check();
    snapshot
}

/// Returns how many pages were asked for on hosts whose names begin so.
fn num_asked(web: &Running, kind: &str) -> usize {
    let requests = web.log().requests(Of::All);
    let of_kind = requests.iter().filter(|entry| entry.host.starts_with(kind));
    of_kind.filter(|entry| entry.target == "/" || entry.target.starts_with("/p/")).count()
}

fn why(place: &Place, web: &Running, url: &str) -> Story {
    let handle = Handle::open(&place.collection, &options(web, Duration::ZERO)).unwrap();
    handle.why(url).unwrap()
}

#[test]
fn hosts_with_one_front_page_and_other_pages_behind_it_lose_nothing() {
    let web = web(hosts("shop", 20, |n| format!("shop {n}")));
    let place = Place::new();
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!((snapshot.queue, snapshot.suspects), (0, 0), "nobody waits");
    let records = place.records();
    for n in 0..20 {
        for page in 0..PAGES {
            let url = format!("http://shop{n:02}.lookfar/p/{page}");
            assert!(records[&url].last().unwrap().is_searchable(), "{url}");
        }
    }
}

#[test]
fn hosts_that_share_a_server_s_default_page_are_not_suspected() {
    // Many words but nowhere to go, as "It works!" has it; and many links, but few words.
    let plain = |seed: &str| format!("<p>{}</p>", prose(&[seed], 100));
    let links: String = (0..9).map(|n| link(&format!("/p/{n}"))).collect();
    for default in [plain("it works"), format!("<p>Under construction.</p>{links}")] {
        let mut sites = Vec::new();
        let mut names = String::new();
        for n in 0..6 {
            let name = format!("new{n}.lookfar");
            names += &link(&format!("http://{name}/"));
            let mut site = Script::new(&name).page("/", &default);
            for page in 0..9 {
                names += &link(&format!("http://{name}/p/{page}"));
                site = site.page(&format!("/p/{page}"), &plain(&format!("{n} {page}")));
            }
            sites.push(site);
        }
        let hub = Script::new("hub.lookfar").page("/", &names);
        let web = sites.into_iter().fold(Web::new().site(hub), Web::site).start().unwrap();
        let place = Place::new();
        let snapshot = crawl(&place, &web, Duration::ZERO);
        assert_eq!((snapshot.queue, snapshot.suspects), (0, 0));
        assert_eq!(num_asked(&web, "new"), 60);
    }
}

/// Crawls eight mirrors and six others that look like them, now and twice later; the first of the
/// sites is read before the rest. `most` bounds the copies that are fetched.
fn check_mixed(sites: Vec<(String, Script)>, most: usize) {
    let first = format!("http://{}/", sites[0].0);
    let web = web(sites);
    let place = Place::new();
    place.crawl(&[&first], options_in(&web, Duration::ZERO));
    for hours in [0, 2, 5] {
        let mut options = options_in(&web, hours * HOUR);
        // What is judged too late is already under way: here nothing is.
        options.concurrency = 1;
        place.crawl(&[HUB], options);
        place.check();
    }
    assert_eq!(num_asked(&web, "other"), 6 * (PAGES + 1), "each is read in full");
    let copies = num_asked(&web, "mirror") - (PAGES + 1);
    println!("{copies} copies of seven mirrors");
    assert!(copies <= most, "{copies} copies of seven mirrors");
    // One that waits is told by name.
    let waiting = (0..8).map(|n| format!("http://mirror{n:02}.lookfar/p/{}", PAGES - 1));
    let stories: Vec<Story> = waiting.map(|url| why(&place, &web, &url)).collect();
    let waits = |story: &&Story| matches!(story.standing, Fate::Waiting { .. });
    let hosts: Vec<&HostStory> = stories.iter().filter(waits).map(|story| &story.host).collect();
    assert_eq!(hosts.len(), 7);
    for host in hosts {
        let named = host.suspected_of.as_ref().or(host.mirror_of.as_ref());
        assert!(named.is_some_and(|name| name.starts_with("mirror")), "{host:?}");
        assert!(host.looked_at.is_some(), "{host:?}");
    }
}

#[test]
fn lnk_10_mirrors_among_hosts_that_only_look_like_them_are_told_apart_in_time() {
    let others = hosts("other", 6, |n| format!("other {n}"));
    // Front pages, what those need that are read on, and two looks at each.
    check_mixed(mirrors(8).into_iter().chain(others).collect(), 7 + 12 + 2 * 7);
}

#[test]
fn lnk_10_mirrors_are_found_too_where_another_host_was_first_with_their_face() {
    let others = hosts("other", 6, |n| format!("other {n}"));
    // Nobody is a mirror of the first, so some of the rest are judged each by itself.
    check_mixed(others.into_iter().chain(mirrors(8)).collect(), 7 * (1 + 1 + 9 + 2));
}

#[test]
fn lnk_10_a_mirror_is_looked_at_now_and_then_and_ever_more_seldom() {
    let web = web(mirrors(10));
    let place = Place::new();
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!(snapshot.suspects, 9);
    let mut asked = vec![num_asked(&web, "mirror")];
    // After the first hour, within the two that follow, after them, within four, after them.
    for hours in [2, 3, 5, 7, 10] {
        crawl(&place, &web, hours * HOUR);
        asked.push(num_asked(&web, "mirror"));
    }
    let looks: Vec<usize> = asked.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(looks, [9, 0, 9, 0, 9]);
}

#[test]
fn lnk_10_a_suspect_that_fails_when_it_is_read_on_makes_room_for_the_next() {
    let mut sites = mirrors(8);
    for n in 8..16 {
        // Whoever is chosen first: these have a front page, and nothing works behind it.
        let name = format!("broken{n:02}.lookfar");
        let site = Script::new(&name)
            .page("/", &front())
            .answer("/robots.txt", Answer::not_found())
            .otherwise(Answer::status(503, "text/plain", "busy"));
        sites.push((name, site));
    }
    let web = web(sites);
    let place = Place::new();
    place.crawl(&["http://mirror00.lookfar/"], options_in(&web, Duration::ZERO));
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!(snapshot.suspects, 15);
    let records = place.records();
    for page in 0..PAGES {
        let urls = (0..8).map(|n| format!("http://mirror{n:02}.lookfar/p/{page}"));
        let found = urls.filter_map(|url| records.get(&url)?.last());
        assert_eq!(found.filter(|record| record.is_searchable()).count(), 1, "page {page}");
    }
    let copies = num_asked(&web, "mirror") - (PAGES + 1);
    assert!((7 + 1..=7 + 8).contains(&copies), "{copies} copies of seven mirrors");
    let broken = num_asked(&web, "broken");
    assert!(broken <= 8 * 4, "{broken} requests to hosts that are busy");
}

#[test]
fn lnk_10_suspects_wait_on_after_a_restart_and_in_a_frontier_made_again() {
    let web = web(mirrors(20));
    let place = Place::new();
    let mut first = options_in(&web, Duration::ZERO);
    // Cut off after the front pages, when all are suspected and none is judged.
    first.scope.pages = Some(22);
    place.crawl(&[HUB], first);
    place.check();
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!(snapshot.suspects, 19);
    let copies = num_asked(&web, "mirror") - (PAGES + 1);
    assert!(copies <= 19 + 9, "{copies} copies of 19 mirrors");
    // Nothing is due, so nothing is fetched.
    let before = web.log().count(Of::All);
    crawl(&place, &web, Duration::ZERO);
    assert_eq!(web.log().count(Of::All), before);
    // The log says the same of them.
    std::fs::remove_dir_all(place.collection.frontier()).unwrap();
    let snapshot = crawl(&place, &web, Duration::ZERO);
    let again = num_asked(&web, "mirror") - (PAGES + 1) - copies;
    println!("{copies} copies, {again} more with a frontier made again");
    assert_eq!(snapshot.suspects, 19);
    assert!(again <= 3, "{again} more copies of 19 mirrors");
}

#[test]
fn a_frontier_made_again_from_records_without_sketches_is_in_order_and_loses_nothing() {
    // Each says its own name, so these are near copies.
    let name = |n: usize| format!("near{n}.lookfar");
    let site = |n: usize| {
        let page = |seed: &str, links: &str| {
            format!("<p>{}</p><p>Served by {}</p>{links}", prose(&[seed], 400), name(n))
        };
        let links: String = (0..PAGES).map(|page| link(&format!("/p/{page}"))).collect();
        let front = Script::new(&name(n)).page("/", &page("front", &links));
        (0..PAGES).fold(front, |site, at| {
            site.page(&format!("/p/{at}"), &page(&format!("page {at}"), &link("/")))
        })
    };
    let web = web((0..6).map(|n| (name(n), site(n))).collect());
    let place = Place::new();
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!(snapshot.suspects, 5, "near copies are suspects too");
    let mut reader =
        pages::Reader::open(&place.collection.pages(), base::log::Position::START).unwrap();
    let mut records = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        records.push(base::PageRecord { sketch: Sketch::default(), ..entry.record });
    }
    drop(reader);
    for folder in [place.collection.pages(), place.collection.frontier()] {
        std::fs::remove_dir_all(folder).unwrap();
    }
    std::fs::create_dir_all(place.collection.pages()).unwrap();
    let mut writer = pages::Writer::open(&place.collection.pages()).unwrap();
    for record in &records {
        writer.append(record).unwrap();
    }
    writer.sync().unwrap();
    drop(writer);
    let snapshot = crawl(&place, &web, Duration::ZERO);
    assert_eq!(snapshot.suspects, 0, "front pages that cannot be compared say nothing");
    let records = place.records();
    for page in 0..PAGES {
        let urls = (0..6).map(|n| format!("http://{}/p/{page}", name(n)));
        let found = urls.filter_map(|url| records.get(&url)?.last());
        assert!(found.filter(|record| record.is_searchable()).count() > 0, "page {page}");
    }
    let mut urls: Vec<String> = web
        .log()
        .requests(Of::All)
        .iter()
        .filter(|entry| entry.host.starts_with("near") && entry.target.starts_with("/p/"))
        .map(|entry| format!("{}{}", entry.host, entry.target))
        .collect();
    urls.sort_unstable();
    assert!(urls.windows(2).all(|two| two[0] != two[1]), "nothing is fetched twice: {urls:?}");
}
