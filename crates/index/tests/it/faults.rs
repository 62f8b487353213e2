//! Killed writers, foreign folders, damaged files, other logs.

use std::fs;
use std::path::Path;

use base::log::Position;
use base::pages;
use index::{Error, Problem, Reader, Writer};

use crate::web::{OPTIONS, Web, num_docs, num_with_stem, page};

fn fill(web: &mut Web, numbers: std::ops::Range<u64>) {
    for number in numbers {
        web.log.append(&page(number, &format!("http://a.example/{number}"), "jaguar")).unwrap();
    }
    web.log.sync().unwrap();
}

#[test]
fn sto_02_a_writer_that_dies_before_its_commit_loses_nothing() {
    let mut web = Web::new();
    fill(&mut web, 0..10);
    let end = web.index().position;
    fill(&mut web, 10..20);
    let mut writer = Writer::open(&web.collection.index(), OPTIONS).unwrap();
    assert_eq!(writer.checkpoint(), end);
    let mut reader = pages::Reader::open(&web.collection.pages(), end).unwrap();
    while let Some(entry) = reader.next_entry().unwrap() {
        writer.apply(&entry).unwrap();
    }
    drop(writer);
    let writer = Writer::open(&web.collection.index(), OPTIONS).unwrap();
    assert_eq!(writer.checkpoint(), end);
    drop(writer);
    assert_eq!(num_docs(&web.collection), 10);
    assert_eq!(web.index().num_docs, 20);
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// The power fails before `meta.json` is renamed: what else was written may be there in any form.
#[test]
fn sto_03_what_a_commit_had_not_finished_may_be_anything_after_power_loss() {
    let mut web = Web::new();
    fill(&mut web, 0..10);
    let first = web.index();
    let (index, aside) = (web.collection.index(), tempfile::tempdir().unwrap());
    let (old, new) = (aside.path().join("old"), aside.path().join("new"));
    copy(&index, &old);
    fill(&mut web, 5..20);
    web.index();
    copy(&index, &new);
    let unfinished: Vec<_> = fs::read_dir(&new)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "meta.json" && !old.join(name).exists())
        .collect();
    assert!(unfinished.len() > 5, "{unfinished:?}");
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let mut seed: usize = seed.unwrap_or_else(|| std::process::id() as usize);
    println!("SEED={seed}");
    for round in 0..50 {
        fs::remove_dir_all(&index).unwrap();
        copy(&old, &index);
        // Which files tantivy is to look after may be said already.
        if round % 2 == 0 {
            fs::copy(new.join(".managed.json"), index.join(".managed.json")).unwrap();
        }
        for name in &unfinished {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let dice = seed >> 33;
            let mut bytes = fs::read(new.join(name)).unwrap();
            let place = dice % bytes.len();
            match dice % 5 {
                0 => continue,
                1 => bytes.truncate(place),
                2 => bytes[place..].fill(0),
                3 => bytes[place] ^= 1,
                _ => {}
            }
            fs::write(index.join(name), &bytes).unwrap();
        }
        let writer = Writer::open(&index, OPTIONS).unwrap();
        assert_eq!(writer.checkpoint(), first.position, "round {round}");
        drop(writer);
        assert_eq!(num_docs(&web.collection), 10);
        assert_eq!(web.index().num_docs, 20, "round {round}");
    }
}

#[test]
fn idx_10_the_second_writer_is_refused_and_a_stale_lock_is_not_in_the_way() {
    let web = Web::new();
    let writer = Writer::open(&web.collection.index(), OPTIONS).unwrap();
    let second = Writer::open(&web.collection.index(), OPTIONS);
    assert!(matches!(second.err(), Some(Error::InUse(_))));
    drop(writer);
    // What a killed process leaves: the file, without the lock.
    fs::write(web.collection.index().join(".tantivy-writer.lock"), "").unwrap();
    Writer::open(&web.collection.index(), OPTIONS).unwrap();
}

#[test]
fn idx_11_and_12_other_folders_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "dear").unwrap();
    for path in [folder.path(), &letter] {
        assert!(matches!(Writer::open(path, OPTIONS).err(), Some(Error::Foreign(_))));
    }
    assert_eq!(fs::read_to_string(&letter).unwrap(), "dear");
    fs::remove_file(&letter).unwrap();
    fs::write(folder.path().join("FORMAT"), "lookfar index 99\n").unwrap();
    let newer = Writer::open(folder.path(), OPTIONS).err();
    assert!(matches!(newer, Some(Error::Newer { found: 99, .. })));
    fs::write(folder.path().join("FORMAT"), "lookfar anchors 1\n").unwrap();
    assert!(matches!(Writer::open(folder.path(), OPTIONS).err(), Some(Error::Foreign(_))));
}

#[test]
fn idx_11_an_index_of_an_older_format_is_filled_anew() {
    let mut web = Web::new();
    fill(&mut web, 0..3);
    web.index();
    fs::write(web.collection.index().join("FORMAT"), "lookfar index 0\n").unwrap();
    assert_eq!(web.index().num_docs, 3);
}

#[test]
fn idx_12_a_creation_that_was_cut_short_is_finished() {
    let mut web = Web::new();
    fill(&mut web, 0..3);
    fs::create_dir_all(web.collection.index()).unwrap();
    fs::write(web.collection.index().join("FORMAT"), "lookfar index 10\n").unwrap();
    assert_eq!(web.index().num_docs, 3);
}

#[test]
fn an_index_that_has_read_further_than_the_log_goes_is_filled_anew() {
    let mut web = Web::new();
    fill(&mut web, 0..10);
    web.index();
    fs::remove_dir_all(web.collection.pages()).unwrap();
    web.log = pages::Writer::open(&web.collection.pages()).unwrap();
    fill(&mut web, 50..53);
    let health = index::check(&web.collection).unwrap();
    assert!(matches!(health.problems[..], [Problem::AnotherLog(_)]));
    assert_eq!(web.index().num_docs, 3);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 3);
}

/// STO-08, STO-11: every file of the index, gone or cut.
#[test]
fn sto_08_a_damaged_index_is_filled_anew() {
    let mut web = Web::new();
    fill(&mut web, 0..5);
    web.index();
    let names: Vec<_> = fs::read_dir(web.collection.index())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && name != "FORMAT")
        .collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        for cut in [true, false] {
            let path = web.collection.index().join(&name);
            let Ok(bytes) = fs::read(&path) else { continue };
            match cut {
                true => fs::write(&path, &bytes[..bytes.len() / 2]).unwrap(),
                false => fs::remove_file(&path).unwrap(),
            }
            assert_eq!(web.index().num_docs, 5, "{name}, cut: {cut}");
        }
    }
}

/// STO-07 for the files that carry checksums.
#[test]
fn sto_07_check_finds_a_flipped_bit() {
    let mut web = Web::new();
    fill(&mut web, 0..50);
    web.index();
    let mut num_files = 0;
    for entry in fs::read_dir(web.collection.index()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with('.') || name == "FORMAT" || name == "meta.json" {
            continue;
        }
        num_files += 1;
        let whole = fs::read(&path).unwrap();
        for place in (0..24).map(|part| part * (whole.len() - 1) / 23) {
            let mut bytes = whole.clone();
            bytes[place] ^= 4;
            fs::write(&path, &bytes).unwrap();
            match index::check(&web.collection) {
                Ok(health) => {
                    let named = Problem::DamagedFile(name.clone());
                    assert_eq!(health.problems, [named], "at {place}");
                }
                Err(error) => panic!("{name} at {place}: {error}"),
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(num_files > 4);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}

#[test]
fn sto_07_an_index_with_a_flipped_bit_opens_or_is_refused_without_a_panic() {
    let mut web = Web::new();
    fill(&mut web, 0..50);
    web.index();
    let index = web.collection.index();
    let mut num_refused = 0;
    for entry in fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with('.') || name == "FORMAT" || name == "meta.json" {
            continue;
        }
        let whole = fs::read(&path).unwrap();
        for place in (0..80).map(|part| part * (whole.len() - 1) / 79) {
            let mut bytes = whole.clone();
            bytes[place] ^= 32 >> (place % 6);
            // Another file, as the system maps files that it knows only once.
            fs::remove_file(&path).unwrap();
            fs::write(&path, &bytes).unwrap();
            match Reader::open(&index).snapshot() {
                Ok(snapshot) => assert!(snapshot.is_some()),
                Err(Error::Damaged { .. } | Error::Index { .. }) => num_refused += 1,
                Err(error) => panic!("{name} at {place}: {error}"),
            }
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, &whole).unwrap();
    }
    assert!(num_refused > 10, "{num_refused}");
    assert_eq!(num_docs(&web.collection), 50);
}

/// The files that have no footer.
#[test]
fn sto_07_flipped_bits_of_the_lists_of_an_index_are_found() {
    let mut web = Web::new();
    fill(&mut web, 0..20);
    fill(&mut web, 0..5);
    web.index();
    for name in ["meta.json", ".managed.json", "FORMAT"] {
        let path = web.collection.index().join(name);
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(1 + whole.len() / 800) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 7);
            fs::write(&path, &bytes).unwrap();
            // White space at the end of the mark is all the same.
            let is_found = match index::check(&web.collection) {
                // A format that is older is no damage.
                Ok(health) => health.problems.iter().any(|problem| {
                    let said = problem.to_string();
                    said.contains(name) || said.contains("format is older")
                }),
                Err(Error::Foreign(path)) => path.ends_with(name),
                Err(error) => matches!(error, Error::Newer { .. }),
            };
            let is_end = name == "FORMAT" && place + 1 == whole.len();
            assert!(is_found || is_end, "{name} at {place}");
        }
        fs::write(&path, &whole).unwrap();
    }
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    assert_eq!(web.index().num_docs, 20);
}

#[test]
fn check_finds_missing_and_unexpected_pages() {
    let mut web = Web::new();
    fill(&mut web, 0..3);
    web.index();
    let mut other = Web::new();
    let mut gone = page(0, "http://a.example/0", "jaguar");
    gone.status = 404;
    other.push(&gone);
    fill(&mut other, 1..3);
    fill(&mut other, 7..8);
    // The index of one log beside another log of the same length or more.
    fs::rename(web.collection.index(), other.collection.index()).unwrap();
    let problems = index::check(&other.collection).unwrap().problems;
    assert!(!problems.is_empty(), "{problems:?}");
}

#[test]
fn sto_11_rebuilding_gives_the_same_index() {
    let mut web = Web::new();
    fill(&mut web, 0..20);
    fill(&mut web, 5..9);
    let before = web.index();
    let after = index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap();
    assert_eq!(before, after);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}

#[test]
fn a_collection_without_an_index_is_healthy() {
    let mut web = Web::new();
    fill(&mut web, 0..4);
    let health = index::check(&web.collection).unwrap();
    assert_eq!((health.num_docs, health.num_behind), (0, 4));
    assert_eq!((health.checkpoint, health.problems), (Position::START, vec![]));
}
