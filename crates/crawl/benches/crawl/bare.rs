//! The least that fetching costs: hyper, one connection per host, bodies read and forgotten.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, Mutex};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::job::{Fetched, Job, Part};

/// Fetches every page once, as many hosts at a time as the job says.
pub(crate) async fn fetch(job: Job, pages: BTreeMap<String, Vec<String>>) -> Fetched {
    let hosts = Arc::new(Mutex::new(pages.into_iter()));
    let mut fetchers = JoinSet::new();
    for _ in 0..job.concurrency {
        let hosts = hosts.clone();
        fetchers.spawn(async move {
            let mut fetched = (0, 0);
            loop {
                let next = hosts.lock().unwrap().next();
                let Some((host, paths)) = next else { return fetched };
                let bytes = fetch_host(job, &host, &paths).await;
                fetched = (fetched.0 + paths.len() as u64, fetched.1 + bytes);
            }
        });
    }
    let all = fetchers.join_all().await;
    let (pages, bytes) = all.into_iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    Fetched { pages, bytes, idle_share: 0.0 }
}

async fn fetch_host(job: Job, host: &str, paths: &[String]) -> u64 {
    // The server tells hosts apart by the name that they are asked by.
    let socket = TcpStream::connect(("127.0.0.1", job.http_port)).await.unwrap();
    socket.set_nodelay(true).unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut bytes = 0;
    for path in paths {
        let request = Request::get(path).header("Host", host).body(Empty::<Bytes>::new()).unwrap();
        sender.ready().await.unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200, "{host}{path}");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        bytes += body.len() as u64;
        if matches!(job.part, Part::Tokenise) {
            black_box(num_tokens(&body));
        }
    }
    drop(sender);
    connection.await.unwrap().unwrap();
    bytes
}

fn num_tokens(body: &[u8]) -> u64 {
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(&String::from_utf8_lossy(body)));
    let tokenizer = Tokenizer::new(Counter::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.get()
}

#[derive(Default)]
struct Counter(Cell<u64>);

impl TokenSink for Counter {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        black_box(token);
        self.0.set(self.0.get() + 1);
        TokenSinkResult::Continue
    }
}
