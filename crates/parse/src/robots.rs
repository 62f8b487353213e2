//! What a page asks of robots (C6): `<meta name=robots>` and `X-Robots-Tag`.
//!
//! Wishes add up: the strictest of all of them holds, whoever says it (HTM-12, HTTP-23). A meta
//! counts wherever it stands in the tree; in comments, `<noscript>` and `<template>` there is
//! none (HTM-13). A page may ask to be left out from a moment on (`unavailable_after`); the
//! earliest of several counts. It may limit how much of its text is shown (`max-snippet`).

use base::{RobotsFlags, Timestamp};

use crate::date;

/// Fields and directives looked at: more of them say nothing new.
const MOST_DIRECTIVES: usize = 256;

/// Adds the directives of one `content` to what was asked before.
pub(crate) fn add(content: &str, flags: &mut RobotsFlags) {
    for directive in content.split([',', ' ', '\t', '\n', '\r', ';']).take(MOST_DIRECTIVES) {
        apply(directive, flags);
    }
}

fn apply(directive: &str, flags: &mut RobotsFlags) {
    let is = |name: &str| directive.eq_ignore_ascii_case(name);
    flags.noindex |= is("noindex") || is("none");
    flags.nofollow |= is("nofollow") || is("none");
    flags.nosnippet |= is("nosnippet") || is("max-snippet:0");
    flags.noarchive |= is("noarchive") || is("nocache");
}

/// Returns from when on a page asks to be left out (HTM-11):
/// `unavailable_after: 25 Jun 2010 15:00:00 PST`.
pub(crate) fn until(content: &str) -> Option<Timestamp> {
    const NAME: &str = "unavailable_after";
    let content = base::limits::cut(content, 1_024);
    let place = content.to_ascii_lowercase().find(NAME)?;
    let mut rest = content[place + NAME.len()..].trim_start().trim_start_matches(':');
    // Commas stand in dates and between directives; the longest piece that is a date counts.
    loop {
        if let Some(end) = date::parse(rest) {
            return Some(end);
        }
        (rest, _) = rest.rsplit_once(',')?;
    }
}

/// Returns how many characters of a page may be shown at a time, the fewest if there are several:
/// `max-snippet:50`. Without a number, or with -1, there is no limit.
pub(crate) fn snippet_chars(content: &str) -> Option<u32> {
    const NAME: &str = "max-snippet";
    let content = base::limits::cut(content, 4_096).to_ascii_lowercase();
    let number = |(place, _): (usize, &str)| {
        let rest = content[place + NAME.len()..].trim_start();
        let rest = rest.strip_prefix([':', '='])?.trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        // More digits than a number holds are as good as no limit.
        rest[..end].parse().ok()
    };
    content.match_indices(NAME).take(MOST_DIRECTIVES).filter_map(number).min()
}

/// Like [`snippet_chars`], of an `X-Robots-Tag` field.
pub(crate) fn snippet_chars_of_field(field: &str, agent: &str) -> Option<u32> {
    if is_for_others(field, agent) { None } else { snippet_chars(field) }
}

/// Like [`until`], of an `X-Robots-Tag` field.
pub(crate) fn until_of_field(field: &str, agent: &str) -> Option<Timestamp> {
    if is_for_others(field, agent) { None } else { until(field) }
}

/// Returns whether a field begins with the name of another robot.
fn is_for_others(field: &str, agent: &str) -> bool {
    let name = field.split([':', ',']).next().unwrap_or_default().trim();
    field.trim_start()[name.len()..].trim_start().starts_with(':')
        && !VALUED.iter().any(|valued| name.eq_ignore_ascii_case(valued))
        && !name.eq_ignore_ascii_case(agent)
}

/// Returns what the `X-Robots-Tag` fields ask of `agent` and of everyone.
pub(crate) fn of_header(fields: &[&str], agent: &str) -> RobotsFlags {
    let mut flags = RobotsFlags::default();
    for field in fields.iter().take(MOST_DIRECTIVES) {
        // `otherbot: noindex, nofollow` binds all that follows in this field to that name.
        let mut is_ours = true;
        for part in field.split(',').take(MOST_DIRECTIVES) {
            let mut directive = part.trim();
            if let Some((name, rest)) = directive.split_once(':')
                && !VALUED.iter().any(|valued| name.trim().eq_ignore_ascii_case(valued))
            {
                is_ours = name.trim().eq_ignore_ascii_case(agent);
                directive = rest.trim();
            }
            if is_ours {
                add(directive, &mut flags);
            }
        }
    }
    flags
}

/// Directives that carry a value behind a colon, and so are no names of robots.
const VALUED: [&str; 5] =
    ["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after", "crawl-delay"];

/// Returns whether a `<meta name>` speaks to us.
pub(crate) fn is_for(name: &str, agent: &str) -> bool {
    let name = name.trim();
    name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &[&str], expected: &str) {
        let flags = of_header(fields, "lookfar");
        let mut found = String::new();
        for (is_set, letter) in [
            (flags.noindex, 'i'),
            (flags.nofollow, 'f'),
            (flags.nosnippet, 's'),
            (flags.noarchive, 'a'),
        ] {
            if is_set {
                found.push(letter);
            }
        }
        assert_eq!(found, expected, "{fields:?}");
    }

    #[test]
    fn http_23_header_directives_are_obeyed() {
        check(&["noindex"], "i");
        check(&["NoIndex, NOFOLLOW"], "if");
        check(&["noarchive", "nosnippet"], "sa");
        check(&["lookfar: noindex"], "i");
        check(&["LookFar: noindex, nofollow"], "if");
        check(&["otherbot: noindex, nofollow"], "");
        check(&["otherbot: noindex, lookfar: nofollow"], "f");
        check(&["otherbot: noindex", "none"], "if");
        check(&["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], "i");
        check(&["max-snippet:0"], "s");
        check(&["", ":", "index, follow", "all"], "");
    }

    #[test]
    fn htm_11_the_smallest_limit_of_what_is_shown_counts() {
        for (content, expected) in [
            ("max-snippet:50", Some(50)),
            ("noarchive, MAX-SNIPPET : 50 , max-snippet:20", Some(20)),
            ("max-snippet:0", Some(0)),
            ("max-snippet:-1", None),
            ("max-snippet", None),
            ("max-snippet:many", None),
            ("max-snippet:99999999999999999999", None),
            ("max-image-preview:large", None),
            ("", None),
        ] {
            assert_eq!(snippet_chars(content), expected, "{content}");
        }
        let of_field = |field| snippet_chars_of_field(field, "lookfar");
        assert_eq!(of_field("max-snippet: 50"), Some(50));
        assert_eq!(of_field("lookfar: max-snippet: 50"), Some(50));
        assert_eq!(of_field("otherbot: max-snippet: 50"), None);
    }
}
