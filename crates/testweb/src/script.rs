//! A host that says exactly what a test wrote down.
//!
//! ```
//! use std::time::Duration;
//! use testweb::{Answer, End, Pace, Raw, Script, Web};
//!
//! let odd = Script::new("odd.lookfar")
//!     .page("/", "<a href=/cut>cut</a>")
//!     .raw("/cut", Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes!").then(End::Reset))
//!     .raw("/drip", Raw::new("HTTP/1.1 200 OK\r\n").paced(Pace::pieces(1, Duration::from_secs(10))))
//!     .answer("/busy", Answer::status(503, "text/plain", "").with_header("Retry-After", "2"))
//!     .answer("/busy", Answer::html("at last"));
//! let web = Web::new().site(odd).start()?;
//! # Ok::<(), testweb::Error>(())
//! ```

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Answer, Frames, Raw, Reply, Request, Site, Tls};

/// A scripted host: for each path and query one or more replies, given in turn.
///
/// The last reply of a path repeats. Paths without a script are 404, `/robots.txt` among them,
/// unless [`Self::otherwise`] is set.
pub struct Script {
    host: String,
    replies: HashMap<String, Turns>,
    otherwise: Option<Turns>,
    tls: Tls,
    greeting: Option<Raw>,
}

/// Replies in turn.
#[derive(Default)]
struct Turns {
    replies: Vec<Reply>,
    next: AtomicUsize,
}

impl Script {
    /// Returns a host that answers 404 to everything.
    pub fn new(host: &str) -> Self {
        Self {
            host: host.to_ascii_lowercase(),
            replies: HashMap::new(),
            otherwise: None,
            tls: Tls::default(),
            greeting: None,
        }
    }

    /// Answers a path (with its query) in good order. Said twice, the second comes next.
    #[must_use]
    pub fn answer(self, target: &str, answer: Answer) -> Self {
        self.push(target, Reply::Answer(answer))
    }

    /// Answers a path with an HTML page.
    #[must_use]
    pub fn page(self, target: &str, html: &str) -> Self {
        self.answer(target, Answer::html(html))
    }

    /// Answers a path with exactly these bytes. Said twice, the second comes next.
    #[must_use]
    pub fn raw(self, target: &str, raw: Raw) -> Self {
        self.push(target, Reply::Raw(raw))
    }

    /// Answers an HTTP/2 request for a path with exactly these frames. Said twice, the second
    /// comes next.
    #[must_use]
    pub fn frames(self, target: &str, frames: Frames) -> Self {
        self.push(target, Reply::Frames(frames))
    }

    /// Speaks TLS like this.
    #[must_use]
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = tls;
        self
    }

    /// Says this on a plain connection before it is asked anything.
    #[must_use]
    pub fn greeting(mut self, raw: Raw) -> Self {
        self.greeting = Some(raw);
        self
    }

    /// Answers every other path.
    #[must_use]
    pub fn otherwise(mut self, answer: Answer) -> Self {
        self.otherwise.get_or_insert_default().replies.push(Reply::Answer(answer));
        self
    }

    /// Answers every other path with exactly these bytes.
    #[must_use]
    pub fn otherwise_raw(mut self, raw: Raw) -> Self {
        self.otherwise.get_or_insert_default().replies.push(Reply::Raw(raw));
        self
    }

    fn push(mut self, target: &str, reply: Reply) -> Self {
        self.replies.entry(target.to_owned()).or_default().replies.push(reply);
        self
    }
}

impl Site for Script {
    fn host(&self) -> &str {
        &self.host
    }

    fn tls(&self) -> Tls {
        self.tls.clone()
    }

    fn greeting(&self) -> Option<Raw> {
        self.greeting.clone()
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        match self.reply(request) {
            Reply::Answer(answer) => answer,
            Reply::Raw(raw) => Answer::ok("application/octet-stream", raw.bytes),
            Reply::Frames(frames) => Answer::ok("application/octet-stream", frames.on(1).bytes),
        }
    }

    fn reply(&self, request: &Request<'_>) -> Reply {
        let turns = self.replies.get(request.target).or(self.otherwise.as_ref());
        let reply = turns.and_then(|turns| {
            let turn = turns.next.fetch_add(1, Ordering::Relaxed);
            turns.replies.get(turn).or(turns.replies.last()).cloned()
        });
        reply.unwrap_or_else(|| Reply::Answer(Answer::not_found()))
    }
}
