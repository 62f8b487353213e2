//! Pages are fetched again (C15): when they are due, at their own pace, and without harm.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use archive::{Reader, Revisit};
use base::Timestamp;
use crawl::{Handle, Options, Snapshot, VisitsStory};
use testweb::{Answer, End, Raw, Reply, Request, Running, Script, Site, Web};

use crate::help::{self, Place};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const PAGE: &str = "http://a.lookfar/page";

/// Options for a crawl that takes place `later`.
fn options(web: &Running, later: Duration) -> Options {
    let mut options = help::options(web, Duration::ZERO);
    options.clock = Arc::new(move || Timestamp::from(SystemTime::now() + later));
    options
}

/// A page that servers say nothing about beside its words.
fn plain(words: &str) -> Answer {
    Answer::html(format!("<p>{words}")).with_header("Cache-Control", "no-store")
}

/// A page that has an entity tag.
fn tagged(words: &str) -> Answer {
    Answer::html(format!("<p>{words}"))
}

fn site(answers: impl IntoIterator<Item = Answer>) -> Running {
    let site = Script::new("a.lookfar");
    let site = answers.into_iter().fold(site, |site, answer| site.answer("/page", answer));
    Web::new().site(site).start().unwrap()
}

/// A collection, its web, and what was asked for at its page.
struct Visits {
    place: Place,
    web: Running,
}

impl Visits {
    /// Crawls a page for the first time.
    fn begin(web: Running) -> Self {
        let visits = Self { place: Place::new(), web };
        visits.place.crawl(&[PAGE], options(&visits.web, Duration::ZERO));
        assert_eq!(visits.statuses().len(), 1);
        visits
    }

    fn crawl(&self, later: Duration) -> Snapshot {
        self.place.crawl(&[], options(&self.web, later))
    }

    /// Returns the statuses of all answers for the page.
    fn statuses(&self) -> Vec<u16> {
        assert!(self.web.log().wait_until_idle(Duration::from_secs(5)));
        self.web.log().under("a.lookfar", "/page").iter().map(|entry| entry.status).collect()
    }

    /// Returns the statuses of all records of the page.
    fn records(&self) -> Vec<u16> {
        self.place.records()[PAGE].iter().map(|record| record.status).collect()
    }

    fn story(&self) -> VisitsStory {
        let _lock = self.place.collection.lock().unwrap();
        let options = options(&self.web, Duration::ZERO);
        let handle = Handle::open(&self.place.collection, &options).unwrap();
        handle.why(PAGE).unwrap().visits.unwrap()
    }

    /// Returns visits, changes and days between visits.
    fn told(&self) -> (u32, u32, u64) {
        let story = self.story();
        (story.visits, story.changes, story.interval_seconds / DAY.as_secs())
    }

    /// Returns why captures of the page have no body, `None` for those that have one.
    fn revisits(&self) -> Vec<Option<Revisit>> {
        let reader = Reader::open(&self.place.collection.archive()).unwrap();
        let captures = reader.captures_from(None).unwrap().map(Result::unwrap);
        captures.filter(|captured| captured.target == PAGE).map(|is| is.revisit).collect()
    }
}

#[test]
fn http_12_not_modified_is_noted_and_the_page_stays() {
    let visits = Visits::begin(site([tagged("some words of a page")]));
    let before = visits.place.records();
    let snapshot = visits.crawl(DAY * 31);
    assert_eq!(visits.statuses(), [200, 304]);
    assert_eq!((snapshot.pages, snapshot.again, snapshot.queue), (1, 1, 0));
    assert_eq!(visits.place.records(), before, "the page log is not touched");
    assert_eq!(visits.revisits(), [None, Some(Revisit::NotModified)]);
    assert_eq!(visits.told(), (2, 0, 60));
    visits.place.check();
    // Twice the interval later it is asked for once more, with the same conditions.
    visits.crawl(DAY * 90);
    assert_eq!(visits.statuses(), [200, 304]);
    visits.crawl(DAY * 92);
    assert_eq!(visits.statuses(), [200, 304, 304]);
    visits.place.check();
}

#[test]
fn http_12_not_modified_outlives_a_crash_before_the_frontier_knows() {
    let visits = Visits::begin(site([tagged("some words of a page")]));
    let frontier = visits.place.collection.frontier();
    let kept = tempfile::tempdir().unwrap();
    copy_folder(&frontier, kept.path());
    visits.crawl(DAY * 31);
    // As if the machine had died after the archive was written.
    std::fs::remove_dir_all(&frontier).unwrap();
    copy_folder(kept.path(), &frontier);
    assert_eq!(visits.told(), (1, 0, 30));
    visits.crawl(DAY * 31);
    assert_eq!(visits.statuses(), [200, 304], "it is not asked for twice");
    assert_eq!(visits.told(), (2, 0, 60));
    visits.place.check();
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

#[test]
fn pages_that_are_not_due_are_not_left_to_fetch() {
    let visits = Visits::begin(site([plain("some words")]));
    let snapshot = visits.crawl(DAY * 29);
    assert_eq!((visits.statuses().len(), snapshot.queue), (1, 0));
    let mut never = options(&visits.web, DAY * 400);
    never.again.first = None;
    visits.place.crawl(&[], never);
    assert_eq!(visits.statuses().len(), 1, "never is never");
    visits.crawl(DAY * 400);
    assert_eq!(visits.statuses().len(), 2, "switched on again, it is due");
}

#[test]
fn the_same_body_is_not_stored_twice() {
    let visits = Visits::begin(site([plain("some words")]));
    visits.crawl(DAY * 31);
    assert_eq!(visits.statuses(), [200, 200]);
    assert_eq!(visits.revisits(), [None, Some(Revisit::SamePayload)]);
    assert_eq!(visits.records(), [200]);
    assert_eq!(visits.told(), (2, 0, 60));
    visits.place.check();
}

#[test]
fn a_body_that_is_the_same_under_other_orders_is_read_again() {
    let closed = plain("some words").with_header("X-Robots-Tag", "noindex");
    let visits = Visits::begin(site([plain("some words"), closed]));
    visits.crawl(DAY * 31);
    assert_eq!(visits.records(), [200, 200]);
    let records = &visits.place.records()[PAGE];
    assert!(records[0].is_searchable() && !records[1].is_searchable());
    assert_eq!(visits.told(), (2, 0, 60), "its words are the same");
}

#[test]
fn a_changed_page_takes_the_place_of_the_old_one_and_its_links_are_followed() {
    let new = tagged("other things are said here <a href=/new>and linked</a>");
    let site = Script::new("a.lookfar").answer("/page", tagged("some words of a page"));
    let site = site.answer("/page", new).page("/new", "<p>a new page");
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    let snapshot = visits.crawl(DAY * 31);
    assert_eq!(visits.statuses(), [200, 200]);
    assert_eq!((snapshot.pages, snapshot.again), (2, 1));
    let records = visits.place.records();
    let [first, second] = &records[PAGE][..] else { panic!("{records:?}") };
    assert_eq!(first.id, second.id);
    assert_ne!(first.text_hash, second.text_hash);
    assert!(records.contains_key("http://a.lookfar/new"));
    assert_eq!(visits.told(), (2, 1, 15));
    visits.place.check();
}

#[test]
fn a_page_that_has_moved_is_followed() {
    let site = Script::new("a.lookfar")
        .answer("/page", tagged("some words"))
        .answer("/page", Answer::redirect(301, "/elsewhere"))
        .page("/elsewhere", "<p>some words");
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    visits.crawl(DAY * 31);
    assert_eq!(visits.records(), [200, 301]);
    assert_eq!(visits.place.records()["http://a.lookfar/elsewhere"][0].status, 200);
    visits.place.check();
}

#[test]
fn http_13_http_14_pages_are_not_asked_for_with_what_cannot_be_sent_back() {
    let long = format!("\"{}\"", "x".repeat(2_000));
    let (past, future) = ("Tue, 15 Nov 1994 12:45:26 GMT", "Fri, 01 Jan 2100 00:00:00 GMT");
    for (name, value, status) in [
        ("ETag", "\"sound\"", 304),
        ("Last-Modified", past, 304),
        ("ETag", &*long, 200),
        ("ETag", "no quotes", 200),
        ("Last-Modified", future, 200),
    ] {
        let visits = Visits::begin(site([plain("some words").with_header(name, value)]));
        visits.crawl(DAY * 31);
        // The server would have answered 304 if it had got back what it said.
        assert_eq!(visits.statuses(), [200, status], "{name}: {value:.40}");
        assert_eq!(visits.told(), (2, 0, 60));
    }
}

#[test]
fn a_sitemap_is_read_again_and_brings_new_pages() {
    let list = |paths: &[&str]| {
        let urls = paths.iter().map(|path| format!("<url><loc>http://a.lookfar{path}</loc></url>"));
        let body = format!(
            "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}\
             </urlset>",
            urls.collect::<String>()
        );
        Answer::ok("application/xml", body)
    };
    let rules = Answer::ok("text/plain", "Sitemap: http://a.lookfar/map.xml\n");
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", rules)
        .answer("/map.xml", list(&["/page"]))
        .answer("/map.xml", list(&["/page", "/new"]))
        .answer("/page", tagged("some words"))
        .page("/new", "<p>a page that only the list names");
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    visits.crawl(DAY * 31);
    let records = visits.place.records();
    assert_eq!(records["http://a.lookfar/map.xml"].len(), 2);
    assert_eq!(records["http://a.lookfar/new"][0].status, 200);
    visits.place.check();
}

#[test]
fn a_page_that_is_gone_leaves_and_is_asked_for_a_few_times_more() {
    let visits = Visits::begin(site([tagged("some words"), Answer::not_found()]));
    visits.crawl(DAY * 31);
    assert_eq!(visits.records(), [200, 404]);
    for (days, asked) in [(31, 2), (33, 3), (34, 3), (37, 4), (47, 5), (75, 6), (700, 6)] {
        visits.crawl(DAY * days);
        assert_eq!(visits.statuses().len(), asked, "after {days} days");
    }
    assert_eq!(visits.story().due, None);
    visits.place.check();
}

#[test]
fn a_page_that_comes_back_is_there_again() {
    let visits = Visits::begin(site([tagged("some words"), Answer::not_found(), tagged("back")]));
    visits.crawl(DAY * 31);
    visits.crawl(DAY * 33);
    assert_eq!(visits.records(), [200, 404, 200]);
    // A page without its old copy is not asked for with conditions.
    assert_eq!(visits.statuses(), [200, 404, 200]);
    assert_eq!(visits.crawl(DAY * 33).pages, 1, "it is one page all the time");
}

#[test]
fn errors_leave_page_and_history_as_they_are() {
    let busy = Answer::status(503, "text/plain", "");
    let cut =
        Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a page").then(End::Reset);
    let site = Script::new("a.lookfar")
        .answer("/page", tagged("some words"))
        .answer("/page", busy)
        .raw("/page", cut)
        .raw("/page", Raw::new("").then(End::Reset));
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    let before = visits.story();
    let snapshot = visits.crawl(DAY * 31);
    assert_eq!((visits.records(), snapshot.again, snapshot.queue), (vec![200], 0, 0));
    let after = visits.story();
    // Three tries, then it is put off for as long as if it had answered.
    assert!(after.due.unwrap().0 >= before.due.unwrap().0.plus(DAY * 29));
    assert_eq!(VisitsStory { due: before.due, ..after }, before);
    visits.place.check();
}

#[test]
fn rules_of_the_day_hold_for_pages_known_already() {
    let rules = Answer::ok("text/plain", "User-agent: *\nDisallow: /page\n");
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", Answer::ok("text/plain", ""))
        .answer("/robots.txt", rules)
        .answer("/page", tagged("some words"));
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    let snapshot = visits.crawl(DAY * 31);
    assert_eq!((visits.statuses().len(), snapshot.queue), (1, 0));
    assert_eq!(snapshot.reasons["robots"], 1);
    assert_eq!(visits.records(), [200], "what was allowed when it was read stays");
    visits.place.check();
}

#[test]
fn a_limit_of_pages_per_host_does_not_keep_known_pages_from_being_fetched_again() {
    let visits = Visits::begin(site([tagged("some words")]));
    let mut limited = options(&visits.web, DAY * 31);
    limited.scope.pages_per_host = Some(1);
    visits.place.crawl(&[], limited);
    assert_eq!(visits.statuses(), [200, 304]);
}

#[test]
fn a_frontier_that_is_made_again_knows_when_pages_are_due() {
    let visits = Visits::begin(site([tagged("some words")]));
    visits.crawl(DAY * 31);
    std::fs::remove_dir_all(visits.place.collection.frontier()).unwrap();
    visits.crawl(DAY * 31 + HOUR);
    // The visit that brought nothing new lies behind the last page record: it is found there.
    assert_eq!(visits.told(), (2, 0, 60));
    visits.crawl(DAY * 92);
    assert_eq!(visits.statuses(), [200, 304, 200], "without what the server had said");
    visits.place.check();
}

#[test]
fn a_text_that_a_page_has_no_more_is_free_for_others() {
    let text = "A long story about a harbour, its boats and its cranes, the fish that is sold \
                there in the morning, and the people who come from far to look at all of it.";
    let moved = "The story about the harbour has moved <a href=/new>to a page of its own</a>.";
    let site =
        Script::new("a.lookfar").answer("/page", tagged(text)).answer("/page", tagged(moved));
    let site = site.page("/new", &format!("<p>{text}"));
    let visits = Visits::begin(Web::new().site(site).start().unwrap());
    visits.crawl(DAY * 31);
    let new = &visits.place.records()["http://a.lookfar/new"][0];
    assert_eq!(new.text_hash, visits.place.records()[PAGE][0].text_hash);
    assert_eq!(new.copy_of, None, "{new:?}");
    visits.place.check();
}

#[test]
fn reading_the_archive_again_keeps_what_visits_have_taught() {
    let visits = Visits::begin(site([tagged("some words")]));
    visits.crawl(DAY * 31);
    let before = visits.story();
    {
        let _lock = visits.place.collection.lock().unwrap();
        let options = options(&visits.web, DAY * 32);
        crawl::reparse(&visits.place.collection, &options, &[], &mut |_, _| {}).unwrap();
    }
    assert_eq!(visits.story(), before);
    visits.place.check();
    visits.crawl(DAY * 92);
    assert_eq!(visits.statuses(), [200, 304, 304], "the archive has what the server said");
}

/// A page of some words of which one is another at each visit.
struct Counter(AtomicU32);

impl Site for Counter {
    fn host(&self) -> &str {
        "a.lookfar"
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        if request.path() != "/page" {
            return Answer::not_found();
        }
        let visitor = self.0.fetch_add(1, Ordering::Relaxed);
        Answer::html(format!("<p>Welcome to our page. You are visitor number {visitor}."))
    }

    fn reply(&self, request: &Request<'_>) -> Reply {
        Reply::Answer(self.answer(request))
    }
}

#[test]
fn lnk_11_a_page_that_changes_a_word_at_each_visit_is_not_fetched_ever_more_often() {
    let web = Web::new().site(Counter(AtomicU32::new(1))).start().unwrap();
    let visits = Visits::begin(web);
    let mut days = Vec::new();
    let mut now = Duration::ZERO;
    for _ in 0..5 {
        let (_, _, interval) = visits.told();
        days.push(interval);
        now += DAY * u32::try_from(interval).unwrap() + HOUR;
        visits.crawl(now);
    }
    assert_eq!(days, [30, 60, 120, 240, 365]);
    // What it says now can be searched all the same.
    assert_eq!(visits.records().len(), 6);
    let last = visits.place.records()[PAGE].last().unwrap().blocks[0].text.clone();
    assert!(last.ends_with("number 6."), "{last}");
    assert_eq!(visits.told(), (6, 0, 365));
    visits.place.check();
}
