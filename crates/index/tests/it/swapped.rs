//! Files that are whole, but of another segment or another index (STO-08).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base::pages;
use index::{Error, Problem, Reader, Writer};

use crate::web::{OPTIONS, Web, page};

/// Every part that a segment has, the last one of those with deleted pages.
const PARTS: [&str; 7] = ["idx", "pos", "term", "store", "fast", "fieldnorm", "del"];

/// Makes an index of two segments, each with a page that was deleted.
fn two_segments(words: [&str; 2]) -> Web {
    let mut web = Web::new();
    for (first, text) in [(0, words[0]), (6, words[1])] {
        let url = |number| format!("http://a.example/{number}");
        for number in first..first + 4 + first / 3 {
            let record = page(number, &url(number), &format!("{text} {number} {text}"));
            web.log.append(&record).unwrap();
        }
        web.log.sync().unwrap();
        web.index();
        let mut gone = page(first + 1, &url(first + 1), "");
        gone.status = 404;
        web.push(&gone);
        web.index();
    }
    web
}

/// Returns the two files of each part.
fn parts(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut parts = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some((_, part)) = name.rsplit_once('.').filter(|(number, _)| number.len() >= 32) else {
            continue;
        };
        parts.entry(part.to_owned()).or_default().push(name);
    }
    parts.values_mut().for_each(|names| names.sort());
    assert_eq!(parts.keys().len(), PARTS.len(), "{parts:?}");
    assert!(parts.values().all(|names| names.len() == 2), "{parts:?}");
    parts
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    fs::read_dir(folder).unwrap().map(|entry| read(entry.unwrap())).collect()
}

/// Puts other bytes in place of a file, as another file.
fn put(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Checks that these files are told, to those who read as well, and that the index is filled again.
#[track_caller]
fn check_other(web: &Web, names: &[&str]) {
    let mut problems = index::check(&web.collection).unwrap().problems;
    problems.sort_by_key(ToString::to_string);
    let expected: Vec<_> =
        names.iter().map(|name| Problem::OtherFile((*name).to_owned())).collect();
    assert_eq!(problems, expected);
    let error = Reader::open(&web.collection.index()).snapshot().unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(names.iter().any(|name| cause.contains(name)), "{cause}");
    let filled = index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap();
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    assert_eq!(filled.num_docs, 8);
}

fn restore(folder: &Path, whole: &BTreeMap<String, Vec<u8>>) {
    fs::remove_dir_all(folder).unwrap();
    fs::create_dir(folder).unwrap();
    for (name, bytes) in whole {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn sto_08_files_of_two_segments_that_changed_places_are_told_and_the_index_is_filled_again() {
    let web = two_segments(["jaguar", "puma ocelot"]);
    let folder = web.collection.index();
    let whole = contents(&folder);
    for part in PARTS {
        let names = &parts(&folder)[part];
        let [first, second] = [&names[0], &names[1]];
        put(&folder.join(first), &whole[second]);
        put(&folder.join(second), &whole[first]);
        check_other(&web, &[first, second]);
        restore(&folder, &whole);
        assert_eq!(index::check(&web.collection).unwrap().problems, [], "{part}");
    }
}

#[test]
fn sto_08_a_file_of_another_index_is_told_and_the_index_is_filled_again() {
    let web = two_segments(["jaguar", "puma ocelot"]);
    let other = two_segments(["jaguar", "puma margay"]);
    let folder = web.collection.index();
    let (whole, foreign) = (contents(&folder), contents(&other.collection.index()));
    for part in PARTS {
        let name = &parts(&folder)[part][0];
        let theirs = &parts(&other.collection.index())[part];
        // One of the two is not the same, byte for byte.
        let theirs = theirs.iter().find(|theirs| foreign[*theirs] != whole[name]).unwrap();
        put(&folder.join(name), &foreign[theirs]);
        check_other(&web, &[name]);
        restore(&folder, &whole);
    }
}

#[test]
fn sto_08_a_list_of_another_index_is_told_and_the_index_is_filled_again() {
    let web = two_segments(["jaguar", "puma ocelot"]);
    let other = two_segments(["jaguar", "puma margay"]);
    let folder = web.collection.index();
    let (whole, foreign) = (contents(&folder), contents(&other.collection.index()));
    for name in ["meta.json", ".managed.json"] {
        put(&folder.join(name), &foreign[name]);
        let problems = index::check(&web.collection).unwrap().problems;
        assert_eq!(problems, [Problem::OtherFile(name.to_owned())]);
        index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap();
        assert_eq!(index::check(&web.collection).unwrap().problems, []);
        restore(&folder, &whole);
    }
}

#[test]
fn sto_08_a_commit_does_not_take_a_file_of_another_segment_for_its_own() {
    let mut web = two_segments(["jaguar", "puma ocelot"]);
    let folder = web.collection.index();
    let whole = contents(&folder);
    let mut writer = Writer::open(&folder, OPTIONS).unwrap();
    let names = parts(&folder)["store"].clone();
    put(&folder.join(&names[0]), &whole[&names[1]]);
    let end = writer.checkpoint();
    web.push(&page(99, "http://a.example/99", "margay"));
    let mut log = pages::Reader::open(&web.collection.pages(), end).unwrap();
    writer.apply(&log.next_entry().unwrap().unwrap()).unwrap();
    // The commit is made, and what it makes is read.
    assert!(matches!(writer.commit(), Err(Error::Damaged { .. })));
    drop(writer);
    let problems = index::check(&web.collection).unwrap().problems;
    assert_eq!(problems, [Problem::OtherFile(names[0].clone())]);
    // Who opens it to write fills it again.
    assert_eq!(web.index().num_docs, 9);
}

/// As they were written before files were listed.
#[test]
fn a_list_without_files_is_read_and_has_them_after_the_next_commit() {
    let mut web = two_segments(["jaguar", "puma ocelot"]);
    let folder = web.collection.index();
    let list = fs::read(folder.join("meta.json")).unwrap();
    let end = list.windows(6).position(|bytes| bytes == b"\nfile ").unwrap();
    fs::write(folder.join("meta.json"), &list[..end]).unwrap();
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    web.push(&page(99, "http://a.example/99", "margay"));
    assert_eq!(web.index().num_docs, 9);
    let list = fs::read_to_string(folder.join("meta.json")).unwrap();
    // Three segments, of which two have deleted pages.
    assert_eq!(list.matches("\nfile ").count(), 3 * 6 + 2);
}
