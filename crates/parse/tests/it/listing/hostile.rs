//! What strangers put in the place of sitemaps and feeds (SMP cases).

use base::{ContentKind, Oddity, Url};
use parse::{Expects, Input, Options, parse};
use proptest::prelude::*;

use super::{check, check_urls, has, lines, sitemap, url, urlset, within};

#[test]
fn smp_01_a_document_type_with_declarations_is_refused() {
    let laughs: String = (1..10)
        .map(|i| format!("<!ENTITY l{i} \"{}\">", format!("&l{};", i - 1).repeat(10)))
        .collect();
    let body = format!(
        "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY l0 \"lol\">{laughs}]>\
         <urlset><url><loc>http://a.example/&l9;</loc></url></urlset>"
    );
    let parsed = sitemap(body.as_bytes());
    assert_eq!((parsed.kind, parsed.listing.len()), (ContentKind::Sitemap, 0));
    assert!(has(&parsed, Oddity::Unreadable));
    let quadratic = format!(
        "<!DOCTYPE urlset [<!ENTITY x \"{}\">]><urlset><url><loc>/{}</loc></url></urlset>",
        "x".repeat(100_000),
        "&x;".repeat(100_000)
    );
    assert!(sitemap(quadratic.as_bytes()).listing.is_empty());
}

#[test]
fn smp_01_a_document_type_without_declarations_is_passed_over() {
    check(
        "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \
         \"http://169.254.169.254/rss.dtd\"><rss version='0.91'><channel><item><link>/1</link></item></channel></rss>",
        &["/1"],
    );
}

#[test]
fn smp_02_nothing_is_read_for_an_entity() {
    for place in ["file:///etc/passwd", "http://169.254.169.254/"] {
        let body = format!(
            "<!DOCTYPE urlset [<!ENTITY x SYSTEM \"{place}\">]>\
             <urlset><url><loc>/a</loc></url><url><loc>/&x;</loc></url></urlset>"
        );
        check(&body, &[]);
    }
    // Without its declaration it is only a name.
    check_urls("<url><loc>/a</loc></url><url><loc>/?a&x;</loc></url>", &["/a", "/?a&x;"]);
}

#[test]
fn smp_03_entries_are_taken_up_to_the_limit() {
    let options = Options { listing_entries: 1_000, ..Options::default() };
    let inside = |count: usize| -> String {
        (0..count).map(|i| format!("<url><loc>/{i}</loc></url>")).collect()
    };
    let parsed = within(urlset(&inside(1_000)).as_bytes(), &options);
    assert_eq!((parsed.listing.len(), has(&parsed, Oddity::ListingCut)), (1_000, false));
    let parsed = within(urlset(&inside(1_001)).as_bytes(), &options);
    assert_eq!((parsed.listing.len(), has(&parsed, Oddity::ListingCut)), (1_000, true));
    let text: String = (0..1_001).map(|i| format!("http://a.example/{i}\n")).collect();
    let parsed = within(text.as_bytes(), &options);
    assert_eq!((parsed.listing.len(), has(&parsed, Oddity::ListingCut)), (1_000, true));
    assert_eq!(Options::default().listing_entries, 50_000);
}

#[test]
fn smp_03_bytes_are_read_up_to_the_limit() {
    let body = urlset(&"<url><loc>/1</loc></url>".repeat(10));
    let options = |listing_bytes| Options { listing_bytes, body_bytes: 10, ..Options::default() };
    let parsed = within(body.as_bytes(), &options(body.len()));
    assert_eq!(parsed.oddities, []);
    let parsed = within(body.as_bytes(), &options(body.len() - 1));
    assert_eq!(parsed.oddities, [Oddity::BodyCut, Oddity::ListingCut]);
    assert_eq!(lines(&parsed), ["/1"]);
    assert_eq!(Options::default().listing_bytes, 50 << 20);
}

#[test]
fn smp_03_worthless_entries_are_bounded_too() {
    let options = Options { listing_entries: 10, ..Options::default() };
    for entry in ["<url><loc>/1</loc></url>", "<url/>", "<url><loc>ftp://x/</loc></url>"] {
        let parsed = within(urlset(&entry.repeat(50)).as_bytes(), &options);
        assert!(parsed.listing.len() <= 1 && has(&parsed, Oddity::ListingCut), "{entry}");
    }
}

#[test]
fn smp_03_languages_of_one_page_are_bounded_too() {
    let options = Options { listing_entries: 10, ..Options::default() };
    let links = "<xhtml:link rel='alternate' href='/de'/>".repeat(200);
    let inside = format!("<url><loc>/1</loc>{links}</url><url><loc>/2</loc></url>");
    let parsed = within(urlset(&inside).as_bytes(), &options);
    assert_eq!(lines(&parsed), ["/1", "/2", "/de"]);
    assert!(has(&parsed, Oddity::ListingCut));
}

#[test]
fn smp_04_an_index_does_not_list_itself() {
    check(
        "<sitemapindex><sitemap><loc>http://a.example/dir/sitemap.xml</loc></sitemap>\
         <sitemap><loc>http://a.example/dir/sitemap.xml#x</loc></sitemap>\
         <sitemap><loc>/other.xml</loc></sitemap></sitemapindex>",
        &["/other.xml sitemap"],
    );
}

#[test]
fn smp_05_nesting_and_attributes_are_bounded() {
    let deep = "<x>".repeat(100_000);
    let parsed = sitemap(
        urlset(&format!("<url><loc>/1</loc></url>{deep}<url><loc>/2</loc></url>")).as_bytes(),
    );
    assert_eq!(lines(&parsed), ["/1"]);
    assert!(has(&parsed, Oddity::DepthCut) && has(&parsed, Oddity::ListingCut));
    let attributes: String = (0..100_000).map(|i| format!(" xmlns:a{i}='b'")).collect();
    check(
        &format!("<urlset{attributes}><url{attributes}><loc{attributes}>/1</loc></url></urlset>"),
        &["/1"],
    );
    check_urls(
        &format!("<url><loc>/1</loc><xhtml:link{attributes} rel='alternate' href='/no'/></url>"),
        &["/1"],
    );
    let name = "n".repeat(1 << 20);
    check_urls(&format!("<{name}:x></{name}:x><url><loc>/1</loc></url>"), &["/1"]);
}

#[test]
fn smp_06_urls_of_other_hosts_are_told_as_they_are() {
    // Whether the other host agrees is known to the crawler alone.
    check_urls("<url><loc>http://b.example/1</loc></url>", &["http://b.example/1"]);
}

#[test]
fn smp_07_dates_and_priorities_are_hints() {
    let entry = |modified: &str, priority: &str| {
        urlset(&format!(
            "<url><loc>/1</loc><lastmod>{modified}</lastmod><priority>{priority}</priority></url>"
        ))
    };
    check(&entry("2999-01-01", "99"), &["/1 2999-01-01"]);
    check(&entry("0000-00-00", "-1"), &["/1"]);
    check(&entry("1970-01-01T00:00:00Z", "NaN"), &["/1"]);
    check(&entry("now", "1.0"), &["/1 p10"]);
    check(&entry("", "0.64"), &["/1 p6"]);
    check(&entry("x", "1e-1"), &["/1"]);
    check(&entry("x", " 0.3 "), &["/1 p3"]);
}

#[test]
fn smp_08_urls_around_a_mistake_are_kept() {
    check_urls(
        "<url><loc>/1</loc></url><url><loc>/2</loc><url><loc>/3</loc></url>",
        &["/1", "/2", "/3"],
    );
    check_urls("<url><loc>/1</loc></url></oops><url><loc>/2</loc></url>", &["/1", "/2"]);
    check_urls(
        "<url><loc>/1</loc></url><url><loc>/2</url><url><loc>/3</loc></url>",
        &["/1", "/2", "/3"],
    );
    let parsed =
        sitemap(urlset("<url><loc>/1</loc></url><![CDATA[ <url><loc>/2</loc></url>").as_bytes());
    assert_eq!(lines(&parsed), ["/1"]);
    assert!(has(&parsed, Oddity::ListingCut));
    check_urls("<url><loc>/1</loc></url><!oops><url><loc>/2</loc></url>", &["/1"]);
}

/// A list of each family with something of everything.
const SITEMAP: &str = "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><!-- c --><urlset xmlns='x'>\
<url><loc>http://a.example/1?a&amp;b</loc><lastmod>2024-01-02</lastmod><priority>0.1</priority></url>\
<url><loc><![CDATA[http://a.example/ü]]></loc><x:link rel=\"alternate\" href='/3'/></url></urlset>";
const FEED: &str = "<!DOCTYPE rss PUBLIC 'x' 'y'><rss><channel><link>http://a.example/1?a&amp;b</link>\
<item><guid isPermaLink='true'>http://a.example/ü</guid><pubDate>Thu, 05 Jan 2017 13:34:51 GMT</pubDate></item>\
<item><link>http://a.example/3</link></item></channel></rss>";

#[test]
fn smp_08_a_list_cut_at_any_byte_keeps_the_urls_before_the_cut() {
    for (body, closes) in [
        (SITEMAP, &["</loc>", "]]></loc>", "href='/3'/>"][..]),
        (FEED, &["</link>", "</guid>", "3</link>"]),
    ] {
        let targets: Vec<Url> =
            sitemap(body.as_bytes()).listing.into_iter().map(|listed| listed.target).collect();
        assert_eq!(targets.len(), 3);
        // What an entry needs to be known whole is the end of its address.
        let mut ends: Vec<usize> =
            closes.iter().map(|close| body.find(close).unwrap() + close.len()).collect();
        ends.sort_unstable();
        for end in 0..=body.len() {
            let parsed = sitemap(&body.as_bytes()[..end]);
            let expected = ends.iter().filter(|place| **place <= end).count();
            let is_list = parsed.kind == ContentKind::Sitemap || parsed.kind == ContentKind::Feed;
            assert!(expected == 0 || is_list, "cut at {end}");
            assert_eq!(parsed.listing.len(), expected, "cut at {end}");
            assert!(parsed.listing.iter().all(|listed| targets.contains(&listed.target)));
            assert_eq!(
                is_list && end < body.len(),
                has(&parsed, Oddity::ListingCut),
                "cut at {end}"
            );
        }
    }
}

#[test]
fn smp_09_character_sets_are_told_by_the_bytes() {
    let body = |declared: &str| {
        format!(
            "<?xml version='1.0' encoding='{declared}'?><urlset><url><loc>http://a.example/sø/år</loc></url></urlset>"
        )
    };
    let expected = ["/s%C3%B8/%C3%A5r"];
    let latin = |text: &str| -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
    };
    let wide = |text: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    };
    for declared in ["UTF-8", "ISO-8859-1", "UTF-16", "nonsense", "us-ascii"] {
        let text = body(declared);
        assert_eq!(lines(&sitemap(text.as_bytes())), expected, "UTF-8 as {declared}");
        assert_eq!(lines(&sitemap(&latin(&text))), expected, "Latin-1 as {declared}");
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(lines(&sitemap(&wide(&text, order))), expected, "UTF-16 as {declared}");
            let marked = format!("\u{FEFF}{text}");
            assert_eq!(lines(&sitemap(&wide(&marked, order))), expected, "UTF-16 with a mark");
        }
        let marked = format!("\u{FEFF} \n\t{text}");
        assert_eq!(lines(&sitemap(marked.as_bytes())), expected, "UTF-8 with a mark");
    }
    let parsed = sitemap(format!("\r\n  {}", body("UTF-8")).as_bytes());
    assert_eq!(lines(&parsed), expected);
    let list = "\u{FEFF}http://a.example/sø\r\nhttp://a.example/2\r\n";
    for bytes in [list.as_bytes().to_vec(), wide(list, u16::to_le_bytes)] {
        assert_eq!(lines(&sitemap(&bytes)), ["/s%C3%B8", "/2"]);
    }
}

#[test]
fn smp_10_lines_of_urls_are_a_sitemap() {
    let parsed = sitemap(b"# pages\nhttp://a.example/1\r\n\r\n  https://a.example/2 \nwords\nhttp://a.example/3 x\n/4");
    assert_eq!(parsed.kind, ContentKind::Text, "more words than URLs");
    check(
        "http://a.example/1\r\n\r\n  https://a.example/2 \nwords\nhttp://a.example/3 x\nHTTP://a.example/1",
        &["/1", "https://a.example/2"],
    );
}

#[test]
fn smp_10_a_page_in_place_of_a_sitemap_lists_nothing() {
    for html in [
        "<!doctype html><title>Not found</title><a href=/1>http://a.example/1</a>",
        "<html><body>http://a.example/1\nhttp://a.example/2</body></html>",
        "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><p>x</p></html>",
    ] {
        let parsed = sitemap(html.as_bytes());
        assert_eq!((parsed.kind, parsed.listing.len()), (ContentKind::Html, 0), "{html}");
    }
    for other in ["{\"a\": 1}", "", "<?xml version='1.0'?><svg/>", "%PDF-1.4 http://a.example/"] {
        assert!(sitemap(other.as_bytes()).listing.is_empty(), "{other}");
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn smp_11_a_gzip_file_is_unpacked_where_a_sitemap_is_expected() {
    let packed = gzip(urlset("<url><loc>/1</loc></url>").as_bytes());
    let url = url();
    let input = Input {
        expects: Expects::Sitemap,
        content_type: Some("application/x-gzip"),
        ..Input::new(&url, &packed)
    };
    let parsed = parse(&input, &Options::default());
    assert_eq!((lines(&parsed), parsed.oddities), (vec!["/1".to_owned()], vec![]));
    let list = sitemap(&gzip(b"http://a.example/1\nhttp://a.example/2"));
    assert_eq!(lines(&list), ["/1", "/2"]);
    let parsed = parse(&Input { expects: Expects::Page, ..input }, &Options::default());
    assert_eq!((parsed.kind, parsed.listing.len()), (ContentKind::Other, 0));
}

#[test]
fn smp_11_a_bomb_is_read_up_to_the_limit() {
    let options = Options { listing_bytes: 1 << 20, ..Options::default() };
    let text = format!("<urlset><url><loc>/1</loc></url>{}", " ".repeat(30 << 20));
    let bomb = gzip(text.as_bytes());
    assert!(bomb.len() < 500_000);
    let parsed = within(&bomb, &options);
    assert_eq!(lines(&parsed), ["/1"]);
    assert_eq!(parsed.oddities, [Oddity::BodyCut, Oddity::ListingCut]);
    // Packed twice is not unpacked twice.
    assert_eq!(within(&gzip(&bomb), &options).kind, ContentKind::Other);
}

#[test]
fn smp_11_a_broken_gzip_file_keeps_what_came_out() {
    let entries: String =
        (0..5_000).map(|i| format!("<url><loc>/{}</loc></url>", i * 7_919)).collect();
    let packed = gzip(urlset(&entries).as_bytes());
    let parsed = sitemap(&packed[..packed.len() / 2]);
    assert!(parsed.listing.len() > 1_000 && parsed.listing.len() < 5_000);
    assert_eq!(parsed.oddities, [Oddity::BodyIncomplete, Oddity::ListingCut]);
    assert_eq!(sitemap(b"\x1F\x8Bjunk").kind, ContentKind::Empty);
}

#[test]
fn smp_12_sitemaps_announced_by_one_index_are_bounded() {
    let options = Options { listing_entries: 100, ..Options::default() };
    let entries: String =
        (0..10_000).map(|i| format!("<sitemap><loc>/{i}.xml</loc></sitemap>")).collect();
    let parsed = within(format!("<sitemapindex>{entries}</sitemapindex>").as_bytes(), &options);
    assert_eq!((parsed.listing.len(), has(&parsed, Oddity::ListingCut)), (100, true));
}

#[test]
fn smp_13_addresses_are_decoded_and_trimmed_once() {
    check_urls("<url><loc>\n\t http://a.example/?a=1&amp;b=2 \n</loc></url>", &["/?a=1&b=2"]);
    check_urls("<url><loc> <![CDATA[ http://a.example/?a=1&b=2 ]]> </loc></url>", &["/?a=1&b=2"]);
    check_urls(
        "<url><loc>http://a.example/?a=1&b=2&#38;c=3&#x26;d=4</loc></url>",
        &["/?a=1&b=2&c=3&d=4"],
    );
    check_urls("<url><loc>/?a&amp;amp;b</loc></url>", &["/?a&amp;b"]);
    check_urls("<url><loc><![CDATA[/?a&amp;b]]></loc></url>", &["/?a&amp;b"]);
    check_urls("<url><loc>http://a.example/a<!-- x -->b</loc></url>", &["/ab"]);
    check_urls("<url><loc></loc></url><url><loc/></url><url></url>", &[]);
    check_urls("<url><loc>mailto:a@b.example</loc></url><url><loc>http://[</loc></url>", &[]);
    check_urls(&format!("<url><loc>/{}</loc></url>", "x".repeat(100_000)), &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_in_place_of_a_sitemap_are_answered(body in proptest::collection::vec(any::<u8>(), 0..2_000), head in "(|<urlset>|<rss>|\\x1F\\x8B\\x08|http://)") {
        sitemap(&[head.as_bytes(), &body].concat());
    }

    #[test]
    fn any_soup_of_a_list_is_answered(pieces in proptest::collection::vec(piece(), 0..80), root in "(<urlset>|<sitemapindex>|<rss><channel>|<feed>)") {
        sitemap(format!("{root}{}", pieces.concat()).as_bytes());
    }

    #[test]
    fn any_damage_to_a_gzip_file_is_answered(place in 0_usize..200, byte in any::<u8>()) {
        let mut packed = gzip(SITEMAP.as_bytes());
        let place = place % packed.len();
        packed[place] = byte;
        sitemap(&packed);
    }
}

fn piece() -> impl Strategy<Value = String> {
    let names = "(url|loc|lastmod|priority|sitemap|item|entry|link|guid|pubDate|channel|feed|news:news|image:loc|x)";
    prop_oneof![
        names.prop_map(|name| format!("<{name}>")),
        names.prop_map(|name| format!("</{name}>")),
        (names, "(href|rel|xml:base|isPermaLink|rdf:about)", "[ -~é]{0,12}")
            .prop_map(|(name, attribute, value)| format!("<{name} {attribute}=\"{value}\"/>")),
        "[ -~é\u{0}-\u{20}]{0,16}",
        "https?://[a-c]\\.example/[a-z&;#0-9]{0,8}",
        Just(String::from("<![CDATA[")),
        Just(String::from("]]>")),
        Just(String::from("<!--")),
        Just(String::from("-->")),
        Just(String::from("&amp;")),
        Just(String::from("<!DOCTYPE x [")),
    ]
}
