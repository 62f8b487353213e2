//! The language that a page declares, as a hint at its character set.
//!
//! The detector asks for the last part of a host's name, because browsers know nothing else of a
//! page before they read it; of pages under `.com` that says nothing. A page that names its language
//! in the first bytes says as much as the name of a country would.

/// Bytes in which a language is looked for.
const HEAD_BYTES: usize = 4_096;

/// Languages that were written in character sets of their own, and where.
#[rustfmt::skip]
const COUNTRIES: [(&str, &str); 28] = [
    ("be", "by"), ("bg", "bg"), ("bs", "ba"), ("cs", "cz"), ("el", "gr"), ("et", "ee"),
    ("fa", "ir"), ("he", "il"), ("hr", "hr"), ("hu", "hu"), ("ja", "jp"), ("ko", "kr"),
    ("lt", "lt"), ("lv", "lv"), ("mk", "mk"), ("pl", "pl"), ("ro", "ro"), ("ru", "ru"),
    ("sk", "sk"), ("sl", "si"), ("sr", "rs"), ("th", "th"), ("tr", "tr"), ("uk", "ua"),
    ("vi", "vn"), ("zh-hk", "hk"), ("zh-tw", "tw"), ("zh", "cn"),
];

/// Returns the domain of the country whose language a page declares, if its character sets differ
/// from those of the west.
pub(super) fn domain(body: &[u8]) -> Option<&'static str> {
    let head = &body[..body.len().min(HEAD_BYTES)];
    let tag = [&b"lang="[..], b"<language>", b"<dc:language>"]
        .iter()
        .filter_map(|sign| {
            head.windows(sign.len()).position(|at| at == *sign).map(|at| at + sign.len())
        })
        .min()
        .map(|start| &head[start..])?;
    let tag: String = tag
        .iter()
        .map(u8::to_ascii_lowercase)
        .skip_while(|byte| matches!(byte, b'"' | b'\'' | b' '))
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        .take(12)
        .map(char::from)
        .collect();
    let is_of = |language: &str| tag == language || tag.starts_with(&format!("{language}-"));
    COUNTRIES.iter().find(|(language, _)| is_of(language)).map(|(_, domain)| *domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_languages_are_found() {
        for (body, expected) in [
            (&b"<html lang='HU'>"[..], Some("hu")),
            (b"<rss><channel><language>ko</language>", Some("kr")),
            (b"<feed xml:lang=\"zh-TW\">", Some("tw")),
            (b"<html lang=zh-Hans>", Some("cn")),
            (b"<html lang=en><p lang=hu>", None),
            (b"<html lang=hungarian>", None),
            (b"<html lang=", None),
            (b"", None),
        ] {
            assert_eq!(domain(body), expected, "{:?}", String::from_utf8_lossy(body));
        }
        assert_eq!(domain(&b"lang=hu ".repeat(1 << 20)), Some("hu"));
    }
}
