//! Visits that brought nothing new are kept without a body (C15), and others' tools read them.

use std::fs;

use archive::{Captured, Reader, Records, Revisit, Writer, erase, find, read};
use base::Timestamp;

use crate::support::{Fetch, assert_clean, assert_holds, folder, open};
use crate::tools::{WARCIO, python};

const NOW: Timestamp = Timestamp::from_millis(1_795_000_000_000);

fn not_modified() -> Fetch {
    let head = b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".to_vec();
    Fetch { fetched: NOW, head, body: vec![], ..Fetch::number(1) }
}

/// Appends a page and two visits that brought nothing new; returns what reading must give.
fn appended(writer: &mut Writer) -> Vec<Captured> {
    let first = Fetch::number(1);
    let since = first.fetched;
    let capture = writer.append(&first.response()).unwrap();
    let mut expected = vec![first.captured(capture)];
    let same = Fetch { fetched: NOW, ..Fetch::number(1) };
    for (fetch, revisit, cut) in [
        (not_modified(), Revisit::NotModified, None),
        // Its body is left away.
        (same, Revisit::SamePayload, Some(archive::Cut::Length)),
    ] {
        let capture = writer.append_revisit(&fetch.response(), revisit, since).unwrap();
        let body = vec![];
        expected.push(Captured { revisit: Some(revisit), body, cut, ..fetch.captured(capture) });
    }
    expected
}

#[test]
fn revisits_come_back_in_their_order_and_without_bodies() {
    let folder = folder();
    let mut writer = open(folder.path());
    let expected = appended(&mut writer);
    writer.sync().unwrap();
    assert_holds(folder.path(), &expected);
    writer.finish().unwrap();
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
    let index = fs::read_to_string(folder.path().join("0000001.cdxj")).unwrap();
    assert_eq!(index.matches("\"mime\":\"warc/revisit\"").count(), 2, "{index}");
}

#[test]
fn a_revisit_names_the_capture_that_still_holds() {
    let folder = folder();
    let mut writer = open(folder.path());
    appended(&mut writer);
    writer.finish().unwrap();
    let records = Records::open(&folder.path().join("0000001.warc.gz")).unwrap();
    let records: Vec<_> = records.map(Result::unwrap).collect();
    let of = |kind: &str| {
        records.iter().filter(|record| record.field("WARC-Type") == Some(kind)).collect::<Vec<_>>()
    };
    let (page, revisits) = (of("response")[0], of("revisit"));
    for (revisit, profile) in
        revisits.iter().zip(["server-not-modified", "identical-payload-digest"])
    {
        let profile = format!("http://netpreserve.org/warc/1.1/revisit/{profile}");
        assert_eq!(revisit.field("WARC-Profile"), Some(&*profile));
        for (refers, to) in
            [("WARC-Refers-To-Target-URI", "WARC-Target-URI"), ("WARC-Refers-To-Date", "WARC-Date")]
        {
            assert_eq!(revisit.field(refers), page.field(to), "{refers}");
        }
    }
    assert_eq!(revisits[0].field("WARC-Payload-Digest"), None, "nothing was sent");
    assert_eq!(revisits[1].field("WARC-Payload-Digest"), page.field("WARC-Payload-Digest"));
}

#[test]
fn a_revisit_at_the_end_outlives_a_crash() {
    let folder = folder();
    let mut writer = open(folder.path());
    let expected = appended(&mut writer);
    // Its line is not in the journal: nothing was synced, but the system has written it.
    drop(writer);
    let writer = open(folder.path());
    assert_eq!(writer.cut_bytes(), 0);
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
    let reader = Reader::open(folder.path()).unwrap();
    let behind = reader.captures_from(Some(expected[0].capture)).unwrap();
    assert_eq!(behind.map(Result::unwrap).collect::<Vec<_>>(), expected[1..]);
}

#[test]
fn a_page_is_forgotten_with_its_revisits() {
    let folder = folder();
    let mut writer = open(folder.path());
    let expected = appended(&mut writer);
    writer.finish().unwrap();
    let doomed = find(folder.path(), |url| *url == Fetch::number(1).url).unwrap();
    assert_eq!(doomed.len(), expected.len());
    erase(folder.path(), &doomed, NOW).unwrap();
    assert_clean(folder.path());
    assert!(doomed.iter().all(|capture| read(folder.path(), *capture).is_err()));
}

#[test]
fn warcio_finds_nothing_wrong_with_revisits() {
    let folder = folder();
    let mut writer = open(folder.path());
    appended(&mut writer);
    writer.finish().unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let Some((is_fine, text)) = python(&["-c", WARCIO, "check", "--verbose"], &path) else {
        return;
    };
    assert!(is_fine, "{text}");
}
