//! Files of the frontier with a flipped bit (STO-07), and such as the disk cannot read (STO-05).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Scene;
use crate::kill::check_pages;
use crate::run::{expect, output, text};

/// Flips that a whole crawl follows; all of them are checked.
const CRAWLS: usize = 2;

/// Copies a folder; journals have holes that need not be written.
fn copy(from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).unwrap();
    }
    let mut copying = Command::new("cp");
    copying.args(["-r", "--sparse=always"]).arg(from).arg(to);
    assert!(copying.status().unwrap().success());
}

/// Returns the files below a folder that hold something, with the part of them that is not zeros
/// set aside.
fn files(folder: &Path) -> Vec<(PathBuf, usize)> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            if length > 0 {
                found.push((path, length));
            }
        }
    }
    found.sort();
    found
}

fn flip(path: &Path, place: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[place] ^= 16;
    fs::write(path, bytes).unwrap();
}

#[test]
fn sto_07_a_flipped_bit_of_the_frontier_is_told_or_does_no_harm_and_no_page_is_lost() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let scene = Scene::new(80, 50);
    let (frontier, whole) = (scene.place.frontier(), scene.folder.path().join("whole"));
    copy(&scene.dir, &whole);
    // One of each kind; every file has its turn where the store is alone (`crawl`).
    let mut kinds = BTreeMap::new();
    let mut all = files(&frontier);
    random.shuffle(&mut all);
    for (path, length) in all {
        let path = path.strip_prefix(&frontier).unwrap().to_owned();
        let kind = path.to_str().unwrap().replace(|letter: char| letter.is_ascii_digit(), "");
        kinds.insert(kind, (path, random.usize(0..length)));
    }
    println!("{:?}", kinds.keys());
    let mut flips: Vec<(PathBuf, usize)> = kinds.into_values().collect();
    for (path, place) in &flips {
        flip(&frontier.join(path), *place);
        let checked = output(&scene.dir, &["check"]);
        let said = [text(&checked.stdout), text(&checked.stderr)].concat();
        println!("{} at {place}: {:?}", path.display(), checked.status.code());
        assert!(matches!(checked.status.code(), Some(0 | 1)), "{path:?} at {place}: {said}");
        assert!(!said.contains("panicked"), "{path:?} at {place}: {said}");
        copy(&whole.join("frontier"), &frontier);
    }
    random.shuffle(&mut flips);
    for (path, place) in flips.iter().take(CRAWLS) {
        println!("{} at {place}: the crawl goes on", path.display());
        copy(&whole, &scene.dir);
        flip(&frontier.join(path), *place);
        let crawled = output(&scene.dir, &["crawl", "--until-idle"]);
        if crawled.status.code() != Some(0) {
            // Tables are read when they are needed: then it is told what to do.
            expect(&crawled, 2);
            let said = text(&crawled.stderr);
            assert!(said.contains("frontier") && said.contains("check --repair"), "{said}");
            expect(&output(&scene.dir, &["check", "--repair"]), 0);
            scene.crawl_to_end();
        }
        expect(&output(&scene.dir, &["check"]), 0);
        check_pages(&scene.generated, &scene.place);
    }
}

#[test]
fn sto_05_a_file_of_the_frontier_that_cannot_be_read_is_told_and_no_page_is_lost() {
    let scene = Scene::new(80, 50);
    let (frontier, whole) = (scene.place.frontier(), scene.folder.path().join("whole"));
    copy(&frontier, &whole);
    let mut kinds = BTreeMap::new();
    for (path, _) in files(&frontier) {
        let path = path.strip_prefix(&frontier).unwrap().to_owned();
        let kind = path.to_str().unwrap().replace(|letter: char| letter.is_ascii_digit(), "");
        // The link has no length, and this one without length is that of a store never finished.
        if kind != "version" {
            kinds.insert(kind, path);
        }
    }
    let mut num_told = 0;
    for path in kinds.values() {
        copy(&whole, &frontier);
        fs::remove_file(frontier.join(path)).unwrap();
        symlink("/proc/self/mem", frontier.join(path)).unwrap();
        // Whoever searches does without.
        expect(&output(&scene.dir, &["search", "river"]), 0);
        let checked = output(&scene.dir, &["check"]);
        let said = [text(&checked.stdout), text(&checked.stderr)].concat();
        println!("{}: {:?}", path.display(), checked.status.code());
        assert!(!said.contains("panicked"), "{path:?}: {said}");
        if checked.status.code() != Some(0) {
            expect(&checked, 1);
            let is_told = |line: &str| line.starts_with("frontier") && line.contains("PROBLEM");
            assert!(said.lines().any(is_told), "{path:?}: {said}");
            num_told += 1;
        }
        expect(&output(&scene.dir, &["check", "--repair"]), 0);
        expect(&output(&scene.dir, &["check"]), 0);
    }
    assert!(num_told > 0);
    scene.crawl_to_end();
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}
