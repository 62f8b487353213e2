//! Whether a browser takes this search among its search engines (OpenSearch).

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::chromium::{self, Browser, PATIENCE};
use crate::world::World;

/// Returns all that Chromium has written of its search engines: a database, and its journal.
fn engines(profile: &Path) -> Vec<u8> {
    let files = ["Web Data", "Web Data-journal", "Web Data-wal"];
    let read = |name| std::fs::read(profile.join("Default").join(name)).unwrap_or_default();
    files.into_iter().flat_map(read).collect()
}

#[test]
fn chromium_takes_this_search_among_its_search_engines() {
    let Some(world) = World::get() else { return };
    // Tabs of the tests are private ones, and those add no search engines.
    let browser = Browser::start(&chromium::program().unwrap());
    let origin = format!("http://{}", world.address());
    browser.call(None, "Target.createTarget", json!({ "url": format!("{origin}/") }));
    // What it has read in the description: where to search and where to ask for suggestions; and
    // where it has that from.
    let wanted = [
        format!("{origin}/search?q={{searchTerms}}"),
        format!("{origin}/suggest?q={{searchTerms}}"),
        format!("{origin}/opensearch.xml"),
    ];
    let begun = Instant::now();
    loop {
        let kept = engines(browser.profile());
        let is_there = |text: &String| kept.windows(text.len()).any(|at| at == text.as_bytes());
        if wanted.iter().all(is_there) {
            return;
        }
        let missing: Vec<&String> = wanted.iter().filter(|text| !is_there(text)).collect();
        assert!(begun.elapsed() < PATIENCE, "Chromium does not know {missing:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
