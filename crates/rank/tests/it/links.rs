//! What others say of a page, and how important they make it.

use base::{PageRecord, Rel, Span, Url};
use rank::Request;

use crate::web::{JAGUARS, Web, hosts, link, page, until};

const HOME: &str = "http://pictures.example/";

fn linking(host: &str, text: &str, anchor: &str) -> PageRecord {
    let mut record = page(&format!("http://{host}.example/"), text);
    record.links.push(link(HOME, anchor));
    record
}

/// A web in which a page of pictures is known to three sites as Glimmerworks.
fn pictures() -> Web {
    let mut web = Web::new();
    let mut home = page(HOME, "");
    home.blocks.clear();
    web.push(&home);
    web.push(&linking("one", "We bought lamps from Glimmerworks last year.", "Glimmerworks"));
    web.push(&linking("two", "Glimmerworks makes fine lamps.", "Glimmerworks lamps"));
    web.push(&linking("three", "A list of makers: Glimmerworks and others.", "Glimmerworks"));
    let mut fan = page("http://fan.example/", "Glimmerworks Glimmerworks Glimmerworks lamps");
    fan.title = "My Glimmerworks page".to_owned();
    web.push(&fan);
    for number in 0..30 {
        web.push(&page(&format!("http://other{number}.example/"), "lamps and other things"));
    }
    web.index();
    web
}

/// W16.
#[test]
fn the_home_page_made_of_pictures_is_first_for_its_name() {
    let web = pictures();
    assert!(!web.found("glimmerworks").contains(&"pictures".to_owned()));
    web.analyse();
    let results = web.search("glimmerworks");
    assert_eq!(hosts(&results)[0], "pictures");
    let first = &results.hits[0];
    assert_eq!((first.title.as_str(), first.snippet.segments.len()), ("Glimmerworks", 0));
    assert_eq!(results.total.count, 5);
    let part = |name| first.parts.iter().find(|part| part.name == name).unwrap().value;
    assert!(part("anchors") > 0.0 && part("text") == 0.0);
    assert_eq!(web.found("\"glimmerworks lamps\"")[0], "pictures");
    assert_eq!(
        web.found("glimmerworks -lamps").iter().filter(|host| *host == "pictures").count(),
        0
    );
}

#[test]
fn htm_21_pages_without_text_are_found_by_others_words_alone() {
    let mut web = pictures();
    let mut titled = page("http://titled.pictures.example/", "");
    titled.blocks.clear();
    titled.title = "Lamps".to_owned();
    web.push(&titled);
    web.index();
    web.analyse();
    let is_listed = |query: &str| web.found(query).contains(&"pictures".to_owned());
    for query in [
        "site:pictures.example",
        "filetype:html",
        "lang:en",
        "inurl:pictures",
        "country:us OR site:pictures.example",
        "-nothing",
        "site:pictures.example -nothing",
        "before:2030",
        "-site:other1.example",
    ] {
        let results = web.search(query);
        assert!(!hosts(&results).contains(&"pictures".to_owned()), "{query}");
        let listed = results.hits.len() as u64;
        assert!(results.total.count >= listed && listed > 0 || query.contains("inurl"), "{query}");
    }
    assert_eq!(web.search("site:pictures.example").total.count, 1);
    // By what others call it, also together with what it is; and by its own address.
    for query in ["glimmerworks", "glimmerworks site:pictures.example", "glimmerworks lang:en"] {
        assert!(is_listed(query), "{query}");
    }
    assert_eq!(web.found("cache:pictures.example"), ["pictures"]);
}

/// P6.
#[test]
fn words_beside_here_find_the_page_that_it_leads_to() {
    let mut web = Web::new();
    let mut home = page(HOME, "");
    home.blocks.clear();
    web.push(&home);
    let text = "The photographs of walruses are here and nowhere else";
    let mut fan = linking("fan", text, "here");
    let start = u32::try_from(text.find("here").unwrap()).unwrap();
    fan.anchors = vec![Some(Span { block: 0, start, end: start + 4 })];
    web.push(&fan);
    web.push(&page("http://other.example/", "penguins"));
    web.index();
    assert_eq!(web.found("walrus photographs"), ["fan"]);
    web.analyse();
    assert_eq!(web.found_sorted("walrus photographs"), ["fan", "pictures"]);
    assert_eq!(web.found("walrus photographs")[0], "fan", "who says it comes first");
}

#[test]
fn words_of_the_page_and_of_others_add_up() {
    let mut web = Web::new();
    web.push(&page(HOME, "We make lamps."));
    web.push(&linking("one", "text", "Glimmerworks"));
    web.index();
    web.analyse();
    assert_eq!(web.found("glimmerworks lamps"), ["pictures"]);
    // What others say never keeps a page out.
    assert_eq!(web.found("lamps -glimmerworks"), ["pictures"]);
    assert_eq!(web.found("glimmerworks -lamps"), Vec::<String>::new());
}

#[test]
fn a_page_that_has_gone_is_no_answer_however_many_link_to_it() {
    let mut web = pictures();
    web.analyse();
    let mut gone = page(HOME, "");
    gone.status = 404;
    web.push_as_it_is(&gone);
    web.index();
    assert!(!web.found("glimmerworks").contains(&"pictures".to_owned()));
}

#[test]
fn paid_links_and_links_of_the_own_site_do_not_make_a_name() {
    let mut web = Web::new();
    let mut home = page(HOME, "");
    home.blocks.clear();
    web.push(&home);
    for number in 0..5 {
        let mut paid = linking(&format!("paid{number}"), "text", "Bestlamps");
        paid.links[0].rel = Rel { sponsored: true, ..Rel::default() };
        web.push(&paid);
        let url = format!("http://pictures.example/{number}");
        let mut own = page(&url, "text");
        own.links.push(link(HOME, "Wonderlamps"));
        web.push(&own);
    }
    web.push(&page("http://text.example/", "Wonderlamps are lamps."));
    web.index();
    web.analyse();
    for query in ["bestlamps", "\"bestlamps\"", "+bestlamps", "bestl*", "bestlemps~"] {
        assert_eq!(web.found(query), Vec::<String>::new(), "{query}");
    }
    for query in ["wonderlamps", "\"wonderlamps\"", "+wonderlamps"] {
        assert_eq!(web.found(query)[0], "text", "{query}");
    }
}

#[test]
fn spm_06_one_site_lends_its_phrase_no_votes_of_others() {
    let mut web = Web::new();
    web.push(&page(HOME, "We make lamps."));
    for number in 0..40 {
        web.push(&linking(&format!("fan{number}"), "text", "Acme pictures"));
    }
    web.push(&linking("bomber", "text", "miserable failure"));
    web.push(&linking("lazy", "text", "click here"));
    // Patterns stand for words that pages say.
    web.push(&page("http://says.example/", "a miserable failure, click here"));
    web.index();
    web.analyse();
    let votes = |query: &str| {
        let results = web.search(query);
        let home = results.hits.iter().find(|hit| hit.url.as_str() == HOME).unwrap();
        let part = home.parts.iter().find(|part| part.name == "anchors").unwrap();
        part.value
    };
    let name = votes("\"acme pictures\"");
    for (query, most) in [
        ("\"miserable failure\"", 0.4),
        ("+failure", 0.4),
        ("miserab*", 0.4),
        ("miserible~", 0.4),
        ("\"click here\"", 0.2),
        ("+click", 0.2),
        ("clic*", 0.2),
    ] {
        assert!(votes(query) < most * name, "{query}: {} of {name}", votes(query));
    }
    // The same by plain words.
    assert_eq!(votes("+failure"), votes("failure"));
    assert_eq!(votes("+acme"), votes("acme"));
}

#[test]
fn importance_decides_between_pages_that_fit_alike_and_never_alone() {
    let mut web = Web::new();
    web.push(&page("http://unknown.example/", "jaguar in the forest"));
    web.push(&page("http://known.example/", "jaguar in the forest"));
    web.push(&page("http://better.example/", "jaguar zebra"));
    for number in 0..20 {
        let mut record = page(&format!("http://fan{number}.example/"), "nothing");
        record.links.push(link("http://known.example/", "here"));
        web.push(&record);
    }
    web.index();
    assert_eq!(web.found("jaguar forest"), ["unknown", "known"]);
    web.analyse();
    assert_eq!(web.found("jaguar forest"), ["known", "unknown"]);
    assert_eq!(web.found("zebra OR forest")[0], "better");
}

#[test]
fn red_11_many_addresses_that_lead_to_one_page_do_not_let_it_win_everything() {
    let mut web = Web::new();
    let all = "welcome to the home of the jaguar, the zebra and all other friends of the forest";
    web.push(&page("http://home.example/", all));
    web.push(&page("http://zebra.example/", "zebra stripes: how a zebra got them"));
    web.push(&page("http://jaguar.example/", "jaguar rivers: where a jaguar swims"));
    // So that words are as rare as they are where people search.
    for number in 0..300 {
        web.push(&page(&format!("http://n{number}.example/"), "nothing of them"));
    }
    for number in 0..2_000 {
        let mut record = page(&format!("http://home.example/old/{number}"), "");
        record.status = 301;
        record.redirect = Url::parse("http://home.example/").ok();
        web.push(&record);
    }
    web.index();
    web.analyse();
    for word in ["zebra", "jaguar"] {
        // The addresses themselves are no answers.
        assert_eq!(web.found(word), [word, "home"]);
        let results = web.search(word);
        let links = |place: usize| {
            let parts = &results.hits[place].parts;
            parts.iter().find(|part| part.name == "links").map_or(0.0, |part| part.value)
        };
        assert!(links(1) > links(0), "{word}: {} {}", links(0), links(1));
    }
    assert_eq!(web.found("friends"), ["home"]);
}

#[test]
fn a_searcher_takes_up_new_generations() {
    let web = pictures();
    let searcher = web.searcher();
    assert_eq!(searcher.generation(), None);
    web.analyse();
    web.analyse();
    until("the second one is in use", || searcher.generation().is_some_and(|of| of.0 == 2));
    let results = searcher.search(&Request::new("glimmerworks")).unwrap();
    assert_eq!(hosts(&results)[0], "pictures");
}

#[test]
fn a_generation_that_cannot_be_read_leaves_the_words() {
    let web = Web::of_texts(&JAGUARS);
    web.analyse();
    let generation = web.collection.generation().unwrap().unwrap();
    std::fs::remove_dir_all(web.collection.anchors(generation)).unwrap();
    std::fs::remove_dir_all(web.collection.scores(generation)).unwrap();
    assert_eq!(web.found_sorted("jaguar new"), ["d1", "d2", "d5"]);
}
