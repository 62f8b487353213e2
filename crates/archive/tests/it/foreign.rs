//! Archives that others wrote, good and bad ones.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use archive::{Kind, Records};

use crate::support::samples;

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Returns the number of whole records and of errors.
fn count(path: &Path) -> (usize, usize) {
    let mut counts = (0, 0);
    for record in Records::open(path).unwrap() {
        match record {
            Ok(_) => counts.0 += 1,
            Err(_) => counts.1 += 1,
        }
    }
    counts
}

#[test]
fn every_sample_is_read_to_its_end() {
    let Some(folder) = samples() else { return };
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let is_warc = |path: &&PathBuf| {
        let mut start = [0; 5];
        let read = File::open(path).unwrap().read(&mut start).unwrap();
        path.to_string_lossy().contains(".warc") || start[..read] == *b"WARC/"
    };
    let warcs: Vec<_> = files.iter().filter(is_warc).collect();
    assert!(warcs.len() > 20, "{} samples", warcs.len());
    let mut num_records = 0;
    for path in warcs {
        num_records += count(path).0;
    }
    assert!(num_records > 500, "{num_records} records");
    // Whatever is no WARC file at all is refused, not feared.
    for path in &files {
        count(path);
    }
}

#[test]
fn good_samples_are_read_without_complaint() {
    let Some(folder) = samples() else { return };
    let warcs = folder.join("warc/pywb/sample_archive/warcs");
    let warcio = folder.join("warc/warcio/test/data");
    // As many records as warcio 1.8 finds.
    for (path, num_records) in [
        (warcs.join("iana.warc.gz"), 343),
        (warcs.join("dupes.warc.gz"), 25),
        (warcs.join("example.warc.gz"), 6),
        (warcio.join("example.warc.gz"), 6),
        (warcio.join("example.warc"), 6),
    ] {
        assert_eq!(count(&path), (num_records, 0), "{}", path.display());
    }
}

#[test]
fn broken_samples_are_reported() {
    let Some(folder) = samples() else { return };
    // Bad bytes, a cut end, several records in a member, a length that is not true.
    for name in [
        "warcio/test/data/example-bad.warc.gz.bad",
        "warcio/test/data/example-trunc.warc",
        "warcio/test/data/example-bad-non-chunked.warc.gz",
        "pywb/sample_archive/warcs/example.warc",
    ] {
        assert!(count(&folder.join("warc").join(name)).1 > 0, "{name}");
    }
}

#[test]
fn captures_of_others_have_their_parts() {
    let Some(folder) = samples() else { return };
    let path = folder.join("warc/pywb/sample_archive/warcs/iana.warc.gz");
    let responses = Records::open(&path).unwrap().map(Result::unwrap);
    let responses: Vec<_> = responses.filter(|record| record.kind() == Kind::Response).collect();
    assert!(responses.iter().all(archive::Record::is_capture));
    assert!(responses[0].field("WARC-Target-URI").unwrap().contains("iana.org"));
    assert!(responses[0].block.starts_with(b"HTTP/1.1 200 OK\r\n"));
}
