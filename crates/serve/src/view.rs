//! From what `rank` found to what people read: addresses, dates, numbers, links.
//!
//! Everything here is plain text; the templates escape it. Nothing here is markup.

use std::fmt::Write as _;

use base::{Timestamp, Url};
use rank::{Hit, Segment};

use crate::LinkRewrite;
use crate::params::is_trick;

/// Longest title shown, in characters.
const TITLE_CHARS: usize = 120;
/// Longest step of an address shown, in characters.
const STEP_CHARS: usize = 40;
/// Steps of an address shown; what lies between the first and the last is cut.
const STEPS: usize = 3;

/// One result as it is shown.
pub(crate) struct HitView<'a> {
    /// Where the link leads.
    pub(crate) href: String,
    /// Host, with a port if it has one.
    pub(crate) host: String,
    /// Path, step by step.
    pub(crate) steps: Vec<String>,
    pub(crate) title: String,
    pub(crate) segments: &'a [Segment],
    pub(crate) fetched: Option<Date>,
    pub(crate) language: Option<&'a str>,
    /// Value of the `dir` attribute.
    pub(crate) direction: &'static str,
}

impl<'a> HitView<'a> {
    pub(crate) fn new(hit: &'a Hit, rewrites: &[LinkRewrite]) -> Self {
        let port = hit.url.explicit_port().map(|port| format!(":{port}")).unwrap_or_default();
        Self {
            href: href(&hit.url, rewrites),
            host: format!("{}{port}", hit.url.host_str()),
            steps: steps(&hit.url),
            title: shorten(&visible(&hit.title), TITLE_CHARS),
            segments: &hit.snippet.segments,
            fetched: hit.fetched.map(Date::new),
            language: hit.language.as_deref(),
            direction: direction(hit.language.as_deref()),
        }
    }
}

/// A day, for machines and for people.
pub(crate) struct Date {
    /// `2026-11-16`
    pub(crate) machine: String,
    /// `16 Nov 2026`
    pub(crate) human: String,
}

impl Date {
    fn new(moment: Timestamp) -> Self {
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let text = moment.compact();
        let (year, month, day) = (&text[..4], &text[4..6], text[6..8].trim_start_matches('0'));
        let name = month.parse::<usize>().ok().and_then(|month| MONTHS.get(month - 1));
        let human = format!("{day} {} {year}", name.expect("months are 01 to 12"));
        Self { machine: moment.rfc3339()[..10].to_owned(), human }
    }
}

/// Returns the address to link to; `base::Url` holds only http and https (WEB-03).
pub(crate) fn href(url: &Url, rewrites: &[LinkRewrite]) -> String {
    let host = url.host_str();
    for rewrite in rewrites {
        if let Some(stem) = host.strip_suffix(rewrite.suffix.as_str()) {
            let (scheme, rest) = (url.scheme(), url.path_and_query());
            return format!("{scheme}://{stem}{}{rest}", rewrite.replacement);
        }
    }
    url.as_str().to_owned()
}

/// Returns which way a language is written. Where it is not known to run from right to left, the
/// browser looks at the first letters; it would be wrong about a title that begins with a name
/// in Latin letters.
fn direction(language: Option<&str>) -> &'static str {
    match language {
        Some("ar" | "arc" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi") => "rtl",
        _ => "auto",
    }
}

/// Returns the path as people read it: decoded where that is safe, long parts cut.
fn steps(url: &Url) -> Vec<String> {
    let mut steps: Vec<String> =
        url.path().split('/').filter(|step| !step.is_empty()).map(readable).collect();
    if let Some((_, query)) = url.path_and_query().split_once('?') {
        let last = steps.pop().unwrap_or_default();
        steps.push(format!("{last}?{}", readable(query)));
    }
    for step in &mut steps {
        *step = shorten(step, STEP_CHARS);
    }
    if steps.len() > STEPS {
        steps.splice(1..steps.len() - (STEPS - 2), ["…".to_owned()]);
    }
    steps
}

/// Undoes percent-encoding, unless something would come out that cannot be seen or would read
/// as another step of the path.
fn readable(text: &str) -> String {
    let decoded = crate::params::decode_percent(text);
    let is_safe = |text: &String| {
        let is_bad = |c: char| c.is_control() || c.is_whitespace() || is_trick(c) || c == '/';
        !text.contains(is_bad)
    };
    decoded.filter(is_safe).unwrap_or_else(|| text.to_owned())
}

/// Returns the text without characters that only change how others are read.
fn visible(text: &str) -> String {
    text.chars().filter(|&character| !is_trick(character)).collect()
}

fn shorten(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns the path of a result page of ours.
pub(crate) fn search_path(query: &str, offset: usize) -> String {
    let mut path = "/search?q=".to_owned();
    for byte in query.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                path.push(char::from(byte));
            }
            b' ' => path.push('+'),
            _ => write!(path, "%{byte:02X}").expect("writing to a String does not fail"),
        }
    }
    if offset > 0 {
        write!(path, "&offset={offset}").expect("writing to a String does not fail");
    }
    path
}

/// Returns `1204` as `1,204`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[track_caller]
    fn check_steps(address: &str, expected: &[&str]) {
        assert_eq!(steps(&url(address)), expected, "{address}");
    }

    #[test]
    fn addresses_read_as_steps() {
        check_steps("http://a.example/", &[]);
        check_steps("http://a.example/big/cats.html", &["big", "cats.html"]);
        check_steps("http://a.example/a/b/c/d", &["a", "…", "d"]);
        check_steps("http://a.example/s?x=1", &["s?x=1"]);
        check_steps("http://a.example/?x=1", &["?x=1"]);
        check_steps("http://a.example/caf%C3%A9", &["café"]);
    }

    #[test]
    fn addresses_hide_nothing() {
        check_steps("http://a.example/%E2%80%AEgpj.exe", &["%E2%80%AEgpj.exe"]);
        check_steps("http://a.example/a%2Fb%0A", &["a%2Fb%0A"]);
        check_steps("http://a.example/%FF", &["%FF"]);
    }

    #[test]
    fn links_lead_to_the_public_name() {
        let rewrites = [LinkRewrite {
            suffix: ".lookfar".to_owned(),
            replacement: ".localhost:7780".to_owned(),
        }];
        let check = |from: &str, to: &str| assert_eq!(href(&url(from), &rewrites), to);
        check("http://zoo.lookfar/a?b=c", "http://zoo.localhost:7780/a?b=c");
        check("http://zoo.lookfar:8080/", "http://zoo.localhost:7780/");
        check("http://zoo.lookfar.example/a", "http://zoo.lookfar.example/a");
        check("http://notlookfar/", "http://notlookfar/");
    }

    #[test]
    fn numbers_and_days_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_204), "1,204");
        assert_eq!(grouped(12_345_678), "12,345,678");
        let date = Date::new(Timestamp::from_millis(1_762_000_000_000));
        assert_eq!((date.machine.as_str(), date.human.as_str()), ("2025-11-01", "1 Nov 2025"));
    }

    #[test]
    fn our_links_carry_any_query() {
        assert_eq!(
            search_path("a&b=\"c d\" <é", 10),
            "/search?q=a%26b%3D%22c+d%22+%3C%C3%A9&offset=10"
        );
    }

    #[test]
    fn long_titles_are_cut_and_turned_ones_are_not() {
        assert_eq!(shorten("abcdef", 3), "abc…");
        assert_eq!(shorten("ÆØÅ", 3), "ÆØÅ");
        assert_eq!(visible("a\u{202E}b"), "ab");
    }
}
