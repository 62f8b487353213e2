//! BVGraph files of others, as the WebGraph framework writes them (see [`crate::bv`]).
//!
//! Lists are read one after the other, so `x.offsets` is not needed. The files have no checksums:
//! whatever is wrong with them must come out while they are read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lines::Lines;
use super::{Named, Names, ReadWatch};
use crate::bv::bits::BitReader;
use crate::bv::decode;
use crate::bv::properties::Properties;
use crate::in_links::Builder;
use crate::{Error, Links};

/// Nodes between two calls of the watch.
const INTERVAL: u32 = 4_096;

/// Returns the base name if a path means a BVGraph.
pub(super) fn basename(path: &Path) -> Option<PathBuf> {
    let extension = path.extension().and_then(|name| name.to_str());
    match extension {
        Some("properties") => Some(path.with_extension("")),
        // Arc lists may be called so too.
        Some("graph" | "offsets") => {
            path.with_extension("properties").exists().then(|| path.with_extension(""))
        }
        _ if !path.exists() && path.with_added_extension("properties").exists() => {
            Some(path.to_owned())
        }
        _ => None,
    }
}

pub(super) fn read(
    basename: &Path,
    names: Option<&Path>,
    watch: ReadWatch<'_>,
) -> Result<Named, Error> {
    let properties = Properties::open(&basename.with_added_extension("properties"))?;
    let path = basename.with_added_extension("graph");
    let bytes = fs::read(&path).map_err(Error::file("read", &path))?;
    let total = bytes.len() as u64;
    // Every node takes a bit at least: what the properties say must fit the file.
    if u64::from(properties.num_nodes) > total * 8 {
        return Err(Error::damaged(&path, "it is too short for its number of nodes"));
    }
    let mut lists = decode::Lists::new(&properties, BitReader::new(&bytes));
    // Not more than the file could hold if nothing of it were copied; the rest may grow.
    let expected = properties.num_arcs.min(total * 8);
    let mut out = Builder::new(properties.num_nodes, usize::try_from(expected).unwrap_or(0));
    let mut num_arcs = 0;
    for node in 0..properties.num_nodes {
        let list = lists.next(properties.num_arcs - num_arcs);
        let list = list.ok_or_else(|| decode::damaged(&path, node))?;
        num_arcs += list.len() as u64;
        list.iter().for_each(|to| out.push(*to));
        out.end_node();
        if node.is_multiple_of(INTERVAL) {
            watch(lists.position() / 8, total);
        }
    }
    let bits = lists.position();
    // Writers fill up a word.
    if num_arcs != properties.num_arcs || bits + 64 <= total * 8 {
        return Err(Error::damaged(&path, "it does not hold the links that its properties tell"));
    }
    watch(total, total);
    let into = out.finish().turned();
    let links = Links::new(into);
    let named = match names {
        None => {
            let num_nodes = links.num_nodes();
            Named { links, num_nodes, names: Names::Numbers, bits: None }
        }
        Some(path) => {
            let names = read_names(path, links.num_nodes())?;
            Named::listed(links, names)
        }
    };
    Ok(Named { bits: Some(bits), ..named })
}

/// Reads the names of node 0, 1, 2, …, one per line.
fn read_names(path: &Path, num_nodes: u32) -> Result<Vec<Arc<str>>, Error> {
    let mut lines = Lines::open(path)?;
    let mut names: Vec<Arc<str>> = Vec::new();
    while let Some(line) = lines.next(&mut |_, _| ())? {
        names.push(line.into());
    }
    if names.len() != num_nodes as usize {
        let reason = format!("it has {} names for {num_nodes} nodes", names.len());
        return Err(Error::damaged(path, reason));
    }
    Ok(names)
}
