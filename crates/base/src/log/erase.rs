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
