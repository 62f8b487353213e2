//! What is appended is read back, in order, by place, and from any place on.

use std::fs;

use archive::{Cut, Error, Kind, Options, Records, Writer, read};
use base::{Timestamp, Url};
use proptest::prelude::*;

use crate::support::{Fetch, append, assert_clean, assert_holds, closed, folder, open, read_all};

#[test]
fn captures_are_read_in_order_and_by_place() {
    let (folder, expected) = closed(5);
    assert_holds(folder.path(), &expected);
    for captured in &expected {
        assert_eq!(read(folder.path(), captured.capture).unwrap(), *captured);
    }
    let health = assert_clean(folder.path());
    assert_eq!((health.num_files, health.num_records, health.num_responses), (1, 11, 5));
}

#[test]
fn reading_goes_on_after_any_capture() {
    let folder = folder();
    let mut expected = Vec::new();
    for part in [0..2, 2..3, 3..6] {
        let mut writer = open(folder.path());
        expected.extend(append(&mut writer, part));
        writer.sync().unwrap();
    }
    for (place, captured) in expected.iter().enumerate() {
        let found = read_all(folder.path(), Some(captured.capture));
        let found: Vec<_> = found.into_iter().map(Result::unwrap).collect();
        assert_eq!(found, expected[place + 1..]);
    }
}

#[test]
fn captures_are_seen_before_they_are_durable() {
    let folder = folder();
    let mut writer = open(folder.path());
    let expected = append(&mut writer, 0..3);
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
}

#[test]
fn an_empty_archive_is_an_archive() {
    let folder = folder();
    open(folder.path()).finish().unwrap();
    assert_holds(folder.path(), &[]);
    assert_holds(&folder.path().join("missing"), &[]);
    assert_eq!(assert_clean(folder.path()).num_files, 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_full_file_is_closed_and_never_changed() {
    let folder = folder();
    let options = Options { file_bytes: 1_000, ..Options::default() };
    let mut writer = Writer::open(folder.path(), options).unwrap();
    let mut expected = append(&mut writer, 0..4);
    let last = expected.last().unwrap().capture.file;
    assert!(last > 1);
    let first = fs::read(folder.path().join("0000001.warc.gz")).unwrap();
    let index = fs::read(folder.path().join("0000001.cdxj")).unwrap();
    expected.extend(append(&mut writer, 4..8));
    writer.finish().unwrap();
    assert_eq!(fs::read(folder.path().join("0000001.warc.gz")).unwrap(), first);
    assert_eq!(fs::read(folder.path().join("0000001.cdxj")).unwrap(), index);
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
}

#[test]
fn each_opening_begins_a_new_file() {
    let folder = folder();
    for number in 1..=3 {
        let mut writer = open(folder.path());
        let captured = append(&mut writer, [7]);
        assert_eq!(captured[0].capture.file, number);
        writer.finish().unwrap();
    }
    assert_clean(folder.path());
}

#[test]
fn request_and_response_name_each_other() {
    let (folder, _) = closed(1);
    let records = Records::open(&folder.path().join("0000001.warc.gz")).unwrap();
    let records: Vec<_> = records.map(Result::unwrap).collect();
    let kinds: Vec<_> = records.iter().map(archive::Record::kind).collect();
    assert_eq!(kinds, [Kind::Warcinfo, Kind::Request, Kind::Response]);
    let id = |place: usize| records[place].field("WARC-Record-ID");
    assert_eq!(records[1].field("WARC-Concurrent-To"), id(2));
    assert_eq!(records[2].field("WARC-Concurrent-To"), id(1));
    assert_eq!(records[2].field("WARC-Warcinfo-ID"), id(0));
    assert_eq!(records[2].field("WARC-IP-Address"), Some("127.1.2.3"));
    assert_eq!(records[2].field("WARC-Date"), Some("2026-11-06T21:20:00.000Z"));
}

#[test]
fn transfer_encodings_are_said_to_be_gone() {
    let folder = folder();
    let mut fetch = Fetch::number(1);
    fetch.head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let mut writer = open(folder.path());
    let capture = writer.append(&fetch.response()).unwrap();
    let captured = read(folder.path(), capture).unwrap();
    assert_eq!(captured.field("Transfer-Encoding"), None);
    assert_eq!(captured.field("X-Crawl-Transfer-Encoding"), Some(&b"chunked"[..]));
    assert_eq!((captured.status(), captured.body), (Some(200), fetch.body));
}

#[test]
fn compressed_bodies_are_not_compressed_again() {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut fetch = Fetch::number(1);
    fetch.body = [&b"\x1f\x8b"[..], &[7; 50_000]].concat();
    let capture = writer.append(&fetch.response()).unwrap();
    assert!(capture.length > 50_000);
    assert_eq!(read(folder.path(), capture).unwrap().body, fetch.body);
    assert_clean(folder.path());
}

#[test]
fn what_is_too_large_is_refused_and_changes_nothing() {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut expected = append(&mut writer, [1]);
    let large = Fetch { body: vec![0; archive::BODY_BYTES + 1], ..Fetch::number(2) };
    assert!(matches!(writer.append(&large.response()), Err(Error::TooLarge { .. })));
    let large = Fetch { head: vec![b'a'; 64 * 1024 + 1], ..Fetch::number(2) };
    assert!(matches!(writer.append(&large.response()), Err(Error::TooLarge { .. })));
    expected.extend(append(&mut writer, [3]));
    writer.finish().unwrap();
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
}

#[test]
fn the_largest_body_and_head_fit() {
    let folder = folder();
    let mut writer = open(folder.path());
    // Fields that grow when they are archived, as many as fit.
    let mut head = b"HTTP/1.1 200 OK\r\n".to_vec();
    while head.len() + 24 < 64 * 1024 {
        head.extend_from_slice(b"transfer-encoding:x\r\n");
    }
    head.extend_from_slice(b"\r\n");
    let fetch = Fetch { head, body: vec![0; archive::BODY_BYTES], ..Fetch::number(2) };
    let capture = writer.append(&fetch.response()).unwrap();
    assert_eq!(read(folder.path(), capture).unwrap().body.len(), archive::BODY_BYTES);
}

#[test]
fn a_place_that_is_not_a_capture_is_refused() {
    let (folder, expected) = closed(2);
    let good = expected[0].capture;
    let mut places = vec![
        base::Capture { offset: 0, ..good },
        base::Capture { offset: good.offset + 1, ..good },
        base::Capture { offset: u64::MAX, ..good },
        base::Capture { offset: 1 << 40, ..good },
        base::Capture { length: good.length - 1, ..good },
        base::Capture { length: u32::MAX, ..good },
        base::Capture { file: 9, ..good },
    ];
    for place in places.drain(..) {
        assert!(read(folder.path(), place).is_err(), "{place:?}");
    }
}

fn arbitrary_fetch() -> impl Strategy<Value = Fetch> {
    let bytes = |most| proptest::collection::vec(any::<u8>(), 0..most);
    let cut = prop_oneof![
        Just(None),
        Just(Some(Cut::Length)),
        Just(Some(Cut::Time)),
        Just(Some(Cut::Disconnect))
    ];
    let path = "[a-zA-Z0-9%./?&=+é ]{0,40}";
    (path, 0..4_000_000_000_000i64, bytes(100), bytes(200), bytes(3_000), cut).prop_map(
        |(path, millis, request, head, body, cut)| Fetch {
            url: Url::parse(&format!("https://example.com/{path}")).unwrap(),
            fetched: Timestamp::from_millis(millis),
            request,
            head,
            body,
            cut,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // Heads are arbitrary bytes here: wherever the reader sees the body begin, no byte is lost,
    // and the archive holds together.
    #[test]
    fn anything_that_a_server_sends_comes_back(
        fetches in proptest::collection::vec(arbitrary_fetch(), 1..6),
    ) {
        let folder = folder();
        let mut writer = open(folder.path());
        for fetch in &fetches {
            writer.append(&fetch.response()).unwrap();
        }
        writer.finish().unwrap();
        let found: Vec<_> = read_all(folder.path(), None).into_iter().map(Result::unwrap).collect();
        prop_assert_eq!(found.len(), fetches.len());
        for (captured, fetch) in found.iter().zip(&fetches) {
            prop_assert_eq!(captured.url.as_ref(), Some(&fetch.url));
            prop_assert_eq!(captured.fetched, fetch.fetched);
            prop_assert_eq!(captured.cut, fetch.cut);
            prop_assert!([&captured.head[..], &captured.body[..]].concat().ends_with(&fetch.body));
        }
        assert_clean(folder.path());
    }

    #[test]
    fn an_ordinary_head_and_body_come_back_as_they_were(
        value in "[ -~]{0,100}",
        body in proptest::collection::vec(any::<u8>(), 0..3_000),
    ) {
        let folder = folder();
        let head = format!("HTTP/1.1 404 Not here\r\nX-Value: {value}\r\n\r\n").into_bytes();
        let fetch = Fetch { head, body, ..Fetch::number(1) };
        let capture = open(folder.path()).append(&fetch.response()).unwrap();
        prop_assert_eq!(read(folder.path(), capture).unwrap(), fetch.captured(capture));
    }
}
