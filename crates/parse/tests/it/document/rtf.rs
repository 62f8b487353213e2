//! Rich Text Format, rule by rule.

use base::{ContentKind, HiddenReason, Span, Zone};
use parse::document::{Document, Limits, read};

fn rtf(text: &str) -> Document {
    read(ContentKind::Rtf, text.as_bytes(), &Limits::default())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let document = rtf(text);
    let words: Vec<&str> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(words.join(" | "), expected, "{text}");
}

#[test]
fn paragraphs_characters_and_signs_are_read() {
    check("{\\rtf1\\ansi one\\par two\\line three\\tab four}", "one | two three four");
    check("{\\rtf1\\ansi caf\\'e9 \\u8364? \\{x\\} a\\~b\\emdash c}", "café € {x} a b\u{2014}c");
    check("{\\rtf1\\ansi\\uc2\\u26085?!\\u26412??}", "日本");
    check("{\\rtf1\\ansi\\u-10179?\\u-8704?}", "\u{1F600}");
    check("{\\rtf1\\ansi\\ansicpg1251 \\'ef\\'f0}", "пр");
    check(
        "{\\rtf1{\\fonttbl{\\f0\\fcharset128 X;}{\\f1\\fcharset0 Y;}}\\f0\\'93\\'fa\\f1 a}",
        "日a",
    );
}

#[test]
fn what_is_not_for_readers_is_left_out() {
    check("{\\rtf1{\\*\\generator x;}{\\stylesheet{\\s1 Heading;}}{\\pict 0011}text}", "text");
    check("{\\rtf1 a{\\bin4 }}{\\}b}", "ab");
    let document = rtf("{\\rtf1 seen {\\v not seen}}");
    assert_eq!(document.hidden[0].reason, HiddenReason::NotShown);
    assert_eq!(document.hidden[0].text, "not seen");
}

#[test]
fn properties_headings_notes_and_links_are_taken() {
    let document = rtf(
        "{\\rtf1{\\info{\\title A title}{\\author Jo}{\\creatim\\yr2007\\mo9\\dy15\\hr8\\min1}}\
         {\\header top}{\\pard\\outlinelevel0 Head\\par}\\pard before{\\footnote note} behind \
         {\\field{\\*\\fldinst HYPERLINK \"http://b.example/\"}{\\fldrslt here}}\\par}",
    );
    assert_eq!((document.title.as_str(), document.author.as_str()), ("A title", "Jo"));
    let created = document.created.map(base::Timestamp::rfc3339);
    assert_eq!(created.as_deref(), Some("2007-09-15T08:01:00Z"));
    let blocks: Vec<(Zone, &str)> =
        document.blocks.iter().map(|block| (block.zone, block.text.as_str())).collect();
    assert_eq!(
        blocks,
        [
            (Zone::Boilerplate, "top"),
            (Zone::Heading, "Head"),
            (Zone::Body, "note"),
            (Zone::Body, "before behind here"),
        ]
    );
    assert_eq!(document.links[0].href, "http://b.example/");
    assert_eq!(document.links[0].anchor, "here");
    // The note stands before the paragraph that it interrupts.
    assert_eq!(document.links[0].span, Some(Span { block: 3, start: 14, end: 18 }));
}

#[test]
fn broken_texts_are_read_as_far_as_they_go() {
    check("{\\rtf1 a{b{c", "abc");
    check("{\\rtf1 a}}}b", "a");
    check("{\\rtf1 a\\'zz\\u99999999999?\\bin999999999 b", "azz");
    assert!(rtf(&format!("{{\\rtf1 {}", "{".repeat(100_000))).blocks.is_empty());
}
