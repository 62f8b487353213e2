//! How pages look: dark and light, phone and desktop, left to right and right to left.

use crate::tab::Tab;
use crate::world::World;

/// Pages of every kind.
pub(crate) const PAGES: &[&str] = &[
    "/",
    "/search?q=lantern",
    "/search?q=jaguar&explain=1",
    "/search?q=%D9%85%D8%B5%D8%A8%D8%A7%D8%AD",
    "/search?q=lantern&lang=en&time=year",
    "/search?q=lantren",
    "/search?q=nothingwhatsoever",
    "/search?q=lantern&offset=abc",
    "/pictures?q=jaguar",
    "/pictures?q=nothingwhatsoever",
    "/hubs?q=lantern",
    "/hubs?q=nothingwhatsoever",
    "/preferences",
    "/api",
    "/nothing/here",
    "/cache?url=http://zoo.example/cats/jaguar&q=jaguar",
];

/// Returns how bright a colour of the page is, from 0 to 255.
fn brightness(tab: &Tab<'_>, property: &str) -> f64 {
    let expression = format!("getComputedStyle(document.body).{property}");
    let colour = tab.text(&expression);
    let inside = colour.split_once('(').unwrap().1.trim_end_matches(')');
    let mut parts = inside.split([',', ' ', '/']).filter_map(|part| part.parse::<f64>().ok());
    let mut part = || parts.next().unwrap_or_else(|| panic!("{colour}"));
    0.299 * part() + 0.587 * part() + 0.114 * part()
}

#[test]
fn the_page_is_dark_for_those_who_like_it_and_light_for_the_others() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for path in PAGES {
        for (scheme, is_dark) in [("dark", true), ("light", false)] {
            tab.prefer(scheme);
            tab.goto(path);
            let (ground, letters) =
                (brightness(&tab, "backgroundColor"), brightness(&tab, "color"));
            assert_eq!(ground < letters, is_dark, "{path}: {ground} behind {letters}");
            assert!((ground - letters).abs() > 100.0, "{path}: {ground} behind {letters}");
        }
    }
    tab.is_quiet();
}

#[test]
fn no_page_is_wider_than_the_window() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for (width, height) in [(320, 568), (768, 1024), (1920, 1080)] {
        tab.size(width, height);
        for path in PAGES {
            tab.goto(path);
            let wide = tab.eval("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= width.into(), "{path} is {wide} wide in a window of {width}");
        }
    }
    tab.is_quiet();
}

/// The whole page is mirrored for those who read from right to left, in their letters.
#[test]
fn in_arabic_the_page_is_mirrored() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    let at = |tab: &Tab<'_>, selector: &str| {
        tab.eval(&format!("document.querySelector('{selector}').getBoundingClientRect().x"))
            .as_f64()
            .unwrap()
    };
    tab.goto("/search?q=jaguar");
    assert!(at(&tab, ".brand") < at(&tab, ".ask"), "the name is at the left");
    tab.speak("ar");
    for path in PAGES.iter().filter(|path| **path != "/api") {
        tab.goto(path);
        assert_eq!(tab.text("document.documentElement.dir"), "rtl", "{path}");
        let words = tab.text("document.body.innerText");
        let is_arabic = |letter: &char| ('\u{600}'..'\u{700}').contains(letter);
        assert!(words.chars().filter(is_arabic).count() > 20, "{path}: {words}");
        let wide = tab.eval("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= 1280, "{path} is {wide} wide");
    }
    tab.goto("/search?q=jaguar");
    assert!(at(&tab, ".brand") > at(&tab, ".ask"), "and now at the right");
    assert!(at(&tab, ".ask button") < at(&tab, ".ask input"), "so is what the button is behind");
    // Addresses stay as they are written.
    let crumbs = "getComputedStyle(document.querySelector('cite bdi')).direction";
    assert_eq!(tab.text(crumbs), "ltr");
    tab.is_quiet();
}

#[test]
fn the_page_speaks_the_language_of_the_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for (language, words) in [
        ("en", "Related searches"),
        ("da", "Beslægtede søgninger"),
        ("de", "Ähnliche Suchen"),
        ("fr", "Recherches associées"),
        ("ja", "関連する検索"),
        ("ar", "عمليات بحث ذات صلة"),
    ] {
        tab.speak(language);
        tab.goto("/search?q=lantern");
        assert_eq!(tab.text("document.documentElement.lang"), language);
        let told = tab.text_of("main");
        assert!(told.contains(words), "{language}: {told}");
    }
    tab.is_quiet();
}

#[test]
fn what_is_tapped_on_a_phone_is_large_enough() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.size(360, 640);
    tab.goto("/search?q=lantern");
    for selector in
        ["input[name=q]", ".ask button", ".filters summary", ".facts button", "nav.paging a"]
    {
        let height = tab.eval(&format!(
            "Math.min(...[...document.querySelectorAll('{selector}')]\
             .map(e => e.getBoundingClientRect().height))"
        ));
        // WCAG 2.2 asks for 24 pixels at least.
        assert!(height.as_f64().unwrap() >= 24.0, "{selector}: {height}");
    }
}

#[test]
fn text_runs_the_way_its_letters_do() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=%D9%85%D8%B5%D8%A8%D8%A7%D8%AD");
    assert!(tab.count(".hit") > 0);
    let direction = "getComputedStyle(document.querySelector('.hit')).direction";
    assert_eq!(tab.text(direction), "rtl");
    // The box follows what is typed.
    let direction = "getComputedStyle(document.querySelector('input[name=q]')).direction";
    assert_eq!(tab.text(direction), "rtl");
    tab.goto("/search?q=jaguar");
    assert_eq!(tab.text(direction), "ltr");
    tab.is_quiet();
}

/// The promise of the page: under 30 KB with everything.
#[test]
fn a_first_visit_weighs_less_than_thirty_kilobytes() {
    let Some(world) = World::get() else { return };
    for path in ["/", "/search?q=lantern"] {
        let tab = world.tab();
        tab.goto(path);
        tab.until("document.readyState == 'complete'");
        let num_bytes = tab.num_bytes();
        assert!((1_000..30_000).contains(&num_bytes), "{path}: {num_bytes} bytes");
    }
}
