//! What is kept out on request: targets, the list of them, and its file.
//!
//! ```text
//! blocked.txt   one target per line; `#` begins a comment line; people may edit it
//! target        https://a.example/x            one page
//!               a.example                      a host, whatever the scheme and port
//!               *.a.example                    a host and everything below it
//!               https://a.example/private/*    a pattern: `*` is any run of characters
//! blocked.done  the targets that have been taken out of everything that is stored
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

use base::file::write_whole;
use base::limits::URL_BYTES;
use base::{Collection, Host, Rules, Url};
use thiserror::Error;

/// What a person asks to forget.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// One page.
    Page(Url),
    /// All pages of a host.
    Host(Host),
    /// All pages of a host and of the hosts below it.
    Below(Host),
    /// All pages of an origin whose path and query fit a pattern.
    Pattern {
        /// Scheme, host and port.
        origin: String,
        /// Path and query with `*` for any run of characters.
        path: String,
    },
}

/// Why a text names nothing that could be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadTarget {
    /// Neither a URL nor a host.
    #[error(
        "write a URL, a host such as `a.example`, or a pattern such as `https://a.example/x/*`"
    )]
    Form,
    /// A wildcard where none may be.
    #[error("a pattern names scheme and host in full; only `*.a.example` may stand for hosts")]
    Wildcard,
    /// Longer than any URL.
    #[error("longer than {URL_BYTES} bytes")]
    Length,
}

/// What can be wrong with the list's files.
#[derive(Debug, Error)]
pub enum BlockError {
    /// A line that makes no sense.
    #[error("line {line} of `{}` is not understood: `{text}`", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What it says.
        text: String,
        /// What is wrong with it.
        #[source]
        source: BadTarget,
    },
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

/// All targets, quick to ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockList {
    /// In the order of the file.
    targets: Vec<Target>,
    pages: HashSet<Url>,
    hosts: HashSet<String>,
    below: HashSet<String>,
    /// Patterns of paths by origin.
    patterns: HashMap<String, Vec<String>>,
    /// How lines of the file are made canonical.
    rules: Rules,
}

/// The list of a collection, shared by everyone who must obey it.
#[derive(Clone, Debug, Default)]
pub struct Blocked(Arc<RwLock<BlockList>>);

const NAME: &str = "blocked.txt";
const DONE_NAME: &str = "blocked.done";
/// Longest list read: some hundred thousand lines.
const FILE_BYTES: u64 = 64 * 1024 * 1024;
const PREAMBLE: &str = "# What this collection has forgotten and keeps out: a URL, a host, or a \
                        pattern per line.\n";

impl FromStr for Target {
    type Err = BadTarget;

    fn from_str(text: &str) -> Result<Self, BadTarget> {
        let text = text.trim();
        if text.len() > URL_BYTES {
            return Err(BadTarget::Length);
        }
        if !text.contains("://") {
            let (name, is_below) = match text.strip_prefix("*.") {
                Some(name) => (name, true),
                None => (text, false),
            };
            if name.contains('*') {
                return Err(BadTarget::Wildcard);
            }
            // `Host::parse` takes what a browser would: a blank or an empty text is no host.
            let host = Some(name).filter(|name| !name.contains(char::is_whitespace));
            let host = host.and_then(Host::parse).ok_or(BadTarget::Form)?;
            return Ok(if is_below { Self::Below(host) } else { Self::Host(host) });
        }
        if !text.contains('*') {
            // As it was written; `Target::under` makes it a page of a collection.
            let url = Url::parse_with(text, Rules::NONE);
            return url.map(Self::Page).map_err(|_| BadTarget::Form);
        }
        let start = text.find("://").expect("looked for above") + 3;
        let slash = text[start..].find('/').ok_or(BadTarget::Wildcard)?;
        let (origin, path) = text.split_at(start + slash);
        if origin.contains('*') {
            return Err(BadTarget::Wildcard);
        }
        // The path is taken as it stands; scheme, host and port in their canonical form.
        let url = Url::parse(origin).map_err(|_| BadTarget::Form)?;
        Ok(Self::Pattern { origin: url.origin().to_owned(), path: path.to_owned() })
    }
}

impl Target {
    /// Returns the target as a collection with these rules knows it.
    #[must_use]
    pub fn under(&self, rules: Rules) -> Self {
        match self {
            Self::Page(url) => {
                let canonical = Url::parse_with(url.as_str(), rules);
                Self::Page(canonical.unwrap_or_else(|_| url.clone()))
            }
            other => other.clone(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(url) => write!(formatter, "{url}"),
            Self::Host(host) => write!(formatter, "{host}"),
            Self::Below(host) => write!(formatter, "*.{host}"),
            Self::Pattern { origin, path } => write!(formatter, "{origin}{path}"),
        }
    }
}

impl BlockList {
    /// Returns a list of these targets.
    pub fn new(targets: impl IntoIterator<Item = Target>) -> Self {
        let mut list = Self::default();
        for target in targets {
            list.push(target);
        }
        list
    }

    /// Adds a target; returns `false` if it was there.
    pub fn push(&mut self, target: Target) -> bool {
        let is_new = match &target {
            Target::Page(url) => self.pages.insert(url.clone()),
            Target::Host(host) => self.hosts.insert(host.as_str().to_owned()),
            Target::Below(host) => self.below.insert(host.as_str().to_owned()),
            Target::Pattern { origin, path } => {
                let patterns = self.patterns.entry(origin.clone()).or_default();
                let is_new = !patterns.contains(path);
                if is_new {
                    patterns.push(path.clone());
                }
                is_new
            }
        };
        if is_new {
            self.targets.push(target);
        }
        is_new
    }

    /// Returns the targets in the order in which they came.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Returns whether a URL is kept out.
    ///
    /// Cost: a few look-ups, and the patterns of the URL's own origin.
    pub fn holds(&self, url: &Url) -> bool {
        !self.targets.is_empty() && self.which(url).is_some()
    }

    /// Returns the target that keeps a URL out.
    pub fn which(&self, url: &Url) -> Option<Target> {
        if self.pages.contains(url) {
            return Some(Target::Page(url.clone()));
        }
        let host = url.host();
        if self.hosts.contains(host.as_str()) {
            return Some(Target::Host(host));
        }
        if let Some(name) = self.domain_of(host.as_str()) {
            return Host::parse(name).map(Target::Below);
        }
        let patterns = self.patterns.get(url.origin())?;
        let path = patterns.iter().find(|path| fits(path, url.path_and_query()))?;
        Some(Target::Pattern { origin: url.origin().to_owned(), path: path.clone() })
    }

    /// Returns the blocked domain that a host lies in.
    fn domain_of<'a>(&self, host: &'a str) -> Option<&'a str> {
        if self.below.is_empty() {
            return None;
        }
        let mut name = Some(host);
        while let Some(present) = name {
            if self.below.contains(present) {
                return Some(present);
            }
            name = present.split_once('.').map(|(_, rest)| rest);
        }
        None
    }

    fn parse(path: &Path, text: &str, rules: Rules) -> Result<Self, BlockError> {
        let mut list = Self { rules, ..Self::default() };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let target: Target = line.parse().map_err(|source| BlockError::Line {
                path: path.to_owned(),
                line: number + 1,
                text: line.chars().filter(|c| !c.is_control()).take(200).collect(),
                source,
            })?;
            list.push(target.under(rules));
        }
        Ok(list)
    }
}

/// Matches from the first to the last character; pieces between stars are found one after the
/// other, each at its first place, which with only `*` as a wildcard is exact and linear.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match text.find(piece) {
            Some(place) => text = &text[place + piece.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

impl Blocked {
    /// Returns whether a URL is kept out.
    pub fn holds(&self, url: &Url) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).holds(url)
    }

    /// Returns how many targets are kept out.
    pub fn num_targets(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).targets.len()
    }

    /// Returns when the collection's file was last written; `None` if there is none.
    pub fn written(collection: &Collection) -> Option<std::time::SystemTime> {
        std::fs::metadata(collection.root().join(NAME)).and_then(|file| file.modified()).ok()
    }

    /// Returns the line that keeps a URL out.
    pub fn which(&self, url: &Url) -> Option<String> {
        let list = self.0.read().unwrap_or_else(PoisonError::into_inner);
        list.which(url).map(|target| target.to_string())
    }

    /// Reads the collection's list in place of the present one; no file is an empty list.
    ///
    /// `rules` are those by which the collection's addresses are canonical.
    pub fn read(&self, collection: &Collection, rules: Rules) -> Result<(), BlockError> {
        let path = collection.root().join(NAME);
        let list = BlockList::parse(&path, &read_text(&path)?, rules)?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = list;
        Ok(())
    }

    /// Adds a target to the list and, durably, to the collection's file.
    ///
    /// A target that had been taken out before is to be taken out again.
    pub fn add(&self, collection: &Collection, target: &Target) -> Result<(), BlockError> {
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let path = collection.root().join(NAME);
        let mut text = read_text(&path)?;
        let stored = BlockList::parse(&path, &text, list.rules)?;
        let target = &target.under(list.rules);
        // Not done, before it is asked for: a crash between the two leaves nothing undone.
        let mut done = read_done(collection)?;
        if done.remove(&target.to_string()) {
            write_done(collection, &done)?;
        }
        if !stored.targets.contains(target) {
            if text.is_empty() {
                text.push_str(PREAMBLE);
            }
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&format!("{target}\n"));
            let failed = |source| BlockError::File { action: "write", path: path.clone(), source };
            write_whole(&path, text.as_bytes()).map_err(failed)?;
        }
        list.push(target.clone());
        Ok(())
    }

    /// Returns the targets that are still to be taken out of what is stored.
    pub fn pending(&self, collection: &Collection) -> Result<Vec<Target>, BlockError> {
        let list = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let done = read_done(collection)?;
        let is_pending = |target: &&Target| !done.contains(&target.to_string());
        Ok(list.targets.iter().filter(is_pending).cloned().collect())
    }

    /// Notes durably that targets have been taken out.
    pub fn set_done(&self, collection: &Collection, targets: &[Target]) -> Result<(), BlockError> {
        let list = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut done = read_done(collection)?;
        done.extend(targets.iter().map(ToString::to_string));
        // Lines that people have removed are done no more: they may come back one day.
        let listed: HashSet<String> = list.targets.iter().map(ToString::to_string).collect();
        done.retain(|line| listed.contains(line));
        write_done(collection, &done)
    }
}

fn read_done(collection: &Collection) -> Result<BTreeSet<String>, BlockError> {
    let text = read_text(&collection.root().join(DONE_NAME))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn write_done(collection: &Collection, done: &BTreeSet<String>) -> Result<(), BlockError> {
    let path = collection.root().join(DONE_NAME);
    let text: String = done.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    write_whole(&path, text.as_bytes()).map_err(|source| BlockError::File {
        action: "write",
        path,
        source,
    })
}

fn read_text(path: &Path) -> Result<String, BlockError> {
    let failed = |source| BlockError::File { action: "read", path: path.to_owned(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut text = String::new();
    let read = file.take(FILE_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    // Half a list would let in what the other half keeps out.
    if read as u64 > FILE_BYTES {
        return Err(failed(io::Error::other("it is longer than 64 MiB")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
