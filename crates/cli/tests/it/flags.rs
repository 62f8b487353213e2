//! Flags that limit one run: they go before the file, and the file stays as it is.

use std::fs;

use testweb::{Script, Web};

use crate::run::{collection, expect, output, text};

fn web() -> testweb::Running {
    let site = Script::new("a.lookfar")
        .page(
            "/",
            "<a href=/docs/1>one</a> <a href=/docs/2>two</a> <a href=/shop/>three</a> \
             <a href=/docs/4.pdf>four</a>",
        )
        .page("/docs/1", "first")
        .page("/docs/2", "second")
        .page("/shop/", "third");
    Web::new().site(site).start().unwrap()
}

#[test]
fn flags_bind_this_run_and_are_not_written_down() {
    let web = web();
    let folder = tempfile::tempdir().unwrap();
    let place = collection(folder.path(), &web, "delay = \"1ms\"\nexclude = [\"/docs/2\"]");
    let before = fs::read_to_string(place.config()).unwrap();
    let arguments = [
        "crawl",
        "--until-idle",
        "--include=/docs/*",
        "--exclude=/nothing",
        "--scope=host",
        "--types=page,text",
        "--depth=1",
        "--bytes=1GB",
        "--pages-per-host=100",
        "--bytes-per-host=1MB",
        "--pages-per-site=100",
        "--hosts-per-site=10",
        "--time=1h",
        "--strategy=breadth-first",
        "--contact=me@example.org",
        "http://a.lookfar/",
    ];
    expect(&output(folder.path(), &arguments), 0);
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt", "/", "/docs/1"]);
    assert_eq!(fs::read_to_string(place.config()).unwrap(), before);
}

#[test]
fn a_crawl_of_strangers_without_a_contact_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    for scope in ["--scope=open", "--scope=country=dk"] {
        let output = output(&dir, &["crawl", scope, "http://a.example/"]);
        expect(&output, 2);
        let said = text(&output.stderr);
        assert!(said.starts_with("error: a crawl of the open web") && said.contains("--contact"));
        assert!(!dir.exists());
    }
}

#[test]
fn flags_that_cannot_be_read_say_what_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    for (flag, advice) in [
        ("--scope=opne", "country=dk"),
        ("--exclude=ftp://a.example/", "only http and https"),
        ("--time=soon", "250ms"),
        ("--contact=nobody", "a mail address"),
    ] {
        let output = output(&dir, &["crawl", flag, "http://a.example/"]);
        expect(&output, 2);
        let said = text(&output.stderr);
        assert!(said.contains(advice), "{said}");
        assert!(!dir.exists());
    }
}

#[test]
fn limits_of_one_host_and_of_a_site_bind_this_run() {
    let web = web();
    for (flag, paths) in [
        // The seed is sent before anything counts; its bytes are more than a host may send.
        ("--bytes-per-host=1B", &["/robots.txt", "/"][..]),
        ("--bytes=1B", &["/robots.txt", "/"]),
        ("--pages-per-site=2", &["/robots.txt", "/", "/docs/1"]),
    ] {
        web.log().clear();
        let folder = tempfile::tempdir().unwrap();
        collection(folder.path(), &web, "delay = \"1ms\"\nguesses = false\nconcurrency = 1");
        let arguments = ["crawl", "--until-idle", flag, "http://a.lookfar/"];
        expect(&output(folder.path(), &arguments), 0);
        assert_eq!(web.log().paths("a.lookfar"), paths, "{flag}");
    }
}
