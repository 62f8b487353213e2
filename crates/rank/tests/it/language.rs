//! The query language, construct by construct, against small webs.

use base::{ContentKind, DateSource, Dated, PageRecord, Place, Timestamp};
use rank::{Options, Request, Searcher, Synonyms};

use crate::web::{JAGUARS, Web, hosts, link, page, told};

#[track_caller]
fn check(web: &Web, query: &str, expected: &[&str]) {
    assert_eq!(web.found_sorted(query), expected, "{query}");
    assert_eq!(web.search(query).total.count, expected.len() as u64, "{query}");
}

#[track_caller]
fn noted(web: &Web, query: &str, expected: &str) {
    let notes = told(&web.search(query));
    assert!(notes.iter().any(|note| note.contains(expected)), "{query}: {notes:?}");
}

/// Returns the marked runs of the first answer's snippet.
fn marked(searcher: &Searcher, query: &str) -> Vec<String> {
    let results = searcher.search(&Request::new(query)).unwrap();
    let runs = &results.hits[0].snippet.segments;
    runs.iter().filter(|run| run.is_marked).map(|run| run.text.clone()).collect()
}

#[test]
fn near_is_unordered_and_counts_words() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "jaguar NEAR/3 family", &["d6"]);
    check(&web, "family NEAR/3 jaguar", &["d6"]);
    check(&web, "jaguar NEAR/5 family", &["d1", "d3", "d6"]);
    check(&web, "jaguar NEAR family", &["d1", "d3", "d5", "d6"]);
    // In any form, as words are.
    check(&web, "jaguars NEAR/5 families", &["d1", "d3", "d6"]);
    check(&web, "+jaguars NEAR/5 family", &[]);
    check(&web, "jaguar NEAR/1 jaguar", &[]);
    check(&web, "jaguar NEAR/3 jaguar", &["d6"]);
    check(&web, "\"new world\" NEAR/2 family", &[]);
    check(&web, "\"new world\" NEAR/3 family", &["d1"]);
    check(&web, "jaguar NEAR/1 new NEAR/1 world", &["d1"]);
    check(&web, "jag* NEAR/1 n?w", &["d1"]);
    check(&web, "jagaur~2 NEAR/1 new", &["d1"]);
    check(&web, "jaguar -jaguar NEAR/5 family", &["d2", "d4", "d5"]);
    check(&web, "zebra NEAR/5 jaguar", &[]);
}

#[test]
fn near_does_not_reach_over_blocks() {
    let mut web = Web::new();
    let mut record = page("http://a.example/", "the jaguar");
    record.title = "Cats".to_owned();
    record.blocks.push(crate::web::block(base::Zone::Body, "sleeps"));
    web.push(&record);
    web.index();
    check(&web, "jaguar NEAR/100 sleeps", &[]);
    check(&web, "cats NEAR/100 jaguar", &[]);
    check(&web, "the NEAR/1 jaguar", &["a"]);
}

#[test]
fn unknown_words_stand_in_phrases() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "\"new * mammal\"", &["d1"]);
    check(&web, "\"jaguar * * mammal\"", &["d1"]);
    check(&web, "\"new * felidae\"", &[]);
    check(&web, "jaguar -\"new * mammal\" -us", &["d2", "d3", "d6"]);
}

#[test]
fn wildcards_are_words_of_the_dictionary() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "mamm*", &["d1"]);
    check(&web, "M?mmal", &["d1"]);
    check(&web, "f*mily", &[]);
    check(&web, "fa*ly", &["d1", "d3", "d5", "d6"]);
    check(&web, "fa*", &["d1", "d3", "d5", "d6"]);
    check(&web, "fel* OR foot*", &["d1", "d4"]);
    check(&web, "jaguar -fa*", &["d2", "d4"]);
    check(&web, "zz*", &[]);
    assert_eq!(marked(&web.searcher(), "mamm*"), ["mammal"]);
}

#[test]
fn a_rare_word_of_a_pattern_is_worth_no_more_than_a_common_one() {
    let mut texts = vec!["catamaran sails"; 1];
    texts.extend(["cat sleeps cat"; 8]);
    let web = Web::of_texts(&texts);
    assert_eq!(web.found("cat*").last().map(String::as_str), Some("d1"));
    assert_eq!(web.found("cat OR catamaran")[0], "d1");
}

#[test]
fn nearly_right_words_are_found() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "mamal~", &["d1"]);
    check(&web, "mamal~1", &["d1"]);
    check(&web, "footbal~ jaguar", &["d4"]);
    check(&web, "fotbal~1", &[]);
    check(&web, "fotbal~2", &["d4"]);
    check(&web, "footblal~1", &["d4"]);
    // The first letter is taken to be right.
    check(&web, "nammal~1", &[]);
    assert_eq!(marked(&web.searcher(), "mamal~"), ["mammal"]);
}

#[test]
fn marks_are_letters_of_what_is_not_known_exactly() {
    let web = Web::of_texts(&["हिन्दी की कहानी", "a cafe\u{301} at the corner", "a host name"]);
    for query in ["हिन्*", "हि?्दी", "हिन्दि~", "हिन्दी~"]
    {
        check(&web, query, &["d1"]);
        assert_eq!(web.search(query).notes, [], "{query}");
    }
    for query in ["café*", "cafe\u{301}*", "c?fe\u{301}*", "caffe\u{301}~", "caffé~"] {
        check(&web, query, &["d2"]);
    }
    noted(&web, "host-n*", "`host-n*`: only words of letters and digits");
    noted(&web, "name don't~", "`don't~`: only words of letters and digits");
}

#[test]
fn exact_words_have_no_other_forms() {
    let web = Web::of_texts(&["the cats sleep", "one cat sleeps", "cat"]);
    check(&web, "cats", &["d1", "d2", "d3"]);
    check(&web, "+cats", &["d1"]);
    check(&web, "+CATS +the", &["d1"]);
    check(&web, "cat -+cats", &["d2", "d3"]);
    // A stop word behind a plus decides.
    check(&web, "the cat", &["d1", "d2", "d3"]);
    check(&web, "+the cat", &["d1"]);
}

fn titled(url: &str, title: &str, text: &str) -> PageRecord {
    PageRecord { title: title.to_owned(), ..page(url, text) }
}

#[test]
fn titles_and_addresses_are_searched_apart() {
    let mut web = Web::new();
    web.push(&titled("http://a.example/cats/jaguar.html", "The big jaguars", "about cats"));
    web.push(&titled("http://b.example/", "Cats", "the big jaguar sleeps"));
    web.push(&titled("http://c.example/jaguar", "Big and small", "jaguar"));
    web.index();
    check(&web, "title:jaguar", &["a"]);
    check(&web, "intitle:JAGUARS", &["a"]);
    check(&web, "title:+jaguar", &[]);
    check(&web, "title:+jaguars", &["a"]);
    check(&web, "title:\"big jaguars\"", &["a"]);
    check(&web, "title:\"the * jaguars\"", &["a"]);
    check(&web, "title:\"big small\"", &[]);
    check(&web, "title:(big OR cats)", &["a", "b", "c"]);
    check(&web, "title:(big -jaguar)", &["c"]);
    check(&web, "title:jag*", &["a"]);
    check(&web, "title:jagaurs~2", &["a"]);
    check(&web, "title:(big NEAR/2 small)", &["c"]);
    check(&web, "title:(big NEAR/1 small)", &[]);
    check(&web, "jaguar -title:jaguar", &["b", "c"]);
    check(&web, "inurl:jaguar", &["a", "c"]);
    check(&web, "inurl:\"jaguar cats\"", &["a"]);
    check(&web, "inurl:jag*", &["a", "c"]);
    check(&web, "inurl:(cats NEAR/2 jaguar) html", &["a"]);
    check(&web, "-inurl:jaguar", &["b"]);
}

#[test]
fn a_form_that_only_the_text_has_is_not_in_the_title() {
    let mut web = Web::new();
    web.push(&titled("http://text.example/", "Big jaguar", "big jaguars sleep"));
    web.push(&titled("http://title.example/", "Big jaguars", "a big jaguar sleeps"));
    // Without a title the first block stands where others have theirs.
    web.push(&titled("http://none.example/", "", "big jaguars"));
    web.push(&titled("http://bare.example/", "Big jaguars", ""));
    web.index();
    for query in ["+jaguars", "\"big jaguars\"", "jaguars*", "jagua?s", "jaguers~1"] {
        check(&web, &format!("title:{query}"), &["bare", "title"]);
    }
    check(&web, "title:\"big * sleep\"", &[]);
    check(&web, "title:+jaguar", &["text"]);
    check(&web, "title:\"big jaguar\"", &["text"]);
    check(&web, "title:jaguar", &["bare", "text", "title"]);
    check(&web, "big -title:+jaguars", &["none", "text"]);
}

#[test]
fn words_of_addresses_are_held_against_what_is_written() {
    let mut web = Web::new();
    for (host, path) in
        [("one", "library/cat"), ("two", "family/cats"), ("three", "famili/cat-cats")]
    {
        web.push(&page(&format!("http://{host}.example/{path}"), "text"));
    }
    web.index();
    check(&web, "inurl:libr?ry", &["one"]);
    check(&web, "inurl:librar*", &["one"]);
    check(&web, "inurl:family*", &["two"]);
    check(&web, "inurl:f?mily", &["two"]);
    check(&web, "inurl:famili*", &["three"]);
    check(&web, "inurl:librari*", &[]);
    check(&web, "inurl:libary~", &["one"]);
    check(&web, "inurl:+cats", &["three", "two"]);
    check(&web, "inurl:+cat", &["one", "three"]);
    check(&web, "inurl:+family", &["two"]);
    // A plain word is any form of it, as ever.
    check(&web, "inurl:cat", &["one", "three", "two"]);
    check(&web, "inurl:libraries", &["one"]);
    check(&web, "inurl:families", &["three", "two"]);
}

#[test]
fn sites_hosts_and_folders_are_told_apart() {
    let mut web = Web::new();
    for (number, url) in [
        "http://shop.co.uk/",
        "http://www.shop.co.uk/doc/a",
        "https://shop.co.uk/doc/b",
        "http://a.b.shop.co.uk:8080/",
        "http://shop-two.co.uk/",
        "http://127.0.0.1/doc",
        "http://localhost/x",
    ]
    .iter()
    .enumerate()
    {
        let mut record = page(url, &format!("text{number} text"));
        record.title = number.to_string();
        web.push(&record);
    }
    web.index();
    let found = |query: &str| {
        let results = web.search(query);
        let mut numbers: Vec<_> = results.hits.into_iter().map(|hit| hit.title).collect();
        numbers.sort_unstable();
        numbers.concat()
    };
    assert_eq!(found("site:shop.co.uk"), "0123");
    assert_eq!(found("site:b.shop.co.uk text"), "3");
    assert_eq!(found("site:uk"), "01234");
    assert_eq!(found("site:co.uk -site:shop.co.uk"), "4");
    assert_eq!(found("site:shop.co.uk/doc"), "12");
    assert_eq!(found("site:*.shop.co.uk/doc/b"), "2");
    assert_eq!(found("host:shop.co.uk"), "02");
    assert_eq!(found("site:127.0.0.1"), "5");
    assert_eq!(found("site:localhost"), "6");
    assert_eq!(found("site:(localhost OR 127.0.0.1)"), "56");
    assert_eq!(found("site:nowhere.example text"), "");
    assert_eq!(found("country:gb"), "01234");
    assert_eq!(found("cache:shop.co.uk/doc/b"), "2");
    assert_eq!(found("cache:https://shop.co.uk/doc/b"), "2");
    assert_eq!(found("cache:http://shop.co.uk/doc/b"), "");
}

/// Manuals of three programs on one host, at several ports.
#[test]
fn a_folder_is_at_any_port_unless_one_is_named() {
    let mut web = Web::new();
    for (number, url) in [
        "http://docs.example/py/a",
        "http://docs.example:8080/py/b",
        "https://docs.example:8443/py/c",
        "http://www.docs.example:8080/py/d",
        "http://docs.example:8080/rust/e",
        "https://docs.example:8080/rust/f",
        "http://other.example:8080/py/g",
        "http://sub.docs.example:8080/py/h",
        "http://web.archive.example/web/2020/http://zoo.example/",
        "http://zoo.example/",
    ]
    .iter()
    .enumerate()
    {
        let mut record = page(url, &format!("text{number} text"));
        record.title = number.to_string();
        if number == 0 {
            record.links.push(link("http://web.archive.example/web/2020/http://zoo.example/", "x"));
        }
        web.push(&record);
    }
    web.index();
    web.analyse();
    let searcher = web.searcher();
    let found = |query: &str| {
        let results = searcher.search(&Request::new(query)).unwrap();
        let mut numbers: Vec<_> = results.hits.into_iter().map(|hit| hit.title).collect();
        numbers.sort_unstable();
        numbers.concat()
    };
    assert_eq!(found("site:docs.example"), "0123457");
    assert_eq!(found("site:docs.example/py"), "0123");
    assert_eq!(found("text site:docs.example/py -site:docs.example:8080"), "02");
    assert_eq!(found("site:docs.example:8080/py"), "13");
    assert_eq!(found("site:docs.example:8080"), "1345");
    assert_eq!(found("site:docs.example:80/py"), "0");
    assert_eq!(found("site:docs.example:443/py"), "");
    assert_eq!(found("site:(docs.example:8443 OR docs.example/r OR docs.example/rust)"), "245");
    assert_eq!(found("text NOT (site:docs.example/py OR site:docs.example:8080/)"), "6789");
    // A scheme stands at the beginning.
    assert_eq!(found("site:web.archive.example/web/2020/http://zoo.example"), "8");
    assert_eq!(found("cache:web.archive.example/web/2020/http://zoo.example/"), "8");
    assert_eq!(found("link:web.archive.example/web/2020/http://zoo.example/"), "0");
}

#[test]
fn pages_are_told_apart_by_what_they_are() {
    let mut web = Web::new();
    let fetched = Timestamp::parse_rfc3339("2024-06-01T00:00:00Z").unwrap();
    for (host, path, kind, language, date) in [
        ("html", "x.php", ContentKind::Html, "en", None),
        ("pdf", "x", ContentKind::Pdf, "da", Some("2023-12-31T23:59:59Z")),
        ("old", "x.PDF", ContentKind::Pdf, "en", Some("2024-01-01T00:00:00Z")),
    ] {
        let mut record = page(&format!("http://{host}.example/{path}"), "jaguar text");
        (record.kind, record.fetched) = (kind, fetched);
        record.language = Some(language.to_owned());
        record.about.published = date.map(|date| Dated {
            at: Timestamp::parse_rfc3339(date).unwrap(),
            source: DateSource::Meta,
            confidence: 90,
        });
        record.about.places = vec![
            Place { country: Some("dk".to_owned()), ..Place::default() };
            usize::from(host == "old")
        ];
        web.push(&record);
    }
    web.index();
    check(&web, "filetype:pdf", &["old", "pdf"]);
    check(&web, "jaguar filetype:php", &["html"]);
    check(&web, "lang:da", &["pdf"]);
    check(&web, "jaguar -lang:da", &["html", "old"]);
    check(&web, "before:2024", &["pdf"]);
    check(&web, "after:2024 before:2024-02", &["old"]);
    check(&web, "after:2024-01-01", &["html", "old"]);
    check(&web, "after:2024-06-02", &[]);
    check(&web, "country:DK", &["old"]);
    check(&web, "lang:(da OR en) jaguar", &["html", "old", "pdf"]);
    // Filters do not score.
    let scores =
        |query: &str| -> Vec<f32> { web.search(query).hits.iter().map(|hit| hit.score).collect() };
    assert_eq!(scores("jaguar"), scores("jaguar lang:(da OR en)"));
    for hit in web.search("lang:en").hits {
        // What a page is, whatever was asked, still counts.
        let asked = hit.parts.iter().filter(|part| part.name != "freshness");
        assert_eq!(asked.map(|part| part.value).sum::<f32>(), 0.0, "{hit:?}");
    }
}

#[test]
fn who_links_to_a_page_is_known_after_the_analysis() {
    let mut web = Web::new();
    for (host, target) in [("one", "http://three.example/"), ("two", "http://three.example/")] {
        let mut record = page(&format!("http://{host}.example/"), &format!("text {host}"));
        record.links.push(link(target, "three"));
        web.push(&record);
    }
    web.push(&page("http://three.example/", "text"));
    web.index();
    check(&web, "link:http://three.example/", &[]);
    noted(&web, "link:http://three.example/", "after the first link analysis");
    web.analyse();
    check(&web, "link:http://three.example/", &["one", "two"]);
    check(&web, "link:three.example -one", &["two"]);
    check(&web, "link:one.example", &[]);
    check(&web, "text -link:three.example", &["three"]);
    assert_eq!(web.search("link:three.example").notes, []);
}

#[test]
fn related_pages_share_telling_words() {
    let mut web = Web::of_texts(&[
        "jaguar habitat rainforest river prey ambush hunting",
        "ambush predators of the rainforest river and their prey",
        "stock market prices and shares",
        "share prices of the market",
        "jaguar hunting in the rainforest habitat",
    ]);
    let results = web.search("related:d1.example");
    assert_eq!(hosts(&results)[0], "d5", "{:?}", results.notes);
    check(&web, "related:d1.example", &["d2", "d5"]);
    check(&web, "related:http://d1.example/ predators", &["d2"]);
    noted(&web, "related:d1.example", "rainforest");
    check(&web, "related:unknown.example", &[]);
    noted(&web, "related:unknown.example", "not in the index");
    web.push(&page("http://d6.example/", "nothing alike"));
    web.index();
    check(&web, "related:d6.example", &[]);
}

#[test]
fn compounds_match_each_other_however_written() {
    let web = Web::of_texts(&[
        "set the hostname of it",
        "set the host name of it",
        "set the host-name of it",
        "name the host",
    ]);
    check(&web, "hostname", &["d1", "d2", "d3"]);
    check(&web, "host-name", &["d1", "d2", "d3", "d4"]);
    check(&web, "host name", &["d1", "d2", "d3", "d4"]);
    check(&web, "set -hostname", &["d2"]);
    // The word itself comes first.
    assert_eq!(web.found("hostname").last().map(String::as_str), Some("d2"));
    assert_eq!(marked(&web.searcher(), "hostname")[0], "hostname");
    let results = web.search("hostname");
    let last = &results.hits.last().unwrap().snippet.segments;
    let runs: Vec<_> =
        last.iter().filter(|run| run.is_marked).map(|run| run.text.as_str()).collect();
    assert_eq!(runs, ["host", "name"]);
}

#[test]
fn synonyms_of_the_user_stand_for_words_and_score_less() {
    let web =
        Web::of_texts(&["a fast car", "a fast automobile", "a fast motor car", "a fast train"]);
    let (synonyms, odd) = Synonyms::parse("automobile, motor car\nloco => train");
    assert_eq!(odd, [0; 0]);
    let options = Options { synonyms, ..Options::default() };
    let searcher = Searcher::open_with(&web.collection, options).unwrap();
    let found = |query: &str| hosts(&searcher.search(&Request::new(query)).unwrap());
    assert_eq!(found("automobile"), ["d2", "d3"]);
    assert_eq!(found("fast automobiles"), ["d2", "d3"]);
    assert_eq!(found("motor car"), ["d3", "d2"]);
    assert_eq!(found("loco"), ["d4"]);
    assert_eq!(found("train"), ["d4"]);
    assert_eq!(found("fast -automobile"), ["d1", "d4", "d3"].map(str::to_owned).to_vec());
    assert_eq!(found("+automobile"), ["d2"]);
    assert_eq!(marked(&searcher, "loco"), ["train"]);
}

/// T5.
#[test]
fn stop_words_count_alone_quoted_and_behind_a_plus() {
    let web = Web::of_texts(&["to be or not to be", "the jaguar by the river", "jaguar"]);
    check(&web, "the", &["d2"]);
    check(&web, "\"the\" jaguar", &["d2"]);
    check(&web, "+the jaguar", &["d2"]);
    check(&web, "the jaguar", &["d2", "d3"]);
    assert_eq!(web.found("the jaguar")[0], "d2");
    check(&web, "to be or not to be", &["d1"]);
}

#[test]
fn where_no_page_has_all_words_those_with_some_are_shown() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "jaguar new zebra", &["d1", "d2", "d3", "d4", "d5", "d6"]);
    noted(
        &web,
        "jaguar new zebra",
        "No page has all 3 words of the query; these have some of them.",
    );
    noted(&web, "felidae football", "No page has all 2 words");
    // Those with more of them come first.
    let most = web.found("jaguar new zebra");
    assert!(["d1", "d2", "d5"].iter().all(|host| most[..3].iter().any(|found| found == host)));
    check(&web, "felidae football", &["d1", "d4"]);
    check(&web, "\"new world\" \"big cat\"", &["d1", "d7"]);
    // What must be, and what must not, stays.
    check(&web, "jaguar zebra -new", &["d3", "d4", "d6"]);
    check(&web, "jaguar zebra lang:da", &[]);
    // Who writes AND means it.
    check(&web, "jaguar AND zebra", &[]);
    check(&web, "zebra lion", &[]);
    assert!(web.search("jaguar new").notes.is_empty());
    assert!(web.search("zebra lion").notes.is_empty());
}

#[test]
fn pages_found_by_links_must_meet_filters_too() {
    let mut web = Web::new();
    let mut home = page("http://home.example/", "nothing");
    home.language = Some("da".to_owned());
    home.title = "Home".to_owned();
    web.push(&home);
    for host in ["one", "two"] {
        let mut record = page(&format!("http://{host}.example/"), "text");
        record.links.push(link("http://home.example/", "Glimmerworks"));
        web.push(&record);
    }
    web.index();
    web.analyse();
    check(&web, "glimmerworks", &["home"]);
    check(&web, "glimmerworks lang:da", &["home"]);
    check(&web, "glimmerworks lang:en", &[]);
    check(&web, "glimmerworks title:home", &["home"]);
    check(&web, "glimmerworks -site:home.example", &[]);
    check(&web, "title:glimmerworks", &[]);
}
