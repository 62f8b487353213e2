//! Content codings, seen from the page record and the archive (ZIP-01 … ZIP-08).

use std::time::Duration;

use base::{Oddity, PageRecord};
use testweb::{Answer, Script, Web};

use crate::help::{Place, options};

/// gzip with stored blocks only: the tests need no compressor.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut blocks = bytes.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap();
        out.push(u8::from(blocks.peek().is_none()));
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    out.extend_from_slice(&crc32(bytes).to_le_bytes());
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap().to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0_u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

/// Crawls one page with this coding and body; returns its record and what was archived.
fn page(coding: &str, body: Vec<u8>, limit: usize) -> (PageRecord, Vec<u8>) {
    let answer = Answer::html(body).with_header("Content-Encoding", coding);
    let web = Web::new().site(Script::new("a.lookfar").answer("/", answer)).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.body_bytes = limit;
    place.crawl(&["http://a.lookfar/"], options);
    place.check();
    let record = place.records().remove("http://a.lookfar/").unwrap().remove(0);
    (record, place.captured("http://a.lookfar/").body)
}

const PAGE: &[u8] = b"<title>Packed</title><p>text";

#[test]
fn zip_01_a_page_that_unpacks_without_end_is_cut_and_said_so() {
    // A frame of one block that repeats a byte 100,000 times, again and again.
    let block = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x50][..], &repeated(b' ', 100_000)].concat();
    let start = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x50][..], &stored(PAGE)].concat();
    let (record, archived) = page("zstd", [start.clone(), block.repeat(100)].concat(), 1_000_000);
    assert_eq!(record.title, "Packed");
    assert_eq!(record.body_bytes, 1_000_000);
    assert!(record.oddities.contains(&Oddity::BodyCut), "{:?}", record.oddities);
    assert_eq!(archived.len(), start.len() + 100 * block.len(), "the archive has it as it came");
}

/// A zstd block that is the last of its frame: a byte repeated.
fn repeated(byte: u8, times: u32) -> Vec<u8> {
    [&((times << 3) | 0b011).to_le_bytes()[..3], &[byte]].concat()
}

/// A zstd block that is the last of its frame: bytes as they are.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    [&((length << 3) | 1).to_le_bytes()[..3], bytes].concat()
}

#[test]
fn zip_03_zip_06_pages_in_codings_that_we_do_not_know_are_kept_raw_and_not_read() {
    for coding in ["gzip, gzip, gzip", "gzip,gzip,gzip,gzip,gzip,br,br,br,br,br", "bzip2", "x-foo"]
    {
        let (record, archived) = page(coding, PAGE.to_vec(), 100_000);
        assert_eq!(archived, PAGE, "{coding}");
        assert!(record.title.is_empty() && record.blocks.is_empty(), "{coding}");
    }
}

#[test]
fn zip_04_a_page_that_only_says_it_is_packed_is_read() {
    let (record, _) = page("gzip", PAGE.to_vec(), 100_000);
    assert_eq!(record.title, "Packed");
    assert!(record.oddities.is_empty(), "{:?}", record.oddities);
}

#[test]
fn zip_05_cut_damaged_and_joined_streams_are_read_as_far_as_they_go() {
    let whole = gzip(PAGE);
    let (record, _) = page("gzip", [&whole[..], b"junk"].concat(), 100_000);
    assert_eq!((record.title.as_str(), record.oddities.len()), ("Packed", 0));
    let joined = [gzip(b"<title>Pac"), gzip(b"ked</title>")].concat();
    let (record, _) = page("gzip", joined, 100_000);
    assert_eq!((record.title.as_str(), record.oddities.len()), ("Packed", 0));
    let (record, _) = page("gzip", whole[..whole.len() - 9].to_vec(), 100_000);
    assert_eq!(record.title, "Packed");
    assert!(record.oddities.contains(&Oddity::BodyCut), "{:?}", record.oddities);
}

#[test]
fn zip_07_an_empty_packed_page_is_an_empty_page() {
    let (record, archived) = page("gzip", Vec::new(), 100_000);
    assert!(archived.is_empty() && record.title.is_empty());
    assert!(!record.oddities.contains(&Oddity::BodyCut), "{:?}", record.oddities);
}

#[test]
fn zip_08_a_gzip_header_without_end_is_not_read() {
    let mut named = gzip(PAGE);
    named[3] = 0x08;
    named.splice(10..10, vec![b'n'; 300_000]);
    let (record, _) = page("gzip", named, 1_000_000);
    assert!(record.title.is_empty(), "{}", record.title);
    assert!(record.oddities.contains(&Oddity::BodyCut), "{:?}", record.oddities);
}
