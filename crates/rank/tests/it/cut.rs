//! Files of a generation that are cut while they are mapped (STO-08).
//!
//! Cut files are counted for a whole process, so these tests run in one of their own: this binary
//! again, told by the environment what to do.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use base::Collection;
use rank::{Error, Request, Searcher, Sorting};

use crate::web::{Web, link, page};

const ROOT: &str = "LOOKFAR_TEST_CUT";
const CAT: &str = "http://cat.example/";
const CUB: &str = "http://cub.example/";

/// Returns the files of a folder, in order of name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort_unstable();
    files
}

/// Cuts the files of a folder that are mapped, and puts whole copies in their places.
fn cut_and_copy(folder: &Path) {
    for file in files(folder).into_iter().filter(|file| file.is_file()) {
        let copy = file.with_extension("copy");
        fs::copy(&file, &copy).unwrap();
        File::options().write(true).open(&file).unwrap().set_len(0).unwrap();
        fs::rename(copy, file).unwrap();
    }
}

/// Asks, cuts files of the generation, asks again and says how it went.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child() {
    let Some(root) = std::env::var_os(ROOT) else { return };
    index::survive_cut_files();
    let collection = Collection::open(Path::new(&root)).unwrap();
    let searcher = Searcher::open(&collection).unwrap();
    let generation = collection.generation().unwrap().unwrap();
    let by_links = || searcher.similar(CAT, 10).map(Option::unwrap);
    let by_anchors = || searcher.search(&Request::new("purring")).map(|results| results.hits);
    let sorting = Sorting::Authorities;
    let by_hubs = || searcher.search(&Request { sorting, ..Request::new("cat") });
    let (alike, called) = (by_links().unwrap(), by_anchors().unwrap());
    let hubs = by_hubs().unwrap().hits;
    assert!(alike.iter().any(|alike| alike.cocitation > 0.0) && called.len() == 1);
    assert!(hubs[0].score > 0.0);
    // What a cut file says of links is not believed: the graph is opened anew.
    for _ in 0..2 {
        cut_and_copy(&collection.graph(generation));
        assert_eq!(by_links().unwrap(), alike);
        cut_and_copy(&collection.graph(generation));
        assert_eq!(by_hubs().unwrap().hits, hubs);
    }
    cut_and_copy(&collection.index());
    assert!(matches!(by_links(), Err(Error::Cut)));
    assert_eq!(by_links().unwrap(), alike);
    cut_and_copy(&collection.anchors(generation));
    assert!(matches!(by_anchors(), Err(Error::Cut)));
    assert_eq!(by_anchors().unwrap(), called);
    println!("lived on");
}

#[test]
fn sto_08_links_and_anchors_that_are_cut_are_opened_anew() {
    let mut web = Web::new();
    web.push(&page(CAT, "jaguar of the cat family"));
    web.push(&page(CUB, "a small cat"));
    for number in 0..3 {
        let mut list = page(&format!("http://list{number}.example/"), "links");
        list.links.extend([link(CAT, "purring"), link(CUB, "small")]);
        web.push(&list);
    }
    web.index();
    web.analyse();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cut::task_of_a_child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ROOT, web.collection.root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    let reason = String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success() && said.contains("lived on"), "{said}{reason}");
}
