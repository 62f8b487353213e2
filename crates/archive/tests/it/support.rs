//! Made-up fetches, and what every test asks of an archive.

use std::env;
use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use archive::{Captured, Cut, Error, Health, Options, Reader, Response, Writer, check};
use base::{Capture, Timestamp, Url};
use tempfile::TempDir;

/// A fetch that owns its parts.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    pub(crate) url: Url,
    pub(crate) fetched: Timestamp,
    pub(crate) request: Vec<u8>,
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) cut: Option<Cut>,
}

pub(crate) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 1, 2, 3));

impl Fetch {
    /// Returns the `number`-th fetch of a made-up crawl.
    pub(crate) fn number(number: usize) -> Self {
        let url = Url::parse(&format!("http://www.site{number}.example/a?q={number}")).unwrap();
        let request = format!("GET /a?q={number} HTTP/1.1\r\nHost: site{number}.example\r\n\r\n");
        let body = format!("<title>{number}</title>{}", "jaguar ".repeat(number));
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        Self {
            url,
            fetched: Timestamp::from_millis(1_794_000_000_000 + number as i64 * 1_234),
            request: request.into_bytes(),
            head: head.into_bytes(),
            body: body.into_bytes(),
            cut: None,
        }
    }

    pub(crate) fn response(&self) -> Response<'_> {
        Response {
            url: &self.url,
            fetched: self.fetched,
            address: Some(ADDRESS),
            request: &self.request,
            head: &self.head,
            body: &self.body,
            cut: self.cut,
        }
    }

    /// Returns what reading must give for a fetch whose head needs no change.
    pub(crate) fn captured(&self, capture: Capture) -> Captured {
        Captured {
            target: self.url.to_string(),
            url: Some(self.url.clone()),
            capture,
            fetched: self.fetched,
            address: Some(ADDRESS),
            head: self.head.clone(),
            body: self.body.clone(),
            cut: self.cut,
            revisit: None,
        }
    }
}

/// Returns a folder of its own for a test, in memory where there is such a place: these tests
/// sync thousands of times, and none is about the disk.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

pub(crate) fn open(folder: &Path) -> Writer {
    Writer::open(folder, Options::default()).unwrap()
}

/// Appends the fetches of a made-up crawl; returns what must be read back.
pub(crate) fn append(
    writer: &mut Writer,
    numbers: impl IntoIterator<Item = usize>,
) -> Vec<Captured> {
    let append_one = |number| {
        let fetch = Fetch::number(number);
        let capture = writer.append(&fetch.response()).unwrap();
        fetch.captured(capture)
    };
    numbers.into_iter().map(append_one).collect()
}

/// A closed archive with some fetches.
pub(crate) fn closed(num_fetches: usize) -> (TempDir, Vec<Captured>) {
    let folder = folder();
    let mut writer = open(folder.path());
    let captured = append(&mut writer, 0..num_fetches);
    writer.finish().unwrap();
    (folder, captured)
}

pub(crate) fn read_all(folder: &Path, after: Option<Capture>) -> Vec<Result<Captured, Error>> {
    Reader::open(folder).unwrap().captures_from(after).unwrap().collect()
}

/// Returns what can be read; damage is passed over.
pub(crate) fn readable(folder: &Path) -> Vec<Captured> {
    read_all(folder, None).into_iter().filter_map(Result::ok).collect()
}

/// Returns the sample files of warcio, pywb and ia-web-commons; says so where there are none.
pub(crate) fn samples() -> Option<PathBuf> {
    let folder = env::var_os("LOOKFAR_DATA").map(|data| Path::new(&data).join("warc"));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: no data pack `warc`; set LOOKFAR_DATA to the folder of the packs");
    }
    folder
}

#[track_caller]
pub(crate) fn assert_holds(folder: &Path, expected: &[Captured]) {
    let found: Vec<Captured> =
        read_all(folder, None).into_iter().map(|captured| captured.unwrap()).collect();
    assert_eq!(found, expected);
}

#[track_caller]
pub(crate) fn assert_clean(folder: &Path) -> Health {
    let health = check(folder).unwrap();
    assert!(health.is_clean(), "{:#?}", health.problems);
    health
}

/// Puts files into a new folder.
pub(crate) fn folder_of(files: &[(&str, &[u8])]) -> TempDir {
    let folder = folder();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}
