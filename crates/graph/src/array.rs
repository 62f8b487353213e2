//! A dense array by page or by node on disk.
//!
//! ```text
//! array  = header | value × len
//! header = "LOOKFARR" | kind: [u8; 4] | version: u32 le | partition: u16 le | width: u16 le
//!        | len: u64 le | crc32 of the values: u32 le | crc32 of the header before it: u32 le
//! value  = u32 le or f32 le, by kind
//! ```
//! `partition` is that of the page ids the array is for; 0 if it is by node. `width` is 4.

use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::Error;

const MAGIC: &[u8; 8] = b"LOOKFARR";
const VERSION: u32 = 1;
const WIDTH: u16 = 4;
const HEADER_BYTES: usize = 36;

/// What an array holds, so that one is not read as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub(crate) [u8; 4]);

/// A value of an array.
pub(crate) trait Value: Copy {
    fn to_bytes(self) -> [u8; 4];
    fn from_bytes(bytes: [u8; 4]) -> Self;
}

impl Value for u32 {
    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }
    fn from_bytes(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Value for f32 {
    fn to_bytes(self) -> [u8; 4] {
        self.to_le_bytes()
    }
    fn from_bytes(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

/// An array, read whole and verified.
#[derive(Clone, Debug)]
pub(crate) struct Array<T> {
    pub(crate) partition: u16,
    pub(crate) values: Vec<T>,
}

impl<T: Value> Array<T> {
    pub(crate) fn open(path: &Path, kind: Kind) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(Error::file("read", path))?;
        let (header, values) = bytes
            .split_first_chunk::<HEADER_BYTES>()
            .ok_or_else(|| Error::damaged(path, "its header is cut"))?;
        let (partition, len, crc) = parse_header(header, kind, path)?;
        if values.len() as u64 != len.saturating_mul(u64::from(WIDTH)) {
            return Err(Error::damaged(path, "its length is not what the header says"));
        }
        if crc32fast::hash(values) != crc {
            return Err(Error::damaged(path, "its checksum does not hold"));
        }
        let (words, _) = values.as_chunks::<{ WIDTH as usize }>();
        Ok(Self { partition, values: words.iter().map(|word| T::from_bytes(*word)).collect() })
    }
}

/// An array that stays on disk; whoever opens it has verified the checksum of its values.
#[derive(Debug)]
pub(crate) struct Stored {
    path: PathBuf,
    file: File,
    len: u64,
}

impl Stored {
    pub(crate) fn open(path: &Path, kind: Kind) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        let bytes = file.metadata().map_err(Error::file("open", path))?.len();
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, 0).map_err(Error::file("read", path))?;
        let (_, len, _) = parse_header(&header, kind, path)?;
        if bytes != len.saturating_mul(u64::from(WIDTH)).saturating_add(HEADER_BYTES as u64) {
            return Err(Error::damaged(path, "its length is not what the header says"));
        }
        Ok(Self { path: path.to_owned(), file, len })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Reads up to `most` values from a place on; fewer at the end.
    pub(crate) fn read<T: Value>(&self, place: u64, most: usize) -> Result<Vec<T>, Error> {
        let len = (most as u64).min(self.len.saturating_sub(place));
        let mut bytes = vec![0; len as usize * usize::from(WIDTH)];
        let start = HEADER_BYTES as u64 + place.saturating_mul(u64::from(WIDTH));
        self.file.read_exact_at(&mut bytes, start).map_err(Error::file("read", &self.path))?;
        let (words, _) = bytes.as_chunks::<{ WIDTH as usize }>();
        Ok(words.iter().map(|word| T::from_bytes(*word)).collect())
    }
}

impl Stored {
    /// Calls `visit` with each value in order; holds 64 KiB at a time.
    pub(crate) fn for_each<T: Value>(&self, mut visit: impl FnMut(T)) -> Result<(), Error> {
        const HELD: usize = 16 * 1024;
        let mut place = 0;
        while place < self.len {
            let values = self.read(place, HELD)?;
            place += values.len() as u64;
            values.into_iter().for_each(&mut visit);
        }
        Ok(())
    }
}

/// Writes an array value by value. It is durable once its folder is finished.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
    kind: Kind,
    partition: u16,
    len: u64,
    hasher: crc32fast::Hasher,
}

impl Writer {
    pub(crate) fn create(path: &Path, kind: Kind, partition: u16) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::file("create", path))?;
        let mut out = BufWriter::with_capacity(64 * 1024, file);
        // Takes the header's room; a file without a header is no array.
        out.write_all(&[0; HEADER_BYTES]).map_err(Error::file("write", path))?;
        let hasher = crc32fast::Hasher::new();
        Ok(Self { path: path.to_owned(), out, kind, partition, len: 0, hasher })
    }

    pub(crate) fn push(&mut self, value: impl Value) -> Result<(), Error> {
        let bytes = value.to_bytes();
        self.hasher.update(&bytes);
        self.len += 1;
        self.out.write_all(&bytes).map_err(Error::file("write", &self.path))
    }

    /// Returns how many values there are.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let crc = self.hasher.finalize();
        let header = header(self.kind, self.partition, self.len, crc);
        let written = self
            .out
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.out.write_all(&header))
            .and_then(|()| self.out.flush());
        written.map_err(Error::file("write", &self.path))
    }
}

/// Writes a whole array.
pub(crate) fn write<T: Value>(
    path: &Path,
    kind: Kind,
    partition: u16,
    values: impl IntoIterator<Item = T>,
) -> Result<(), Error> {
    let mut writer = Writer::create(path, kind, partition)?;
    for value in values {
        writer.push(value)?;
    }
    writer.finish()
}

fn header(kind: Kind, partition: u16, len: u64, crc: u32) -> Vec<u8> {
    let mut bytes = [MAGIC.as_slice(), &kind.0].concat();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(partition.to_le_bytes());
    bytes.extend(WIDTH.to_le_bytes());
    bytes.extend(len.to_le_bytes());
    bytes.extend(crc.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Returns partition, length and checksum of the values.
fn parse_header(
    bytes: &[u8; HEADER_BYTES],
    kind: Kind,
    path: &Path,
) -> Result<(u16, u64, u32), Error> {
    let u16_at = |place: usize| u16::from_le_bytes([bytes[place], bytes[place + 1]]);
    let u32_at = |place: usize| u32::from(u16_at(place)) | u32::from(u16_at(place + 2)) << 16;
    let u64_at = |place: usize| u64::from(u32_at(place)) | u64::from(u32_at(place + 4)) << 32;
    if &bytes[..8] != MAGIC || bytes[8..12] != kind.0 {
        return Err(Error::damaged(path, "it is not such an array"));
    }
    if u32_at(12) > VERSION {
        let (found, known) = (u32_at(12), VERSION);
        return Err(Error::Newer { path: path.to_owned(), found, known });
    }
    if crc32fast::hash(&bytes[..HEADER_BYTES - 4]) != u32_at(32) || u16_at(18) != WIDTH {
        return Err(Error::damaged(path, "its header's checksum does not hold"));
    }
    Ok((u16_at(16), u64_at(20), u32_at(28)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KIND: Kind = Kind(*b"TEST");

    proptest! {
        #[test]
        fn values_come_back(values: Vec<u32>, partition: u16) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            write(&path, KIND, partition, values.iter().copied()).unwrap();
            let array = Array::<u32>::open(&path, KIND).unwrap();
            let stored = Stored::open(&path, KIND).unwrap();
            for place in 0..values.len() {
                let read: Vec<u32> = stored.read(place as u64, 3).unwrap();
                prop_assert_eq!(&read, &values[place..values.len().min(place + 3)]);
            }
            prop_assert!(stored.read::<u32>(values.len() as u64, 3).unwrap().is_empty());
            prop_assert_eq!((array.partition, array.values), (partition, values));
        }
    }

    #[test]
    fn cut_flipped_and_foreign_arrays_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, KIND, 3, [0.5f32, 1.5]).unwrap();
        let whole = fs::read(&path).unwrap();
        assert!(Array::<f32>::open(&path, Kind(*b"ELSE")).is_err());
        for place in 0..whole.len() {
            fs::write(&path, &whole[..place]).unwrap();
            assert!(Array::<f32>::open(&path, KIND).is_err(), "cut at {place}");
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            assert!(Array::<f32>::open(&path, KIND).is_err(), "byte {place}");
        }
    }

    #[test]
    fn version_1_stays_readable() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/array-v1.f32");
        let array = Array::<f32>::open(&path, KIND).unwrap();
        assert_eq!((array.partition, array.values), (3, vec![0.5, 1.5]));
    }
}
