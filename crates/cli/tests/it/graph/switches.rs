//! Ranking a collection as its search does: weights of links, limits of memory, hosts.

use std::fs;
use std::path::{Path, PathBuf};

use base::{Collection, Url};
use graph::{Graph, read_node_scores};

use super::{on_arcs, says, scores};
use crate::run::{expect, output, text};

/// Imports pages of two hosts, one of which links to the other, in part without vouching for it.
fn collection(folder: &Path, config: &str) -> PathBuf {
    let dir = folder.join("c");
    let import = |host: &str, pages: &[(&str, &str)]| {
        let site = folder.join(host);
        fs::create_dir(&site).unwrap();
        for (name, body) in pages {
            fs::write(site.join(name), format!("<title>{name}</title>{body}")).unwrap();
        }
        let (site, url) = (site.to_str().unwrap(), format!("http://{host}/"));
        expect(&output(&dir, &["import", "folder", site, "--url", &url]), 0);
    };
    let away = "<a href=http://b.test/x.html>x</a>";
    let unvouched = "<a rel=nofollow href=http://b.test/y.html>y</a>";
    let first = format!("<a href=b.html>b</a> <a href=c.html>c</a> {away} {unvouched}");
    let pages = [
        ("a.html", first.as_str()),
        ("b.html", "<a href=a.html>a</a>"),
        ("c.html", "<a href=a.html>a</a> <a href=b.html>b</a>"),
    ];
    import("a.example", &pages);
    import("b.test", &[("x.html", "<a href=y.html>y</a>"), ("y.html", "<a href=x.html>x</a>")]);
    fs::write(dir.join("lookfar.toml"), config).unwrap();
    expect(&output(&dir, &["graph", "build", "--again"]), 0);
    dir
}

#[test]
fn ranks_on_the_command_line_are_those_that_the_search_uses() {
    let mut seen = Vec::new();
    for config in [
        "",
        "[graph]\nintra_site = 0.3\nnofollow = 0.5",
        "[graph]\nnofollow = true\nspam = false",
        "[graph]\nbeta = 0.5\ndead_ends = \"stay\"",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let dir = collection(folder.path(), config);
        let found = output(&dir, &["graph", "pagerank", "--all", "--json"]);
        says(&found, 0, "converged after");
        let collection = Collection::open(&dir).unwrap();
        let generation = collection.generation().unwrap().unwrap();
        let graph = Graph::open(&collection.graph(generation)).unwrap();
        let used = read_node_scores(&collection.scores(generation)).unwrap();
        let found = scores(&found);
        assert_eq!(found.len(), used.len());
        for (name, score) in &found {
            let node = graph.node_of_url(&Url::parse(name).unwrap()).unwrap().unwrap();
            let used = f64::from(used[node.index()]);
            assert!((score - used).abs() < 1e-6 * score, "{config}: {name} {score} {used}");
        }
        seen.push(found);
    }
    let rank = |place: usize| seen[place]["http://b.test/y.html"];
    assert!((rank(0) - rank(1)).abs() > 1e-3 && (rank(0) - rank(2)).abs() > 1e-3, "{seen:?}");
    assert!((rank(0) - rank(3)).abs() > 1e-3, "{seen:?}");
}

#[test]
fn trust_flows_along_the_links_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path(), "[graph]\nintra_site = 0.3\nnofollow = 0.5");
    let ranks = scores(&output(&dir, &["graph", "pagerank", "--all", "--json"]));
    let seeds = "http://a.example/a.html";
    let found = output(&dir, &["graph", "trust", "--seeds", seeds, "--all", "--json"]);
    expect(&found, 0);
    let said = text(&found.stdout);
    assert_eq!(said.lines().count(), ranks.len());
    for line in said.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let rank = line["pagerank"].as_f64().unwrap();
        assert!((rank - ranks[line["node"].as_str().unwrap()]).abs() < 1e-9, "{line}");
    }
}

#[test]
fn a_graph_that_memory_does_not_hold_is_ranked_from_disk() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path(), "[graph]\nintra_site = 0.3");
    let line = ["graph", "pagerank", "--all", "--json"];
    let held = output(&dir, &line);
    let read = output(&dir, &[&line[..], &["--memory", "100B"]].concat());
    says(&read, 0, "the limit is 100 B: links are read from disk");
    assert!(!text(&held.stderr).contains("disk"), "{}", text(&held.stderr));
    assert_eq!(text(&held.stdout), text(&read.stdout));
    let pruned = ["--memory", "100B", "--dead-ends", "prune"];
    let refused = output(&dir, &[&line[..], &pruned].concat());
    says(&refused, 2, "pruning dead ends needs all links in memory");
    fs::write(dir.join("lookfar.toml"), "[graph]\nmemory = \"100B\"\nspam = false").unwrap();
    says(&output(&dir, &line), 2, "leaving out links of spam needs all links in memory");
    let wrong = output(&dir, &[&line[..], &["--memory", "much"]].concat());
    says(&wrong, 2, "`much` is not a size");
}

#[test]
fn hosts_have_ranks_a_shape_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path(), "");
    let found = output(&dir, &["graph", "pagerank", "--hosts"]);
    says(&found, 0, "converged after");
    let said = text(&found.stdout);
    let lines: Vec<Vec<&str>> =
        said.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["place", "score", "host"]);
    assert_eq!((lines[1][2], lines[2][2], lines.len()), ("b.test", "a.example", 3), "{said}");
    let found = output(&dir, &["graph", "pagerank", "--hosts", "--json", "--top", "1"]);
    let line: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(line["node"], "b.test");
    assert!(line["score"].as_f64().unwrap() > 0.5, "{line}");
    let said = text(&output(&dir, &["graph", "stats", "--hosts"]).stdout);
    assert!(said.contains("nodes              2\narcs               1\n"), "{said}");
    let said = text(&output(&dir, &["graph", "bowtie", "--hosts"]).stdout);
    assert!(said.contains("2 hosts in 2 strongly connected components"), "{said}");
    let said = text(&output(&dir, &["graph", "export", "--hosts"]).stdout);
    assert_eq!(said, "a.example\tb.test\n");
}

/// Imports a host with a user's pages, which are a site, and a page elsewhere.
fn two_sites_on_a_host(folder: &Path) -> PathBuf {
    let (dir, site) = (folder.join("c"), folder.join("site"));
    fs::create_dir_all(site.join("~ann")).unwrap();
    let away = "<a href=http://b.test/>b</a>";
    for (name, links) in [
        ("index.html", "<a href=one.html>1</a> <a href=~ann/>Ann</a>".to_owned()),
        ("one.html", "<a href=index.html>home</a>".to_owned()),
        ("~ann/index.html", format!("<a href=cats.html>cats</a> {away}")),
        ("~ann/cats.html", "<a href=index.html>home</a>".to_owned()),
    ] {
        fs::write(site.join(name), format!("<title>{name}</title>{links}")).unwrap();
    }
    let site = site.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", site, "--url", "http://a.example/"]), 0);
    expect(&output(&dir, &["graph", "build", "--again"]), 0);
    dir
}

#[test]
fn sites_have_ranks_a_shape_and_counts_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let dir = two_sites_on_a_host(folder.path());
    let found = output(&dir, &["graph", "pagerank", "--sites", "--all", "--json"]);
    says(&found, 0, "converged after");
    let found = scores(&found);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["a.example", "a.example/~ann/", "b.test"]);
    assert!(found["b.test"] > found["a.example/~ann/"], "{found:?}");
    let found = output(&dir, &["graph", "pagerank", "--sites", "--teleport", "a.example"]);
    let said = text(&found.stdout);
    assert!(said.starts_with("place  score"), "{said}");
    assert!(said.lines().next().unwrap().ends_with("site"), "{said}");
    let said = text(&output(&dir, &["graph", "stats", "--sites"]).stdout);
    assert!(said.contains("nodes              3\narcs               2\n"), "{said}");
    assert!(said.contains("bits per link"), "{said}");
    let said = text(&output(&dir, &["graph", "bowtie", "--sites"]).stdout);
    assert!(said.contains("3 sites in 3 strongly connected components"), "{said}");
    let line = ["graph", "export", "--sites", "--json"];
    let said = text(&output(&dir, &line).stdout);
    let expected = "{\"from\":\"a.example\",\"to\":\"a.example/~ann/\"}\n\
                    {\"from\":\"a.example/~ann/\",\"to\":\"b.test\"}\n";
    assert_eq!(said, expected);
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn arc_lists_have_no_hosts_and_are_held_in_memory() {
    for command in ["pagerank", "bowtie", "stats", "export"] {
        says(&on_arcs("A\tB\n", command, &["--hosts"]), 2, "cannot be used with");
        says(&on_arcs("A\tB\n", command, &["--sites"]), 2, "cannot be used with");
    }
    says(&on_arcs("A\tB\n", "pagerank", &["--memory", "1MiB"]), 2, "cannot be used with");
}
