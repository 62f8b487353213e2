//! A page log that tells of more than the archive holds: a copy, or a disk that is not there.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crawl::{Crawler, Error, Repaired};
use testweb::{Script, Web};

use crate::help::{Place, options};

fn newest_file(place: &Place) -> PathBuf {
    let files = fs::read_dir(place.collection.archive()).unwrap();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(".warc.gz"));
    files.sort();
    files.pop().unwrap()
}

#[test]
fn sto_16_a_log_ahead_of_the_archive_is_refused_and_made_again_when_asked() {
    let links: String = (0..20).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let site = (0..20).fold(Script::new("a.lookfar").page("/", &links), |site, n| {
        site.page(&format!("/{n}"), &format!("<p>Page {n} has a story of its own, {n} times told"))
    });
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(place.records().len(), 21);
    let options = options(&web, Duration::ZERO);
    let file = newest_file(&place);
    let archive = archive::Reader::open(&place.collection.archive()).unwrap();
    let half = archive.captures_from(None).unwrap().nth(10).unwrap().unwrap().capture;
    let end = half.offset + u64::from(half.length);
    fs::File::options().write(true).open(&file).unwrap().set_len(end).unwrap();
    fs::remove_file(file.with_extension("").with_extension("cdxj")).unwrap();
    assert!(matches!(
        Crawler::open(&place.collection, options.clone()).err(),
        Some(Error::ShortArchive { .. })
    ));
    assert_eq!(place.records().len(), 21, "nothing was changed");
    assert!(!crawl::check(&place.collection).unwrap().is_empty());

    let repaired = crawl::repair(&place.collection, options.clone(), &[]).unwrap();
    assert_eq!(repaired, Repaired::Log);
    let left = place.records().len();
    assert!((1..21).contains(&left), "{left}");
    assert!(place.collection.root().join("pages.old").exists());
    place.check();
    place.crawl(&["http://a.lookfar/"], options.clone());
    assert_eq!(place.records().len(), 21);

    fs::rename(place.collection.archive(), place.collection.root().join("away")).unwrap();
    assert!(matches!(crawl::repair(&place.collection, options, &[]), Err(Error::NoArchive { .. })));
    assert_eq!(place.records().len(), 21, "nothing was changed");
}
