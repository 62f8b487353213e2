//! Searches of the demo's web with what links say, and without: spam, trust, topics, authority.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{lines, says};
use crate::run::{expect, output, text};

fn search(dir: &Path, query: &str, more: &[&str]) -> Vec<Value> {
    let found = output(dir, &[&["search", query, "--json", "--explain"], more].concat());
    expect(&found, 0);
    lines(&found)
}

/// Returns the place of the first answer whose address begins so.
#[track_caller]
fn place(answers: &[Value], beginning: &str) -> usize {
    let is_it = |answer: &Value| answer["url"].as_str().unwrap().starts_with(beginning);
    answers.iter().position(is_it).unwrap_or_else(|| panic!("{beginning} in {answers:#?}"))
}

fn remarks(answer: &Value) -> String {
    answer["remarks"].to_string()
}

/// Leaves the collection with topics and trusted pages.
pub(super) fn counts_in_a_search(dir: &Path) {
    pagerank_lifts(dir);
    spam_falls(dir);
    says(&output(dir, &["search", "jaguar", "--topic", "cats"]), 2, "none was ranked yet");
    fs::create_dir(dir.join("topics")).unwrap();
    fs::write(dir.join("topics/cats.txt"), "# all of it\nwildcats.lookfar\n").unwrap();
    let bookmarks = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A \
                     HREF=\"http://retrogames.lookfar/\">games</A></DL>";
    fs::write(dir.join("topics/bookmarks.html"), bookmarks).unwrap();
    fs::write(dir.join("trusted.txt"), "http://dansk.lookfar/*\n").unwrap();
    expect(&output(dir, &["graph", "build", "--again"]), 0);
    expect(&output(dir, &["check"]), 0);
    topics_lift(dir);
    trust_lifts(dir);
    authorities_come_first(dir);
    let bookmarks = dir.join("topics/bookmarks.html");
    let command = ["graph", "topics", "--json", "--bookmarks", bookmarks.to_str().unwrap()];
    let ranked = output(dir, &command);
    expect(&ranked, 0);
    assert_eq!(lines(&ranked)[0]["node"], "http://retrogames.lookfar/");
}

/// The home page of the weather is what its links make it: by words alone others come before it.
fn pagerank_lifts(dir: &Path) {
    let home = "http://weather.lookfar/";
    let with = search(dir, "weather", &[]);
    let without = search(dir, "weather", &["--without", "pagerank"]);
    let is_home = |answer: &Value| answer["url"] == home;
    let high = with.iter().position(is_home).unwrap();
    let low = without.iter().position(is_home).unwrap();
    assert!(high == 0 && low >= 1, "{high} {low}");
    let by_links = |answer: &Value| {
        let parts = answer["parts"].as_array().unwrap();
        let part = parts.iter().find(|part| part["name"] == "links");
        part.map_or(0.0, |part| part["value"].as_f64().unwrap())
    };
    assert!(by_links(&with[high]) > 0.1, "{}", with[high]);
    assert!(without.iter().all(|answer| by_links(answer) == 0.0), "{without:#?}");
    // That is all the difference between the two.
    let score = |answer: &Value| answer["score"].as_f64().unwrap();
    let difference = score(&with[high]) - score(&without[low]);
    assert!((difference - by_links(&with[high])).abs() < 1e-4, "{difference}");
}

fn spam_falls(dir: &Path) {
    let farm = "http://cheap-lamps.lookfar/";
    let with = search(dir, "lamps", &["-k", "200"]);
    let without = search(dir, "lamps", &["--without", "spam"]);
    let high = place(&without, farm);
    let fallen = place(&with, farm);
    assert!(high <= 1 && fallen >= 10, "{high} {fallen}");
    assert!(remarks(&with[fallen]).contains("Looks like link spam"), "{}", with[fallen]);
    assert!(!remarks(&without[high]).contains("spam"), "{}", without[high]);
    // Nobody else is accused.
    let honest = |answer: &&Value| !remarks(answer).contains("spam");
    let is_of_farm = |answer: &&Value| {
        ["http://cheap-lamps.lookfar/", "http://best-offers.lookfar/"]
            .iter()
            .any(|host| answer["url"].as_str().unwrap().starts_with(host))
    };
    assert!(with.iter().filter(|answer| !is_of_farm(answer)).all(|answer| honest(&answer)));
    let shown = text(&output(dir, &["search", "lamps", "-k", "200", "--explain"]).stdout);
    assert!(shown.contains("spam: looks like link spam: what is taken away for it"), "{shown}");
    assert!(shown.contains("    - Looks like link spam: held up by"), "{shown}");
}

fn topics_lift(dir: &Path) {
    let cats = search(dir, "jaguar", &["--topic", "cats"]);
    assert_eq!(place(&cats, "http://wildcats.lookfar/cats/jaguar"), 0, "{cats:#?}");
    let games = search(dir, "jaguar", &["--topic", "bookmarks=0.9", "--topic", "web=0.1"]);
    let plain = search(dir, "jaguar", &[]);
    assert!(place(&plain, "http://wildcats.lookfar/cats/jaguar") > 0);
    let corner = "http://retrogames.lookfar/the-jaguar-corner/";
    assert!(place(&games, corner) < place(&plain, corner), "{games:#?}");
    let said = remarks(&games[place(&games, corner)]);
    assert!(said.contains("Importance for bookmarks 90 %, web 10 %"), "{said}");
    let unknown = output(dir, &["search", "jaguar", "--topic", "dogs"]);
    says(&unknown, 2, "there is no topic `dogs`; there are web, bookmarks, cats");
    says(&output(dir, &["search", "jaguar", "--topic", "cats=-1"]), 2, "write it like `news=0.7`");
    says(&output(dir, &["search", "jaguar", "--topic", "cats=0"]), 2, "one above 0");
    says(&output(dir, &["search", "jaguar", "--without", "links"]), 2, "pagerank, trust, spam");
    let model = ["search", "jaguar", "--topic", "cats", "--model", "bm25"];
    says(&output(dir, &model), 2, "for the model lookfar");
}

fn trust_lifts(dir: &Path) {
    let page = "http://dansk.lookfar/side/jaguaren";
    let with = search(dir, "jaguar", &[]);
    let without = search(dir, "jaguar", &["--without", "trust"]);
    assert!(place(&with, page) < place(&without, page), "{with:#?}");
    let said = remarks(&with[place(&with, page)]);
    assert!(said.contains("Linked by trusted pages"), "{said}");
}

fn authorities_come_first(dir: &Path) {
    let found = output(dir, &["search", "jaguar", "--order", "authorities", "--json", "--explain"]);
    says(&found, 0, "note: Ordered by authority (HITS): of the first 50 answers");
    let found = lines(&found);
    for answer in &found[..5] {
        assert_eq!(answer["parts"][0]["name"], "authority");
        assert!(answer["score"].as_f64().unwrap() > 0.0);
        let url = answer["url"].as_str().unwrap();
        assert!(!url.contains("cheap-lamps") && !url.contains("islands"), "{url}");
    }
    // The same as the page of its own says, as far as sites are hosts.
    let alone = lines(&output(dir, &["graph", "hits", "jaguar", "--json"]));
    let best = alone.iter().find(|line| line["as"] == "authority").unwrap();
    let is_best = |answer: &Value| answer["url"] == best["node"];
    assert!(found[..3].iter().any(is_best), "{best} {found:#?}");
}
