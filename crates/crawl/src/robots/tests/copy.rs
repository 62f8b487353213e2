//! What answers to the question for a robots.txt mean. Ticks HTTP-11, HTTP-13, HTTP-14 for this
//! file, ROB-01, ROB-02, ROB-04, ROB-05, R36, R40–R43, R45–R47.

use std::io::Write;

use archive::Cut;
use base::{Timestamp, Url};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

use super::{DAY, HOUR, NOW};
use crate::robots::copy::Answer;
use crate::robots::{Copy, Robots};

fn headers(fields: &[(&str, &str)]) -> HeaderMap {
    let fields = fields.iter().map(|(name, value)| {
        let name: HeaderName = name.parse().unwrap();
        (name, HeaderValue::from_bytes(value.as_bytes()).unwrap())
    });
    fields.collect()
}

fn answer(status: u16, body: &[u8]) -> Answer {
    Copy::of_response(status, &HeaderMap::new(), body, None, NOW)
}

#[track_caller]
fn rules(answer: Answer) -> Copy {
    match answer {
        Answer::Rules(copy) => copy,
        other => panic!("not rules: {other:?}"),
    }
}

fn copy(fields: &[(&str, &str)]) -> Copy {
    let body = b"User-agent: *\nDisallow: /a";
    rules(Copy::of_response(200, &headers(fields), body, None, NOW))
}

#[test]
fn r36_a_file_that_was_read_is_kept_as_it_is() {
    for status in [200, 201, 203, 204, 299] {
        assert_eq!(rules(answer(status, b"Disallow: /")).body, b"Disallow: /");
    }
}

#[test]
fn r40_rob_04_4xx_is_no_restriction_and_429_is_unreachable() {
    for status in (400..500).filter(|status| *status != 429) {
        // The body of an error page holds no rules, whatever it says.
        let copy = rules(answer(status, b"User-agent: *\nDisallow: /"));
        assert!(Robots::parse(&copy.body, "lookfar").allows("/a"), "{status}");
    }
    assert_eq!(answer(429, b""), Answer::Unreachable);
}

#[test]
fn r41_rob_05_server_errors_and_cut_bodies_are_unreachable() {
    for status in 500..600 {
        assert_eq!(answer(status, b"User-agent: *\nAllow: /"), Answer::Unreachable, "{status}");
    }
    for cut in [Cut::Time, Cut::Disconnect] {
        let body = b"User-agent: *\nAllow: /\n";
        let answer = Copy::of_response(200, &HeaderMap::new(), body, Some(cut), NOW);
        assert_eq!(answer, Answer::Unreachable);
    }
    // Part of a compressed file, and a coding that we do not know.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all("User-agent: *\nDisallow: /a\n".repeat(100).as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    let gzip = headers(&[("content-encoding", "gzip")]);
    let broken = &packed[..packed.len() - 12];
    assert_eq!(Copy::of_response(200, &gzip, broken, None, NOW), Answer::Unreachable);
    let whole = rules(Copy::of_response(200, &gzip, &packed, None, NOW));
    assert_eq!(whole.body.len(), 2_700);
    let unknown = headers(&[("content-encoding", "compress")]);
    assert_eq!(Copy::of_response(200, &unknown, b"x", None, NOW), Answer::Unreachable);
}

#[test]
fn r42_odd_statuses_are_unreachable() {
    for status in [0, 100, 101, 199, 206, 300, 301, 305, 399, 600, 999] {
        assert_eq!(answer(status, b"User-agent: *\nAllow: /"), Answer::Unreachable, "{status}");
    }
}

#[test]
fn r43_a_copy_is_usable_for_30_days() {
    let copy = copy(&[]);
    assert!(copy.stamp().is_usable(NOW.plus(DAY * 29)));
    assert!(!copy.stamp().is_usable(NOW.plus(DAY * 30)));
}

#[test]
fn r45_a_copy_is_fresh_for_a_day_and_cache_control_only_shortens_that() {
    #[track_caller]
    fn check(fields: &[(&str, &str)], hours: u32) {
        let copy = copy(fields);
        let end = NOW.plus(HOUR * hours);
        let before = Timestamp::from_millis(end.as_millis() - 1);
        assert!(copy.stamp().is_fresh(before) && !copy.stamp().is_fresh(end), "{fields:?}");
    }
    check(&[], 24);
    check(&[("cache-control", "max-age=31536000")], 24);
    check(&[("cache-control", "max-age=99999999999999999999")], 24);
    check(&[("cache-control", "public, MAX-AGE=7200")], 2);
    check(&[("cache-control", "max-age=\"7200\"")], 2);
    check(&[("cache-control", "max-age=7200"), ("cache-control", "max-age=10800")], 2);
    check(&[("cache-control", "max-age=14400"), ("age", "7200")], 2);
    // No sooner than in an hour.
    for value in ["no-cache", "no-store, max-age=86400", "max-age=0", "max-age=60, public"] {
        check(&[("cache-control", value)], 1);
    }
    for value in ["max-age=-5", "max-age=soon", "max-age", "immutable", ",,=,=;", "\u{e9}"] {
        check(&[("cache-control", value)], 24);
    }
}

#[test]
fn r45_and_sto_14_a_clock_that_was_put_back_does_not_keep_a_copy_fresh() {
    let copy = copy(&[]);
    assert!(copy.stamp().is_fresh(NOW));
    assert!(!copy.stamp().is_fresh(Timestamp::from_millis(0)));
}

#[test]
fn r46_the_question_is_conditional_and_304_renews_the_day() {
    let date = "Tue, 15 Nov 1994 12:45:26 GMT";
    let old = copy(&[("etag", "\"v1\""), ("last-modified", date)]);
    let sent: Vec<(String, String)> = (old.conditions().into_iter())
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    let expected = [("if-none-match", "\"v1\""), ("if-modified-since", date)];
    assert_eq!(sent, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));

    let later = NOW.plus(DAY * 2);
    let fields = headers(&[("etag", "W/\"v2\""), ("cache-control", "max-age=7200")]);
    let answer = Copy::of_response(304, &fields, b"", None, later);
    assert_eq!(answer, Answer::NotModified);
    let renewed = answer.settled(Some(&old), &fields, later).unwrap();
    assert_eq!(renewed.body, old.body);
    assert!(
        renewed.stamp().is_fresh(later.plus(HOUR))
            && !renewed.stamp().is_fresh(later.plus(HOUR * 2))
    );
    assert_eq!(renewed.conditions()[0].1, "W/\"v2\"");
    assert_eq!(renewed.conditions()[1].1, date);
    // A 304 that says nothing new about caching leaves what was said.
    let again = renewed.renewed(later.plus(DAY), &HeaderMap::new());
    assert!(!again.stamp().is_fresh(later.plus(DAY + HOUR * 2)));
}

#[test]
fn http_11_a_304_that_was_not_asked_for_is_not_trusted() {
    let none = HeaderMap::new();
    assert_eq!(Answer::NotModified.settled(None, &none, NOW), None);
    assert_eq!(Answer::NotModified.settled(Some(&copy(&[])), &none, NOW), None);
    assert_eq!(Answer::Unreachable.settled(Some(&copy(&[])), &none, NOW), None);
}

#[test]
fn http_13_only_sound_entity_tags_are_sent_back() {
    let long = format!("\"{}\"", "x".repeat(1_022));
    let sound = ["\"\"", "\"a\"", "W/\"a-b:c\"", "\"!#\\~\"", &long];
    for tag in sound {
        assert_eq!(copy(&[("etag", tag)]).conditions()[0].1, tag);
    }
    let longer = format!("\"{}\"", "x".repeat(1_023));
    let longest = format!("\"{}\"", "x".repeat(64 * 1024));
    let bad = ["", "a", "\"", "\"a", "a\"", "\"a\"b\"", "w/\"a\"", "\"a b\"", "\"é\"", "\"a\tb\""];
    for tag in bad.into_iter().chain([&*longer, &longest]) {
        assert!(copy(&[("etag", tag)]).conditions().is_empty(), "{tag:?}");
    }
}

#[test]
fn http_14_only_possible_dates_are_sent_back() {
    let conditions = |date: &str| copy(&[("last-modified", date)]).conditions().len();
    assert_eq!(conditions("Tue, 15 Nov 1994 12:45:26 GMT"), 1);
    for date in [
        "Mon, 01 Jan 1601 00:00:00 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Fri, 31 Dec 2049 23:59:59 GMT",
        "Tue, 15 Nov 1994 12:45:26 CET",
        "yesterday",
        "0",
        "",
    ] {
        assert_eq!(conditions(date), 0, "{date:?}");
    }
}

#[test]
fn r46_that_there_is_no_file_is_asked_without_conditions() {
    let fields = headers(&[("etag", "\"404\"")]);
    let missing = rules(Copy::of_response(404, &fields, b"", None, NOW));
    assert!(missing.conditions().is_empty());
}

/// A file whose rule `/before` ends at the limit of 500 KiB, and what comes after that.
fn full_file(after: &str) -> Vec<u8> {
    let (first, last) = ("User-agent: *\n", "\nDisallow: /before");
    let filling = 512_000 - first.len() - last.len();
    let file = format!("{first}{}{last}", "#".repeat(filling));
    assert_eq!(file.len(), 512_000);
    (file + after).into_bytes()
}

#[test]
fn rob_01_r47_500_kib_are_read_and_half_a_line_is_dropped() {
    #[track_caller]
    fn check(after: &str, path: &str, allowed: bool) {
        let mut file = full_file(after);
        // As the fetcher reads it: one octet more than we use.
        let cut = (file.len() > 512_001).then_some(Cut::Length);
        file.truncate(512_001);
        let copy = rules(Copy::of_response(200, &HeaderMap::new(), &file, cut, NOW));
        assert!(copy.body.len() <= 512_000);
        assert_eq!(Robots::parse(&copy.body, "lookfar").allows(path), allowed, "{after:?}");
    }
    check("", "/before", false);
    check("\n", "/before", false);
    check("\r\nDisallow: /after\n", "/before", false);
    check("\nDisallow: /after\n", "/after", true);
    // The rule goes on behind the limit: what it forbids is not known.
    check("-and-more", "/before", true);
}

#[test]
fn rob_02_rules_of_an_endless_file_are_used_as_far_as_they_were_read() {
    let file = "User-agent: *\nDisallow: /a\n".to_owned() + &"# and so on\n".repeat(50_000);
    let body = &file.as_bytes()[..512_001];
    let copy = rules(Copy::of_response(200, &HeaderMap::new(), body, Some(Cut::Length), NOW));
    assert!(!Robots::parse(&copy.body, "lookfar").allows("/a"));
    // Packed ones end at the same place.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(file.as_bytes()).unwrap();
    gzip.write_all("#".repeat(20 << 20).as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    let fields = headers(&[("content-encoding", "gzip")]);
    let unpacked = rules(Copy::of_response(200, &fields, &packed, None, NOW));
    assert_eq!(unpacked.body.len(), copy.body.len());
    // One endless line is no rule.
    let line = vec![b'x'; 512_001];
    let copy = rules(Copy::of_response(200, &HeaderMap::new(), &line, Some(Cut::Length), NOW));
    assert_eq!(copy.body, b"");
}

#[test]
fn an_explanation_names_line_rule_and_age() {
    let url = |path: &str| Url::parse(&format!("http://a.example{path}")).unwrap();
    let two_hours = NOW.plus(HOUR * 2);
    let copy = copy(&[]);
    assert_eq!(
        copy.explain(&url("/abc"), "lookfar", two_hours),
        "robots.txt of http://a.example (read 2 h ago): line 2 `Disallow: /a` forbids it"
    );
    assert_eq!(
        copy.explain(&url("/b"), "lookfar", NOW.plus(DAY * 3)),
        "robots.txt of http://a.example (read 3 days ago, to be asked again): \
         no rule for us is about it, so it is allowed"
    );
    let missing = rules(answer(404, b""));
    assert_eq!(
        missing.explain(&url("/b"), "lookfar", NOW),
        "robots.txt of http://a.example (read 0 min ago): \
         there is none (status 404), so it is allowed"
    );
    let html = rules(answer(200, b"<html>"));
    let said = html.explain(&url("/b"), "lookfar", NOW);
    assert!(said.ends_with("it has no group for any crawler, so it is allowed"), "{said}");
}

#[test]
fn a_cut_copy_is_an_error() {
    let whole = copy(&[("etag", "\"v1\""), ("last-modified", "Tue, 15 Nov 1994 12:45:26 GMT")]);
    let bytes = postcard::to_stdvec(&whole).unwrap();
    for end in 0..bytes.len() {
        assert!(postcard::from_bytes::<Copy>(&bytes[..end]).is_err(), "cut at {end}");
    }
}

proptest! {
    #[test]
    fn stored_copies_come_back(body in prop::collection::vec(any::<u8>(), 0..200), etag in "[!#-~]{0,20}") {
        let fields = headers(&[("etag", &format!("\"{etag}\"")), ("cache-control", "max-age=9999")]);
        let copy = rules(Copy::of_response(200, &fields, &body, None, NOW));
        let bytes = postcard::to_stdvec(&copy).unwrap();
        prop_assert_eq!(postcard::from_bytes(&bytes), Ok(copy));
    }
}
