//! Hosts made of files: folders, and the WebKB pack where it is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use testweb::{Folder, Running, Web, WebKb};

use crate::client::{Client, get, get_with};

/// A folder with a secret beside it.
fn library(parent: &Path) -> Running {
    let root = parent.join("docs");
    fs::create_dir_all(root.join("sub/deep")).unwrap();
    fs::create_dir_all(root.join("list")).unwrap();
    fs::write(parent.join("secret.txt"), "secret").unwrap();
    fs::write(root.join("index.html"), "<title>Docs</title>").unwrap();
    fs::write(root.join("sub/index.html"), "sub").unwrap();
    fs::write(root.join("sub/a b.txt"), "spaced").unwrap();
    fs::write(root.join("list/one.pdf"), "%PDF-").unwrap();
    fs::write(root.join("list/<two>.html"), "two").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(parent.join("secret.txt"), root.join("link.txt")).unwrap();
    Web::new().site(Folder::open("docs.example", &root).unwrap()).start().unwrap()
}

#[test]
fn files_are_served_with_their_types() {
    let parent = tempfile::tempdir().unwrap();
    let web = library(parent.path());
    let check = |target: &str, kind: &str, text: &str| {
        let page = get(&web, "docs.example", target);
        assert_eq!((page.status, page.header("content-type")), (200, Some(kind)), "{target}");
        assert_eq!(page.text(), text, "{target}");
    };
    check("/", "text/html", "<title>Docs</title>");
    check("/index.html?x=1", "text/html", "<title>Docs</title>");
    check("/sub/", "text/html", "sub");
    check("/sub/a%20b.txt", "text/plain; charset=utf-8", "spaced");
    check("/list/one.pdf", "application/pdf", "%PDF-");
}

#[test]
fn folders_redirect_to_their_slash_and_list_what_they_hold() {
    let parent = tempfile::tempdir().unwrap();
    let web = library(parent.path());
    let moved = get(&web, "docs.example", "/sub?x=1");
    assert_eq!((moved.status, moved.header("location")), (301, Some("/sub/?x=1")));
    let list = get(&web, "docs.example", "/list/").text();
    assert!(list.contains(r#"<a href="%3Ctwo%3E.html">&lt;two>.html</a>"#), "{list}");
    assert!(list.contains(r#"<a href="one.pdf">one.pdf</a>"#), "{list}");
    assert_eq!(get(&web, "docs.example", "/list/%3Ctwo%3E.html").text(), "two");
}

#[test]
fn nothing_outside_the_folder_is_served() {
    let parent = tempfile::tempdir().unwrap();
    let web = library(parent.path());
    for target in [
        "/../secret.txt",
        "/sub/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/%00",
        "/link.txt",
        "/index.html/",
        "/missing",
        "/%ff",
    ] {
        let page = get(&web, "docs.example", target);
        assert_eq!(page.status, 404, "{target}: {}", page.text());
    }
}

#[test]
fn unchanged_files_are_not_sent_again() {
    let parent = tempfile::tempdir().unwrap();
    let web = library(parent.path());
    let date = get(&web, "docs.example", "/").header("last-modified").unwrap().to_owned();
    let again = get_with(&web, "docs.example", "/", &format!("If-Modified-Since: {date}\r\n"));
    assert_eq!(again.status, 304);
}

#[test]
fn a_missing_folder_is_named() {
    let error = Folder::open("docs.example", Path::new("no/such/folder")).err().unwrap();
    assert_eq!(error.to_string(), "cannot read `no/such/folder`");
}

/// A pack of three pages in the form of WebKB.
#[test]
fn saved_pages_are_served_as_the_answers_they_were() {
    let pack = tempfile::tempdir().unwrap();
    let lines =
        "http://A.edu/x/index.html\tone\nhttp://a.edu:8000/y\ttwo\nhttp://b.edu/old\tthree\n";
    fs::write(pack.path().join("webkb-manifest.tsv"), lines).unwrap();
    fs::write(pack.path().join("one"), "Content-type: text/html\nContent-length: 999\n\nhome")
        .unwrap();
    fs::write(pack.path().join("two"), "Content-type: text/plain\r\n\r\nplain").unwrap();
    fs::write(pack.path().join("three"), "Location: http://b.edu/new\n\nmoved").unwrap();
    let pack =
        WebKb::open(pack.path()).map(|kb| (kb.num_hosts(), kb.num_pages(), pack, kb)).unwrap();
    assert_eq!((pack.0, pack.1), (2, 3));
    let web = Web::new().sites(pack.3.sites()).start().unwrap();
    assert_eq!(get(&web, "a.edu", "/x/index.html").text(), "home");
    assert_eq!(get(&web, "a.edu", "/x/").text(), "home");
    assert_eq!(get(&web, "a.edu", "/x").header("location"), Some("/x/"));
    assert_eq!(get(&web, "a.edu", "/y").header("content-type"), Some("text/plain"));
    let moved = get(&web, "b.edu", "/old");
    assert_eq!((moved.status, moved.header("location")), (301, Some("http://b.edu/new")));
    assert_eq!(get(&web, "b.edu", "/none").status, 404);
}

#[test]
fn every_page_of_webkb_answers() {
    let data = std::env::var_os("LOOKFAR_DATA");
    let folder = data.map(|data| PathBuf::from(data).join("webkb"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        println!("skipped: no data pack `webkb`; set LOOKFAR_DATA to the folder of the packs");
        return;
    };
    let webkb = WebKb::open(&folder).unwrap();
    // 8,222 URLs, of which nine only differ in the case of the host or in `:80`.
    assert_eq!((webkb.num_hosts(), webkb.num_pages()), (588, 8_213));
    let web = Web::new().sites(webkb.sites()).without_gzip().start().unwrap();
    let manifest = fs::read_to_string(folder.join("webkb-manifest.tsv")).unwrap();
    let mut statuses = std::collections::BTreeMap::new();
    let (mut at, mut client) = (String::new(), None);
    for url in manifest.lines().filter_map(|line| line.split('\t').next()) {
        let rest = url.trim_end_matches('\u{f00d}').strip_prefix("http://").unwrap();
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let name = host.split(':').next().unwrap().trim_end_matches('.');
        if at != name {
            client = Some(Client::connect(web.socket_of(name).unwrap()));
            at = name.to_owned();
        }
        let path = if path.is_empty() { "/" } else { path.split('#').next().unwrap() };
        let page = client.as_mut().unwrap().get(host, path, "");
        assert!(page.status == 301 || !page.body.is_empty(), "{url}");
        *statuses.entry(page.status).or_insert(0) += 1;
    }
    assert_eq!(statuses.keys().copied().collect::<Vec<_>>(), [200, 301]);
    assert!(statuses[&200] > 8_000, "{statuses:?}");
}
