//! What tantivy writes behind each file of a segment: the checksum of the file, and, covered by
//! none, which version wrote it.
//!
//! ```text
//! file = body | {"version":{…},"crc":<crc32 of the body>} | length of that: u32 le | 1337: u32 le
//! ```
//! The files of a segment are written by one process, so one that names another version than the
//! rest was changed since (STO-07). Files are read here, not mapped as for searching: a disk that
//! cannot read one is then an error with a name, and not a signal (STO-05).

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Length and magic number.
const END_BYTES: u64 = 8;
const MAGIC: u32 = 1337;
/// A footer has some ninety bytes.
const MOST_BYTES: u32 = 1_000;

/// Returns the names of files that say another version than the others of their segment.
///
/// Files that cannot be read at all are left to those who verify checksums.
pub(crate) fn odd_ones(folder: &Path) -> io::Result<Vec<String>> {
    let mut segments = BTreeMap::<String, Vec<(String, String)>>::new();
    let mut deletions = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Some((segment, part)) = name.split_once('.').filter(|(id, _)| id.len() == 32) else {
            continue;
        };
        let Ok(Some(version)) = version(&entry.path()) else { continue };
        // Deletions come later than the rest, maybe from a newer version.
        match part.ends_with(".del") {
            true => deletions.push((name, version)),
            false => {
                let segment = segment.to_owned();
                segments.entry(segment).or_default().push((name, version));
            }
        }
    }
    let mut known = HashSet::new();
    let mut odd = Vec::new();
    for files in segments.into_values() {
        let votes = |version: &str| files.iter().filter(|(_, other)| other == version).count();
        let Some(most) = files.iter().map(|(_, version)| version).max_by_key(|one| votes(one))
        else {
            continue;
        };
        known.insert(most.clone());
        odd.extend(files.iter().filter(|(_, other)| other != most).map(|(name, _)| name.clone()));
    }
    odd.extend(deletions.into_iter().filter(|(_, own)| !known.contains(own)).map(|(name, _)| name));
    odd.sort_unstable();
    Ok(odd)
}

/// Returns the checksum of a file, if it holds; `None` too if the file has no footer.
pub(crate) fn checksum(path: &Path) -> io::Result<Option<u32>> {
    let file = File::open(path)?;
    let Some(footer) = Footer::read(&file)? else { return Ok(None) };
    let (mut hasher, mut part) = (crc32fast::Hasher::new(), vec![0; PART_BYTES]);
    let mut done = 0;
    while done < footer.begin {
        let left = usize::try_from(footer.begin - done).unwrap_or(usize::MAX);
        let part = &mut part[..left.min(PART_BYTES)];
        file.read_exact_at(part, done)?;
        hasher.update(part);
        done += part.len() as u64;
    }
    // As tantivy writes it, to the letter: whatever else says the same number was changed.
    let crc = hasher.finalize();
    let said = format!("{{{}\"crc\":{crc}}}", footer.version());
    Ok((footer.is_marked && footer.text == said).then_some(crc))
}

/// Returns the checksum that a file says it has; `None` if it has no footer.
pub(crate) fn said(path: &Path) -> io::Result<Option<u32>> {
    let footer = Footer::read(&File::open(path)?)?.filter(|footer| footer.is_marked);
    Ok(footer.and_then(|footer| footer.crc()))
}

/// What is read at a time.
const PART_BYTES: usize = 64 * 1024;

/// What stands behind the body of a file.
struct Footer {
    /// Where it begins: the length of the body.
    begin: u64,
    text: String,
    /// Whether it ends with the number that it should.
    is_marked: bool,
}

impl Footer {
    fn read(file: &File) -> io::Result<Option<Self>> {
        let Some(end) = file.metadata()?.len().checked_sub(END_BYTES) else { return Ok(None) };
        let mut last = [0; END_BYTES as usize];
        file.read_exact_at(&mut last, end)?;
        let [a, b, c, d, mark @ ..] = last;
        let length = u32::from_le_bytes([a, b, c, d]).min(MOST_BYTES);
        let Some(begin) = end.checked_sub(u64::from(length)) else { return Ok(None) };
        let mut text = vec![0; length as usize];
        file.read_exact_at(&mut text, begin)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(Some(Self { begin, text, is_marked: u32::from_le_bytes(mark) == MAGIC }))
    }

    /// Returns what stands before the checksum, without the brace.
    fn version(&self) -> &str {
        let text = self.text.strip_prefix('{').unwrap_or_default();
        text.split_once("\"crc\"").map_or("", |(version, _)| version)
    }

    fn crc(&self) -> Option<u32> {
        self.text.strip_suffix('}')?.split_once("\"crc\":")?.1.parse().ok()
    }
}

/// Returns what a file says before its checksum; `None` if it has no footer.
fn version(path: &Path) -> io::Result<Option<String>> {
    let footer = Footer::read(&File::open(path)?)?;
    Ok(footer.map(|footer| footer.version().to_owned()).filter(|version| !version.is_empty()))
}
