//! Arc lists: a line per link.
//!
//! ```text
//! # a remark
//! A       B          from, then to: a tab between them, or any white space
//! C                  a node, with or without links elsewhere
//! ```
//! Around a tab, names may hold blanks; a line without one is parted at white space. Names are
//! anything; numbers are names too. A first line of two words before a line of two numbers is a
//! heading and passed over. Nodes are numbered in the order in which they are first named.
//!
//! A file of names has lines of two columns: the name in the arc list, and the name to use.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::lines::Lines;
use super::{Builder, Named, ReadWatch};
use crate::Error;

pub(super) fn read(
    path: &Path,
    names: Option<&Path>,
    watch: ReadWatch<'_>,
) -> Result<Named, Error> {
    let mut builder = Builder::default();
    let mut given: Vec<Arc<str>> = Vec::new();
    if let Some(names) = names {
        read_names(names, &mut builder, &mut given)?;
    }
    let mut lines = Lines::open(path)?;
    // The first line of two words, held until the second says whether it is a heading.
    let mut held: Option<(String, String)> = None;
    let mut is_first = true;
    while let Some(line) = lines.next(watch)? {
        let pair = match columns(line) {
            Ok((from, Some(to))) => Some((from, to)),
            Ok((lone, None)) => {
                release(&mut held, &mut builder)?;
                builder.node(lone)?;
                None
            }
            Err(reason) => return Err(lines.error(reason)),
        };
        if let Some((from, to)) = pair {
            if is_first && !is_number(from) && !is_number(to) {
                held = Some((from.to_owned(), to.to_owned()));
            } else {
                if is_number(from) && is_number(to) {
                    held = None;
                }
                release(&mut held, &mut builder)?;
                builder.arc(from, to)?;
            }
        }
        is_first = false;
    }
    release(&mut held, &mut builder)?;
    if given.is_empty() {
        return builder.finish();
    }
    let links = builder.links()?;
    given.extend_from_slice(&builder.names[given.len()..]);
    Ok(Named::listed(links, given))
}

fn release(held: &mut Option<(String, String)>, builder: &mut Builder) -> Result<(), Error> {
    match held.take() {
        Some((from, to)) => builder.arc(&from, &to),
        None => Ok(()),
    }
}

/// Reads a file of names; `given` gets the name of each node that the builder gets.
fn read_names(path: &Path, builder: &mut Builder, given: &mut Vec<Arc<str>>) -> Result<(), Error> {
    let mut lines = Lines::open(path)?;
    let mut rows: Vec<(String, String)> = Vec::new();
    while let Some(line) = lines.next(&mut |_, _| ())? {
        let Some((node, name)) = line.split_once(char::is_whitespace) else {
            return Err(lines.error("it has one column; a name in the graph and its name are two"));
        };
        // As in an arc list, a heading stands before numbers.
        if rows.len() == 1 && is_number(node) && !is_number(&rows[0].0) {
            rows.clear();
        }
        rows.push((node.to_owned(), name.trim().to_owned()));
    }
    for (node, name) in rows {
        if builder.node(&node)?.index() == given.len() {
            given.push(name.into());
        }
    }
    Ok(())
}

/// Takes a line apart; what is wrong with it otherwise.
fn columns(line: &str) -> Result<(&str, Option<&str>), &'static str> {
    let is_tabbed = line.contains('\t');
    let is_gap = |c: char| if is_tabbed { c == '\t' } else { c.is_whitespace() };
    let mut parts = line.split(is_gap).map(str::trim).filter(|part| !part.is_empty());
    let found = (parts.next().unwrap_or_default(), parts.next());
    if parts.next().is_some() {
        return Err("it has more than two columns; a link is `from`, a tab, `to`");
    }
    Ok(found)
}

fn is_number(name: &str) -> bool {
    name.parse::<u64>().is_ok()
}

/// Fails on a name that would not be read back.
pub(super) fn check_name(name: &str) -> io::Result<()> {
    let is_kept = !name.is_empty() && !name.starts_with('#') && name.trim() == name;
    if is_kept && !name.contains(|c: char| c.is_control()) {
        return Ok(());
    }
    let reason = format!("`{}` cannot be written in an arc list", name.escape_debug());
    Err(io::Error::new(io::ErrorKind::InvalidData, reason))
}

/// Fails on a name that would be read back as an arc when it stands alone.
pub(super) fn check_lone_name(name: &str) -> io::Result<()> {
    match name.contains(char::is_whitespace) {
        false => Ok(()),
        true => {
            let reason =
                format!("`{name}` has no links and a blank in its name: no arc list can say so");
            Err(io::Error::new(io::ErrorKind::InvalidData, reason))
        }
    }
}
