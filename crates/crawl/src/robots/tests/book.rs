//! The rules in memory: bounded, fresh, and silent rather than generous. Ticks ROB-06, ROB-07,
//! ROB-15, ROB-18, R34, R43, R50 as far as they concern the book.

use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;

use base::{Timestamp, Url};
use hyper::header::HeaderMap;

use super::{DAY, HOUR, NOW};
use crate::robots::copy::Answer;
use crate::robots::{Book, Copy, Limits, Verdict};

/// A book and the store behind it.
struct Shelf {
    book: Book,
    store: HashMap<String, Copy>,
    loads: RefCell<Vec<String>>,
}

impl Shelf {
    fn new(limits: Limits) -> Self {
        let book = Book::new("lookfar", limits);
        Self { book, store: HashMap::new(), loads: RefCell::default() }
    }

    fn keep(&mut self, origin: &str, rules: &str, at: Timestamp) {
        let file = format!("User-agent: *\n{rules}");
        let answer = Copy::of_response(200, &HeaderMap::new(), file.as_bytes(), None, at);
        let Answer::Rules(copy) = answer else { panic!("200 is a file") };
        self.book.keep(origin, &copy);
        self.store.insert(origin.to_owned(), copy);
    }

    fn load(&self) -> impl Fn(&str) -> Result<Option<Copy>, Infallible> + use<'_> {
        |origin| {
            self.loads.borrow_mut().push(origin.to_owned());
            Ok(self.store.get(origin).cloned())
        }
    }

    fn judge(&mut self, url: &str, now: Timestamp) -> Verdict {
        let mut book = std::mem::replace(&mut self.book, Book::new("", Limits::default()));
        let verdict = book.judge(&Url::parse(url).unwrap(), now, self.load()).unwrap();
        self.book = book;
        verdict
    }

    fn unreachable(&mut self, origin: &str, now: Timestamp) -> bool {
        let mut book = std::mem::replace(&mut self.book, Book::new("", Limits::default()));
        let stays = book.unreachable(origin, now, self.load()).unwrap();
        self.book = book;
        stays
    }
}

fn allowed() -> Verdict {
    Verdict::Allowed { delay: None }
}

fn unknown() -> Verdict {
    Verdict::Unknown { delay: None }
}

fn forbidden(rule: &str) -> Verdict {
    Verdict::Forbidden { rule: rule.to_owned() }
}

#[test]
fn r34_rob_15_each_scheme_host_and_port_has_its_own_rules() {
    let mut shelf = Shelf::new(Limits::default());
    shelf.keep("http://a.example", "Disallow: /x", NOW);
    assert_eq!(shelf.judge("http://a.example/x", NOW), forbidden("line 2 `Disallow: /x`"));
    assert_eq!(shelf.judge("http://a.example/y", NOW), allowed());
    for other in ["https://a.example/y", "http://a.example:8080/y", "http://www.a.example/y"] {
        assert_eq!(shelf.judge(other, NOW), unknown());
    }
}

#[test]
fn r50_rob_07_rules_are_those_of_the_moment_of_the_fetch() {
    let mut shelf = Shelf::new(Limits::default());
    shelf.keep("http://a.example", "Allow: /", NOW);
    assert_eq!(shelf.judge("http://a.example/x", NOW), allowed());
    // The day is over: nothing is fetched before the file was asked for again.
    let next_day = NOW.plus(DAY);
    assert_eq!(shelf.judge("http://a.example/x", next_day), unknown());
    shelf.keep("http://a.example", "Disallow: /", next_day);
    assert_eq!(shelf.judge("http://a.example/x", next_day), forbidden("line 2 `Disallow: /`"));
    assert!(shelf.loads.borrow().is_empty(), "all of it was in memory");
}

#[test]
fn r43_rob_06_an_old_copy_is_used_while_the_file_is_unreachable_for_30_days() {
    let mut shelf = Shelf::new(Limits::default());
    shelf.keep("http://a.example", "Disallow: /x\nCrawl-delay: 7", NOW);
    let delay = Some(std::time::Duration::from_secs(7));
    let next_day = NOW.plus(DAY);
    assert_eq!(shelf.judge("http://a.example/y", next_day), Verdict::Unknown { delay });
    assert!(shelf.unreachable("http://a.example", next_day));
    assert_eq!(shelf.judge("http://a.example/y", next_day), Verdict::Allowed { delay });
    assert_eq!(shelf.judge("http://a.example/x", next_day), forbidden("line 2 `Disallow: /x`"));
    // An hour later the file is asked for again.
    assert_eq!(shelf.judge("http://a.example/y", next_day.plus(HOUR)), Verdict::Unknown { delay });
    // After a month the host is closed.
    let month = NOW.plus(DAY * 30);
    assert!(!shelf.unreachable("http://a.example", month));
    assert_eq!(shelf.judge("http://a.example/y", month), Verdict::Unknown { delay });
    // As is one that never had a file.
    assert!(!shelf.unreachable("http://b.example", NOW));
    assert_eq!(shelf.judge("http://b.example/y", NOW), unknown());
}

#[test]
fn rob_18_what_was_evicted_is_loaded_or_asked_for_and_never_allowed() {
    let mut shelf = Shelf::new(Limits { origins: 10, ..Limits::default() });
    for number in 0..100 {
        shelf.keep(&format!("http://h{number}.example"), "Disallow: /x", NOW);
        assert!(shelf.book.size().0 <= 10);
    }
    assert_eq!(shelf.judge("http://h1.example/x", NOW), forbidden("line 2 `Disallow: /x`"));
    assert_eq!(*shelf.loads.borrow(), ["http://h1.example"]);
    // The one just used stays; the store has lost another.
    shelf.keep("http://new.example", "Allow: /", NOW);
    shelf.judge("http://h1.example/x", NOW);
    assert_eq!(shelf.loads.borrow().len(), 1, "still in memory");
    shelf.store.remove("http://h2.example");
    assert_eq!(shelf.judge("http://h2.example/y", NOW), unknown());
}

#[test]
fn rob_18_100_000_hosts_fit_in_bounded_memory() {
    let mut shelf = Shelf::new(Limits { origins: 1_000, bytes: 100_000 });
    let body = b"User-agent: *\nDisallow: /private\n";
    let Answer::Rules(copy) = Copy::of_response(200, &HeaderMap::new(), body, None, NOW) else {
        panic!("200 is a file")
    };
    for number in 0..100_000 {
        shelf.book.keep(&format!("http://h{number}.example"), &copy);
    }
    let (origins, bytes) = shelf.book.size();
    assert!(origins <= 1_000 && bytes <= 100_000 && origins > 100, "{origins} in {bytes} bytes");
    assert_eq!(shelf.judge("http://h0.example/y", NOW), unknown());
    assert_eq!(shelf.judge("http://h99999.example/y", NOW), allowed());
}

#[test]
fn rob_18_one_huge_file_takes_the_place_of_many_and_is_still_obeyed() {
    let mut shelf = Shelf::new(Limits { origins: 100, bytes: 50_000 });
    for number in 0..50 {
        shelf.keep(&format!("http://h{number}.example"), "Disallow: /x", NOW);
    }
    let huge: String = (0..10_000).map(|n| format!("Disallow: /{n}/\n")).collect();
    shelf.keep("http://huge.example", &huge, NOW);
    assert_eq!(shelf.book.size().0, 1);
    assert_eq!(shelf.judge("http://huge.example/77/", NOW), forbidden("line 79 `Disallow: /77/`"));
    assert_eq!(shelf.judge("http://h1.example/y", NOW), allowed());
    let (origins, bytes) = shelf.book.size();
    assert!(origins == 1 && bytes < 50_000, "the huge one made room again");
}

#[test]
fn a_store_that_fails_is_not_a_verdict() {
    let mut book = Book::new("lookfar", Limits::default());
    let url = Url::parse("http://a.example/").unwrap();
    assert_eq!(book.judge(&url, NOW, |_| Err("broken")), Err("broken"));
    assert_eq!(book.unreachable("http://a.example", NOW, |_| Err("broken")), Err("broken"));
}
