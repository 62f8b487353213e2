//! From a tree back to text that is read as the same tree.
//!
//! Words that stood side by side are printed so: with `AND` between them none might be missing.
//! Parentheses are printed only where the grammar needs them. So the text is never nested deeper
//! than what was typed, and is not refused for that.

use std::fmt;

use super::{Near, Node, Query, Zone};

/// Prints the query so that parsing gives an equal one again.
///
/// Only in bytes may the text be beyond the limit that the query was within: names of hosts and
/// paths are longer in the form that is compared, and every part of a group shows its field.
impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.as_ref().map_or(Ok(()), |root| formatter.write_str(&self.printed(root)))
    }
}

impl Query {
    /// Prints a tree that was made of this query, as loose as the query is.
    pub(crate) fn printed(&self, node: &Node) -> String {
        let and = if self.is_loose { " " } else { " AND " };
        Printed { node, and, zone: None }.to_string()
    }
}

/// Prints a part of a query, none of whose words may be missing.
impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", Printed { node: self, and: " AND ", zone: None })
    }
}

impl fmt::Display for Near {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.first)?;
        for (distance, part) in &self.rest {
            write!(formatter, " NEAR/{distance} {part}")?;
        }
        Ok(())
    }
}

/// A node and how it is printed.
#[derive(Clone, Copy)]
struct Printed<'a> {
    node: &'a Node,
    /// What stands between parts that pages should all have.
    and: &'static str,
    /// The field before the group that the node is in.
    zone: Option<Zone>,
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.any(formatter)
    }
}

impl<'a> Printed<'a> {
    /// Prints it where anything may stand: alone, between parentheses, beside OR.
    fn any(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Node::Or(parts) => self.joined(parts, " OR ", Self::any, formatter),
            Node::And(parts) => self.joined(parts, self.and, Self::all, formatter),
            _ => self.one(formatter),
        }
    }

    /// Prints it beside AND, which binds more tightly than OR.
    fn all(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Node::Or(_) => self.group(formatter),
            _ => self.any(formatter),
        }
    }

    /// Prints it behind NOT, which binds more tightly than both.
    fn one(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Node::And(_) | Node::Or(_) => self.group(formatter),
            Node::Not(part) => {
                formatter.write_str("NOT ")?;
                Self { node: part, ..self }.one(formatter)
            }
            Node::In(zone, part) => match &**part {
                Node::Near(near) if self.zone == Some(*zone) => write!(formatter, "{near}"),
                Node::Near(near) => write!(formatter, "{zone}:({near})"),
                part => write!(formatter, "{zone}:{part}"),
            },
            Node::Word(word) | Node::Wild(word) => formatter.write_str(word),
            Node::Exact(word) => write!(formatter, "+{word}"),
            Node::Phrase(words) => write!(formatter, "\"{words}\""),
            Node::Fuzzy(word, edits) => write!(formatter, "{word}~{edits}"),
            Node::Near(near) => write!(formatter, "{near}"),
            Node::Filter(filter) => write!(formatter, "{filter}"),
        }
    }

    /// Prints it between parentheses.
    ///
    /// What is near something in a field needs parentheses of its own, or a group of that field
    /// around it. The latter where it can be: `title:(a NEAR/2 b OR c) d` is one level deep, and
    /// with parentheses in parentheses it would be two.
    fn group(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zone = near_zone(self.node).filter(|_| has_fields_only(self.node));
        match zone {
            Some(zone) if self.zone != Some(zone) => write!(formatter, "{zone}:(")?,
            _ => formatter.write_str("(")?,
        }
        Self { zone: zone.or(self.zone), ..self }.any(formatter)?;
        formatter.write_str(")")
    }

    fn joined(
        self,
        parts: &'a [Node],
        operator: &str,
        print: fn(Self, &mut fmt::Formatter<'_>) -> fmt::Result,
        formatter: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                formatter.write_str(operator)?;
            }
            print(Self { node: part, ..self }, formatter)?;
        }
        Ok(())
    }
}

/// Returns the field of the first words in a node that stand near each other in a field.
fn near_zone(node: &Node) -> Option<Zone> {
    match node {
        Node::And(parts) | Node::Or(parts) => parts.iter().find_map(near_zone),
        Node::Not(part) => near_zone(part),
        Node::In(zone, part) if matches!(**part, Node::Near(_)) => Some(*zone),
        _ => None,
    }
}

/// Returns whether everything in a node has a field: then a group of another leaves it there.
fn has_fields_only(node: &Node) -> bool {
    match node {
        Node::And(parts) | Node::Or(parts) => parts.iter().all(has_fields_only),
        Node::Not(part) => has_fields_only(part),
        Node::In(..) | Node::Filter(_) => true,
        _ => false,
    }
}
