//! What strangers must not guess: random bytes, seals, and comparisons that tell nothing.
//!
//! All of it stands here once, so that there is one place to read when it matters. Random bytes
//! come from the system; where it has none, whoever needs them does without.

use sha2::{Digest, Sha256};
use tracing::error;

/// How many digits a seal has: 128 bits.
const SEAL_DIGITS: usize = 32;

/// Returns bytes that nobody can foresee; `None` on a system without random numbers.
pub(crate) fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Some(bytes),
        Err(error) => {
            error!(%error, "the system has no random numbers");
            None
        }
    }
}

/// Compares without telling by the time taken where two texts differ; their lengths are no secret.
pub(crate) fn is_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let differing = one.iter().zip(other).fold(0, |differing, (a, b)| differing | (a ^ b));
    // Without this the compiler may see that the first difference decides.
    std::hint::black_box(differing) == 0
}

/// Writes bytes as digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads what [`hex`] has written; `None` for anything else.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    let mut bytes = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *byte = u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?;
    }
    Some(bytes)
}

/// Marks texts as ours, as long as the process lives: the key is made anew at each start.
pub(crate) struct Seal([u8; 32]);

impl Seal {
    /// Makes a key; `None` on a system without random numbers.
    pub(crate) fn new() -> Option<Self> {
        random().map(Self)
    }

    /// Returns what only we can write beside a text: HMAC (RFC 2104) with SHA-256, cut in half.
    pub(crate) fn of(&self, text: &str) -> String {
        let keyed = |pad: u8, message: &[u8]| {
            let mut key = [pad; 64];
            for (byte, secret) in key.iter_mut().zip(self.0) {
                *byte ^= secret;
            }
            Sha256::new().chain_update(key).chain_update(message).finalize()
        };
        let inner = keyed(0x36, text.as_bytes());
        hex(&keyed(0x5c, &inner)[..SEAL_DIGITS / 2])
    }

    /// Returns whether a text has its seal.
    pub(crate) fn is_of(&self, text: &str, seal: &str) -> bool {
        is_equal(self.of(text).as_bytes(), seal.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_bytes_are_equal() {
        assert!(is_equal(b"", b"") && is_equal(b"abc", b"abc"));
        for other in ["", "ab", "abd", "bbc", "abcd", "abc\0"] {
            assert!(!is_equal(b"abc", other.as_bytes()), "{other:?}");
        }
    }

    #[test]
    fn digits_are_read_as_they_were_written_and_nothing_else_is() {
        let bytes: [u8; 4] = [0, 9, 0xab, 0xff];
        assert_eq!(hex(&bytes), "0009abff");
        assert_eq!(from_hex("0009abff"), Some(bytes));
        for bad in ["", "0009abf", "0009abff0", "0009abfg", "+009abff", "00 9abff"] {
            assert_eq!(from_hex::<4>(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn no_two_draws_are_alike() {
        let one = random::<16>().unwrap();
        assert_ne!(Some(one), random());
        assert_ne!(one, [0; 16]);
    }

    #[test]
    fn a_seal_is_hmac_with_sha_256() {
        // The second case of RFC 4231, whose key is padded with zeros as ours is.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let seal = Seal(key).of("what do ya want for nothing?");
        assert_eq!(seal, "5bdcc146bf60754e6a042426089575c7");
    }
}
