//! Which site an answer is of, and who answers for it.
//!
//! Sites are those of the link analysis (G11), which knows several on one host and one on several
//! hosts. Pages that it has not seen yet, and all pages before the first one, go by their
//! registered domain.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use base::{PageId, Url};
use foldhash::fast::RandomState;
use graph::PageSites;
use index::{Names, Snapshot};
use tantivy::DocAddress;

use crate::generation::Links;
use crate::query::Site;

/// The sites of the documents of one commit, by one generation.
pub(crate) struct Sites<'a> {
    snapshot: &'a Snapshot,
    /// Domains looked up and their voices, by segment and number.
    domains: RefCell<HashMap<(u32, u64), Group, RandomState>>,
    known: Option<&'a PageSites>,
}

/// Site, or domain, and voice of an answer.
pub(crate) type Group = (Arc<str>, Arc<str>);

impl<'a> Sites<'a> {
    pub(crate) fn of(snapshot: &'a Snapshot, links: &'a Links) -> Self {
        Self { snapshot, domains: RefCell::default(), known: links.sites.as_ref() }
    }

    /// Looks up the domains of documents together, which is much cheaper than one by one.
    pub(crate) fn expect(
        &self,
        addresses: impl Iterator<Item = DocAddress>,
    ) -> tantivy::Result<()> {
        let mut wanted: Vec<(u32, u64)> = addresses
            .filter_map(|address| Some((address.segment_ord, self.number(address)?)))
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut domains = self.domains.borrow_mut();
        for run in wanted.chunk_by(|one, other| one.0 == other.0) {
            let segment = run[0].0;
            let Some(column) = self.column(segment) else { continue };
            let numbers: Vec<u64> = run.iter().map(|(_, number)| *number).collect();
            column.each(&numbers, |number, domain| {
                domains.insert((segment, number), self.group(None, domain));
            })?;
        }
        Ok(())
    }

    /// Returns the group of a document.
    pub(crate) fn get(&self, address: DocAddress) -> tantivy::Result<Group> {
        let (domain, voice) = self.domain(address)?;
        let site = self.known.and_then(|known| known.site(self.snapshot.page(address)));
        Ok((site.cloned().unwrap_or(domain), voice))
    }

    /// Returns the registered domain of a document and its voice; empty where none was told.
    fn domain(&self, address: DocAddress) -> tantivy::Result<Group> {
        let Some(number) = self.number(address) else {
            return Ok(self.group(None, &Arc::default()));
        };
        let place = (address.segment_ord, number);
        if !self.domains.borrow().contains_key(&place) {
            self.expect(std::iter::once(address))?;
        }
        let group = self.domains.borrow().get(&place).cloned();
        Ok(group.unwrap_or_else(|| self.group(None, &Arc::default())))
    }

    /// Returns the number of a document's domain in its segment.
    fn number(&self, address: DocAddress) -> Option<u64> {
        self.column(address.segment_ord)?.numbers(address.doc_id).next()
    }

    fn column(&self, segment_ord: u32) -> Option<&Names> {
        self.snapshot.labels()[segment_ord as usize].sites.as_ref()
    }

    /// Returns the group of an address that was never fetched.
    pub(crate) fn get_url(&self, url: &Url) -> Group {
        let site = self.known.and_then(|known| known.site_of_url(url));
        self.group(site, &url.site().as_str().into())
    }

    fn group(&self, site: Option<&Arc<str>>, domain: &Arc<str>) -> Group {
        let voice = self.known.map(|known| known.voices().of(domain));
        // Most speak for themselves.
        let voice = voice.filter(|voice| *voice != &**domain);
        (site.unwrap_or(domain).clone(), voice.map_or_else(|| domain.clone(), Arc::from))
    }
}

/// Returns the site of an answer as `site:` takes it: one that finds the answer itself.
pub(crate) fn name(links: &Links, page: Option<PageId>, url: &Url) -> String {
    let domain = || url.site().as_str().to_owned();
    let Some(known) = &links.sites else { return domain() };
    let site = match page {
        Some(page) => known.site(page),
        None => known.site_of_url(url),
    };
    match site {
        None => domain(),
        Some(site) if holds(site, url) => site.to_string(),
        // One of several hosts that are one site, which is called by another of them.
        Some(_) => url.host().as_str().to_owned(),
    }
}

/// Returns whether an address lies on a host and below, at the port and in the folder that a name
/// names.
fn holds(name: &str, url: &Url) -> bool {
    let site = Site::of(name);
    let host = url.host();
    let above = host.as_str().strip_suffix(site.host);
    let is_below = above.is_some_and(|above| above.is_empty() || above.ends_with('.'));
    let is_port = site.port.is_none_or(|port| port == url.port());
    is_below && is_port && url.path_and_query().starts_with(site.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_holds_what_lies_below_it() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (name, address, expected) in [
            ("uni.example", "http://cs.uni.example/x", true),
            ("uni.example", "http://fakeuni.example/x", false),
            ("cs.uni.example/~ann/", "http://www.cs.uni.example/~ann/dog", true),
            ("cs.uni.example/~ann/", "http://cs.uni.example/~anne/", false),
            ("blog.example", "http://shop.example/", false),
            ("uni.example/x", "http://uni.example:8080/x/y", true),
            ("uni.example:8080", "http://uni.example:8080/x", true),
            ("uni.example:8080/x", "http://uni.example/x", false),
            ("uni.example:80", "http://uni.example/x", true),
            ("uni.example:80", "https://uni.example/x", false),
        ] {
            assert_eq!(holds(name, &url(address)), expected, "{name} {address}");
        }
    }
}
