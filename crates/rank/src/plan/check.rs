//! What is asked of a page yes or no, in terms of the index but without one: fields by name.

use base::{PageId, Url};

/// A question that a page answers with yes or no; it adds nothing to the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// It has this term.
    Term(Place, String),
    /// It has these terms side by side; an empty one stands for any.
    Row(Place, Vec<String>),
    /// It has one row of each operand, each not too far from one of the operand before.
    Near(Place, Operands),
    /// Its title answers a question about stems with yes, and has one of these rows of surface forms.
    Titled(Box<Check>, Vec<Vec<String>>),
    /// Its address in SURT order begins in one of these ways.
    Below(Vec<Start>),
    /// Its date is from the first moment on, and before the second.
    Dated(Option<i64>, Option<i64>),
    /// It is one of these.
    Pages(Vec<PageId>),
    /// All of this is so.
    All(Vec<Check>),
    /// Some of this is so.
    Any(Vec<Check>),
}

/// How the keys of pages in one folder begin, by one scheme (see [`Url::surt`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Start {
    /// Host, scheme, and the port if the address names one: `example,a:http`.
    pub(crate) origin: String,
    /// Whether a port may follow.
    pub(crate) is_any_port: bool,
    /// What stands behind the parenthesis: `/b`.
    pub(crate) path: String,
}

/// Things that stand near each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operands {
    /// For each operand the rows of terms that are meant by it.
    pub(crate) rows: Vec<Vec<Vec<String>>>,
    /// How far each is from the one before; one fewer than operands.
    pub(crate) distances: Vec<u32>,
}

/// Where a term is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Words,
    Title,
    /// Stems of the address.
    Address,
    /// Its words as they are written.
    AddressWords,
    Host,
    Domain,
    Kind,
    Language,
    Country,
    Key,
}

impl Start {
    /// Returns how the key of this address begins, and those of all that is below it; at any port
    /// only where the address names none.
    pub(crate) fn of(url: &Url, is_any_port: bool) -> Option<Self> {
        let key = url.surt();
        let (origin, path) = key.split_once(')')?;
        Some(Self { origin: origin.to_owned(), is_any_port, path: path.to_owned() })
    }

    /// Returns whether a key begins so.
    pub(crate) fn holds(&self, key: &str) -> bool {
        let Some((origin, path)) = key.split_once(')') else { return false };
        let Some(port) = origin.strip_prefix(&self.origin) else { return false };
        let is_port = port.is_empty() || self.is_any_port && port.starts_with(':');
        is_port && path.starts_with(&self.path)
    }

    /// Returns whether all keys that begin in another way begin so too.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.origin == other.origin
            && self.is_any_port == other.is_any_port
            && other.path.starts_with(&self.path)
    }
}

impl Check {
    /// What no page is.
    pub(crate) const NEVER: Self = Self::Any(Vec::new());

    /// Returns a row as the simplest question there is.
    pub(crate) fn row(place: Place, mut terms: Vec<String>) -> Self {
        match terms.len() {
            1 => Self::Term(place, terms.remove(0)),
            _ => Self::Row(place, terms),
        }
    }

    /// Returns whether it asks for pages by their whole addresses.
    pub(crate) fn names_page(&self) -> bool {
        match self {
            Self::Term(place, _) => *place == Place::Key,
            Self::Any(checks) => !checks.is_empty() && checks.iter().all(Self::names_page),
            _ => false,
        }
    }

    pub(crate) fn all(mut checks: Vec<Self>) -> Self {
        if checks.len() == 1 { checks.remove(0) } else { Self::All(checks) }
    }

    pub(crate) fn any(mut checks: Vec<Self>) -> Self {
        if checks.len() == 1 { checks.remove(0) } else { Self::Any(checks) }
    }
}
