//! Web sites beyond host names, from a crawl to what people see (G11): who has a place on the
//! first page, and whose word counts.

use std::path::Path;

use serde_json::Value;
use testweb::{Script, Web};

use super::lines;
use crate::run::{collection, expect, output, text};

/// Words of a page that no other page has, so that none is taken for a copy.
fn own_words(name: &str) -> String {
    (0..40).map(|number| format!("{name}{number} ")).collect()
}

/// Returns a page that says `jaguar` often, or less often, and links to some places.
fn page(name: &str, times: usize, links: &str) -> String {
    let (words, own) = ("jaguar ".repeat(times), own_words(name));
    format!("<html lang=en><title>{name}</title><p>{words}{own}</p>{links}")
}

fn link(target: &str, anchor: &str) -> String {
    format!("<a href='{target}'>{anchor}</a> ")
}

/// A university with two people's pages on one host, a farm of many hosts on one domain, a shop on
/// two domains, and others.
fn web() -> Web {
    let mut web = Web::new();
    let people = link("/~ann/", "Ann") + &link("/~bob/", "Bob");
    let mut uni = Script::new("cs.uni.lookfar").page("/", &page("uni", 0, &people));
    for (name, friend) in [("ann", "/~bob/"), ("bob", "/~ann/")] {
        let mut links = link(friend, "a friend") + &link("http://u.lookfar/", "gleamworks");
        links.extend((0..4).map(|number| link(&format!("/~{name}/{number}.html"), "more")));
        uni = uni.page(&format!("/~{name}/"), &page(name, 9, &links));
        for number in 0..4 {
            let target = format!("/~{name}/{number}.html");
            uni = uni.page(&target, &page(&format!("{name}x{number}"), 8, ""));
        }
    }
    web = web.site(uni);
    for number in 0..6 {
        let links = link("http://t.lookfar/", "glimmerworks");
        let host = format!("h{number}.farm.lookfar");
        let home = page(&format!("farm{number}"), 7, &(links + &link("/more", "more")));
        let more = page(&format!("farmx{number}"), 7, "");
        web = web.site(Script::new(&host).page("/", &home).page("/more", &more));
    }
    for (host, other) in [("shop", "shopservice"), ("shopservice", "shop")] {
        let links = link(&format!("http://{other}.lookfar/"), "service")
            + &link("http://v.lookfar/", "dazzleworks");
        let pages: String = (0..6).map(|number| link(&format!("/{number}"), "page")).collect();
        let mut site = Script::new(&format!("{host}.lookfar"))
            .page("/", &page(host, 0, &(links.clone() + &pages)));
        for number in 0..6 {
            site = site.page(&format!("/{number}"), &page(&format!("{host}{number}"), 0, &links));
        }
        web = web.site(site);
    }
    for number in 0..6 {
        let links = link("http://w.lookfar/", "brightworks");
        let site = Script::new(&format!("o{number}.lookfar"));
        web = web.site(site.page("/", &page(&format!("other{number}"), 5, &links)));
    }
    web
}

fn crawled(folder: &Path) {
    let web = web().start().unwrap();
    collection(folder, &web, "delay = \"1ms\"\nguesses = false");
    let mut seeds = vec!["http://cs.uni.lookfar/".to_owned(), "http://shop.lookfar/".to_owned()];
    for number in 0..6 {
        seeds.push(format!("http://h{number}.farm.lookfar/"));
        seeds.push(format!("http://o{number}.lookfar/"));
    }
    let mut line = vec!["crawl", "--until-idle"];
    line.extend(seeds.iter().map(String::as_str));
    expect(&output(folder, &line), 0);
}

fn urls(found: &[Value]) -> Vec<&str> {
    found.iter().map(|line| line["url"].as_str().unwrap()).collect()
}

#[test]
fn people_on_one_host_are_sites_and_hosts_of_one_domain_are_one_voice() {
    let folder = tempfile::tempdir().unwrap();
    crawled(folder.path());
    let found = output(folder.path(), &["search", "jaguar", "-k", "10", "--json"]);
    expect(&found, 0);
    let found = lines(&found);
    let urls = urls(&found);
    let count = |part: &str| urls.iter().filter(|url| url.contains(part)).count();
    assert_eq!((count("/~ann/"), count("/~bob/")), (2, 2), "{urls:?}");
    // Each of its hosts is a site, but they are of one owner.
    assert_eq!((urls.len(), count(".farm.")), (10, 4), "{urls:?}");
    let shown = text(&output(folder.path(), &["search", "jaguar", "-k", "10"]).stdout);
    assert_eq!(shown.matches("3 more of its site").count(), 2, "{shown}");

    // Pages that nobody has fetched are answers if two voices describe them, not two sites.
    for (word, who) in [
        ("glimmerworks", "six hosts of one domain"),
        ("gleamworks", "two people at one university"),
        ("dazzleworks", "one shop on two domains"),
    ] {
        let found = output(folder.path(), &["search", word]);
        assert!(!text(&found.stdout).contains("not fetched"), "{word}: {who}");
    }
    let found = text(&output(folder.path(), &["search", "brightworks"]).stdout);
    assert!(found.contains("not fetched, described by 6 sites"), "{found}");

    // Links between people count, though they are on one host.
    let line = ["graph", "hits", "--roots", "*", "--json", "--all"];
    let found = lines(&output(folder.path(), &line));
    let counts = |name: &str, kind: &str| {
        let line = found.iter().find(|line| line["node"] == name && line["as"] == kind);
        line.is_some_and(|line| line["score"].as_f64().unwrap() > 0.0)
    };
    assert!(counts("http://cs.uni.lookfar/~bob/", "authority"), "{found:?}");
    assert!(!counts("http://cs.uni.lookfar/~bob/1.html", "authority"), "{found:?}");
}
