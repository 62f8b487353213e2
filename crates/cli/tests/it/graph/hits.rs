//! `lookfar graph hits`: hubs and authorities of webs drawn by hand.

use std::path::Path;

use super::{lines, on_arcs, refuse, says};
use crate::run::{expect, output, text};

/// Two hubs that agree on A, and one page that has nothing to do with it.
const WEB: &str = "H\tA\nH\tB\nG\tA\nP\tQ\n";

fn best<'a>(found: &'a [serde_json::Value], kind: &str) -> Vec<(&'a str, f64)> {
    let of_kind = found.iter().filter(|line| line["as"] == kind);
    of_kind.map(|line| (line["node"].as_str().unwrap(), line["score"].as_f64().unwrap())).collect()
}

#[test]
fn hubs_and_authorities_name_each_other() {
    let output = on_arcs(WEB, "hits", &["--roots", "A", "--json"]);
    says(&output, 0, "base set: 1 root, 3 nodes, 2 links that count; converged after");
    let found = lines(&output);
    // The base set of A is A, G and H; B is a neighbour of none of the roots.
    assert_eq!(best(&found, "authority"), [("A", 1.0)]);
    let hubs = best(&found, "hub");
    assert_eq!(hubs.len(), 2);
    assert!(hubs.iter().all(|(_, score)| (score - 0.5).abs() < 1e-9), "{hubs:?}");

    // On the whole web, a(A) : a(B) is the golden ratio, and so is h(H) : h(G).
    let output = on_arcs(WEB, "hits", &["--roots", "*", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    let golden = (1.0 + 5.0f64.sqrt()) / 2.0;
    for (kind, first, second) in [("authority", "A", "B"), ("hub", "H", "G")] {
        let best = best(&found, kind);
        assert_eq!((best[0].0, best[1].0), (first, second));
        assert!((best[0].1 / best[1].1 - golden).abs() < 1e-6, "{best:?}");
    }
    assert_eq!(found[0]["root"], true);
}

#[test]
fn salsa_gives_every_group_its_share() {
    let output = on_arcs(WEB, "hits", &["--roots", "*", "--salsa", "--json"]);
    expect(&output, 0);
    // Of three authorities two are in one group: two in three of its three links lead to A.
    let found = lines(&output);
    let third = 1.0 / 3.0;
    let expected = [("A", 4.0 / 9.0), ("Q", third), ("B", 2.0 / 9.0)];
    for ((name, score), (wanted, value)) in best(&found, "authority").into_iter().zip(expected) {
        assert_eq!(name, wanted);
        assert!((score - value).abs() < 1e-12, "{name}: {score}");
    }
}

#[test]
fn links_within_a_site_do_not_count() {
    let arcs = "http://www.a.example.com/ http://b.example.com/\nhttp://c.net/ http://d.net/\n";
    let output = on_arcs(arcs, "hits", &["--roots", "*"]);
    expect(&output, 0);
    let shown = text(&output.stdout);
    let expected = "place  authority      node          hub            node\n    \
                    1  1.0000000000  *http://d.net/  1.0000000000  *http://c.net/\n";
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(&shown), squeezed(expected));
}

#[test]
fn hosts_can_be_ranked_in_place_of_pages() {
    let arcs = "http://h.test/1 http://a.zoo/1\nhttp://h.test/2 http://b.zoo/\n\
                http://g.test/ http://a.zoo/2\n";
    let output = on_arcs(arcs, "hits", &["--roots", "http://a.zoo/*", "--hosts", "--json"]);
    says(&output, 0, "base set: 1 root, 3 nodes, 2 links that count");
    let found = lines(&output);
    assert_eq!(best(&found, "authority"), [("a.zoo", 1.0)]);
    let mut hubs: Vec<&str> = best(&found, "hub").into_iter().map(|(name, _)| name).collect();
    hubs.sort_unstable();
    assert_eq!(hubs, ["g.test", "h.test"]);
}

#[test]
fn hits_wants_roots_that_are_there() {
    refuse(WEB, "hits", &["jaguar"], "only a collection can be asked, not a graph file");
    refuse(WEB, "hits", &["--roots", "nobody"], "the graph has no node `nobody`");
    says(&on_arcs(WEB, "hits", &[]), 2, "<QUERY>");
    says(&on_arcs(WEB, "hits", &["jaguar", "--roots", "A"]), 2, "cannot be used with");
    says(&on_arcs("A\nB\n", "hits", &["--roots", "*"]), 1, "there is nothing to show");
}

/// The demo's directory leads to the pages about jaguars; a farm that says the word too does not
/// win, nor does the town that every page of the islands links to.
pub(super) fn finds_the_hubs_of_jaguar(dir: &Path) {
    for more in [&[][..], &["--salsa"], &["--max-roots", "200"]] {
        let found = output(dir, &[&["graph", "hits", "jaguar", "--json"], more].concat());
        expect(&found, 0);
        let found = lines(&found);
        let (hubs, authorities) = (best(&found, "hub"), best(&found, "authority"));
        assert!(hubs[0].0.starts_with("http://directory.lookfar/"), "{more:?} {hubs:?}");
        for (node, _) in &authorities[..5] {
            assert!(!node.contains("cheap-lamps") && !node.contains("islands"), "{authorities:?}");
        }
    }
    says(&output(dir, &["graph", "hits", "zyzzyva"]), 2, "finds no page of the graph");
}
