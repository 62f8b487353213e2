//! Processes that die while they write (STO-01, STO-02, STO-03, STO-09).

use std::fs;
use std::path::Path;

use archive::{Captured, Options, Reader, Writer, check};

use crate::support::{append, assert_clean, assert_holds, folder, folder_of, open};

/// What a process leaves that is killed: the WARC file, its journal, and what was appended; the
/// first `num_synced` fetches were made durable.
fn killed(num_fetches: usize, num_synced: usize) -> (Vec<u8>, Vec<u8>, Vec<Captured>) {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut captured = append(&mut writer, 0..num_synced);
    writer.sync().unwrap();
    captured.extend(append(&mut writer, num_synced..num_fetches));
    drop(writer);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(!folder.path().join("0000001.cdxj").exists());
    (read("0000001.warc.gz"), read("0000001.cdxj.open"), captured)
}

fn end(captured: &Captured) -> usize {
    captured.capture.offset as usize + captured.capture.length as usize
}

/// Opens what a crash left, goes on, and looks at everything.
#[track_caller]
fn assert_recovers(folder: &Path, mut expected: Vec<Captured>) {
    let mut writer = open(folder);
    assert_holds(folder, &expected);
    assert_clean(folder);
    let added = append(&mut writer, [20]);
    assert!(added[0].capture.file > expected.last().map_or(0, |last| last.capture.file));
    expected.extend(added);
    writer.sync().unwrap();
    assert_holds(folder, &expected);
    writer.finish().unwrap();
    assert_eq!(assert_clean(folder).torn_bytes, 0);
}

#[test]
fn sto_09_cut_at_any_byte_the_records_before_are_read() {
    let (warc, journal, captured) = killed(2, 1);
    for cut in 0..=warc.len() {
        let expected: Vec<_> =
            captured.iter().filter(|captured| end(captured) <= cut).cloned().collect();
        let files: &[(&str, &[u8])] =
            &[("0000001.warc.gz", &warc[..cut]), ("0000001.cdxj.open", b"")];
        let folder = folder_of(files);
        let mut captures = Reader::open(folder.path()).unwrap().captures_from(None).unwrap();
        let found: Vec<_> = captures.by_ref().map(Result::unwrap).collect();
        assert_eq!(found, expected, "cut at {cut}");
        let health = check(folder.path()).unwrap();
        assert_eq!(health.torn_bytes, captures.torn_bytes(), "cut at {cut}");
        assert!(health.is_clean(), "cut at {cut}: {:?}", health.problems);
        assert_recovers(folder.path(), expected.clone());
        // With the journal as it was, cut where a crash can cut it.
        if cut >= end(&captured[0]) {
            let folder =
                folder_of(&[("0000001.warc.gz", &warc[..cut]), ("0000001.cdxj.open", &journal)]);
            assert_recovers(folder.path(), expected);
        }
    }
}

#[test]
fn sto_03_a_journal_cut_at_any_byte_does_no_harm() {
    let (warc, journal, captured) = killed(2, 2);
    for cut in 0..=journal.len() {
        let folder =
            folder_of(&[("0000001.warc.gz", &warc), ("0000001.cdxj.open", &journal[..cut])]);
        assert_recovers(folder.path(), captured.clone());
    }
}

#[test]
fn sto_03_what_was_not_durable_may_be_anything_after_power_loss() {
    let (warc, journal, captured) = killed(3, 1);
    let durable = end(&captured[0]);
    for place in (durable..warc.len()).step_by(7) {
        for damage in [0, 0xff, 0x1f] {
            let mut lost = warc.clone();
            lost[place..].fill(damage);
            let folder = folder_of(&[("0000001.warc.gz", &lost), ("0000001.cdxj.open", &journal)]);
            let whole = captured.iter().filter(|captured| end(captured) <= place);
            assert_recovers(folder.path(), whole.cloned().collect());
        }
    }
}

#[test]
fn damage_before_the_durable_end_cuts_nothing() {
    let (mut warc, journal, captured) = killed(3, 3);
    warc[captured[0].capture.offset as usize + 30] ^= 4;
    let folder = folder_of(&[("0000001.warc.gz", &warc), ("0000001.cdxj.open", &journal)]);
    let writer = Writer::open(folder.path(), Options::default()).unwrap();
    assert_eq!(writer.cut_bytes(), 0);
    assert_eq!(fs::read(folder.path().join("0000001.warc.gz")).unwrap(), warc);
    assert_eq!(crate::support::readable(folder.path()), captured[1..]);
    assert!(!check(folder.path()).unwrap().is_clean());
}

#[test]
fn a_page_cannot_pass_for_records_behind_a_cut() {
    // A body that is stored as it is, and holds a whole archive of its own.
    let (forged, _, _) = killed(2, 2);
    let folder = folder();
    let mut writer = open(folder.path());
    let mut expected = append(&mut writer, [1]);
    let mut fetch = crate::support::Fetch::number(2);
    fetch.body = [&forged[..], &[1; 1_000]].concat();
    let capture = writer.append(&fetch.response()).unwrap();
    drop(writer);
    let path = folder.path().join("0000001.warc.gz");
    let whole = fs::read(&path).unwrap();
    assert!(whole.windows(forged.len()).any(|window| window == forged));
    for cut in [capture.offset as usize + 5, whole.len() - 9] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_holds(folder.path(), &expected);
    }
    expected.truncate(1);
    assert_recovers(folder.path(), expected);
}

#[test]
fn sto_08_a_lost_index_is_made_again() {
    let (folder, expected) = crate::support::closed(4);
    let path = folder.path().join("0000001.cdxj");
    let index = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let health = check(folder.path()).unwrap();
    assert!(health.problems[0].to_string().contains("0000001.cdxj"));
    open(folder.path());
    assert_eq!(fs::read(&path).unwrap(), index);
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
}

#[test]
fn a_closed_file_that_lost_its_index_is_never_cut() {
    let (folder, expected) = crate::support::closed(3);
    let path = folder.path().join("0000001.warc.gz");
    let mut warc = fs::read(&path).unwrap();
    warc[expected[1].capture.offset as usize + 30] ^= 1;
    fs::write(&path, &warc).unwrap();
    fs::remove_file(folder.path().join("0000001.cdxj")).unwrap();
    let mut writer = open(folder.path());
    assert_eq!(writer.cut_bytes(), 0);
    append(&mut writer, [9]);
    assert_eq!(fs::read(&path).unwrap(), warc);
}

#[test]
fn sto_02_left_overs_of_a_killed_process_are_cleared() {
    let (folder, expected) = crate::support::closed(2);
    // Killed after the index was there and before the journal was gone; and while a file began.
    fs::write(folder.path().join("0000001.cdxj.open"), b"anything").unwrap();
    fs::write(folder.path().join("0000002.cdxj.open"), b"").unwrap();
    fs::write(folder.path().join("0000003.cdxj.open"), b"").unwrap();
    fs::write(folder.path().join("0000003.warc.gz"), b"").unwrap();
    assert_recovers(folder.path(), expected);
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let warc = |name: &&String| name.ends_with(".warc.gz");
    assert_eq!((names.len(), names.iter().filter(warc).count()), (4, 2), "{names:?}");
}
