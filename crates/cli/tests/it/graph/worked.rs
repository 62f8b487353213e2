//! The worked examples of the lecture, each as a command, exact to 1e-9.

use super::{check, compare, on_arcs, says, scores};

const W1: &str = "A\tB\nA\tC\nA\tD\nB\tA\nB\tD\nC\tA\nD\tB\nD\tC\n";
/// W1 without C → A.
const W2: &str = "A\tB\nA\tC\nA\tD\nB\tA\nB\tD\nD\tB\nD\tC\n";
/// W1 with C → C only.
const W3: &str = "A\tB\nA\tC\nA\tD\nB\tA\nB\tD\nC\tC\nD\tB\nD\tC\n";
const W6: &str = "1\t2\n2\t4\n3\t1\n3\t2\n4\t2\n4\t5\n5\t2\n5\t6\n6\t2\n";

#[test]
fn w1_ranks_without_teleport() {
    check(W1, &["--beta", "1", "--iterations", "1"], "A=9/24 B=5/24 C=5/24 D=5/24");
    check(W1, &["--beta", "1", "--iterations", "2"], "A=15/48 B=11/48 C=11/48 D=11/48");
    check(W1, &["--beta", "1"], "A=3/9 B=2/9 C=2/9 D=2/9");
}

#[test]
fn w2_a_dead_end_loses_everything_or_is_spread() {
    let leak = ["--beta", "1", "--dead-ends", "leak"];
    let steps = |number| [&leak[..], &["--iterations", number]].concat();
    check(W2, &steps("1"), "A=3/24 B=5/24 C=5/24 D=5/24");
    check(W2, &steps("2"), "A=5/48 B=7/48 C=7/48 D=7/48");
    check(W2, &leak, "A=0 B=0 C=0 D=0");
    check(W2, &["--beta", "1", "--iterations", "1"], "A=9/48 B=13/48 C=13/48 D=13/48");
    check(W2, &["--beta", "1", "--iterations", "2"], "A=39/192 B=51/192 C=51/192 D=51/192");
    check(W2, &["--beta", "1"], "A=3/15 B=4/15 C=4/15 D=4/15");
}

#[test]
fn w2_a_dead_end_can_stay_or_be_pruned() {
    check(W2, &["--beta", "1", "--dead-ends", "stay"], "A=0 B=0 C=1 D=0");
    // Without C: A → B, D; B → A, D; D → B. Then C gets a third of A and half of D.
    check(W2, &["--beta", "1", "--dead-ends", "prune"], "A=2/9 B=4/9 D=3/9 C=13/54");
}

#[test]
fn w3_a_spider_trap_takes_all_unless_visitors_jump() {
    check(W3, &["--beta", "1"], "A=0 B=0 C=1 D=0");
    let steps = |number| ["--beta", "0.8", "--iterations", number];
    check(W3, &steps("1"), "A=9/60 B=13/60 C=25/60 D=13/60");
    check(W3, &steps("2"), "A=41/300 B=53/300 C=153/300 D=53/300");
    check(W3, &steps("3"), "A=543/4500 B=707/4500 C=2543/4500 D=707/4500");
    check(W3, &["--beta", "0.8"], "A=15/148 B=19/148 C=95/148 D=19/148");
}

#[test]
fn w4_a_walk_that_never_rests_is_reported() {
    let arcs = "A\tB\nB\tA\n";
    let output = on_arcs(arcs, "pagerank", &["--beta", "1", "--start", "A", "--json"]);
    says(&output, 1, "PageRank: not converged after 1,000 steps; the last moved 2.0e0 (L1)");
    says(&output, 1, "choose --beta below 1");
    compare(&scores(&output), "A=1 B=0");
    let asked = ["--beta", "1", "--start", "A", "--json", "--iterations", "3"];
    let output = on_arcs(arcs, "pagerank", &asked);
    says(&output, 0, "not converged after 3 steps");
    compare(&scores(&output), "A=0 B=1");
    check(arcs, &["--beta", "0.85", "--start", "A"], "A=1/2 B=1/2");
}

#[test]
fn w5_a_topic_draws_visitors() {
    for start in ["B=0.5,D=0.5", "B,D"] {
        let topic = ["--beta", "0.8", "--teleport", "B,D", "--start", start];
        let steps = |number| [&topic[..], &["--iterations", number]].concat();
        check(W1, &steps("1"), "A=2/10 B=3/10 C=2/10 D=3/10");
        check(W1, &steps("2"), "A=42/150 B=41/150 C=26/150 D=41/150");
        check(W1, &steps("3"), "A=62/250 B=71/250 C=46/250 D=71/250");
        check(W1, &topic, "A=54/210 B=59/210 C=38/210 D=59/210");
    }
}

#[test]
fn w6_six_pages_from_the_first() {
    let beta = (5.0f64 / 6.0).to_string();
    let walk = ["--beta", &beta, "--start", "1"];
    let steps = |number| [&walk[..], &["--iterations", number]].concat();
    check(W6, &steps("1"), "1=1/36 2=31/36 3=1/36 4=1/36 5=1/36 6=1/36");
    let third = "1=17/432 2=2239/5184 3=1/36 4=307/2592 5=877/2592 6=229/5184";
    check(W6, &steps("3"), third);
    let tenth = "1=17/432 2=0.34774956870102053 3=1/36 4=0.3289249463255705 \
                 5=0.157995292595828 6=0.09820056274795129";
    check(W6, &steps("10"), tenth);
    let limit = "1=17/432 2=4259/12054 3=1/36 4=1942/6027 5=11719/72324 6=82703/867888";
    check(W6, &walk, limit);
}

#[test]
fn topics_stand_side_by_side_and_blend() {
    let topics = ["--beta", "0.8", "--set", "one=B,D", "--set", "all=A,B,C,D"];
    let blended = [&topics[..], &["--weights", "one=1,all=3", "--json", "--all"]].concat();
    let output = on_arcs(W1, "topics", &blended);
    says(&output, 0, "one: converged after");
    let mut seen = 0;
    for line in String::from_utf8(output.stdout.clone()).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let one = line["topics"]["one"].as_f64().unwrap();
        let all = line["topics"]["all"].as_f64().unwrap();
        let blend = line["score"].as_f64().unwrap();
        assert!((blend - (one + 3.0 * all) / 4.0).abs() < 1e-12, "{line}");
        if line["node"] == "C" {
            assert!((one - 38.0 / 210.0).abs() < 1e-9, "{line}");
            seen += 1;
        }
    }
    assert_eq!(seen, 1);
    let table = on_arcs(W1, "topics", &[&topics[..], &["--top", "1"]].concat());
    let table = String::from_utf8(table.stdout).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 2, "{table}");
    let heading: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(heading, ["place", "blend", "one", "all", "node"]);
    assert!(lines[1].trim_start().starts_with("1  0.") && lines[1].ends_with('A'), "{table}");
}

#[test]
fn links_carry_as_many_bits_as_are_asked_for() {
    let walk = ["--tolerance", "1e-6", "--json", "--all", "--precision"];
    let ranks = |bits| scores(&on_arcs(W6, "pagerank", &[&walk[..], &[bits]].concat()));
    let (single, double) = (ranks("32"), ranks("64"));
    assert!(double.iter().all(|(name, score)| (score - single[name]).abs() < 1e-6));
    assert_ne!(single, double);
    says(&on_arcs(W6, "pagerank", &["--precision", "16"]), 2, "invalid value '16'");
}

#[test]
fn each_step_can_be_watched_and_plotted() {
    let output = on_arcs(W1, "pagerank", &["--beta", "1", "--iterations", "2", "--log"]);
    says(&output, 0, "PageRank: step 1 moved 2.500000e-1\nPageRank: step 2 moved 1.250000e-1\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = format!("--log={}", path.display());
    let sets = ["--set", "a=A", "--set", "b=B", "--iterations", "2", &log];
    // The second run begins the file anew.
    for _ in 0..2 {
        says(&on_arcs(W1, "topics", &sets), 0, "b: not converged after 2 steps");
    }
    let plot = folder.path().join("plot.svg");
    let drawn = [&sets[..], &["--plot", plot.to_str().unwrap()]].concat();
    says(&on_arcs(W1, "topics", &drawn), 0, "b: not converged after 2 steps");
    let picture = std::fs::read_to_string(&plot).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains("moved (L1)"), "{picture}");
    assert!(picture.matches("<path class=\"lf-line").count() >= 2, "{picture}");
    let unwritable = ["--plot", "/nonexistent/plot.svg"];
    says(&on_arcs(W1, "pagerank", &unwritable), 2, "error: cannot write `/nonexistent/plot.svg`");
    let nowhere = ["--log=/nonexistent/log"];
    says(&on_arcs(W1, "pagerank", &nowhere), 2, "error: cannot write `/nonexistent/log`");
    let written = std::fs::read_to_string(path).unwrap();
    let firsts: Vec<Vec<&str>> = written.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(firsts.len(), 5, "{written}");
    assert_eq!(firsts[0], ["ranking", "step", "l1"]);
    assert_eq!((firsts[3][0], firsts[3][1]), ("b", "1"));
    assert!(firsts[4][2].parse::<f64>().unwrap() > 0.0);
}
