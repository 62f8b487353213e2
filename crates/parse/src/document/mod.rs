//! Documents of office programs and printers: PDF, Office old and new, OpenDocument, EPUB, RTF (P4).
//!
//! - [`read`] is plain code over bytes. It bounds what it takes, but the formats are large and
//!   one library in it is not ours: it may panic, spin or eat memory on bytes made for that.
//! - So nobody calls it but [`serve`], the whole life of a child process, and tests.
//! - [`Reader`] is what the rest of the program uses: it starts the child, hands it the bytes,
//!   waits no longer than allowed, and kills what is left. One bad file costs one file.
//!
//! ```text
//! stdin:  length: u32 le | request: postcard (kind, limits) | the bytes of the document
//! stdout: answer: postcard ([`Document`])
//! ```

mod build;
mod container;
mod epub;
mod odf;
mod ole;
mod ooxml;
mod pdf;
mod process;
mod rtf;
mod sheet;
mod when;
mod xml;
pub(crate) mod zip;

use std::time::Duration;

use base::{
    About, Block, ContentKind, DateSource, Hidden, Joiner, LinkKind, Oddity, Rel, Span, Timestamp,
    limits,
};
use serde::{Deserialize, Serialize};

pub use self::process::{Reader, serve};

pub(crate) use self::ole::kind_of as kind_of_ole;

use self::build::Builder;
use crate::about::{Draft, Rank};
use crate::date::claims::What;
use crate::link::Collector;
use crate::{Input, Options, Parsed, clean};

/// How much of a document is taken, and what reading it may cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of the document itself. Default 32 MiB.
    pub body_bytes: usize,
    /// Pages, slides, sheets or chapters. Default 2,000.
    pub pages: usize,
    /// Text, in bytes. Default 4 MiB: a long book has two.
    pub text_bytes: usize,
    /// Blocks of text. Default 100,000.
    pub blocks: usize,
    /// Links. Default 10,000.
    pub links: usize,
    /// Members of an archive looked at. Default 20,000.
    pub entries: usize,
    /// What all members or streams together may unpack to, in bytes. Default 128 MiB.
    pub unpacked_bytes: usize,
    /// Memory of the child process, in bytes. Default 512 MiB.
    pub memory_bytes: u64,
    /// Processor time of the child process, in seconds. Default 20.
    pub cpu_seconds: u64,
    /// Time that the child may take by the clock on the wall. Default 60 s: a machine with
    /// much to do gives a process a third of a core.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: limits::PDF_BYTES,
            pages: 2_000,
            text_bytes: 4 * 1024 * 1024,
            blocks: 100_000,
            links: limits::LINKS_SEEN,
            entries: 20_000,
            unpacked_bytes: 128 * 1024 * 1024,
            memory_bytes: 512 * 1024 * 1024,
            cpu_seconds: 20,
            patience: Duration::from_secs(60),
        }
    }
}

/// What a document says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Title from its properties; may be empty.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// Its own summary.
    pub description: String,
    /// Language that it declares, as it stands.
    pub language: Option<String>,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub modified: Option<Timestamp>,
    /// The text in reading order.
    pub blocks: Vec<Block>,
    /// References to the web, unresolved.
    pub links: Vec<DocumentLink>,
    /// What its readers do not see.
    pub hidden: Vec<Hidden>,
    /// What was strange about it.
    pub oddities: Vec<Oddity>,
}

/// A reference of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLink {
    /// Where it points, as it stands.
    pub href: String,
    /// What a reader clicks.
    pub anchor: String,
    /// Where that stands in the blocks, if it does.
    pub span: Option<Span>,
}

impl Document {
    fn odd(oddity: Oddity) -> Self {
        Self { oddities: vec![oddity], ..Self::default() }
    }
}

/// Reads a document of a known kind; what is none of that kind is marked unreadable.
///
/// May panic, and may take any time and memory up to what the process is allowed: call it in
/// a process made for it.
pub fn read(kind: ContentKind, bytes: &[u8], limits: &Limits) -> Document {
    let is_cut = bytes.len() > limits.body_bytes;
    let bytes = &bytes[..bytes.len().min(limits.body_bytes)];
    let mut builder = Builder::new(limits);
    let read = match kind {
        ContentKind::Pdf => pdf::read(bytes, &mut builder),
        ContentKind::Rtf => rtf::read(bytes, &mut builder),
        ContentKind::Epub => epub::read(bytes, &mut builder),
        ContentKind::Docx | ContentKind::Xlsx | ContentKind::Pptx => {
            ooxml::read(kind, bytes, &mut builder)
        }
        ContentKind::Odt | ContentKind::Ods | ContentKind::Odp => odf::read(bytes, &mut builder),
        ContentKind::Doc | ContentKind::Xls | ContentKind::Ppt => {
            ole::read(kind, bytes, &mut builder)
        }
        _ => Err(Refusal::Unreadable),
    };
    if is_cut {
        builder.odd(Oddity::DocumentCut);
    }
    match read {
        Ok(()) => {}
        Err(Refusal::Encrypted) => builder.odd(Oddity::Encrypted),
        Err(Refusal::Unreadable) => builder.odd(Oddity::Unreadable),
    }
    builder.finish()
}

/// Why a document was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Encrypted,
    Unreadable,
}

/// Adds to `parsed` and `links` what a document says; returns the language it declares.
pub(crate) fn add(
    document: Document,
    input: &Input<'_>,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) -> Option<text::Language> {
    let title_chars = options.title_chars;
    parsed.about = about(&document, input, options);
    parsed.title = clean::title(&document.title, title_chars);
    if parsed.title.is_empty() {
        let heading = document.blocks.iter().find(|block| block.zone == base::Zone::Heading);
        parsed.title =
            heading.map(|block| clean::title(&block.text, title_chars)).unwrap_or_default();
    }
    for link in &document.links {
        if let Some(opened) = links.open(&link.href, LinkKind::Anchor, Rel::default()) {
            links.text(opened, &link.anchor);
            if let Some(span) = link.span {
                links.place(opened, span);
            }
        }
    }
    parsed.blocks = document.blocks;
    parsed.hidden = document.hidden;
    parsed.oddities.extend(document.oddities);
    document.language.as_deref().and_then(text::Language::parse)
}

/// Weighs what the properties of a document say against what its header and address say.
fn about(document: &Document, input: &Input<'_>, options: &Options) -> About {
    let mut draft = Draft::of_response(input);
    draft.author(&document.author, Rank::Own);
    draft.description(&document.description, Rank::Own);
    draft.language(document.language.as_deref().unwrap_or_default(), Rank::Own);
    draft.dates.add(What::Published, document.created, DateSource::Document);
    draft.dates.add(What::Modified, document.modified, DateSource::Document);
    draft.dates.add_header(input.modified.unwrap_or_default(), input.fetched);
    draft.finish(input, &Joiner::with_rules(input.url, options.url_rules))
}
