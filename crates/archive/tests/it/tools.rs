//! Others' tools read what we write (P1): warcio, from the Python package index.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use archive::Cut;

use crate::support::{Fetch, folder, open};

/// Runs Python; `None` if there is none with warcio, which only CI takes for a failure.
pub(crate) fn python(arguments: &[&str], path: &Path) -> Option<(bool, String)> {
    let python = env::var("LOOKFAR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_warcio = Command::new(&python)
        .args(["-c", "import warcio"])
        .output()
        .is_ok_and(|outcome| outcome.status.success());
    if !has_warcio {
        assert!(env::var_os("CI").is_none(), "`{python}` cannot import warcio");
        println!("skipped: `{python}` cannot import warcio; `cargo xtask test` installs it");
        return None;
    }
    let outcome = Command::new(python).args(arguments).arg(path).output().unwrap();
    let text = [outcome.stdout, outcome.stderr].concat();
    Some((outcome.status.success(), String::from_utf8(text).unwrap()))
}

pub(crate) const WARCIO: &str = "import sys; from warcio.cli import main; sys.exit(main())";

fn fetches() -> Vec<Fetch> {
    let mut fetches: Vec<Fetch> = (0..5).map(Fetch::number).collect();
    fetches[1].head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    // Without its new name, the field would make readers take this for the size of a chunk.
    fetches[1].body = b"3\r\nabc\r\n0\r\n\r\n".to_vec();
    fetches[2].cut = Some(Cut::Time);
    fetches[2].body = vec![];
    fetches[3].head = b"HTTP/1.1 301 Moved\r\nLocation: /\xff\xfe\r\n\r\n".to_vec();
    fetches[3].request = vec![];
    fetches[4].head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec();
    fetches[4].body = b"\x1f\x8b not what it says \r\n\r\nWARC/1.1\r\n\r\n".to_vec();
    fetches
}

#[test]
fn warcio_finds_nothing_wrong() {
    let folder = folder();
    let mut writer = open(folder.path());
    for fetch in fetches() {
        writer.append(&fetch.response()).unwrap();
    }
    writer.finish().unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let Some((is_fine, text)) = python(&["-c", WARCIO, "check", "--verbose"], &path) else {
        return;
    };
    assert!(is_fine, "{text}");
    // A warcinfo record, five responses, four requests.
    assert_eq!(text.matches("digest pass").count(), 10, "{text}");
    // The tool does find what is wrong.
    let mut damaged = fs::read(&path).unwrap();
    let place = damaged.len() - 40;
    damaged[place] ^= 1;
    fs::write(&path, damaged).unwrap();
    let (is_fine, text) = python(&["-c", WARCIO, "check"], &path).unwrap();
    assert!(!is_fine, "{text}");
}

#[test]
fn warcio_sees_the_same_records_at_the_same_places() {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut expected = Vec::new();
    for fetch in fetches() {
        let capture = writer.append(&fetch.response()).unwrap();
        let status = if fetch.head.starts_with(b"HTTP/1.1 301") { "301" } else { "200" };
        let place = (capture.offset.to_string(), capture.length.to_string());
        expected.push((fetch.url.to_string(), place, status.to_owned()));
    }
    writer.finish().unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let fields = "warc-type,warc-target-uri,offset,length,http:status";
    let Some((_, text)) = python(&["-c", WARCIO, "index", "-f", fields], &path) else { return };
    let found: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<BTreeMap<String, String>>(line).unwrap())
        .filter(|record| record["warc-type"] == "response")
        .map(|record| {
            let field = |name: &str| record.get(name).cloned().unwrap_or_default();
            (field("warc-target-uri"), (field("offset"), field("length")), field("http:status"))
        })
        .collect();
    assert_eq!(found, expected);
}

const BODIES: &str = "
import sys
from warcio.archiveiterator import ArchiveIterator
with open(sys.argv[1], 'rb') as file:
    for record in ArchiveIterator(file):
        if record.rec_type == 'response':
            print(record.content_stream().read().hex() or '-')
";

#[test]
fn warcio_reads_the_same_bodies() {
    let folder = folder();
    let mut writer = open(folder.path());
    // The last one claims to be gzip and is not; what a tool makes of that is its own affair.
    let fetches = &fetches()[..4];
    for fetch in fetches {
        writer.append(&fetch.response()).unwrap();
    }
    writer.finish().unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let Some((is_fine, text)) = python(&["-c", BODIES], &path) else { return };
    let hex = |body: &[u8]| match body {
        [] => "-".to_owned(),
        body => body.iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let expected: Vec<String> = fetches.iter().map(|fetch| hex(&fetch.body)).collect();
    assert!(is_fine, "{text}");
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_index_is_sorted_and_in_the_form_of_the_tools() {
    let folder = folder();
    let mut writer = open(folder.path());
    for number in [3, 1, 2] {
        writer.append(&Fetch::number(number).response()).unwrap();
    }
    writer.finish().unwrap();
    let text = fs::read_to_string(folder.path().join("0000001.cdxj")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.is_sorted() && lines.len() == 3);
    let (place, json) = lines[0].split_at(lines[0].find('{').unwrap());
    assert_eq!(place, "example,site1)/a?q=1 20261106212001 ");
    let fields: BTreeMap<String, String> = serde_json::from_str(json).unwrap();
    assert_eq!(fields["url"], "http://www.site1.example/a?q=1");
    assert_eq!((&*fields["mime"], &*fields["status"]), ("text/html", "200"));
    assert_eq!(fields["filename"], "0000001.warc.gz");
    assert_eq!(fields["digest"].len(), 32);
}
