//! What the caller brings: a searcher, the crawl's numbers, and how to serve.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use rank::{Clock, Request, Results, Searcher};
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::Control;
use crate::copy::CopyFn;
use crate::known::{Knowledge, StoryFn};
use crate::owner::About;
use crate::picture::PictureFn;
use crate::proxy::Subnet;
use crate::suggest::SuggestFn;

/// Tells how the crawl is going right now; called for every page shown, so it must be quick.
pub type StatusFn = Arc<dyn Fn() -> Status + Send + Sync>;

/// Answers one query; blocks its thread while it does.
pub type SearchFn = Arc<dyn Fn(&Request<'_>) -> Result<Results, rank::Error> + Send + Sync>;

/// Everything the server needs.
#[derive(Clone)]
pub struct State {
    /// Who answers queries: a function, because it need not be one searcher on this machine.
    pub search: SearchFn,
    /// Who tells the numbers.
    pub status: StatusFn,
    /// How to serve.
    pub options: Options,
    /// Who hands out copies of pages; nobody if there is no archive at hand.
    pub copies: Option<CopyFn>,
    /// Who answers what else can be asked of a collection.
    pub knowledge: Option<Arc<dyn Knowledge>>,
    /// Who makes suggestions.
    pub suggest: Option<SuggestFn>,
    /// Who tells what the crawl knows of an address.
    pub story: Option<StoryFn>,
    /// The control room; closed if there is none.
    pub control: Option<Control>,
    /// What site owners are told; nothing if nobody crawls.
    pub owners: Option<About>,
    /// Who fetches pictures of results; without one they are named and not shown.
    pub pictures: Option<PictureFn>,
}

impl State {
    /// Serves what a searcher finds, knows and suggests.
    pub fn new(searcher: Arc<Searcher>, status: StatusFn, options: Options) -> Self {
        let knowledge: Arc<dyn Knowledge> = searcher.clone();
        let suggester = searcher.clone();
        let suggest = move |typed: &str, most: usize| suggester.suggest(typed, most);
        let search = Arc::new(move |request: &Request<'_>| searcher.search(request));
        let state = Self::of(search, status, options).with_knowledge(knowledge);
        state.with_suggestions(Arc::new(suggest))
    }

    /// Serves what a function finds, and nothing else.
    pub fn of(search: SearchFn, status: StatusFn, options: Options) -> Self {
        Self {
            search,
            status,
            options,
            copies: None,
            knowledge: None,
            suggest: None,
            story: None,
            control: None,
            owners: None,
            pictures: None,
        }
    }

    /// Answers what else can be asked of a collection.
    pub fn with_knowledge(self, knowledge: Arc<dyn Knowledge>) -> Self {
        Self { knowledge: Some(knowledge), ..self }
    }

    /// Makes suggestions.
    pub fn with_suggestions(self, suggest: SuggestFn) -> Self {
        Self { suggest: Some(suggest), ..self }
    }

    /// Tells whoever may enter the control room what the crawl knows of an address.
    pub fn with_story(self, story: StoryFn) -> Self {
        Self { story: Some(story), ..self }
    }

    /// Shows copies of pages too.
    pub fn with_copies(self, copies: CopyFn) -> Self {
        Self { copies: Some(copies), ..self }
    }

    /// Opens a control room.
    pub fn with_control(self, control: Control) -> Self {
        Self { control: Some(control), ..self }
    }

    /// Tells site owners who we are and what we know of their hosts.
    pub fn with_owners(self, owners: About) -> Self {
        Self { owners: Some(owners), ..self }
    }

    /// Shows pictures of results, fetched by somebody who may.
    pub fn with_pictures(self, pictures: PictureFn) -> Self {
        Self { pictures: Some(pictures), ..self }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("State").field("options", &self.options).finish_non_exhaustive()
    }
}

/// How the crawl is going, in plain numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Status {
    /// Pages fetched so far.
    pub pages: u64,
    /// Pages fetched per second, lately.
    pub pages_per_second: f64,
    /// URLs waiting to be fetched.
    pub queue: u64,
    /// Hosts known.
    pub hosts: u64,
    /// Pages that can be found.
    pub indexed: u64,
    /// Generation of the link scores in use; 0 before the first.
    pub generation: u64,
    /// Whether a crawl runs in this process.
    pub is_crawling: bool,
}

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Name shown on the page. Default `Lookfar`.
    pub title: String,
    /// Address under which people reach the page, such as `https://find.example`; without one, that
    /// by which a request came, if it is one that no stranger can own.
    pub url: Option<String>,
    /// Queries offered on the start page, for people who do not know yet what is in here.
    pub examples: Vec<String>,
    /// Hosts whose results are linked under another name; the first that fits is used.
    pub link_rewrites: Vec<LinkRewrite>,
    /// Whether a proxy on this machine is believed for whom it asks, so that each of its visitors has
    /// an address of its own. Default false: anybody on this machine could say anything.
    pub trust_forwarded: bool,
    /// Proxies on other machines that are believed in the same way. Default none.
    pub trusted_proxies: Vec<Subnet>,
    /// What strangers may cost.
    pub limits: Limits,
    /// Tells the time, for filters such as the past week. Default 1970: all of them.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            title: "Lookfar".to_owned(),
            url: None,
            examples: Vec::new(),
            link_rewrites: Vec::new(),
            trust_forwarded: false,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            clock: Timestamp::default,
        }
    }
}

/// Links results of `name.lookfar` as `name.localhost:7780`.
///
/// A crawl made under names that only the crawler can resolve is linked under names that the
/// reader's browser can. The address shown stays the crawled one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRewrite {
    /// End of the host name to replace, beginning with a dot: `.lookfar`.
    pub suffix: String,
    /// What stands there instead, with a port if one is needed: `.localhost:7780`.
    pub replacement: String,
}

/// How often one address may ask; a search counts as [`Rate::SEARCH`] requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second, on average. Default 50, which is ten searches: more than a household
    /// makes by typing, far less than a core answers. 0 for no limit.
    pub per_second: u32,
    /// Requests at once, after a pause. Default 100, which is twenty searches, or a page of pictures
    /// and a few of results: what somebody opens in one go.
    pub burst: u32,
}

impl Rate {
    /// How many requests a search counts as: it costs far more than a style or a suggestion.
    pub const SEARCH: u32 = 5;
}

impl Default for Rate {
    fn default() -> Self {
        Self { per_second: 50, burst: 20 * Self::SEARCH }
    }
}

/// What strangers may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once. Default 1,024: the usual limit of open files. When all are
    /// taken, the one that has been waiting longest for a request to arrive gives way.
    pub connections: usize,
    /// Connections of one address open at once, this machine's own apart. Default 256: a quarter.
    pub connections_per_address: usize,
    /// How often one address may ask, this machine's own apart.
    pub rate: Rate,
    /// Longest wait for the complete head of a request, the first and any later one of a
    /// connection. Default 10 s.
    pub head: Duration,
    /// Longest wait for the body of a request. Default 10 s.
    pub body: Duration,
    /// Largest body of a request in bytes. Default 64 KiB.
    pub body_bytes: usize,
    /// Longest wait for a reader who takes nothing. Default 30 s.
    pub stall: Duration,
    /// Bytes a second that a reader must take to be waited for beyond that. Default 4,096: the
    /// slowest telephones bring as much, and a page of results has some 30,000.
    pub least_rate: u32,
    /// Searches running at once. Default: the number of cores; more would only slow each other.
    pub searches: usize,
    /// Searches waiting for their turn; the next one is told to come back. Default 64: about
    /// as many as are answered before the first of them gives up.
    pub waiting_searches: usize,
    /// Longest wait for an answer, the waiting for a turn included. Default 3 s: the deadline
    /// of a search is 1 s, and it is only looked at between two steps.
    pub search: Duration,
    /// Longest wait for open requests when the server is told to stop. Default 3 s.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            connections_per_address: 256,
            rate: Rate::default(),
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            body_bytes: 64 * 1024,
            stall: Duration::from_secs(30),
            least_rate: 4_096,
            searches: std::thread::available_parallelism().map_or(2, usize::from),
            waiting_searches: 64,
            search: Duration::from_secs(3),
            farewell: Duration::from_secs(3),
        }
    }
}
