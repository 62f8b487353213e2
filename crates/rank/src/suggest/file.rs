//! Reads and writes the file of [`super::Suggestions`]; the format is drawn there.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use base::PageId;
use base::file::write_whole;

use super::{Phrase, Start, Suggestions};
use crate::phrase::Normal;

const MAGIC: &[u8; 8] = b"LOOKFARS";
const VERSION: u32 = 1;
const CRC_BYTES: usize = 4;
/// Largest file that is read: more than [`super::build`] can write.
const FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Stands for no page.
const NO_PAGE: u64 = u64::MAX;

impl Suggestions {
    /// Takes phrases, the best first.
    pub(super) fn new(phrases: Vec<Phrase>) -> Self {
        let mut starts = Vec::new();
        for (number, phrase) in (0..).zip(&phrases) {
            let words = Normal::of(&phrase.shown);
            let byte = |byte: u16| Start { phrase: number, byte };
            starts.extend(words.starts.into_iter().map(byte));
        }
        let mut suggestions = Self { phrases, ..Self::default() };
        starts.sort_by(|one, other| {
            let by_text = suggestions.text(*one).cmp(suggestions.text(*other));
            by_text.then(one.phrase.cmp(&other.phrase)).then(one.byte.cmp(&other.byte))
        });
        suggestions.starts = starts;
        suggestions
    }

    /// Writes the file; it appears whole.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.encode())
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(len_bytes(self.phrases.len()));
        for phrase in &self.phrases {
            out.extend(phrase.page.map_or(NO_PAGE, PageId::as_u64).to_le_bytes());
            put_text(&mut out, &phrase.shown);
            put_text(&mut out, &phrase.normal);
        }
        out.extend(len_bytes(self.starts.len()));
        for start in &self.starts {
            out.extend(start.phrase.to_le_bytes());
            out.extend(start.byte.to_le_bytes());
        }
        let crc = crc32fast::hash(&out);
        out.extend(crc.to_le_bytes());
        out
    }
}

/// Reads a file and verifies all of it.
pub(super) fn read(path: &Path) -> io::Result<Suggestions> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES).read_to_end(&mut bytes)?;
    decode(&bytes)
}

fn decode(bytes: &[u8]) -> io::Result<Suggestions> {
    let end = bytes.len().checked_sub(CRC_BYTES).ok_or_else(|| damaged("it is cut"))?;
    let (body, crc) = bytes.split_at(end);
    if crc32fast::hash(body).to_le_bytes() != crc {
        return Err(damaged("its checksum does not hold"));
    }
    let mut input = Input { bytes: body };
    if input.take::<8>()? != *MAGIC || input.u32()? != VERSION {
        return Err(damaged("it is no file of suggestions, or one of another version"));
    }
    let mut phrases = Vec::new();
    // Grows with what is there, not with what the length says; where there is no memory for it,
    // there are no suggestions, and that is all (STO-13).
    for _ in 0..input.u32()? {
        let page = u64::from_le_bytes(input.take()?);
        phrases.try_reserve(1)?;
        phrases.push(Phrase {
            page: (page != NO_PAGE).then(|| PageId::from_u64(page)),
            shown: input.text()?.into(),
            normal: input.text()?.into(),
        });
    }
    let mut starts = Vec::new();
    for _ in 0..input.u32()? {
        let start = Start { phrase: input.u32()?, byte: u16::from_le_bytes(input.take()?) };
        let phrase = phrases.get(start.phrase as usize);
        let is_there = |phrase: &Phrase| phrase.normal.is_char_boundary(start.byte.into());
        if !phrase.is_some_and(is_there) {
            return Err(damaged("a word begins nowhere"));
        }
        starts.try_reserve(1)?;
        starts.push(start);
    }
    let suggestions = Suggestions { phrases, starts, ..Suggestions::default() };
    let in_order = |pair: &[Start]| suggestions.text(pair[0]) <= suggestions.text(pair[1]);
    if !input.bytes.is_empty() || !suggestions.starts.windows(2).all(in_order) {
        return Err(damaged("its parts do not fit together"));
    }
    Ok(suggestions)
}

/// What is left of the bytes.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let split = self.bytes.split_first_chunk();
        let (taken, rest) = split.ok_or_else(|| damaged("it ends too soon"))?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn text(&mut self) -> io::Result<&'a str> {
        let len = usize::from(u16::from_le_bytes(self.take()?));
        let taken = self.bytes.get(..len).ok_or_else(|| damaged("it ends too soon"))?;
        self.bytes = &self.bytes[len..];
        std::str::from_utf8(taken).map_err(|_| damaged("a phrase is no text"))
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    let len = u16::try_from(text.len()).expect("phrases have at most 60 letters");
    out.extend(len.to_le_bytes());
    out.extend(text.as_bytes());
}

fn len_bytes(len: usize) -> [u8; 4] {
    u32::try_from(len).expect("`build` limits the phrases").to_le_bytes()
}

fn damaged(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggestions() -> Suggestions {
        let phrase = |page: Option<u64>, shown: &str| Phrase {
            page: page.map(PageId::from_u64),
            shown: shown.into(),
            normal: Normal::of(shown).text.into(),
        };
        Suggestions::new(vec![
            phrase(None, "Big cat"),
            phrase(Some(7), "Café 東京"),
            phrase(None, "cat"),
        ])
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suggestions");
        let written = suggestions();
        written.write(&path).unwrap();
        let read = read(&path).unwrap();
        assert_eq!((read.phrases, read.starts), (written.phrases, written.starts));
        let empty = Suggestions::new(Vec::new());
        assert!(decode(&empty.encode()).unwrap().phrases.is_empty());
    }

    #[test]
    fn a_file_that_was_cut_or_changed_is_refused() {
        let whole = suggestions().encode();
        for end in 0..whole.len() {
            assert!(decode(&whole[..end]).is_err(), "{end}");
        }
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 4;
            assert!(decode(&changed).is_err(), "{place}");
        }
    }

    #[test]
    fn numbers_that_lead_nowhere_are_refused_though_the_checksum_holds() {
        let whole = suggestions().encode();
        for place in 12..whole.len() - CRC_BYTES {
            let mut changed = whole[..whole.len() - CRC_BYTES].to_vec();
            changed[place] ^= 0x55;
            let crc = crc32fast::hash(&changed);
            changed.extend(crc.to_le_bytes());
            // Another text or page may be as good; nothing may be read out of bounds.
            if let Ok(read) = decode(&changed) {
                read.beginning_with("c", 9);
                read.beginning_with("big c", 9);
            }
        }
    }
}
