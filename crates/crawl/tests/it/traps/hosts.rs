//! Hosts without end: wildcard names, a farm on one address, mirrors, names that do not exist.

use std::collections::BTreeSet;

use testweb::{Answer, Request, Script, Site, Web};

use super::{Trap, all, link, number, page, prose};

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

/// Domains of one page each on one address, all linked with each other; the texts differ.
const FARM: usize = 400;

fn farm(mut web: Web) -> Web {
    let names: Vec<String> = (0..FARM).map(|n| format!("farm{n}.lookfar")).collect();
    for host in &names {
        let links: String = (0..30)
            .map(|n| number(&[host, &n.to_string()]) as usize % FARM)
            .map(|n| link(&format!("http://{}/", names[n])))
            .collect();
        let text = prose(&[host], 80);
        web = web.site(Script::new(host).page("/", &format!("<p>{text}</p>{links}")));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    web.share(&names)
}

/// One site under many names.
const MIRRORS: usize = 50;
const MIRRORED: usize = 40;

fn mirrors(mut web: Web) -> Web {
    for mirror in 0..MIRRORS {
        let links: String = (0..MIRRORED).map(|n| link(&format!("/p/{n}"))).collect();
        let front = format!("<p>{}</p>{links}", prose(&["front"], 60));
        let mut site = Script::new(&format!("mirror{mirror}.lookfar")).page("/", &front);
        for n in 0..MIRRORED {
            let text = prose(&["mirrored", &n.to_string()], 60);
            site = site.page(&format!("/p/{n}"), &format!("<p>{text}</p>{}", link("/")));
        }
        web = web.site(site);
    }
    web
}

/// More names than a page may have links; none of them exists.
fn nowhere() -> Trap {
    let name = |n: usize| format!("<a href=//x.nowhere{n}.lookfar/>x</a>");
    let names: String = (0..30_000).map(name).collect();
    Trap::new("list", &link("/names"), move |request| {
        (request.path() == "/names").then(|| page("Names", &names))
    })
}

/// Returns the traps of this file.
pub(super) fn traps() -> Vec<Trap> {
    let mirrors: String =
        (0..MIRRORS).map(|n| link(&format!("http://mirror{n}.lookfar/"))).collect();
    vec![
        Trap::new("wildcard", &link("http://n1.wild.lookfar/"), |_| None),
        Trap::new("farmer", &link("http://farm0.lookfar/"), |_| None),
        Trap::new("mirrors", &mirrors, |_| None),
        nowhere(),
    ]
}

/// Adds the hosts of this file that have no good pages.
pub(super) fn web(web: Web) -> Web {
    mirrors(farm(web.site(Wildcard)))
}

/// Returns how many pages were asked for on hosts of this kind.
fn num_fetched(is_one: impl Fn(&str) -> bool) -> usize {
    let requests = all().requests.iter().filter(|entry| is_one(&entry.host));
    requests.filter(|entry| !["/robots.txt", "/sitemap.xml"].contains(&&*entry.target)).count()
}

#[test]
fn lnk_07_names_without_end_are_bounded_by_their_domain() {
    all().check("wildcard");
    let pages = num_fetched(|host| host.ends_with(".wild.lookfar"));
    println!("{pages} pages of the domain");
    all().check_share("the domain", pages);
    assert!(all().snapshot.reasons["too-many-hosts"] > 0);
}

#[test]
fn lnk_08_domains_on_one_address_are_bounded_by_the_address() {
    all().check("farmer");
    let pages = num_fetched(|host| host.starts_with("farm") && host != "farmer.lookfar");
    println!("{pages} pages of the farm");
    assert!(pages >= 20, "{pages} pages of the farm");
    all().check_share("the farm", pages);
    assert!(all().snapshot.reasons["crowded-address"] > 0);
    assert_eq!(all().farm_at_once, 1);
}

#[test]
fn lnk_10_mirrors_are_searched_once_and_hardly_crawled() {
    all().check("mirrors");
    let records = all().records.iter().filter(|(url, _)| url.starts_with("http://mirror"));
    let searched: Vec<&str> = records
        .filter(|(url, said)| !url.contains("mirrors.") && said.last().unwrap().is_searchable())
        .filter_map(|(url, _)| url.splitn(4, '/').nth(3))
        .collect();
    let paths: BTreeSet<&str> = searched.iter().copied().collect();
    assert_eq!((searched.len(), paths.len()), (MIRRORED + 1, MIRRORED + 1), "each page once");
    let fetched = num_fetched(|host| host.starts_with("mirror") && host != "mirrors.lookfar");
    println!("{fetched} fetches of {} mirrored pages", MIRRORS * (MIRRORED + 1));
    // One copy of each page is what the site has to say; the rest is the trap.
    all().check_share("the mirrors", fetched - searched.len());
    let suspects = all().snapshot.suspects;
    assert!(suspects >= MIRRORS as u64 - 1, "{suspects} of {MIRRORS} mirrors wait");
}

#[test]
fn lnk_18_a_list_of_names_that_do_not_exist_harms_nobody() {
    all().check("list");
    let failed = all().snapshot.reasons["no-such-host"];
    println!("{failed} lookups in vain, {} URLs wait", all().snapshot.queue);
    assert!(failed > 0);
    assert!(all().snapshot.queue < 15_000, "{}", all().snapshot.queue);
}
