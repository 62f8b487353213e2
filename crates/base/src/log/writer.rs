//! Appends frames; the only place that changes a log.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{
    Error, FRAME_HEAD_BYTES, HEADER_BYTES, Kind, PAYLOAD_BYTES, Position, Reader, Tail, frame_crc,
    header, segment_numbers, segment_path,
};
use crate::file::sync_folder;

/// Appends to a log. One at a time; the collection's lock sees to that.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    kind: Kind,
    options: Options,
    file: File,
    /// Where the next frame will begin once `buffer` is written.
    end: Position,
    /// Frames not yet handed to the system.
    buffer: Vec<u8>,
    tail: Tail,
    cut_bytes: u64,
}

/// How a log is written.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A segment is closed once it is longer than this. Default 256 MiB: few files, and a
    /// start-up that reads the last one in a moment.
    pub segment_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 256 * 1024 * 1024 }
    }
}

/// Frames are handed to the system when this many bytes wait.
const BUFFER_BYTES: usize = 256 * 1024;

impl Writer {
    /// Opens a log for appending, creating the folder if needed, and cuts off an unfinished end.
    ///
    /// Cost: reads the last segment.
    pub fn open(folder: &Path, kind: Kind, options: Options) -> Result<Self, Error> {
        let failed =
            |action, path: &Path, source| Error::File { action, path: path.to_owned(), source };
        fs::create_dir_all(folder).map_err(|source| failed("create", folder, source))?;
        let number = segment_numbers(folder)?.last().copied().unwrap_or(1);
        let path = segment_path(folder, number);
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|source| failed("open", &path, source))?;
        let len = file.metadata().map_err(|source| failed("look at", &path, source))?.len();
        let offset = if len < HEADER_BYTES {
            // The system died between creating the segment and writing its header.
            file.set_len(0).map_err(|source| failed("cut", &path, source))?;
            let bytes = header(kind, number);
            file.write_all(&bytes).map_err(|source| failed("write", &path, source))?;
            HEADER_BYTES
        } else {
            last_whole(folder, kind, number)?
        };
        file.set_len(offset).map_err(|source| failed("cut", &path, source))?;
        file.sync_all().map_err(|source| failed("sync", &path, source))?;
        sync_folder(folder).map_err(|source| failed("sync", folder, source))?;
        let end = Position { segment: number, offset };
        let tail = Tail::default();
        tail.publish(end);
        let cut_bytes = len.saturating_sub(offset);
        let folder = folder.to_owned();
        Ok(Self { folder, kind, options, file, end, buffer: Vec::new(), tail, cut_bytes })
    }

    /// Returns how many bytes of an unfinished write were cut off by [`Self::open`].
    pub fn cut_bytes(&self) -> u64 {
        self.cut_bytes
    }

    /// Returns where the next frame will begin.
    pub fn end(&self) -> Position {
        self.end
    }

    /// Returns what tells readers in this process how far the log is durable.
    pub fn tail(&self) -> Tail {
        self.tail.clone()
    }

    /// Tells those who hold `tail` from now on, which they have from an earlier writer.
    pub fn tell(&mut self, tail: Tail) {
        tail.publish(self.tail.durable());
        self.tail = tail;
    }

    /// Appends one frame and returns where it begins. It is durable after [`Self::sync`].
    pub fn append(&mut self, payload: &[u8]) -> Result<Position, Error> {
        if payload.len() > PAYLOAD_BYTES {
            return Err(Error::TooLarge { len: payload.len() });
        }
        if self.end.offset > self.options.segment_bytes {
            self.roll()?;
        }
        let start = self.end;
        let len = u32::try_from(payload.len()).expect("at most 64 MiB").to_le_bytes();
        self.buffer.extend_from_slice(&len);
        self.buffer.extend_from_slice(&frame_crc(len, payload).to_le_bytes());
        self.buffer.extend_from_slice(payload);
        self.end.offset += FRAME_HEAD_BYTES + payload.len() as u64;
        if self.buffer.len() > BUFFER_BYTES {
            self.flush()?;
        }
        Ok(start)
    }

    /// Makes every appended frame durable, tells the readers, and returns the end.
    pub fn sync(&mut self) -> Result<Position, Error> {
        self.flush()?;
        self.file.sync_data().map_err(|source| self.failed("sync", source))?;
        self.tail.publish(self.end);
        Ok(self.end)
    }

    fn flush(&mut self) -> Result<(), Error> {
        if let Err(source) = self.file.write_all(&self.buffer) {
            // Part of the buffer may have been written (a full disk). Take that part back, so
            // that a later try does not leave half a frame in the middle.
            let written = self.end.offset - self.buffer.len() as u64;
            let taken_back = self.file.set_len(written);
            return Err(self.failed("write", taken_back.err().unwrap_or(source)));
        }
        self.buffer.clear();
        Ok(())
    }

    fn roll(&mut self) -> Result<(), Error> {
        self.sync()?;
        let number = self.end.segment + 1;
        let path = segment_path(&self.folder, number);
        let failed = |action, source| Error::File { action, path: path.clone(), source };
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|source| failed("create", source))?;
        // A segment left by a roll that failed half-way holds nothing but a header, at most.
        file.set_len(0).map_err(|source| failed("cut", source))?;
        file.write_all(&header(self.kind, number)).map_err(|source| failed("write", source))?;
        file.sync_all().map_err(|source| failed("sync", source))?;
        sync_folder(&self.folder).map_err(|source| failed("sync", source))?;
        self.file = file;
        self.end = Position { segment: number, offset: HEADER_BYTES };
        Ok(())
    }

    fn failed(&self, action: &'static str, source: std::io::Error) -> Error {
        Error::File { action, path: segment_path(&self.folder, self.end.segment), source }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Nothing was promised about frames without a `sync`; still, try to keep them.
        let _ = self.flush();
    }
}

/// Returns the end of the last whole frame of a segment.
fn last_whole(folder: &Path, kind: Kind, number: u32) -> Result<u64, Error> {
    let start = Position { segment: number, offset: HEADER_BYTES };
    let mut reader = Reader::open(folder, kind, start)?;
    loop {
        match reader.next_frame() {
            Ok(Some(_)) => {}
            // Nothing behind a damaged byte is believed, also when more follows.
            Ok(None) | Err(Error::Damaged { .. }) => return Ok(reader.position().offset),
            Err(error) => return Err(error),
        }
    }
}
