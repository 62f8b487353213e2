//! Pages made to hurt (HTM cases). Each must end, within the caps, and keep its text.

use base::{ContentKind, Oddity};
use proptest::prelude::*;

use super::{bytes, has, page, words};

#[test]
fn htm_01_deep_nesting_is_flattened_and_its_text_kept() {
    let html = format!(
        "{}deep <a href=/x>link</a><script>no</script>{}<p>after",
        "<div>".repeat(100_000),
        "</div>".repeat(100_000)
    );
    let parsed = page(&html);
    assert_eq!(words(&parsed), "deep link | after");
    assert_eq!(parsed.links.len(), 1);
    assert!(has(&parsed, Oddity::DepthCut));
}

#[test]
fn htm_02_nested_lists_end() {
    let parsed = page(&format!("{}text", "<ul><li>".repeat(64_000)));
    assert_eq!(words(&parsed), "text");
    assert!(has(&parsed, Oddity::DepthCut));
}

#[test]
fn htm_02_open_formatting_ends() {
    let open: String = (0..2_000).map(|i| format!("<b id={i}><font color={i}>")).collect();
    let parsed = page(&format!("<p>{open}x</p>{}", "<p>y</p>".repeat(20_000)));
    assert!(words(&parsed).starts_with("x | y | y"));
}

#[test]
fn ordinary_depth_is_kept() {
    let html = format!("{}<p>deep", "<div>".repeat(400));
    let parsed = page(&html);
    assert!(!has(&parsed, Oddity::DepthCut));
    // Left open as old pages do, but never deep.
    let parsed = page(&"<p>one<li>two".repeat(2_000));
    assert!(!has(&parsed, Oddity::DepthCut));
}

#[test]
fn htm_03_attributes_are_bounded() {
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=1")).collect();
    let parsed = page(&format!("<p{attributes}>text<p{attributes}>more<i {attributes}"));
    assert_eq!(words(&parsed), "text | more");
    assert!(has(&parsed, Oddity::NodesCut));
    // In what is no text for a browser, too.
    let parsed = page(&format!("<p>before<svg><style><p{attributes}>text"));
    assert!(words(&parsed).starts_with("before"));
    let parsed = page(&"<body a1=1 b=2 c=3>".repeat(50_000));
    assert_eq!(words(&parsed), "");
}

#[test]
fn htm_04_giants_are_bounded() {
    let giant = "x".repeat(5 << 20);
    assert_eq!(words(&page(&format!("<p title='{}'>text", &giant[64..]))), "text");
    assert_eq!(words(&page(&format!("<p>text<!-- {giant}"))), "text");
    let parsed = page(&giant);
    assert_eq!(words(&parsed).len(), 2 << 20);
    assert!(has(&parsed, Oddity::TextCut));
}

#[test]
fn a_long_comment_does_not_end_the_page() {
    let parsed = page(&format!("<p>before<!--{}--><p>after", " x".repeat(1 << 20)));
    assert_eq!(words(&parsed), "before | after");
    assert_eq!(parsed.oddities, []);
}

#[test]
fn a_longer_body_is_cut_and_said() {
    let parsed = page(&"<p>text</p>\n".repeat(500_000));
    assert!(has(&parsed, Oddity::BodyCut));
}

#[test]
fn htm_05_unclosed_raw_text_swallows_the_rest() {
    for tag in ["script", "style", "noscript", "textarea", "iframe", "noframes"] {
        assert_eq!(words(&page(&format!("<p>shown<{tag}>hidden <p>hidden"))), "shown", "{tag}");
    }
    assert_eq!(words(&page("<p>shown<plaintext><p>all")), "shown | <p>all");
    assert_eq!(page("<title>open <p>title").title, "open <p>title");
}

#[test]
fn htm_17_large_tables_lists_and_forms_end() {
    let row = format!("<tr>{}", "<td>x".repeat(1_000));
    let parsed = page(&format!("<table>{}", row.repeat(700)));
    assert!(has(&parsed, Oddity::TextCut) || has(&parsed, Oddity::NodesCut));
    assert_eq!(words(&page(&format!("a{}b", "<br>".repeat(100_000)))), "a | b");
    assert!(words(&page(&format!("<select>{}", "<option>x".repeat(100_000)))).starts_with("x | x"));
}

#[test]
fn htm_19_frames_are_links_only() {
    let parsed = page("<iframe srcdoc='<p>inner</p>' src=/f></iframe><object data=/o>old</object>");
    assert_eq!(words(&parsed), "");
    assert_eq!(parsed.links.len(), 2);
}

#[test]
fn htm_20_a_picture_as_page_is_nothing_but_a_record() {
    let parsed = bytes(b"\x89PNG\r\n\x1A\n<p>text", "text/html");
    assert_eq!((parsed.kind, words(&parsed).as_str()), (ContentKind::Other, ""));
    assert!(has(&parsed, Oddity::TypeMismatch));
}

const SAMPLE: &str = "<!doctype html><html lang=da><head><meta charset=utf-8><title>Æbler &amp; pærer</title>
<base href=/b/><link rel=canonical href='/c'></head><body><!-- c --><h1>Hej æøå</h1><p class=\"x y\">Tekst &eacute;
<a href='/a?b=c&amp;d' rel=nofollow>anker <img src=i.png alt='bi\u{2D}lled'></a><table><tr><td>1<td>2</table>
<script>if (a < b) { c('</p>'); }</script><svg><path d='M0 0'/></svg><ul><li>et<li>to</ul>\u{1F600}</body></html>";

#[test]
fn htm_22_a_page_cut_at_any_byte_is_read_up_to_the_cut() {
    for end in 0..=SAMPLE.len() {
        let parsed = bytes(&SAMPLE.as_bytes()[..end], "text/html");
        assert!(!words(&parsed).contains("c('"), "cut at {end}");
    }
    assert_eq!(words(&bytes(b"<p>good text<a href='/x", "text/html")), "good text");
    assert_eq!(
        words(&bytes("<p>good é".as_bytes().split_last().unwrap().1, "text/html")),
        "good \u{FFFD}"
    );
}

#[test]
fn htm_23_character_references_are_decoded() {
    assert_eq!(
        words(&page("<p>a&amp;b &#x1F600; &#0; &#xD800; &notanentity &eacute;")),
        "a&b 😀 \u{FFFD} \u{FFFD} ¬anentity é"
    );
    assert_eq!(words(&page(&"&amp;".repeat(100_000))).len(), 100_000);
}

#[test]
fn a_thousand_hostile_tags_in_a_row_end() {
    for tag in [
        "<table>",
        "<a>",
        "<b>",
        "<p>",
        "<button>",
        "<select>",
        "<template>",
        "<svg>",
        "<math>",
        "<form>",
        "</p>",
        "</br>",
        "<svg><title>",
        "<table><td>",
        "<table><a>",
        "<svg><style>",
        "<frameset>",
        "<applet>",
        "<h1>",
        "<ruby><rt>",
        "<svg><foreignObject>",
        "<a><div>",
        "<b><p>",
        "<dd><dt>",
    ] {
        let parsed = page(&format!("text{}", tag.repeat(20_000)));
        assert!(words(&parsed).starts_with("text"), "{tag}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_are_answered(body in proptest::collection::vec(any::<u8>(), 0..2_000), kind in "(text/html|text/plain|)") {
        bytes(&body, &kind);
    }

    #[test]
    fn any_soup_of_tags_is_answered(pieces in proptest::collection::vec(piece(), 0..80)) {
        page(&pieces.concat());
    }
}

fn piece() -> impl Strategy<Value = String> {
    let names = "(a|b|p|div|table|tr|td|li|ul|h1|script|style|title|svg|math|template|select|option|form|nav|main|body|html|head|base|img|br|font|button|frameset|textarea|noscript)";
    prop_oneof![
        names.prop_map(|name| format!("<{name}>")),
        names.prop_map(|name| format!("</{name}>")),
        (names, "(href|src|class|style|hidden|id|rel|content)", "[ -~é]{0,12}")
            .prop_map(|(name, attribute, value)| format!("<{name} {attribute}=\"{value}\">")),
        "[ -~é\u{202E}\u{0}-\u{20}]{0,16}",
        Just(String::from("<!--")),
        Just(String::from("-->")),
    ]
}
