//! Scores of nodes: a table for people, or one JSON object per line.

use std::fmt;
use std::io::{BufWriter, Write};

use ::graph::{Named, Node};
use anyhow::Result;
use serde::Serialize;

use super::owners::Owners;
use crate::Done;

#[derive(clap::Args)]
#[command(next_help_heading = "What to show")]
pub(super) struct ShowArgs {
    /// How many nodes, best first.
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// All nodes.
    #[arg(long, conflicts_with = "top")]
    pub(super) all: bool,
    /// One JSON object per line: node, score.
    #[arg(long)]
    pub(super) json: bool,
}

/// Whose scores are listed.
#[derive(Clone, Copy)]
pub(super) enum Listed<'a> {
    Nodes(&'a Named),
    /// Nodes that are hosts or sites, and what one of them is called.
    Groups(&'a Named, &'static str),
    Hosts(&'a Owners),
}

/// A score of each node besides the one that sorts them.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) scores: Vec<f64>,
}

impl Column {
    pub(super) fn new(name: &str, scores: Vec<f64>) -> Self {
        Self { name: name.to_owned(), scores }
    }
}

/// A node as JSON.
#[derive(Serialize)]
struct Line<'a> {
    node: &'a str,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    topics: Option<serde_json::Map<String, serde_json::Value>>,
}

impl ShowArgs {
    /// Prints nodes with their scores, best first; equal ones in the order of the graph.
    pub(super) fn print(
        &self,
        named: &Named,
        score: &str,
        scores: &[f64],
        columns: &[Column],
    ) -> Result<Done> {
        let best = self.best(scores);
        if best.is_empty() {
            return Ok(nothing());
        }
        let mut out = BufWriter::new(std::io::stdout().lock());
        if !self.json {
            let names: String =
                columns.iter().map(|column| format!("{:<14}", printable(&column.name))).collect();
            writeln!(out, "place  {score:<14}{names}node")?;
        }
        for (place, node) in best.into_iter().enumerate() {
            let name = named.name(node)?;
            let score = scores[node.index()];
            if self.json {
                let topics = (!columns.is_empty()).then(|| {
                    let value =
                        |column: &Column| (column.name.clone(), column.scores[node.index()].into());
                    columns.iter().map(value).collect()
                });
                let line = Line { node: &name, score, topics };
                writeln!(out, "{}", serde_json::to_string(&line)?)?;
            } else {
                write!(out, "{:>5}  {:<14}", place + 1, shown(score))?;
                for column in columns {
                    write!(out, "{:<14}", shown(column.scores[node.index()]))?;
                }
                writeln!(out, "{}", printable(&name))?;
            }
        }
        out.flush()?;
        Ok(Done::Well)
    }

    /// Prints nodes or hosts with several scores each, those with most of the first one first.
    ///
    /// In JSON each is a `node`, the first is its score, the others go by their names.
    pub(super) fn list(&self, listed: Listed<'_>, columns: &[Column]) -> Result<Done> {
        let Some(first) = columns.first() else { return Ok(nothing()) };
        let best = self.best(&first.scores);
        if best.is_empty() {
            return Ok(nothing());
        }
        let heads = columns.iter().map(|column| column.name.as_str());
        let mut table = Table::new(["place"].into_iter().chain(heads).chain([listed.kind()]));
        let mut out = BufWriter::new(std::io::stdout().lock());
        for (place, number) in best.into_iter().enumerate() {
            let name = listed.name(number)?;
            let scores = || columns.iter().map(|column| column.scores[number.index()]);
            if self.json {
                let mut line = serde_json::Map::new();
                line.insert("node".to_owned(), name.into());
                line.insert("score".to_owned(), scores().next().into());
                for (column, score) in columns.iter().zip(scores()).skip(1) {
                    line.insert(column.name.replace(' ', "_"), score.into());
                }
                writeln!(out, "{}", serde_json::Value::Object(line))?;
            } else {
                let place = (place + 1).to_string();
                table.push([place].into_iter().chain(scores().map(shown)).chain([name]));
            }
        }
        if !self.json {
            write!(out, "{table}")?;
        }
        out.flush()?;
        Ok(Done::Well)
    }

    /// Prints all of some nodes with a score each, in their order.
    pub(super) fn pairs(&self, named: &Named, score: &str, nodes: &[(Node, f64)]) -> Result<Done> {
        if nodes.is_empty() {
            return Ok(nothing());
        }
        let mut table = Table::new(["place", score, "node"]);
        let mut out = BufWriter::new(std::io::stdout().lock());
        for (place, (node, score)) in nodes.iter().enumerate() {
            let (name, score) = (named.name(*node)?, *score);
            if self.json {
                let line = Line { node: &name, score, topics: None };
                writeln!(out, "{}", serde_json::to_string(&line)?)?;
            } else {
                table.push([(place + 1).to_string(), shown(score), name.into_owned()]);
            }
        }
        if !self.json {
            write!(out, "{table}")?;
        }
        out.flush()?;
        Ok(Done::Well)
    }

    /// Returns how many of `num` are to be shown.
    pub(super) fn most(&self, num: usize) -> usize {
        if self.all { num } else { self.top.min(num) }
    }

    /// Returns the nodes to show. O(n log n).
    fn best(&self, scores: &[f64]) -> Vec<Node> {
        let mut nodes: Vec<Node> = (0..).map(Node).take(scores.len()).collect();
        nodes.sort_by(|one, other| scores[other.index()].total_cmp(&scores[one.index()]));
        if !self.all {
            nodes.truncate(self.top);
        }
        nodes
    }
}

impl Listed<'_> {
    fn kind(self) -> &'static str {
        match self {
            Self::Nodes(_) => "node",
            Self::Groups(_, kind) => kind,
            Self::Hosts(_) => "host",
        }
    }

    fn name(self, number: Node) -> Result<String> {
        match self {
            Self::Nodes(named) | Self::Groups(named, _) => Ok(named.name(number)?.into_owned()),
            Self::Hosts(owners) => Ok(owners.name(number.0).to_owned()),
        }
    }
}

/// Rows of cells under heads. A column of numbers only stands to the right, others to the left.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<'a>(heads: impl IntoIterator<Item = &'a str>) -> Self {
        let mut table = Self { rows: Vec::new() };
        table.push(heads.into_iter().map(str::to_owned));
        table
    }

    /// Adds a row with as many cells as there are heads.
    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| printable(&cell)).collect());
    }

    /// Returns how wide a column is and whether it stands to the right.
    fn shape(&self, column: usize) -> (usize, bool) {
        let cells = || self.rows.iter().filter_map(|row| row.get(column));
        let width = cells().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let is_counted = |cell: &String| cell.chars().all(|c| c.is_ascii_digit() || c == ',');
        (width, cells().skip(1).all(is_counted))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let num_columns = self.rows.first().map_or(0, Vec::len);
        let shapes: Vec<_> = (0..num_columns).map(|column| self.shape(column)).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, (width, is_right)) in row.iter().zip(&shapes) {
                let blanks = " ".repeat(width - cell.chars().count());
                let (before, behind) =
                    if *is_right { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
                line += &format!("{before}{cell}{behind}  ");
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Says that there is nothing to show.
pub(super) fn nothing() -> Done {
    drop(writeln!(std::io::stderr(), "there is nothing to show"));
    Done::Empty
}

/// Returns a score in at most 13 characters that keeps ten digits, or four of a tiny one.
pub(super) fn shown(score: f64) -> String {
    if score == 0.0 || score.abs() >= 1e-6 {
        format!("{score:.10}")
    } else {
        format!("{score:.4e}")
    }
}

/// Strangers' names must not steer the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_equal_ones_in_order() {
        let args = |top, all| ShowArgs { top, all, json: false };
        let scores = [0.1, 0.5, 0.1, 0.3];
        assert_eq!(args(2, false).best(&scores), [Node(1), Node(3)]);
        assert_eq!(args(0, true).best(&scores), [Node(1), Node(3), Node(0), Node(2)]);
        assert!(args(20, false).best(&[]).is_empty());
    }

    #[test]
    fn scores_fit_their_column() {
        assert_eq!(shown(0.0), "0.0000000000");
        assert_eq!(shown(0.019_878_750_637), "0.0198787506");
        assert_eq!(shown(1.25e-9), "1.2500e-9");
        assert_eq!(shown(-0.5), "-0.5000000000");
    }

    #[test]
    fn columns_of_counts_stand_to_the_right() {
        let mut table = Table::new(["place", "part", "pages"]);
        table.push(["1", "co\u{7}re", "1,200"].map(str::to_owned));
        table.push(["10", "in", "7"].map(str::to_owned));
        let expected = "place  part  pages\n    1  core  1,200\n   10  in        7\n";
        assert_eq!(table.to_string(), expected);
    }
}
