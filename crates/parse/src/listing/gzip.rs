//! Sitemaps that are gzip files (`sitemap.xml.gz`), unpacked up to a limit (SMP-11, ZIP-01).
//!
//! Not a content coding: the server means the file as it is, so whoever fetched it left it so.

use std::io::Read;

use flate2::bufread::GzDecoder;

/// First bytes of a gzip file.
const MAGIC: &[u8] = b"\x1F\x8B";
/// Bytes unpacked at a time.
const STEP_BYTES: usize = 64 * 1024;
/// Files joined into one. Block-wise packers write 64 KiB each, which is 800 for the largest
/// sitemap; a file of millions of empty ones would cost a decoder each.
const MOST_MEMBERS: usize = 4_096;

/// What came out of a gzip file.
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    /// Whether the limit ended it.
    pub(crate) is_cut: bool,
    /// Whether the file broke off or its checksum is wrong.
    pub(crate) is_broken: bool,
}

/// Unpacks a body that is a gzip file; `None` if it is none.
///
/// Never holds more than `limit` bytes and one step. Several files in a row are joined, other
/// bytes behind the last are ignored (ZIP-05).
pub(crate) fn unpack(body: &[u8], limit: usize) -> Option<Unpacked> {
    if !body.starts_with(MAGIC) {
        return None;
    }
    let mut unpacked = Unpacked { bytes: Vec::new(), is_cut: false, is_broken: false };
    let mut step = vec![0; STEP_BYTES];
    let mut rest = body;
    for _ in 0..MOST_MEMBERS {
        let mut decoder = GzDecoder::new(rest);
        loop {
            match decoder.read(&mut step) {
                Ok(0) => break,
                Ok(count) if unpacked.push(&step[..count], limit) => {}
                Ok(_) => return Some(unpacked),
                Err(_) => {
                    unpacked.is_broken = true;
                    return Some(unpacked);
                }
            }
        }
        rest = decoder.into_inner();
        if !rest.starts_with(MAGIC) {
            return Some(unpacked);
        }
    }
    unpacked.is_cut = true;
    Some(unpacked)
}

impl Unpacked {
    /// Appends what the limit allows; returns whether that was all.
    fn push(&mut self, step: &[u8], limit: usize) -> bool {
        let taken = step.len().min(limit - self.bytes.len());
        if self.bytes.capacity() < self.bytes.len() + taken {
            // Doubled as a vector does by itself, but never past the limit.
            let wanted = (2 * self.bytes.len()).max(self.bytes.len() + taken).min(limit);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        self.bytes.extend_from_slice(&step[..taken]);
        self.is_cut = taken < step.len();
        !self.is_cut
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn smp_11_a_bomb_ends_at_the_limit() {
        let bomb = pack(&vec![0; 20 << 20]);
        assert!(bomb.len() < 30_000);
        let unpacked = unpack(&bomb, 100_000).unwrap();
        assert_eq!((unpacked.bytes.len(), unpacked.is_cut), (100_000, true));
        assert!(unpacked.bytes.capacity() <= 100_000);
        let whole = unpack(&pack(&[7; 100_000]), 100_000).unwrap();
        assert_eq!((whole.bytes.len(), whole.is_cut, whole.is_broken), (100_000, false, false));
    }

    #[test]
    fn smp_11_files_are_joined_and_what_follows_is_ignored() {
        let mut body = pack(b"one ");
        body.extend(pack(b"two"));
        body.extend(b"\0\0 and junk");
        let unpacked = unpack(&body, 100).unwrap();
        assert_eq!(unpacked.bytes, b"one two");
        assert!(!unpacked.is_cut && !unpacked.is_broken);
        assert!(unpack(b"plain", 100).is_none());
        assert!(unpack(b"", 100).is_none());
    }

    #[test]
    fn smp_11_a_file_of_countless_empty_files_ends() {
        let unpacked = unpack(&pack(b"").repeat(10_000), 100).unwrap();
        assert!(unpacked.is_cut && unpacked.bytes.is_empty());
    }

    #[test]
    fn smp_11_a_cut_or_damaged_file_is_read_as_far_as_it_goes() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(u32::to_le_bytes).collect();
        let whole = pack(&text);
        let unpacked = unpack(&whole[..whole.len() / 2], 1 << 20).unwrap();
        assert!(unpacked.is_broken && text.starts_with(&unpacked.bytes));
        assert!(!unpacked.bytes.is_empty());
        let mut wrong = whole;
        let checksum = wrong.len() - 8;
        wrong[checksum] ^= 1;
        let unpacked = unpack(&wrong, 1 << 20).unwrap();
        assert!(unpacked.is_broken);
        assert_eq!(unpacked.bytes, text);
        // A file name of megabytes in the head (ZIP-08).
        let mut named = b"\x1F\x8B\x08\x08\0\0\0\0\0\x03".to_vec();
        named.extend(vec![b'x'; 2 << 20]);
        assert!(unpack(&named, 1 << 20).unwrap().is_broken);
    }
}
