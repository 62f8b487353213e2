//! What holds for every address, whatever the rules: properties, on made-up texts.

use base::{Joiner, Rules, Url};
use proptest::prelude::*;

fn any_rules() -> impl Strategy<Value = Rules> {
    any::<u16>().prop_map(|bits| {
        let on = |bit: u16| bits >> bit & 1 == 1;
        Rules {
            drop_default_documents: on(0),
            drop_tracking: on(1),
            drop_sessions: on(2),
            sort_parameters: on(3),
            drop_empty_parameters: on(4),
            drop_empty_values: on(5),
            merge_slashes: on(6),
            normal_encoding: on(7),
            encode_unsafe: on(8),
            encode_stray_percent: on(9),
            drop_trailing_dot: on(10),
        }
    })
}

/// Pieces that the rules look for, in any order, so that one rule's work meets another's.
const PIECE: &str = "(/|//|\\.\\.|\\.|%2e|%|%4|%41|%2F|;sid=a|;jsessionid=%4|;v=1|\\(S\\(a\\)\\)|index.html|http:\
                     |[?]|&|=|utm_a=1|PHPSESSID=1|s[id]{2}=1f|a=|b=2|[a-z0-9]|[ -~]|ü|\\\\|\\[x\\]|#)";

fn any_reference() -> impl Strategy<Value = String> {
    proptest::collection::vec(PIECE, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_origin() -> impl Strategy<Value = String> {
    "(http|https)://([a-z]{1,3}\\.){1,2}(example|dk|example\\.)(:80|:443|:8080|)"
}

proptest! {
    #[test]
    fn canonical_is_canonical_already(origin in any_origin(), rest in any_reference(), rules in any_rules()) {
        let text = format!("{origin}/{rest}");
        if let Ok(url) = Url::parse_with(&text, rules) {
            prop_assert_eq!(Url::parse_with(url.as_str(), rules), Ok(url.clone()));
            prop_assert_eq!(Url::parse_with(url.as_str(), Rules::NONE), Ok(url.clone()));
            prop_assert_eq!(Url::from_surt(&url.surt()), Some(url.clone()));
            let key = url.surt();
            prop_assert_eq!(key.strip_prefix(&url.host().surt()).map(|rest| &rest[..1]), Some(":"));
        }
    }

    #[test]
    fn a_reference_means_the_same_short_or_long(
        origin in any_origin(),
        page in any_reference(),
        reference in any_reference(),
        rules in any_rules(),
    ) {
        // There the `url` crate errs (see `url_data`).
        let start = reference.trim_start();
        prop_assume!(start.len() - start.trim_start_matches(['/', '\\']).len() <= 2);
        // The `url` crate alone, the way that takes no short cut.
        let Ok(page) = Url::parse_with(&format!("{origin}/{page}"), Rules::NONE) else { return Ok(()) };
        let parsed = url::Url::parse(page.as_str()).unwrap();
        let long = parsed.join(&reference).ok().and_then(|url| Url::parse_with(url.as_str(), rules).ok());
        prop_assert_eq!(Joiner::with_rules(&page, rules).join(&reference).ok(), long.clone());
        let whole = format!("{}{reference}", page.origin());
        let long = parsed.join(&whole).ok().and_then(|url| Url::parse_with(url.as_str(), rules).ok());
        prop_assert_eq!(page.join_with(&whole, rules).ok(), long);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,200}", rules in any_rules()) {
        let _ = Url::parse_with(&text, rules);
        let _ = Url::from_surt(&text);
        let page = Url::parse("http://a.example/b/c").unwrap();
        let _ = page.join_with(&text, rules);
    }
}
