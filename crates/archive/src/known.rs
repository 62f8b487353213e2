//! Which responses an archive holds already, so that none is imported twice.

use std::collections::HashSet;
use std::path::Path;

use base::Url;
use serde::Deserialize;
use sha1::{Digest, Sha1};

use crate::folder::{Part, numbers};
use crate::{Error, Response, cdxj, http, warc};

/// The captures of an archive by address, second and digest of the body: 16 bytes each.
///
/// Made of the indexes, so it knows whatever is in a closed file, whoever put it there.
#[derive(Debug, Default)]
pub struct Known(HashSet<u128>);

impl Known {
    /// Reads the indexes of an archive all of whose files are closed.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Fields<'a> {
            #[serde(borrow)]
            url: std::borrow::Cow<'a, str>,
            digest: &'a str,
        }
        let mut known = HashSet::new();
        for number in numbers(folder, Part::Index)? {
            let content = cdxj::read_bounded(&Part::Index.path(folder, number))?;
            for line in content.unwrap_or_default().split(|byte| *byte == b'\n') {
                let mut parts = line.splitn(3, |byte| *byte == b' ').skip(1);
                let (Some(date), Some(json)) = (parts.next(), parts.next()) else { continue };
                let Ok(Fields { url, digest }) = serde_json::from_slice(json) else { continue };
                known.insert(key(&url, date, digest));
            }
        }
        Ok(Self(known))
    }

    /// Returns whether the archive holds this response.
    pub fn holds(&self, url: &Url, response: &Response<'_>) -> bool {
        self.0.contains(&key_of(url, response))
    }

    /// Notes a response that was appended.
    pub fn insert(&mut self, url: &Url, response: &Response<'_>) {
        self.0.insert(key_of(url, response));
    }
}

fn key_of(url: &Url, response: &Response<'_>) -> u128 {
    let head = http::archived_head(response.head);
    let body_start = http::head_end(&head).unwrap_or(head.len());
    let digest = warc::digest(&[&head[body_start..], response.body]);
    let digest = digest.strip_prefix("sha1:").unwrap_or(&digest);
    key(url.as_str(), response.fetched.compact().as_bytes(), digest)
}

fn key(url: &str, date: &[u8], digest: &str) -> u128 {
    let mut hasher = Sha1::new();
    for part in [url.as_bytes(), b" ", date, b" ", digest.as_bytes()] {
        hasher.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize()[..16]);
    u128::from_le_bytes(bytes)
}
