//! `lookfar graph bowtie`: a web drawn by hand has every part, and pictures of them.

use std::fs;
use std::path::Path;

use super::{lines, on_arcs, refuse, says};
use crate::run::{expect, output, text};

/// Two pages each of in, core and out; a tendril of each side, a tube, a fringe, an island of two.
const WEB: &str = "I1\tI2\nI2\tC1\nC1\tC2\nC2\tC1\nC2\tO1\nO1\tO2\nI1\tT1\nT2\tO2\nI1\tU\nU\tO1\n\
                   F\tT1\nX\tY\n";

#[test]
fn every_part_of_a_bow_tie_is_counted() {
    let output = on_arcs(WEB, "bowtie", &["--json"]);
    expect(&output, 0);
    let found = lines(&output);
    let parts: Vec<(String, u64)> = found
        .iter()
        .filter(|line| line["part"].is_string())
        .map(|line| (line["part"].as_str().unwrap().to_owned(), line["nodes"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("core", 2),
        ("in", 2),
        ("out", 2),
        ("tendrils of in", 1),
        ("tendrils of out", 1),
        ("tubes", 1),
        ("fringe", 1),
        ("islands", 2),
    ];
    assert_eq!(parts, expected.map(|(part, nodes)| (part.to_owned(), nodes)));
    let whole = found.iter().find(|line| line["nodes"] == 12).unwrap();
    assert_eq!(whole["strong_components"], 11);
    let into = found.iter().find(|line| line["degrees"] == "in").unwrap();
    assert_eq!((&into["without"], &into["max"]), (&4.into(), &2.into()));
    let shown = text(&on_arcs(WEB, "bowtie", &[]).stdout);
    assert!(
        shown.starts_with("part             nodes  share\ncore                 2  16.7 %\n"),
        "{shown}"
    );
    assert!(shown.contains("12 nodes in 11 strongly connected components\n"), "{shown}");
}

#[test]
fn reach_of_all_nodes_has_no_error() {
    let output = on_arcs("A\tB\nB\tC\n", "bowtie", &["--sample", "9", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    let reach = &found.last().unwrap()["reach"];
    // A reaches three of three, B two, C one.
    assert!((reach["forward"]["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12, "{reach}");
    assert_eq!((&reach["sample"], &reach["forward"]["error"]), (&3.into(), &0.0.into()));
    let shown = text(&on_arcs("A\tB\nB\tC\n", "bowtie", &["--sample", "9"]).stdout);
    assert!(shown.contains("reach: a node leads to 66.7 ± 0.0 % of all"), "{shown}");
}

#[test]
fn pictures_are_written_as_svg() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tie, degrees) = (path("tie.svg"), path("degrees.svg"));
    expect(&on_arcs(WEB, "bowtie", &["--svg", &tie, "--degrees", &degrees]), 0);
    for (file, word) in [(&tie, "tendrils of in"), (&degrees, "in-links")] {
        let drawn = fs::read_to_string(file).unwrap();
        assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"), "{drawn}");
        assert!(drawn.contains(word), "{drawn}");
    }
    let nowhere = path("none/tie.svg");
    refuse(WEB, "bowtie", &["--svg", &nowhere], "cannot write `");
    says(&on_arcs("", "bowtie", &["--svg", &tie]), 1, "there is nothing to show");
}

/// The demo's web hangs together: most of it is the core.
pub(super) fn draws_the_demo(dir: &Path) {
    let path = dir.join("tie.svg");
    let found = output(dir, &["graph", "bowtie", "--svg", path.to_str().unwrap(), "--json"]);
    expect(&found, 0);
    let core = &lines(&found)[0];
    assert_eq!(core["part"], "core");
    assert!(core["share"].as_f64().unwrap() > 0.5, "{core}");
    assert!(fs::read_to_string(&path).unwrap().contains(" pages, "));
}
