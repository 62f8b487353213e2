//! `lookfar graph trust`: trust, seeds and spam mass on webs small enough to reckon by hand.

use super::{compare, lines, on_arcs, refuse, says, scores};
use crate::run::{expect, text};

/// Two pairs that know nothing of each other.
const PAIRS: &str = "A\tB\nB\tA\nC\tD\nD\tC\n";

#[test]
fn trust_stays_with_whom_the_seeds_link_to() {
    // a = 0.2 + 0.8 b, b = 0.8 a.
    let options = ["--seeds", "A", "--beta", "0.8", "--json", "--all"];
    let output = on_arcs(PAIRS, "trust", &options);
    says(&output, 0, "trust: converged after");
    compare(&scores(&output), "A=5/9 B=4/9 C=0 D=0");
    let found = lines(&output);
    assert!((found[3]["pagerank"].as_f64().unwrap() - 0.25).abs() < 1e-9, "{found:?}");
    let shown = text(&on_arcs(PAIRS, "trust", &["--seeds", "A", "--beta", "0.8"]).stdout);
    assert!(shown.starts_with("place  trust         pagerank      node\n"), "{shown}");
    assert!(shown.contains("    1  0.5555555556  0.2500000000  A\n"), "{shown}");
}

#[test]
fn trust_of_a_host_is_that_of_its_pages() {
    let arcs = "http://a.example/1 http://a.example/2\nhttp://a.example/2 http://a.example/1\n\
                http://b.example/ http://a.example/1\n";
    let options = ["--seeds", "http://a.example/*", "--hosts", "--json"];
    let output = on_arcs(arcs, "trust", &options);
    expect(&output, 0);
    let found = lines(&output);
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0]["node"], &found[1]["node"]), (&"a.example".into(), &"b.example".into()));
    assert!((found[0]["score"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn spam_mass_is_the_rank_that_good_pages_do_not_explain() {
    let options = ["--seeds", "A", "--beta", "0.8", "--mass", "--good-share", "0.5"];
    let output = on_arcs(PAIRS, "trust", &[&options[..], &["--json"]].concat());
    expect(&output, 0);
    // p is 1/4 for all, p' half of the trust.
    compare(&scores(&output), "A=-1/36 B=1/36 C=1/4 D=1/4");
    let found = lines(&output);
    assert!((found[0]["relative"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{found:?}");
    let by_host = on_arcs(PAIRS, "trust", &[&options[..], &["--hosts"]].concat());
    let shown = text(&by_host.stdout);
    let head = "place  mass           relative       pagerank      from good     host\n";
    assert!(shown.starts_with(head), "{shown}");
}

/// A star swings without jumps, whichever way it is turned: half of the time all are at its centre.
const STAR: &str = "A\tB\nB\tA\nA\tC\nC\tA\n";

#[test]
fn masses_and_seeds_that_do_not_come_to_rest_say_so() {
    let swing = ["--beta", "1"];
    for (options, names) in [
        (&["--seeds", "A", "--mass"][..], &["all pages", "good pages"][..]),
        (&["--suggest", "1"], &["inverse PageRank"]),
    ] {
        let found = on_arcs(STAR, "trust", &[options, &swing].concat());
        for name in names {
            says(&found, 1, &format!("{name}: not converged after 1,000 steps"));
        }
        // Who asks for two steps gets what he asked for.
        expect(&on_arcs(STAR, "trust", &[options, &swing, &["--iterations", "2"]].concat()), 0);
        let folder = tempfile::tempdir().unwrap();
        let (log, plot) = (folder.path().join("log"), folder.path().join("plot.svg"));
        let log_option = format!("--log={}", log.display());
        let told = [log_option.as_str(), "--plot", plot.to_str().unwrap()];
        let found = on_arcs(STAR, "trust", &[options, &told].concat());
        says(&found, 0, &format!("{}: converged after", names[0]));
        let log = std::fs::read_to_string(log).unwrap();
        let picture = std::fs::read_to_string(plot).unwrap();
        assert!(log.starts_with("ranking\tstep\tl1\n"), "{log}");
        for name in names {
            assert!(log.contains(&format!("\n{name}\t1\t")), "{log}");
            assert!(picture.contains("</svg>"), "{picture}");
        }
    }
}

#[test]
fn pages_worth_a_check_reach_most() {
    let arcs = "A\tB\nB\tC\nC\tD\nA\tE\n";
    let output = on_arcs(arcs, "trust", &["--suggest", "2", "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    let names: Vec<&str> = found.iter().map(|line| line["node"].as_str().unwrap()).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn trust_needs_seeds_that_are_there() {
    refuse(PAIRS, "trust", &["--seeds", "Q"], "the graph has no node `Q`");
    refuse(PAIRS, "trust", &["--seeds", "A", "--beta", "2"], "it must be between 0 and 1");
    let bad_share = ["--seeds", "A", "--mass", "--good-share", "-1"];
    refuse(PAIRS, "trust", &bad_share, "good share is");
    says(&on_arcs(PAIRS, "trust", &[]), 2, "--seeds <NODES>");
    says(&on_arcs(PAIRS, "trust", &["--seeds", "A", "--suggest", "2"]), 2, "cannot be used with");
    says(&on_arcs("", "trust", &["--suggest", "2"]), 1, "there is nothing to show");
}
