//! Generated webs, fetched page by page.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use testweb::{Generated, GeneratedOptions, GeneratedPage, Kind, Naming, Running, Web};

use crate::client::{Client, Response, get, get_with};

fn options() -> GeneratedOptions {
    GeneratedOptions { seed: 11, hosts: 8, pages: 400, ..GeneratedOptions::default() }
}

fn start(made: &Generated) -> Running {
    Web::new().sites(made.sites()).frozen().start().unwrap()
}

fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap();
    rest.split_at(rest.find('/').unwrap())
}

fn fetch(web: &Running, url: &str) -> Response {
    let (host, path) = split(url);
    get(web, host, path)
}

/// Returns the targets of a page's links as absolute URLs.
fn links(page: &str, base: &str) -> Vec<String> {
    let (host, _) = split(base);
    let targets = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let absolute = |target: &str| match target.starts_with('/') {
        true => format!("http://{host}{target}"),
        false => target.to_owned(),
    };
    targets.map(absolute).collect()
}

fn find(made: &Generated, kind: Kind) -> GeneratedPage {
    let found = made.pages().find(|page| page.kind == kind);
    found.unwrap_or_else(|| panic!("no page is {kind:?}"))
}

#[test]
fn following_links_finds_exactly_the_pages_listed() {
    let made = Generated::new(options());
    let web = start(&made);
    web.advance(Duration::from_secs(6));
    let mut found: BTreeMap<String, u16> = BTreeMap::new();
    let mut waiting = vec![made.seed_url()];
    while let Some(url) = waiting.pop() {
        if found.contains_key(&url) {
            continue;
        }
        let page = fetch(&web, &url);
        if page.status == 200 {
            waiting.extend(links(&page.text(), &url));
        }
        waiting.extend(page.header("location").map(str::to_owned));
        found.insert(url, page.status);
    }
    let expected: BTreeMap<String, u16> =
        made.pages().map(|page| (page.url, page.status)).collect();
    assert_eq!(found, expected);
    assert_eq!(expected.len(), 400);
}

#[test]
fn every_page_has_its_mark_and_a_sensible_size() {
    let made = Generated::new(options());
    let web = start(&made);
    let mut bytes = Vec::new();
    for page in made.pages().filter(|page| page.kind == Kind::Plain) {
        let text = fetch(&web, &page.url).text();
        assert!(text.contains(&page.mark), "{} has `{}`", page.url, page.mark);
        bytes.push(text.len());
    }
    let mean = bytes.iter().sum::<usize>() / bytes.len();
    assert!((30_000..50_000).contains(&mean), "{mean}");
    assert!(bytes.iter().all(|size| (19_000..70_000).contains(size)));
}

#[test]
fn the_same_seed_serves_the_same_bytes() {
    let [one, two] = [(); 2].map(|()| Generated::new(options()));
    assert!(one.pages().eq(two.pages()));
    let other = Generated::new(GeneratedOptions { seed: 12, ..options() });
    assert!(!one.pages().eq(other.pages()));
    let (first, second) = (start(&one), start(&two));
    for page in one.pages().step_by(37).filter(|page| page.kind != Kind::Slow) {
        let (a, b) = (fetch(&first, &page.url), fetch(&second, &page.url));
        assert_eq!((a.status, a.body), (b.status, b.body), "{}", page.url);
    }
}

#[test]
fn misbehaving_pages_misbehave_as_announced() {
    let made = Generated::new(options());
    let web = start(&made);
    assert_eq!(fetch(&web, &find(&made, Kind::Missing).url).status, 404);
    assert_eq!(fetch(&web, &find(&made, Kind::Broken).url).status, 500);
    let redirect = fetch(&web, &find(&made, Kind::Redirect).url);
    assert!((301..=308).contains(&redirect.status));
    assert_eq!(fetch(&web, redirect.header("location").unwrap()).status, 200);
    let begun = Instant::now();
    assert_eq!(fetch(&web, &find(&made, Kind::Slow).url).status, 200);
    assert!(begun.elapsed() >= Duration::from_millis(200));
    let busy = find(&made, Kind::Busy).url;
    let refused = fetch(&web, &busy);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("2")));
    web.advance(Duration::from_secs(5));
    assert_eq!(fetch(&web, &busy).status, 200);
}

#[test]
fn robots_files_disallow_what_is_listed_as_disallowed() {
    let made = Generated::new(options());
    let web = start(&made);
    let disallowed: BTreeSet<String> =
        made.pages().filter(|page| page.kind == Kind::Disallowed).map(|page| page.url).collect();
    assert!(!disallowed.is_empty());
    for url in &disallowed {
        let (host, path) = split(url);
        assert!(path.starts_with("/private/"), "{url}");
        let robots = get(&web, host, "/robots.txt").text();
        assert!(robots.contains("User-agent: *\nDisallow: /private/\n"), "{robots}");
    }
    let others = made.pages().filter(|page| !disallowed.contains(&page.url));
    assert!(others.into_iter().all(|page| !page.url.contains("/private/")));
    let statuses: BTreeSet<u16> =
        web.hosts().map(|host| get(&web, host, "/robots.txt").status).collect();
    assert!(statuses.contains(&200));
}

#[test]
fn sitemaps_list_the_pages_of_their_host() {
    let made = Generated::new(options());
    let web = start(&made);
    let host = web.hosts().next().unwrap();
    let xml = get(&web, host, "/sitemap.xml").text();
    let listed: BTreeSet<&str> =
        xml.split("<loc>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
    let good = [Kind::Plain, Kind::Slow, Kind::Changing, Kind::Busy];
    let expected: Vec<String> = made
        .pages()
        .filter(|page| good.contains(&page.kind) && split(&page.url).0 == host)
        .map(|page| page.url)
        .collect();
    assert_eq!(listed, expected.iter().map(String::as_str).collect());
    assert!(xml.contains("<lastmod>202"), "{}", &xml[..300]);
}

#[test]
fn pages_change_over_time_and_say_so() {
    let made = Generated::new(options());
    let web = start(&made);
    let urls: Vec<String> =
        made.pages().filter(|page| page.kind == Kind::Changing).map(|page| page.url).collect();
    let before: Vec<Vec<u8>> = urls.iter().map(|url| fetch(&web, url).body).collect();
    let again: Vec<Vec<u8>> = urls.iter().map(|url| fetch(&web, url).body).collect();
    assert_eq!(before, again);
    web.advance(Duration::from_secs(60));
    let after: Vec<Vec<u8>> = urls.iter().map(|url| fetch(&web, url).body).collect();
    let num_changed = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert!(num_changed > 0 && num_changed < urls.len(), "{num_changed} of {}", urls.len());

    let dated = urls.iter().find_map(|url| {
        let date = fetch(&web, url).header("last-modified")?.to_owned();
        Some((url, date))
    });
    let (url, date) = dated.unwrap();
    let (host, path) = split(url);
    let condition = format!("If-Modified-Since: {date}\r\n");
    assert_eq!(get_with(&web, host, path, &condition).status, 304);
    web.advance(Duration::from_secs(3_600));
    assert_eq!(get_with(&web, host, path, &condition).status, 200);
}

#[test]
fn hosts_named_by_address_link_to_the_port_they_were_asked_on() {
    let made = Generated::new(GeneratedOptions { naming: Naming::Addresses, ..options() });
    let web = start(&made);
    let url = made.seed_url();
    let (host, path) = split(&url);
    assert_eq!(host, "127.100.0.1");
    assert_eq!(web.address_of(host), host.parse().ok());
    let asked = format!("{host}:{}", web.http_port);
    let page = Client::connect(web.socket_of(host).unwrap()).get(&asked, path, "").text();
    let other = format!("http://127.100.0.2:{}/", web.http_port);
    assert!(page.contains(&other), "{page}");
    assert!(get(&web, host, path).text().contains("http://127.100.0.2/"));
}

#[test]
fn the_last_hosts_share_an_address() {
    let web = start(&Generated::new(options()));
    let hosts: Vec<&str> = web.hosts().collect();
    assert_eq!(web.address_of(hosts[6]), web.address_of(hosts[7]));
    assert_ne!(web.address_of(hosts[5]), web.address_of(hosts[6]));
}
