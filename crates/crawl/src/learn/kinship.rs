//! How two addresses of one host differ, if they differ in one way that a lesson is about.

use base::Url;
use xxhash_rust::xxh3::Xxh3;

/// Parameters of one address that are looked at; the rest of a longer list is not.
pub(super) const MAX_PARAMETERS: usize = 8;

/// Scheme and `www.`: the four names that one site often answers to, as a number below 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin(u8);

impl Origin {
    pub(super) const COUNT: usize = 4;

    /// All of them, the better ones later: https beats http, the bare name beats `www.`.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    fn of(url: &Url) -> Self {
        let is_bare = !url.host_str().starts_with("www.");
        Self(u8::from(url.is_https()) << 1 | u8::from(is_bare))
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn is_https(self) -> bool {
        self.0 & 2 != 0
    }

    /// Returns the origin's text for a name without `www.`.
    pub(super) fn text(self, bare: &str) -> String {
        let scheme = if self.is_https() { "https" } else { "http" };
        let www = if self.0 & 1 == 0 { "www." } else { "" };
        format!("{scheme}://{www}{bare}")
    }
}

/// An address taken apart the way the lessons look at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub(super) origin: Origin,
    /// The host without `www.`.
    pub(super) bare: &'a str,
    pub(super) port: Option<u16>,
    /// The path without its last slash.
    pub(super) core: &'a str,
    pub(super) has_slash: bool,
    pub(super) query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(url: &'a Url) -> Self {
        let host = url.host_str();
        let (path, query) = match url.path_and_query().split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (url.path_and_query(), None),
        };
        // The front page is `/` and nothing else.
        let core = path.strip_suffix('/').unwrap_or(path);
        Self {
            origin: Origin::of(url),
            bare: host.strip_prefix("www.").unwrap_or(host),
            port: url.explicit_port(),
            core,
            has_slash: path.ends_with('/') && !core.is_empty(),
            query,
        }
    }

    /// Returns the parameters as they stand, all but those named `without`.
    pub(super) fn pairs(self, without: Option<&'a str>) -> impl Iterator<Item = &'a str> + Clone {
        let pairs = self.query.into_iter().flat_map(|query| query.split('&'));
        pairs.filter(move |pair| Some(name_of(pair)) != without)
    }

    /// Returns the names of the parameters, each once.
    pub(super) fn names(self) -> Vec<&'a str> {
        let mut names = Vec::new();
        for name in self.pairs(None).map(name_of) {
            if !names.contains(&name) && names.len() < MAX_PARAMETERS {
                names.push(name);
            }
        }
        names
    }

    /// Returns the one way in which `other` differs; `None` if it is none of ours, or more.
    pub(super) fn kinship(self, other: Self) -> Option<Kinship<'a>>
    where
        Self: 'a,
    {
        if self.bare != other.bare || self.port != other.port {
            return None;
        }
        let mut found = Vec::new();
        if self.origin != other.origin {
            if self.port.is_some() {
                return None;
            }
            found.push(Kinship::Origin(self.origin, other.origin));
        }
        if self.has_slash != other.has_slash {
            found.push(Kinship::Slash);
        }
        if self.core != other.core {
            if !self.core.eq_ignore_ascii_case(other.core) {
                return None;
            }
            found.push(Kinship::Case);
        }
        if self.query != other.query {
            found.push(self.kinship_of_queries(other)?);
        }
        if found.len() == 1 { found.pop() } else { None }
    }

    fn kinship_of_queries(self, other: Parts<'a>) -> Option<Kinship<'a>> {
        let sorted = |parts: Self| {
            let mut pairs: Vec<&str> = parts.pairs(None).collect();
            pairs.sort_unstable();
            pairs
        };
        if sorted(self) == sorted(other) {
            return Some(Kinship::Order);
        }
        let mut names = self.names().into_iter().chain(other.names());
        names
            .find(|name| self.pairs(Some(name)).eq(other.pairs(Some(name))))
            .map(Kinship::Parameter)
    }

    /// Returns two hashes: one shared by all spellings of the address, and one that tells them
    /// apart, part by part.
    pub(super) fn spelling(self, without: Option<&'a str>) -> Spelling {
        let mut pairs: Vec<&str> = self.pairs(without).collect();
        let order = hash(b'o', &pairs.join("&"));
        pairs.sort_unstable();
        let mut key = Xxh3::new();
        key.update(b"s");
        key.update(&self.port.unwrap_or(0).to_le_bytes());
        key.update(self.core.to_ascii_lowercase().as_bytes());
        for pair in pairs {
            key.update(b"&");
            key.update(pair.as_bytes());
        }
        let form = u32::from(self.origin.0)
            | u32::from(self.has_slash) << Form::SLASH.trailing_zeros()
            | hash(b'c', self.core) << Form::CASE.trailing_zeros() & Form::CASE
            | order << Form::ORDER.trailing_zeros() & Form::ORDER;
        Spelling { key: key.digest() as u32, form }
    }

    /// Returns a hash shared by addresses that differ in this parameter alone, and one of its
    /// values.
    pub(super) fn without(self, name: &'a str) -> Spelling {
        let mut key = Xxh3::new();
        key.update(&[b'p', self.origin.0, u8::from(self.has_slash)]);
        key.update(&self.port.unwrap_or(0).to_le_bytes());
        for part in [name, self.core].into_iter().chain(self.pairs(Some(name))) {
            key.update(part.as_bytes());
            key.update(b"&");
        }
        let mut values = Xxh3::new();
        for pair in self.pairs(None).filter(|pair| name_of(pair) == name) {
            values.update(pair.as_bytes());
            values.update(b"&");
        }
        Spelling { key: key.digest() as u32, form: values.digest() as u32 }
    }
}

/// The one way in which two addresses differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinship<'a> {
    /// In the values of one parameter, or one has it and the other has not.
    Parameter(&'a str),
    /// In upper and lower case of the path.
    Case,
    /// In the slash at the end of the path.
    Slash,
    /// In the order of the parameters.
    Order,
    /// In scheme or `www.`: from the first address's to the second's.
    Origin(Origin, Origin),
}

/// Hashes of one address; see [`Parts::spelling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) key: u32,
    pub(super) form: u32,
}

/// The bits of [`Spelling::form`].
struct Form;

impl Form {
    const ORIGIN: u32 = 0b11;
    const SLASH: u32 = 0b100;
    const CASE: u32 = 0x3FFF << 3;
    const ORDER: u32 = 0x7FFF << 17;
}

impl Spelling {
    /// Returns the one way in which an address under the same key differs.
    pub(super) fn kinship(self, other_form: u32) -> Option<Kinship<'static>> {
        let differ = self.form ^ other_form;
        let only = |mask: u32| differ & mask != 0 && differ & !mask == 0;
        let origin = |form: u32| Origin((form & Form::ORIGIN) as u8);
        if only(Form::ORIGIN) {
            Some(Kinship::Origin(origin(self.form), origin(other_form)))
        } else if only(Form::SLASH) {
            Some(Kinship::Slash)
        } else if only(Form::CASE) {
            Some(Kinship::Case)
        } else if only(Form::ORDER) {
            Some(Kinship::Order)
        } else {
            None
        }
    }
}

pub(super) fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

fn hash(kind: u8, text: &str) -> u32 {
    let mut hasher = Xxh3::new();
    hasher.update(&[kind]);
    hasher.update(text.as_bytes());
    hasher.digest() as u32
}
