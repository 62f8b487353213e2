//! Who speaks with one voice when votes are counted.
//!
//! Sites are what answers are grouped by. They are too fine to count votes by: whoever has a
//! registered domain makes as many hosts and folders on it as he likes, and each would be a site
//! that speaks for itself. Registered domains alone are too fine as well where one site spreads
//! over several of them. So a voice is the finest grouping that neither parts a domain nor a site:
//! domains that share a site are one voice, and whatever they share a site with in turn. There are
//! never more voices than domains, nor more than sites; two people at one university are one voice,
//! which loses a vote where the other error would give votes away.
//!
//! ```text
//! voices  one line per domain that is not a voice of its own: the domain, a tab, the domain
//!         that stands for them all
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use base::Url;

use super::hosts::HostRuns;
use super::join::Groups;
use crate::Error;

pub(crate) const VOICES: &str = "voices";

/// Which registered domains speak with one voice. Costs the names of those that do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voices {
    /// From a domain to the one that stands for it, where that is another.
    joined: BTreeMap<Arc<str>, Arc<str>>,
}

impl Voices {
    /// Joins the domains whose hosts are one site. Near-linear in hosts.
    pub(super) fn find(runs: &HostRuns, groups: &mut Groups) -> Self {
        let names = runs.domain_names();
        let mut domains = Groups::apart(names.len() as u32);
        for host in 0..runs.len() as u32 {
            domains.join(runs.domain(host), runs.domain(groups.root(host)));
        }
        let mut joined = BTreeMap::new();
        for (domain, name) in names.iter().enumerate() {
            let root = domains.root(domain as u32) as usize;
            if root != domain {
                joined.insert(name.clone(), names[root].clone());
            }
        }
        Self { joined }
    }

    /// Reads the voices in the folder of a graph; in one that was made before there were any,
    /// every domain is a voice of its own.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(VOICES);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(Error::file("read", &path))?,
        };
        let pair = |line: &str| {
            line.split_once('\t').map(|(domain, root)| (Arc::from(domain), Arc::from(root)))
        };
        let joined: Option<_> = text.lines().map(pair).collect();
        joined
            .map(|joined| Self { joined })
            .ok_or_else(|| Error::damaged(&path, "a line is not readable"))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(VOICES);
        // Canonical hosts hold neither a tab nor a line feed.
        let lines = self.joined.iter().flat_map(|(domain, root)| [domain, "\t", root, "\n"]);
        fs::write(&path, lines.collect::<String>()).map_err(Error::file("write", &path))
    }

    /// Returns the domain that stands for the voice of a registered domain: itself, most often.
    /// O(log n) in the domains that share a voice.
    pub fn of<'a>(&'a self, domain: &'a str) -> &'a str {
        self.joined.get(domain).map_or(domain, |root| root)
    }

    /// Returns the domain that stands for the voice of an address.
    pub fn of_url(&self, url: &Url) -> String {
        self.of(url.site().as_str()).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_come_back_and_a_cut_line_is_found() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Voices::open(folder.path()).unwrap(), Voices::default());
        let pair = |one: &str, other: &str| (Arc::from(one), Arc::from(other));
        let joined = BTreeMap::from([pair("a.org", "a.com"), pair("b.org", "a.com")]);
        let voices = Voices { joined };
        voices.write(folder.path()).unwrap();
        assert_eq!(Voices::open(folder.path()).unwrap(), voices);
        for (domain, voice) in [("a.org", "a.com"), ("a.com", "a.com"), ("c.net", "c.net")] {
            assert_eq!(voices.of(domain), voice);
        }
        fs::write(folder.path().join(VOICES), "a.org").unwrap();
        assert!(Voices::open(folder.path()).is_err());
    }
}
