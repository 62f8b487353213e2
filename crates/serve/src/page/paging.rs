//! The other pages of a result.

use crate::params::{Params, WINDOW};
use crate::tongue::Tongue;
use crate::view::beside;

/// Page numbers shown at the foot of a result page.
const PAGE_LINKS: usize = 7;

/// Where the other pages of a result are.
pub(crate) struct Paging {
    pub(crate) previous: Option<String>,
    pub(crate) pages: Vec<PageLink>,
    pub(crate) next: Option<String>,
}

/// One of them.
pub(crate) struct PageLink {
    pub(crate) number: String,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}

impl Paging {
    /// Counts the pages of a list of `total` results, `size` on each; links are relative to it.
    pub(crate) fn new(
        query: &str,
        params: &Params,
        total: usize,
        size: usize,
        tongue: Tongue,
    ) -> Self {
        let num_pages = total.min(WINDOW).div_ceil(size);
        let current = params.offset / size;
        let first =
            current.saturating_sub(PAGE_LINKS / 2).min(num_pages.saturating_sub(PAGE_LINKS));
        let path = |page: usize| beside(query, page * size) + &params.kept();
        let page = |index: usize| PageLink {
            number: tongue.number(index as u64 + 1),
            path: path(index),
            is_current: index == current,
        };
        let is_alone = num_pages <= 1;
        Self {
            previous: (current > 0).then(|| path(current.min(num_pages.max(1)) - 1)),
            pages: (first..num_pages.min(first + PAGE_LINKS))
                .filter(|_| !is_alone)
                .map(page)
                .collect(),
            next: (current + 1 < num_pages).then(|| path(current + 1)),
        }
    }

    pub(crate) fn is_needed(&self) -> bool {
        self.previous.is_some() || self.next.is_some()
    }
}
