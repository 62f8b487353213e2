//! A collection: the folder that holds one crawl and everything derived from it.
//!
//! ```text
//! VERSION       "lookfar collection 1\n"
//! LOCK          locked by the process that crawls
//! GENERATION    number of the link analysis in use, as text
//! lookfar.toml  what to crawl, how politely, how to rank
//! frontier/  archive/  pages/  index/
//! graph/<gen>/  scores/<gen>/  anchors/<gen>/
//! ```
//! Generations are built beside the old one; writing `GENERATION` switches all three at once.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::file::{sync_folder, write_whole};

/// The folder of a collection, known to be one of ours.
#[derive(Clone, Debug)]
pub struct Collection {
    root: PathBuf,
}

/// Held by the one process that writes; let go when dropped or when the process dies.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Number of one link analysis: graph, scores and anchors that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub u64);

/// What can be wrong with a collection's folder.
#[derive(Debug, Error)]
pub enum Error {
    /// There is no folder, or an empty one.
    #[error("there is no collection in `{}`", .0.display())]
    Missing(PathBuf),
    /// The folder holds something else.
    #[error("`{}` is not a Lookfar collection", .0.display())]
    Foreign(PathBuf),
    /// Written by a newer Lookfar.
    #[error("`{}` has format version {found}; this Lookfar knows {known}", path.display())]
    Newer {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// Another process has the lock.
    #[error("the collection `{}` is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The system refused.
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
}

/// Version of the layout drawn above.
const VERSION: u32 = 1;
const VERSION_WORDS: &str = "lookfar collection ";

impl Collection {
    /// Opens the collection in `root`.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let path = root.join("VERSION");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(match is_vacant(root) {
                    true => Error::Missing(root.to_owned()),
                    false => Error::Foreign(root.to_owned()),
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Error::Foreign(root.to_owned()));
            }
            Err(source) => return Err(Error::File { action: "read", path, source }),
        };
        let number = text.strip_prefix(VERSION_WORDS).and_then(|rest| rest.trim().parse().ok());
        match number {
            Some(VERSION) => Ok(Self { root: root.to_owned() }),
            Some(found) if found > VERSION => {
                Err(Error::Newer { path: root.to_owned(), found, known: VERSION })
            }
            _ => Err(Error::Foreign(root.to_owned())),
        }
    }

    /// Opens the collection in `root`, or makes one if the folder is missing or empty.
    pub fn open_or_create(root: &Path) -> Result<Self, Error> {
        match Self::open(root) {
            Err(Error::Missing(_)) => {}
            other => return other,
        }
        let failed = |source| Error::File { action: "create", path: root.to_owned(), source };
        fs::create_dir_all(root).map_err(failed)?;
        let text = format!("{VERSION_WORDS}{VERSION}\n");
        write_whole(&root.join("VERSION"), text.as_bytes()).map_err(failed)?;
        Ok(Self { root: root.to_owned() })
    }

    /// Takes the lock that a process needs to write, or says that another one has it.
    pub fn lock(&self) -> Result<Lock, Error> {
        let path = self.root.join("LOCK");
        let failed = |source| Error::File { action: "lock", path: path.clone(), source };
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse(self.root.clone())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Returns the folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the configuration file.
    pub fn config(&self) -> PathBuf {
        self.root.join("lookfar.toml")
    }

    /// Returns the frontier's folder.
    pub fn frontier(&self) -> PathBuf {
        self.root.join("frontier")
    }

    /// Returns the archive's folder.
    pub fn archive(&self) -> PathBuf {
        self.root.join("archive")
    }

    /// Returns the page log's folder.
    pub fn pages(&self) -> PathBuf {
        self.root.join("pages")
    }

    /// Returns the index's folder.
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Returns the folder of a generation's web graph.
    pub fn graph(&self, generation: Generation) -> PathBuf {
        self.root.join("graph").join(generation.to_string())
    }

    /// Returns the folder of a generation's scores.
    pub fn scores(&self, generation: Generation) -> PathBuf {
        self.root.join("scores").join(generation.to_string())
    }

    /// Returns the folder of a generation's anchor texts.
    pub fn anchors(&self, generation: Generation) -> PathBuf {
        self.root.join("anchors").join(generation.to_string())
    }

    /// Returns the generation in use, or `None` before the first.
    pub fn generation(&self) -> Result<Option<Generation>, Error> {
        let path = self.root.join("GENERATION");
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim().parse() {
                Ok(number) => Ok(Some(Generation(number))),
                Err(_) => Err(Error::File {
                    action: "read",
                    path,
                    source: io::Error::new(io::ErrorKind::InvalidData, "not a number"),
                }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::File { action: "read", path, source }),
        }
    }

    /// Puts a complete generation to use and removes those before the one it replaces.
    pub fn publish(&self, generation: Generation) -> Result<(), Error> {
        let replaced = self.generation()?;
        for folder in [self.graph(generation), self.scores(generation), self.anchors(generation)] {
            sync_folder(&folder).map_err(|source| Error::File {
                action: "sync",
                path: folder.clone(),
                source,
            })?;
        }
        let path = self.root.join("GENERATION");
        write_whole(&path, format!("{}\n", generation.0).as_bytes())
            .map_err(|source| Error::File { action: "write", path: path.clone(), source })?;
        self.remove_generations(|other| other != generation && Some(other) != replaced);
        Ok(())
    }

    /// Removes what builds that never finished have left; for the process that holds the lock.
    pub fn remove_unfinished(&self) -> Result<(), Error> {
        let used = self.generation()?.unwrap_or(Generation(0));
        self.remove_generations(|other| other > used);
        Ok(())
    }

    /// A folder that cannot be removed now is tried again at the next switch.
    fn remove_generations(&self, is_doomed: impl Fn(Generation) -> bool) {
        for part in ["graph", "scores", "anchors"] {
            let Ok(entries) = fs::read_dir(self.root.join(part)) else { continue };
            for entry in entries.flatten() {
                let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
                if number.is_some_and(|number| is_doomed(Generation(number))) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:010}", self.0)
    }
}

/// Returns whether a collection may be made here: nothing there, an empty folder, or one with
/// only what is prepared before `VERSION` is written.
fn is_vacant(root: &Path) -> bool {
    let is_prepared = |entry: io::Result<fs::DirEntry>| {
        let name = entry.map(|entry| entry.file_name()).unwrap_or_default();
        let name = name.to_string_lossy();
        matches!(name.as_ref(), "lookfar.toml" | "seeds.txt") || name.ends_with(".new")
    };
    match fs::read_dir(root) {
        Ok(mut entries) => entries.all(is_prepared),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
