//! Traps as whole crawls (C14, LNK-01 … LNK-18): each served together with good pages.
//!
//! Every trap has a host of its own with 100 good pages beside it; 1,000 more lie on other hosts.
//! At least 95 of 100 good pages must be fetched, and the trap may take at most one fetch of
//! twenty, counted as if it were alone with these 1,100 pages. Traps that need no options of their
//! own share one crawl, since none can see the others, so that all of them take seconds.

mod demo;
mod endless;
mod hosts;
mod pages;
mod slow;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::Duration;

use base::PageRecord;
use crawl::{Options, Snapshot};
use testweb::{Answer, Entry, Generated, GeneratedOptions, Mix, Of, Request, Site, Web};

use crate::help::{Place, options};

/// Good pages on hosts without traps, and beside each trap.
const GOOD: usize = 1_000;
const GOOD_BESIDE: usize = 100;
/// A page from which every host is reached.
const HUB: &str = "http://hub.lookfar/";

/// A host with a trap and 100 good pages.
pub(super) struct Trap {
    host: String,
    entry: String,
    robots: String,
    answer: Box<Answers>,
}

/// What answers for a trap, if it does.
type Answers = dyn Fn(&Request<'_>) -> Option<Answer> + Send + Sync;

impl Trap {
    /// Returns a trap that is entered by the link or links of `entry`; what `answer` does not
    /// answer is 404.
    pub(super) fn new(
        name: &str,
        entry: &str,
        answer: impl Fn(&Request<'_>) -> Option<Answer> + Send + Sync + 'static,
    ) -> Self {
        let (host, entry) = (format!("{name}.lookfar"), entry.to_owned());
        Self { host, entry, robots: String::new(), answer: Box::new(answer) }
    }

    /// Sets the rules of its robots.txt.
    pub(super) fn with_robots(mut self, rules: &str) -> Self {
        self.robots = rules.to_owned();
        self
    }
}

impl Site for Trap {
    fn host(&self) -> &str {
        &self.host
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let is_good = |number: &str| number.parse().is_ok_and(|number: usize| number < GOOD_BESIDE);
        if request.target == "/" {
            let list: String = (0..GOOD_BESIDE).map(|n| link(&format!("/good/{n}"))).collect();
            return page(&format!("Home of {}", self.host), &format!("{}{list}", self.entry));
        }
        if request.target == "/robots.txt" {
            return Answer::ok("text/plain", self.robots.clone());
        }
        if let Some(number) = request.target.strip_prefix("/good/").filter(|number| is_good(number))
        {
            let text = prose(&[&self.host, number], 120);
            let beside = (number.len() * 7 + number.as_bytes()[0] as usize) % GOOD_BESIDE;
            let links = format!("{}{}", link("/"), link(&format!("/good/{beside}")));
            return page(&format!("Good page {number}"), &format!("<p>{text}</p>{links}"));
        }
        (self.answer)(request).unwrap_or_else(Answer::not_found)
    }
}

/// What a crawl of traps has left behind.
pub(super) struct Crawled {
    pub(super) requests: Vec<Entry>,
    pub(super) records: BTreeMap<String, Vec<PageRecord>>,
    pub(super) snapshot: Snapshot,
    /// Requests at once to the address of the farm.
    pub(super) farm_at_once: usize,
    num_others: usize,
}

/// Returns the one crawl of all traps that need no options of their own.
pub(super) fn all() -> &'static Crawled {
    static CRAWLED: OnceLock<Crawled> = OnceLock::new();
    CRAWLED.get_or_init(|| {
        let traps = [endless::traps(), pages::traps(), hosts::traps()];
        crawl(hosts::web(pages::web()), traps.into_iter().flatten().collect(), |_| ())
    })
}

/// Crawls these traps beside 1,000 good pages until nothing is left.
pub(super) fn crawl(web: Web, traps: Vec<Trap>, adjust: impl FnOnce(&mut Options)) -> Crawled {
    let others = Generated::new(GeneratedOptions {
        hosts: 40,
        pages: GOOD as u64,
        page_bytes: 1_000..=2_000,
        mix: Mix::none(),
        shared_hosts: 0,
        ..GeneratedOptions::default()
    });
    let mut list = link(&others.seed_url());
    list.extend(traps.iter().map(|trap| link(&format!("http://{}/", trap.host))));
    let hub = testweb::Script::new("hub.lookfar").page("/", &list);
    let mut web = web.site(hub).sites(others.sites());
    for trap in traps {
        web = web.site(trap);
    }
    let web = web.start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.guesses = true;
    // A trap that is not recognised must fail its test, not hold it up.
    options.scope.time = Some(Duration::from_secs(100));
    options.scope.pages = Some(10_000);
    adjust(&mut options);
    let place = Place::new();
    let snapshot = place.crawl(&[HUB], options);
    place.check();
    let requests = web.log().requests(Of::All);
    let asked: BTreeSet<String> =
        requests.iter().map(|entry| format!("http://{}{}", entry.host, entry.target)).collect();
    let num_others = others.pages().filter(|page| asked.contains(&page.url)).count();
    let farm = web.address_of("farm0.lookfar");
    let farm_at_once = farm.map_or(0, |farm| web.log().max_requests_at_once(farm));
    Crawled { requests, records: place.records(), snapshot, farm_at_once, num_others }
}

impl Crawled {
    /// Asserts that the trap on a host has cost no more than it may, and no good page.
    #[track_caller]
    pub(super) fn check(&self, name: &str) {
        let fetched = self.fetched(&format!("{name}.lookfar"));
        // What every host is asked once, trap or not.
        let is_errand = |path: &str| ["/", "/sitemap.xml"].contains(&path);
        let (good, trap): (Vec<&str>, Vec<&str>) = fetched
            .into_iter()
            .filter(|path| !is_errand(path))
            .partition(|path| path.starts_with("/good/"));
        let others = self.num_others;
        println!("{name}: {others} and {} good pages, {} of the trap", good.len(), trap.len());
        assert!(others * 100 >= GOOD * 95, "{others} of {GOOD} other pages: {:?}", self.snapshot);
        assert!(good.len() * 100 >= GOOD_BESIDE * 95, "{} good pages beside {name}", good.len());
        self.check_share(name, trap.len());
    }

    /// Asserts that so many fetches are no more than a twentieth of all, had the trap been alone
    /// with the good pages.
    #[track_caller]
    pub(super) fn check_share(&self, name: &str, fetches: usize) {
        let all = self.num_others + GOOD_BESIDE + fetches;
        assert!(fetches * 20 <= all, "{name} took {fetches} of {all} fetches");
    }

    /// Returns the paths of a host that were asked for, robots.txt aside.
    pub(super) fn fetched(&self, host: &str) -> Vec<&str> {
        let of_host = self.requests.iter().filter(|entry| &*entry.host == host);
        let paths = of_host.map(|entry| &*entry.target);
        paths.filter(|path| *path != "/robots.txt").collect()
    }
}

/// Returns a link with a text of its own.
pub(super) fn link(target: &str) -> String {
    format!("<a href=\"{target}\">{target}</a>\n")
}

/// Returns a page in ordinary dress.
pub(super) fn page(title: &str, main: &str) -> Answer {
    Answer::html(format!(
        "<!doctype html><html lang=en><title>{title}</title><nav><a href=/>Home</a></nav>\
         <main><h1>{title}</h1>{main}</main><footer>All rights reserved.</footer></html>"
    ))
}

/// Returns words that depend on nothing but the seed.
pub(super) fn prose(seed: &[&str], words: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "ba", "cor", "den", "el", "fi", "gar", "hol", "in", "ju", "kel", "lo", "mar", "ne", "or",
        "pi", "qua", "ren", "so", "tal", "un", "ver", "wil", "yo", "zen",
    ];
    let mut state = number(seed);
    let mut text = String::new();
    for _ in 0..words {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = state >> 40;
        for part in [word % 24, word / 24 % 24, word / 576 % 24] {
            text.push_str(SYLLABLES[part as usize]);
        }
        text.push(' ');
    }
    text
}

/// Returns a number that depends on nothing but the seed.
pub(super) fn number(seed: &[&str]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed.iter().flat_map(|part| part.bytes().chain([0xff])) {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (state ^ state >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
