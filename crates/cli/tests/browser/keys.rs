//! Without a mouse: from the first page to an opened result, filters and wishes, with keys alone.

use crate::tab::Tab;
use crate::world::World;

/// Presses Tab until something has the focus; nothing is ever clicked or focused by hand.
#[track_caller]
fn tab_to(tab: &Tab<'_>, selector: &str) {
    for _ in 0..120 {
        tab.press("Tab");
        if tab.eval(&format!("document.activeElement.matches(`{selector}`)")) == true {
            return;
        }
    }
    panic!("Tab never comes to {selector}");
}

#[test]
fn a_search_from_the_first_page_to_an_opened_result_needs_only_keys() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    tab.write("jaguar");
    tab.follow(|tab| tab.press("Enter"));
    tab.press("/");
    assert_eq!(tab.text("document.activeElement.name"), "q");
    // The field is marked, so typing replaces what stood there.
    tab.write("lantern");
    assert_eq!(tab.text("document.getElementById('q').value"), "lantern");
    tab.follow(|tab| tab.press("Enter"));
    let focused = "[...document.querySelectorAll('.hit h2 a')].indexOf(document.activeElement)";
    for place in [0, 1, 2] {
        tab.press("ArrowDown");
        assert_eq!(tab.eval(focused), place);
    }
    tab.press("ArrowUp");
    assert_eq!(tab.eval(focused), 1);
    for (key, place) in [("j", 2), ("j", 3), ("k", 2), ("k", 1)] {
        tab.press(key);
        assert_eq!(tab.eval(focused), place, "{key}");
    }
    let seen = "(() => { const r = document.activeElement.getBoundingClientRect(); \
                return r.top >= 0 && r.bottom <= innerHeight })()";
    assert_eq!(tab.eval(seen), true, "what has the focus is in the window");
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_ne!(tab.text(outline), "none", "and can be told from the others");
    tab.is_quiet();
    let address = tab.text("document.activeElement.href");
    tab.press("Enter");
    // The other site is not there; that it is asked for is enough.
    tab.until_asked(&address);
}

#[test]
fn tab_goes_through_the_page_in_reading_order_and_first_past_the_top() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=lantern");
    tab.press("Tab");
    assert_eq!(tab.text("document.activeElement.className"), "skip");
    tab.press("Enter");
    tab.until("document.activeElement.id == 'main'");
    // From here on everything lies further down or further right, in the order of the source.
    let mut last = -1;
    for _ in 0..12 {
        tab.press("Tab");
        let place = tab.eval("[...document.querySelectorAll('*')].indexOf(document.activeElement)");
        let place = place.as_i64().unwrap();
        assert!(place > last, "the focus goes back");
        assert_eq!(tab.eval("document.activeElement.closest('main') != null"), true);
        last = place;
    }
    tab.is_quiet();
}

#[test]
fn from_the_first_page_filters_why_and_wishes_are_reached_and_used_with_keys() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    tab.write("jaguar");
    tab.follow(|tab| tab.press("Enter"));
    // A menu opens, its choices come next, Escape shuts it.
    tab_to(&tab, ".filters summary");
    tab.press("Enter");
    tab.until("document.querySelector('.filters details').open");
    tab.press("Tab");
    assert_eq!(tab.eval("document.activeElement.matches('.filters details[open] a')"), true);
    tab.press("Escape");
    tab.until("!document.querySelector('.filters details').open");
    // Why, in its place and away again.
    tab_to(&tab, ".facts a[href*='&why=']");
    tab.press("Enter");
    tab.until("document.querySelector('.hit .why')");
    assert_eq!(tab.text("location.search"), "?q=jaguar", "in its place");
    assert_eq!(tab.text("document.activeElement.getAttribute('aria-expanded')"), "true");
    assert_eq!(tab.count(".why"), 1);
    tab.press("Enter");
    tab.until("document.querySelector('.hit .why').hidden");
    // A wish for the site of a result.
    tab_to(&tab, ".facts [name=prefer]");
    tab.follow(|tab| tab.press("Enter"));
    assert_eq!((tab.count(".facts .on"), tab.text("location.search")), (1, "?q=jaguar".to_owned()));
    // A choice of a filter is followed.
    tab_to(&tab, ".filters summary");
    tab.press("Enter");
    tab_to(&tab, ".filters a[href*='time=year']");
    tab.follow(|tab| tab.press("Enter"));
    assert_eq!(tab.count(".chip"), 1);
    tab.is_quiet();
}

#[test]
fn single_keys_can_be_turned_off() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/preferences");
    tab.click("input[name=keys]");
    tab.follow(|tab| tab.click(".own button.main"));
    tab.goto("/search?q=lantern");
    tab.press("/");
    assert_ne!(tab.text("document.activeElement.tagName"), "INPUT");
    for key in ["j", "k"] {
        tab.press(key);
        assert_eq!(tab.eval("document.activeElement.closest('.hit') != null"), false, "{key}");
    }
    tab.press("ArrowDown");
    assert_eq!(tab.eval("document.activeElement.closest('.hit') != null"), true);
    tab.is_quiet();
}
