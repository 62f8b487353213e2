//! `synonyms.txt` of a collection: words that mean the same to its user (T6).

use std::fs::File;
use std::io::{ErrorKind, Read};

use anyhow::{Context, Result};
use base::Collection;
use rank::{Options, Searcher, Synonyms};
use tracing::warn;

/// Longest file that is read.
const FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Opens a collection for searching with its synonyms.
pub(crate) fn open_searcher(collection: &Collection, mut options: Options) -> Result<Searcher> {
    options.synonyms = read(collection)?;
    Ok(Searcher::open_with(collection, options)?)
}

/// Reads the file; one that is not there means no synonyms. Lines that are no rules are told.
fn read(collection: &Collection) -> Result<Synonyms> {
    let path = collection.root().join("synonyms.txt");
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Synonyms::default()),
        Err(error) => return Err(error).context(format!("cannot open `{}`", path.display())),
    };
    let mut text = String::new();
    let failed = || format!("cannot read `{}`", path.display());
    let mut limited = file.take(FILE_BYTES + 1);
    limited.read_to_string(&mut text).with_context(failed)?;
    if text.len() as u64 > FILE_BYTES {
        anyhow::bail!("`{}` is longer than {FILE_BYTES} bytes", path.display());
    }
    let (synonyms, odd) = Synonyms::parse(&text);
    if let Some(first) = odd.first() {
        warn!(path = %path.display(), lines = odd.len(), first, "lines are no rules of synonyms");
    }
    Ok(synonyms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_is_read_and_one_that_is_not_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        assert!(read(&collection).unwrap().is_empty());
        let path = collection.root().join("synonyms.txt");
        std::fs::write(&path, "# cats\njaguar, panthera onca\nodd\n").unwrap();
        assert!(!read(&collection).unwrap().is_empty());
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        let error = read(&collection).unwrap_err();
        assert!(error.to_string().contains("synonyms.txt"), "{error}");
        std::fs::write(&path, vec![b'a'; 5 * 1024 * 1024]).unwrap();
        assert!(read(&collection).unwrap_err().to_string().contains("longer"));
    }
}
