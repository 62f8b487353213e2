//! Others' files, good, odd and broken, on their way into an archive.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use archive::foreign::{Files, Foreign, Item, Lines, Source, Warcs, address_of};
use archive::{Cut, Error};
use base::{Rules, Url};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{folder, samples};

/// Counts responses, other records and errors.
fn count(path: &Path) -> (usize, usize, usize) {
    let mut counts = (0, 0, 0);
    for item in Warcs::open(path).unwrap() {
        match item {
            Ok(Item::Response(_)) => counts.0 += 1,
            Ok(Item::Other(_)) => counts.1 += 1,
            Err(_) => counts.2 += 1,
        }
    }
    counts
}

/// A file of a test.
struct Sample {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Sample {
    fn new(name: &str, content: &[u8]) -> Self {
        let folder = folder();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        Self { _folder: folder, path }
    }

    fn items(&self) -> Vec<Result<Item, Error>> {
        Warcs::open(&self.path).unwrap().collect()
    }

    fn responses(&self) -> Vec<Foreign> {
        self.items().into_iter().filter_map(|item| response(item.ok()?)).collect()
    }

    /// Returns the reasons of what is broken, and the addresses of what is not.
    fn told(&self) -> (Vec<String>, Vec<String>) {
        let (mut reasons, mut targets) = (Vec::new(), Vec::new());
        for item in self.items() {
            match item {
                Ok(Item::Response(found)) => targets.push(found.target),
                Ok(Item::Other(_)) => {}
                Err(Error::Damaged { reason, .. }) => reasons.push(reason.to_owned()),
                Err(Error::Torn { .. }) => reasons.push("torn".to_owned()),
                Err(other) => panic!("{other}"),
            }
        }
        (reasons, targets)
    }
}

fn response(item: Item) -> Option<Foreign> {
    match item {
        Item::Response(found) => Some(*found),
        Item::Other(_) => None,
    }
}

/// Returns a record; `length` goes before what is true.
fn record(kind: &str, target: &str, more: &str, block: &[u8], length: Option<&str>) -> Vec<u8> {
    let length = length.map_or_else(|| block.len().to_string(), str::to_owned);
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\n\
         WARC-Date: 2024-05-01T10:00:00Z\r\n{more}Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

fn page(number: usize) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}");
    record("response", &format!("http://a.example/{number}"), HTTP, block.as_bytes(), None)
}

fn gzip(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in parts {
        let mut encoder = GzEncoder::new(&mut out, Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap();
    }
    out
}

fn pages(numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|number| format!("http://a.example/{number}")).collect()
}

// As many records as warcio 1.7 finds, where it finds its way; of the last ones, which it
// gives up on, as many as the files hold.
#[test]
fn samples_have_the_records_that_other_readers_find() {
    let Some(folder) = samples().map(|pack| pack.join("warc")) else { return };
    let formats = "ia-web-commons/src/test/resources/org/archive/format";
    let html = "ia-web-commons/src/test/resources/org/archive/resource/html";
    let (pywb, warcio) = ("pywb/sample_archive/warcs", "warcio/test/data");
    for (group, name, expected) in [
        (formats, "gzip/IAH-urls-wget.warc.gz", (19, 17, 0)),
        (formats, "warc/IAH-urls-wget.warc", (19, 17, 0)),
        (formats, "warc/mutliple-headers.warc", (1, 0, 0)),
        (html, "html-lang-attribute.warc", (5, 0, 0)),
        (html, "link-extraction-test.warc", (9, 1, 0)),
        (html, "meta-itemprop.warc", (1, 0, 0)),
        (html, "text-extraction-test.warc", (2, 2, 0)),
        (html, "title-extraction-embedded-SVG.warc", (1, 0, 0)),
        (pywb, "dupes.warc.gz", (3, 22, 0)),
        (pywb, "example-url-agnostic-orig.warc.gz", (1, 1, 0)),
        (pywb, "example-url-agnostic-revisit.warc.gz", (0, 2, 0)),
        (pywb, "example-wget-1-14.warc.gz", (4, 2, 0)),
        (pywb, "example-wpull.warc.gz", (2, 2, 0)),
        (pywb, "example.arc", (1, 1, 0)),
        (pywb, "example.arc.gz", (1, 1, 0)),
        (pywb, "example.warc.gz", (2, 4, 0)),
        (pywb, "example2.warc.gz", (1, 2, 0)),
        (pywb, "httpbin-resource.warc.gz", (1, 0, 0)),
        (pywb, "iana.warc.gz", (48, 295, 0)),
        (pywb, "post-test.warc.gz", (3, 3, 0)),
        (warcio, "example-resource.warc.gz", (1, 2, 0)),
        (warcio, "example-wget-bad-target-uri.warc.gz", (3, 3, 0)),
        (warcio, "example.warc", (1, 5, 0)),
        (warcio, "example.warc.gz", (1, 5, 0)),
        // One gzip member for the whole file, which other readers refuse.
        (warcio, "example-bad-non-chunked.warc.gz", (1, 5, 0)),
        (warcio, "example-bad.warc.gz.bad", (2, 4, 0)),
        // Others stop behind its first record.
        (formats, "arc/IAH-20080430204825-00000-blackbook-truncated.arc", (8, 1, 0)),
    ] {
        assert_eq!(count(&folder.join(group).join(name)), expected, "{name}");
    }
}

#[test]
fn broken_samples_are_reported_and_read_on() {
    let Some(folder) = samples().map(|pack| pack.join("warc")) else { return };
    for (name, num_good, num_broken) in [
        ("pywb/sample_archive/warcs/bad.arc", 1, 3),
        ("pywb/sample_archive/warcs/example.warc", 5, 1),
        ("pywb/sample_archive/warcs/example-extra.warc", 5, 1),
        ("pywb/sample_archive/warcs/missing-status-text.warc", 0, 1),
        ("warcio/test/data/example-trunc.warc", 3, 1),
    ] {
        let (responses, others, broken) = count(&folder.join(name));
        assert_eq!((responses + others, broken), (num_good, num_broken), "{name}");
    }
}

#[test]
fn chunks_are_taken_off_where_they_are() {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (body, plain, cut) in [
        ("5\r\nhello\r\n0\r\n\r\n", "hello", None),
        ("<p>never had any", "<p>never had any", None),
        ("5\r\nhello\r\n7\r\nwor", "hellowor", Some(Cut::Disconnect)),
    ] {
        let block = [head.as_slice(), body.as_bytes()].concat();
        let file =
            Sample::new("a.warc", &record("response", "http://a.example/", HTTP, &block, None));
        let found = &file.responses()[0];
        assert_eq!((found.body.as_slice(), found.cut), (plain.as_bytes(), cut), "{body:?}");
    }
}

#[test]
fn resources_and_conversions_become_responses_that_say_so() {
    let block = b"plain words";
    for kind in ["resource", "conversion"] {
        let content =
            record(kind, "<http://a.example/x>", "Content-Type: text/plain\r\n", block, None);
        let found = Sample::new("a.warc", &content).responses().remove(0);
        assert_eq!(found.target, "http://a.example/x");
        assert!(found.is_made());
        let expected = format!(
            "HTTP/1.1 200 OK\r\nX-Lookfar-Made-Of: {kind}\r\nContent-Type: text/plain\r\n\
             Content-Length: 11\r\n\r\n"
        );
        assert_eq!(String::from_utf8_lossy(&found.head), expected);
    }
    let sent = Sample::new("a.warc", &page(1)).responses().remove(0);
    assert!(!sent.is_made());
}

#[test]
fn every_packing_holds_the_same() {
    let parts: Vec<Vec<u8>> = (0..20).map(page).collect();
    let whole = parts.concat();
    let zstd = zstd::bulk::compress(&whole, 1).unwrap();
    let numbers: Vec<usize> = (0..20).collect();
    // Members that end anywhere, as parallel packers make them.
    let pieces: Vec<Vec<u8>> = whole.chunks(1_000).map(<[u8]>::to_vec).collect();
    for content in [whole.clone(), gzip(&parts), gzip(&[whole]), gzip(&pieces), zstd] {
        let file = Sample::new("a.warc", &content);
        assert_eq!(file.told(), (Vec::new(), pages(&numbers)));
    }
}

#[test]
fn damage_costs_the_records_that_it_hits() {
    let mut content = gzip(&(0..3).map(page).collect::<Vec<_>>());
    let second = gzip(&[page(0)]).len();
    content[second + 40] ^= 0xff;
    let (reasons, targets) = Sample::new("a.warc.gz", &content).told();
    assert_eq!((reasons.len(), targets), (1, pages(&[0, 2])));
}

#[test]
fn a_file_cut_anywhere_gives_what_is_whole() {
    let parts: Vec<Vec<u8>> = (0..3).map(page).collect();
    for whole in [parts.concat(), gzip(&parts), gzip(&[parts.concat()])] {
        let mut before = 0;
        for cut in (0..whole.len()).step_by(7) {
            let found = Sample::new("a", &whole[..cut]).responses();
            assert!(found.len() >= before && found.len() <= 3, "cut at {cut}");
            before = found.len();
        }
    }
}

#[test]
fn lengths_that_lie_cost_one_record() {
    let block = b"HTTP/1.1 200 OK\r\n\r\n<p>x";
    let odd = ["0", "3", "30", "100000", "10737418240", "18446744073709551615", "-1", "x", ""];
    for length in odd {
        let liar = record("response", "http://a.example/liar", HTTP, block, Some(length));
        let parts = [page(1), liar, page(2), page(3)];
        for content in [parts.concat(), gzip(&parts)] {
            let (reasons, targets) = Sample::new("a", &content).told();
            assert_eq!((reasons.len(), targets), (1, pages(&[1, 2, 3])), "{length}: {reasons:?}");
        }
    }
}

#[test]
fn heads_without_end_are_passed_over() {
    let endless = [b"WARC/1.0\r\nWARC-Type: ".as_slice(), &vec![b'x'; 1 << 20]].concat();
    let many = [b"WARC/1.0\r\n".to_vec(), b"a: b\r\n".repeat(1 << 18)].concat();
    let nuls = vec![0; 1 << 20];
    let block = [b"HTTP/1.1 200 OK\r\n".as_slice(), &b"a: b\r\n".repeat(20_000)].concat();
    let long_http = record("response", "http://a.example/long", HTTP, &block, None);
    for bad in [endless, many, nuls, long_http] {
        let parts = [page(1), bad, [b"\r\n\r\n".to_vec(), page(2)].concat()];
        for content in [parts.concat(), gzip(&parts)] {
            let (reasons, targets) = Sample::new("a", &content).told();
            assert!(!reasons.is_empty());
            assert_eq!(targets.first(), pages(&[1]).first());
            assert_eq!(targets.last(), pages(&[2]).last(), "{reasons:?}");
        }
    }
}

#[test]
fn a_bomb_is_left_and_what_follows_is_read() {
    let block = vec![0; 96 * 1024 * 1024];
    let bomb = record("response", "http://a.example/bomb", HTTP, &block, None);
    let content = gzip(&[page(1), bomb, page(2)]);
    assert!(content.len() < 1024 * 1024);
    let (reasons, targets) = Sample::new("a.warc.gz", &content).told();
    assert_eq!((reasons.len(), targets), (1, pages(&[1, 2])));
    // Ten times what is unpacked for nothing: found again by its first bytes.
    let much = vec![0; 1 << 20];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let length = 3_000u64 << 20;
    let head = record("response", "http://a.example/bomb", HTTP, b"", Some(&length.to_string()));
    encoder.write_all(head.trim_ascii_end()).unwrap();
    encoder.write_all(b"\r\n\r\n").unwrap();
    for _ in 0..600 {
        encoder.write_all(&much).unwrap();
    }
    let content = [gzip(&[page(1)]), encoder.finish().unwrap(), gzip(&[page(2)])].concat();
    let (reasons, targets) = Sample::new("a.warc.gz", &content).told();
    assert_eq!((reasons.len(), targets), (1, pages(&[1, 2])));
}

#[test]
fn addresses_of_lines_are_made_by_one_rule() {
    let base = Url::parse_with("http://set.example/docs", Rules::NONE).unwrap();
    for (id, expected) in [
        ("51", Some("http://set.example/docs/51")),
        ("a b/c?d#é", Some("http://set.example/docs/a%20b%2Fc%3Fd%23%C3%A9")),
        ("index.html", Some("http://set.example/docs/index.html")),
        ("%41", Some("http://set.example/docs/%2541")),
        ("", None),
        (".", None),
        ("..", None),
    ] {
        let found = address_of(&base, id).map(|url| url.to_string());
        assert_eq!(found.as_deref(), expected, "{id}");
    }
    assert!(address_of(&base, &"x".repeat(3_000)).is_none());
}

#[test]
fn lines_become_pages_and_broken_ones_are_named() {
    let long = format!("{{\"id\": \"9\", \"text\": \"{}\"}}", "x".repeat(33 << 20));
    let text = [
        r#"{"id": "1", "title": "A <b> & c", "text": "one\n\ntwo", "language": "da", "more": [1]}"#,
        r#"{"id": 2, "html": "<h1>ready</h1>", "url": "http://own.example/x"}"#,
        "",
        "{broken",
        r#"{"title": "no id"}"#,
        &long,
        r#"{"id": "3"}"#,
        "\u{0}",
        r#"{"_id": "4", "text": "last"}"#,
    ]
    .join("\n");
    let file = Sample::new("docs.jsonl", text.as_bytes());
    let base = Url::parse("http://set.example/").unwrap();
    let mut lines = Lines::open(&file.path, &base).unwrap();
    let (mut numbers, mut found) = (Vec::new(), Vec::new());
    for item in lines.by_ref() {
        match item {
            Ok(item) => found.extend(response(item)),
            Err(Error::Line { number, .. }) => numbers.push(number),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(numbers, [4, 5, 6, 7, 8]);
    assert_eq!(lines.used(), text.len() as u64);
    let targets: Vec<&str> = found.iter().map(|found| found.target.as_str()).collect();
    assert_eq!(targets, ["http://set.example/1", "http://own.example/x", "http://set.example/4"]);
    let first = String::from_utf8_lossy(&found[0].body).into_owned();
    assert!(first.contains("<html lang=\"da\">"), "{first}");
    assert!(first.contains("<title>A &lt;b&gt; &amp; c</title>"), "{first}");
    assert!(first.contains("<p>one</p>\n<p>two</p>"), "{first}");
    assert_eq!(found[1].body, b"<h1>ready</h1>");
}

#[test]
fn a_folder_becomes_pages_below_one_address() {
    let outside = folder();
    fs::write(outside.path().join("secret.txt"), "x").unwrap();
    let folder = folder();
    let root = folder.path().join("docs");
    fs::create_dir_all(root.join("b c")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    for (name, content) in
        [("index.html", "<p>home"), ("b c/ø.txt", "words"), ("logo.png", "x"), (".git/config", "x")]
    {
        fs::write(root.join(name), content).unwrap();
    }
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
    link(&root.join("index.html"), "same.html");
    link(&outside.path().join("secret.txt"), "out.txt");
    link(&root, "loop");
    link(Path::new("/nowhere"), "dead.html");
    let base = Url::parse("http://docs.example/x/").unwrap();
    let (mut found, mut others, mut errors) = (Vec::new(), 0, 0);
    for item in Files::open(&root, &base).unwrap() {
        match item {
            Ok(Item::Response(response)) => found.push(response),
            Ok(Item::Other(_)) => others += 1,
            Err(_) => errors += 1,
        }
    }
    let targets: Vec<&str> = found.iter().map(|found| found.target.as_str()).collect();
    assert_eq!(
        targets,
        [
            "http://docs.example/x/b%20c/%C3%B8.txt",
            "http://docs.example/x/index.html",
            "http://docs.example/x/same.html"
        ]
    );
    assert_eq!((others, errors), (4, 1));
    assert_eq!(Files::size(&root, &base).unwrap(), 5 + 7 + 7 + 1);
}
