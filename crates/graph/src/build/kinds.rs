//! Kinds of links: what is known of each arc besides its ends.
//!
//! ```text
//! nofollow.*       arcs turned around that no link of the page vouches for, compressed
//! transpose.kinds  array of words of 2 bits per arc, in the order of `transpose.*`
//! nofollow.kinds   the same for `nofollow.*`
//! 2 bits = is_intra_site | is_template << 1, the first arc in the lowest bits of a word
//! ```
//! - **nofollow**: every link between the two pages is `nofollow`, `ugc` or `sponsored`. An arc
//!   that stands in both graphs is one that the page vouches for with another link.
//! - **intra-site**: both ends are of one registered domain, or of one of [`crate::Sites`].
//! - **template**: at least [`MIN_PAGES`] pages of the linking site have the link, and they are at
//!   least [`NEARLY_ALL`] percent of its pages that link at all. What stands on every page is
//!   said once, by whoever made the template.

use std::path::{Path, PathBuf};

use crate::array::{self, Array, Kind};
use crate::compressed::Compressed;
use crate::sites::{HostRuns, Sites};
use crate::{Error, Node};

const KINDS_KIND: Kind = Kind(*b"KIND");
/// Fewer pages have no template.
const MIN_PAGES: u32 = 5;
/// Share of a site's linking pages that have a link of its template, in percent.
const NEARLY_ALL: u64 = 80;

const INTRA_SITE: u32 = 1;
const TEMPLATE: u32 = 2;
const BITS: u32 = 2;
const ARCS_PER_WORD: u32 = u32::BITS / BITS;

/// Which kinds of links count as votes; a link that is of several kinds counts if all of them do.
///
/// A kind counts in full or not at all: ranking has no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Links that the page does not vouch for (`nofollow`, `ugc`, `sponsored`). Default no: that
    /// is what the words are for.
    pub nofollow: bool,
    /// Links within a registered domain or site. Default yes: without them most pages of a small
    /// crawl have no links at all.
    pub intra_site: bool,
    /// Links that stand on nearly every page of their site. Default yes: they are how a site
    /// says which of its pages matter.
    pub template: bool,
}

impl Default for Counted {
    fn default() -> Self {
        Self { nofollow: false, intra_site: true, template: true }
    }
}

impl Counted {
    /// Returns whether an arc with these bits counts, whoever vouches for it.
    pub(crate) fn counts(&self, bits: u32) -> bool {
        (self.intra_site || bits & INTRA_SITE == 0) && (self.template || bits & TEMPLATE == 0)
    }

    /// Returns whether the bits of an arc matter.
    pub(crate) fn looks_at_bits(&self) -> bool {
        !(self.intra_site && self.template)
    }
}

/// What is said of the arcs of one compressed graph, in memory: 2 bits each.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    words: Vec<u32>,
}

impl Kinds {
    /// Reads the kinds of a compressed graph of so many arcs.
    pub(crate) fn open(basename: &Path, num_arcs: u64) -> Result<Self, Error> {
        let path = path_of(basename);
        let words = Array::<u32>::open(&path, KINDS_KIND)?.values;
        match words.len() as u64 == num_arcs.div_ceil(ARCS_PER_WORD.into()) {
            true => Ok(Self { words }),
            false => Err(Error::damaged(&path, "its number of arcs is not the generation's")),
        }
    }

    /// Returns the bits of the arc at a place; none past the end.
    pub(crate) fn bits(&self, place: u64) -> u32 {
        let word = usize::try_from(place / u64::from(ARCS_PER_WORD)).unwrap_or(usize::MAX);
        let shift = (place % u64::from(ARCS_PER_WORD)) as u32 * BITS;
        self.words.get(word).map_or(0, |word| (word >> shift) & (INTRA_SITE | TEMPLATE))
    }
}

/// How many arcs are of which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) intra_site: u64,
    pub(crate) template: u64,
}

/// Tells the kinds of arcs. Costs 4 bytes per node and per site.
pub(crate) struct Judge<'a> {
    sites: &'a Sites,
    runs: &'a HostRuns,
    host_of: Vec<u32>,
    /// Linking pages of each site.
    num_linking: Vec<u32>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        sites: &'a Sites,
        runs: &'a HostRuns,
        forward: &Compressed,
    ) -> Result<Self, Error> {
        let mut num_linking = vec![0; sites.num_sites() as usize];
        forward.for_each(|node, successors| {
            let site = sites.by_node()[node.index()];
            num_linking[site as usize] += u32::from(!successors.is_empty());
            Ok(())
        })?;
        Ok(Self { sites, runs, host_of: runs.by_node(), num_linking })
    }

    /// Writes the kinds of the arcs of `transpose`, a graph with this base name.
    ///
    /// Linear in nodes, and n log n in the sources of one node. `tick` is called per node.
    pub(crate) fn write(
        &self,
        basename: &Path,
        transpose: &Compressed,
        mut tick: impl FnMut() -> Result<(), Error>,
    ) -> Result<Counts, Error> {
        let mut out = array::Writer::create(&path_of(basename), KINDS_KIND, 0)?;
        let (mut word, mut len, mut counts) = (0, 0, Counts::default());
        let (mut from_sites, mut templates) = (Vec::new(), Vec::new());
        transpose.for_each(|node, sources| {
            tick()?;
            self.find_templates(sources, &mut from_sites, &mut templates);
            for source in sources {
                let bits = self.bits(*source, node, &templates);
                counts.intra_site += u64::from(bits & INTRA_SITE != 0);
                counts.template += u64::from(bits & TEMPLATE != 0);
                word |= bits << (len * BITS);
                len += 1;
                if len == ARCS_PER_WORD {
                    out.push(word)?;
                    (word, len) = (0, 0);
                }
            }
            Ok(())
        })?;
        if len > 0 {
            out.push(word)?;
        }
        out.finish()?;
        Ok(counts)
    }

    /// Finds the sites whose template links to the target of these sources, ascending.
    fn find_templates(
        &self,
        sources: &[usize],
        from_sites: &mut Vec<u32>,
        templates: &mut Vec<u32>,
    ) {
        from_sites.clear();
        templates.clear();
        if sources.len() < MIN_PAGES as usize {
            return;
        }
        from_sites.extend(sources.iter().map(|source| self.sites.by_node()[*source]));
        from_sites.sort_unstable();
        for run in from_sites.chunk_by(|one, other| one == other) {
            let num_linking = u64::from(self.num_linking[run[0] as usize]);
            if run.len() >= MIN_PAGES as usize && run.len() as u64 * 100 >= num_linking * NEARLY_ALL
            {
                templates.push(run[0]);
            }
        }
    }

    fn bits(&self, from: usize, to: Node, templates: &[u32]) -> u32 {
        let sites = self.sites.by_node();
        let domain = |node: usize| self.runs.domain(self.host_of[node]);
        let is_intra = sites[from] == sites[to.index()] || domain(from) == domain(to.index());
        let is_template = templates.binary_search(&sites[from]).is_ok();
        (u32::from(is_intra) * INTRA_SITE) | (u32::from(is_template) * TEMPLATE)
    }
}

fn path_of(basename: &Path) -> PathBuf {
    basename.with_extension("kinds")
}
