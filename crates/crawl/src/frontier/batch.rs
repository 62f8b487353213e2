//! Writes of one update, and the moment at which the store puts a keyspace on disk.
//!
//! fjall 3.1 asks its own thread for that by a message for every batch while a keyspace is over its
//! limit, and that thread answers the first of them with a message to itself. With a thousand
//! waiting, which takes a merge of some seconds under load, it waits for room that only it could
//! make: nothing is put on disk any more, and memory and journal grow without end. So the limit
//! of the store is out of reach, and this counts instead: one message for each full keyspace.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use fjall::{Database, Keyspace, OwnedWriteBatch};

/// Bytes of one keyspace that are gathered in memory before they go to a table of their own.
///
/// A journal ends only when one of them is full, and the memory that they take is about twice
/// what they count: with the store's default of 64 MiB each, a million URLs took 600 MB.
const MEMTABLE_BYTES: u64 = 4 * 1024 * 1024;
/// What an entry takes besides its key and value.
const ENTRY_BYTES: usize = 32;

/// What has been written to each keyspace since it was last put on disk.
#[derive(Default)]
pub(super) struct Written(Mutex<HashMap<Keyspace, u64>>);

/// Writes that are done together or not at all.
pub(super) struct Batch {
    inner: OwnedWriteBatch,
    added: HashMap<Keyspace, u64>,
}

impl Batch {
    pub(super) fn new(database: &Database) -> Self {
        Self { inner: database.batch(), added: HashMap::new() }
    }

    pub(super) fn insert(
        &mut self,
        keyspace: &Keyspace,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) {
        self.count(keyspace, key.as_ref().len() + value.as_ref().len());
        self.inner.insert(keyspace, key.as_ref(), value.as_ref());
    }

    pub(super) fn remove(&mut self, keyspace: &Keyspace, key: impl AsRef<[u8]>) {
        self.count(keyspace, key.as_ref().len());
        self.inner.remove(keyspace, key.as_ref());
    }

    fn count(&mut self, keyspace: &Keyspace, bytes: usize) {
        let bytes = (bytes + ENTRY_BYTES) as u64;
        match self.added.get_mut(keyspace) {
            Some(added) => *added += bytes,
            None => drop(self.added.insert(keyspace.clone(), bytes)),
        }
    }

    /// Does the writes; what is full afterwards begins to be put on disk.
    pub(super) fn commit(self, written: &Written) -> fjall::Result<()> {
        self.inner.commit()?;
        let mut all = written.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (keyspace, added) in self.added {
            let bytes = all.entry(keyspace.clone()).or_default();
            *bytes += added;
            if *bytes > MEMTABLE_BYTES {
                *bytes = 0;
                keyspace.rotate_memtable()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use fjall::KeyspaceCreateOptions;

    use super::*;

    #[test]
    fn full_keyspaces_are_put_on_disk_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::builder(folder.path()).worker_threads(1).open().unwrap();
        let options = || KeyspaceCreateOptions::default().max_memtable_size(u64::MAX);
        let [one, other] = ["one", "other"].map(|name| database.keyspace(name, options).unwrap());
        let written = Written::default();
        let value = vec![7; 64 * 1024];
        // Four times as much as may be gathered.
        for number in 0..1_024_u32 {
            let mut batch = Batch::new(&database);
            batch.insert(&one, number.to_be_bytes(), &value);
            batch.insert(&other, number.to_be_bytes(), []);
            batch.remove(&other, number.to_be_bytes());
            batch.commit(&written).unwrap();
        }
        let put = |keyspace: &Keyspace| keyspace.table_count() + keyspace.sealed_memtable_count();
        assert!(put(&one) > 0, "all of it is in memory");
        assert_eq!(put(&other), 0, "it is not full");
        assert_eq!(one.len().unwrap(), 1_024);
    }
}
