//! Graphs and options that are odd or broken: a defined answer, or one clear error.

use std::fs;
use std::path::Path;

use super::{check, compare, on_arcs, on_file, refuse, says, scores};
use crate::run::{expect, output, text};

#[test]
fn a_self_loop_is_a_link_and_several_arcs_are_one() {
    // A keeps half of what it has: a = ½·a + b, b = ½·a.
    check("A A\nA B\nB A\n", &["--beta", "1"], "A=2/3 B=1/3");
    check("A A\nA B\nA B\nA\tB\nB A\nB A\n", &["--beta", "1"], "A=2/3 B=1/3");
}

#[test]
fn a_graph_without_nodes_has_no_ranks() {
    for arcs in ["", "# nothing\n\n"] {
        let output = on_arcs(arcs, "pagerank", &["--json", "--all"]);
        says(&output, 1, "there is nothing to show");
        assert!(output.stdout.is_empty());
        let output = on_arcs(arcs, "stats", &["--json"]);
        expect(&output, 0);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&found["nodes"], &found["arcs"]), (&0.into(), &0.into()));
        expect(&on_arcs(arcs, "export", &[]), 1);
        refuse(arcs, "pagerank", &["--teleport", "A"], "the graph has no node `A`");
    }
}

#[test]
fn one_node_has_all_the_rank() {
    for dead_ends in ["redistribute", "stay"] {
        check("only\n", &["--dead-ends", dead_ends], "only=1");
    }
    check("only only\n", &["--dead-ends", "prune"], "only=1");
    let pruned = ["--dead-ends", "prune"];
    refuse("only\n", "pagerank", &pruned, "pruning dead ends leaves no node to rank");
}

#[test]
fn a_graph_of_dead_ends_is_ranked_alike_or_refused() {
    let arcs = "A\nB\nC\nD\n";
    check(arcs, &[], "A=1/4 B=1/4 C=1/4 D=1/4");
    check(arcs, &["--dead-ends", "stay"], "A=1/4 B=1/4 C=1/4 D=1/4");
    check(arcs, &["--teleport", "B"], "A=0 B=1 C=0 D=0");
    check(arcs, &["--dead-ends", "leak", "--beta", "0.8"], "A=1/20 B=1/20 C=1/20 D=1/20");
    refuse(arcs, "pagerank", &["--dead-ends", "prune"], "leaves no node to rank");
}

#[test]
fn unknown_names_are_refused_on_the_line_and_passed_over_in_files() {
    let arcs = "A B\nB A\n";
    refuse(arcs, "pagerank", &["--teleport", "B,Q,R"], "the graph has no node `Q`, `R`");
    refuse(arcs, "pagerank", &["--start", "Q"], "the graph has no node `Q`");
    refuse(arcs, "pagerank", &["--start", "A=much"], "a number that is not negative");
    refuse(arcs, "pagerank", &["--start", "A=0"], "the start vector is not usable");
    refuse(arcs, "topics", &["--set", "t=?cat"], "cannot rank `t`");
    refuse(arcs, "topics", &["--set", "t=Q"], "cannot rank `t`");
    refuse(arcs, "topics", &["--set", "A,B"], "does not say NAME=FILE");
    refuse(arcs, "topics", &["--set", "t=A", "--weights", "u=1"], "there is no topic `u`");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bookmarks");
    fs::write(&path, "Q\nB\n").unwrap();
    let options = ["--teleport", path.to_str().unwrap(), "--beta", "0", "--json", "--all"];
    let output = on_arcs(arcs, "pagerank", &options);
    says(&output, 0, "1 are not in the graph, 1 are");
    compare(&scores(&output), "A=0 B=1");
    fs::write(&path, "Q\n").unwrap();
    refuse(arcs, "pagerank", &options, "the graph has none of the nodes that");
}

#[test]
fn beta_is_a_chance() {
    let arcs = "A B\nB A\nB C\nC A\n";
    check(arcs, &["--beta", "0"], "A=1/3 B=1/3 C=1/3");
    check(arcs, &["--beta", "1"], "A=2/5 B=2/5 C=1/5");
    for beta in ["-1", "1.5", "NaN", "inf", "-0.1"] {
        refuse(arcs, "pagerank", &["--beta", beta], "it must be between 0 and 1");
        refuse(arcs, "topics", &["--beta", beta, "--set", "t=A"], "it must be between 0 and 1");
    }
    for tolerance in ["-1", "NaN", "inf"] {
        refuse(arcs, "pagerank", &["--tolerance", tolerance], "tolerance is");
    }
    let output = on_arcs(arcs, "pagerank", &["--beta", "much"]);
    says(&output, 2, "invalid value 'much' for '--beta");
}

#[test]
fn no_steps_are_the_start() {
    check("A B\nB A\n", &["--iterations", "0", "--start", "B"], "A=0 B=1");
}

#[test]
fn a_broken_arc_list_names_its_line() {
    refuse("A B\nA B C\n", "pagerank", &[], "cannot read line 2 of");
    refuse("A B\n\0\n", "stats", &[], "it is no text");
    let output = on_file(Path::new("/nonexistent/arcs"), "pagerank", &[]);
    says(&output, 2, "error: cannot open `/nonexistent/arcs`");
}

#[test]
fn a_damaged_or_cut_graph_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.graph");
    let class = "graphclass=it.unimi.dsi.webgraph.BVGraph";
    fs::write(folder.path().join("x.properties"), format!("{class}\nnodes=9\narcs=3\n")).unwrap();
    for bytes in [&[][..], &[0xff], &[0xff, 0xff], &[0; 40], &[0x55; 40]] {
        fs::write(&path, bytes).unwrap();
        let output = on_file(&path, "pagerank", &[]);
        says(&output, 2, "is damaged: ");
        assert!(!text(&output.stderr).contains("panicked"));
    }
    fs::remove_file(&path).unwrap();
    says(&on_file(&path, "pagerank", &[]), 2, "error: cannot read `");
    fs::remove_file(folder.path().join("x.properties")).unwrap();
    says(&on_file(&path, "pagerank", &[]), 2, "error: cannot open `");
}

#[test]
fn a_collection_without_a_graph_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let found = output(&folder.path().join("none"), &["graph", "pagerank"]);
    says(&found, 2, "there is no collection in");
    base::Collection::open_or_create(folder.path()).unwrap();
    let found = output(folder.path(), &["graph", "pagerank"]);
    says(&found, 2, "make it with `lookfar graph build`");
}
