//! When pages were published and changed, and how sure that is (P9, HTTP-14).

use base::{Dated, Url};
use parse::{Input, Options, parse};

use super::meta::now;

fn shown(dated: Option<Dated>) -> String {
    dated.map_or("-".to_owned(), |dated| {
        format!("{} {:?} {}", &dated.at.rfc3339()[..10], dated.source, dated.confidence)
    })
}

#[track_caller]
fn check_at(url: &str, html: &str, modified: Option<&str>, expected: &str) {
    let url = Url::parse(url).unwrap();
    let input = Input {
        content_type: Some("text/html; charset=utf-8"),
        fetched: now(),
        modified,
        ..Input::new(&url, html.as_bytes())
    };
    let about = parse(&input, &Options::default()).about;
    let found = format!("{} | {}", shown(about.published), shown(about.modified));
    assert_eq!(found, expected, "{url} {html}");
}

#[track_caller]
fn check(html: &str, expected: &str) {
    check_at("http://a.example/dir/page", html, None, expected);
}

#[test]
fn every_source_is_read() {
    check(
        "<script type=application/ld+json>{\"@type\":\"Article\",\"datePublished\":\"2024-05-17T10:00:00+02:00\",\"dateModified\":\"2024-06-01\"}</script>",
        "2024-05-17 Structured 80 | 2024-06-01 Structured 80",
    );
    check(
        "<div itemscope itemtype=http://schema.org/Article><time itemprop=datePublished datetime=2024-05-17>x</time></div>",
        "2024-05-17 Structured 80 | -",
    );
    check(
        "<meta property=article:published_time content=2024-05-17><meta property=article:modified_time content=2024-06-01>",
        "2024-05-17 OpenGraph 80 | 2024-06-01 OpenGraph 80",
    );
    check("<meta name=DC.date content=2024-05-17>", "2024-05-17 Meta 65 | -");
    check(
        "<meta http-equiv=last-modified content='Fri, 17 May 2024 10:00:00 GMT'>",
        "- | 2024-05-17 Meta 65",
    );
    check("<p><time datetime=2024-05-17>then</time>", "2024-05-17 Time 45 | -");
    check("<p><time class=updated datetime=2024-05-17>then</time>", "- | 2024-05-17 Time 60");
    check("<p>x <time>17 May 2024</time> x x x x x x x x x x x x x x x", "2024-05-17 Time 45 | -");
    check("<p>Published 17 May 2024 by me", "2024-05-17 Text 45 | -");
    check_at("http://a.example/2024/05/17/x", "<p>x", None, "2024-05-17 Address 60 | -");
    check_at("http://a.example/2024/05/x", "<p>x", None, "2024-05-01 Address 25 | -");
    check_at(
        "http://a.example/",
        "<p>x",
        Some("Fri, 17 May 2024 10:00:00 GMT"),
        "- | 2024-05-17 Header 20",
    );
}

#[test]
fn sources_that_agree_are_surer() {
    let html = "<meta property=article:published_time content=2024-05-17T23:00:00Z><p>Posted on May 17, 2024";
    check_at("http://a.example/2024/05/17/x", html, None, "2024-05-17 OpenGraph 93 | -");
}

#[test]
fn lists_of_articles_have_no_sure_date() {
    let list: String =
        (1..20).map(|day| format!("<p><time datetime=2024-05-{day:02}>x</time>")).collect();
    check(&list, "2024-05-01 Time 22 | -");
}

#[test]
fn dates_of_comments_are_not_the_pages() {
    check(
        "<div itemscope itemtype=http://schema.org/Article><div itemprop=comment itemscope itemtype=http://schema.org/Comment><meta itemprop=datePublished content=2024-05-17></div></div>",
        "- | -",
    );
    check(
        "<script type=application/ld+json>{\"@type\":\"Article\",\"comment\":{\"@type\":\"Comment\",\"datePublished\":\"2024-05-17\"}}</script>",
        "- | -",
    );
}

#[test]
fn http_14_dates_that_cannot_be_are_not_the_pages() {
    for field in ["Fri, 17 May 2030 10:00:00 GMT", "Mon, 01 Jan 1601 00:00:00 GMT", "soon", "", "0"]
    {
        check_at("http://a.example/", "<p>x", Some(field), "- | -");
    }
    check("<meta property=article:published_time content=2031-05-17>", "- | -");
    check("<p>Published 17 May 2099", "- | -");
    check_at("http://a.example/2099/05/17/", "<p>x", None, "- | -");
}

#[test]
fn what_a_text_file_says_of_its_date_is_in_its_header() {
    let url = Url::parse("http://a.example/2024/05/17/notes.txt").unwrap();
    let input = Input {
        fetched: now(),
        modified: Some("Sat, 18 May 2024 10:00:00 GMT"),
        ..Input::new(&url, b"some plain text")
    };
    let about = parse(&input, &Options::default()).about;
    assert_eq!(shown(about.published), "2024-05-17 Address 60");
    assert_eq!(shown(about.modified), "2024-05-18 Header 20");
}
