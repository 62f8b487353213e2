//! Damaged generations are found, and never read as something else.

use std::fs;
use std::path::{Path, PathBuf};

use base::{Collection, Generation};
use graph::{
    AnalyseOptions, Error, Graph, Scores, analyse, check_graph, check_scores, read_node_scores,
    unwatched,
};

use crate::web::{append, page};

fn generation(root: &Path) -> (PathBuf, PathBuf) {
    let collection = Collection::open_or_create(root).unwrap();
    append(&collection.pages(), &[page(0, "a", &["b", "c"]), page(1, "b", &["a", "d"])]);
    let options = AnalyseOptions::default();
    analyse(&collection, Generation(1), &options, &mut unwatched).unwrap();
    (collection.graph(Generation(1)), collection.scores(Generation(1)))
}

/// Changes every file of a folder in every byte, and cuts it at every byte.
#[track_caller]
fn check(folder: &Path, find: impl Fn(&Path) -> bool) {
    assert!(!find(folder));
    let mut num_files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let whole = fs::read(&path).unwrap();
        num_files += 1;
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            fs::write(&path, &bytes).unwrap();
            assert!(find(folder), "byte {place} of {}", path.display());
            fs::write(&path, &whole[..place]).unwrap();
            assert!(find(folder), "{} cut at {place}", path.display());
        }
        fs::remove_file(&path).unwrap();
        assert!(find(folder), "{} removed", path.display());
        fs::write(&path, &whole).unwrap();
    }
    assert!(!find(folder));
    assert!(num_files >= 4);
}

#[test]
fn sto_07_and_08_every_flipped_bit_and_every_cut_of_a_graph_is_found() {
    let root = tempfile::tempdir().unwrap();
    let (graph, _) = generation(&root.path().join("c"));
    check(&graph, |folder| check_graph(folder).is_err());
}

#[test]
fn sto_07_and_08_every_flipped_bit_and_every_cut_of_scores_is_found() {
    let root = tempfile::tempdir().unwrap();
    let (_, scores) = generation(&root.path().join("c"));
    check(&scores, |folder| check_scores(folder).is_err());
}

#[test]
fn a_folder_that_is_no_generation_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Graph::open(folder.path()), Err(Error::File { .. })));
    assert!(matches!(Scores::open(folder.path()), Err(Error::File { .. })));
    assert!(matches!(check_graph(folder.path()), Err(Error::File { .. })));
    assert!(matches!(check_scores(folder.path()), Err(Error::File { .. })));
}

#[test]
fn version_1_of_a_generation_stays_readable() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/generation-v1");
    let summary = check_graph(&stored.join("graph")).unwrap();
    assert_eq!((summary.num_nodes, summary.num_arcs, summary.num_pages), (4, 4, 2));
    check_scores(&stored.join("scores")).unwrap();
    assert_eq!(Scores::open(&stored.join("scores")).unwrap().len(), 2);
    assert_eq!(read_node_scores(&stored.join("scores")).unwrap().len(), 4);
}
