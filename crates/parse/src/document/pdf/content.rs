//! Takes a content stream apart: operands, then an operator, one after the other.
//!
//! Nothing is kept but the operands of one operator, and of those not more than any operator
//! has, so a stream of ten million operators costs time only (PDF-06).

/// Operands kept for one operator.
const OPERANDS: usize = 64;
/// Parts kept of one array: the longest line of text has fewer.
const PARTS: usize = 20_000;
/// Open brackets followed in arrays and dictionaries; deeper ones end the stream.
const DEPTH: usize = 64;

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    Number(f32),
    Name(Vec<u8>),
    Text(Vec<u8>),
    /// The numbers and texts of an array, flat.
    Array(Vec<Operand>),
    /// Dictionaries, truth values, null: nothing that text needs.
    Other,
}

/// The operators of a stream.
pub(super) struct Content<'a> {
    bytes: &'a [u8],
    place: usize,
    pub(super) operands: Vec<Operand>,
}

enum Token<'a> {
    Operand(Operand),
    Word(&'a [u8]),
    Open,
    Close,
}

impl<'a> Content<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0, operands: Vec::new() }
    }

    /// Returns the next operator; its operands are in [`Self::operands`].
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        self.next_with(OPERANDS)
    }

    /// Returns the next operator with at most so many operands.
    pub(super) fn next_with(&mut self, most: usize) -> Option<&'a [u8]> {
        self.operands.clear();
        loop {
            match self.token()? {
                Token::Operand(operand) => self.push(operand, most),
                Token::Open => {
                    let array = self.array()?;
                    self.push(array, most);
                }
                Token::Close => {}
                Token::Word(b"true" | b"false" | b"null") => self.push(Operand::Other, most),
                Token::Word(b"BI") => {
                    self.skip_image()?;
                    self.operands.clear();
                }
                Token::Word(word) => return Some(word),
            }
        }
    }

    fn push(&mut self, operand: Operand, most: usize) {
        if self.operands.len() < most {
            self.operands.push(operand);
        }
    }

    /// Returns an operand that is a number.
    pub(super) fn number(&self, place: usize) -> f32 {
        match self.operands.get(place) {
            Some(Operand::Number(number)) if number.is_finite() => *number,
            _ => 0.0,
        }
    }

    /// Returns the last name among the operands.
    pub(super) fn name(&self) -> Option<&[u8]> {
        self.operands.iter().rev().find_map(|operand| match operand {
            Operand::Name(name) => Some(name.as_slice()),
            _ => None,
        })
    }

    /// Reads up to the end of an array or dictionary.
    fn array(&mut self) -> Option<Operand> {
        let mut parts = Vec::new();
        let mut depth = 1_usize;
        while depth > 0 {
            match self.token()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Operand(operand) if parts.len() < PARTS => parts.push(operand),
                Token::Operand(_) | Token::Word(_) => {}
            }
            if depth > DEPTH {
                return None;
            }
        }
        Some(Operand::Array(parts))
    }

    /// Passes over an image inside of the stream: its data end at `EI` between white space.
    fn skip_image(&mut self) -> Option<()> {
        while !matches!(self.token()?, Token::Word(b"ID")) {}
        let mut place = self.place + 1;
        loop {
            let rest = self.bytes.get(place..)?;
            place += memchr::memmem::find(rest, b"EI")?;
            let is_border = |byte: Option<&u8>| byte.is_none_or(|byte| is_white(*byte));
            let before = place.checked_sub(1).and_then(|before| self.bytes.get(before));
            if is_border(before) && is_border(self.bytes.get(place + 2)) {
                self.place = place + 2;
                return Some(());
            }
            place += 2;
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.place)?;
            match byte {
                byte if is_white(byte) => self.place += 1,
                b'%' => {
                    let rest = &self.bytes[self.place..];
                    let line = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                    self.place += line.unwrap_or(rest.len());
                }
                _ => break,
            }
        }
        let start = self.place;
        let byte = self.bytes[start];
        self.place += 1;
        Some(match byte {
            b'(' => Token::Operand(Operand::Text(self.literal())),
            b'<' if self.bytes.get(self.place) == Some(&b'<') => {
                self.place += 1;
                Token::Open
            }
            b'<' => Token::Operand(Operand::Text(self.hex())),
            b'>' => {
                if self.bytes.get(self.place) == Some(&b'>') {
                    self.place += 1;
                }
                Token::Close
            }
            b'[' | b'{' => Token::Open,
            b']' | b'}' => Token::Close,
            b')' => Token::Operand(Operand::Other),
            b'/' => Token::Operand(Operand::Name(self.name_at())),
            b'0'..=b'9' | b'+' | b'-' | b'.' => {
                self.regular();
                Token::Operand(Operand::Number(number(&self.bytes[start..self.place])))
            }
            _ => {
                self.regular();
                Token::Word(&self.bytes[start..self.place])
            }
        })
    }

    /// Passes over regular characters.
    fn regular(&mut self) {
        while self.bytes.get(self.place).is_some_and(|byte| is_regular(*byte)) {
            self.place += 1;
        }
    }

    fn name_at(&mut self) -> Vec<u8> {
        let start = self.place;
        self.regular();
        let raw = &self.bytes[start..self.place];
        if !raw.contains(&b'#') {
            return raw.to_vec();
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut rest = raw;
        while let Some((&first, behind)) = rest.split_first() {
            let code = behind.get(..2).filter(|_| first == b'#').and_then(hex_pair);
            name.push(code.unwrap_or(first));
            rest = if code.is_some() { &behind[2..] } else { behind };
        }
        name
    }

    /// Reads a text in parentheses.
    fn literal(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut depth = 1_usize;
        while let Some(&byte) = self.bytes.get(self.place) {
            self.place += 1;
            match byte {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut text);
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(&byte) = self.bytes.get(self.place) else { return };
        self.place += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(0x08),
            b'f' => text.push(0x0C),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.bytes.get(self.place) {
                        Some(digit @ b'0'..=b'7') => code = code * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    self.place += 1;
                }
                text.push((code & 0xFF) as u8);
            }
            b'\r' => {
                if self.bytes.get(self.place) == Some(&b'\n') {
                    self.place += 1;
                }
            }
            b'\n' => {}
            byte => text.push(byte),
        }
    }

    /// Reads a text in hexadecimal digits.
    fn hex(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut half = None;
        while let Some(&byte) = self.bytes.get(self.place) {
            self.place += 1;
            if byte == b'>' {
                break;
            }
            let Some(digit) = char::from(byte).to_digit(16) else { continue };
            match half.take() {
                Some(high) => text.push((high << 4 | digit) as u8),
                None => half = Some(digit),
            }
        }
        if let Some(high) = half {
            text.push((high << 4) as u8);
        }
        text
    }
}

fn hex_pair(pair: &[u8]) -> Option<u8> {
    std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())
}

/// Reads a number; what programs write that is none (`--5`, `1.2.3`) as far as it goes.
fn number(text: &[u8]) -> f32 {
    let text = std::str::from_utf8(text).unwrap_or_default();
    if let Ok(number) = text.parse() {
        return number;
    }
    let is_negative = text.starts_with('-');
    let digits = text.trim_start_matches(['-', '+']);
    let mut dots = 0;
    let end = digits.find(|c: char| {
        dots += usize::from(c == '.');
        dots > 1 || !(c.is_ascii_digit() || c == '.')
    });
    let number: f32 = digits[..end.unwrap_or(digits.len())].parse().unwrap_or(0.0);
    if is_negative { -number } else { number }
}

fn is_white(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_white(byte)
        && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stream: &str, expected: &[(&str, usize)]) {
        let mut content = Content::new(stream.as_bytes());
        let mut found = Vec::new();
        while let Some(operator) = content.next() {
            let operator = String::from_utf8_lossy(operator).into_owned();
            found.push((operator, content.operands.len()));
        }
        let expected: Vec<(String, usize)> =
            expected.iter().map(|(operator, count)| ((*operator).to_owned(), *count)).collect();
        assert_eq!(found, expected, "{stream}");
    }

    #[test]
    fn operators_come_with_their_operands() {
        check(
            "BT /F1 12 Tf (a(b)\\)c) Tj [(x) -250 <41 4>] TJ ET",
            &[("BT", 0), ("Tf", 2), ("Tj", 1), ("TJ", 1), ("ET", 0)],
        );
        check(
            "/P <</MCID 0 /A [1 2]>> BDC % comment (\n1 0 0 rg T*",
            &[("BDC", 2), ("rg", 3), ("T*", 0)],
        );
    }

    #[test]
    fn pdf_06_images_inside_of_a_stream_are_passed_over() {
        check("q BI /W 2 /H 2 ID \x01EIx\x02 (Q EI Q (a) Tj", &[("q", 0), ("Q", 0), ("Tj", 1)]);
        check("BI /W 1 ID never ends", &[]);
        check("BI", &[]);
    }

    #[test]
    fn texts_are_decoded() {
        let mut content = Content::new(b"(a\\101\\n\\b\\f\\\\\\\r\n\\7z) <4142 5> /A#42 Tj");
        content.next();
        assert_eq!(
            content.operands,
            [
                Operand::Text(b"aA\n\x08\x0C\\\x07z".to_vec()),
                Operand::Text(b"AB\x50".to_vec()),
                Operand::Name(b"AB".to_vec())
            ]
        );
    }

    #[test]
    fn pdf_01_deep_arrays_end_the_stream() {
        check(&format!("q {} Q", "[".repeat(10_000)), &[("q", 0)]);
    }

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        assert_eq!(number(b"--5"), -5.0);
        assert_eq!(number(b"1.2.3"), 1.2);
        assert_eq!(number(b"-.5"), -0.5);
        assert_eq!(number(b"+"), 0.0);
        assert_eq!(number(b"12-3"), 12.0);
    }
}
