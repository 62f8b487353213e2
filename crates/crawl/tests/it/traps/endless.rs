//! Addresses without end on one host: calendars, sessions, filters, mazes, offsets, searches.

use testweb::{Request, Web};

use super::{Trap, all, crawl, link, number, page, prose};

/// Returns the value of a parameter.
fn value<'a>(request: &Request<'a>, name: &str) -> Option<&'a str> {
    let pairs = request.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn goods(number: u64) -> String {
    let name = prose(&["goods", &(number % 24).to_string()], 3);
    format!("<li>{name} at {} crowns</li>", number % 97)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Next and previous month, with an appointment now and then.
fn calendar(name: &str) -> Trap {
    Trap::new(name, &link("/calendar/2026/11"), |request| {
        let (year, month) = request.path().strip_prefix("/calendar/")?.split_once('/')?;
        let (year, month): (u64, u64) = (year.parse().ok()?, month.parse().ok()?);
        let at = |count: u64| link(&format!("/calendar/{}/{:02}", count / 12, count % 12 + 1));
        let count = year * 12 + month - 1;
        let who = ["Anna", "Bert", "Clara", "Dan", "Eve", "Frank"][(count % 6) as usize];
        let days: String = (1..=30).map(|day| format!("<td>{day} Monday</td>")).collect();
        let main = format!(
            "<table><tr>{days}</tr></table><p>{who} is on duty in {}.</p>{}{}",
            MONTHS[(count % 12) as usize],
            at(count - 1),
            at(count + 1)
        );
        Some(page(&format!("{} {year}", MONTHS[(count % 12) as usize]), &main))
    })
}

/// The same three pages under a number that every response gives anew.
fn sessions(name: &str, address: fn(u64, u64) -> String, read: fn(&str) -> Option<u64>) -> Trap {
    let counter = std::sync::atomic::AtomicU64::new(1);
    let entry: String = (0..3).map(|place| link(&address(place, 0))).collect();
    Trap::new(name, &entry, move |request| {
        let place = read(request.target)?;
        let session = counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let links: String = (0..3).map(|place| link(&address(place, session * 7919))).collect();
        let text = prose(&["shop", &place.to_string()], 60);
        Some(page("Shop", &format!("<p>{text}</p>{links}")))
    })
}

/// Ten filters of ten values; each page adds one more to those that are set.
fn filters(name: &str) -> Trap {
    Trap::new(name, &link("/list?f0=1"), |request| {
        let set: Vec<&str> = request.query()?.split('&').collect();
        let links = (0..10).flat_map(|filter| (0..10).map(move |value| (filter, value)));
        let links = links
            .filter(|(filter, _)| !set.iter().any(|pair| pair.starts_with(&format!("f{filter}="))));
        let links: String = links
            .map(|(filter, value)| link(&format!("{}&f{filter}={value}", request.target)))
            .collect();
        let mut sorted = set.clone();
        sorted.sort_unstable();
        let seed = number(&sorted);
        let found: String =
            (0..8 / set.len() as u64).map(|n| goods(seed.rotate_left(n as u32 * 8))).collect();
        let main = format!("<p>{} articles fit.</p><ul>{found}</ul>{links}", 8 / set.len());
        Some(page("Articles", &main))
    })
}

/// Every page links to a thousand others of its kind.
fn maze(name: &str) -> Trap {
    Trap::new(name, &link("/maze/1"), |request| {
        let place = request.path().strip_prefix("/maze/")?;
        let links: String = (0..1_000)
            .map(|n| link(&format!("/maze/{}", number(&[place, &n.to_string()]) % 1_000_000_000)))
            .collect();
        Some(page("Maze", &format!("<p>You stand in passage {place}. It is dark.</p>{links}")))
    })
}

/// Entries from a growing offset; the same sixty go round.
fn offsets(name: &str) -> Trap {
    Trap::new(name, &link("/api/items?offset=0"), |request| {
        let offset: u64 = value(request, "offset")?.parse().ok()?;
        let found: String = (offset..offset + 10).map(|n| goods(n * 31)).collect();
        let more = link(&format!("/api/items?offset={}", offset + 10));
        Some(page("Items", &format!("<ul>{found}</ul>{more}")))
    })
}

/// Answers to any query, each with links to further queries.
fn searches(name: &str, path: &'static str) -> Trap {
    let query = |seed: &str, n: u64| prose(&[seed, &n.to_string()], 2).trim().replace(' ', "+");
    let entry: String = (0..5).map(|n| link(&format!("{path}{}", query("q", n)))).collect();
    Trap::new(name, &entry, move |request| {
        let asked = request.target.strip_prefix(path)?;
        let seed = number(&[asked]);
        let found: String = (0..5).map(|n| goods(seed.rotate_left(n * 7))).collect();
        let others: String = (0..10).map(|n| link(&format!("{path}{}", query(asked, n)))).collect();
        let asked = asked.replace('+', " ");
        let main =
            format!("<p>Results for {asked}:</p><ul>{found}</ul><p>Others seek:</p>{others}");
        Some(page(&format!("Search: {asked}"), &main))
    })
}

/// A link that stacks on whatever page it stands.
fn stack(name: &str, relative: &'static str) -> Trap {
    Trap::new(name, &link(relative), move |request| {
        request.path().contains(relative.trim_end_matches('/')).then(|| {
            let text = prose(&[request.target], 40);
            page("Folder", &format!("<p>{text}</p>{}", link(relative)))
        })
    })
}

/// A maze whose texts are all new: it cannot be told from a library.
fn library(name: &str) -> Trap {
    Trap::new(name, &link("/maze/1"), |request| {
        let place = request.path().strip_prefix("/maze/")?;
        let links: String = (0..1_000)
            .map(|n| link(&format!("/maze/{}", number(&[place, &n.to_string()]) % 1_000_000_000)))
            .collect();
        Some(page("Passage", &format!("<p>{}</p>{links}", prose(&[place], 100))))
    })
}

/// The number of the page in an address of a shop.
fn after_shop(target: &str) -> Option<u64> {
    target.strip_prefix("/shop/")?.get(..1)?.parse().ok()
}

/// Returns the traps of this file that need no options of their own.
pub(super) fn traps() -> Vec<Trap> {
    vec![
        calendar("calendar"),
        stack("stack", "a/"),
        stack("schemeless", "www.other.lookfar/x"),
        stack("pair", "en/a/"),
        sessions("query", |place, id| format!("/shop/{place}?visit={id:x}"), after_shop),
        sessions("path", |place, id| format!("/shop/{place}/{:016x}/", id + 1), after_shop),
        sessions("parameter", |place, id| format!("/shop/{place};key={id:x}"), after_shop),
        filters("filters"),
        maze("maze"),
        offsets("offsets"),
        searches("search", "/search?q="),
        searches("search-path", "/search/"),
    ]
}

#[test]
fn lnk_01_calendars_without_end_are_left() {
    all().check("calendar");
}

#[test]
fn lnk_02_relative_links_that_stack_end() {
    all().check("stack");
    all().check("pair");
}

#[test]
fn lnk_03_links_without_a_scheme_that_stack_end() {
    all().check("schemeless");
}

#[test]
fn lnk_04_sessions_anywhere_in_an_address_are_left() {
    for name in ["query", "path", "parameter"] {
        all().check(name);
    }
}

#[test]
fn lnk_05_filters_in_any_order_are_left() {
    all().check("filters");
}

#[test]
fn lnk_06_a_page_of_a_thousand_links_to_its_like_is_left() {
    all().check("maze");
}

#[test]
fn lnk_06_a_maze_without_any_sign_ends_at_the_limit_of_its_host() {
    let crawled = crawl(Web::new(), vec![library("library")], |options| {
        options.scope.pages_per_host = Some(150);
    });
    crawled.check("library");
}

#[test]
fn lnk_14_growing_offsets_are_bounded_by_their_pattern() {
    all().check("offsets");
}

#[test]
fn lnk_15_searches_for_anything_are_bounded_by_their_pattern() {
    all().check("search");
    all().check("search-path");
}
