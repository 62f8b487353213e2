//! Pictures as answers (P8).

use base::{Image, PageRecord, Url};
use rank::query::Filter;
use rank::{Personal, Picture, Pictures, Request};

use crate::web::{Web, page};

fn image(url: &str, alt: &str) -> Image {
    let target = Url::parse(url).unwrap();
    Image { target, alt: alt.to_owned(), caption: String::new(), width: 0, height: 0 }
}

fn with(url: &str, text: &str, images: Vec<Image>) -> PageRecord {
    PageRecord { images, ..page(url, text) }
}

fn pictures(web: &Web, query: &str) -> Vec<Picture> {
    web.searcher().pictures(&Request::new(query)).unwrap().pictures
}

fn names(web: &Web, query: &str) -> Vec<String> {
    let name = |picture: Picture| picture.url.path().trim_start_matches('/').to_owned();
    pictures(web, query).into_iter().map(name).collect()
}

fn web() -> Web {
    let mut web = Web::new();
    web.push(&PageRecord {
        title: "Cats of Peru".to_owned(),
        ..with(
            "http://a.example/",
            "jaguar by the river and puma in peru",
            vec![
                image("http://a.example/1.png", "A jaguar in the river"),
                image("http://a.example/puma_cub.png", ""),
                image("http://a.example/logo.png", "Our logo"),
            ],
        )
    });
    let small = Image { width: 60, height: 60, ..image("http://b.example/s.png", "a jaguar") };
    let sign = Image { width: 8, height: 8, ..image("http://b.example/dot.png", "jaguar") };
    let same = image("http://a.example/1.png", "jaguar");
    web.push(&with("http://b.example/", "the jaguar sleeps", vec![small, sign, same]));
    web.push(&with("http://c.example/", "jaguar without a picture", Vec::new()));
    let hidden = image("http://d.example/secret.png", "jaguar");
    let mut record = with("http://d.example/", "jaguar hidden", vec![hidden]);
    record.robots.noindex = true;
    web.push(&record);
    web.index();
    web
}

#[test]
fn pictures_are_found_by_what_they_are_called() {
    let web = web();
    assert_eq!(names(&web, "jaguar"), ["1.png", "s.png"]);
    assert_eq!(names(&web, "puma"), ["puma_cub.png"]);
    assert_eq!(names(&web, "rivers jaguars"), ["1.png"]);
    assert_eq!(names(&web, "zebra"), Vec::<String>::new());
    assert_eq!(names(&web, "jaguar site:b.example"), ["1.png", "s.png"]);
    let found = &pictures(&web, "jaguar site:a.example")[0];
    assert_eq!(found.page_url.as_str(), "http://a.example/");
    assert_eq!(
        (found.page_title.as_str(), found.alt.as_str()),
        ("Cats of Peru", "A jaguar in the river")
    );
}

#[test]
fn filters_beside_the_query_hold_for_pictures() {
    let web = web();
    let searcher = web.searcher();
    let ask = |field: &str, value: &str| {
        let filters = [Filter::parse(field, value).unwrap()];
        let request = Request { filters: &filters, ..Request::new("jaguar OR puma") };
        searcher.pictures(&request).unwrap().pictures
    };
    let found = ask("site", "a.example");
    assert!(!found.is_empty(), "{found:?}");
    assert!(found.iter().all(|picture| picture.page_url.host_str() == "a.example"), "{found:?}");
    assert_eq!(ask("lang", "da"), []);
}

fn wished(web: &Web, query: &str, personal: &Personal) -> Pictures {
    let request = Request { personal: Some(personal), ..Request::new(query) };
    web.searcher().pictures(&request).unwrap()
}

fn sites(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn pictures_of_blocked_sites_are_left_out_and_counted() {
    let web = web();
    let check = |query: &str, blocked: &[&str], expected: &[&str], left_out: u64| {
        let personal = Personal { blocked: sites(blocked), ..Personal::default() };
        let found = wished(&web, query, &personal);
        let paths: Vec<&str> = found.pictures.iter().map(|picture| picture.url.path()).collect();
        assert_eq!(paths, expected, "{query} {blocked:?}");
        assert_eq!(
            (found.listed, found.blocked),
            (expected.len(), left_out),
            "{query} {blocked:?}"
        );
    };
    check("jaguar", &[], &["/1.png", "/s.png"], 0);
    // The picture of `a` that stands on this page too is shown with `a`.
    check("jaguar", &["b.example"], &["/1.png"], 1);
    // The page of `b` that has it as well leads to `a` with it.
    check("jaguar", &["a.example"], &["/s.png"], 1);
    check("jaguar", &["a.example", "b.example"], &[], 2);
    check("jaguar", &["unknown.example"], &["/1.png", "/s.png"], 0);
    // Whoever asks for a site by name wants to see it.
    check("jaguar site:a.example", &["a.example"], &["/1.png"], 0);
}

#[test]
fn pictures_of_preferred_sites_rise_and_those_of_lowered_ones_sink() {
    let mut web = Web::new();
    for host in ["p.example", "q.example"] {
        let file = image(&format!("http://{host}/{host}.png"), "a jaguar");
        let text = format!("the jaguar of {host} sleeps by the river");
        web.push(&with(&format!("http://{host}/"), &text, vec![file]));
    }
    web.index();
    let first = |personal: &Personal| {
        let found = wished(&web, "jaguar", personal);
        assert_eq!((found.pictures.len(), found.blocked), (2, 0));
        found.pictures[0].page_url.host_str().to_owned()
    };
    let usual = first(&Personal::default());
    let other = if usual == "p.example" { "q.example" } else { "p.example" };
    assert_eq!(first(&Personal { preferred: sites(&[other]), ..Personal::default() }), other);
    assert_eq!(first(&Personal { lowered: sites(&[&usual]), ..Personal::default() }), other);
    assert_eq!(first(&Personal { lowered: sites(&[other]), ..Personal::default() }), usual);
}

#[test]
fn a_title_that_says_all_shows_pictures_without_a_name() {
    let web = web();
    assert_eq!(names(&web, "cats peru"), ["puma_cub.png"]);
    assert_eq!(names(&web, "site:a.example").len(), 3);
}

#[test]
fn windows_of_pictures_are_cut_from_one_list() {
    let web = web();
    let searcher = web.searcher();
    let all = searcher.pictures(&Request::new("jaguar")).unwrap();
    assert_eq!((all.listed, all.pictures.len()), (2, 2));
    let request = Request { offset: 1, count: 5, ..Request::new("jaguar") };
    assert_eq!(searcher.pictures(&request).unwrap().pictures, all.pictures[1..]);
    let request = Request { offset: 999, count: 5, ..Request::new("jaguar") };
    assert!(searcher.pictures(&request).is_err());
    assert!(searcher.pictures(&Request::new(&"x".repeat(2_000))).is_err());
    assert_eq!(searcher.pictures(&Request::new("")).unwrap().pictures, []);
}
