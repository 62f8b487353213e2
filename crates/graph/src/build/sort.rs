//! Sorting more records than memory holds.
//!
//! Records gather in memory up to a ceiling, are sorted and spilled as a run; runs are merged,
//! at most [`FAN_IN`] at a time. Runs are scratch: they live in the folder of the unfinished
//! generation and go with it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;

use crate::Error;

/// Runs merged at once.
const FAN_IN: usize = 64;
/// Buffer of a run that is written, and largest of one that is read.
const BUFFER_BYTES: usize = 64 * 1024;
/// Smallest buffer of a run that is read.
const MIN_READ_BYTES: usize = 4 * 1024;

/// What can be spilled and read back.
pub(crate) trait Record: Ord + Send + Sized {
    /// Returns the bytes it occupies beyond its own size.
    fn heap_bytes(&self) -> usize;
    /// Writes it; `before` is the record written before it in the same run.
    fn write(&self, before: Option<&Self>, out: &mut impl Write) -> io::Result<()>;
    /// Reads what [`Self::write`] has written, given the same `before`.
    fn read(before: Option<&Self>, input: &mut impl Read) -> io::Result<Self>;
}

/// Takes records in any order.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    folder: PathBuf,
    name: &'static str,
    memory: usize,
    buffer: Vec<T>,
    heap_bytes: usize,
    /// Runs by how often their records were merged.
    levels: Vec<Vec<Run>>,
    num_runs: u32,
}

/// A sorted file of records.
#[derive(Debug)]
struct Run {
    path: PathBuf,
    num_records: u64,
}

impl<T: Record> Sorter<T> {
    /// Makes a sorter that spills to `folder`, holding about `memory` bytes of records.
    ///
    /// `name` keeps the files of sorters in one folder apart.
    pub(crate) fn new(folder: &Path, name: &'static str, memory: usize) -> Self {
        let folder = folder.to_owned();
        let (buffer, levels) = (Vec::new(), Vec::new());
        Self { folder, name, memory, buffer, heap_bytes: 0, levels, num_runs: 0 }
    }

    pub(crate) fn push(&mut self, record: T) -> Result<(), Error> {
        // A full vector doubles when it grows, so the next capacity is what counts.
        let grown = match self.buffer.len() == self.buffer.capacity() {
            true => 2 * self.buffer.capacity(),
            false => self.buffer.capacity(),
        };
        let used = self.heap_bytes + grown * size_of::<T>();
        if used + record.heap_bytes() > self.memory && !self.buffer.is_empty() {
            self.spill()?;
        }
        self.heap_bytes += record.heap_bytes();
        self.buffer.push(record);
        Ok(())
    }

    /// Returns all records in order.
    pub(crate) fn finish(mut self) -> Result<Sorted<T>, Error> {
        if self.levels.is_empty() {
            self.buffer.par_sort_unstable();
            return Ok(Sorted::Memory(self.buffer.into_iter()));
        }
        self.spill()?;
        self.buffer = Vec::new();
        // Few levels are possible, so the last merge may take the rest of all of them.
        let rest = std::mem::take(&mut self.levels).into_iter().flatten().collect();
        Ok(Sorted::Runs(Merge::open(rest, self.read_bytes())?))
    }

    fn spill(&mut self) -> Result<(), Error> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.buffer.par_sort_unstable();
        let mut out = RunWriter::create(self.next_path())?;
        for record in self.buffer.drain(..) {
            out.push(record)?;
        }
        self.heap_bytes = 0;
        let run = out.finish()?;
        self.keep(run, 0)
    }

    /// Keeps a run; a level that is full becomes one run of the next.
    fn keep(&mut self, run: Run, level: usize) -> Result<(), Error> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        self.levels[level].push(run);
        if self.levels[level].len() < FAN_IN {
            return Ok(());
        }
        let runs = std::mem::take(&mut self.levels[level]);
        let mut merge = Merge::<T>::open(runs, self.read_bytes())?;
        let mut out = RunWriter::create(self.next_path())?;
        while let Some(record) = merge.next()? {
            out.push(record)?;
        }
        let run = out.finish()?;
        self.keep(run, level + 1)
    }

    /// Returns the buffer of each run in a merge: of all, an eighth of the memory, within limits.
    fn read_bytes(&self) -> usize {
        (self.memory / 8 / FAN_IN).clamp(MIN_READ_BYTES, BUFFER_BYTES)
    }

    fn next_path(&mut self) -> PathBuf {
        self.num_runs += 1;
        self.folder.join(format!("{}-{}.run", self.name, self.num_runs))
    }
}

/// The records in order.
#[derive(Debug)]
pub(crate) enum Sorted<T> {
    /// All of them fitted in memory.
    Memory(std::vec::IntoIter<T>),
    /// They are merged from runs.
    Runs(Merge<T>),
}

impl<T: Record> Sorted<T> {
    pub(crate) fn next(&mut self) -> Result<Option<T>, Error> {
        match self {
            Self::Memory(records) => Ok(records.next()),
            Self::Runs(merge) => merge.next(),
        }
    }
}

/// Several runs as one.
#[derive(Debug)]
pub(crate) struct Merge<T> {
    runs: Vec<RunReader>,
    /// The next record of each run that has one, and the run's place.
    heads: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Record> Merge<T> {
    fn open(runs: Vec<Run>, read_bytes: usize) -> Result<Self, Error> {
        let mut merge = Self { runs: Vec::new(), heads: BinaryHeap::new() };
        for run in runs {
            merge.runs.push(RunReader::open(run, read_bytes)?);
            merge.advance(merge.runs.len() - 1, None)?;
        }
        Ok(merge)
    }

    fn next(&mut self) -> Result<Option<T>, Error> {
        let Some(Reverse((record, place))) = self.heads.pop() else { return Ok(None) };
        self.advance(place, Some(&record))?;
        Ok(Some(record))
    }

    fn advance(&mut self, place: usize, before: Option<&T>) -> Result<(), Error> {
        if let Some(record) = self.runs[place].next(before)? {
            self.heads.push(Reverse((record, place)));
        }
        Ok(())
    }
}

struct RunWriter<T> {
    path: PathBuf,
    out: BufWriter<File>,
    num_records: u64,
    before: Option<T>,
}

impl<T: Record> RunWriter<T> {
    fn create(path: PathBuf) -> Result<Self, Error> {
        let file = File::create(&path).map_err(Error::file("create", &path))?;
        let out = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { path, out, num_records: 0, before: None })
    }

    fn push(&mut self, record: T) -> Result<(), Error> {
        record
            .write(self.before.as_ref(), &mut self.out)
            .map_err(Error::file("write", &self.path))?;
        self.num_records += 1;
        self.before = Some(record);
        Ok(())
    }

    fn finish(mut self) -> Result<Run, Error> {
        self.out.flush().map_err(Error::file("write", &self.path))?;
        Ok(Run { path: self.path, num_records: self.num_records })
    }
}

#[derive(Debug)]
struct RunReader {
    run: Run,
    input: BufReader<File>,
}

impl RunReader {
    fn open(run: Run, read_bytes: usize) -> Result<Self, Error> {
        let file = File::open(&run.path).map_err(Error::file("open", &run.path))?;
        Ok(Self { run, input: BufReader::with_capacity(read_bytes, file) })
    }

    fn next<T: Record>(&mut self, before: Option<&T>) -> Result<Option<T>, Error> {
        if self.run.num_records == 0 {
            return Ok(None);
        }
        self.run.num_records -= 1;
        let record =
            T::read(before, &mut self.input).map_err(Error::file("read", &self.run.path))?;
        Ok(Some(record))
    }
}

impl Drop for RunReader {
    fn drop(&mut self) {
        // Gives room back early; what stays goes with the unfinished folder.
        let _ = fs::remove_file(&self.run.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::records::Arc;

    #[track_caller]
    fn check(num_records: u32, memory: usize, num_runs_at_least: u32) {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "test", memory);
        let mixed = |number: u32| number.wrapping_mul(2_654_435_761);
        for number in 0..num_records {
            sorter.push(Arc { from: mixed(number), to: number }).unwrap();
        }
        assert!(sorter.num_runs >= num_runs_at_least, "{} runs", sorter.num_runs);
        let mut expected: Vec<_> = (0..num_records).map(|number| (mixed(number), number)).collect();
        expected.sort_unstable();
        let mut sorted = sorter.finish().unwrap();
        let mut found = Vec::new();
        while let Some(arc) = sorted.next().unwrap() {
            found.push((arc.from, arc.to));
        }
        assert!(found == expected);
        drop(sorted);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "runs are left");
    }

    #[test]
    fn what_fits_is_sorted_in_memory() {
        check(0, 1_000, 0);
        check(1, 0, 0);
        check(10_000, 1_000_000, 0);
    }

    #[test]
    fn what_does_not_fit_is_merged_from_runs() {
        check(1_000, 4_000, 2);
    }

    #[test]
    fn more_runs_than_are_merged_at_once_are_merged_in_turns() {
        check(100_000, 4_096, 2 * FAN_IN as u32);
        // Enough for runs that were merged twice.
        check(40_000, 64, (FAN_IN * FAN_IN) as u32);
    }

    #[test]
    fn a_cut_run_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "test", 64);
        for number in 0..100 {
            sorter.push(Arc { from: number, to: 0 }).unwrap();
        }
        let path = folder.path().join("test-1.run");
        File::options().write(true).open(path).unwrap().set_len(5).unwrap();
        let outcome = sorter.finish().and_then(|mut sorted| {
            while sorted.next()?.is_some() {}
            Ok(())
        });
        assert!(matches!(outcome, Err(Error::File { action: "read", .. })));
    }
}
