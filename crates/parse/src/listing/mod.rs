//! Sitemaps and feeds: what a site itself says it has (C7).
//!
//! Recognised by their first element, whatever the server says: `urlset` and `sitemapindex`, RSS
//! from 0.90 to 2.0, Atom 0.3 and 1.0. Where a sitemap was asked for, also a plain text of one URL
//! per line, and all of it in a gzip file.
//!
//! One streaming reader serves all of them. A library for feeds gives up at the first tag that is
//! not closed; here what stands before and behind the mistake is still good (SMP-08). The texts of a
//! feed are read in the same walk ([`feed`]), so that it can be searched like a page.
//!
//! What is listed is a hint. Whether a URL belongs to the site that lists it (SMP-06), how deep
//! indexes may lead (SMP-04), how many are read (SMP-12), and whether a site that says "changed
//! now" each time is still believed (SMP-07) is for the crawler, who knows the host and the time.

mod entries;
mod feed;
mod found;
mod gzip;
mod xml;

use base::{ContentKind, Listed, Oddity, Rules};
use text::Language;

pub(crate) use self::gzip::unpack;
pub(crate) use self::xml::{character, unescape};

use self::entries::{Entries, Family, absolute};
use self::feed::Feed;
use self::found::{Found, bare};
use self::xml::End;
use crate::bytes::next_tag;
use crate::link::Collector;
use crate::{Input, Options, Parsed};

/// Bytes in which the first element must begin: licences in comments can be long.
const ROOT_BYTES: usize = 16 * 1024;
/// Bytes by which a plain text is judged to be a list of URLs.
const LINES_BYTES: usize = 4 * 1024;

/// Returns what kind of list a body is by its first element; `None` if it is none.
pub(crate) fn kind_of(body: &[u8]) -> Option<ContentKind> {
    let head = narrow(&body[..body.len().min(ROOT_BYTES)]);
    let head = head.trim_ascii_start();
    // Words before the first tag make it a text that shows a list.
    if !head.starts_with(b"<") {
        return None;
    }
    let (start, behind_name) = next_tag(head, 0)?;
    let name = &head[start + 1..behind_name];
    let local = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
    let tag = head[start..].split(|byte| *byte == b'>').next().unwrap_or_default();
    let says =
        |text: &[u8]| tag.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text));
    match local.to_ascii_lowercase().as_slice() {
        b"urlset" | b"sitemapindex" => Some(ContentKind::Sitemap),
        b"rss" => Some(ContentKind::Feed),
        // Other vocabularies have a `feed` too, and RDF describes all sorts of things.
        b"feed" if says(b"atom") || !says(b"xmlns=") => Some(ContentKind::Feed),
        b"rdf" if says(b"purl.org/rss/1.0/") || says(b"netscape.com/rdf/simple/0.9/") => {
            Some(ContentKind::Feed)
        }
        _ => None,
    }
}

/// Returns whether a text is a list of URLs, one per line, rather than a text for people.
pub(crate) fn is_plain(body: &[u8]) -> bool {
    let head = narrow(&body[..body.len().min(LINES_BYTES)]);
    let (mut urls, mut others) = (0, 0);
    for line in head.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii) {
        let starts = |scheme: &[u8]| {
            line.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
        };
        if starts(b"http://") || starts(b"https://") {
            urls += 1;
        } else if !line.is_empty() {
            others += 1;
        }
    }
    urls > others
}

/// Leaves out the marks and NULs of wide characters, so that ASCII can be read in all of them.
fn narrow(head: &[u8]) -> Vec<u8> {
    let marks = [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF"];
    let mark = marks.iter().find_map(|mark| head.strip_prefix(*mark));
    mark.unwrap_or(head).iter().copied().filter(|byte| *byte != 0).collect()
}

/// Reads the entries of a decoded sitemap.
pub(crate) fn read(text: &str, input: &Input<'_>, options: &Options, parsed: &mut Parsed) {
    let text = text.trim_start();
    let most = options.listing_entries;
    let (listing, is_cut) = if text.starts_with('<') {
        let mut entries = Entries::new(Family::Sitemap, input.url, most, options.url_rules);
        let end = xml::walk(text, &mut entries);
        let (listing, is_cut) = entries.finish();
        (listing, is_cut || is_odd(end, parsed))
    } else {
        lines(text, options.url_rules, Found::new(input.url, most)).finish()
    };
    finish(listing, is_cut, parsed);
}

/// Reads the entries and the text of a decoded feed; returns the language it declares.
pub(crate) fn feed(
    text: &str,
    input: &Input<'_>,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) -> Option<Language> {
    let most = options.listing_entries;
    let entries = Entries::new(Family::Feed, input.url, most, options.url_rules);
    let mut feed = Feed::new(entries, input, options, links, parsed);
    let end = xml::walk(text.trim_start(), &mut feed);
    let (entries, declared) = feed.finish();
    let (listing, is_cut) = entries.finish();
    let is_odd = is_odd(end, parsed);
    finish(listing, is_cut || is_odd, parsed);
    declared
}

/// Notes how a walk ended; returns whether it ended before the list did.
fn is_odd(end: End, parsed: &mut Parsed) -> bool {
    match end {
        End::Whole | End::Stopped | End::Broken => {}
        End::Deep => parsed.oddities.push(Oddity::DepthCut),
        End::Refused => parsed.oddities.push(Oddity::Unreadable),
    }
    end != End::Whole
}

fn finish(listing: Vec<Listed>, is_cut: bool, parsed: &mut Parsed) {
    parsed.listing = listing;
    if is_cut {
        parsed.oddities.push(Oddity::ListingCut);
    }
}

/// Reads one URL per line; lines with anything else are passed over.
fn lines<'a>(text: &str, rules: Rules, mut found: Found<'a>) -> Found<'a> {
    for line in text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()) {
        let target = if line.contains(char::is_whitespace) { None } else { absolute(line, rules) };
        let flow = match target {
            Some(target) => found.see().is_continue() && found.add(bare(target)).is_continue(),
            None => found.see().is_continue(),
        };
        if !flow {
            break;
        }
    }
    found
}
