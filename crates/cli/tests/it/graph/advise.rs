//! `lookfar graph advise`: the best link is not one from the most popular page.

use super::{lines, on_arcs, refuse, says, scores};
use crate::run::{expect, text};

/// Everybody links to `star`, which links to twenty pages; `quiet` has ten readers and no link
/// of its own but one, so a visitor there has hardly anywhere else to go.
fn web() -> String {
    let mut arcs = String::from("quiet\tstar\nme\tstar\n");
    for number in 0..20 {
        arcs += &format!("star\tp{number}\np{number}\tstar\n");
    }
    for number in 0..10 {
        arcs += &format!("p{number}\tquiet\n");
    }
    arcs
}

/// Returns the rank of `me` with some links more.
fn rank_with(links: &str) -> f64 {
    let output = on_arcs(&(web() + links), "pagerank", &["--json", "--all"]);
    scores(&output)["me"]
}

#[test]
fn the_most_popular_page_is_not_the_best_to_link() {
    let ranks = scores(&on_arcs(&web(), "pagerank", &["--json", "--all"]));
    assert!(ranks.values().all(|rank| *rank <= ranks["star"]));
    let output = on_arcs(&web(), "advise", &["me", "-k", "2", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    assert_eq!(found.len(), 2);
    let number = |place: usize, key: &str| found[place][key].as_f64().unwrap();
    let names: Vec<&str> = found.iter().map(|line| line["node"].as_str().unwrap()).collect();
    assert_eq!(names[0], "quiet");
    for line in &found {
        let number = |key: &str| line[key].as_f64().unwrap();
        assert!((number("predicted") - number("recomputed")).abs() < 1e-9, "{line}");
        assert_eq!(line["proven"], true);
    }
    // What was predicted is what ranking says, and no single link would have done better.
    let one = rank_with("quiet\tme\n");
    assert!((number(0, "recomputed") - one).abs() < 1e-9);
    let popular = rank_with("star\tme\n");
    assert!(one > popular && (number(0, "from_popular") - popular).abs() < 1e-9);
    for name in ranks.keys().filter(|name| *name != "me") {
        assert!(rank_with(&format!("{name}\tme\n")) <= one + 1e-9, "{name}");
    }
    let both = rank_with(&format!("quiet\tme\n{}\tme\n", names[1]));
    assert!((number(1, "recomputed") - both).abs() < 1e-9);
    assert!((number(1, "before") - one).abs() < 1e-9);
}

#[test]
fn links_come_only_from_pages_that_are_allowed() {
    let output = on_arcs(&web(), "advise", &["me", "-k", "3", "--from", "star,p5,p6", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    assert!(
        found.iter().all(|line| ["star", "p5", "p6"].contains(&line["node"].as_str().unwrap()))
    );
    let shown = text(&on_arcs(&web(), "advise", &["me"]).stdout);
    assert!(shown.starts_with("me has rank 0.0"), "{shown}");
    assert!(
        shown.contains(
            "link  predicted     recomputed    times  from popular  best there is  from\n"
        )
    );
    let none = on_arcs(&web(), "advise", &["star", "--from", "quiet"]);
    says(&none, 1, "no new link would raise its rank of");
}

#[test]
fn advice_needs_a_page_and_a_chance_to_jump() {
    refuse(&web(), "advise", &["nobody"], "the graph has no node `nobody`");
    refuse(&web(), "advise", &["me", "--from", "nobody"], "the graph has no node `nobody`");
    refuse(&web(), "advise", &["me", "--beta", "1"], "below 1 for the link advisor");
    refuse(&web(), "advise", &["me", "--beta", "NaN"], "beta is");
    refuse(&web(), "advise", &["me", "--dead-ends", "prune"], "the link advisor");
    says(&on_arcs(&web(), "advise", &["me", "-k", "0"]), 2, "invalid value '0' for '-k <K>'");
}
