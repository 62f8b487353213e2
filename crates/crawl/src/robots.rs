//! robots.txt as RFC 9309 says it (C5, W14).
//!
//! Written by hand: of the crates that read robots.txt, none follows the standard in all of
//! its cases (the best one misses a dozen of Google's), and some take seconds for hostile
//! patterns. A rule is matched here in time linear in the pattern plus the path.

use std::time::Duration;

/// The rules that one robots.txt has for us.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Robots {
    rules: Vec<Rule>,
    /// Seconds asked for between requests, if it names a number.
    crawl_delay: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    /// Percent-encoding made normal; `*` and a final `$` are special.
    pattern: Vec<u8>,
}

/// Most rules kept of one file: 500 KiB of the shortest lines would be some 50,000.
const RULES: usize = 50_000;

impl Robots {
    /// Reads a file; lines that make no sense are passed over.
    pub(crate) fn parse(file: &[u8], token: &str) -> Self {
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let mut ours = Self::default();
        let mut everyone = Self::default();
        let mut found_ours = false;
        // Which of the two the present group is for, and whether its rules have begun.
        let (mut for_us, mut for_all, mut in_rules) = (false, false, false);
        for line in file.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let Some((name, value)) = field(line) else { continue };
            match name {
                Field::UserAgent => {
                    if in_rules {
                        (for_us, for_all, in_rules) = (false, false, false);
                    }
                    match value {
                        b"*" => for_all = true,
                        _ if is_token(value, token) => (for_us, found_ours) = (true, true),
                        _ => {}
                    }
                }
                Field::Allow | Field::Disallow => {
                    in_rules = true;
                    let rule = Rule { allow: name == Field::Allow, pattern: normal_pattern(value) };
                    if for_us {
                        ours.push(rule.clone());
                    }
                    if for_all {
                        everyone.push(rule);
                    }
                }
                Field::CrawlDelay => {
                    let seconds: Option<f64> =
                        std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                    let seconds = seconds.filter(|s| s.is_finite() && *s >= 0.0);
                    for (is_for, robots) in [(for_us, &mut ours), (for_all, &mut everyone)] {
                        if is_for {
                            robots.crawl_delay = seconds.or(robots.crawl_delay);
                        }
                    }
                }
            }
        }
        if found_ours { ours } else { everyone }
    }

    /// Returns whether a path with its query may be fetched.
    ///
    /// The longest matching rule decides; allow wins over an equally long disallow.
    pub(crate) fn allows(&self, path_and_query: &str) -> bool {
        if path_and_query == "/robots.txt" {
            return true;
        }
        let path = normal(path_and_query.as_bytes(), |byte| matches!(byte, b'*' | b'$'));
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        let best = matching.max_by_key(|rule| (rule.pattern.len(), rule.allow));
        best.is_none_or(|rule| rule.allow)
    }

    /// Returns the delay asked for, at most `longest`.
    pub(crate) fn crawl_delay(&self, longest: Duration) -> Duration {
        let seconds = self.crawl_delay.unwrap_or(0.0).min(longest.as_secs_f64());
        Duration::from_secs_f64(seconds)
    }

    fn push(&mut self, rule: Rule) {
        // An empty rule restricts nothing.
        if !rule.pattern.is_empty() && self.rules.len() < RULES {
            self.rules.push(rule);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
}

/// Splits a line into a field we know and its value, without comment and blanks.
fn field(line: &[u8]) -> Option<(Field, &[u8])> {
    let line = line.split(|byte| *byte == b'#').next()?;
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = line[..colon].trim_ascii().to_ascii_lowercase();
    let field = match name.as_slice() {
        // Common misspellings are understood.
        b"user-agent" | b"useragent" | b"user agent" => Field::UserAgent,
        b"allow" => Field::Allow,
        b"disallow" | b"dissallow" | b"dissalow" | b"disalow" | b"diasllow" | b"disallaw" => {
            Field::Disallow
        }
        b"crawl-delay" | b"crawldelay" => Field::CrawlDelay,
        _ => return None,
    };
    Some((field, line[colon + 1..].trim_ascii()))
}

/// Compares a user-agent line with our token: letters, `_` and `-` up to anything else.
fn is_token(value: &[u8], token: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let end = value.iter().position(|byte| !is_part(byte)).unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(token.as_bytes())
}

/// Makes the encoding of a rule normal: a `$` that is not at its end is a plain character.
fn normal_pattern(value: &[u8]) -> Vec<u8> {
    match value.strip_suffix(b"$") {
        Some(rest) => [normal(rest, |byte| byte == b'$'), b"$".to_vec()].concat(),
        None => normal(value, |byte| byte == b'$'),
    }
}

/// Percent-encodes what is not ASCII and what is `special`, decodes encoded unreserved
/// characters, upper-cases hex. So `%2A` in a rule meets a literal star in a path.
fn normal(text: &[u8], special: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let hex = |at: usize| text.get(at).and_then(|byte| (*byte as char).to_digit(16));
        let encoded = (byte == b'%').then(|| Some((hex(place + 1)?, hex(place + 2)?))).flatten();
        if let Some((high, low)) = encoded {
            let decoded = (high * 16 + low) as u8;
            if decoded.is_ascii_alphanumeric() || b"-._~".contains(&decoded) {
                out.push(decoded);
            } else {
                out.extend(format!("%{decoded:02X}").bytes());
            }
            place += 3;
        } else {
            if byte.is_ascii_graphic() && !special(byte) {
                out.push(byte);
            } else {
                out.extend(format!("%{byte:02X}").bytes());
            }
            place += 1;
        }
    }
    out
}

/// Matches a pattern from the first octet of the path on.
///
/// The pieces between stars are found one after the other, each at its first place: with only
/// `*` as a wildcard that is exact.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split(|byte| *byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut pieces: Vec<&[u8]> = pieces.collect();
    let last = pieces.pop();
    for piece in pieces {
        match find(rest, piece) {
            Some(place) => rest = &rest[place + piece.len()..],
            None => return false,
        }
    }
    match (last, anchored) {
        (None, anchored) => !anchored || rest.is_empty(),
        (Some(last), true) => rest.ends_with(last),
        (Some(last), false) => find(rest, last).is_some(),
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, path: &str, expected: bool) {
        let robots = Robots::parse(file.as_bytes(), "lookfar");
        assert_eq!(robots.allows(path), expected, "{path} under {file:?}");
    }

    #[test]
    fn w14_the_longest_rule_decides() {
        let file = "User-agent: *\nAllow: /searchhistory/\nDisallow: /search\n";
        check(file, "/searchhistory/x", true);
        check(file, "/search?q=", false);
        check(file, "/", true);
    }

    #[test]
    fn r10_r11_r13_groups_for_us_are_merged_and_stand_alone() {
        let file = "User-agent: *\nDisallow: /\n\nUser-agent: LookFar/2.0\nDisallow: /a\n\
                    user-agent: other\nuser-agent: lookfar\ndisallow: /b";
        check(file, "/a", false);
        check(file, "/b", false);
        check(file, "/c", true);
        check("User-agent: lookfar-news\nDisallow: /", "/c", true);
        check("User-agent: notlookfar\nDisallow: /", "/c", true);
    }

    #[test]
    fn r19_r20_r21_r25_edges() {
        check("User-agent: *\nDisallow: /a\nAllow: /a", "/a", true);
        check("User-agent: *\nDisallow:", "/a", true);
        check("User-agent: *\nDisallow: /", "/robots.txt", true);
        check("Disallow: /\nUser-agent: *\nAllow: /", "/a", true);
        check("User-agent: *\nCrawl-delay: 2\nSitemap: x\nUser-agent: b\nDisallow: /", "/a", false);
    }

    #[test]
    fn r22_r23_encoding_is_made_normal_on_both_sides() {
        check("User-agent: *\nDisallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false);
        check("User-agent: *\nDisallow: /ツ", "/%E3%83%84", false);
        check("User-agent: *\nDisallow: /a%2fb", "/a/b", true);
        check("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", false);
    }

    #[test]
    fn r28_r29_r30_stars_and_dollars() {
        let file = "User-agent: *\nDisallow: *.gif$\nDisallow: /p*q\nDisallow: /x$y";
        check(file, "/a/b.gif", false);
        check(file, "/a/b.gif?x", true);
        check(file, "/p/1/q/2", false);
        check(file, "/p", true);
        check(file, "/x$y", false);
        check("User-agent: *\nDisallow: /a%2Ab%24", "/a*b$", false);
        check("User-agent: *\nDisallow: /a%2Ab", "/axb", true);
        check("User-agent: *\nDisallow: /a*b*$", "/ab", false);
        check("User-agent: *\nDisallow: /*/b$", "/a/b/b", false);
    }

    #[test]
    fn r01_r02_r27_r33_r49_loose_writing() {
        check("\u{feff}useragent : *\r\rDISALLOW\t:\t/a # why\r\n", "/a", false);
        check("User-agent: *\nDisalow: /a", "/a", false);
        check("junk\n\0\nUser-agent: *\nnonsense: 1\nDisallow: /a", "/a", false);
    }

    #[test]
    fn rob_12_hostile_patterns_cost_little() {
        let file = format!("User-agent: *\nDisallow: /{}b", "*a".repeat(1000));
        check(&file, &format!("/{}", "a".repeat(2000)), true);
    }

    #[test]
    fn rob_13_crawl_delays_are_numbers_or_nothing() {
        let delay = |value: &str| {
            Robots::parse(format!("User-agent: *\nCrawl-delay: {value}").as_bytes(), "lookfar")
                .crawl_delay
        };
        assert_eq!(delay("10"), Some(10.0));
        assert_eq!(delay("0.5"), Some(0.5));
        assert_eq!(delay("1e9"), Some(1e9));
        assert_eq!((delay("-5"), delay("abc"), delay("NaN")), (None, None, None));
    }
}
