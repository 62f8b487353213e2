//! What a crawl that runs asks the network for a person: a picture, a proof in the DNS.
//!
//! There is one way to the network, that of the crawl: its resolver, its permits, its limits.
//! Where no crawl runs there is none, and nothing is asked.

use std::sync::{Arc, Weak};

use base::{Host, Url};
use tokio::runtime;

use crate::dns::Texts;
use crate::picture::{NoPicture, Picture, Pictures};
use crate::visit::Shared;

/// The way to the network of a crawl that runs.
pub(crate) struct Outside {
    /// The crawl's own; it ends with the crawl.
    shared: Weak<Shared>,
    runtime: runtime::Handle,
    pictures: Pictures,
    texts: Texts,
}

impl Outside {
    /// Opens the way; called where the crawl runs.
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self {
            shared: Arc::downgrade(shared),
            runtime: runtime::Handle::current(),
            pictures: Pictures::new(&shared.options.agent.token),
            texts: Texts::new(),
        }
    }

    /// Fetches a picture.
    pub(crate) async fn picture(&self, url: &Url) -> Result<Picture, NoPicture> {
        match self.shared.upgrade() {
            Some(shared) => self.pictures.get(&shared, url).await,
            None => Err(NoPicture::Later),
        }
    }

    /// Looks up what the owner of a host has put into the DNS. Blocks its thread, which must not be
    /// one of the runtime's own.
    pub(crate) fn texts(&self, host: &Host) -> Vec<String> {
        let Some(shared) = self.shared.upgrade() else { return Vec::new() };
        self.runtime.block_on(self.texts.of(&shared.dns, host))
    }
}
