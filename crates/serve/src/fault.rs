//! What is wrong with a parameter: a value, so that the page can say it in its visitor's language.
//!
//! `Display` is English, and is what programs read.

use std::fmt;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not there.
    Missing { name: String },
    /// It is there twice.
    Twice { name: String },
    /// It is not percent-encoded UTF-8.
    Encoding { name: String },
    /// It must be 0 or 1.
    Switch { name: String },
    /// It must be a whole number up to this.
    Number { name: String, most: usize },
    /// It must be below this.
    Offset { below: usize },
    /// It names more topics than so many.
    Topics { most: usize },
    /// It takes other values.
    Wants { name: String, wants: FaultWants },
    /// Its value is none that it takes; the reason is English.
    Refused { name: String, value: String, reason: String },
    /// A copy is of one page.
    OnePage,
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultWants {
    Language,
    Site,
    Type,
    Country,
    Date,
    Age,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(f, "the parameter `{name}` is missing"),
            Self::Twice { name } => write!(f, "`{name}` is given twice"),
            Self::Encoding { name } => write!(f, "`{name}` is not percent-encoded UTF-8"),
            Self::Switch { name } => write!(f, "`{name}` must be 0 or 1"),
            Self::Number { name, most } => {
                write!(f, "`{name}` must be a whole number from 0 to {most}")
            }
            Self::Offset { below } => {
                write!(f, "`offset` must be below {below}; a narrower query helps")
            }
            Self::Topics { most } => write!(f, "`topic` names more than {most} topics"),
            Self::Wants { name, wants } => write!(f, "`{name}` must be {wants}"),
            Self::Refused { name, reason, .. } => write!(f, "`{name}`: {reason}"),
            Self::OnePage => {
                f.write_str("name one page: `url` with its address, or `page` with its number")
            }
        }
    }
}

impl fmt::Display for FaultWants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Language => "two letters of a language, such as `da`",
            Self::Site => "a domain, such as `example.org`, or a folder of one",
            Self::Type => "a type of file, such as `pdf`",
            Self::Country => "two letters of a country, such as `dk`",
            Self::Date => "a year, a month or a day, such as `2024`, `2024-05` or `2024-05-01`",
            Self::Age => "`day`, `week`, `month` or `year`",
        })
    }
}
