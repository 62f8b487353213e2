//! Copies of pages out of the archive, as the search page shows them.

use std::fs;

use crate::run::{Served, expect, output};

/// Writes what a server has said as a record of a WARC file.
pub(crate) fn response(target: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let mut block = format!("HTTP/1.1 200 OK\r\n{head}\r\n").into_bytes();
    block.extend_from_slice(body);
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {target}\r\nWARC-Date: \
         2024-05-01T10:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    record.extend_from_slice(&block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

#[test]
fn web_11_copies_come_from_the_archive_without_what_they_could_do() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("others.warc"));
    let html = "Content-Type: text/html\r\n";
    let russian = b"<meta charset=windows-1251><title>x</title><p>\xff\xe3\xf3\xe0\xf0 penguin";
    let noarchive = b"<meta name=robots content=noarchive><p>A penguin, private";
    let content = [
        response(
            "http://a.example/cats",
            html,
            b"<title>Cats</title><script>alert(1)</script><p onclick=x()>Two penguins, \
              <a href=/b>b</a><form action=/x><input></form>",
        ),
        response("http://a.example/russian", html, russian),
        response("http://a.example/private", html, noarchive),
        response("http://a.example/gone", html, b"<p>A penguin that will be forgotten"),
        response("http://a.example/text", "Content-Type: text/plain\r\n", b"penguin <b>\n 1 2"),
    ];
    fs::write(&file, content.concat()).unwrap();
    expect(&output(&dir, &["import", "warc", file.to_str().unwrap()]), 0);
    expect(&output(&dir, &["forget", "http://a.example/gone"]), 0);
    let served = Served::start(&dir);
    let cats = served.get("/cache?url=http://a.example/cats&q=penguins");
    assert!(cats.starts_with("HTTP/1.1 200") && cats.contains("; sandbox\r\n"), "{cats}");
    assert!(
        cats.contains(
            "<p>Two <mark>penguins</mark>, \
             <a href=\"http://a.example/b\" rel=\"noopener noreferrer nofollow\">b</a></p>"
        ),
        "{cats}"
    );
    assert!(!cats.contains("alert") && !cats.contains("<form") && !cats.contains("onclick"));
    assert!(served.get("/cache?url=http://a.example/russian").contains("ягуар"));
    assert!(served.get("/cache?url=http://a.example/text").contains("penguin &lt;b&gt;\n 1 2"));
    for (path, why) in [("private", "noarchive"), ("gone", "no copy"), ("never", "no copy")] {
        let reply = served.get(&format!("/cache?url=http://a.example/{path}"));
        assert!(reply.starts_with("HTTP/1.1 404") && reply.contains(why), "{reply}");
    }
    assert!(served.get("/search?q=two+penguins").contains("/cache?page="));
}

/// What was fetched in 2024 and was to be found until 2025 only is there, and is no answer now.
#[test]
fn htm_11_a_page_past_its_date_is_neither_found_nor_shown_and_stays_in_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("others.warc"));
    let html = "Content-Type: text/html\r\n";
    let past = "Content-Type: text/html\r\nX-Robots-Tag: unavailable_after: 2025-01-01\r\n";
    let content = [
        response("http://a.example/now", html, b"<p>A walrus to stay"),
        response("http://a.example/past", past, b"<p>A walrus that was for sale"),
        response(
            "http://a.example/later",
            html,
            b"<meta name=robots content='unavailable_after: 2199-01-01'><p>A walrus for long",
        ),
    ];
    fs::write(&file, content.concat()).unwrap();
    expect(&output(&dir, &["import", "warc", file.to_str().unwrap()]), 0);
    expect(&output(&dir, &["check"]), 0);
    let found = output(&dir, &["search", "--json", "walrus"]);
    let said = String::from_utf8(found.stdout).unwrap();
    assert!(said.contains("/now") && said.contains("/later") && !said.contains("/past"), "{said}");
    let served = Served::start(&dir);
    assert!(!served.get("/search?q=walrus+sale").contains("http://a.example/past"));
    let copy = |name: &str| served.get(&format!("/cache?url=http://a.example/{name}"));
    assert!(copy("past").starts_with("HTTP/1.1 404") && copy("later").starts_with("HTTP/1.1 200"));
    drop(served);
    let kept = archive::Reader::open(&base::Collection::open(&dir).unwrap().archive()).unwrap();
    let targets: Vec<String> =
        kept.captures_from(None).unwrap().map(|captured| captured.unwrap().target).collect();
    assert!(targets.contains(&"http://a.example/past".to_owned()), "{targets:?}");
}
