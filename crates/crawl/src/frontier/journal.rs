//! The end of the store's journal after a power loss: what was not yet synced may be anything.
//!
//! The store passes over an end that is cut or zero, but opens no journal in which a batch has other
//! bytes than were written, and believes the number of a batch, which its checksum does not cover.
//! So before it opens one, everything behind the last whole batch is cut off here. What is lost with
//! it is in the page log, or was never acknowledged. Older journals were synced before the newest
//! was begun, and so was all that the store has put into tables. As fjall 3 writes it:
//!
//! ```text
//! Batch = 1: u8 | num_items: u32 le | number: u64 le | items: [Item | Clear] | End
//! Item  = 2: u8 | kind: u8 | compression: u8 | keyspace: u64 le | key_len: u16 le
//!       | value_len: u32 le | stored_len: u32 le | key | stored value
//! Clear = 4: u8 | keyspace: u64 le
//! End   = 3: u8 | xxh3 of the items: u64 le | "FJL", 3
//! ```
//! Numbers grow from batch to batch. Behind the last one there may be zeros, set aside for more.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
/// What ends a batch; the store's marker says the same of the whole folder.
const MAGIC: [u8; 4] = *b"FJL\x03";
/// More than one journal can have batches: no number is so far from the one before it.
const LONGEST_STEP: u64 = 1 << 24;

/// Cuts the newest journal of a store behind its last whole batch; returns how many bytes went.
///
/// A store of another format is left alone. Cost: reads the journal.
pub(super) fn cut_damaged_end(store: &Path) -> io::Result<u64> {
    let is_known = fs::read(store.join("version")).is_ok_and(|marker| marker == MAGIC);
    if !is_known {
        return Ok(0);
    }
    let Some(journal) = newest(store)? else { return Ok(0) };
    let mut file = File::options().read(true).write(true).open(journal)?;
    let (end, all) = (whole_bytes(BufReader::new(&file))?, file.metadata()?.len());
    io::Seek::seek(&mut file, io::SeekFrom::Start(end))?;
    if is_zero(BufReader::new(&file))? {
        return Ok(0);
    }
    file.set_len(end)?;
    file.sync_all()?;
    Ok(all - end)
}

fn newest(store: &Path) -> io::Result<Option<PathBuf>> {
    let mut newest = None;
    for entry in fs::read_dir(store)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(".jnl")?.parse::<u64>().ok());
        newest = newest.max(number.map(|number| (number, path)));
    }
    Ok(newest.map(|(_, path)| path))
}

/// Returns how many bytes are whole batches.
fn whole_bytes(journal: impl Read) -> io::Result<u64> {
    let mut source = Source { journal, read: 0, items: Xxh3::new() };
    let (mut end, mut last) = (0, None);
    loop {
        match source.batch() {
            Ok(number) if last.is_none_or(|last| follows(last, number)) => last = Some(number),
            Ok(_) => return Ok(end),
            Err(error) => match error.kind() {
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => return Ok(end),
                _ => return Err(error),
            },
        }
        end = source.read;
    }
}

fn follows(last: u64, number: u64) -> bool {
    number.checked_sub(last).is_some_and(|step| (1..LONGEST_STEP).contains(&step))
}

fn is_zero(mut rest: impl io::BufRead) -> io::Result<bool> {
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        let read = bytes.len();
        rest.consume(read);
    }
}

/// A journal that is being read.
struct Source<R> {
    journal: R,
    /// Bytes so far.
    read: u64,
    /// What the items of a batch amount to.
    items: Xxh3,
}

impl<R: Read> Source<R> {
    /// Reads a batch; returns its number.
    fn batch(&mut self) -> io::Result<u64> {
        let [START] = self.take()? else { return Err(damaged()) };
        let num_items = u32::from_le_bytes(self.take()?);
        let number = u64::from_le_bytes(self.take()?);
        self.items.reset();
        for _ in 0..num_items {
            self.item()?;
        }
        let sum = self.items.digest();
        let [END] = self.take()? else { return Err(damaged()) };
        let is_whole = u64::from_le_bytes(self.take()?) == sum && self.take()? == MAGIC;
        if is_whole { Ok(number) } else { Err(damaged()) }
    }

    fn item(&mut self) -> io::Result<()> {
        match self.take()? {
            [ITEM] => {
                let _kind_compression_keyspace: [u8; 10] = self.take()?;
                let key_len = u16::from_le_bytes(self.take()?);
                let _value_len: [u8; 4] = self.take()?;
                let stored_len = u32::from_le_bytes(self.take()?);
                self.pass(u64::from(key_len) + u64::from(stored_len))
            }
            [CLEAR] => self.pass(8),
            _ => Err(damaged()),
        }
    }

    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.journal.read_exact(&mut bytes)?;
        self.items.update(&bytes);
        self.read += N as u64;
        Ok(bytes)
    }

    /// Reads so many bytes, whatever a damaged length says, without holding them.
    fn pass(&mut self, mut bytes: u64) -> io::Result<()> {
        let mut buffer = [0; 4096];
        while bytes > 0 {
            let piece = buffer.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
            self.journal.read_exact(&mut buffer[..piece])?;
            self.items.update(&buffer[..piece]);
            self.read += piece as u64;
            bytes -= piece as u64;
        }
        Ok(())
    }
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use fjall::{Database, KeyspaceCreateOptions};

    use super::*;

    /// Writes batches; returns the journal, and where each batch ends.
    fn written(folder: &Path) -> (PathBuf, Vec<usize>) {
        let database = Database::builder(folder).worker_threads(1).open().unwrap();
        let keyspace = database.keyspace("a", KeyspaceCreateOptions::default).unwrap();
        let journal = newest(folder).unwrap().unwrap();
        let mut ends = Vec::new();
        for number in 0..8_usize {
            let mut batch = database.batch();
            for item in 0..number {
                batch.insert(&keyspace, vec![7; item + 1], vec![8; item * item * 1_000]);
                batch.remove(&keyspace, [9]);
            }
            batch.insert(&keyspace, "number", [number as u8]);
            batch.commit().unwrap();
            database.persist(fjall::PersistMode::SyncAll).unwrap();
            ends.push(whole_bytes(BufReader::new(File::open(&journal).unwrap())).unwrap() as usize);
        }
        (journal, ends)
    }

    /// Fails when a release of the store writes another format: then this file is to follow.
    #[test]
    fn what_the_store_writes_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (_, ends) = written(folder.path());
        assert!(ends[0] > 0 && ends.is_sorted_by(|one, next| one < next), "{ends:?}");
        assert_eq!(cut_damaged_end(folder.path()).unwrap(), 0);
        let database = Database::builder(folder.path()).worker_threads(1).open().unwrap();
        let keyspace = database.keyspace("a", KeyspaceCreateOptions::default).unwrap();
        assert_eq!(*keyspace.get("number").unwrap().unwrap(), [7]);
    }

    #[test]
    fn sto_03_a_journal_cut_or_flipped_anywhere_ends_with_the_batch_before() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, ends) = written(folder.path());
        let whole = fs::read(journal).unwrap()[..*ends.last().unwrap()].to_vec();
        let before = |place: usize| ends.iter().rfind(|end| **end <= place).copied().unwrap_or(0);
        let end = |bytes: &[u8]| whole_bytes(bytes).unwrap() as usize;
        for place in (ends[1]..whole.len()).step_by(13) {
            assert_eq!(end(&whole[..place]), before(place), "cut at {place}");
            let mut zeroed = whole.clone();
            zeroed[place..].fill(0);
            assert!([before(place), whole.len()].contains(&end(&zeroed)), "zeros from {place}");
        }
        for place in
            (ends[1]..whole.len()).filter(|place| place % 7 == 0 || place - before(*place) < 32)
        {
            let mut flipped = whole.clone();
            flipped[place] ^= 1 << (place % 8);
            // A number that is too high shows in the next one, and does no harm if there is none.
            let next = ends.iter().find(|end| **end > place).copied().unwrap();
            let number = before(place) + 5..before(place) + 13;
            let is_fine =
                end(&flipped) == before(place) || number.contains(&place) && end(&flipped) == next;
            assert!(is_fine, "flipped at {place}: {} of {ends:?}", end(&flipped));
        }
    }
}
