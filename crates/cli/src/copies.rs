//! Copies of pages out of the archive, made harmless for the search page (Q6).

use std::ops::Range;
use std::sync::Arc;

use archive::Captured;
use base::{Collection, limits};
use rank::{Highlighter, Searcher};
use serve::{CopyFn, CopyForm, CopyRequest, NoCopy, PageCopy};
use tracing::warn;

/// Returns what hands out the copies of a collection.
pub(crate) fn of(collection: &Collection, searcher: Arc<Searcher>) -> CopyFn {
    let collection = collection.clone();
    Arc::new(move |request| copy(&collection, &searcher, request))
}

/// A page that cannot be found has no copy, whatever lies in the archive: it may have been taken
/// out, or may never have been allowed in.
fn copy(
    collection: &Collection,
    searcher: &Searcher,
    request: &CopyRequest,
) -> Result<PageCopy, NoCopy> {
    let kept = searcher.kept(&request.page).map_err(|error| {
        warn!(%error, "page of a copy cannot be looked up");
        NoCopy::Gone
    })?;
    let page = kept.ok_or(NoCopy::Unknown)?;
    if page.showing.noarchive {
        return Err(NoCopy::Forbidden);
    }
    let captured = archive::read(&collection.archive(), page.showing.capture).map_err(|error| {
        warn!(%error, "copy cannot be read");
        NoCopy::Gone
    })?;
    if captured.url.as_ref() != Some(&page.url) {
        return Err(NoCopy::Gone);
    }
    let words = searcher.highlighter(&request.query, &page).ok();
    let mark = |text: &str| words.as_ref().map_or_else(Vec::new, |words| ranges(words, text));
    let (form, inert) = match made_harmless(&page.url, &captured, &mark) {
        Some(inert) => (CopyForm::Page, inert),
        None => (CopyForm::Extracted, parse::inert::of_blocks(&page.blocks, &mark)),
    };
    Ok(PageCopy {
        url: page.url,
        title: page.title,
        fetched: page.fetched,
        language: page.language.map(|language| language.code().to_owned()),
        html: inert.html,
        is_cut: inert.is_cut,
        form,
    })
}

/// Returns the archived page without all that it could do; `None` if it is a document, or empty.
fn made_harmless(
    url: &base::Url,
    captured: &Captured,
    mark: parse::inert::Mark<'_>,
) -> Option<parse::inert::Inert> {
    let (body, is_cut) = crawl::decoded_body(captured, limits::BODY_BYTES)?;
    let content_type = captured.field("content-type").and_then(|field| str::from_utf8(field).ok());
    let input = parse::Input { content_type, is_cut, ..parse::Input::new(url, &body) };
    parse::inert::copy(&input, &parse::Options::default(), mark)
}

fn ranges(words: &Highlighter, text: &str) -> Vec<Range<usize>> {
    // Most texts of a page are a few words between two tags.
    if text.trim().is_empty() { Vec::new() } else { words.ranges(text) }
}
