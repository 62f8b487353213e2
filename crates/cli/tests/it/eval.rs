//! `lookfar eval` as people use it: a small test collection, its files, and what is said of bad ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::run::{self, output, pack, text};

/// Runs to the end and asserts the exit code.
#[track_caller]
fn expect(dir: &Path, code: i32, arguments: &[&str]) -> Output {
    let output = output(dir, arguments);
    run::expect(&output, code);
    output
}

/// Imports documents and returns the collection with files beside it.
fn collection(folder: &Path) -> PathBuf {
    let docs = [
        r#"{"id": "d 1", "title": "Jaguars", "text": "The jaguar is a cat of the new world."}"#,
        r#"{"id": "d2", "title": "Cars", "text": "A car with a new engine, made in England."}"#,
        r#"{"id": "d3", "title": "Cats", "text": "A cat sleeps on the mat all day long."}"#,
        r#"{"id": "d4", "title": "Rain", "text": "In the mountains it rains for weeks."}"#,
    ];
    let queries = "<top>\n<num> Number: 1\n<title> NOT the jaguar cat?\n</top>\n\
                   <top><num>2<title>new engines</top>\n<top><num>3<title>snow</top>\n\
                   <top><num>4<title>unjudged rain</top>\n";
    fs::write(folder.join("docs.jsonl"), docs.join("\n")).unwrap();
    fs::write(folder.join("q"), queries).unwrap();
    fs::write(folder.join("r"), "1 0 d3 1\n2 0 d2 1\n2 0 d4 -1\n3 0 d4 1\n4 0 d1 0\n").unwrap();
    // Blanks part the columns of TREC, so an id with one in it is judged in the other form.
    fs::write(folder.join("r.tsv"), "query_id\tdoc_id\trel\n1\td 1\t1\n2\td2\t1\n").unwrap();
    let dir = folder.join("c");
    let docs = folder.join("docs.jsonl");
    let url = "http://set.example/";
    expect(&dir, 0, &["import", "jsonl", docs.to_str().unwrap(), "--url", url]);
    dir
}

fn eval(folder: &Path, dir: &Path, qrels: &str, options: &[&str]) -> String {
    let (queries, qrels) = (folder.join("q"), folder.join(qrels));
    let mut line = vec!["eval", "--queries", queries.to_str().unwrap()];
    line.extend(["--qrels", qrels.to_str().unwrap()]);
    line.extend(options);
    text(&expect(dir, 0, &line).stdout)
}

#[test]
fn measures_are_printed_one_per_line() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    // Query 1 finds the jaguar first and the cat second, 2 the car, 3 nothing; 4 is left out.
    let expected = "MAP 0.5000\nnDCG@10 0.5436\nP@10 0.0667\nMRR@10 0.5000\nrecall@100 0.6667\n";
    assert_eq!(eval(folder.path(), &dir, "r", &[]), expected);
    for model in ["bm25", "tfidf", "tfidf-log", "cosine", "lookfar,k1=0.9,letters=0"] {
        assert_eq!(eval(folder.path(), &dir, "r", &["--model", model]), expected, "{model}");
    }
    let found = eval(folder.path(), &dir, "r.tsv", &["--url", "http://set.example"]);
    assert!(found.starts_with("MAP 1.0000\n"), "{found}");
    let found = eval(folder.path(), &dir, "r.tsv", &["--url", "http://other.example"]);
    assert!(found.starts_with("MAP 0.0000\n"), "{found}");
}

#[test]
fn what_a_search_answers_is_measured_too() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    // Query 1 has all its words in the jaguar's page alone, so the cat's is no answer; `NOT` is a
    // word there. Query 2 has them in the car's. Nothing has snow.
    let expected = "MAP 0.3333\nnDCG@10 0.3333\nP@10 0.0333\nMRR@10 0.3333\nrecall@100 0.3333\n";
    assert_eq!(eval(folder.path(), &dir, "r", &["--as-searched"]), expected);
    // No page has rain and cats: those that have one of the two are better than nothing.
    fs::write(folder.path().join("q"), "1\train -cat\n").unwrap();
    fs::write(folder.path().join("r"), "1 0 d3 1\n1 0 d4 1\n").unwrap();
    let found = eval(folder.path(), &dir, "r", &["--as-searched"]);
    assert!(found.ends_with("recall@100 1.0000\n"), "{found}");
    // As typed, no cat is wanted, and every page has an address.
    fs::write(folder.path().join("r"), "1 0 http://set.example/d4 1\n").unwrap();
    let found = eval(folder.path(), &dir, "r", &["--as-typed", "--addresses"]);
    assert!(found.starts_with("MAP 1.0000\n"), "{found}");
    fs::write(folder.path().join("r"), "1 0 d3 1\n1 0 d4 1\n").unwrap();
    let (queries, qrels) = (folder.path().join("q"), folder.path().join("r"));
    let line = ["eval", "--queries", queries.to_str().unwrap(), "--qrels", qrels.to_str().unwrap()];
    let said = text(&expect(&dir, 2, &[&line[..], &["--topic", "news"]].concat()).stderr);
    assert!(said.contains("--as-typed"), "{said}");
    let line = [&line[..], &["--topic", "news", "--as-searched"]].concat();
    let said = text(&expect(&dir, 2, &line).stderr);
    assert!(said.contains("news"), "{said}");
    // The other models are asked as ever.
    let found = eval(folder.path(), &dir, "r", &["--as-searched", "--model", "bm25"]);
    assert_eq!(found, eval(folder.path(), &dir, "r", &["--model", "bm25"]));
}

#[test]
fn runs_are_written_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let (run, each) = (folder.path().join("run"), folder.path().join("each"));
    let (run, each) = (run.to_str().unwrap(), each.to_str().unwrap());
    let options = ["--model", "tfidf", "--run", run, "--per-query", each, "--compare", "cosine"];
    let said = eval(folder.path(), &dir, "r", &options);
    let compared: Vec<&str> = said.lines().filter(|line| line.starts_with("compare ")).collect();
    assert_eq!(compared.len(), 5, "{said}");
    assert_eq!(compared[0], "compare MAP 0.5000 0.5000 +0.0000 p=1.0000 better=0 worse=0 same=3");
    let run = fs::read_to_string(run).unwrap();
    let columns: Vec<Vec<&str>> = run.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(columns[0][..4], ["1", "Q0", "d_1", "1"]);
    assert_eq!(columns[1][..4], ["1", "Q0", "d3", "2"]);
    assert!(columns.iter().all(|columns| columns.len() == 6 && columns[5] == "tfidf"), "{run}");
    let each = fs::read_to_string(each).unwrap();
    assert!(
        each.starts_with("query\tMAP\tnDCG@10\tP@10\tMRR@10\trecall@100\n1\t0.5000\t"),
        "{each}"
    );
    assert_eq!(each.lines().count(), 4);
}

#[test]
fn files_that_cannot_be_judged_by_are_named_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    fs::write(folder.path().join("bad"), "1 0 d1 1\n1 0 d2 much\n").unwrap();
    fs::write(folder.path().join("none"), "9 0 d1 1\n").unwrap();
    let queries = folder.path().join("q");
    for (qrels, model, expected) in [
        ("bad", "lookfar", "bad`: `much` is not a grade"),
        ("none", "lookfar", "none of 4 queries has a relevant document in"),
        ("missing", "lookfar", "cannot open `"),
        ("r", "best", "no model `best`; there are lookfar, bm25"),
        ("r", "lookfar,k9=1", "no weight `k9`; there are k1, b"),
        ("r", "lookfar,b=2", "weight `b` must be between 0 and 1, not 2"),
    ] {
        let qrels = folder.path().join(qrels);
        let (queries, qrels) = (queries.to_str().unwrap(), qrels.to_str().unwrap());
        let line = ["eval", "--queries", queries, "--qrels", qrels, "--model", model];
        let said = text(&expect(&dir, 2, &line).stderr);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_search_explains_itself_and_takes_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let said = text(&expect(&dir, 0, &["search", "jaguar", "--explain"]).stdout);
    assert!(said.contains(" %  ") && said.contains("text: how often the text says"), "{said}");
    // What counted nothing is told too, with what was measured and its weight.
    let nothing = said.lines().find(|line| line.contains("counted nothing: ")).unwrap();
    assert!(nothing.contains("address 0.000 × 0.2") && nothing.contains("spam 0.000 × "), "{said}");
    let line = ["search", "jaguar zebra", "--explain", "--json", "--model", "tfidf"];
    let said = text(&expect(&dir, 0, &line).stdout);
    let hit: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(hit["parts"][0]["name"], "tfidf");
    assert_eq!(hit["parts"][0]["value"], hit["score"]);
    let word = hit["remarks"][0].as_str().unwrap();
    assert!(word.starts_with("jaguar: tf ") && word.contains(" × idf "), "{word}");
    assert_eq!(output(&dir, &["search", "zebra", "--model", "bm25"]).status.code(), Some(1));
}

#[test]
fn a_strategy_says_what_it_touched_and_what_it_missed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    for (strategy, is_exact) in [
        ("exhaustive", true),
        ("block-max", true),
        ("threshold", true),
        ("champions", false),
        ("clusters", false),
        ("tiers", false),
    ] {
        let line = ["search", "cat new", "--strategy", strategy];
        let told = text(&expect(&dir, 0, &line).stderr);
        assert!(told.contains(&format!("first stage by {strategy}: ")), "{told}");
        assert!(told.contains(" postings read") && !told.contains("not counted"), "{told}");
        assert_eq!(told.contains("recall@10 1.00"), !is_exact, "{told}");
        let line = ["search", "cat new", "--json", "--strategy", strategy];
        let found = text(&expect(&dir, 0, &line).stdout);
        let hit: serde_json::Value = serde_json::from_str(found.lines().next().unwrap()).unwrap();
        assert_eq!(hit["first_stage"]["strategy"], strategy, "{hit}");
        assert!(hit["first_stage"]["postings"].as_u64().unwrap() > 0, "{hit}");
        assert_eq!(hit["first_stage"]["recall@10"].as_f64(), (!is_exact).then_some(1.0), "{hit}");
    }
    // Nothing is said of what nobody has asked for, and nothing is passed over in silence.
    assert!(!text(&expect(&dir, 0, &["search", "cat", "--json"]).stdout).contains("first_stage"));
    let line = ["search", "cat", "--strategy", "tiers", "--model", "tfidf"];
    let told = text(&expect(&dir, 2, &line).stderr);
    assert!(told.contains("`--strategy` is for the model lookfar: tfidf looks at"), "{told}");
}

/// The smallest of the shared sets; `cargo xtask eval` does all.
#[test]
fn the_default_is_better_than_plain_bm25_on_a_real_set() {
    let Some(set) = pack("sets/adi") else { return };
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let path = |name: &str| set.join(name).to_str().unwrap().to_owned();
    expect(&dir, 0, &["import", "jsonl", &path("docs.jsonl"), "--url", "http://adi.example/"]);
    let (queries, qrels) = (path("queries.jsonl"), path("qrels.tsv"));
    let map = |model: &str| -> f64 {
        let line = ["eval", "--queries", &queries, "--qrels", &qrels, "--model", model];
        let said = text(&expect(&dir, 0, &line).stdout);
        said.lines().next().unwrap().strip_prefix("MAP ").unwrap().parse().unwrap()
    };
    let (plain, ours) = (map("bm25"), map("lookfar"));
    // A plain BM25 of others has .400.
    assert!(plain > 0.39 && ours > 0.40 && ours > plain, "{plain} {ours}");
}
