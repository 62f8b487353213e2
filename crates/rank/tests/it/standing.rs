//! Topics, trust and link spam in the order of answers, and answers by authority.

use base::{Generation, PageRecord};
use graph::{AnalyseOptions, ReputationOptions, Topic};
use rank::{Error, Hit, Note, Remark, Request, Results, Sorting, TopicWeight, WhyNot, Without};

use crate::web::{Web, hosts, link, page};

fn linking(host: &str, text: &str, targets: &[&str]) -> PageRecord {
    let mut record = page(&format!("http://{host}.example/"), text);
    for target in targets {
        record.links.push(link(&format!("http://{target}.example/"), "here"));
    }
    record
}

/// Two pages about jaguars that are alike, `cat` and `car`, each linked to by a friend of its own;
/// `shop`, which a farm of forty hosts holds up; and hubs.
pub(crate) fn jaguars() -> Web {
    let mut web = Web::new();
    let text = "the jaguar is fast and rare and beautiful";
    for host in ["cat", "car", "honest", "shop"] {
        let helpers: Vec<String> = (0..40).map(|n| format!("f{n}.farm")).collect();
        let helpers: Vec<&str> = helpers.iter().map(String::as_str).collect();
        web.push(&linking(host, text, if host == "shop" { &helpers } else { &[] }));
    }
    for number in 0..40 {
        web.push(&linking(&format!("f{number}.farm"), "buy now", &["shop"]));
    }
    web.push(&linking("zoo", "a friend of animals", &["cat", "honest"]));
    web.push(&linking("garage", "a friend of engines", &["car"]));
    web.push(&linking("hub", "a list", &["cat", "honest"]));
    web.push(&linking("list", "another list", &["honest", "cat", "zoo", "garage"]));
    web.index();
    web
}

/// Analyses with these topics and trusted pages, and puts it to use.
pub(crate) fn analyse(web: &Web, topics: &[(&str, &str)], trusted: &[&str]) {
    analyse_within(web, topics, trusted, AnalyseOptions::default().memory);
}

fn analyse_within(web: &Web, topics: &[(&str, &str)], trusted: &[&str], memory: u64) {
    let topic = |(name, page): &(&str, &str)| Topic {
        name: (*name).to_owned(),
        pages: vec![(*page).to_owned()],
    };
    let reputation = ReputationOptions {
        topics: topics.iter().map(topic).collect(),
        trusted: trusted.iter().map(|page| (*page).to_owned()).collect(),
        ..ReputationOptions::default()
    };
    let options = AnalyseOptions { reputation, memory, ..AnalyseOptions::default() };
    let next = Generation(web.collection.generation().unwrap().map_or(0, |last| last.0) + 1);
    graph::analyse(&web.collection, next, &options, &mut graph::unwatched).unwrap();
    let (pages, folder) = (web.collection.pages(), web.collection.anchors(next));
    index::anchors::build(&pages, &folder, index::anchors::Options::default()).unwrap();
    web.collection.publish(next).unwrap();
}

fn topics(text: &str) -> Vec<TopicWeight> {
    text.split(',').map(|topic| topic.parse().unwrap()).collect()
}

fn ask(web: &Web, wanted: &[TopicWeight], without: &str) -> Result<Results, Error> {
    let without = without.parse().unwrap();
    web.searcher().search(&Request { topics: wanted, without, ..Request::new("jaguar") })
}

fn place(results: &Results, host: &str) -> usize {
    hosts(results).iter().position(|found| found == host).unwrap()
}

fn part(hit: &Hit, name: &str) -> Option<f32> {
    hit.parts.iter().find(|part| part.name == name).map(|part| part.value)
}

#[test]
fn a_topic_lifts_the_pages_near_it() {
    let web = jaguars();
    analyse(&web, &[("animals", "http://zoo.example/"), ("engines", "garage.example")], &[]);
    let animals = ask(&web, &topics("animals"), "").unwrap();
    let engines = ask(&web, &topics("engines"), "").unwrap();
    assert!(place(&animals, "cat") < place(&animals, "car"), "{:?}", hosts(&animals));
    assert!(place(&engines, "car") < place(&engines, "cat"), "{:?}", hosts(&engines));
    let first = &engines.hits[0];
    assert!(part(first, "topics").unwrap() > 0.0 && part(first, "links").is_none());
    assert!(
        first.remarks[0].to_string().starts_with("Importance for engines 100 %: "),
        "{:?}",
        first.remarks
    );
    // A blend lies between; ratios count, not sums.
    let of = |results: &Results, host: &str| {
        let hit = &results.hits[place(results, host)];
        part(hit, "topics").unwrap()
    };
    let both = ask(&web, &topics("animals:3,engines:1"), "").unwrap();
    assert!(of(&both, "cat") > of(&engines, "cat") && of(&both, "cat") < of(&animals, "cat"));
    assert!(of(&both, "car") > of(&animals, "car") && of(&both, "car") < of(&engines, "car"));
    let same = ask(&web, &topics("animals:0.75,engines:0.25"), "").unwrap();
    assert_eq!(both.hits, same.hits);
    // The whole web is a topic too: it measures what PageRank does.
    let whole = ask(&web, &topics("web"), "").unwrap();
    let plain = ask(&web, &[], "").unwrap();
    let raw = |results: &Results, host: &str, name: &str| {
        let hit = &results.hits[place(results, host)];
        hit.parts.iter().find(|part| part.name == name).unwrap().raw
    };
    for host in ["cat", "car", "honest", "shop"] {
        let (one, other) = (raw(&whole, host, "topics"), raw(&plain, host, "links"));
        assert!(one > 0.0 && (one - other).abs() < 1e-4, "{host}: {one} {other}");
    }
    // What is left out counts nothing.
    let without = ask(&web, &topics("engines"), "pagerank").unwrap();
    assert_eq!(part(&without.hits[0], "topics"), Some(0.0));
    assert!(without.hits[0].remarks.is_empty());
}

#[test]
fn a_query_tells_which_topics_it_is_about() {
    let web = jaguars();
    analyse(&web, &[("animals", "zoo.example"), ("engines", "garage.example")], &[]);
    let told = |query: &str, wanted: &str| {
        let topics = topics(wanted);
        let request = Request { topics: &topics, ..Request::new(query) };
        let results = web.searcher().search(&request).unwrap();
        results.hits[0].remarks[0].to_string()
    };
    let (animals, engines) = (told("animals", "auto"), told("engines", "auto"));
    assert!(animals.starts_with("Importance for animals "), "{animals}");
    assert!(engines.starts_with("Importance for engines "), "{engines}");
    assert!(animals.contains("as the pages found tell") && !animals.contains("engines"));
    // The farm's pages are near neither, and a share that the user gave stays.
    let buy = told("buy now", "auto");
    assert!(buy.starts_with("Importance for web 100 %, as"), "{buy}");
    let half = told("animals", "auto:1,engines:1");
    assert!(half.starts_with("Importance for engines 50 %, animals "), "{half}");
    // With both in what was found, both count, and each page by its own.
    let both = ask(&web, &topics("auto"), "").unwrap();
    let said = both.hits[0].remarks[0].to_string();
    assert!(said.contains("animals ") && said.contains("engines "), "{said}");
    let alone = ask(&web, &topics("animals"), "").unwrap();
    let of = |results: &Results| part(&results.hits[place(results, "cat")], "topics").unwrap();
    assert!(of(&both) > 0.0 && of(&both) < of(&alone));
}

#[test]
fn topics_that_are_not_known_are_told_with_those_that_are() {
    let web = jaguars();
    let said = |wanted: &str| {
        let error = ask(&web, &topics(wanted), "").unwrap_err();
        assert!(error.is_bad_request());
        error.to_string()
    };
    assert!(said("cats").starts_with("there is no topic `cats`; none was ranked yet"));
    assert!(said("auto").starts_with("there is no topic `auto`; none was ranked yet"));
    analyse_within(&web, &[("animals", "zoo.example")], &[], 1_000);
    let left_out =
        "there is no topic `animals`; topics were left out, since ranking them takes 1 MiB";
    assert!(said("animals").starts_with(left_out), "{}", said("animals"));
    analyse(&web, &[("animals", "zoo.example"), ("engines", "garage.example")], &[]);
    assert_eq!(said("cats"), "there is no topic `cats`; there are web, animals, engines");
    assert_eq!(
        said("animals,c\u{1b}"),
        "there is no topic `c\\u{1b}`; there are web, animals, engines"
    );
    assert!(said("animals:0").contains("one above 0"));
    assert!(said("animals:3e38,engines:3e38").contains("finite"));
    let many = vec!["animals"; 70].join(",");
    assert!(matches!(ask(&web, &topics(&many), ""), Err(Error::TopicWeights)));
}

#[test]
fn spm_02_a_page_that_a_farm_holds_up_falls_and_is_told_why() {
    let web = jaguars();
    analyse(&web, &[], &[]);
    let without = ask(&web, &[], "spam").unwrap();
    assert_eq!(hosts(&without)[0], "shop", "the farm works");
    assert!(part(&without.hits[0], "spam").is_none_or(|value| value == 0.0));
    assert!(without.hits[0].remarks.is_empty());
    let with = ask(&web, &[], "").unwrap();
    assert_eq!(place(&with, "shop"), 3, "{:?}", hosts(&with));
    let shop = &with.hits[3];
    assert!(part(shop, "spam").unwrap() < 0.0);
    let sum: f32 = shop.parts.iter().map(|part| part.value).sum();
    assert!((sum - shop.score).abs() < 1e-4 && shop.score > 0.0);
    assert!(
        shop.remarks[0].to_string().starts_with("Looks like link spam: held up by"),
        "{:?}",
        shop.remarks
    );
    assert!(shop.remarks[0].to_string().contains("farm, certain to 0."), "{:?}", shop.remarks);
    assert!(with.hits[..3].iter().all(|hit| part(hit, "spam").is_none()));
    let results = web.searcher().search(&Request::new("buy")).unwrap();
    let helper = &results.hits[0];
    assert!(
        helper.remarks[0].to_string().contains("holds up another page"),
        "{:?}",
        helper.remarks
    );
}

#[test]
fn trust_lifts_what_trusted_pages_link_to() {
    let web = jaguars();
    analyse(&web, &[], &["garage.example"]);
    let with = ask(&web, &[], "").unwrap();
    let without = ask(&web, &[], "trust").unwrap();
    assert!(place(&with, "car") < place(&without, "car"), "{:?}", hosts(&without));
    let car = &with.hits[place(&with, "car")];
    assert!(part(car, "trust").unwrap() > 0.0);
    assert!(car.remarks[0].to_string().starts_with("Linked by trusted pages"), "{:?}", car.remarks);
    let cat = &with.hits[place(&with, "cat")];
    assert_eq!(cat.remarks, [Remark::NotTrusted]);
    assert_eq!(cat.remarks[0].to_string(), "No link leads here from a trusted page.");
}

#[test]
fn nothing_changes_where_there_are_no_links() {
    let web = Web::of_texts(&["jaguar one", "jaguar two three", "a jaguar and a jaguar"]);
    let before = web.search("jaguar").hits;
    web.analyse();
    let after = web.search("jaguar");
    let order = |hits: &[Hit]| hits.iter().map(|hit| hit.url.clone()).collect::<Vec<_>>();
    assert_eq!(order(&before), order(&after.hits));
    for hit in &after.hits {
        assert!(part(hit, "trust").is_none() && part(hit, "spam").is_none());
        assert!(hit.remarks.is_empty());
    }
    let without = Without { pagerank: true, trust: true, spam: true };
    let bare = web.searcher().search(&Request { without, ..Request::new("jaguar") }).unwrap();
    assert_eq!(order(&bare.hits), order(&after.hits));
}

#[test]
fn answers_can_be_ordered_by_authority() {
    let web = jaguars();
    let by_authority = Request { sorting: Sorting::Authorities, ..Request::new("jaguar") };
    // Without links there are no authorities.
    let results = web.searcher().search(&by_authority).unwrap();
    assert_eq!(results.hits.len(), 4);
    assert_eq!(results.notes.last(), Some(&Note::NoAuthorities(WhyNot::NoGraph)));
    analyse(&web, &[], &[]);
    let results = web.searcher().search(&by_authority).unwrap();
    // Two pages that the same three hubs link to come first; forty hosts of one owner are one voice.
    let mut first = hosts(&results)[..2].to_vec();
    first.sort_unstable();
    assert_eq!(first, ["cat", "honest"], "{:?}", hosts(&results));
    assert_eq!(results.hits.len(), 4);
    for hit in &results.hits {
        assert_eq!(hit.parts.len(), 1);
        assert_eq!(hit.parts[0].name, "authority");
        assert_eq!(hit.score, hit.parts[0].value);
    }
    assert!(results.hits[0].score > 0.2, "{:?}", results.hits[0].parts);
    let note = results.notes.last().unwrap().to_string();
    assert!(note.starts_with("Ordered by authority (HITS): of the first 4 answers,"), "{note}");
    // Windows fit together.
    let second = Request { offset: 1, count: 2, ..by_authority };
    assert_eq!(web.searcher().search(&second).unwrap().hits, results.hits[1..3]);
}
