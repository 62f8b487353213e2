//! What is kept, for how long, and that one lookup serves all who ask.

use std::sync::Arc;
use std::time::Duration;

use testweb::{DnsAnswer, Web};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::super::{ADDRESSES, Dns, LONGEST_FAILURE, SLOW_PER_TURN};
use super::{HANG, address, ask, at, dns, host, ip, options, pass, until, web};
use crate::{DnsOptions, Failure};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn many_askers_share_one_lookup() {
    let slow = at(&["127.1.0.1"]).late(Duration::from_millis(50));
    let web = web("a.lookfar", [slow]);
    let dns = dns(&web);
    let mut askers = JoinSet::new();
    for _ in 0..200 {
        let dns = dns.clone();
        askers.spawn(async move { address(&dns, "a.lookfar").await });
    }
    for answer in askers.join_all().await {
        assert_eq!(answer.as_deref(), Ok("127.1.0.1"));
    }
    assert_eq!(web.dns().num_lookups("a.lookfar"), 1);
    assert!(dns.books().under_way.is_empty());
}

#[tokio::test]
async fn when_the_one_who_asks_gives_up_another_asks() {
    let web = web("a.lookfar", [DnsAnswer::silence(), at(&["127.1.0.1"])]);
    let dns = dns(&web);
    let first = tokio::spawn({
        let dns = dns.clone();
        async move { ask(&dns, "a.lookfar").await }
    });
    until(|| web.dns().num_lookups("a.lookfar") > 0).await;
    let second = tokio::spawn({
        let dns = dns.clone();
        async move { address(&dns, "a.lookfar").await }
    });
    tokio::task::yield_now().await;
    first.abort();
    let answer = tokio::time::timeout(HANG, second).await.expect("a waiter is not forgotten");
    assert_eq!(answer.unwrap().as_deref(), Ok("127.1.0.1"));
}

#[tokio::test]
async fn dns_09_a_name_that_does_not_exist_is_asked_for_once() {
    let web = web("no.lookfar", [DnsAnswer::no_such_name().ttl(1_000_000_000)]);
    let dns = dns(&web);
    for _ in 0..100 {
        assert_eq!(address(&dns, "no.lookfar").await, Err(Failure::NoSuchHost));
    }
    assert_eq!(web.dns().num_lookups("no.lookfar"), 1, "also AAAA is not asked for");
    pass(Duration::from_secs(3601)).await;
    assert_eq!(dns.known(&host("no.lookfar")), None, "a no does not last for ever");
    assert_eq!(address(&dns, "no.lookfar").await, Err(Failure::NoSuchHost));
    assert_eq!(web.dns().num_lookups("no.lookfar"), 2);
}

#[tokio::test]
async fn dns_10_failed_lookups_are_repeated_after_ever_longer_rests() {
    for failing in [DnsAnswer::server_failure(), DnsAnswer::refused()] {
        let web = web("a.lookfar", [failing.clone(), failing.clone(), failing, at(&["127.1.0.1"])]);
        let dns = dns(&web);
        let name = host("a.lookfar");
        for rest in [5, 10, 20] {
            assert_eq!(address(&dns, "a.lookfar").await, Err(Failure::DnsUnavailable));
            pass(Duration::from_secs(rest) - SECOND).await;
            assert_eq!(dns.known(&name), Some(Err(Failure::DnsUnavailable)));
            pass(SECOND).await;
            assert_eq!(dns.known(&name), None, "after {rest} s");
        }
        assert_eq!(address(&dns, "a.lookfar").await.as_deref(), Ok("127.1.0.1"));
        assert_eq!(web.dns().num_lookups("a.lookfar"), 4);
    }
}

#[tokio::test]
async fn rests_after_failures_end() {
    let web = web("a.lookfar", [DnsAnswer::server_failure()]);
    let dns = dns(&web);
    for _ in 0..40 {
        assert_eq!(address(&dns, "a.lookfar").await, Err(Failure::DnsUnavailable));
        pass(LONGEST_FAILURE).await;
        assert_eq!(dns.known(&host("a.lookfar")), None);
    }
}

#[tokio::test]
async fn dns_14_lifetimes_are_clamped_at_both_ends() {
    let web = Web::new()
        .dns("short.lookfar", at(&["127.1.0.1"]).ttl(0))
        .dns("long.lookfar", at(&["127.1.0.2"]).ttl(1 << 31))
        .start()
        .unwrap();
    let dns = dns(&web);
    for _ in 0..50 {
        let short = ask(&dns, "short.lookfar").await.unwrap();
        let long = ask(&dns, "long.lookfar").await.unwrap();
        let now = Instant::now();
        assert!(short.until > now && short.until <= now + 60 * SECOND);
        assert!(long.until <= now + 24 * 3600 * SECOND);
    }
    for name in ["short.lookfar", "long.lookfar"] {
        assert_eq!(web.dns().num_lookups(name), 1, "{name}");
    }
    pass(61 * SECOND).await;
    assert_eq!(dns.known(&host("short.lookfar")), None);
    assert!(dns.known(&host("long.lookfar")).is_some());
    pass(24 * 3600 * SECOND).await;
    assert_eq!(dns.known(&host("long.lookfar")), None);
}

#[tokio::test]
async fn options_that_contradict_each_other_do_no_harm() {
    let web = web("a.lookfar", [at(&["127.1.0.1"])]);
    let options = DnsOptions {
        shortest: 10 * SECOND,
        longest: SECOND,
        longest_no: SECOND,
        cache: 0,
        concurrency: 0,
        ..options(&web)
    };
    let dns = Dns::new(options).unwrap();
    assert_eq!(address(&dns, "a.lookfar").await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(address(&dns, "no.lookfar").await, Err(Failure::NoSuchHost));
}

#[tokio::test]
async fn lookups_ahead_of_need_are_there_when_needed() {
    let web = web("a.lookfar", [at(&["127.1.0.1"])]);
    let dns = dns(&web);
    assert_eq!(dns.known(&host("a.lookfar")), None);
    for _ in 0..10 {
        dns.ahead(host("a.lookfar"));
    }
    until(|| dns.known(&host("a.lookfar")).is_some()).await;
    dns.ahead(host("a.lookfar"));
    dns.ahead(host("127.0.0.1"));
    dns.ahead(host("localhost"));
    tokio::task::yield_now().await;
    assert!(dns.books().under_way.is_empty());
    assert_eq!(address(&dns, "a.lookfar").await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(web.dns().num_questions(), 1);
}

#[tokio::test]
async fn lookups_ahead_of_need_leave_turns_to_those_who_wait() {
    let web = web("*.slow.lookfar", [DnsAnswer::silence()]);
    let dns = dns(&web);
    for number in 0..1_000 {
        dns.ahead(host(&format!("h{number}.slow.lookfar")));
        tokio::task::yield_now().await;
    }
    let under_way = dns.books().under_way.len();
    assert!((1..=8).contains(&under_way), "{under_way} of 16 turns");
}

#[tokio::test]
async fn all_addresses_are_kept_in_order_and_one_that_fails_goes_last() {
    let web = web("a.lookfar", [at(&["127.1.0.1", "127.1.0.2", "127.1.0.3"])]);
    let dns = dns(&web);
    let resolved = ask(&dns, "a.lookfar").await.unwrap();
    assert_eq!(resolved.address, ip("127.1.0.1"));
    assert_eq!(*resolved.others, [ip("127.1.0.2"), ip("127.1.0.3")]);
    let name = host("a.lookfar");
    dns.demote(&name, ip("127.1.0.1"));
    // Somebody else who had the same address: it is last already.
    dns.demote(&name, ip("127.1.0.1"));
    let next = dns.known(&name).unwrap().unwrap();
    assert_eq!(next.address, ip("127.1.0.2"));
    assert_eq!(*next.others, [ip("127.1.0.3"), ip("127.1.0.1")]);
    assert_eq!(next.until, resolved.until);
}

#[tokio::test]
async fn hosts_with_ipv6_only_are_found() {
    let web = Web::new()
        .dns("six.lookfar", at(&["::1"]))
        .dns("both.lookfar", at(&["::1", "127.1.0.1"]))
        .start()
        .unwrap();
    let dns = dns(&web);
    assert_eq!(address(&dns, "six.lookfar").await.as_deref(), Ok("::1"));
    assert_eq!(address(&dns, "both.lookfar").await.as_deref(), Ok("127.1.0.1"));
    assert_eq!(web.dns().num_lookups("both.lookfar"), 1, "IPv4 is enough");
}

#[tokio::test]
async fn dns_18_fifty_thousand_names_at_once_are_looked_up_a_few_at_a_time() {
    let web = web("*.many.lookfar", [at(&["127.1.0.1"]).late(Duration::from_millis(1))]);
    let dns = dns(&web);
    let mut askers = JoinSet::new();
    for number in 0..50_000 {
        let dns = dns.clone();
        askers.spawn(async move { ask(&dns, &format!("h{number}.many.lookfar")).await });
    }
    for _ in 0..500 {
        assert!(askers.join_next().await.unwrap().unwrap().is_ok());
    }
    let most = web.dns().most_at_once();
    assert!(most <= 16 * (1 + SLOW_PER_TURN), "{most}");
    assert_eq!(dns.turns.available_permits(), 0, "the others wait for their turn");
    askers.shutdown().await;
    assert!(dns.books().under_way.is_empty(), "nothing is left of those who gave up");
}

#[tokio::test]
async fn dns_18_of_fifty_thousand_names_ahead_of_need_few_are_held_at_once() {
    let web = web("*.many.lookfar", [at(&["127.1.0.1"]).late(Duration::from_millis(20))]);
    let dns = Arc::new(Dns::new(DnsOptions { cache: 64, ..options(&web) }).unwrap());
    let turns = dns.options.concurrency;
    for number in 0..50_000 {
        dns.ahead(host(&format!("h{number}.many.lookfar")));
        if number % 1_000 == 0 {
            tokio::task::yield_now().await;
        }
        let books = dns.books();
        assert!(books.under_way.len() <= turns, "{} are under way", books.under_way.len());
        assert!(books.answers.len() + books.failures.len() <= 128);
        if number == 999 {
            assert!(dns.early.available_permits() <= 1, "all places are taken by now");
        }
    }
}

#[tokio::test]
async fn dns_19_the_cache_is_bounded_in_a_wildcard_zone() {
    let web = web("*.wild.lookfar", [at(&["127.1.0.1"])]);
    let dns = Arc::new(Dns::new(DnsOptions { cache: 64, ..options(&web) }).unwrap());
    for number in 0..300 {
        assert!(ask(&dns, &format!("h{number}.wild.lookfar")).await.is_ok());
        assert!(dns.books().answers.len() <= 64);
    }
    assert_eq!(web.dns().num_names(), 300);
}

#[tokio::test]
async fn lnk_18_names_that_do_not_exist_push_out_no_host_that_does() {
    let web = web("good.lookfar", [at(&["127.1.0.1"])]);
    let dns = Arc::new(Dns::new(DnsOptions { cache: 16, ..options(&web) }).unwrap());
    assert!(ask(&dns, "good.lookfar").await.is_ok());
    for number in 0..300 {
        let name = format!("h{number}.nowhere.lookfar");
        assert_eq!(ask(&dns, &name).await, Err(Failure::NoSuchHost));
    }
    assert!(dns.books().failures.len() <= 16);
    assert!(dns.known(&host("good.lookfar")).is_some());
    assert_eq!(web.dns().num_lookups("good.lookfar"), 1);
    assert_eq!(web.dns().num_lookups("h0.nowhere.lookfar"), 1);
}

#[tokio::test]
async fn dns_13_of_a_thousand_addresses_a_few_are_kept() {
    let many: Vec<String> = (0..1_000).map(|n| format!("127.5.{}.{}", n / 250, n % 250)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let web = web("many.lookfar", [at(&many)]);
    let dns = dns(&web);
    let resolved = ask(&dns, "many.lookfar").await.unwrap();
    assert_eq!(resolved.address, ip("127.5.0.0"));
    assert_eq!(resolved.others.len(), ADDRESSES - 1);
    assert_eq!(web.dns().num_over_tcp(), 1, "it does not fit into a packet");
}
