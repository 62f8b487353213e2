//! Flipped bits, missing files, and records that break the rules (STO-07, STO-08, STO-10).

use std::fs;
use std::io::Write;
use std::path::Path;

use archive::{Error, Records, check, read};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{append, closed, folder, folder_of, open, readable};

/// Flips a bit of every byte of a file, and asks whether that is found and never read as data.
fn flip_everywhere(folder: &Path, name: &str) {
    let path = folder.join(name);
    let expected = readable(folder);
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        fs::write(&path, &flipped).unwrap();
        let health = check(folder).unwrap();
        let named = health.problems.iter().any(|problem| problem.to_string().contains("0000001."));
        assert!(named, "byte {place} of {name}: {:?}", health.problems);
        let found = readable(folder);
        assert!(found.iter().all(|captured| expected.contains(captured)), "byte {place}");
        // At most the record with the flipped bit is lost.
        assert!(found.len() + 1 >= expected.len(), "byte {place} of {name}");
    }
    fs::write(&path, &whole).unwrap();
    assert!(check(folder).unwrap().is_clean());
}

#[test]
fn sto_07_every_flipped_bit_of_a_warc_file_is_found() {
    let (folder, _) = closed(2);
    flip_everywhere(folder.path(), "0000001.warc.gz");
}

#[test]
fn sto_07_every_flipped_bit_of_an_index_is_found() {
    let (folder, _) = closed(2);
    flip_everywhere(folder.path(), "0000001.cdxj");
}

#[test]
fn sto_07_flipped_bits_are_found_in_a_file_that_is_not_closed() {
    let folder = folder();
    let mut writer = open(folder.path());
    append(&mut writer, 0..2);
    writer.sync().unwrap();
    flip_everywhere(folder.path(), "0000001.warc.gz");
}

#[test]
fn every_bit_of_every_stored_block_counts() {
    // Stored blocks and the ends of compressed ones have bits that unpacking passes over.
    let folder = folder();
    let mut writer = open(folder.path());
    let mut fetch = crate::support::Fetch::number(1);
    fetch.body = b"\x1f\x8bnot really".to_vec();
    writer.append(&fetch.response()).unwrap();
    writer.finish().unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let whole = fs::read(&path).unwrap();
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).unwrap();
        assert!(!check(folder.path()).unwrap().is_clean(), "bit {bit}");
    }
}

#[test]
fn sto_08_a_closed_file_cut_at_any_byte_is_a_problem() {
    let (folder, expected) = closed(2);
    let path = folder.path().join("0000001.warc.gz");
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let health = check(folder.path()).unwrap();
        assert!(!health.is_clean() && health.torn_bytes == 0, "cut at {cut}");
        let end = |capture: base::Capture| capture.offset as usize + capture.length as usize;
        let whole = expected.iter().filter(|captured| end(captured.capture) <= cut);
        assert_eq!(readable(folder.path()), whole.cloned().collect::<Vec<_>>());
    }
}

#[test]
fn sto_08_a_missing_file_is_named() {
    let (folder, expected) = closed(2);
    fs::remove_file(folder.path().join("0000001.warc.gz")).unwrap();
    let problem = check(folder.path()).unwrap().problems.remove(0).to_string();
    assert!(problem.contains("0000001.warc.gz"), "{problem}");
    let problem = read(folder.path(), expected[0].capture).unwrap_err().to_string();
    assert!(problem.contains("0000001.warc.gz"), "{problem}");
}

fn member(record: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(record).unwrap();
    encoder.finish().unwrap()
}

const GOOD: &str = "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
    WARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-11-16T00:00:00Z\r\n\
    Content-Length: 4\r\n\r\n\r\nab\r\n\r\n";

/// Reads a bad record between two good ones; returns what is said of it, and how many records
/// are read.
fn between_good_ones(bad: &str, pack: fn(&[u8]) -> Vec<u8>) -> (Vec<String>, usize) {
    let file = [pack(GOOD.as_bytes()), pack(bad.as_bytes()), pack(GOOD.as_bytes())].concat();
    let folder = folder_of(&[("0000001.warc.gz", &file)]);
    let records = Records::open(&folder.path().join("0000001.warc.gz")).unwrap();
    let (good, bad): (Vec<_>, Vec<_>) = records.partition(Result::is_ok);
    let says = |record: Result<_, Error>| match record.unwrap_err() {
        Error::Damaged { reason, .. } => reason.to_owned(),
        other => other.to_string(),
    };
    (bad.into_iter().map(says).collect(), good.len())
}

#[track_caller]
fn refused(bad: &str, reason: &str) {
    assert_eq!(between_good_ones(bad, member), (vec![reason.to_owned()], 2), "packed");
    let (says, num_read) = between_good_ones(bad, <[u8]>::to_vec);
    assert!(says.len() == 1 && num_read >= 1, "plain: {says:?}, {num_read} read");
}

#[test]
fn sto_10_records_that_break_the_rules_are_refused_and_the_next_is_read() {
    refused("WARC/1.1\r\nWARC-Type: response\r\n\r\n", "no Content-Length");
    refused("WARC/1.1\r\nContent-Length: 4x\r\n\r\nabcd\r\n\r\n", "Content-Length is not a number");
    refused(
        "WARC/1.1\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde\r\n\r\n",
        "two different Content-Lengths",
    );
    refused("WARC/1.1\r\nno colon\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "a field without a name");
    refused("WARC/2.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "not a WARC record");
    refused("GET / HTTP/1.1\r\n\r\n", "not a WARC record");
    let long = format!("WARC/1.1\r\nx: {}\r\n\r\n", "y".repeat(70_000));
    refused(&long, "its head does not end");
}

#[test]
fn sto_10_a_length_beyond_the_record_is_refused_without_taking_memory() {
    let claim = |length: &str| format!("WARC/1.1\r\nContent-Length: {length}\r\n\r\nab\r\n\r\n");
    for length in ["10737418240", "18446744073709551615", "1000"] {
        refused(&claim(length), "shorter than its Content-Length");
    }
    let short = between_good_ones(&claim("1"), member);
    assert_eq!(short, (vec!["longer than its Content-Length".to_owned()], 2));
}

#[test]
fn sto_10_unknown_types_and_fields_are_passed_over() {
    let odd = "WARC/1.0\r\nWARC-Type: poem\r\nX-Mood: good\r\nX-Mood: bad\r\n\
        Content-Length: 2\r\n\r\nab\r\n\r\n";
    assert_eq!(between_good_ones(odd, member), (vec![], 3));
    assert_eq!(between_good_ones(odd, <[u8]>::to_vec), (vec![], 3));
}

#[test]
fn a_bomb_is_given_up_at_the_limit() {
    let zeros = vec![0; 1024 * 1024];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"WARC/1.1\r\nContent-Length: 1073741824\r\n\r\n").unwrap();
    for _ in 0..100 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1024 * 1024);
    let folder = folder_of(&[("0000001.warc.gz", &bomb)]);
    let mut records = Records::open(&folder.path().join("0000001.warc.gz")).unwrap();
    let problem = records.next().unwrap().unwrap_err().to_string();
    assert!(problem.contains("larger than a record may be"), "{problem}");
    assert!(records.next().is_none());
}

#[test]
fn two_records_in_one_member_are_refused() {
    let two = member([GOOD, GOOD].concat().as_bytes());
    let folder = folder_of(&[("0000001.warc.gz", &two)]);
    let mut records = Records::open(&folder.path().join("0000001.warc.gz")).unwrap();
    assert!(records.next().unwrap().is_err());
    assert!(records.next().is_none());
}
