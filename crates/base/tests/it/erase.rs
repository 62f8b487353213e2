//! Frames taken out of a log in place.

use std::fs;
use std::path::Path;

use base::log::{Error, Kind, Options, Position, Reader, Writer, check, erase};

use crate::log::{FRAME_HEAD_BYTES, segment_path};

const KIND: Kind = Kind { name: *b"TEST", version: 1 };

fn read(folder: &Path) -> Vec<Vec<u8>> {
    let mut reader = Reader::open(folder, KIND, Position::START).unwrap();
    std::iter::from_fn(|| reader.next_frame().unwrap().map(|frame| frame.payload)).collect()
}

fn written(folder: &Path, segment_bytes: u64) -> (Vec<Vec<u8>>, Vec<Position>) {
    let payloads: Vec<Vec<u8>> = (1..=6u8).map(|n| vec![n; usize::from(n) * 20]).collect();
    let mut writer = Writer::open(folder, KIND, Options { segment_bytes }).unwrap();
    let places = payloads.iter().map(|payload| writer.append(payload).unwrap()).collect();
    writer.sync().unwrap();
    (payloads, places)
}

#[test]
fn erased_frames_are_passed_over_and_everything_else_stays_where_it_was() {
    for segment_bytes in [60, 1 << 20] {
        let folder = tempfile::tempdir().unwrap();
        let (payloads, places) = written(folder.path(), segment_bytes);
        // The first, one in the middle, the last.
        let doomed = [places[0], places[3], places[5]];
        erase(folder.path(), KIND, &doomed).unwrap();
        erase(folder.path(), KIND, &doomed).unwrap();
        let kept = [1, 2, 4].map(|n| payloads[n].clone());
        assert_eq!(read(folder.path()), kept);
        let mut reader = Reader::open(folder.path(), KIND, places[3]).unwrap();
        assert_eq!(reader.next_frame().unwrap().unwrap().start, places[4]);
        assert_eq!(check(folder.path(), KIND).unwrap().num_frames, 3);
        let mut writer = Writer::open(folder.path(), KIND, Options::default()).unwrap();
        assert_eq!(writer.cut_bytes(), 0);
        writer.append(b"more").unwrap();
        writer.sync().unwrap();
        assert_eq!(read(folder.path()).len(), 4);
        let bytes: Vec<u8> = fs::read_dir(folder.path())
            .unwrap()
            .flat_map(|entry| fs::read(entry.unwrap().path()).unwrap())
            .collect();
        for (n, payload) in payloads.iter().enumerate() {
            let is_there = bytes.windows(payload.len()).any(|window| window == payload);
            assert_eq!(is_there, kept.contains(payload), "payload {n}");
        }
    }
}

#[test]
fn sto_02_a_crash_between_head_and_payload_is_seen_and_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (payloads, places) = written(folder.path(), 1 << 20);
    let path = segment_path(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    erase(folder.path(), KIND, &places[2..3]).unwrap();
    let erased = fs::read(&path).unwrap();
    let start = places[2].offset as usize + FRAME_HEAD_BYTES as usize;
    for cut in (start..start + payloads[2].len()).step_by(11) {
        fs::write(&path, [&erased[..cut], &whole[cut..]].concat()).unwrap();
        let mut reader = Reader::open(folder.path(), KIND, Position::START).unwrap();
        while reader.next_frame().unwrap().is_some() {}
        assert_eq!(reader.half_erased(), &places[2..3], "cut at {cut}");
        assert!(matches!(check(folder.path(), KIND), Err(Error::Damaged { .. })));
        // Nothing behind it is lost by opening.
        let writer = Writer::open(folder.path(), KIND, Options::default()).unwrap();
        assert_eq!(writer.cut_bytes(), 0);
        drop(writer);
        erase(folder.path(), KIND, reader.half_erased()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), erased);
    }
    assert_eq!(check(folder.path(), KIND).unwrap().num_frames, 5);
}

#[test]
fn a_flipped_bit_in_an_erased_frame_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (_, places) = written(folder.path(), 1 << 20);
    erase(folder.path(), KIND, &places[1..2]).unwrap();
    let path = segment_path(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    for place in places[1].offset..places[2].offset {
        let mut bytes = whole.clone();
        bytes[place as usize] ^= 1 << (place % 8);
        fs::write(&path, bytes).unwrap();
        match check(folder.path(), KIND) {
            Err(_) => {}
            // A length that reaches past the end looks like an unfinished write.
            Ok(health) => assert!(health.torn_bytes > 0, "flip at {place} went unseen"),
        }
    }
}

#[test]
fn a_place_where_no_frame_begins_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (payloads, places) = written(folder.path(), 1 << 20);
    let wrong = Position { offset: places[1].offset + 3, ..places[1] };
    assert!(erase(folder.path(), KIND, &[places[0], wrong]).is_err());
    assert_eq!(read(folder.path()), payloads);
}

#[test]
fn a_reader_in_the_middle_of_a_frame_that_is_being_erased_passes_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path(), KIND, Options::default()).unwrap();
    let places: Vec<Position> =
        (0..12u8).map(|n| writer.append(&vec![n; 200_000]).unwrap()).collect();
    writer.sync().unwrap();
    let path = folder.path().to_owned();
    let reading = std::thread::spawn(move || {
        for _ in 0..10 {
            let found = read(&path);
            assert!(found.iter().all(|payload| payload.iter().all(|n| *n == payload[0])));
            assert_eq!(found.last().unwrap()[0], 11);
        }
    });
    for place in &places[..11] {
        erase(folder.path(), KIND, std::slice::from_ref(place)).unwrap();
    }
    reading.join().unwrap();
    assert_eq!(read(folder.path()).len(), 1);
}
