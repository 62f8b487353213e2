//! `--json`: one object per line on stdout, nothing else there.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use testweb::{Script, Web};

use crate::run::{collection, expect, output, text};

/// Returns the objects, and asserts that there is nothing else.
#[track_caller]
fn objects(output: &Output) -> Vec<Value> {
    let said = text(&output.stdout);
    let parse = |line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| panic!("{said}"));
    let objects: Vec<Value> = said.lines().map(parse).collect();
    assert!(objects.iter().all(Value::is_object), "{said}");
    objects
}

#[track_caller]
fn one(dir: &Path, arguments: &[&str]) -> Value {
    let output = output(dir, arguments);
    expect(&output, 0);
    let mut objects = objects(&output);
    assert_eq!(objects.len(), 1, "{}", text(&output.stdout));
    objects.remove(0)
}

#[test]
fn a_crawl_tells_its_numbers_when_it_has_ended() {
    let site = Script::new("a.lookfar").page("/", "<a href=/b>b</a> one").page("/b", "two");
    let web = Web::new().site(site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "delay = \"1ms\"");
    let arguments = ["crawl", "--until-idle", "--json", "http://a.lookfar/"];
    let told = one(folder.path(), &arguments);
    assert_eq!(told["pages_fetched"], 2, "{told}");
    assert_eq!(told["is_crawling"], false);
    for command in ["pause", "resume", "stop"] {
        let output = output(folder.path(), &[command, "--json"]);
        expect(&output, 1);
        assert_eq!(objects(&output), [serde_json::json!({ "is_crawling": false })]);
    }
    let read = one(folder.path(), &["reparse", "--json"]);
    assert_eq!((&read["read"], &read["documents"]), (&2.into(), &2.into()), "{read}");
}

#[test]
fn import_check_and_eval_tell_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let docs = write(
        "docs.jsonl",
        "{\"id\":\"1\",\"text\":\"penguin\"}\n{\"id\":\"2\",\"text\":\"albatross\"}\nnonsense\n",
    );
    let import = ["import", "jsonl", &docs, "--url=http://a.example/", "--json"];
    let told = one(&dir, &import);
    assert_eq!((&told["imported"], &told["broken"]), (&2.into(), &1.into()), "{told}");
    assert_eq!(told["documents"], 2);

    let output = output(&dir, &["check", "--json"]);
    expect(&output, 0);
    let parts = objects(&output);
    assert!(parts.iter().any(|part| part["part"] == "archive" && part["ok"] == true), "{parts:?}");
    assert_eq!(parts.last().unwrap()["problems"], 0);

    let queries = write("queries.tsv", "q1\tpenguin\n");
    let verdicts = write("qrels.tsv", "q1\t1\t1\n");
    let queries = format!("--queries={queries}");
    let verdicts = format!("--qrels={verdicts}");
    let told = one(&dir, &["eval", &queries, &verdicts, "--json"]);
    assert_eq!(told["measures"]["MRR@10"], 1.0, "{told}");
    let both = crate::run::output(&dir, &["eval", &queries, &verdicts, "--compare=bm25", "--json"]);
    expect(&both, 0);
    assert_eq!(objects(&both)[1]["difference"], 0.0);
}

#[test]
fn a_damaged_part_is_told_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs.jsonl");
    fs::write(&docs, "{\"id\":\"1\",\"text\":\"penguin\"}\n").unwrap();
    let dir = folder.path().join("c");
    let import = ["import", "jsonl", docs.to_str().unwrap(), "--url=http://a.example/"];
    expect(&output(&dir, &import), 0);
    let warc = dir.join("archive/0000001.warc.gz");
    let mut bytes = fs::read(&warc).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&warc, bytes).unwrap();
    let output = output(&dir, &["check", "--json"]);
    expect(&output, 1);
    let parts = objects(&output);
    assert!(parts.iter().any(|part| part["part"] == "archive" && part["ok"] == false), "{parts:?}");
    assert!(parts.last().unwrap()["problems"].as_u64().unwrap() > 0);
}
