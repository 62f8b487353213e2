//! Walks the web politely and keeps what it finds: frontier, permits, robots, fetching.
//!
//! - Place in the flow: first stage; seeds in, archive and page records out, links back in.
//! - Reads and writes: `frontier/`; appends to `archive/` and `pages/`.
//! - Start at: [`Crawler::open`] and [`Crawler::run`].
//! - Promises: no request without a permit for its host and address; nothing that robots.txt
//!   forbids; a page is done when its archive record is durable, its page record is appended and
//!   its links are in the frontier, in that order, so a crash repeats work and loses none.
//! - Does not: index, rank or serve; read configuration or the time of day.

mod address;
#[doc(hidden)]
pub mod bench;
mod clock;
mod committer;
mod crawler;
mod dns;
mod failure;
mod fetch;
mod forget;
mod frontier;
mod grants;
mod guard;
mod handle;
mod heap;
mod host_rules;
mod hosts;
mod import;
mod importance;
mod learn;
mod options;
mod outside;
mod owner;
mod picture;
mod politeness;
mod priority;
mod readers;
mod reading;
mod referrers;
mod reopen;
mod repair;
mod reparse;
mod robots;
mod rules;
mod scheduler;
mod scope;
mod stats;
mod story;
mod visit;

use base::pages;
use thiserror::Error;

pub use clock::steady_clock;
pub use crawler::{Crawler, Ending, Summary, check, reachable_seeds, stored_snapshot};
pub use failure::Failure;
pub use forget::{
    BadTarget, BlockError, BlockList, Blocked, Forgetting, Forgotten, Step as ForgetStep, Target,
};
pub use frontier::{Census, FrontierError};
pub use guard::Hold;
pub use handle::{Gauges, Handle, Orders};
pub use host_rules::{BadRule, HostRule, HostRules, HostRulesError};
pub use hosts::{HostOrder, HostQuery, HostRow, HostRows};
pub use import::{Event as ImportEvent, Import, ImportOptions, Imported};
pub use options::{
    Addresses, AgainOptions, Agent, Clock, Dial, DiskFloor, DnsOptions, FetchOptions, Options,
    PolitenessOptions, RobotsChain, Strategy,
};
pub use owner::{OwnerPage, OwnerReport, OwnerRobots};
pub use picture::{NoPicture, Picture, PictureKind};
pub use reading::decoded_body;
pub use referrers::Referrers;
pub use repair::{Repaired, repair};
pub use reparse::{Reparsed, reparse};
pub use rules::{PriorityRule, PriorityRules};
pub use scope::{
    BadDomain, BadPattern, BadType, Country, FileKind, HostCounts, LeftOut, Limit, Names, NewScope,
    Pattern, Reach, Scope, Types, Used,
};
pub use stats::{Snapshot, Stats};
pub use story::{
    Discovery, Doubt, Doubts, Fate, HiddenText, HostStory, Judgement, LessonStory, Moment,
    ResponseStory, RobotsStory, Story, VisitsStory,
};

/// What stops a crawl. What single pages do is data, not an error.
#[derive(Debug, Error)]
pub enum Error {
    /// The frontier's store.
    #[error("cannot use the frontier")]
    Frontier(#[from] FrontierError),
    /// The archive.
    #[error("cannot use the archive")]
    Archive(#[from] archive::Error),
    /// The page log.
    #[error("cannot use the page log")]
    Pages(#[from] pages::Error),
    /// The resolver could not be set up.
    #[error("cannot set up the DNS resolver")]
    Resolver {
        /// Why not.
        #[source]
        source: hickory_resolver::net::NetError,
    },
    /// The system names no servers to ask, and neither does the configuration.
    #[error("cannot find a name server in `{}`; name one with `crawl.dns_servers`", path.display())]
    NameServers {
        /// The file that should name them.
        path: std::path::PathBuf,
        /// Why it cannot be read, if it cannot.
        #[source]
        source: Option<std::io::Error>,
    },
    /// The name in the User-Agent is not one that robots.txt files can name (R06).
    #[error("the agent's name `{0}` may have only letters, `_` and `-`")]
    BadToken(String),
    /// A line break or another control character in what we say about ourselves.
    #[error("the User-Agent `{0}` cannot be sent")]
    BadAgent(String),
    /// A certificate that is to be trusted cannot be read.
    #[error("cannot use an additional root certificate")]
    Root {
        /// Why not.
        #[source]
        source: rustls::Error,
    },
    /// The log of grants cannot be written.
    #[error("cannot write the log of grants `{}`", path.display())]
    Grants {
        /// The file.
        path: std::path::PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// A folder that is to be made again could not be removed.
    #[error("cannot remove `{}`", path.display())]
    Remove {
        /// The folder.
        path: std::path::PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The page log tells of responses that the archive does not hold.
    #[error(
        "the page log tells of responses that `{}` does not hold: is its disk there? If this is a \
         copy, run `lookfar check --repair`",
        path.display()
    )]
    ShortArchive {
        /// The archive.
        path: std::path::PathBuf,
    },
    /// There is nothing to make anything from.
    #[error("the archive `{}` is empty: is its disk there? Nothing was changed", path.display())]
    NoArchive {
        /// The archive.
        path: std::path::PathBuf,
    },
    /// A folder of the collection.
    #[error("cannot {action} `{}`", path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// On which folder.
        path: std::path::PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The stores are closed until the disk has room; the crawl waits for it.
    #[error("the crawl waits until its files can be written")]
    Closed,
    /// The list of what is kept out.
    #[error("cannot use the block list")]
    Blocked(#[from] BlockError),
    /// What was decided about single hosts.
    #[error("cannot use the rules for single hosts")]
    HostRules(#[from] HostRulesError),
    /// A text that is no URL we could fetch.
    #[error("`{text}` is no URL that can be crawled")]
    NotAUrl {
        /// The text.
        text: String,
        /// What is wrong with it.
        #[source]
        source: base::BadUrl,
    },
    /// A part of the crawler died.
    #[error("the {0} stopped unexpectedly")]
    Died(&'static str),
}
