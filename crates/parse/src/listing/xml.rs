//! A walk over XML that strangers wrote: elements and their texts, within limits.
//!
//! Forgiving where lists are commonly wrong (bare `&`, unclosed or crossed elements, names of
//! entities from HTML), deaf where XML is dangerous: no entity is expanded but the five that need
//! no declaration and the numbered ones, nothing is ever loaded, and a document type with
//! declarations of its own ends the reading before it begins (SMP-01, SMP-02).

use std::ops::ControlFlow;

use base::limits::URL_BYTES;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use xxhash_rust::xxh3::xxh3_64;

/// Open elements told apart; no list needs a sixth of it. Deeper ones are counted only.
const DEPTH: usize = 32;
/// Open elements at which the reading ends (SMP-05).
const MOST_DEPTH: usize = 4_096;
/// Attributes looked at in one tag (SMP-05).
const MOST_ATTRIBUTES: usize = 64;
/// Text kept of one element: what a URL may take, unresolved.
const TEXT_BYTES: usize = 4 * URL_BYTES;
/// Longest reference in an attribute, from behind `&` to `;`.
const REFERENCE_BYTES: usize = 16;

/// The elements that lists are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    // Sitemaps.
    Url,
    Sitemap,
    Loc,
    Priority,
    News,
    PublicationDate,
    // Feeds.
    Feed,
    Channel,
    Item,
    Entry,
    Guid,
    Title,
    /// What a feed says of itself, or an entry in short.
    Summary,
    Content,
    Author,
    Name,
    Language,
    // Both.
    Link,
    Date,
    Other,
}

impl Tag {
    /// Prefixes are not looked at: they are chosen freely, and namespaces are often misspelt.
    /// Where an element stands tells as well what it is: `image:loc` stands in `image:image`.
    fn of(name: &str) -> Self {
        const TAGS: [(&str, Tag); 35] = [
            ("url", Tag::Url),
            ("sitemap", Tag::Sitemap),
            ("loc", Tag::Loc),
            ("priority", Tag::Priority),
            ("news", Tag::News),
            ("publication_date", Tag::PublicationDate),
            ("feed", Tag::Feed),
            ("channel", Tag::Channel),
            ("item", Tag::Item),
            ("entry", Tag::Entry),
            ("guid", Tag::Guid),
            ("link", Tag::Link),
            // Sitemaps; RSS; Dublin Core; Atom, and Atom 0.3.
            ("lastmod", Tag::Date),
            ("pubDate", Tag::Date),
            ("date", Tag::Date),
            ("updated", Tag::Date),
            ("published", Tag::Date),
            ("modified", Tag::Date),
            ("issued", Tag::Date),
            ("created", Tag::Date),
            ("lastModified", Tag::Date),
            ("lastBuildDate", Tag::Date),
            ("title", Tag::Title),
            // RSS; Atom, and Atom 0.3.
            ("description", Tag::Summary),
            ("summary", Tag::Summary),
            ("subtitle", Tag::Summary),
            ("tagline", Tag::Summary),
            ("content", Tag::Content),
            ("encoded", Tag::Content),
            ("body", Tag::Content),
            ("author", Tag::Author),
            ("creator", Tag::Author),
            ("managingEditor", Tag::Author),
            ("name", Tag::Name),
            ("language", Tag::Language),
        ];
        let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
        // Titles and contents of pictures and films, beside those of the entry they stand in.
        if prefix.eq_ignore_ascii_case("media") {
            return Self::Other;
        }
        let known = TAGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(local));
        known.map_or(Self::Other, |(_, tag)| *tag)
    }
}

/// An element that opens.
pub(super) struct Element<'a> {
    pub(super) tag: Tag,
    start: &'a BytesStart<'a>,
}

impl Element<'_> {
    /// Returns the decoded value of an attribute, named with its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.html_attributes();
        // Told apart by a set otherwise, which 100,000 of them would fill.
        attributes.with_checks(false);
        let mut found = attributes.take(MOST_ATTRIBUTES).flatten();
        let value = found.find(|found| found.key.0.eq_ignore_ascii_case(name))?.value;
        (value.len() <= TEXT_BYTES).then(|| unescape(&value))
    }
}

/// Who is told what the walk finds; [`ControlFlow::Break`] ends it.
pub(super) trait Visitor {
    /// An element opens inside of `parents`, the outermost first.
    fn open(&mut self, element: &Element<'_>, parents: &[Tag]) -> ControlFlow<()>;

    /// An element closes.
    fn close(&mut self, tag: Tag, parents: &[Tag], inside: Inside<'_>) -> ControlFlow<()>;
}

/// What stood in an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside<'a> {
    /// Its text, trimmed; empty if it had elements in it or more text than a URL can have.
    pub(super) text: &'a str,
    /// Everything from behind its start tag to its end tag, as it was sent.
    pub(super) raw: &'a str,
    /// Whether no element was in it.
    pub(super) is_leaf: bool,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the end of the last open element.
    Whole,
    /// The visitor had enough.
    Stopped,
    /// In the middle: the text broke off, or is no XML from there on.
    Broken,
    /// Nested too deeply to go on.
    Deep,
    /// Not begun: the document type brings declarations of its own.
    Refused,
}

/// Walks over a text. Cost: linear in its length.
pub(super) fn walk(text: &str, visitor: &mut impl Visitor) -> End {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut walk = Walk { source: text, ..Walk::default() };
    loop {
        let before = reader.buffer_position() as usize;
        let event = reader.read_event();
        walk.place = reader.buffer_position() as usize;
        let flow = match event {
            Ok(Event::Start(start)) => walk.open(&start, visitor),
            Ok(Event::Empty(start)) => {
                let (opened, end) = (walk.open(&start, visitor), walk.place);
                if opened.is_continue() { walk.close(start.name().0, end, visitor) } else { opened }
            }
            Ok(Event::End(end)) => walk.close(end.name().0, before, visitor),
            Ok(Event::Text(text)) => walk.text(&text),
            Ok(Event::CData(text)) => walk.text(&text),
            Ok(Event::GeneralRef(name)) => walk.reference(&name),
            Ok(Event::DocType(_)) if walk.is_begun => return End::Broken,
            Ok(Event::DocType(declaration)) if declaration.contains('[') => return End::Refused,
            Ok(Event::DocType(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_)) => {
                ControlFlow::Continue(())
            }
            Ok(Event::Eof) if walk.is_begun && walk.tags.is_empty() => return End::Whole,
            Ok(Event::Eof) | Err(_) => return End::Broken,
        };
        if flow.is_break() {
            return End::Stopped;
        }
        if walk.deeper > MOST_DEPTH {
            return End::Deep;
        }
    }
}

#[derive(Default)]
struct Walk<'a> {
    source: &'a str,
    /// How far the source is read.
    place: usize,
    tags: Vec<Tag>,
    /// Hashes of the whole names, to find what an end tag closes, and where the insides begin.
    names: Vec<(u64, usize)>,
    /// Elements open below the deepest that is told apart.
    deeper: usize,
    text: String,
    /// Whether nothing opened or closed in the element since it opened.
    is_leaf: bool,
    is_too_long: bool,
    is_begun: bool,
}

impl Walk<'_> {
    fn open(&mut self, start: &BytesStart<'_>, visitor: &mut impl Visitor) -> ControlFlow<()> {
        self.is_begun = true;
        self.is_leaf = true;
        self.is_too_long = false;
        self.text.clear();
        if self.tags.len() == DEPTH {
            self.deeper += 1;
            return ControlFlow::Continue(());
        }
        let name = start.name().0;
        let tag = Tag::of(name);
        let flow = visitor.open(&Element { tag, start }, &self.tags);
        self.tags.push(tag);
        self.names.push((xxh3_64(name.as_bytes()), self.place));
        flow
    }

    /// Closes the innermost element of this name and all in it; nothing if there is none. Their
    /// insides end at `end`.
    fn close(&mut self, name: &str, end: usize, visitor: &mut impl Visitor) -> ControlFlow<()> {
        if self.deeper > 0 {
            self.deeper -= 1;
            self.is_leaf = false;
            return ControlFlow::Continue(());
        }
        let hash = xxh3_64(name.as_bytes());
        let Some(place) = self.names.iter().rposition(|(name, _)| *name == hash) else {
            return ControlFlow::Continue(());
        };
        while self.tags.len() > place
            && let Some((tag, (_, start))) = self.tags.pop().zip(self.names.pop())
        {
            let is_leaf = std::mem::take(&mut self.is_leaf);
            let text = if is_leaf && !self.is_too_long { self.text.trim() } else { "" };
            let raw = self.source.get(start..end).unwrap_or_default();
            visitor.close(tag, &self.tags, Inside { text, raw, is_leaf })?;
        }
        ControlFlow::Continue(())
    }

    fn text(&mut self, piece: &str) -> ControlFlow<()> {
        let piece = if self.text.is_empty() { piece.trim_start() } else { piece };
        if self.text.len() + piece.len() > TEXT_BYTES {
            self.is_too_long = true;
        } else if self.is_leaf {
            self.text.push_str(piece);
        }
        ControlFlow::Continue(())
    }

    fn reference(&mut self, name: &str) -> ControlFlow<()> {
        match character(name) {
            Some(character) => self.text(character.encode_utf8(&mut [0; 4])),
            // Rather a bare `&` of a query and a `;` later on than an entity of this list.
            None => {
                let _ = self.text("&");
                let _ = self.text(name);
                self.text(";")
            }
        }
    }
}

/// Returns the text in the insides of an element without elements, decoded once, up to about
/// `most` bytes.
pub(super) fn decode(raw: &str, most: usize) -> String {
    let mut reader = Reader::from_str(raw);
    reader.config_mut().allow_dangling_amp = true;
    let mut text = String::new();
    while text.len() < most {
        match reader.read_event() {
            Ok(Event::Text(piece)) => text.push_str(&piece),
            Ok(Event::CData(piece)) => text.push_str(&piece),
            Ok(Event::GeneralRef(name)) => match character(&name) {
                Some(character) => text.push(character),
                // An entity of HTML, for whoever reads the text as such.
                None => text.extend(["&", &*name, ";"]),
            },
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    text.truncate(text.floor_char_boundary(most));
    text
}

/// Returns the character that `&name;` stands for without any declaration.
pub(crate) fn character(name: &str) -> Option<char> {
    match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => {}
    }
    let number = name.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let code = u32::from_str_radix(digits, radix).ok().filter(|code| *code != 0);
    Some(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Decodes the references of an attribute, once.
pub(crate) fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, behind)) = rest.split_once('&') {
        text.push_str(before);
        // Looked for nearby only: the next `;` of thousands of bare `&` may be far away.
        let end = behind.bytes().take(REFERENCE_BYTES).position(|byte| byte == b';');
        let named = end.and_then(|end| Some((character(&behind[..end])?, &behind[end + 1..])));
        match named {
            Some((character, behind)) => {
                text.push(character);
                rest = behind;
            }
            None => {
                text.push('&');
                rest = behind;
            }
        }
    }
    text.push_str(rest);
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the elements with texts that a walk meets.
    #[derive(Default)]
    struct Writer(Vec<String>);

    impl Visitor for Writer {
        fn open(&mut self, element: &Element<'_>, _: &[Tag]) -> ControlFlow<()> {
            if let Some(value) = element.attribute("href") {
                self.0.push(format!("href={value}"));
            }
            ControlFlow::Continue(())
        }

        fn close(&mut self, tag: Tag, parents: &[Tag], inside: Inside<'_>) -> ControlFlow<()> {
            if !inside.text.is_empty() {
                self.0.push(format!("{} {tag:?} {}", parents.len(), inside.text));
            }
            ControlFlow::Continue(())
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str], end: End) {
        let mut writer = Writer::default();
        assert_eq!(walk(text, &mut writer), end, "{text}");
        assert_eq!(writer.0, expected, "{text}");
    }

    #[test]
    fn texts_are_decoded_once() {
        check("<loc> a&amp;b&#38;c&#x26;d </loc>", &["0 Loc a&b&c&d"], End::Whole);
        check("<loc>&amp;amp; &lt;b&gt; &quot;&apos;</loc>", &["0 Loc &amp; <b> \"'"], End::Whole);
        check("<loc><![CDATA[ a&b&amp;c ]]>d</loc>", &["0 Loc a&b&amp;c d"], End::Whole);
        check("<loc>a<!-- no -->b<?no?>c</loc>", &["0 Loc abc"], End::Whole);
        check(
            "<loc>&#0;&#xD800;&#99999999999;</loc>",
            &["0 Loc \u{FFFD}\u{FFFD}\u{FFFD}"],
            End::Whole,
        );
        check("<link href='a&amp;b&c&#61;d&amp;amp;'/>", &["href=a&b&c=d&amp;"], End::Whole);
    }

    #[test]
    fn bare_ampersands_and_unknown_names_stay_as_they_stand() {
        check(
            "<loc>a?b=1&c=2&copy=3&d;&nbsp;</loc>",
            &["0 Loc a?b=1&c=2&copy=3&d;&nbsp;"],
            End::Whole,
        );
        check("<loc>a&</loc>", &["0 Loc a&"], End::Whole);
        check("<loc>&#;&#x;&#-1;</loc>", &["0 Loc &#;&#x;&#-1;"], End::Whole);
    }

    #[test]
    fn crossed_and_unclosed_elements_are_closed_by_their_parents() {
        check("<a><br>x<loc>y</loc></a><loc>z</loc>", &["2 Loc y", "0 Loc z"], End::Whole);
        check("<a></b><loc>y</loc></a>", &["1 Loc y"], End::Whole);
        check("<a><loc>y</a>", &["1 Loc y"], End::Whole);
        check("<loc>x<b/>y</loc>", &[], End::Whole);
    }

    #[test]
    fn what_breaks_off_is_told() {
        check("<a><loc>y</loc>", &["1 Loc y"], End::Broken);
        check("<a><loc>y</loc><loc>z", &["1 Loc y"], End::Broken);
        check("<a><loc>y</loc><!-- ", &["1 Loc y"], End::Broken);
        check("", &[], End::Broken);
        check("<loc>y</loc><!DOCTYPE a><loc>z</loc>", &["0 Loc y"], End::Broken);
    }

    #[test]
    fn too_long_a_text_is_none() {
        check(&format!("<loc>{}</loc>", "x".repeat(TEXT_BYTES + 1)), &[], End::Whole);
        check(&format!("<loc>{}y</loc>", " ".repeat(TEXT_BYTES + 1)), &["0 Loc y"], End::Whole);
    }

    #[test]
    fn smp_05_depth_is_bounded() {
        let (open, close) = ("<a>".repeat(1_000), "</a>".repeat(1_000));
        check(&format!("{open}<loc>x</loc>{close}<loc>y</loc>"), &["0 Loc y"], End::Whole);
        check(&format!("<loc>x</loc>{}", "<a>".repeat(100_000)), &["0 Loc x"], End::Deep);
    }
}
