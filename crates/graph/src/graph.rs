//! One generation of the web graph, open for reading.
//!
//! ```text
//! graph/<gen>/
//!   summary.json   {"format": "lookfar graph", "version": 3, …} what it holds
//!   nodes          URL ↔ node, node → page
//!   pages          array by page: its node, or 2^32 − 1 if the page is not there
//!   forward.*      arcs as they point, compressed
//!   transpose.*    arcs turned around, compressed, and their kinds
//!   nofollow.*     arcs that nobody vouches for, turned around, compressed, and their kinds
//!   sites          array by node: its web site
//!   site-names     what the sites are called
//!   voices         registered domains that are one voice; early generations have none
//!   host-links.*   which hosts link to which, compressed, and turned around; early generations
//!   site-links.*   have neither this nor the same of web sites
//!   manifest       sizes and checksums of all of them
//! ```
//! Kinds are drawn in `build/kinds.rs`, sites in `sites/mod.rs`, links between hosts and between
//! sites in `sites/levels.rs`. Version 1 had neither kinds nor sites.
//! Version 2 is read as well: each of its compressed graphs has a file `.ef` besides, which nobody
//! reads any more, and readers of that version need it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use base::{PageId, Url};
use serde::{Deserialize, Serialize};

use crate::array::{Array, Kind};
use crate::build::{Kinds, Summary};
use crate::compressed::Compressed;
use crate::nodes::Nodes;
use crate::sites::levels;
use crate::{Error, Node, Sites, folder};

pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const NODES: &str = "nodes";
pub(crate) const PAGES: &str = "pages";
pub(crate) const FORWARD: &str = "forward";
pub(crate) const TRANSPOSE: &str = "transpose";
pub(crate) const NOFOLLOW: &str = "nofollow";
pub(crate) const PAGES_KIND: Kind = Kind(*b"NODE");
/// Stands in `pages` for a page that is not in the graph.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A generation of the web graph.
#[derive(Debug)]
pub struct Graph {
    folder: PathBuf,
    summary: Summary,
    nodes: Nodes,
    pages: Array<u32>,
    forward: Compressed,
    transpose: Compressed,
    nofollow: Compressed,
    sites: OnceLock<Sites>,
    voices: OnceLock<Vec<u32>>,
}

impl Graph {
    /// Opens a generation that [`crate::build`] has finished.
    ///
    /// Verifies sizes and all checksums but those of the node list, whose blocks are verified
    /// when they are read. In memory: 4 bytes per page; the arcs are mapped.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        for file in folder::open(folder)? {
            if file.name != NODES {
                folder::verify(folder, &file)?;
            }
        }
        let summary = read_summary(folder)?;
        let nodes = Nodes::open(&folder.join(NODES))?;
        if nodes.num_nodes() != summary.num_nodes {
            let reason = "its number of nodes is not the generation's";
            return Err(Error::damaged(&folder.join(NODES), reason));
        }
        let pages = Array::open(&folder.join(PAGES), PAGES_KIND)?;
        let forward = Compressed::open(&folder.join(FORWARD), summary.num_nodes)?;
        let transpose = Compressed::open(&folder.join(TRANSPOSE), summary.num_nodes)?;
        let nofollow = Compressed::open(&folder.join(NOFOLLOW), summary.num_nodes)?;
        let (folder, sites, voices) = (folder.to_owned(), OnceLock::new(), OnceLock::new());
        Ok(Self { folder, summary, nodes, pages, forward, transpose, nofollow, sites, voices })
    }

    /// Returns whether nobody has cut its files since it was opened (STO-08). If somebody has, its
    /// links say nothing any more, and what cannot be read is left out. Asks the system about
    /// three files.
    pub fn is_whole(&self) -> bool {
        [&self.forward, &self.transpose, &self.nofollow].iter().all(|arcs| arcs.is_whole())
    }

    /// Returns what the generation holds.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns the node of a URL, fetched or not. Reads a few blocks from disk.
    pub fn node_of_url(&self, url: &Url) -> Result<Option<Node>, Error> {
        self.nodes.find(url)
    }

    /// Returns the node of a page.
    pub fn node_of_page(&self, page: PageId) -> Option<Node> {
        let index = usize::try_from(page.index()).ok()?;
        let node = self.pages.values.get(index).filter(|_| page.partition() == self.partition())?;
        (*node != NO_NODE).then_some(Node(*node))
    }

    /// Returns a node's URL, or `None` if there is no such node. Reads a block from disk.
    pub fn url(&self, node: Node) -> Result<Option<Url>, Error> {
        Ok(self.nodes.get(node)?.map(|(url, _)| url))
    }

    /// Returns a node's page, or `None` if it was never fetched. Reads a block from disk.
    pub fn page(&self, node: Node) -> Result<Option<PageId>, Error> {
        Ok(self.nodes.get(node)?.and_then(|(_, page)| page))
    }

    /// Returns the nodes that `node` links to, ascending.
    pub fn successors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.forward.successors(node, usize::MAX).into_iter().map(Node)
    }

    /// Returns the nodes that link to `node`, ascending.
    pub fn predecessors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.first_predecessors(node, usize::MAX)
    }

    /// Returns the first `most` of the nodes that link to `node`, ascending. Reads hardly more.
    pub fn first_predecessors(&self, node: Node, most: usize) -> impl Iterator<Item = Node> + '_ {
        self.transpose.successors(node, most).into_iter().map(Node)
    }

    /// Returns the nodes with a link to `node` that they do not vouch for, ascending.
    pub fn unvouched_predecessors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.nofollow.successors(node, usize::MAX).into_iter().map(Node)
    }

    /// Returns the web sites of the nodes. The first call reads them, 4 bytes per node and the
    /// names, and later ones find them in memory.
    pub fn sites(&self) -> Result<&Sites, Error> {
        if let Some(sites) = self.sites.get() {
            return Ok(sites);
        }
        let sites = Sites::open(&self.folder, self.summary.num_nodes)?;
        Ok(self.sites.get_or_init(|| sites))
    }

    /// Returns the number of a node's web site, or `None` if there is no such node.
    ///
    /// As [`Self::sites`] once, then O(1).
    pub fn site(&self, node: Node) -> Result<Option<u32>, Error> {
        Ok(self.sites()?.site(node))
    }

    /// Returns how many nodes `node` links to.
    pub(crate) fn out_degree(&self, node: Node) -> usize {
        self.forward.degree(node)
    }

    /// Returns how many nodes link to `node`.
    pub(crate) fn in_degree(&self, node: Node) -> usize {
        self.transpose.degree(node)
    }

    /// Returns the number of the voice of each site. The first call is linear in the names of the
    /// sites; as [`Self::sites`] besides.
    pub fn voices_by_site(&self) -> Result<&[u32], Error> {
        if let Some(voices) = self.voices.get() {
            return Ok(voices);
        }
        let voices = self.sites()?.voices_by_site();
        Ok(self.voices.get_or_init(|| voices))
    }

    /// Calls `visit` with the URL of every node, in their order. Reads each block once.
    pub(crate) fn for_each_url(
        &self,
        visit: &mut dyn FnMut(Node, &Url) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all = 0..self.nodes.num_nodes();
        self.nodes.for_each(all, |node, entry| visit(node, &self.nodes.url(&entry.key)?))
    }

    /// Returns the list of URLs.
    pub(crate) fn names(&self) -> &Nodes {
        &self.nodes
    }

    /// Returns the arcs as they point.
    pub(crate) fn forward(&self) -> &Compressed {
        &self.forward
    }

    /// Returns the partition of the page ids.
    pub(crate) fn partition(&self) -> u16 {
        self.pages.partition
    }

    /// Returns the node of each page, [`NO_NODE`] where there is none.
    pub(crate) fn nodes_by_page(&self) -> &[u32] {
        &self.pages.values
    }

    /// Returns the arcs turned around.
    pub(crate) fn transpose(&self) -> &Compressed {
        &self.transpose
    }

    /// Returns the arcs that nobody vouches for, turned around.
    pub(crate) fn nofollow(&self) -> &Compressed {
        &self.nofollow
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Verifies every file of a generation and that they agree with each other.
///
/// Checksums; the order of the URLs; node ↔ page both ways; that both compressed graphs hold the
/// same arcs; that every arc has a kind and every node a site; the same of links between hosts and
/// between sites. Returns what the generation holds.
pub fn check(folder: &Path) -> Result<Summary, Error> {
    folder::check(folder)?;
    let graph = Graph::open(folder)?;
    check_names(&graph)?;
    let forward = fingerprint(&graph.forward, |from, to| (from, to))?;
    let transpose = fingerprint(&graph.transpose, |from, to| (to, from))?;
    if forward != transpose || forward.0 != graph.summary.num_arcs {
        let reason = "its arcs are not those of the graph turned around";
        return Err(Error::damaged(&folder.join(TRANSPOSE), reason));
    }
    let nofollow = fingerprint(&graph.nofollow, |from, to| (to, from))?;
    if nofollow.0 != graph.summary.num_nofollow {
        let reason = "its number of arcs is not the generation's";
        return Err(Error::damaged(&folder.join(NOFOLLOW), reason));
    }
    Kinds::open(&folder.join(TRANSPOSE), graph.summary.num_arcs)?;
    Kinds::open(&folder.join(NOFOLLOW), graph.summary.num_nofollow)?;
    graph.sites()?;
    levels::check(&graph)?;
    Ok(graph.summary)
}

fn check_names(graph: &Graph) -> Result<(), Error> {
    let path = graph.folder.join(NODES);
    let mut before: Option<Vec<u8>> = None;
    let mut node = 0;
    let mut num_pages = 0;
    for block in 0..graph.nodes.num_blocks() {
        for entry in graph.nodes.block(block)? {
            if before.is_some_and(|before| before >= entry.key) {
                return Err(Error::damaged(&path, format!("node {node} is out of order")));
            }
            if let Some(page) = entry.page {
                num_pages += 1;
                if graph.node_of_page(page) != Some(Node(node)) {
                    return Err(Error::damaged(&path, format!("page {page} has another node")));
                }
            }
            before = Some(entry.key);
            node += 1;
        }
    }
    let listed = graph.nodes_by_page().iter().filter(|node| **node != NO_NODE).count() as u64;
    if (num_pages, listed) != (graph.summary.num_pages, graph.summary.num_pages) {
        return Err(Error::damaged(&path, "its number of pages is not the generation's"));
    }
    Ok(())
}

/// Returns the number of arcs and a sum over them that does not depend on their order.
pub(crate) fn fingerprint(
    arcs: &Compressed,
    turn: fn(u32, u32) -> (u32, u32),
) -> Result<(u64, u64), Error> {
    let (mut num_arcs, mut sum) = (0, 0u64);
    arcs.for_each(|node, successors| {
        for successor in successors {
            let (from, to) = turn(node.0, *successor);
            let mut bytes = [0; 8];
            bytes[..4].copy_from_slice(&from.to_le_bytes());
            bytes[4..].copy_from_slice(&to.to_le_bytes());
            num_arcs += 1;
            sum = sum.wrapping_add(u64::from(crc32fast::hash(&bytes)) * (u64::from(from) + 1));
        }
        Ok(())
    })?;
    Ok((num_arcs, sum))
}

/// `summary.json` as it is written.
#[derive(Serialize, Deserialize)]
struct SummaryFile {
    format: String,
    version: u32,
    #[serde(flatten)]
    summary: Summary,
}

/// What any version begins with.
#[derive(Deserialize)]
struct SummaryHead {
    format: String,
    version: u32,
}

const SUMMARY_FORMAT: &str = "lookfar graph";
const SUMMARY_VERSION: u32 = 3;
/// Oldest version that is read.
const OLDEST_VERSION: u32 = 2;

pub(crate) fn write_summary(folder: &Path, summary: &Summary) -> Result<(), Error> {
    let path = folder.join(SUMMARY);
    let (format, version) = (SUMMARY_FORMAT.to_owned(), SUMMARY_VERSION);
    let file = SummaryFile { format, version, summary: *summary };
    let text = serde_json::to_string_pretty(&file).expect("plain data becomes JSON");
    fs::write(&path, text + "\n").map_err(Error::file("write", &path))
}

/// Reads what a generation holds, without opening it.
pub fn read_summary(folder: &Path) -> Result<Summary, Error> {
    let path = folder.join(SUMMARY);
    let text = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let damaged = |error: serde_json::Error| Error::damaged(&path, error.to_string());
    let head: SummaryHead = serde_json::from_str(&text).map_err(damaged)?;
    let (found, known) = (head.version, SUMMARY_VERSION);
    if head.format != SUMMARY_FORMAT {
        return Err(Error::damaged(&path, "it is no summary of a graph"));
    }
    if found > known {
        return Err(Error::Newer { path, found, known });
    }
    if found < OLDEST_VERSION {
        return Err(Error::Older { path, found, known });
    }
    let file: SummaryFile = serde_json::from_str(&text).map_err(damaged)?;
    Ok(file.summary)
}
