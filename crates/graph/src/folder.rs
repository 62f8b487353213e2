//! The folder of one generation: built beside its place, listed, renamed when whole.
//!
//! A folder `0000000007` is built as `0000000007.tmp`. When all files are there, `manifest` is
//! written, everything is synced, and the folder gets its name. So a folder that has its name is
//! whole; the compressed graph's files, which carry no checksums, have theirs in the manifest:
//!
//! ```text
//! lookfar manifest 1
//! <crc32, 8 hex digits> <size in bytes> <file name>      one line per file, by name
//! end <crc32 of all lines before, 8 hex digits>
//! ```

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use base::file::{sync_folder, sync_parent, write_whole};

use crate::Error;

const MANIFEST: &str = "manifest";
const VERSION: u32 = 1;
const FIRST_WORDS: &str = "lookfar manifest ";
/// Far above what a generation's few files need.
const MANIFEST_BYTES: u64 = 1024 * 1024;

/// A folder that does not have its name yet. Dropped unfinished, it is removed.
#[derive(Debug)]
pub(crate) struct Unfinished {
    beside: PathBuf,
    place: PathBuf,
    is_finished: bool,
}

impl Unfinished {
    /// Makes an empty folder beside `place`, removing what an earlier attempt has left there.
    pub(crate) fn create(place: &Path) -> Result<Self, Error> {
        let beside = place.with_added_extension("tmp");
        remove(&beside)?;
        fs::create_dir_all(&beside).map_err(Error::file("create", &beside))?;
        Ok(Self { beside, place: place.to_owned(), is_finished: false })
    }

    /// Returns where the files go.
    pub(crate) fn path(&self) -> &Path {
        &self.beside
    }

    /// Lists and syncs all files and gives the folder its name, in place of one that has it.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let mut text = format!("{FIRST_WORDS}{VERSION}\n");
        for (name, size) in files(&self.beside)? {
            let path = self.beside.join(&name);
            let file = File::open(&path).map_err(Error::file("open", &path))?;
            let crc = crc_of(&file, &path)?;
            file.sync_all().map_err(Error::file("sync", &path))?;
            text += &format!("{crc:08x} {size} {name}\n");
        }
        text += &format!("end {:08x}\n", crc32fast::hash(text.as_bytes()));
        let path = self.beside.join(MANIFEST);
        write_whole(&path, text.as_bytes()).map_err(Error::file("write", &path))?;
        sync_folder(&self.beside).map_err(Error::file("sync", &self.beside))?;
        remove(&self.place)?;
        fs::rename(&self.beside, &self.place).map_err(Error::file("rename", &self.beside))?;
        self.is_finished = true;
        sync_parent(&self.place).map_err(Error::file("sync", &self.place))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            // What cannot be removed now is removed by the next attempt.
            let _ = remove(&self.beside);
        }
    }
}

/// Removes what interrupted builds have left beside the generations in `parent`.
pub(crate) fn remove_unfinished(parent: &Path) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(parent) else { return Ok(()) };
    for entry in entries.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "tmp") {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// A line of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) crc: u32,
}

/// Verifies that the folder holds every listed file in its listed size; returns the list.
pub(crate) fn open(folder: &Path) -> Result<Vec<Listed>, Error> {
    let path = folder.join(MANIFEST);
    let file = File::open(&path).map_err(Error::file("open", &path))?;
    let mut bytes = Vec::new();
    file.take(MANIFEST_BYTES).read_to_end(&mut bytes).map_err(Error::file("read", &path))?;
    let listed = parse(&bytes, &path)?;
    for file in &listed {
        let path = folder.join(&file.name);
        let found = fs::metadata(&path).map_err(Error::file("open", &path))?.len();
        if found != file.size {
            let reason = format!("it has {found} bytes instead of {}", file.size);
            return Err(Error::damaged(&path, reason));
        }
    }
    Ok(listed)
}

/// Verifies a listed file's content.
pub(crate) fn verify(folder: &Path, file: &Listed) -> Result<(), Error> {
    let path = folder.join(&file.name);
    let opened = File::open(&path).map_err(Error::file("open", &path))?;
    match crc_of(&opened, &path)? == file.crc {
        true => Ok(()),
        false => Err(Error::damaged(&path, "its checksum does not hold")),
    }
}

/// Verifies the folder and the content of every file in it.
pub(crate) fn check(folder: &Path) -> Result<(), Error> {
    for file in open(folder)? {
        verify(folder, &file)?;
    }
    Ok(())
}

fn parse(bytes: &[u8], path: &Path) -> Result<Vec<Listed>, Error> {
    let damaged = |reason: &str| Error::damaged(path, reason);
    let text = std::str::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
    let first = text.strip_prefix(FIRST_WORDS).ok_or_else(|| damaged("it is no manifest"))?;
    let version = first.split('\n').next().and_then(|word| word.parse().ok());
    match version {
        Some(VERSION) => {}
        Some(found) if found > VERSION => {
            return Err(Error::Newer { path: path.to_owned(), found, known: VERSION });
        }
        _ => return Err(damaged("it has no version")),
    }
    let end = text.rfind("end ").ok_or_else(|| damaged("it is cut"))?;
    let (lines, last) = text.split_at(end);
    if last != format!("end {:08x}\n", crc32fast::hash(lines.as_bytes())) {
        return Err(damaged("its checksum does not hold"));
    }
    let line = |line: &str| {
        let (crc, rest) = line.split_once(' ')?;
        let (size, name) = rest.split_once(' ')?;
        let crc = u32::from_str_radix(crc, 16).ok()?;
        Some(Listed { name: name.to_owned(), size: size.parse().ok()?, crc })
    };
    let listed: Option<Vec<Listed>> = lines.lines().skip(1).map(line).collect();
    listed.ok_or_else(|| damaged("a line is not readable"))
}

/// Returns names and sizes of the files in a folder, by name.
fn files(folder: &Path) -> Result<Vec<(String, u64)>, Error> {
    let failed = || Error::file("list", folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        let data = entry.metadata().map_err(failed())?;
        if data.is_file() {
            found.push((entry.file_name().to_string_lossy().into_owned(), data.len()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn crc_of(mut input: &File, path: &Path) -> Result<u32, Error> {
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer).map_err(Error::file("read", path))? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        }
    }
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("remove", folder)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(place: &Path) {
        let unfinished = Unfinished::create(place).unwrap();
        fs::write(unfinished.path().join("a"), "one").unwrap();
        fs::write(unfinished.path().join("b"), "").unwrap();
        unfinished.finish().unwrap();
    }

    #[test]
    fn a_folder_has_its_name_when_it_is_whole() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("graph").join("1");
        let unfinished = Unfinished::create(&place).unwrap();
        fs::write(unfinished.path().join("old"), "").unwrap();
        assert!(!place.exists());
        unfinished.finish().unwrap();
        assert!(place.join("old").exists());
        check(&place).unwrap();
        // Built again over the old one.
        finished(&place);
        check(&place).unwrap();
        assert!(!place.join("old").exists());
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_unfinished_folder_leaves_nothing() {
        let parent = tempfile::tempdir().unwrap();
        drop(Unfinished::create(&parent.path().join("1")).unwrap());
        fs::create_dir(parent.path().join("2.tmp")).unwrap();
        remove_unfinished(parent.path()).unwrap();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_changed_or_missing_byte_is_found() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("1");
        finished(&place);
        for name in ["a", "manifest"] {
            let path = place.join(name);
            let whole = fs::read(&path).unwrap();
            for place_of_byte in 0..whole.len() {
                let mut bytes = whole.clone();
                bytes[place_of_byte] ^= 4;
                fs::write(&path, &bytes).unwrap();
                assert!(check(&place).is_err(), "byte {place_of_byte} of {name}");
                fs::write(&path, &whole[..place_of_byte]).unwrap();
                assert!(check(&place).is_err(), "{name} cut at {place_of_byte}");
            }
            fs::write(&path, &whole).unwrap();
            check(&place).unwrap();
        }
        fs::remove_file(place.join("b")).unwrap();
        assert!(matches!(check(&place), Err(Error::File { .. })));
    }

    #[test]
    fn a_newer_manifest_is_said_to_be_newer() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join("manifest"), "lookfar manifest 2\nwhatever").unwrap();
        assert!(matches!(check(parent.path()), Err(Error::Newer { found: 2, .. })));
    }
}
