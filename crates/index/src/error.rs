//! What can go wrong with an index.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use base::{log, pages};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenReadError};
use thiserror::Error;

/// What can go wrong with an index.
#[derive(Debug, Error)]
pub enum Error {
    /// The folder holds something else.
    #[error("`{}` is not a Lookfar index", .0.display())]
    Foreign(PathBuf),
    /// Something else lies beside the files of an index, which would have to be removed.
    #[error("`{}` lies in the folder of an index and is none of its files", .0.display())]
    Stranger(PathBuf),
    /// Written by a newer Lookfar.
    #[error("the index `{}` has format version {found}; this Lookfar knows {known}", path.display())]
    Newer {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// Another writer has the index open.
    #[error("the index `{}` is being written by another process", .0.display())]
    InUse(PathBuf),
    /// The files do not fit together; the index can be rebuilt from the page log.
    #[error("the index `{}` is damaged", path.display())]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// What was found.
        #[source]
        source: TantivyError,
    },
    /// The index could not be read or written.
    #[error("cannot {action} the index `{}`", path.display())]
    Index {
        /// What was tried.
        action: &'static str,
        /// The folder.
        path: PathBuf,
        /// Why not.
        #[source]
        source: TantivyError,
    },
    /// The system refused a file operation.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The page log cannot be read.
    #[error(transparent)]
    Pages(#[from] pages::Error),
}

impl Error {
    /// Judges what tantivy says: in use, damaged, or refused by the system.
    pub(crate) fn new(action: &'static str, path: &Path, source: TantivyError) -> Self {
        let path = path.to_owned();
        match source {
            TantivyError::LockFailure(LockError::LockBusy, _) => Self::InUse(path),
            source if is_damage(&source) => Self::Damaged { path, source },
            source => Self::Index { action, path, source },
        }
    }

    /// Returns whether the same may go well later, when there is room again, or a writer is opened
    /// anew: nothing else is in the folder, and the page log can be read.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Foreign(_) | Self::Stranger(_) | Self::Newer { .. } | Self::InUse(_) => false,
            // What is damaged is made anew when it is opened.
            Self::Damaged { .. } | Self::Index { .. } | Self::File { .. } => true,
            Self::Pages(pages::Error::Log(log::Error::File { .. })) => true,
            Self::Pages(_) => false,
        }
    }

    /// Returns whether it is this process that lacks files or memory, and nothing is wrong with the
    /// index (STO-13).
    pub fn is_want(&self) -> bool {
        match self {
            Self::Damaged { source, .. } | Self::Index { source, .. } => match source {
                TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
                | TantivyError::IoError(io_error) => is_want(io_error),
                _ => false,
            },
            Self::File { source, .. } => is_want(source),
            Self::Pages(pages::Error::Log(log::Error::File { source, .. })) => is_want(source),
            _ => false,
        }
    }

    /// Returns what happened and why, in one line.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }

    /// Returns a function that says which file operation failed, for `map_err`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}

/// Opens what lies in a folder; a panic on the way is damage.
///
/// tantivy trusts its files as soon as their ends are in order, and its readers of columns panic
/// over wrong bytes. One bad file must cost the index, which can be made anew, not the process.
pub(crate) fn guarded<T>(
    folder: &Path,
    open: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    // Nothing that was half made is seen again: it is dropped on the way out.
    catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|_| {
        let source = TantivyError::InternalError("its files are not what was written".to_owned());
        Err(Error::Damaged { path: folder.to_owned(), source })
    })
}

/// Returns whether an error says that the bytes are wrong, rather than out of reach: a process
/// out of descriptors must not throw its index away (IDX-14).
fn is_damage(error: &TantivyError) -> bool {
    match error {
        TantivyError::DataCorruption(_)
        | TantivyError::IncompatibleIndex(_)
        | TantivyError::DeserializeError(_)
        | TantivyError::OpenReadError(
            OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_),
        ) => true,
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => is_format(io_error),
        TantivyError::IoError(io_error) => is_format(io_error),
        _ => false,
    }
}

/// Returns whether it is this process that lacks something, files that it may open or memory, and
/// nothing is said of the file (IDX-14, STO-13): the same may go well in a moment.
pub fn is_want(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM))
        || error.kind() == io::ErrorKind::OutOfMemory
}

/// Returns whether an I/O error is one that readers of formats make up themselves.
fn is_format(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    matches!(error.kind(), InvalidData | NotFound | UnexpectedEof)
        || error.raw_os_error().is_none() && error.kind() == io::ErrorKind::Other
}
