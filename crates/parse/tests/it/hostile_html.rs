//! Pages made to cost more than they weigh: time, stack, memory (HTM cases).
//!
//! Time is counted in steps of the tree builder, which are the same on every machine.

use base::{ContentKind, Oddity, Zone};
use parse::{Options, Outline, outline};

use super::{bytes, has, page, words};

/// What hostile pages are made of, again and again.
const PIECES: [&str; 48] = [
    "<div>",
    "<p>",
    "<b>",
    "<a>",
    "<a href=/>",
    "<b><i><p>",
    "<b><p>",
    "<p></b>",
    "<a><div>",
    "<b class=a><i class=b><u class=c><p>x</p>",
    "<font size=1 color=red face=x><p>",
    "</b></i></p>",
    "<nobr>",
    "<table>",
    "<table>x",
    "<table><td>",
    "<table><a>x",
    "<table><tr><td><table>",
    "<tr><td>x</table>",
    "<select><option>",
    "<select><table>",
    "<select></select>",
    "<template>",
    "<template><td>",
    "<svg>",
    "<svg><foreignObject>",
    "<svg><title><p>",
    "<svg><desc><table>",
    "<svg></p>",
    "<math><mi>",
    "<math><annotation-xml encoding=text/html><p>",
    "<ul><li>",
    "<dd><dt>",
    "<h1><h2>",
    "<form><form>",
    "<button><p>",
    "<object><p>",
    "<applet><b>",
    "<ruby><rtc><rt>",
    "<frameset>",
    "</p>",
    "</br>",
    "</x></y>",
    "&amp;",
    "&notanentity &#0; &#xD800;",
    "\0",
    "<!-- x -->",
    "<? x ><!x></3>",
];

/// What the pieces may find open.
fn beginnings() -> [String; 5] {
    [
        String::new(),
        "<div>".repeat(500),
        (0..60).map(|i| format!("<b id={i}>")).collect(),
        format!("{}<table>", "<div>".repeat(200)),
        format!("<svg>{}", "<g>".repeat(300)),
    ]
}

fn build(start: &str, piece: &str, bytes: usize) -> Outline {
    let html = format!("{start}{}", piece.repeat(bytes / piece.len()));
    outline(&html, &Options { depth: 512, ..Options::default() })
}

#[test]
fn htm_02_twice_the_page_is_twice_the_work() {
    for start in beginnings() {
        for piece in PIECES {
            let once = build(&start, piece, 3 << 10);
            let twice = build(&start, piece, 6 << 10);
            // The first pieces find less open than those behind them, hence the addition: what the
            // stack of open elements costs while it fills.
            let most = 2 * once.steps + once.steps / 4 + 400_000;
            let case = format!(
                "{}… {piece}: {} to {}",
                &start.get(..9).unwrap_or(""),
                once.steps,
                twice.steps
            );
            assert!(twice.steps <= most, "{case} steps");
            assert!(twice.nodes <= 2 * once.nodes + 4_096, "{case}: {} nodes", twice.nodes);
        }
    }
}

#[test]
fn htm_02_marks_that_tables_leave_behind_are_counted() {
    // Each table closes the objects before it and leaves their marks in a list that is searched.
    for piece in ["<object><dd><p><table>", "<template><td></template>"] {
        let few = build("<table>", piece, 16 << 10).steps;
        let many = build("<table>", piece, 64 << 10).steps;
        assert!(many > 5 * few, "{piece}: {few} to {many}");
    }
}

#[test]
fn htm_01_depth_needs_no_stack() {
    // A frame per level would need megabytes.
    let thread = std::thread::Builder::new().stack_size(192 << 10);
    let read = || {
        for tag in ["<div>", "<b>", "<svg>", "<table><td>", "<ul><li>", "<template>"] {
            let html = format!("<title>t</title>{}deep", tag.repeat(5_000));
            let parsed = page(&html);
            assert!(has(&parsed, Oddity::DepthCut), "{tag}");
            let tree = outline(&html, &Options::default());
            assert!(tree.text().contains("\"deep\""), "{tag}");
        }
    };
    thread.spawn(read).unwrap().join().unwrap();
}

#[test]
fn a_mark_inside_the_page_stays() {
    let html = "\u{FEFF}\u{FEFF}<p>a\u{FEFF}b<i title='\u{FEFF}'>";
    let whole = outline(html, &Options::default()).text();
    assert!(whole.contains("\"a\u{FEFF}b\"") && !whole.contains("\"\u{FEFF}\u{FEFF}\""));
}

#[test]
fn htm_03_attributes_of_formatting_are_not_copied_without_end() {
    // Each paragraph opens all of them anew.
    let attributes = "alt class content data href id lang name rel role src style title type";
    let open: String = (0..60).map(|i| format!("<b {attributes} size={i}>")).collect();
    let html = format!("<p>{open}x{}", "<p>y".repeat(200_000));
    let tree = outline(&html, &Options::default());
    assert!(tree.is_cut);
    assert!(tree.nodes < 200_000, "{} nodes", tree.nodes);
    assert!(words(&page(&html)).starts_with("x | y | y"));
}

#[test]
fn htm_03_names_of_dropped_elements_are_not_kept_without_end() {
    let many: String = (0..50_000).map(|i| format!("<x{i}>")).collect();
    let parsed = page(&format!("{}{many}text</x3></x49999></div>more", "<div>".repeat(600)));
    assert_eq!(words(&parsed), "textmore");
}

#[test]
fn htm_04_one_tag_or_comment_that_never_ends_is_bounded() {
    let blanks = " x/".repeat(1 << 20);
    for start in
        ["<!--", "<!x", "<?x", "</3", "<p a='", "<p a=\"", "<p ", "<!doctype html '", "<![CDATA["]
    {
        let parsed = page(&format!("<p>before{start}{blanks}"));
        assert_eq!(words(&parsed), "before", "{start}");
    }
    let parsed = page(&format!("<p>before<svg><![CDATA[{blanks}"));
    assert_eq!(words(&parsed), "before");
}

#[test]
fn htm_05_raw_text_in_odd_places_is_never_shown() {
    for html in [
        "<p>shown<svg><script>no</script></svg>",
        "<p>shown<table><script>no</table></script>",
        "<p>shown<select><script>no</script></select>",
        "<p>shown<math><mtext><script>no</script></mtext></math>",
        "<p>shown<template><p>no</template>",
        "<p>shown<noembed>no</noembed><iframe>no</iframe>",
        "<p>shown<script><!--<script></script>no--></script>",
        "<p>shown<textarea>no",
        "<p>shown<style>no</style",
    ] {
        assert_eq!(words(&page(html)), "shown", "{html}");
    }
}

#[test]
fn htm_05_what_stands_in_noscript_is_no_text_of_the_page() {
    let parsed = page(
        "<head><noscript><img src=/pixel><p>no</p></noscript><title>t</title>\
         <link rel=canonical href=/c></head><p>shown",
    );
    assert_eq!((parsed.title.as_str(), words(&parsed).as_str()), ("t", "shown"));
    // A picture in it does not end the head.
    assert_eq!(parsed.links.len(), 1);
    // A paragraph in it ends nothing around it.
    let parsed = page("<p>shown<noscript><p>no</p><!-- </noscript> and <b>behind</b>");
    assert_eq!(words(&parsed), "shown and behind");
}

#[test]
fn htm_06_a_title_is_bounded_and_of_the_page() {
    let parsed = page(&format!("<title>{}</title><p>x", "ti ".repeat(1 << 19)));
    assert!((500..=512).contains(&parsed.title.chars().count()));
    let parsed = page(&(0..500).map(|i| format!("<title>t{i}</title>")).collect::<String>());
    assert_eq!(parsed.title, "t0");
    assert_eq!(page("<svg><title>drawing</title></svg><h1>Heading</h1>").title, "Heading");
    assert_eq!(page("<svg><title>drawing</title></svg><p>text").title, "");
    assert_eq!(page("<title> \u{200B}\u{202E} </title><title>second</title>").title, "second");
}

#[test]
fn htm_07_titles_and_headings_of_odd_characters_are_cleaned() {
    let odd = "\u{202E}\u{2066}a\u{200B}\u{7}b\u{E000}\u{AD}\u{FEFF}";
    let parsed = page(&format!("<title>{odd}</title><h1>{odd}</h1><h2>\u{200D}\u{202E}</h2>"));
    assert_eq!(parsed.title, "a b");
    for text in parsed.blocks.iter().map(|block| &block.text).chain([&parsed.title]) {
        let turns = |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        assert!(!text.contains(turns) && !text.contains(char::is_control), "{text:?}");
    }
    assert!(parsed.blocks.iter().all(|block| block.zone == Zone::Heading));
}

#[test]
fn htm_20_what_is_no_page_is_nothing_but_a_record() {
    let mut seed = 7_u64;
    let random: Vec<u8> = (0..100_000)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u8
        })
        .collect();
    for body in [
        &random[..],
        b"\x89PNG\r\n\x1A\n<p>text</p>",
        b"PK\x03\x04\x14\0<p>text</p>",
        b"\0asm\x01\0\0\0<p>text</p>",
        b"GIF89a<html><p>text</p>",
        b"\xFF\xD8\xFF\xE0<p>text</p>",
        b"\x1F\x8B\x08\0<p>text</p>",
    ] {
        let parsed = bytes(body, "text/html");
        assert_eq!((parsed.kind, words(&parsed).as_str()), (ContentKind::Other, ""));
        assert!(parsed.links.is_empty() && parsed.title.is_empty());
        assert!(has(&parsed, Oddity::TypeMismatch));
    }
}

#[test]
fn htm_21_a_page_of_nothing_is_marked_by_its_hash() {
    assert_eq!(bytes(b"", "text/html").kind, ContentKind::Empty);
    for html in [
        " \n\t ",
        "<script>a()</script>",
        "<!-- x -->",
        "<style>p{}</style>\u{FEFF}",
        "<p>&nbsp;",
        "<br>",
    ] {
        let parsed = page(html);
        assert_eq!((parsed.text_hash, parsed.blocks.len()), (0, 0), "{html:?}");
        assert_eq!(parsed.kind, ContentKind::Html);
    }
}

#[test]
fn htm_23_references_are_decoded_as_the_standard_says() {
    for (html, text) in [
        ("&amp;amp;", "&amp;"),
        ("&AMP &lt&gt;", "& <>"),
        ("&#x80;&#150;", "€–"),
        ("&#x110000;&#99999999999999;", "\u{FFFD}\u{FFFD}"),
        ("&#;&#x;&;&", "&#;&#x;&;&"),
        ("&notit;&notin;", "¬it;∉"),
        ("<a href='?a=1&copy=2'>x</a>", "x"),
    ] {
        assert_eq!(words(&page(&format!("<p>{html}"))), text, "{html}");
    }
    let parsed = page("<a href='?a=1&copy=2&amp;b'>x</a>");
    assert_eq!(parsed.links[0].target.as_str(), "http://a.example/dir/page?a=1&copy=2&b");
    // A reference of a megabyte is read once.
    assert_eq!(words(&page(&format!("<p>&{}", "z".repeat(1 << 20)))).len(), (1 << 20) + 1);
    assert_eq!(words(&page(&format!("<p>&#{}", "9".repeat(1 << 20)))), "\u{FFFD}");
}
