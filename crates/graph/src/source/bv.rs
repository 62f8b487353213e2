//! BVGraph files, as the WebGraph framework writes them and the graphs of others are handed on.
//!
//! ```text
//! x.properties   key=value lines: nodes, arcs, windowsize, minintervallength, codes
//! x.graph        for each node: out-degree
//!                | reference r: as node − r, but …        (if there is a window)
//!                | blocks of it, copied and skipped in turn (if r > 0)
//!                | intervals: first and length             (if something is left)
//!                | residuals: first from the node, then gaps (if something is left)
//! ```
//! Lists are read one after the other, so `x.offsets` is not needed. This is a reader of our own
//! because `webgraph`'s trusts its input, as it may for the files of a generation, whose
//! checksums are verified first: on a damaged file it panics, and these have no checksums.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bits::{Bits, Code, signed};
use super::lines::Lines;
use super::{Named, Names, ReadWatch};
use crate::in_links::Builder;
use crate::{Error, Links};

/// Largest window that is read: WebGraph's own default is 7.
const MAX_WINDOW: u64 = 1 << 16;
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
    let properties = Properties::read(&basename.with_added_extension("properties"))?;
    let path = basename.with_added_extension("graph");
    let bytes = fs::read(&path).map_err(Error::file("read", &path))?;
    let total = bytes.len() as u64;
    let damaged =
        |node: u32| Error::damaged(&path, format!("the links of node {node} are not readable"));
    // Every node takes a bit at least: what the properties say must fit the file.
    if u64::from(properties.num_nodes) > total * 8 {
        return Err(Error::damaged(&path, "it is too short for its number of nodes"));
    }
    let mut lists =
        Lists { properties: &properties, bits: Bits::new(&bytes), recent: VecDeque::new() };
    // Not more than the file could hold if nothing of it were copied; the rest may grow.
    let expected = properties.num_arcs.min(total * 8);
    let mut out = Builder::new(properties.num_nodes, usize::try_from(expected).unwrap_or(0));
    let mut num_arcs = 0;
    for node in 0..properties.num_nodes {
        let list = lists.next(node, properties.num_arcs - num_arcs).ok_or_else(|| damaged(node))?;
        num_arcs += list.len() as u64;
        list.iter().for_each(|to| out.push(*to));
        out.end_node();
        if node.is_multiple_of(INTERVAL) {
            watch(lists.bits.place() / 8, total);
        }
    }
    let bits = lists.bits.place();
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

/// What the properties say.
#[derive(Debug)]
struct Properties {
    num_nodes: u32,
    num_arcs: u64,
    window: u64,
    min_interval: u64,
    /// Of out-degrees, references, blocks, intervals and residuals.
    codes: [Code; 5],
}

const OUT_DEGREES: usize = 0;
const REFERENCES: usize = 1;
const BLOCKS: usize = 2;
const INTERVALS: usize = 3;
const RESIDUALS: usize = 4;
const CODED: [&str; 5] = ["OUTDEGREES", "REFERENCES", "BLOCKS", "INTERVALS", "RESIDUALS"];

impl Properties {
    fn read(path: &Path) -> Result<Self, Error> {
        let mut lines = Lines::open(path)?;
        let mut map = HashMap::new();
        while let Some(line) = lines.next(&mut |_, _| ())? {
            if let Some((key, value)) = line.split_once('=') {
                map.insert(key.trim().to_owned(), value.trim().to_owned());
            }
        }
        Self::parse(&map).map_err(|reason| Error::damaged(path, reason))
    }

    fn parse(map: &HashMap<String, String>) -> Result<Self, String> {
        let class = map.get("graphclass").map_or("", String::as_str);
        if !class.ends_with(".BVGraph") {
            return Err(format!("its graph class is `{class}`, not a BVGraph"));
        }
        if map.get("endianness").is_some_and(|order| order != "big") {
            return Err("only bits in big-endian order can be read".to_owned());
        }
        let number = |key: &str, default: Option<u64>| match map.get(key) {
            Some(text) => text.parse::<u64>().map_err(|_| format!("its `{key}` is `{text}`")),
            None => default.ok_or_else(|| format!("it does not say `{key}`")),
        };
        let num_nodes = u32::try_from(number("nodes", None)?).ok().filter(|num| *num < u32::MAX);
        let num_nodes = num_nodes.ok_or_else(|| "it has too many nodes".to_owned())?;
        let k = u32::try_from(number("zetak", Some(3))?).ok().filter(|k| (1..=16).contains(k));
        let k = k.ok_or_else(|| "its `zetak` is not between 1 and 16".to_owned())?;
        let window = number("windowsize", Some(7))?;
        if window > MAX_WINDOW {
            return Err(format!("its `windowsize` is above {MAX_WINDOW}"));
        }
        let mut codes = [Code::Gamma, Code::Unary, Code::Gamma, Code::Gamma, Code::Zeta(k)];
        for flag in map.get("compressionflags").map_or("", String::as_str).split('|') {
            set_code(&mut codes, flag.trim(), k)?;
        }
        let min_interval = number("minintervallength", Some(4))?;
        Ok(Self { num_nodes, num_arcs: number("arcs", None)?, window, min_interval, codes })
    }
}

/// Takes over a flag such as `RESIDUALS_DELTA`.
fn set_code(codes: &mut [Code; 5], flag: &str, k: u32) -> Result<(), String> {
    // How the offsets are written does not matter here: they are not read.
    if flag.is_empty() || flag.starts_with("OFFSETS_") {
        return Ok(());
    }
    let unknown = || format!("its compression flag `{flag}` is not known");
    let (what, code) = flag.split_once('_').ok_or_else(unknown)?;
    let place = CODED.iter().position(|name| *name == what).ok_or_else(unknown)?;
    codes[place] = match code {
        "UNARY" => Code::Unary,
        "GAMMA" => Code::Gamma,
        "DELTA" => Code::Delta,
        "ZETA" => Code::Zeta(k),
        _ => {
            let k = code.strip_prefix("ZETA").and_then(|k| k.parse().ok()).ok_or_else(unknown)?;
            if !(1..=16).contains(&k) {
                return Err(unknown());
            }
            Code::Zeta(k)
        }
    };
    Ok(())
}

/// The successor lists, in the order of the nodes.
struct Lists<'a> {
    properties: &'a Properties,
    bits: Bits<'a>,
    /// The lists that may still be referred to, last one in front.
    recent: VecDeque<Vec<u32>>,
}

impl Lists<'_> {
    /// Reads the list of a node, ascending; `None` if that cannot be, or has more than `most`.
    ///
    /// Linear in what it returns and in the bits read.
    fn next(&mut self, node: u32, most: u64) -> Option<&[u32]> {
        let window = self.properties.window as usize;
        // The buffer of the list that nobody can refer to any more is used again.
        let oldest = if self.recent.len() > window { self.recent.pop_back() } else { None };
        let mut list = oldest.unwrap_or_default();
        list.clear();
        let degree = self.number(OUT_DEGREES)?;
        if degree > most.min(self.properties.num_nodes.into()) {
            return None;
        }
        let degree = usize::try_from(degree).ok()?;
        if degree > 0 {
            if window > 0 {
                self.copy(&mut list, degree)?;
            }
            if list.len() < degree && self.properties.min_interval > 0 {
                self.intervals(&mut list, node, degree)?;
            }
            self.residuals(&mut list, node, degree)?;
            list.sort_unstable();
        }
        let is_ascending = list.windows(2).all(|pair| pair[0] < pair[1]);
        let is_known = list.last().is_none_or(|last| *last < self.properties.num_nodes);
        if !is_ascending || !is_known {
            return None;
        }
        self.recent.push_front(list);
        self.recent.front().map(Vec::as_slice)
    }

    /// Copies from the list that this one refers to, if to any.
    fn copy(&mut self, list: &mut Vec<u32>, degree: usize) -> Option<()> {
        let reference = self.number(REFERENCES)?;
        if reference == 0 {
            return Some(());
        }
        if reference > self.properties.window {
            return None;
        }
        let num_blocks = self.number(BLOCKS)?;
        let code = self.properties.codes[BLOCKS];
        let source = self.recent.get(usize::try_from(reference - 1).ok()?)?;
        let mut rest = source.as_slice();
        for block in 0..num_blocks {
            // Only the first can be empty.
            let len = self.bits.number(code)?.checked_add(u64::from(block > 0))?;
            let part = rest.split_off(..usize::try_from(len).ok()?)?;
            if block % 2 == 0 {
                list.extend_from_slice(part);
            }
        }
        if num_blocks % 2 == 0 {
            list.extend_from_slice(rest);
        }
        (list.len() <= degree).then_some(())
    }

    /// Reads runs of successive nodes.
    fn intervals(&mut self, list: &mut Vec<u32>, node: u32, degree: usize) -> Option<()> {
        let num_intervals = self.number(INTERVALS)?;
        let mut next: i64 = node.into();
        for interval in 0..num_intervals {
            let gap = self.number(INTERVALS)?;
            let gap = if interval == 0 {
                signed(gap)
            } else {
                i64::try_from(gap).ok()?.checked_add(1)?
            };
            let len = self.number(INTERVALS)?.checked_add(self.properties.min_interval)?;
            if len > (degree - list.len()) as u64 {
                return None;
            }
            let first = next.checked_add(gap)?;
            next = first.checked_add(i64::try_from(len).ok()?)?;
            // Checked before the run is made: both ends are node numbers.
            list.extend(u32::try_from(first).ok()?..u32::try_from(next).ok()?);
        }
        Some(())
    }

    /// Reads what is left, one by one.
    fn residuals(&mut self, list: &mut Vec<u32>, node: u32, degree: usize) -> Option<()> {
        let mut last: Option<u64> = None;
        while list.len() < degree {
            let gap = self.number(RESIDUALS)?;
            let next = match last {
                None => u64::try_from(i64::from(node).checked_add(signed(gap))?).ok()?,
                Some(last) => last.checked_add(gap)?.checked_add(1)?,
            };
            last = Some(next);
            list.push(u32::try_from(next).ok()?);
        }
        Some(())
    }

    fn number(&mut self, what: usize) -> Option<u64> {
        self.bits.number(self.properties.codes[what])
    }
}
