//! A collection as a folder.

use std::fs;

use base::{Collection, Generation, collection::Error};

#[test]
fn a_collection_is_made_once_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("c");
    assert!(matches!(Collection::open(&root), Err(Error::Missing(_))));
    Collection::open_or_create(&root).unwrap();
    Collection::open(&root).unwrap();
}

#[test]
fn other_folders_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    assert!(matches!(Collection::open_or_create(folder.path()), Err(Error::Foreign(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let file = folder.path().join("letter.txt");
    assert!(matches!(Collection::open_or_create(&file), Err(Error::Foreign(_))));
}

#[test]
fn a_configuration_may_be_there_first() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lookfar.toml"), "").unwrap();
    fs::write(folder.path().join("VERSION.new"), "loo").unwrap();
    assert!(matches!(Collection::open(folder.path()), Err(Error::Missing(_))));
    Collection::open_or_create(folder.path()).unwrap();
}

#[test]
fn a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("VERSION"), "lookfar collection 2\n").unwrap();
    assert!(matches!(Collection::open(folder.path()), Err(Error::Newer { found: 2, .. })));
}

#[test]
fn two_writers_are_one_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    let lock = collection.lock().unwrap();
    assert!(matches!(collection.lock(), Err(Error::InUse(_))));
    drop(lock);
    collection.lock().unwrap();
}

#[test]
fn publishing_keeps_the_replaced_generation_for_its_readers() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    assert_eq!(collection.generation().unwrap(), None);
    for number in 1..=3 {
        let generation = Generation(number);
        for path in [
            collection.graph(generation),
            collection.scores(generation),
            collection.anchors(generation),
        ] {
            fs::create_dir_all(path).unwrap();
        }
        collection.publish(generation).unwrap();
        assert_eq!(collection.generation().unwrap(), Some(generation));
    }
    let exists = |number| collection.graph(Generation(number)).exists();
    assert_eq!((exists(1), exists(2), exists(3)), (false, true, true));
}
