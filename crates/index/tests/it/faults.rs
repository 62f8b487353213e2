//! Killed writers, foreign folders, damaged files, other logs.

use std::fs;
use std::path::Path;

use base::log::Position;
use base::{PageId, pages};
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
    fs::write(web.collection.index().join("FORMAT"), "lookfar index 11\n").unwrap();
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
        // Every bit of the mark, and one of every few bytes of the others.
        let bits = whole.len() * 8;
        let step = if name == "FORMAT" { 1 } else { 9 * (1 + whole.len() / 800) };
        for (place, bit) in (0..bits).step_by(step).map(|bit| (bit / 8, bit % 8)) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&path, &bytes).unwrap();
            let is_found = match index::check(&web.collection) {
                // A format that is older is no damage.
                Ok(health) => health.problems.iter().any(|problem| {
                    let said = problem.to_string();
                    said.contains(name) || said.contains("format is older")
                }),
                Err(Error::Foreign(path)) => path.ends_with(name),
                Err(error) => matches!(error, Error::Newer { .. }),
            };
            assert!(is_found, "{name} at {place}, bit {bit}");
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
    let end = web.index().position;
    let mut other = Web::new();
    // As long as the first record of the other log, so that the checkpoint lies between two.
    let mut gone = page(0, "http://a.example/0", "jaguar");
    gone.status = 404;
    other.push(&gone);
    fill(&mut other, 1..2);
    fill(&mut other, 7..8);
    assert_eq!(other.log.end(), end);
    fill(&mut other, 2..3);
    // The index of one log beside another log of the same length or more.
    fs::rename(web.collection.index(), other.collection.index()).unwrap();
    let health = index::check(&other.collection).unwrap();
    let id = |number| PageId::new(0, number).unwrap();
    let mut problems = health.problems;
    problems.sort_by_key(ToString::to_string);
    let expected =
        [Problem::Missing(id(7)), Problem::Unexpected(id(0)), Problem::Unexpected(id(2))];
    for problem in &expected {
        assert!(problems.contains(problem), "{problem} is not among {problems:?}");
    }
    assert_eq!((problems.len(), health.num_behind), (expected.len(), 1));
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
fn a_collection_without_pages_needs_no_index() {
    let mut web = Web::new();
    let health = index::check(&web.collection).unwrap();
    assert_eq!((health.num_docs, health.num_behind, health.problems), (0, 0, vec![]));
    // Nor do pages that are no answers, or are none any more.
    fill(&mut web, 0..1);
    let mut gone = page(0, "http://a.example/0", "jaguar");
    gone.status = 404;
    web.push(&gone);
    let health = index::check(&web.collection).unwrap();
    assert_eq!((health.num_docs, health.num_behind), (0, 2));
    assert_eq!((health.checkpoint, health.problems), (Position::START, vec![]));
}

#[test]
fn sto_08_an_index_that_is_gone_is_a_problem_and_is_filled_again() {
    let mut web = Web::new();
    fill(&mut web, 0..4);
    web.index();
    let folder = web.collection.index();
    let is_begun = |names: &[&str]| {
        fs::remove_dir_all(&folder).unwrap();
        for name in names {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), "").unwrap();
        }
    };
    for names in [&[][..], &["FORMAT.new"]] {
        is_begun(names);
        let health = index::check(&web.collection).unwrap();
        assert_eq!((health.num_docs, health.num_behind), (0, 4));
        assert_eq!(health.problems, [Problem::NoIndex(4)]);
        index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap();
        let health = index::check(&web.collection).unwrap();
        assert_eq!((health.num_docs, health.num_behind, health.problems), (4, 0, vec![]));
    }
}

#[test]
fn records_that_are_not_indexed_yet_are_counted_and_no_problem() {
    let mut web = Web::new();
    fill(&mut web, 0..4);
    web.index();
    fill(&mut web, 4..7);
    let health = index::check(&web.collection).unwrap();
    assert_eq!((health.num_docs, health.num_behind, health.problems), (4, 3, vec![]));
}

#[test]
fn sto_08_segments_without_their_list_are_told_to_all_who_ask() {
    let mut web = Web::new();
    fill(&mut web, 0..4);
    web.index();
    let list = web.collection.index().join("meta.json");
    fs::remove_file(&list).unwrap();
    let missing = Problem::MissingFile("meta.json".to_owned());
    assert_eq!(index::check(&web.collection).unwrap().problems, [missing]);
    let reader = Reader::open(&web.collection.index());
    for _ in 0..2 {
        let error = reader.snapshot().unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains(list.to_str().unwrap()), "{cause}");
    }
    // Whoever writes fills it again.
    assert_eq!(web.index().num_docs, 4);
    reader.reload().unwrap();
    assert_eq!(reader.snapshot().unwrap().unwrap().searcher.num_docs(), 4);
}

/// What there is of a folder besides its segments, gone, empty, cut or flipped.
#[test]
fn sto_08_an_index_without_its_mark_or_its_lists_is_told_and_filled_again() {
    let mut web = Web::new();
    fill(&mut web, 0..5);
    web.index();
    for name in ["FORMAT", "meta.json", ".managed.json"] {
        let path = web.collection.index().join(name);
        for damage in ["gone", "empty", "cut", "flipped", "no text"] {
            let mut bytes = fs::read(&path).unwrap();
            fs::remove_file(&path).unwrap();
            match damage {
                "empty" => bytes.clear(),
                "cut" => bytes.truncate(bytes.len() / 2),
                "flipped" => bytes[3] ^= 1,
                _ => bytes[3] = 0xff,
            }
            if damage != "gone" {
                fs::write(&path, bytes).unwrap();
            }
            let problems = index::check(&web.collection).unwrap().problems;
            let is_named = problems.iter().any(|problem| problem.to_string().contains(name));
            assert!(is_named, "{name}, {damage}: {problems:?}");
            let filled = index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap();
            assert_eq!(filled.num_docs, 5, "{name}, {damage}");
            assert_eq!(index::check(&web.collection).unwrap().problems, [], "{name}, {damage}");
        }
    }
}

#[test]
fn idx_12_repair_leaves_alone_what_is_not_of_an_index() {
    let mut web = Web::new();
    fill(&mut web, 0..5);
    web.index();
    let folder = web.collection.index();
    let mark = folder.join("FORMAT");
    let whole = fs::read(&mark).unwrap();
    let names = |folder: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let rebuild = || index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap_err();
    // A file and a folder of somebody else, with the mark and without.
    for name in ["letter.txt", "0123456789abcdef0123456789abcdef.txt", "lost+found"] {
        let stranger = folder.join(name);
        match name {
            "lost+found" => fs::create_dir(&stranger).unwrap(),
            _ => fs::write(&stranger, "dear").unwrap(),
        }
        let before = names(&folder);
        let told = rebuild();
        assert!(matches!(&told, Error::Stranger(path) if *path == stranger), "{told}");
        fs::remove_file(&mark).unwrap();
        let told = rebuild();
        assert!(matches!(&told, Error::Stranger(path) if *path == stranger), "{told}");
        fs::write(&mark, &whole).unwrap();
        assert_eq!(names(&folder), before);
        if name != "lost+found" {
            fs::remove_file(&stranger).unwrap();
        } else {
            fs::remove_dir(&stranger).unwrap();
        }
    }
    // An index of a newer version, or of something else.
    let before = names(&folder);
    fs::write(&mark, "lookfar index 99\n").unwrap();
    assert!(matches!(rebuild(), Error::Newer { found: 99, .. }));
    fs::write(&mark, "lookfar anchors 3\n").unwrap();
    assert!(matches!(rebuild(), Error::Foreign(_)));
    assert_eq!(names(&folder), before);
    fs::write(&mark, &whole).unwrap();
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}
