//! Pictures that a person looks at: fetched through the crawl, under its rules (P8, WEB-25).

use std::net::Ipv4Addr;
use std::time::Duration;

use base::{Host, Url};
use crawl::{Ending, Failure, Handle, HostRule, NoPicture, Options, PictureKind, Reach, Scope};
use testweb::{Answer, DnsAnswer, Running, Script, Web};

use crate::help::{Place, options};
use crate::live::Live;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\0\0\0\0";

fn png() -> Answer {
    Answer::ok("image/png", PNG)
}

/// A site with a page, and a host of pictures that nobody crawls.
fn web() -> Running {
    let rules = Answer::ok("text/plain", "User-agent: *\nDisallow: /private/\n");
    let pictures = Script::new("img.a.lookfar")
        .answer("/robots.txt", rules)
        .answer("/cat.png", png())
        .answer("/private/cat.png", png())
        .answer("/page.png", Answer::ok("image/png", "<!doctype html><script>alert(1)</script>"))
        .answer(
            "/cat.svg",
            Answer::ok("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        )
        .answer("/large.png", Answer::ok("image/png", [PNG, &[0; 2 << 20]].concat()))
        .answer("/shy.png", png().with_header("X-Robots-Tag", "noimageindex"))
        .answer("/moved.png", Answer::redirect(302, "/private/cat.png"))
        .answer("/away.png", Answer::redirect(302, "http://elsewhere.lookfar/cat.png"));
    let elsewhere = Script::new("elsewhere.lookfar").answer("/cat.png", png());
    let inside = DnsAnswer::addresses(&["127.0.0.7".parse().unwrap()]);
    Web::new()
        .site(Script::new("a.lookfar").page("/", "<img src=http://img.a.lookfar/cat.png>"))
        .site(pictures)
        .site(elsewhere)
        .dns("inside.a.lookfar", inside)
        .start()
        .unwrap()
}

fn start(place: &Place, web: &Running) -> Live {
    let seeds = [Url::parse("http://a.lookfar/").unwrap()];
    let mut options: Options = options(web, Duration::from_millis(20));
    options.scope = Scope::new(Reach::sites_of(&seeds));
    options.dns.deny = vec!["127.0.0.7".parse().unwrap()];
    Live::start(&place.collection, &["http://a.lookfar/"], options, Ending::Stop)
}

fn ask(handle: &Handle, url: &str) -> Result<PictureKind, NoPicture> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = Url::parse(url).unwrap();
    let found = runtime.block_on(handle.picture(&url))?;
    assert_eq!(&found.bytes[..], PNG);
    Ok(found.kind)
}

#[test]
fn web_25_a_picture_is_fetched_once_and_robots_txt_before_it() {
    let (web, place) = (web(), Place::new());
    let live = start(&place, &web);
    let handle = live.handle.clone();
    live.until(|snapshot| snapshot.pages == 1);
    for _ in 0..3 {
        assert_eq!(ask(&handle, "http://img.a.lookfar/cat.png"), Ok(PictureKind::Png));
    }
    assert_eq!(web.log().paths("img.a.lookfar"), ["/robots.txt", "/cat.png"]);
    assert_eq!(ask(&handle, "http://img.a.lookfar/private/cat.png"), Err(NoPicture::Forbidden));
    assert_eq!(ask(&handle, "http://img.a.lookfar/moved.png"), Err(NoPicture::Forbidden));
    assert_eq!(ask(&handle, "http://img.a.lookfar/shy.png"), Err(NoPicture::Forbidden));
    assert!(!web.log().paths("img.a.lookfar").contains(&"/private/cat.png".to_owned()));
    let closest = web.log().closest_two_requests("img.a.lookfar").unwrap();
    assert!(closest.gap >= Duration::from_millis(20), "{closest:?}");
    // What is forgotten is not shown from memory either.
    handle.forget(&"img.a.lookfar".parse().unwrap()).unwrap();
    assert_eq!(ask(&handle, "http://img.a.lookfar/cat.png"), Err(NoPicture::KeptOut));
    live.stop();
    assert_eq!(ask(&handle, "http://img.a.lookfar/cat.png"), Err(NoPicture::Later));
    drop(handle);
    place.check();
}

#[test]
fn web_25_what_is_no_picture_or_lies_elsewhere_is_not_handed_out() {
    let (web, place) = (web(), Place::new());
    let live = start(&place, &web);
    let handle = live.handle.clone();
    live.until(|snapshot| snapshot.pages == 1);
    let at = |path: &str| ask(&handle, &format!("http://img.a.lookfar{path}"));
    assert_eq!(at("/page.png"), Err(NoPicture::NotAPicture));
    assert_eq!(at("/cat.svg"), Err(NoPicture::NotAPicture));
    assert_eq!(at("/large.png"), Err(NoPicture::TooLarge));
    assert_eq!(at("/none.png"), Err(NoPicture::Status(404)));
    // Out of the scope, at once or behind a redirect.
    assert_eq!(at("/away.png"), Err(NoPicture::KeptOut));
    assert_eq!(ask(&handle, "http://elsewhere.lookfar/cat.png"), Err(NoPicture::KeptOut));
    assert_eq!(web.log().count("elsewhere.lookfar"), 0);
    // An address that may not be dialled, by name.
    let inside = ask(&handle, "http://inside.a.lookfar/cat.png");
    assert_eq!(inside, Err(NoPicture::Failed(Failure::BlockedAddress)));
    assert_eq!(web.log().num_connections(Ipv4Addr::new(127, 0, 0, 7)), 0);
    // A host that rests by order, and a crawl that does.
    let host = Host::parse("img.a.lookfar").unwrap();
    let paused = HostRule { is_paused: true, ..HostRule::default() };
    handle.set_host_rule(&host, paused).unwrap();
    assert_eq!(at("/cat.png"), Err(NoPicture::KeptOut));
    handle.set_host_rule(&host, HostRule::default()).unwrap();
    handle.pause();
    assert_eq!(at("/cat.png"), Err(NoPicture::Later));
    handle.resume();
    assert_eq!(at("/cat.png"), Ok(PictureKind::Png));
    live.stop();
}
