//! Values of `lookfar.toml` that are words, lists or patterns, each with an error that helps.

use std::str::FromStr;

use crawl::{Addresses, Country, Pattern, PriorityRule, Reach, RobotsChain, Strategy, Types};
use serde::Deserialize;
use toml::Value;

use base::Url;

/// Where pages may lie.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) enum ScopeConfig {
    /// Only the seeds.
    Page,
    /// The hosts of the seeds.
    Host,
    /// The sites that the seeds belong to.
    Sites,
    /// A country, by its two letters.
    Country(String),
    /// By domains.
    Domains(Vec<String>),
    /// Everywhere.
    Open,
}

const SCOPES: &str = "write \"page\", \"host\", \"sites\", \"open\", { country = \"dk\" }, or a \
                      list of domains such as [\"dk\", \"example.org\"]";

impl ScopeConfig {
    /// Returns where pages may lie, given the seeds.
    pub(crate) fn reach(&self, seeds: &[Url]) -> Result<Reach, String> {
        Ok(match self {
            Self::Page => Reach::Pages,
            Self::Host => Reach::hosts_of(seeds),
            Self::Sites => Reach::sites_of(seeds),
            Self::Open => Reach::Open,
            Self::Country(code) => Reach::Country(country(code)?),
            Self::Domains(domains) => Reach::domains(domains).map_err(|bad| bad.to_string())?,
        })
    }

    /// Returns it as it is written in `lookfar.toml`.
    pub(crate) fn toml(&self) -> String {
        let word = |word: &str| Value::String(word.to_owned());
        match self {
            Self::Page => word("page"),
            Self::Host => word("host"),
            Self::Sites => word("sites"),
            Self::Open => word("open"),
            Self::Country(code) => {
                Value::Table([("country".to_owned(), word(code))].into_iter().collect())
            }
            Self::Domains(domains) => Value::Array(domains.iter().map(|name| word(name)).collect()),
        }
        .to_string()
    }

    /// Returns whether strangers will be visited in such numbers that they must be able to ask
    /// who comes.
    pub(crate) fn needs_contact(&self) -> bool {
        matches!(self, Self::Open | Self::Country(_))
    }
}

fn country(code: &str) -> Result<Country, String> {
    let wrong = || format!("`{code}` is not a country; write its two letters, such as `dk`");
    Country::parse(code).ok_or_else(wrong)
}

/// As written on the command line: a word, `country=dk`, `domains=dk,example.org`.
impl FromStr for ScopeConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scope = match text.split_once('=') {
            None => match text {
                "page" => Self::Page,
                "host" => Self::Host,
                "site" | "sites" => Self::Sites,
                "open" => Self::Open,
                _ => {
                    return Err(format!(
                        "`{text}` is no scope; write page, host, sites, open, country=dk, or \
                         domains=dk,example.org"
                    ));
                }
            },
            Some(("country", code)) => Self::Country(code.to_owned()),
            Some(("domains", list)) => Self::Domains(list.split(',').map(str::to_owned).collect()),
            Some((word, _)) => {
                return Err(format!("`{word}=` is no scope; write country=… or domains=…"));
            }
        };
        // What depends on no seed is known to be good or bad right away.
        scope.reach(&[]).map(|_| scope)
    }
}

impl TryFrom<Value> for ScopeConfig {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let wrong = || format!("this is no scope; {SCOPES}");
        let scope = match value {
            Value::String(word) if !word.contains('=') => {
                return word.parse().map_err(|_| format!("`{word}` is no scope; {SCOPES}"));
            }
            Value::Array(list) => {
                let text = |value: Value| match value {
                    Value::String(text) => Ok(text),
                    _ => Err(wrong()),
                };
                Self::Domains(list.into_iter().map(text).collect::<Result<_, _>>()?)
            }
            Value::Table(mut table) => match table.remove("country") {
                Some(Value::String(code)) if table.is_empty() => Self::Country(code),
                _ => return Err(wrong()),
            },
            _ => return Err(wrong()),
        };
        scope.reach(&[]).map(|_| scope)
    }
}

/// A pattern for addresses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct PatternConfig(pub(crate) Pattern);

impl FromStr for PatternConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Pattern::parse(text).map(Self).map_err(|bad| bad.to_string())
    }
}

impl TryFrom<String> for PatternConfig {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// One priority rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PriorityConfig {
    pub(crate) pattern: PatternConfig,
    pub(crate) add: i8,
}

impl From<PriorityConfig> for PriorityRule {
    fn from(rule: PriorityConfig) -> Self {
        Self { pattern: rule.pattern.0, add: rule.add }
    }
}

/// Kinds of files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) struct TypesConfig(pub(crate) Types);

impl TryFrom<Vec<String>> for TypesConfig {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        Types::parse(&texts).map(Self).map_err(|bad| bad.to_string())
    }
}

impl FromStr for TypesConfig {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(str::to_owned).collect::<Vec<_>>().try_into()
    }
}

/// In which order URLs are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StrategyConfig {
    /// Near the seeds first.
    BreadthFirst,
    /// What was found last first.
    DepthFirst,
    /// By lot.
    Random,
    /// The most important first.
    BestFirst,
}

impl From<StrategyConfig> for Strategy {
    fn from(strategy: StrategyConfig) -> Self {
        match strategy {
            StrategyConfig::BreadthFirst => Self::BreadthFirst,
            StrategyConfig::DepthFirst => Self::DepthFirst,
            StrategyConfig::Random => Self::Random,
            StrategyConfig::BestFirst => Self::BestFirst,
        }
    }
}

/// What a robots.txt behind too many redirects counts as.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RobotsChainConfig {
    /// As one that could not be read.
    Unreachable,
    /// As one that is not there.
    Unavailable,
}

impl From<RobotsChainConfig> for RobotsChain {
    fn from(chain: RobotsChainConfig) -> Self {
        match chain {
            RobotsChainConfig::Unreachable => Self::Unreachable,
            RobotsChainConfig::Unavailable => Self::Unavailable,
        }
    }
}

/// Which addresses may be dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AddressesConfig {
    /// Only those of the public Internet.
    Public,
    /// Only this machine.
    Loopback,
    /// Also private networks.
    Private,
}

impl From<AddressesConfig> for Addresses {
    fn from(addresses: AddressesConfig) -> Self {
        match addresses {
            AddressesConfig::Public => Self::Public,
            AddressesConfig::Loopback => Self::Loopback,
            AddressesConfig::Private => Self::Private,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(text: &str) -> Result<ScopeConfig, String> {
        #[derive(Deserialize)]
        struct File {
            scope: ScopeConfig,
        }
        let file: Result<File, _> = toml::from_str(&format!("scope = {text}"));
        file.map(|file| file.scope).map_err(|error| error.to_string())
    }

    #[test]
    fn scopes_are_words_countries_and_domains() {
        assert_eq!(scope("\"page\""), Ok(ScopeConfig::Page));
        assert_eq!(scope("\"host\""), Ok(ScopeConfig::Host));
        assert_eq!(scope("\"sites\""), Ok(ScopeConfig::Sites));
        assert_eq!(scope("\"open\""), Ok(ScopeConfig::Open));
        assert_eq!(scope("{ country = \"dk\" }"), Ok(ScopeConfig::Country("dk".to_owned())));
        assert_eq!(scope("[\"dk\"]"), Ok(ScopeConfig::Domains(vec!["dk".to_owned()])));
    }

    #[test]
    fn a_scope_that_is_wrong_says_what_could_stand_there() {
        for text in ["\"opne\"", "1", "[1]", "{ land = \"dk\" }", "{ country = \"dk\", x = 1 }"] {
            let error = scope(text).unwrap_err();
            assert!(error.contains("{ country = \"dk\" }"), "{error}");
        }
        assert!(scope("{ country = \"denmark\" }").unwrap_err().contains("two letters"));
        assert!(scope("[\"https://a.example/\"]").unwrap_err().contains("without scheme"));
    }

    #[test]
    fn the_command_line_has_its_own_way_of_writing_them() {
        let parse = |text: &str| text.parse::<ScopeConfig>();
        assert_eq!(parse("site"), Ok(ScopeConfig::Sites));
        assert_eq!(parse("country=dk"), Ok(ScopeConfig::Country("dk".to_owned())));
        let domains = ["dk", "example.org"].map(str::to_owned).to_vec();
        assert_eq!(parse("domains=dk,example.org"), Ok(ScopeConfig::Domains(domains)));
        for text in ["", "opne", "country=", "country=denmark", "domains=", "land=dk"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
