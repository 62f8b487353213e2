//! Tags in raw text: a scan that knows attributes, without building anything.
//!
//! Serves two readers: the charset scan of the first bytes, and the search for monstrous tags.

/// Walks over the attributes of one tag; made at the byte after the tag's name.
pub(crate) struct Attributes<'a> {
    bytes: &'a [u8],
    place: usize,
    /// Set once the closing `>` is passed.
    is_closed: bool,
}

/// One attribute, as ranges of the bytes.
pub(crate) struct Attribute {
    pub(crate) start: usize,
    pub(crate) name: (usize, usize),
    pub(crate) value: (usize, usize),
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

impl<'a> Attributes<'a> {
    pub(crate) fn new(bytes: &'a [u8], place: usize) -> Self {
        Self { bytes, place, is_closed: false }
    }

    /// Returns where the scan stands: behind the closing `>` once there are no more attributes.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// Returns whether the tag ended; false if the bytes ended first.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
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
                self.is_closed = true;
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
        Some(Attribute { start, name, value })
    }
}

/// What stands between angle brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Markup {
    /// `<a …` or `</a …`: where it begins, and the place behind its name.
    Tag { start: usize, behind_name: usize },
    /// A comment, from its `<` to behind its end.
    Comment { start: usize, end: usize },
}

/// Returns the first tag or comment at or after `from`. Declarations are passed over.
pub(crate) fn next_markup(bytes: &[u8], mut from: usize) -> Option<Markup> {
    loop {
        let start = from + bytes.get(from..)?.iter().position(|byte| *byte == b'<')?;
        let rest = &bytes[start + 1..];
        if rest.starts_with(b"!--") {
            return Some(Markup::Comment { start, end: comment_end(bytes, start + 4) });
        }
        let name = usize::from(rest.first() == Some(&b'/'));
        match rest.get(name) {
            Some(byte) if byte.is_ascii_alphabetic() => {
                let name = start + 1 + name;
                let stop = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
                let tail = &bytes[name..];
                let behind_name = name + tail.iter().position(stop).unwrap_or(tail.len());
                return Some(Markup::Tag { start, behind_name });
            }
            Some(b'!' | b'?') => {
                let end = rest.iter().position(|byte| *byte == b'>').unwrap_or(rest.len());
                from = start + 1 + end;
            }
            _ => from = start + 1,
        }
    }
}

/// Returns the first tag at or after `from`: where it begins, and the place behind its name.
pub(crate) fn next_tag(bytes: &[u8], mut from: usize) -> Option<(usize, usize)> {
    loop {
        match next_markup(bytes, from)? {
            Markup::Tag { start, behind_name } => return Some((start, behind_name)),
            Markup::Comment { end, .. } => from = end,
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

/// Elements whose content is text up to their own end tag.
const RAW: [&str; 9] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"];

/// Returns the place of the end tag if `name` (as written, without `<`) opens an element whose
/// content is not markup.
pub(crate) fn raw_end(bytes: &[u8], name: &[u8], from: usize) -> Option<usize> {
    let raw = RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw.as_bytes()))?;
    let mut place = from;
    loop {
        let rest = bytes.get(place..)?;
        let Some(offset) = rest.iter().position(|byte| *byte == b'<') else {
            return Some(bytes.len());
        };
        let start = place + offset;
        let end_name = bytes.get(start + 2..start + 2 + raw.len());
        if bytes.get(start + 1) == Some(&b'/')
            && end_name.is_some_and(|end| end.eq_ignore_ascii_case(raw.as_bytes()))
        {
            return Some(start);
        }
        place = start + 1;
    }
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
                let _ = raw_end(bytes, &bytes[start + 1..name], from);
            }
        }
    }
}
