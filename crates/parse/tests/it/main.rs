//! Reading whole pages through the public interface: ordinary, hostile, and real ones.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod blocks;
mod charset;
mod content;
mod dates;
mod document;
mod drawings;
mod duplicates;
mod feed;
mod hidden;
mod hostile;
mod hostile_html;
mod images;
mod index_text;
mod inert;
mod links;
mod listing;
mod memory;
mod meta;
mod meta_real;
mod more_links;
mod real;
mod slowest;
mod spam;
mod tokenizer;
mod wpt;
mod zones;

use base::{Oddity, Url, Zone};
use parse::{Input, Options, Parsed, parse};

fn url() -> Url {
    Url::parse("http://a.example/dir/page").unwrap()
}

/// Reads a page of HTML.
fn page(html: &str) -> Parsed {
    bytes(html.as_bytes(), "text/html; charset=utf-8")
}

/// Reads a body with a content type.
fn bytes(body: &[u8], content_type: &str) -> Parsed {
    let url = url();
    let input = Input { content_type: Some(content_type), ..Input::new(&url, body) };
    let parsed = parse(&input, &Options::default());
    check_caps(&parsed);
    parsed
}

/// Writes blocks as lines: zone letter, then text.
fn lines(parsed: &Parsed) -> String {
    let lines = parsed.blocks.iter().map(|block| {
        let zone = match block.zone {
            Zone::Heading => 'H',
            Zone::Body => 'B',
            Zone::Boilerplate => 'n',
            Zone::Caption => 'C',
            Zone::Alt => 'A',
            Zone::Folded => 'f',
            Zone::Trail => 't',
        };
        format!("{zone} {}", block.text)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes all text as one line.
fn words(parsed: &Parsed) -> String {
    parsed.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" | ")
}

fn has(parsed: &Parsed, oddity: Oddity) -> bool {
    parsed.oddities.contains(&oddity)
}

/// What holds for every page, however it was made.
#[track_caller]
fn check_caps(parsed: &Parsed) {
    let options = Options::default();
    assert!(parsed.title.chars().count() <= options.title_chars);
    assert!(parsed.blocks.len() <= options.blocks + 1);
    let text: usize = parsed.blocks.iter().map(|block| block.text.len()).sum();
    assert!(text <= options.text_bytes + 1024, "{text} bytes of text");
    assert!(parsed.links.len() <= options.links_kept);
    for block in &parsed.blocks {
        assert!(!block.text.is_empty());
        assert_eq!(block.text.trim(), block.text);
        assert!(!block.text.contains(char::is_control) && !block.text.contains("  "));
    }
    for link in &parsed.links {
        assert!(link.anchor.len() <= base::limits::ANCHOR_BYTES);
        assert_ne!(link.target, url());
    }
    let about = &parsed.about;
    assert!(parsed.images.len() <= 200 && about.alternates.len() <= 200);
    assert!(about.types.len() <= 16 && about.places.len() <= 16);
    for text in [&about.author, &about.site_name, &about.description] {
        assert!(text.chars().count() <= 1_000 && !text.contains(char::is_control));
    }
    assert_eq!(parsed.anchors.len(), parsed.links.len());
    for span in parsed.anchors.iter().flatten().chain(&parsed.emphasis).chain(&parsed.unquotable) {
        let text = &parsed.blocks[span.block as usize].text;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {text}");
    }
    assert!(parsed.oddities.is_sorted_by(|one, other| one < other));
}
