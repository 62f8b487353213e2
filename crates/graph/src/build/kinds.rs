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

use crate::array::{self, Kind, Stored};
use crate::compressed::Compressed;
use crate::sites::{HostRuns, Runs, Sites};
use crate::weights::{Table, Weight};
use crate::{Error, Node};

const KINDS_KIND: Kind = Kind(*b"KIND");
/// Fewer pages have no template.
const MIN_PAGES: u32 = 5;
/// Share of a site's linking pages that have a link of its template, in percent.
const NEARLY_ALL: u64 = 80;

const INTRA_SITE: u32 = 1;
const TEMPLATE: u32 = 2;
/// Said of an arc besides its bits: it is one that nobody vouches for.
pub(crate) const UNVOUCHED: u8 = 4;
const BITS: u32 = 2;
const ARCS_PER_WORD: u32 = u32::BITS / BITS;

/// How much kinds of links count as votes; a link that is of several kinds counts as much as the
/// product of their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// Links that the page does not vouch for (`nofollow`, `ugc`, `sponsored`). Default not at all:
    /// that is what the words are for.
    pub nofollow: Weight,
    /// Links within a registered domain or site. Default in full: without them most pages of a
    /// small crawl have no links at all.
    pub intra_site: Weight,
    /// Links that stand on nearly every page of their site. Default in full: they are how a site
    /// says which of its pages matter.
    pub template: Weight,
}

impl Default for Counted {
    fn default() -> Self {
        Self { nofollow: Weight::NONE, intra_site: Weight::FULL, template: Weight::FULL }
    }
}

impl Counted {
    /// Returns the weight of each class of arcs: the bits of an arc, and [`UNVOUCHED`].
    pub(crate) fn table(&self) -> Table {
        std::array::from_fn(|class| {
            let weight = |bit: u8, weight: Weight| match class & usize::from(bit) {
                0 => 1.0,
                _ => weight.get(),
            };
            weight(UNVOUCHED, self.nofollow)
                * weight(INTRA_SITE as u8, self.intra_site)
                * weight(TEMPLATE as u8, self.template)
        })
    }

    /// Returns whether the bits of an arc matter.
    pub(crate) fn looks_at_bits(&self) -> bool {
        self.intra_site != Weight::FULL || self.template != Weight::FULL
    }

    /// Returns whether any kind counts in part.
    pub(crate) fn has_weights(&self) -> bool {
        [self.nofollow, self.intra_site, self.template].into_iter().any(Weight::is_between)
    }
}

/// What is said of the arcs of one compressed graph. It stays on disk: 2 bits each.
#[derive(Debug)]
pub(crate) struct Kinds {
    words: Stored,
}

impl Kinds {
    /// Opens the kinds of a compressed graph of so many arcs; their checksum was verified before.
    pub(crate) fn open(basename: &Path, num_arcs: u64) -> Result<Self, Error> {
        let words = Stored::open(&path_of(basename), KINDS_KIND)?;
        match words.len() == num_arcs.div_ceil(ARCS_PER_WORD.into()) {
            true => Ok(Self { words }),
            false => {
                let reason = "its number of arcs is not the generation's";
                Err(Error::damaged(words.path(), reason))
            }
        }
    }

    /// Returns the bits of the arcs from a place on.
    pub(crate) fn from(&self, place: u64) -> KindsFrom<'_> {
        KindsFrom { words: &self.words, place, held: Vec::new(), first: 0 }
    }
}

/// The bits of arc after arc. Holds [`WORDS_HELD`] words.
#[derive(Debug)]
pub(crate) struct KindsFrom<'a> {
    words: &'a Stored,
    place: u64,
    held: Vec<u32>,
    /// Number of the first word that is held.
    first: u64,
}

/// 16 KiB: 65,536 arcs.
const WORDS_HELD: usize = 4_096;

impl KindsFrom<'_> {
    pub(crate) fn next(&mut self) -> Result<u8, Error> {
        let number = self.place / u64::from(ARCS_PER_WORD);
        let place = number.wrapping_sub(self.first) as usize;
        let word = match self.held.get(place) {
            Some(word) => *word,
            None => {
                self.held = self.words.read(number, WORDS_HELD)?;
                self.first = number;
                let cut = || Error::damaged(self.words.path(), "it ends before the arcs do");
                *self.held.first().ok_or_else(cut)?
            }
        };
        let shift = (self.place % u64::from(ARCS_PER_WORD)) as u32 * BITS;
        self.place += 1;
        Ok(((word >> shift) & (INTRA_SITE | TEMPLATE)) as u8)
    }
}

/// How many arcs are of which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) intra_site: u64,
    pub(crate) template: u64,
}

/// Tells the kinds of arcs. Costs 4 bytes per site and 8 per host.
pub(crate) struct Judge<'a> {
    sites: &'a Sites,
    runs: &'a HostRuns,
    host_of: Runs,
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
            if let Some(site) = sites.site(node) {
                num_linking[site as usize] += u32::from(!successors.is_empty());
            }
            Ok(())
        })?;
        Ok(Self { sites, runs, host_of: runs.runs(), num_linking })
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
    fn find_templates(&self, sources: &[u32], from_sites: &mut Vec<u32>, templates: &mut Vec<u32>) {
        from_sites.clear();
        templates.clear();
        if sources.len() < MIN_PAGES as usize {
            return;
        }
        from_sites.extend(sources.iter().filter_map(|source| self.site(*source)));
        from_sites.sort_unstable();
        for run in from_sites.chunk_by(|one, other| one == other) {
            let num_linking = u64::from(self.num_linking[run[0] as usize]);
            if run.len() >= MIN_PAGES as usize && run.len() as u64 * 100 >= num_linking * NEARLY_ALL
            {
                templates.push(run[0]);
            }
        }
    }

    fn bits(&self, from: u32, to: Node, templates: &[u32]) -> u32 {
        let domain = |node| self.host_of.get(node as usize).map(|host| self.runs.domain(host));
        let (site, to) = (self.site(from), to.0);
        let is_intra = site == self.site(to) || domain(from) == domain(to);
        let is_template = site.is_some_and(|site| templates.binary_search(&site).is_ok());
        (u32::from(is_intra) * INTRA_SITE) | (u32::from(is_template) * TEMPLATE)
    }

    fn site(&self, node: u32) -> Option<u32> {
        self.sites.site(Node(node))
    }
}

fn path_of(basename: &Path) -> PathBuf {
    basename.with_extension("kinds")
}
