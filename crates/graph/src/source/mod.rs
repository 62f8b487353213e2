//! Graphs with names, wherever they come from: others' files, or a generation of a collection.
//!
//! What can be read, and how it is told apart, by the name of the file alone:
//!
//! ```text
//! x.graph or x.offsets beside x.properties, that, or just x    BVGraph, see `bv`
//! x.gml                                                        GML, see `gml`
//! a folder with a generation's summary.json                    that generation
//! anything else                                                arc list, see `text`
//! ```
//! Files of strangers are checked while they are read: whatever is in them, the answer is a graph
//! or one [`Error`] that names the place.

mod bv;
mod gml;
mod lines;
mod shape;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

pub use shape::{Shape, shape};

use crate::graph::SUMMARY;
use crate::progress::{Counter, NodeWatch, Watch};
use crate::sites::{HostRuns, levels};
use crate::{AnalyseOptions, Counted, Error, Graph, InLinks, Level, Links, Node, members};

/// A graph in memory whose nodes have names.
#[derive(Debug)]
pub struct Named {
    links: Links,
    num_nodes: u32,
    names: Names,
    bits: Option<u64>,
}

/// Called now and then with the bytes read and the bytes there are.
pub type ReadWatch<'a> = &'a mut dyn FnMut(u64, u64);

impl Named {
    /// Reads a graph file of any known form; the module's text says which.
    ///
    /// `names` is a file that says what the nodes are called, for graphs that only have numbers:
    /// lines of number and name; for a BVGraph, the name of node 0, 1, 2, … in turn. Nodes that
    /// only `names` knows are nodes too. Two nodes may have one name.
    /// Linear in the size of the file and the number of arcs; memory: 4 bytes per arc and the names;
    /// while reading, 16 bytes per arc of a list and 8 of a BVGraph.
    pub fn open(path: &Path, names: Option<&Path>, watch: ReadWatch<'_>) -> Result<Self, Error> {
        if let Some(basename) = bv::basename(path) {
            return bv::read(&basename, names, watch);
        }
        if path.is_dir() {
            return match path.join(SUMMARY).exists() {
                true => Self::generation(path, &mut |_, _| ()),
                false => Err(Error::damaged(path, "it is a folder, but no generation of a graph")),
            };
        }
        let is_gml = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("gml"));
        match (is_gml, names) {
            (true, Some(names)) => {
                Err(Error::damaged(names, "the nodes of a GML file have names already"))
            }
            (true, None) => gml::read(path, watch),
            (false, names) => text::read(path, names, watch).map_err(|error| unlike(path, error)),
        }
    }

    /// Opens a generation of a collection; its nodes are called by their URLs. `watch` is told of
    /// those whose links are read.
    ///
    /// Linear in nodes and arcs. Names stay on disk until [`Self::hold_names`].
    pub fn generation(folder: &Path, watch: NodeWatch<'_>) -> Result<Self, Error> {
        let graph = Graph::open(folder)?;
        let links = Links::new(graph.in_links_shown(&Counted::default(), watch)?);
        Ok(Self { links, ..Self::names_of(graph)? })
    }

    /// Opens a generation with the links that [`crate::analyse`] would rank; otherwise as
    /// [`Self::generation`]. `watch` is told of looking for spam, if its links are left out.
    pub fn generation_with(
        folder: &Path,
        options: &AnalyseOptions,
        watch: Watch<'_>,
    ) -> Result<Self, Error> {
        let graph = Graph::open(folder)?;
        let links = options.links(&graph, watch)?;
        Ok(Self { links, ..Self::names_of(graph)? })
    }

    /// Takes the names of a generation and leaves its links where they are: [`Self::links`] has
    /// none, and no node either. For what ranks [`crate::Votes`]. O(1).
    pub fn names_of(graph: Graph) -> Result<Self, Error> {
        let (num_nodes, bits) = (graph.summary().num_nodes, Some(graph.summary().forward_bits));
        let names = Names::Stored { graph: Box::new(graph), held: None };
        Ok(Self { links: Links::from_arcs(0, [])?, num_nodes, names, bits })
    }

    /// Opens a generation of a collection as the graph of its hosts or web sites, called by their
    /// names. `watch` is told of the nodes that are read, pages among them.
    ///
    /// Linear in their names and the links between them; for a generation of an earlier release, in
    /// the links between its pages.
    pub fn at(level: Level, folder: &Path, watch: NodeWatch<'_>) -> Result<Self, Error> {
        let graph = Graph::open(folder)?;
        // Hosts are read off the names of their pages.
        let num_pages = match level {
            Level::Hosts => graph.summary().num_nodes,
            Level::Sites => 0,
        };
        let total = u64::from(num_pages) + levels::num_read(&graph, level);
        let mut counter = Counter::start(watch, total);
        let mut tick = || counter.tick();
        let ((into, bits), names) = match level {
            Level::Hosts => {
                let hosts = HostRuns::read_with(graph.names(), &mut tick)?;
                (levels::read(&graph, level, &hosts.runs(), tick)?, hosts.names().to_vec())
            }
            Level::Sites => {
                let sites = graph.sites()?;
                (levels::read(&graph, level, sites.runs(), tick)?, sites.names().to_vec())
            }
        };
        if into.num_nodes() as usize != names.len() {
            return Err(Error::damaged(folder, "not every host and site has a name"));
        }
        Ok(Self { bits, ..Self::listed(Links::new(into), names) })
    }

    /// Returns who links to whom.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// Takes the links as ranking wants them and keeps the names: [`Self::links`] has none then, and
    /// no node either. For what need not hold both these and [`crate::Packed`]. O(1).
    pub fn take_in_links(&mut self) -> InLinks {
        let none = InLinks::from_arcs(0, []).expect("no arc names an unknown node");
        std::mem::replace(&mut self.links, Links::new(none)).into_in_links()
    }

    /// Returns how many nodes have names.
    pub fn num_nodes(&self) -> u32 {
        self.num_nodes
    }

    /// Returns the size of the compressed arcs, where the graph came compressed.
    pub fn bits(&self) -> Option<u64> {
        self.bits
    }

    /// Returns the generation that the graph is of, where it is one: for its pages.
    pub fn stored(&self) -> Option<&Graph> {
        match &self.names {
            Names::Stored { graph, .. } => Some(graph),
            Names::Numbers | Names::List { .. } => None,
        }
    }

    /// Returns what a node is called. Reads a block from disk for a generation.
    ///
    /// Fails if there is no such node.
    pub fn name(&self, node: Node) -> Result<Cow<'_, str>, Error> {
        let num_nodes = self.num_nodes;
        let unknown = || Error::UnknownNode { node: node.0, num_nodes };
        match &self.names {
            _ if node.0 >= num_nodes => Err(unknown()),
            Names::Numbers => Ok(node.0.to_string().into()),
            Names::List { names, .. } => Ok(Cow::Borrowed(&names[node.index()])),
            Names::Stored { held: Some(names), .. } => Ok(Cow::Borrowed(&names[node.index()])),
            Names::Stored { graph, held: None } => {
                Ok(graph.url(node)?.ok_or_else(unknown)?.as_str().to_owned().into())
            }
        }
    }

    /// Reads all names into memory, for those who will ask for most of them; `watch` is told of the
    /// nodes, if that is to be done. Linear in their bytes.
    pub fn hold_names(&mut self, watch: NodeWatch<'_>) -> Result<(), Error> {
        if let Names::Stored { graph, held } = &mut self.names
            && held.is_none()
        {
            let mut names = Vec::with_capacity(self.num_nodes as usize);
            let mut counter = Counter::start(watch, self.num_nodes.into());
            graph.for_each_url(&mut |_, url| {
                names.push(url.as_str().into());
                counter.tick();
                Ok(())
            })?;
            *held = Some(names);
        }
        Ok(())
    }

    /// Calls `visit` with every node and its name, in order. Linear in the bytes of the names.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(Node, &str)) -> Result<(), Error> {
        if let Names::Stored { graph, held: None } = &self.names {
            return graph.for_each_url(&mut |node, url| {
                visit(node, url.as_str());
                Ok(())
            });
        }
        for node in (0..self.num_nodes).map(Node) {
            visit(node, &self.name(node)?);
        }
        Ok(())
    }

    /// Returns the node of that name, the first if several have it.
    ///
    /// For a generation, the address may be written in any form that means the same page.
    /// O(1); for a generation a few blocks are read from disk.
    pub fn find(&self, name: &str) -> Result<Option<Node>, Error> {
        match &self.names {
            Names::Numbers => {
                let number = name.parse().ok().filter(|number| *number < self.num_nodes);
                Ok(number.map(Node))
            }
            Names::List { numbers, .. } => Ok(numbers.get(name).copied().map(Node)),
            Names::Stored { graph, .. } => members::find(graph, name),
        }
    }

    /// Writes the graph as an arc list that [`Self::open`] reads back: `from<TAB>to` per line,
    /// by node, then the nodes without any arc, alone on theirs. `watch` is told of the nodes.
    ///
    /// Fails with [`io::ErrorKind::InvalidData`] on a name that the form has no way to write.
    /// Linear in nodes and arcs; for a generation without
    /// [`Self::hold_names`], a block is read from disk for every end of an arc.
    pub fn write_arcs(&self, out: &mut impl Write, watch: NodeWatch<'_>) -> io::Result<()> {
        let name = |node| self.name(node).map_err(io::Error::other);
        let mut counter = Counter::start(watch, self.links.num_nodes().into());
        for from in self.links.nodes() {
            let is_alone = self.links.out_degree(from) == 0 && self.links.in_degree(from) == 0;
            let from_name = name(from)?;
            text::check_name(&from_name)?;
            if is_alone {
                text::check_lone_name(&from_name)?;
                writeln!(out, "{from_name}")?;
            }
            for to in self.links.successors(from) {
                writeln!(out, "{from_name}\t{}", name(to)?)?;
            }
            counter.tick();
        }
        Ok(())
    }

    pub(crate) fn listed(links: Links, names: Vec<Arc<str>>) -> Self {
        let mut numbers = HashMap::with_capacity(names.len());
        for (number, name) in (0..).zip(&names) {
            numbers.entry(name.clone()).or_insert(number);
        }
        let num_nodes = links.num_nodes();
        Self { links, num_nodes, names: Names::List { names, numbers }, bits: None }
    }
}

/// Says what is missing where a BVGraph lies alone and so was read as an arc list.
fn unlike(path: &Path, error: Error) -> Error {
    let is_named = path.extension().is_some_and(|name| name == "graph");
    match error {
        Error::Line { line: 1, .. } if is_named => {
            let reason =
                "it is no arc list, and the file `.properties` of a BVGraph is not beside it";
            Error::damaged(path, reason)
        }
        error => error,
    }
}

/// What the nodes are called.
#[derive(Debug)]
enum Names {
    /// By their numbers.
    Numbers,
    /// By names in memory.
    List { names: Vec<Arc<str>>, numbers: HashMap<Arc<str>, u32> },
    /// By URLs on disk, and in memory too if many will be asked for.
    Stored { graph: Box<Graph>, held: Option<Vec<Arc<str>>> },
}

/// Gives numbers to names in the order in which they come, and gathers arcs.
#[derive(Debug, Default)]
struct Builder {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    arcs: Vec<(Node, Node)>,
}

impl Builder {
    /// Returns the node of a name, a new one if it is the first time.
    fn node(&mut self, name: &str) -> Result<Node, Error> {
        if let Some(number) = self.numbers.get(name) {
            return Ok(Node(*number));
        }
        // The largest number stands for "none" in a generation's files.
        let number = u32::try_from(self.names.len()).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or(Error::TooManyNodes)?;
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(Node(number))
    }

    fn arc(&mut self, from: &str, to: &str) -> Result<(), Error> {
        let arc = (self.node(from)?, self.node(to)?);
        self.arcs.push(arc);
        Ok(())
    }

    fn links(&mut self) -> Result<Links, Error> {
        let num_nodes = u32::try_from(self.names.len()).map_err(|_| Error::TooManyNodes)?;
        Links::from_arcs(num_nodes, std::mem::take(&mut self.arcs))
    }

    fn finish(mut self) -> Result<Named, Error> {
        let links = self.links()?;
        Ok(Named {
            num_nodes: links.num_nodes(),
            links,
            names: Names::List { names: self.names, numbers: self.numbers },
            bits: None,
        })
    }
}
