//! What people come for: asking, reading answers, asking why, reading copies.

use crate::tab::Tab;
use crate::world::World;

/// Types a query into the box of the start page and presses Enter.
fn ask(tab: &Tab<'_>, query: &str) {
    tab.goto("/");
    tab.click("input[name=q]");
    tab.write(query);
    tab.follow(|tab| tab.press("Enter"));
}

#[test]
fn a_query_brings_titles_addresses_and_marked_words() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    ask(&tab, "jaguar cat");
    assert_eq!(tab.text("location.pathname"), "/search");
    assert_eq!(tab.text("document.querySelector('input[name=q]').value"), "jaguar cat");
    assert!(tab.text("document.title").contains("jaguar cat"));
    let first = tab.text_of(".hit");
    assert!(first.contains("The jaguar") && first.contains("zoo.example"), "{first}");
    assert!(tab.count(".hit mark") > 0);
    let link = tab.text("document.querySelector('.hit h2 a').href");
    assert_eq!(link, "http://zoo.example/cats/jaguar");
    tab.is_quiet();
}

#[test]
fn the_start_page_waits_for_a_query() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    assert_eq!(tab.text("document.activeElement.name"), "q");
    tab.write("lantern");
    tab.follow(|tab| tab.press("Enter"));
    assert!(tab.count(".hit") > 0);
    tab.is_quiet();
}

#[test]
fn further_answers_are_on_the_next_page() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/search?q=lantern&folded=0");
    let first = tab.text("document.querySelector('.hit h2 a').href");
    assert_eq!(tab.count(".hit"), 10);
    tab.follow(|tab| tab.click("a[rel=next]"));
    assert!(tab.count(".hit") > 0);
    assert_ne!(tab.text("document.querySelector('.hit h2 a').href"), first);
    tab.follow(|tab| tab.click("a[rel=prev]"));
    assert_eq!(tab.text("document.querySelector('.hit h2 a').href"), first);
    tab.is_quiet();
}

#[test]
fn a_result_says_why_it_stands_where_it_stands() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    ask(&tab, "jaguar");
    tab.follow(|tab| tab.click("a[href*='explain=1']"));
    assert_eq!(tab.count(".why"), tab.count(".hit"));
    let told = tab.text_of(".why");
    assert!(told.contains("Score") && told.contains('%'), "{told}");
    tab.is_quiet();
}

#[test]
fn a_copy_of_a_page_is_shown_with_the_words_marked() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    ask(&tab, "rosettes");
    tab.follow(|tab| tab.click("a[href^='/cache']"));
    assert!(tab.text_of("main").contains("marked with rosettes"));
    assert_eq!(tab.text_of("main mark"), "rosettes");
    assert_eq!(tab.count("script, iframe, form"), 0);
    tab.is_quiet();
}

#[test]
fn everything_works_without_scripts() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.without_scripts();
    ask(&tab, "lantern");
    assert!(tab.count(".hit") > 0);
    tab.follow(|tab| tab.click("a[href*='explain=1']"));
    assert!(tab.count(".why") > 0);
    tab.follow(|tab| tab.click("a[href^='/cache']"));
    assert!(tab.text_of("main").contains("lantern"));
    let scripts = tab.requests().into_iter().filter(|url| url.ends_with(".js")).count();
    assert_eq!(scripts, 0, "nothing that is not run is loaded");
    tab.is_quiet();
}

#[test]
fn a_page_that_is_not_there_leads_back() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/nothing/here");
    assert!(!tab.text_of("h1").is_empty());
    tab.follow(|tab| tab.click("main a[href='/']"));
    assert_eq!(tab.text("location.pathname"), "/");
    tab.is_quiet();
}
