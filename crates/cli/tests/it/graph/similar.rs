//! `lookfar graph similar`: the cosines by hand, and the evidence.

use std::fs;

use super::{lines, on_arcs, refuse, says};
use crate::run::{expect, output, text};

/// A hub links to A and B; A and B link to T; C shares only T, which is linked by three then.
const WEB: &str = "hub\tA\nhub\tB\nA\tT\nB\tT\nC\tT\nlone\n";

#[test]
fn pages_cited_together_or_citing_the_same_are_alike() {
    let output = on_arcs(WEB, "similar", &["A", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    let names: Vec<&str> = found.iter().map(|line| line["node"].as_str().unwrap()).collect();
    assert_eq!(names, ["B", "C"]);
    let number = |line: &serde_json::Value, key: &str| line[key].as_f64().unwrap();
    // One citer of two links, one target of three: 1/log2 3 and 1/log2 4, over the root of 1, and
    // half of it for being but one.
    let (cocitation, coupling) = (0.5 / 3.0f64.log2(), 0.25);
    assert!((number(&found[0], "cocitation") - cocitation).abs() < 1e-12, "{found:?}");
    assert!((number(&found[0], "coupling") - coupling).abs() < 1e-12, "{found:?}");
    let both = 1.0 - (1.0 - cocitation) * (1.0 - coupling);
    assert!((number(&found[0], "score") - both).abs() < 1e-12, "{found:?}");
    assert!((number(&found[1], "score") - coupling).abs() < 1e-12, "{found:?}");
    assert_eq!(found[0]["linked_by"], serde_json::json!(["hub"]));
    assert_eq!(found[1]["link_to"], serde_json::json!(["T"]));
    let shown = text(&on_arcs(WEB, "similar", &["A"]).stdout);
    let why = "    1  cited together by 1 site\n    1  links to the same page\n       \
               both are linked by hub\n       both link to T\n";
    assert!(shown.contains(why), "{shown}");
    let reasons = ["cited together by 1 site", "links to the same page"];
    assert_eq!(found[0]["reasons"], serde_json::json!(reasons));
    assert_eq!(found[0].get("text"), None, "a graph file has no texts");
    assert_eq!(lines(&on_arcs(WEB, "similar", &["A", "--json", "--top", "1"])).len(), 1);
}

#[test]
fn a_page_without_links_is_like_none_and_an_unknown_one_is_an_error() {
    says(&on_arcs(WEB, "similar", &["lone"]), 1, "there is nothing to show");
    refuse(WEB, "similar", &["nobody"], "the graph has no node `nobody`");
    says(&on_arcs(WEB, "similar", &[]), 2, "<URL|NAME>");
}

/// Two lists of different owners that name two zoos, and a zoo's second host.
const HOSTS: &str = "http://l.test/1\thttp://a.zoo/x\nhttp://l.test/2\thttp://b.zoo/y\n\
                     http://m.test/\thttp://a.zoo/z\nhttp://m.test/\thttp://b.zoo/\n\
                     http://a.zoo/x\thttp://a.zoo/z\nhttp://n.test/\thttp://m.test/\n";

#[test]
fn hosts_are_alike_by_the_links_of_their_pages() {
    for node in ["a.zoo", "http://a.zoo/x"] {
        let found = lines(&on_arcs(HOSTS, "similar", &[node, "--hosts", "--json"]));
        let names: Vec<&str> = found.iter().map(|line| line["node"].as_str().unwrap()).collect();
        assert_eq!(names, ["b.zoo"], "{node}");
        assert_eq!(found[0]["linked_by"], serde_json::json!(["l.test", "m.test"]));
        assert_eq!(found[0]["reasons"], serde_json::json!(["cited together by 2 sites"]));
    }
    says(&on_arcs(HOSTS, "similar", &["http://l.test/1"]), 1, "there is nothing to show");
    refuse(HOSTS, "similar", &["c.zoo", "--hosts"], "the graph has no node `c.zoo`");
}

#[test]
fn a_collection_says_who_is_like_a_page_by_links_and_words_on_both_ways_to_ask() {
    let folder = tempfile::tempdir().unwrap();
    let (site, dir) = (folder.path().join("site"), folder.path().join("c"));
    fs::create_dir(&site).unwrap();
    for (name, body) in [
        ("cat", "jaguar rainforest river ambush"),
        ("cub", "paw milk sleep whiskers <a href=gone.html>gone</a>"),
        ("words", "a jaguar of the rainforest river"),
        ("stock", "shares prices market"),
        ("list", "<a href=cat.html>1</a> <a href=cub.html>2</a> <a href=gone.html>3</a>"),
    ] {
        let page = format!("<html lang=en><title>{name}</title><p>{body}");
        fs::write(site.join(format!("{name}.html")), page).unwrap();
    }
    let site = site.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", site, "--url", "http://a.example/"]), 0);
    let ask = |line: &[&str]| output(&dir, line);
    let cat = "http://a.example/cat.html";
    let found = lines(&ask(&["graph", "similar", cat, "--json"]));
    let reasons = |name: &str| {
        let node = format!("http://a.example/{name}.html");
        let line = found.iter().find(|line| line["node"] == node.as_str());
        line.map(|line| line["reasons"].clone())
    };
    assert_eq!(reasons("words"), Some(["same words: jaguar, rainforest, river"][..].into()));
    assert_eq!(reasons("cub"), Some(["cited together by 1 site"][..].into()));
    assert_eq!(reasons("gone"), Some(["cited together by 1 site"][..].into()), "never fetched");
    assert_eq!((reasons("stock"), reasons("cat")), (None, None));
    assert_eq!(found[0]["words"], serde_json::json!(["jaguar", "rainforest", "river"]));
    let shown = text(&ask(&["graph", "similar", "a.example/cat.html"]).stdout);
    assert!(shown.contains("  text  ") && shown.contains("    1  same words: jaguar"), "{shown}");

    let query = format!("related:{cat}");
    let hits = lines(&ask(&["search", &query, "--json"]));
    let urls: Vec<&str> = hits.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["http://a.example/words.html", "http://a.example/cub.html"]);
    assert_eq!(Some(hits[1]["reasons"].clone()), reasons("cub"));
    let shown = text(&ask(&["search", &query, "--explain"]).stdout);
    assert!(shown.contains("    same words: jaguar, rainforest, river\n    score "), "{shown}");
    assert!(shown.contains("related: how alike it is"), "{shown}");
    let unknown = ask(&["graph", "similar", "http://b.example/"]);
    says(&unknown, 2, "neither the index nor the link graph has a page `http://b.example/`");
}
