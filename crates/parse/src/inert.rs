//! A page made harmless, to be shown as a copy: its text, structure and links, and nothing that
//! runs, loads, sends or styles (Q6, WEB-11).
//!
//! Nothing of the page's mark-up is passed on. It is read into a tree, and from the tree a new
//! text is written in which only the elements of a short list occur, with attributes that we
//! write ourselves: the target of a link, a language, a description. None of the elements holds
//! raw text or is of another namespace, so a browser that reads the text again can find nothing
//! in it but these elements, however it repairs their order; that is what defeats mutation.

use std::ops::Range;

use base::{Block, ContentKind, Zone};

use crate::{Input, Options, charset, html, kind};

/// Longest text written, in bytes; what is open then is still closed.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;

/// A page made harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inert {
    /// What goes between our `<body>` and `</body>`.
    pub html: String,
    /// Whether something was left out for being too much: of the page, or of what is written.
    pub is_cut: bool,
}

/// Says where the words stand that are to be marked, in order and apart from each other.
pub type Mark<'a> = &'a dyn Fn(&str) -> Vec<Range<usize>>;

/// Makes a page of HTML or text harmless; `None` if the body is something else.
///
/// Text that the page hides from its visitors is left out. Links lead to where they led, if that
/// is an address of the web. Cost: linear in the body.
pub fn copy(input: &Input<'_>, options: &Options, mark: Mark<'_>) -> Option<Inert> {
    let (kind, _) = kind::of(input.content_type, input.body, input.expects, input.url.path());
    if !matches!(kind, ContentKind::Html | ContentKind::Text | ContentKind::Markdown) {
        return None;
    }
    let body = &input.body[..input.body.len().min(options.body_bytes)];
    let decoded = charset::decode(input, kind, body);
    let mut writer = Writer::new(mark);
    if kind == ContentKind::Html {
        let is_cut = html::inert::write(&decoded.text, input, options, &mut writer);
        writer.is_cut |= is_cut;
    } else {
        writer.open("pre");
        writer.text(&decoded.text);
        writer.close("pre");
    }
    writer.is_cut |= input.is_cut || body.len() < input.body.len();
    Some(Inert { html: writer.html, is_cut: writer.is_cut })
}

/// Writes the text that was read out of something that is no page of HTML.
pub fn of_blocks(blocks: &[Block], mark: Mark<'_>) -> Inert {
    let mut writer = Writer::new(mark);
    for block in blocks {
        if writer.is_full() {
            writer.is_cut = true;
            break;
        }
        let name = if block.zone == Zone::Heading { "h2" } else { "p" };
        writer.open(name);
        writer.text(&block.text);
        writer.close(name);
    }
    Inert { html: writer.html, is_cut: writer.is_cut }
}

/// Writes mark-up; all that does not come from our own list is escaped.
pub(crate) struct Writer<'a> {
    html: String,
    mark: Mark<'a>,
    is_cut: bool,
}

impl<'a> Writer<'a> {
    fn new(mark: Mark<'a>) -> Self {
        Self { html: String::new(), mark, is_cut: false }
    }

    /// Returns whether nothing more is taken.
    pub(crate) fn is_full(&self) -> bool {
        self.html.len() >= MOST_BYTES
    }

    /// Opens an element; `name` must be of the list.
    pub(crate) fn open(&mut self, name: &'static str) {
        self.open_with(name, &[]);
    }

    /// Opens an element with attributes: names of ours, values of strangers.
    pub(crate) fn open_with(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.html.push('<');
        self.html.push_str(name);
        for (name, value) in attributes {
            self.html.push(' ');
            self.html.push_str(name);
            self.html.push_str("=\"");
            self.escape(value);
            self.html.push('"');
        }
        self.html.push('>');
    }

    /// Closes an element.
    pub(crate) fn close(&mut self, name: &'static str) {
        self.html.push_str("</");
        self.html.push_str(name);
        self.html.push('>');
    }

    /// Adds text with its words marked.
    pub(crate) fn text(&mut self, text: &str) {
        let room = MOST_BYTES.saturating_sub(self.html.len());
        let kept = base::limits::cut(text, room);
        self.is_cut |= kept.len() < text.len();
        let mut place = 0;
        for Range { start, end } in (self.mark)(kept) {
            // A marker that is wrong marks nothing.
            let (Some(before), Some(word)) = (kept.get(place..start), kept.get(start..end)) else {
                continue;
            };
            self.escape(before);
            self.html.push_str("<mark>");
            self.escape(word);
            self.html.push_str("</mark>");
            place = end;
        }
        self.escape(&kept[place..]);
    }

    /// Adds text as text: what could end it is written as a reference, and characters that turn
    /// the direction of what follows are left out.
    fn escape(&mut self, text: &str) {
        for letter in text.chars() {
            // Here, because a letter may take six bytes when it is escaped.
            if self.is_full() {
                self.is_cut = true;
                return;
            }
            match letter {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                '\n' | '\t' => self.html.push(letter),
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
                letter if letter.is_control() => self.html.push(' '),
                letter => self.html.push(letter),
            }
        }
    }
}
