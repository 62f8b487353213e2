//! Without a mouse: from the first page to an opened result, with keys alone.

use crate::world::World;

#[test]
fn a_search_from_the_first_page_to_an_opened_result_needs_only_keys() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=jaguar");
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
fn why_menus_and_filters_open_with_enter_and_close_with_escape() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=jaguar");
    tab.eval("document.querySelector('.filters summary').focus(); 1");
    tab.press("Enter");
    tab.until("document.querySelector('.filters details').open");
    tab.press("Escape");
    tab.until("!document.querySelector('.filters details').open");
    tab.eval("document.querySelector('.facts a[href*=\"&why=\"]').focus(); 1");
    tab.press("Enter");
    tab.until("document.querySelector('.hit .why')");
    assert_eq!(tab.text("location.search"), "?q=jaguar", "in its place");
    assert_eq!(
        tab.text(
            "document.querySelector('.facts a[href*=\"&why=\"]').getAttribute('aria-expanded')"
        ),
        "true"
    );
    assert_eq!(tab.count(".why"), 1);
    tab.press("Enter");
    tab.until("document.querySelector('.hit .why').hidden");
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
    tab.press("ArrowDown");
    assert_eq!(tab.eval("document.activeElement.closest('.hit') != null"), true);
    tab.is_quiet();
}
