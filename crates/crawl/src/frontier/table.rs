//! Going through hosts and URLs, and counting what is due, for people who look (U3).

use base::{Host, Timestamp, Url};

use super::{Frontier, FrontierError, HostState, UrlState, decode};

impl Frontier {
    /// Shows every host, in the order of their names from the end, until `visit` says stop.
    pub(crate) fn each_host(
        &self,
        mut visit: impl FnMut(HostState) -> bool,
    ) -> Result<(), FrontierError> {
        for guard in self.hosts.iter() {
            let (_, value) = guard.into_inner()?;
            if !visit(decode(&value, "hosts")?) {
                break;
            }
        }
        Ok(())
    }

    /// Shows every known URL of a host until `visit` says stop.
    pub(crate) fn each_url_of(
        &self,
        host: &Host,
        mut visit: impl FnMut(Url, UrlState) -> bool,
    ) -> Result<(), FrontierError> {
        for guard in self.urls.prefix(format!("{}:", host.surt())) {
            let (key, value) = guard.into_inner()?;
            let url = std::str::from_utf8(&key).ok().and_then(Url::from_surt);
            let url = url.ok_or(FrontierError::Value { keyspace: "urls" })?;
            if !visit(url, decode(&value, "urls")?) {
                break;
            }
        }
        Ok(())
    }

    /// Returns how many hosts rest in the store beyond a moment, at most `limit`.
    pub(crate) fn num_resting(&self, now: Timestamp, limit: usize) -> Result<u64, FrontierError> {
        let mut count = 0;
        for guard in self.turns.range(super::turns::after_rest(now)..).take(limit) {
            guard.key()?;
            count += 1;
        }
        Ok(count)
    }

    /// Returns how many pages are due to be fetched again, at most `limit`.
    pub(crate) fn num_due(&self, now: Timestamp, limit: usize) -> Result<u64, FrontierError> {
        Ok(self.due_until(now, limit)?.len() as u64)
    }
}
