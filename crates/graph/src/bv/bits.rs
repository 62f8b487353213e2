//! A stream of bits, highest first, and the instantaneous codes of numbers in it.
//!
//! ```text
//! unary   x zeros, a one
//! γ       ⌊log₂(x + 1)⌋ in unary, the bits of x + 1 behind its first
//! δ       ⌊log₂(x + 1)⌋ in γ, the bits of x + 1 behind its first
//! ζ_k     h = ⌊⌊log₂(x + 1)⌋ / k⌋ in unary, x + 1 − 2^(hk) in minimal binary below 2^((h+1)k) − 2^(hk)
//! ```
//! The reader returns `None` where the bits end or a number has more than 63 bits: what writers of
//! such streams take for granted, a damaged file does not keep.

use std::io::{self, Write};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Unary,
    Gamma,
    Delta,
    /// From 1 to [`MAX_ZETA`].
    Zeta(u32),
}

/// Largest parameter of a ζ code.
pub(crate) const MAX_ZETA: u32 = 16;

/// A peeked word has at least so many bits of the stream: it is loaded from a whole byte on.
const PEEKED: u32 = 57;
/// Bits of the words that a writer hands on.
const WORD: u32 = u64::BITS;

impl Code {
    /// Returns how many bits a number takes, which is below 2^63.
    #[inline]
    pub(crate) fn len(self, number: u64) -> u64 {
        let log = (number + 1).ilog2();
        let len = match self {
            Self::Unary => return number + 1,
            Self::Gamma => 2 * log + 1,
            Self::Delta => 2 * (log + 1).ilog2() + 1 + log,
            // The lower half of the first numbers of a step has one bit less.
            Self::Zeta(3) => 4 * (log / 3) + 3 + u32::from(!log.is_multiple_of(3)),
            Self::Zeta(k) => (log / k) * (k + 1) + k + u32::from(!log.is_multiple_of(k)),
        };
        len.into()
    }
}

/// Reads bits of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits read.
    position: u64,
    /// Bits there are.
    end: u64,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, end: bytes.len() as u64 * 8 }
    }

    /// Returns a reader that begins at a bit.
    pub(crate) fn at(bytes: &'a [u8], position: u64) -> Self {
        Self { position, ..Self::new(bytes) }
    }

    /// Returns how many bits were read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Reads a number; `None` if it is cut, or above 63 bits.
    #[inline]
    pub(crate) fn read(&mut self, code: Code) -> Option<u64> {
        match code {
            Code::Unary => self.unary(),
            Code::Gamma => self.gamma(),
            Code::Delta => {
                let len = self.gamma()?;
                self.behind_one(len)
            }
            Code::Zeta(k) => self.zeta(k),
        }
    }

    #[inline(always)]
    pub(crate) fn gamma(&mut self) -> Option<u64> {
        let peeked = self.peek();
        let len = peeked.leading_zeros();
        if 2 * len < PEEKED {
            self.skip(2 * len + 1)?;
            return Some((peeked >> (WORD - 1 - 2 * len)) - 1);
        }
        self.long_gamma()
    }

    #[cold]
    fn long_gamma(&mut self) -> Option<u64> {
        let len = self.unary()?;
        self.behind_one(len)
    }

    #[inline(always)]
    pub(crate) fn zeta(&mut self, k: u32) -> Option<u64> {
        let peeked = self.peek();
        let steps = peeked.leading_zeros();
        let low = steps * k;
        if steps + 1 + low + k > PEEKED {
            return self.long_zeta(k.into());
        }
        let rest = peeked << steps << 1 >> 1;
        let (short, long) = (rest >> (WORD - low - k), rest >> (WORD - 1 - low - k));
        let left = 1 << low;
        let is_long = short >= left;
        self.skip(steps + low + k + u32::from(is_long))?;
        Some(if is_long { long } else { short + left } - 1)
    }

    #[cold]
    fn long_zeta(&mut self, k: u64) -> Option<u64> {
        let steps = self.unary()?;
        let low = steps.checked_mul(k).filter(|low| low + k <= 62)?;
        let left = 1 << low;
        let found = self.take(low + k - 1)?;
        if found < left {
            return Some(found + left - 1);
        }
        Some((found << 1 | self.take(1)?) - 1)
    }

    #[inline]
    fn unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            let here = self.peek().leading_zeros();
            if here < PEEKED {
                self.skip(here + 1)?;
                return Some(zeros + u64::from(here));
            }
            self.skip(PEEKED)?;
            zeros += u64::from(PEEKED);
        }
    }

    /// Returns the number one less than that whose bits behind its first are the next `len`.
    fn behind_one(&mut self, len: u64) -> Option<u64> {
        if len > 62 {
            return None;
        }
        Some((1 << len | self.take(len)?) - 1)
    }

    /// Returns the next `count` bits, 63 at most.
    fn take(&mut self, count: u64) -> Option<u64> {
        let count = u32::try_from(count).ok().filter(|count| *count < WORD)?;
        if count >= PEEKED {
            let high = self.take(u64::from(count) - 32)?;
            return Some(high << 32 | self.take(32)?);
        }
        let found = self.peek() >> 1 >> (WORD - 1 - count);
        self.skip(count)?;
        Some(found)
    }

    /// Returns the next [`PEEKED`] bits or more, from the highest down, zeros behind the end.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let first = usize::try_from(self.position / 8).unwrap_or(usize::MAX);
        let word = match self.bytes.get(first..).and_then(<[u8]>::first_chunk) {
            Some(word) => u64::from_be_bytes(*word),
            None => self.last_word(first),
        };
        word << (self.position % 8)
    }

    #[cold]
    fn last_word(&self, first: usize) -> u64 {
        let rest = self.bytes.get(first..).unwrap_or_default();
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        u64::from_be_bytes(word)
    }

    #[inline(always)]
    fn skip(&mut self, count: u32) -> Option<()> {
        let position = self.position + u64::from(count);
        if position > self.end {
            return None;
        }
        self.position = position;
        Some(())
    }
}

/// Writes bits, as whole words of 64.
#[derive(Debug)]
pub(crate) struct BitWriter<W> {
    out: W,
    /// The bits that are not yet a whole word, highest first.
    word: u64,
    /// How many it has room for: never 0.
    free: u32,
}

impl<W: Write> BitWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, word: 0, free: WORD }
    }

    /// Writes a number below 2^63.
    #[inline]
    pub(crate) fn write(&mut self, code: Code, number: u64) -> io::Result<()> {
        match code {
            Code::Unary => self.unary(number),
            Code::Gamma => self.gamma(number),
            Code::Delta => {
                let log = (number + 1).ilog2();
                self.gamma(log.into())?;
                self.push(number + 1 - (1 << log), log)
            }
            // The usual one, by a division that is known.
            Code::Zeta(3) => self.zeta(number, 3),
            Code::Zeta(k) => self.zeta(number, k),
        }
    }

    #[inline(always)]
    fn zeta(&mut self, number: u64, k: u32) -> io::Result<()> {
        let log = (number + 1).ilog2();
        let steps = log / k;
        let low = steps * k;
        self.push(1, steps + 1)?;
        match log == low {
            true => self.push(number + 1 - (1 << low), low + k - 1),
            false => self.push(number + 1, low + k),
        }
    }

    #[inline]
    pub(crate) fn gamma(&mut self, number: u64) -> io::Result<()> {
        let log = (number + 1).ilog2();
        if 2 * log < WORD {
            return self.push(number + 1, 2 * log + 1);
        }
        self.push(0, log)?;
        self.push(number + 1, log + 1)
    }

    fn unary(&mut self, number: u64) -> io::Result<()> {
        let mut zeros = number;
        while zeros >= u64::from(WORD) {
            self.push(0, WORD)?;
            zeros -= u64::from(WORD);
        }
        self.push(1, zeros as u32 + 1)
    }

    /// Writes the lowest `count` bits of a number that has no others, 64 at most.
    #[inline]
    fn push(&mut self, bits: u64, count: u32) -> io::Result<()> {
        if count < self.free {
            self.free -= count;
            // `free` may be all 64 if `count` is 0.
            self.word |= bits << (self.free % WORD);
            return Ok(());
        }
        let left = count - self.free;
        self.out.write_all(&(self.word | bits >> left).to_be_bytes())?;
        self.free = WORD - left;
        // All 64 are shifted out where nothing is left.
        self.word = bits << (self.free - 1) << 1;
        Ok(())
    }

    /// Fills the last word up with zeros and hands everything on.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.free < WORD {
            self.out.write_all(&self.word.to_be_bytes())?;
        }
        self.out.flush()
    }
}

/// Undoes the folding of signed numbers: 0, −1, 1, −2, 2, … are 0, 1, 2, 3, 4, …
pub(crate) fn signed(number: u64) -> i64 {
    let half = i64::try_from(number >> 1).expect("63 bits at most");
    if number & 1 == 0 { half } else { -half - 1 }
}

/// Folds signed numbers: 0, 1, 2, 3, 4, … are 0, −1, 1, −2, 2, …
pub(crate) fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

#[cfg(test)]
mod tests;
