//! A stream of bits, highest first, and the codes of numbers in it.
//!
//! Every reader returns `None` where the bits end or a number has more than 63 bits: what the
//! libraries that write such streams take for granted, a damaged file does not keep.

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// As many zeros as it says, then a one.
    Unary,
    /// Its length in unary, then its bits.
    Gamma,
    /// Its length in γ, then its bits.
    Delta,
    /// Its length in steps of `k` bits in unary, then its bits, as few as will do.
    Zeta(u32),
}

/// Reads bits of a slice.
#[derive(Debug)]
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Bits read.
    place: u64,
}

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    /// Returns how many bits were read.
    pub(super) fn place(&self) -> u64 {
        self.place
    }

    pub(super) fn number(&mut self, code: Code) -> Option<u64> {
        match code {
            Code::Unary => self.unary(),
            Code::Gamma => self.gamma(),
            Code::Delta => {
                let len = self.gamma()?;
                self.behind_one(len)
            }
            Code::Zeta(k) => self.zeta(u64::from(k)),
        }
    }

    /// Returns the next 56 bits or more, from the highest down, zeros behind the end.
    fn window(&self) -> u64 {
        let first = usize::try_from(self.place / 8).unwrap_or(usize::MAX);
        let rest = self.bytes.get(first..).unwrap_or_default();
        let word = match rest.first_chunk::<8>() {
            Some(word) => u64::from_be_bytes(*word),
            None => {
                let mut word = [0; 8];
                word[..rest.len()].copy_from_slice(rest);
                u64::from_be_bytes(word)
            }
        };
        word << (self.place % 8)
    }

    fn left(&self) -> u64 {
        (self.bytes.len() as u64 * 8).saturating_sub(self.place)
    }

    fn take(&mut self, count: u64) -> Option<u64> {
        if count > 63 || count > self.left() {
            return None;
        }
        if count > 56 {
            let high = self.take(count - 32)?;
            return Some(high << 32 | self.take(32)?);
        }
        let found = if count == 0 { 0 } else { self.window() >> (64 - count) };
        self.place += count;
        Some(found)
    }

    fn unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            let here = u64::from(self.window().leading_zeros()).min(56);
            if here >= self.left() {
                return None;
            }
            zeros += here;
            self.place += here;
            if here < 56 {
                self.place += 1;
                return Some(zeros);
            }
        }
    }

    fn gamma(&mut self) -> Option<u64> {
        let len = self.unary()?;
        self.behind_one(len)
    }

    /// Returns the number one less than that whose bits behind its first are the next `len`.
    fn behind_one(&mut self, len: u64) -> Option<u64> {
        if len > 62 {
            return None;
        }
        Some((1 << len | self.take(len)?) - 1)
    }

    fn zeta(&mut self, k: u64) -> Option<u64> {
        let steps = self.unary()?;
        let low = steps.checked_mul(k).filter(|low| low + k <= 62)?;
        let left = 1 << low;
        let found = self.take(low + k - 1)?;
        if found < left {
            return Some(found + left - 1);
        }
        Some((found << 1 | self.take(1)?) - 1)
    }
}

/// Undoes the folding of signed numbers: 0, −1, 1, −2, 2, … are 0, 1, 2, 3, 4, …
pub(super) fn signed(number: u64) -> i64 {
    let half = i64::try_from(number >> 1).expect("63 bits at most");
    if number & 1 == 0 { half } else { -half - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packs a text of zeros and ones; blanks are for the reader.
    fn bytes(text: &str) -> Vec<u8> {
        let digits: Vec<u8> = text.bytes().filter(|digit| *digit != b' ').collect();
        let byte = |digits: &[u8]| {
            let bit = |(place, digit): (usize, &u8)| (digit - b'0') << (7 - place);
            digits.iter().enumerate().map(bit).sum()
        };
        digits.chunks(8).map(byte).collect()
    }

    #[track_caller]
    fn check(code: Code, text: &str, expected: &[u64]) {
        let bytes = bytes(text);
        let mut bits = Bits::new(&bytes);
        let found: Vec<u64> = expected.iter().map_while(|_| bits.number(code)).collect();
        assert_eq!(found, expected, "{code:?}");
    }

    #[test]
    fn codes_are_read_as_their_papers_draw_them() {
        check(Code::Unary, "1 01 001 1", &[0, 1, 2, 0]);
        check(Code::Gamma, "1 010 011 00100 00111 0001000", &[0, 1, 2, 3, 6, 7]);
        check(Code::Delta, "1 0100 0101 01100 01111 00100000", &[0, 1, 2, 3, 6, 7]);
        check(Code::Zeta(1), "1 010 011 00100", &[0, 1, 2, 3]);
        // ζ₃ of 1 to 8, one less here: 100 1010 1011 1100 1101 1110 1111 0100000.
        let text = "100 1010 1011 1100 1101 1110 1111 0100000";
        check(Code::Zeta(3), text, &[0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn long_numbers_and_ends_are_refused() {
        let zeros = vec![0; 100];
        for code in [Code::Unary, Code::Gamma, Code::Delta, Code::Zeta(3)] {
            assert_eq!(Bits::new(&zeros).number(code), None, "{code:?}");
            assert_eq!(Bits::new(&[]).number(code), None, "{code:?}");
        }
        let mut many = vec![0; 12];
        many.push(1);
        assert_eq!(Bits::new(&many).number(Code::Unary), Some(103));
        assert_eq!(Bits::new(&many).number(Code::Gamma), None);
        assert_eq!(Bits::new(&[0b0010_0000]).number(Code::Gamma), Some(3));
        assert_eq!(Bits::new(&[0b0000_1000]).number(Code::Gamma), None);
    }

    #[test]
    fn signs_are_unfolded() {
        let found: Vec<i64> = (0..5).map(signed).collect();
        assert_eq!(found, [0, -1, 1, -2, 2]);
        assert_eq!(signed(u64::MAX), i64::MIN);
    }
}
