//! Appends fetches; the only place that changes an archive.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base::file::sync_folder;
use base::limits::HEAD_BYTES;
use base::{Capture, Timestamp};

use crate::cdxj::Journal;
use crate::close::{close, close_all, failed};
use crate::fetch::{Fetch, Original, push_warcinfo};
use crate::folder::Part;
use crate::gzip::Packer;
use crate::{BODY_BYTES, Error, Response, Revisit};

/// Appends to an archive. One at a time; the collection's lock sees to that.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    options: Options,
    packer: Packer,
    current: Option<Current>,
    /// Number of the file begun last.
    last: u32,
    /// The records of one fetch, packed.
    buffer: Vec<u8>,
    cut_bytes: u64,
}

/// How an archive is written.
#[derive(Clone, Debug)]
pub struct Options {
    /// A file is closed once it is longer than this. Default 1 GiB, the size that archives
    /// exchange: few files, and each still quick to copy and to check.
    pub file_bytes: u64,
    /// The program and its version, for the warcinfo record.
    pub software: String,
    /// Who crawls and how to reach them, for the warcinfo record.
    pub operator: Option<String>,
    /// How the crawler names itself to servers, for the warcinfo record.
    pub user_agent: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            file_bytes: 1024 * 1024 * 1024,
            software: concat!("lookfar/", env!("CARGO_PKG_VERSION")).to_owned(),
            operator: None,
            user_agent: None,
        }
    }
}

/// A file is also closed once its index is longer than this: closing sorts it in memory.
const INDEX_BYTES: u64 = 32 * 1024 * 1024;

/// The file being written.
#[derive(Debug)]
struct Current {
    number: u32,
    path: PathBuf,
    file: File,
    /// Name of its warcinfo record, once there is one.
    info_id: String,
    /// End of the last whole fetch.
    len: u64,
    /// Bytes behind `len` could not be taken back.
    is_dirty: bool,
    state: Durability,
    journal: Journal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Durability {
    Synced,
    Waiting,
    /// A sync failed: the system may have dropped what it was given, and says so only once.
    Failed,
}

impl Writer {
    /// Opens an archive for appending, creating the folder if needed.
    ///
    /// Files that a killed process left open are closed: an unfinished fetch at the end is cut
    /// off, the index is written. The next fetch begins a new file.
    ///
    /// Cost: reads what was appended after the last [`Self::sync`].
    pub fn open(folder: &Path, options: Options) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(failed("create", folder))?;
        let (last, cut_bytes) = close_all(folder)?;
        let (folder, packer, buffer) = (folder.to_owned(), Packer::new(), Vec::new());
        Ok(Self { folder, options, packer, current: None, last, buffer, cut_bytes })
    }

    /// Returns how many bytes of unfinished writes were cut off by [`Self::open`].
    pub fn cut_bytes(&self) -> u64 {
        self.cut_bytes
    }

    /// Appends a request and its response, and returns where the response lies. Both are durable
    /// after [`Self::sync`].
    ///
    /// When it fails (a full disk), nothing was appended and it can be tried again.
    pub fn append(&mut self, response: &Response<'_>) -> Result<Capture, Error> {
        self.append_any(response, None)
    }

    /// Appends a request and a response that brought nothing new since the capture of the same
    /// address at `since`: its head is kept, its body is not. Returns where that lies.
    ///
    /// For [`Revisit::SamePayload`] the body is given all the same: its digest is kept.
    pub fn append_revisit(
        &mut self,
        response: &Response<'_>,
        revisit: Revisit,
        since: Timestamp,
    ) -> Result<Capture, Error> {
        self.append_any(response, Some(Original { revisit, since }))
    }

    fn append_any(
        &mut self,
        response: &Response<'_>,
        original: Option<Original>,
    ) -> Result<Capture, Error> {
        at_most("request", response.request, HEAD_BYTES)?;
        at_most("head", response.head, HEAD_BYTES)?;
        at_most("body", response.body, BODY_BYTES)?;
        if let Some(current) = &self.current
            && (current.len > self.options.file_bytes || current.journal.size() > INDEX_BYTES)
        {
            self.end_file()?;
        }
        let mut current = match self.current.take() {
            Some(current) => current,
            None => self.begin_file()?,
        };
        let outcome = self.append_to(&mut current, response, original);
        self.current = Some(current);
        outcome
    }

    /// Makes everything appended durable.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.current.as_mut().map_or(Ok(()), Current::sync)
    }

    /// Makes everything durable and closes the file being written; the next fetch begins another.
    pub fn close_file(&mut self) -> Result<(), Error> {
        if self.current.is_some() { self.end_file() } else { Ok(()) }
    }

    /// Makes everything durable and closes the last file.
    pub fn finish(mut self) -> Result<(), Error> {
        self.close_file()
    }

    fn append_to(
        &mut self,
        current: &mut Current,
        response: &Response,
        original: Option<Original>,
    ) -> Result<Capture, Error> {
        let Self { buffer, packer, options, .. } = self;
        let file = current.number;
        buffer.clear();
        if current.len == 0 {
            current.info_id = push_warcinfo(packer, options, file, response, buffer);
        }
        let fetch = Fetch::new(response, original, &current.info_id, (file, current.len));
        let start = fetch.push(packer, buffer);
        let offset = current.len + start as u64;
        let length = u32::try_from(buffer.len() - start).expect("a body is at most 64 MiB");
        let capture = Capture { file, offset, length };
        let line = fetch.index_line(capture, crc32fast::hash(buffer));
        current.write(buffer)?;
        current.journal.push(capture, &line);
        Ok(capture)
    }

    fn begin_file(&mut self) -> Result<Current, Error> {
        let Some(number) = self.last.checked_add(1) else {
            let source = io::Error::other("no number is left for it");
            return Err(failed("begin another file in", &self.folder)(source));
        };
        // The journal first: a file without one and without an index is never cut.
        let path = Part::Journal.path(&self.folder, number);
        let journal = Journal::create(&path).map_err(failed("create", &path))?;
        let path = Part::Warc.path(&self.folder, number);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed("create", &path))?;
        // One that is there already was left by a try that failed before its first record.
        if file.metadata().map_err(failed("look at", &path))?.len() > 0 {
            return Err(failed("create", &path)(io::ErrorKind::AlreadyExists.into()));
        }
        sync_folder(&self.folder).map_err(failed("sync", &self.folder))?;
        self.last = number;
        Ok(Current {
            number,
            path,
            file,
            info_id: String::new(),
            len: 0,
            is_dirty: false,
            state: Durability::Synced,
            journal,
        })
    }

    fn end_file(&mut self) -> Result<(), Error> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.sync()?;
        close(&self.folder, current.number)?;
        self.current = None;
        Ok(())
    }
}

impl Current {
    /// Writes the records of a fetch, or nothing.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.refuse_failed()?;
        if self.is_dirty {
            self.file.set_len(self.len).map_err(failed("cut", &self.path))?;
            self.is_dirty = false;
        }
        self.state = Durability::Waiting;
        if let Err(error) = self.file.write_all(bytes) {
            // Part of it may have been written (a full disk). Take that part back, so that a
            // later try does not leave half a record in the middle.
            self.is_dirty = self.file.set_len(self.len).is_err();
            return Err(failed("write", &self.path)(error));
        }
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        self.refuse_failed()?;
        if self.state == Durability::Waiting {
            if let Err(error) = self.file.sync_data() {
                self.state = Durability::Failed;
                return Err(failed("sync", &self.path)(error));
            }
            self.state = Durability::Synced;
        }
        // The records are durable, which is all that was promised. Lines that the journal cannot
        // take wait on; what it never gets is found again by reading the records.
        let _ = self.journal.flush();
        Ok(())
    }

    fn refuse_failed(&self) -> Result<(), Error> {
        match self.state {
            Durability::Failed => Err(Error::Unsynced { path: self.path.clone() }),
            Durability::Synced | Durability::Waiting => Ok(()),
        }
    }
}

fn at_most(part: &'static str, bytes: &[u8], limit: usize) -> Result<(), Error> {
    if bytes.len() <= limit {
        return Ok(());
    }
    Err(Error::TooLarge { part, bytes: bytes.len(), limit })
}
