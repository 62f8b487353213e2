//! Numbers in 7-bit groups, lowest first, the high bit set on all but the last byte.

use std::io::{self, Read, Write};

/// Bytes of the longest number.
const MAX_BYTES: usize = 10;

pub(crate) fn write(mut number: u64, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = [0; MAX_BYTES];
    let mut len = 0;
    loop {
        bytes[len] = (number & 0x7f) as u8;
        number >>= 7;
        len += 1;
        if number == 0 {
            return out.write_all(&bytes[..len]);
        }
        bytes[len - 1] |= 0x80;
    }
}

/// Reads a number; more bits than 64 are `InvalidData`, an early end is `UnexpectedEof`.
pub(crate) fn read(input: &mut impl Read) -> io::Result<u64> {
    let mut number = 0;
    for place in 0..MAX_BYTES {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        let bits = u64::from(byte[0] & 0x7f);
        let shift = 7 * place as u32;
        if bits << shift >> shift != bits {
            break;
        }
        number |= bits << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a number of more than 64 bits"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back_and_cut_ones_do_not(number: u64, shift in 0..64u32) {
            let number = number >> shift;
            let mut bytes = Vec::new();
            write(number, &mut bytes).unwrap();
            prop_assert_eq!(read(&mut bytes.as_slice()).unwrap(), number);
            prop_assert!(read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
    }

    #[test]
    fn more_than_64_bits_are_refused() {
        assert!(read(&mut [0xff; 12].as_slice()).is_err());
        let mut largest = vec![0xff; 9];
        largest.push(2);
        assert!(read(&mut largest.as_slice()).is_err());
    }
}
