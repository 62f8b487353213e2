//! Pictures for the page of results (P8): fetched when somebody looks, kept a while in memory.
//!
//! The page shows them as ours, so that no site in a list learns who is looking (WEB-25). Each is
//! fetched once, however many ask; bytes and number are bounded, the oldest go first. Memory, not
//! the disk: what is forgotten (C18) is then gone at once, and a restart leaves nothing behind.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::Url;
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::Instant;

use crate::Failure;
use crate::robots::{self, Book};
use crate::visit::{Busy, Shared};

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What its bytes are.
    pub kind: PictureKind,
    /// Its bytes, as they came.
    pub bytes: Arc<[u8]>,
}

/// What can be shown: formats that hold pixels and nothing that runs. SVG is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// AVIF.
    Avif,
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPicture {
    /// Not now: no crawl runs, it is paused, or there was no turn in time.
    Later,
    /// It lies outside of what is crawled, or is kept out.
    KeptOut,
    /// The site does not want it fetched or shown.
    Forbidden,
    /// The request failed.
    Failed(Failure),
    /// The server answered with this status.
    Status(u16),
    /// There is something else.
    NotAPicture,
    /// It is longer than what is shown, or broke off.
    TooLarge,
}

/// Most pictures and bytes that are kept, and fetches at once.
const KEPT: usize = 4_000;
const KEPT_BYTES: usize = 32 * 1024 * 1024;
const AT_ONCE: usize = 8;
/// How long a picture is kept, and how long it is remembered that there is none.
const KEPT_FOR: Duration = Duration::from_secs(24 * 3600);
const NONE_FOR: Duration = Duration::from_secs(600);
/// Rules of hosts that are kept in memory for this, besides those of the crawl.
const RULES: robots::Limits = robots::Limits { origins: 500, bytes: 4 * 1024 * 1024 };
/// More pixels would cost whoever looks at it more memory than a page of results is worth.
const PIXELS: u64 = 40_000_000;

impl PictureKind {
    /// Returns what bytes are, by their first ones, if they can be shown and are not too large on
    /// the screen.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let at = |from: usize, text: &[u8]| bytes.get(from..from + text.len()) == Some(text);
        let kind = match () {
            () if at(0, b"\x89PNG\r\n\x1a\n") => Self::Png,
            () if at(0, b"\xff\xd8\xff") => Self::Jpeg,
            () if at(0, b"GIF87a") || at(0, b"GIF89a") => Self::Gif,
            () if at(0, b"RIFF") && at(8, b"WEBP") => Self::Webp,
            () if at(4, b"ftypavif") || at(4, b"ftypavis") => Self::Avif,
            () => return None,
        };
        let (width, height) = kind.size(bytes)?;
        (u64::from(width) * u64::from(height) <= PIXELS).then_some(kind)
    }

    /// Returns its name as servers write it.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
        }
    }

    /// Returns width and height in pixels, as the head of the file tells them.
    fn size(self, bytes: &[u8]) -> Option<(u32, u32)> {
        let big = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let little = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        match self {
            Self::Png => Some((big(16)?, big(20)?)),
            Self::Gif => Some((little(6)?.into(), little(8)?.into())),
            Self::Jpeg => jpeg_size(bytes),
            Self::Webp => webp_size(bytes),
            // The largest of the items it is made of.
            Self::Avif => {
                let boxes = bytes.windows(4).enumerate().filter(|(_, name)| *name == b"ispe");
                let sizes = boxes.filter_map(|(at, _)| Some((big(at + 8)?, big(at + 12)?)));
                sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
            }
        }
    }
}

/// Finds the frame header among the segments of a JPEG.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let pair = |at: usize| Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        match *bytes.get(at + 1)? {
            // Padding, and marks without a length.
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((pair(at + 7)?.into(), pair(at + 5)?.into()));
            }
            _ => at += 2 + usize::from(pair(at + 2)?).max(2),
        }
    }
}

/// Reads the first chunk of a WebP file, of any of its three forms.
fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize, len: usize| {
        let part = bytes.get(at..at + len)?;
        Some(part.iter().rev().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)))
    };
    match bytes.get(12..16)? {
        b"VP8 " => Some((number(26, 2)? & 0x3fff, number(28, 2)? & 0x3fff)),
        b"VP8L" => {
            let bits = number(21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((number(24, 3)? + 1, number(27, 3)? + 1)),
        _ => None,
    }
}

/// What is known of pictures.
pub(crate) struct Pictures {
    book: Mutex<Book>,
    turns: Semaphore,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    cells: HashMap<Url, Arc<Cell>>,
    /// In the order in which they came.
    order: VecDeque<Url>,
    bytes: usize,
}

/// What came of one address, or is being asked.
struct Cell {
    begun: Instant,
    found: OnceCell<Result<Picture, NoPicture>>,
}

impl Pictures {
    pub(crate) fn new(token: &str) -> Self {
        Self {
            book: Mutex::new(Book::new(token, RULES)),
            turns: Semaphore::new(AT_ONCE),
            kept: Mutex::default(),
        }
    }

    /// Returns a picture, fetched once however many ask for it.
    pub(crate) async fn get(&self, shared: &Shared, url: &Url) -> Result<Picture, NoPicture> {
        // Asked each time: what is forgotten now must not be shown from memory.
        shared.may_show(url)?;
        let cell = self.kept().cell(url);
        let is_new = !cell.found.initialized();
        // Who leaves while asking makes room for the next one who waits.
        let found = cell.found.get_or_try_init(|| async {
            let _turn = self.turns.acquire().await.map_err(|_| Busy)?;
            shared.picture(url, &self.book).await
        });
        let Ok(found) = found.await.cloned() else { return Err(NoPicture::Later) };
        if is_new {
            self.kept().weigh(url, &cell);
        }
        found
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Returns the cell of an address; a new one where there is none or it is too old.
    fn cell(&mut self, url: &Url) -> Arc<Cell> {
        if let Some(cell) = self.cells.get(url) {
            let lasts = match cell.found.get() {
                Some(Err(_)) => NONE_FOR,
                _ => KEPT_FOR,
            };
            if cell.begun.elapsed() < lasts {
                return cell.clone();
            }
            self.remove(&url.clone());
        }
        while self.order.len() >= KEPT {
            self.drop_oldest();
        }
        let cell = Arc::new(Cell { begun: Instant::now(), found: OnceCell::new() });
        self.cells.insert(url.clone(), cell.clone());
        self.order.push_back(url.clone());
        cell
    }

    /// Counts a picture that has come, and makes room for it.
    fn weigh(&mut self, url: &Url, cell: &Arc<Cell>) {
        // Several may have waited for it, and it may be gone again.
        if !self.cells.get(url).is_some_and(|known| Arc::ptr_eq(known, cell)) {
            return;
        }
        self.bytes = self.cells.values().map(|cell| cell.bytes()).sum();
        while self.bytes > KEPT_BYTES {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(url) = self.order.front().cloned() {
            self.remove(&url);
        }
    }

    fn remove(&mut self, url: &Url) {
        self.order.retain(|known| known != url);
        if let Some(cell) = self.cells.remove(url) {
            self.bytes = self.bytes.saturating_sub(cell.bytes());
        }
    }
}

impl Cell {
    fn bytes(&self) -> usize {
        match self.found.get() {
            Some(Ok(picture)) => picture.bytes.len(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
