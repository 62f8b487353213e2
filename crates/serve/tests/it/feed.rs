//! Results for feed readers, and the description that browsers read.

use crate::client::get;
use crate::server::{Server, hit};

#[test]
fn a_browser_is_told_where_to_ask() {
    let server = Server::with_hits(Vec::new());
    let told = get(server.address, "/opensearch.xml");
    assert_eq!(told.status, 200);
    assert!(
        told.header("content-type").unwrap().starts_with("application/opensearchdescription+xml")
    );
    let base = "http://a";
    assert!(told.body.contains(&format!("template=\"{base}/search?q={{searchTerms}}\"")));
    let start = get(server.address, "/").body;
    assert!(start.contains("rel=\"search\""), "{start}");
}

#[test]
fn web_01_results_are_a_feed_in_which_nothing_of_others_is_markup() {
    let title = "</title><script>alert(1)</script>]]>&amp;\u{0}\u{b}";
    let evil = hit("http://a.example/?a=1&b=<2>", title, "<b>bold</b>");
    let server = Server::with_hits(vec![evil]);
    let feed = get(server.address, "/search.rss?q=%3Cb%3E%26%22");
    assert_eq!(feed.status, 200);
    assert!(feed.header("content-type").unwrap().starts_with("application/rss+xml"));
    let text = feed.body;
    assert!(
        !text.contains("<script") && !text.contains("<b>") && !text.contains('\u{0}'),
        "{text}"
    );
    // Well formed: every tag that begins is one of ours and ends.
    for tag in ["rss", "channel", "title", "link", "item", "guid", "description"] {
        let begun =
            text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
        assert_eq!(begun, text.matches(&format!("</{tag}>")).count(), "{tag}: {text}");
    }
    assert_eq!(get(server.address, "/search.rss").status, 400);
}
