//! A thousand hostile pages in a row leave nothing behind in memory.

use std::env;
use std::process::Command;

use super::page;

/// Set where the test runs alone in a process of its own: what other tests of this binary do at
/// the same time would be measured otherwise.
const ALONE: &str = "LOOKFAR_TEST_ALONE";
const NAME: &str = "memory::a_thousand_hostile_pages_do_not_grow_the_process";

/// How much the process may grow: a fourth of what the pages weigh.
const SLACK: usize = 2 << 20;

#[test]
fn a_thousand_hostile_pages_do_not_grow_the_process() {
    if !cfg!(target_os = "linux") {
        println!("skipped: memory is measured on Linux only");
        return;
    }
    if env::var_os(ALONE).is_none() {
        let this = env::current_exe().unwrap();
        let child =
            Command::new(this).args(["--exact", NAME, "--nocapture"]).env(ALONE, "1").output();
        let output = child.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("resident"), "{said}");
        return;
    }
    let read = |round: usize| {
        for kind in 0..hostile(round, 0).1 {
            page(&hostile(round, kind).0);
        }
    };
    // The first rounds grow what the allocator keeps for later.
    (0..10).for_each(read);
    let before = resident();
    (10..10 + 1_000 / hostile(0, 0).1 + 1).for_each(read);
    let after = resident();
    eprintln!("resident before {before}, after {after} bytes");
    assert!(after <= before + SLACK, "{before} bytes became {after}");
}

/// Returns a page that no other round has, and how many kinds there are.
fn hostile(round: usize, kind: usize) -> (String, usize) {
    let unique = |count: usize, form: &dyn Fn(usize) -> String| -> String {
        (0..count).map(|i| form(i + round * count)).collect()
    };
    let pages: [&dyn Fn() -> String; 8] = [
        &|| unique(400, &|i| format!("<x{i} a{i}=b{i}>")),
        &|| format!("{}text", "<div>".repeat(1_500)),
        &|| format!("<p {}>", unique(800, &|i| format!(" name{i}='{i}'"))),
        &|| unique(250, &|i| format!("<a href=/{i}>anchor {i}</a>")),
        &|| format!("<b><i><u>{}", "<p>x".repeat(500)),
        &|| format!("<table>{}", unique(200, &|i| format!("<b>{i}<tr><a>"))),
        &|| unique(300, &|i| format!("<svg><style>{i}<p>&#x{i:x};")),
        &|| format!("<title>{0}</title><!--{0}--><script>{0}", unique(1_000, &|i| i.to_string())),
    ];
    (pages[kind](), pages.len())
}

/// Returns the memory of this process that is really there.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4_096
}
