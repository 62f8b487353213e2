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

/// Crawls pages with these codings and bodies; returns their records and what was archived.
fn pages<const N: usize>(cases: [(&str, Vec<u8>); N]) -> [(PageRecord, Vec<u8>); N] {
    let mut site = Script::new("a.lookfar");
    for (n, (coding, body)) in cases.into_iter().enumerate() {
        let answer = Answer::html(body).with_header("Content-Encoding", coding);
        site = site.answer(&format!("/{n}"), answer);
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.body_bytes = LIMIT;
    let urls: [String; N] = std::array::from_fn(|n| format!("http://a.lookfar/{n}"));
    place.crawl(&urls.each_ref().map(String::as_str), options);
    place.check();
    let mut records = place.records();
    urls.map(|url| (records.get_mut(&url).unwrap().remove(0), place.captured(&url).body))
}

/// Most bytes of a page.
const LIMIT: usize = 1_000_000;
const PAGE: &[u8] = b"<title>Packed</title><p>text";

#[test]
fn zip_01_a_page_that_unpacks_without_end_is_cut_and_said_so() {
    // A frame of one block that repeats a byte 100,000 times, again and again.
    let block = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x50][..], &repeated(b' ', 100_000)].concat();
    let start = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x50][..], &stored(PAGE)].concat();
    let [(record, archived)] = pages([("zstd", [start.clone(), block.repeat(100)].concat())]);
    assert_eq!(record.title, "Packed");
    assert_eq!(record.body_bytes, LIMIT as u64);
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
    let codings = ["gzip, gzip, gzip", "gzip,gzip,gzip,gzip,gzip,br,br,br,br,br", "bzip2", "x-foo"];
    for (record, archived) in pages(codings.map(|coding| (coding, PAGE.to_vec()))) {
        assert_eq!(archived, PAGE, "{}", record.url);
        assert!(record.title.is_empty() && record.blocks.is_empty(), "{}", record.url);
    }
}

#[test]
fn zip_04_zip_05_zip_07_zip_08_odd_streams_are_read_as_far_as_they_go() {
    let whole = gzip(PAGE);
    let mut named = whole.clone();
    named[3] = 0x08;
    named.splice(10..10, vec![b'n'; 300_000]);
    let cases = [
        ("gzip", PAGE.to_vec()),
        ("gzip", [&whole[..], b"junk"].concat()),
        ("gzip", [gzip(b"<title>Pac"), gzip(b"ked</title>")].concat()),
        ("gzip", whole[..whole.len() - 9].to_vec()),
        ("gzip", Vec::new()),
        ("gzip", named),
    ];
    let found =
        pages(cases).map(|(record, _)| (record.title, record.oddities.contains(&Oddity::BodyCut)));
    let expected = [
        ("Packed", false),
        ("Packed", false),
        ("Packed", false),
        ("Packed", true),
        ("", false),
        ("", true),
    ];
    assert_eq!(found.each_ref().map(|(title, cut)| (title.as_str(), *cut)), expected);
}
