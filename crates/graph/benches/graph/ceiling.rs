//! How much memory does a build hold whose arcs are ten times what it may hold for sorting?
//!
//! A made-up page log of ten times as many bytes of arcs (8 each) as the ceiling: pages of a
//! thousand to a host, twenty links each, half of them to neighbours. A process of its own builds
//! its graph and looks at its memory at every call of the watch. What was allocated counts;
//! files that are mapped are the system's to take back, and told beside it. Some of what is held
//! is by node and no part of the ceiling (see `BuildOptions`).

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use base::pages::Writer;
use base::{ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
use graph::{BuildOptions, Stage, Summary, build};
use serde::{Deserialize, Serialize};

use crate::random::Random;
use crate::{SEED, number, text, usage};

/// Graph to ceiling.
const TIMES: u64 = 10;
const LINKS: u64 = 20;
const PAGES_PER_HOST: u64 = 1_000;
const MIB: u64 = 1 << 20;

/// What a build took.
#[derive(Debug, Serialize, Deserialize)]
struct Built {
    num_nodes: u32,
    num_arcs: u64,
    /// Most that was allocated in each stage, above what was before.
    stages: Vec<(String, u64)>,
    /// Most that was held at all, with mapped files.
    peak: u64,
    cpu_seconds: f64,
}

/// Builds in this process, if that is asked for.
pub(crate) fn carry_out() -> bool {
    let Some(folder) = text("--build-in") else { return false };
    let folder = Path::new(&folder);
    rayon::broadcast(|_| ());
    let before = memory("RssAnon");
    let memory_limit = (number("--ceiling", 16) * MIB) as usize;
    let options = BuildOptions { memory: memory_limit, ..BuildOptions::default() };
    let mut stages: Vec<(Stage, u64)> = Vec::new();
    let cpu = usage::cpu_time();
    let summary = build(&folder.join("pages"), &folder.join("graph"), &options, &mut |progress| {
        let held = memory("RssAnon").saturating_sub(before);
        match stages.last_mut().filter(|(stage, _)| *stage == progress.stage) {
            Some((_, most)) => *most = held.max(*most),
            None => stages.push((progress.stage, held)),
        }
        ControlFlow::Continue(())
    });
    let Summary { num_nodes, num_arcs, .. } = summary.unwrap();
    let built = Built {
        num_nodes,
        num_arcs,
        stages: stages.into_iter().map(|(stage, held)| (format!("{stage:?}"), held)).collect(),
        peak: memory("VmHWM"),
        cpu_seconds: (usage::cpu_time() - cpu).as_secs_f64(),
    };
    println!("{}", serde_json::to_string(&built).unwrap());
    true
}

/// Writes the log, has it built, and prints what that took.
pub(crate) fn measure() {
    let ceiling = number("--ceiling", 16) * MIB;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    write_log(&folder.path().join("pages"), TIMES * ceiling / 8 / LINKS);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--build-in", folder.path().to_str().unwrap()]);
    command.args(["--ceiling", &(ceiling / MIB).to_string()]).stdout(Stdio::piped());
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "the build failed");
    let built: Built = serde_json::from_slice(&output.stdout).unwrap();
    let mib = |bytes: u64| bytes as f64 / MIB as f64;
    println!(
        "\nbuilt with a ceiling of {:.0} MiB: {} nodes, {} arcs, {:.0} MiB of them, {:.1} CPU-s",
        mib(ceiling),
        built.num_nodes,
        built.num_arcs,
        mib(8 * built.num_arcs),
        built.cpu_seconds,
    );
    println!("stage      MiB allocated at most  of the ceiling  bytes per node");
    let per_node = |held: u64| held as f64 / f64::from(built.num_nodes.max(1));
    for (stage, held) in &built.stages {
        let share = *held as f64 / ceiling as f64;
        println!("{stage:<10} {:>21.1} {share:>15.2} {:>15.1}", mib(*held), per_node(*held));
    }
    println!("held at most, with mapped files and the program: {:.1} MiB", mib(built.peak));
}

fn write_log(folder: &Path, num_pages: u64) {
    let mut random = Random(SEED);
    let mut writer = Writer::open(folder).unwrap();
    for index in 0..num_pages {
        let link = |number: u64| {
            let drawn = u64::from(random.below(num_pages as u32));
            let target = match number % 2 {
                0 => (index + drawn % 50) % num_pages,
                _ => drawn,
            };
            let (kind, rel, anchor) = (LinkKind::Anchor, Rel::default(), String::new());
            Link { target: url(target), kind, rel, anchor }
        };
        let links = (0..LINKS).map(link).collect();
        let id = PageId::new(0, index).unwrap();
        let time = Timestamp::from_millis(1_763_285_400_000);
        let record = PageRecord::new(id, url(index), time, 200);
        writer.append(&PageRecord { kind: ContentKind::Html, links, ..record }).unwrap();
    }
    writer.sync().unwrap();
}

fn url(page: u64) -> Url {
    let host = page / PAGES_PER_HOST;
    Url::parse(&format!("http://h{host}.example/some/folder/page-{page}.html")).unwrap()
}

/// Returns a number of bytes that the system tells of this process.
fn memory(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
    1_024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}
