//! A folder of files as if a server had served it: each file a page below one address.
//!
//! Files and folders whose name begins with a dot are left out, and so are links that lead out
//! of the folder, and folders that are links: they may lead in circles.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base::limits::PDF_BYTES;

use super::{Foreign, Item, Source, made_head, percent_encoded};
use crate::{Cut, Error};

/// Goes through a folder and those below it, in the order of names.
pub struct Files {
    root: PathBuf,
    /// The address of the root, with a slash at its end.
    base: String,
    /// Folders being read: what is left of each, last name first.
    open: Vec<(PathBuf, Vec<OsString>)>,
    used: u64,
    is_counting: bool,
}

/// Folders inside each other.
const DEPTH: usize = 64;

impl Files {
    /// Opens a folder whose files are to be pages below `base`.
    pub fn open(folder: &Path, base: &base::Url) -> Result<Self, Error> {
        let root = fs::canonicalize(folder).map_err(failed("open", folder))?;
        let names = names(&root).map_err(failed("list", &root))?;
        let mut base = base.to_string();
        if !base.ends_with('/') {
            base.push('/');
        }
        let open = vec![(root.clone(), names)];
        Ok(Self { root, base, open, used: 0, is_counting: false })
    }

    /// Returns how many bytes there are to be read. Cost: goes through all folders.
    pub fn size(folder: &Path, base: &base::Url) -> Result<u64, Error> {
        let mut files = Self { is_counting: true, ..Self::open(folder, base)? };
        for _ in files.by_ref() {}
        Ok(files.used)
    }

    /// Returns the next path, entering folders.
    fn next_path(&mut self) -> Option<PathBuf> {
        loop {
            let (folder, names) = self.open.last_mut()?;
            match names.pop() {
                Some(name) => return Some(folder.join(name)),
                None => drop(self.open.pop()),
            }
        }
    }

    fn visit(&mut self, path: &Path) -> io::Result<Option<Item>> {
        let is_hidden = path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
        if is_hidden {
            return Ok(Some(Item::Other("hidden file")));
        }
        let data = fs::symlink_metadata(path)?;
        if data.is_dir() {
            if self.open.len() >= DEPTH {
                return Ok(Some(Item::Other("folder too deep")));
            }
            self.open.push((path.to_owned(), names(path)?));
            return Ok(None);
        }
        if data.is_symlink() {
            let place = fs::canonicalize(path)?;
            if !place.starts_with(&self.root) || !place.is_file() {
                return Ok(Some(Item::Other("link out of the folder, or to one")));
            }
        } else if !data.is_file() {
            return Ok(Some(Item::Other("neither file nor folder")));
        }
        let data = fs::metadata(path)?;
        self.used += data.len();
        if self.is_counting {
            return Ok(None);
        }
        let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        if NOT_READ.contains(&extension.as_str()) {
            return Ok(Some(Item::Other("file without text")));
        }
        self.read(path, &data, media(&extension)).map(Some)
    }

    fn read(&self, path: &Path, data: &fs::Metadata, media: Option<&str>) -> io::Result<Item> {
        let mut body = Vec::new();
        File::open(path)?.take(PDF_BYTES as u64 + 1).read_to_end(&mut body)?;
        let cut = (body.len() > PDF_BYTES).then_some(Cut::Length);
        body.truncate(PDF_BYTES);
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let names: Vec<String> =
            below.iter().map(|name| percent_encoded(name.as_bytes())).collect();
        Ok(Item::Response(Box::new(Foreign {
            target: format!("{}{}", self.base, names.join("/")),
            is_named_by_us: false,
            fetched: data.modified().unwrap_or(SystemTime::UNIX_EPOCH).into(),
            address: None,
            head: made_head("file", media, body.len()),
            body,
            cut,
        })))
    }
}

impl Iterator for Files {
    type Item = Result<Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let path = self.next_path()?;
            match self.visit(&path) {
                Ok(Some(item)) => return Some(Ok(item)),
                Ok(None) => {}
                Err(source) => return Some(Err(failed("read", &path)(source))),
            }
        }
    }
}

impl Source for Files {
    fn used(&self) -> u64 {
        self.used
    }
}

/// Returns the names in a folder, last first.
fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name());
    }
    names.sort_unstable_by(|a, b| b.cmp(a));
    Ok(names)
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::File { action, path: path.to_owned(), source }
}

/// What a server would say of a file by its name; nothing where the bytes tell it better.
fn media(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "html" | "htm" | "shtml" => "text/html",
        "xhtml" | "xht" => "application/xhtml+xml",
        "txt" | "text" | "log" => "text/plain",
        "md" | "markdown" => "text/markdown",
        "xml" => "application/xml",
        "rss" => "application/rss+xml",
        "atom" => "application/atom+xml",
        "json" => "application/json",
        "csv" => "text/csv",
        "rtf" => "application/rtf",
        "pdf" => "application/pdf",
        "epub" => "application/epub+zip",
        _ => return None,
    })
}

/// Extensions of files in which there is nothing to be found.
const NOT_READ: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "svgz", "ico", "webp", "bmp", "tif", "tiff", "avif", "mp3",
    "ogg", "wav", "flac", "mp4", "webm", "avi", "mov", "mkv", "css", "js", "mjs", "map", "woff",
    "woff2", "ttf", "otf", "eot", "zip", "gz", "bz2", "xz", "zst", "tar", "7z", "rar", "jar",
    "deb", "rpm", "iso", "exe", "dll", "so", "o", "a", "bin", "wasm", "class", "pyc",
];
