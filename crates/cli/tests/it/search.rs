//! `lookfar search`: the query language on the terminal, and the synonyms of a collection.

use std::fs;

use crate::run::{expect, output, text};

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
    search("automobile", 1);
    fs::write(dir.join("synonyms.txt"), "automobile, car\n").unwrap();
    let (found, _) = search("automobile", 0);
    assert!(found.contains("http://a.example/car.html") && !found.contains("cat.html"), "{found}");
}
