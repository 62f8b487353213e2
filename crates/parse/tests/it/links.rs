//! Links, anchors, and what pages ask of robots (C6, C8).

use base::{LinkKind, Url};
use parse::{Input, Options, Parsed, parse};

use super::{page, url};

/// Writes links as lines: kind, marks, target, anchor.
pub(super) fn links(parsed: &Parsed) -> Vec<String> {
    let line = |link: &base::Link| {
        let mut marks = format!("{:?}", link.kind);
        for (is_set, mark) in [
            (link.rel.nofollow, " nofollow"),
            (link.rel.ugc, " ugc"),
            (link.rel.sponsored, " sponsored"),
        ] {
            if is_set {
                marks.push_str(mark);
            }
        }
        let target = link.target.as_str().replace("http://a.example", "");
        format!("{marks} {target} {}", link.anchor).trim_end().to_owned()
    };
    parsed.links.iter().map(line).collect()
}

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    assert_eq!(links(&page(html)), expected, "{html}");
}

#[test]
fn every_kind_of_link_is_found() {
    check("<a href=x>an <b>anchor</b></a>", &["Anchor /dir/x an anchor"]);
    check("<map><area href=/y alt='the map'></map>", &["Anchor /y the map"]);
    check(
        "<a href=x><img src=i.png alt='a cat'></a>",
        &["Anchor /dir/x a cat", "Media /dir/i.png a cat"],
    );
    check("<iframe src=/f>", &["Frame /f"]);
    check("<frameset><frame src=/f></frameset>", &["Frame /f"]);
    check(
        "<head><link rel=next href=2><link rel='alternate' href=/de><link rel='alternate stylesheet' href=s>",
        &["Related /dir/2", "Related /de"],
    );
    check("<head><link rel=Canonical href=/real>", &["Canonical /real"]);
    check("<meta http-equiv=Refresh content='0; url=/new'>", &["Redirect /new"]);
    check(
        "<video src=/v><source src=/w></video><embed src=/e><object data=/o></object><audio src=/s>",
        &["Media /v", "Media /w", "Media /e", "Media /o", "Media /s"],
    );
}

#[test]
fn anchors_keep_words_apart() {
    check(
        "<a href=x><div>one</div><div>two</div>three<br>four</a>",
        &["Anchor /dir/x one two three four"],
    );
    check("<a href=x>host<b>name</b></a>", &["Anchor /dir/x hostname"]);
}

#[test]
fn each_target_is_kept_once_with_the_anchor_that_speaks() {
    check(
        "<a href=x></a><a href=x>two</a><a href=./x#f rel=nofollow>three</a>",
        &["Anchor /dir/x two"],
    );
    check("<a href=x rel=nofollow>a</a><a href=x>b</a>", &["Anchor /dir/x a"]);
}

#[test]
fn links_to_the_page_itself_are_dropped() {
    check(
        "<a href=''>a</a><a href='#top'>b</a><a href=page>c</a><a href=/dir/page?utm_source=x>d</a>",
        &[],
    );
}

#[test]
fn hidden_links_lead_on_but_say_nothing() {
    check("<p hidden><a href=x>buy now</a>", &["Anchor nofollow /dir/x"]);
}

#[test]
fn htm_09_what_is_not_a_page_is_no_link() {
    for href in [
        "javascript:x()",
        "data:text/html,x",
        "vbscript:x",
        " java\nscript:x",
        "mailto:a@b.example",
        "tel:1",
        "blob:x",
        "about:blank",
        "view-source:http://b.example/",
        "http://",
        "http://[",
        "ftp://b.example/",
    ] {
        check(&format!("<a href=\"{href}\">x</a>"), &[]);
    }
    check(&format!("<a href=/{}>x</a>", "x".repeat(100_000)), &[]);
}

#[test]
fn htm_10_the_first_usable_base_counts() {
    check("<base href=/b/><a href=x>", &["Anchor /b/x"]);
    check(
        "<base><base href=javascript:x><base href='http://b.example/c/'><base href=/d/><a href=x>",
        &["Anchor http://b.example/c/x"],
    );
    check("<a href=x></a><base href=/late/>", &["Anchor /late/x"]);
}

#[test]
fn htm_11_rel_values_are_kept() {
    check("<a href=1 rel='NoFollow noopener'>", &["Anchor nofollow /dir/1"]);
    check("<a href=1 rel='ugc sponsored'>", &["Anchor ugc sponsored /dir/1"]);
    // Marks of several links to one target add up, and one link without any lifts them all.
    check("<a href=1 rel=ugc>a</a><a href=1 rel=nofollow>b</a>", &["Anchor nofollow ugc /dir/1 a"]);
    check(
        "<a href=1 rel=ugc>a</a><a href=1>b</a><a href=1 rel=nofollow>c</a>",
        &["Anchor /dir/1 a"],
    );
    check(
        "<meta name=robots content=nofollow><a href=1>a</a><img src=2>",
        &["Anchor nofollow /dir/1 a", "Media nofollow /dir/2"],
    );
}

#[track_caller]
fn check_robots(html: &str, header: &[&str], expected: &str) {
    let url = url();
    let input = Input { robots: header, ..Input::new(&url, html.as_bytes()) };
    let robots = parse(&input, &Options::default()).robots;
    let flags = [robots.noindex, robots.nofollow, robots.nosnippet, robots.noarchive];
    let found: String = "ifsa".chars().zip(flags).filter(|(_, set)| *set).map(|(c, _)| c).collect();
    assert_eq!(found, expected, "{html} {header:?}");
}

#[test]
fn htm_11_htm_12_robots_wishes_add_up() {
    check_robots("<meta name=robots content='NOINDEX, nosnippet'>", &[], "is");
    check_robots("<meta name=LookFar content=noarchive>", &[], "a");
    check_robots("<meta name=otherbot content=noindex><p>", &[], "");
    check_robots("<meta name=robots content=index><meta name=robots content=noindex>", &[], "i");
    check_robots("<meta name=robots content='index, follow'>", &["noindex"], "i");
    check_robots("<meta name=robots content=none>", &["otherbot: noarchive"], "if");
}

#[test]
fn htm_13_a_meta_counts_wherever_it_is_one() {
    check_robots("<body><p>late<meta name=robots content=noindex>", &[], "i");
    check_robots("<!-- <meta name=robots content=noindex> --><p>", &[], "");
    check_robots("<noscript><meta name=robots content=noindex></noscript><p>", &[], "");
    check_robots("<template><meta name=robots content=noindex></template><p>", &[], "");
}

#[test]
fn htm_14_a_canonical_is_a_hint_from_the_head() {
    check("<head><link rel=canonical href='http://b.example/'>", &["Canonical http://b.example/"]);
    check("<head><link rel=canonical href=page#frag>", &[]);
    check("<head><link rel=canonical href=/1><link rel=canonical href=/2>", &[]);
    check("<head><link rel=canonical href=/1><link rel=canonical href=/1>", &["Canonical /1"]);
    check("<body><p><link rel=canonical href=/1>", &[]);
}

#[test]
fn htm_08_links_are_bounded() {
    let many: String = (0..20_000).map(|i| format!("<a href=/{i}>{i}</a>")).collect();
    let parsed = page(&many);
    assert_eq!(parsed.links.len(), 1_000);
    assert!(super::has(&parsed, base::Oddity::LinksCut));
    let same = page(&"<a href=/1>x</a>".repeat(5_000));
    assert_eq!(same.links.len(), 1);
    assert!(!super::has(&same, base::Oddity::LinksCut));
    let pictures: String = (0..2_000).map(|i| format!("<img src={i}.png>")).collect();
    let parsed = page(&format!("{pictures}<a href=/last>x</a>"));
    assert!(parsed.links.iter().any(|link| link.kind == LinkKind::Anchor));
    assert_eq!(parsed.links.len(), 251);
}

#[test]
fn url_06_links_that_are_too_long_are_dropped_and_counted() {
    // The page lies on `http://a.example`.
    let link = |length: usize| format!("<a href=/{}>x</a>", "y".repeat(length - 17));
    let parsed = page(&link(2_048));
    assert_eq!((parsed.links.len(), parsed.links_left), (1, 0));
    for length in [2_049, 9_000, 1 << 20] {
        let parsed = page(&format!("<a href=/short>x</a>{}", link(length)));
        assert_eq!((parsed.links.len(), parsed.links_left), (1, 1), "{length} bytes");
        assert!(super::has(&parsed, base::Oddity::LinksCut));
    }
    let absolute = format!("<a href=HTTPS://b.example/{}>x</a>", "y".repeat(3_000));
    assert_eq!(page(&absolute).links_left, 1);
    // What is no address of the web is not left out, however long it is.
    for scheme in ["data:image/png;base64,", "javascript:f("] {
        for length in [3_000, 100_000] {
            let parsed = page(&format!("<img src={scheme}{}>", "A".repeat(length)));
            assert_eq!((parsed.links.len(), parsed.links_left), (0, 0), "{scheme} {length}");
        }
    }
}

#[test]
fn anchors_are_bounded() {
    let parsed = page(&format!("<a href=x>{}</a>", "long words ".repeat(10_000)));
    assert!(parsed.links[0].anchor.len() <= 512 && parsed.links[0].anchor.len() > 500);
}

#[test]
fn fields_of_the_header_count_for_any_kind() {
    let url = url();
    let robots = ["noindex"];
    let canonical = ["<http://b.example/doc>; rel=canonical"];
    let input = Input { robots: &robots, links: &canonical, ..Input::new(&url, b"%PDF-1.4") };
    let parsed = parse(&input, &Options::default());
    assert!(parsed.robots.noindex);
    assert_eq!(parsed.links[0].target, Url::parse("http://b.example/doc").unwrap());
}

#[test]
fn red_10_header_links_are_those_of_the_response_not_of_its_base() {
    let url = url();
    let fields = ["<2>; rel=next; title=\"a, b\", <i.png>; rel=preload; as=image"];
    let body = b"<!doctype html><base href=http://b.example/x/><a href=3>c</a>";
    let input = Input { links: &fields, refresh: Some("0; url=new"), ..Input::new(&url, body) };
    let found = links(&parse(&input, &Options::default()));
    let expected = [
        "Related /dir/2",
        "Media /dir/i.png",
        "Redirect /dir/new",
        "Anchor http://b.example/x/3 c",
    ];
    assert_eq!(found, expected);
    let input = Input { refresh: Some("3600; url=new"), ..Input::new(&url, b"") };
    assert_eq!(links(&parse(&input, &Options::default())), ["Related /dir/new"]);
}
