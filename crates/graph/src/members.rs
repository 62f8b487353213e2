//! Which nodes a list of addresses means: topics, trusted pages, bookmarks.
//!
//! ```text
//! http://a.example/x     the page
//! http://a.example/x*    all whose addresses begin so
//! a.example              all pages of the host
//! ```
//! What is the name of a node is that node, whatever it looks like.

use std::collections::HashMap;

use base::{Host, Rules, Url};

use crate::{Error, Graph, Named, Node};

/// What became of a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// The nodes that were meant, ascending, each once.
    pub nodes: Vec<Node>,
    /// Names and hosts that the graph does not have, in their order.
    pub unknown: Vec<String>,
}

impl Graph {
    /// Returns the nodes that lists mean, one answer per list.
    ///
    /// A few blocks are read from disk for each address. If any entry is a host or a beginning,
    /// all names are read once, whatever the number of lists.
    pub fn members(&self, lists: &[&[String]]) -> Result<Vec<Members>, Error> {
        look_up(
            lists,
            |name| find(self, name),
            |visit| {
                self.for_each_url(&mut |node, url| {
                    visit(node, url.as_str());
                    Ok(())
                })
            },
        )
    }
}

impl Named {
    /// Returns the nodes that a list means; as [`Graph::members`].
    pub fn members(&self, names: &[String]) -> Result<Members, Error> {
        let all = look_up(&[names], |name| self.find(name), |visit| self.for_each_name(visit))?;
        Ok(all.into_iter().next().unwrap_or_default())
    }
}

/// Returns the node of an address, written in any form that means the same page.
pub(crate) fn find(graph: &Graph, name: &str) -> Result<Option<Node>, Error> {
    for rules in [Rules::NONE, Rules::default()] {
        if let Ok(url) = Url::parse_with(name, rules)
            && let Some(node) = graph.node_of_url(&url)?
        {
            return Ok(Some(node));
        }
    }
    Ok(None)
}

type Visit<'a> = &'a mut dyn FnMut(Node, &str);

fn look_up(
    lists: &[&[String]],
    find: impl Fn(&str) -> Result<Option<Node>, Error>,
    for_each_name: impl Fn(Visit<'_>) -> Result<(), Error>,
) -> Result<Vec<Members>, Error> {
    let mut all = vec![Members::default(); lists.len()];
    let mut beginnings: Vec<Vec<&str>> = vec![Vec::new(); lists.len()];
    let mut hosts = Hosts::default();
    for (list, names) in lists.iter().enumerate() {
        for name in *names {
            if let Some(node) = find(name)? {
                all[list].nodes.push(node);
            } else if let Some(beginning) = name.strip_suffix('*') {
                beginnings[list].push(beginning);
            } else if !hosts.push(name, list) {
                all[list].unknown.push(name.clone());
            }
        }
    }
    for beginnings in &mut beginnings {
        beginnings.sort_unstable();
        // What begins with a longer one begins with the shorter one before it too.
        beginnings.dedup_by(|longer, shorter| longer.starts_with(*shorter));
    }
    if !hosts.asked.is_empty() || beginnings.iter().any(|beginnings| !beginnings.is_empty()) {
        for_each_name(&mut |node, name| {
            for (members, beginnings) in all.iter_mut().zip(&beginnings) {
                if begins(name, beginnings) {
                    members.nodes.push(node);
                }
            }
            hosts.visit(node, name, &mut all);
        })?;
    }
    hosts.tell_unknown(&mut all);
    for members in &mut all {
        members.nodes.sort_unstable();
        members.nodes.dedup();
    }
    Ok(all)
}

/// Returns whether a name begins with one of these, ascending and none the beginning of another.
fn begins(name: &str, beginnings: &[&str]) -> bool {
    let behind = beginnings.partition_point(|beginning| *beginning <= name);
    behind.checked_sub(1).is_some_and(|place| name.starts_with(beginnings[place]))
}

/// Hosts that lists ask for.
#[derive(Default)]
struct Hosts {
    /// Lists that ask for a host, with what they call it, and whether any page is on it.
    asked: HashMap<String, (Vec<(usize, String)>, bool)>,
}

impl Hosts {
    /// Takes a name if it can be a host's.
    fn push(&mut self, name: &str, list: usize) -> bool {
        let host = name.contains('.').then(|| Host::parse(name)).flatten();
        let Some(host) = host else { return false };
        let (asking, _) = self.asked.entry(host.as_str().to_owned()).or_default();
        asking.push((list, name.to_owned()));
        true
    }

    fn visit(&mut self, node: Node, name: &str, all: &mut [Members]) {
        if self.asked.is_empty() {
            return;
        }
        let Some((_, rest)) = name.split_once("://") else { return };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        };
        if let Some((asking, is_known)) = self.asked.get_mut(host) {
            *is_known = true;
            asking.iter().for_each(|(list, _)| all[*list].nodes.push(node));
        }
    }

    fn tell_unknown(self, all: &mut [Members]) {
        let mut unknown: Vec<(usize, String)> = Vec::new();
        for (asking, is_known) in self.asked.into_values() {
            unknown.extend(asking.into_iter().filter(|_| !is_known));
        }
        // The map has no order of its own.
        unknown.sort_unstable();
        unknown.into_iter().for_each(|(list, name)| all[list].unknown.push(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &[&str], nodes: &[u32], unknown: &[&str]) {
        let names = ["http://a.example/", "http://a.example:81/x", "https://b.a.example/", "odd"];
        let list: Vec<String> = list.iter().map(|name| (*name).to_owned()).collect();
        let find = |name: &str| Ok((0..).map(Node).zip(names).find(|(_, own)| *own == name));
        let found = look_up(
            &[&list, &[]],
            |name| find(name).map(|found: Option<(Node, &str)>| found.map(|(node, _)| node)),
            |visit| {
                (0..).map(Node).zip(names).for_each(|(node, name)| visit(node, name));
                Ok(())
            },
        );
        let found = found.unwrap();
        let nodes: Vec<Node> = nodes.iter().copied().map(Node).collect();
        assert_eq!((&found[0].nodes, &found[1]), (&nodes, &Members::default()));
        assert_eq!(found[0].unknown, unknown);
    }

    #[test]
    fn entries_are_pages_beginnings_and_hosts() {
        check(&["http://a.example/", "odd"], &[0, 3], &[]);
        check(&["http://a.example*"], &[0, 1], &[]);
        check(&["a.example"], &[0, 1], &[]);
        check(&["A.example", "b.a.example", "http*"], &[0, 1, 2], &[]);
        check(&["*"], &[0, 1, 2, 3], &[]);
    }

    #[test]
    fn what_the_graph_does_not_have_is_told() {
        check(
            &["c.example", "http://c.example/", "Q"],
            &[],
            &["http://c.example/", "Q", "c.example"],
        );
        check(&[], &[], &[]);
    }
}
