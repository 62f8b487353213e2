//! What is written reads back, is what others write, and does no harm when it is damaged.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::bits::{BitReader, Code};
use super::decode;
use super::properties::{Codes, Parameters, Properties};
use super::*;

#[path = "../../benches/help/copying.rs"]
mod copying;
#[allow(dead_code, reason = "shared with benches that use all of it")]
#[path = "../../benches/help/random.rs"]
mod random;

const ENDINGS: [&str; 3] = ["graph", "offsets", "properties"];

fn write(basename: &Path, parameters: Parameters, lists: &[Vec<u32>]) -> Written {
    let mut writer = BvWriter::with(basename, parameters).unwrap();
    lists.iter().for_each(|list| writer.push(list).unwrap());
    writer.finish().unwrap()
}

fn bytes(basename: &Path) -> [Vec<u8>; 3] {
    ENDINGS.map(|ending| fs::read(basename.with_extension(ending)).unwrap())
}

/// Reads all lists in turn.
fn read(basename: &Path) -> Vec<Vec<u32>> {
    let graph = BvGraph::open(basename).unwrap();
    let mut lists = graph.lists(0).unwrap();
    let all = (0..graph.num_nodes()).map(|_| lists.next_list().unwrap().to_vec()).collect();
    assert!(lists.next_list().unwrap().is_empty(), "behind the last");
    all
}

/// Reads whatever can be read, in every way.
fn read_all(basename: &Path) -> Result<(), crate::Error> {
    let graph = BvGraph::open(basename)?;
    let mut whole = Ok(());
    for node in 0..=graph.num_nodes() {
        let (all, first) = (graph.successors(node, usize::MAX), graph.successors(node, 3));
        if let (Ok(all), Ok(first)) = (&all, &first) {
            assert!(all.is_sorted_by(|a, b| a < b));
            assert!(all.iter().all(|to| *to < graph.num_nodes()));
            assert_eq!(first[..], all[..all.len().min(3)]);
        }
        if node < graph.num_nodes() {
            whole = whole.and(all.map(drop)).and(graph.degree(node).map(drop));
        }
        let mut lists = graph.lists(node);
        while let Ok(list) = lists.as_mut().map(BvLists::next_list) {
            match list {
                Ok([]) | Err(_) => break,
                Ok(list) => assert!(list.is_sorted_by(|a, b| a < b)),
            }
        }
    }
    whole
}

#[test]
fn what_the_webgraph_crate_wrote_is_written_again_byte_by_byte() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("again");
    for stored in [
        "bv/copying",
        "generation-v1/graph/forward",
        "generation-v1/graph/transpose",
        "generation-v2/graph/forward",
        "generation-v2/graph/transpose",
        "generation-v2/graph/nofollow",
    ] {
        let stored = data.join(stored);
        let written = write(&again, Parameters::default(), &read(&stored));
        let [stored, again] = [bytes(&stored), bytes(&again)];
        assert!(stored == again, "{written:?}");
    }
    // The larger one is made up, so what it holds is known without reading it.
    let lists = copying::lists(1_000, 2_026);
    assert!(read(&data.join("bv/copying")) == lists);
    assert!(lists.iter().map(Vec::len).sum::<usize>() > 8_000);
}

#[test]
fn lists_are_written_as_the_paper_draws_them() {
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("x");
    // γ of the degree, unary reference, then blocks, intervals, ζ₃ residuals.
    let lists = [vec![1, 2, 3, 4, 9], vec![1, 2, 3, 4, 9], vec![], vec![2]];
    let lists: Vec<Vec<u32>> = lists.into_iter().chain(vec![vec![]; 6]).collect();
    let written = write(&basename, Parameters::default(), &lists);
    assert_eq!(written, Written { num_arcs: 11, bits: 45 });
    let [graph, offsets, _] = bytes(&basename);
    let text = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:08b}")).collect::<String>();
    let first = "00110 1 010 011 1 01010011".replace(' ', "");
    let second = "00110 01 1".replace(' ', "");
    let rest = "1 010 1 1 1010 111111".replace(' ', "");
    assert_eq!(text(&graph)[..45], first + &second + &rest);
    assert_eq!(graph.len() % 8, 0);
    // γ of 0, 21, 8, 1, 9 and six times 1.
    let gaps = "1 000010110 0001001 010 0001010 010010010010010010".replace(' ', "");
    assert_eq!(text(&offsets)[..gaps.len()], gaps);
}

#[test]
fn an_empty_graph_and_one_without_arcs_are_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("x");
    for lists in [vec![], vec![vec![]; 40]] {
        write(&basename, Parameters::default(), &lists);
        assert_eq!(read(&basename), lists);
        assert!(BvGraph::open(&basename).unwrap().successors(40, 1).is_err());
    }
}

/// A graph with references, blocks, intervals and residuals, small enough to damage every bit.
fn small(folder: &Path) -> (PathBuf, [Vec<u8>; 3]) {
    let basename = folder.join("x");
    let lists = copying::lists(40, 7);
    write(&basename, Parameters::default(), &lists);
    let bytes = bytes(&basename);
    (basename, bytes)
}

#[test]
fn files_cut_anywhere_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (basename, whole) = small(folder.path());
    read_all(&basename).unwrap();
    for (ending, bytes) in ENDINGS.into_iter().zip(&whole) {
        let path = basename.with_extension(ending);
        // Of the streams, a word is filled up.
        let padding = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        for len in 0..bytes.len() - padding {
            fs::write(&path, &bytes[..len]).unwrap();
            let found = read_all(&basename);
            // The last lines of the properties say what is usual.
            assert!(found.is_err() || ending == "properties" && len > 100, "{ending} cut at {len}");
        }
        fs::write(&path, bytes).unwrap();
    }
    read_all(&basename).unwrap();
}

#[test]
fn flipped_bits_are_an_error_or_another_graph() {
    let folder = tempfile::tempdir().unwrap();
    let (basename, whole) = small(folder.path());
    for (ending, bytes) in ENDINGS.into_iter().zip(&whole) {
        let path = basename.with_extension(ending);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            drop(read_all(&basename));
        }
        fs::write(&path, bytes).unwrap();
    }
}

#[test]
fn a_chain_longer_than_the_properties_say_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("x");
    let lists = vec![(0..9).chain([20, 30]).collect::<Vec<u32>>(); 40];
    write(&basename, Parameters { max_chain: 40, ..Parameters::default() }, &lists);
    assert_eq!(read(&basename), lists);
    let graph = BvGraph::open(&basename).unwrap();
    assert_eq!(graph.successors(39, usize::MAX).unwrap(), lists[39]);
    let path = basename.with_extension("properties");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("maxrefcount=40", "maxrefcount=5")).unwrap();
    let graph = BvGraph::open(&basename).unwrap();
    assert_eq!(graph.successors(5, usize::MAX).unwrap(), lists[5]);
    let error = graph.successors(6, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("the links of node 6 are not readable"), "{error}");
}

#[test]
fn a_file_that_was_cut_while_it_was_open_is_not_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (basename, whole) = small(folder.path());
    let graph = BvGraph::open(&basename).unwrap();
    assert!(graph.is_whole());
    let file = fs::File::options().write(true).open(basename.with_extension("graph")).unwrap();
    file.set_len(whole[0].len() as u64 / 2).unwrap();
    assert!(!graph.is_whole());
    // Within the page that is left there are zeros.
    assert!(graph.successors(graph.num_nodes() - 1, usize::MAX).is_err());
}

fn code() -> impl Strategy<Value = Code> {
    let zeta = (1..=16u32).prop_map(Code::Zeta);
    prop_oneof![Just(Code::Unary), Just(Code::Gamma), Just(Code::Delta), zeta]
}

fn parameters() -> impl Strategy<Value = Parameters> {
    let codes = (code(), code(), code(), code(), code());
    let codes = codes.prop_map(|(degree, reference, block, interval, residual)| Codes {
        degree,
        reference,
        block,
        interval,
        residual,
    });
    let any = (0..10u32, 0..5u32, 0..6u32, codes);
    let any = any.prop_map(|(window, max_chain, min_interval, codes)| Parameters {
        window,
        max_chain,
        min_interval,
        codes,
    });
    prop_oneof![Just(Parameters::default()), any]
}

fn graph() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let copying = (1..120u32, any::<u64>()).prop_map(|(nodes, seed)| copying::lists(nodes, seed));
    let list = prop::collection::btree_set(0..30u32, 0..30);
    let list = list.prop_map(|list| list.into_iter().collect());
    prop_oneof![copying, prop::collection::vec(list, 30)]
}

proptest! {
    #[test]
    fn what_is_written_reads_back_in_every_way(
        parameters in parameters(),
        lists in graph(),
        from in any::<prop::sample::Index>(),
        most in 0..12usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let basename = folder.path().join("x");
        let written = write(&basename, parameters.clone(), &lists);
        prop_assert_eq!(written.num_arcs, lists.iter().map(Vec::len).sum::<usize>() as u64);
        let properties = Properties::open(&basename.with_extension("properties")).unwrap();
        prop_assert_eq!(&properties.parameters, &parameters);
        prop_assert_eq!(read(&basename), lists.clone());
        let stream = fs::read(basename.with_extension("graph")).unwrap();
        let mut in_turn = decode::Lists::new(&properties, BitReader::new(&stream));
        for list in &lists {
            prop_assert_eq!(in_turn.next(u64::MAX), Some(&**list));
        }
        prop_assert_eq!(in_turn.position(), written.bits);
        let graph = BvGraph::open(&basename).unwrap();
        prop_assert_eq!(graph.num_arcs(), written.num_arcs);
        for (node, list) in (0u32..).zip(&lists) {
            prop_assert_eq!(&graph.successors(node, usize::MAX).unwrap(), list);
            prop_assert_eq!(&graph.successors(node, most).unwrap(), &list[..most.min(list.len())]);
            prop_assert_eq!(graph.degree(node).unwrap(), list.len());
        }
        let from = from.index(lists.len());
        let mut some = graph.lists(from as u32).unwrap();
        for list in &lists[from..] {
            prop_assert_eq!(some.next_list().unwrap(), list);
        }
    }
}
