//! A file of a generation, mapped: what is read of it stays in the system's cache, not in memory
//! of ours.

use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::Error;

/// A mapped file.
#[derive(Debug)]
pub(super) struct Map {
    path: PathBuf,
    file: File,
    bytes: Mmap,
}

impl Map {
    #[allow(unsafe_code)]
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        // SAFETY: the files of a generation are not changed once its folder has its name, so the
        // bytes stay as they are. If others change them nevertheless, any byte is as good as any
        // other: they are only looked at, one load each, and what they say is checked then. If
        // others cut the file, a load raises SIGBUS, as for every map; `is_whole` tells before.
        let bytes = unsafe { Mmap::map(&file) }.map_err(Error::file("map", path))?;
        Ok(Self { path: path.to_owned(), file, bytes })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether the file is as long as it was. Asks the system.
    pub(super) fn is_whole(&self) -> bool {
        self.file.metadata().is_ok_and(|data| data.len() == self.bytes.len() as u64)
    }
}
