//! Which URL is which node, and which page.
//!
//! The URLs of all nodes as SURT keys, ascending, front-coded in blocks; a node's number is its
//! place in that order. Looking up a URL is a binary search over blocks, read from disk one at a
//! time; in memory are 8 bytes per block.
//!
//! ```text
//! nodes  = header | block* | index
//! header = "LOOKFNOD" | version: u32 le | partition: u16 le | block_len: u16 le
//!        | num_nodes: u32 le | index_start: u64 le
//!        | crc32 of the index: u32 le | crc32 of the header before it: u32 le
//! block  = crc32 of the entries: u32 le | entry × block_len        (fewer in the last block)
//! entry  = shared: varint | rest_len: varint | rest | page: varint
//! index  = first byte of each block: u64 le …, then index_start again
//! ```
//! `shared` bytes of the key are those of the key before it in the block. `page` is 0 for a URL
//! that is known but was not fetched, otherwise one more than the index of its [`PageId`].

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use base::{PageId, Url};

use crate::build::shared_prefix;
use crate::{Error, Node, varint};

const MAGIC: &[u8; 8] = b"LOOKFNOD";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 36;
/// Nodes per block: about 2 KiB of front-coded URLs.
const BLOCK_LEN: u16 = 64;

/// The URLs of a generation's nodes, open for looking up.
#[derive(Debug)]
pub(crate) struct Nodes {
    path: PathBuf,
    file: File,
    partition: u16,
    block_len: u32,
    num_nodes: u32,
    /// First byte of each block, and the end of the last.
    index: Vec<u64>,
}

/// A node as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: Vec<u8>,
    pub(crate) page: Option<PageId>,
}

impl Nodes {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        let len = file.metadata().map_err(Error::file("open", path))?.len();
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, 0).map_err(Error::file("read", path))?;
        let header = Header::parse(&header, path)?;
        let damaged = |reason: &str| Error::damaged(path, reason);
        let num_blocks = header.num_nodes.div_ceil(u32::from(header.block_len));
        let index_bytes = 8 * (u64::from(num_blocks) + 1);
        if header.index_start.checked_add(index_bytes) != Some(len) {
            return Err(damaged("its length is not what the header says"));
        }
        // The length of the file bounds this allocation.
        let mut bytes = vec![0; index_bytes as usize];
        file.read_exact_at(&mut bytes, header.index_start).map_err(Error::file("read", path))?;
        if crc32fast::hash(&bytes) != header.index_crc {
            return Err(damaged("its index's checksum does not hold"));
        }
        let (words, _) = bytes.as_chunks();
        let index: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        if !index.is_sorted() || index.last() != Some(&header.index_start) {
            return Err(damaged("its index is not in order"));
        }
        let (partition, num_nodes) = (header.partition, header.num_nodes);
        let block_len = u32::from(header.block_len);
        Ok(Self { path: path.to_owned(), file, partition, block_len, num_nodes, index })
    }

    pub(crate) fn num_nodes(&self) -> u32 {
        self.num_nodes
    }

    /// Returns a node's URL and page; `None` if there is no such node.
    pub(crate) fn get(&self, node: Node) -> Result<Option<(Url, Option<PageId>)>, Error> {
        if node.0 >= self.num_nodes {
            return Ok(None);
        }
        let entries = self.block(node.0 / self.block_len)?;
        let entry = &entries[(node.0 % self.block_len) as usize];
        Ok(Some((self.url(&entry.key)?, entry.page)))
    }

    /// Returns the URL of an entry's key.
    pub(crate) fn url(&self, key: &[u8]) -> Result<Url, Error> {
        let url = std::str::from_utf8(key).ok().and_then(Url::from_surt);
        url.ok_or_else(|| Error::damaged(&self.path, "a key is no URL"))
    }

    /// Calls `visit` with the entries of these nodes in turn. Reads each block of them once.
    pub(crate) fn for_each(
        &self,
        nodes: Range<u32>,
        visit: impl FnMut(Node, &Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Cursor::new(self).for_each(nodes, visit)
    }

    /// Returns the node of a URL.
    ///
    /// Reads as many blocks as a binary search over them takes.
    pub(crate) fn find(&self, url: &Url) -> Result<Option<Node>, Error> {
        let key = url.surt();
        // The last block that does not begin behind the key is the only one that can hold it.
        let (mut low, mut high) = (0, self.num_blocks());
        let mut candidate = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let entries = self.block(middle)?;
            if entries[0].key.as_slice() <= key.as_bytes() {
                candidate = Some((middle, entries));
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some((block, entries)) = candidate else { return Ok(None) };
        let place = entries.binary_search_by(|entry| entry.key.as_slice().cmp(key.as_bytes()));
        Ok(place.ok().map(|place| Node(block * self.block_len + place as u32)))
    }

    pub(crate) fn num_blocks(&self) -> u32 {
        u32::try_from(self.index.len() - 1).expect("fewer blocks than nodes")
    }

    /// Reads and verifies a block; never empty.
    pub(crate) fn block(&self, block: u32) -> Result<Vec<Entry>, Error> {
        let (start, end) = (self.index[block as usize], self.index[block as usize + 1]);
        let damaged = |reason: &str| {
            Error::damaged(&self.path, format!("block {block} at byte {start}: {reason}"))
        };
        let mut bytes = vec![0; (end - start) as usize];
        self.file.read_exact_at(&mut bytes, start).map_err(Error::file("read", &self.path))?;
        let (crc, entries) = bytes.split_first_chunk().ok_or_else(|| damaged("it is cut"))?;
        if crc32fast::hash(entries) != u32::from_le_bytes(*crc) {
            return Err(damaged("its checksum does not hold"));
        }
        let len = self.block_len.min(self.num_nodes - block * self.block_len);
        self.parse_block(entries, len).ok_or_else(|| damaged("its entries are not readable"))
    }

    fn parse_block(&self, mut bytes: &[u8], len: u32) -> Option<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::with_capacity(len as usize);
        for _ in 0..len {
            let shared = usize::try_from(varint::read(&mut bytes).ok()?).ok()?;
            let rest_len = usize::try_from(varint::read(&mut bytes).ok()?).ok()?;
            let before = entries.last().map_or(&[][..], |entry| &entry.key);
            let rest = bytes.split_off(..rest_len)?;
            let key = [before.get(..shared)?, rest].concat();
            let page = match varint::read(&mut bytes).ok()? {
                0 => None,
                index => Some(PageId::new(self.partition, index - 1)?),
            };
            entries.push(Entry { key, page });
        }
        bytes.is_empty().then_some(entries)
    }
}

/// Reads runs of nodes, one after the other, and keeps the last block: runs may be short.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    nodes: &'a Nodes,
    last: Option<(u32, Vec<Entry>)>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(nodes: &'a Nodes) -> Self {
        Self { nodes, last: None }
    }

    /// Calls `visit` with the entries of these nodes in turn; those that are there.
    pub(crate) fn for_each(
        &mut self,
        nodes: Range<u32>,
        mut visit: impl FnMut(Node, &Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block_len = self.nodes.block_len;
        let end = nodes.end.min(self.nodes.num_nodes);
        let mut next = nodes.start;
        while next < end {
            let block = next / block_len;
            let entries = match self.last.take() {
                Some((last, entries)) if last == block => entries,
                _ => self.nodes.block(block)?,
            };
            for entry in entries.iter().skip((next % block_len) as usize) {
                if next < end {
                    visit(Node(next), entry)?;
                    next += 1;
                }
            }
            self.last = Some((block, entries));
        }
        Ok(())
    }
}

/// Writes the file, node by node.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
    partition: u16,
    num_nodes: u32,
    index: Vec<u64>,
    position: u64,
    block: Vec<u8>,
    before: Vec<u8>,
}

impl Writer {
    pub(crate) fn create(path: &Path, partition: u16) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::file("create", path))?;
        let mut out = BufWriter::with_capacity(64 * 1024, file);
        // Takes the header's room; a file without a header is no node list.
        out.write_all(&[0; HEADER_BYTES]).map_err(Error::file("write", path))?;
        let position = HEADER_BYTES as u64;
        let (index, block, before) = (vec![position], Vec::new(), Vec::new());
        let path = path.to_owned();
        Ok(Self { path, out, partition, num_nodes: 0, index, position, block, before })
    }

    /// Adds the next node; the caller brings keys ascending. Fails past 2^32 − 1 nodes.
    pub(crate) fn push(&mut self, key: &[u8], page: Option<u64>) -> Result<Node, Error> {
        let node = Node(self.num_nodes);
        self.num_nodes = self.num_nodes.checked_add(1).ok_or(Error::TooManyNodes)?;
        let shared = match self.block.is_empty() {
            true => 0,
            false => shared_prefix(&self.before, key),
        };
        let numbers = [shared as u64, (key.len() - shared) as u64];
        let written = numbers
            .into_iter()
            .try_for_each(|number| varint::write(number, &mut self.block))
            .and_then(|()| self.block.write_all(&key[shared..]))
            .and_then(|()| varint::write(page.map_or(0, |page| page + 1), &mut self.block));
        written.expect("writing to memory does not fail");
        self.before.clear();
        self.before.extend_from_slice(key);
        if self.num_nodes.is_multiple_of(u32::from(BLOCK_LEN)) {
            self.end_block()?;
        }
        Ok(node)
    }

    pub(crate) fn num_nodes(&self) -> u32 {
        self.num_nodes
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let index: Vec<u8> = self.index.iter().flat_map(|start| start.to_le_bytes()).collect();
        let header = Header {
            partition: self.partition,
            block_len: BLOCK_LEN,
            num_nodes: self.num_nodes,
            index_start: self.position,
            index_crc: crc32fast::hash(&index),
        };
        let written = self
            .out
            .write_all(&index)
            .and_then(|()| self.out.seek(SeekFrom::Start(0)))
            .and_then(|_| self.out.write_all(&header.to_bytes()))
            .and_then(|()| self.out.flush());
        written.map_err(Error::file("write", &self.path))
    }

    fn end_block(&mut self) -> Result<(), Error> {
        let crc = crc32fast::hash(&self.block).to_le_bytes();
        let written = self.out.write_all(&crc).and_then(|()| self.out.write_all(&self.block));
        written.map_err(Error::file("write", &self.path))?;
        self.position += (crc.len() + self.block.len()) as u64;
        self.index.push(self.position);
        self.block.clear();
        Ok(())
    }
}

struct Header {
    partition: u16,
    block_len: u16,
    num_nodes: u32,
    index_start: u64,
    index_crc: u32,
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.partition.to_le_bytes());
        bytes.extend(self.block_len.to_le_bytes());
        bytes.extend(self.num_nodes.to_le_bytes());
        bytes.extend(self.index_start.to_le_bytes());
        bytes.extend(self.index_crc.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8; HEADER_BYTES], path: &Path) -> Result<Self, Error> {
        let damaged = |reason: &str| Error::damaged(path, reason);
        let mut input = &bytes[..];
        if &take::<8>(&mut input) != MAGIC {
            return Err(damaged("it is no list of nodes"));
        }
        let version = u32::from_le_bytes(take(&mut input));
        if version > VERSION {
            return Err(Error::Newer { path: path.to_owned(), found: version, known: VERSION });
        }
        let header = Self {
            partition: u16::from_le_bytes(take(&mut input)),
            block_len: u16::from_le_bytes(take(&mut input)),
            num_nodes: u32::from_le_bytes(take(&mut input)),
            index_start: u64::from_le_bytes(take(&mut input)),
            index_crc: u32::from_le_bytes(take(&mut input)),
        };
        let crc = u32::from_le_bytes(take(&mut input));
        if crc32fast::hash(&bytes[..HEADER_BYTES - 4]) != crc || header.block_len == 0 {
            return Err(damaged("its header's checksum does not hold"));
        }
        Ok(header)
    }
}

/// Takes the next bytes of a header.
fn take<const N: usize>(input: &mut &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).expect("the fields add up to the header's length");
    bytes
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn url(number: u32) -> Url {
        Url::parse(&format!("http://h{}.example/p/{number:06}", number % 7)).unwrap()
    }

    /// Writes `num_nodes` nodes of which every third is fetched; returns the URLs in order.
    fn write(path: &Path, num_nodes: u32) -> Vec<Url> {
        let mut urls: Vec<Url> = (0..num_nodes).map(url).collect();
        urls.sort_by_key(Url::surt);
        let mut writer = Writer::create(path, 2).unwrap();
        for (number, url) in (0..).zip(&urls) {
            let page = (number % 3 == 0).then_some(u64::from(number));
            assert_eq!(writer.push(url.surt().as_bytes(), page).unwrap(), Node(number));
        }
        writer.finish().unwrap();
        urls
    }

    #[test]
    fn urls_and_nodes_are_found_both_ways() {
        for num_nodes in [0, 1, 63, 64, 65, 1_000] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("nodes");
            let urls = write(&path, num_nodes);
            let nodes = Nodes::open(&path).unwrap();
            assert_eq!(nodes.num_nodes(), num_nodes);
            for (number, url) in (0..).zip(&urls) {
                assert_eq!(nodes.find(url).unwrap(), Some(Node(number)));
                let page = (number % 3 == 0).then(|| PageId::new(2, number.into()).unwrap());
                assert_eq!(nodes.get(Node(number)).unwrap(), Some((url.clone(), page)));
            }
            assert_eq!(nodes.get(Node(num_nodes)).unwrap(), None);
            for text in ["http://a.example/", "http://h3.example/p/x", "http://z.zzz/"] {
                assert_eq!(nodes.find(&Url::parse(text).unwrap()).unwrap(), None);
            }
        }
    }

    #[test]
    fn cut_and_flipped_files_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nodes");
        write(&path, 70);
        let whole = fs::read(&path).unwrap();
        let read_all = || -> Result<(), Error> {
            let nodes = Nodes::open(&path)?;
            (0..nodes.num_blocks()).try_for_each(|block| nodes.block(block).map(|_| ()))
        };
        read_all().unwrap();
        for place in 0..whole.len() {
            fs::write(&path, &whole[..place]).unwrap();
            assert!(read_all().is_err(), "cut at {place}");
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert!(read_all().is_err(), "byte {place}");
        }
    }

    #[test]
    fn version_1_stays_readable() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/nodes-v1");
        let nodes = Nodes::open(&path).unwrap();
        let mut urls: Vec<Url> = (0..70).map(url).collect();
        urls.sort_by_key(Url::surt);
        for (number, url) in (0..).zip(&urls) {
            assert_eq!(nodes.get(Node(number)).unwrap().unwrap().0, *url);
        }
    }
}
