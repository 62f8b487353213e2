//! A folder of files that tantivy reads and writes, durable where it counts, and where a file is
//! only opened if it is the one that was written ([`lists`]).

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use base::file::sync_folder;
use tantivy::Directory;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, META_LOCK, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

use crate::lists::{self, Files};
use crate::{cut, footer};

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
    /// The files of the commit that was read or written last.
    known: Arc<RwLock<Files>>,
    /// Pages of cut files up to now: what is made of more of them is not published.
    num_missed: u64,
}

impl Durable {
    pub(crate) fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        let num_missed = cut::num_missed();
        let (files, known) = (MmapDirectory::open(folder)?, Arc::default());
        Ok(Self { files, folder: folder.to_owned(), known, num_missed })
    }

    fn know(&self, files: Files) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = files;
    }

    /// Fails if a file says that it is another than the one that was written under its name.
    fn verify(&self, path: &Path) -> io::Result<()> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(path);
        let Some(known) = known else { return Ok(()) };
        match footer::said(&self.folder.join(path)) {
            // Still mapped, and removed since by a merge.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(said) if said == Some(known) => Ok(()),
            Ok(_) => {
                let reason = "it is not the file that was written";
                Err(io::Error::new(io::ErrorKind::InvalidData, reason))
            }
        }
    }

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

/// A file that says why it cannot be written: tantivy's threads die of it and keep it to themselves.
struct Telling {
    file: WritePtr,
    path: PathBuf,
}

/// Says why something was not written.
fn told<T>(outcome: io::Result<T>, path: &Path) -> io::Result<T> {
    outcome.inspect_err(|error| {
        let path = path.display();
        tracing::warn!(%error, %path, "a file of the index cannot be written");
    })
}

impl io::Write for Telling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        told(written, &self.path)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        told(flushed, &self.path)
    }
}

impl TerminatingWrite for Telling {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        let ended = self.file.terminate_ref(token);
        told(ended, &self.path)
    }
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

impl Directory for Durable {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let file = self.files.get_file_handle(path)?;
        let wrong = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        self.verify(path).map_err(wrong)?;
        Ok(file)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let (file, path) = (self.files.open_write(path)?, self.folder.join(path));
        // The file has a buffer of its own; a second one would only copy.
        Ok(io::BufWriter::with_capacity(0, Box::new(Telling { file, path })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let wrong = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        let (data, files) = lists::unsealed(self.files.atomic_read(path)?).map_err(wrong)?;
        if path == Path::new(META) {
            self.know(files);
        }
        Ok(data)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if cut::num_missed() != self.num_missed {
            // A commit or a merge may have read zeros (STO-08).
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a file was cut while in use"));
        }
        let write = || {
            if path != Path::new(META) {
                return self.files.atomic_write(path, &lists::sealed(data, &Files::default()));
            }
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
            let files = Files::of_commit(data, &self.folder, &known)?;
            self.files.atomic_write(path, &lists::sealed(data, &files))?;
            self.know(files);
            sync_folder(&self.folder)
        };
        told(write(), &self.folder.join(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        told(self.files.sync_directory(), &self.folder)
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
