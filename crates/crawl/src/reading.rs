//! From a response to what the page record says: decode, parse, judge the head.
//!
//! The same function serves responses just fetched and responses read back from the archive.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use archive::{Captured, Cut};
use base::{Capture, Oddity, PageId, PageRecord, Timestamp, Url, limits};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use parse::Parsed;
use xxhash_rust::xxh3::Xxh3;

use crate::Options;
use crate::fetch::{self, Fetched, Following, Redirect, Validators, decoded};
use crate::frontier::{Arrived, Role};

/// What was read from a response.
pub(crate) struct Reading {
    status: u16,
    redirect: Option<Url>,
    parsed: Parsed,
    body_bytes: u64,
    oddities: Vec<Oddity>,
    /// `None` if the body is not whole.
    arrived: Option<Arrived>,
}

/// What a response is read for.
#[derive(Clone, Copy)]
pub(crate) struct Purpose<'a> {
    /// Most bytes taken after decoding.
    pub(crate) limit: usize,
    /// Our name in robots' directives.
    pub(crate) agent: &'a str,
    pub(crate) role: Role,
    pub(crate) following: Following,
    pub(crate) documents: Option<&'a parse::document::Reader>,
}

impl<'a> Purpose<'a> {
    /// Returns what a URL is read for.
    pub(crate) fn of(url: &Url, role: Role, options: &'a Options) -> Self {
        let (rules, downgrades) = (options.url_rules, options.fetch.follow_downgrades);
        Self {
            limit: limit(url, role, options.fetch.body_bytes),
            agent: &options.agent.token,
            role,
            following: Following { rules, downgrades },
            documents: options.documents.as_ref(),
        }
    }
}

/// Reads a response just fetched.
pub(crate) fn from_response(
    url: &Url,
    at: Timestamp,
    fetched: &Fetched,
    purpose: Purpose<'_>,
) -> Reading {
    let Fetched { status, headers, body, cut, .. } = fetched;
    read(url, *status, headers, Body { bytes: body, cut: *cut, at }, purpose)
}

/// Reads a response from the archive.
pub(crate) fn from_archive(url: &Url, captured: &Captured, purpose: Purpose<'_>) -> Reading {
    let status = captured.status().unwrap_or(0);
    let headers = headers(&captured.head);
    let body = Body { bytes: &captured.body, cut: captured.cut, at: captured.fetched };
    read(url, status, &headers, body, purpose)
}

/// Reads responses from the archive, each for its role, on all processors; in their order.
pub(crate) fn all_from_archive(
    responses: &[(Url, Role, Captured)],
    options: &Options,
) -> Vec<Reading> {
    let read = |(url, role, captured): &(Url, Role, Captured)| {
        from_archive(url, captured, Purpose::of(url, *role, options))
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(responses.len());
    if threads < 2 {
        return responses.iter().map(read).collect();
    }
    // Each takes the next that is left: pages differ too much for equal shares.
    let (next, read) = (AtomicUsize::new(0), &read);
    let work = || {
        let mut done = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(response) = responses.get(number)
        {
            done.push((number, read(response)));
        }
        done
    };
    let mut done: Vec<(usize, Reading)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<(usize, Reading)>>| {
            worker.join().expect("reading catches its panics")
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, reading)| reading).collect()
}

/// Returns the body of an archived response without its content codings, and whether it goes on;
/// `None` if it has codings that we do not know.
pub fn decoded_body(captured: &Captured, limit: usize) -> Option<(Vec<u8>, bool)> {
    let decoded = decoded(&headers(&captured.head), &captured.body, limit)?;
    Some((decoded.body.into_owned(), decoded.cut || captured.cut.is_some()))
}

/// A body as received.
#[derive(Clone, Copy)]
struct Body<'a> {
    bytes: &'a [u8],
    cut: Option<Cut>,
    /// When it was.
    at: Timestamp,
}

/// Strangers wrote the page and others wrote the decoders and parsers: a panic costs this page.
fn read(
    url: &Url,
    status: u16,
    headers: &HeaderMap,
    body: Body<'_>,
    purpose: Purpose<'_>,
) -> Reading {
    let caught = catch_unwind(AssertUnwindSafe(|| try_read(url, status, headers, body, purpose)));
    caught.unwrap_or_else(|_| {
        let nothing = Body { bytes: &[], ..body };
        let mut reading = try_read(url, status, &HeaderMap::new(), nothing, purpose);
        reading.oddities.push(Oddity::Unreadable);
        reading
    })
}

fn try_read(
    url: &Url,
    status: u16,
    headers: &HeaderMap,
    body: Body<'_>,
    purpose: Purpose<'_>,
) -> Reading {
    let mut oddities = Vec::new();
    let arrived = body.cut.is_none().then(|| Arrived {
        payload: payload(headers, body.bytes),
        validators: Validators::of(headers, body.at),
    });
    let decoded = decoded(headers, body.bytes, purpose.limit);
    let text = decoded.as_ref().map_or(&[][..], |decoded| &decoded.body);
    match body.cut {
        Some(Cut::Length) => oddities.push(Oddity::BodyCut),
        Some(Cut::Time | Cut::Disconnect) => oddities.push(Oddity::BodyIncomplete),
        None if decoded.as_ref().is_some_and(|decoded| decoded.cut) => {
            oddities.push(Oddity::BodyCut);
        }
        None => {}
    }
    let texts = |name: HeaderName| -> Vec<&str> {
        headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect()
    };
    let input = parse::Input {
        content_type: texts(header::CONTENT_TYPE).first().copied(),
        robots: &texts(HeaderName::from_static("x-robots-tag")),
        links: &texts(header::LINK),
        refresh: texts(header::REFRESH).first().copied(),
        is_cut: !oddities.is_empty(),
        expects: match purpose.role {
            Role::Sitemap { .. } => parse::Expects::Sitemap,
            Role::Page | Role::Probe => parse::Expects::Page,
        },
        fetched: Some(body.at),
        modified: texts(header::LAST_MODIFIED).first().copied(),
        language: texts(header::CONTENT_LANGUAGE).first().copied(),
        ..parse::Input::new(url, text)
    };
    let options = parse::Options {
        agent: purpose.agent.to_owned(),
        url_rules: purpose.following.rules,
        documents: purpose.documents.cloned(),
        ..parse::Options::default()
    };
    let parsed = parse::parse(&input, &options);
    oddities.extend(&parsed.oddities);
    let redirect = match fetch::redirect(url, status, headers, purpose.following) {
        Redirect::To(target) => Some(target),
        Redirect::Refused(refusal) => {
            oddities.push(refusal.oddity());
            None
        }
        Redirect::No => None,
    };
    oddities.sort_unstable();
    oddities.dedup();
    Reading { status, redirect, parsed, body_bytes: text.len() as u64, oddities, arrived }
}

/// Returns a hash of a body as it came, and of the fields that decide what is read in it.
///
/// Not of the date of change: one that is new each time, over a body that is not, says nothing.
pub(crate) fn payload(headers: &HeaderMap, body: &[u8]) -> u128 {
    let mut hasher = Xxh3::new();
    let fields = [
        header::CONTENT_TYPE,
        header::CONTENT_ENCODING,
        header::CONTENT_LANGUAGE,
        header::LINK,
        header::REFRESH,
        HeaderName::from_static("x-robots-tag"),
    ];
    for name in fields {
        for value in headers.get_all(&name) {
            hasher.update(value.as_bytes());
            hasher.update(b"\n");
        }
        hasher.update(b"\n");
    }
    hasher.update(body);
    hasher.digest128()
}

/// Returns how much of a body is read.
fn limit(url: &Url, role: Role, usual: usize) -> usize {
    match role {
        Role::Sitemap { .. } => limits::SITEMAP_BYTES,
        _ if is_document(url) => usual.max(limits::PDF_BYTES),
        _ => usual,
    }
}

/// Returns how long a fetch may take: a document twice as long as a page, because it may be
/// larger.
pub(crate) fn patience(url: &Url, usual: Duration) -> Duration {
    if is_document(url) { usual * 2 } else { usual }
}

/// Names that documents have; a document under another name is read as far as a page is.
const DOCUMENTS: [&str; 12] =
    ["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "epub", "rtf"];

fn is_document(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    DOCUMENTS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

impl Reading {
    /// Takes out what came with the response beside its page.
    pub(crate) fn take_arrived(&mut self) -> Option<Arrived> {
        self.arrived.take()
    }

    /// Makes the page record.
    pub(crate) fn into_record(
        self,
        url: Url,
        id: PageId,
        fetched: Timestamp,
        capture: Capture,
    ) -> PageRecord {
        let Self { status, redirect, parsed, body_bytes, oddities, .. } = self;
        let record = PageRecord {
            capture,
            redirect,
            kind: parsed.kind,
            text_hash: parsed.text_hash,
            body_bytes,
            oddities,
            ..PageRecord::new(id, url, fetched, status)
        };
        // Error pages are archived as they are; their words and links are not the web's.
        if status != 200 {
            return record;
        }
        PageRecord {
            language: parsed.language.map(|found| found.code().to_owned()),
            title: parsed.title,
            blocks: parsed.blocks,
            links: parsed.links,
            robots: parsed.robots,
            listing: parsed.listing,
            about: parsed.about,
            images: parsed.images,
            emphasis: parsed.emphasis,
            anchors: parsed.anchors,
            hidden: parsed.hidden,
            spam: parsed.spam,
            sketch: parsed.sketch,
            unquotable: parsed.unquotable,
            links_left: parsed.links_left,
            until: parsed.until,
            snippet_chars: parsed.snippet_chars,
            ..record
        }
    }
}

/// Reads header fields out of a head; lines that are none are passed over.
pub(crate) fn headers(head: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in head.split(|byte| *byte == b'\n').skip(1).take(limits::HEAD_FIELDS) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        // A folded line is not a field, to the fetcher either.
        let name = HeaderName::from_bytes(line[..colon].trim_ascii_end());
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_out_of_a_head() {
        let found = headers(b"HTTP/1.1 200 OK\r\nA: b\r\nno field\r\na:c\nB : x\r\n c: d\r\n\r\n");
        assert_eq!(found.get_all("a").iter().count(), 2);
        assert_eq!(found["b"], "x");
        assert!(!found.contains_key("c"));
    }

    #[test]
    fn a_document_may_be_larger_and_take_longer() {
        let minute = Duration::from_secs(60);
        for (url, bytes, total) in [
            ("http://a.example/x.PDF", limits::PDF_BYTES, minute * 2),
            ("http://a.example/x.pdf?y", limits::PDF_BYTES, minute * 2),
            ("http://a.example/x.docx", limits::PDF_BYTES, minute * 2),
            ("http://a.example/pdf", 1000, minute),
            ("http://a.example/?.pdf", 1000, minute),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(limit(&url, Role::Page, 1000), bytes, "{url}");
            assert_eq!(patience(&url, minute), total, "{url}");
        }
    }
}
