//! Reads frames from a position on, also while the log is being written.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::{
    Error, FRAME_HEAD_BYTES, HEADER_BYTES, Head, Kind, PAYLOAD_BYTES, Position, Tail, frame_crc,
    header, segment_numbers, segment_path,
};

/// Goes through the frames of a log in order.
#[derive(Debug)]
pub struct Reader {
    folder: PathBuf,
    kind: Kind,
    position: Position,
    /// The open segment, once there is one.
    segment: Option<File>,
    /// If set, nothing behind what is durable is returned.
    tail: Option<Tail>,
    half_erased: Vec<Position>,
}

/// What lies at a position.
enum Found {
    Frame(Frame),
    /// A frame to be passed over; `is_whole` if nothing is left of what it held.
    Erased {
        end: Position,
        is_whole: bool,
    },
}

/// One frame and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it begins.
    pub start: Position,
    /// Where the next one begins; store this as a checkpoint after using the frame.
    pub end: Position,
    /// What it holds.
    pub payload: Vec<u8>,
}

impl Reader {
    /// Opens a log at a position that an earlier [`Frame::end`] gave, or at [`Position::START`].
    pub fn open(folder: &Path, kind: Kind, from: Position) -> Result<Self, Error> {
        let mut reader = Self {
            folder: folder.to_owned(),
            kind,
            position: from,
            segment: None,
            tail: None,
            half_erased: Vec::new(),
        };
        if from != Position::START {
            reader.open_segment(from.segment)?;
            if reader.segment_len()? < from.offset {
                return Err(reader.past_end());
            }
        }
        Ok(reader)
    }

    /// Like [`Self::open`], never returning what a crash could still take back.
    pub fn follow(folder: &Path, kind: Kind, from: Position, tail: Tail) -> Result<Self, Error> {
        let mut reader = Self::open(folder, kind, from)?;
        if from > tail.durable() {
            return Err(reader.past_end());
        }
        reader.tail = Some(tail);
        Ok(reader)
    }

    /// Returns the position behind the last frame returned.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Goes on at another position, which a [`Frame`] of this log gave.
    pub fn seek(&mut self, to: Position) -> Result<(), Error> {
        if self.segment.is_none() || to.segment != self.position.segment {
            self.segment = None;
            if to != Position::START {
                self.open_segment(to.segment)?;
            }
        }
        self.position = to;
        Ok(())
    }

    /// Returns the next frame, or `None` at the present end; later calls see what was added.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, Error> {
        loop {
            if self.segment.is_none() && !self.open_next()? {
                return Ok(None);
            }
            if self.tail.as_ref().is_some_and(|tail| self.position >= tail.durable()) {
                return Ok(None);
            }
            let (mut found, mut is_closed) = (self.look(false)?, false);
            if found.is_none() {
                // Asked before the read: once a next segment exists, this one grows no more.
                is_closed = segment_path(&self.folder, self.position.segment + 1).exists();
                found = self.look(is_closed)?;
            }
            match found {
                Some(Found::Frame(frame)) => {
                    self.position = frame.end;
                    return Ok(Some(frame));
                }
                Some(Found::Erased { end, is_whole }) => {
                    if !is_whole {
                        self.half_erased.push(self.position);
                    }
                    self.position = end;
                    continue;
                }
                None => {}
            }
            if !is_closed || !self.open_next()? {
                return Ok(None);
            }
        }
    }

    /// Returns how many bytes lie behind the position in its segment.
    pub(super) fn bytes_behind(&self) -> Result<u64, Error> {
        match self.segment {
            Some(_) => Ok(self.segment_len()?.saturating_sub(self.position.offset)),
            None => Ok(0),
        }
    }

    /// Returns where frames begin that were passed over, but still hold something.
    pub fn half_erased(&self) -> &[Position] {
        &self.half_erased
    }

    /// Returns the length of the payload at the position, erased or not.
    pub(super) fn frame_len(&self) -> Result<u32, Error> {
        let end = match self.look(true)? {
            Some(Found::Frame(frame)) => frame.end,
            Some(Found::Erased { end, .. }) => end,
            None => return Err(self.past_end()),
        };
        let len = end.offset - self.position.offset - FRAME_HEAD_BYTES;
        Ok(u32::try_from(len).expect("at most 64 MiB"))
    }

    /// Looks at what lies at the position; `None` if it is not (yet) a whole frame. In a segment
    /// that is `closed` a frame that is not whole is damage.
    fn look(&self, closed: bool) -> Result<Option<Found>, Error> {
        let start = self.position;
        let room = self.segment_len()?.saturating_sub(start.offset);
        if room == 0 {
            return Ok(None);
        }
        let damaged = || Error::Damaged { path: self.path(), offset: start.offset };
        if room < FRAME_HEAD_BYTES {
            return if closed { Err(damaged()) } else { Ok(None) };
        }
        let mut head = self.read_head()?;
        let mut found = self.read_found(head, room)?;
        while found.is_none() {
            // It may have been erased between the reading of its head and of its payload.
            let again = self.read_head()?;
            if again == head {
                break;
            }
            head = again;
            found = self.read_found(head, room)?;
        }
        let is_last = head.end() >= room && !closed;
        if found.is_none() && !is_last { Err(damaged()) } else { Ok(found) }
    }

    fn read_head(&self) -> Result<Head, Error> {
        let mut bytes = [0; FRAME_HEAD_BYTES as usize];
        self.read_at(&mut bytes, self.position.offset)?;
        let (size, crc) = bytes.split_at(4);
        Ok(Head {
            size: u32::from_le_bytes(size.try_into().expect("split at 4")),
            crc: u32::from_le_bytes(crc.try_into().expect("8 − 4 bytes")),
        })
    }

    /// Reads what a head announces, if it fits into `room` and its checksum holds.
    fn read_found(&self, head: Head, room: u64) -> Result<Option<Found>, Error> {
        let start = self.position;
        let erased = head.erased_len();
        let len = erased.unwrap_or(head.size as usize);
        if head.end() > room || len > PAYLOAD_BYTES {
            return Ok(None);
        }
        let mut payload = vec![0; len];
        self.read_at(&mut payload, start.offset + FRAME_HEAD_BYTES)?;
        let end = Position { offset: start.offset + head.end(), ..start };
        if erased.is_some() {
            let is_whole = payload.iter().all(|byte| *byte == 0);
            return Ok(Some(Found::Erased { end, is_whole }));
        }
        let is_good = frame_crc(head.size.to_le_bytes(), &payload) == head.crc;
        Ok(is_good.then_some(Found::Frame(Frame { start, end, payload })))
    }

    /// Opens the segment after the present one, or the first one; `false` if there is none yet.
    fn open_next(&mut self) -> Result<bool, Error> {
        let number = match self.position.segment {
            0 => match segment_numbers(&self.folder)?.first() {
                Some(first) => *first,
                None => return Ok(false),
            },
            present => present + 1,
        };
        let opened = self.open_segment(number);
        // A writer that was killed, or is just at it, may have left a header unfinished; with
        // no segment behind it, that is the end of the log and not damage.
        if matches!(opened, Err(Error::Foreign { reason: TORN_HEADER, .. }))
            && !segment_path(&self.folder, number + 1).exists()
        {
            return Ok(false);
        }
        opened?;
        self.position = Position { segment: number, offset: HEADER_BYTES };
        Ok(true)
    }

    fn open_segment(&mut self, number: u32) -> Result<(), Error> {
        let path = segment_path(&self.folder, number);
        let file = File::open(&path).map_err(|source| Error::File {
            action: "open",
            path: path.clone(),
            source,
        })?;
        let mut found = [0; HEADER_BYTES as usize];
        let expected = header(self.kind, number);
        let reason = match file.read_exact_at(&mut found, 0) {
            Err(_) => Some(TORN_HEADER),
            Ok(()) if found == expected => None,
            Ok(()) if found[..8] != expected[..8] => Some("not a Lookfar log"),
            Ok(()) if found[8..12] != expected[8..12] => Some("a log of another kind"),
            Ok(()) if found[12..16] != expected[12..16] => Some("another format version"),
            Ok(()) => Some("damaged header"),
        };
        if let Some(reason) = reason {
            return Err(Error::Foreign { path, reason });
        }
        self.segment = Some(file);
        self.position.segment = number;
        Ok(())
    }

    fn segment_len(&self) -> Result<u64, Error> {
        let file = self.segment.as_ref().expect("a segment is open");
        let data = file.metadata();
        data.map(|data| data.len()).map_err(|source| self.failed("look at", source))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        let file = self.segment.as_ref().expect("a segment is open");
        file.read_exact_at(buffer, offset).map_err(|source| self.failed("read", source))
    }

    fn failed(&self, action: &'static str, source: std::io::Error) -> Error {
        Error::File { action, path: self.path(), source }
    }

    fn past_end(&self) -> Error {
        let Position { segment, offset } = self.position;
        Error::PastEnd { path: self.folder.clone(), segment, offset }
    }

    fn path(&self) -> PathBuf {
        segment_path(&self.folder, self.position.segment)
    }
}

pub(super) const TORN_HEADER: &str = "its header is not complete";
