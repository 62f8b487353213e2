//! Whether the lists of a collection are whole, and making them anew if they are not.

use std::io;

use base::Collection;

use super::Strategy;
use super::lists;
use super::store;
use crate::{Error, Searcher};

/// Reads all of the lists of strategies of the generation in use and verifies every checksum;
/// returns whether there are any.
///
/// Lists of an earlier commit are whole too: they are only not used.
pub fn check_lists(collection: &Collection) -> Result<bool, Error> {
    let path = store::path(collection, collection.generation()?);
    match lists::check(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(Error::DamagedLists { path, source }),
    }
}

/// Throws the lists of strategies of the generation in use away and makes them anew from the
/// present commit of the index.
pub fn renew_lists(collection: &Collection) -> Result<(), Error> {
    let path = store::path(collection, collection.generation()?);
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            return Err(Error::Lists { path, source });
        }
        _ => {}
    }
    // All strategies share one file.
    Searcher::open(collection)?.prepare(Strategy::Threshold)
}
