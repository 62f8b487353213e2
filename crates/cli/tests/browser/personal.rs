//! Wishes that stay with the visitor: sites, languages, looks; kept in a cookie, taken along.

use crate::tab::Tab;
use crate::world::World;

/// Presses a button of the first result of a host: one click, and the list is another.
fn wish(tab: &Tab<'_>, host: &str, button: &str) {
    tab.eval(&format!(
        "[...document.querySelectorAll('.hit')]\
         .find(e => e.querySelector('cite b').textContent == '{host}').id = 'wanted'; 1"
    ));
    tab.follow(|tab| tab.click(&format!("#wanted .facts {button}")));
}

fn first_host(tab: &Tab<'_>) -> String {
    tab.text_of(".hit cite b")
}

#[test]
fn a_site_is_preferred_lowered_and_blocked_from_a_result() {
    let Some(world) = World::get() else { return };
    for has_scripts in [true, false] {
        let tab = world.tab();
        if !has_scripts {
            tab.without_scripts();
        }
        tab.goto("/search?q=jaguar");
        let hosts = ["zoo.example", "cars.example"];
        let first = first_host(&tab);
        let other = *hosts.iter().find(|host| **host != first).unwrap();
        if has_scripts {
            assert_eq!(
                tab.text("document.querySelector('.facts button').title"),
                "Prefer this site"
            );
        }
        wish(&tab, other, "[name=prefer]");
        assert_eq!(tab.text("location.pathname + location.search"), "/search?q=jaguar");
        assert_eq!(first_host(&tab), other, "what is preferred comes first");
        let sign = "getComputedStyle(document.querySelector('.hit .on'), '::before').content";
        assert!(tab.text(sign).contains('★'), "{}", tab.text(sign));
        // The same place takes it back.
        wish(&tab, other, ".on");
        assert_eq!((tab.count(".on"), first_host(&tab)), (0, first.clone()));
        // What was first is not any more when it is lowered: it loses more than the other won.
        wish(&tab, &first, "[name=lower]");
        assert_eq!(first_host(&tab), other, "what is lowered comes behind");
        assert_eq!((tab.count(".hit"), tab.count("button.on:nth-child(2)")), (2, 1));
        wish(&tab, &first, ".on");
        assert_eq!((tab.count(".on"), first_host(&tab)), (0, first.clone()));
        wish(&tab, other, "[name=block]");
        assert_eq!(tab.count(".hit"), 1);
        assert!(tab.text_of("main").contains("1 result"), "{}", tab.text_of("main"));
        // It holds on the next visit, and stands in the preferences.
        tab.goto("/preferences");
        assert_eq!(tab.text("document.getElementById('block').value.trim()"), other);
        tab.follow(|tab| tab.click("form[action='/preferences/forget'] button"));
        tab.goto("/search?q=jaguar");
        assert_eq!((tab.count(".hit"), first_host(&tab)), (2, first));
        tab.is_quiet();
    }
}

#[test]
fn wishes_are_saved_shown_and_taken_to_another_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.prefer("light");
    tab.goto("/preferences");
    tab.eval(
        "document.getElementById('prefer').value = 'cars.example';\
         document.getElementById('theme').value = 'dark';\
         document.getElementById('count').value = '20';\
         document.getElementById('interface').value = 'de'; 1",
    );
    tab.follow(|tab| tab.click(".own button.main"));
    assert_eq!(tab.text("document.documentElement.lang"), "de");
    tab.goto("/search?q=jaguar");
    assert_eq!(first_host(&tab), "cars.example");
    let ground = tab.text("getComputedStyle(document.body).backgroundColor");
    assert_eq!(ground, "rgb(20, 24, 27)", "dark, whatever the system likes");
    tab.goto("/search?q=lantern&folded=0");
    assert!(tab.count(".hit") > 10, "twenty on a page");
    // As a file: all of it, in words.
    tab.goto("/preferences");
    let file = tab.text("fetch('/preferences.txt').then(reply => reply.text())");
    for line in ["prefer cars.example", "theme dark", "interface de", "count 20"] {
        assert!(file.contains(line), "{line} is not in {file}");
    }
    // As an address, in a browser that knows nothing of it: shown first, saved on request.
    let address = tab.text("document.querySelector('.own a[href*=\"preferences?\"]').href");
    let path = address.split_once("//").unwrap().1.split_once('/').unwrap().1.to_owned();
    let other = world.tab();
    other.goto(&format!("/{path}"));
    assert_eq!(other.text("document.getElementById('prefer').value.trim()"), "cars.example");
    other.goto("/search?q=jaguar");
    assert_ne!(first_host(&other), "cars.example", "it was only shown");
    other.goto(&format!("/{path}"));
    other.follow(|tab| tab.click(".own button.main"));
    other.goto("/search?q=jaguar");
    assert_eq!(first_host(&other), "cars.example");
    // A file that is pasted does the same.
    let third = world.tab();
    third.goto("/preferences");
    third.eval("document.getElementById('text').value = 'block zoo.example\\ncount 20'; 1");
    third.follow(|tab| tab.click("form[action='/preferences/import'] button"));
    assert_eq!(third.text("document.getElementById('block').value.trim()"), "zoo.example");
    tab.is_quiet();
    other.is_quiet();
}

#[test]
fn languages_a_country_and_a_town_raise_what_fits_them() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/preferences");
    tab.eval("document.getElementById('languages').value = 'da'; 1");
    tab.follow(|tab| tab.click(".own button.main"));
    tab.goto("/search?q=museum+OR+museet&explain=1");
    let told = tab.text("document.querySelector('.hit[lang=da]').querySelector('.why').innerText");
    assert!(told.contains("in a language that you prefer"), "{told}");
    // A declared place: by hints such as the end of the host's name (P9).
    tab.goto("/preferences");
    tab.eval("document.getElementById('country').value = 'de'; 1");
    tab.follow(|tab| tab.click(".own button.main"));
    tab.goto("/search?q=lygter+OR+laternen&explain=1");
    let told = tab.text("document.querySelector('.hit[lang=de]').querySelector('.why').innerText");
    assert!(told.contains("belongs to your country"), "{told}");
    let told = tab.text("document.querySelector('.hit[lang=da]').querySelector('.why').innerText");
    assert!(!told.contains("belongs to your country"), "{told}");
    // A town: a page that names it, unless that is of another country.
    for (country, is_raised) in [("de", false), ("", true), ("dk", true)] {
        tab.goto("/preferences");
        tab.eval(&format!(
            "document.getElementById('country').value = '{country}';\
             document.getElementById('town').value = ' nykøbing  mors'; 1"
        ));
        tab.follow(|tab| tab.click(".own button.main"));
        assert_eq!(tab.text("document.getElementById('town').value"), "nykøbing mors");
        tab.goto("/search?q=lygter+OR+laternen&explain=1");
        let why = |code: &str| {
            tab.text(&format!("document.querySelector('.hit[lang={code}] .why').innerText"))
        };
        let told = [why("da"), why("de")].map(|told| told.contains("names your town"));
        assert_eq!(told, [is_raised, false], "{country}");
        if is_raised {
            assert_eq!(first_host(&tab), "www.lygter.dk");
        }
    }
    let file = tab.text("fetch('/preferences.txt').then(reply => reply.text())");
    assert!(file.contains("\ncountry dk\ntown nykøbing mors\n"), "{file}");
    tab.is_quiet();
}
