//! `lookfar graph stats`: how large a graph is and how its links are spread.

use std::io::Write;
use std::path::Path;

use ::graph::{Named, Node, Shape, shape};
use anyhow::Result;
use indicatif::HumanCount;
use serde_json::json;

use super::from::{FromArgs, LevelArgs};
use super::table::printable;
use crate::Done;
use crate::progress::{Of, showing};

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph stats
  lookfar graph stats --hosts
  lookfar graph stats --sites
  lookfar graph stats --graph cnr-2000.graph --json";

#[derive(clap::Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(dir: &Path, args: &StatsArgs) -> Result<Done> {
    let named = args.from.open_at(&args.level, dir)?;
    let shape = showing("counted nodes", Of::Items, |watch| shape(named.links(), watch));
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", as_json(&named, &shape)?)?,
        false => write!(out, "{}", as_text(&named, &shape)?)?,
    }
    Ok(Done::Well)
}

/// Returns the bits per link, where the graph came compressed and has links.
fn bits_per_link(named: &Named, shape: &Shape) -> Option<f64> {
    let bits = named.bits().filter(|_| shape.num_arcs > 0)?;
    Some(bits as f64 / shape.num_arcs as f64)
}

fn mean_degree(shape: &Shape) -> f64 {
    shape.num_arcs as f64 / f64::from(shape.num_nodes.max(1))
}

fn as_json(named: &Named, shape: &Shape) -> Result<serde_json::Value> {
    let most = |most: Option<(Node, u32)>| -> Result<serde_json::Value> {
        let Some((node, degree)) = most else { return Ok(serde_json::Value::Null) };
        Ok(json!({ "node": named.name(node)?, "degree": degree }))
    };
    Ok(json!({
        "nodes": shape.num_nodes,
        "arcs": shape.num_arcs,
        "self_loops": shape.self_loops,
        "dead_ends": shape.dead_ends,
        "without_in_links": shape.without_in_links,
        "alone": shape.alone,
        "mean_degree": mean_degree(shape),
        "most_out_links": most(shape.most_out_links)?,
        "most_in_links": most(shape.most_in_links)?,
        "out_degrees": shape.out_degrees,
        "in_degrees": shape.in_degrees,
        "bits_per_link": bits_per_link(named, shape),
    }))
}

fn as_text(named: &Named, shape: &Shape) -> Result<String> {
    let most = |most: Option<(Node, u32)>| -> Result<String> {
        let Some((node, degree)) = most else { return Ok("none".to_owned()) };
        Ok(format!("{}, {}", HumanCount(degree.into()), printable(&named.name(node)?)))
    };
    let count = |number: u32| {
        let share = 100.0 * f64::from(number) / f64::from(shape.num_nodes.max(1));
        format!("{} ({share:.1} %)", HumanCount(number.into()))
    };
    let rows = [
        ("nodes", HumanCount(shape.num_nodes.into()).to_string()),
        ("arcs", HumanCount(shape.num_arcs).to_string()),
        ("arcs per node", format!("{:.2}", mean_degree(shape))),
        ("self-loops", HumanCount(shape.self_loops.into()).to_string()),
        ("dead ends", count(shape.dead_ends)),
        ("without in-links", count(shape.without_in_links)),
        ("without any link", count(shape.alone)),
        ("most out-links", most(shape.most_out_links)?),
        ("most in-links", most(shape.most_in_links)?),
    ];
    let mut text: String =
        rows.iter().map(|(name, value)| format!("{name:<18} {value}\n")).collect();
    if let Some(bits) = bits_per_link(named, shape) {
        text += &format!("{:<18} {bits:.3}\n", "bits per link");
    }
    text += "\ndegree             nodes by out-links  by in-links\n";
    let len = shape.out_degrees.len().max(shape.in_degrees.len());
    for place in 0..len {
        let number = |degrees: &[u32]| HumanCount(degrees.get(place).copied().unwrap_or(0).into());
        let (out, into) = (number(&shape.out_degrees), number(&shape.in_degrees));
        text +=
            &format!("{:<18} {:>18} {:>12}\n", degrees(place), out.to_string(), into.to_string());
    }
    Ok(text)
}

/// Says which degrees are counted at a place: 0, 1, 2–3, 4–7, …
fn degrees(place: usize) -> String {
    match place {
        0 | 1 => place.to_string(),
        _ => {
            let first = 1u64 << (place - 1).min(62);
            format!("{}–{}", HumanCount(first), HumanCount(2 * first - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_counted_by_powers_of_two() {
        let said: Vec<String> = (0..5).map(degrees).collect();
        assert_eq!(said, ["0", "1", "2–3", "4–7", "8–15"]);
    }
}
