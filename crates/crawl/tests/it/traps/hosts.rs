//! Hosts without end: wildcard names, a farm on one address, mirrors, names that do not exist.

use std::collections::BTreeSet;

use testweb::{Answer, Of, Request, Script, Site, Web};

use super::{Trap, crawl_with, link, number, page, prose};

/// Every name below a domain, each with ten more.
struct Wildcard;

impl Site for Wildcard {
    fn host(&self) -> &'static str {
        "*.wild.lookfar"
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        if request.path() != "/" {
            return Answer::not_found();
        }
        let host = request.header("host").unwrap_or_default();
        let name = |n: u32| number(&[host, &n.to_string()]) % 1_000_000_000;
        let links: String =
            (0..10).map(|n| link(&format!("http://n{}.wild.lookfar/", name(n)))).collect();
        page(host, &format!("<p>{}</p>{links}", prose(&[host], 80)))
    }
}

#[test]
fn lnk_07_names_without_end_are_bounded_by_their_domain() {
    let entry = Trap::new("entry", &link("http://n1.wild.lookfar/"), |_| None);
    let crawled = crawl_with(Web::new().site(Wildcard), vec![entry], |_| ());
    crawled.check("entry");
    let requests = crawled.web.log().requests(Of::All);
    let wild = requests.iter().filter(|entry| entry.host.ends_with(".wild.lookfar"));
    let pages = wild.filter(|entry| entry.target != "/robots.txt").count();
    println!("{pages} pages of the domain");
    assert!(pages <= 57, "{pages} pages of names without end");
    assert!(crawled.snapshot.reasons["too-many-hosts"] > 0);
}

#[test]
fn lnk_08_domains_on_one_address_are_bounded_by_the_address() {
    // A front page each, all linked with each other; the texts differ.
    let name = |n: usize| format!("farm{n}.lookfar");
    let names: Vec<String> = (0..400).map(name).collect();
    let mut web = Web::new();
    for host in &names {
        let links: String = (0..30)
            .map(|n| number(&[host, &n.to_string()]) as usize % names.len())
            .map(|n| link(&format!("http://{}/", name(n))))
            .collect();
        let text = prose(&[host], 80);
        web = web.site(Script::new(host).page("/", &format!("<p>{text}</p>{links}")));
    }
    let shared: Vec<&str> = names.iter().map(String::as_str).collect();
    let web = web.share(&shared);
    let entry = Trap::new("entry", &link("http://farm0.lookfar/"), |_| None);
    let crawled = crawl_with(web, vec![entry], |_| ());
    crawled.check("entry");
    let requests = crawled.web.log().requests(Of::All);
    let farm = requests.iter().filter(|entry| entry.host.starts_with("farm"));
    let pages = farm.filter(|entry| entry.target == "/").count();
    let address = crawled.web.address_of("farm0.lookfar").unwrap();
    println!("{pages} pages of the farm");
    assert!((20..=57).contains(&pages), "{pages} pages of the farm");
    assert_eq!(crawled.web.log().max_requests_at_once(address), 1);
}

#[test]
fn lnk_10_mirrors_are_searched_once_and_hardly_crawled() {
    const PAGES: usize = 40;
    let mirror = |host: &str| {
        let links: String = (0..PAGES).map(|n| link(&format!("/p/{n}"))).collect();
        let mut site = Script::new(host).page("/", &format!("{}{links}", prose(&["front"], 60)));
        for n in 0..PAGES {
            let text = prose(&["mirrored", &n.to_string()], 60);
            site = site.page(&format!("/p/{n}"), &format!("<p>{text}</p>{}", link("/")));
        }
        site
    };
    let names: Vec<String> = (0..50).map(|n| format!("mirror{n}.lookfar")).collect();
    let mut web = Web::new();
    for name in &names {
        web = web.site(mirror(name));
    }
    let entry: String = names.iter().map(|name| link(&format!("http://{name}/"))).collect();
    let crawled = crawl_with(web, vec![Trap::new("entry", &entry, |_| None)], |_| ());
    crawled.check("entry");
    let records = crawled.place.records();
    let of_mirrors = || records.iter().filter(|(url, _)| url.starts_with("http://mirror"));
    let searched: Vec<&String> = of_mirrors()
        .filter(|(_, said)| said.last().unwrap().is_searchable())
        .map(|(url, _)| url)
        .collect();
    let paths: BTreeSet<&str> =
        searched.iter().filter_map(|url| url.splitn(4, '/').nth(3)).collect();
    println!("{} fetches of {} pages", of_mirrors().count(), 50 * (PAGES + 1));
    assert_eq!((searched.len(), paths.len()), (PAGES + 1, PAGES + 1), "each page once");
    assert!(of_mirrors().count() * 2 <= 50 * (PAGES + 1), "copies are hardly crawled");
}

#[test]
fn lnk_18_a_list_of_names_that_do_not_exist_harms_nobody() {
    // As many as a page of five megabytes can hold are cut to the limit of links; these are more.
    let names: String =
        (0..30_000).map(|n| format!("<a href=//x{n}.nowhere-{n}.lookfar/>x</a>")).collect();
    let list = Trap::new("list", &link("/names"), move |request| {
        (request.path() == "/names").then(|| page("Names", &names))
    });
    let crawled = crawl_with(Web::new(), vec![list], |_| ());
    crawled.check("list");
    println!("{:?}", crawled.snapshot);
    assert!(crawled.snapshot.reasons["no-such-host"] > 0);
    assert!(crawled.snapshot.urls < 15_000, "{}", crawled.snapshot.urls);
}
