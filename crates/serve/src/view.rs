//! From what `rank` found to what people read: addresses, dates, numbers, links.
//!
//! Everything here is plain text; the templates escape it. Nothing here is markup.

use std::fmt::Write as _;

use base::{Timestamp, Url};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rank::query::Filter;
use rank::{Hit, Part};

use crate::copy::copy_path;
use crate::params::{Params, QUERY_BYTES, is_trick};
use crate::pieces::{Piece, pieces};
use crate::tongue::{Said, Tongue};
use crate::wishes::Regard;
use crate::{LinkRewrite, host, names};

/// Longest title shown, in characters.
pub(crate) const TITLE_CHARS: usize = 120;
/// Longest step of an address shown, in characters.
const STEP_CHARS: usize = 40;
/// Steps of an address shown; what lies between the first and the last is cut.
const STEPS: usize = 3;

/// How results are shown.
pub(crate) struct Look<'a> {
    pub(crate) params: &'a Params,
    pub(crate) rewrites: &'a [LinkRewrite],
    pub(crate) tongue: Tongue,
}

/// One result as it is shown.
pub(crate) struct HitView<'a> {
    /// Its place in the list, counted from 1.
    pub(crate) place: usize,
    /// Where the link leads.
    pub(crate) href: String,
    /// Host, with a port if it has one.
    pub(crate) host: String,
    /// Path, step by step.
    pub(crate) steps: Vec<String>,
    pub(crate) title: String,
    /// What its page says, in pieces.
    pub(crate) pieces: Vec<Piece<'a>>,
    /// The page's own date.
    pub(crate) date: Option<Date>,
    pub(crate) fetched: Option<Date>,
    /// Where its copy is.
    pub(crate) copy: Option<String>,
    /// Near copies that are folded into it: how many, and where they are shown.
    pub(crate) similar: Option<(String, String)>,
    /// The site of which there is more, and where.
    pub(crate) more: Option<(String, String)>,
    /// Where pages like it are.
    pub(crate) related: Option<String>,
    /// How many sites describe it, for a page that was never fetched.
    pub(crate) described: Option<String>,
    /// Why it is like the page that the query names.
    pub(crate) alike: Option<String>,
    /// Where its score is explained.
    pub(crate) why: String,
    /// What the score is made of, if that was asked for.
    pub(crate) reasons: Vec<Reason>,
    /// What links say of it, if that was asked for.
    pub(crate) remarks: Vec<Said>,
    pub(crate) score: String,
    /// Language of its text, where that is not the page's.
    pub(crate) language: Option<&'a str>,
    /// Which way its text is written, where that is not the page's way.
    pub(crate) direction: Option<&'static str>,
    /// Its site, as preferences name it.
    pub(crate) site: &'a str,
    /// The sites, with spaces between them, by which the visitor's preferences hold it; they may be
    /// wider or narrower than its own.
    pub(crate) preferred: Option<String>,
    pub(crate) lowered: Option<String>,
    pub(crate) blocked: Option<String>,
}

impl<'a> HitView<'a> {
    pub(crate) fn new(hit: &'a Hit, place: usize, look: &Look<'_>) -> Self {
        let Look { params, rewrites, tongue } = *look;
        let (words, wishes) = (tongue.words(), &params.page.wishes);
        let query = params.query.as_deref().unwrap_or_default();
        let unfolded = || beside(query, 0) + "&folded=0" + &params.choices();
        let similar = (hit.similar > 0)
            .then(|| (tongue.count(&words.copies, hit.similar.into()), unfolded()));
        let page = hit.page.filter(|_| hit.has_copy);
        let is_explained = params.explain || params.page.why == Some(place);
        let here = beside(query, params.offset) + &params.kept();
        Self {
            place,
            href: href(&hit.url, rewrites),
            host: host_of(&hit.url),
            steps: steps(&hit.url),
            title: shorten(&visible(&hit.title), TITLE_CHARS),
            pieces: pieces(&hit.snippet.segments, direction(hit.language.as_deref())),
            date: hit.date.map(|date| Date::new(date, tongue)),
            fetched: hit.fetched.map(|date| Date::new(date, tongue)),
            copy: page.map(|page| copy_path(page, &here)),
            similar,
            more: if hit.held_back > 0 { more(&hit.site, query, params) } else { None },
            related: hit.page.and_then(|_| related(hit, params)),
            described: hit.described_by.map(|sites| tongue.count(&words.described, sites)),
            alike: (!hit.reasons.is_empty()).then(|| visible(&tongue.likenesses(&hit.reasons))),
            why: format!("{here}&why={place}#r{place}"),
            reasons: if is_explained { reasons(hit, tongue) } else { Vec::new() },
            remarks: match is_explained {
                true => hit.remarks.iter().map(|remark| tongue.remark(remark)).collect(),
                false => Vec::new(),
            },
            score: tongue.decimal(hit.score.into(), 2),
            language: hit.language.as_deref().filter(|code| *code != tongue.code()),
            direction: Some(direction(hit.language.as_deref()))
                .filter(|direction| *direction != tongue.direction()),
            site: &hit.site,
            preferred: wishes.holding(Regard::Preferred, &hit.url),
            lowered: wishes.holding(Regard::Lowered, &hit.url),
            blocked: wishes.holding(Regard::Blocked, &hit.url),
        }
    }

    /// Returns whether what we say of it must be told apart from what it says.
    pub(crate) fn is_foreign(&self) -> bool {
        self.language.is_some() || self.direction.is_some()
    }
}

/// One reason for a score, as it is shown.
pub(crate) struct Reason {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    /// Language of the meaning.
    pub(crate) language: &'static str,
    pub(crate) raw: String,
    pub(crate) weight: String,
    pub(crate) value: String,
    /// In percent, for people and for a bar.
    pub(crate) share: String,
    pub(crate) percent: u32,
    /// Whether it takes something away.
    pub(crate) is_minus: bool,
}

/// Returns the reasons for a score, the strongest first; what adds nothing comes last.
fn reasons(hit: &Hit, tongue: Tongue) -> Vec<Reason> {
    let mut parts: Vec<&Part> = hit.parts.iter().collect();
    parts.sort_by(|one, other| other.value.abs().total_cmp(&one.value.abs()));
    let meanings = &tongue.words().why.meanings;
    let reason = |part: &&Part| {
        let own = meanings.of(part.name);
        let share = part.share(&hit.parts);
        Reason {
            name: part.name,
            meaning: own.unwrap_or_else(|| part.meaning()),
            language: if own.is_some() { tongue.code() } else { "en" },
            raw: tongue.decimal(part.raw.into(), 2),
            weight: tongue.decimal(part.weight.into(), 2),
            value: tongue.decimal(part.value.into(), 2),
            share: tongue.percent(share.into()),
            percent: (100.0 * share).round() as u32,
            is_minus: part.value < 0.0,
        }
    };
    parts.iter().map(reason).collect()
}

/// Returns a site and where more of it is found; `None` if it cannot be asked for.
///
/// The site is a parameter and not a part of the query: behind `a OR b`, `a NOT` or a quote that is
/// left open it would be another question.
fn more(site: &str, query: &str, params: &Params) -> Option<(String, String)> {
    let narrow = params.narrow.with("site", Some(site));
    narrow.get("site")?;
    let (host, folder) = site.split_at(site.find('/').unwrap_or(site.len()));
    let narrowed = Params { narrow, ..params.clone() };
    Some((host::shown(host) + folder, beside(query, 0) + &narrowed.choices()))
}

/// Returns where pages like a result are; `None` if its address cannot be asked for.
fn related(hit: &Hit, params: &Params) -> Option<String> {
    let query = Filter::parse("related", hit.url.as_str())?.to_string();
    let ui = params.page.tongue.map(|tongue| format!("&ui={}", tongue.code())).unwrap_or_default();
    (query.len() <= QUERY_BYTES).then(|| beside(&query, 0) + &ui)
}

/// A day, for machines and for people.
pub(crate) struct Date {
    /// `2026-11-16`
    pub(crate) machine: String,
    /// `16 Nov 2026`
    pub(crate) human: String,
}

impl Date {
    pub(crate) fn new(moment: Timestamp, tongue: Tongue) -> Self {
        Self { machine: moment.rfc3339()[..10].to_owned(), human: tongue.day(moment) }
    }
}

/// Returns a host as people read it, with a port if it has one.
pub(crate) fn host_of(url: &Url) -> String {
    let port = url.explicit_port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", host::shown(url.host_str()))
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

/// Returns which way a language is written. Where it is not known, the browser looks at the first
/// letters; it would be wrong about a title that begins with a name in Latin letters.
pub(crate) fn direction(language: Option<&str>) -> &'static str {
    match language {
        Some("ar" | "arc" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi") => "rtl",
        Some(code) if names::language(code).is_some() => "ltr",
        _ => "auto",
    }
}

/// Returns a whole address as people read it.
pub(crate) fn trail(url: &Url) -> String {
    let mut trail = vec![host_of(url)];
    trail.append(&mut steps(url));
    trail.join(" › ")
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
pub(crate) fn visible(text: &str) -> String {
    text.chars().filter(|&character| !is_trick(character)).collect()
}

/// Cuts a text after so many characters.
pub(crate) fn shorten(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns the path of a result page of ours.
pub(crate) fn search_path(query: &str, offset: usize) -> String {
    paged_path("/search", query, offset)
}

/// Returns the same as a link on a result page: relative to it, because a page has dozens of them.
pub(crate) fn beside(query: &str, offset: usize) -> String {
    paged_path("", query, offset)
}

/// Returns the path of a page of ours that answers a query, from some place in the list on.
pub(crate) fn paged_path(page: &str, query: &str, offset: usize) -> String {
    let mut path = format!("{page}?q={}", encode(query));
    if offset > 0 {
        write!(path, "&offset={offset}").expect("writing to a String does not fail");
    }
    path
}

/// Returns the path of the same results as a feed.
pub(crate) fn feed_path(query: &str) -> String {
    format!("/search.rss?q={}", encode(query))
}

/// Writes a text so that it can be the value of a parameter.
pub(crate) fn encode(text: &str) -> String {
    // `:` and `/` mean nothing in a query (RFC 3986), and addresses are full of them.
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b':')
        .remove(b'/');
    utf8_percent_encode(text, ENCODED).to_string().replace("%20", "+")
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

    /// Whatever is asked, of one site the same is asked.
    #[test]
    fn more_of_a_site_is_the_same_question_of_that_site() {
        let questions =
            ["a b", "(a)OR(b)", "a OR b", "a|b", "a OR", "a NOT", "a NEAR", "\"a b", "(a"];
        for query in questions.map(str::to_owned).into_iter().chain(["é".repeat(QUERY_BYTES / 2)])
        {
            let asked = format!("q={}&lang=da&site=uni.example", encode(&query));
            let params = Params::parse(Some(&asked)).unwrap();
            let (shown, path) = more("cs.uni.example/~ann/", &query, &params).unwrap();
            assert_eq!(shown, "cs.uni.example/~ann/");
            let there = Params::parse(Some(&path[1..])).unwrap();
            assert_eq!(there.query.as_ref(), Some(&query));
            let filters: Vec<String> = there.filters().iter().map(ToString::to_string).collect();
            assert_eq!(filters, ["lang:da", "site:cs.uni.example/~ann/"]);
        }
        assert_eq!(more("a b", "a", &Params::default()), None, "no site has such a name");
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
