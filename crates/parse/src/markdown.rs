//! Markdown: headings, paragraphs, lists, tables and links; signs of emphasis are taken out.
//!
//! A reader for search, not for show: lines are told by how they begin, and what stands in a
//! line is read in one pass. HTML inside is left as its words.

use std::ops::Range;

use base::{Block, LinkKind, Oddity, Rel, Span, Zone};

use crate::clean::Folded;
use crate::link::Collector;
use crate::{Options, Parsed, clean};

/// Longest paragraph before it is ended at the next line.
const PARAGRAPH_BYTES: usize = 16 * 1024;
/// Bytes in which the target of a link must end.
const TARGET_BYTES: usize = 2_048;

/// Returns whether a text is written in Markdown: some line of its beginning has a sign of it.
pub(crate) fn has_shape(body: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&body[..body.len().min(4_096)]).into_owned();
    head.lines().any(|line| {
        let line = line.trim_end();
        heading(line).is_some()
            || line.starts_with("```")
            || line.starts_with("- ")
            || line.starts_with("* ")
            || line.contains("](")
            || is_underline(line)
    })
}

/// Adds what a text says; its first heading is its title.
pub(crate) fn read(text: &str, options: &Options, links: &mut Collector, parsed: &mut Parsed) {
    let mut reader = Reader { options, links, parsed, open: Folded::default(), taken: 0 };
    reader.lines(text);
    reader.end(Zone::Body);
    let heading = parsed.blocks.iter().find(|block| block.zone == Zone::Heading);
    let title = heading.map(|block| clean::title(&block.text, options.title_chars));
    parsed.title = title.unwrap_or_default();
}

// Not `pulldown-cmark`, which would save some 100 lines: it keeps the whole tree, 36 to 73 bytes for
// each of the text (here 6 to 9, with the page record). Where it reads front matter, 256 KB of
// `---\n1. ` take it seconds, here a millisecond.
struct Reader<'a> {
    options: &'a Options,
    links: &'a mut Collector,
    parsed: &'a mut Parsed,
    open: Folded,
    taken: usize,
}

impl Reader<'_> {
    fn lines(&mut self, text: &str) {
        let mut fence: Option<&str> = None;
        let mut is_first = true;
        let mut is_front = false;
        for line in text.lines() {
            let trimmed = line.trim();
            // Properties between two lines of dashes, at the very beginning.
            if is_first && trimmed == "---" || is_front {
                is_front = is_first || trimmed != "---";
                is_first = false;
                continue;
            }
            is_first = false;
            if let Some(sign) = fence {
                if trimmed.starts_with(sign) {
                    fence = None;
                    self.end(Zone::Body);
                } else {
                    self.open.push(line);
                    self.open.space();
                    self.end_long();
                }
                continue;
            }
            fence = ["```", "~~~"].into_iter().find(|sign| trimmed.starts_with(sign));
            if fence.is_some() {
                self.end(Zone::Body);
            } else {
                self.line(line.trim_end(), trimmed);
            }
            if self.is_full() {
                return;
            }
        }
    }

    fn line(&mut self, line: &str, trimmed: &str) {
        if trimmed.is_empty() {
            self.end(Zone::Body);
        } else if let Some(heading) = heading(line) {
            self.end(Zone::Body);
            self.inline(heading);
            self.end(Zone::Heading);
        } else if is_underline(trimmed) && !self.open.is_empty() {
            self.end(Zone::Heading);
        } else if trimmed.len() >= 3 && trimmed.bytes().all(|byte| b"-*_=|: ".contains(&byte)) {
            // A rule, or the line below a table's head.
            self.end(Zone::Body);
        } else if let Some(rest) = trimmed.strip_prefix('|') {
            self.end(Zone::Body);
            for cell in rest.trim_end_matches('|').split('|') {
                self.inline(cell);
                self.end(Zone::Body);
            }
        } else {
            let text = item(trimmed);
            if text.len() < trimmed.len() {
                self.end(Zone::Body);
            }
            self.inline(text);
            self.open.space();
            self.end_long();
        }
    }

    /// Reads the words and links of a line.
    fn inline(&mut self, text: &str) {
        let mut rest = text;
        while let Some(place) = rest.find(['[', '`', '*', '_', '\\', '!', '<']) {
            self.open.push(&rest[..place]);
            let sign = rest.as_bytes()[place];
            let behind = &rest[place + 1..];
            rest = match sign {
                b'!' if behind.starts_with('[') => behind,
                b'[' => self.link(behind),
                b'<' => self.address(behind),
                b'\\' => {
                    let next = behind.chars().next().map_or(0, char::len_utf8);
                    self.open.push(&behind[..next]);
                    &behind[next..]
                }
                // Inside of words they are letters: `snake_case`, `2*3`.
                b'_' | b'*' if is_inside(&rest[..place], behind) => {
                    self.open.push(&rest[place..=place]);
                    behind
                }
                b'!' => {
                    self.open.push("!");
                    behind
                }
                _ => behind,
            };
        }
        self.open.push(rest);
    }

    /// Reads `text](target "title")` and returns what follows.
    fn link<'t>(&mut self, behind: &'t str) -> &'t str {
        let near = base::limits::cut(behind, TARGET_BYTES);
        let Some(close) = near.find("](") else { return behind };
        let (text, target) = (&near[..close], &near[close + 2..]);
        if text.contains('[') {
            return behind;
        }
        let Some(end) = target.find(')') else { return behind };
        let href = target[..end].split_whitespace().next().unwrap_or_default();
        let href = href.trim_matches(['<', '>']);
        let range = self.open.push(&text.replace(['*', '`'], ""));
        if let Some(link) = self.links.open(href, LinkKind::Anchor, Rel::default()) {
            self.links.text(link, text);
            if let Some(span) = span(self.parsed.blocks.len(), range) {
                self.links.place(link, span);
            }
        }
        &behind[close + 2 + end + 1..]
    }

    /// Reads `http://a.example/>` or a tag, and returns what follows.
    fn address<'t>(&mut self, behind: &'t str) -> &'t str {
        let near = base::limits::cut(behind, TARGET_BYTES);
        let is_tag = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!');
        let Some(end) = near.find('>').filter(|_| near.starts_with(is_tag)) else {
            self.open.push("<");
            return behind;
        };
        let inside = &near[..end];
        if inside.starts_with("http://") || inside.starts_with("https://") {
            let range = self.open.push(inside);
            if let Some(span) = span(self.parsed.blocks.len(), range) {
                self.links.mention(inside, span);
            }
        }
        &behind[end + 1..]
    }

    fn end_long(&mut self) {
        if self.open.len() > PARAGRAPH_BYTES {
            self.end(Zone::Body);
        }
    }

    fn is_full(&self) -> bool {
        self.taken >= self.options.text_bytes || self.parsed.blocks.len() >= self.options.blocks
    }

    fn end(&mut self, zone: Zone) {
        let mut text = self.open.take();
        if text.is_empty() || self.is_full() {
            return;
        }
        let left = self.options.text_bytes - self.taken;
        if text.len() > left {
            text.truncate(text.floor_char_boundary(left));
            text.truncate(text.trim_end().len());
            self.parsed.oddities.push(Oddity::TextCut);
        }
        self.taken += text.len();
        if !text.is_empty() {
            self.parsed.blocks.push(Block { zone, text });
        }
        if self.is_full() {
            self.parsed.oddities.push(Oddity::TextCut);
        }
    }
}

/// Returns a run of the open block, which comes behind so many others.
fn span(num_blocks: usize, range: Option<Range<usize>>) -> Option<Span> {
    let range = range?;
    let block = u32::try_from(num_blocks).ok()?;
    let (start, end) = (u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?);
    Some(Span { block, start, end })
}

/// Returns the text of a heading: up to six `#` and a space.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=6).contains(&level) && text.starts_with([' ', '\t']);
    is_heading.then(|| text.trim().trim_end_matches('#').trim_end())
}

/// The line below a heading of the older form.
fn is_underline(line: &str) -> bool {
    line.len() >= 3 && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|b| b == b'-'))
}

/// Returns the text of an item or quotation without its sign.
fn item(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = line[digits..].strip_prefix([')', '.']).filter(|_| (1..=9).contains(&digits));
    let signed = line.strip_prefix(['-', '*', '+']).or(numbered);
    let signed = signed.filter(|rest| rest.starts_with(' '));
    signed.or_else(|| line.strip_prefix('>')).map_or(line, str::trim_start)
}

fn is_inside(before: &str, behind: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && behind.starts_with(char::is_alphanumeric)
}
