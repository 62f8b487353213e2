//! `lookfar search`: the query language on the terminal, and the synonyms of a collection.

use std::fs;

use crate::run::{collection, expect, output, text};

#[test]
fn a_search_says_what_it_made_of_the_query_and_knows_the_users_synonyms() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    for (name, words) in [("car", "A fast car on the road"), ("cat", "A jaguar sleeps here")] {
        let page = format!("<html lang=en><title>The {name}</title><p>{words}");
        fs::write(docs.join(format!("{name}.html")), page).unwrap();
    }
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    let search = |query: &str, code: i32| {
        let found = output(&dir, &["search", query]);
        expect(&found, code);
        (text(&found.stdout), text(&found.stderr))
    };
    let (found, said) = search("title:car -jag* road NEAR/5 fast", 0);
    assert!(found.contains("http://a.example/car.html"), "{found}");
    assert_eq!(said, "");
    // Notes are told beside the data, without what would steer a terminal.
    let (found, said) = search("jaguar zebra lang:en foo:\u{1b}[1mx", 0);
    assert!(found.contains("http://a.example/cat.html"), "{found}");
    assert!(said.contains("note: No page has all"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
    // Another spelling is proposed, not taken.
    let (found, said) = search("Jagaur", 1);
    assert_eq!((found.as_str(), said.lines().next()), ("", Some("did you mean: Jaguar")));
    let as_json = |query: &str| text(&output(&dir, &["search", "--json", query]).stdout);
    assert_eq!(as_json("jagaur"), "{\"did_you_mean\":\"jaguar\"}\n");
    assert!(as_json("sleeps jagaur").contains("\"did_you_mean\":\"sleeps jaguar\"}"));
    search("automobile", 1);
    fs::write(dir.join("synonyms.txt"), "automobile, car\n").unwrap();
    let (found, _) = search("automobile", 0);
    assert!(found.contains("http://a.example/car.html") && !found.contains("cat.html"), "{found}");
}

#[test]
fn spm_01_stuffed_pages_rank_behind_an_honest_one() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    let honest = "<title>The jaguar</title><p>The jaguar is a large cat of the Americas. It hunts at \
                  dusk, near rivers, and swims well. Farmers fear it for their cattle; hunters \
                  have made it rare in the north of its range.";
    let many = |words: &str, times: usize| format!("{words} ").repeat(times);
    let stuffed = [
        format!("<title>{}</title><p>{}", many("jaguar", 10_000), many("jaguar", 10_000)),
        format!("<title>jaguar</title><p>{}", many("jaguar", 10_000)),
        format!("<title>jaguar jaguar jaguar</title><p>{}", many("jaguar cat buy cheap", 300)),
        format!("<title>Jaguar</title><p>{}", many("Jaguar is the best jaguar of jaguars.", 200)),
        format!(
            "<title>jaguar</title><p>Welcome to our page about many things. <div \
             style=display:none>{}</div>",
            many("jaguar", 2_000)
        ),
    ];
    fs::write(docs.join("honest.html"), honest).unwrap();
    for (number, page) in stuffed.iter().enumerate() {
        fs::write(docs.join(format!("stuffed{number}.html")), page).unwrap();
    }
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    for query in ["jaguar", "jaguar cat"] {
        let found = output(&dir, &["search", "--json", "--unfolded", "--explain", query]);
        let found = text(&found.stdout);
        let hits = found.lines().map(|line| serde_json::from_str(line).unwrap());
        let hits: Vec<serde_json::Value> = hits.collect();
        assert_eq!(hits[0]["url"], "http://a.example/honest.html", "{query}: {found}");
        let quality = |hit: &serde_json::Value| {
            let mut parts = hit["parts"].as_array().unwrap().iter();
            parts.find(|part| part["name"] == "quality").unwrap()["value"].as_f64().unwrap()
        };
        assert_eq!(quality(&hits[0]), 0.0, "{found}");
        // What the last one has stuffed is hidden, and no part of its text.
        let names: Vec<String> =
            (0..4).map(|number| format!("http://a.example/stuffed{number}.html")).collect();
        let is_stuffed = |hit: &&serde_json::Value| names.iter().any(|name| hit["url"] == **name);
        let stuffed: Vec<f64> = hits.iter().filter(is_stuffed).map(quality).collect();
        assert!(!stuffed.is_empty() && stuffed.iter().all(|value| *value < 0.0), "{found}");
    }
}

#[test]
fn spm_08_a_copy_that_claims_an_earlier_date_is_not_taken_for_the_original() {
    let story = "<p>The jaguar is a large cat of the Americas. It hunts at dusk, near rivers, and \
                 swims well. Farmers fear it for their cattle; hunters have made it rare in the \
                 north of its range, and laws protect it in most of the countries where it is left.";
    let dated = |date: &str, more: &str| {
        format!(
            "<html lang=en><title>The jaguar</title><meta property=article:published_time \
             content={date}><time datetime={date} pubdate>{date}</time>{story}{more}"
        )
    };
    let link = "<p><a href=http://copy.lookfar/>elsewhere</a>";
    for claimed in ["1999-01-01", "2026-01-01"] {
        let web = testweb::Web::new()
            .site(testweb::Script::new("first.lookfar").page("/", &dated("2020-05-05", link)))
            .site(testweb::Script::new("copy.lookfar").page("/", &dated(claimed, "")))
            .start()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        collection(&dir, &web, "delay = \"1ms\"");
        expect(&output(&dir, &["crawl", "--until-idle", "http://first.lookfar/"]), 0);
        let found = text(&output(&dir, &["search", "--json", "jaguar"]).stdout);
        let first: serde_json::Value = serde_json::from_str(found.lines().next().unwrap()).unwrap();
        assert_eq!(first["url"], "http://first.lookfar/", "{claimed}: {found}");
    }
}
