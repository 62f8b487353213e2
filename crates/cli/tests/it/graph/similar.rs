//! `lookfar graph similar`: the cosines by hand, and the evidence.

use super::{lines, on_arcs, refuse, says};
use crate::run::{expect, text};

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
    // One citer of two links, one target of three: 1/log2 3 and 1/log2 4, over the root of 1.
    let (cocitation, coupling) = (1.0 / 3.0f64.log2(), 0.5);
    assert!((number(&found[0], "cocitation") - cocitation).abs() < 1e-12, "{found:?}");
    assert!((number(&found[0], "coupling") - coupling).abs() < 1e-12, "{found:?}");
    let both = 1.0 - (1.0 - cocitation) * (1.0 - coupling);
    assert!((number(&found[0], "score") - both).abs() < 1e-12, "{found:?}");
    assert!((number(&found[1], "score") - coupling).abs() < 1e-12, "{found:?}");
    assert_eq!(found[0]["linked_by"], serde_json::json!(["hub"]));
    assert_eq!(found[1]["link_to"], serde_json::json!(["T"]));
    let shown = text(&on_arcs(WEB, "similar", &["A"]).stdout);
    assert!(shown.contains("    1  both are linked by hub\n    1  both link to T\n"), "{shown}");
    assert_eq!(lines(&on_arcs(WEB, "similar", &["A", "--json", "--top", "1"])).len(), 1);
}

#[test]
fn a_page_without_links_is_like_none_and_an_unknown_one_is_an_error() {
    says(&on_arcs(WEB, "similar", &["lone"]), 1, "there is nothing to show");
    refuse(WEB, "similar", &["nobody"], "the graph has no node `nobody`");
    says(&on_arcs(WEB, "similar", &[]), 2, "<URL|NAME>");
}
