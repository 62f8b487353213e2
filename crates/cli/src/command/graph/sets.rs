//! Nodes as people write them: a few names on the command line, many in a file, what begins with
//! an address, what a query finds.

use std::io::Write;
use std::path::Path;

use ::graph::{Named, Node};
use anyhow::{Context, Result, bail};
use base::Collection;
use rank::Request;

use crate::config::Config;
use crate::lexicon::open_searcher;
use crate::names;

/// Unknown names that an error lists.
const TOLD: usize = 3;

/// A graph, and the collection it is of, if it is of one.
pub(super) struct Sets<'a> {
    pub(super) named: &'a Named,
    pub(super) dir: Option<&'a Path>,
}

impl Sets<'_> {
    /// Returns the nodes that a text means, ascending, each once; never none.
    ///
    /// ```text
    /// B,D                   these
    /// http://a.example/*    all whose names begin so
    /// a.example             all pages of the host
    /// file, or @file        one of these per line, or bookmarks as browsers export them
    /// ?jaguar cat           what the query finds in the collection
    /// ```
    /// What is a name in the graph, is that. A name that the graph does not have is an error on
    /// the command line; in a file, such as a list of bookmarks, it is passed over, and how many
    /// is said on stderr. A set without any node is an error.
    pub(super) fn nodes(&self, text: &str) -> Result<Vec<Node>> {
        if let Some(path) = text.strip_prefix('@') {
            return self.of_file(Path::new(path));
        }
        if let Some(node) = self.named.find(text)? {
            return Ok(vec![node]);
        }
        if let Some(query) = text.strip_prefix('?') {
            return self.of_query(query);
        }
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        let found = self.named.members(&names.map(str::to_owned).collect::<Vec<_>>())?;
        match (found.nodes.is_empty(), found.unknown.is_empty()) {
            (false, true) => Ok(found.nodes),
            (true, _) if Path::new(text).is_file() => self.of_file(Path::new(text)),
            (true, true) => bail!("`{text}` names no node"),
            (_, false) => bail!("{}", told(&found.unknown)),
        }
    }

    /// Returns the one node of that name.
    pub(super) fn node(&self, name: &str) -> Result<Node> {
        self.named.find(name)?.with_context(|| told(&[name.to_owned()]))
    }

    /// Returns the weight of each node of a text such as `A`, `A,B` or `B=0.5,D=0.5`.
    pub(super) fn weights(&self, text: &str) -> Result<Vec<(Node, f64)>> {
        let mut weights = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            // Addresses may have a `=` of their own, so the whole is tried first.
            if let Some(node) = self.named.find(part)? {
                weights.push((node, 1.0));
                continue;
            }
            let unknown = |name: &str| told(&[name.to_owned()]);
            let Some((name, weight)) = part.rsplit_once('=') else { bail!("{}", unknown(part)) };
            let Some(node) = self.named.find(name)? else { bail!("{}", unknown(name)) };
            let weight =
                weight.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
            weights.push((
                node,
                weight.with_context(|| {
                    format!("`{part}`: behind `=` stands a number that is not negative")
                })?,
            ));
        }
        Ok(weights)
    }

    fn of_query(&self, query: &str) -> Result<Vec<Node>> {
        let mut nodes = self.answers(query)?;
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// Returns the pages that a query finds in the collection, best first; never none.
    pub(super) fn answers(&self, query: &str) -> Result<Vec<Node>> {
        let Some(dir) = self.dir else {
            bail!("`?{query}`: only a collection can be asked, not a graph file");
        };
        let collection = Collection::open(dir)?;
        let options = Config::read(&collection.config())?.search_options()?;
        let searcher = open_searcher(&collection, options)?;
        let results =
            searcher.search(&Request { count: Request::WINDOW, ..Request::new(query) })?;
        let mut nodes = Vec::new();
        for hit in &results.hits {
            nodes.extend(self.named.find(hit.url.as_str())?);
        }
        if nodes.is_empty() {
            bail!("the query `{query}` finds no page of the graph");
        }
        Ok(nodes)
    }

    /// Returns the nodes that a file names: lines, or bookmarks.
    pub(super) fn of_file(&self, path: &Path) -> Result<Vec<Node>> {
        let shown = path.display();
        let found = self.named.members(&names::read(path)?)?;
        if found.nodes.is_empty() {
            bail!("the graph has none of the nodes that `{shown}` names");
        }
        if !found.unknown.is_empty() {
            let (known, unknown) = (found.nodes.len(), found.unknown.len());
            drop(writeln!(
                std::io::stderr(),
                "note: of the names in `{shown}` {unknown} are not in the graph, {known} are"
            ));
        }
        Ok(found.nodes)
    }
}

fn told(unknown: &[String]) -> String {
    let listed: Vec<String> = unknown.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    let more = match unknown.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("the graph has no node {}{more}", listed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> (tempfile::TempDir, Named) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arcs");
        std::fs::write(&path, "A B\nC D\nx=1,y\tA\nabc abd\n").unwrap();
        let named = Named::open(&path, None, &mut |_, _| ()).unwrap();
        (folder, named)
    }

    #[test]
    fn names_come_from_the_line_or_a_file() {
        let (folder, named) = graph();
        let sets = Sets { named: &named, dir: None };
        assert_eq!(sets.nodes("D, B,D").unwrap(), [Node(1), Node(3)]);
        assert_eq!(sets.nodes("x=1,y").unwrap(), [Node(4)]);
        let path = folder.path().join("set");
        std::fs::write(&path, "# mine\nC\n\nnobody\nA\r\nab*\n").unwrap();
        let path = path.to_str().unwrap();
        let expected = [Node(0), Node(2), Node(5), Node(6)];
        assert_eq!(sets.nodes(path).unwrap(), expected);
        assert_eq!(sets.nodes(&format!("@{path}")).unwrap(), expected);
    }

    #[test]
    fn a_star_means_all_that_begin_so() {
        let (_folder, named) = graph();
        let sets = Sets { named: &named, dir: None };
        assert_eq!(sets.nodes("ab*").unwrap(), [Node(5), Node(6)]);
        assert_eq!(sets.nodes("abb*,abc*,A").unwrap(), [Node(0), Node(5)]);
        assert_eq!(sets.nodes("a*,abb*").unwrap(), [Node(5), Node(6)]);
        assert_eq!(sets.nodes("*").unwrap().len(), 7);
        assert_eq!(sets.nodes("z*").unwrap_err().to_string(), "`z*` names no node");
    }

    #[test]
    fn unknown_names_are_told() {
        let (folder, named) = graph();
        let sets = Sets { named: &named, dir: None };
        let said = |text: &str| sets.nodes(text).unwrap_err().to_string();
        assert_eq!(said("A,Q"), "the graph has no node `Q`");
        assert_eq!(said("Q,R,S,T,U"), "the graph has no node `Q`, `R`, `S` and 2 more");
        assert_eq!(said(","), "`,` names no node");
        assert!(said("?cat").contains("only a collection can be asked"));
        assert!(said("@/nonexistent").starts_with("cannot open"));
        let path = folder.path().join("set");
        std::fs::write(&path, "nobody\n").unwrap();
        assert!(said(path.to_str().unwrap()).contains("none of the nodes"));
    }

    #[test]
    fn weights_stand_behind_an_equals_sign() {
        let (_folder, named) = graph();
        let sets = Sets { named: &named, dir: None };
        assert_eq!(sets.weights("A").unwrap(), [(Node(0), 1.0)]);
        let found = sets.weights("B=0.5,D=.25").unwrap();
        assert_eq!(found, [(Node(1), 0.5), (Node(3), 0.25)]);
        for (text, reason) in [
            ("Q", "no node `Q`"),
            ("Q=1", "no node `Q`"),
            ("A=x", "not negative"),
            ("A=-1", "not negative"),
            ("A=NaN", "not negative"),
        ] {
            let said = sets.weights(text).unwrap_err().to_string();
            assert!(said.contains(reason), "{said}");
        }
    }
}
