//! Other people's test cases, where the data packs are at hand (`LOOKFAR_DATA`).

use std::collections::BTreeSet;
use std::path::PathBuf;

use base::{BadUrl, Rules, Url};
use serde_json::Value;

/// Reads a file of the conformance pack; `None`, and a note, where there is none.
fn conformance(path: &str) -> Option<String> {
    let data = std::env::var_os("LOOKFAR_DATA");
    let pack = data.map(|data| PathBuf::from(data).join("conformance"));
    let Some(pack) = pack.filter(|pack| pack.is_dir()) else {
        println!(
            "skipped: no data pack `conformance`; set LOOKFAR_DATA to the folder of the packs"
        );
        return None;
    };
    let path = pack.join(path);
    Some(
        std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}

/// Replaces escapes of lone surrogates, which a browser reads as U+FFFD and JSON readers refuse.
fn without_lone_surrogates(json: &str) -> String {
    let code = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(json.len());
    let mut place = 0;
    while let Some(next) = json[place..].chars().next() {
        let (high, low) = (code(place), code(place + 6));
        let length = match (high, low) {
            _ if json[place..].starts_with("\\\\") => 2,
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\uFFFD");
                place += 6;
                continue;
            }
            _ => next.len_utf8(),
        };
        out.push_str(&json[place..place + length]);
        place += length;
    }
    out
}

/// Cases of the URL standard's own tests where we answer otherwise, with the reason.
const OTHERWISE: &[(&str, &str)] = &[
    ("http://f:0/c", PORT_ZERO),
    ("http://f:00000000000000/c", PORT_ZERO),
    ("http://a.b.c.xn--pokxncvks", NOT_PUNYCODE),
    ("http://a.b.c.XN--pokxncvks", NOT_PUNYCODE),
    ("http://a.b.c.Xn--pokxncvks", NOT_PUNYCODE),
    ("http://10.0.0.xn--pokxncvks", NOT_PUNYCODE),
    ("http://10.0.0.XN--pokxncvks", NOT_PUNYCODE),
    ("http://10.0.0.xN--pokxncvks", NOT_PUNYCODE),
    ("https://xn--/", NOT_PUNYCODE),
    ("http://./", EMPTY_LABEL),
    ("http://../", EMPTY_LABEL),
    ("http://foo.09..", EMPTY_LABEL),
    ("http://!\"$&'()*+,-.;=_`{}~/", NO_NAME),
];
const PORT_ZERO: &str = "nothing can be dialled at port 0 (URL-15)";
const NOT_PUNYCODE: &str = "no label of the DNS, the `url` crate refuses it as the standard once \
                            did, and so do we (URL-13)";
const NO_NAME: &str =
    "no host has such a name; a comma or a bracket would make keys of two hosts one";
const EMPTY_LABEL: &str = "no name of the DNS has an empty label (URL-14)";

#[test]
fn the_url_standards_own_cases_hold() {
    let Some(json) = conformance("wpt-url/url/resources/urltestdata.json") else { return };
    let cases: Value = serde_json::from_str(&without_lone_surrogates(&json)).unwrap();
    let mut used = BTreeSet::new();
    let (mut good, mut refused, mut wrong) = (0, 0, Vec::new());
    for case in cases.as_array().unwrap().iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap();
        let base = case["base"].as_str().and_then(|base| Url::parse_with(base, Rules::NONE).ok());
        let ours = match &base {
            Some(base) => base.join_with(input, Rules::NONE),
            None => Url::parse_with(input, Rules::NONE),
        };
        let theirs = expected(case);
        match (&ours, &theirs) {
            (Ok(ours), Some(theirs)) if ours.as_str() == theirs => good += 1,
            (Err(_), None) => refused += 1,
            _ if OTHERWISE.iter().any(|(other, _)| *other == input) => {
                used.insert(input);
            }
            _ => wrong.push(format!("{input:?} on {base:?}: {ours:?}, not {theirs:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    let idle: Vec<_> = OTHERWISE.iter().filter(|(input, _)| !used.contains(input)).collect();
    assert!(idle.is_empty(), "no longer otherwise: {idle:?}");
    assert!(good > 200 && refused > 200, "{good} good, {refused} refused");
}

/// Returns what a case should give: `None` if it fails or is nothing that we fetch.
fn expected(case: &Value) -> Option<String> {
    let href = case["href"].as_str()?;
    let part = |name: &str| case[name].as_str().unwrap();
    if !matches!(part("protocol"), "http:" | "https:") {
        return None;
    }
    // Fragment and user are no part of ours; a lone `?` is not in `search`.
    let whole = href.split('#').next().unwrap();
    let query = whole.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
    Some(format!("{}//{}{}{query}", part("protocol"), part("host"), part("pathname")))
}

/// Lines of crawler-commons' normaliser where we answer otherwise, with the reason.
const OTHERWISE_NORMAL: &[(&str, &str)] = &[
    ("http:////", "there is no host to ask"),
    ("http:///////", "there is no host to ask"),
    (
        "foo.com/index.html",
        "on a page this is a relative reference; who types it is asked in `cli`",
    ),
];

#[test]
fn crawler_commons_normaliser_cases_hold() {
    let Some(text) =
        conformance("crawler-commons/src/test/resources/normalizer/weirdToNormalizedUrls.csv")
    else {
        return;
    };
    let rules = Rules {
        drop_default_documents: false,
        drop_tracking: false,
        drop_sessions: false,
        sort_parameters: true,
        drop_empty_values: true,
        encode_stray_percent: true,
        ..Rules::default()
    };
    let (mut good, mut used, mut wrong) = (0, BTreeSet::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let (weird, normal) = line.rsplit_once(',').unwrap();
        let (weird, normal) = (unquoted(weird), normal.trim_matches(' '));
        match Url::parse_with(&weird, rules) {
            Ok(url) if url.as_str() == normal => good += 1,
            // We fetch nothing but the web.
            Err(BadUrl::Scheme | BadUrl::Syntax)
                if normal.starts_with("file:") || normal.starts_with("ftp:") =>
            {
                good += 1;
            }
            _ if OTHERWISE_NORMAL.iter().any(|(other, _)| *other == weird) => {
                used.insert(weird);
            }
            answer => wrong.push(format!("{weird:?}: {answer:?}, not {normal:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(used.len(), OTHERWISE_NORMAL.len(), "some are no longer otherwise");
    assert!(good > 100, "{good} good");
}

/// Undoes the quotes of a field of a CSV file.
fn unquoted(field: &str) -> String {
    let inner = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
    inner.map_or_else(|| field.to_owned(), |inner| inner.replace("\"\"", "\""))
}

#[test]
fn crawler_commons_invalid_urls_are_refused() {
    let Some(text) = conformance("crawler-commons/src/test/resources/normalizer/invalidUrls.csv")
    else {
        return;
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    for line in lines {
        assert!(Url::parse(line).is_err(), "{line}");
    }
}
