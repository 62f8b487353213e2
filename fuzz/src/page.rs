//! What holds for whatever was read, by whatever options.

use base::{Span, Url};
use parse::{Input, Options, Parsed, parse};

/// How much text may stand above the limit: the last caption.
const SLACK_BYTES: usize = 1_024;

/// Returns the address that everything is read under.
pub(crate) fn url() -> Url {
    Url::parse("http://a.example/dir/page").expect("a good address")
}

/// Returns limits that small inputs reach.
pub(crate) fn tight() -> Options {
    Options {
        body_bytes: 2_048,
        text_bytes: 64,
        blocks: 4,
        title_chars: 8,
        links_seen: 6,
        links_kept: 3,
        depth: 12,
        nodes: 64,
        attributes: 4,
        listing_bytes: 1_024,
        listing_entries: 3,
        ..Options::default()
    }
}

/// Reads an input twice under ordinary and under tight limits; returns the ordinary reading.
pub(crate) fn read(input: &Input<'_>) -> Parsed {
    for options in [tight(), Options::default()] {
        let parsed = parse(input, &options);
        check(&parsed, input, &options);
        assert_eq!(parsed, parse(input, &options), "the same bytes were read in two ways");
    }
    parse(input, &Options::default())
}

fn check(parsed: &Parsed, input: &Input<'_>, options: &Options) {
    assert!(parsed.title.chars().count() <= options.title_chars);
    assert!(parsed.blocks.len() <= options.blocks + 1, "{} blocks", parsed.blocks.len());
    let text: usize = parsed.blocks.iter().map(|block| block.text.len()).sum();
    assert!(text <= options.text_bytes + SLACK_BYTES, "{text} bytes of text");
    assert!(parsed.links.len() <= options.links_kept);
    assert!(parsed.listing.len() <= options.listing_entries);
    is_clean(&parsed.title);
    for block in &parsed.blocks {
        assert!(!block.text.is_empty());
        assert_eq!(block.text.trim(), block.text);
        assert!(!block.text.contains("  "), "{:?}", block.text);
        is_clean(&block.text);
    }
    for link in &parsed.links {
        assert!(link.anchor.len() <= base::limits::ANCHOR_BYTES);
        assert_ne!(link.target, *input.url);
        is_clean(&link.anchor);
    }
    assert!(parsed.anchors.is_empty() || parsed.anchors.len() == parsed.links.len());
    parsed.emphasis.iter().for_each(|span| assert_ne!(run(span, parsed), ""));
    // A picture that is an anchor stands between words, and takes no room.
    parsed.anchors.iter().flatten().for_each(|span| _ = run(span, parsed));
    assert!(matches!(parsed.sketch.0.len(), 0 | 84));
    assert!(parsed.spam.score <= 100);
    for hidden in &parsed.hidden {
        is_clean(&hidden.text);
    }
    assert!(parsed.oddities.is_sorted_by(|one, other| one < other));
}

fn is_clean(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// Returns the text of a span, which lies on borders of characters.
fn run<'a>(span: &Span, parsed: &'a Parsed) -> &'a str {
    let block = parsed.blocks.get(span.block as usize).expect("a block of the page");
    let run = block.text.get(span.start as usize..span.end as usize);
    run.unwrap_or_else(|| panic!("{span:?} of {:?}", block.text))
}
