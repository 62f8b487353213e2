//! Goes through others' WARC and ARC files, as broken as they are.
//!
//! Besides what [`crate::Records`] reads: one gzip member for the whole file, zstd, ARC, blocks
//! with their transfer encoding still on, `resource` and `conversion` records. A record that
//! breaks the rules is an error in its place, and reading goes on at the next one: at the next
//! gzip member or, where there is none, at the next line that begins a record. That may be a
//! line of a page which only looks like one, so this is never done with our own archive.

use std::io;
use std::path::{Path, PathBuf};

use base::Timestamp;
use base::limits::HEAD_BYTES;

use super::stream::{SKIPPED_BYTES, Stream};
use super::{Foreign, Item, Source, arc, chunked, made_head};
use crate::records::BLOCK_BYTES;
use crate::warc::{Fields, RECORD_END};
use crate::{BODY_BYTES, Cut, Error, http};

/// Reads one file in order. Never more than one record is in memory, and none larger than
/// [`BODY_BYTES`] and its heads.
pub struct Warcs {
    path: PathBuf,
    stream: Stream,
    form: Form,
    is_ended: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Warc,
    Arc,
}

/// A record that cannot be used, and what is to be done about it.
struct Broken {
    why: Why,
    then: Then,
}

enum Why {
    Reason(&'static str),
    Torn,
    Failed(io::Error),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The next record begins here.
    GoOn,
    /// It begins somewhere behind.
    Search,
    /// Nothing can be read any more.
    End,
}

/// A record as the file frames it.
struct Framed {
    meta: Meta,
    block: Vec<u8>,
}

enum Meta {
    Warc(Fields),
    Arc(arc::Line),
}

impl Warcs {
    /// Opens a WARC or ARC file, packed or not.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |action| move |source| Error::File { action, path: path.to_owned(), source };
        let mut stream = Stream::open(path).map_err(failed("open"))?;
        // What cannot be unpacked is the first record's trouble.
        let start = stream.peek(16).unwrap_or_default();
        let form = if arc::is_start(start) { Form::Arc } else { Form::Warc };
        Ok(Self { path: path.to_owned(), stream, form, is_ended: false })
    }

    fn next_framed(&mut self) -> Result<Option<Framed>, Broken> {
        while let [b'\r' | b'\n', ..] = self.stream.peek(1).map_err(unpacking)? {
            self.stream.consume(1);
        }
        if self.stream.peek(1).map_err(unpacking)?.is_empty() {
            return Ok(None);
        }
        let (meta, length) = match self.form {
            Form::Warc => self.warc_head()?,
            Form::Arc => {
                let line = self.line(HEAD_BYTES, true)?;
                let line = arc::parse(&line).map_err(searching)?;
                let length = line.length;
                (Meta::Arc(line), length)
            }
        };
        let block = self.block(length)?;
        Ok(Some(Framed { meta, block }))
    }

    fn warc_head(&mut self) -> Result<(Meta, u64), Broken> {
        let mut head = Vec::new();
        loop {
            let line = self.line(HEAD_BYTES - head.len(), head.is_empty())?;
            // What does not begin like a record is not read for a head.
            if head.is_empty() && !line.starts_with(b"WARC/") {
                return Err(searching("not a WARC record"));
            }
            head.extend_from_slice(&line);
            if matches!(line.as_slice(), b"\n" | b"\r\n") {
                break;
            }
        }
        let (fields, _) = Fields::parse(&head).map_err(searching)?;
        let length = fields.content_length().map_err(searching)?;
        Ok((Meta::Warc(fields), length))
    }

    /// Reads a line with its end; the first one of a record may begin a member.
    fn line(&mut self, limit: usize, is_first: bool) -> Result<Vec<u8>, Broken> {
        let mut line = Vec::new();
        loop {
            if !(is_first && line.is_empty()) && self.is_start_of_member()? {
                return Err(Broken { why: Why::Reason(NO_END), then: Then::GoOn });
            }
            let waiting = self.stream.peek(1).map_err(unpacking)?;
            if waiting.is_empty() {
                return Err(Broken { why: Why::Torn, then: Then::End });
            }
            let end = waiting.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let count = end.unwrap_or(waiting.len());
            if line.len() + count > limit {
                return Err(searching(NO_END));
            }
            line.extend_from_slice(&waiting[..count]);
            self.stream.consume(count);
            if end.is_some() {
                return Ok(line);
            }
        }
    }

    /// Reads a block of a told length, and makes sure that the record ends behind it.
    fn block(&mut self, length: u64) -> Result<Vec<u8>, Broken> {
        if self.stream.is_plain() {
            self.look_behind(length)?;
        }
        if length > BLOCK_BYTES as u64 {
            return Err(Broken { why: Why::Reason(TOO_LARGE), then: self.pass_block(length)? });
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut block = Vec::new();
        while block.len() < length {
            let is_start = self.is_start_of_member()?;
            let waiting = self.stream.peek(1).map_err(unpacking)?;
            if waiting.is_empty() {
                return Err(Broken { why: Why::Torn, then: Then::End });
            }
            if is_start {
                let why = Why::Reason("shorter than its length says");
                return Err(Broken { why, then: Then::GoOn });
            }
            let count = waiting.len().min(length - block.len());
            block.extend_from_slice(&waiting[..count]);
            self.stream.consume(count);
        }
        if self.ends_here()? { Ok(block) } else { Err(searching(LONGER)) }
    }

    /// Passes over a block that is larger than any we take.
    fn pass_block(&mut self, length: u64) -> Result<Then, Broken> {
        if self.stream.is_plain() {
            self.stream.skip(length).map_err(unpacking)?;
            return Ok(Then::GoOn);
        }
        let (most, mut passed) = (length.min(SKIPPED_BYTES), 0);
        while passed < most {
            if self.is_start_of_member()? {
                return Ok(Then::GoOn);
            }
            match self.stream.peek(1).map_err(unpacking)?.len() as u64 {
                0 => return Ok(Then::End),
                count => passed += self.stream.skip(count.min(most - passed)).map_err(unpacking)?,
            }
        }
        Ok(if passed == length { Then::GoOn } else { Then::Search })
    }

    /// Looks at what stands behind a block of a plain file before it is read: a length that
    /// leads into the middle of something is not believed, and costs no reading.
    fn look_behind(&mut self, length: u64) -> Result<(), Broken> {
        let start = self.stream.offset();
        let skipped = self.stream.skip(length).map_err(unpacking)?;
        let is_good = skipped == length && self.ends_here()?;
        self.stream.seek(start);
        match (is_good, skipped == length) {
            (true, _) => Ok(()),
            (false, true) => Err(searching(LONGER)),
            (false, false) => Err(Broken { why: Why::Torn, then: Then::Search }),
        }
    }

    /// Returns whether a record may end here: its two line breaks, the end of the file, or the
    /// next record follows.
    fn ends_here(&mut self) -> Result<bool, Broken> {
        let next = self.stream.peek(16).map_err(unpacking)?;
        if self.form == Form::Warc && next.starts_with(RECORD_END) {
            return Ok(true);
        }
        let breaks = next.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let rest = &next[breaks..];
        // A member may end within the first word of the next record.
        let is_cut = next.len() < 16 && b"WARC/1.".starts_with(rest);
        Ok(rest.is_empty() || is_cut || is_start(self.form, rest))
    }

    fn is_start_of_member(&mut self) -> Result<bool, Broken> {
        let form = self.form;
        // Looking first: a member begins when the one before has been used up.
        self.stream.peek(1).map_err(unpacking)?;
        Ok(self.stream.is_fresh() && is_start(form, self.stream.peek(16).map_err(unpacking)?))
    }

    /// Goes to the next record behind a broken one; `false` if none can be found.
    fn search(&mut self, is_unpacking: bool) -> io::Result<bool> {
        let form = self.form;
        let is_start = |bytes: &[u8]| is_start(form, bytes);
        if is_unpacking {
            return self.stream.find_member(false, is_start);
        }
        if self.stream.has_members() {
            return match self.stream.pass_member() {
                Ok(true) => Ok(true),
                // The rest of it is broken, or a bomb.
                _ => self.stream.find_member(true, is_start),
            };
        }
        let mut passed = 0;
        let mut is_line = true;
        while passed < SKIPPED_BYTES || self.stream.is_plain() {
            let waiting = self.stream.peek(16)?;
            if waiting.is_empty() {
                return Ok(false);
            }
            if is_line && is_start(waiting) {
                return Ok(true);
            }
            let line = waiting.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let count = line.unwrap_or(waiting.len());
            is_line = line.is_some();
            self.stream.consume(count);
            passed += count as u64;
        }
        Ok(false)
    }

    fn error(&self, why: Why, offset: u64) -> Error {
        let path = self.path.clone();
        match why {
            Why::Reason(reason) => Error::Damaged { path, offset, reason },
            Why::Torn => Error::Torn { path, offset },
            Why::Failed(source) => match source.kind() {
                io::ErrorKind::UnexpectedEof => Error::Torn { path, offset },
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                    Error::Damaged { path, offset, reason: "it cannot be unpacked" }
                }
                _ => Error::File { action: "read", path, source },
            },
        }
    }
}

impl Iterator for Warcs {
    type Item = Result<Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended {
            return None;
        }
        // Looking first, so that the offset is that of the member to come.
        let _ = self.stream.peek(1);
        let offset = self.stream.offset();
        let broken = match self.next_framed() {
            Ok(Some(framed)) => {
                let item = item(framed);
                return Some(item.map_err(|reason| self.error(Why::Reason(reason), offset)));
            }
            Ok(None) => {
                self.is_ended = true;
                return None;
            }
            Err(broken) => broken,
        };
        let is_unpacking = matches!(broken.why, Why::Failed(_));
        self.is_ended = match broken.then {
            Then::GoOn => false,
            Then::Search => !matches!(self.search(is_unpacking), Ok(true)),
            Then::End => true,
        };
        Some(Err(self.error(broken.why, offset)))
    }
}

impl Source for Warcs {
    fn used(&self) -> u64 {
        self.stream.used()
    }
}

const TOO_LARGE: &str = "larger than a record may be";
const NO_END: &str = "its head does not end";
const LONGER: &str = "longer than its length says, or cut short";

fn unpacking(error: io::Error) -> Broken {
    Broken { why: Why::Failed(error), then: Then::Search }
}

fn searching(reason: &'static str) -> Broken {
    Broken { why: Why::Reason(reason), then: Then::Search }
}

fn is_start(form: Form, bytes: &[u8]) -> bool {
    match form {
        Form::Warc => bytes.starts_with(b"WARC/1.") || bytes.starts_with(b"WARC/0."),
        Form::Arc => arc::is_start(bytes),
    }
}

/// Makes a response of a record that holds one.
fn item(framed: Framed) -> Result<Item, &'static str> {
    let Framed { meta, block } = framed;
    match meta {
        Meta::Warc(fields) => warc_item(&fields, block),
        Meta::Arc(line) if line.target.starts_with("filedesc:") => Ok(Item::Other("warcinfo")),
        Meta::Arc(line) => {
            let mut foreign = if block.starts_with(b"HTTP/") {
                sent(block)?
            } else {
                made("arc", Some(&line.media), block)
            };
            (foreign.target, foreign.address) = (line.target, line.address);
            foreign.fetched = line.fetched;
            Ok(Item::Response(Box::new(foreign)))
        }
    }
}

fn warc_item(fields: &Fields, block: Vec<u8>) -> Result<Item, &'static str> {
    let kind = fields.get("WARC-Type").unwrap_or_default().to_ascii_lowercase();
    let media = fields.get("Content-Type").map(str::to_ascii_lowercase);
    let is_http = media
        .as_deref()
        .map_or_else(|| block.starts_with(b"HTTP/"), |media| media.starts_with("application/http"));
    let mut foreign = match kind.as_str() {
        "response" if is_http => sent(block)?,
        "response" => return Ok(Item::Other("response without HTTP")),
        "resource" | "conversion" => made(&kind, fields.get("Content-Type"), block),
        "warcinfo" => return Ok(Item::Other("warcinfo")),
        "request" => return Ok(Item::Other("request")),
        "metadata" => return Ok(Item::Other("metadata")),
        "revisit" => return Ok(Item::Other("revisit")),
        "continuation" => return Ok(Item::Other("continuation")),
        _ => return Ok(Item::Other("record of an unknown type")),
    };
    let target = fields.get("WARC-Target-URI").ok_or("no WARC-Target-URI")?;
    // Some writers put the address in angle brackets.
    target.trim_start_matches('<').trim_end_matches('>').trim().clone_into(&mut foreign.target);
    let date = fields.get("WARC-Date").ok_or("no WARC-Date")?;
    let fetched = Timestamp::parse_rfc3339(date).or_else(|| arc::date(date));
    foreign.fetched = fetched.ok_or("WARC-Date is not a date")?;
    foreign.address = fields.get("WARC-IP-Address").and_then(|address| address.parse().ok());
    foreign.cut = match fields.get("WARC-Truncated").map(str::to_ascii_lowercase).as_deref() {
        None => foreign.cut,
        Some("time") => Some(Cut::Time),
        Some("disconnect") => Some(Cut::Disconnect),
        Some(_) => Some(Cut::Length),
    };
    Ok(Item::Response(Box::new(foreign)))
}

/// Takes apart what a server has sent.
fn sent(mut head: Vec<u8>) -> Result<Foreign, &'static str> {
    http::status(&head[..head.len().min(HEAD_BYTES)]).ok_or("no HTTP status line")?;
    let end = http::head_end(&head[..head.len().min(HEAD_BYTES)]);
    let end = match end {
        Some(end) => end,
        None if head.len() <= HEAD_BYTES => head.len(),
        None => return Err("its HTTP head does not end"),
    };
    let mut body = head.split_off(end);
    let mut cut = None;
    let coding = http::field(&head, "Transfer-Encoding").unwrap_or_default();
    if coding.to_ascii_lowercase().ends_with(b"chunked")
        && let Some((plain, is_whole)) = chunked::unchunked(&body)
    {
        (body, cut) = (plain, (!is_whole).then_some(Cut::Disconnect));
    }
    if body.len() > BODY_BYTES {
        return Err(TOO_LARGE);
    }
    Ok(Foreign { head, body, cut, ..nothing() })
}

/// Makes a response of a block without HTTP.
fn made(of: &str, media: Option<&str>, block: Vec<u8>) -> Foreign {
    let media = media.filter(|media| !media.is_empty() && *media != "no-type");
    let head = made_head(of, media, block.len());
    Foreign { head, body: block, ..nothing() }
}

fn nothing() -> Foreign {
    Foreign {
        target: String::new(),
        is_named_by_us: false,
        fetched: Timestamp::default(),
        address: None,
        head: Vec::new(),
        body: Vec::new(),
        cut: None,
    }
}
