//! From text to tokens, by the rules of the HTML standard (§ 13.2.5).
//!
//! html5ever has a tokeniser too, but one for text that arrives in pieces: it goes character by
//! character, copies names and values, and makes attributes that nobody asks for. Here the whole
//! page is at hand, so each piece of mark-up is read at once, texts and values are windows into the
//! page, and unwanted attributes are passed over. That takes less than a third of the instructions
//! (`docs/measurements/2026-11-17-crawler.md`). What comes out is held against the tests of
//! html5lib and against html5ever's tokens (`tests/it/tokenizer.rs`).
//!
//! Attributes past a limit are dropped: they would be compared pair by pair (HTM-03). Long comments
//! leave no trace.
//!
//! [`raw`] reads what stands in scripts, styles and titles, [`reference`] characters written as
//! `&amp;`, [`doctype`] declarations.

mod doctype;
mod raw;
mod reference;

use std::borrow::Cow;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, LocalName, QualName, ns};

/// What text is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Text with tags and references.
    Data,
    /// Text with references, up to an end tag.
    Rcdata,
    /// Text up to an end tag.
    Rawtext,
    /// Text up to the end tag of a script.
    Script,
    /// Text to the end.
    Plaintext,
    /// Text up to `]]>`.
    Cdata,
}

/// How a page is read.
#[derive(Clone, Copy)]
pub struct Rules {
    /// What the text begins as.
    pub mode: Mode,
    /// Attributes of one tag; more are dropped.
    pub attributes: usize,
    /// Bytes of a comment, from `<` to `>`; a longer one is passed over.
    pub comment_bytes: usize,
    /// Which attributes are kept.
    pub keeps: fn(&LocalName) -> bool,
}

/// Reads a text into tokens.
pub struct Tokenizer<'a, Sink> {
    whole: &'a StrTendril,
    text: &'a str,
    /// The next byte.
    at: usize,
    sink: &'a Sink,
    rules: Rules,
    mode: Mode,
    /// Name of the last start tag: only its end tag ends raw text.
    last_start: Option<LocalName>,
    names: Names,
    /// Text in which references were resolved.
    buffer: String,
    has_lost_attributes: bool,
}

/// Returns a text as the tokeniser reads it: with `\n` for every end of a line.
pub fn prepared(text: &str) -> StrTendril {
    StrTendril::from_slice(&match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        None => Cow::Borrowed(text),
    })
}

impl<'a, Sink: TokenSink> Tokenizer<'a, Sink> {
    /// Begins with a [`prepared`] text.
    pub fn new(whole: &'a StrTendril, sink: &'a Sink, rules: Rules) -> Self {
        Self {
            whole,
            text: whole,
            at: 0,
            sink,
            rules,
            mode: rules.mode,
            last_start: None,
            names: Names::new(rules.keeps),
            buffer: String::new(),
            has_lost_attributes: false,
        }
    }

    /// Sets the start tag whose end tag ends raw text.
    pub fn set_last_start(&mut self, name: &str) {
        self.last_start = Some(name.into());
    }

    /// Returns whether attributes were dropped because there were too many.
    pub fn has_lost_attributes(&self) -> bool {
        self.has_lost_attributes
    }

    /// Reads at least so many bytes, if there are any; returns whether there are more.
    pub fn advance(&mut self, bytes: usize) -> bool {
        let until = self.at.saturating_add(bytes);
        while self.at < self.text.len() && self.at < until {
            match self.mode {
                Mode::Data => self.data(),
                Mode::Cdata => self.cdata(),
                raw => self.raw(raw),
            }
        }
        self.at < self.text.len()
    }

    /// Tells the sink that nothing follows.
    pub fn end(&self) {
        self.give(Token::EOFToken);
        self.sink.end();
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn byte(&self, place: usize) -> Option<u8> {
        self.bytes().get(place).copied()
    }

    /// Returns a window into the text.
    fn window(&self, from: usize, to: usize) -> StrTendril {
        match (u32::try_from(from), u32::try_from(to - from)) {
            (Ok(offset), Ok(length)) => self.whole.subtendril(offset, length),
            // Tendrils hold no more than four gigabytes, and pages a thousandth of it.
            _ => StrTendril::new(),
        }
    }

    /// Hands over a token that cannot change what follows.
    fn give(&self, token: Token) {
        let _ = self.sink.process_token(token, 1);
    }

    /// Reads text up to the next tag, and the tag.
    fn data(&mut self) {
        let from = self.at;
        let end = memchr::memchr2(b'<', 0, &self.bytes()[from..]);
        let end = end.map_or(self.text.len(), |found| from + found);
        if end > from {
            self.at = end;
            self.characters(from, end);
        }
        match self.byte(end) {
            Some(b'<') => self.markup(),
            Some(_) => {
                self.give(Token::NullCharacterToken);
                self.at = end + 1;
            }
            None => {}
        }
    }

    /// Hands over text with references in it.
    fn characters(&mut self, from: usize, to: usize) {
        let token = match memchr::memchr(b'&', &self.bytes()[from..to]) {
            None => self.window(from, to),
            Some(_) => self.resolved(from, to, reference::Place::Text),
        };
        self.give(Token::CharacterTokens(token));
    }

    /// Returns a piece of the text with its references resolved, and without NUL.
    fn resolved(&mut self, from: usize, to: usize, place: reference::Place) -> StrTendril {
        let (text, bytes) = (self.text, self.bytes());
        self.buffer.clear();
        let mut at = from;
        while let Some(found) = memchr::memchr2(b'&', 0, &bytes[at..to]) {
            self.buffer.push_str(&text[at..at + found]);
            at += found;
            if bytes[at] == 0 {
                self.buffer.push('\u{FFFD}');
                at += 1;
            } else {
                at = reference::resolve(text, at, place, &mut self.buffer);
            }
        }
        self.buffer.push_str(&text[at..to]);
        StrTendril::from_slice(&self.buffer)
    }

    /// Returns a piece of the text without NUL.
    fn without_nul(&self, from: usize, to: usize) -> StrTendril {
        match memchr::memchr(0, &self.bytes()[from..to]) {
            None => self.window(from, to),
            Some(_) => StrTendril::from_slice(&self.text[from..to].replace('\0', "\u{FFFD}")),
        }
    }

    /// Reads what begins with `<`.
    fn markup(&mut self) {
        let start = self.at;
        match (self.byte(start + 1), self.byte(start + 2)) {
            (Some(first), _) if first.is_ascii_alphabetic() => self.tag(TagKind::StartTag),
            (Some(b'/'), Some(first)) if first.is_ascii_alphabetic() => self.tag(TagKind::EndTag),
            (Some(b'/'), Some(b'>')) => self.at = start + 3,
            (Some(b'/'), Some(_)) => self.bogus_comment(start + 2),
            (Some(b'!'), _) => self.declaration(),
            (Some(b'?'), _) => self.bogus_comment(start + 1),
            (Some(b'/'), None) => {
                self.at = start + 2;
                self.give(Token::CharacterTokens(StrTendril::from_slice("</")));
            }
            _ => {
                self.at = start + 1;
                self.give(Token::CharacterTokens(StrTendril::from_slice("<")));
            }
        }
    }

    /// Reads what begins with `<!`.
    fn declaration(&mut self) {
        let behind = &self.bytes()[self.at + 2..];
        let is_doctype = behind.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"));
        if behind.starts_with(b"--") {
            self.comment();
        } else if is_doctype {
            self.doctype();
        } else if behind.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.at += "<![CDATA[".len();
            self.mode = Mode::Cdata;
        } else {
            self.bogus_comment(self.at + 2);
        }
    }

    /// Reads `<!--` and all that follows up to the end of the comment.
    fn comment(&mut self) {
        let (start, from) = (self.at, self.at + 4);
        let rest = &self.bytes()[from..];
        for short in [&b">"[..], b"->"] {
            if rest.starts_with(short) {
                self.at = from + short.len();
                return self.give(Token::CommentToken(StrTendril::new()));
            }
        }
        let mut dashes = memchr::memmem::find_iter(rest, b"--");
        let mut seen = 0;
        let found = loop {
            // Of three dashes only the last two may end it, which the search does not stop at.
            let Some(place) = dashes.next() else { break None };
            seen = seen.max(place);
            while rest.get(seen + 2) == Some(&b'-') {
                seen += 1;
            }
            match (rest.get(seen + 2), rest.get(seen + 3)) {
                (Some(b'>'), _) => break Some((seen, seen + 3)),
                (Some(b'!'), Some(b'>')) => break Some((seen, seen + 4)),
                _ => {}
            }
        };
        let (end, behind) = found.unwrap_or_else(|| {
            let ends = [&b"--!"[..], b"--", b"-"];
            let cut = ends.into_iter().find(|end| rest.ends_with(end)).unwrap_or_default();
            (rest.len() - cut.len(), rest.len())
        });
        self.at = from + behind;
        if self.at - start <= self.rules.comment_bytes {
            self.give(Token::CommentToken(self.without_nul(from, from + end)));
        }
    }

    /// Reads something else between angle brackets, of which the text begins at `from`.
    fn bogus_comment(&mut self, from: usize) {
        let start = self.at;
        let end = memchr::memchr(b'>', &self.bytes()[from..]);
        let end = end.map_or(self.text.len(), |found| from + found);
        self.at = (end + 1).min(self.text.len());
        if self.at - start <= self.rules.comment_bytes {
            self.give(Token::CommentToken(self.without_nul(from, end)));
        }
    }

    /// Reads a tag, of which the first letter is known to be one. Without an end it is none.
    fn tag(&mut self, kind: TagKind) {
        let from = self.at + if kind == TagKind::StartTag { 1 } else { 2 };
        let behind = self.behind_name(from, false);
        let (name, _) = self.names.get(&self.text[from..behind]);
        let Some((attrs, self_closing)) = self.attributes(behind) else {
            self.at = self.text.len();
            return;
        };
        if kind == TagKind::StartTag {
            self.last_start = Some(name.clone());
        }
        let tag = Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false };
        self.mode = match self.sink.process_token(Token::TagToken(tag), 1) {
            TokenSinkResult::Plaintext => Mode::Plaintext,
            TokenSinkResult::RawData(RawKind::Rcdata) => Mode::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => Mode::Rawtext,
            TokenSinkResult::RawData(_) => Mode::Script,
            _ => Mode::Data,
        };
    }

    /// Returns the place behind a name that begins at `from`.
    fn behind_name(&self, from: usize, ends_at_equals: bool) -> usize {
        let rest = &self.bytes()[from..];
        let ends = |byte: &u8| {
            is_space(*byte) || matches!(byte, b'/' | b'>') || ends_at_equals && *byte == b'='
        };
        from + rest.iter().position(ends).unwrap_or(rest.len())
    }

    fn skip_space(&self, from: usize) -> usize {
        let rest = &self.bytes()[from..];
        from + rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len())
    }

    /// Reads attributes up to the end of the tag, and whether it closes itself; `None` if the
    /// text ends first.
    fn attributes(&mut self, from: usize) -> Option<(Vec<Attribute>, bool)> {
        let mut kept = Vec::new();
        let mut seen = 0;
        let mut at = from;
        loop {
            at = self.skip_space(at);
            match self.byte(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some((kept, false));
                }
                b'/' if self.byte(at + 1)? == b'>' => {
                    self.at = at + 2;
                    return Some((kept, true));
                }
                b'/' => {
                    at += 1;
                    continue;
                }
                _ => {}
            }
            // A name may begin with `=`.
            let behind = self.behind_name(at + self.text[at..].chars().next()?.len_utf8(), true);
            let (name, is_kept) = self.names.get(&self.text[at..behind]);
            seen += 1;
            let is_lost = seen > self.rules.attributes;
            self.has_lost_attributes |= is_lost;
            let is_new = |name: &LocalName| {
                kept.iter().all(|attribute: &Attribute| attribute.name.local != *name)
            };
            let is_kept = is_kept && !is_lost && is_new(&name);
            let (value, behind) = self.value(behind, is_kept)?;
            if is_kept {
                kept.push(Attribute { name: QualName::new(None, ns!(), name), value });
            }
            at = behind;
        }
    }

    /// Reads the value of an attribute whose name ends at `from`, if it has one; returns it, or
    /// nothing if nobody asks for it, and the place behind it.
    fn value(&mut self, from: usize, is_kept: bool) -> Option<(StrTendril, usize)> {
        let equals = self.skip_space(from);
        if self.byte(equals)? != b'=' {
            return Some((StrTendril::new(), equals));
        }
        let from = self.skip_space(equals + 1);
        let rest = &self.bytes()[from..];
        let (start, end, behind) = match rest.first()? {
            quote @ (b'"' | b'\'') => {
                let end = from + 1 + memchr::memchr(*quote, &rest[1..])?;
                (from + 1, end, end + 1)
            }
            _ => {
                let ends = |byte: &u8| is_space(*byte) || *byte == b'>';
                let end = from + rest.iter().position(ends)?;
                (from, end, end)
            }
        };
        let is_plain = || memchr::memchr2(b'&', 0, &self.bytes()[start..end]).is_none();
        let value = match is_kept {
            false => StrTendril::new(),
            true if is_plain() => self.window(start, end),
            true => self.resolved(start, end, reference::Place::Value),
        };
        Some((value, behind))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ')
}

/// Names of tags and attributes met lately, so that few of them are looked up.
struct Names {
    keeps: fn(&LocalName) -> bool,
    /// By a hash: the last name that had it, and whether an attribute of that name is kept.
    slots: [Option<(LocalName, bool)>; Self::SLOTS],
}

impl Names {
    const SLOTS: usize = 256;

    fn new(keeps: fn(&LocalName) -> bool) -> Self {
        Self { keeps, slots: [const { None }; Self::SLOTS] }
    }

    /// Returns a name in lower case, and whether an attribute of that name is kept.
    fn get(&mut self, raw: &str) -> (LocalName, bool) {
        let (mut hash, mut is_lower) = (0_u32, true);
        for byte in raw.bytes() {
            is_lower &= byte != 0 && !byte.is_ascii_uppercase();
            hash = (hash.rotate_left(5) ^ u32::from(byte)).wrapping_mul(0x9E37_79B1);
        }
        let name = match is_lower {
            true => Cow::Borrowed(raw),
            false => Cow::Owned(raw.to_ascii_lowercase().replace('\0', "\u{FFFD}")),
        };
        let slot = &mut self.slots[(hash >> 24) as usize];
        match slot {
            Some((known, is_kept)) if **known == *name => (known.clone(), *is_kept),
            _ => {
                let found = LocalName::from(name);
                let is_kept = (self.keeps)(&found);
                slot.insert((found, is_kept)).clone()
            }
        }
    }
}
