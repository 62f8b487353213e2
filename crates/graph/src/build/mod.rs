//! From the page log to a generation of the graph.
//!
//! Nodes are all URLs that were fetched or that a counted link points to; the latter, if never
//! fetched, are dead ends. The last record of a page in the log decides. What counts as a link:
//!
//! - of a 2xx page, the links it vouches for (no `nofollow`, `ugc` or `sponsored`) that are
//!   anchors, frames, refreshes, or its canonical address; not pictures, not `<link>`s;
//! - of a redirect, its target and nothing else: the redirecting URL stays a node of its own
//!   with that one arc, so rank flows through it;
//! - of anything else (errors, gone pages), nothing: it is a dead end.
//!
//! A link of a page to itself is no vote and is left out; several links from one page to
//! another are one arc. Links of these sorts that the page does not vouch for are kept apart, and
//! make no nodes: whoever can write a comment could else fill the graph with addresses. Other links
//! leave no trace.
//!
//! When the arcs are there, hosts and web sites are found (see [`crate::sites`]), and with them
//! the kind of each arc (see [`kinds`]) and which hosts and sites link to which (see
//! [`crate::sites::levels`]).
//!
//! Links are brought together by external sorting (see [`records`]), so memory is bounded by
//! [`BuildOptions::memory`] and by nodes, not by links; temporary space is some tens of bytes per
//! link.

pub(crate) mod kinds;
pub(crate) mod records;
mod sort;

use std::fs;
use std::path::{Path, PathBuf};

use base::log::Position;
use base::pages::Reader;
use base::{LinkKind, PageRecord, Url};
use serde::{Deserialize, Serialize};

pub use kinds::Counted;
pub(crate) use kinds::{Kinds, KindsFrom, UNVOUCHED};
pub(crate) use records::{Arc, shared_prefix};
pub(crate) use sort::{Sorted, Sorter};

use crate::bv::Written;
use crate::compressed::{Compressed, compress};
use crate::folder::Unfinished;
use crate::nodes::Nodes;
use crate::progress::{Stage, Ticker, Watch};
use crate::sites::{HostRuns, Sites, levels};
use crate::{Error, array, graph, nodes};
use kinds::{Counts, Judge};
use records::{Mention, Role, Row};

/// How a graph is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// Bytes held for sorting. Besides, compressing needs about a byte per node and a few of the
    /// longest link lists, and finding sites the names of the hosts and some bytes per site.
    /// Default 256 MiB: about a million links per spill, and still small beside the crawl that
    /// runs meanwhile.
    pub memory: usize,
    /// Where to stop reading: a position that the log has reached, such as what its writer has
    /// made durable. Default: the end of the log when the build begins.
    pub up_to: Option<Position>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { memory: 256 * 1024 * 1024, up_to: None }
    }
}

/// What a generation of the graph holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Records of the log that were read.
    pub num_records: u64,
    /// Nodes that were fetched.
    pub num_pages: u64,
    /// All nodes.
    pub num_nodes: u32,
    /// Arcs between them that the linking page vouches for.
    pub num_arcs: u64,
    /// Arcs between them with a link that the linking page does not vouch for.
    pub num_nofollow: u64,
    /// Of the vouched arcs, those within a registered domain or site.
    pub num_intra_site: u64,
    /// Of the vouched arcs, those that stand on nearly every page of their site.
    pub num_template: u64,
    /// Hosts of the nodes.
    pub num_hosts: u32,
    /// Web sites of the nodes.
    pub num_sites: u32,
    /// Bits of the compressed arcs, forward.
    pub forward_bits: u64,
    /// Bits of the compressed arcs, turned around.
    pub transpose_bits: u64,
    /// Links between hosts, where they are stored; early generations have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_links: Option<Coarse>,
    /// Links between web sites, where they are stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_links: Option<Coarse>,
    /// The page log was read up to here.
    pub up_to: Position,
}

/// What is stored of links between groups of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coarse {
    /// Arcs between different groups.
    pub num_arcs: u64,
    /// Bits of the compressed arcs, forward.
    pub forward_bits: u64,
    /// Bits of the compressed arcs, turned around.
    pub transpose_bits: u64,
}

/// Builds the graph of a page log into the folder `place`.
///
/// The folder appears when it is whole; an interrupted build leaves at most `<place>.tmp`,
/// which nobody reads and the next build removes. One caller at a time. A log that is not there
/// is an empty one.
pub fn build(
    pages: &Path,
    place: &Path,
    options: &BuildOptions,
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    let unfinished = Unfinished::create(place)?;
    let scratch = unfinished.path().join("scratch");
    fs::create_dir(&scratch).map_err(Error::file("create", &scratch))?;
    let build = Build { folder: unfinished.path().to_owned(), scratch: scratch.clone(), options };
    let read = build.read(pages, watch)?;
    let (num_records, up_to, partition) = (read.num_records, read.up_to, read.partition);
    let numbered = build.number(read, watch)?;
    let num_nodes = numbered.num_nodes;
    let joined = build.join(numbered, partition, watch)?;
    let num_pages = joined.num_pages;
    let written = build.compress(joined, num_nodes, watch)?;
    // What was sorted takes much space, and nobody reads it any more.
    fs::remove_dir_all(&scratch).map_err(Error::file("remove", &scratch))?;
    let found = build.find_sites(num_nodes, watch)?;
    let summary = Summary {
        num_records,
        num_pages,
        num_nodes,
        num_arcs: written.forward.num_arcs,
        num_nofollow: written.nofollow.num_arcs,
        num_intra_site: found.counts.intra_site,
        num_template: found.counts.template,
        num_hosts: found.num_hosts,
        num_sites: found.num_sites,
        forward_bits: written.forward.bits,
        transpose_bits: written.transpose.bits,
        host_links: Some(found.levels.hosts),
        site_links: Some(found.levels.sites),
        up_to,
    };
    graph::write_summary(unfinished.path(), &summary)?;
    unfinished.finish()?;
    Ok(summary)
}

/// One run of [`build`]. Each step sorts what it makes while it still reads what the step before
/// made, so each gets half of the memory.
struct Build<'a> {
    folder: PathBuf,
    scratch: PathBuf,
    options: &'a BuildOptions,
}

/// The log as mentions of URLs.
struct Read {
    mentions: Sorted<Mention>,
    num_records: u64,
    up_to: Position,
    partition: u16,
}

/// The mentions with nodes in place of URLs.
struct Numbered {
    rows: Sorted<Row>,
    num_nodes: u32,
}

/// The links with nodes at both ends.
struct Joined {
    forward: Sorted<Arc>,
    transpose: Sorted<Arc>,
    /// Links that the page does not vouch for, turned around.
    nofollow: Sorted<Arc>,
    num_pages: u64,
}

/// What the compressed graphs came to.
struct AllWritten {
    forward: Written,
    transpose: Written,
    nofollow: Written,
}

/// What was found in the finished graph.
struct Found {
    counts: Counts,
    num_hosts: u32,
    num_sites: u32,
    levels: levels::Written,
}

impl Build<'_> {
    fn read(&self, pages: &Path, watch: Watch<'_>) -> Result<Read, Error> {
        let limit = match self.options.up_to {
            Some(position) => position,
            None => end_of_log(pages)?,
        };
        let mut ticker = Ticker::start(watch, Stage::Read, None)?;
        let mut mentions = Sorter::new(&self.scratch, "mentions", self.options.memory / 2);
        let (mut num_records, mut up_to, mut partition) = (0, Position::START, None);
        if limit != Position::START {
            let mut reader = Reader::open(pages, Position::START)?;
            while let Some(entry) = reader.next_entry()?.filter(|entry| entry.end <= limit) {
                let id = entry.record.id;
                if *partition.get_or_insert(id.partition()) != id.partition() {
                    return Err(Error::PageId { id, reason: "the log is of another partition" });
                }
                // Arrays by page are dense; an index as large as this is not from a counter.
                if id.index() >= u64::from(u32::MAX) {
                    return Err(Error::PageId { id, reason: "its index is too large" });
                }
                push_mentions(&mut mentions, &entry.record, num_records)?;
                num_records += 1;
                up_to = entry.end;
                ticker.tick()?;
            }
        }
        let mentions = mentions.finish()?;
        Ok(Read { mentions, num_records, up_to, partition: partition.unwrap_or(0) })
    }

    /// Makes each distinct URL a node and writes the node list.
    fn number(&self, mut read: Read, watch: Watch<'_>) -> Result<Numbered, Error> {
        let mut ticker = Ticker::start(watch, Stage::Number, None)?;
        let mut names = nodes::Writer::create(&self.folder.join(graph::NODES), read.partition)?;
        let mut rows = Sorter::new(&self.scratch, "rows", self.options.memory / 2);
        let mut next = read.mentions.next()?;
        while let Some(first) = next {
            // Vouched mentions come first: an address without one is no node.
            if first.role == Role::Unvouched {
                next = read.mentions.next()?;
                ticker.tick()?;
                continue;
            }
            let key = first.key.clone();
            next = Some(first);
            // The page is the one of the last record; a page's URL has only one, by contract.
            let mut page: Option<(u64, u64)> = None;
            while let Some(mention) =
                next.take_if(|mention| mention.role == Role::Page && mention.key == key)
            {
                page = page.max(Some((mention.record, mention.page)));
                next = read.mentions.next()?;
                ticker.tick()?;
            }
            let node = names.push(&key, page.map(|(_, page)| page))?.0;
            if let Some((record, page)) = page {
                rows.push(Row { page, role: Role::Page, record, node })?;
            }
            while let Some(mention) = next.take_if(|mention| mention.key == key) {
                let Mention { page, record, role, .. } = mention;
                rows.push(Row { page, role, record, node })?;
                next = read.mentions.next()?;
                ticker.tick()?;
            }
        }
        let num_nodes = names.num_nodes();
        names.finish()?;
        Ok(Numbered { rows: rows.finish()?, num_nodes })
    }

    /// Gives each link the node of its page, if it stands in the page's last record.
    fn join(
        &self,
        mut numbered: Numbered,
        partition: u16,
        watch: Watch<'_>,
    ) -> Result<Joined, Error> {
        let mut ticker = Ticker::start(watch, Stage::Join, None)?;
        let path = self.folder.join(graph::PAGES);
        let mut by_page = array::Writer::create(&path, graph::PAGES_KIND, partition)?;
        let mut forward = Sorter::new(&self.scratch, "forward", self.options.memory / 6);
        let mut transpose = Sorter::new(&self.scratch, "transpose", self.options.memory / 6);
        let mut nofollow = Sorter::new(&self.scratch, "nofollow", self.options.memory / 6);
        let mut present: Option<Row> = None;
        let mut num_pages = 0;
        while let Some(row) = numbered.rows.next()? {
            ticker.tick()?;
            match (row.role, present) {
                (Role::Page, Some(page)) if page.page == row.page => {}
                (Role::Page, _) => {
                    while by_page.len() < row.page {
                        by_page.push(graph::NO_NODE)?;
                    }
                    by_page.push(row.node)?;
                    num_pages += 1;
                    present = Some(row);
                }
                (role, Some(page))
                    if page.page == row.page
                        && page.record == row.record
                        && page.node != row.node =>
                {
                    let turned = Arc { from: row.node, to: page.node };
                    if role == Role::Target {
                        forward.push(Arc { from: page.node, to: row.node })?;
                        transpose.push(turned)?;
                    } else {
                        nofollow.push(turned)?;
                    }
                }
                // Of an older record, or of the page to itself.
                (Role::Target | Role::Unvouched, _) => {}
            }
        }
        by_page.finish()?;
        let (forward, transpose) = (forward.finish()?, transpose.finish()?);
        Ok(Joined { forward, transpose, nofollow: nofollow.finish()?, num_pages })
    }

    fn compress(
        &self,
        joined: Joined,
        num_nodes: u32,
        watch: Watch<'_>,
    ) -> Result<AllWritten, Error> {
        let mut ticker = Ticker::start(watch, Stage::Compress, Some(3 * u64::from(num_nodes)))?;
        let mut write =
            |name, arcs| compress(&self.folder.join(name), num_nodes, arcs, || ticker.tick());
        Ok(AllWritten {
            forward: write(graph::FORWARD, joined.forward)?,
            transpose: write(graph::TRANSPOSE, joined.transpose)?,
            nofollow: write(graph::NOFOLLOW, joined.nofollow)?,
        })
    }

    /// Finds hosts, sites, the kinds of links, and links between hosts and between sites, in the
    /// graph that was just written.
    fn find_sites(&self, num_nodes: u32, watch: Watch<'_>) -> Result<Found, Error> {
        let mut ticker = Ticker::start(watch, Stage::Sites, Some(4 * u64::from(num_nodes)))?;
        let nodes = Nodes::open(&self.folder.join(graph::NODES))?;
        let forward = Compressed::open(&self.folder.join(graph::FORWARD), num_nodes)?;
        let runs = HostRuns::read(&nodes)?;
        let sites = Sites::find(&nodes, &forward, &runs, || ticker.tick())?;
        sites.write(&self.folder)?;
        let judge = Judge::new(&sites, &runs, &forward)?;
        let mut write = |name| {
            let basename = self.folder.join(name);
            let arcs = Compressed::open(&basename, num_nodes)?;
            judge.write(&basename, &arcs, || ticker.tick())
        };
        let counts = write(graph::TRANSPOSE)?;
        write(graph::NOFOLLOW)?;
        drop(judge);
        let (num_hosts, num_sites) = (runs.len() as u32, sites.num_sites());
        let num_groups = u64::from(num_hosts) + u64::from(num_sites);
        let total = u64::from(num_nodes) + 2 * num_groups;
        let mut ticker = Ticker::start(watch, Stage::Levels, Some(total))?;
        let (places, groups) = ((&*self.folder, &*self.scratch), (&runs, &sites));
        let memory = self.options.memory;
        fs::create_dir(&self.scratch).map_err(Error::file("create", &self.scratch))?;
        let levels = levels::write(places, &forward, groups, memory, || ticker.tick())?;
        fs::remove_dir_all(&self.scratch).map_err(Error::file("remove", &self.scratch))?;
        Ok(Found { counts, num_hosts, num_sites, levels })
    }
}

fn push_mentions(
    mentions: &mut Sorter<Mention>,
    page: &PageRecord,
    record: u64,
) -> Result<(), Error> {
    let mention = |url: &Url, role| Mention {
        key: url.surt().into_bytes().into(),
        role,
        page: page.id.index(),
        record,
    };
    mentions.push(mention(&page.url, Role::Page))?;
    for (target, role) in targets(page) {
        mentions.push(mention(target, role))?;
    }
    Ok(())
}

/// Returns where the links point to that are kept, and as what; see the module's documentation.
fn targets(page: &PageRecord) -> impl Iterator<Item = (&Url, Role)> {
    let is_whole_page = page.redirect.is_none() && (200..300).contains(&page.status);
    let links = page.links.iter().filter(move |link| {
        is_whole_page
            && match link.kind {
                LinkKind::Anchor
                | LinkKind::Frame
                | LinkKind::Canonical
                | LinkKind::Redirect
                | LinkKind::Script => true,
                LinkKind::Related | LinkKind::Media | LinkKind::Mention => false,
            }
    });
    let links = links.map(|link| match link.rel.is_endorsement() {
        true => (&link.target, Role::Target),
        false => (&link.target, Role::Unvouched),
    });
    page.redirect.iter().map(|target| (target, Role::Target)).chain(links)
}

/// Returns the end of the log as it is now; a record that is being written may reach past it.
fn end_of_log(folder: &Path) -> Result<Position, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Position::START),
        Err(error) => return Err(Error::file("list", folder)(error)),
    };
    let mut end = Position::START;
    for entry in entries {
        let entry = entry.map_err(Error::file("list", folder))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".log")?.parse().ok());
        if let Some(segment) = number.filter(|segment| *segment >= end.segment) {
            let offset = entry.metadata().map_err(Error::file("read", &entry.path()))?.len();
            end = Position { segment, offset };
        }
    }
    Ok(end)
}
