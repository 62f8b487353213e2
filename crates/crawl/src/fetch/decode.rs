//! Content codings undone within bounds (ZIP-01 … ZIP-08).
//!
//! Nothing is reserved by what a stream claims to be; output grows as it comes, up to the limit
//! and up to a multiple of the input.

use std::borrow::Cow;
use std::io::Read;

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
/// Most times that a body may grow. Pages shrink to a tenth, tables of zeros to a hundredth.
const RATIO: usize = 250;
/// Up to here it may grow as it likes.
const ALWAYS: usize = 1024 * 1024;
/// Most gzip members that are joined; each costs a new decoder, however little it holds.
const MEMBERS: usize = 1_000;

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
                _ if codings.len() == CODINGS => return None,
                name => codings.push(Coding::named(name)?),
            }
        }
    }
    let limit = limit.min(body.len().saturating_mul(RATIO).max(ALWAYS));
    let mut decoded = Decoded { body: Cow::Borrowed(body), cut: false };
    while let Some(coding) = codings.pop() {
        if decoded.body.is_empty() {
            break;
        }
        let (bytes, end) = undo(coding, &decoded.body, limit);
        match end {
            // Says it is compressed and is not: then it is what it is.
            End::Broken if is_text(&decoded.body) => {}
            end => {
                decoded.cut |= end != End::Whole;
                decoded.body = Cow::Owned(bytes);
            }
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

/// How a compressed stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Whole,
    Limit,
    Broken,
}

fn undo(coding: Coding, body: &[u8], limit: usize) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let end = match coding {
        Coding::Gzip => gunzip(body, limit, &mut bytes),
        Coding::Deflate => {
            // The standard means zlib; some servers send the bare stream.
            match fill(flate2::bufread::ZlibDecoder::new(body), limit, &mut bytes) {
                End::Broken if bytes.is_empty() => {
                    fill(flate2::bufread::DeflateDecoder::new(body), limit, &mut bytes)
                }
                end => end,
            }
        }
        Coding::Brotli => fill(brotli::Decompressor::new(body, 16 * 1024), limit, &mut bytes),
        Coding::Zstd => match zstd::stream::read::Decoder::with_buffer(body) {
            Ok(mut decoder) => match decoder.window_log_max(ZSTD_WINDOW) {
                Ok(()) => fill(decoder, limit, &mut bytes),
                Err(_) => End::Broken,
            },
            Err(_) => End::Broken,
        },
    };
    (bytes, end)
}

/// Joins the members of a gzip stream and ignores what stands behind the last one.
fn gunzip(mut body: &[u8], limit: usize, bytes: &mut Vec<u8>) -> End {
    for _ in 0..MEMBERS {
        let mut member = flate2::bufread::GzDecoder::new(body);
        match fill(&mut member, limit, bytes) {
            End::Whole => body = member.into_inner(),
            end => return end,
        }
        if !body.starts_with(&[0x1F, 0x8B]) {
            return End::Whole;
        }
    }
    End::Limit
}

/// Reads until `bytes` has `limit` bytes.
fn fill(mut reader: impl Read, limit: usize, bytes: &mut Vec<u8>) -> End {
    const STEP: usize = 64 * 1024;
    loop {
        // One byte more than may be shows whether there are more. Growing by hand keeps the
        // buffer from doubling beyond the limit.
        let room = (limit + 1 - bytes.len()).min(bytes.len().max(STEP));
        bytes.reserve_exact(room);
        match reader.by_ref().take(room as u64).read_to_end(bytes) {
            Err(_) => {
                bytes.truncate(limit);
                return End::Broken;
            }
            Ok(read) if read < room => return End::Whole,
            Ok(_) if bytes.len() > limit => {
                bytes.truncate(limit);
                return End::Limit;
            }
            Ok(_) => {}
        }
    }
}

/// Returns whether the beginning of a body is what no compressed stream has: text.
fn is_text(body: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < 0x20 && !b"\t\n\x0C\r\x1B".contains(byte);
    !body.iter().take(512).any(is_control)
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

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::fast();
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn brotli(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let params = brotli::enc::BrotliEncoderParams { quality: 2, ..Default::default() };
        brotli::BrotliCompress(&mut &*bytes, &mut out, &params).unwrap();
        out
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(bytes, 1).unwrap()
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
        check("br, x-gzip", &gzip(&brotli(b"hello")), b"hello", false);
        check("zstd", &zstd(b"hello"), b"hello", false);
        check("deflate", &zlib(b"hello"), b"hello", false);
        check("deflate", &raw_deflate(b"hello"), b"hello", false);
        check("br", &brotli(b"hello"), b"hello", false);
        check("identity", b"hello", b"hello", false);
        check("GZIP", &gzip(&[b'a'; 1000]), &[b'a'; 1000], false);
    }

    #[test]
    fn zip_01_zip_02_bombs_are_cut_at_the_limit_and_take_no_more_memory() {
        let zeros = vec![0; 32 * 1024 * 1024];
        let (gzip, zlib, raw) = (gzip(&zeros), zlib(&zeros), raw_deflate(&zeros));
        let (brotli, zstd) = (brotli(&zeros), zstd(&zeros));
        for (coding, bomb) in
            [("gzip", gzip), ("deflate", zlib), ("deflate", raw), ("br", brotli), ("zstd", zstd)]
        {
            let limit = 900_000;
            let decoded = decoded(&headers(coding), &bomb, limit).unwrap();
            assert!(decoded.cut, "{coding}");
            let Cow::Owned(body) = decoded.body else { panic!("{coding} was not undone") };
            assert_eq!(body.len(), limit, "{coding}");
            assert!(body.capacity() <= limit + 64, "{coding}: {}", body.capacity());
        }
    }

    #[test]
    fn zip_01_a_bomb_within_a_bomb_is_cut_by_the_ratio() {
        let inner = gzip(&vec![0; 64 * 1024 * 1024]);
        let bomb = gzip(&inner);
        assert!(bomb.len() < 20_000, "{}", bomb.len());
        let decoded = decoded(&headers("gzip, gzip"), &bomb, 50 * 1024 * 1024).unwrap();
        assert!(decoded.cut);
        assert!(decoded.body.len() <= ALWAYS.max(bomb.len() * RATIO), "{}", decoded.body.len());
    }

    #[test]
    fn zip_02_a_zstd_frame_that_wants_a_huge_window_is_refused() {
        // Magic, descriptor, window (2^(10 + n)), one raw block that is the last.
        let frame = |window_log: u8| {
            let window = (window_log - 10) << 3;
            [&[0x28, 0xB5, 0x2F, 0xFD, 0, window, 0x29, 0, 0][..], b"hello"].concat()
        };
        check("zstd", &frame(23), b"hello", false);
        check("zstd", &frame(24), b"", true);
        check("zstd", &frame(31), b"", true);
    }

    #[test]
    fn zip_03_zip_06_too_many_and_foreign_codings_are_not_read() {
        assert!(decoded(&headers("gzip, gzip, gzip"), b"", 10).is_none());
        assert!(decoded(&headers(&"gzip,".repeat(10)), b"", 10).is_none());
        for foreign in ["compress", "bzip2", "x-foo", "gzip, x-foo"] {
            assert!(decoded(&headers(foreign), b"", 10).is_none(), "{foreign}");
        }
    }

    #[test]
    fn zip_04_plain_text_that_claims_to_be_packed_is_plain_text() {
        for coding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
            check(coding, b"<p>hello", b"<p>hello", false);
        }
    }

    #[test]
    fn zip_05_streams_that_are_cut_or_damaged_are_marked() {
        let text = b"hello hello hello hello";
        let whole = gzip(text);
        let half = decoded(&headers("gzip"), &whole[..whole.len() - 10], 1000).unwrap();
        assert!(half.cut && text.starts_with(&half.body));
        let mut damaged = whole.clone();
        let checksum = damaged.len() - 8;
        damaged[checksum] ^= 1;
        check("gzip", &damaged, text, true);
    }

    #[test]
    fn zip_05_members_are_joined_and_what_follows_them_is_ignored() {
        check("gzip", &[gzip(b"a"), gzip(b"b")].concat(), b"ab", false);
        check("gzip", &[&gzip(b"a")[..], b"junk behind the end"].concat(), b"a", false);
        check("gzip", &[gzip(b"a"), vec![0; 100]].concat(), b"a", false);
        let many = gzip(b"").repeat(5_000);
        assert!(decoded(&headers("gzip"), &many, 1000).unwrap().cut);
    }

    #[test]
    fn zip_07_an_empty_body_is_an_empty_document() {
        for coding in ["gzip", "deflate", "br", "zstd"] {
            check(coding, b"", b"", false);
        }
    }

    #[test]
    fn zip_08_a_gzip_header_with_a_huge_name_is_bounded() {
        let named = |length: usize| {
            let level = flate2::Compression::fast();
            let builder = flate2::GzBuilder::new().filename(vec![b'n'; length]);
            let mut encoder = builder.comment("c").write(Vec::new(), level);
            encoder.write_all(b"hello").unwrap();
            encoder.finish().unwrap()
        };
        check("gzip", &named(1000), b"hello", false);
        check("gzip", &named(10 * 1024 * 1024), b"", true);
    }

    proptest::proptest! {
        #[test]
        fn arbitrary_bytes_are_decoded_to_no_more_than_the_limit(
            body in proptest::collection::vec(proptest::num::u8::ANY, 0..2000),
            limit in 0_usize..3000,
        ) {
            for coding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
                let decoded = decoded(&headers(coding), &body, limit).unwrap();
                proptest::prop_assert!(decoded.body.len() <= limit.max(body.len()));
            }
        }
    }
}
