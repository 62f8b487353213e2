//! The folder of an index: is it ours, which version, made new or opened.
//!
//! ```text
//! FORMAT       "lookfar index 11\n" or "lookfar anchors 3\n", written before anything else
//! meta.json    tantivy's list of segments; its payload is the checkpoint in the page log
//!              (this list and `.managed.json` end with a checksum, see `lists`)
//! *            tantivy's segments, each file with a checksum in its footer
//! ```
//! Without its mark a folder is somebody else's, and nothing in it is touched; only who was asked to
//! repair it looks closer.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use base::file::{sync_parent, write_whole};
use base::log::Position;
use serde::{Deserialize, Serialize};
use tantivy::schema::Schema;
use tantivy::store::Compressor;
use tantivy::{Index, IndexMeta, IndexSettings, IndexSortByField, Order};

use crate::directory::{Durable, MANAGED, META};
use crate::schema::tokenizers;
use crate::{Error, Fields};

/// What an index is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    words: &'static str,
    /// Version of the fields and of the analysis that fills them. Raise it when either changes;
    /// an older index is then rebuilt from the page log.
    version: u32,
}

impl Kind {
    /// Returns which version a mark says; `None` if it is not one of this kind, to the letter: the
    /// mark has no checksum, and a flipped bit is to be found in it too (STO-07).
    fn version_in(self, mark: &str) -> Option<u32> {
        let version = mark.strip_prefix(self.words)?.strip_suffix('\n')?.parse().ok()?;
        (self.mark_of(version) == mark).then_some(version)
    }

    fn mark_of(self, version: u32) -> String {
        format!("{}{version}\n", self.words)
    }
}

/// The index of pages.
pub(crate) const PAGES: Kind = Kind { words: "lookfar index ", version: 11 };
/// The index of anchor texts.
pub(crate) const ANCHORS: Kind = Kind { words: "lookfar anchors ", version: 3 };

/// The mark of a folder that is ours.
pub(crate) const FORMAT_FILE: &str = "FORMAT";

/// What a commit carries besides the segments.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Payload {
    /// End of the last record of the page log that the commit holds.
    pub(crate) position: Position,
    /// Pages of the log up to here may have documents although `position` lies before them: their
    /// index is being filled in the order of ranks ([`crate::bulk`]), or that was interrupted, and
    /// what was left is being read again. `None` in all other commits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filling: Option<Position>,
}

/// What lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing, or the beginning of an index that was never made.
    Nothing,
    /// Segments without the list of them.
    Unlisted,
    /// An index of an older format.
    Older,
    /// An index that we can open.
    Index,
}

/// Looks at a folder; refuses what is not ours or newer than we are.
pub(crate) fn look(folder: &Path, kind: Kind) -> Result<Found, Error> {
    let path = folder.join(FORMAT_FILE);
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if is_vacant(folder)? {
                Ok(Found::Nothing)
            } else {
                Err(Error::Foreign(folder.to_owned()))
            };
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(Error::Foreign(folder.to_owned()));
        }
        Err(source) => return Err(Error::File { action: "read", path, source }),
    };
    let known = kind.version;
    match kind.version_in(&text) {
        Some(found) if found > known => Err(Error::Newer { path: folder.to_owned(), found, known }),
        Some(found) if found < known => Ok(Found::Older),
        Some(_) if folder.join(META).exists() => Ok(Found::Index),
        Some(_) if has_segments(folder)? => Ok(Found::Unlisted),
        Some(_) => Ok(Found::Nothing),
        None => Err(Error::Foreign(path)),
    }
}

/// Like [`look`], but knows an index by the names of its files too, where its mark is damaged or
/// gone: `None`. For those who were asked to repair it, and those who tell what they would do.
pub(crate) fn look_closely(folder: &Path, kind: Kind) -> Result<Option<Found>, Error> {
    match look(folder, kind) {
        Err(Error::Foreign(_)) if folder.is_dir() => {}
        found => return found.map(Some),
    }
    let names = own_files(folder)?;
    let text = fs::read(folder.join(FORMAT_FILE)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // A mark that can be read is believed: this is an index of something else.
    let is_another = [PAGES, ANCHORS].iter().any(|other| other.version_in(&text).is_some());
    let is_known = |name: &String| [FORMAT_FILE, META, MANAGED].contains(&name.as_str());
    match !is_another && names.iter().any(is_known) {
        true => Ok(None),
        false => Err(Error::Foreign(folder.to_owned())),
    }
}

/// Empties a folder that [`look_closely`] knows, so that an index can be made in it.
pub(crate) fn reclaim(folder: &Path, kind: Kind) -> Result<(), Error> {
    if look_closely(folder, kind)?.is_none() {
        // As an older index, so that nobody takes it for a whole one if this ends here.
        mark(folder, Kind { version: 0, ..kind })?;
    }
    clear(folder)
}

/// Writes the mark of a folder.
fn mark(folder: &Path, kind: Kind) -> Result<(), Error> {
    let path = folder.join(FORMAT_FILE);
    write_whole(&path, kind.mark_of(kind.version).as_bytes()).map_err(Error::file("write", &path))
}

/// Makes an empty index in a folder where [`look`] found nothing.
///
/// Its segments are sorted by the field `sorted_by`, largest first.
pub(crate) fn create(
    folder: &Path,
    kind: Kind,
    schema: Schema,
    sorted_by: Option<&str>,
) -> Result<Index, Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    sync_parent(folder).map_err(Error::file("sync", folder))?;
    mark(folder, kind)?;
    let failed = |source| Error::new("create", folder, source);
    let directory = Durable::open(folder).map_err(|source| failed(source.into()))?;
    let settings = IndexSettings {
        // The second stage unpacks up to a hundred texts for an answer, which with zstd was a third
        // of its time. LZ4 takes more room, and the archive has every text in less
        // (docs/measurements/2026-11-17-search.md). Indexes that were made with zstd stay readable.
        docstore_compression: Compressor::Lz4,
        // A text is unpacked with its neighbours in the block, which nobody has asked for.
        docstore_blocksize: 4 * 1024,
        sort_by_field: sorted_by
            .map(|field| IndexSortByField { field: field.to_owned(), order: Order::Desc }),
        ..IndexSettings::default()
    };
    let mut index = Index::create(directory, schema, settings).map_err(failed)?;
    index.set_tokenizers(tokenizers());
    Ok(index)
}

/// Opens an index that [`look`] found; any other schema than `schema` is damage.
pub(crate) fn open(folder: &Path, schema: &Schema) -> Result<Index, Error> {
    let failed = |source| Error::new("open", folder, source);
    let directory = Durable::open(folder).map_err(|source| failed(source.into()))?;
    let mut index = Index::open(directory).map_err(failed)?;
    if index.schema() != *schema {
        let found = "its fields are others than its format has".to_owned();
        let source = tantivy::TantivyError::SchemaError(found);
        return Err(Error::Damaged { path: folder.to_owned(), source });
    }
    index.set_tokenizers(tokenizers());
    Ok(index)
}

/// Opens an index of pages.
pub(crate) fn open_pages(folder: &Path) -> Result<(Index, Fields), Error> {
    let (schema, fields) = Fields::schema();
    Ok((open(folder, &schema)?, fields))
}

/// Removes the index in a folder where [`look`] has found one; refuses to if there is anything else.
///
/// The mark goes last: a folder that was left half-way is still known as ours.
pub(crate) fn clear(folder: &Path) -> Result<(), Error> {
    let mut names = own_files(folder)?;
    names.sort_by_key(|name| name == FORMAT_FILE);
    for name in names {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(Error::file("remove", &path))?;
    }
    Ok(())
}

/// Returns the names of all files in a folder, none if there is no folder; fails if one of them is
/// not of an index.
fn own_files(folder: &Path) -> Result<Vec<String>, Error> {
    let failed = |source| Error::file("list", folder)(source);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        match entry.file_name().into_string() {
            Ok(name) if is_own(&name) && !is_folder => names.push(name),
            _ => return Err(Error::Stranger(entry.path())),
        }
    }
    Ok(names)
}

/// Returns whether a file has a name that this module or tantivy gives.
fn is_own(name: &str) -> bool {
    let names = [FORMAT_FILE, UNFINISHED, META, MANAGED, WRITER_LOCK, META_LOCK];
    let is_part = |part: &str| match part.strip_suffix(".del") {
        Some(count) => count.parse::<u64>().is_ok(),
        None => PARTS.contains(&part) || part == TEMPORARY,
    };
    // What is written before it is renamed to a list.
    let is_unnamed = name.starts_with(".tmp");
    names.contains(&name) || is_unnamed || segment_part(name).is_some_and(|(_, part)| is_part(part))
}

fn has_segments(folder: &Path) -> Result<bool, Error> {
    let mut entries = fs::read_dir(folder).map_err(Error::file("list", folder))?;
    let is_part = |name: &str| segment_part(name).is_some();
    Ok(entries
        .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_part))))
}

/// Returns whether a folder has files of segments, but not the list of them: nothing in it can be
/// found, and nothing would say so.
pub(crate) fn is_unlisted(folder: &Path) -> bool {
    !folder.join(META).exists() && has_segments(folder).unwrap_or(false)
}

/// Removes files of segments that no commit names: what a process left that died in a commit.
///
/// They are not only waste. tantivy names the deletions of a segment by a count that goes on from
/// the last commit, so the next commit could want the name of a file that is there, and fail, and
/// so would every one after it (STO-03). For who holds the writer's lock.
pub(crate) fn clear_left_overs(folder: &Path, meta: &IndexMeta) -> Result<(), Error> {
    let named: HashMap<String, Option<u64>> = meta
        .segments
        .iter()
        .map(|segment| (segment.id().uuid_string(), segment.delete_opstamp()))
        .collect();
    for entry in fs::read_dir(folder).map_err(Error::file("list", folder))? {
        let entry = entry.map_err(Error::file("list", folder))?;
        if entry.file_name().to_str().is_some_and(|name| is_left_over(name, &named)) {
            let path = entry.path();
            fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
    }
    Ok(())
}

/// Returns whether a file is a part of a segment that is not named, or says of one that is which
/// documents are deleted, but not as of its last commit: `<32 hex digits>.<part>`,
/// `<32 hex digits>.<count>.del`.
fn is_left_over(name: &str, named: &HashMap<String, Option<u64>>) -> bool {
    let Some((number, part)) = segment_part(name) else { return false };
    match (named.get(number), part.strip_suffix(".del")) {
        (Some(deleted), Some(count)) => count.parse().ok() != *deleted,
        (named, _) => named.is_none(),
    }
}

/// Returns the number of the segment that a file is a part of, and which.
fn segment_part(name: &str) -> Option<(&str, &str)> {
    let is_number =
        |number: &str| number.len() == 32 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.split_once('.').filter(|(number, part)| is_number(number) && !part.is_empty())
}

/// Returns what a commit carries; where it cannot be read, the log is read from its beginning.
pub(crate) fn payload(meta: &IndexMeta) -> Payload {
    let payload = meta.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    payload.unwrap_or_default()
}

/// Returns the checkpoint that a commit carries.
pub(crate) fn checkpoint(meta: &IndexMeta) -> Position {
    payload(meta).position
}

/// How names of files of a segment end, besides those that say what is deleted.
pub(crate) const PARTS: [&str; 6] = ["idx", "pos", "term", "store", "fast", "fieldnorm"];
/// The same of a file that becomes one of these.
const TEMPORARY: &str = "store.temp";

/// The files that tantivy locks.
const WRITER_LOCK: &str = ".tantivy-writer.lock";
const META_LOCK: &str = ".tantivy-meta.lock";

/// What a process leaves beside [`FORMAT_FILE`] that was killed while it wrote its first file.
const UNFINISHED: &str = "FORMAT.new";

fn is_vacant(folder: &Path) -> Result<bool, Error> {
    let is_left =
        |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() == UNFINISHED);
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.all(is_left)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(Error::File { action: "list", path: folder.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sto_02_a_folder_that_was_left_at_its_first_file_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join(FORMAT_FILE);
        // The name under which `write_whole` begins.
        assert_eq!(mark.with_added_extension("new"), folder.path().join(UNFINISHED));
        fs::write(folder.path().join(UNFINISHED), "lookf").unwrap();
        assert_eq!(look(folder.path(), PAGES).unwrap(), Found::Nothing);
        create(folder.path(), PAGES, Fields::schema().0, None).unwrap();
        assert_eq!(look(folder.path(), PAGES).unwrap(), Found::Index);
        // Anything else is somebody's.
        let foreign = tempfile::tempdir().unwrap();
        for name in [UNFINISHED, "letter.txt"] {
            fs::write(foreign.path().join(name), "x").unwrap();
        }
        assert!(matches!(look(foreign.path(), PAGES), Err(Error::Foreign(_))));
    }
}
