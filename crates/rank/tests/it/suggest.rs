//! What a person may be about to type, from titles, links and headings of a whole web (Q7).

use crate::web::{Web, block, link, page};
use base::{Oddity, PageId, PageRecord, Timestamp, Zone};

fn titled(url: &str, title: &str) -> PageRecord {
    PageRecord { title: title.to_owned(), ..page(url, "some text") }
}

fn linking(url: &str, anchors: &[&str]) -> PageRecord {
    let mut record = page(url, "links");
    record.links.extend(anchors.iter().map(|anchor| link("http://cat.example/", anchor)));
    record
}

#[track_caller]
fn check(web: &Web, typed: &str, expected: &[&str]) {
    assert_eq!(web.searcher().suggest(typed, 9), expected, "{typed}");
}

#[test]
fn titles_and_what_two_sites_say_are_suggested() {
    let mut web = Web::new();
    web.push(&titled("http://cat.example/", "Jaguar, the big cat | Zoo"));
    web.push(&linking("http://one.example/", &["spotted cat", "panthera onca"]));
    web.push(&linking("http://two.example/", &["Spotted Cat", "click here"]));
    web.push(&linking("http://three.example/", &["click here"]));
    // The same voice twice is one.
    web.push(&linking("http://a.one.example/", &["panthera onca"]));
    for name in ["four", "five"] {
        let mut record = page(&format!("http://{name}.example/"), "text");
        record.blocks.push(block(Zone::Heading, "Habitat of cats"));
        web.push(&record);
    }
    web.index();
    assert!(web.searcher().suggest("jag", 9).is_empty());
    web.analyse();
    assert!(rank::check_suggestions(&web.collection).unwrap());
    check(&web, "jag", &["Jaguar, the big cat", "Jaguar, the big cat | Zoo"]);
    check(&web, "big c", &["Jaguar, the big cat", "Jaguar, the big cat | Zoo"]);
    check(&web, "spo", &["spotted cat"]);
    check(&web, "pan", &[]);
    check(&web, "habi", &["Habitat of cats"]);
    check(&web, "click", &[]);
    check(&web, "zoo", &["Jaguar, the big cat | Zoo"]);
    assert_eq!(web.searcher().suggest("jag", 1).len(), 1);
    assert!(web.searcher().suggest("jag", 0).is_empty());
    check(&web, "site:a jag", &[]);
    check(&web, &"j".repeat(300), &[]);
}

/// A page whose text is this among words that no other page has.
fn saying(url: &str, text: &str) -> PageRecord {
    let name: String = url.chars().filter(char::is_ascii_alphanumeric).collect();
    page(url, &format!("This is about {name}one. {text} And {name}two is it."))
}

#[test]
fn phrases_of_running_text_are_suggested_if_several_sites_say_them() {
    let mut web = Web::new();
    for name in ["one", "two", "three", "four"] {
        let text = format!(
            "In {name}ville a magnetic resonance laboratory of {name}ville is shown. A Gothic \
             cathedral, rain; thunder 2026 storms and {name}ly the state of the art."
        );
        web.push(&saying(&format!("http://{name}.example/"), &text));
    }
    // However often one says it, and two are not several.
    for number in 0..30 {
        let text = "Buy golden lamps today.";
        web.push(&saying(&format!("http://lamps.example/{number}"), text));
    }
    web.push(&saying("http://other.example/", "Buy golden lamps today."));
    for name in ["five", "six", "seven", "eight"] {
        let mut record = saying(&format!("http://{name}.example/"), "Nothing else");
        record.blocks.push(block(Zone::Boilerplate, "Accept tasty cookies here"));
        record.blocks.push(block(Zone::Body, "Secret garden parties"));
        let place = u32::try_from(record.blocks.len() - 1).unwrap();
        record.unquotable.push(base::Span { block: place, start: 0, end: 5 });
        web.push(&record);
    }
    web.index();
    web.analyse();
    check(&web, "magn", &["magnetic resonance laboratory"]);
    check(&web, "goth", &["Gothic cathedral"]);
    // The longer phrase says it all, and stop words stand only within one.
    check(&web, "state", &["state of the art"]);
    check(&web, "laboratory", &["magnetic resonance laboratory"]);
    for typed in
        ["golden", "tasty", "cookies", "secret", "garden", "rain", "thunder", "cathedral r"]
    {
        check(&web, typed, &[]);
    }
}

#[test]
fn where_there_is_one_site_its_pages_must_say_a_phrase() {
    let mut web = Web::new();
    for number in 0..4 {
        let text = match number {
            0..3 => "The harbour pilot boards. The night ferry leaves.",
            _ => "The night ferry leaves.",
        };
        web.push(&saying(&format!("http://port.example/{number}"), text));
    }
    web.index();
    web.analyse();
    check(&web, "night", &["night ferry leaves"]);
    check(&web, "harb", &[]);
}

#[test]
fn nothing_personal_is_suggested() {
    let mut web = Web::new();
    web.push(&titled("http://a.example/", "Write to ann@example.org"));
    web.push(&titled("http://b.example/", "Call +45 12 34 56 78"));
    web.push(&titled("http://c.example/", "Ann of Greenwood"));
    web.index();
    web.analyse();
    check(&web, "write", &[]);
    check(&web, "call", &[]);
    check(&web, "an", &["Ann of Greenwood"]);
}

#[test]
fn pages_that_are_spam_or_forbid_it_do_not_speak() {
    let mut web = Web::new();
    let mut spam = titled("http://spam.example/", "Cheap watches");
    spam.spam.score = 90;
    web.push(&spam);
    let mut noindex = titled("http://hidden.example/", "Cheap secrets");
    noindex.robots.noindex = true;
    web.push(&noindex);
    let mut nosnippet = titled("http://silent.example/", "Cheap silence");
    nosnippet.robots.nosnippet = true;
    web.push(&nosnippet);
    let mut leaving = titled("http://leaving.example/", "Cheap tickets");
    leaving.until = Some(Timestamp::from_millis(i64::MAX / 2));
    web.push(&leaving);
    web.push(&titled("http://good.example/", "Cheap flights"));
    web.index();
    web.analyse();
    check(&web, "cheap", &["Cheap flights"]);
}

#[test]
fn what_is_forgotten_is_not_suggested_from_that_moment() {
    let mut web = Web::new();
    web.push(&titled("http://gone.example/", "Ann's secret diary"));
    web.push(&titled("http://stays.example/", "Ann of Greenwood"));
    web.index();
    web.analyse();
    check(&web, "ann", &["Ann of Greenwood", "Ann's secret diary"]);
    let mut gone = page("http://gone.example/", "");
    gone.blocks.clear();
    gone.oddities.push(Oddity::Forgotten);
    gone.status = 410;
    web.push_as_it_is(&PageRecord { id: PageId::new(0, 0).unwrap(), ..gone });
    web.index();
    check(&web, "ann", &["Ann of Greenwood"]);
    web.analyse();
    check(&web, "ann", &["Ann of Greenwood"]);
}

#[test]
fn damaged_suggestions_are_told_and_not_used() {
    let mut web = Web::new();
    web.push(&titled("http://a.example/", "Jaguar"));
    web.index();
    assert!(!rank::check_suggestions(&web.collection).unwrap());
    web.analyse();
    check(&web, "jag", &["Jaguar"]);
    let generation = web.collection.generation().unwrap().unwrap();
    let path = web.collection.scores(generation).join("suggestions");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[30] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    check(&web, "jag", &[]);
    let error = rank::check_suggestions(&web.collection).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
    assert_eq!(web.found("text"), ["a"]);
}
