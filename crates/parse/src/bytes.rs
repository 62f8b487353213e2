//! Tags in raw text: a scan that knows attributes, without building anything.
//!
//! Serves the charset scan of the first bytes, and the look for sitemaps and feeds.

/// Walks over the attributes of one tag; made at the byte after the tag's name.
pub(crate) struct Attributes<'a> {
    bytes: &'a [u8],
    place: usize,
}

/// One attribute, as ranges of the bytes.
pub(crate) struct Attribute {
    pub(crate) name: (usize, usize),
    pub(crate) value: (usize, usize),
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

impl<'a> Attributes<'a> {
    pub(crate) fn new(bytes: &'a [u8], place: usize) -> Self {
        Self { bytes, place }
    }

    /// Returns where the scan stands: behind the closing `>` once there are no more attributes.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    fn skip(&mut self, stop: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.place..];
        self.place += rest.iter().position(|byte| stop(*byte)).unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.place).copied()
    }

    /// Reads the value after `=`; the states are those of the HTML standard.
    fn value(&mut self) -> (usize, usize) {
        self.skip(|byte| !is_space(byte));
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                self.place += 1;
                let start = self.place;
                self.skip(|byte| byte == quote);
                let end = self.place;
                self.place = (end + 1).min(self.bytes.len());
                (start, end)
            }
            _ => {
                let start = self.place;
                self.skip(|byte| is_space(byte) || byte == b'>');
                (start, self.place)
            }
        }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Attribute> {
        self.skip(|byte| !is_space(byte) && byte != b'/');
        let start = self.place;
        match self.peek()? {
            b'>' => {
                self.place += 1;
                return None;
            }
            // A name may begin with `=`, by the standard.
            _ => self.place += 1,
        }
        self.skip(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = (start, self.place);
        let behind_name = self.place;
        self.skip(|byte| !is_space(byte));
        let value = if self.peek() == Some(b'=') {
            self.place += 1;
            self.value()
        } else {
            self.place = behind_name;
            (behind_name, behind_name)
        };
        Some(Attribute { name, value })
    }
}

/// Returns the first tag at or after `from`: where it begins, and the place behind its name.
/// Comments and declarations are passed over.
pub(crate) fn next_tag(bytes: &[u8], mut from: usize) -> Option<(usize, usize)> {
    loop {
        let start = from + memchr::memchr(b'<', bytes.get(from..)?)?;
        let rest = &bytes[start + 1..];
        if rest.starts_with(b"!--") {
            from = comment_end(bytes, start + 4);
            continue;
        }
        let name = usize::from(rest.first() == Some(&b'/'));
        match rest.get(name) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let name = start + 1 + name;
                let stop = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
                let tail = &bytes[name..];
                return Some((start, name + tail.iter().position(stop).unwrap_or(tail.len())));
            }
            Some(b'!' | b'?') => {
                let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len());
                from = start + 1 + end;
            }
            _ => from = start + 1,
        }
    }
}

/// Returns the place behind the comment whose text begins at `from`.
fn comment_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from.min(bytes.len())..];
    // `<!-->` and `<!--->` are whole comments.
    for short in [&b">"[..], b"->"] {
        if rest.starts_with(short) {
            return from + short.len();
        }
    }
    let mut place = 0;
    while let Some(dashes) = rest[place..].windows(2).position(|pair| pair == b"--") {
        let behind = &rest[place + dashes + 2..];
        if behind.starts_with(b">") {
            return from + place + dashes + 3;
        }
        if behind.starts_with(b"!>") {
            return from + place + dashes + 4;
        }
        place += dashes + 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tag: &str, expected: &[(&str, &str)]) {
        let bytes = tag.as_bytes();
        let (_, behind_name) = next_tag(bytes, 0).unwrap();
        let found: Vec<_> = Attributes::new(bytes, behind_name)
            .map(|found| (&tag[found.name.0..found.name.1], &tag[found.value.0..found.value.1]))
            .collect();
        assert_eq!(found, expected, "{tag}");
    }

    #[test]
    fn attributes_are_read_as_browsers_read_them() {
        check("<a href=x>", &[("href", "x")]);
        check(
            "<a  b c = 'd > e'f=\"g\"/h=i/>",
            &[("b", ""), ("c", "d > e"), ("f", "g"), ("h", "i/")],
        );
        check("<a =x =y z>", &[("=x", "y"), ("z", "")]);
        check("<a b=\"never closed", &[("b", "never closed")]);
        check("</a b>", &[("b", "")]);
        check("<!-- <x y> --><a b>", &[("b", "")]);
        check("<!--><a b>", &[("b", "")]);
        check("<!doctype html><a>", &[]);
    }

    #[test]
    fn a_tag_cut_anywhere_is_answered() {
        let page = b"<!-- a --><?x?><p a=1 b='2' c=\"3\"/><script>if (a<b)</script></p >";
        for end in 0..page.len() {
            let bytes = &page[..end];
            let mut from = 0;
            while let Some((start, name)) = next_tag(bytes, from) {
                let mut attributes = Attributes::new(bytes, name);
                while attributes.next().is_some() {}
                assert!(attributes.place() > start);
                from = attributes.place();
            }
        }
    }
}
