//! Are our reader and writer of the BV format as fast as the webgraph crate's, and do both write
//! the same bytes?
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench bv [-- --rounds 5 --nodes 1000000]`.
//! Three graphs: a made-up web that copies links, in the order of its addresses; an RMAT graph,
//! numbered at random; and cnr-2000 where `LOOKFAR_DATA` is set. Each is written, read in turn and
//! asked for the lists of random nodes by both in every round; what counts is the CPU time of the
//! thread. The bench prints the ratio of the median rounds: below 1 ours is faster.
//!
//! Fails where the files differ in a byte, or one reads something else of the other's files.
//! `--store FOLDER` writes the files of webgraph that a test of `graph` compares with, and stops.

use std::fs::{self, File};
use std::hint::black_box;
use std::path::{Path, PathBuf};

use dsi_bitstream::prelude::{BE, BufBitWriter, WordAdapter};
use dsi_progress_logger::no_logging;
use graph::bv::{BvGraph, BvWriter};
use rustix::time::{ClockId, clock_gettime};
use webgraph::prelude as theirs;
use webgraph::prelude::{RandomAccessGraph, RandomAccessLabeling, SequentialLabeling};

#[path = "../../../crates/graph/benches/help/copying.rs"]
mod copying;
#[path = "../../../crates/graph/benches/help/random.rs"]
mod random;

use random::Random;

const SEED: u64 = 2_026;
/// Lists that are asked for in any order.
const NUM_ASKED: usize = 1_000_000;
/// How much of a long list is asked for, where only its beginning is.
const FIRST: usize = 10;

fn main() {
    if let Some(folder) = text("--store") {
        let lists = copying::lists(1_000, SEED);
        return write_theirs(&Path::new(&folder).join("copying"), &lists);
    }
    let nodes = u32::try_from(number("--nodes", 1_000_000)).expect("nodes have 32-bit numbers");
    measure("copying", &copying::lists(nodes, SEED), None);
    measure("RMAT", &rmat(nodes, 12 * u64::from(nodes)), None);
    match std::env::var_os("LOOKFAR_DATA") {
        None => println!("cnr-2000: not measured, because LOOKFAR_DATA is not set"),
        Some(data) => {
            let java = PathBuf::from(data).join("graphs/cnr-2000/cnr-2000");
            let lists = read_theirs(&java);
            let mut hasher = crc32fast::Hasher::new();
            for (node, list) in lists.iter().enumerate() {
                for to in list {
                    hasher.update(&(node as u32).to_le_bytes());
                    hasher.update(&to.to_le_bytes());
                }
            }
            println!(
                "cnr-2000: checksum of its arcs as webgraph reads them {:#x}",
                hasher.finalize()
            );
            measure("cnr-2000", &lists, Some(&java));
        }
    }
}

/// What is measured, ours and theirs, in CPU seconds.
#[derive(Default)]
struct Row {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

const WHAT: [&str; 6] = [
    "write, with what finds lists",
    "open",
    "read all in turn",
    "lists of random nodes",
    "the first 10 of their links",
    "how many links they have",
];

fn measure(name: &str, lists: &[Vec<u32>], java: Option<&Path>) {
    let folder = tempfile::tempdir().expect("a folder for the files");
    let (mine, other) = (folder.path().join("ours"), folder.path().join("theirs"));
    let num_arcs: usize = lists.iter().map(Vec::len).sum();
    let mut rows: [Row; WHAT.len()] = Default::default();
    let mut random = Random(SEED);
    let asked: Vec<u32> = (0..NUM_ASKED).map(|_| random.below(lists.len() as u32)).collect();
    for _ in 0..number("--rounds", 5) {
        round(&mut rows, (&mine, &other), lists, &asked);
    }
    for ending in ["graph", "offsets", "properties"] {
        let [ours, theirs] = [&mine, &other].map(|name| bytes(name, ending));
        assert!(ours == theirs, "{name}.{ending} differs");
    }
    assert!(read_theirs(&mine) == lists, "webgraph reads something else of our files");
    assert!(read_ours(&other) == lists, "we read something else of webgraph's files");
    if let Some(java) = java {
        assert!(read_ours(java) == lists, "we read something else of Java's files");
        let (ours, java) = (bytes(&mine, "graph"), bytes(java, "graph"));
        let len = ours.len().min(java.len());
        let is_same = ours[..len] == java[..len];
        println!("{name}: as Java wrote it, byte by byte: {is_same}");
    }
    let bits = 8.0 * bytes(&mine, "graph").len() as f64 / num_arcs as f64;
    let ef = bytes(&other, "ef").len() as f64 / lists.len() as f64;
    println!(
        "\n{name}: {} nodes, {num_arcs} arcs, {bits:.3} bits per arc; webgraph's file of offsets \
         for random access {ef:.2} bytes per node",
        lists.len()
    );
    println!("{:<32} ours, s  webgraph, s  ratio", "");
    for (what, mut row) in WHAT.into_iter().zip(rows) {
        let (ours, theirs) = (middle(&mut row.ours), middle(&mut row.theirs));
        println!("{what:<32} {ours:>7.3} {theirs:>12.3} {:>6.2}", ours / theirs);
    }
}

/// Measures everything once, ours and theirs in turns.
fn round(rows: &mut [Row], (mine, other): (&Path, &Path), lists: &[Vec<u32>], asked: &[u32]) {
    let [write, open, in_turn, random, first, degrees] = rows else { unreachable!() };
    write.ours.push(timed(|| write_ours(mine, lists)).1);
    write.theirs.push(timed(|| write_theirs(other, lists)).1);
    let (ours, seconds) = timed(|| BvGraph::open(mine).expect("we wrote it"));
    open.ours.push(seconds);
    let (theirs, seconds) =
        timed(|| theirs::BvGraph::with_basename(other).load().expect("it wrote it"));
    open.theirs.push(seconds);
    let (sum, seconds) = timed(|| {
        let mut lists = ours.lists(0).expect("it begins");
        let list = |_| total(lists.next_list().expect("it goes on").iter().copied());
        (0..ours.num_nodes()).map(list).sum::<u64>()
    });
    in_turn.ours.push(seconds);
    let (their_sum, seconds) = timed(|| {
        let mut lists = theirs.iter();
        let list = |_| {
            let list = lists.next_successors().expect("it goes on");
            list.iter().map(|to| *to as u64 + 1).sum::<u64>()
        };
        (0..theirs.num_nodes()).map(list).sum::<u64>()
    });
    in_turn.theirs.push(seconds);
    assert_eq!(sum, their_sum);
    for (row, most) in [(random, usize::MAX), (first, FIRST)] {
        let list =
            |node: &u32| total(ours.successors(*node, most).expect("it is there").into_iter());
        let (sum, seconds) = timed(|| asked.iter().map(list).sum::<u64>());
        row.ours.push(seconds);
        let list = |node: &u32| {
            let list = theirs.successors(*node as usize);
            match most {
                usize::MAX => list.map(|to| to as u64 + 1).sum::<u64>(),
                most => list.take(most).map(|to| to as u64 + 1).sum(),
            }
        };
        let (their_sum, seconds) = timed(|| asked.iter().map(list).sum::<u64>());
        row.theirs.push(seconds);
        assert_eq!(sum, their_sum);
    }
    let degree = |node: &u32| ours.degree(*node).expect("it is there");
    let (sum, seconds) = timed(|| asked.iter().map(degree).sum::<usize>());
    degrees.ours.push(seconds);
    let degree = |node: &u32| theirs.outdegree(*node as usize);
    let (their_sum, seconds) = timed(|| asked.iter().map(degree).sum::<usize>());
    degrees.theirs.push(seconds);
    assert_eq!(sum, their_sum);
}

fn total(list: impl Iterator<Item = u32>) -> u64 {
    list.map(|to| u64::from(to) + 1).sum()
}

fn write_ours(basename: &Path, lists: &[Vec<u32>]) {
    let mut writer = BvWriter::create(basename).expect("there is room");
    lists.iter().for_each(|list| writer.push(list).expect("there is room"));
    writer.finish().expect("there is room");
}

/// Writes a graph as Lookfar did when it used the library.
fn write_theirs(basename: &Path, lists: &[Vec<u32>]) {
    let flags = theirs::CompFlags::default();
    let [graph, offsets, ef] = ["graph", "offsets", "ef"].map(|end| basename.with_extension(end));
    let file = |path| std::io::BufWriter::new(File::create(path).expect("there is room"));
    let bits = BufBitWriter::<BE, _>::new(WordAdapter::<usize, _>::new(file(&graph)));
    let encoder = theirs::DynCodesEncoder::new(bits, &flags).expect("the usual codes");
    let gaps = theirs::OffsetsWriter::from_write(file(&offsets), true).expect("there is room");
    let mut writer = theirs::BvComp::new(
        encoder,
        gaps,
        flags.compression_window,
        flags.max_ref_count,
        flags.min_interval_length,
        0,
        (),
    );
    for list in lists {
        let list = list.iter().map(|to| (*to as usize, ()));
        writer.push(list).expect("there is room");
    }
    let stats = writer.flush().expect("there is room");
    let properties = flags.to_properties::<BE>(&stats).expect("the usual codes");
    fs::write(basename.with_extension("properties"), properties).expect("there is room");
    theirs::store_ef_with_data(lists.len(), &graph, &offsets, &ef, no_logging!())
        .expect("there is room");
}

fn read_ours(basename: &Path) -> Vec<Vec<u32>> {
    let graph = BvGraph::open(basename).expect("a graph");
    let mut lists = graph.lists(0).expect("a graph");
    (0..graph.num_nodes()).map(|_| lists.next_list().expect("a list").to_vec()).collect()
}

fn read_theirs(basename: &Path) -> Vec<Vec<u32>> {
    let graph = theirs::BvGraphSeq::with_basename(basename).load().expect("a graph");
    let mut lists = graph.iter();
    let list = |_| {
        let list = lists.next_successors().expect("a list");
        list.iter().map(|to| u32::try_from(*to).expect("few nodes")).collect()
    };
    (0..graph.num_nodes()).map(list).collect()
}

/// Makes an RMAT graph with the weights of the Graph500 benchmark, numbered at random.
fn rmat(num_nodes: u32, num_arcs: u64) -> Vec<Vec<u32>> {
    let mut random = Random(SEED);
    let levels = num_nodes.next_power_of_two().trailing_zeros();
    let mut numbers: Vec<u32> = (0..num_nodes).collect();
    for place in (1..num_nodes).rev() {
        numbers.swap(place as usize, random.below(place + 1) as usize);
    }
    let mut lists = vec![Vec::new(); num_nodes as usize];
    for _ in 0..num_arcs {
        let (mut from, mut to) = (0u32, 0u32);
        for _ in 0..levels {
            let share = random.share();
            let (down, right) = (share >= 0.76, share >= 0.57 && share < 0.76 || share >= 0.95);
            (from, to) = (from << 1 | u32::from(down), to << 1 | u32::from(right));
        }
        if from < num_nodes && to < num_nodes {
            lists[numbers[from as usize] as usize].push(numbers[to as usize]);
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

fn bytes(basename: &Path, ending: &str) -> Vec<u8> {
    fs::read(basename.with_extension(ending)).expect("a file of the graph")
}

/// Returns what a function does, and the CPU time of the thread meanwhile, in seconds.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let began = now();
    let done = black_box(work());
    (done, now() - began)
}

fn middle(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns what stands behind an option on the command line.
fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn number(name: &str, default: u64) -> u64 {
    text(name).map_or(default, |text| text.parse().expect("a number"))
}
