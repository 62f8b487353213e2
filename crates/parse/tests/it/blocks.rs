//! What stands where: emphasised runs, anchors, captions, and hostile layouts (P5, P6, W15).

use base::{Oddity, Span};
use parse::Parsed;

use super::{has, lines, page, words};

fn text_of(parsed: &Parsed, span: Span) -> &str {
    &parsed.blocks[span.block as usize].text[span.start as usize..span.end as usize]
}

#[track_caller]
fn check_emphasis(html: &str, expected: &[&str]) {
    let parsed = page(html);
    let found: Vec<&str> = parsed.emphasis.iter().map(|span| text_of(&parsed, *span)).collect();
    assert_eq!(found, expected, "{html}");
}

/// Checks the anchors of all links that are not pictures.
#[track_caller]
fn check_anchors(html: &str, expected: &[Option<&str>]) {
    let parsed = page(html);
    let links = parsed.links.iter().zip(&parsed.anchors);
    let anchors = links.filter(|(link, _)| link.kind == base::LinkKind::Anchor);
    let found: Vec<_> = anchors.map(|(_, span)| span.map(|span| text_of(&parsed, span))).collect();
    assert_eq!(found, expected, "{html}");
}

#[test]
fn emphasised_runs_have_their_place() {
    check_emphasis("<p>plain <b>bold</b> and <em>more of it</em>.", &["bold", "more of it"]);
    check_emphasis("<p><b>a <i>b</i> c</b>d<b> e </b> f", &["a b c", "e"]);
    check_emphasis("<b>one<p>two</p></b>", &["one", "two"]);
    check_emphasis("<p>x<b> </b>y<strong></strong>", &[]);
    check_emphasis("<p>å <mark>ø\u{AD}ø</mark> å", &["øø"]);
    check_emphasis("<p>a</p><img alt=x><p><b>b</b>", &["b"]);
}

#[test]
fn anchors_have_their_place() {
    check_anchors(
        "<p>See <a href=/a>the  first</a>, <a href=/b><b>se</b>cond</a>.",
        &[Some("the first"), Some("second")],
    );
    // A link around boxes stands where its first words stand.
    check_anchors("<a href=/a><div>one</div><div>two</div></a>", &[Some("one")]);
    // A picture has a place, though it takes none of the text.
    check_anchors("<p>before <a href=/a><img alt=cat></a> after", &[Some("")]);
    // The first anchor that says something, and its place.
    check_anchors("<p><a href=/a></a>x<p>y <a href=/a>z</a>", &[Some("z")]);
    check_anchors("<head><link rel=next href=/n></head><p><a href=/a>x</a>", &[Some("x")]);
}

#[test]
fn areas_and_written_addresses_have_their_place() {
    let html = "<p>a map <map><area href=/a alt=Africa></map> of it\
                <p>and more at http://b.example/x, they say";
    let parsed = page(html);
    let around = |place: &Option<Span>| text::around(&parsed.blocks, place.unwrap(), 2);
    let found: Vec<_> = parsed.anchors.iter().map(around).collect();
    assert_eq!(found, [("a map", "of it"), ("more at", ", they")]);
    assert_eq!(text_of(&parsed, parsed.anchors[1].unwrap()), "http://b.example/x");
}

#[test]
fn anchors_stay_beside_their_links_when_links_are_dropped() {
    let html = "<link rel=canonical href=/1><link rel=canonical href=/2>\
                <p><a href=javascript:x>no</a> <a href=/a>yes</a>";
    check_anchors(html, &[Some("yes")]);
    let many: String = (0..1_500).map(|i| format!("<p>text <a href=/{i}>link{i}</a>")).collect();
    let parsed = page(&many);
    assert!(has(&parsed, Oddity::LinksCut));
    for (link, span) in parsed.links.iter().zip(&parsed.anchors) {
        assert_eq!(text_of(&parsed, span.unwrap()), link.anchor);
    }
}

#[test]
fn captions_and_alternative_texts_have_zones_of_their_own() {
    let html = "<figure><img alt='A cat'><figcaption>Our cat</figcaption></figure>\
                <table><caption>Cats</caption><tr><th>Name<td>Age<tr><th>Tom<td>3</table>";
    assert_eq!(lines(&page(html)), "A A cat\nC Our cat\nC Cats\nB Name\nB Age\nB Tom\nB 3");
}

#[test]
fn empty_lines_part_preformatted_text() {
    let html = "<pre>one\n two\n\nthree   four</pre><dl><dt>term<dd>meaning<dd>another</dl>";
    assert_eq!(lines(&page(html)), "B one two\nB three four\nB term\nB meaning\nB another");
}

#[test]
fn htm_17_a_table_of_a_million_cells_is_read_in_order_up_to_the_limits() {
    let row = format!("<tr>{}", "<td>x".repeat(1_000));
    let parsed = page(&format!("<table>{}</table>", row.repeat(1_000)));
    assert!(has(&parsed, Oddity::TextCut) || has(&parsed, Oddity::NodesCut));
    assert!(parsed.blocks.len() >= 100_000 && parsed.blocks.iter().all(|block| block.text == "x"));
}

#[test]
fn htm_17_many_breaks_and_options_end() {
    let parsed = page(&format!("<p>one{}two", "<br>".repeat(100_000)));
    assert_eq!(words(&parsed), "one | two");
    let parsed = page(&format!("<p>text<select>{}</select>", "<option>o".repeat(100_000)));
    assert!(lines(&parsed).starts_with("B text\nn o\nn o"));
    let parsed = page(&"<b>x</b> y ".repeat(100_000));
    assert_eq!(parsed.emphasis.len(), 10_000);
}

#[test]
fn htm_18_text_that_is_out_of_place_stays_apart() {
    assert_eq!(
        words(&page("<table><tr>stray<td>cell<form><form>in</form></table>after")),
        "stray | cell | in | after"
    );
    let deep = format!("{}text", "<table>a<tr><td>".repeat(300));
    assert_eq!(words(&page(&deep)).matches('a').count(), 300);
    let switching = "<p>a<svg><foreignObject><p>b</p></foreignObject></svg><math><mtext>c</mtext>";
    assert_eq!(words(&page(switching)), "a | b | c");
}
