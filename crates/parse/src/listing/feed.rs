//! The text of a feed: a page of entries, each with a headline that leads to it (P4).
//!
//! ```text
//! rss > channel > title, description, language, managingEditor, pubDate
//!                 item > title, description | content:encoded, author | dc:creator
//! feed[xml:lang] > title, subtitle, author > name, updated
//!                  entry > title, summary | content[type], author > name
//! ```
//! An entry becomes its title as a heading, a line of day and author, and its content, or its
//! summary where there is no content. HTML in it is read as HTML, whether it came escaped, in
//! CDATA or as elements; links in it are links of the feed.

use std::ops::ControlFlow;

use base::limits::cut;
use base::{Block, DateSource, Joiner, LinkKind, Oddity, Rel, Span, Timestamp, Url, Zone};
use text::Language;

use super::entries::{Ended, Entries, Of};
use super::xml::{Element, Inside, Tag, Visitor, decode};
use crate::about::{Draft, Rank};
use crate::clean::{self, folded};
use crate::date::claims::What;
use crate::link::Collector;
use crate::{Input, Options, Parsed, date, html};

/// Content of one entry, as it was sent: longer ones are books.
const CONTENT_BYTES: usize = 512 * 1024;
/// Title or name, likewise.
const LINE_BYTES: usize = 8 * 1024;
/// Runs of emphasised, hidden or unquotable text kept of all entries.
const MOST_RUNS: usize = 10_000;
const MOST_HIDDEN: usize = 32;

/// Reads entries and text of a feed in one walk.
pub(super) struct Feed<'a, 'p> {
    pub(super) entries: Entries<'a>,
    pub(super) words: Words<'p>,
    /// What the content that opened last says of its type.
    format: Format,
}

/// The text of a feed, as far as it is read.
pub(super) struct Words<'p> {
    input: &'p Input<'p>,
    /// Those of the feed, but that the rest of its text is the most of the next piece.
    options: Options,
    links: &'p mut Collector,
    parsed: &'p mut Parsed,
    about: Draft,
    summary: Option<Written>,
    entry: EntryDraft,
    /// Author of all entries so far, if they have the same one.
    author: Option<String>,
    latest: Option<Timestamp>,
    is_dated: bool,
    /// Bytes that may still be read as HTML.
    html_left: usize,
}

#[derive(Default)]
struct EntryDraft {
    title: Option<Written>,
    summary: Option<Written>,
    content: Option<Written>,
    author: String,
}

/// A text as it was written.
struct Written {
    text: String,
    is_html: bool,
    is_cut: bool,
    /// What its references are resolved against.
    base: Url,
}

/// What a text construct is said to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Format {
    /// Nothing is said, as in RSS: HTML if it looks like it.
    #[default]
    Unknown,
    Plain,
    Html,
}

impl<'a, 'p> Feed<'a, 'p> {
    pub(super) fn new(
        entries: Entries<'a>,
        input: &'p Input<'p>,
        options: &Options,
        links: &'p mut Collector,
        parsed: &'p mut Parsed,
    ) -> Self {
        let words = Words {
            input,
            options: Options { finds_main: false, ..options.clone() },
            links,
            parsed,
            about: Draft::of_response(input),
            summary: None,
            entry: EntryDraft::default(),
            author: None,
            latest: None,
            is_dated: false,
            html_left: options.body_bytes,
        };
        Self { entries, words, format: Format::Unknown }
    }

    /// Ends the entries and what is said of the whole; returns the entries' reader and the
    /// language that the feed declares.
    pub(super) fn finish(mut self) -> (Entries<'a>, Option<Language>) {
        self.entries.end();
        self.end_entry();
        (self.entries, self.words.finish())
    }

    fn end_entry(&mut self) {
        if let Some(ended) = self.entries.take_ended() {
            self.words.end_entry(&ended);
        }
    }
}

impl Visitor for Feed<'_, '_> {
    fn open(&mut self, element: &Element<'_>, parents: &[Tag]) -> ControlFlow<()> {
        if parents.is_empty()
            && let Some(tag) = element.attribute("xml:lang")
        {
            self.words.about.language(&tag, Rank::Own);
        }
        if matches!(element.tag, Tag::Title | Tag::Summary | Tag::Content)
            && self.entries.said_of(parents).is_some()
        {
            self.format = Format::of(element, parents);
        }
        let flow = self.entries.open(element, parents);
        self.end_entry();
        flow
    }

    fn close(&mut self, tag: Tag, parents: &[Tag], inside: Inside<'_>) -> ControlFlow<()> {
        if let Some(of) = self.entries.said_of(parents) {
            self.words.value(tag, of, inside, self.format, self.entries.base());
        } else if tag == Tag::Name
            && let [outer @ .., Tag::Author] = parents
            && let Some(of) = self.entries.said_of(outer)
        {
            self.words.author(of, inside.text);
        }
        let flow = self.entries.close(tag, parents, inside);
        self.end_entry();
        flow
    }
}

impl Words<'_> {
    /// Takes what is said of the feed or of the entry.
    fn value(&mut self, tag: Tag, of: Of, inside: Inside<'_>, format: Format, base: &Url) {
        match (of, tag) {
            (_, Tag::Author) if inside.is_leaf => self.author(of, inside.text),
            (Of::Feed, Tag::Language) => self.about.language(inside.text, Rank::Own),
            (Of::Feed, Tag::Date) => {
                let at = date::parse(inside.text);
                self.is_dated |= at.is_some();
                self.about.dates.add(What::Modified, at, DateSource::Document);
            }
            (Of::Feed, Tag::Title) if self.parsed.title.is_empty() => {
                let written = Written::new(inside, format, LINE_BYTES, base);
                let title = self.line(written);
                self.parsed.title = clean::title(&title, self.options.title_chars);
            }
            (Of::Feed, Tag::Summary) if self.summary.is_none() => {
                self.summary = Written::new(inside, format, CONTENT_BYTES, base).some();
            }
            (Of::Entry, Tag::Title | Tag::Summary | Tag::Content) if !self.is_full() => {
                let (place, most) = match tag {
                    Tag::Title => (&mut self.entry.title, LINE_BYTES),
                    Tag::Summary => (&mut self.entry.summary, CONTENT_BYTES),
                    _ => (&mut self.entry.content, CONTENT_BYTES),
                };
                if place.is_none() {
                    *place = Written::new(inside, format, most, base).some();
                }
            }
            _ => {}
        }
    }

    fn author(&mut self, of: Of, text: &str) {
        let name = author(text);
        match of {
            Of::Feed => self.about.co_author(name, Rank::Own),
            Of::Entry if self.entry.author.is_empty() => self.entry.author = folded(name, 200),
            Of::Entry => {}
        }
    }

    /// Writes down an entry that has ended.
    fn end_entry(&mut self, ended: &Ended) {
        self.head();
        let entry = std::mem::take(&mut self.entry);
        self.latest = self.latest.max(ended.modified);
        match &self.author {
            None => self.author = Some(entry.author.clone()),
            Some(author) if *author != entry.author => self.author = Some(String::new()),
            Some(_) => {}
        }
        let title = entry.title.map(|title| self.line(title)).unwrap_or_default();
        let title = self.block(Zone::Heading, &title);
        let address = ended.address.as_ref().map(Url::as_str);
        let link = address.and_then(|to| self.links.open(to, LinkKind::Anchor, Rel::default()));
        if let Some(link) = link
            && let Some(span) = title
            && let Some(block) = self.parsed.blocks.get(span.block as usize)
        {
            self.links.text(link, &block.text);
            self.links.place(link, span);
        }
        let day = ended.modified.map(|at| at.rfc3339().chars().take(10).collect::<String>());
        let line = [day.unwrap_or_default(), entry.author].join(" ");
        self.block(Zone::Boilerplate, &line);
        if let Some(content) = entry.content.or(entry.summary) {
            self.content(&content);
        }
    }

    /// Writes down what the feed says of itself, before its first entry.
    fn head(&mut self) {
        if let Some(summary) = self.summary.take() {
            let first = self.parsed.blocks.len();
            self.content(&summary);
            let blocks = &self.parsed.blocks[first..];
            let texts: Vec<_> = blocks.iter().map(|block| block.text.as_str()).collect();
            self.about.description(&texts.join(" "), Rank::Own);
        }
    }

    fn finish(mut self) -> Option<Language> {
        self.head();
        if self.parsed.title.is_empty() {
            let heading = self.parsed.blocks.iter().find(|block| block.zone == Zone::Heading);
            let most = self.options.title_chars;
            let title = heading.map(|block| clean::title(&block.text, most));
            self.parsed.title = title.unwrap_or_default();
        }
        if !self.is_dated {
            self.about.dates.add(What::Modified, self.latest, DateSource::Document);
        }
        self.about.author(&self.author.unwrap_or_default(), Rank::Other);
        self.about.dates.add_header(self.input.modified.unwrap_or_default(), self.input.fetched);
        let declared = self.about.declared().and_then(Language::parse);
        let joiner = Joiner::with_rules(self.input.url, self.options.url_rules);
        self.parsed.about = self.about.finish(self.input, &joiner);
        declared
    }

    fn is_full(&self) -> bool {
        self.options.text_bytes == 0 || self.options.blocks == 0
    }

    /// Adds a block, if there is anything in it and room for it.
    fn block(&mut self, zone: Zone, text: &str) -> Option<Span> {
        let text = folded(text, self.options.text_bytes.min(LINE_BYTES));
        if text.is_empty() || self.is_full() {
            return None;
        }
        let block = u32::try_from(self.parsed.blocks.len()).ok()?;
        let end = u32::try_from(text.len()).ok()?;
        self.options.text_bytes -= text.len();
        self.options.blocks -= 1;
        self.parsed.blocks.push(Block { zone, text });
        Some(Span { block, start: 0, end })
    }

    /// Returns a text as one line.
    fn line(&mut self, written: Written) -> String {
        if !written.is_html {
            return written.text;
        }
        let (piece, _) = self.html(&written);
        let texts: Vec<_> = piece.blocks.into_iter().map(|block| block.text).collect();
        texts.join(" ")
    }

    /// Adds the blocks of a text, with the links in them.
    fn content(&mut self, written: &Written) {
        self.parsed.oddities.extend(written.is_cut.then_some(Oddity::TextCut));
        if !written.is_html {
            for paragraph in written.text.split("\n\n") {
                self.paragraph(paragraph);
            }
            return;
        }
        let (mut piece, links) = self.html(written);
        let is_cut = piece.oddities.contains(&Oddity::TextCut);
        self.parsed.oddities.extend(is_cut.then_some(Oddity::TextCut));
        let first = self.parsed.blocks.len() as u32;
        let moved = |span: Span| Span { block: span.block + first, ..span };
        let (found, places, _) = links.finish(&written.base, false);
        for (link, place) in found.into_iter().zip(places) {
            if let Some(opened) = self.links.open(link.target.as_str(), link.kind, link.rel) {
                self.links.text(opened, &link.anchor);
                place.into_iter().for_each(|place| self.links.place(opened, moved(place)));
            }
        }
        let taken: usize = piece.blocks.iter().map(|block| block.text.len()).sum();
        self.options.text_bytes = self.options.text_bytes.saturating_sub(taken);
        self.options.blocks = self.options.blocks.saturating_sub(piece.blocks.len());
        let parsed = &mut *self.parsed;
        parsed.blocks.append(&mut piece.blocks);
        parsed.emphasis.extend(piece.emphasis.into_iter().map(moved));
        parsed.emphasis.truncate(MOST_RUNS);
        // Not bounded but by the text: what may not be shown is not shown.
        parsed.unquotable.extend(piece.unquotable.into_iter().map(moved));
        parsed.hidden.append(&mut piece.hidden);
        parsed.hidden.truncate(MOST_HIDDEN);
    }

    fn paragraph(&mut self, text: &str) {
        let mut text = text;
        while !text.is_empty() && !self.is_full() {
            let head = cut(text, LINE_BYTES);
            self.block(Zone::Body, head);
            text = &text[head.len()..];
        }
        let is_cut = !text.trim().is_empty();
        self.parsed.oddities.extend(is_cut.then_some(Oddity::TextCut));
    }

    /// Reads a piece of HTML within what is left for all of them.
    fn html(&mut self, written: &Written) -> (Parsed, Collector) {
        let text = cut(&written.text, self.html_left);
        self.html_left -= text.len();
        let mut piece = Parsed::blank(self.parsed.kind);
        let mut links = Collector::new(&self.options);
        if !self.is_full() {
            html::read_piece(text, &self.options, &mut links, &mut piece);
        }
        if text.len() < written.text.len() {
            self.parsed.oddities.push(Oddity::TextCut);
        }
        (piece, links)
    }
}

impl Format {
    fn of(element: &Element<'_>, parents: &[Tag]) -> Self {
        let said = element.attribute("type");
        let is_atom = parents.first() == Some(&Tag::Feed);
        match said.as_deref().map(str::trim) {
            Some("html" | "xhtml" | "text/html" | "application/xhtml+xml") => Self::Html,
            Some("text" | "text/plain") => Self::Plain,
            // By RFC 4287, which feeds with markup in their titles do not read.
            None if is_atom && element.tag == Tag::Title => Self::Plain,
            _ => Self::Unknown,
        }
    }
}

impl Written {
    fn new(inside: Inside<'_>, format: Format, most: usize, base: &Url) -> Self {
        // Elements in it are its markup.
        let (text, is_html) = if inside.is_leaf {
            let text = decode(inside.raw, most);
            let looks = text.contains(['<', '&']);
            (text, looks && format != Format::Plain)
        } else {
            (cut(inside.raw, most).to_owned(), true)
        };
        let is_cut = text.len() + 4 > most;
        Self { text, is_html, is_cut, base: base.clone() }
    }

    /// Returns it if there is anything in it.
    fn some(self) -> Option<Self> {
        (!self.text.trim().is_empty()).then_some(self)
    }
}

/// Returns the name in `mail@example.org (Name)`, or all of it.
fn author(text: &str) -> &str {
    let name = text.split_once('(').and_then(|(mail, rest)| {
        let name = rest.trim_end().strip_suffix(')')?;
        (mail.contains('@') && !name.trim().is_empty()).then(|| name.trim())
    });
    name.unwrap_or(text)
}
