//! A folder of files that tantivy reads and writes, durable where it counts.
//!
//! The lists that tantivy keeps (`meta.json`, `.managed.json`) carry no checksum of their own. Here
//! they end with one, which is taken off again when they are read:
//!
//! ```text
//! list = what tantivy wrote | "\ncrc32 " | crc32 of what tantivy wrote: 8 hex digits | "\n"
//! ```

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::file::sync_folder;
use tantivy::Directory;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, META_LOCK, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

use crate::cut;

/// The file whose renaming is a commit.
pub(crate) const META: &str = "meta.json";
/// The list of files that tantivy is to remove one day.
pub(crate) const MANAGED: &str = ".managed.json";

/// tantivy's memory-mapped folder, with two promises more: lists are whole, and commits durable.
///
/// tantivy syncs the folder before it renames `meta.json`, not after: a commit that was
/// acknowledged could be lost with the power, while files that only the older commit needs are
/// already removed. Here the rename itself is durable before anything goes on, for commits and
/// for merges.
#[derive(Clone, Debug)]
pub(crate) struct Durable {
    files: MmapDirectory,
    folder: PathBuf,
    /// Pages of cut files up to now: what is made of more of them is not published.
    num_missed: u64,
}

impl Durable {
    pub(crate) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        let num_missed = cut::num_missed();
        Ok(Self { files: MmapDirectory::open(folder)?, folder: folder.to_owned(), num_missed })
    }
}

impl Durable {
    /// Takes the lock that readers share with the writer's cleaning, where nothing may be written:
    /// a collection of somebody else, or on a disk that is read only (STO-12).
    fn lock_to_read(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let failed = |error| LockError::IoError(Arc::new(error));
        match File::open(self.folder.join(&lock.filepath)) {
            Ok(file) => {
                file.lock().map_err(failed)?;
                Ok(DirectoryLock::from(Box::new(file)))
            }
            // Nobody has ever written here who would clean.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(DirectoryLock::from(Box::new(())))
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// What stands before the checksum of a list.
const SEAL: &[u8] = b"\ncrc32 ";
/// Bytes of a checksum as text, with what stands around it.
const SEAL_BYTES: usize = SEAL.len() + 8 + 1;

/// Returns a list with its checksum.
fn sealed(data: &[u8]) -> Vec<u8> {
    let crc = format!("{:08x}\n", crc32fast::hash(data));
    [data, SEAL, crc.as_bytes()].concat()
}

/// Takes the checksum off a list, if it holds. Lists of older indexes have none, and what else
/// stands there is no list that tantivy would read.
fn unsealed(mut sealed: Vec<u8>) -> io::Result<Vec<u8>> {
    let Some(length) = sealed.len().checked_sub(SEAL_BYTES) else { return Ok(sealed) };
    let (data, seal) = sealed.split_at(length);
    if !seal.starts_with(SEAL) {
        return Ok(sealed);
    }
    let crc = format!("{:08x}\n", crc32fast::hash(data));
    if seal[SEAL.len()..] != *crc.as_bytes() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not hold"));
    }
    sealed.truncate(length);
    Ok(sealed)
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

impl Directory for Durable {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let sealed = self.files.atomic_read(path)?;
        unsealed(sealed).map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if cut::num_missed() != self.num_missed {
            // A commit or a merge may have read zeros (STO-08).
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a file was cut while in use"));
        }
        self.files.atomic_write(path, &sealed(data))?;
        if path == Path::new(META) { sync_folder(&self.folder) } else { Ok(()) }
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.files.acquire_lock(lock) {
            Err(LockError::IoError(error))
                if is_forbidden(&error) && *lock.filepath == *META_LOCK.filepath =>
            {
                self.lock_to_read(lock)
            }
            locked => locked,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
