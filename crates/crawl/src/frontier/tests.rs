//! The frontier against crashes, replays and duplicates.

use std::sync::Arc;

use base::log::Position;
use base::{ContentKind, Link, PageRecord, Rel, Timestamp, Url};

use super::*;
use crate::{Failure, Options, Reach, Scope, Strategy};

pub(super) const SIZES: Sizes =
    Sizes { cache_bytes: 1 << 20, seen: 1 << 10, importance: 1 << 10, lessons_bytes: 1 << 20 };

fn options() -> Options {
    let clock = Arc::new(|| Timestamp::from_millis(0));
    let mut options = Options::new(Scope::new(Reach::Open), clock);
    options.strategy = Strategy::BreadthFirst;
    options
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn record(update: &mut Update<'_>, address: &str, status: u16, targets: &[&str]) -> PageRecord {
    let links = targets.iter().map(|target| Link {
        target: url(target),
        kind: base::LinkKind::Anchor,
        rel: Rel::default(),
        anchor: String::new(),
    });
    let id = update.page_id(&url(address)).unwrap();
    PageRecord {
        kind: ContentKind::Html,
        links: links.collect(),
        body_bytes: 10,
        ..PageRecord::new(id, url(address), Timestamp::from_millis(1000), status)
    }
}

fn at(offset: u64) -> Position {
    Position { segment: 1, offset }
}

fn waiting(frontier: &Frontier, host: &str) -> Vec<String> {
    let host = Host::parse(host).unwrap();
    let found = frontier.waiting((&host, Lane::New), None, 100, |_| false).unwrap();
    found.into_iter().map(|waiting| waiting.url.to_string()).collect()
}

#[test]
fn links_wait_at_their_hosts_in_order_of_depth_and_discovery() {
    let folder = tempfile::tempdir().unwrap();
    {
        let frontier = Frontier::open(folder.path(), SIZES).unwrap();
        let mut update = frontier.update();
        update.seed(&url("http://a.example/"), Timestamp::from_millis(1)).unwrap();
        update.commit().unwrap();
        assert_eq!(waiting(&frontier, "a.example"), ["http://a.example/"]);
        let mut update = frontier.update();
        let targets =
            ["http://a.example/2", "http://b.example/", "http://a.example/1", "http://a.example/2"];
        let page = record(&mut update, "http://a.example/", 200, &targets);
        update.record(&page, at(10), at(20), &options()).unwrap();
        update.commit().unwrap();
    }
    // Also after opening again.
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    assert_eq!(waiting(&frontier, "a.example"), ["http://a.example/2", "http://a.example/1"]);
    assert_eq!(waiting(&frontier, "b.example"), ["http://b.example/"]);
    let totals = frontier.totals();
    assert_eq!((totals.known, totals.waiting, totals.hosts, totals.pages), (4, 3, 2, 1));
    assert_eq!(totals.checkpoint, at(20));
    assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
    let hosts = Picker::new().pick(&frontier, 10, |_| false).unwrap();
    assert_eq!(hosts.iter().map(|state| state.waiting).sum::<u64>(), 3);
}

#[test]
fn one_host_is_not_mistaken_for_another_that_begins_alike() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let mut update = frontier.update();
    for text in ["http://a.example/", "http://a.a.example/"] {
        update.seed(&url(text), Timestamp::from_millis(1)).unwrap();
    }
    update.commit().unwrap();
    assert_eq!(waiting(&frontier, "a.example"), ["http://a.example/"]);
}

#[test]
fn an_update_that_is_not_committed_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let mut update = frontier.update();
    update.seed(&url("http://a.example/"), Timestamp::from_millis(1)).unwrap();
    drop(update);
    assert_eq!(frontier.totals(), Totals::default());
    assert!(waiting(&frontier, "a.example").is_empty());
}

#[test]
fn failures_wait_behind_and_are_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let (first, second) = (url("http://a.example/1"), url("http://a.example/2"));
    let mut update = frontier.update();
    update.seed(&first, Timestamp::from_millis(1)).unwrap();
    update.seed(&second, Timestamp::from_millis(1)).unwrap();
    update.commit().unwrap();
    for expected in [vec!["http://a.example/2", "http://a.example/1"], vec!["http://a.example/2"]] {
        let mut update = frontier.update();
        update.fail(&first, Failure::Refused, 2).unwrap();
        update.commit().unwrap();
        assert_eq!(waiting(&frontier, "a.example"), expected);
    }
    let mut update = frontier.update();
    update.fail(&second, Failure::NoSuchHost, 5).unwrap();
    update.commit().unwrap();
    assert!(waiting(&frontier, "a.example").is_empty());
    assert_eq!(frontier.totals().reasons["refused"], 2);
    assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_busy_server_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let page = url("http://a.example/");
    let mut update = frontier.update();
    update.seed(&page, Timestamp::from_millis(1)).unwrap();
    let busy = record(&mut update, "http://a.example/", 503, &[]);
    update.record(&busy, at(10), at(20), &options()).unwrap();
    update.commit().unwrap();
    assert_eq!(waiting(&frontier, "a.example"), ["http://a.example/"]);
    let mut update = frontier.update();
    let good = record(&mut update, "http://a.example/", 200, &[]);
    assert_eq!(good.id, busy.id);
    update.record(&good, at(20), at(30), &options()).unwrap();
    update.commit().unwrap();
    assert!(waiting(&frontier, "a.example").is_empty());
    assert_eq!(frontier.totals().fetched, 1);
    assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
}

#[test]
fn what_many_point_to_and_what_page_rank_says_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let options = Options { strategy: Strategy::BestFirst, ..options() };
    let mut update = frontier.update();
    let targets = ["http://a.example/1", "http://a.example/2", "http://a.example/3"];
    let page = record(&mut update, "http://a.example/", 200, &targets);
    update.record(&page, at(10), at(20), &options).unwrap();
    // From other sites, by few links each.
    for (number, name) in ["b", "c", "d", "e"].into_iter().enumerate() {
        let address = format!("http://{name}.example/");
        let page = record(&mut update, &address, 200, &["http://a.example/2"]);
        let place = 20 + 10 * number as u64;
        update.record(&page, at(place), at(place + 10), &options).unwrap();
    }
    update.commit().unwrap();
    let [first, second, third] = targets;
    assert_eq!(waiting(&frontier, "a.example"), [second, first, third]);
    let mut update = frontier.update();
    update.promote(&url(third), 100.0, &options).unwrap();
    update.promote(&url("http://unknown.example/"), 100.0, &options).unwrap();
    update.commit().unwrap();
    assert_eq!(waiting(&frontier, "a.example"), [third, second, first]);
    assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
}

fn again(frontier: &Frontier, host: &str) -> Vec<String> {
    let host = Host::parse(host).unwrap();
    let found = frontier.waiting((&host, Lane::Again), None, 100, |_| false).unwrap();
    found.into_iter().map(|waiting| waiting.url.to_string()).collect()
}

/// Lets everything that is due at a moment come into the queues.
fn renew(frontier: &Frontier, now: Timestamp, limit: usize) {
    let mut update = frontier.update();
    update.now = now;
    update.renew(limit, &options()).unwrap();
    update.commit().unwrap();
    assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
}

const MONTHS: Timestamp = Timestamp::from_millis(90 * 24 * 3600 * 1000);

#[test]
fn important_pages_are_fetched_again_first() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let options = Options { strategy: Strategy::BestFirst, guesses: false, ..options() };
    let pages = ["http://a.example/1", "http://a.example/2", "http://a.example/3"];
    let mut update = frontier.update();
    for (number, address) in pages.into_iter().enumerate() {
        let place = 10 + 10 * number as u64;
        let page = record(&mut update, address, 200, &[]);
        update.record(&page, at(place), at(place + 10), &options).unwrap();
    }
    // Others name the second since.
    let page = record(&mut update, "http://b.example/", 200, &[pages[1]]);
    update.record(&page, at(40), at(50), &options).unwrap();
    update.commit().unwrap();
    assert!(!frontier.has_due(Timestamp::from_millis(2000)).unwrap());
    assert!(frontier.has_due(MONTHS).unwrap());
    renew(&frontier, MONTHS, 100);
    assert!(!frontier.has_due(MONTHS).unwrap());
    assert_eq!(again(&frontier, "a.example"), [pages[1], pages[0], pages[2]]);
    assert!(waiting(&frontier, "a.example").is_empty());
    assert_eq!(frontier.totals().waiting, 4);
}

#[test]
fn what_is_due_comes_a_bounded_number_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let mut update = frontier.update();
    for number in 0..10 {
        let page = record(&mut update, &format!("http://a.example/{number}"), 200, &[]);
        let place = 10 + 10 * number;
        update.record(&page, at(place), at(place + 10), &options()).unwrap();
    }
    update.commit().unwrap();
    for expected in [4, 8, 10, 10] {
        renew(&frontier, MONTHS, 4);
        assert_eq!(again(&frontier, "a.example").len(), expected);
    }
}

#[test]
fn a_page_that_cannot_be_fetched_again_is_put_off() {
    let folder = tempfile::tempdir().unwrap();
    let frontier = Frontier::open(folder.path(), SIZES).unwrap();
    let page = url("http://a.example/");
    let mut update = frontier.update();
    let good = record(&mut update, "http://a.example/", 200, &[]);
    update.record(&good, at(10), at(20), &options()).unwrap();
    update.commit().unwrap();
    let fates: [fn(&mut Update<'_>, &Url); 3] = [
        |update, page| update.forbid(page).unwrap(),
        |update, page| update.leave_out(page, "excluded").unwrap(),
        |update, page| update.fail(page, Failure::NoSuchHost, 3).unwrap(),
    ];
    let mut now = MONTHS;
    for fate in fates {
        renew(&frontier, now, 10);
        assert_eq!(again(&frontier, "a.example").len(), 1);
        let mut update = frontier.update();
        update.now = now;
        fate(&mut update, &page);
        update.commit().unwrap();
        assert!(again(&frontier, "a.example").is_empty());
        let state = frontier.url(&page).unwrap().unwrap();
        assert!(matches!(state.standing, Standing::Fetched { status: 200, .. }), "{state:?}");
        assert!(!frontier.has_due(now).unwrap());
        now = now.plus(std::time::Duration::from_secs(31 * 24 * 3600));
        assert!(frontier.has_due(now).unwrap());
        assert_eq!(frontier.check().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn a_forgotten_page_is_not_fetched_again() {
    for is_waiting in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let frontier = Frontier::open(folder.path(), SIZES).unwrap();
        let mut update = frontier.update();
        let good = record(&mut update, "http://a.example/", 200, &[]);
        update.record(&good, at(10), at(20), &options()).unwrap();
        update.commit().unwrap();
        if is_waiting {
            renew(&frontier, MONTHS, 10);
        }
        frontier.forget(&[(good.url.clone(), good.id)], at(30)).unwrap();
        assert!(again(&frontier, "a.example").is_empty());
        assert!(!frontier.has_due(MONTHS).unwrap());
        assert_eq!(frontier.history(&good.url).unwrap(), None);
        assert_eq!((frontier.totals().waiting, frontier.check().unwrap()), (0, Vec::new()));
    }
}

/// A file: where it lies, its bytes up to the zeros at its end, and how long it is with them.
type Stored = (std::path::PathBuf, Vec<u8>, u64);

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<Stored> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
            continue;
        }
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len() as u64;
        bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
        found.push((path, bytes, length));
    }
    found
}

/// Puts files where they were; zeros at an end are holes.
fn put_back(store: &Path, files: &[Stored]) {
    std::fs::remove_dir_all(store).unwrap();
    for (path, bytes, length) in files {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        std::fs::File::options().write(true).open(path).unwrap().set_len(*length).unwrap();
    }
}

/// Keys and values of a store.
type Entries = Vec<(Vec<u8>, Vec<u8>)>;

/// Returns all that a store says, and what is wrong with it.
fn told(store: &Path) -> Result<(Entries, Vec<String>), FrontierError> {
    let frontier = Frontier::open(store, SIZES)?;
    let mut all = Vec::new();
    for keyspace in [&frontier.urls, &frontier.queue, &frontier.hosts, &frontier.turns] {
        for guard in keyspace.iter() {
            let (key, value) = guard.into_inner()?;
            all.push((key.to_vec(), value.to_vec()));
        }
    }
    Ok((all, frontier.check()?))
}

/// Also where its keyspaces lie in tables, which a small crawl has none of.
#[test]
fn sto_07_a_flipped_bit_in_any_file_of_the_store_is_damage_or_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("frontier");
    let frontier = Frontier::open(&store, SIZES).unwrap();
    for round in 0..2 {
        let mut update = frontier.update();
        for page in 0..200 {
            let address = format!("http://h{}.example/{round}/{page}", page % 7);
            update.seed(&url(&address), Timestamp::default()).unwrap();
        }
        update.commit().unwrap();
        for keyspace in [&frontier.urls, &frontier.queue, &frontier.hosts, &frontier.meta] {
            keyspace.rotate_memtable_and_wait().unwrap();
        }
    }
    frontier.sync().unwrap();
    drop(frontier);
    let (whole, problems) = told(&store).unwrap();
    assert_eq!((whole.is_empty(), problems), (false, Vec::new()));
    let before = files(&store);
    put_back(&store, &before);
    assert_eq!(told(&store).unwrap().0, whole);
    let (mut found, mut harmless) = (0, 0);
    for (path, bytes, length) in &before {
        let name = path.strip_prefix(&store).unwrap().display();
        for place in [0, bytes.len() / 3, bytes.len().saturating_sub(2)] {
            let Some(byte) = bytes.get(place) else { continue };
            put_back(&store, &before);
            let mut flipped = bytes.clone();
            flipped[place] = byte ^ 16;
            flipped.resize(usize::try_from(*length).unwrap(), 0);
            std::fs::write(path, flipped).unwrap();
            match told(&store) {
                Err(error) => {
                    assert!(error.is_damage(), "{name} at {place}: {error:?}");
                    found += 1;
                }
                Ok((all, problems)) if problems.is_empty() && all == whole => harmless += 1,
                // Nothing in it, or some batches fewer: the page log is read again from there.
                Ok((all, problems)) => {
                    let is_earlier = all.iter().all(|entry| whole.contains(entry));
                    assert!(!problems.is_empty() || is_earlier, "{name} at {place} is believed");
                    found += 1;
                }
            }
        }
    }
    println!("{} files: {found} flips found, {harmless} harmless", before.len());
    assert!(found > 50, "{found} found, {harmless} harmless");
}
