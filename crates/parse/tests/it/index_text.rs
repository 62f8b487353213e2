//! What the index gets to read of odd pages (IDX cases): bounded, marked where it is cut, and text.

use base::limits::TEXT_BYTES;
use base::{ContentKind, Oddity, Zone};
use parse::Parsed;

use super::{bytes, has, page};

fn num_bytes(parsed: &Parsed) -> usize {
    parsed.blocks.iter().map(|block| block.text.len()).sum()
}

#[test]
fn idx_01_a_million_words_are_cut_and_marked() {
    let distinct: String = (0..1_000_000).map(|i| format!("w{i:x} ")).collect();
    let tokens = "a ".repeat(5_000_000);
    for body in [&distinct, &tokens] {
        for content_type in ["text/html; charset=utf-8", "text/plain; charset=utf-8"] {
            let parsed = bytes(body.as_bytes(), content_type);
            assert!(has(&parsed, Oddity::TextCut), "{content_type}");
            assert!((TEXT_BYTES - 1024..=TEXT_BYTES).contains(&num_bytes(&parsed)));
        }
    }
    // The words before the cut are whole.
    let parsed = page(&distinct);
    let last = parsed.blocks.last().unwrap().text.rsplit(' ').next().unwrap().to_owned();
    assert!(distinct.split(' ').any(|word| word == last), "{last}");
}

#[test]
fn idx_03_empty_fields_and_fields_of_ten_thousand_values_are_fine() {
    for body in ["", " ", "<html></html>", "<title></title><h1></h1><img alt=''><p></p>"] {
        let parsed = bytes(body.as_bytes(), "text/html");
        assert!(parsed.blocks.is_empty() && parsed.title.is_empty(), "{body:?}");
    }
    for (tag, zone) in [("h2", Zone::Heading), ("p", Zone::Body), ("figcaption", Zone::Caption)] {
        let many: String = (0..10_000).map(|i| format!("<{tag}>value {i}</{tag}>")).collect();
        let parsed = page(&many);
        let count = parsed.blocks.iter().filter(|block| block.zone == zone).count();
        assert_eq!(count, 10_000, "{tag}");
    }
    let metas = "<meta name=author content=x><meta property=article:tag content=y>".repeat(10_000);
    assert_eq!(page(&format!("{metas}<p>text")).about.author, "x");
}

#[test]
fn idx_04_odd_characters_reach_the_index_as_text() {
    let parsed = page(
        "<title>a\u{0}b \u{FFFD} \u{1F406}</title><p>\u{FFFD}\u{1F406}\u{10FFFF} &#0;&#xD800;&#x10FFFF; x\
         <script type='application/ld+json'>{\"@type\":\"Article\",\"author\":{\"name\":\"Ada \\ud800 \\u0000 \\ud83d\\udc06\"},\
         \"datePublished\":\"\\udfff\"}</script>",
    );
    assert_eq!(parsed.kind, ContentKind::Html);
    assert!(parsed.title.contains('\u{1F406}') && !parsed.title.contains('\0'), "{}", parsed.title);
    assert!(parsed.blocks[0].text.contains('\u{1F406}'));
    // Half a character of JSON costs its block of data at most, never the page.
    assert!(!parsed.about.author.contains('\0'), "{}", parsed.about.author);
    assert_eq!(parsed.about.published, None);
}
