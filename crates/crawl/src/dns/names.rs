//! Which names are worth a question to the resolver (DNS-20, DNS-21).

use crate::Addresses;

/// Returns whether a name may be looked up: one that can exist, and not one that means
/// something on the local network only.
///
/// `.test` and `.example` are asked for like any other name, as RFC 6761 wants it; they do not
/// exist.
pub(super) fn may_be_asked(name: &str, allowed: Addresses) -> bool {
    let Some((_, top)) = name.rsplit_once('.') else { return false };
    name.len() <= 253
        && name.split('.').all(is_label)
        && !is_special(top)
        && (allowed == Addresses::Private || !is_local(top))
}

/// Letters, digits and hyphens inside (RFC 1123); underscores, because sites have them.
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Names that no server of the public DNS answers for (RFC 6761, 6762, 7686, 9476).
fn is_special(top: &str) -> bool {
    matches!(top, "localhost" | "local" | "onion" | "invalid" | "alt")
}

/// Names that only the resolver of an own network answers for: reserved for that (`internal`,
/// `home.arpa`) or in wide use for it (`lan`, and what ICANN does not delegate because of it).
fn is_local(top: &str) -> bool {
    const TOPS: [&str; 9] =
        ["internal", "intranet", "private", "corp", "home", "lan", "localdomain", "mail", "arpa"];
    TOPS.contains(&top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: bool) {
        assert_eq!(may_be_asked(name, Addresses::Public), expected, "{name}");
    }

    #[test]
    fn dns_20_only_names_that_can_exist_are_asked_for() {
        let label = "a".repeat(63);
        let longest = format!("{label}.{label}.{label}.{}", "b".repeat(61));
        assert_eq!(longest.len(), 253);
        check(&longest, true);
        check(&format!("{longest}c"), false);
        check(&format!("{label}.lookfar"), true);
        check(&format!("a{label}.lookfar"), false);
        check("my_site.lookfar", true);
        check("xn--bcher-kva.lookfar", true);
        check("a..lookfar", false);
        check(".lookfar", false);
        check("lookfar.", false);
        check("-a.lookfar", false);
        check("a-.lookfar", false);
        check("a b.lookfar", false);
        check("a*b.lookfar", false);
        check("", false);
    }

    #[test]
    fn dns_21_names_of_the_local_network_are_not_asked_for() {
        for name in [
            "localhost",
            "db",
            "printer.local",
            "a.localhost",
            "hidden.onion",
            "x.invalid",
            "metadata.google.internal",
            "router.lan",
            "wiki.corp",
            "nas.home.arpa",
            "1.0.0.127.in-addr.arpa",
        ] {
            check(name, false);
        }
        check("local.lookfar", true);
        check("internal.lookfar", true);
    }

    #[test]
    fn an_intranet_has_its_own_names_but_no_single_labels() {
        let intranet = |name| may_be_asked(name, Addresses::Private);
        assert!(intranet("wiki.corp") && intranet("git.internal"));
        assert!(!intranet("wiki") && !intranet("localhost") && !intranet("printer.local"));
    }
}
