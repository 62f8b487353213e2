//! Collections of one JSON object per line, the form in which test collections are passed on.
//!
//! ```text
//! {"id": "51", "title": "…", "text": "…", "url": "…", "language": "en", "date": "1994-05-02", "html": "…"}
//! ```
//! Only `id` and one of `text`, `title` and `html` must be there. The address is `url` or, without one, the
//! address given for the collection with the id behind it ([`address_of`]).

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base::{Rules, Timestamp, Url};
use serde::Deserialize;

use super::stream::Stream;
use super::{Foreign, Item, Source, made_head, percent_encoded};
use crate::Error;

/// Reads the lines of a file, packed or not. Each is as old as the file.
pub struct Lines {
    path: PathBuf,
    stream: Stream,
    base: Url,
    fetched: Timestamp,
    number: u64,
    is_ended: bool,
}

/// Longest line taken; a page of the largest size, escaped.
const LINE_BYTES: usize = 32 * 1024 * 1024;

#[derive(Deserialize)]
struct Line {
    #[serde(alias = "_id")]
    id: Option<Id>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    html: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(serde_json::Number),
}

/// Returns the address of the document `id` of a collection that was imported below `base`:
/// `base`, a `/` if it does not end in one, and the id with all but letters, digits, `-`, `.`,
/// `_` and `~` percent-encoded. `None` for ids that cannot be in an address.
pub fn address_of(base: &Url, id: &str) -> Option<Url> {
    // These are not names but steps, encoded or not.
    if matches!(id, "" | "." | "..") {
        return None;
    }
    let slash = if base.as_str().ends_with('/') { "" } else { "/" };
    let text = format!("{base}{slash}{}", percent_encoded(id.as_bytes()));
    Url::parse_with(&text, Rules::NONE).ok()
}

impl Lines {
    /// Opens a file; documents without an address of their own are put below `base`.
    pub fn open(path: &Path, base: &Url) -> Result<Self, Error> {
        let failed = |action| move |source| Error::File { action, path: path.to_owned(), source };
        let stream = Stream::open(path).map_err(failed("open"))?;
        let data = std::fs::metadata(path).map_err(failed("look at"))?;
        let fetched = data.modified().unwrap_or(SystemTime::UNIX_EPOCH).into();
        let (path, base) = (path.to_owned(), base.clone());
        Ok(Self { path, stream, base, fetched, number: 0, is_ended: false })
    }

    /// Reads a line; `None` in place of one that is too long, which is passed over.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut line, mut is_long) = (Vec::new(), false);
        loop {
            let waiting = self.stream.peek(1)?;
            if waiting.is_empty() {
                self.is_ended = true;
                break;
            }
            let end = waiting.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let count = end.unwrap_or(waiting.len());
            is_long |= line.len() + count > LINE_BYTES;
            if !is_long {
                line.extend_from_slice(&waiting[..count]);
            }
            self.stream.consume(count);
            if end.is_some() {
                break;
            }
        }
        Ok((!is_long).then_some(line))
    }

    fn item(&self, line: &[u8]) -> Result<Item, String> {
        let said: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let id = match &said.id {
            Some(Id::Text(id)) => id.clone(),
            Some(Id::Number(id)) => id.to_string(),
            None => return Err("no `id`".to_owned()),
        };
        let (target, is_named_by_us) = match &said.url {
            Some(url) if !url.is_empty() => (url.clone(), false),
            _ => {
                let made = address_of(&self.base, &id);
                (made.ok_or("an `id` that cannot be in an address")?.to_string(), true)
            }
        };
        if said.text.is_none() && said.title.is_none() && said.html.is_none() {
            return Err("neither `text` nor `title` nor `html`".to_owned());
        }
        let body = page(&said).into_bytes();
        let head = made_head("jsonl", Some("text/html; charset=utf-8"), body.len());
        let fetched = self.fetched;
        let (address, cut) = (None, None);
        let foreign = Foreign { target, is_named_by_us, fetched, address, head, body, cut };
        Ok(Item::Response(Box::new(foreign)))
    }
}

impl Iterator for Lines {
    type Item = Result<Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_ended {
            self.number += 1;
            let line = match self.line() {
                Ok(line) => line,
                Err(source) => {
                    self.is_ended = true;
                    let path = self.path.clone();
                    return Some(Err(Error::File { action: "read", path, source }));
                }
            };
            let item = match line {
                Some(line) if line.trim_ascii().is_empty() => continue,
                Some(line) => self.item(&line),
                None => Err(format!("longer than {LINE_BYTES} bytes")),
            };
            let (path, number) = (self.path.clone(), self.number);
            return Some(item.map_err(|reason| Error::Line { path, number, reason }));
        }
        None
    }
}

impl Source for Lines {
    fn used(&self) -> u64 {
        self.stream.used()
    }
}

/// Makes a page of a line: its own HTML, or one paragraph for each of the text's.
fn page(line: &Line) -> String {
    if let Some(html) = &line.html {
        return html.clone();
    }
    let mut page = "<!DOCTYPE html>\n<html".to_owned();
    if let Some(language) = &line.language {
        page.push_str(&format!(" lang=\"{}\"", escaped(language)));
    }
    page.push_str("><head><meta charset=\"utf-8\">");
    if let Some(title) = &line.title {
        page.push_str(&format!("<title>{}</title>", escaped(title)));
    }
    if let Some(date) = &line.date {
        let date = escaped(date);
        page.push_str(&format!("<meta property=\"article:published_time\" content=\"{date}\">"));
    }
    page.push_str("</head><body><main>\n");
    for paragraph in line.text.as_deref().unwrap_or_default().split("\n\n") {
        if !paragraph.trim().is_empty() {
            page.push_str(&format!("<p>{}</p>\n", escaped(paragraph)));
        }
    }
    page.push_str("</main></body></html>\n");
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
