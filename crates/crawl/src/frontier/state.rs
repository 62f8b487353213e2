//! What the frontier remembers of URLs, hosts and sites.

use std::collections::BTreeMap;

use base::log::Position;
use base::{Capture, Host, PageId, Timestamp};
use serde::{Deserialize, Serialize};

use super::Place;
use super::mirror::{FirstPage, Mirror};
use super::place::Class;
use crate::Failure;

/// Everything known of one URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UrlState {
    pub(crate) standing: Standing,
    /// Links from the nearest seed.
    pub(crate) depth: u16,
    /// When it was first seen.
    pub(crate) discovered: Timestamp,
    /// The page that named it first; `None` for seeds.
    pub(crate) from: Option<PageId>,
    /// Its page id, once it has been fetched.
    pub(crate) page: Option<PageId>,
    /// Redirects followed in a row to get here.
    pub(crate) hops: u8,
    /// Tries that failed since the last success.
    pub(crate) tries: u8,
    /// What it is fetched for.
    pub(crate) role: Role,
    /// Other hosts that have said, by robots.txt or by a redirect, that this sitemap lists pages
    /// of theirs (SMP-06); a few.
    pub(crate) speaks_for: Vec<Host>,
    /// Where it waits to be fetched again; its standing is what the last answer made it.
    pub(crate) again: Option<Place>,
}

/// One of the two queues of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// URLs that have not been fetched.
    New,
    /// Pages that are fetched again (C15).
    Again,
}

impl UrlState {
    /// Returns where it waits.
    pub(crate) fn queued(&self) -> Option<(Lane, Place)> {
        match self.standing {
            Standing::Waiting { place } => Some((Lane::New, place)),
            _ => self.again.map(|place| (Lane::Again, place)),
        }
    }
}

/// What a URL is fetched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    #[default]
    Page,
    /// A sitemap that robots.txt names (level 0), or that such a one lists (level 1).
    Sitemap { level: u8 },
    /// An address that cannot exist, asked for to learn how the host says so (LNK-09).
    Probe,
}

/// Where a URL stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Standing {
    /// In its host's queue.
    Waiting { place: Place },
    /// A response is in the archive, its record in the page log.
    Fetched {
        status: u16,
        at: Timestamp,
        capture: Capture,
        record: Position,
        copy_of: Option<PageId>,
        /// Where it redirects to.
        redirect: Option<base::Url>,
    },
    /// Tried as often as allowed.
    GivenUp { failure: Failure },
    /// robots.txt forbids it.
    Forbidden,
    /// It was wanted when it was found, but no longer when its turn came.
    LeftOut { reason: String },
    /// Taken out on request (C18).
    Forgotten,
}

/// An entry of a host's queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Queued {
    pub(crate) url: base::Url,
    pub(crate) depth: u16,
    pub(crate) role: Role,
}

/// Everything known of one host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HostState {
    pub(crate) host: Host,
    /// URLs of the host that we know.
    pub(crate) known: u64,
    /// Of these, how many wait.
    pub(crate) waiting: u64,
    /// Of those that wait, how many are fetched again.
    pub(crate) again: u64,
    /// Responses of any status.
    pub(crate) responses: u64,
    /// Responses that told something new.
    pub(crate) useful: u64,
    /// Responses that were copies, empty or the same for every address.
    pub(crate) wasted: u64,
    /// Decoded bytes of all responses.
    pub(crate) bytes: u64,
    /// The best front queue that one of its URLs waits in, as far as known.
    pub(crate) best: Class,
    /// Its turn among the hosts that have waiting URLs.
    pub(crate) turn: Option<Turn>,
    /// Not visited before this moment, also after a restart.
    pub(crate) rests_until: Timestamp,
    /// Errors in a row.
    pub(crate) errors: u32,
    /// What the last error was.
    pub(crate) failure: Option<Failure>,
    /// Whether a seed lies on it.
    pub(crate) is_seed: bool,
    /// Hashes of other sites that link to it, a few.
    pub(crate) referrers: Vec<u32>,
    /// How it answers for what it does not have.
    pub(crate) soft: SoftMissing,
    /// Another host whose pages it repeats.
    pub(crate) mirror: Option<Mirror>,
    /// Sitemaps queued for it.
    pub(crate) sitemaps: u16,
    /// Some of its first pages, by which other hosts may be found to be its mirrors.
    pub(crate) first_pages: Vec<FirstPage>,
}

impl HostState {
    pub(crate) fn new(host: Host) -> Self {
        Self {
            host,
            known: 0,
            waiting: 0,
            again: 0,
            responses: 0,
            useful: 0,
            wasted: 0,
            bytes: 0,
            best: Class::LAST,
            turn: None,
            rests_until: Timestamp::default(),
            errors: 0,
            failure: None,
            is_seed: false,
            referrers: Vec::new(),
            soft: SoftMissing::Unasked,
            mirror: None,
            sitemaps: 0,
            first_pages: Vec::new(),
        }
    }
}

/// A host's turn: lower comes first. A resting host's turn is a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Turn {
    /// In a front queue, in the order of arrival.
    InLine { class: Class, order: u64 },
    /// At rest until a moment.
    Resting { until: Timestamp },
    /// Slowed as a mirror: one page is read after a moment, for which nobody waits.
    Slowed { until: Timestamp },
}

/// How a host answers for what it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SoftMissing {
    Unasked,
    /// The question is in the queue.
    Asked,
    /// It says 404, as it should.
    Honest,
    /// It says 200, with this text.
    Soft {
        text_hash: u128,
    },
}

/// What is known of a registered domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SiteState {
    pub(crate) hosts: u64,
    pub(crate) known: u64,
    pub(crate) useful: u64,
}

/// Counts over everything, and how far the page log has been applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// Everything before this position of the page log has been applied.
    pub(crate) checkpoint: Position,
    /// Fingerprint of the scope by which links were judged.
    pub(crate) scope: Option<u64>,
    /// The archive record of the last page applied.
    pub(crate) capture: Option<Capture>,
    /// Places given to URLs that no page named: seeds.
    pub(crate) seeds: u64,
    /// Turns given to hosts.
    pub(crate) turns: u64,
    /// Page ids given so far.
    pub(crate) pages: u64,
    pub(crate) known: u64,
    pub(crate) waiting: u64,
    pub(crate) hosts: u64,
    /// Responses with status 200.
    pub(crate) fetched: u64,
    /// Of these, how many repeat another page.
    pub(crate) copies: u64,
    /// Responses of any status.
    pub(crate) responses: u64,
    /// Decoded bytes of all responses.
    pub(crate) bytes: u64,
    /// Answers to the question for a page that was known already.
    pub(crate) again: u64,
    /// URLs not kept, and fetches that failed, by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
    /// Hosts that wait as mirrors or suspected ones.
    pub(crate) suspects: u64,
}
