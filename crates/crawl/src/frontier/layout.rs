//! How the keyspaces lie on disk: chosen so that reading and merging cost the same in a store of
//! ten million URLs as in one of a million.
//!
//! The store's own choices suit tables of 64 MiB that one caches whole. Ours are many keyspaces
//! that are read and written all over, with 64 MB of cache for all of them:
//!
//! - Filters and indexes are cut into pieces. A filter in one piece takes a megabyte for a large
//!   table; once all of them together no longer fit in the cache, each question whether a URL is
//!   known reads and checks such a megabyte.
//! - Tables are small. The first level holds four of them, and every fourth full memtable is merged
//!   with all of that level: with 64 MiB each, 10 MB that are new had 256 MB written again.
//! - What is only ever read in order (queues, turns, moments) or by keys that are there (ids) has no
//!   filter: it would be memory and work for nobody.
//!
//! A store that was made with other choices keeps them; it is slower, and no less right.

use std::sync::Arc;

use fjall::KeyspaceCreateOptions;
use fjall::compaction::Leveled;
use fjall::config::{FilterPolicy, PartitioningPolicy};

/// Bytes of a table on disk: ten million URLs have some 200 of them.
const TABLE_BYTES: u64 = 16 * 1024 * 1024;
/// Tables that are kept open; fetchers need descriptors too.
pub(super) const OPEN_TABLES: usize = 400;

/// Keyspaces of which no key is asked for that may not be there.
const UNFILTERED: [&str; 7] = ["queue", "again", "due", "turns", "ids", "aliases", "suspects"];

/// Returns how a keyspace is laid out when it is made.
pub(super) fn of(keyspace: &str) -> KeyspaceCreateOptions {
    // What goes straight from memory to disk lives for moments and stays in one piece.
    let in_pieces = || PartitioningPolicy::new([false, true]);
    let options = KeyspaceCreateOptions::default()
        // Module `batch` says when they are full.
        .max_memtable_size(u64::MAX)
        .compaction_strategy(Arc::new(Leveled::default().with_table_target_size(TABLE_BYTES)))
        .filter_block_partitioning_policy(in_pieces())
        .index_block_partitioning_policy(in_pieces());
    match UNFILTERED.contains(&keyspace) {
        true => options.filter_policy(FilterPolicy::disabled()),
        false => options,
    }
}

#[cfg(test)]
mod tests {
    use base::{Timestamp, Url};
    use fjall::Database;

    use super::super::Frontier;
    use super::super::tests::SIZES;
    use super::*;

    /// A store of ours, and one that was made before there was a layout of ours.
    #[test]
    fn what_was_laid_out_otherwise_is_read_and_written_all_the_same() {
        for is_ours in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            if !is_ours {
                let database = Database::builder(folder.path()).worker_threads(1).open().unwrap();
                for name in ["meta", "urls", "queue", "turns", "hosts", "sites", "ids"] {
                    drop(database.keyspace(name, KeyspaceCreateOptions::default).unwrap());
                }
            }
            for round in 0..4 {
                let frontier = Frontier::open(folder.path(), SIZES).unwrap();
                let mut update = frontier.update();
                for page in 0..500 {
                    let url = format!("http://h{}.example/{round}/{page}", page % 7);
                    update.seed(&Url::parse(&url).unwrap(), Timestamp::default()).unwrap();
                }
                update.commit().unwrap();
                // To disk, where filters, indexes and levels are.
                for keyspace in [&frontier.urls, &frontier.queue, &frontier.hosts] {
                    keyspace.rotate_memtable_and_wait().unwrap();
                }
                assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
                assert_eq!(frontier.totals().waiting, 500 * (round + 1));
            }
            let frontier = Frontier::open(folder.path(), SIZES).unwrap();
            for keyspace in [&frontier.urls, &frontier.queue] {
                keyspace.major_compact().unwrap();
            }
            assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
            let unknown = Url::parse("http://h1.example/none").unwrap();
            assert!(frontier.url(&unknown).unwrap().is_none());
        }
    }
}
