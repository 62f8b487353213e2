//! Takes frames out of a log in place (C18).
//!
//! ```text
//! erased frame = len | 1 << 31: u32 le | crc32(len): u32 le | 0: [u8; len]
//! ```
//! Readers pass over it. The head goes first and is made durable; its checksum does not cover
//! the payload, so that a crash while the payload is being overwritten leaves a log that reads
//! well and says what is left to do ([`super::Reader::half_erased`]).

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::{
    Error, FRAME_HEAD_BYTES, Head, Kind, PAYLOAD_BYTES, Position, Reader, frame_crc, segment_path,
};

/// Marks the length of a frame that is to be passed over.
pub(super) const ERASED: u32 = 1 << 31;

/// Overwrites frames, each named by where it begins; those that are erased already stay so.
///
/// For the process that may write the log; its writer has synced what it was given. Readers may
/// be at work. A position at which no whole frame begins is an error, and then nothing is changed.
pub fn erase(folder: &Path, kind: Kind, places: &[Position]) -> Result<(), Error> {
    let mut segments: BTreeMap<u32, Vec<(u64, u32)>> = BTreeMap::new();
    for place in places {
        let len = Reader::open(folder, kind, *place)?.frame_len()?;
        segments.entry(place.segment).or_default().push((place.offset, len));
    }
    for (segment, frames) in segments {
        let path = segment_path(folder, segment);
        let failed = |source| Error::File { action: "erase in", path: path.clone(), source };
        let file = OpenOptions::new().write(true).open(&path).map_err(failed)?;
        for (offset, len) in &frames {
            let size = (len | ERASED).to_le_bytes();
            let crc = frame_crc(size, &[]).to_le_bytes();
            file.write_all_at(&[size, crc].concat(), *offset).map_err(failed)?;
        }
        file.sync_data().map_err(failed)?;
        for (offset, len) in &frames {
            write_zeros(&file, offset + FRAME_HEAD_BYTES, *len as usize).map_err(failed)?;
        }
        file.sync_data().map_err(failed)?;
    }
    Ok(())
}

fn write_zeros(file: &File, offset: u64, len: usize) -> io::Result<()> {
    const ZEROS: [u8; 8 * 1024] = [0; 8 * 1024];
    let mut done = 0;
    while done < len {
        let part = &ZEROS[..ZEROS.len().min(len - done)];
        file.write_all_at(part, offset + done as u64)?;
        done += part.len();
    }
    Ok(())
}

impl Head {
    /// Returns the length of an erased frame's payload, if this is the head of one.
    pub(super) fn erased_len(self) -> Option<usize> {
        let len = (self.size & !ERASED) as usize;
        let is_erased = self.size & ERASED != 0
            && len <= PAYLOAD_BYTES
            && self.crc == frame_crc(self.size.to_le_bytes(), &[]);
        is_erased.then_some(len)
    }

    /// Returns where the frame ends, counted from its beginning.
    pub(super) fn end(self) -> u64 {
        let len = self.erased_len().map_or(u64::from(self.size), |len| len as u64);
        FRAME_HEAD_BYTES + len
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{Options, Writer, check};
    use super::*;

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
}
