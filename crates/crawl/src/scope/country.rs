//! Which top-level domains belong to a country.

/// A country, named by its two letters (ISO 3166-1), with its top-level domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Country {
    code: String,
    domains: Vec<String>,
}

impl Country {
    /// Returns the country of a two-letter code in any case, or `None` if it is not one.
    ///
    /// `gb` and `uk` are the same country: the code is the one, the domain the other.
    pub fn parse(code: &str) -> Option<Self> {
        if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let code = code.to_ascii_lowercase();
        let code = if code == "uk" { "gb".to_owned() } else { code };
        let mut domains = vec![code.clone()];
        if code == "gb" {
            domains.push("uk".to_owned());
        }
        let others = IN_OTHER_SCRIPTS.binary_search_by_key(&code.as_str(), |(code, _)| code);
        if let Ok(found) = others {
            domains.extend(IN_OTHER_SCRIPTS[found].1.iter().map(|&domain| domain.to_owned()));
        }
        Some(Self { code, domains })
    }

    /// Returns the two letters.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Returns whether a host name lies in one of the country's domains.
    pub(super) fn holds(&self, host: &str) -> bool {
        let top = host.rsplit_once('.').map(|(_, top)| top);
        top.is_some_and(|top| self.domains.iter().any(|domain| domain == top))
    }
}

/// Country-code domains in other scripts than Latin, as the public suffix list names them.
#[rustfmt::skip]
const IN_OTHER_SCRIPTS: &[(&str, &[&str])] = &[
    ("ae", &["xn--mgbaam7a8h"]),
    ("am", &["xn--y9a3aq"]),
    ("bd", &["xn--54b7fta0cc"]),
    ("bg", &["xn--90ae"]),
    ("bh", &["xn--mgbcpq6gpa1a"]),
    ("by", &["xn--90ais"]),
    ("cn", &["xn--fiqs8s", "xn--fiqz9s"]),
    ("dz", &["xn--lgbbat1ad8j"]),
    ("eg", &["xn--wgbh1c"]),
    ("eu", &["xn--e1a4c", "xn--qxa6a"]),
    ("ge", &["xn--node"]),
    ("gr", &["xn--qxam"]),
    ("hk", &["xn--j6w193g"]),
    ("il", &["xn--4dbrk0ce"]),
    ("in", &["xn--2scrj9c", "xn--3hcrj9c", "xn--45br5cyl", "xn--45brj9c", "xn--fpcrj9c3d", "xn--gecrj9c", "xn--h2breg3eve", "xn--h2brj9c", "xn--h2brj9c8c", "xn--mgbbh1a", "xn--mgbbh1a71e", "xn--mgbgu82a", "xn--rvc1e0am3e", "xn--s9brj9c", "xn--xkc2dl3a5ee0h"]),
    ("iq", &["xn--mgbtx2b"]),
    ("ir", &["xn--mgba3a4f16a", "xn--mgba3a4fra"]),
    ("jo", &["xn--mgbayh7gpa"]),
    ("kr", &["xn--3e0b707e"]),
    ("kz", &["xn--80ao21a"]),
    ("la", &["xn--q7ce6a"]),
    ("lk", &["xn--fzc2c9e2c", "xn--xkc2al3hye2a"]),
    ("ma", &["xn--mgbc0a9azcg"]),
    ("mk", &["xn--d1alf"]),
    ("mn", &["xn--l1acc"]),
    ("mo", &["xn--mix082f", "xn--mix891f"]),
    ("mr", &["xn--mgbah1a3hjkrd"]),
    ("my", &["xn--mgbx4cd0ab"]),
    ("om", &["xn--mgb9awbf"]),
    ("pk", &["xn--mgbai9a5eva00b", "xn--mgbai9azgqp6j"]),
    ("ps", &["xn--ygbi2ammx"]),
    ("qa", &["xn--wgbl6a"]),
    ("rs", &["xn--90a3ac"]),
    ("ru", &["xn--p1ai"]),
    ("sa", &["xn--mgberp4a5d4a87g", "xn--mgberp4a5d4ar", "xn--mgbqly7c0a67fbc", "xn--mgbqly7cvafr"]),
    ("sd", &["xn--mgbpl2fh"]),
    ("sg", &["xn--clchc0ea0b2g2a9gcd", "xn--yfro4i67o"]),
    ("sy", &["xn--mgbtf8fl", "xn--ogbpf8fl"]),
    ("th", &["xn--o3cw4h"]),
    ("tn", &["xn--pgbs0dh"]),
    ("tw", &["xn--kprw13d", "xn--kpry57d", "xn--nnx388a"]),
    ("ua", &["xn--j1amh"]),
    ("ye", &["xn--mgb2ddes"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_has_its_domains_in_every_script() {
        let holds = |code: &str, host: &str| Country::parse(code).unwrap().holds(host);
        assert!(holds("dk", "www.example.dk"));
        assert!(holds("DK", "example.dk"));
        assert!(!holds("dk", "example.de"));
        assert!(!holds("dk", "dk.example"));
        assert!(!holds("dk", "dk"), "a bare top-level domain is no web site");
        assert!(holds("ru", "xn--e1afmkfd.xn--p1ai"));
        assert!(holds("in", "a.xn--h2brj9c") && !holds("ru", "a.xn--h2brj9c"));
        assert!(holds("gb", "a.co.uk") && holds("uk", "a.co.uk"));
    }

    #[test]
    fn what_is_not_two_letters_is_no_country() {
        for text in ["", "d", "dnk", "d1", "ö", ".dk"] {
            assert!(Country::parse(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(IN_OTHER_SCRIPTS.is_sorted_by_key(|(code, _)| code));
    }
}
