//! What is asked of a page yes or no, in terms of the index but without one: fields by name.

use base::PageId;

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
    /// Its address in SURT order begins so.
    Below(Vec<String>),
    /// Its date is from the first moment on, and before the second.
    Dated(Option<i64>, Option<i64>),
    /// It is one of these.
    Pages(Vec<PageId>),
    /// All of this is so.
    All(Vec<Check>),
    /// Some of this is so.
    Any(Vec<Check>),
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
