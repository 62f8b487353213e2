//! From the bytes of a response to what a page says: text in blocks, links with anchors, wishes.
//!
//! - Place in the flow: `crawl` hands over each archived response; the answer becomes a
//!   [`base::PageRecord`] that `index` and `graph` read.
//! - Reads and writes: nothing; [`parse`] is a pure function, but that documents are given to a
//!   child process, and only if the caller names one ([`Options::documents`]).
//! - Start at: [`parse`] ([`inert::copy`] for a page to be shown), then the module `html` for what happens to a page of HTML, `listing` for
//!   sitemaps and feeds.
//! - Promises: any bytes are answered without a panic, in time linear in their number, within
//!   the caps of [`Options`]; what was cut is said in [`Parsed::oddities`]; no text of scripts,
//!   styles or hidden elements is taken; words of two boxes never share a block.
//! - Does not: fetch, undo content codings, follow links or judge duplicates.

mod about;
#[cfg(test)]
mod babel;
#[doc(hidden)]
pub mod bench;
mod bytes;
mod charset;
mod clean;
mod date;
pub mod document;
pub mod fingerprint;
mod header;
mod html;
pub mod inert;
mod kind;
pub mod letters;
mod link;
mod listing;
mod markdown;
mod plain;
mod robots;
mod spam;

#[doc(hidden)]
pub use html::outline::{Outline, keeps_attribute, outline};
#[doc(hidden)]
pub use html::tokens;

use base::{
    About, Block, ContentKind, Hidden, Image, Link, Listed, Oddity, RobotsFlags, Rules, Sketch,
    Spam, Span, Timestamp, Url, limits,
};
use text::Language;

pub use link::mention::{Mention, mentions};

/// A response as far as reading it needs.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The page's address; relative links are resolved against it.
    pub url: &'a Url,
    /// The `Content-Type` field as sent; never believed alone.
    pub content_type: Option<&'a str>,
    /// The values of all `X-Robots-Tag` fields.
    pub robots: &'a [&'a str],
    /// The values of all `Link` fields.
    pub links: &'a [&'a str],
    /// The value of the first `Refresh` field.
    pub refresh: Option<&'a str>,
    /// The body, content codings undone.
    pub body: &'a [u8],
    /// Whether the body is known to go on after its last byte here.
    pub is_cut: bool,
    /// What the address was fetched for.
    pub expects: Expects,
    /// When it was fetched; no date of the page is later. Without it future dates are believed.
    pub fetched: Option<Timestamp>,
    /// The `Last-Modified` field as sent.
    pub modified: Option<&'a str>,
    /// The `Content-Language` field as sent.
    pub language: Option<&'a str>,
}

/// What an address was fetched for; decides only what bytes leave open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expects {
    /// A page. A sitemap or feed is read as one all the same, if it says what it is.
    #[default]
    Page,
    /// A sitemap, named by robots.txt or an index: may also be lines of URLs, or a gzip file.
    /// Whatever else comes in its place is read as what it is, and lists nothing.
    Sitemap,
}

impl<'a> Input<'a> {
    /// Returns the input of a response without fields, to which fields can be added.
    pub fn new(url: &'a Url, body: &'a [u8]) -> Self {
        Self {
            url,
            content_type: None,
            robots: &[],
            links: &[],
            refresh: None,
            body,
            is_cut: false,
            expects: Expects::Page,
            fetched: None,
            modified: None,
            language: None,
        }
    }
}

/// How much of a page is taken, how its addresses are written, and who we are.
#[derive(Clone, Debug)]
pub struct Options {
    /// Our name in `<meta name=…>` and `X-Robots-Tag`, in lower case. Default `lookfar`.
    pub agent: String,
    /// How the addresses of links and lists are made canonical.
    pub url_rules: Rules,
    /// Body read of a page, in bytes. Default 5 MiB: longer pages are dumps.
    pub body_bytes: usize,
    /// Text taken, in bytes. Default 2 MiB.
    pub text_bytes: usize,
    /// Blocks taken. Default 100,000: the longest manuals on one page have half of it.
    pub blocks: usize,
    /// Title kept, in characters. Default 512.
    pub title_chars: usize,
    /// Links looked at. Default 10,000.
    pub links_seen: usize,
    /// Distinct links kept. Default 1,000, of which at most a quarter may be media.
    pub links_kept: usize,
    /// Open elements of the HTML tree. Default 512, as browsers: deeper ones are flattened.
    pub depth: usize,
    /// Nodes of the HTML tree. Default 1,000,000: what comes after is not read.
    pub nodes: usize,
    /// Attributes of one tag. Default 256: more are dropped before the tree is built.
    pub attributes: usize,
    /// Body read of a sitemap or feed, unpacked, in bytes. Default 50 MiB, the most that the
    /// sitemaps protocol allows.
    pub listing_bytes: usize,
    /// Distinct entries taken of a sitemap or feed. Default 50,000, by the same protocol.
    pub listing_entries: usize,
    /// Whether main content is told from the frame around it. Default true; without it all text
    /// counts as content.
    pub finds_main: bool,
    /// Who reads documents of office programs and printers. Default `None`: they are known for
    /// what they are, and not read.
    pub documents: Option<document::Reader>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agent: String::from("lookfar"),
            url_rules: Rules::default(),
            body_bytes: limits::BODY_BYTES,
            text_bytes: limits::TEXT_BYTES,
            blocks: 100_000,
            title_chars: limits::TITLE_CHARS,
            links_seen: limits::LINKS_SEEN,
            links_kept: limits::LINKS_KEPT,
            depth: 512,
            nodes: 1_000_000,
            attributes: 256,
            listing_bytes: 50 * 1024 * 1024,
            listing_entries: 50_000,
            finds_main: true,
            documents: None,
        }
    }
}

/// Everything of a page record that comes from the bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// What the bytes are, judged by the bytes.
    pub kind: ContentKind,
    /// Character set the text was read in; empty for what is not text.
    pub charset: &'static str,
    /// Language of the text, if it could be told.
    pub language: Option<Language>,
    /// Title as shown to people; the first heading if there is none; may be empty.
    pub title: String,
    /// The text in reading order, apart where the page keeps it apart.
    pub blocks: Vec<Block>,
    /// Links in page order, each target and kind once.
    pub links: Vec<Link>,
    /// What a sitemap or feed lists; empty for pages.
    pub listing: Vec<Listed>,
    /// What the page and its header ask of robots; the strictest of both.
    pub robots: RobotsFlags,
    /// 128-bit hash of the normalised main text; 0 if there is no word.
    pub text_hash: u128,
    /// What was strange about the response, each once, sorted.
    pub oddities: Vec<Oddity>,
    /// What the page says of itself.
    pub about: About,
    /// Its pictures.
    pub images: Vec<Image>,
    /// Emphasised runs of its text.
    pub emphasis: Vec<Span>,
    /// Where the anchor of each link stands, in the order of `links`.
    pub anchors: Vec<Option<Span>>,
    /// What its visitors do not see.
    pub hidden: Vec<Hidden>,
    /// How much it looks like term spam.
    pub spam: Spam,
    /// Min-hashes of its main text.
    pub sketch: Sketch,
    /// Runs of its text that may be found but not shown (`data-nosnippet`), in order.
    pub unquotable: Vec<Span>,
    /// Links that were not taken for the limits: those not looked at, and distinct ones of those
    /// looked at for which there was no room.
    pub links_left: u32,
    /// From when on the page asks to be left out of results, the earliest if it says so twice.
    /// When that was over at the fetch, `robots` says so too.
    pub until: Option<Timestamp>,
    /// Most characters of its text that it allows to be shown at a time, the fewest if it says so
    /// twice. Where it allows none, `robots` says so too.
    pub snippet_chars: Option<u32>,
}

impl Parsed {
    /// Returns what is known before the first byte is read.
    fn blank(kind: ContentKind) -> Self {
        Self {
            kind,
            charset: "",
            language: None,
            title: String::new(),
            blocks: Vec::new(),
            links: Vec::new(),
            listing: Vec::new(),
            robots: RobotsFlags::default(),
            text_hash: 0,
            oddities: Vec::new(),
            about: About::default(),
            images: Vec::new(),
            emphasis: Vec::new(),
            anchors: Vec::new(),
            hidden: Vec::new(),
            spam: Spam::default(),
            sketch: Sketch::default(),
            unquotable: Vec::new(),
            links_left: 0,
            until: None,
            snippet_chars: None,
        }
    }
}

/// Reads a response. Cost: linear in the bytes, about a millisecond for a page of 40 KB.
pub fn parse(input: &Input<'_>, options: &Options) -> Parsed {
    let unpacked = match input.expects {
        Expects::Sitemap => listing::unpack(input.body, options.listing_bytes),
        Expects::Page => None,
    };
    let whole = unpacked.as_ref().map_or(input.body, |unpacked| &unpacked.bytes);
    // Of a gzip file the server can say nothing about what is in it.
    let claimed = input.content_type.filter(|_| unpacked.is_none());
    let (kind, fits) = kind::of(claimed, whole, input.expects, input.url.path());
    let most = match kind {
        ContentKind::Sitemap | ContentKind::Feed => options.listing_bytes,
        kind if kind.is_document() => limits::PDF_BYTES,
        _ => options.body_bytes,
    };
    let body = &whole[..whole.len().min(most)];
    let (is_cut, is_broken) =
        unpacked.as_ref().map_or((false, false), |unpacked| (unpacked.is_cut, unpacked.is_broken));
    let mut oddities = Vec::new();
    let cut = input.is_cut || is_cut || body.len() < whole.len();
    oddities.extend(cut.then_some(Oddity::BodyCut));
    oddities.extend(is_broken.then_some(Oddity::BodyIncomplete));
    oddities.extend((!fits).then_some(Oddity::TypeMismatch));
    let mut parsed = Parsed {
        robots: robots::of_header(input.robots, &options.agent),
        oddities,
        about: about::of_response(input, options.url_rules),
        ..Parsed::blank(kind)
    };
    let until = |field: &&str| robots::until_of_field(field, &options.agent);
    parsed.until = input.robots.iter().take(64).filter_map(until).min();
    let chars = |field: &&str| robots::snippet_chars_of_field(field, &options.agent);
    parsed.snippet_chars = input.robots.iter().take(64).filter_map(chars).min();
    let mut links = link::Collector::new(options);
    header::links(input, &mut links);
    read(body, input, options, &mut links, &mut parsed);
    let is_over = parsed.until.zip(input.fetched).is_some_and(|(until, now)| until <= now);
    parsed.robots.noindex |= is_over;
    parsed.robots.nosnippet |= parsed.snippet_chars == Some(0);
    let (found, anchors, left) = links.finish(input.url, parsed.robots.nofollow);
    parsed.links = found;
    parsed.links_left = left;
    // Blocks may have been cut behind the anchor.
    let is_there = |span: &Span| {
        let block = parsed.blocks.get(span.block as usize);
        block.is_some_and(|block| span.end as usize <= block.text.len())
    };
    parsed.anchors = anchors.into_iter().map(|span| span.filter(is_there)).collect();
    if left > 0 {
        parsed.oddities.push(Oddity::LinksCut);
    }
    parsed.oddities.sort_unstable();
    parsed.oddities.dedup();
    parsed
}

/// Reads the body as what it was found to be.
fn read(
    body: &[u8],
    input: &Input<'_>,
    options: &Options,
    links: &mut link::Collector,
    parsed: &mut Parsed,
) {
    let kind = parsed.kind;
    if matches!(kind, ContentKind::Other | ContentKind::Empty) {
        return;
    }
    if kind.is_document() {
        let Some(reader) = &options.documents else { return };
        let document = reader.read(kind, body);
        let declared = document::add(document, input, options, links, parsed);
        return judge(declared, links, parsed);
    }
    let decoded = charset::decode(input, kind, body);
    parsed.charset = decoded.charset;
    if decoded.has_errors {
        parsed.oddities.push(Oddity::BadCharacters);
    }
    let mut declared = None;
    match kind {
        ContentKind::Html => declared = html::read(&decoded.text, input, options, links, parsed),
        ContentKind::Sitemap => return listing::read(&decoded.text, input, options, parsed),
        ContentKind::Feed => declared = listing::feed(&decoded.text, input, options, links, parsed),
        ContentKind::Markdown => markdown::read(&decoded.text, options, links, parsed),
        _ => plain::read(&decoded.text, options, parsed),
    }
    judge(declared, links, parsed);
}

/// Says of the text what can be said when it is known: addresses in it, language, fingerprints,
/// term spam.
fn judge(declared: Option<Language>, links: &mut link::Collector, parsed: &mut Parsed) {
    link::mention::collect(&parsed.blocks, links);
    // Where the text itself declares nothing, its header or another place in its head may.
    let said = || parsed.about.language.as_deref().and_then(Language::parse);
    parsed.language = language(parsed, declared.or_else(said));
    let prints = fingerprint::Prints::of(&parsed.blocks);
    (parsed.text_hash, parsed.sketch) = (prints.hash, prints.sketch);
    parsed.spam = spam::judge(&parsed.title, &parsed.blocks, &parsed.hidden, parsed.language);
}

/// Most text joined for telling the language; [`text::identify()`] samples it further.
const LANGUAGE_BYTES: usize = 16 * 1024;
/// With less than this much main text, navigation is asked too.
const LITTLE_TEXT: usize = 200;

fn language(parsed: &Parsed, declared: Option<Language>) -> Option<Language> {
    let mut sample = String::new();
    let mut join = |take: fn(&Block) -> bool| {
        for block in parsed.blocks.iter().filter(|block| take(block)) {
            if sample.len() >= LANGUAGE_BYTES {
                break;
            }
            sample.push_str(limits::cut(&block.text, LANGUAGE_BYTES));
            sample.push('\n');
        }
        sample.len()
    };
    let main = join(|block| block.zone == base::Zone::Body);
    if main < LITTLE_TEXT {
        join(|block| block.zone != base::Zone::Body);
        sample.push_str(&parsed.title);
    }
    text::identify(&sample, declared)
}
