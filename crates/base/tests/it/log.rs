//! The log under cuts, flips and concurrent readers.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;

use base::log::*;

/// By the format: a segment's header, and what stands before the payload of a frame.
const HEADER_BYTES: u64 = 24;
pub(crate) const FRAME_HEAD_BYTES: u64 = 8;

const KIND: Kind = Kind { name: *b"TEST", version: 1 };

pub(crate) fn segment_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:010}.log"))
}

fn write(folder: &Path, payloads: &[Vec<u8>], options: Options) -> Position {
    let mut writer = Writer::open(folder, KIND, options).unwrap();
    for payload in payloads {
        writer.append(payload).unwrap();
    }
    writer.sync().unwrap()
}

fn read(folder: &Path, from: Position) -> Result<Vec<Vec<u8>>, Error> {
    let mut reader = Reader::open(folder, KIND, from)?;
    let mut payloads = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        payloads.push(frame.payload);
    }
    Ok(payloads)
}

fn samples() -> Vec<Vec<u8>> {
    (0..9u8).map(|n| vec![n; usize::from(n) * 3]).collect()
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..30),
        segment_bytes in 30u64..500,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let end = write(folder.path(), &payloads, Options { segment_bytes });
        prop_assert_eq!(read(folder.path(), Position::START).unwrap(), payloads.clone());
        prop_assert_eq!(read(folder.path(), end).unwrap().len(), 0);
        let health = check(folder.path(), KIND).unwrap();
        let num_frames = payloads.len() as u64;
        prop_assert_eq!(health, Health { num_frames, torn_bytes: 0, end });
    }
}

#[test]
fn bytes_before_a_position_grow_up_to_the_size_of_the_log() {
    for segment_bytes in [40, 1 << 20] {
        let folder = tempfile::tempdir().unwrap();
        let end = write(folder.path(), &samples(), Options { segment_bytes });
        let all = base::file::size_below(folder.path());
        assert_eq!(bytes_before(folder.path(), Position::START), 0);
        let mut reader = Reader::open(folder.path(), KIND, Position::START).unwrap();
        let mut last = 0;
        while let Some(frame) = reader.next_frame().unwrap() {
            let before = bytes_before(folder.path(), frame.end);
            assert!(before > last, "{before} after {last}");
            last = before;
        }
        assert_eq!((last, bytes_before(folder.path(), end)), (all, all));
    }
}

#[test]
fn sto_03_cut_at_any_byte_everything_before_the_cut_is_readable() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &samples(), Options::default());
    let path = segment_path(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    let mut ends = vec![HEADER_BYTES as usize];
    for sample in samples() {
        ends.push(ends.last().unwrap() + FRAME_HEAD_BYTES as usize + sample.len());
    }
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let expected = ends.iter().filter(|end| **end <= cut).count().saturating_sub(1);
        assert_eq!(read(folder.path(), Position::START).unwrap(), samples()[..expected]);
        // The writer cuts the torn end off and goes on.
        write(folder.path(), &[b"more".to_vec()], Options::default());
        let mut after = samples()[..expected].to_vec();
        after.push(b"more".to_vec());
        assert_eq!(read(folder.path(), Position::START).unwrap(), after, "cut at {cut}");
    }
}

#[test]
fn sto_07_a_flipped_bit_is_never_believed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &samples(), Options::default());
    let path = segment_path(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        match check(folder.path(), KIND) {
            Err(_) => {}
            // A flip in the last frame looks like an unfinished write, and says so.
            Ok(health) => assert!(health.torn_bytes > 0, "flip at {place} went unseen"),
        }
    }
}

#[test]
fn sto_08_damage_in_a_closed_segment_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &samples(), Options { segment_bytes: 40 });
    let path = segment_path(folder.path(), 1);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(matches!(read(folder.path(), Position::START), Err(Error::Damaged { .. })));
}

#[test]
fn sto_03_a_tail_of_zeros_is_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &samples(), Options::default());
    let path = segment_path(folder.path(), 1);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([0; 100]);
    fs::write(&path, &bytes).unwrap();
    let writer = Writer::open(folder.path(), KIND, Options::default()).unwrap();
    assert_eq!(writer.cut_bytes(), 100);
    assert_eq!(read(folder.path(), Position::START).unwrap(), samples());
}

#[test]
fn a_follower_sees_only_what_is_durable() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path(), KIND, Options::default()).unwrap();
    let mut reader = Reader::follow(folder.path(), KIND, Position::START, writer.tail()).unwrap();
    writer.append(&vec![7; 2 * 256 * 1024]).unwrap();
    assert!(reader.next_frame().unwrap().is_none());
    let end = writer.sync().unwrap();
    assert_eq!(writer.tail().wait_beyond(Position::START, Duration::ZERO), end);
    assert_eq!(reader.next_frame().unwrap().unwrap().end, end);
    assert!(reader.next_frame().unwrap().is_none());
}

#[test]
fn other_kinds_versions_and_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let end = write(folder.path(), &samples(), Options::default());
    for kind in [Kind { name: *b"ELSE", ..KIND }, Kind { version: 2, ..KIND }] {
        let mut reader = Reader::open(folder.path(), kind, Position::START).unwrap();
        assert!(matches!(reader.next_frame(), Err(Error::Foreign { .. })));
        assert!(Writer::open(folder.path(), kind, Options::default()).is_err());
    }
    let behind = Position { offset: end.offset + 1, ..end };
    assert!(matches!(read(folder.path(), behind), Err(Error::PastEnd { .. })));
}

#[test]
fn a_reader_goes_on_wherever_it_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path(), KIND, Options { segment_bytes: 60 }).unwrap();
    let places: Vec<Position> = (0..9u8).map(|n| writer.append(&[n; 20]).unwrap()).collect();
    writer.sync().unwrap();
    assert!(places.last().unwrap().segment > 2);
    let mut reader = Reader::open(folder.path(), KIND, Position::START).unwrap();
    for n in [8, 0, 1, 7, 3, 2, 2, 6] {
        reader.seek(places[n]).unwrap();
        assert_eq!(reader.next_frame().unwrap().unwrap().payload[0], n as u8);
        // And from there on in order, into the next segment.
        let next = reader.next_frame().unwrap().map(|frame| usize::from(frame.payload[0]));
        assert_eq!(next, Some(n + 1).filter(|next| *next < places.len()));
    }
    assert!(reader.seek(Position { segment: 99, offset: 24 }).is_err());
}
