//! Captures taken out on request (C18): gone to the last byte, everything else where it was.

use std::fs;
use std::io::Read;
use std::path::Path;

use archive::{Captured, Records, erase, erase_shown, find, find_shown, read};
use base::{Capture, Timestamp};

use crate::support::{
    Fetch, append, assert_clean, assert_holds, closed, folder, open, read_all, readable,
};
use crate::tools::{WARCIO, python};

const NOW: Timestamp = Timestamp::from_millis(1_795_000_000_000);

fn places(captured: &[Captured]) -> Vec<Capture> {
    captured.iter().map(|captured| captured.capture).collect()
}

/// Returns everything that can be unpacked from the files of an archive, and what stands in the
/// indexes.
fn everything(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let mut plain = Vec::new();
        match path.extension().is_some_and(|extension| extension == "gz") {
            true => drop(flate2::read::MultiGzDecoder::new(&*bytes).read_to_end(&mut plain)),
            false => plain = bytes,
        }
        text.push_str(&String::from_utf8_lossy(&plain));
    }
    text
}

/// Erases some of `total` fetches and asserts that they are gone and the others are not.
#[track_caller]
fn check(total: usize, doomed: &[usize]) {
    let (folder, captured) = closed(total);
    let path = folder.path().join("0000001.warc.gz");
    let size = fs::metadata(&path).unwrap().len();
    let taken: Vec<Capture> = doomed.iter().map(|n| captured[*n].capture).collect();
    erase(folder.path(), &taken, NOW).unwrap();
    let kept: Vec<Captured> =
        (0..total).filter(|n| !doomed.contains(n)).map(|n| captured[n].clone()).collect();
    assert_holds(folder.path(), &kept);
    assert_clean(folder.path());
    assert_eq!(fs::metadata(&path).unwrap().len(), size);
    let text = everything(folder.path());
    for (n, captured) in captured.iter().enumerate() {
        let is_kept = !doomed.contains(&n);
        // In the address and in the request.
        assert_eq!(text.contains(&format!("site{n}.example")), is_kept, "{n}");
        assert_eq!(text.contains(&format!("<title>{n}</title>")), is_kept, "{n}");
        assert_eq!(read(folder.path(), captured.capture).is_ok(), is_kept, "{n}");
        // Whoever had read up to there reads on.
        let after = read_all(folder.path(), Some(captured.capture));
        let after: Vec<Captured> = after.into_iter().map(|found| found.unwrap()).collect();
        assert_eq!(places(&after), places(&kept[kept.len() - after.len()..]), "after {n}");
    }
    // Doing it again changes nothing, and so does opening.
    let before = everything(folder.path());
    erase(folder.path(), &taken, NOW).unwrap();
    open(folder.path());
    assert_eq!(everything(folder.path()), before);
}

#[test]
fn the_first_the_middle_the_last_and_all_can_be_erased() {
    check(5, &[0]);
    check(5, &[2]);
    check(5, &[4]);
    check(5, &[1, 2]);
    check(5, &[0, 2, 4]);
    check(5, &[0, 1, 2, 3, 4]);
    check(1, &[0]);
    check(3, &[]);
}

#[test]
fn what_was_erased_earlier_stays_erased() {
    let (folder, captured) = closed(6);
    for doomed in [1, 4, 2, 0, 3] {
        erase(folder.path(), &[captured[doomed].capture], NOW).unwrap();
        assert_clean(folder.path());
    }
    assert_holds(folder.path(), &captured[5..]);
}

#[test]
fn small_and_large_fetches_have_room_for_the_record() {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut fetch = Fetch::number(1);
    (fetch.request, fetch.body) = (Vec::new(), Vec::new());
    fetch.head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let mut captures = vec![writer.append(&fetch.response()).unwrap()];
    // Of every remainder, and longer than the fields of a gzip header could be.
    for length in [0, 1, 2, 3, 4, 5, 6, 7, 400_000] {
        fetch.body = [0x1f, 0x8b].repeat(length);
        captures.push(writer.append(&fetch.response()).unwrap());
    }
    let last = append(&mut writer, [7]);
    writer.finish().unwrap();
    erase(folder.path(), &captures, NOW).unwrap();
    assert_holds(folder.path(), &last);
    assert_clean(folder.path());
}

#[test]
fn captures_are_found_by_their_address_in_all_files() {
    let folder = folder();
    let mut expected = Vec::new();
    for numbers in [[1, 2], [2, 3]] {
        let mut writer = open(folder.path());
        let captured = append(&mut writer, numbers);
        expected.extend(captured.into_iter().filter(|is| is.target.contains("site2")));
        writer.finish().unwrap();
    }
    let found = find(folder.path(), |url| url.host_str() == "www.site2.example").unwrap();
    assert_eq!(found, places(&expected));
    erase(folder.path(), &found, NOW).unwrap();
    assert!(find(folder.path(), |url| url.host_str() == "www.site2.example").unwrap().is_empty());
    assert_eq!(readable(folder.path()).len(), 2);
    assert_clean(folder.path());
}

#[test]
fn finding_and_erasing_say_how_far_they_are() {
    let folder = folder();
    for numbers in [[1, 2], [2, 3]] {
        let mut writer = open(folder.path());
        append(&mut writer, numbers);
        writer.finish().unwrap();
    }
    let mut read = Vec::new();
    let found = find_shown(folder.path(), |_| true, &mut |done, total| read.push((done, total)));
    let found = found.unwrap();
    let sizes = ["0000001.cdxj", "0000002.cdxj"]
        .map(|name| fs::metadata(folder.path().join(name)).unwrap().len());
    let total = sizes[0] + sizes[1];
    assert_eq!(read, [(sizes[0], total), (total, total)]);
    let mut erased = Vec::new();
    erase_shown(folder.path(), &found, NOW, &mut |done| erased.push(done)).unwrap();
    assert_eq!(erased, [1, 2, 2, 3, 4, 4]);
    // What is gone already counts as well.
    erased.clear();
    erase_shown(folder.path(), &found, NOW, &mut |done| erased.push(done)).unwrap();
    assert_eq!(erased, [2, 4]);
}

#[test]
fn a_crash_at_any_byte_is_finished_by_asking_again() {
    let (folder, captured) = closed(4);
    let (warc, index) = (folder.path().join("0000001.warc.gz"), folder.path().join("0000001.cdxj"));
    let before = (fs::read(&warc).unwrap(), fs::read(&index).unwrap());
    let taken = [captured[1].capture, captured[2].capture];
    erase(folder.path(), &taken, NOW).unwrap();
    let after = (fs::read(&warc).unwrap(), fs::read(&index).unwrap());
    let changed: Vec<usize> = (0..before.0.len()).filter(|n| before.0[*n] != after.0[*n]).collect();
    let (first, last) = (changed[0], changed[changed.len() - 1]);
    for cut in (first..=last + 1).step_by(3) {
        // The index is written after the file.
        fs::write(&warc, [&after.0[..cut], &before.0[cut..]].concat()).unwrap();
        fs::write(&index, &before.1).unwrap();
        // The next start opens the archive before it goes on erasing.
        assert_eq!(open(folder.path()).cut_bytes(), 0);
        let found = find(folder.path(), |url| {
            matches!(url.host_str(), "www.site1.example" | "www.site2.example")
        });
        assert_eq!(found.unwrap(), taken);
        erase(folder.path(), &taken, NOW).unwrap();
        assert!(fs::read(&warc).unwrap() == after.0, "cut at {cut}");
        assert!(fs::read(&index).unwrap() == after.1, "cut at {cut}");
    }
    assert_clean(folder.path());
}

#[test]
fn a_flipped_bit_in_what_was_erased_is_found() {
    let (folder, captured) = closed(4);
    erase(folder.path(), &[captured[2].capture], NOW).unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let whole = fs::read(&path).unwrap();
    let end = |n: usize| captured[n].capture.offset + u64::from(captured[n].capture.length);
    for place in end(1)..end(2) {
        let mut flipped = whole.clone();
        flipped[place as usize] ^= 1 << (place % 8);
        fs::write(&path, flipped).unwrap();
        assert!(!archive::check(folder.path()).unwrap().is_clean(), "flip at {place}");
    }
}

#[test]
fn a_file_that_is_still_written_is_refused() {
    let folder = folder();
    let mut writer = open(folder.path());
    let captured = append(&mut writer, 0..2);
    writer.sync().unwrap();
    assert!(erase(folder.path(), &places(&captured), NOW).is_err());
    assert_holds(folder.path(), &captured);
    writer.close_file().unwrap();
    writer.close_file().unwrap();
    erase(folder.path(), &places(&captured[..1]), NOW).unwrap();
    let mut expected = captured[1..].to_vec();
    expected.extend(append(&mut writer, [5]));
    writer.finish().unwrap();
    assert_holds(folder.path(), &expected);
    assert_clean(folder.path());
}

#[test]
fn warcio_reads_what_is_left_and_finds_nothing_wrong() {
    let folder = folder();
    let mut writer = open(folder.path());
    let mut captured = append(&mut writer, 0..4);
    let mut large = Fetch::number(9);
    large.body = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    captured.push(large.captured(writer.append(&large.response()).unwrap()));
    captured.extend(append(&mut writer, [6]));
    writer.finish().unwrap();
    erase(folder.path(), &[captured[1].capture, captured[4].capture], NOW).unwrap();
    let path = folder.path().join("0000001.warc.gz");
    let Some((is_fine, text)) = python(&["-c", WARCIO, "check", "--verbose"], &path) else {
        return;
    };
    assert!(is_fine, "{text}");
    // A warcinfo record, four fetches of two records, two erased fetches of two.
    assert_eq!(text.matches("digest pass").count(), 13, "{text}");
    let fields = "warc-type,offset,length";
    let (_, text) = python(&["-c", WARCIO, "index", "-f", fields], &path).unwrap();
    let kinds = |kind: &str| text.matches(&format!("\"warc-type\": \"{kind}\"")).count();
    assert_eq!((kinds("response"), kinds("metadata")), (4, 4), "{text}");
    let last = captured[5].capture;
    assert!(text.contains(&format!("\"offset\": \"{}\"", last.offset)), "{text}");
    let records: Vec<_> = Records::open(&path).unwrap().map(|record| record.unwrap()).collect();
    assert_eq!(records.len(), 13);
}
