//! Names that lead where they should not, or nowhere: what a whole crawl makes of them (C11).
//!
//! The made-up web listens on all of 127.0.0.0/8, so every address there is a canary: its log
//! knows who was dialled.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::time::Duration;

use crawl::{Addresses, Options};
use testweb::{Answer, DnsAnswer, Of, Running, Script, Web};

use crate::help::{Place, options};

/// Stands for an address that must not be dialled; it is on the deny list.
const FORBIDDEN: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 7);
/// Where a site lives that is the first or only one of its web.
const SITE: Ipv4Addr = Ipv4Addr::new(127, 1, 0, 1);

fn denying(web: &Running) -> Options {
    let mut options = options(web, Duration::ZERO);
    options.dns.deny = vec![IpAddr::V4(FORBIDDEN)];
    options
}

fn at(addresses: &[Ipv4Addr]) -> DnsAnswer {
    DnsAnswer::addresses(&addresses.iter().copied().map(IpAddr::V4).collect::<Vec<_>>())
}

/// A site whose front page links to some more.
fn site(host: &str, pages: usize) -> Script {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let site = Script::new(host).page("/", &links);
    (0..pages).fold(site, |site, n| site.page(&format!("/{n}"), "<p>page"))
}

#[track_caller]
fn assert_untouched(web: &Running, address: Ipv4Addr) {
    assert_eq!(web.log().num_connections(address), 0, "{address} was dialled");
}

#[test]
fn dns_01_names_with_private_addresses_cause_no_connection() {
    let mut web = Web::new().site(site("a.lookfar", 1));
    let private = ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1"];
    for (number, address) in private.iter().enumerate() {
        web = web.name(&format!("h{number}.lookfar"), &[address.parse().unwrap()]);
    }
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.addresses = Addresses::Public;
    let mut seeds = vec!["http://a.lookfar/".to_owned()];
    seeds.extend((0..private.len()).map(|number| format!("http://h{number}.lookfar/")));
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, 0);
    assert_eq!(snapshot.reasons["blocked-address"], 6, "{:?}", snapshot.reasons);
    assert_eq!(web.log().num_connections(Of::All), 0);
}

#[test]
fn dns_02_the_forbidden_one_of_two_addresses_is_never_tried() {
    for order in [[SITE, FORBIDDEN], [FORBIDDEN, SITE]] {
        let web =
            Web::new().site(site("a.lookfar", 3)).dns("a.lookfar", at(&order)).start().unwrap();
        let place = Place::new();
        let snapshot = place.crawl(&["http://a.lookfar/"], denying(&web));
        assert_eq!(snapshot.pages, 4);
        assert_untouched(&web, FORBIDDEN);
    }
}

#[test]
fn dns_02_when_the_allowed_address_fails_the_forbidden_one_is_still_not_tried() {
    // Only the forbidden address listens on this port.
    let canary = TcpListener::bind((FORBIDDEN, 0)).unwrap();
    canary.set_nonblocking(true).unwrap();
    for order in [[SITE, FORBIDDEN], [FORBIDDEN, SITE]] {
        let web = Web::new().dns("a.lookfar", at(&order)).start().unwrap();
        let place = Place::new();
        let mut options = denying(&web);
        // After two tries the host rests for longer than the crawl waits.
        options.politeness.errors_before_leave = 2;
        options.politeness.longest_rest = Duration::from_secs(3600);
        let http = canary.local_addr().unwrap().port();
        options.fetch.dial = Some(crawl::Dial { http, https: None });
        let snapshot = place.crawl(&["http://a.lookfar/"], options);
        assert_eq!(snapshot.reasons["robots-unreachable"], 2, "{:?}", snapshot.reasons);
        assert_eq!(canary.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn dns_03_dns_04_a_name_that_moves_to_a_forbidden_address_is_not_followed() {
    let web = Web::new()
        .site(site("a.lookfar", 40))
        .dns("a.lookfar", at(&[SITE]).ttl(0))
        .dns("a.lookfar", at(&[FORBIDDEN]).ttl(0))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = denying(&web);
    options.politeness.delay = Duration::from_millis(20);
    options.dns.shortest = Duration::from_millis(300);
    options.dns.longest = Duration::from_millis(300);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    // While the first answer held, its address was dialled, once; the second was checked again.
    assert!(snapshot.pages >= 1, "{snapshot:?}");
    assert!(snapshot.reasons["blocked-address"] >= 1, "{:?}", snapshot.reasons);
    assert_eq!(web.log().num_connections(SITE), 1);
    assert_untouched(&web, FORBIDDEN);
    assert!(web.dns().num_lookups("a.lookfar") < 10, "not one lookup per request");
}

#[test]
fn dns_07_metadata_services_are_not_dialled_even_in_an_intranet() {
    let web = Web::new()
        .name("four.lookfar", &["169.254.169.254".parse().unwrap()])
        .name("six.lookfar", &["fd00:ec2::254".parse().unwrap()])
        .name("stand-in.lookfar", &[IpAddr::V4(FORBIDDEN)])
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = denying(&web);
    options.dns.addresses = Addresses::Private;
    let seeds = ["http://four.lookfar/", "http://six.lookfar/", "http://stand-in.lookfar/"];
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.reasons["blocked-address"], 3, "{:?}", snapshot.reasons);
    assert_untouched(&web, FORBIDDEN);
}

#[test]
fn dns_08_our_own_addresses_are_not_dialled() {
    let inner: IpAddr = "::ffff:127.0.0.7".parse().unwrap();
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/", "<a href=//own.lookfar/>1</a> <a href=http://127.0.0.7/>2</a>")
                .answer("/robots.txt", Answer::not_found()),
        )
        .dns("own.lookfar", DnsAnswer::addresses(&[IpAddr::V4(FORBIDDEN), inner]))
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], denying(&web));
    assert_eq!(snapshot.pages, 1);
    assert_eq!(snapshot.reasons["blocked-address"], 2, "{:?}", snapshot.reasons);
    assert_untouched(&web, FORBIDDEN);
}

#[test]
fn dns_09_many_urls_of_a_host_that_does_not_exist_cost_one_lookup() {
    let links: String = (0..40).map(|n| format!("<a href=//no.lookfar/{n}>{n}</a> ")).collect();
    let web = Web::new().site(Script::new("a.lookfar").page("/", &links)).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 1);
    assert!(snapshot.reasons["no-such-host"] >= 1, "{:?}", snapshot.reasons);
    assert_eq!(web.dns().num_lookups("no.lookfar"), 1);
}

#[test]
fn dns_10_a_host_is_fetched_when_its_name_server_works_again() {
    let web = Web::new()
        .site(site("a.lookfar", 2))
        .dns("a.lookfar", DnsAnswer::server_failure())
        .dns("a.lookfar", at(&[SITE]))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.first_rest = Duration::from_millis(1);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.pages, 3, "{:?}", snapshot.reasons);
    // The lookup that failed may have been the one ahead of need, which costs nobody anything.
    assert!(snapshot.reasons.get("dns-unavailable").is_none_or(|count| *count == 1));
}

#[test]
fn dns_10_nothing_is_fetched_while_a_name_server_fails() {
    let web = Web::new()
        .site(site("a.lookfar", 2))
        .dns("a.lookfar", DnsAnswer::server_failure())
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.first_rest = Duration::from_millis(1);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.pages, 0);
    assert!(snapshot.reasons["dns-unavailable"] >= 1, "{:?}", snapshot.reasons);
    assert_eq!(web.log().num_connections(Of::All), 0);
}

#[test]
fn dns_11_hosts_with_silent_name_servers_do_not_hold_up_the_others() {
    let mute: Vec<String> = (0..20).map(|n| format!("http://h{n}.mute.lookfar/")).collect();
    let web = Web::new()
        .site(site("good.lookfar", 10))
        .dns("*.mute.lookfar", DnsAnswer::silence())
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.concurrency = 4;
    options.dns.timeout = Duration::from_millis(300);
    options.politeness.tries_per_url = 1;
    let mut seeds: Vec<&str> = mute.iter().map(String::as_str).collect();
    seeds.push("http://good.lookfar/");
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, 11);
    assert!(snapshot.reasons["dns-unavailable"] >= 20, "{:?}", snapshot.reasons);
}

#[test]
fn dns_21_names_of_the_local_network_are_not_asked_for() {
    let links = ["localhost", "db", "printer.local", "x.internal"]
        .map(|name| format!("<a href=http://{name}/>{name}</a> "))
        .concat();
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", &links))
        .name("db", &[IpAddr::V4(SITE)])
        .name("printer.local", &[IpAddr::V4(SITE)])
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 1);
    assert_eq!(web.dns().num_names(), 1, "only the site's own");
    assert_eq!(web.log().num_connections(Of::All), 1);
}

#[test]
fn url_01_url_02_url_04_addresses_in_disguise_are_not_dialled() {
    let web = Web::new()
        .site(Script::new("127.0.0.1").page("/", "<p>inside"))
        .dns("*.nip.lookfar", at(&[Ipv4Addr::LOCALHOST]))
        .start()
        .unwrap();
    let seeds = [
        "http://0x7f.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://①②⑦.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://127.0.0.1.nip.lookfar/",
    ];
    let mut options = options(&web, Duration::ZERO);
    let place = Place::new();
    let snapshot = place.crawl(&seeds[..1], options.clone());
    assert_eq!(snapshot.pages, 1, "it would answer");
    let connections = web.log().num_connections(Of::All);
    options.dns.addresses = Addresses::Public;
    let place = Place::new();
    let snapshot = place.crawl(&seeds, options);
    // Six spellings of one URL, one of IPv6, one name.
    assert_eq!(snapshot.reasons["blocked-address"], 3, "{:?}", snapshot.reasons);
    assert_eq!(web.log().num_connections(Of::All), connections);
}

#[test]
fn lnk_18_hundreds_of_hosts_that_do_not_exist_leave_good_ones_unharmed() {
    let bad: String = (0..300).map(|n| format!("<a href=//h{n}.bad.lookfar/>{n}</a> ")).collect();
    let web = Web::new()
        .site(site("good.lookfar", 20))
        .site(Script::new("list.lookfar").page("/", &bad))
        .dns("*.bad.lookfar", DnsAnswer::no_such_name().late(Duration::from_millis(5)))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.concurrency = 8;
    let seeds = ["http://list.lookfar/", "http://good.lookfar/"];
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, 22);
    // A domain whose hosts are worth nothing gets no more than a few of them.
    let reasons = &snapshot.reasons;
    assert_eq!(reasons["no-such-host"] + reasons["too-many-hosts"], 300, "{reasons:?}");
    assert_eq!(web.dns().num_lookups("h0.bad.lookfar"), 1);
    let most = web.dns().most_at_once();
    // Its turns and its places for slow lookups.
    assert!(most <= 8 * 5, "{most} lookups at once");
}
