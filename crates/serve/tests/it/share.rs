//! What one address may take, and what is left for others (WEB-12, WEB-16, WEB-17, WEB-23).

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use serve::{Limits, Options, Rate};

use crate::client::{connect, get, send};
use crate::server::{Server, found, state, until};

fn with(limits: Limits, trust_forwarded: bool) -> Server {
    let options = Options { limits, trust_forwarded, ..Options::default() };
    Server::start(state(|request| found(request, &[]), options))
}

fn ask_for(server: &Server, path: &str, visitor: &str) -> crate::client::Reply {
    let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {visitor}\r\n");
    send(server.address, &format!("{head}Connection: close\r\n\r\n"))
}

#[test]
fn web_16_an_address_that_asks_too_often_is_told_when_to_come_back() {
    // Five searches at once, and one a second.
    let rate = Rate { per_second: Rate::SEARCH, burst: 5 * Rate::SEARCH };
    let server = with(Limits { rate, ..Limits::default() }, true);
    let greedy = "10.0.0.1, 203.0.113.7";
    let statuses: Vec<u16> =
        (0..8).map(|_| ask_for(&server, "/api/v1/search?q=a", greedy).status).collect();
    assert_eq!(statuses[..5], [200; 5]);
    // A second may pass meanwhile on a busy machine, but not three.
    let refused = ask_for(&server, "/api/v1/search?q=a", greedy);
    assert!(statuses[5..].contains(&429) || refused.status == 429, "{statuses:?}");
    let all: Vec<_> = (0..20).map(|_| ask_for(&server, "/api/v1/search?q=a", greedy)).collect();
    let refused = all.iter().find(|reply| reply.status == 429).unwrap();
    crate::api::check_problem(refused, 429, "too-many-requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let mut feeds = (0..20).map(|_| ask_for(&server, "/search.rss?q=a", greedy));
    let refused = feeds.find(|reply| reply.status == 429).unwrap();
    crate::api::check_problem(&refused, 429, "too-many-requests");
    let page = (0..20).map(|_| ask_for(&server, "/search?q=a", greedy));
    let page = page.into_iter().find(|reply| reply.status == 429).unwrap();
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert_eq!(ask_for(&server, "/search?q=a", "203.0.113.8").status, 200, "others are served");
}

#[test]
fn web_16_asking_whether_a_search_would_be_answered_counts_as_one() {
    let rate = Rate { per_second: 1, burst: 2 * Rate::SEARCH };
    let server = with(Limits { rate, ..Limits::default() }, true);
    let statuses: Vec<u16> =
        (0..4).map(|_| ask_for(&server, "/readyz", "203.0.113.7").status).collect();
    // A second or two may pass meanwhile, but not the five that another search takes.
    assert!(statuses[..2] == [200; 2] && statuses[2..].contains(&429), "{statuses:?}");
    assert_eq!(ask_for(&server, "/readyz", "203.0.113.8").status, 200);
}

#[test]
fn web_09_and_16_this_machine_asks_as_it_likes_and_lies_about_addresses_change_nothing() {
    let rate = Rate { per_second: 1, burst: 2 };
    let server = with(Limits { rate, ..Limits::default() }, true);
    for _ in 0..20 {
        assert_eq!(get(server.address, "/healthz").status, 200);
    }
    // Without trust the name that somebody gives himself is not looked at.
    let server = with(Limits { rate, ..Limits::default() }, false);
    for _ in 0..20 {
        assert_eq!(ask_for(&server, "/healthz", "203.0.113.7").status, 200);
    }
}

#[test]
fn web_09_and_16_visitors_of_a_proxy_that_is_named_have_shares_of_their_own() {
    let limits = Limits { rate: Rate { per_second: 1, burst: 2 }, ..Limits::default() };
    let behind = |proxy: &str| {
        let trusted_proxies = vec![proxy.parse().unwrap()];
        let options = Options { limits, trusted_proxies, ..Options::default() };
        Server::start(state(|request| found(request, &[]), options))
    };
    let server = behind("127.0.0.0/8");
    let ask = |visitor: &str| ask_for(&server, "/healthz", visitor).status;
    let statuses: Vec<u16> = (0..20).map(|_| ask("203.0.113.7, 127.0.0.9")).collect();
    assert!(statuses[..2] == [200; 2] && statuses.contains(&429), "{statuses:?}");
    assert_eq!(ask("203.0.113.8, 127.0.0.9"), 200, "others have their own");
    // Somebody who is not that proxy is not believed.
    let server = behind("192.0.2.7");
    for _ in 0..20 {
        assert_eq!(ask_for(&server, "/healthz", "203.0.113.7").status, 200);
    }
}

/// Slow connections lose their seats to those who ask, however many they are.
#[test]
fn web_12_two_thousand_slow_connections_keep_nobody_out() {
    let limits = Limits { connections: 64, head: Duration::from_secs(60), ..Limits::default() };
    let server = with(limits, false);
    let mut slow = Vec::new();
    for number in 0..2_000 {
        // As many as this process may have open at once; the oldest were sent away long ago.
        if slow.len() > 200 {
            slow.remove(0);
        }
        let mut stream = TcpStream::connect(server.address).unwrap();
        let _ = stream.write_all(b"GET /search?q=");
        slow.push(stream);
        if number % 100 == 0 {
            assert_eq!(get(server.address, "/search?q=a").status, 200, "after {number}");
        }
    }
    for stream in &mut slow {
        let _ = stream.write_all(b"a");
    }
    for _ in 0..20 {
        assert_eq!(get(server.address, "/api/v1/search?q=a").status, 200);
    }
    // All but as many as there are seats have been sent away.
    let is_closed = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        !matches!(stream.read(&mut [0; 1]), Err(error) if is_waiting(&error))
    };
    let num_open = slow.iter_mut().filter_map(|stream| (!is_closed(stream)).then_some(())).count();
    assert!(num_open <= 64, "{num_open} still have a seat");
}

fn is_waiting(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// With twenty times as many visitors as turns and waiting places, every answer is either good or
/// a refusal, nobody is left without one, and the searcher is never idle: each of its turns ends in
/// a good answer.
#[test]
fn web_17_under_too_much_load_every_turn_ends_in_a_good_answer() {
    let searched = Arc::new(AtomicUsize::new(0));
    let counter = searched.clone();
    let search = move |request: &rank::Request<'_>| {
        counter.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(2));
        found(request, &[])
    };
    let limits = Limits { searches: 2, waiting_searches: 3, ..Limits::default() };
    let server = Server::start(state(search, Options { limits, ..Options::default() }));
    let (good, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begin = Barrier::new(100);
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| {
                begin.wait();
                for _ in 0..5 {
                    let reply = get(server.address, "/api/v1/search?q=a");
                    match reply.status {
                        200 => good.fetch_add(1, Ordering::SeqCst),
                        503 => {
                            assert_eq!(reply.header("retry-after"), Some("1"));
                            refused.fetch_add(1, Ordering::SeqCst)
                        }
                        other => panic!("{other}: {}", reply.body),
                    };
                }
            });
        }
    });
    let (good, refused) = (good.into_inner(), refused.into_inner());
    assert_eq!(good + refused, 500, "nobody is left without an answer");
    assert!(refused > 0, "it was too much");
    assert_eq!(searched.load(Ordering::SeqCst), good, "no work was done for nothing");
}

#[test]
fn web_23_however_fast_suggestions_are_asked_for_searches_have_their_turns() {
    let gate = Arc::new(Barrier::new(2));
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let suggest = {
        let (gate, running, most) = (gate.clone(), running.clone(), most.clone());
        move |typed: &str, _: usize| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            if typed == "slow" {
                gate.wait();
            }
            running.fetch_sub(1, Ordering::SeqCst);
            vec![typed.to_owned()]
        }
    };
    let limits = Limits { searches: 2, waiting_searches: 2, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let state = state(|request| found(request, &[]), options);
    let server = Server::start(state.with_suggestions(Arc::new(suggest)));
    let mut slow = connect(server.address);
    slow.write_all(b"GET /suggest?q=slow HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    until("the slow one begins", || running.load(Ordering::SeqCst) > 0);
    std::thread::scope(|scope| {
        for number in 0..40 {
            let address = server.address;
            scope.spawn(move || {
                let status = get(address, &format!("/suggest?q=word{number}")).status;
                assert!(matches!(status, 200 | 503), "{status}");
            });
        }
        for _ in 0..10 {
            assert_eq!(get(server.address, "/api/v1/search?q=a").status, 200);
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1, "suggestions have half of the turns");
    gate.wait();
}
