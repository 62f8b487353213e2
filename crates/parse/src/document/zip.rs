//! Reads ZIP archives out of memory: members by name, in the order of the directory at the end.
//!
//! An archive whose end is missing (cut at the body limit) is read by the headers in front of
//! each member. Nothing is ever written to disk, so names are only names (OFF-02): the first
//! member of a name counts. No member is opened as an archive of its own (OFF-03).

use std::cell::Cell;
use std::collections::HashMap;
use std::io::Read;

use flate2::read::DeflateDecoder;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// Bytes of the header in front of a member, of a directory entry, of the directory's end.
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
/// Longest name taken; longer ones name nothing that we look for.
const NAME_BYTES: usize = 1_024;

// Not the `zip` crate: where the directory at the end is missing, it cannot read members whose
// length stands behind them, which is how most programs that write to a stream write them.
/// An archive.
pub(crate) struct Zip<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// By name in lower case, with `/` for `\`: some programs write neither as they should.
    places: HashMap<String, usize>,
    left: Cell<usize>,
    is_cut: Cell<bool>,
}

struct Entry {
    name: String,
    method: u16,
    is_encrypted: bool,
    /// Where its local header begins.
    offset: usize,
    packed: usize,
}

impl<'a> Zip<'a> {
    /// Reads the directory, of at most `entries` members that may unpack to `unpacked` bytes in
    /// all; `None` if it is no archive.
    pub(crate) fn open(bytes: &'a [u8], entries: usize, unpacked: usize) -> Option<Self> {
        if !bytes.starts_with(b"PK") {
            return None;
        }
        let mut zip = Self {
            bytes,
            entries: Vec::new(),
            places: HashMap::new(),
            left: Cell::new(unpacked),
            is_cut: Cell::new(false),
        };
        if !zip.directory(entries) {
            zip.entries.clear();
            zip.places.clear();
            zip.headers(entries);
        }
        (!zip.entries.is_empty()).then_some(zip)
    }

    /// Reads the directory at the end; `false` if there is none to be read.
    fn directory(&mut self, most: usize) -> bool {
        let from = self.bytes.len().saturating_sub(END_BYTES + usize::from(u16::MAX));
        let tail = &self.bytes[from..];
        let Some(end) = tail.windows(4).rposition(|window| window == END) else { return false };
        let Some(start) = number(tail, end + 16, 4) else { return false };
        let mut place = start;
        while self.bytes.get(place..place + 4) == Some(CENTRAL) {
            if self.entries.len() >= most {
                self.is_cut.set(true);
                break;
            }
            let field = |at, width| number(self.bytes, place + at, width);
            let (Some(flags), Some(method), Some(mut packed), Some(offset)) =
                (field(8, 2), field(10, 2), field(20, 4), field(42, 4))
            else {
                break;
            };
            let (Some(name_len), Some(extra_len), Some(comment_len)) =
                (field(28, 2), field(30, 2), field(32, 2))
            else {
                break;
            };
            let name_start = place + CENTRAL_BYTES;
            let Some(name) = self.bytes.get(name_start..name_start + name_len) else { break };
            if packed == u32::MAX as usize {
                // The long form of archives past 4 GiB; ours never are, so up to the end it is.
                packed = self.bytes.len();
            }
            self.push(name, flags, method, offset, packed);
            place = name_start + name_len + extra_len + comment_len;
        }
        !self.entries.is_empty()
    }

    /// Reads the headers in front of the members, one behind the other.
    fn headers(&mut self, most: usize) {
        let mut place = 0;
        while let Some(found) = find(self.bytes, LOCAL, place) {
            if self.entries.len() >= most {
                self.is_cut.set(true);
                return;
            }
            let field = |at, width| number(self.bytes, found + at, width);
            let (Some(flags), Some(method), Some(packed)) =
                (field(6, 2), field(8, 2), field(18, 4))
            else {
                return;
            };
            let (Some(name_len), Some(extra_len)) = (field(26, 2), field(28, 2)) else { return };
            let name_start = found + LOCAL_BYTES;
            let Some(name) = self.bytes.get(name_start..name_start + name_len) else { return };
            let data = name_start + name_len + extra_len;
            // With bit 3 the length stands behind the data; what follows a packed stream does
            // not disturb its reader, so the next header is border enough.
            let is_told = flags & 8 == 0 && data + packed <= self.bytes.len();
            let end = if is_told {
                data + packed
            } else {
                find(self.bytes, LOCAL, data).unwrap_or(self.bytes.len())
            };
            self.push(name, flags, method, found, end.saturating_sub(data));
            place = end.max(data);
        }
    }

    fn push(&mut self, name: &[u8], flags: usize, method: usize, offset: usize, packed: usize) {
        let name = String::from_utf8_lossy(&name[..name.len().min(NAME_BYTES)]).into_owned();
        self.places.entry(key(&name)).or_insert(self.entries.len());
        let method = u16::try_from(method).unwrap_or(u16::MAX);
        self.entries.push(Entry { name, method, is_encrypted: flags & 1 != 0, offset, packed });
    }

    /// Returns the names in the order of the archive.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Returns whether there is a member of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.places.contains_key(&key(name))
    }

    /// Unpacks a member; what of it is past the limits or broken is left out.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let entry = &self.entries[*self.places.get(&key(name))?];
        let name_len = number(self.bytes, entry.offset + 26, 2)?;
        let extra_len = number(self.bytes, entry.offset + 28, 2)?;
        if self.bytes.get(entry.offset..entry.offset + 4)? != LOCAL || entry.is_encrypted {
            return None;
        }
        let start = entry.offset + LOCAL_BYTES + name_len + extra_len;
        let packed = self.bytes.get(start..)?;
        let packed = &packed[..packed.len().min(entry.packed)];
        let most = self.left.get();
        let mut unpacked = Vec::new();
        match entry.method {
            0 => unpacked.extend_from_slice(&packed[..packed.len().min(most)]),
            8 => {
                // An error ends the data; what came before it may still be text.
                let _ = DeflateDecoder::new(packed).take(most as u64).read_to_end(&mut unpacked);
            }
            _ => return None,
        }
        if unpacked.len() >= most {
            self.is_cut.set(true);
        }
        self.left.set(most - unpacked.len());
        Some(unpacked)
    }

    /// Unpacks a member that is XML and decodes it.
    pub(crate) fn xml(&self, name: &str) -> Option<String> {
        self.read(name).map(decode_xml)
    }

    /// Returns whether members or bytes of members were left out for the limits.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Returns whether some member opens only with a password.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.entries.iter().any(|entry| entry.is_encrypted)
    }
}

/// Returns the text of XML by its mark or declaration; UTF-8 if there is neither.
fn decode_xml(bytes: Vec<u8>) -> String {
    // Nearly all of it is UTF-8; then there is no second copy of what may be large.
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with('\u{FEFF}') => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let declared = || {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(128)]).into_owned();
        let behind = head.split_once("encoding=")?.1;
        let label = behind.trim_start_matches(['"', '\'']).split(['"', '\'']).next()?;
        encoding_rs::Encoding::for_label(label.as_bytes())
    };
    let encoding = declared().unwrap_or(encoding_rs::UTF_8);
    encoding.decode(&bytes).0.into_owned()
}

fn key(name: &str) -> String {
    name.trim_start_matches('/').replace('\\', "/").to_ascii_lowercase()
}

/// Returns the little-endian number of `width` bytes at a place.
fn number(bytes: &[u8], place: usize, width: usize) -> Option<usize> {
    let field = bytes.get(place..place.checked_add(width)?)?;
    Some(field.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

fn find(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    memchr::memmem::find(rest, needle).map(|place| from + place)
}
