//! axe-core looks for faults that keep people out who cannot see or point (U2).
//!
//! The program is not ours: `cargo xtask test` fetches it and says in `LOOKFAR_AXE` where it is.

use std::process::Child;
use std::sync::Arc;

use base::Collection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chromium::skip;
use crate::looks::PAGES;
use crate::room::{Crawl, ROOMS, open_report};
use crate::tab::Tab;
use crate::world::{World, begin, lookfar};

/// Returns axe-core's source; `None` if there is none, which only CI takes for a failure.
#[track_caller]
fn source() -> Option<String> {
    let Some(path) = std::env::var_os("LOOKFAR_AXE") else {
        skip("axe-core");
        return None;
    };
    Some(std::fs::read_to_string(path).unwrap())
}

/// Returns axe-core and a browser; says of the first that is missing.
#[track_caller]
fn source_and_world() -> Option<(String, Arc<World>)> {
    Some((source()?, World::get()?))
}

/// Returns the serious faults of the page, each with its rule and its place.
#[track_caller]
fn faults(tab: &Tab<'_>, source: &str) -> Vec<String> {
    tab.eval(&format!("{source}; 1"));
    let found = tab.eval("axe.run(document, { resultTypes: ['violations'] })");
    // That it looked at all shows in what was in order.
    assert!(!found["passes"].as_array().unwrap().is_empty());
    let violations = found["violations"].as_array().unwrap();
    let is_serious =
        |fault: &&Value| matches!(fault["impact"].as_str(), Some("serious" | "critical"));
    let told = |fault: &Value| {
        let places = fault["nodes"].as_array().into_iter().flatten().map(|node| &node["html"]);
        let places: Vec<String> = places.take(3).map(ToString::to_string).collect();
        format!("{}: {} at {}", fault["id"], fault["help"], places.join(", "))
    };
    violations.iter().filter(is_serious).map(told).collect()
}

/// Puts a copy where scripts run: in its sandbox not even axe does.
fn unbox(tab: &Tab<'_>) {
    let html = tab.text("document.documentElement.outerHTML");
    tab.goto("/");
    let frame = &tab.call("Page.getFrameTree", json!({}))["frameTree"]["frame"]["id"];
    tab.call("Page.setDocumentContent", json!({ "frameId": frame, "html": html }));
    tab.until("document.styleSheets.length > 0");
}

#[test]
fn no_page_of_the_control_room_has_a_serious_fault() {
    let Some((source, world)) = source_and_world() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    // One of them is a report, as soon as there is something to report.
    open_report(&tab);
    let mut found = Vec::new();
    for scheme in ["light", "dark"] {
        tab.prefer(scheme);
        for path in ROOMS {
            tab.goto(path);
            tab.eval("document.querySelectorAll('details').forEach(e => e.open = true); 1");
            let told = faults(&tab, &source);
            found.extend(told.iter().map(|fault| format!("{path} ({scheme}): {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A server whose control room wants a token; ends when it is dropped.
struct Locked {
    child: Child,
    address: String,
    _folder: TempDir,
}

impl Locked {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let config = "[serve]\nadmin_token_file = \"token\"\n";
        std::fs::write(collection.config(), config).unwrap();
        std::fs::write(folder.path().join("token"), "a-token-that-nobody-guesses").unwrap();
        let (child, address) = begin(lookfar(folder.path(), &["serve", "--port", "0", "--json"]));
        Self { child, address, _folder: folder }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The room of [`Crawl`] is open to this machine, so it never asks who is there.
#[test]
fn the_page_to_log_in_has_no_serious_fault() {
    let Some((source, world)) = source_and_world() else { return };
    let locked = Locked::start();
    let tab = world.tab_at(&locked.address);
    let mut found = Vec::new();
    for scheme in ["light", "dark"] {
        tab.prefer(scheme);
        tab.goto("/admin/login");
        assert_eq!(tab.text_of("main h1"), "The control room is closed");
        found.extend(faults(&tab, &source));
        tab.click("[name=token]");
        tab.write("not-the-token-that-it-is");
        tab.follow(|tab| tab.press("Enter"));
        assert_eq!(tab.text_of("[role=alert]"), "That is not the token.");
        found.extend(faults(&tab, &source));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Lists that drop down are looked at as well.
#[test]
fn open_lists_and_other_tongues_have_no_serious_fault() {
    let Some((source, world)) = source_and_world() else { return };
    let tab = world.tab();
    let mut found = Vec::new();
    for scheme in ["light", "dark"] {
        tab.prefer(scheme);
        tab.goto("/");
        tab.write("muse");
        tab.until("document.querySelectorAll('#suggestions li').length > 0");
        tab.press("ArrowDown");
        found.extend(faults(&tab, &source));
        for language in ["ar", "ja", "de"] {
            tab.speak(language);
            tab.goto("/search?q=lantern&why=1");
            tab.eval("document.querySelectorAll('details').forEach(e => e.open = true); 1");
            let told = faults(&tab, &source);
            found.extend(told.iter().map(|fault| format!("{language} ({scheme}): {fault}")));
        }
        tab.speak("en");
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_page_has_a_serious_fault() {
    let Some((source, world)) = source_and_world() else { return };
    let tab = world.tab();
    let mut found = Vec::new();
    for scheme in ["light", "dark"] {
        tab.prefer(scheme);
        for path in PAGES {
            tab.goto(path);
            if path.starts_with("/cache") {
                unbox(&tab);
            }
            let told = faults(&tab, &source);
            found.extend(told.iter().map(|fault| format!("{path} ({scheme}): {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The measure is worth something: it finds what is made wrong on purpose.
#[test]
fn a_picture_without_words_and_pale_letters_are_found() {
    let Some((source, world)) = source_and_world() else { return };
    let tab = world.tab();
    tab.goto("/");
    // Colours in the markup would not count, since our policy lets no style attribute in.
    tab.eval(
        "document.querySelector('main').innerHTML = '<img src=x><p>These letters are pale</p>';\
         const style = document.querySelector('main p').style;\
         style.color = '#ccc'; style.background = '#fff'; 1",
    );
    let found = faults(&tab, &source).join("\n");
    for rule in ["image-alt", "color-contrast"] {
        assert!(found.contains(rule), "{rule} is not among {found}");
    }
}
