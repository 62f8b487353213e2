//! What `why` says of URLs that nobody fetched: the rule that keeps each out now (C10, C14).

use std::time::Duration;

use crawl::{Fate, Handle, Options, Story};
use testweb::{Answer, Running, Script, Web};

use crate::help::{Place, options};
use crate::urls::letters;

fn why(place: &Place, options: &Options, url: &str) -> Story {
    Handle::open(&place.collection, options).unwrap().why(url).unwrap()
}

fn links(targets: impl IntoIterator<Item = String>) -> String {
    targets.into_iter().map(|target| format!("<a href='{target}'>{target}</a> ")).collect()
}

fn crawled(web: &Running, adjust: impl FnOnce(&mut Options)) -> (Place, Options) {
    let mut options = options(web, Duration::ZERO);
    adjust(&mut options);
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options.clone());
    (place, options)
}

#[test]
fn a_page_of_a_fruitless_shape_is_told_to_be_left_out() {
    let months = (0..60).map(|month| format!("/calendar/{}/{}", 2026 + month / 12, month % 12));
    let site = Script::new("a.lookfar")
        .page("/", &links(months))
        .page("/calendar/about", "<p>how this calendar is kept")
        .answer("/robots.txt", Answer::not_found())
        .otherwise(Answer::html(format!("<p>{}", "Nothing is planned this month. ".repeat(20))));
    let (place, options) = crawled(&Web::new().site(site).start().unwrap(), |_| ());
    let story = why(&place, &options, "http://a.lookfar/calendar/2099/01");
    assert_eq!((&story.standing, story.scope.is_in), (&Fate::NeverSeen, true));
    let learnt = story.learnt.unwrap();
    assert_eq!((learnt.reason.as_str(), learnt.instead), ("fruitless-shape", None));
    assert!(learnt.because.contains("/calendar/#/#"), "{}", learnt.because);
    assert_eq!(why(&place, &options, "http://a.lookfar/about").learnt, None);
}

#[test]
fn another_name_of_a_page_is_told_with_the_page() {
    let items = (0..12).flat_map(|n| [format!("/item/{n}"), format!("/item/{n}?view=print")]);
    let mut site = Script::new("a.lookfar").page("/", &links(items));
    for n in 0..12 {
        let words: String = (0..60).map(|word| letters(n * 60 + word) + " ").collect();
        let text = format!("<p>{words}");
        site =
            site.page(&format!("/item/{n}"), &text).page(&format!("/item/{n}?view=print"), &text);
    }
    let web = Web::new().site(site).start().unwrap();
    let (place, mut options) = crawled(&web, |_| ());
    let name = "http://a.lookfar/item/99?view=print";
    let story = why(&place, &options, name);
    let learnt = story.learnt.unwrap();
    assert_eq!((story.standing, learnt.reason.as_str()), (Fate::NeverSeen, "learnt-alias"));
    assert_eq!(learnt.instead.unwrap().as_str(), "http://a.lookfar/item/99");
    // Nothing of that where spellings are not learnt.
    options.learn_spellings = false;
    assert_eq!(why(&place, &options, name).learnt, None);
}

#[test]
fn limits_of_bytes_pages_and_hosts_are_told() {
    let filler = "word ".repeat(2_000);
    let mut site = Script::new("a.lookfar").page(
        "/",
        &links(
            (0..20).map(|n| format!("/{n}")).chain((0..40).map(|n| format!("//h{n}.b.lookfar/"))),
        ),
    );
    for n in 0..20 {
        site = site.page(&format!("/{n}"), &format!("<p>{n} {filler}"));
    }
    let web = Web::new().site(site).start().unwrap();
    let (place, mut options) = crawled(&web, |options| {
        options.scope.bytes_per_host = Some(60_000);
    });
    let reason = |options: &Options, url: &str| {
        let story = why(&place, options, url);
        let because = story.scope.because.unwrap_or_default();
        (story.scope.reason.unwrap_or_default(), because)
    };
    let (name, because) = reason(&options, "http://a.lookfar/new");
    assert_eq!((name.as_str(), because.contains("crawl.bytes_per_host")), ("host-bytes", true));
    // Of those hosts none answers, so none has earned its site one more.
    let (name, because) = reason(&options, "http://h99.b.lookfar/");
    assert_eq!((name.as_str(), because.contains("20 hosts")), ("too-many-hosts", true));
    options.scope.hosts_per_site = Some(15);
    assert_eq!(reason(&options, "http://h99.b.lookfar/").0, "site-hosts");
    options.scope.pages_per_site = Some(20);
    assert_eq!(reason(&options, "http://h0.b.lookfar/new").0, "site-full");
    // What is fetched already is not one page too many.
    assert_eq!(reason(&options, "http://a.lookfar/").0, "");
}

#[test]
fn the_last_of_too_many_redirects_is_told() {
    let mut site = Script::new("a.lookfar").page("/", "<a href=/0>begin</a>");
    for n in 0..20 {
        site = site.answer(&format!("/{n}"), Answer::redirect(302, &format!("/{}", n + 1)));
    }
    let (place, options) = crawled(&Web::new().site(site).start().unwrap(), |_| ());
    let is_last = |n: u32| {
        let story = why(&place, &options, &format!("http://a.lookfar/{n}"));
        story.response.map(|response| response.is_last_hop)
    };
    assert_eq!([9, 10, 11].map(is_last), [Some(false), Some(true), None]);
}
