//! Addresses written to confuse: group URL of the hostile inputs.

use base::limits::URL_BYTES;
use base::{BadUrl, Url};

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(Url::parse(input).unwrap().as_str(), expected, "{input:?}");
}

#[track_caller]
fn refuse(input: &str) -> BadUrl {
    match Url::parse(input) {
        Ok(url) => panic!("{input:?} became {url}"),
        Err(bad) => bad,
    }
}

#[test]
fn url_01_odd_spellings_of_addresses_become_the_address() {
    for host in ["0x7f.1", "2130706433", "0177.0.0.1", "127.1", "①②⑦.0.0.1", "127.0.0.1."] {
        check(&format!("http://{host}/"), "http://127.0.0.1/");
    }
}

#[test]
fn url_03_the_host_is_the_one_that_the_standard_gives() {
    check("http://good.example@evil.example/", "http://evil.example/");
    check("http://good.example\\@evil.example/", "http://good.example/@evil.example/");
    check("http://good.example%2F@evil.example/", "http://evil.example/");
    check("http://a:b@c:d@evil.example/", "http://evil.example/");
    check("http:///evil", "http://evil/");
    check("http:evil", "http://evil/");
    check("http:\\\\evil\\x", "http://evil/x");
    let page = Url::parse("http://good.example/a/").unwrap();
    assert_eq!(page.join("http:evil").unwrap().as_str(), "http://good.example/a/evil");
    assert_eq!(page.join("///evil").unwrap().as_str(), "http://evil/");
    assert_eq!(page.join("/\\evil").unwrap().as_str(), "http://evil/");
    assert_eq!(page.join("https:evil").unwrap().as_str(), "https://evil/");
}

#[test]
fn url_04_an_encoded_host_is_decoded() {
    check("http://%31%32%37.0.0.1/", "http://127.0.0.1/");
    check("http://ex%61mple%2Eorg/", "http://example.org/");
    refuse("http://a%00b.example/");
    refuse("http://a%2Fb.example/");
}

#[test]
fn url_05_control_characters_never_reach_a_request() {
    check("http://a.exa\tmple/b\r\nHost: c", "http://a.example/bHost:%20c");
    check("http://a.example/x?y\r\n\r\nGET /", "http://a.example/x?yGET%20/");
    check("http://a.example/\0?\0\u{7f}", "http://a.example/%00?%00%7F");
    check("http://a.example/%0d%0aX:1", "http://a.example/%0D%0AX:1");
    check(" \u{1}http://a.example/ \n", "http://a.example/");
    refuse("http://a\0.example/");
    refuse("http://a b.example/");
}

#[test]
fn url_06_two_kib_are_enough() {
    let of = |length: usize| format!("http://a.example/{}", "x".repeat(length - 17));
    assert_eq!(Url::parse(&of(URL_BYTES)).unwrap().as_str().len(), URL_BYTES);
    assert_eq!(refuse(&of(URL_BYTES + 1)), BadUrl::Length);
    assert_eq!(refuse(&of(1 << 20)), BadUrl::Length);
    let page = Url::parse("http://a.example/").unwrap();
    let of = |length: usize| "x".repeat(length - 17);
    assert_eq!(page.join(&of(URL_BYTES)).unwrap().as_str().len(), URL_BYTES);
    assert_eq!(page.join(&of(URL_BYTES + 1)), Err(BadUrl::Length));
    assert_eq!(page.join(&of(1 << 20)), Err(BadUrl::Length));
    assert_eq!(Url::from_surt(&format!("example,a:http)/{}", of(URL_BYTES + 1))), None);
}

#[test]
fn url_07_no_path_climbs_out() {
    check("http://a.example/a/../../../../etc/passwd", "http://a.example/etc/passwd");
    check("http://a.example/a/%2e%2E/.%2e/b", "http://a.example/b");
    check("http://a.example/..%5c..%5cb", "http://a.example/..%5C..%5Cb");
    check("http://a.example/..\\..\\b", "http://a.example/b");
    check("http://a.example/a%00.html", "http://a.example/a%00.html");
    check("http://a.example/a/..;jsessionid=1/b", "http://a.example/a/..;jsessionid=1/b");
}

#[test]
fn url_08_one_page_has_one_key() {
    let one = Url::parse("HTTP://EXAMPLE.com:80/%7Euser/./a/../").unwrap();
    let other = Url::parse("http://example.com/~user/").unwrap();
    assert_eq!((&one, one.surt()), (&other, other.surt()));
}

#[test]
fn url_09_reserved_characters_keep_their_encoding() {
    check("http://a.example/x%2fy/x/y?q=a%26b+c%20d", "http://a.example/x%2Fy/x/y?q=a%26b+c%20d");
    check("http://a.example/%e3%81%82", "http://a.example/%E3%81%82");
    check("http://a.example/%41%2d%2e%5f%7e", "http://a.example/A-._~");
    check("http://a.example/あ?あ", "http://a.example/%E3%81%82?%E3%81%82");
}

#[test]
fn url_10_the_order_of_parameters_stays_and_empty_ones_go() {
    check("http://a.example/?b=1&a=2&b=3", "http://a.example/?b=1&a=2&b=3");
    check("http://a.example/p?", "http://a.example/p");
    check("http://a.example/p?&&&", "http://a.example/p");
    check("http://a.example?a", "http://a.example/?a");
}

#[test]
fn url_11_marks_of_a_visit_are_no_part_of_the_key() {
    for query in ["PHPSESSID=1", "sid=4f1a", "utm_source=a&utm_medium=b", "jsessionid=1"] {
        check(&format!("http://a.example/p?{query}"), "http://a.example/p");
        check(&format!("http://a.example/p?x=1&{query}"), "http://a.example/p?x=1");
    }
    check("http://a.example/p;jsessionid=0A1B.node1", "http://a.example/p");
    check("http://a.example/p?%75tm_source=m", "http://a.example/p");
}

#[test]
fn url_12_fragments_are_no_part_of_the_key() {
    for fragment in ["top", "!page=2", ":~:text=words", "", "a#b?c/../d"] {
        check(&format!("http://a.example/p?x#{fragment}"), "http://a.example/p?x");
    }
    let page = Url::parse("http://a.example/p?x").unwrap();
    assert_eq!(page.join("#!/b").unwrap(), page);
    assert_eq!(page.join("p?x#!/b").unwrap(), page);
}

#[test]
fn url_13_international_names_have_one_ascii_form() {
    for host in
        ["bücher.example", "BÜCHER.example", "bu\u{308}cher.example", "xn--bcher-kva.example"]
    {
        check(&format!("http://{host}/"), "http://xn--bcher-kva.example/");
    }
    check("http://b\u{ad}ü\u{200b}cher。example/", "http://xn--bcher-kva.example/");
    // A Cyrillic letter among Latin ones is a name of its own, seen in its ASCII form.
    check("http://p\u{430}ypal.example/", "http://xn--pypal-4ve.example/");
    for host in ["xn--a.example", "xn--.example", "xn--bücher.example", "a\u{202e}b.example"] {
        refuse(&format!("http://{host}/"));
    }
    refuse("http://a\u{5d0}.\u{627}1a/");
}

#[test]
fn url_14_dots_and_underscores_in_names() {
    check("http://example.com./", "http://example.com/");
    check("http://a_b.example.com/", "http://a_b.example.com/");
    for host in ["a..example", ".example", "example..", ".", "..", "-"] {
        let url = Url::parse(&format!("http://{host}/"));
        assert!(url.is_err() || host == "-", "{url:?}");
    }
    let long = format!("{}a.example", "a.".repeat(123));
    assert_eq!(long.len(), 254 + 1);
    assert_eq!(refuse(&format!("http://{long}/")), BadUrl::Host);
    assert_eq!(refuse(&format!("http://{}.example/", "a".repeat(64))), BadUrl::Host);
}

#[test]
fn url_15_ports_are_numbers_in_their_range() {
    check("http://a.example:/", "http://a.example/");
    check("http://a.example:080/", "http://a.example/");
    check("https://a.example:443/", "https://a.example/");
    check("https://a.example:0080/", "https://a.example:80/");
    check("http://a.example:65535/", "http://a.example:65535/");
    for port in ["0", "00", "65536", "99999999999999999999", "-1", "8a", "%38"] {
        refuse(&format!("http://a.example:{port}/"));
    }
}

#[test]
fn url_16_zone_ids_and_broken_addresses_are_refused() {
    check("http://[0:0::1]:80/", "http://[::1]/");
    for host in
        ["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1", "[]", "[:]", "1.2.3.4.5", "256.1.1.1"]
    {
        refuse(&format!("http://{host}/"));
    }
}

#[test]
fn url_18_empty_segments_have_one_form() {
    for path in ["/////", "//", "/"] {
        check(&format!("http://a.example{path}"), "http://a.example/");
    }
    check("http://a.example/a//b////c", "http://a.example/a/b/c");
    check("http://a.example/;/;/;", "http://a.example/;/;/;");
    check("http://a.example/;sid=1f/;sid=2f//", "http://a.example/");
}

#[test]
fn url_19_percent_signs_that_encode_nothing_stay() {
    check("http://a.example/100%?%zz", "http://a.example/100%?%zz");
    check("http://a.example/%u0041%", "http://a.example/%u0041%");
    check("http://a.example/%%34%31", "http://a.example/%%341");
    check("http://a.example/%4%31", "http://a.example/%4%31");
    check("http://a.example/%/%41;jsessionid=%", "http://a.example/%/A");
    check("http://a.example/%é%", "http://a.example/%%C3%A9%");
}

#[test]
fn url_21_and_web_03_what_cannot_be_fetched_is_never_a_url() {
    let page = Url::parse("http://a.example/").unwrap();
    for text in [
        "view-source:http://a.example/",
        "blob:http://a.example/1",
        "about:blank",
        "tel:+45",
        "mailto:a@b.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://a.example/",
        "ws://a.example/",
        "gopher://a.example/",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
    ] {
        assert_eq!(Url::parse(text), Err(BadUrl::Scheme), "{text}");
        assert_eq!(page.join(text), Err(BadUrl::Scheme), "{text}");
    }
    assert_eq!(refuse("example.com/x"), BadUrl::Syntax);
    assert_eq!(refuse(""), BadUrl::Syntax);
}

#[test]
fn http_21_and_web_03_user_names_and_passwords_are_never_kept() {
    check("http://user:pass@a.example/", "http://a.example/");
    let page = Url::parse("https://u:p@a.example/x").unwrap();
    for reference in ["//v:q@a.example/y", "y", "/y", "https://v@a.example/y", "?y"] {
        assert!(!page.join(reference).unwrap().as_str().contains('@'), "{reference}");
    }
}
