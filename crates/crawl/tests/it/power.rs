//! A power loss in the middle of a crawl: what the frontier had not synced may be anything (STO-03).

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crawl::Crawler;
use testweb::{Generated, GeneratedOptions, Mix, Of, Web};

use crate::help::{Place, options};

const PAGES: u64 = 120;
/// What a disk writes at once.
const SECTOR: usize = 512;

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

/// Returns the one journal of a store.
fn journal(store: &Path) -> PathBuf {
    let files = fs::read_dir(store).unwrap().map(|entry| entry.unwrap().path());
    let journals: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "jnl")).collect();
    assert_eq!(journals.len(), 1, "{journals:?}");
    journals[0].clone()
}

/// Does to bytes that were not synced what a power loss may do.
fn damage(bytes: &mut Vec<u8>, unsynced: Range<usize>, random: &mut fastrand::Rng) -> String {
    let place = random.usize(unsynced.clone());
    let sector = place..(place + SECTOR).min(unsynced.end);
    match random.u8(0..6) {
        0 => {
            bytes.truncate(unsynced.start);
            "gone".to_owned()
        }
        1 => {
            bytes.truncate(place);
            format!("cut at {place}")
        }
        2 => {
            bytes[place..].fill(0);
            format!("zeros from {place} on")
        }
        3 => {
            bytes[sector].fill(0);
            format!("a sector of zeros at {place}")
        }
        4 => {
            bytes[sector].fill_with(|| random.u8(..));
            format!("a sector of something else at {place}")
        }
        _ => {
            bytes[place] ^= 1 << random.u8(0..8);
            format!("a bit flipped at {place}")
        }
    }
}

#[test]
fn sto_03_what_the_frontier_had_not_synced_may_be_anything_after_power_loss() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let generated = Generated::new(GeneratedOptions {
        hosts: 6,
        pages: PAGES,
        page_bytes: 1_000..=3_000,
        mix: Mix::none(),
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let place = Place::new();
    let (frontier, aside) = (place.collection.frontier(), tempfile::tempdir().unwrap());
    let (synced, last) = (aside.path().join("synced"), aside.path().join("last"));
    let mut few = options(&web, Duration::ZERO);
    few.scope.pages = Some(PAGES / 3);
    // A page that nobody names and nobody fetches: known to the frontier alone, and acknowledged.
    let alone = "http://alone.lookfar/";
    place.crawl(&[&generated.seed_url()], few.clone());
    Crawler::open(&place.collection, few.clone())
        .unwrap()
        .add_seeds(&[base::Url::parse(alone).unwrap()])
        .unwrap();
    copy(&frontier, &synced);
    let from = fs::metadata(journal(&synced)).unwrap().len() as usize;
    few.scope.pages = Some(PAGES * 2 / 3);
    let pages = place.crawl(&[], few).pages;
    copy(&frontier, &last);
    let whole = fs::read(journal(&last)).unwrap();
    assert_eq!(whole[..from], fs::read(journal(&synced)).unwrap(), "it is only appended to");
    assert!(whole.len() > from + 10_000, "{} bytes were not synced", whole.len() - from);
    let told = place.records().len();
    for _ in 0..24 {
        fs::remove_dir_all(&frontier).unwrap();
        copy(&last, &frontier);
        let mut bytes = whole.clone();
        let what = damage(&mut bytes, from..whole.len(), &mut random);
        println!("{what}, of {from}..{}", whole.len());
        fs::write(journal(&frontier), &bytes).unwrap();
        let crawler = Crawler::open(&place.collection, options(&web, Duration::ZERO))
            .unwrap_or_else(|error| panic!("{what}: {error:?}"));
        assert_eq!(crawler.stats().snapshot().pages, pages, "{what}");
        drop(crawler);
        place.check();
    }
    // All that is left is fetched, and nothing that the log has; `alone` is still waited for.
    web.log().clear();
    place.crawl(&[], options(&web, Duration::ZERO));
    let all = place.records();
    assert!(generated.pages().all(|page| all.contains_key(&page.url)));
    let fetched = web.log().requests(Of::All);
    let fetched = fetched.iter().filter(|entry| entry.target != "/robots.txt").count();
    assert_eq!(fetched, all.len() - told);
    assert!(web.dns().num_lookups("alone.lookfar") > 0);
    place.check();
}
