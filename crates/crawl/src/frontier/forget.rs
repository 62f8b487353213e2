//! Taking URLs out on request (C18).

use base::log::Position;
use base::{PageId, Url};

use super::{Changes, Frontier, FrontierError};
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
        let mut update = self.update();
        for (url, page) in graves {
            update.forget(url, *page)?;
        }
        update.totals.checkpoint = update.totals.checkpoint.max(end);
        update.commit()
    }
}
