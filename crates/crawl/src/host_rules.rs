//! What a person has decided about single hosts: `hosts.txt` of a collection (C4, C18).
//!
//! ```text
//! hosts.txt   a host per line and what holds for it, with blanks between; `#` begins a comment
//!             line; people may edit it while nothing runs
//! a.example   paused                    no requests; its URLs wait
//! b.example   blocked                   none of its URLs is fetched or noted any more
//! c.example   delay=5000ms pages=100    a longer rest between requests; responses at most
//! ```
//! Nothing here makes a host's rest shorter than politeness has it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use base::file::write_whole;
use base::{Collection, Host, Url};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What holds for one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostRule {
    /// No requests are sent to it; its URLs wait.
    pub is_paused: bool,
    /// None of its URLs is fetched or taken notice of. What is there stays.
    pub is_blocked: bool,
    /// Shortest rest between two requests, in milliseconds; at least what holds for all.
    pub delay_millis: Option<u64>,
    /// Most responses that it may give, over all runs.
    pub pages: Option<u64>,
}

/// The rules of a collection, shared by everyone who must obey them.
#[derive(Clone, Debug, Default)]
pub struct HostRules(Arc<RwLock<Table>>);

#[derive(Debug, Default)]
struct Table {
    rules: BTreeMap<Host, HostRule>,
    /// Hosts that are known to have given as many responses as they may.
    spent: HashSet<Host>,
}

/// Why words say nothing about a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadRule {
    /// The line begins with no host.
    #[error("a line begins with a host such as `a.example`")]
    Host,
    /// A word that means nothing.
    #[error("behind the host stand `paused`, `blocked`, `delay=5000ms` and `pages=100` only")]
    Word,
    /// A rest that is longer than any.
    #[error("a delay is a day at most")]
    Delay,
}

/// What can be wrong with the file.
#[derive(Debug, Error)]
pub enum HostRulesError {
    /// A line that makes no sense.
    #[error("line {line} of `{}` is not understood", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: BadRule,
    },
    /// There are too many of them.
    #[error("`{}` has rules for more than {MOST} hosts", path.display())]
    TooMany {
        /// The file.
        path: PathBuf,
    },
    /// A rule that cannot be.
    #[error("this cannot hold for a host")]
    Rule(#[from] BadRule),
    /// The system refused.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

const NAME: &str = "hosts.txt";
const PREAMBLE: &str = "# What holds for single hosts: paused, blocked, delay=5000ms, pages=100.\n";
/// Hosts that have a rule of their own.
const MOST: usize = 100_000;
/// Longest file read: that many lines of the longest names.
const FILE_BYTES: u64 = 32 * 1024 * 1024;
/// A host that is to rest longer between two requests is better paused.
const LONGEST_DELAY: u64 = 24 * 3600 * 1000;

impl HostRules {
    /// Reads the collection's file in place of the present rules; no file means none.
    pub fn read(&self, collection: &Collection) -> Result<(), HostRulesError> {
        let path = collection.root().join(NAME);
        let rules = parse(&path, &read_text(&path)?)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) =
            Table { rules, spent: HashSet::new() };
        Ok(())
    }

    /// Returns what holds for a host; nothing if nobody has decided anything.
    pub fn of(&self, host: &Host) -> HostRule {
        self.table().rules.get(host).copied().unwrap_or_default()
    }

    /// Returns all rules in the order of their hosts.
    pub fn all(&self) -> Vec<(Host, HostRule)> {
        self.table().rules.iter().map(|(host, rule)| (host.clone(), *rule)).collect()
    }

    /// Lets a rule hold from now on, durably; returns the one before.
    pub fn set(
        &self,
        collection: &Collection,
        host: &Host,
        rule: HostRule,
    ) -> Result<HostRule, HostRulesError> {
        if rule.delay_millis.is_some_and(|millis| millis > LONGEST_DELAY) {
            return Err(BadRule::Delay.into());
        }
        let path = collection.root().join(NAME);
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let before = table.rules.get(host).copied().unwrap_or_default();
        let mut rules = table.rules.clone();
        match rule == HostRule::default() {
            true => drop(rules.remove(host)),
            false => drop(rules.insert(host.clone(), rule)),
        }
        if rules.len() > MOST {
            return Err(HostRulesError::TooMany { path });
        }
        let lines: String = rules.iter().map(|(host, rule)| format!("{host} {rule}\n")).collect();
        write_whole(&path, format!("{PREAMBLE}{lines}").as_bytes()).map_err(|source| {
            HostRulesError::File { action: "write", path: path.clone(), source }
        })?;
        table.rules = rules;
        table.spent.remove(host);
        Ok(before)
    }

    /// Returns whether nothing of a URL's host is wanted.
    pub fn blocks(&self, url: &Url) -> bool {
        let table = self.table();
        !table.rules.is_empty() && table.rules.get(&url.host()).is_some_and(|rule| rule.is_blocked)
    }

    /// Returns whether a host that has given so many responses must not be visited now, and
    /// remembers it for [`Self::is_held`].
    pub(crate) fn holds(&self, host: &Host, responses: u64) -> bool {
        let table = self.table();
        let Some(rule) = table.rules.get(host) else { return false };
        let is_spent = rule.pages.is_some_and(|pages| responses >= pages);
        let (is_paused, is_noted) = (rule.is_paused, table.spent.contains(host));
        drop(table);
        if is_spent && !is_noted {
            let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
            table.spent.insert(host.clone());
        }
        is_paused || is_spent
    }

    /// Returns whether a host is known to be one that must not be visited now.
    pub(crate) fn is_held(&self, host: &Host) -> bool {
        let table = self.table();
        !table.rules.is_empty()
            && (table.spent.contains(host)
                || table.rules.get(host).is_some_and(|rule| rule.is_paused))
    }

    /// Returns the rest that a host is to have, whatever others have; zero for no wish.
    pub(crate) fn delay(&self, host: &Host) -> Duration {
        let millis = self.table().rules.get(host).and_then(|rule| rule.delay_millis);
        Duration::from_millis(millis.unwrap_or_default())
    }

    fn table(&self) -> RwLockReadGuard<'_, Table> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.is_paused.then(|| "paused".to_owned()),
            self.is_blocked.then(|| "blocked".to_owned()),
            self.delay_millis.map(|millis| format!("delay={millis}ms")),
            self.pages.map(|pages| format!("pages={pages}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        formatter.write_str(&words.join(" "))
    }
}

impl FromStr for HostRule {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Self, BadRule> {
        let mut rule = Self::default();
        for word in text.split_ascii_whitespace() {
            match word.split_once('=') {
                None if word == "paused" => rule.is_paused = true,
                None if word == "blocked" => rule.is_blocked = true,
                Some(("delay", millis)) => {
                    let millis = millis.strip_suffix("ms").and_then(|text| text.parse().ok());
                    let millis: u64 = millis.ok_or(BadRule::Word)?;
                    if millis > LONGEST_DELAY {
                        return Err(BadRule::Delay);
                    }
                    rule.delay_millis = Some(millis);
                }
                Some(("pages", pages)) => {
                    rule.pages = Some(pages.parse().map_err(|_| BadRule::Word)?);
                }
                _ => return Err(BadRule::Word),
            }
        }
        Ok(rule)
    }
}

fn parse(path: &Path, text: &str) -> Result<BTreeMap<Host, HostRule>, HostRulesError> {
    let mut rules = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let failed =
            |source| HostRulesError::Line { path: path.to_owned(), line: number + 1, source };
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let host = Host::parse(name).ok_or_else(|| failed(BadRule::Host))?;
        rules.insert(host, words.parse().map_err(failed)?);
        if rules.len() > MOST {
            return Err(HostRulesError::TooMany { path: path.to_owned() });
        }
    }
    Ok(rules)
}

fn read_text(path: &Path) -> Result<String, HostRulesError> {
    let failed = |source| HostRulesError::File { action: "read", path: path.to_owned(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut text = String::new();
    let read = file.take(FILE_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if read as u64 > FILE_BYTES {
        return Err(failed(io::Error::other("it is longer than 32 MiB")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str) -> Host {
        Host::parse(name).unwrap()
    }

    #[test]
    fn rules_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let rules = HostRules::default();
        rules.read(&collection).unwrap();
        assert!(rules.all().is_empty());
        let paused = HostRule { is_paused: true, delay_millis: Some(2_500), ..HostRule::default() };
        let small = HostRule { is_blocked: true, pages: Some(7), ..HostRule::default() };
        assert_eq!(
            rules.set(&collection, &host("a.example"), paused).unwrap(),
            HostRule::default()
        );
        rules.set(&collection, &host("b.example"), small).unwrap();
        let again = HostRules::default();
        again.read(&collection).unwrap();
        assert_eq!(again.all(), rules.all());
        assert_eq!(again.of(&host("a.example")), paused);
        assert_eq!(again.delay(&host("a.example")), Duration::from_millis(2_500));
        assert!(again.blocks(&Url::parse("http://b.example/x").unwrap()));
        // A rule that says nothing is no line.
        again.set(&collection, &host("b.example"), HostRule::default()).unwrap();
        let text = std::fs::read_to_string(folder.path().join(NAME)).unwrap();
        assert_eq!(text, format!("{PREAMBLE}a.example paused delay=2500ms\n"));
    }

    #[test]
    fn a_host_is_held_while_it_is_paused_or_has_used_its_budget() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let (rules, name) = (HostRules::default(), host("a.example"));
        assert!(!rules.holds(&name, 1_000));
        let budget = |pages| HostRule { pages: Some(pages), ..HostRule::default() };
        rules.set(&collection, &name, budget(5)).unwrap();
        assert!(!rules.holds(&name, 4) && !rules.is_held(&name));
        assert!(rules.holds(&name, 5) && rules.is_held(&name));
        rules.set(&collection, &name, budget(6)).unwrap();
        assert!(!rules.is_held(&name) && !rules.holds(&name, 5));
        let paused = HostRule { is_paused: true, ..HostRule::default() };
        rules.set(&collection, &name, paused).unwrap();
        assert!(
            rules.is_held(&name) && rules.holds(&name, 0) && !rules.is_held(&host("b.example"))
        );
    }

    #[test]
    fn lines_that_make_no_sense_are_told_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        for (text, reason) in [
            ("a b paused", BadRule::Word),
            ("a.example pausd", BadRule::Word),
            ("a.example delay=5", BadRule::Word),
            ("a.example pages=-1", BadRule::Word),
            ("a.example delay=99999999999ms", BadRule::Delay),
            ("[ paused", BadRule::Host),
        ] {
            std::fs::write(folder.path().join(NAME), format!("# mine\n\n{text}\n")).unwrap();
            match HostRules::default().read(&collection) {
                Err(HostRulesError::Line { line: 3, source, .. }) => assert_eq!(source, reason),
                other => panic!("{text}: {other:?}"),
            }
        }
        let long = HostRule { delay_millis: Some(u64::MAX), ..HostRule::default() };
        assert!(HostRules::default().set(&collection, &host("a.example"), long).is_err());
    }
}
