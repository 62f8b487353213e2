//! Servers and zones that lie, hang and break; names that must not be asked for.

use std::time::Duration;

use base::Url;
use testweb::{Broken, DnsAnswer, Web};
use tokio::task::JoinSet;

use super::super::Dns;
use super::{address, ask, at, dns, hasty, host, ip, options, pass, until, web};
use crate::{Addresses, DnsOptions, Failure};

const BLOCKED: Result<String, Failure> = Err(Failure::BlockedAddress);
const NO_HOST: Result<String, Failure> = Err(Failure::NoSuchHost);
const UNAVAILABLE: Result<String, Failure> = Err(Failure::DnsUnavailable);

/// A resolver as it is on the open web, but for one address that stands for public ones.
fn public(web: &testweb::Running) -> Dns {
    Dns::new(DnsOptions { addresses: Addresses::Public, ..options(web) }).unwrap()
}

#[tokio::test]
async fn dns_01_names_with_private_addresses_only_are_blocked() {
    let private = ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "0.0.0.0"];
    let web = web("*.in.lookfar", [at(&private)]);
    let dns = public(&web);
    assert_eq!(address(&dns, "all.in.lookfar").await, BLOCKED);
    assert_eq!(web.dns().num_lookups("all.in.lookfar"), 2, "IPv6 might have been better");
    assert_eq!(address(&dns, "all.in.lookfar").await, BLOCKED);
    assert_eq!(web.dns().num_lookups("all.in.lookfar"), 2);
}

#[tokio::test]
async fn dns_02_of_a_mixed_answer_only_public_addresses_are_left() {
    for mixed in [["9.9.9.9", "10.0.0.1"], ["10.0.0.1", "9.9.9.9"], ["9.9.9.9", "::1"]] {
        let web = web("mixed.lookfar", [at(&mixed)]);
        let resolved = ask(&public(&web), "mixed.lookfar").await.unwrap();
        assert_eq!((resolved.address, &*resolved.others), (ip("9.9.9.9"), [].as_slice()));
    }
    let web = web("mixed.lookfar", [at(&["10.0.0.1", "2a00::1", "fd00::1"])]);
    assert_eq!(address(&public(&web), "mixed.lookfar").await.as_deref(), Ok("2a00::1"));
}

#[tokio::test]
async fn dns_05_dns_06_addresses_inside_ipv6_addresses_are_blocked() {
    for inside in ["::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:a00:1::", "::10.0.0.1"] {
        let web = web("a.lookfar", [at(&[inside])]);
        assert_eq!(address(&public(&web), "a.lookfar").await, BLOCKED, "{inside}");
    }
}

#[tokio::test]
async fn dns_07_metadata_services_are_blocked() {
    for inside in ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254"] {
        let web = web("a.lookfar", [at(&[inside])]);
        for addresses in [Addresses::Public, Addresses::Loopback, Addresses::Private] {
            let dns = Dns::new(DnsOptions { addresses, ..options(&web) }).unwrap();
            assert_eq!(address(&dns, "a.lookfar").await, BLOCKED, "{inside} {addresses:?}");
        }
    }
}

#[tokio::test]
async fn dns_08_our_own_addresses_are_blocked_though_public() {
    let web = web("a.lookfar", [at(&["9.9.9.9", "9.9.9.10"])]);
    let deny = vec![ip("9.9.9.9")];
    let options = DnsOptions { addresses: Addresses::Public, deny, ..options(&web) };
    let dns = Dns::new(options).unwrap();
    let resolved = ask(&dns, "a.lookfar").await.unwrap();
    assert_eq!((resolved.address, resolved.others.len()), (ip("9.9.9.10"), 0));
    assert_eq!(address(&dns, "9.9.9.9").await, BLOCKED);
}

#[tokio::test]
async fn dns_11_silent_servers_leave_room_for_the_others() {
    let web = Web::new()
        .dns("*.mute.lookfar", DnsAnswer::silence())
        .dns("good.lookfar", at(&["127.1.0.1"]))
        .start()
        .unwrap();
    let timeout = Duration::from_secs(4);
    let options = DnsOptions { concurrency: 8, timeout, ..options(&web) };
    let dns = std::sync::Arc::new(Dns::new(options).unwrap());
    let mut mute = JoinSet::new();
    for number in 0..12 {
        let dns = dns.clone();
        mute.spawn(async move { address(&dns, &format!("h{number}.mute.lookfar")).await });
    }
    until(|| web.dns().num_names() >= 8).await;
    assert_eq!(address(&dns, "good.lookfar").await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(dns.books().under_way.len(), 12, "none of the silent ones had to end first");
    mute.shutdown().await;
    // And each of them ends.
    assert_eq!(address(&hasty(&web), "h0.mute.lookfar").await, UNAVAILABLE);
}

#[tokio::test]
async fn dns_12_alias_loops_and_long_chains_end() {
    let name = |n: usize| format!("h{n}.chain.lookfar");
    let whole = DnsAnswer::aliases((1..=100).map(name), &[ip("127.1.0.1")]);
    let fine = DnsAnswer::aliases((1..=5).map(name), &[ip("127.1.0.1")]);
    let mut web = Web::new()
        .dns("self.lookfar", DnsAnswer::alias("self.lookfar"))
        .dns("one.lookfar", DnsAnswer::alias("two.lookfar"))
        .dns("two.lookfar", DnsAnswer::alias("one.lookfar"))
        .dns("whole.lookfar", whole)
        .dns("fine.lookfar", fine)
        .dns("short.lookfar", DnsAnswer::alias("end.lookfar"))
        .dns("end.lookfar", at(&["127.1.0.2"]));
    for n in 0..100 {
        web = web.dns(&name(n), DnsAnswer::alias(&name(n + 1)));
    }
    let web = web.dns(&name(100), at(&["127.1.0.1"])).start().unwrap();
    let dns = dns(&web);
    assert_eq!(address(&dns, "fine.lookfar").await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(address(&dns, "short.lookfar").await.as_deref(), Ok("127.1.0.2"));
    for name in ["self.lookfar", "one.lookfar", "whole.lookfar", "h0.chain.lookfar"] {
        let before = web.dns().num_questions();
        assert!(ask(&dns, name).await.is_err(), "{name}");
        let questions = web.dns().num_questions() - before;
        assert!(questions <= 40, "{questions} questions for {name}");
    }
}

#[tokio::test]
async fn dns_15_what_is_no_answer_is_thrown_away() {
    let all = [
        Broken::PointerLoop,
        Broken::CutRecord,
        Broken::WrongId,
        Broken::WrongQuestion,
        Broken::Noise,
        Broken::WrongCount,
        Broken::Short,
    ];
    for how in all {
        let web = Web::new()
            .dns("alone.lookfar", DnsAnswer::broken(how))
            .dns("forged.lookfar", at(&["127.1.0.1"]).after(how))
            .start()
            .unwrap();
        let dns = hasty(&web);
        assert_eq!(address(&dns, "alone.lookfar").await, UNAVAILABLE, "{how:?}");
        let forged = address(&dns, "forged.lookfar").await;
        // What a stranger can send who does not know the question must not even disturb.
        match how {
            Broken::WrongId | Broken::WrongQuestion | Broken::Short => {
                assert_eq!(forged.as_deref(), Ok("127.1.0.1"), "{how:?}");
            }
            _ => assert_ne!(forged.as_deref(), Ok("127.0.0.66"), "{how:?}"),
        }
    }
}

#[tokio::test]
async fn dns_16_a_cut_answer_and_no_tcp_fail_without_a_storm() {
    let cut = at(&["127.1.0.1"]).cut();
    let closing = web("a.lookfar", [cut.clone().closed_over_tcp()]);
    let closed = Web::new().dns("a.lookfar", cut.clone()).without_dns_over_tcp().start().unwrap();
    for web in [closing, closed] {
        assert_eq!(address(&hasty(&web), "a.lookfar").await, UNAVAILABLE);
        let questions = web.dns().num_questions();
        assert!(questions <= 12, "{questions}");
    }
    let open = web("a.lookfar", [cut]);
    assert_eq!(address(&dns(&open), "a.lookfar").await.as_deref(), Ok("127.1.0.1"));
}

#[tokio::test]
async fn dns_17_lookups_recover_when_the_server_returns() {
    let web = web("*.back.lookfar", [at(&["127.1.0.1"])]);
    let dns = hasty(&web);
    assert!(ask(&dns, "before.back.lookfar").await.is_ok());
    web.dns().stop();
    for name in ["one.back.lookfar", "two.back.lookfar"] {
        assert_eq!(address(&dns, name).await, UNAVAILABLE);
    }
    assert!(ask(&dns, "before.back.lookfar").await.is_ok(), "what is known stays known");
    web.dns().resume();
    assert!(ask(&dns, "three.back.lookfar").await.is_ok());
    pass(Duration::from_secs(60)).await;
    assert!(ask(&dns, "one.back.lookfar").await.is_ok());
}

#[tokio::test]
async fn dns_20_the_longest_legal_name_is_found_and_illegal_ones_are_not_asked_for() {
    let label = "a".repeat(63);
    let longest = format!("{label}.{label}.{label}.{}.lookfar", "b".repeat(53));
    assert_eq!(longest.len(), 253);
    let web = Web::new()
        .dns(&longest, at(&["127.1.0.1"]))
        .dns("my_site.lookfar", at(&["127.1.0.2"]))
        .start()
        .unwrap();
    let dns = dns(&web);
    assert_eq!(address(&dns, &longest).await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(address(&dns, "my_site.lookfar").await.as_deref(), Ok("127.1.0.2"));
    let questions = web.dns().num_questions();
    for name in [format!("c{longest}"), format!("c{label}.lookfar"), "a..lookfar".to_owned()] {
        assert!(Url::parse(&format!("http://{name}/")).is_err(), "{name}");
    }
    assert_eq!(address(&dns, "-a.lookfar").await, NO_HOST);
    assert_eq!(web.dns().num_questions(), questions);
}

#[tokio::test]
async fn dns_21_names_of_the_local_network_are_not_asked_for() {
    let web = Web::new()
        .name("db", &[ip("127.1.0.1")])
        .name("printer.local", &[ip("127.1.0.1")])
        .start()
        .unwrap();
    let dns = dns(&web);
    for name in ["localhost", "db", "printer.local", "a.localhost", "x.internal", "y.home.arpa"] {
        assert_eq!(address(&dns, name).await, NO_HOST, "{name}");
        assert_eq!(dns.known(&host(name)), Some(Err(Failure::NoSuchHost)), "{name}");
    }
    assert_eq!(web.dns().num_questions(), 0);
}

#[tokio::test]
async fn dns_22_a_signed_zone_with_a_foreign_authority_is_no_loop() {
    let web = Web::new()
        .dns("no.lookfar", DnsAnswer::no_such_name().signed_by("elsewhere.lookfar"))
        .dns("empty.lookfar", DnsAnswer::empty().signed_by("elsewhere.lookfar"))
        .dns("good.lookfar", at(&["127.1.0.1"]).signed_by("elsewhere.lookfar"))
        .start()
        .unwrap();
    let dns = dns(&web);
    for _ in 0..10 {
        assert_eq!(address(&dns, "no.lookfar").await, NO_HOST);
        assert_eq!(address(&dns, "empty.lookfar").await, NO_HOST);
        assert_eq!(address(&dns, "good.lookfar").await.as_deref(), Ok("127.1.0.1"));
    }
    assert_eq!(web.dns().num_lookups("no.lookfar"), 1);
    assert_eq!(web.dns().num_lookups("empty.lookfar"), 2);
    assert_eq!(web.dns().num_lookups("good.lookfar"), 1);
    assert_eq!(web.dns().num_lookups("elsewhere.lookfar"), 0);
}

#[tokio::test]
async fn url_01_url_04_url_16_addresses_in_every_spelling_are_blocked() {
    let web = Web::new().start().unwrap();
    let dns = public(&web);
    for text in [
        "http://0x7f.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://①②⑦.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://0/",
    ] {
        let host = Url::parse(text).unwrap().host();
        assert_eq!(dns.known(&host), Some(Err(Failure::BlockedAddress)), "{text} is {host}");
    }
    for text in ["http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/"] {
        assert!(Url::parse(text).is_err(), "{text}");
    }
    assert_eq!(web.dns().num_questions(), 0);
}

#[tokio::test]
async fn url_02_names_that_spell_an_address_are_blocked_after_resolution() {
    let web = web("*.nip.lookfar", [at(&["127.0.0.1"])]);
    let dns = public(&web);
    assert_eq!(address(&dns, "127.0.0.1.nip.lookfar").await, BLOCKED);
}
