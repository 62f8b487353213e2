//! What the scope keeps and leaves out, rule by rule.

use super::*;

const NOTHING: HostCounts = HostCounts { pages: 0, bytes: 0, site_pages: 0, site_hosts: 0 };

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
}

#[track_caller]
fn check(scope: &Scope, text: &str, expected: Result<(), LeftOut>) {
    assert_eq!(scope.judge(&url(text), 1, &NOTHING), expected, "{text}");
}

#[track_caller]
fn check_seed(scope: &Scope, text: &str, expected: Result<(), LeftOut>) {
    assert_eq!(scope.judge(&url(text), 0, &NOTHING), expected, "{text}");
}

#[test]
fn one_page_is_the_seed_and_nothing_it_links_to() {
    let scope = Scope::new(Reach::Pages);
    check_seed(&scope, "http://a.example/x", Ok(()));
    check(&scope, "http://a.example/y", Err(LeftOut::OutOfReach));
}

#[test]
fn sites_hosts_domains_and_countries_are_kept_to() {
    let seeds = [url("http://www.example.com/a")];
    let out = Err(LeftOut::OutOfReach);
    let sites = Scope::sites_of(&seeds);
    check(&sites, "https://blog.example.com/", Ok(()));
    check(&sites, "http://example.org/", out);
    let hosts = Scope::new(Reach::hosts_of(&seeds));
    check(&hosts, "https://www.example.com/b", Ok(()));
    check(&hosts, "https://blog.example.com/", out);
    let domains = Scope::new(Reach::domains(&["dk".to_owned()]).unwrap());
    check(&domains, "http://a.dk/", Ok(()));
    check(&domains, "http://a.example/", out);
    let country = Scope::new(Reach::Country(Country::parse("dk").unwrap()));
    check(&country, "http://a.dk/", Ok(()));
    check(&country, "http://a.de/", out);
    check(&Scope::new(Reach::Open), "http://anything.example/", Ok(()));
}

#[test]
fn include_and_exclude_choose_by_pattern() {
    let scope = Scope {
        include: patterns(&["*/docs/*", "*/blog/*"]),
        exclude: patterns(&["*/print/*"]),
        ..Scope::new(Reach::Open)
    };
    check(&scope, "http://a.example/docs/x", Ok(()));
    check(&scope, "http://a.example/blog/x", Ok(()));
    check(&scope, "http://a.example/shop/x", Err(LeftOut::NotIncluded));
    check(&scope, "http://a.example/docs/print/x", Err(LeftOut::Excluded));
}

#[test]
fn seeds_are_in_reach_but_never_against_exclude() {
    let scope = Scope {
        include: patterns(&["*/docs/*"]),
        exclude: patterns(&["*/secret/*"]),
        ..Scope::new(Reach::domains(&["dk".to_owned()]).unwrap())
    };
    check_seed(&scope, "http://a.example/start.jpg", Ok(()));
    check_seed(&scope, "http://a.dk/secret/x", Err(LeftOut::Excluded));
    check_seed(&scope, "http://a.dk/robots.txt", Err(LeftOut::NotAPage));
    check_seed(&scope, "http://a.dk:22/", Err(LeftOut::Port));
    let full = HostCounts { pages: 100_000, ..NOTHING };
    assert_eq!(scope.judge(&url("http://a.dk/"), 0, &full), Err(LeftOut::HostFull));
}

#[test]
fn a_sitemap_is_judged_by_its_place_alone() {
    let scope = Scope {
        include: patterns(&["*/docs/*"]),
        exclude: patterns(&["*/secret/*"]),
        types: Types::parse(&["page".to_owned()]).unwrap(),
        ..Scope::sites_of(&[url("http://a.example/")])
    };
    let judge = |text: &str| scope.judge_listing(&url(text));
    assert_eq!(judge("http://a.example/sitemap.xml.gz"), Ok(()));
    assert_eq!(judge("http://a.example/secret/sitemap.xml"), Err(LeftOut::Excluded));
    assert_eq!(judge("http://a.example:25/sitemap.xml"), Err(LeftOut::Port));
    assert_eq!(judge("http://b.example/sitemap.xml"), Err(LeftOut::OutOfReach));
    // One page needs no list of others.
    let page = Scope::new(Reach::Pages);
    assert_eq!(page.judge_listing(&url("http://a.example/feed")), Err(LeftOut::OutOfReach));
}

#[test]
fn files_that_hold_no_text_are_left_out() {
    let scope = Scope::new(Reach::Open);
    check(&scope, "http://a.example/a.jpg", Err(LeftOut::FileType));
    check(&scope, "http://a.example/a.pdf", Ok(()));
    let scope = Scope { types: Types::parse(&["picture".to_owned()]).unwrap(), ..scope };
    check(&scope, "http://a.example/a.jpg", Ok(()));
    check(&scope, "http://a.example/a.pdf", Err(LeftOut::FileType));
}

#[test]
fn url_17_and_18_endless_paths_are_traps() {
    let scope = Scope::new(Reach::Open);
    check(&scope, "http://a.example/x/x/x/", Ok(()));
    check(&scope, "http://a.example/x/x/x/x/", Err(LeftOut::Trap));
    let long: String = (0..1_000).map(|n| format!("/{}", n % 10)).collect();
    check(&scope, &format!("http://a.example{long}"), Err(LeftOut::Trap));
    check(&scope, "http://a.example/;/;/;/;/;", Err(LeftOut::Trap));
}

#[test]
fn tcp_07_ports_of_other_services_are_left_out() {
    let scope = Scope::new(Reach::Open);
    check(&scope, "http://a.example:8080/", Ok(()));
    for port in [22, 25, 6379, 11211] {
        check(&scope, &format!("http://a.example:{port}/"), Err(LeftOut::Port));
    }
}

#[test]
fn lnk_17_a_chain_without_end_ends_at_the_depth() {
    let scope = Scope { depth: 3, ..Scope::new(Reach::Open) };
    let page = url("http://a.example/x");
    assert_eq!(scope.judge(&page, 3, &NOTHING), Ok(()));
    assert_eq!(scope.judge(&page, 4, &NOTHING), Err(LeftOut::TooDeep));
}

#[test]
fn lnk_07_numbers_bind_hosts_and_registered_domains() {
    let scope = Scope {
        pages_per_host: Some(5),
        bytes_per_host: Some(100),
        pages_per_site: Some(20),
        hosts_per_site: Some(3),
        ..Scope::new(Reach::Open)
    };
    let page = url("http://a.example/x");
    let judge = |counts: HostCounts| scope.judge(&page, 1, &counts);
    let below = HostCounts { pages: 4, bytes: 99, site_pages: 19, site_hosts: 2 };
    assert_eq!(judge(below), Ok(()));
    assert_eq!(judge(HostCounts { pages: 5, ..below }), Err(LeftOut::HostFull));
    assert_eq!(judge(HostCounts { bytes: 100, ..below }), Err(LeftOut::HostBytes));
    assert_eq!(judge(HostCounts { site_pages: 20, ..below }), Err(LeftOut::SiteFull));
    assert_eq!(judge(HostCounts { site_hosts: 3, ..below }), Err(LeftOut::SiteHosts));
    let free = Scope { pages_per_host: None, ..scope.clone() };
    assert_eq!(free.judge(&page, 1, &HostCounts { pages: u64::MAX, ..below }), Ok(()));
}

#[test]
fn totals_end_the_whole_crawl() {
    let hour = Duration::from_secs(3600);
    let scope =
        Scope { pages: Some(10), bytes: Some(1_000), time: Some(hour), ..Scope::new(Reach::Open) };
    let below = Used { pages: 9, bytes: 999, time: Duration::ZERO };
    assert_eq!(scope.reached(&below), None);
    assert_eq!(scope.reached(&Used { pages: 10, ..below }), Some(Limit::Pages));
    assert_eq!(scope.reached(&Used { bytes: 1_000, ..below }), Some(Limit::Bytes));
    assert_eq!(scope.reached(&Used { time: hour, ..below }), Some(Limit::Time));
    let endless = Used { pages: u64::MAX, bytes: u64::MAX, time: Duration::MAX };
    assert_eq!(Scope::new(Reach::Open).reached(&endless), None);
}

#[test]
fn people_are_told_which_rule_decided() {
    let scope = Scope { exclude: patterns(&["/a/*", "/b/*"]), depth: 2, ..Scope::new(Reach::Open) };
    let explain = |text: &str, depth: u16| scope.explain(&url(text), depth, &NOTHING);
    assert_eq!(explain("http://a.example/", 1), None);
    assert!(explain("http://a.example/b/x", 1).unwrap().ends_with("`/b/*`"));
    assert!(explain("http://a.example/x", 7).unwrap().ends_with("7 instead of 2"));
    assert!(explain("http://a.example/x.zip", 1).unwrap().ends_with("`archive`"));
    assert!(explain("http://a.example:25/", 1).unwrap().ends_with("25"));
}

#[test]
fn the_fingerprint_tells_whether_single_urls_are_judged_otherwise() {
    let scope = Scope::new(Reach::Open);
    let same =
        Scope { pages: Some(1), bytes: Some(1), time: Some(Duration::ZERO), ..scope.clone() };
    assert_eq!(scope.fingerprint(), same.fingerprint());
    let others = [
        Scope { reach: Reach::Pages, ..scope.clone() },
        Scope { include: patterns(&["*"]), ..scope.clone() },
        Scope { exclude: patterns(&["*"]), ..scope.clone() },
        Scope { types: Types::parse(&[]).unwrap(), ..scope.clone() },
        Scope { depth: 31, ..scope.clone() },
        Scope { pages_per_host: None, ..scope.clone() },
    ];
    let mut all: Vec<u64> = others.iter().map(Scope::fingerprint).collect();
    all.push(scope.fingerprint());
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), others.len() + 1);
}
