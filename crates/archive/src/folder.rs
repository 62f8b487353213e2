//! Names of the files in an archive's folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Error;

/// What a file in the folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// The records.
    Warc,
    /// The sorted index of a closed file.
    Index,
    /// The index of a file that is being written.
    Journal,
}

impl Part {
    const ALL: [Self; 3] = [Self::Warc, Self::Index, Self::Journal];

    fn extension(self) -> &'static str {
        match self {
            Self::Warc => "warc.gz",
            Self::Index => "cdxj",
            Self::Journal => "cdxj.open",
        }
    }

    /// Returns the name of this part of a file.
    pub(crate) fn name(self, number: u32) -> String {
        format!("{number:07}.{}", self.extension())
    }

    /// Returns the path of this part of a file.
    pub(crate) fn path(self, folder: &Path, number: u32) -> PathBuf {
        folder.join(self.name(number))
    }
}

/// Returns what lies in the folder, by number; a folder that is not there is empty. Foreign
/// names are passed over.
pub(crate) fn list(folder: &Path) -> Result<Vec<(u32, Part)>, Error> {
    let failed = |source| Error::File { action: "list", path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        found.extend(name.to_str().and_then(parse));
    }
    found.sort_unstable();
    Ok(found)
}

/// Returns the numbers of the files of one part, ascending.
pub(crate) fn numbers(folder: &Path, part: Part) -> Result<Vec<u32>, Error> {
    let found = list(folder)?;
    Ok(found.into_iter().filter(|(_, is)| *is == part).map(|(number, _)| number).collect())
}

fn parse(name: &str) -> Option<(u32, Part)> {
    let number: u32 = name.split_once('.')?.0.parse().ok()?;
    // `1.warc.gz` and `+0000001.warc.gz` are not ours.
    Part::ALL.into_iter().find(|part| part.name(number) == name).map(|part| (number, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_count() {
        assert_eq!(parse("0000012.warc.gz"), Some((12, Part::Warc)));
        assert_eq!(parse("0000012.cdxj"), Some((12, Part::Index)));
        assert_eq!(parse("0000012.cdxj.open"), Some((12, Part::Journal)));
        assert_eq!(parse("12345678.warc.gz"), Some((12_345_678, Part::Warc)));
        for name in ["12.warc.gz", "+000012.warc.gz", "0000012.cdxj.new", "a.warc.gz", "0000012"] {
            assert_eq!(parse(name), None, "{name}");
        }
    }
}
