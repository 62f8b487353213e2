//! The graph of a collection: built, ranked, exported, and read again.

use std::fs;
use std::path::Path;

use super::{compare, on_arcs, on_file, says, scores};
use crate::run::{expect, output, text};

/// Imports three pages that link to each other.
fn collection(folder: &Path) -> std::path::PathBuf {
    let (site, dir) = (folder.join("site"), folder.join("c"));
    fs::create_dir(&site).unwrap();
    for (name, body) in [
        ("a.html", "<title>A</title><a href=b.html>b</a> <a href=c.html>c</a>"),
        ("b.html", "<title>B</title><a href=a.html>a</a>"),
        ("c.html", "<title>C</title><a href=a.html>a</a> <a href=b.html>b</a>"),
    ] {
        fs::write(site.join(name), body).unwrap();
    }
    let site = site.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", site, "--url", "http://a.example/"]), 0);
    dir
}

#[test]
fn a_collection_is_ranked_by_its_urls() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let line = ["graph", "pagerank", "--beta", "1", "--all", "--json"];
    let found = output(&dir, &line);
    says(&found, 0, "converged after");
    let expected = "http://a.example/a.html=4/9 http://a.example/b.html=3/9 \
                    http://a.example/c.html=2/9";
    compare(&scores(&found), expected);
    // Any form of an address means its page.
    let teleport = ["--teleport", "HTTP://A.example:80/b.html", "--beta", "0"];
    let found =
        output(&dir, &[&["graph", "pagerank", "--json", "--top", "1"][..], &teleport].concat());
    compare(&scores(&found), "http://a.example/b.html=1");
    let found = output(&dir, &["graph", "stats"]);
    expect(&found, 0);
    let said = text(&found.stdout);
    assert!(said.contains("nodes              3\narcs               5\n"), "{said}");
    assert!(said.contains("bits per link"), "{said}");
}

#[test]
fn topics_are_what_a_query_finds_or_a_site_holds() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let line = ["graph", "topics", "--beta", "0", "--json", "--all", "--set", "found=?title:b"];
    let found = output(&dir, &[&line[..], &["--set", "site=http://a.example/*"]].concat());
    expect(&found, 0);
    let third = 1.0 / 3.0;
    for line in text(&found.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let is_b = line["node"] == "http://a.example/b.html";
        assert_eq!(line["topics"]["found"], if is_b { 1.0 } else { 0.0 });
        assert_eq!(line["topics"]["site"], third);
    }
    assert_eq!(text(&found.stdout).lines().count(), 3);
    let none = output(&dir, &["graph", "pagerank", "--teleport", "?zebra"]);
    says(&none, 2, "the query `zebra` finds no page of the graph");
}

#[test]
fn spm_04_links_that_a_page_does_not_vouch_for_carry_no_score() {
    let folder = tempfile::tempdir().unwrap();
    let (site, dir) = (folder.path().join("site"), folder.path().join("c"));
    fs::create_dir(&site).unwrap();
    let links = "<a href=praised.html>p</a> <a rel=nofollow href=n.html>n</a> \
                 <a rel='ugc noopener' href=u.html>u</a> <a rel=Sponsored href=s.html>s</a>";
    fs::write(site.join("a.html"), format!("<title>A</title>{links}")).unwrap();
    let nothing = "<meta name=robots content=nofollow><title>B</title><a href=n.html>n</a>";
    fs::write(site.join("b.html"), nothing).unwrap();
    for name in ["praised", "n", "u", "s"] {
        fs::write(site.join(format!("{name}.html")), format!("<title>{name}</title>")).unwrap();
    }
    let site = site.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", site, "--url", "http://a.example/"]), 0);
    let found = output(&dir, &["graph", "export"]);
    let arcs = text(&found.stdout);
    let arcs: Vec<&str> = arcs.lines().filter(|line| line.contains('\t')).collect();
    assert_eq!(arcs, ["http://a.example/a.html\thttp://a.example/praised.html"]);
    let found = scores(&output(&dir, &["graph", "pagerank", "--json", "--all"]));
    let score = |name: &str| found[&format!("http://a.example/{name}.html")];
    for name in ["n", "u", "s"] {
        assert!((score(name) - score("b")).abs() < 1e-12, "{name}: {found:?}");
    }
    assert!(score("praised") > 1.5 * score("n"), "{found:?}");
}

#[test]
fn what_is_exported_ranks_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let found = output(&dir, &["graph", "export"]);
    expect(&found, 0);
    let said = text(&found.stdout);
    assert_eq!(said.lines().count(), 5);
    assert!(said.contains("http://a.example/c.html\thttp://a.example/a.html\n"), "{said}");
    let path = folder.path().join("links.tsv");
    fs::write(&path, &said).unwrap();
    let from_file = on_file(&path, "pagerank", &["--json"]);
    let from_dir = output(&dir, &["graph", "pagerank", "--json"]);
    assert_eq!(text(&from_file.stdout), text(&from_dir.stdout));
    assert_eq!(from_file.status.code(), Some(0));
}

#[test]
fn an_export_is_json_too_and_names_what_has_no_link() {
    let found = on_arcs("A\tB\nB\tB\nalone\n", "export", &["--json"]);
    expect(&found, 0);
    let expected = "{\"from\":\"A\",\"to\":\"B\"}\n{\"from\":\"B\",\"to\":\"B\"}\n\
                    {\"node\":\"alone\"}\n";
    assert_eq!(text(&found.stdout), expected);
}

#[test]
fn a_generation_is_built_when_there_is_something_new_or_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let built = |options: &[&str]| {
        let found = output(&dir, &[&["graph", "build", "--json"], options].concat());
        expect(&found, 0);
        serde_json::from_slice::<serde_json::Value>(&found.stdout).unwrap()
    };
    let first = built(&[]);
    assert_eq!((&first["new"], &first["arcs"]), (&false.into(), &5.into()));
    let second = built(&["--again"]);
    assert_eq!((&second["new"], &second["nodes"]), (&true.into(), &3.into()));
    let number = |built: &serde_json::Value| built["generation"].as_u64().unwrap();
    assert_eq!(number(&second), number(&first) + 1);
    let said = text(&output(&dir, &["graph", "build"]).stdout);
    let expected =
        format!("generation {} is of all pages: 3 nodes (3 fetched), 5 arcs,", number(&second));
    assert!(said.starts_with(&expected), "{said}");
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn a_new_collection_has_nothing_to_build() {
    let folder = tempfile::tempdir().unwrap();
    base::Collection::open_or_create(folder.path()).unwrap();
    fs::write(folder.path().join("lookfar.toml"), "").unwrap();
    let found = output(folder.path(), &["graph", "build"]);
    expect(&found, 0);
    assert_eq!(text(&found.stdout), "there are no pages to make a graph of\n");
    let found = output(&folder.path().join("none"), &["graph", "build"]);
    says(&found, 2, "there is no collection in");
    assert!(!folder.path().join("none").exists());
}
