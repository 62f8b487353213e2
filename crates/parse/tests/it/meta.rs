//! What pages say of themselves: description, author, languages, types, places (P9).

use base::{About, Timestamp};
use parse::{Input, Options, parse};

use super::{page, url};

pub(super) fn now() -> Option<Timestamp> {
    Timestamp::parse_rfc3339("2025-01-01T00:00:00Z")
}

fn about(html: &str) -> About {
    let url = url();
    let input = Input {
        content_type: Some("text/html; charset=utf-8"),
        fetched: now(),
        ..Input::new(&url, html.as_bytes())
    };
    parse(&input, &Options::default()).about
}

#[track_caller]
fn check_author(html: &str, expected: &str) {
    assert_eq!(about(html).author, expected, "{html}");
}

fn json(text: &str) -> String {
    format!("<script type='application/ld+json'>{text}</script>")
}

#[test]
fn descriptions_come_from_the_best_place() {
    let html = "<meta property=og:description content=second><meta name=Description content=' first\u{202e}  one '>";
    assert_eq!(about(html).description, "first one");
    assert_eq!(about("<meta property=og:description content=second>").description, "second");
    let long = format!("<meta name=description content='{}'>", "word ".repeat(100_000));
    assert!(about(&long).description.len() <= 1_000);
}

#[test]
fn authors_are_found_in_many_places() {
    check_author("<meta name=author content='Ada Lovelace'>", "Ada Lovelace");
    check_author("<p><a rel=author href=/ada>Ada Lovelace</a>", "Ada Lovelace");
    check_author("<div class='post-author'>By <b>Ada</b> Lovelace | 3 May</div>", "Ada Lovelace");
    check_author("<h1>Title</h1><p>By Ada Lovelace</p><p>Text", "Ada Lovelace");
    check_author("<h1>Title</h1><p>By car or train</p><p>Text", "");
    check_author("<div class=comment-author>Troll</div>", "");
    check_author("<meta property=article:author content='https://social.example/ada'>", "");
    check_author(
        &json(r#"{"@type":"Article","author":[{"@type":"Person","name":"Ada"},"Bob"]}"#),
        "Ada, Bob",
    );
    check_author(
        &json(
            r##"{"@graph":[{"@type":"Article","author":{"@id":"#a"}},{"@type":"Person","@id":"#a","name":"Ada"}]}"##,
        ),
        "Ada",
    );
    check_author(
        "<div itemscope itemtype='http://schema.org/Article'><span itemprop=author itemscope><b itemprop=name>Ada</b></span>\
         <div itemprop=comment itemscope itemtype=http://schema.org/Comment><i itemprop=author>Troll</i></div></div>",
        "Ada",
    );
    check_author(
        "<meta name=citation_author content=Ada><meta name=citation_author content=Bob>",
        "Ada, Bob",
    );
}

#[test]
fn names_types_and_languages_are_kept() {
    let html = format!(
        "<html lang='en_GB'><meta property=og:site_name content='The Site'><meta property=og:type content=article>{}\
         <div itemscope itemtype='https://schema.org/Recipe'></div>",
        json(
            r#"[{"@type":["NewsArticle","Article"],"inLanguage":"fr"},{"@type":"BreadcrumbList"},{"@type":"WebSite","name":"Other"}]"#
        )
    );
    let about = about(&html);
    assert_eq!(about.site_name, "The Site");
    assert_eq!(about.types, ["article", "NewsArticle", "Recipe"]);
    assert_eq!(about.language.as_deref(), Some("en-gb"));
    let url = url();
    let input = Input { language: Some("da, en"), ..Input::new(&url, b"plain text") };
    assert_eq!(parse(&input, &Options::default()).about.language.as_deref(), Some("da"));
}

#[test]
fn versions_in_other_languages_come_from_page_and_header() {
    let url = url();
    let fields = ["</da>; rel=alternate; hreflang=da, </x>; rel=alternate"];
    let html = "<head><base href=/b/><link rel=alternate hreflang=de-AT href=de><link rel=alternate hreflang=x-default href=/>\
                <link rel=alternate hreflang=nonsense href=n><link rel=alternate hreflang=fr href=javascript:x>\
                <link rel='alternate stylesheet' hreflang=it href=s>";
    let input = Input { links: &fields, ..Input::new(&url, html.as_bytes()) };
    let about = parse(&input, &Options::default()).about;
    let found: Vec<_> =
        about.alternates.iter().map(|one| (one.language.as_str(), one.target.as_str())).collect();
    assert_eq!(
        found,
        [
            ("da", "http://a.example/da"),
            ("de-at", "http://a.example/b/de"),
            ("x-default", "http://a.example/"),
        ]
    );
}

#[test]
fn places_are_read_from_every_form() {
    let check = |html: &str, expected: (&str, Option<&str>, Option<(i32, i32)>)| {
        let about = about(html);
        let place = about.places.first().unwrap_or_else(|| panic!("no place: {html}"));
        assert_eq!(
            (place.name.as_str(), place.country.as_deref(), place.point),
            expected,
            "{html}"
        );
        assert_eq!(about.places.len(), 1, "{html}");
    };
    let berlin = Some((52_516_667, 13_388_889));
    check(
        "<meta name=geo.position content='52.516667;13.388889'><meta name=geo.placename content=Berlin><meta name=geo.region content=DE-BE>",
        ("Berlin", Some("de"), berlin),
    );
    check("<meta name=ICBM content='52.516667, 13.388889'>", ("", None, berlin));
    check(
        &json(
            r#"{"@type":"Cafe","address":{"streetAddress":"Str. 1","addressLocality":"Berlin","addressCountry":"Germany"},"geo":{"latitude":52.516667,"longitude":"13.388889"}}"#,
        ),
        ("Str. 1, Berlin", Some("de"), berlin),
    );
    check(
        "<div itemscope itemtype=http://schema.org/Cafe><p itemprop=address itemscope><b itemprop=addressLocality>Berlin</b><meta itemprop=addressCountry content=DE></p>\
         <p itemprop=geo itemscope><meta itemprop=latitude content=52.516667><meta itemprop=longitude content=13.388889></p></div>",
        ("Berlin", Some("de"), berlin),
    );
    assert!(
        about("<meta name=geo.position content='0;0'><meta name=ICBM content=x>").places.is_empty()
    );
}

#[test]
fn htm_15_giant_and_deep_blocks_of_data_are_passed_over() {
    let giant = format!(r#"{{"@type":"Article","author":"Ada","text":"{}"}}"#, "x".repeat(4 << 20));
    check_author(&json(&giant), "");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    check_author(&format!("{}{}", json(&deep), json(r#"{"author":"Ada"}"#)), "Ada");
    let deep = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
    check_author(&format!("{}{}", json(&deep), json(r#"{"author":"Ada"}"#)), "Ada");
    let many: String =
        (0..10_000).map(|i| format!(r#"{{"@type":"T{i}","author":"A{i}"}},"#)).collect();
    let about = about(&json(&format!("[{many}1]")));
    assert!(about.types.len() <= 16 && about.author.len() <= 200);
}

#[test]
fn htm_15_broken_blocks_of_data_are_ignored() {
    for broken in [
        "",
        "{",
        "{'author':'Ada'}",
        "null",
        "\"author\"",
        "{\"author\":12}",
        "{\"author\":{\"name\":[]}}",
    ] {
        check_author(&json(broken), "");
    }
    check_author(&json("<!-- {\"author\": \"A\nda\"}; -->"), "A da");
    check_author(&json("//<![CDATA[\n{\"author\":\"Ada\"}\n//]]>"), "Ada");
}

#[test]
fn htm_15_other_giants_are_bounded() {
    let links: String = (0..5_000)
        .map(|i| {
            format!("<link rel=alternate hreflang=a{} href=/{i}>", (b'a' + (i % 26) as u8) as char)
        })
        .collect();
    assert!(about(&format!("<head>{links}")).alternates.len() <= 26);
    let metas: String =
        (0..5_000).map(|i| format!("<meta property=og:type content=t{i}>")).collect();
    assert!(about(&metas).types.len() <= 16);
    let deep = "<div itemscope itemprop=x>".repeat(3_000);
    assert_eq!(about(&format!("{deep}<b itemprop=author>Ada</b>")).author, "");
    let wide =
        "<div itemscope itemtype=T><b itemprop=latitude>1</b><b itemprop=longitude>2</b></div>"
            .repeat(3_000);
    assert!(about(&wide).places.len() <= 16);
    let giant = format!(
        "<meta property=og:title content='{0}'><meta name=author content='{0}'>",
        "x".repeat(1 << 20)
    );
    assert!(about(&giant).author.len() <= 200);
}

#[test]
fn texts_of_templates_and_drawings_are_not_the_pages() {
    check_author("<template><meta name=author content=Ada></template><p>x", "");
    check_author("<svg><a rel=author>Ada</a></svg>", "");
}

#[test]
fn a_page_that_says_nothing_has_nothing() {
    assert_eq!(page("<p>text").about, About::default());
}

#[test]
fn a_language_declared_anywhere_helps_to_tell_it() {
    // Danish and Norwegian are near enough for a declaration to decide.
    let words = "Velkommen til vores side om heste og hunde her i landet";
    let code = |body: &str, content_type, language| {
        let url = url();
        let input = Input {
            content_type: Some(content_type),
            language,
            ..Input::new(&url, body.as_bytes())
        };
        parse(&input, &Options::default()).language.map(text::Language::code)
    };
    for content_type in ["text/plain", "text/markdown", "text/html"] {
        assert_eq!(code(words, content_type, Some("nb")), Some("no"), "{content_type}");
        assert_eq!(code(words, content_type, Some("da, nb")), Some("da"), "{content_type}");
        // A prior, never alone.
        assert_eq!(code("Жил-был царь", content_type, Some("nb")), Some("ru"), "{content_type}");
    }
    for head in ["<meta property=og:locale content=nb_NO>", "<meta name=dc.language content=no>"] {
        let html = format!("<head>{head}</head><p>{words}");
        assert_eq!(code(&html, "text/html", None), Some("no"), "{head}");
        // What stands in the page itself is nearer to its text than its header.
        assert_eq!(code(&html, "text/html", Some("da")), Some("no"), "{head}");
    }
}
