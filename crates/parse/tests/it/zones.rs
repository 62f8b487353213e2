//! Text in blocks, and the zone of each (P5, W15).

use super::{lines, page, words};

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(lines(&page(html)), expected, "{html}");
}

#[test]
fn a_small_page_is_read_in_order() {
    let html = "<!doctype html><html lang=en><head><title> A  small\npage </title>
        <style>p { color: red }</style><script>var x = '<p>no';</script></head>
        <body><header><h1>Headline</h1><a href=/>Home</a></header>
        <nav><ul><li><a href=/a>First</a><li><a href=/b>Second</a></ul></nav>
        <main><h2>Sub<i>title</i></h2><p>Some <b>bold</b> text,<br>broken.</p>
        <figure><img src=x.png alt='A cat'><figcaption>The cat</figcaption></figure></main>
        <footer>Imprint</footer></body></html>";
    let parsed = page(html);
    assert_eq!(parsed.title, "A small page");
    assert_eq!(
        lines(&parsed),
        "H Headline\nn Home\nn First\nn Second\nH Subtitle\nB Some bold text, broken.\nA A cat\n\
         C The cat\nn Imprint"
    );
}

#[test]
fn w15_boxes_keep_their_words_apart() {
    check(
        "<article><p>A jaguar is a cat.</p></article><aside><p>Buy engines here.</p></aside>",
        "B A jaguar is a cat.\nn Buy engines here.",
    );
    check(
        "<div class=content>A jaguar is a cat.</div><div class='left-sidebar'>Engines</div>",
        "B A jaguar is a cat.\nn Engines",
    );
    check("<table><tr><td>one<td>two<tr><th>three</table>", "B one\nB two\nB three");
    check("<ul><li>one<li>two</ul><dl><dt>a<dd>b</dl>", "B one\nB two\nB a\nB b");
    check("<div>one<div>two</div>three</div>", "B one\nB two\nB three");
}

#[test]
fn inline_elements_join_and_breaks_part() {
    check("<p>host<b>name</b> and<span> more</span></p>", "B hostname and more");
    check("<p>one<br>two<br><br>three", "B one two\nB three");
    check("<p>one<hr>two", "B one\nB two");
    check("<p>x<sup>2</sup> + <my-tag>y</my-tag>", "B x2 + y");
}

#[test]
fn what_is_not_shown_is_not_taken() {
    check(
        "<p>a<script>b</script><style>c</style><noscript>d</noscript><template>e</template>f",
        "B af",
    );
    check("<p>a<span hidden>b</span><i style='color:red; DISPLAY : none!important'>c</i>d", "B ad");
    check("<p style='visibility:hidden'>a</p><p hidden=until-found>b", "f b");
    check(
        "<p>a<!-- b --><textarea>c</textarea><iframe>d</iframe><svg><title>e</title></svg>",
        "B a",
    );
    check("<p>a<object>b</object><video>c</video><canvas>d</canvas>", "B a");
}

#[test]
fn frames_around_the_content_are_boilerplate() {
    check("<div role=navigation>a</div><p>b</p>", "n a\nB b");
    check("<div id=cookie-banner>a</div><p>b</p>", "n a\nB b");
    check("<p>b</p><select><option>x<option>y</select><button>Go</button>", "B b\nn x\nn y\nn Go");
    check(
        "<p>Text of the page.</p><ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>",
        "B Text of the page.\nn One\nn Two\nn Three",
    );
    check("<article><header><p>Lead</p></header></article><header>Site</header>", "B Lead\nn Site");
}

#[test]
fn a_class_around_the_whole_page_makes_no_sidebar_of_it() {
    let prose = "This is what the page is about, at some length. ".repeat(20);
    let parsed = page(&format!("<div class='has-sidebar'><p>{prose}</p><nav>menu</nav></div>"));
    assert_eq!(lines(&parsed), format!("B {}\nn menu", prose.trim()));
    let parsed = page("<div class='page-nav-open'><main><p>short</p></main></div>");
    assert_eq!(lines(&parsed), "B short");
}

#[test]
fn pictures_speak_through_their_alternative_text() {
    check("<p>before <img alt='a  cat'> after", "B before after\nA a cat");
    check("<nav><img alt=logo></nav>", "n logo");
    check("<p>x<img alt=''><img>", "B x");
}

#[test]
fn htm_06_the_first_real_title_counts() {
    let title = |html: &str| page(html).title;
    assert_eq!(title("<title>a</title><title>b</title>"), "a");
    assert_eq!(title("<title> </title><title>b</title>"), "b");
    assert_eq!(title("<svg><title>drawing</title></svg><h1>Head</h1>"), "Head");
    assert_eq!(title("<p>text"), "");
    assert_eq!(title(&format!("<title>{}</title>", "x".repeat(1 << 20))).len(), 512);
    assert_eq!(title(&"<title>a</title>".repeat(500)), "a");
    assert_eq!(title("<title>\u{202E}evil\u{2066}</title>"), "evil");
    assert_eq!(title("<body><title>late</title>"), "late");
}

#[test]
fn htm_18_misplaced_text_is_where_browsers_show_it() {
    check("<table>stray<tr><td>cell</table>", "B stray\nB cell");
    check("<form>a<form>b</form>c</form>", "B ab\nB c");
    check("<p>a<math><mi>x</mi></math>b<svg><circle/></svg>c", "B axbc");
    check("<b><p>one</b>two</p>", "B onetwo");
}

#[test]
fn htm_21_empty_pages_are_empty() {
    for html in ["<html></html>", " \n ", "<script>x</script>", "<!-- -->"] {
        let parsed = page(html);
        assert_eq!((words(&parsed).as_str(), parsed.title.as_str()), ("", ""), "{html}");
        assert_eq!(parsed.text_hash, 0);
    }
}

#[test]
fn plain_text_has_paragraphs_and_no_title() {
    let parsed =
        super::bytes(b"First line\nsame  paragraph\n\n \nSecond\r\n\r\nThird", "text/plain");
    assert_eq!(lines(&parsed), "B First line same paragraph\nB Second\nB Third");
    assert_eq!(parsed.title, "");
}

#[test]
fn the_language_is_told_by_the_text() {
    let danish =
        "<p>Der var engang en konge, som havde en søn, og han ville giftes med en prinsesse.";
    let code = |html: &str| page(html).language.map(text::Language::code);
    assert_eq!(code(danish), Some("da"));
    assert_eq!(code(&format!("<html lang=en>{danish}")), Some("da"));
    assert_eq!(code("<html lang=da-DK><p>Lookfar"), Some("da"));
    assert_eq!(code("<p>Lookfar"), None);
}

#[test]
fn equal_words_have_equal_hashes() {
    let hash = |html: &str| page(html).text_hash;
    assert_eq!(hash("<p>Hello, <b>world</b>"), hash("<nav>menu</nav><h1>hello</h1><div>WORLD!"));
    assert_ne!(hash("<p>hello world"), hash("<p>hello"));
}
