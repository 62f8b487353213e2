//! The real searcher behind the server.

use std::sync::Arc;

use base::Collection;
use rank::Searcher;
use serve::{Options, State, Status};

use crate::client::get;
use crate::server::Server;

#[test]
fn a_collection_that_is_still_empty_can_be_served() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    let searcher = Arc::new(Searcher::open(&collection).unwrap());
    let state = State::new(searcher, Arc::new(Status::default), Options::default());
    let server = Server::start(state);
    let reply = get(server.address, "/search?q=big+cat");
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.body.contains("Nothing found for"));
    assert!(reply.body.contains("Nothing has been crawled yet"));
    let found = get(server.address, "/api/v1/search?q=big+cat").json();
    assert_eq!((found["total"].as_u64(), found["understood"].as_str()), (Some(0), Some("big cat")));
}
