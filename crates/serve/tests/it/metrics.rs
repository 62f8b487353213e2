//! Numbers for monitors, and whether we are ready.

use std::collections::BTreeMap;

use serve::Options;

use crate::client::{get, get_here, get_with};
use crate::server::{Server, found, state, until};

const DOCUMENTATION: &str = include_str!("../../../../docs/metrics.md");

/// Returns the kinds of series by name, those with labels as `name{label}`.
fn told(text: &str) -> BTreeMap<String, String> {
    let mut kinds = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|l| l.split_once(' ')) {
            kinds.insert(name.to_owned(), kind.to_owned());
        }
        // A histogram has its own label, which everybody knows.
        let label = line.split_once('{').and_then(|(name, l)| Some((name, l.split_once('=')?.0)));
        if let Some((name, label)) = label.filter(|(_, label)| *label != "le")
            && let Some(kind) = kinds.remove(name)
        {
            kinds.insert(format!("{name}{{{label}}}"), kind);
        }
    }
    kinds
}

#[test]
fn the_documentation_lists_exactly_the_numbers_that_are_told() {
    let (server, _room) = crate::admin::server(None);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells.get(1)?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name.to_owned(), (*cells.get(2)?).to_owned()))
    };
    let documented: BTreeMap<_, _> = DOCUMENTATION.lines().filter_map(row).collect();
    // The first numbers of the crawl come a moment after the server has begun.
    let mut page = String::new();
    until("all queues are told", || {
        page = get_here(server.address, "/metrics", "").body;
        page.contains("queue=\"15\"")
    });
    assert_eq!(told(&page), documented);
    assert!(page.contains("lookfar_queue_urls{queue=\"0\"} 1\n"), "{page}");
    assert!(page.contains("lookfar_left_out_total{reason=\"too-deep\"} 7\n"), "{page}");
    // Every series has its help, and nothing that a stranger has named is in it.
    assert_eq!(page.matches("# HELP").count(), documented.len());
    assert!(!page.contains("script"), "{page}");
}

#[test]
fn web_27_whatever_strangers_ask_for_the_numbers_have_the_same_names() {
    let server = Server::with_hits(Vec::new());
    let names = || -> Vec<String> {
        let told = get_here(server.address, "/metrics", "");
        assert_eq!(told.status, 200);
        assert!(told.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
        let lines = told.body.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect()
    };
    let before = names();
    for n in 0..50 {
        get(server.address, &format!("/search?q=word{n}"));
        get(server.address, &format!("/made/up/{n}?label=\"{n}"));
    }
    assert_eq!(names(), before);
    let told = get_here(server.address, "/metrics", "").body;
    assert!(told.contains("lookfar_search_duration_seconds_count 50"), "{told}");
    assert_eq!(get(server.address, "/readyz").body, "ready\n");
}

#[test]
fn web_21_the_numbers_are_for_this_machine_under_a_name_of_its_own() {
    let server = Server::with_hits(Vec::new());
    assert_eq!(get_here(server.address, "/metrics", "").status, 200);
    // A stranger's name that was made to point here: his page could read the answer.
    assert_eq!(get(server.address, "/metrics").status, 404);
    // A proxy that asks for others says so, as a rule; and another site's page is told nothing.
    for field in [
        "Forwarded: for=203.0.113.7",
        "X-Forwarded-For: 203.0.113.7",
        "x-real-ip: 1",
        "Sec-Fetch-Site: cross-site",
    ] {
        let reply = get_here(server.address, "/metrics", &format!("{field}\r\n"));
        assert_eq!(reply.status, 404, "{field}");
    }
    // A page that strangers reach under a public address may have a proxy that hides them.
    let url = Some("https://find.example".to_owned());
    let options = Options { url, ..Options::default() };
    let public = Server::start(state(|request| found(request, &[]), options));
    assert_eq!(get_here(public.address, "/metrics", "").status, 404);
}

#[test]
fn web_21_the_token_of_the_control_room_opens_the_numbers_from_anywhere() {
    let (server, _room) = crate::admin::server(Some(crate::admin::TOKEN));
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    for (fields, status) in [
        (bearer(crate::admin::TOKEN), 200),
        (format!("X-Forwarded-For: 203.0.113.7\r\n{}", bearer(crate::admin::TOKEN)), 200),
        (bearer("correct-horse-battery-stapler"), 404),
        (String::new(), 404),
    ] {
        assert_eq!(get_with(server.address, "/metrics", &fields).status, status, "{fields}");
    }
    assert_eq!(get_here(server.address, "/metrics", "").status, 404, "as in the control room");
}
