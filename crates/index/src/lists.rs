//! The lists that tantivy keeps, as they lie on disk: with checksums that it does not write.
//!
//! Neither `meta.json` nor `.managed.json` has a checksum of its own. Here they end with one, and
//! before it `meta.json` says of each file of its segments which one it is: a file that is whole, but
//! of another segment or another index, is known by that (STO-08). tantivy does not get to see either.
//!
//! ```text
//! list  = what tantivy wrote | files | "\ncrc32 " | crc32 of all before: 8 hex digits | "\n"
//! files = ("\nfile " | name | " " | crc32 of its body: 8 hex digits)*, in `meta.json` alone
//! ```
//! Lists that were written before there was such a thing are read too; what they do not say is
//! added with the next commit.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::directory::META;
use crate::folder::PARTS;
use crate::footer;

/// What stands before the checksum of a list.
const SEAL: &[u8] = b"\ncrc32 ";
/// Bytes of a checksum as text, with what stands around it.
const SEAL_BYTES: usize = SEAL.len() + 8 + 1;
/// What stands before the name of a file.
const FILE: &str = "\nfile ";

/// The files of the segments of a commit, each with the checksum of its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files(BTreeMap<String, u32>);

impl Files {
    /// Reads what the last commit in a folder says.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        Ok(unsealed(fs::read(folder.join(META))?)?.1)
    }

    /// Returns the files of a commit, given as tantivy writes it. Those that are `known` stay what
    /// they were, whatever lies there by now; what is new has just been written.
    pub(crate) fn of_commit(meta: &[u8], folder: &Path, known: &Self) -> io::Result<Self> {
        let meta: Meta = serde_json::from_slice(meta)?;
        let mut files = BTreeMap::new();
        for name in meta.segments.iter().flat_map(Segment::names) {
            let said = match known.0.get(&name) {
                Some(crc) => Some(*crc),
                None => match footer::said(&folder.join(&name)) {
                    // Of what a segment may have it has not all.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                    said => said?,
                },
            };
            files.extend(said.map(|crc| (name, crc)));
        }
        Ok(Self(files))
    }

    /// Returns what a file's checksum should be; `None` if nothing is known of the file.
    pub(crate) fn get(&self, name: &Path) -> Option<u32> {
        self.0.get(name.to_str()?).copied()
    }

    /// Returns the names of all files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(Path::new)
    }

    fn parse(text: &str) -> Option<Self> {
        let line = |line: &str| {
            let (name, crc) = line.split_once(' ')?;
            Some((name.to_owned(), u32::from_str_radix(crc, 16).ok()?))
        };
        text.split(FILE).skip(1).map(line).collect::<Option<_>>().map(Self)
    }
}

/// What we need to know of a commit as tantivy writes it.
#[derive(Deserialize)]
struct Meta {
    segments: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    segment_id: String,
    deletes: Option<Deletes>,
}

#[derive(Deserialize)]
struct Deletes {
    opstamp: u64,
}

impl Segment {
    /// Returns the names of all files that it may have.
    fn names(&self) -> Vec<String> {
        let number = self.segment_id.replace('-', "");
        let mut names: Vec<_> = PARTS.iter().map(|part| format!("{number}.{part}")).collect();
        let deletes = self.deletes.as_ref();
        names.extend(deletes.map(|deletes| format!("{number}.{}.del", deletes.opstamp)));
        names
    }
}

/// Returns a list with its files and its checksum.
pub(crate) fn sealed(data: &[u8], files: &Files) -> Vec<u8> {
    let line = |(name, crc): (&String, &u32)| format!("{FILE}{name} {crc:08x}");
    let files: String = files.0.iter().map(line).collect();
    let list = [data, files.as_bytes()].concat();
    let crc = format!("{:08x}\n", crc32fast::hash(&list));
    [&list, SEAL, crc.as_bytes()].concat()
}

/// Takes the checksum off a list, if it holds, and the files. Lists of older indexes have none, and
/// what else stands there is no list that tantivy would read.
pub(crate) fn unsealed(mut sealed: Vec<u8>) -> io::Result<(Vec<u8>, Files)> {
    let wrong = |reason| io::Error::new(io::ErrorKind::InvalidData, reason);
    let none = Files::default();
    let Some(length) = sealed.len().checked_sub(SEAL_BYTES) else { return Ok((sealed, none)) };
    let (list, seal) = sealed.split_at(length);
    if !seal.starts_with(SEAL) {
        return Ok((sealed, none));
    }
    let crc = format!("{:08x}\n", crc32fast::hash(list));
    if seal[SEAL.len()..] != *crc.as_bytes() {
        return Err(wrong("its checksum does not hold"));
    }
    // tantivy writes JSON, where a line that begins so cannot be.
    let begin = list.windows(FILE.len()).position(|bytes| bytes == FILE.as_bytes());
    let begin = begin.unwrap_or(length);
    let text = std::str::from_utf8(&list[begin..]).ok();
    let files = text.and_then(Files::parse).ok_or_else(|| wrong("its files cannot be read"))?;
    sealed.truncate(begin);
    Ok((sealed, files))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        Files([("a.idx".to_owned(), 7), ("a.3.del".to_owned(), u32::MAX)].into())
    }

    #[test]
    fn what_tantivy_wrote_is_read_back_with_the_files() {
        for data in ["", "[]", "{\n  \"a\": \"\\nfile b\"\n}\n"] {
            for files in [Files::default(), files()] {
                let list = sealed(data.as_bytes(), &files);
                assert_eq!(unsealed(list).unwrap(), (data.as_bytes().to_vec(), files));
            }
            // As before there were checksums.
            let plain = data.as_bytes().to_vec();
            assert_eq!(unsealed(plain.clone()).unwrap(), (plain, Files::default()));
        }
    }

    /// One that is cut right behind what tantivy wrote is like one from before there were checksums;
    /// any other is no JSON, and tantivy says so.
    #[test]
    fn sto_08_a_list_cut_anywhere_is_refused_or_says_what_tantivy_wrote() {
        let list = sealed(b"[1]", &files());
        for length in 0..list.len() {
            let Ok((data, files)) = unsealed(list[..length].to_vec()) else { continue };
            assert_eq!(files, Files::default());
            if serde_json::from_slice::<Vec<u32>>(&data).is_ok() {
                assert_eq!(data.trim_ascii(), b"[1]", "cut at {length}");
            }
        }
    }

    #[test]
    fn sto_07_every_flipped_bit_of_a_list_is_found() {
        let list = sealed(b"[1]", &files());
        for bit in 0..list.len() * 8 {
            let mut bytes = list.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let is_read = unsealed(bytes)
                .is_ok_and(|(data, _)| serde_json::from_slice::<Vec<u32>>(&data).is_ok());
            assert!(!is_read, "bit {bit}");
        }
    }

    #[test]
    fn files_that_are_known_stay_what_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let number = "0123456789abcdef0123456789abcdef";
        let write = |name: &str, crc: u32| {
            let footer = format!("{{\"version\":{{}},\"crc\":{crc}}}");
            let mut bytes = footer.clone().into_bytes();
            bytes.extend((footer.len() as u32).to_le_bytes());
            bytes.extend(1337_u32.to_le_bytes());
            fs::write(folder.path().join(format!("{number}.{name}")), bytes).unwrap();
        };
        write("idx", 1);
        write("pos", 2);
        write("5.del", 3);
        write("4.del", 4);
        let meta = r#"{"segments": [{"segment_id": "01234567-89ab-cdef-0123-456789abcdef",
            "max_doc": 3, "deletes": {"num_deleted_docs": 1, "opstamp": 5}}], "opstamp": 9}"#;
        let known = Files([(format!("{number}.pos"), 77)].into());
        let files = Files::of_commit(meta.as_bytes(), folder.path(), &known).unwrap();
        let expected = [("5.del", 3), ("idx", 1), ("pos", 77)];
        let expected = expected.map(|(name, crc)| (format!("{number}.{name}"), crc));
        assert_eq!(files, Files(expected.into()));
    }
}
