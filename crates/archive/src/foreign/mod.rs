//! What others have kept, on its way into our archive: their WARC and ARC files, folders of
//! files, collections of lines.
//!
//! Whatever the source, what comes out is a response: status line, fields, body. That is the one
//! thing our archive holds and all later stages read; a page made of a file or a line says so in
//! a field of its head ([`MADE`]), so that nobody takes it for something a server has sent.

mod arc;
mod chunked;
mod files;
mod lines;
mod stream;
mod warcs;

use std::net::IpAddr;

use base::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

pub use files::Files;
pub use lines::{Lines, address_of};
pub use warcs::Warcs;

use crate::{Cut, Error, Response, http};

/// One record of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A response.
    Response(Box<Foreign>),
    /// Something else that may well be there: what it is.
    Other(&'static str),
}

/// A response that somebody else has kept, or that was made of what they have kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The address as the source has it.
    pub target: String,
    /// Whether the address was made up for this import, so that no rules of ours apply to it.
    pub is_named_by_us: bool,
    /// When it was fetched, or last changed.
    pub fetched: Timestamp,
    /// The server that answered.
    pub address: Option<IpAddr>,
    /// Status line and fields, up to the empty line.
    pub head: Vec<u8>,
    /// The body, still content-encoded.
    pub body: Vec<u8>,
    /// Why the body is not complete, if it is not.
    pub cut: Option<Cut>,
}

impl Foreign {
    /// Returns whether no server has ever sent this: it was made of a file or a line.
    pub fn is_made(&self) -> bool {
        http::field(&self.head, MADE).is_some()
    }

    /// Returns the response as it is archived under `url`.
    pub fn response<'a>(&'a self, url: &'a base::Url) -> Response<'a> {
        let Self { fetched, address, cut, head, body, .. } = self;
        Response { url, fetched: *fetched, address: *address, request: &[], head, body, cut: *cut }
    }
}

/// A source of responses. An error is about one record; what follows may still be good.
pub trait Source: Iterator<Item = Result<Item, Error>> {
    /// Returns how many bytes of the source have been used.
    fn used(&self) -> u64;
}

/// The field that says of what a page was made.
pub const MADE: &str = "X-Lookfar-Made-Of";

/// Makes the head of a response that nobody has sent.
fn made_head(of: &str, media: Option<&str>, length: usize) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 200 OK\r\n{MADE}: {}\r\n", crate::warc::one_line(of));
    if let Some(media) = media {
        head.push_str(&format!("Content-Type: {}\r\n", crate::warc::one_line(media)));
    }
    head.push_str(&format!("Content-Length: {length}\r\n\r\n"));
    head.into_bytes()
}

/// Writes bytes so that they can stand in one segment of a path, whatever they are.
fn percent_encoded(bytes: &[u8]) -> String {
    const ENCODED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    percent_encode(bytes, ENCODED).to_string()
}
