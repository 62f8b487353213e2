//! Links that stand in the head of a response: `Link` (RFC 8288) and `Refresh` fields (C8).
//!
//! They hold for any kind of body. Unlike the links of a page they are resolved against the
//! address of the response, whatever `<base>` the page has.

use base::limits::{self, URL_BYTES};
use base::{LinkKind, Rel, Rules};

use crate::Input;
use crate::link::{Collector, kind_of_rel, refresh, rel};

/// Fields looked at; a response head has room for not many more.
const MOST_FIELDS: usize = 64;
/// Bytes looked at in one field.
const FIELD_BYTES: usize = 16 * URL_BYTES;

/// Takes the links of a response's head.
pub(crate) fn links(input: &Input<'_>, links: &mut Collector) {
    for field in input.links.iter().take(MOST_FIELDS) {
        let mut rest = limits::cut(field, FIELD_BYTES);
        while let Some((link, behind)) = Field::parse(rest) {
            rest = behind;
            if let Some(kind) = link.kind() {
                open(input, link.target, kind, rel(link.rel), links);
            }
        }
    }
    if let Some((target, kind)) = input.refresh.and_then(refresh) {
        open(input, target, kind, Rel::default(), links);
    }
}

/// Calls `take` with each version of the page in another language, and where it is.
pub(crate) fn alternates(input: &Input<'_>, mut take: impl FnMut(&str, &str)) {
    for field in input.links.iter().take(MOST_FIELDS) {
        let mut rest = limits::cut(field, FIELD_BYTES);
        while let Some((link, behind)) = Field::parse(rest) {
            rest = behind;
            if !link.language.is_empty()
                && link.kind() == Some(LinkKind::Related)
                && let Ok(target) = input.url.join_with(link.target.trim(), Rules::NONE)
            {
                take(link.language, target.as_str());
            }
        }
    }
}

fn open(input: &Input<'_>, target: &str, kind: LinkKind, rel: Rel, links: &mut Collector) {
    // The collector makes it canonical, as it does with all links.
    if let Ok(target) = input.url.join_with(target.trim(), Rules::NONE) {
        links.open(target.as_str(), kind, rel);
    }
}

/// One link of a field: `<https://a.example/2>; rel="next"; title="a, b"`.
#[derive(Default)]
struct Field<'a> {
    target: &'a str,
    rel: &'a str,
    /// What a preloaded resource is.
    destination: &'a str,
    /// The language of the target.
    language: &'a str,
    /// Whether it is a link of something else than this response.
    is_foreign: bool,
}

impl<'a> Field<'a> {
    /// Reads the next link of a field; also returns what follows it.
    fn parse(text: &'a str) -> Option<(Self, &'a str)> {
        let (_, behind) = text.split_once('<')?;
        let (target, mut rest) = behind.split_once('>')?;
        let mut link = Self { target, ..Self::default() };
        loop {
            rest = rest.trim_ascii_start();
            let Some(behind) = rest.strip_prefix(';') else { break };
            let end = behind.find(['=', ';', ',']).unwrap_or(behind.len());
            let name = behind[..end].trim_ascii();
            rest = &behind[end..];
            if let Some(behind) = rest.strip_prefix('=') {
                let (value, behind) = value(behind.trim_ascii_start());
                link.set(name, value);
                rest = behind;
            }
        }
        Some((link, rest))
    }

    fn set(&mut self, name: &str, value: &'a str) {
        // Of several only the first counts, by the standard.
        if name.eq_ignore_ascii_case("rel") && self.rel.is_empty() {
            self.rel = value;
        } else if name.eq_ignore_ascii_case("as") {
            self.destination = value;
        } else if name.eq_ignore_ascii_case("hreflang") && self.language.is_empty() {
            self.language = value;
        } else if name.eq_ignore_ascii_case("anchor") {
            self.is_foreign |= !value.is_empty();
        }
    }

    fn kind(&self) -> Option<LinkKind> {
        if self.is_foreign {
            return None;
        }
        let is_preload = self.rel.split_ascii_whitespace().take(64).any(|token| {
            token.eq_ignore_ascii_case("preload") || token.eq_ignore_ascii_case("prefetch")
        });
        let is_media = ["image", "video", "audio", "track", "embed", "object"]
            .iter()
            .any(|name| self.destination.eq_ignore_ascii_case(name));
        // Scripts, styles and fonts are nothing that anybody looks for.
        let media = (is_preload && is_media).then_some(LinkKind::Media);
        kind_of_rel(self.rel).or(media)
    }
}

/// Returns the value of a parameter, without quotes, and what follows it.
fn value(text: &str) -> (&str, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        // Escaped quotes stand in titles only, and those are not read.
        let mut is_escaped = false;
        let end = quoted.find(|character| {
            let ends = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            ends
        });
        return match end {
            Some(end) => (quoted[..end].trim_ascii(), &quoted[end + 1..]),
            None => (quoted.trim_ascii(), ""),
        };
    }
    let end = text.find([';', ',']).unwrap_or(text.len());
    (text[..end].trim_ascii(), &text[end..])
}

#[cfg(test)]
mod tests {
    use base::Url;

    use super::*;
    use crate::Options;

    #[track_caller]
    fn check(fields: &[&str], refresh: Option<&str>, expected: &[(LinkKind, &str)]) {
        let url = Url::parse("http://a.example/dir/x").unwrap();
        let input = Input { links: fields, refresh, ..Input::new(&url, b"") };
        let mut collector = Collector::new(&Options::default());
        links(&input, &mut collector);
        let (links, _, left) = collector.finish(&url, false);
        let found: Vec<_> = links.iter().map(|link| (link.kind, link.target.as_str())).collect();
        assert_eq!(found, expected, "{fields:?} {refresh:?}");
        assert_eq!(left, 0);
    }

    use LinkKind::{Canonical, Media, Redirect, Related};

    #[test]
    fn http_24_link_fields_are_read() {
        check(
            &[
                "<http://b.example/>; rel=\"canonical\", </2>; rel=next, </s.css>; rel=preload; as=style",
                "<1>;REL=Prev,<de>; rel=alternate; hreflang=de",
            ],
            None,
            &[
                (Canonical, "http://b.example/"),
                (Related, "http://a.example/2"),
                (Related, "http://a.example/dir/1"),
                (Related, "http://a.example/dir/de"),
            ],
        );
        check(&["</i.png>; rel=preload; as=image"], None, &[(Media, "http://a.example/i.png")]);
        check(&["</f.js>; rel=preload; as=script, </x>; rel=preconnect, </y>"], None, &[]);
    }

    #[test]
    fn http_24_commas_and_semicolons_in_quotes_and_targets_are_text() {
        check(
            &["</a,b;c>; title=\"x, <y>; rel=\\\"next\\\"\"; rel=\"up  chapter\" , </d>;rel=last"],
            None,
            &[(Related, "http://a.example/a,b;c"), (Related, "http://a.example/d")],
        );
        check(&["</1>; rel=next; rel=canonical"], None, &[(Related, "http://a.example/1")]);
        check(
            &["</1>; rel=next; anchor=\"#part\", </2>; rel=next"],
            None,
            &[(Related, "http://a.example/2")],
        );
    }

    #[test]
    fn http_24_broken_link_fields_end() {
        for field in [
            "<",
            "<x",
            "<x>",
            "<x>;",
            "<x>; rel",
            "<x>; rel=",
            "<x>; rel=\"next",
            ",,<>;;;=",
            "<x>;=\"",
        ] {
            let url = Url::parse("http://a.example/").unwrap();
            let fields = [field];
            let input = Input { links: &fields, ..Input::new(&url, b"") };
            links(&input, &mut Collector::new(&Options::default()));
        }
        check(&["<javascript:x()>; rel=next", "<ftp://b.example/>; rel=next"], None, &[]);
        check(&["<y>; rel=\"next"], None, &[(Related, "http://a.example/dir/y")]);
        check(
            &["</1>; rel=stylesheet; title=<, </2>; rel=next"],
            None,
            &[(Related, "http://a.example/2")],
        );
    }

    #[test]
    fn red_10_a_refresh_field_is_a_redirect_if_it_is_soon() {
        check(&[], Some("0; url=/new"), &[(Redirect, "http://a.example/new")]);
        check(&[], Some("0;new"), &[(Redirect, "http://a.example/dir/new")]);
        check(&[], Some("10; URL='/new'"), &[(Redirect, "http://a.example/new")]);
        check(&[], Some("11; url=/new"), &[(Related, "http://a.example/new")]);
        check(&[], Some("3600; url=http://b.example/"), &[(Related, "http://b.example/")]);
        check(&[], Some("300"), &[]);
        check(&[], Some("0; url=javascript:x()"), &[]);
        check(&[], Some("0; url=/dir/x"), &[]);
        check(&[], Some("x"), &[]);
    }
}
