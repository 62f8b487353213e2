//! Every rule of canonicalisation, on and off (C9).

use base::{Rules, Url};

/// Checks one rule alone, and that without it the text stays.
#[track_caller]
fn check(on: fn(&mut Rules), cases: &[(&str, &str)]) {
    let mut rules = Rules::NONE;
    on(&mut rules);
    for (input, expected) in cases {
        let input = format!("http://a.example{input}");
        let expected = format!("http://a.example{expected}");
        assert_eq!(Url::parse_with(&input, rules).unwrap().as_str(), expected);
        assert_eq!(Url::parse_with(&input, Rules::NONE).unwrap().as_str(), input);
    }
}

#[test]
fn default_documents_go_unless_a_query_asks_them_something() {
    check(
        |rules| rules.drop_default_documents = true,
        &[
            ("/index.html", "/"),
            ("/d/Default.aspx", "/d/"),
            ("/index.php?p=3", "/index.php?p=3"),
            ("/index.html/", "/index.html/"),
            ("/myindex.html", "/myindex.html"),
        ],
    );
}

#[test]
fn tracking_parameters_go() {
    check(
        |rules| rules.drop_tracking = true,
        &[
            ("/p?utm_source=m&x=1", "/p?x=1"),
            ("/p?x=1&UTM_Medium=m", "/p?x=1"),
            ("/p?gclid=1&fbclid=2&msclkid=3&yclid=4&mc_eid=5&_hsenc=6&igshid=7&srsltid=8", "/p"),
            ("/p?pk_campaign=a&mtm_source=b&_ga=c&_gl=d&mkt_tok=e&li_fat_id=f", "/p"),
            ("/p?utm=1&pk=2&ref=3&source=4", "/p?utm=1&pk=2&ref=3&source=4"),
        ],
    );
}

#[test]
fn lnk_04_session_ids_go_from_query_path_and_parameter() {
    let hex = "0123456789abcdef0123456789abcdef";
    check(
        |rules| rules.drop_sessions = true,
        &[
            ("/p?PHPSESSID=12&x=1", "/p?x=1"),
            ("/p?ASPSESSIONIDQQBCRTDS=ABC", "/p"),
            ("/p?CFID=1&CFTOKEN=2&osCsid=3&zenid=4", "/p"),
            ("/p;jsessionid=12AB?x=1", "/p?x=1"),
            ("/p;JSESSIONID=1;jsessionid=2", "/p"),
            ("/a;jsessionid=1/b;v=2;sid=9f", "/a/b;v=2"),
            ("/p?x=1;jsessionid=12AB&y=2", "/p?x=1&y=2"),
            ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "/a.aspx"),
            ("/x/(A(abc)F(d-e_f)S(g1))/a.aspx", "/x/a.aspx"),
            ("/(lit3py55t21z5v55vlm25s55)/a.aspx", "/a.aspx"),
            ("/x/(S(lit3py55t21z5v55vlm25s55))", "/x/"),
            (&format!("/p?s={hex}&session={hex}"), "/p"),
        ],
    );
}

#[test]
fn names_that_sessions_share_with_content_stay_with_content() {
    check(
        |rules| rules.drop_sessions = true,
        &[
            ("/article?sid=1234", "/article?sid=1234"),
            ("/article.pl?sid=03/11/25/1544", "/article.pl?sid=03/11/25/1544"),
            ("/?s=lighthouse", "/?s=lighthouse"),
            ("/?session=autumn2026", "/?session=autumn2026"),
            ("/wiki/Lookfar_(boat)", "/wiki/Lookfar_(boat)"),
            ("/(S())/(S(a)/(T(a))/()/(S(a))b", "/(S())/(S(a)/(T(a))/()/(S(a))b"),
            ("/x;v=1;w", "/x;v=1;w"),
        ],
    );
}

#[test]
fn parameters_are_sorted_by_name_alone() {
    check(
        |rules| rules.sort_parameters = true,
        &[
            ("/?b=1&a=2", "/?a=2&b=1"),
            ("/?b=2&a=9&b=1&a=3", "/?a=9&a=3&b=2&b=1"),
            ("/?b&a=1&&", "/?&&a=1&b"),
        ],
    );
}

#[test]
fn empty_parameters_and_values_go() {
    check(
        |rules| rules.drop_empty_parameters = true,
        &[("/p?", "/p"), ("/p?a&&b&", "/p?a&b"), ("/p?=1&a=", "/p?a="), ("/p?&&&", "/p")],
    );
    check(|rules| rules.drop_empty_values = true, &[("/p?a=&b=1&c", "/p?a&b=1&c")]);
}

#[test]
fn doubled_slashes_are_merged_but_not_those_of_an_address() {
    check(
        |rules| rules.merge_slashes = true,
        &[
            ("//a///b//", "/a/b/"),
            ("/////", "/"),
            ("/web/2020/http://b.example//c", "/web/2020/http://b.example/c"),
            ("/a?u=http://b//c", "/a?u=http://b//c"),
        ],
    );
}

#[test]
fn encodings_are_written_one_way() {
    check(
        |rules| rules.normal_encoding = true,
        &[("/%7euser/%e3%2f?%41=%2b", "/~user/%E3%2F?A=%2B"), ("/%4%31%", "/%4%31%")],
    );
    check(
        |rules| rules.encode_unsafe = true,
        &[("/[a]|?x[y]={1}", "/%5Ba%5D%7C?x%5By%5D=%7B1%7D")],
    );
    check(|rules| rules.encode_stray_percent = true, &[("/100%?%zz%41", "/100%25?%25zz%41")]);
}

#[test]
fn a_trailing_dot_goes_with_its_switch() {
    let text = "http://a.example.:8080/";
    let kept = Url::parse_with(text, Rules::NONE).unwrap();
    assert_eq!((kept.as_str(), kept.host_str()), (text, "a.example."));
    assert_eq!(Url::from_surt(&kept.surt()), Some(kept));
    assert_eq!(Url::parse(text).unwrap().as_str(), "http://a.example:8080/");
}
