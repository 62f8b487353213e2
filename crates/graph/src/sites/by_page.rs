//! The web sites of a generation for those who know pages and addresses but hold no graph.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use base::{PageId, Url};

use super::folders::folders_of;
use super::voices::VOICES;
use super::{SITE_NAMES, SITES, Sites, Voices, plain};
use crate::array::Array;
use crate::graph::{NO_NODE, PAGES, PAGES_KIND};
use crate::{Error, folder, read_summary};

/// The web site of each page. Costs 4 bytes per page, and the names of the sites.
#[derive(Clone, Debug)]
pub struct PageSites {
    partition: u16,
    /// Site of each page, [`NO_NODE`] where the page is not in the graph.
    of: Vec<u32>,
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    voices: Voices,
}

impl PageSites {
    /// Reads the sites from the folder of a generation's graph and verifies their checksums.
    ///
    /// Linear in its nodes, without its arcs. Fails for a
    /// generation that has no sites yet.
    pub fn open(graph: &Path) -> Result<Self, Error> {
        let summary = read_summary(graph)?;
        for file in folder::open(graph)? {
            if [PAGES, SITES, SITE_NAMES, VOICES].contains(&file.name.as_str()) {
                folder::verify(graph, &file)?;
            }
        }
        let Sites { of: by_node, names, voices } = Sites::open(graph, summary.num_nodes)?;
        let pages = Array::<u32>::open(&graph.join(PAGES), PAGES_KIND)?;
        let site = |node: &u32| by_node.get(*node as usize).unwrap_or(NO_NODE);
        let of = pages.values.iter().map(site).collect();
        let numbers = names.iter().cloned().zip(0..).collect();
        Ok(Self { partition: pages.partition, of, names, numbers, voices })
    }

    /// Returns the name of a page's site, or `None` if the page came after this generation. O(1).
    pub fn site(&self, page: PageId) -> Option<&Arc<str>> {
        let index = usize::try_from(page.index()).ok()?;
        let site = self.of.get(index).filter(|_| page.partition() == self.partition)?;
        self.names.get(*site as usize)
    }

    /// Returns the name of the site that an address belongs to, as far as addresses and names of
    /// sites tell: for pages that are not in the graph. O(length of the address).
    pub fn site_of_url(&self, url: &Url) -> Option<&Arc<str>> {
        let host = url.host();
        let (host, domain) = (plain(host.as_str()), url.site());
        let path = url.path();
        // The outermost folder that is a site: folders of a site are no sites.
        let folders = folders_of(path).chain([path]);
        let folders = folders.map(|folder| format!("{host}{}/", folder.trim_end_matches('/')));
        let mut names = folders.chain([host.to_owned(), domain.as_str().to_owned()]);
        let number = names.find_map(|name| self.numbers.get(name.as_str()))?;
        self.names.get(*number as usize)
    }

    /// Returns who speaks with one voice.
    pub fn voices(&self) -> &Voices {
        &self.voices
    }
}
