//! WARC files.

use std::path::{Path, PathBuf};
use std::{env, fs, process, thread};

use archive::{Record, Records};

/// Most records looked at: empty ones take no room.
const MOST: usize = 10_000;

/// Reads a file. Records stand in order and inside of the file, and those that a shorter file has
/// whole are the same there.
pub fn warc(data: &[u8]) {
    let file = Scratch::new();
    let (records, _) = file.read(data);
    let mut end = 0;
    for record in &records {
        assert!(record.offset >= end, "{} overlaps", record.offset);
        end = record.offset + record.length;
        assert!(end <= data.len() as u64, "ends at {end}");
        let _ = (record.kind(), record.is_capture(), record.field("WARC-Target-URI"));
    }
    assert_eq!(file.read(data).0, records);
    for cut in [data.len() / 2, data.len().saturating_sub(1), data.len() * 9 / 10] {
        let (before, _) = file.read(&data[..cut]);
        let whole = records.iter().take_while(|record| {
            // Behind a block in a file without compression stand line breaks that it may lack.
            record.offset + record.length <= cut as u64
        });
        let whole = whole.count();
        assert!(before.len() >= whole, "{} of {whole} records up to {cut}", before.len());
        assert_eq!(before[..whole], records[..whole], "up to {cut}");
    }
}

/// A file that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let name = format!("lookfar-fuzz-{}-{:?}.warc", process::id(), thread::current().id());
        Self(env::temp_dir().join(name))
    }

    /// Returns the records that can be read of a file with these bytes, and how many cannot.
    fn read(&self, data: &[u8]) -> (Vec<Record>, usize) {
        let path: &Path = &self.0;
        fs::write(path, data).expect("the folder for temporary files can be written to");
        let records = Records::open(path).expect("it was just written");
        let (mut good, mut bad) = (Vec::new(), 0);
        for record in records.take(MOST) {
            match record {
                Ok(record) => good.push(record),
                Err(_) => bad += 1,
            }
        }
        (good, bad)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
