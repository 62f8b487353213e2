//! What tantivy writes behind each file of a segment, and no checksum covers: which version wrote
//! it.
//!
//! ```text
//! file = body | {"version":{…},"crc":<crc32 of the body>} | length of that: u32 le | 1337: u32 le
//! ```
//! The files of a segment are written by one process, so one that names another version than the
//! rest was changed since (STO-07).

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Length and magic number.
const END_BYTES: u64 = 8;
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
        let Some(version) = version(&entry.path())? else { continue };
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

/// Returns what a file says before its checksum; `None` if it has no footer.
fn version(path: &Path) -> io::Result<Option<String>> {
    let file = File::open(path)?;
    let Some(end) = file.metadata()?.len().checked_sub(END_BYTES) else { return Ok(None) };
    let mut length = [0; 4];
    file.read_exact_at(&mut length, end)?;
    let length = u32::from_le_bytes(length).min(MOST_BYTES);
    let Some(begin) = end.checked_sub(u64::from(length)) else { return Ok(None) };
    let mut text = vec![0; length as usize];
    file.read_exact_at(&mut text, begin)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(text.split_once("\"crc\"").map(|(version, _)| version.to_owned()))
}
