//! The lists that say which tables the store has: verified before it opens them.
//!
//! The store believes its lists, and panics over one that it cannot have written, in a way that
//! cannot be caught. Yet it knows better: beside each list lies its checksum, which it does not ask.
//! As lsm-tree 3 writes them, one of each per keyspace:
//!
//! ```text
//! current = number: u64 le | xxh3-128 of the file `v<number>`: u128 le | 0: u8
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

/// Bytes of a `current`.
const CURRENT_BYTES: usize = 8 + 16 + 1;

/// Returns a file of the store that is not what was written, if there is one.
///
/// A keyspace that was never finished has no `current`; that is for the store to judge.
pub(super) fn damaged(store: &Path) -> io::Result<Option<PathBuf>> {
    let Some(keyspaces) = unless_missing(fs::read_dir(store.join("keyspaces")))? else {
        return Ok(None);
    };
    for keyspace in keyspaces {
        let current = keyspace?.path().join("current");
        let Some(bytes) = unless_missing(fs::read(&current))? else { continue };
        let Ok(bytes) = <[u8; CURRENT_BYTES]>::try_from(bytes) else { return Ok(Some(current)) };
        let (number, rest) = bytes.split_at(8);
        let number = u64::from_le_bytes(number.try_into().expect("it was split there"));
        let list = current.with_file_name(format!("v{number}"));
        match unless_missing(fs::read(&list))? {
            None => return Ok(Some(current)),
            Some(bytes) if xxh3_128(&bytes).to_le_bytes() != rest[..16] => return Ok(Some(list)),
            Some(_) => {}
        }
    }
    Ok(None)
}

fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
