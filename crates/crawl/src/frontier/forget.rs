//! Taking URLs out on request (C18).

use std::collections::HashMap;

use base::log::Position;
use base::{Host, PageId, Url};

use super::{
    Changes, Frontier, FrontierError, HostState, Standing, TOTALS, UrlState, encode, queue_key,
};
use crate::forget::{BlockList, Target};

impl Frontier {
    /// Returns the known URLs of a target that `list` holds too.
    ///
    /// Cost: reads the URLs of the target's hosts.
    pub(crate) fn known(
        &self,
        target: &Target,
        list: &BlockList,
    ) -> Result<Vec<Url>, FrontierError> {
        let prefixes = match target {
            Target::Page(url) => {
                return Ok(self.url(url)?.map(|_| url.clone()).into_iter().collect());
            }
            Target::Host(host) => vec![format!("{}:", host.surt())],
            // Addresses have nothing below them.
            Target::Below(host) => vec![format!("{}:", host.surt()), format!("{},", host.surt())],
            Target::Pattern { origin, .. } => match Url::parse(origin) {
                Ok(url) => vec![url.surt().trim_end_matches('/').to_owned()],
                Err(_) => Vec::new(),
            },
        };
        let mut found = Vec::new();
        for prefix in prefixes {
            for guard in self.urls.prefix(prefix) {
                let key = guard.key()?;
                let url = std::str::from_utf8(&key).ok().and_then(Url::from_surt);
                let url = url.ok_or(FrontierError::Value { keyspace: "urls" })?;
                if list.holds(&url) {
                    found.push(url);
                }
            }
        }
        Ok(found)
    }

    /// Marks URLs as forgotten and takes them out of the queue; `end` is the position behind
    /// the page log's records about that. One atomic batch.
    ///
    /// For the one who commits: no [`super::Update`] may be open meanwhile.
    pub(crate) fn forget(
        &self,
        graves: &[(Url, PageId)],
        end: Position,
    ) -> Result<Changes, FrontierError> {
        let mut batch = self.database.batch();
        let mut totals = self.totals();
        let mut hosts: HashMap<Host, HostState> = HashMap::new();
        for (url, page) in graves {
            totals.pages = totals.pages.max(page.index() + 1);
            // One that is known only from the page log, of a frontier that was made anew.
            let Some(state) = self.url(url)? else { continue };
            let host = url.host();
            if let Standing::Waiting { place } = state.standing {
                batch.remove(&self.queue, queue_key(&host, place));
                if !hosts.contains_key(&host) {
                    let missing = FrontierError::Value { keyspace: "hosts" };
                    hosts.insert(host.clone(), self.host(&host)?.ok_or(missing)?);
                }
                let counts = hosts.get_mut(&host).expect("inserted above");
                counts.waiting = counts.waiting.saturating_sub(1);
                totals.waiting = totals.waiting.saturating_sub(1);
            }
            let state = UrlState { standing: Standing::Forgotten, page: Some(*page), ..state };
            batch.insert(&self.urls, url.surt(), encode(&state));
        }
        for (host, state) in &hosts {
            batch.insert(&self.hosts, host.surt(), encode(state));
        }
        totals.checkpoint = totals.checkpoint.max(end);
        batch.insert(&self.meta, TOTALS, encode(&totals));
        batch.commit()?;
        *self.locked_totals() = totals;
        let waiting = hosts.into_values().map(|state| (state.host, state.waiting));
        Ok(Changes { waiting: waiting.collect() })
    }
}
