//! Answers people and programs: the search page, the JSON interface, the crawl's numbers.
//!
//! - Place in the flow: the last stage; it asks `rank` and shows what comes back.
//! - Reads and writes: nothing on disk; a socket, a searcher and a function that tells numbers.
//! - Start at: [`Listener::bind`], then [`run`]; the paths are in `routes.rs`.
//! - Promises: nothing a stranger sends or a crawled page says becomes markup, a header or a
//!   script; every connection, head, body, search and queue is bounded in size, number and time;
//!   when there is too much to do, the rest is refused at once with 503.
//! - Does not: rank, crawl, keep a log of what people search for, or ask other servers anything.
//!
//! One request goes this way:
//!
//! ```text
//! listen → crowd (a seat, or 503) → answer (its share, or 429; one Host, small body) → routes
//!   routes → page, api, mcp → params, narrow → gate (a free thread, or 503) → rank
//!   answer → full (503 at once, if the gate has no place left)
//! ```

mod admin;
mod answer;
mod api;
mod app;
mod assets;
mod copy;
mod crowd;
mod dense;
mod error;
mod extras;
mod fault;
mod feed;
mod filters;
mod full;
mod gate;
mod host;
mod known;
mod listen;
mod mcp;
mod metrics;
mod names;
mod narrow;
mod nearby;
mod openapi;
mod options;
mod origin;
mod owner;
mod page;
mod params;
mod patient;
mod picture;
mod pieces;
mod preferences;
mod problem;
mod proxy;
mod rate;
mod refusal;
mod routes;
mod secret;
mod squeeze;
mod suggest;
mod tables;
mod tongue;
mod view;
mod visit;
mod wishes;

pub use admin::{
    Bombs, ChangeView, Control, Count, Grant, Grants, GraphView, HostQuery, HostRow, HostRows,
    HostRule, HostSort, Order, Pulse, Refusal, Room, Setting, Settings, SpamView, Token,
};
pub use copy::{CopyFn, CopyForm, CopyRequest, NoCopy, PageCopy};
pub use error::Error;
pub use known::{Kept, Knowledge, StoryFn};
pub use listen::{Listener, run};
pub use options::{Limits, LinkRewrite, Options, Rate, SearchFn, State, Status, StatusFn};
pub use owner::{About, OwnerFn, OwnerPage, OwnerQuestion, OwnerReport};
pub use picture::{PictureFn, Shown};
pub use proxy::Subnet;
pub use suggest::SuggestFn;
