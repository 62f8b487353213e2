//! The page log: records come back as they went.

use base::log::Position;
use base::pages::{Reader, Writer, check};
use base::{
    Block, Capture, ContentKind, Link, LinkKind, Oddity, PageId, PageRecord, Rel, Timestamp, Url,
    Zone,
};

fn record(index: u64) -> PageRecord {
    let url = Url::parse(&format!("http://a.example/{index}")).unwrap();
    let text = "A jaguar sleeps by the river.".to_owned();
    PageRecord {
        capture: Capture { file: 1, offset: index * 100, length: 99 },
        kind: ContentKind::Html,
        language: Some("en".to_owned()),
        title: "Jaguar".to_owned(),
        blocks: vec![Block { zone: Zone::Body, text }],
        links: vec![Link {
            target: url.join("/x").unwrap(),
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            anchor: "more".to_owned(),
        }],
        text_hash: u128::MAX - u128::from(index),
        body_bytes: 40_000,
        oddities: vec![Oddity::TypeMismatch],
        ..PageRecord::new(
            PageId::new(0, index).unwrap(),
            url,
            Timestamp::from_millis(1_763_285_400_000),
            200,
        )
    }
}

#[test]
fn records_come_back_as_they_went() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path()).unwrap();
    for index in 0..20 {
        writer.append(&record(index)).unwrap();
    }
    writer.sync().unwrap();
    let mut reader = Reader::open(folder.path(), Position::START).unwrap();
    for index in 0..20 {
        assert_eq!(reader.next_entry().unwrap().unwrap().record, record(index));
    }
    assert!(reader.next_entry().unwrap().is_none());
    assert_eq!(check(folder.path()).unwrap().num_frames, 20);
}

#[test]
fn records_can_be_read_in_part_and_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path()).unwrap();
    let mut records: Vec<_> = (0..6).map(record).collect();
    // None, many, of a text that is longer than what stands before it.
    records[1].links.clear();
    records[2].links = vec![records[0].links[0].clone(); 300];
    records[3].links[0].anchor = "x".repeat(2 << 20);
    records[4].redirect = Some(records[0].url.clone());
    records[4].snippet_chars = Some(7);
    let places: Vec<_> = records.iter().map(|record| writer.append(record).unwrap()).collect();
    writer.sync().unwrap();
    let mut ids = Reader::open(folder.path(), Position::START).unwrap();
    let mut parts = Reader::open(folder.path(), Position::START).unwrap();
    let mut sought = Reader::open(folder.path(), Position::START).unwrap();
    for number in [3, 0, 5, 1, 4, 2] {
        sought.seek(places[number]).unwrap();
        let entry = sought.next_entry().unwrap().unwrap();
        assert_eq!((entry.start, &entry.record), (places[number], &records[number]));
    }
    sought.seek(Position::START).unwrap();
    for (place, mut record) in places.into_iter().zip(records) {
        let entry = sought.next_entry().unwrap().unwrap();
        assert_eq!(ids.next_id().unwrap(), Some((record.id, place, entry.end)));
        record.links.clear();
        let part = parts.next_without_links().unwrap().unwrap();
        assert_eq!((part.start, part.end, part.record), (place, entry.end, record));
    }
    assert_eq!((ids.next_id().unwrap(), parts.next_without_links().unwrap()), (None, None));
}

#[test]
fn version_1_stays_readable() {
    let stored = include_bytes!("../data/pages-v1.log");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("0000000001.log"), stored).unwrap();
    let mut reader = Reader::open(folder.path(), Position::START).unwrap();
    assert_eq!(reader.next_entry().unwrap().unwrap().record, record(0));
    assert_eq!(reader.next_entry().unwrap().unwrap().record, record(1));
    assert!(reader.next_entry().unwrap().is_none());
}
