//! What a crawl has met so far, for pictures: outcomes, kinds, sizes, and the queue by class (U3).
//!
//! Kept under a key of its own in `meta` and written with every batch, so it is as old as the
//! counts beside it. A store of before has none: then the queue is counted once, and the rest
//! begins at nothing.

use std::collections::BTreeMap;

use base::{ContentKind, PageRecord};
use fjall::Keyspace;
use serde::{Deserialize, Serialize};

use super::place::{Class, Place};
use super::{Batch, Frontier, FrontierError, decode, encode, queue_prefix_len};

/// Counts that are shown as pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// URLs that wait, by front queue: 0 is served first.
    pub waiting: [u64; Class::COUNT],
    /// Responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Responses with status 200 by what the bytes are.
    pub kinds: BTreeMap<String, u64>,
    /// Bodies by size: number `n` counts those of 2^(n-1) to below 2^n bytes, 0 the empty ones.
    pub sizes: [u64; SIZES],
}

/// Classes of sizes: the last is 1 GiB and more.
const SIZES: usize = 32;
const KEY: &[u8] = b"census";

impl Census {
    /// Reads what is stored; a store that has none is counted.
    pub(super) fn open(meta: &Keyspace, queues: [&Keyspace; 2]) -> Result<Self, FrontierError> {
        if let Some(stored) = meta.get(KEY)? {
            return decode(&stored, "meta");
        }
        let mut census = Self::default();
        for queue in queues {
            for guard in queue.iter() {
                let key = guard.key()?;
                let place = queue_prefix_len(&key).and_then(|len| Place::from_bytes(&key[len..]));
                census.came(place.ok_or(FrontierError::Value { keyspace: "queue" })?);
            }
        }
        Ok(census)
    }

    /// Counts a URL that waits from now on.
    pub(super) fn came(&mut self, place: Place) {
        self.waiting[place.class.index()] += 1;
    }

    /// Counts a URL that waits no more.
    pub(super) fn left(&mut self, place: Place) {
        let waiting = &mut self.waiting[place.class.index()];
        *waiting = waiting.saturating_sub(1);
    }

    /// Counts a response.
    pub(super) fn response(&mut self, record: &PageRecord) {
        *self.statuses.entry(record.status.min(MOST_STATUS)).or_default() += 1;
        if record.status == 200 {
            *self.kinds.entry(name(record.kind).to_owned()).or_default() += 1;
        }
        let class = u64::BITS - record.body_bytes.leading_zeros();
        self.sizes[(class as usize).min(SIZES - 1)] += 1;
    }

    pub(super) fn store(&self, frontier: &Frontier, batch: &mut Batch) {
        batch.insert(&frontier.meta, KEY, encode(self));
    }
}

/// Statuses above are no statuses: counted together, so that strangers cannot make the list long.
const MOST_STATUS: u16 = 599;

fn name(kind: ContentKind) -> &'static str {
    match kind {
        ContentKind::Html => "HTML",
        ContentKind::Text => "text",
        ContentKind::Pdf => "PDF",
        ContentKind::Other => "other",
        ContentKind::Empty => "empty",
        ContentKind::Sitemap => "sitemap",
        ContentKind::Feed => "feed",
        ContentKind::Markdown => "Markdown",
        ContentKind::Rtf => "RTF",
        ContentKind::Epub => "EPUB",
        ContentKind::Docx | ContentKind::Odt | ContentKind::Doc => "word processor",
        ContentKind::Xlsx | ContentKind::Ods | ContentKind::Xls => "spreadsheet",
        ContentKind::Pptx | ContentKind::Odp | ContentKind::Ppt => "slides",
    }
}

#[cfg(test)]
mod tests {
    use base::{PageId, Timestamp, Url};

    use super::*;

    #[test]
    fn responses_are_counted_by_status_kind_and_size() {
        let mut census = Census::default();
        for (status, bytes) in [(200, 0), (200, 1), (200, 1_000), (404, 1_024), (9_999, u64::MAX)] {
            let url = Url::parse("http://a.example/").unwrap();
            let id = PageId::new(0, 0).unwrap();
            let mut record = PageRecord::new(id, url, Timestamp::from_millis(0), status);
            (record.kind, record.body_bytes) = (ContentKind::Html, bytes);
            census.response(&record);
        }
        assert_eq!(census.statuses, [(200, 3), (404, 1), (599, 1)].into());
        assert_eq!(census.kinds, [("HTML".to_owned(), 3)].into());
        let sizes = |class: usize| census.sizes[class];
        assert_eq!([sizes(0), sizes(1), sizes(10), sizes(11), sizes(31)], [1; 5]);
    }
}
