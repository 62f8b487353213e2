//! What the keys and flags make of a crawl, and what is refused.

use std::time::Duration;

use base::Rules;
use clap::Parser;
use crawl::{HostCounts, LeftOut, RobotsChain, Strategy};

use super::*;
use crate::config::Config;

fn config(text: &str) -> Config {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn options(text: &str) -> crawl::Options {
    config(text).crawl_options(&[Url::parse("https://www.example.org/").unwrap()]).unwrap()
}

/// Asserts that a file is refused, with advice.
#[track_caller]
fn refuse(text: &str, advice: &str) {
    let error = config(text).crawl_options(&[]).err().unwrap_or_else(|| panic!("{text} is fine"));
    assert!(error.to_string().contains(advice), "{text}: {error}");
}

/// Reads flags as the program does.
fn flags(flags: &[&str]) -> Result<LimitArgs, clap::Error> {
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        limits: LimitArgs,
    }
    Ok(Line::try_parse_from(["lookfar"].iter().chain(flags))?.limits)
}

fn judge(options: &crawl::Options, url: &str) -> Result<(), LeftOut> {
    options.scope.judge(&Url::parse(url).unwrap(), 1, &HostCounts::default())
}

#[test]
fn the_open_web_and_a_country_need_a_contact() {
    for scope in ["\"open\"", "{ country = \"dk\" }"] {
        refuse(&format!("[crawl]\nscope = {scope}"), "`--contact`");
        options(&format!("[crawl]\nscope = {scope}\ncontact = \"me@example.org\""));
    }
    for scope in ["\"page\"", "\"host\"", "\"sites\"", "[\"dk\"]"] {
        options(&format!("[crawl]\nscope = {scope}"));
    }
}

#[test]
fn a_contact_is_a_page_or_a_mail_address() {
    for good in ["me@example.org", "mailto:me@example.org", "https://example.org/bot"] {
        options(&format!("[crawl]\ncontact = \"{good}\""));
    }
    for bad in ["me", "me@", "@example.org", "https://", "me@example.org\\r\\nX: y", "a b@c.d"] {
        refuse(&format!("[crawl]\ncontact = \"{bad}\""), "neither a page");
    }
}

#[test]
fn every_key_of_the_crawl_reaches_the_crawler() {
    let options = options(
        r#"
        [crawl]
        scope = "host"
        include = ["*/docs/*"]
        exclude = ["*/print/*"]
        types = ["page", "picture"]
        depth = 3
        pages_per_host = 4
        bytes_per_host = "5MB"
        pages_per_site = 6
        hosts_per_site = 7
        pages = 8
        bytes = "9GB"
        time = "10m"
        strategy = "random"
        priority = [{ pattern = "*/news/*", add = -2 }]
        contact = "me@example.org"
        delay = "11s"
        slowness_factor = 12
        longest_crawl_delay = "13s"
        longest_wait = "14s"
        error_rest = "15s"
        errors_before_leave = 16
        longest_rest = "17s"
        tries_per_url = 18
        robots_chain = "unavailable"
        grants = true
        guesses = false
        again_after = "never"
        again_shortest = "2h"
        again_longest = "3d"
        again_share = 0.25
        concurrency = 19
        active_hosts = 20
        memory = "21GiB"
        disk_floor = "22MB"
        disk_floor_share = 0.23
        instead_of_port_80 = 24
        addresses = "private"
        deny_addresses = ["9.9.9.9", "2620:fe::fe"]
        dns_servers = ["9.9.9.10:53"]
        dns_timeout = "32s"
        dns_concurrency = 33
        urls = { drop_tracking = false, sort_parameters = true, learn = false }
        [fetch]
        connect = "25s"
        handshake = "26s"
        head = "27s"
        silence = "28s"
        total = "29s"
        body = "30kB"
        keep_alive = "31s"
        follow_downgrades = true
        "#,
    );
    let scope = &options.scope;
    assert_eq!(judge(&options, "http://www.example.org/docs/x.png"), Ok(()));
    assert_eq!(judge(&options, "http://example.org/docs/"), Err(LeftOut::OutOfReach));
    assert_eq!(judge(&options, "http://www.example.org/x"), Err(LeftOut::NotIncluded));
    assert_eq!(judge(&options, "http://www.example.org/docs/print/"), Err(LeftOut::Excluded));
    assert_eq!(judge(&options, "http://www.example.org/docs/x.pdf"), Err(LeftOut::FileType));
    assert_eq!((scope.depth, scope.pages_per_host), (3, Some(4)));
    assert_eq!((scope.bytes_per_host, scope.pages_per_site), (Some(5_000_000), Some(6)));
    assert_eq!((scope.hosts_per_site, scope.pages), (Some(7), Some(8)));
    let seconds = Duration::from_secs;
    assert_eq!((scope.bytes, scope.time), (Some(9_000_000_000), Some(seconds(600))));
    assert_eq!(options.strategy, Strategy::Random);
    let news = Url::parse("http://a.example/news/1").unwrap();
    assert_eq!(options.rules.adjust(&news), -2);
    assert!(options.agent.header().contains("me@example.org"));
    let polite = &options.politeness;
    assert_eq!((polite.delay, polite.slowness_factor), (seconds(11), 12));
    assert_eq!((polite.longest_crawl_delay, polite.longest_wait), (seconds(13), seconds(14)));
    assert_eq!((polite.error_rest, polite.errors_before_leave), (seconds(15), 16));
    assert_eq!((polite.longest_rest, polite.tries_per_url), (seconds(17), 18));
    assert_eq!((polite.robots_chain, options.grants), (RobotsChain::Unavailable, true));
    assert!(!options.guesses);
    let again = &options.again;
    assert_eq!((again.first, again.share), (None, 0.25));
    assert_eq!((again.shortest, again.longest), (seconds(7_200), seconds(259_200)));
    assert_eq!((options.concurrency, options.active_hosts), (19, 20));
    assert_eq!(options.memory, Some(21 << 30));
    assert_eq!(options.disk_floor, DiskFloor { bytes: 22_000_000, share: 0.23 });
    let rules = Rules { drop_tracking: false, sort_parameters: true, ..Rules::default() };
    assert_eq!(options.url_rules, rules);
    assert!(!options.learn_spellings);
    let dns = &options.dns;
    assert_eq!((dns.addresses, dns.timeout), (Addresses::Private, seconds(32)));
    assert_eq!((dns.concurrency, dns.servers.len(), dns.deny.len()), (33, 1, 2));
    let fetch = &options.fetch;
    assert_eq!(
        (fetch.connect, fetch.handshake, fetch.head),
        (seconds(25), seconds(26), seconds(27))
    );
    assert_eq!((fetch.silence, fetch.total, fetch.body_bytes), (seconds(28), seconds(29), 30_000));
    assert_eq!((fetch.keep_alive, fetch.follow_downgrades), (seconds(31), true));
    assert_eq!(fetch.dial, Some(Dial { http: 24, https: None }));
}

#[test]
fn dns_08_the_search_pages_own_public_address_is_not_dialled() {
    for (listen, denied) in [
        ("9.9.9.9:80", true),
        ("[2620:fe::fe]:80", true),
        ("127.0.0.1:7700", false),
        ("192.168.1.2:7700", false),
        ("0.0.0.0:7700", false),
    ] {
        let text =
            format!("[crawl]\ndeny_addresses = [\"8.8.8.8\"]\n[serve]\nlisten = \"{listen}\"");
        let config = config(&text);
        let mut expected: Vec<IpAddr> = vec!["8.8.8.8".parse().unwrap()];
        expected.extend(denied.then_some(config.serve.listen.ip()));
        assert_eq!(config.crawl_options(&[]).unwrap().dns.deny, expected, "{listen}");
        assert_eq!(config.dns_options().deny, expected, "{listen}");
    }
}

#[test]
fn nothing_means_no_limit() {
    let options = options(
        "[crawl]\npages_per_host = 0\nbytes_per_host = \"0B\"\npages_per_site = 0\n\
         hosts_per_site = 0\nmemory = \"0B\"",
    );
    let scope = &options.scope;
    assert_eq!((scope.pages_per_host, scope.bytes_per_host), (None, None));
    assert_eq!((scope.pages_per_site, scope.hosts_per_site), (None, None));
    assert_eq!((scope.pages, scope.bytes, scope.time, options.memory), (None, None, None, None));
}

#[test]
fn what_no_crawl_can_work_with_is_refused() {
    refuse("[crawl]\nconcurrency = 0", "at least 1");
    refuse("[crawl]\nactive_hosts = 0", "at least 1");
    refuse("[crawl]\ntries_per_url = 0", "at least 1");
    refuse("[crawl]\nagain_shortest = \"59m\"", "at least `1h`");
    options("[crawl]\nagain_shortest = \"10s\"\naddresses = \"loopback\"");
    refuse("[crawl]\nmemory = \"1MB\"", "128MiB");
    refuse("[crawl]\ndns_concurrency = 0", "at least 1");
    refuse("[crawl]\ndns_timeout = \"0s\"", "longer than nothing");
    refuse("[crawl]\ndisk_floor_share = 5.0", "from 0 to below 1");
    refuse("[crawl]\ndisk_floor_share = nan", "from 0 to below 1");
    refuse("[fetch]\nbody = \"0B\"", "at least `1B`");
    refuse("[fetch]\ntotal = \"0s\"", "longer than nothing");
    let many = vec!["\"*\""; 1_001].join(", ");
    refuse(&format!("[crawl]\nexclude = [{many}]"), "at most 1000");
}

#[test]
fn flags_go_before_the_file() {
    let mut config = config(
        "[crawl]\nscope = \"page\"\ninclude = [\"/a/*\"]\nexclude = [\"/b/*\"]\ndepth = 1\n\
         delay = \"5s\"",
    );
    config.crawl.limit(&flags(&[]).unwrap());
    assert_eq!((config.crawl.depth, &config.crawl.scope), (1, &ScopeConfig::Page));
    let line = [
        "--scope=domains=example.org",
        "--include=/c/*",
        "--include=/d/*",
        "--exclude=/c/x",
        "--types=page,.zip",
        "--depth=2",
        "--pages=3",
        "--bytes=5MB",
        "--pages-per-host=4",
        "--bytes-per-host=6kB",
        "--pages-per-site=7",
        "--hosts-per-site=8",
        "--time=2d",
        "--strategy=depth-first",
        "--delay=250ms",
        "--contact=me@example.org",
    ];
    config.crawl.limit(&flags(&line).unwrap());
    let options = config.crawl_options(&[]).unwrap();
    let scope = &options.scope;
    assert_eq!((scope.depth, scope.pages, scope.pages_per_host), (2, Some(3), Some(4)));
    assert_eq!((scope.bytes, scope.bytes_per_host), (Some(5_000_000), Some(6_000)));
    assert_eq!((scope.pages_per_site, scope.hosts_per_site), (Some(7), Some(8)));
    assert_eq!(judge(&options, "http://a.example.org/d/x.zip"), Ok(()));
    assert_eq!(judge(&options, "http://a.example.org/d/x.pdf"), Err(LeftOut::FileType));
    assert_eq!(scope.time, Some(Duration::from_secs(172_800)));
    assert_eq!(options.strategy, Strategy::DepthFirst);
    assert_eq!(options.politeness.delay, Duration::from_millis(250));
    assert_eq!(options.agent.contact.as_deref(), Some("me@example.org"));
    assert_eq!(judge(&options, "http://a.example.org/d/"), Ok(()));
    assert_eq!(judge(&options, "http://a.example.org/a/"), Err(LeftOut::NotIncluded));
    // A flag adds to what the file excludes and takes nothing away.
    assert_eq!(judge(&options, "http://a.example.org/b/1"), Err(LeftOut::Excluded));
    assert_eq!(judge(&options, "http://a.example.org/c/x"), Err(LeftOut::Excluded));
}

#[test]
fn flags_that_are_wrong_say_what_to_write() {
    for (line, advice) in [
        ("--scope=opne", "country=dk"),
        ("--scope=country=denmark", "two letters"),
        ("--exclude=ftp://a.example/", "only http and https"),
        ("--time=soon", "250ms"),
        ("--strategy=best", "best-first"),
        ("--bytes=5", "2GiB"),
        ("--types=pages", "document"),
    ] {
        let error = flags(&[line]).err().unwrap_or_else(|| panic!("{line} is fine")).to_string();
        assert!(error.contains(advice), "{line}: {error}");
    }
}
