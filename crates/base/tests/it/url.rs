//! Addresses: one page, one text (W13).

use base::*;

#[track_caller]
fn check(input: &str, expected: &str) {
    assert_eq!(Url::parse(input).unwrap().as_str(), expected);
}

#[test]
fn w13_one_page_has_one_url() {
    check("http://example.com:80/toto", "http://example.com/toto");
    check("http://example.com/titi/../toto", "http://example.com/toto");
    check("http://www.somepage.com", "http://www.somepage.com/");
    check("http://www.somepage.com/index.html", "http://www.somepage.com/");
}

#[test]
fn references_are_resolved_against_their_page() {
    let page = Url::parse("http://a.example/b/c?d").unwrap();
    let check = |reference, expected| {
        assert_eq!(page.join(reference).unwrap().as_str(), expected);
    };
    check("../x", "http://a.example/x");
    check("//other.example", "http://other.example/");
    check("?e", "http://a.example/b/c?e");
    check("#top", "http://a.example/b/c?d");
}

#[test]
fn parts_are_found() {
    let url = Url::parse("https://www.example.org:8443/a/b?c=d").unwrap();
    assert_eq!(url.origin(), "https://www.example.org:8443");
    assert_eq!(url.path(), "/a/b");
    assert_eq!(url.path_and_query(), "/a/b?c=d");
    assert_eq!(url.surt(), "org,example,www:https:8443)/a/b?c=d");
}

#[test]
fn hosts_whose_keys_would_be_those_of_others_are_no_hosts() {
    for host in ["www.ncsa.uiuc,edu", "a)b.example", "a(b.example", "a\"b.example", "*.example"] {
        assert_eq!(Url::parse(&format!("http://{host}/")), Err(BadUrl::Host), "{host}");
    }
    for host in ["www.ncsa.edu.uiuc", "a_b.example", "-a-.example", "xn--bcher-kva.example"] {
        assert!(Url::parse(&format!("http://{host}/")).is_ok(), "{host}");
    }
}

#[test]
fn surt_keys_lead_back() {
    for text in [
        "http://example.com/a)b",
        "https://www.example.org:8443/a?b=c",
        "http://[::1]:8080/",
        "http://127.0.0.1/x",
    ] {
        let url = Url::parse(text).unwrap();
        assert_eq!(Url::from_surt(&url.surt()), Some(url));
    }
    for text in ["", "a", "a)", "a:http)", "a:ftp)/", ":http)/"] {
        assert_eq!(Url::from_surt(text), None, "{text:?}");
    }
}
