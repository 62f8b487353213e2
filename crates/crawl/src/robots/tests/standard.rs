//! RFC 9309, §2.1 to §2.2.4: the lines of a file and what they match. Ticks R01–R33, R44, R48, R49.

use super::{check, check_rules};
use crate::robots::Robots;
use crate::{Agent, Crawler, Error, Options, Reach, Scope};

#[test]
fn r01_field_names_in_any_case_and_blanks_around_the_colon() {
    for line in
        ["disallow:/a", "DISALLOW: /a", "dIsAlLoW :/a", " Disallow\t:\t/a\t ", "\tdisallow : /a"]
    {
        check(format!("uSeR-aGeNt  :  *  \n{line}"), "/a", false);
    }
}

#[test]
fn r02_lines_end_with_cr_lf_or_both() {
    check("User-agent: *\rDisallow: /a\r\nDisallow: /b\nDisallow: /c\r\rDisallow: /d", "/a", false);
    for path in ["/a", "/b", "/c", "/d"] {
        check(
            "User-agent: *\rDisallow: /a\r\nDisallow: /b\nDisallow: /c\r\rDisallow: /d",
            path,
            false,
        );
    }
}

#[test]
fn r03_empty_lines_do_not_end_a_group() {
    let file = "User-agent: other\n\nUser-agent: lookfar\n\n\nDisallow: /a\n\n\nDisallow: /b\n";
    check(file, "/a", false);
    check(file, "/b", false);
}

#[test]
fn r04_a_group_ends_at_the_next_user_agent_line_after_a_rule() {
    let file = "User-agent: lookfar\nDisallow: /a\nUser-agent: other\nDisallow: /b\n";
    check(file, "/a", false);
    check(file, "/b", true);
    // An empty rule is a rule too.
    check("User-agent: lookfar\nDisallow:\nUser-agent: other\nDisallow: /", "/b", true);
}

#[test]
fn r05_a_last_group_without_rules_allows_everything() {
    check("User-agent: *\nDisallow: /\n\nUser-agent: lookfar\n", "/a", true);
    check("User-agent: *\nDisallow: /\n\nUser-agent: lookfar", "/a", true);
}

#[test]
fn r06_a_token_of_other_characters_is_refused_at_the_start() {
    for token in ["", "lookfar/1", "look far", "lookfar2", "lööfar", "*"] {
        let folder = tempfile::tempdir().unwrap();
        let collection = base::Collection::open_or_create(folder.path()).unwrap();
        let clock = std::sync::Arc::new(|| super::NOW);
        let mut options = Options::new(Scope::new(Reach::Open), clock);
        options.agent.token = token.to_owned();
        let opened = Crawler::open(&collection, options);
        assert!(matches!(opened, Err(Error::BadToken(_))), "{token:?}");
    }
}

#[test]
fn r07_r08_the_header_has_the_token_and_a_place_to_ask() {
    let agent = Agent { contact: Some("https://example.org/bot".to_owned()), ..Agent::default() };
    let header = agent.header();
    assert!(header.starts_with(&format!("{}/", agent.token)), "{header}");
    assert!(header.ends_with("(+https://example.org/bot)"), "{header}");
}

#[test]
fn r09_tokens_are_compared_without_regard_to_case() {
    for name in ["lookfar", "LOOKFAR", "LookFar", "lookfar/2.0", "Lookfar (+http://x)"] {
        check(format!("User-agent: {name}\nDisallow: /"), "/a", false);
    }
}

#[test]
fn r10_groups_for_us_are_merged() {
    let file = "User-agent: lookfar\nDisallow: /a\n\nUser-agent: x\nDisallow: /x\n\n\
                User-agent: y\nUser-agent: lookfar\nDisallow: /b";
    check(file, "/a", false);
    check(file, "/b", false);
    check(file, "/x", true);
}

#[test]
fn r11_without_a_group_for_us_all_star_groups_are_obeyed() {
    let file = "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /x\n\
                User-agent: z\nUser-agent: *\nDisallow: /b";
    check(file, "/a", false);
    check(file, "/b", false);
    check(file, "/x", true);
}

#[test]
fn r12_no_group_that_is_for_us_means_no_rules() {
    check("User-agent: x\nDisallow: /", "/a", true);
    check("", "/a", true);
    check("# nothing\n\n", "/a", true);
}

#[test]
fn r13_a_group_for_us_stands_alone() {
    let file = "User-agent: *\nDisallow: /a\nCrawl-delay: 9\n\nUser-agent: lookfar\nDisallow: /b";
    check(file, "/a", true);
    check(file, "/b", false);
    assert_eq!(Robots::parse(file.as_bytes(), "lookfar").asked_delay(), None);
}

#[test]
fn r14_the_query_belongs_to_what_is_matched() {
    check_rules("Disallow: /*?", "/a?b", false);
    check_rules("Disallow: /*?", "/a", true);
    check_rules("Disallow: /a?b=c", "/a?b=cd", false);
    check_rules("Disallow: /a?b=c", "/a?x&b=c", true);
}

#[test]
fn r15_paths_are_matched_with_regard_to_case() {
    check_rules("Disallow: /A", "/a", true);
    check_rules("Disallow: /A", "/A", false);
}

#[test]
fn r16_matching_starts_at_the_first_octet() {
    check_rules("Disallow: /b", "/a/b", true);
    check_rules("Disallow: b", "/b", true);
    check_rules("Disallow: http://a.example/b", "/b", true);
}

#[test]
fn r17_the_match_with_the_most_octets_decides_whatever_the_order() {
    let rules = ["Allow: /searchhistory/", "Disallow: /search", "Disallow: /searchhistory/*/x"];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let file = order.map(|number: usize| rules[number]).join("\n");
        check_rules(&file, "/searchhistory/a", true);
        check_rules(&file, "/search?q=", false);
        check_rules(&file, "/searchhistory/a/x", false);
        check_rules(&file, "/", true);
    }
    // A short beginning with a long rest outweighs a longer beginning.
    check_rules("Allow: /abcdef\nDisallow: /*/long/rest", "/abcdef/long/rest", false);
}

#[test]
fn r18_equal_rules_become_one() {
    let file = "User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /%61\nAllow: /b\nDisallow: /b";
    let robots = Robots::parse(file.as_bytes(), "lookfar");
    assert_eq!(robots.num_rules(), 2);
    assert!(!robots.allows("/a") && robots.allows("/b"));
}

#[test]
fn r19_allow_wins_over_an_equivalent_disallow() {
    check_rules("Disallow: /a\nAllow: /a", "/a", true);
    check_rules("Allow: /a\nDisallow: /a", "/a", true);
    check_rules("Disallow: /*b\nAllow: /ab", "/ab", true);
    check_rules("Allow: /%61\nDisallow: /a", "/a", true);
}

#[test]
fn r20_no_match_and_empty_rules_allow() {
    check_rules("Disallow: /b", "/a", true);
    check_rules("Disallow:", "/a", true);
    check_rules("Disallow: # nothing", "/a", true);
    check_rules("Disallow: /\nAllow:", "/a", false);
}

#[test]
fn r21_the_file_itself_is_always_allowed() {
    check_rules("Disallow: /", "/robots.txt", true);
    check_rules("Disallow: /robots.txt", "/robots.txt", true);
    check_rules("Disallow: /", "/ROBOTS.TXT", false);
    check_rules("Disallow: /", "/a/robots.txt", false);
}

#[test]
fn r22_octets_outside_ascii_and_reserved_ones_are_compared_encoded() {
    check_rules("Disallow: /ツ", "/%E3%83%84", false);
    check_rules("Disallow: /%e3%83%84", "/%E3%83%84", false);
    check_rules("Disallow: /ツ", "/ツ", false);
    check_rules("Disallow: /a b", "/a%20b", false);
    // The standard's own table.
    let (plain, encoded) = ("/foo?u=https://foo.bar", "/foo?u=https%3A%2F%2Ffoo.bar");
    for rule in [plain, encoded] {
        check_rules(&format!("Disallow: {rule}"), plain, false);
        check_rules(&format!("Disallow: {rule}"), encoded, false);
    }
    check_rules("Disallow: /talk:x", "/talk%3Ax", false);
    check_rules("Disallow: /talk%3Ax", "/talk:x", false);
    // What stands there literally matches, whichever side of the `?` a star covers.
    check_rules("Disallow: *u=https%3A%2F", "/foo?u=https%3A%2F%2Ffoo.bar", false);
    check_rules("Disallow: /*/print/", "/x?y=/print/", false);
    // A delimiter is not its encoded self.
    check_rules("Disallow: /a?b&c", "/a?b%26c", true);
    check_rules("Disallow: /a?b=c", "/a?b%3Dc", true);
}

#[test]
fn r22_what_urls_carry_encoded_and_rules_raw_is_the_same() {
    for raw in ["[", "]", "{", "}", "|", "^", "\\", "`", "\"", "<", ">"] {
        let encoded = format!("%{:02X}", raw.as_bytes()[0]);
        for place in ["/a", "/a?b=", "/a*c", "/a?b*"] {
            let (rule, path) = (place, place.replace('*', "x"));
            for (rule_as, path_as) in
                [(raw, encoded.as_str()), (&encoded, raw), (raw, raw), (&encoded, &encoded)]
            {
                let rule = format!("Disallow: {rule}{rule_as}d$");
                check_rules(&rule, &format!("{path}{path_as}d"), false);
                check_rules(&rule, &format!("{path}{path_as}e"), true);
                check_rules(&rule, &format!("{path}d"), true);
            }
        }
    }
    // Through the whole of what a URL goes through.
    for text in ["/a|b", "/a%7cb", "/{x}", "/x?f[]=`1`"] {
        let url = base::Url::parse(&format!("http://a.example{text}")).unwrap();
        check_rules(&format!("Disallow: {text}"), url.path_and_query(), false);
    }
}

#[test]
fn r23_encoded_unreserved_characters_are_decoded_and_a_slash_is_not() {
    check_rules("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false);
    check_rules("Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", false);
    check_rules("Disallow: /%7Euser", "/~user", false);
    check_rules("Disallow: /a%2fb", "/a/b", true);
    check_rules("Disallow: /a/b", "/a%2Fb", true);
    check_rules("Disallow: /a%2fb", "/a%2Fb", false);
    // Not encoded at all: stays as it is.
    check_rules("Disallow: /a%3Mb%", "/a%3Mb%", false);
}

#[test]
fn r24_a_rule_is_a_prefix() {
    for path in ["/fish", "/fish.html", "/fish/salmon", "/fishheads", "/fish?id=1"] {
        check_rules("Disallow: /fish", path, false);
    }
    for path in ["/fis", "/Fish", "/catfish", "/?id=fish"] {
        check_rules("Disallow: /fish", path, true);
    }
}

#[test]
fn r25_rules_before_the_first_user_agent_line_are_ignored() {
    check("Disallow: /a\nAllow: /b/c\nUser-agent: *\nDisallow: /b", "/a", true);
    check("Disallow: /a\nAllow: /b/c\nUser-agent: *\nDisallow: /b", "/b/c", false);
}

#[test]
fn r26_octets_that_are_not_utf_8_stay_raw() {
    let file = b"User-agent: *\nDisallow: /caf\xE9\nDisallow: /b";
    check(file, "/caf%E9", false);
    check(file, "/caf%C3%A9", true);
    check(file, "/b", false);
}

#[test]
fn r27_a_hash_begins_a_comment_also_after_a_rule() {
    let file = "# User-agent: x\nUser-agent: * # all\nDisallow: /a# b\n# Disallow: /c\n#";
    check(file, "/a", false);
    check(file, "/c", true);
    check("User-agent: *# all\nDisallow: /a #b", "/a", false);
}

#[test]
fn r28_a_dollar_is_an_anchor_at_the_end_only() {
    check_rules("Disallow: /a$", "/a", false);
    check_rules("Disallow: /a$", "/ab", true);
    check_rules("Disallow: /a$", "/a?b", true);
    check_rules("Disallow: /x$y", "/x$y", false);
    check_rules("Disallow: /x$y", "/x", true);
    check_rules("Disallow: /$\nAllow: /", "/", false);
    check_rules("Disallow: /$\nAllow: /", "/a", true);
    check_rules("Disallow: /a$$", "/a$", false);
}

#[test]
fn r29_a_star_is_any_run_of_octets() {
    check_rules("Disallow: *.gif$", "/a/b.gif", false);
    check_rules("Disallow: *.gif$", "/a/b.gif?x", true);
    check_rules("Disallow: /p*q", "/p/1/q/2", false);
    check_rules("Disallow: /p*q", "/p", true);
    check_rules("Disallow: /a*b*$", "/ab", false);
    check_rules("Disallow: /*/b$", "/a/b/b", false);
    check_rules("Disallow: /a**b", "/axb", false);
    check_rules("Disallow: *", "/", false);
    check_rules("Disallow: /a*$", "/ab?c", false);
    // Each piece needs octets of its own.
    check_rules("Disallow: /*ab*b$", "/ab", true);
    check_rules("Disallow: /*aba*aba", "/ababa", true);
}

#[test]
fn r30_an_encoded_star_or_dollar_is_itself() {
    check_rules("Disallow: /a%2Ab%24", "/a*b$", false);
    check_rules("Disallow: /a%2Ab", "/axb", true);
    check_rules("Disallow: /a%2ab", "/a%2Ab", false);
    check_rules("Disallow: /a%24", "/a$b", false);
    check_rules("Disallow: /a%24", "/a", true);
}

#[test]
fn r31_sitemaps_are_read_wherever_they_stand() {
    let file = "Sitemap: /first.xml\nUser-agent: x\nSITEMAP : https://a.example/S.xml?a=b \n\
                Disallow: /\nsitemap: https://a.example/S.xml?a=b\nsite-map:last.xml";
    let robots = Robots::parse(file.as_bytes(), "lookfar");
    assert_eq!(robots.sitemaps(), ["/first.xml", "https://a.example/S.xml?a=b", "last.xml"]);
}

#[test]
fn r32_other_records_do_not_end_a_group() {
    for other in ["Sitemap: /x", "Crawl-delay: 2", "Host: a.example", "Unknown: 1", "no record"] {
        let file = format!("User-agent: lookfar\n{other}\nUser-agent: x\n{other}\nDisallow: /a");
        check(&file, "/a", false);
        check(format!("User-agent: *\nDisallow: /b\n{other}\nDisallow: /a"), "/a", false);
    }
}

#[test]
fn r33_common_misspellings_are_understood() {
    for name in ["disalow", "dissallow", "dissalow", "diasllow", "disallaw", "desallow"] {
        check_rules(&format!("{name}: /a"), "/a", false);
    }
    for name in ["useragent", "user agent", "user_agent"] {
        check(format!("{name}: lookfar\nDisallow: /a"), "/a", false);
    }
    check("user-agent lookfar\ndisallow /a", "/a", false);
}

#[test]
fn r44_good_lines_count_between_broken_ones() {
    let file = b"<html>\n\0\xFF\xFE\nUser-agent: *\n: : :\nDisallow\nDis\0allow: /x\n\
                 Disallow: /a\n{\"a\": 1}\nAllow /a/b\n=====\n";
    check(file, "/a", false);
    check(file, "/a/b", true);
    check(file, "/x", true);
}

#[test]
fn r48_control_characters_make_a_line_worthless() {
    check_rules("Disallow: /a\0b\nDisallow: /c\u{1b}[2J", "/a", true);
    check_rules("Disallow: /c\u{1b}[2J", "/c%1B[2J", true);
    check_rules("Disallow: /a\u{7f}\nDisallow: /d", "/d", false);
}

#[test]
fn r49_a_byte_order_mark_at_the_start_is_skipped() {
    check("\u{feff}User-agent: *\nDisallow: /a", "/a", false);
    // Elsewhere it is part of a name that nobody knows.
    check("User-agent: *\n\u{feff}Disallow: /a", "/a", true);
}
