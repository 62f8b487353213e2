//! Content codings undone within bounds (ZIP-01 … ZIP-08).

use std::borrow::Cow;
use std::io::{self, Read};

use hyper::header::{CONTENT_ENCODING, HeaderMap};

/// A body without its content codings.
pub(crate) struct Decoded<'a> {
    pub(crate) body: Cow<'a, [u8]>,
    /// Whether bytes are missing: cut by the limit, or the compressed stream is broken.
    pub(crate) cut: bool,
}

/// Most codings on top of each other.
const CODINGS: usize = 2;
/// Largest window a zstd frame may ask for, as a power of two (8 MiB, what browsers accept).
const ZSTD_WINDOW: u32 = 23;

/// Undoes the codings that the header names, up to `limit` bytes.
///
/// Returns `None` for codings that we did not offer, or too many: such a body stays raw in the
/// archive and is not read.
pub(crate) fn decoded<'a>(
    headers: &HeaderMap,
    body: &'a [u8],
    limit: usize,
) -> Option<Decoded<'a>> {
    let mut codings = Vec::new();
    for value in headers.get_all(CONTENT_ENCODING) {
        for name in value.to_str().ok()?.split(',') {
            match name.trim().to_ascii_lowercase().as_str() {
                "" | "identity" => {}
                name => codings.push(Coding::named(name)?),
            }
        }
    }
    if codings.len() > CODINGS {
        return None;
    }
    let mut decoded = Decoded { body: Cow::Borrowed(body), cut: false };
    while let Some(coding) = codings.pop() {
        let (bytes, cut) = undo(coding, &decoded.body, limit);
        decoded.cut |= cut;
        // Says it is compressed and is not: then it is what it is.
        if !(bytes.is_empty() && cut) || decoded.body.is_empty() {
            decoded.body = Cow::Owned(bytes);
        } else {
            decoded.cut = false;
        }
    }
    Some(decoded)
}

#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    fn named(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }
}

fn undo(coding: Coding, body: &[u8], limit: usize) -> (Vec<u8>, bool) {
    match coding {
        Coding::Gzip => bounded(flate2::read::MultiGzDecoder::new(body), limit),
        Coding::Deflate => {
            // The standard means zlib; some servers send the bare stream.
            let (bytes, cut) = bounded(flate2::read::ZlibDecoder::new(body), limit);
            if bytes.is_empty() && cut {
                bounded(flate2::read::DeflateDecoder::new(body), limit)
            } else {
                (bytes, cut)
            }
        }
        Coding::Brotli => bounded(brotli::Decompressor::new(body, 16 * 1024), limit),
        Coding::Zstd => match zstd::stream::read::Decoder::with_buffer(body) {
            Ok(mut decoder) => match decoder.window_log_max(ZSTD_WINDOW) {
                Ok(()) => bounded(decoder, limit),
                Err(_) => (Vec::new(), true),
            },
            Err(_) => (Vec::new(), true),
        },
    }
}

/// Reads up to `limit` bytes; also says whether the end was not reached.
fn bounded(reader: impl Read, limit: usize) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    let result: io::Result<_> = reader.take(limit as u64 + 1).read_to_end(&mut bytes);
    let over = bytes.len() > limit;
    bytes.truncate(limit);
    (bytes, over || result.is_err())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_ENCODING, value.parse().unwrap())])
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[track_caller]
    fn check(coding: &str, body: &[u8], expected: &[u8], cut: bool) {
        let decoded = decoded(&headers(coding), body, 1000).unwrap();
        assert_eq!((decoded.body.as_ref(), decoded.cut), (expected, cut));
    }

    #[test]
    fn every_coding_we_offer_is_undone() {
        check("gzip", &gzip(b"hello"), b"hello", false);
        check("gzip, gzip", &gzip(&gzip(b"hello")), b"hello", false);
        check("zstd", &zstd::bulk::compress(b"hello", 1).unwrap(), b"hello", false);
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(b"hello").unwrap();
        check("deflate", &zlib.finish().unwrap(), b"hello", false);
        let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        raw.write_all(b"hello").unwrap();
        check("deflate", &raw.finish().unwrap(), b"hello", false);
        let mut small = Vec::new();
        brotli::BrotliCompress(&mut &b"hello"[..], &mut small, &Default::default()).unwrap();
        check("br", &small, b"hello", false);
        check("identity", b"hello", b"hello", false);
    }

    #[test]
    fn zip_01_a_bomb_is_cut_at_the_limit() {
        check("gzip", &gzip(&[b'a'; 1_000_000]), &[b'a'; 1000], true);
    }

    #[test]
    fn zip_03_zip_06_too_many_and_foreign_codings_are_not_read() {
        assert!(decoded(&headers("gzip, gzip, gzip"), b"", 10).is_none());
        assert!(decoded(&headers("compress"), b"", 10).is_none());
    }

    #[test]
    fn zip_04_plain_text_that_claims_to_be_packed_is_plain_text() {
        check("gzip", b"hello", b"hello", false);
    }

    #[test]
    fn zip_05_zip_07_cut_and_empty_streams() {
        let whole = gzip(b"hello hello hello hello");
        let half = decoded(&headers("gzip"), &whole[..whole.len() - 6], 1000).unwrap();
        assert!(half.cut && b"hello hello hello hello".starts_with(&half.body));
        check("gzip", b"", b"", true);
        check("gzip", &[gzip(b"a"), gzip(b"b")].concat(), b"ab", false);
    }
}
