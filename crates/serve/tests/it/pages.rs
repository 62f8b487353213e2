//! The pages for people.

use std::sync::Arc;

use serve::{LinkRewrite, Options};

use crate::client::{get, get_bytes, get_with};
use crate::helps;
use crate::known::Known;
use crate::server::{Server, found, hit, state};

/// Texts that would do something if they were ever taken for markup (WEB-01, WEB-02, WEB-04).
pub(crate) const HOSTILE: [&str; 9] = [
    "\"><svg/onload=alert(1)>",
    "</title><script>alert(1)</script>",
    "' onfocus=alert(1) autofocus='",
    "\" onfocus=alert(1) autofocus=\"",
    "<meta http-equiv=refresh content=0;url=//evil>",
    "<img src=x onerror=alert(1)>",
    "&lt;script&gt;&amp;lt;b&amp;gt;",
    "--><b>{{ 7+7 }}{% raw %}",
    "</textarea></style></noscript><iframe src=javascript:alert(1)>",
];

/// Every tag that a page of ours may hold.
#[rustfmt::skip]
const TAGS: [&str; 59] = [
    "!doctype", "html", "head", "meta", "title", "link", "body", "a", "header", "img", "form",
    "label", "input", "button", "svg", "circle", "path", "span", "main", "h1", "h2", "p", "bdi",
    "ol", "ul", "li", "cite", "b", "i", "mark", "time", "nav", "div", "footer", "details", "summary",
    "dl", "dt", "dd", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "script",
    "meter", "small", "textarea", "select", "option", "fieldset", "legend", "link", "section", "rect", "br",
];

/// Every attribute that they may have; the empty one is the slash of `<path/>`.
#[rustfmt::skip]
const ATTRIBUTES: [&str; 57] = [
    "", "html", "lang", "dir", "charset", "name", "content", "rel", "href", "type", "class", "id",
    "src", "alt", "width", "height", "action", "method", "role", "for", "value", "maxlength",
    "autocomplete", "autocapitalize", "spellcheck", "enterkeyhint", "placeholder", "autofocus",
    "viewBox", "aria-hidden", "cx", "cy", "r", "fill", "stroke", "stroke-width", "d",
    "stroke-linecap", "tabindex", "datetime", "aria-label", "aria-current", "aria-labelledby",
    "scope", "title", "defer", "data-keys", "data-label", "data-region", "max", "form", "rows",
    "selected", "checked", "aria-describedby", "rx", "loading",
];

/// Checks that nothing but our own markup is on a page: known tags, known attributes.
#[track_caller]
pub(crate) fn check_only_our_markup(html: &str) {
    for piece in html.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("open tag: {piece}"));
        let name = tag.split([' ', '\n']).next().unwrap();
        assert!(TAGS.contains(&name.trim_start_matches('/')), "`<{tag}>` is not ours");
        // Outside of quotes there are only names of attributes.
        let bare: String = tag.split('"').step_by(2).collect();
        for word in bare.split([' ', '\n']).skip(1) {
            let attribute = word.trim_end_matches(['=', '/']);
            assert!(ATTRIBUTES.contains(&attribute), "`<{tag}>` has a `{attribute}`");
        }
    }
}

pub(crate) fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn the_start_page_has_a_field_and_tells_how_the_crawl_goes() {
    let options = Options { examples: vec!["big \"cat\"".to_owned()], ..Options::default() };
    let server = Server::start(state(|request| found(request, &[]), options));
    for path in ["/", "/search", "/search?q=", "/search?q=++"] {
        let reply = get(server.address, path);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        check_only_our_markup(&reply.body);
        assert!(reply.body.contains("name=\"q\""));
        assert!(reply.body.contains(" autofocus>"));
        assert!(reply.body.contains("Searching 1,204 pages · crawling 12 pages/s"));
        assert!(reply.body.contains("href=\"/search?q=big+%22cat%22\""));
    }
}

#[test]
fn chr_12_text_from_right_to_left_is_isolated_and_the_host_shown_is_the_one_linked() {
    let turned = "شركة moc.elpmaxe \u{202e}evil";
    let path = "/%D9%85%D9%82%D8%A7%D9%84/moc.knab";
    let url = format!("http://zoo.example{path}");
    let arabic =
        rank::Hit { language: Some("ar".to_owned()), ..hit(&url, turned, "نص *كلمة*") };
    let server = Server::with_hits(vec![arabic]);
    let body = get(server.address, "/search?q=a").body;
    check_only_our_markup(&body);
    assert!(body.contains("<li class=\"hit\" id=\"r1\" dir=\"rtl\" lang=\"ar\">"), "{body}");
    // The host stands alone, left to right, and is that of the link.
    assert!(body.contains("<bdi dir=\"ltr\"><b>zoo.example</b>"), "{body}");
    assert!(body.contains(&format!("href=\"{url}\"")), "{body}");
    assert!(body.contains("<bdi>moc.knab</bdi>"), "{body}");
    assert!(body.contains("<bdi>شركة"), "{body}");
}

#[test]
fn web_06_and_25_results_show_address_title_marked_words_and_date() {
    let server = Server::with_hits(vec![hit(
        "http://zoo.example/cats/jaguar.html",
        "The jaguar",
        "A *jaguar* sleeps",
    )]);
    let reply = get(server.address, "/search?q=jaguar");
    assert_eq!(reply.status, 200);
    check_only_our_markup(&reply.body);
    for part in [
        "<title>jaguar – Lookfar</title>",
        "value=\"jaguar\"",
        "1 result in 3.4 ms",
        "href=\"http://zoo.example/cats/jaguar.html\" rel=\"noopener noreferrer\"",
        "<b>zoo.example</b>",
        "<bdi>cats</bdi>",
        "The jaguar</bdi>",
        "A <mark>jaguar</mark> sleeps",
        "<time datetime=\"2025-11-16\">Fetched 16 Nov 2025</time>",
        "lang=\"en\"",
    ] {
        assert!(reply.body.contains(part), "{part} is missing in {}", reply.body);
    }
    assert!(!reply.body.contains("class=\"paging\""), "one page needs no paging");
    assert!(!reply.body.contains("autofocus"));
}

#[test]
fn web_01_hostile_queries_stay_text() {
    let empty = Server::with_hits(Vec::new());
    let full = Server::with_hits(vec![hit("http://a.example/", "A", "*a*"); 30]);
    for text in HOSTILE {
        for server in [&empty, &full] {
            let path = format!("/search?q={}&offset=10", encode(text));
            let reply = get(server.address, &path);
            assert_eq!(reply.status, 200, "{text}");
            check_only_our_markup(&reply.body);
            assert!(reply.body.contains("– Lookfar</title>"), "{text}");
        }
    }
}

#[test]
fn htm_24_and_web_02_and_04_hostile_pages_stay_text() {
    for text in HOSTILE {
        let mut hostile = hit("http://a.example/", text, &format!("{text} *{text}*"));
        hostile.url = base::Url::parse("http://a.example/x").unwrap().join(text).unwrap();
        hostile.language = Some(text.to_owned());
        let server = Server::with_hits(vec![hostile]);
        let reply = get(server.address, "/search?q=a");
        assert_eq!(reply.status, 200);
        check_only_our_markup(&reply.body);
        assert_eq!(reply.body.matches("<mark>").count(), 1);
        assert_eq!(reply.body.matches("</title>").count(), 1);
    }
}

#[test]
fn links_lead_to_public_names_and_show_crawled_ones() {
    let rewrite =
        LinkRewrite { suffix: ".lookfar".to_owned(), replacement: ".localhost:7780".to_owned() };
    let options = Options { link_rewrites: vec![rewrite], ..Options::default() };
    let hits = [hit("http://zoo.lookfar/cats?x=1", "Cats", "")];
    let server = Server::start(state(move |request| found(request, &hits), options));
    let reply = get(server.address, "/search?q=cats");
    assert!(reply.body.contains("href=\"http://zoo.localhost:7780/cats?x=1\""));
    assert!(reply.body.contains("<b>zoo.lookfar</b>"));
}

#[test]
fn pages_lead_to_each_other() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a"); 95]);
    let reply = get(server.address, "/search?q=%22a+b%22+%26&offset=40");
    check_only_our_markup(&reply.body);
    let link = |offset: usize| format!("href=\"?q=%22a+b%22+%26&#38;offset={offset}\"");
    for offset in [10, 20, 30, 40, 50, 60, 70] {
        assert!(reply.body.contains(&link(offset)), "{offset}: {}", reply.body);
    }
    assert_eq!(reply.body.matches("aria-current=\"page\"").count(), 1);
    let last = get(server.address, "/search?q=a&offset=90");
    assert_eq!(last.body.matches("class=\"hit\"").count(), 5);
    assert!(!last.body.contains("rel=\"next\""));
    let beyond = get(server.address, "/search?q=a&offset=500");
    assert_eq!((beyond.status, beyond.body.matches("class=\"hit\"").count()), (200, 0));
    assert!(beyond.body.contains("rel=\"prev\" href=\"?q=a&#38;offset=90\""));
}

#[test]
fn an_empty_result_says_what_was_understood_and_what_may_help() {
    let server = Server::with_hits(Vec::new());
    let reply = get(server.address, "/search?q=%22big+cat%22+-car");
    assert!(reply.body.contains("&#34;big cat&#34; NOT car"), "{}", reply.body);
    assert!(reply.body.contains("href=\"?q=big+cat+-car\""));
    let reply = get(server.address, "/search?q=big+AND+cat");
    assert!(reply.body.contains("href=\"?q=big+OR+cat\""));
    let chosen = get(server.address, "/search?q=big+AND+cat&order=authorities").body;
    assert!(chosen.contains("href=\"?q=big+OR+cat&#38;order=authorities\""), "{chosen}");
    assert!(reply.body.contains("still running"));
    let reply = get(server.address, "/search?q=%21%21");
    assert!(reply.body.contains("nothing to search for"));
}

#[test]
fn bad_parameters_are_said_on_a_page() {
    let server = Server::with_hits(Vec::new());
    let deep = format!("/search?q={}a{}", "(".repeat(33), ")".repeat(33));
    for path in ["/search?q=%ff", "/search?q=a&offset=-1", "/search?q=a&offset=1000", &deep] {
        let reply = get(server.address, path);
        assert_eq!(reply.status, 400, "{path}");
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"));
        check_only_our_markup(&reply.body);
    }
}

/// Returns the size of a page of ten results in this language with everything that it loads;
/// packed, if a browser says that it takes that.
#[track_caller]
fn weigh(hit: &rank::Hit, language: &str, fields: &str) -> [usize; 4] {
    const PATH: &str = "/search?q=match&offset=40";
    let hits = vec![hit.clone(); 95];
    let search = move |request: &rank::Request<'_>| {
        let helped = helps::helped(request, "")?;
        let rank::Results { did_you_mean, related, facets, .. } = helped;
        Ok(rank::Results { did_you_mean, related, facets, ..found(request, &hits)? })
    };
    let state = state(search, Options::default()).with_knowledge(Arc::new(Known));
    let server = Server::start(state);
    let accept = format!("Accept-Language: {language}\r\n");
    let page = get_with(server.address, PATH, &accept).body;
    assert!(page.contains(&format!("<html lang=\"{language}\"")), "{page}");
    let file = |end: &str| page.split('"').find(|text| text.ends_with(end)).unwrap().to_owned();
    let size = |path: &str| {
        let (head, body) = get_bytes(server.address, path, &format!("{accept}{fields}"));
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        body.len()
    };
    [&file(".css"), &file(".js"), &file(".svg"), PATH].map(size)
}

#[test]
fn a_page_with_everything_weighs_less_than_30_kb() {
    let usual = hit(
        "http://encyclopedia.example/animals/cats.html",
        "The largest cat of the Americas, and where it lives",
        "It is the largest cat of the Americas and the third largest of the world. A *match* lives \
         alone near rivers, swims well, and hunts at dusk; its spots are told from others by the dots",
    );
    for language in ["en", "da", "de", "fr", "ja", "ar"] {
        let plain = weigh(&usual, language, "");
        let packed = weigh(&usual, language, "Accept-Encoding: gzip, br\r\n");
        let [plain_sum, packed_sum] = [plain, packed].map(|sizes| sizes.iter().sum::<usize>());
        eprintln!("{language}: {plain_sum} bytes, {packed_sum} as browsers load them");
        assert!(packed_sum < 30_000, "{language}, as browsers load it: {packed:?}");
        if language == "en" {
            assert!(plain_sum < 30_000, "unpacked: {plain:?}");
            assert!(packed_sum < 13_000, "as browsers load it: {packed:?}");
        }
    }
    let long = hit(
        "http://encyclopedia-of-everything.example/some/rather/long/path/to/a/page.html?a=b",
        &"A title of many words ".repeat(6),
        &"some words around a *match* and ".repeat(8),
    );
    let sizes = weigh(&long, "en", "");
    assert!(sizes.iter().sum::<usize>() < 34_000, "with the longest of texts: {sizes:?}");
}

#[test]
fn files_are_kept_by_browsers_for_ever() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a")]);
    let page = get(server.address, "/preferences").body;
    let mut count = 0;
    for path in
        page.split('"').filter(|text| text.starts_with("/static/") && !text.ends_with("svg"))
    {
        let file = get(server.address, path);
        let kind = if path.ends_with(".js") { "text/javascript" } else { "text/css" };
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.header("content-type"), Some(format!("{kind}; charset=utf-8").as_str()));
        assert!(file.header("cache-control").unwrap().contains("immutable"), "{path}");
        count += 1;
    }
    assert_eq!(count, 3);
    let icon = get(server.address, "/static/icon.svg");
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
}

#[test]
fn chr_09_a_page_with_ten_thousand_marks_is_whole() {
    let marks = format!("a{}", "\u{301}".repeat(10_000));
    let found = hit("http://a.example/", &marks, &format!("a *jaguar* {marks}"));
    let server = Server::with_hits(vec![found]);
    let reply = get(server.address, "/search?q=jaguar");
    assert_eq!(reply.status, 200);
    assert!(reply.body.trim_end().ends_with("</html>"));
    assert!(reply.body.contains("http://a.example/"));
}
