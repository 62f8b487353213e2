//! Traps as whole crawls (C14, LNK-01 … LNK-18): each served together with good pages.
//!
//! Every trap has a host of its own with 100 good pages beside it; 1,000 more lie on other hosts.
//! At least 95 of 100 good pages must be fetched, and the trap may take at most one fetch of
//! twenty, counted as if it were alone with these 1,100 pages. Several traps share one crawl where
//! none can see the others, so that all of them take seconds.

mod demo;
mod endless;
mod hosts;
mod pages;
mod slow;

use std::collections::BTreeSet;
use std::time::Duration;

use crawl::{Options, Snapshot};
use testweb::{Answer, Generated, GeneratedOptions, Mix, Request, Running, Site, Web};

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
    answer: Box<dyn Fn(&Request<'_>) -> Option<Answer> + Send + Sync>,
}

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

/// A crawl of traps that is over.
pub(super) struct Crawled {
    pub(super) web: Running,
    pub(super) place: Place,
    pub(super) snapshot: Snapshot,
    others: Generated,
}

/// Crawls these traps beside 1,000 good pages until nothing is left.
pub(super) fn crawl(traps: Vec<Trap>) -> Crawled {
    crawl_with(Web::new(), traps, |_| ())
}

/// As [`crawl`], with more sites and other options.
pub(super) fn crawl_with(web: Web, traps: Vec<Trap>, adjust: impl FnOnce(&mut Options)) -> Crawled {
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
    options.scope.time = Some(Duration::from_secs(15));
    adjust(&mut options);
    let place = Place::new();
    let snapshot = place.crawl(&[HUB], options);
    Crawled { web, place, snapshot, others }
}

impl Crawled {
    /// Asserts that the trap on a host has cost no more than it may, and no good page.
    #[track_caller]
    pub(super) fn check(&self, name: &str) {
        let host = format!("{name}.lookfar");
        let fetched = self.fetched(&host);
        let is_ours =
            |path: &&String| !["/", "/robots.txt", "/sitemap.xml"].contains(&path.as_str());
        let (good, trap): (Vec<&String>, Vec<&String>) =
            fetched.iter().filter(is_ours).partition(|path| path.starts_with("/good/"));
        let others = self.num_others();
        println!("{name}: {others} and {} good pages, {} of the trap", good.len(), trap.len());
        assert!(others * 100 >= GOOD * 95, "{others} of {GOOD} other pages: {:?}", self.snapshot);
        assert!(good.len() * 100 >= GOOD_BESIDE * 95, "{} good pages beside {name}", good.len());
        let all = others + good.len() + trap.len();
        assert!(trap.len() * 20 <= all, "{name} took {} of {all} fetches: {trap:?}", trap.len());
    }

    /// Returns the paths of a host that were asked for.
    pub(super) fn fetched(&self, host: &str) -> Vec<String> {
        self.web.log().paths(host)
    }

    /// Returns how many of the 1,000 good pages on other hosts were fetched.
    pub(super) fn num_others(&self) -> usize {
        let mut asked = BTreeSet::new();
        for entry in self.web.log().requests(testweb::Of::All) {
            asked.insert(format!("http://{}{}", entry.host, entry.target));
        }
        self.others.pages().filter(|page| asked.contains(&page.url)).count()
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
