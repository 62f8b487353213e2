//! The records of one fetch, and of the beginning of a file, as bytes.

use std::borrow::Cow;

use base::{Capture, Timestamp};

use crate::folder::Part;
use crate::gzip::{Effort, Packer};
use crate::warc::{Head, RECORD_END, date_text, digest, one_line, record_id};
use crate::{Captured, Cut, Options, Response, Revisit, cdxj, http};

/// Appends the warcinfo record that begins a file to `out`, and returns its name.
///
/// A file begins with its first fetch, which gives it its date.
pub(crate) fn push_warcinfo(
    packer: &mut Packer,
    options: &Options,
    number: u32,
    first: &Response,
    out: &mut Vec<u8>,
) -> String {
    let mut block = format!("software: {}\r\n", one_line(&options.software));
    block.push_str("format: WARC File Format 1.1\r\n");
    block.push_str("conformsTo: http://iipc.github.io/warc-specifications/specifications/");
    block.push_str("warc-format/warc-1.1/\r\n");
    let optional =
        [("operator", &options.operator), ("http-header-user-agent", &options.user_agent)];
    for (name, value) in optional {
        if let Some(value) = value {
            block.push_str(&format!("{name}: {}\r\n", one_line(value)));
        }
    }
    let (url, millis) = (first.url.as_str().as_bytes(), first.fetched.as_millis().to_le_bytes());
    let id = record_id(&[b"warcinfo", &number.to_le_bytes(), url, &millis, block.as_bytes()]);
    let head = Head::new("warcinfo", &id, first.fetched)
        .field("WARC-Filename", Part::Warc.name(number))
        .field("WARC-Block-Digest", digest(&[block.as_bytes()]))
        .field("Content-Type", "application/warc-fields")
        .finish(block.len());
    packer.push(&[head.as_bytes(), block.as_bytes(), RECORD_END], Effort::Pack, out);
    id
}

/// What the records of one fetch have in common.
pub(crate) struct Fetch<'a> {
    response: &'a Response<'a>,
    /// The capture that still holds, of a response that brought nothing new.
    original: Option<Original>,
    /// The name of the file's warcinfo record.
    info_id: &'a str,
    request_id: String,
    response_id: String,
    /// The head as archived.
    head: Cow<'a, [u8]>,
    block_digest: String,
    /// `None` if no body came.
    payload_digest: Option<String>,
}

/// What a revisit refers to: the capture of the same address at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Original {
    pub(crate) revisit: Revisit,
    pub(crate) since: Timestamp,
}

impl<'a> Fetch<'a> {
    /// Prepares the records of a fetch that will begin at `offset` of a file, or close to it.
    pub(crate) fn new(
        response: &'a Response<'a>,
        original: Option<Original>,
        info_id: &'a str,
        (number, offset): (u32, u64),
    ) -> Self {
        let head = http::archived_head(response.head);
        let body_start = http::head_end(&head).expect("an archived head has an end");
        let is_sent = original.is_none_or(|original| original.revisit == Revisit::SamePayload);
        let payload_digest = is_sent.then(|| digest(&[&head[body_start..], response.body]));
        let id = |kind: &[u8]| {
            record_id(&[
                kind,
                &number.to_le_bytes(),
                &offset.to_le_bytes(),
                response.url.as_str().as_bytes(),
                &response.fetched.as_millis().to_le_bytes(),
                payload_digest.as_deref().unwrap_or_default().as_bytes(),
            ])
        };
        Self {
            response,
            original,
            info_id,
            request_id: id(b"request"),
            response_id: id(original.map_or(b"response", |_| b"revisit")),
            block_digest: match original {
                Some(_) => digest(&[&head]),
                None => digest(&[&head, response.body]),
            },
            head,
            payload_digest,
        }
    }

    /// Appends the records to `out`; returns where in it the response begins.
    pub(crate) fn push(&self, packer: &mut Packer, out: &mut Vec<u8>) -> usize {
        let Response { request, .. } = self.response;
        let body = self.body();
        if !request.is_empty() {
            let head = self.request_head();
            packer.push(&[head.as_bytes(), request, RECORD_END], Effort::Pack, out);
        }
        let start = out.len();
        let head = self.response_head();
        let is_compressed = http::is_compressed(&self.head, body);
        let effort = if is_compressed { Effort::Store } else { Effort::Pack };
        packer.push(&[head.as_bytes(), &self.head, body, RECORD_END], effort, out);
        start
    }

    /// Returns the line of the response in the index.
    pub(crate) fn index_line(&self, capture: Capture, crc32: u32) -> String {
        let response = self.response;
        let captured = Captured {
            target: response.url.as_str().to_owned(),
            url: Some(response.url.clone()),
            capture,
            fetched: response.fetched,
            address: response.address,
            head: self.head.to_vec(),
            // Nothing in an index is made of the body.
            body: Vec::new(),
            cut: response.cut,
            revisit: self.original.map(|original| original.revisit),
        };
        cdxj::line(&captured, self.payload_digest.as_deref().unwrap_or_default(), crc32)
    }

    /// Returns the body as archived.
    fn body(&self) -> &[u8] {
        if self.original.is_some() { &[] } else { self.response.body }
    }

    fn request_head(&self) -> String {
        let response = self.response;
        Head::new("request", &self.request_id, response.fetched)
            .field("WARC-Target-URI", response.url)
            .maybe("WARC-IP-Address", response.address)
            .field("WARC-Concurrent-To", &self.response_id)
            .field("WARC-Warcinfo-ID", self.info_id)
            .field("WARC-Block-Digest", digest(&[response.request]))
            .field("Content-Type", "application/http; msgtype=request")
            .finish(response.request.len())
    }

    fn response_head(&self) -> String {
        let response = self.response;
        let request_id = Some(&self.request_id).filter(|_| !response.request.is_empty());
        let is_same = |original: Original| original.revisit == Revisit::SamePayload;
        // WARC 1.1 has a revisit say so whose body was left away.
        let cut = response.cut.or(self.original.filter(|is| is_same(*is)).map(|_| Cut::Length));
        let cut = cut.map(|cut| match cut {
            Cut::Length => "length",
            Cut::Time => "time",
            Cut::Disconnect => "disconnect",
        });
        let kind = if self.original.is_some() { "revisit" } else { "response" };
        Head::new(kind, &self.response_id, response.fetched)
            .field("WARC-Target-URI", response.url)
            .maybe("WARC-Profile", self.original.map(|original| original.revisit.profile()))
            .maybe("WARC-Refers-To-Target-URI", self.original.map(|_| response.url))
            .maybe("WARC-Refers-To-Date", self.original.map(|original| date_text(original.since)))
            .maybe("WARC-IP-Address", response.address)
            .maybe("WARC-Concurrent-To", request_id)
            .field("WARC-Warcinfo-ID", self.info_id)
            .maybe("WARC-Truncated", cut)
            .field("WARC-Block-Digest", &self.block_digest)
            .maybe("WARC-Payload-Digest", self.payload_digest.as_ref())
            .field("Content-Type", "application/http; msgtype=response")
            .finish(self.head.len() + self.body().len())
    }
}
