//! What targets hold, and what the files of the list keep.

use super::*;

#[track_caller]
fn check(targets: &[&str], url: &str, expected: Option<&str>) {
    let list = BlockList::new(targets.iter().map(|text| {
        let target: Target = text.parse().unwrap();
        target.under(Rules::default())
    }));
    let found = list.which(&Url::parse(url).unwrap());
    assert_eq!(found.map(|target| target.to_string()).as_deref(), expected, "{url}");
}

#[test]
fn a_page_is_that_page_only() {
    let page = ["HTTPS://A.example/x?utm_source=mail#top"];
    check(&page, "https://a.example/x", Some("https://a.example/x"));
    check(&page, "https://a.example/x/", None);
    check(&page, "https://a.example/x?y", None);
    check(&page, "http://a.example/x", None);
}

#[test]
fn a_host_is_all_its_pages_under_any_scheme_and_port() {
    let host = ["A.example"];
    check(&host, "https://a.example/", Some("a.example"));
    check(&host, "http://a.example:8080/x", Some("a.example"));
    check(&host, "http://b.a.example/", None);
    check(&host, "http://aa.example/", None);
    check(&["::1"], "http://[::1]/", Some("::1"));
}

#[test]
fn a_domain_is_its_host_and_everything_below() {
    let domain = ["*.a.example"];
    check(&domain, "http://a.example/", Some("*.a.example"));
    check(&domain, "http://c.b.a.example/", Some("*.a.example"));
    check(&domain, "http://xa.example/", None);
}

#[test]
fn a_pattern_fits_from_beginning_to_end() {
    let one = ["https://A.example:443/private/*"];
    check(&one, "https://a.example/private/x?y", Some("https://a.example/private/*"));
    check(&one, "https://a.example/private/", Some("https://a.example/private/*"));
    check(&one, "https://a.example/private", None);
    check(&one, "http://a.example/private/x", None);
    let two = ["http://a.example/*/b*c"];
    check(&two, "http://a.example/x/y/b1c2c", Some("http://a.example/*/b*c"));
    check(&two, "http://a.example/x/bc", Some("http://a.example/*/b*c"));
    check(&two, "http://a.example/x/cb", None);
    check(&two, "http://a.example/x/bcd", None);
}

#[test]
fn a_hostile_pattern_is_matched_in_linear_time() {
    let pattern = format!("/{}b", "*a".repeat(900));
    let path = format!("/{}", "a".repeat(2_000));
    assert!(!fits(&pattern, &path));
    assert!(fits(&pattern, &format!("{path}b")));
}

#[test]
fn what_names_nothing_is_refused() {
    for (text, expected) in [
        ("", BadTarget::Form),
        ("a b", BadTarget::Form),
        ("a.example/x", BadTarget::Form),
        ("ftp://a.example/", BadTarget::Form),
        ("*", BadTarget::Wildcard),
        ("a.*.example", BadTarget::Wildcard),
        ("https://*/x", BadTarget::Wildcard),
        ("https://*.a.example/x", BadTarget::Wildcard),
        ("https://a.example*", BadTarget::Wildcard),
    ] {
        assert_eq!(text.parse::<Target>(), Err(expected), "{text}");
    }
    let long = format!("http://a.example/{}", "x".repeat(URL_BYTES));
    assert_eq!(long.parse::<Target>(), Err(BadTarget::Length));
}

#[test]
fn the_file_keeps_what_people_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    let path = folder.path().join(NAME);
    std::fs::write(&path, "# mine\n\n  a.example  \nhttp://b.example/1").unwrap();
    let blocked = Blocked::default();
    blocked.read(&collection, Rules::default()).unwrap();
    blocked.add(&collection, &"*.c.example".parse().unwrap()).unwrap();
    blocked.add(&collection, &"a.example".parse().unwrap()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# mine\n\n  a.example  \nhttp://b.example/1\n*.c.example\n");
    let again = Blocked::default();
    again.read(&collection, Rules::default()).unwrap();
    assert_eq!(again.which(&Url::parse("http://x.c.example/").unwrap()).unwrap(), "*.c.example");
    assert!(again.holds(&Url::parse("http://b.example/1").unwrap()));
}

#[test]
fn a_line_that_is_wrong_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    std::fs::write(folder.path().join(NAME), "a.example\n\nhttps://*/\n").unwrap();
    let error = Blocked::default().read(&collection, Rules::NONE).unwrap_err();
    assert!(error.to_string().starts_with("line 3 of `"), "{error}");
    assert!(error.to_string().ends_with("`https://*/`"), "{error}");
}

#[test]
fn what_is_done_is_pending_again_when_it_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    let blocked = Blocked::default();
    let (one, two): (Target, Target) = ("a.example".parse().unwrap(), "b.example".parse().unwrap());
    blocked.add(&collection, &one).unwrap();
    blocked.add(&collection, &two).unwrap();
    assert_eq!(blocked.pending(&collection).unwrap(), [one.clone(), two.clone()]);
    blocked.set_done(&collection, std::slice::from_ref(&one)).unwrap();
    assert_eq!(blocked.pending(&collection).unwrap(), [two]);
    blocked.add(&collection, &one).unwrap();
    assert_eq!(blocked.pending(&collection).unwrap().len(), 2);
}
