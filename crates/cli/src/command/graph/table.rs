//! Scores of nodes: a table for people, or one JSON object per line.

use std::io::{BufWriter, Write};

use ::graph::{Named, Node};
use anyhow::Result;
use serde::Serialize;

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
    json: bool,
}

/// A score of each node besides the one that sorts them.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) scores: Vec<f64>,
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
            drop(writeln!(std::io::stderr(), "there is nothing to show"));
            return Ok(Done::Empty);
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

/// Returns a score in at most 12 characters that keeps ten digits, or four of a tiny one.
fn shown(score: f64) -> String {
    if score == 0.0 || score >= 1e-6 { format!("{score:.10}") } else { format!("{score:.4e}") }
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
    }
}
