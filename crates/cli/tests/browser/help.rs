//! What helps people to ask: suggestions, another spelling, filters, related searches, pictures.

use crate::world::World;

#[test]
fn suggestions_open_while_typing_and_are_taken_with_the_arrows() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    tab.write("mus");
    tab.until("document.querySelectorAll('#suggestions li').length > 0");
    assert_eq!(tab.text("document.getElementById('q').getAttribute('aria-expanded')"), "true");
    tab.press("ArrowDown");
    let taken = tab.text("document.getElementById('q').value");
    assert!(taken.to_lowercase().contains("mus") && taken.len() > 3, "{taken}");
    assert_eq!(tab.text("document.querySelector('[aria-selected=true]').textContent"), taken);
    // Up again is what was typed, and Escape shuts the list.
    tab.press("ArrowUp");
    assert_eq!(tab.text("document.getElementById('q').value"), "mus");
    tab.press("Escape");
    tab.until("document.getElementById('suggestions').hidden");
    tab.write("e");
    tab.until("document.querySelectorAll('#suggestions li').length > 0");
    tab.press("ArrowDown");
    let taken = tab.text("document.getElementById('q').value");
    tab.follow(|tab| tab.press("Enter"));
    assert_eq!(tab.text("document.querySelector('input[name=q]').value"), taken);
    assert!(tab.count(".hit") > 0, "what is suggested is found");
    tab.is_quiet();
}

#[test]
fn a_suggestion_is_taken_with_a_click() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    tab.write("muse");
    tab.until("document.querySelectorAll('#suggestions li').length > 0");
    let first = tab.text("document.querySelector('#suggestions li').textContent");
    tab.follow(|tab| tab.click("#suggestions li"));
    assert_eq!(tab.text("document.querySelector('input[name=q]').value"), first);
    tab.is_quiet();
}

#[test]
fn another_spelling_is_a_click_away() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.without_scripts();
    tab.goto("/search?q=lantren");
    assert_eq!(tab.text_of(".meant"), "Did you mean: lantern");
    tab.follow(|tab| tab.click(".meant a"));
    assert_eq!(tab.text("document.querySelector('input[name=q]').value"), "lantern");
    assert!(tab.count(".hit") > 0);
    assert_eq!(tab.count(".meant"), 0, "what is spelled well is left alone");
    tab.is_quiet();
}

#[test]
fn related_searches_lead_on() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=lantern");
    assert!(tab.count(".related a") > 0, "{}", tab.text_of("main"));
    let text = tab.text_of(".related a");
    tab.follow(|tab| tab.click(".related a"));
    assert_eq!(tab.text("document.querySelector('input[name=q]').value"), text);
    assert!(tab.count(".hit") > 0, "{text} finds nothing");
    tab.is_quiet();
}

/// Opens the menu whose name this is and follows its choice with this text.
fn choose(tab: &crate::tab::Tab<'_>, menu: &str, choice: &str) {
    let place = format!(
        "[...document.querySelectorAll('.filters details')]\
         .find(e => e.querySelector('summary').textContent.trim() == '{menu}')"
    );
    tab.eval(&format!("{place}.id = 'menu'; 1"));
    tab.click("#menu summary");
    tab.until("document.getElementById('menu').open");
    tab.eval(&format!(
        "[...document.querySelectorAll('#menu a')]\
         .find(e => e.firstChild.textContent.trim() == '{choice}').id = 'choice'; 1"
    ));
    tab.follow(|tab| tab.click("#choice"));
}

#[test]
fn filters_narrow_the_results_and_can_be_taken_away() {
    let Some(world) = World::get() else { return };
    for has_scripts in [true, false] {
        let tab = world.tab();
        if !has_scripts {
            tab.without_scripts();
        }
        tab.goto("/search?q=lantern+OR+lygte+OR+lampe&folded=0");
        let before = tab.text_of(".summary");
        choose(&tab, "Language", "Dansk");
        assert!(tab.count(".hit") > 0);
        assert_eq!(tab.count(".hit:not([lang=da])"), 0, "only Danish is left");
        assert_eq!(tab.count(".chip"), 1);
        assert!(tab.text("location.search").contains("lang=da"));
        // A new search keeps the filter, the cross takes it away.
        tab.click("input[name=q]");
        tab.follow(|tab| tab.press("Enter"));
        assert_eq!(tab.count(".chip"), 1);
        tab.follow(|tab| tab.click(".chip"));
        assert_eq!(tab.count(".chip"), 0);
        choose(&tab, "Site", "lamps.example");
        let hosts = tab.text(
            "[...new Set([...document.querySelectorAll('.hit cite b')]\
             .map(e => e.textContent))].join()",
        );
        assert_eq!(hosts, "lamps.example");
        assert_ne!(tab.text_of(".summary"), before);
        choose(&tab, "Time", "Past year");
        assert_eq!(tab.count(".chip"), 2);
        tab.goto("/search?q=lygter+OR+laternen");
        choose(&tab, "Country", "Denmark");
        assert_eq!(tab.text_of(".hit cite b"), "www.lygter.dk");
        assert_eq!(tab.count(".hit"), 1);
        tab.goto("/search?q=onca");
        assert_eq!(tab.count(".hit"), 2);
        choose(&tab, "Type", "TXT");
        assert_eq!((tab.count(".hit"), tab.count(".chip")), (1, 1));
        assert_eq!(tab.text_of(".hit cite b"), "ledger.example");
        tab.is_quiet();
    }
}

#[test]
fn more_of_a_site_and_similar_pages_are_a_click_away() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=lantern");
    tab.follow(|tab| tab.click(".facts a[href*='site=museum.example']"));
    assert!(tab.count(".hit") > 2);
    let others = "[...document.querySelectorAll('.hit cite b')]\
                  .filter(e => e.textContent != 'museum.example').length";
    assert_eq!(tab.eval(others), 0);
    tab.follow(|tab| tab.click(".facts a[href*='related:']"));
    assert!(tab.text("document.querySelector('input[name=q]').value").starts_with("related:"));
    assert!(tab.count(".hit") > 0, "{}", tab.text_of("main"));
    tab.is_quiet();
}

#[test]
fn pictures_are_found_and_none_is_loaded_from_others() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=jaguar");
    tab.follow(|tab| tab.click(".tabs a[href^='/pictures']"));
    assert_eq!(tab.count(".pictures li"), 2, "{}", tab.text_of("main"));
    let told = tab.text_of(".pictures");
    assert!(told.contains("A jaguar swims") && told.contains("640 × 480"), "{told}");
    assert_eq!(
        tab.text("document.querySelector('.pictures .shape').href"),
        "http://zoo.example/pictures/jaguar.jpg"
    );
    // The next search is for pictures too; the tab leads back.
    tab.click("input[name=q]");
    tab.follow(|tab| tab.press("Enter"));
    assert_eq!(tab.text("location.pathname"), "/pictures");
    tab.follow(|tab| tab.click(".tabs a[href^='/search']"));
    assert!(tab.count(".hit") > 0);
    // WEB-25: nothing was asked of those who have the pictures.
    tab.is_quiet();
}
