//! Forgetting and telling: what is taken out is gone everywhere and stays away (C18).

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use base::log::Position;
use base::{PageId, pages};
use crawl::{Crawler, Fate, ForgetStep, Forgetting, Forgotten, Handle, Options, Story, Target};
use testweb::{Answer, Running, Script, Web};

use crate::help::{Place, options};

/// Two hosts; one page of the first is disallowed.
fn web() -> Running {
    let rules = Answer::ok("text/plain", "User-agent: *\nDisallow: /no\nCrawl-delay: 0\n");
    let root = "<title>root</title><a href=/x>to x</a> <a href=/private/1>one</a> \
                <a href=/private/2>two</a> <a href=/no>no</a> <a href=http://b.lookfar/>b</a>";
    Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", rules)
                .page("/", root)
                .page("/x", "<title>xerography</title><a href=/private/1>one</a>")
                .page("/private/1", "<title>petunia</title><a href=/private/3>three</a>")
                .page("/private/2", "<title>quagmire</title>")
                .page("/private/3", "<title>rhubarb</title>"),
        )
        .site(
            Script::new("b.lookfar")
                .page("/", "<title>bergamot</title><a href=/2>2</a>")
                .page("/2", "<title>bergamot again</title><a href=http://a.lookfar/x>x</a>"),
        )
        .start()
        .unwrap()
}

const SEED: &str = "http://a.lookfar/";

fn forget(place: &Place, target: &str, options: Options) -> Forgotten {
    forget_told(place, target, options).0
}

/// Forgets, and returns what was told meanwhile too.
fn forget_told(place: &Place, target: &str, options: Options) -> (Forgotten, Vec<Forgetting>) {
    let _lock = place.collection.lock().unwrap();
    let mut crawler = Crawler::open(&place.collection, options).unwrap();
    let mut told = Vec::new();
    let target = target.parse::<Target>().unwrap();
    let forgotten = crawler.forget(&target, &mut |now| told.push(now)).unwrap();
    (forgotten, told)
}

fn why(place: &Place, url: &str, options: &Options) -> Story {
    let _lock = place.collection.lock().unwrap();
    Handle::open(&place.collection, options).unwrap().why(url).unwrap()
}

/// Returns everything of the archive and the page log that can be read, unpacked.
fn everything(place: &Place) -> String {
    let mut text = Vec::new();
    for path in files(&place.collection.archive()) {
        let bytes = fs::read(&path).unwrap();
        match path.to_string_lossy().ends_with(".gz") {
            true => drop(flate2::read::MultiGzDecoder::new(&*bytes).read_to_end(&mut text)),
            false => text.extend(bytes),
        }
    }
    let mut text = String::from_utf8_lossy(&text).into_owned();
    for (url, records) in place.records() {
        for record in records.iter().filter(|record| !record.is_forgotten()) {
            text += &format!("{url} {record:?}\n");
        }
    }
    text
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_page_is_gone_from_everything_and_does_not_come_back() {
    let (web, place) = (web(), Place::new());
    let fast = || options(&web, Duration::ZERO);
    place.crawl(&[SEED], fast());
    assert!(everything(&place).contains("xerography"));
    let id = place.records()["http://a.lookfar/x"][0].id;
    let forgotten = forget(&place, "http://a.lookfar/x", fast());
    assert_eq!((forgotten.urls, forgotten.records, forgotten.captures), (1, 1, 1));
    place.check();
    let text = everything(&place);
    assert!(!text.contains("xerography"));
    assert!(text.contains("petunia") && text.contains("rhubarb"));
    assert!(!text.contains("GET /x "), "the request is gone too");
    // Other pages may still name it; it is no longer among the pages.
    let graves = &place.records()["http://a.lookfar/x"];
    assert_eq!(graves.len(), 1);
    let grave = &graves[0];
    assert_eq!((grave.id, grave.status, grave.is_forgotten()), (id, 410, true));
    assert!(grave.title.is_empty() && grave.blocks.is_empty() && grave.links.is_empty());

    let before = web.log().count("a.lookfar");
    place.crawl(&[SEED, "http://a.lookfar/x"], fast());
    assert_eq!(web.log().count("a.lookfar"), before, "nothing was asked for again");
    assert!(!everything(&place).contains("xerography"));
    place.check();
    // A second time there is nothing to do.
    let again = forget(&place, "http://a.lookfar/x", fast());
    assert_eq!((again.records, again.captures), (0, 0));
    assert_eq!(place.records()["http://a.lookfar/x"].len(), 1);
}

#[test]
fn a_host_goes_with_its_robots_txt_and_what_waits() {
    let (web, place) = (web(), Place::new());
    let mut limited = options(&web, Duration::ZERO);
    limited.scope.pages = Some(1);
    let snapshot = place.crawl(&[SEED, "http://b.lookfar/"], limited.clone());
    assert!(snapshot.queue > 0);
    let forgotten = forget(&place, "a.lookfar", limited.clone());
    assert!(forgotten.urls >= 1, "{forgotten:?}");
    place.check();
    let held = everything(&place);
    assert!(!held.contains("a.lookfar/robots.txt"), "{held}");
    let _lock = place.collection.lock().unwrap();
    let handle = Handle::open(&place.collection, &limited).unwrap();
    let story = handle.why(SEED).unwrap();
    assert_eq!(story.standing, Fate::Forgotten);
    assert_eq!((story.host.waiting, story.blocked.as_deref()), (0, Some("a.lookfar")));
    assert_eq!(story.scope.reason.as_deref(), Some("blocked"));
}

#[test]
fn a_pattern_takes_what_fits_and_leaves_the_rest() {
    let (web, place) = (web(), Place::new());
    let fast = || options(&web, Duration::ZERO);
    place.crawl(&[SEED], fast());
    let forgotten = forget(&place, "http://a.lookfar/private/*", fast());
    assert_eq!((forgotten.urls, forgotten.captures), (3, 3));
    let text = everything(&place);
    for (word, is_there) in
        [("petunia", false), ("quagmire", false), ("rhubarb", false), ("xerography", true)]
    {
        assert_eq!(text.contains(word), is_there, "{word}");
    }
    place.check();
}

#[test]
fn forgetting_says_how_far_it_is() {
    let (web, place) = (web(), Place::new());
    let fast = || options(&web, Duration::ZERO);
    place.crawl(&[SEED], fast());
    let log = base::file::size_below(&place.collection.pages());
    let (forgotten, told) = forget_told(&place, "http://a.lookfar/private/*", fast());
    assert!(told.is_sorted_by_key(|now| (now.step, now.done)), "{told:?}");
    let last = |step: ForgetStep| {
        let of_step: Vec<&Forgetting> = told.iter().filter(|now| now.step == step).collect();
        let last = **of_step.last().unwrap();
        assert!(of_step.iter().all(|now| now.total == last.total), "{told:?}");
        assert_eq!(last.done, last.total);
        last.total
    };
    assert!(last(ForgetStep::Log) >= log);
    assert!(last(ForgetStep::Archive) > 0);
    let taken = forgotten.urls + forgotten.captures + forgotten.records;
    assert_eq!(last(ForgetStep::TakeOut), taken);
}

/// A copy of the whole collection, as a crash would leave it.
fn copied(place: &Place) -> Place {
    let copy = Place::new();
    copy_folder(place.collection.root(), copy.collection.root());
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in files(from) {
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_folder(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

/// Asserts that opening finishes what a crash interrupted.
#[track_caller]
fn assert_finished(place: &Place, web: &Running) {
    place.crawl(&[SEED], options(web, Duration::ZERO));
    place.check();
    let text = everything(place);
    assert!(!text.contains("petunia") && text.contains("xerography"));
    let graves = &place.records()["http://a.lookfar/private/1"];
    assert_eq!(graves.iter().filter(|grave| grave.is_forgotten()).count(), 1);
    let story = why(place, "http://a.lookfar/private/1", &options(web, Duration::ZERO));
    assert_eq!(story.standing, Fate::Forgotten);
    assert!(story.response.is_none());
}

#[test]
fn sto_02_what_a_crash_interrupts_is_finished_at_the_next_start() {
    let (web, place) = (web(), Place::new());
    let fast = || options(&web, Duration::ZERO);
    place.crawl(&[SEED], fast());
    let before = copied(&place);
    // Killed after the list was written, before anything else: also how people's lines work.
    let listed = copied(&before);
    fs::write(listed.collection.root().join("blocked.txt"), "http://a.lookfar/private/1\n")
        .unwrap();
    assert_finished(&listed, &web);

    forget(&place, "http://a.lookfar/private/1", fast());
    // Each step done, but not those behind it: mixed from the folders before and after.
    let steps: [&[&str]; 4] =
        [&["pages"], &["frontier"], &["frontier", "archive"], &["archive", "pages"]];
    for undone in steps {
        let mixed = copied(&place);
        fs::remove_file(mixed.collection.root().join("blocked.done")).unwrap();
        for folder in undone {
            // The log only ever grows and is overwritten in place; a frontier ahead of it is
            // another matter, and is made again from it.
            let path = mixed.collection.root().join(folder);
            fs::remove_dir_all(&path).unwrap();
            copy_folder(&before.collection.root().join(folder), &path);
        }
        assert_finished(&mixed, &web);
    }
}

#[test]
fn a_collection_that_is_empty_can_be_told_what_to_keep_out() {
    let (web, place) = (web(), Place::new());
    let fast = || options(&web, Duration::ZERO);
    let forgotten = forget(&place, "a.lookfar", fast());
    assert_eq!(forgotten, Forgotten::default());
    place.check();
    let list = fs::read_to_string(place.collection.root().join("blocked.txt")).unwrap();
    assert!(list.ends_with("\na.lookfar\n"), "{list}");
}

#[test]
fn the_story_says_how_each_url_stands() {
    let (web, place) = (web(), Place::new());
    let fast = options(&web, Duration::ZERO);
    place.crawl(&[SEED], fast.clone());
    let told: BTreeMap<&str, Story> = ["/", "/x", "/no", "/never"]
        .into_iter()
        .map(|path| (path, why(&place, &format!("http://a.lookfar{path}"), &fast)))
        .collect();
    let seed = told["/"].discovered.as_ref().unwrap();
    assert_eq!((seed.is_seed, seed.depth), (true, 0));
    let page = &told["/x"];
    assert!(matches!(page.standing, Fate::Fetched { status: 200, .. }));
    let found = page.discovered.as_ref().unwrap();
    assert_eq!((found.from.as_ref().unwrap().as_str(), found.depth), (SEED, 1));
    let response = page.response.as_ref().unwrap();
    let capture = response.capture.unwrap();
    let archived = archive::read(&place.collection.archive(), capture).unwrap();
    assert_eq!((archived.target.as_str(), response.status), ("http://a.lookfar/x", 200));
    assert_eq!(page.robots.is_allowed, Some(true));
    assert_eq!((page.host.known, page.host.waiting), (6, 0));
    assert_eq!(told["/no"].standing, Fate::Forbidden);
    assert_eq!(told["/no"].robots.is_allowed, Some(false));
    let never = &told["/never"];
    assert_eq!((&never.standing, never.scope.is_in), (&Fate::NeverSeen, true));
    assert!(never.discovered.is_none() && never.response.is_none());
    // However it is written.
    let asked = why(&place, "HTTP://A.lookfar:80/x?utm_source=mail#top", &fast);
    assert_eq!(asked.url, page.url);
    assert_eq!(asked.changes.len(), 2, "{:?}", asked.changes);
    assert!(why(&place, "http://a.lookfar/robots.txt", &fast).scope.reason.is_some());
}

#[test]
fn the_story_tells_the_place_in_the_queue() {
    let (web, place) = (web(), Place::new());
    let mut limited = options(&web, Duration::ZERO);
    limited.scope.pages = Some(1);
    place.crawl(&[SEED], limited.clone());
    let before = |path: &str| match why(&place, &format!("http://a.lookfar{path}"), &limited) {
        Story { standing: Fate::Waiting { before, tries: 0, .. }, .. } => before,
        story => panic!("{story:?}"),
    };
    let mut places = ["/x", "/private/1", "/private/2"].map(before);
    places.sort_unstable();
    places.windows(2).for_each(|pair| assert!(pair[0] < pair[1], "{places:?}"));
}

#[test]
fn page_ids_stay_dense_when_unknown_pages_are_buried() {
    let (web, place) = (web(), Place::new());
    let mut limited = options(&web, Duration::ZERO);
    limited.scope.pages = Some(1);
    place.crawl(&[SEED], limited.clone());
    forget(&place, "http://a.lookfar/private/*", limited);
    place.crawl(&[SEED], options(&web, Duration::ZERO));
    let mut ids: Vec<PageId> = Vec::new();
    let mut reader = pages::Reader::open(&place.collection.pages(), Position::START).unwrap();
    while let Some(entry) = reader.next_entry().unwrap() {
        ids.push(entry.record.id);
    }
    ids.sort_unstable();
    let expected: Vec<u64> = (0..ids.len() as u64).collect();
    assert_eq!(ids.iter().map(|id| id.index()).collect::<Vec<_>>(), expected);
    assert!(!everything(&place).contains("petunia"));
    place.check();
}
