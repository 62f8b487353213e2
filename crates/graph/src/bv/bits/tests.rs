//! The codes as their papers draw them, and bits that are cut or have too many zeros.

use proptest::prelude::*;

use super::*;

const CODES: [Code; 8] = [
    Code::Unary,
    Code::Gamma,
    Code::Delta,
    Code::Zeta(1),
    Code::Zeta(2),
    Code::Zeta(3),
    Code::Zeta(5),
    Code::Zeta(MAX_ZETA),
];

/// Packs a text of zeros and ones; blanks are for the reader.
fn bytes(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|digit| *digit != b' ').collect();
    let byte = |digits: &[u8]| {
        let bit = |(place, digit): (usize, &u8)| (digit - b'0') << (7 - place);
        digits.iter().enumerate().map(bit).sum()
    };
    digits.chunks(8).map(byte).collect()
}

fn written(numbers: &[(Code, u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = BitWriter::new(&mut bytes);
    numbers.iter().for_each(|(code, number)| writer.write(*code, *number).unwrap());
    writer.finish().unwrap();
    bytes
}

#[track_caller]
fn check(code: Code, text: &str, expected: &[u64]) {
    let bytes = bytes(text);
    let mut bits = BitReader::new(&bytes);
    let found: Vec<u64> = expected.iter().map_while(|_| bits.read(code)).collect();
    assert_eq!(found, expected, "{code:?}");
    let numbers: Vec<(Code, u64)> = expected.iter().map(|number| (code, *number)).collect();
    let again = written(&numbers);
    assert_eq!(again[..bytes.len()], bytes, "{code:?}");
    assert_eq!(again.len() % 8, 0);
}

#[test]
fn codes_are_as_their_papers_draw_them() {
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
    for code in CODES {
        assert_eq!(BitReader::new(&zeros).read(code), None, "{code:?}");
        assert_eq!(BitReader::new(&[]).read(code), None, "{code:?}");
        assert_eq!(BitReader::at(&[0xff; 4], 32).read(code), None, "{code:?}");
        assert_eq!(BitReader::at(&[0xff; 4], u64::MAX - 100).read(code), None, "{code:?}");
    }
    let mut many = vec![0; 12];
    many.push(1);
    assert_eq!(BitReader::new(&many).read(Code::Unary), Some(103));
    assert_eq!(BitReader::new(&many).read(Code::Gamma), None);
    assert_eq!(BitReader::new(&[0b0010_0000]).read(Code::Gamma), Some(3));
    assert_eq!(BitReader::new(&[0b0000_1000]).read(Code::Gamma), None);
}

#[test]
fn signs_are_folded_and_unfolded() {
    let found: Vec<i64> = (0..5).map(signed).collect();
    assert_eq!(found, [0, -1, 1, -2, 2]);
    assert_eq!(signed(u64::MAX), i64::MIN);
    for number in [0, 1, -1, 7, -7, i64::MAX >> 1, i64::MIN >> 1] {
        assert_eq!(signed(folded(number)), number);
    }
}

/// Numbers of all lengths; long ones have a code that does not write them out.
fn number() -> impl Strategy<Value = (Code, u64)> {
    (0..CODES.len(), 0..62u32, any::<u64>()).prop_map(|(code, len, bits)| match CODES[code] {
        Code::Unary => (Code::Unary, bits % 200),
        // What is above may take a step of more than 62 bits, which the reader refuses.
        Code::Zeta(k) => (Code::Zeta(k), bits & ((1 << len.min(62 / k * k - 1)) - 1)),
        code => (code, bits & ((1 << len) - 1)),
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_in_as_many_bits_as_foretold(
        numbers in prop::collection::vec(number(), 0..50),
    ) {
        let bytes = written(&numbers);
        let mut reader = BitReader::new(&bytes);
        for (code, number) in &numbers {
            let before = reader.position();
            prop_assert_eq!(reader.read(*code), Some(*number), "{:?}", code);
            prop_assert_eq!(reader.position() - before, code.len(*number), "{:?}", code);
        }
        let len = reader.position();
        prop_assert_eq!(bytes.len() as u64, len.div_ceil(64) * 8);
        // Cut anywhere, the first numbers are the same and the cut one is none.
        for cut in 0..len.div_ceil(8) {
            let mut reader = BitReader::new(&bytes[..cut as usize]);
            let found = numbers.iter().map_while(|(code, _)| reader.read(*code)).count();
            prop_assert!(found < numbers.len());
            prop_assert!(reader.position() <= cut * 8);
        }
    }
}
