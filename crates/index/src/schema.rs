//! The fields of a page in the index, and how a page fills them (P5, X1).
//!
//! | field | holds | for |
//! |---|---|---|
//! | `stems` | stems of title and text, title and heading words several times | flat, pruned candidate search |
//! | `words` | surface forms with positions, blocks apart | phrases, exact forms |
//! | `breaks` | the positions between blocks, as `breaks` says | nearness within blocks |
//! | `title` | stems of the title with positions | order, `title:` |
//! | `aside` | stems of boilerplate, which are in `stems` too | order: these count little |
//! | `address` | stems of the URL's words | order, `inurl:` |
//! | `address_words` | surface forms of the same | `inurl:` of exact words and patterns |
//! | `page`, `host`, `site`, `language`, `fetched` | as they say | replacing, filters |
//! | `domain` | the host and every domain it is below | `site:` |
//! | `key` | the URL in SURT order: folders are ranges | `site:`, `cache:` |
//! | `kind` | names of what the page is: by its bytes, by its extension | `filetype:` |
//! | `date` | the page's own date if it is sure, else when it was fetched | `before:`, `after:` |
//! | `country` | by top domain, places that the page names, region of its language | `country:` |
//! | `prints` | what of the text near copies have in common | folding them |
//! | `url`, `shown_title`, `text`, `flags`, `showing` | stored | answers and snippets |
//! | `silent` | whether it has no text at all | keeping it out of lists that no word asks for |
//! | `until` | when it asks to be left out of results from, if it does | dropping it then |
//! | `worked_on` | when the page says it was last worked on, if it does | order: fresh pages |
//! | `spam` | how much it looks made for search engines, if at all, and why | order: these count less |
//! | `order` | rank when it was indexed, 0 if not known | segments are sorted by it, best first |
//! | `pictured` | stems of what its pictures are called | picture search |
//! | `pictures` | stored: its pictures | showing them |
//!
//! `language`, `kind`, `country`, `site` and `date` are columns too, so that matches can be counted
//! by them.

use std::borrow::Cow;

use base::{Block, PageId, PageRecord, RobotsFlags, Span, Timestamp, Url, Zone};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
    Value,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{TantivyDocument, Term};
use text::{Analyzer, Language};

use crate::breaks::Marker;
use crate::doubts;
use crate::facts;
use crate::long;
use crate::pictures::{self, Pictured};
use crate::prepared::{Packer, Unpacker};
use crate::showing::{Print, Showing};
use crate::texts::{self, Texts, Values};

/// How often a title word stands in `stems`: zone weight folded into the frequency, so that one
/// flat term query per word is enough to find candidates.
pub const TITLE_FOLD: u32 = 4;
/// How often a heading word stands in `stems`.
pub const HEADING_FOLD: u32 = 2;
/// Stored text of one page, in bytes. Longer pages are searched whole, but snippets come from
/// their first part: making one stays cheap.
pub const STORED_BYTES: usize = 64 * 1024;
/// What `language` says of pages whose language is not known.
pub const NO_LANGUAGE: &str = "und";

/// What `silent` says of pages without any text.
pub const SILENT: &str = "1";

const PREPARED: &str = "prepared";
/// Name of the field of page ids.
pub(crate) const PAGE: &str = "page";
/// Name of the field of [`Print`]s.
pub(crate) const PRINTS: &str = "prints";
/// Name of the field of when pages ask to be left out.
pub(crate) const UNTIL: &str = "until";
/// Name of the field of when pages were last worked on.
pub(crate) const WORKED_ON: &str = "worked_on";
/// Name of the field of how much pages look made for search engines, from 1 to 100.
pub(crate) const SPAM: &str = "spam";
/// The field that segments are sorted by.
pub(crate) const ORDER: &str = "order";
/// The order of the most important page. Few steps, so that within one pages stay as they came: pages
/// of a site beside each other make an index smaller and faster to fill, and the first stage bears
/// ranks that are not quite in order.
const MOST_ORDER: f32 = 7.0;

/// Returns what a page of some importance, from 0 to 1, is sorted by.
pub(crate) fn order(rank: f32) -> u64 {
    (rank.clamp(0.0, 1.0) * MOST_ORDER) as u64
}

/// The fields of a page.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// Stems of the whole page, weighted by repetition.
    pub stems: Field,
    /// Surface forms with positions.
    pub words: Field,
    /// Positions between blocks, for [`crate::Breaks`].
    pub breaks: Field,
    /// Stems of the title.
    pub title: Field,
    /// Stems of boilerplate.
    pub aside: Field,
    /// Stems of the URL's words.
    pub address: Field,
    /// Surface forms of the URL's words.
    pub address_words: Field,
    /// Page id; one document each.
    pub page: Field,
    /// Host name.
    pub host: Field,
    /// Registered domain.
    pub site: Field,
    /// ISO 639-1 code or [`NO_LANGUAGE`].
    pub language: Field,
    /// When it was fetched, in milliseconds since 1970.
    pub fetched: Field,
    /// The host and every domain it is below, as [`facts::domains`] tells them.
    pub domain: Field,
    /// The URL in SURT order, as [`Url::surt`] writes it.
    pub key: Field,
    /// What the page is, as [`facts::kinds`] names it.
    pub kind: Field,
    /// The page's date in milliseconds since 1970, as [`facts::date`] tells it.
    pub date: Field,
    /// Two letters of ISO 3166 in lower case, as [`facts::countries`] tells them.
    pub country: Field,
    /// Surface forms of the places that the page says it is about or at, with positions.
    pub places: Field,
    /// Has the term [`SILENT`] on pages without any text.
    pub silent: Field,
    url: Field,
    shown_title: Field,
    text: Field,
    flags: Field,
    prints: Field,
    showing: Field,
    order: Field,
    until: Field,
    worked_on: Field,
    spam: Field,
    /// Stems of what its pictures are called, as [`crate::Picture::words`] tells them.
    pub pictured: Field,
    pictures: Field,
}

impl Fields {
    /// Returns the schema and its fields.
    pub(crate) fn schema() -> (Schema, Self) {
        let mut builder = Schema::builder();
        let fields = Self {
            stems: builder.add_text_field("stems", prepared(IndexRecordOption::WithFreqs)),
            words: builder
                .add_text_field("words", prepared(IndexRecordOption::WithFreqsAndPositions)),
            breaks: builder.add_text_field("breaks", placed()),
            title: builder
                .add_text_field("title", prepared(IndexRecordOption::WithFreqsAndPositions)),
            aside: builder.add_text_field("aside", counted()),
            address: builder.add_text_field("address", prepared(IndexRecordOption::Basic)),
            // All of them, also where the stem is the same word: `cat` among stems may be of `cats`.
            address_words: builder
                .add_text_field("address_words", prepared(IndexRecordOption::Basic)),
            page: builder.add_u64_field(PAGE, NumericOptions::from(FAST | STORED).set_indexed()),
            host: builder.add_text_field("host", name() | FAST),
            site: builder.add_text_field("site", FAST),
            language: builder.add_text_field("language", name() | STORED | FAST),
            fetched: builder.add_i64_field("fetched", STORED),
            url: builder.add_text_field("url", STORED),
            shown_title: builder.add_text_field("shown_title", STORED),
            text: builder.add_text_field("text", STORED),
            flags: builder.add_u64_field("flags", STORED),
            domain: builder.add_text_field("domain", name()),
            key: builder.add_text_field("key", name()),
            kind: builder.add_text_field("kind", name() | FAST),
            // Ranges are found by the column.
            date: builder.add_i64_field("date", FAST),
            country: builder.add_text_field("country", name() | FAST),
            places: builder.add_text_field("places", placed()),
            silent: builder.add_text_field("silent", name()),
            prints: builder.add_u64_field(PRINTS, FAST),
            showing: builder.add_bytes_field("showing", STORED),
            order: builder.add_u64_field(ORDER, FAST),
            until: builder.add_i64_field(UNTIL, FAST),
            worked_on: builder.add_i64_field(WORKED_ON, FAST),
            spam: builder.add_u64_field(SPAM, FAST),
            pictured: builder.add_text_field("pictured", prepared(IndexRecordOption::Basic)),
            pictures: builder.add_bytes_field("pictures", STORED),
        };
        (builder.build(), fields)
    }

    /// Returns the term that names a page's document.
    pub(crate) fn page_term(&self, page: PageId) -> Term {
        Term::from_field_u64(self.page, page.as_u64())
    }

    /// Returns the document of a page with its [`order`].
    pub(crate) fn ordered_document(&self, record: &PageRecord, order: u64) -> TantivyDocument {
        let mut document = self.document(record);
        document.add_u64(self.order, order);
        document
    }

    /// Returns the document of a page.
    fn document(&self, record: &PageRecord) -> TantivyDocument {
        let language = record.language.as_deref().and_then(Language::parse);
        // Each word takes two bytes beside its letters, one of which was the space behind it.
        let num_bytes = record.blocks.iter().map(|block| block.text.len()).sum::<usize>();
        let room = || Packer::with_capacity(num_bytes + num_bytes / 4);
        let mut packed = Packed { stems: room(), words: room(), ..Packed::default() };
        let analyzer = Analyzer::new(language);
        packed.push_page(record, analyzer);
        long::count(packed.num_cut);
        // Stems, words and the stored text, and a little for the rest: it need not grow.
        let mut document = TantivyDocument::with_capacity(4 * num_bytes + 2_048);
        document.add_text(self.stems, packed.stems.finish());
        document.add_text(self.words, packed.words.finish());
        document.add_text(self.breaks, packed.breaks.finish());
        document.add_text(self.title, packed.title.finish());
        document.add_text(self.aside, packed.aside.finish());
        document.add_text(self.address, packed.address.finish());
        document.add_text(self.address_words, packed.address_words.finish());
        document.add_u64(self.page, record.id.as_u64());
        document.add_text(self.host, record.url.host().as_str());
        document.add_text(self.site, record.url.site().as_str());
        document.add_text(self.language, language.map_or(NO_LANGUAGE, Language::code));
        document.add_i64(self.fetched, record.fetched.as_millis());
        document.add_text(self.url, record.url.as_str());
        document.add_text(self.shown_title, &record.title);
        self.store_text(&mut document, record);
        let is_silent = is_silent(record);
        let flags = u64::from(record.robots.nosnippet) | u64::from(is_silent) << 1;
        document.add_u64(self.flags, flags);
        if is_silent {
            document.add_text(self.silent, SILENT);
        }
        self.add_facts(&mut document, record);
        self.add_places(&mut document, record, analyzer);
        document.add_bytes(self.showing, &Showing::of(record).encode());
        self.add_pictures(&mut document, record, analyzer);
        for number in Print::of(&record.sketch).iter().flat_map(Print::numbers) {
            document.add_u64(self.prints, number);
        }
        document
    }

    /// Adds what filters ask for.
    fn add_facts(&self, document: &mut TantivyDocument, record: &PageRecord) {
        document.add_text(self.key, record.url.surt());
        for domain in facts::domains(&record.url.host()) {
            document.add_text(self.domain, domain);
        }
        document.add_i64(self.date, facts::date(record).as_millis());
        for kind in facts::kinds(record) {
            document.add_text(self.kind, kind);
        }
        for country in facts::countries(record) {
            document.add_text(self.country, country);
        }
        if let Some(until) = record.until {
            document.add_i64(self.until, until.as_millis());
        }
        if let Some(at) = facts::worked_on(record) {
            document.add_i64(self.worked_on, at.as_millis());
        }
        if let Some(doubts) = doubts::pack(&record.spam) {
            document.add_u64(self.spam, doubts);
        }
    }

    /// Adds the words of the places that mark-up names, each place apart from the others.
    fn add_places(&self, document: &mut TantivyDocument, record: &PageRecord, analyzer: Analyzer) {
        let mut packer = Packer::default();
        for place in &record.about.places {
            packer.leave_gap(1);
            analyzer.for_each_term(&place.name, |term| match term.form.is_running() {
                true => packer.push(term.surface),
                false => packer.push_over(term.surface),
            });
        }
        if !packer.is_empty() {
            document.add_text(self.places, packer.finish());
        }
    }

    /// Adds the pictures, and the words by which they are found.
    fn add_pictures(
        &self,
        document: &mut TantivyDocument,
        record: &PageRecord,
        analyzer: Analyzer,
    ) {
        let kept = pictures::of(record);
        if kept.is_empty() {
            return;
        }
        let mut packer = Packer::default();
        for picture in &kept {
            analyzer.for_each_term(&picture.words(), |term| packer.push(term.stem));
        }
        document.add_text(self.pictured, packer.finish());
        document.add_bytes(self.pictures, &pictures::encode(record, kept));
    }

    /// Stores the blocks up to the limit, without what may not be shown; the last may be cut.
    fn store_text(&self, document: &mut TantivyDocument, record: &PageRecord) {
        let mut room = STORED_BYTES;
        let mut texts = texts::Packer::default();
        let mut unquotable = record.unquotable.as_slice();
        for (place, block) in record.blocks.iter().enumerate() {
            let num_spans = unquotable.iter().take_while(|span| span.block as usize <= place);
            let (own, behind) = unquotable.split_at(num_spans.count());
            unquotable = behind;
            let text = quotable(&block.text, own);
            let text = base::limits::cut(&text, room);
            if text.is_empty() {
                continue;
            }
            room -= text.len();
            texts.push(block.zone, text);
        }
        document.add_text(self.text, texts.finish());
    }

    /// Reads back what [`Self::document`] has stored; `None` if it is not such a document.
    pub(crate) fn stored(&self, document: &TantivyDocument) -> Option<StoredPage> {
        let text = |field| document.get_first(field).and_then(|value| value.as_str());
        let number = |field| document.get_first(field).and_then(|value| value.as_u64());
        let packed = text(self.text)?;
        let block = |(zone, text): (Zone, &str)| Block { zone, text: text.to_owned() };
        let blocks = texts::blocks(packed).map(block);
        Some(StoredPage {
            id: PageId::from_u64(number(self.page)?),
            url: canonical_url(text(self.url)?)?,
            title: text(self.shown_title)?.to_owned(),
            language: Language::parse(text(self.language)?),
            fetched: Timestamp::from_millis(document.get_first(self.fetched)?.as_i64()?),
            robots: RobotsFlags {
                nosnippet: number(self.flags)? & 1 != 0,
                ..RobotsFlags::default()
            },
            blocks: blocks.collect(),
            is_silent: number(self.flags)? & 2 != 0,
            showing: document
                .get_first(self.showing)
                .and_then(|value| value.as_bytes())
                .map_or_else(Showing::default, Showing::decode),
        })
    }
}

impl Fields {
    /// Reads back the texts of a page.
    pub(crate) fn texts(&self, values: Values) -> Texts {
        Texts::of(values, self.shown_title, self.text)
    }

    /// Reads back a page's pictures; `None` if it is not a page's document.
    pub(crate) fn pictured(&self, document: &TantivyDocument) -> Option<Pictured> {
        let text = |field| document.get_first(field).and_then(|value| value.as_str());
        let bytes = document.get_first(self.pictures).and_then(|value| value.as_bytes());
        Some(Pictured {
            url: canonical_url(text(self.url)?)?,
            title: text(self.shown_title)?.to_owned(),
            language: Language::parse(text(self.language)?),
            pictures: bytes.map_or_else(Vec::new, pictures::decode),
        })
    }
}

/// Returns whether a page has no text at all (HTM-21).
fn is_silent(record: &PageRecord) -> bool {
    record.title.is_empty() && record.blocks.is_empty()
}

/// Returns a block's text without the spans that may be found but not shown, which are in order.
fn quotable<'a>(text: &'a str, spans: &[Span]) -> Cow<'a, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut from) = (String::new(), 0);
    for span in spans {
        shown.push_str(text.get(from..span.start as usize).unwrap_or_default());
        from = span.end as usize;
    }
    shown.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(shown.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What the index keeps of a page for showing it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPage {
    /// The page.
    pub id: PageId,
    /// Its address.
    pub url: Url,
    /// Title as the page has it; may be empty.
    pub title: String,
    /// Language that its words were stemmed by.
    pub language: Option<Language>,
    /// When it was fetched.
    pub fetched: Timestamp,
    /// What it asks of robots; only `nosnippet` is kept.
    pub robots: RobotsFlags,
    /// Its text up to [`STORED_BYTES`].
    pub blocks: Vec<Block>,
    /// Whether it has no text at all: it is found by what others call it, and by nothing else.
    pub is_silent: bool,
    /// What else is shown of it.
    pub showing: Showing,
}

/// Returns the tokenizers that the fields name.
pub(crate) fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(PREPARED, TextAnalyzer::from(Unpacker::default()));
    tokenizers
}

/// Returns the options of a field whose tokens come packed.
pub(crate) fn prepared(record: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(PREPARED)
        .set_index_option(record)
        .set_fieldnorms(record != IndexRecordOption::Basic);
    TextOptions::default().set_indexing_options(indexing)
}

/// Returns the options of a field whose tokens come packed and are only counted: nobody asks how
/// many there are of them.
fn counted() -> TextOptions {
    without_lengths(IndexRecordOption::WithFreqs)
}

/// Returns the options of a field of which only the places of tokens are asked for.
fn placed() -> TextOptions {
    without_lengths(IndexRecordOption::WithFreqsAndPositions)
}

fn without_lengths(record: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(PREPARED)
        .set_index_option(record)
        .set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing)
}

/// Returns the options of a field of names that pages have or have not.
fn name() -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing)
}

/// Tokens of a page, field by field.
#[derive(Default)]
struct Packed {
    stems: Packer,
    words: Packer,
    breaks: Marker,
    title: Packer,
    aside: Packer,
    address: Packer,
    address_words: Packer,
    /// Words that have lost their end.
    num_cut: u64,
}

impl Packed {
    fn push_page(&mut self, record: &PageRecord, analyzer: Analyzer) {
        analyzer.for_each_term(&record.title, |term| {
            for _ in 0..TITLE_FOLD {
                self.stems.push(term.stem);
            }
            match term.form.is_running() {
                true => self.title.push(term.stem),
                false => self.title.push_over(term.stem),
            }
            self.push_word(term);
        });
        for block in &record.blocks {
            self.push_block(block, analyzer);
        }
        analyzer.for_each_term(&words_of(&record.url), |term| {
            self.address.push(term.stem);
            self.address_words.push(term.surface);
        });
    }

    fn push_block(&mut self, block: &Block, analyzer: Analyzer) {
        let fold = if block.zone == Zone::Heading { HEADING_FOLD } else { 1 };
        self.breaks.begin();
        analyzer.for_each_term(&block.text, |term| {
            for _ in 0..fold {
                self.stems.push(term.stem);
            }
            if block.zone.is_frame() || block.zone == Zone::Folded {
                self.aside.push(term.stem);
            }
            self.push_word(term);
        });
    }

    /// Places a surface form: running text side by side, the rest over it.
    fn push_word(&mut self, term: text::Term<'_>) {
        self.breaks.word(&mut self.words);
        if term.form.is_running() {
            self.num_cut += u64::from(term.is_cut());
            self.words.push(term.surface);
        } else {
            self.words.push_over(term.surface);
        }
    }
}

/// Returns the host and the path of a URL as words.
fn words_of(url: &Url) -> String {
    let path = url.path_and_query();
    let mut words = String::with_capacity(url.as_str().len());
    for letter in url.host_str().chars().chain([' ']).chain(path.chars()) {
        words.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    words
}

/// Reads a URL that was canonical when it was stored; it is not made so again.
pub(crate) fn canonical_url(text: &str) -> Option<Url> {
    let deserializer: StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
    Url::deserialize(deserializer).ok()
}
