//! What the control room asks of whoever runs the crawl, and in which words.
//!
//! Everything is plain data: `serve` knows no crawl, and whoever answers knows no HTTP. Texts go
//! to the page as they are, where they are escaped.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// Answers the control room. Every call may block its thread.
pub trait Room: Send + Sync {
    /// Tells the numbers now; asked every two seconds.
    fn pulse(&self) -> Pulse;
    /// Lists hosts.
    fn hosts(&self, query: &HostQuery) -> Result<HostRows, Refusal>;
    /// Tells about one host; `None` if nothing is known of it and nothing holds for it.
    fn host(&self, name: &str) -> Result<Option<HostRow>, Refusal>;
    /// Carries out an order; says what was done, in a sentence.
    fn carry_out(&self, order: &Order) -> Result<String, Refusal>;
    /// Tells everything known of one URL, in lines of what and how.
    fn story(&self, url: &str) -> Result<Vec<(String, String)>, Refusal>;
    /// Tells what can be changed, and how it stands.
    fn settings(&self) -> Result<Settings, Refusal>;
    /// Tells what links look like; begins to find out if that is not known yet.
    fn graph(&self) -> Result<GraphView, Refusal>;
    /// Tells how far index and link analysis are, in lines of what and how.
    fn stages(&self) -> Result<Vec<(String, String)>, Refusal>;
    /// Tells the end of the log of grants, and whether it is kept.
    fn grants(&self) -> Grants;
    /// Returns the last lines that this process has logged, the newest last.
    fn log(&self) -> Vec<String>;
}

/// Why something was not done or cannot be told, in a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl<E: fmt::Display> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(format!("{error:#}"))
    }
}

/// A control room and who may enter it.
#[derive(Clone)]
pub struct Control {
    /// Who answers.
    pub room: Arc<dyn Room>,
    /// What opens it to others than this machine; with one, this machine needs it too.
    pub token: Option<Token>,
}

/// A secret that never shows itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Shortest token, in bytes: drawn at random, nobody can guess it, however many tries a second are
    /// answered. Wrong ones are answered slowly all the same, since people choose tokens themselves.
    pub const SHORTEST: usize = 16;

    /// Returns `None` for a text that is too short or has blanks or control characters in it.
    pub fn new(text: &str) -> Option<Self> {
        let is_good = |c: char| c.is_ascii_graphic();
        let is_long = text.len() >= Self::SHORTEST && text.len() <= 1_024;
        (is_long && text.chars().all(is_good)).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}

/// The numbers of one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pulse {
    /// Whether a crawl runs.
    pub is_crawling: bool,
    /// Whether it was told to pause.
    pub is_paused: bool,
    /// What it waits for, in a sentence.
    pub waits_for: Option<String>,
    /// Pages fetched.
    pub pages: u64,
    /// Pages fetched per second, lately.
    pub pages_per_second: f64,
    /// Responses of any status.
    pub responses: u64,
    /// Answers to the question for a page that was known already.
    pub again: u64,
    /// Pages that repeat others.
    pub copies: u64,
    /// Decoded bytes of all responses.
    pub bytes: u64,
    /// URLs known.
    pub urls: u64,
    /// URLs that wait.
    pub waiting: u64,
    /// URLs that wait, by front queue.
    pub queues: Vec<u64>,
    /// Hosts known.
    pub hosts: u64,
    /// Hosts in rotation.
    pub hosts_active: u64,
    /// Of these, how many could be visited now.
    pub hosts_ready: u64,
    /// Hosts that rest, in rotation or in the store.
    pub hosts_resting: u64,
    /// Requests under way.
    pub in_flight: u64,
    /// Fetches that failed.
    pub errors: u64,
    /// URLs left out and fetches that failed, by every reason there is.
    pub left_out: Vec<Count>,
    /// Pages that are due to be fetched again.
    pub overdue: u64,
    /// Bytes of the process in memory.
    pub memory: u64,
    /// Bytes that are free on the disk.
    pub disk_free: u64,
    /// Its size.
    pub disk_size: u64,
    /// Bytes of the collection.
    pub collection: u64,
    /// Pages that can be found.
    pub indexed: u64,
    /// Link analysis in use.
    pub generation: u64,
    /// Download attempts by what came of them.
    pub outcomes: Vec<Count>,
    /// Pages by what they are.
    pub kinds: Vec<Count>,
    /// Documents by size.
    pub sizes: Vec<Count>,
    /// URLs left out, and fetches that failed, by reason.
    pub reasons: Vec<Count>,
}

impl Pulse {
    /// Returns the share of pages that are not due to be fetched again, in percent.
    pub(crate) fn percent_fresh(&self) -> f64 {
        match self.pages {
            0 => 100.0,
            pages => 100.0 * (1.0 - self.overdue.min(pages) as f64 / pages as f64),
        }
    }
}

/// How many of something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Of what.
    pub name: String,
    /// How many.
    pub count: u64,
}

/// Which hosts are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostQuery {
    /// A part of the name; empty for all.
    pub find: String,
    /// What they are sorted by.
    pub sort: HostSort,
    /// Hosts passed over.
    pub skip: usize,
    /// Hosts wanted.
    pub limit: usize,
}

/// What hosts are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostSort {
    /// URLs that wait, most first.
    #[default]
    Waiting,
    /// Responses, most first.
    Fetched,
    /// Errors in a row, most first.
    Errors,
    /// Bytes, most first.
    Bytes,
    /// Those with a rule of their own first.
    Rules,
    /// The name.
    Name,
}

impl HostSort {
    /// All of them with their names in addresses and for people.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Waiting, "waiting", "most waiting"),
        (Self::Fetched, "fetched", "most fetched"),
        (Self::Errors, "errors", "most errors"),
        (Self::Bytes, "bytes", "most bytes"),
        (Self::Rules, "rules", "with rules of their own"),
        (Self::Name, "name", "name"),
    ];
}

/// Some hosts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostRows {
    /// The rows.
    pub rows: Vec<HostRow>,
    /// Hosts found in all.
    pub total: u64,
    /// Whether there are more hosts than were looked at.
    pub is_cut: bool,
}

/// One host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostRow {
    /// Its name.
    pub name: String,
    /// What it does now, in a few words.
    pub state: String,
    /// URLs known.
    pub known: u64,
    /// URLs that wait.
    pub waiting: u64,
    /// Responses.
    pub fetched: u64,
    /// Bytes.
    pub bytes: u64,
    /// Errors in a row.
    pub errors: u32,
    /// What the last one was.
    pub failure: Option<String>,
    /// What a person has decided about it.
    pub rule: HostRule,
}

/// What a person has decided about a host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostRule {
    /// No requests.
    pub is_paused: bool,
    /// Nothing of it is fetched or noted any more.
    pub is_blocked: bool,
    /// Shortest rest between two requests, in seconds.
    pub delay: Option<f64>,
    /// Most responses.
    pub pages: Option<u64>,
}

impl HostRow {
    /// Says in a few words what a person has decided.
    pub(crate) fn rules(&self) -> String {
        let HostRule { is_paused, is_blocked, delay, pages } = &self.rule;
        let words = [
            is_paused.then(|| "paused".to_owned()),
            is_blocked.then(|| "blocked".to_owned()),
            delay.map(|seconds| format!("{seconds} s")),
            pages.map(|pages| format!("{pages} responses")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What can be ordered.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// No new requests.
    Pause,
    /// Requests again.
    Resume,
    /// Something holds for one host.
    Host {
        /// Its name.
        name: String,
        /// What holds.
        rule: HostRule,
    },
    /// A URL, a host or a pattern is taken out of everything and kept out.
    Forget {
        /// What.
        target: String,
    },
    /// Pages to begin at.
    Seeds {
        /// Their addresses, as people type them.
        urls: Vec<String>,
    },
    /// A page to begin at no longer.
    Unseed {
        /// Its address, as [`Settings::seeds`] has it.
        url: String,
    },
    /// Requests that go out are noted in the log of grants, or no longer.
    Grants {
        /// Whether.
        is_on: bool,
    },
    /// Keys of the configuration, with their values as they stand there; empty for the default.
    Set {
        /// Key and value.
        changes: Vec<(String, String)>,
    },
}

/// What can be changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Pages that the crawl begins at.
    pub seeds: Vec<String>,
    /// Keys of the configuration.
    pub keys: Vec<Setting>,
}

/// A key of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// `crawl.scope`
    pub key: String,
    /// What stands in the file; empty for the default.
    pub value: String,
    /// What holds if nothing stands there.
    pub default: String,
    /// What it means.
    pub meaning: String,
}

impl Setting {
    /// Returns whether it is either on or off.
    pub(crate) fn is_switch(&self) -> bool {
        ["true", "false"].contains(&self.default.as_str())
    }
}

/// What links look like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphView {
    /// Of which generation this is; `None` if nothing is known yet.
    pub generation: Option<u64>,
    /// Whether a newer picture is being made.
    pub is_working: bool,
    /// What went wrong with that, if something did.
    pub trouble: Option<String>,
    /// The shape of the web, as SVG.
    pub bow_tie: Option<Arc<str>>,
    /// How many pages have how many links, as SVG.
    pub degrees: Option<Arc<str>>,
    /// How much of all rank the crawl had gathered after how many pages, as SVG.
    pub gathered: Option<Arc<str>>,
    /// Parts of the bow-tie: name, pages, share in percent.
    pub parts: Vec<(String, u64, f64)>,
    /// The best pages: address and share of all rank in percent.
    pub top: Vec<(String, f64)>,
    /// Topics, each with its best pages.
    pub topics: Vec<(String, Vec<String>)>,
    /// What looks made to raise a rank: headline and reasons.
    pub spam: Vec<SpamView>,
    /// Phrases that a page was given and never says.
    pub bombs: Bombs,
    /// Whose place would change without those links.
    pub changes: Vec<ChangeView>,
}

/// One finding of link spam.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpamView {
    /// What it is and how certain.
    pub headline: String,
    /// Why.
    pub reasons: Vec<String>,
    /// Some of the pages.
    pub pages: Vec<String>,
}

/// Bombs, as far as they were looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bombs {
    /// Those that were found.
    pub found: Vec<SpamView>,
    /// Why they were not looked for, if so.
    pub trouble: Option<String>,
}

/// One page whose place would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeView {
    /// Its address.
    pub url: String,
    /// Place with those links.
    pub before: u64,
    /// Place without.
    pub after: u64,
}

/// The log of grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Whether it is kept, by the crawl that runs or by the next one.
    pub is_on: bool,
    /// Whether a crawl runs, and says so.
    pub is_crawling: bool,
    /// Its last lines, the newest first.
    pub last: Vec<Grant>,
}

/// One permit to send a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// When, as people read it.
    pub at: String,
    /// To which host.
    pub host: String,
    /// At which address.
    pub address: String,
    /// The shortest rest that follows, in seconds.
    pub rest: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_28_a_token_does_not_show_itself_and_is_long_enough() {
        let token = Token::new("0123456789abcdef").unwrap();
        assert_eq!(format!("{token:?}"), "Token(…)");
        for bad in ["", "short", "0123456789 abcdef", "0123456789abcdef\n"] {
            assert_eq!(Token::new(bad), None, "{bad:?}");
        }
    }
}
