//! Graphs that nobody here made up, against what others compute.
//!
//! The references were computed once with scipy 1.17 (sparse matrix, power iteration in 64 bits,
//! to 1e-15); networkx 3.6 agrees with them to 2e-9. Besides, every score of the two smaller graphs is
//! compared with a power iteration by the book, which reads the file and ranks it in a few lines of
//! its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use super::{on_file, says, scores};
use crate::run::pack;

#[track_caller]
fn compare(found: &BTreeMap<String, f64>, expected: &[(&str, f64)], sum_of_squares: f64) {
    for (name, score) in expected {
        assert!((found[*name] - score).abs() < 1e-8, "{name}: {} is not {score}", found[*name]);
    }
    let sum: f64 = found.values().map(|score| score * score).sum();
    assert!((sum - sum_of_squares).abs() < 1e-8, "{sum} is not {sum_of_squares}");
    assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-9);
}

/// A graph as its file has it: names by number, and arcs, each once.
struct ByTheBook {
    names: BTreeMap<usize, String>,
    arcs: BTreeSet<(usize, usize)>,
}

impl ByTheBook {
    /// Ranks with β = 0.85 until a step moves less than 1e-14: each node gives its rank to those it
    /// links to in equal parts, a dead end to all.
    fn ranks(&self) -> BTreeMap<&str, f64> {
        let places: BTreeMap<usize, usize> =
            self.names.keys().enumerate().map(|(place, number)| (*number, place)).collect();
        let arcs: Vec<(usize, usize)> =
            self.arcs.iter().map(|(from, to)| (places[from], places[to])).collect();
        let size = places.len();
        let mut degrees = vec![0.0; size];
        arcs.iter().for_each(|(from, _)| degrees[*from] += 1.0);
        let mut ranks = vec![1.0 / size as f64; size];
        loop {
            let dead: f64 = (0..size).filter(|node| degrees[*node] == 0.0).map(|n| ranks[n]).sum();
            let mut next = vec![(0.15 + 0.85 * dead) / size as f64; size];
            for (from, to) in &arcs {
                next[*to] += 0.85 * ranks[*from] / degrees[*from];
            }
            let moved: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
            ranks = next;
            if moved < 1e-14 {
                return self.names.values().map(String::as_str).zip(ranks).collect();
            }
        }
    }

    #[track_caller]
    fn compare(&self, found: &BTreeMap<String, f64>) {
        let expected = self.ranks();
        assert_eq!(found.len(), expected.len());
        for (name, score) in found {
            let wanted = expected[name.as_str()];
            assert!((score - wanted).abs() < 1e-10, "{name}: {score} is not {wanted}");
        }
    }
}

/// Reads lines of two words under a heading.
fn pairs(path: &PathBuf) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let pair = |line: &str| {
        let (first, second) = line.trim().split_once(' ').unwrap();
        (first.parse().unwrap(), second.to_owned())
    };
    text.lines().skip(1).map(pair).collect()
}

/// Reads the GML of one file that has a key and its value on each line.
fn gml(path: &PathBuf) -> ByTheBook {
    let text = fs::read_to_string(path).unwrap();
    let mut graph = ByTheBook { names: BTreeMap::new(), arcs: BTreeSet::new() };
    let (mut id, mut source) = (0, 0);
    for line in text.lines() {
        match line.trim().split_once(' ') {
            Some(("id", number)) => id = number.parse().unwrap(),
            Some(("label", name)) => {
                // Blanks at the end are no part of a name; one has an ampersand, as GML writes it.
                let name = name.trim_matches('"').trim().replace("&#38;", "&");
                graph.names.insert(id, name);
            }
            // Of a node it is a text: where it was found.
            Some(("source", number)) => source = number.parse().unwrap_or(0),
            Some(("target", number)) => {
                graph.arcs.insert((source, number.parse().unwrap()));
            }
            _ => {}
        }
    }
    graph
}

#[test]
fn the_home_page_of_a_college_is_on_top() {
    let Some(pack) = pack("graphs/hollins-dat") else { return };
    let (arcs, names) = (pack.join("hollins.dat"), pack.join("links.dat"));
    let by_the_book = ByTheBook {
        names: pairs(&names).into_iter().collect(),
        arcs: pairs(&arcs).into_iter().map(|(from, to)| (from, to.parse().unwrap())).collect(),
    };
    let names = names.to_str().unwrap();
    let output = on_file(&arcs, "pagerank", &["--names", names, "--all", "--json"]);
    says(&output, 0, "converged after");
    let first = String::from_utf8(output.stdout.clone()).unwrap();
    let first = first.lines().next().unwrap();
    assert!(
        first.starts_with(r#"{"node":"http://www.hollins.edu/","score":0.01987875"#),
        "{first}"
    );
    let found = scores(&output);
    assert_eq!(found.len(), 6_012);
    let expected = [
        ("http://www.hollins.edu/", 0.019878750637882896),
        ("http://www.hollins.edu/admissions/visit/visit.htm", 0.009287620279788994),
        ("http://www.hollins.edu/about/about_tour.htm", 0.00861039296188827),
        (
            "http://www1.hollins.edu/registrar/Catalogs/Graduate%20Catalog%202003-04.pdf",
            0.00018043089369975247,
        ),
        ("http://www.hollins.edu/academics/library/libtoc.htm", 5.8058415018518716e-05),
    ];
    compare(&found, &expected, 0.0014810668344831881);
    by_the_book.compare(&found);
}

#[test]
fn political_blogs_are_ranked_as_others_rank_them() {
    let Some(pack) = pack("graphs/polblogs") else { return };
    let path = pack.join("polblogs.gml");
    let output = on_file(&path, "pagerank", &["--all", "--json"]);
    says(&output, 0, "converged after");
    let found = scores(&output);
    assert_eq!(found.len(), 1_490);
    let expected = [
        ("dailykos.com", 0.017906956878424127),
        ("atrios.blogspot.com", 0.015197967705272245),
        ("instapundit.com", 0.012567547037008278),
        ("offthekuff.com/mt", 0.00230705673268928),
        ("zeph1z.tripod.com/blog", 0.00018744233226229768),
    ];
    compare(&found, &expected, 0.003454286143878617);
    gml(&path).compare(&found);
    let output = on_file(&path, "stats", &["--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&stats["arcs"], &stats["self_loops"]), (&19_015.into(), &3.into()));
    assert_eq!(stats["dead_ends"], 426);
}

/// All 144 steps to 1e-12 agree with scipy to 4e-14 (docs/graph.md); twenty are enough to see it.
#[test]
fn a_crawl_of_a_national_research_council_is_ranked_as_scipy_ranks_it() {
    let Some(pack) = pack("graphs/cnr-2000") else { return };
    let path = pack.join("cnr-2000");
    let output = on_file(&path, "pagerank", &["--all", "--json", "--iterations", "20"]);
    says(&output, 0, "not converged after 20 steps; the last moved 1.5e-3 (L1)");
    let found = scores(&output);
    assert_eq!(found.len(), 325_557);
    let expected = [
        ("60595", 0.017639448319284753),
        ("60597", 0.017639448319284753),
        ("285152", 0.00745458445259802),
        ("35822", 6.57229958267834e-05),
        ("191277", 1.8092384164606313e-06),
        ("0", 1.303542590428449e-06),
        ("325556", 1.0223002464643093e-06),
    ];
    compare(&found, &expected, 0.0010266501992693268);
}

#[test]
fn webs_of_readers_have_no_spam_structures() {
    let Some(pack) = pack("graphs") else { return };
    let (college, names) =
        (pack.join("hollins-dat/hollins.dat"), pack.join("hollins-dat/links.dat"));
    let names = names.to_str().unwrap();
    says(&on_file(&college, "spam", &["--names", names]), 1, "no spam was found");
    says(&on_file(&pack.join("polblogs/polblogs.gml"), "spam", &[]), 1, "no spam was found");
}
