//! The query language: from what a person typed to a tree, and back to text.
//!
//! ```text
//! any   = all ("OR" all)*
//! all   = one ("AND"? one)*
//! one   = ("NOT" | "-")* item
//! item  = word | "\"" words "\"" | "(" any ")"
//! ```
//! Operators are written in capitals. Every text within [`Limits`] is a valid query: an operator
//! without something to work on, a quote or a group that is not closed is searched as words.

mod lex;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use thiserror::Error;

/// A query as a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    root: Option<Node>,
}

/// A part of a query.
///
/// Groups hold at least two parts and never a group of their own kind; a negation never holds a
/// negation. So a tree has one way to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Node {
    /// A word in any of its forms.
    Word(String),
    /// Words side by side, in the form they are written in.
    Phrase(String),
    /// Every part.
    And(Vec<Node>),
    /// At least one part.
    Or(Vec<Node>),
    /// Not this.
    Not(Box<Node>),
}

/// How large a query may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Length of the text in bytes.
    pub bytes: usize,
    /// Words, those in phrases included.
    pub terms: usize,
    /// Groups in groups.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1_024, terms: 64, depth: 32 }
    }
}

/// Why a query is refused. Nothing but its size is a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// More text than the limit.
    #[error("the query is longer than {0} bytes")]
    Bytes(usize),
    /// More words than the limit.
    #[error("the query has more than {0} words")]
    Terms(usize),
    /// Deeper nesting than the limit.
    #[error("the query has groups nested deeper than {0}")]
    Depth(usize),
}

impl Query {
    /// Reads a query under the default [`Limits`]. Cost: linear in its length.
    pub fn parse(text: &str) -> Result<Self, TooLarge> {
        Self::parse_with(text, Limits::default())
    }

    /// Like [`Self::parse`], with chosen limits.
    pub fn parse_with(text: &str, limits: Limits) -> Result<Self, TooLarge> {
        if text.len() > limits.bytes {
            return Err(TooLarge::Bytes(limits.bytes));
        }
        let tokens = lex::tokens(text, limits)?;
        Ok(Self { root: parse::parse(&tokens, limits)? })
    }

    /// Returns the tree, or `None` if the text had nothing to search for.
    pub fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }
}

/// Prints the query so that parsing gives the same tree again.
impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.as_ref().map_or(Ok(()), |root| write!(formatter, "{root}"))
    }
}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => formatter.write_str(word),
            Self::Phrase(words) => write!(formatter, "\"{words}\""),
            Self::And(parts) => write_group(formatter, parts, " AND "),
            Self::Or(parts) => write_group(formatter, parts, " OR "),
            Self::Not(part) => {
                formatter.write_str("NOT ")?;
                write_part(formatter, part)
            }
        }
    }
}

fn write_group(formatter: &mut fmt::Formatter<'_>, parts: &[Node], operator: &str) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            formatter.write_str(operator)?;
        }
        write_part(formatter, part)?;
    }
    Ok(())
}

/// Puts parentheses around groups, also where the grammar could do without: for people.
fn write_part(formatter: &mut fmt::Formatter<'_>, part: &Node) -> fmt::Result {
    match part {
        Node::And(_) | Node::Or(_) => write!(formatter, "({part})"),
        _ => write!(formatter, "{part}"),
    }
}
