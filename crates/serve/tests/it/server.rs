//! Servers on loopback: over a function the test gives, or over a collection it writes.

use std::net::SocketAddr;
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::{PageId, Timestamp, Url};
use rank::{Hit, Part, Query, Request, Results, Segment, Snippet, Total};
use serve::{Limits, Listener, Options, State, Status};
use tokio::sync::oneshot;

/// A running server; it ends when this is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server.
    pub(crate) fn start(state: State) -> Self {
        let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.address().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.unwrap().block_on(async {
                let stopped = async { drop(stopped.await) };
                serve::run(listener, state, stopped).await.unwrap();
            });
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Starts a server whose every answer holds these hits.
    pub(crate) fn with_hits(hits: Vec<Hit>) -> Self {
        let search = move |request: &Request<'_>| found(request, &hits);
        Self::start(state(search, Options::default()))
    }

    /// Starts a server that finds nothing, under these limits.
    pub(crate) fn with_limits(limits: Limits) -> Self {
        let search = |request: &Request<'_>| found(request, &[]);
        Self::start(state(search, Options { limits, ..Options::default() }))
    }

    /// Tells the server to stop and waits until it has.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap();
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}

/// Starts a server whose searches wait at a gate twice: when they begin, and before they answer.
pub(crate) fn gated(limits: Limits) -> (Server, Arc<Barrier>) {
    let gate = Arc::new(Barrier::new(2));
    let search = {
        let gate = gate.clone();
        move |request: &Request<'_>| {
            gate.wait();
            gate.wait();
            found(request, &[])
        }
    };
    (Server::start(state(search, Options { limits, ..Options::default() })), gate)
}

/// Waits until something has come true; nothing here takes nearly as long as is waited.
#[track_caller]
pub(crate) fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Puts a search function into a state with a crawl that is running.
pub(crate) fn state(
    search: impl Fn(&Request<'_>) -> Result<Results, rank::Error> + Send + Sync + 'static,
    options: Options,
) -> State {
    let status = Status {
        pages: 1_310,
        pages_per_second: 12.3,
        queue: 400,
        hosts: 60,
        indexed: 1_204,
        generation: 2,
        is_crawling: true,
    };
    State::of(Arc::new(search), Arc::new(move || status), options)
}

/// Answers like a searcher that holds these hits, for any query.
pub(crate) fn found(request: &Request<'_>, hits: &[Hit]) -> Result<Results, rank::Error> {
    Ok(Results {
        total: Total { count: hits.len() as u64, is_exact: true },
        hits: hits.iter().skip(request.offset).take(request.count).cloned().collect(),
        took: Duration::from_micros(3_400),
        made_of: Query::parse(request.query)?.to_string(),
        notes: Vec::new(),
        is_partial: false,
        listed: Some(hits.len()),
        ..Results::default()
    })
}

/// Makes a hit; words between stars are marked in the snippet.
pub(crate) fn hit(url: &str, title: &str, snippet: &str) -> Hit {
    let segment = |(i, text): (usize, &str)| Segment {
        text: text.to_owned(),
        is_marked: !i.is_multiple_of(2),
    };
    Hit {
        page: PageId::new(0, 0),
        url: Url::parse(url).unwrap(),
        title: title.to_owned(),
        snippet: Snippet { segments: snippet.split('*').enumerate().map(segment).collect() },
        score: 1.5,
        parts: vec![Part { name: "text", value: 1.5, raw: 1.5, weight: 1.0 }],
        fetched: Some(Timestamp::from_millis(1_763_285_400_000)),
        language: Some("en".to_owned()),
        date: None,
        has_copy: true,
        similar: 0,
        held_back: 0,
        described_by: None,
        reasons: Vec::new(),
        site: Url::parse(url).unwrap().site().as_str().to_owned(),
        remarks: Vec::new(),
    }
}
