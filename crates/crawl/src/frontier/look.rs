//! Questions about single URLs and hosts, for people who ask why (C16).

use base::{Host, PageId, Url};

use super::{
    Frontier, FrontierError, HostState, Place, UrlState, decode, queue_key, queue_prefix, read,
};

/// Places in a queue are counted up to here; behind it, the number says nothing to anyone.
const COUNTED: usize = 1_000_000;

impl Frontier {
    /// Returns what is known of a host.
    pub(crate) fn host(&self, host: &Host) -> Result<Option<HostState>, FrontierError> {
        read(&self.hosts, "hosts", host.surt().as_bytes())
    }

    /// Returns how many URLs of a host wait before `place`; at most a million are counted.
    pub(crate) fn num_before(&self, host: &Host, place: Place) -> Result<u64, FrontierError> {
        let range = queue_prefix(host)..queue_key(host, place);
        let mut count = 0;
        for guard in self.queue.range(range).take(COUNTED) {
            guard.key()?;
            count += 1;
        }
        Ok(count)
    }

    /// Returns the URL of a page that was fetched.
    ///
    /// Cost: reads known URLs until it is found.
    pub(crate) fn url_of(&self, page: PageId) -> Result<Option<Url>, FrontierError> {
        for guard in self.urls.iter() {
            let (key, value) = guard.into_inner()?;
            let state: UrlState = decode(&value, "urls")?;
            if state.page == Some(page) {
                return Ok(std::str::from_utf8(&key).ok().and_then(Url::from_surt));
            }
        }
        Ok(None)
    }
}
