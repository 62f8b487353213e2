//! Files made to be expensive, endless or misleading. Ticks ROB-02, ROB-03, ROB-10 – ROB-14,
//! ROB-16, ROB-17 and R47 as far as they concern reading; fetching is in `tests/it/robots/`.

use std::time::Duration;

use proptest::prelude::*;

use super::check;
use crate::robots::Robots;

#[test]
fn rob_03_html_and_json_are_files_without_rules() {
    for file in ["<!doctype html>\n<p>User-agent: *<br>Disallow: /", "{\"User-agent\":\n\"*\"}"] {
        let robots = Robots::parse(file.as_bytes(), "lookfar");
        assert!(robots.allows("/a") && !robots.has_groups(), "{file}");
    }
}

#[test]
fn rob_10_odd_encodings_leave_what_can_be_read() {
    let lines = "User-agent: *\r\nDisallow: /a\r\n";
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{lines}").encode_utf16().flat_map(bytes).collect()
    };
    check(format!("\u{feff}{lines}"), "/a", false);
    check(wide(u16::to_le_bytes), "/a", false);
    check(wide(u16::to_be_bytes), "/a", false);
    check(lines.replace("\r\n", "\r"), "/a", false);
    check(format!("\0\0\0\n{lines}\0"), "/a", false);
    check(format!("{}\n{lines}", "x".repeat(10 << 20)), "/a", false);
    check(format!("User-agent: *\nDisallow: /{}\nDisallow: /a", "y".repeat(400_000)), "/a", false);
}

#[test]
fn rob_11_of_50_000_rules_only_those_that_may_match_are_tried() {
    let literal: String = (0..50_000).map(|n| format!("Disallow: /section{n}/page\n")).collect();
    let robots = Robots::parse(format!("User-agent: *\n{literal}").as_bytes(), "lookfar");
    assert_eq!(robots.num_rules(), 50_000);
    assert_eq!(robots.tries("/section4711/page/x"), 1);
    assert!(!robots.allows("/section4711/page/x") && robots.allows("/section4711/pag"));
    assert_eq!(robots.tries("/elsewhere"), 0);

    let stars: String = (0..50_000).map(|n| format!("Disallow: /*/section{n}/\n")).collect();
    let robots = Robots::parse(format!("User-agent: *\n{stars}").as_bytes(), "lookfar");
    assert!(!robots.allows("/a/section4711/x") && robots.allows("/a/section/x"));
    let tries = robots.tries("/a/quite/ordinary/page-about-something.html?and=its&query");
    assert!(tries < 100, "{tries} patterns were tried");
}

/// A file of 500 KiB whose patterns have no piece of three octets by which they could be passed
/// over, against a URL that has all their pieces, in the wrong order.
#[test]
fn rob_11_where_short_patterns_are_too_many_to_be_tried_the_url_is_forbidden() {
    let letters = || (b'a'..=b'z').map(char::from);
    let pairs: Vec<String> =
        letters().flat_map(|one| letters().map(move |two| format!("{one}{two}"))).collect();
    let rules = |count: usize| -> String {
        let all = pairs.iter().flat_map(|one| pairs.iter().map(move |two| (one, two)));
        all.take(count).map(|(one, two)| format!("Disallow: /*{two}*{one}$\n")).collect()
    };
    let parse = |count: usize| {
        let file = format!("User-agent: *\n{}Disallow: /private\n", rules(count));
        assert!(file.len() <= 500 * 1024);
        Robots::parse(file.as_bytes(), "lookfar")
    };
    let long = format!("/{}", "zyx".repeat(600));
    let many = parse(26_000);
    assert_eq!(many.num_rules(), 26_001);
    let tries = many.tries(&long);
    assert!(tries <= 2_200, "{tries} patterns were tried");
    assert!(!many.allows(&long));
    assert!(many.deciding(&long).unwrap().rule.contains("too many rules"));
    // What is decided without them is decided as ever, and a few thousand are no trouble.
    assert!(!many.allows("/private/x") && many.allows("/"));
    let few = parse(1_000);
    assert!(few.allows(&long) && !few.allows("/private/x"));
}

#[test]
fn rob_11_of_10_000_groups_only_ours_is_kept() {
    let groups: String =
        (0..10_000).map(|n| format!("User-agent: bot{n}\nDisallow: /{n}\n\n")).collect();
    let file = format!("{groups}User-agent: lookfar\nDisallow: /a\n\n{groups}");
    let robots = Robots::parse(file.as_bytes(), "lookfar");
    assert_eq!(robots.num_rules(), 1);
    assert!(!robots.allows("/a") && robots.allows("/1"));
}

#[test]
fn rob_12_many_stars_against_a_long_url_are_no_trouble() {
    let url = format!("/{}", "a".repeat(2_000));
    for pattern in [
        "/*a*a*a*a*a*a*a*a*b".to_owned(),
        format!("/{}b", "*a".repeat(1_000)),
        format!("/{}b", "*a".repeat(200_000)),
        format!("/{}b$", "*aa".repeat(600)),
        format!("/{}", "*".repeat(400_000) + "b"),
    ] {
        check(format!("User-agent: *\nDisallow: {pattern}"), &url, true);
    }
    check(format!("User-agent: *\nDisallow: /{}$", "*a".repeat(2_000)), &url, false);
    check(format!("User-agent: *\nDisallow: /{}$", "*a".repeat(2_001)), &url, true);
}

#[test]
fn rob_13_crawl_delays_are_numbers_or_nothing() {
    let delay = |value: &str| {
        let file = format!("User-agent: *\nDisallow: /a\nCrawl-delay: {value}");
        Robots::parse(file.as_bytes(), "lookfar").asked_delay()
    };
    let seconds = |seconds| Some(Duration::from_secs_f64(seconds));
    assert_eq!(delay("0"), seconds(0.0));
    assert_eq!(delay("10"), seconds(10.0));
    assert_eq!(delay("0.5 # gently"), seconds(0.5));
    assert_eq!(delay("1e9"), seconds(1e9));
    assert_eq!(delay("1e300"), seconds(f64::from(u32::MAX)));
    assert_eq!(delay(&"9".repeat(100_000)), seconds(f64::from(u32::MAX)));
    for value in ["-5", "-0", "abc", "NaN", "inf", "", "10 minutes", "1,5", "0x10"] {
        assert_eq!(delay(value), None, "{value}");
    }
}

#[test]
fn rob_13_the_longest_delay_of_merged_groups_counts_and_each_agent_has_its_own() {
    let delay = |file: &str| Robots::parse(file.as_bytes(), "lookfar").asked_delay();
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let merged = "User-agent: lookfar\nCrawl-delay: 9\nDisallow: /a\n\
                  User-agent: lookfar\nCrawl-delay: 3";
    assert_eq!(delay(merged), seconds(9));
    let listed = "User-agent: x\nCrawl-delay: 60\nUser-agent: lookfar\nCrawl-delay: 2\n\
                  User-agent: y\nCrawl-delay: 30";
    assert_eq!(delay(listed), seconds(2));
    let behind = "User-agent: lookfar\nUser-agent: x\nDisallow: /a\nCrawl-delay: 4";
    assert_eq!(delay(behind), seconds(4));
}

#[test]
fn rob_14_sitemap_lines_are_bounded_and_kept_as_written() {
    let many: String = (0..10_000).map(|n| format!("Sitemap: https://a.example/{n}\n")).collect();
    let robots = Robots::parse(many.as_bytes(), "lookfar");
    assert_eq!(robots.sitemaps().len(), 100);
    assert_eq!(robots.sitemaps()[99], "https://a.example/99");
    let file = format!(
        "Sitemap:\nSitemap: javascript:alert(1)\nSitemap: ../x\nSitemap: /{}\nSitemap: /\u{1b}x\n",
        "x".repeat(2_048)
    );
    let robots = Robots::parse(file.as_bytes(), "lookfar");
    // Where they point is for those to judge who know the origin.
    assert_eq!(robots.sitemaps(), ["javascript:alert(1)", "../x"]);
}

#[test]
fn rob_16_our_token_inside_a_longer_word_is_not_ours() {
    for name in ["notlookfar", "lookfar-news", "lookfar_x", "look", "lookfarbot", "the lookfar"] {
        check(format!("User-agent: {name}\nDisallow: /"), "/a", true);
    }
    for name in ["LOOKFAR", "LookFar/3.1", "lookfar;", "lookfar 2"] {
        check(format!("User-agent: {name}\nDisallow: /"), "/a", false);
    }
}

#[test]
fn rob_17_a_named_group_counts_alone_wherever_it_stands() {
    let (named, all) = ("User-agent: lookfar\nDisallow: /b\n", "User-agent: *\nDisallow: /a\n");
    for file in [format!("{named}{all}"), format!("{all}{named}"), format!("{all}{named}{all}")] {
        check(&file, "/a", true);
        check(&file, "/b", false);
    }
    check("User-agent: *\nUser-agent: lookfar\nDisallow: /a", "/a", false);
}

#[test]
fn r47_rules_at_the_end_of_500_kib_count() {
    let file = format!("User-agent: *\n{}Disallow: /a", "# filling up\n".repeat(39_300));
    assert!(file.len() > 500 * 1024 - 2_000);
    check(file, "/a", false);
}

/// Matches as the standard says it, without any haste: a table of what matches up to where.
fn slowly(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for byte in pattern {
        if *byte == b'*' {
            let first = reached.iter().position(|is| *is).unwrap_or(reached.len());
            reached[first..].fill(true);
        } else {
            for at in (0..path.len()).rev() {
                reached[at + 1] = reached[at] && path[at] == *byte;
            }
            reached[0] = false;
        }
    }
    if anchored { reached[path.len()] } else { reached.contains(&true) }
}

proptest! {
    #[test]
    fn rules_say_the_same_as_a_slow_and_simple_matcher(
        rules in prop::collection::vec((any::<bool>(), "/[abc*]{0,8}[$]?"), 0..20),
        paths in prop::collection::vec("/[abc]{0,12}", 1..10),
    ) {
        let lines: String = rules.iter().map(|(allow, pattern)| {
            format!("{}: {pattern}\n", if *allow { "Allow" } else { "Disallow" })
        }).collect();
        let robots = Robots::parse(format!("User-agent: *\n{lines}").as_bytes(), "lookfar");
        for path in paths {
            let matching = rules.iter().filter(|(_, pattern)| slowly(pattern.as_bytes(), path.as_bytes()));
            let best = matching.max_by_key(|(allow, pattern)| (pattern.len(), *allow));
            prop_assert_eq!(robots.allows(&path), best.is_none_or(|(allow, _)| *allow), "{} under {}", path, lines);
        }
    }

    #[test]
    fn any_bytes_are_a_file(file in prop::collection::vec(any::<u8>(), 0..300), path in "/\\PC{0,20}") {
        let robots = Robots::parse(&file, "lookfar");
        let decided = robots.deciding(&path).is_none_or(|deciding| deciding.allow);
        prop_assert_eq!(robots.allows(&path), decided);
    }
}
