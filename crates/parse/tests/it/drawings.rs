//! Text in drawings, formulas and misplaced elements: what a browser shows (HTM-18).
//!
//! What is expected is the `innerText` that Chromium gives, line by line, but for definitions and
//! symbols of drawings, which it counts and does not paint.

use base::Zone;

use super::{page, words};

/// Checks the blocks against the lines that a browser shows.
#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(words(&page(html)), expected.replace('\n', " | "), "{html}");
}

#[test]
fn htm_18_text_in_drawings_is_what_browsers_paint() {
    check(
        "<p>a<svg><foreignObject width=100 height=100><p>b</p></foreignObject></svg>c",
        "a\nb\nc",
    );
    check("<p>a<svg><title>tip</title><desc>d</desc><text>shown</text></svg>b", "a\nshown\nb");
    check(
        "<svg><text>one <tspan>two</tspan></text><text>three</text><defs><text>no</text></defs>stray\
         <g><text>four</text></g></svg>",
        "one two\nthree\nfour",
    );
    check(
        "<svg><symbol><text>no</text></symbol><switch><text>first</text><text>second</text></switch>\
         <a href=x><text>link</text></a></svg>",
        "first\nlink",
    );
    check(
        "<svg><metadata>m</metadata><style>.x{}</style><script>s</script><text>t</text></svg>",
        "t",
    );
    check("<svg><p>out</p></svg>after", "out\nafter");
    check("<svg><g><b>out</b></g></svg>after", "outafter");
    check("<svg><font color=red>out</font></svg>", "out");
    check("<svg><desc><p>in desc</p></desc><text>t<title>tip</title></text></svg>", "t");
    check("<svg><title><p>in title</p></title></svg>x", "x");
    check("<svg><foreignObject><table>s<tr><td>t</table></foreignObject></svg>", "s\nt");
    check("<svg><foreignObject><svg>no<text>inner</text></svg></foreignObject></svg>", "inner");
    check("<p>a<svg><circle/></svg>b", "ab");
}

#[test]
fn htm_18_formulas_are_read_without_their_annotations() {
    check("<math><mi>x</mi><mo>+</mo><mn>1</mn></math>", "x+1");
    check(
        "<div>a<math><mtext>b<i>c</i></mtext><semantics><mi>y</mi><annotation>no</annotation>\
         <annotation-xml encoding=text/html><p>no</p></annotation-xml></semantics></math>d",
        "abcyd",
    );
    check("<math><annotation-xml encoding=text/html><p>z</p></annotation-xml></math>", "");
    check("<math><p>out</p></math>", "out");
    check("<math><mi><svg><foreignObject><p>deep</p></foreignObject></svg></mi></math>", "deep");
}

#[test]
fn htm_18_misplaced_elements_are_where_browsers_put_them() {
    check("<table><tr>x<td>a<table>y<tr><td>b</table>c</table>d", "x\nay\nb\nc\nd");
    check(
        "<table><caption>cap</caption>one<tr>two<td>three</td>four</tr>five</table>six",
        "onetwofourfive\ncap\nthree\nsix",
    );
    check("<table><p>para<tr><td>cell</p></table>", "para\ncell");
    check("<table><b><tr><td>x</b></table>y", "x\ny");
    check("<table><input type=hidden value=q><input value=w>t<tr><td>u</table>", "t\nu");
    check("<table><select><option>o</select><tr><td>v</table>", "o\nv");
    check("<div><form>a<div></form>b<form>c</form></div>d", "a\nb\nc\nd");
    check("<table><form><tr><td>in<form>x</form></td></tr></form></table>after", "inx\nafter");
    check("<table><tr><td><form>a</td><td>b</form></td></tr></table>", "a\nb");
    check("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan");
    check("<p>one<table><tr><td>two</table>three", "one\ntwo\nthree");
    check("<a href=1>x<a href=2>y</a>z</a>", "xyz");
    check("<colgroup>u</colgroup><table><colgroup>v<col></colgroup><tr><td>w</table>", "uv\nw");
    check("<table><tr><td>a<svg><desc><td>b</table>", "a\nb");
}

#[test]
fn text_of_a_drawing_is_a_caption_with_links() {
    let parsed = page(
        "<p>a</p><svg><a xlink:href=x><text>go</text></a><text>see <a href=y>it</a></text></svg>",
    );
    let captions: Vec<_> =
        parsed.blocks.iter().filter(|block| block.zone == Zone::Caption).collect();
    assert_eq!(captions.len(), 2);
    let anchors: Vec<_> = parsed.links.iter().map(|link| link.anchor.as_str()).collect();
    assert_eq!(anchors, ["go", "it"]);
}

#[test]
fn hidden_text_of_drawings_is_kept_apart() {
    let hidden = "<p>a</p><div style='display:none'><svg><text>no</text><foreignObject><p>spam</p>";
    let parsed = page(hidden);
    assert_eq!(words(&parsed), "a");
    assert_eq!(parsed.hidden.len(), 1);
    // Letters of a drawing are filled, not coloured.
    check("<div style='color:#fff'><svg><text>seen</text></svg></div>", "seen");
}

#[test]
fn htm_18_deep_and_many_parts_of_drawings_end() {
    let deep = "<svg><foreignObject><math><mi>".repeat(2_000) + "<p>end";
    assert!(words(&page(&deep)).contains("end"));
    let many = format!("<svg><switch>{}", "<!-- --><text>x</text>".repeat(50_000));
    assert!(words(&page(&many)).len() < 100);
}
