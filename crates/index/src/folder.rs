//! The folder of an index: is it ours, which version, made new or opened.
//!
//! ```text
//! FORMAT       "lookfar index 10\n" or "lookfar anchors 3\n", written before anything else
//! meta.json    tantivy's list of segments; its payload is the checkpoint in the page log
//!              (this list and `.managed.json` end with a checksum, see `directory`)
//! *            tantivy's segments, each file with a checksum in its footer
//! ```

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

use crate::directory::{Durable, META};
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

/// The index of pages.
pub(crate) const PAGES: Kind = Kind { words: "lookfar index ", version: 10 };
/// The index of anchor texts.
pub(crate) const ANCHORS: Kind = Kind { words: "lookfar anchors ", version: 3 };

const FORMAT_FILE: &str = "FORMAT";

/// What a commit carries besides the segments.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Payload {
    /// End of the last record of the page log that the commit holds.
    pub(crate) position: Position,
}

/// What lies in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing, or the beginning of an index that was never made.
    Nothing,
    /// An index of an older format.
    Older,
    /// An index that we can open.
    Index,
}

/// Looks at a folder; refuses what is not ours or newer than we are.
pub(crate) fn look(folder: &Path, kind: Kind) -> Result<Found, Error> {
    let path = folder.join(FORMAT_FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
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
    match text.strip_prefix(kind.words).and_then(|rest| rest.trim().parse::<u32>().ok()) {
        Some(found) if found > known => Err(Error::Newer { path: folder.to_owned(), found, known }),
        Some(found) if found < known => Ok(Found::Older),
        Some(_) if folder.join(META).exists() => Ok(Found::Index),
        Some(_) => Ok(Found::Nothing),
        None => Err(Error::Foreign(path)),
    }
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
    let path = folder.join(FORMAT_FILE);
    let text = format!("{}{}\n", kind.words, kind.version);
    write_whole(&path, text.as_bytes()).map_err(Error::file("write", &path))?;
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

/// Removes everything in a folder that [`look`] has judged to be an index.
///
/// The mark goes last: a folder that was left half-way is still known as ours.
pub(crate) fn clear(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::file("list", folder))? {
        let entry = entry.map_err(Error::file("list", folder))?;
        if entry.file_name() != FORMAT_FILE {
            let path = entry.path();
            fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
    }
    let path = folder.join(FORMAT_FILE);
    fs::remove_file(&path).map_err(Error::file("remove", &path))
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
    let Some((number, part)) = name.split_once('.') else { return false };
    if number.len() != 32 || !number.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return false;
    }
    match (named.get(number), part.strip_suffix(".del")) {
        (Some(deleted), Some(count)) => count.parse().ok() != *deleted,
        (named, _) => named.is_none(),
    }
}

/// Returns the checkpoint that a commit carries; one that cannot be read is the beginning.
pub(crate) fn checkpoint(meta: &IndexMeta) -> Position {
    let payload = meta.payload.as_deref().and_then(|text| serde_json::from_str(text).ok());
    payload.map_or(Position::START, |payload: Payload| payload.position)
}

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
