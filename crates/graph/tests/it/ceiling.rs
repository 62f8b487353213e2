//! A build obeys the ceiling of its memory: in a process that may take little more.

use std::path::Path;
use std::process::Command;

use base::PageRecord;
use graph::{BuildOptions, InLinks, Node, PageRankOptions, build, pagerank};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::web::{append, go_on, page};

/// The ceiling that is asked for.
const CEILING: usize = 2 << 20;
/// What a process takes beside it: buffers of runs and of files, some bytes per node, a few lists.
const BESIDE: u64 = 12 << 20;
/// The folder that a child works in, and the ceiling that it is told.
const TASK: &str = "LOOKFAR_TEST_BUILD";
const TOLD: &str = "LOOKFAR_TEST_CEILING";

const PAGES: u64 = 6_000;
const LINKS: u64 = 25;

/// Builds a graph in a process that may not take more than [`CEILING`] and [`BESIDE`].
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_with_a_ceiling() {
    let (Some(folder), Ok(told)) = (std::env::var_os(TASK), std::env::var(TOLD)) else { return };
    let folder = Path::new(&folder);
    // The stacks of the threads that sort are there before anything is counted.
    let links = InLinks::from_arcs(2, [(Node(0), Node(1))]).unwrap();
    pagerank(&links, &PageRankOptions::default()).unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let data = status.lines().find_map(|line| line.strip_prefix("VmData:")).unwrap();
    let data: u64 = data.trim().trim_end_matches(" kB").parse().unwrap();
    let most = data * 1024 + CEILING as u64 + BESIDE;
    setrlimit(Resource::Data, Rlimit { current: Some(most), maximum: None }).unwrap();
    let options = BuildOptions { memory: told.parse().unwrap(), ..BuildOptions::default() };
    let (pages, place) = (folder.join("pages"), folder.join("graph"));
    let summary = build(&pages, &place, &options, &mut go_on).unwrap();
    println!("\nbuilt {} {}", summary.num_nodes, summary.num_arcs);
}

/// Returns a long address: what is sorted first are addresses.
fn address(number: u64) -> String {
    format!("http://h{}.example/{}/{number}.html", number % 40, "a-long-way-down/".repeat(11))
}

#[test]
fn a_process_that_builds_a_graph_obeys_the_ceiling_of_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let record = |number: u64| -> PageRecord {
        // Spread over all pages, no two the same, and never the page itself.
        let target = |place: u64| address((number + 1 + place * 239) % PAGES);
        let targets: Vec<String> = (0..LINKS).map(target).collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        page(number, &address(number), &targets)
    };
    append(&folder.path().join("pages"), &(0..PAGES).map(record).collect::<Vec<_>>());
    let is_built = |ceiling: usize| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["ceiling::task_of_a_child_with_a_ceiling", "--exact", "--ignored"]);
        command.arg("--nocapture").env(TASK, folder.path()).env(TOLD, ceiling.to_string());
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = format!("\nbuilt {PAGES} {}\n", PAGES * LINKS);
        output.status.success() && text.contains(&told)
    };
    assert!(is_built(CEILING), "more was taken than the ceiling and a little");
    // With a ceiling that is no ceiling, the same links take more than that.
    assert!(!is_built(512 * CEILING), "nothing was shown");
}
