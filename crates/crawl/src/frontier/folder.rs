//! The store's folder: removed and begun so that a kill in the middle leaves no half of one.
//!
//! The store writes the file `version` last when it is made. Here it is the first to go. A folder
//! without it holds nothing that counts; the store itself would stumble over what lies there.

use std::fs;
use std::io;
use std::path::Path;

use base::file::sync_folder;

/// What the store writes last when it is made.
const MARKER: &str = "version";

/// Bytes of a whole marker.
const MARKER_BYTES: u64 = 4;

/// Removes a store; one that is not there is no error.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    if unless_missing(fs::remove_file(folder.join(MARKER)))? {
        sync_folder(folder)?;
    }
    unless_missing(fs::remove_dir_all(folder)).map(drop)
}

/// Removes what is left of a store whose making or removal was cut off.
pub(super) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder.join(MARKER)) {
        Ok(marker) if marker.len() >= MARKER_BYTES => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => remove(folder),
    }
}

/// Returns whether there was something.
fn unless_missing(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Frontier, Sizes};
    use super::*;

    /// Kills cannot be aimed; every state that one can leave is made by hand.
    #[test]
    fn a_store_cut_off_while_it_is_made_or_removed_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("frontier");
        let sizes = Sizes {
            cache_bytes: 1 << 20,
            seen: 1 << 10,
            importance: 1 << 10,
            lessons_bytes: 1 << 20,
        };
        drop(Frontier::open(&store, sizes).unwrap());
        assert_eq!(fs::metadata(store.join(MARKER)).unwrap().len(), MARKER_BYTES);
        // Cut off after the marker went, and after it was created but not written.
        fs::remove_file(store.join(MARKER)).unwrap();
        assert!(store.join("0.jnl").exists());
        drop(Frontier::open(&store, sizes).unwrap());
        fs::File::create(store.join(MARKER)).unwrap();
        drop(Frontier::open(&store, sizes).unwrap());
        // One that is whole stays.
        let witness = store.join("witness");
        fs::write(&witness, "").unwrap();
        drop(Frontier::open(&store, sizes).unwrap());
        assert!(witness.exists());
        remove(&store).unwrap();
        remove(&store).unwrap();
        assert!(!store.exists());
    }
}
