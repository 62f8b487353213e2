//! What strangers may cost, and what every answer carries.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Timestamp;
use rank::Lookup;
use serve::{CopyForm, CopyRequest, Error, Limits, Listener, NoCopy, Options, PageCopy};

use crate::client::{Reply, connect, get, get_here, get_with, parse, read_to_close, send};
use crate::server::{Server, found, gated, state, until};

fn server() -> Server {
    Server::with_limits(Limits::default())
}

#[track_caller]
fn check_hardened(reply: &Reply) {
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    // Either way other sites are told nothing of where a visitor comes from.
    assert!(matches!(reply.header("referrer-policy"), Some("no-referrer" | "same-origin")));
    assert_eq!(reply.header("x-frame-options"), Some("DENY"));
    assert_eq!(reply.header("access-control-allow-origin"), None);
}

#[test]
fn web_05_and_06_and_25_every_answer_is_hardened() {
    let server = server();
    for path in [
        "/",
        "/search?q=a",
        "/search?q=%ff",
        "/api/v1/search?q=a",
        "/api/v1/search",
        "/api/v1/status",
        "/api",
        "/api/openapi.json",
        "/api/v1/suggest?q=a",
        "/api/v1/graph/page?url=a.example",
        "/suggest?q=a",
        "/mcp",
        "/healthz",
        "/robots.txt",
        "/preferences",
        "/preferences.txt",
        "/static/icon.svg",
        "/nothing",
        "/api/nothing",
    ] {
        check_hardened(&get(server.address, path));
    }
    for request in [
        "POST / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GARBAGE / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ] {
        let reply = send(server.address, request);
        assert!(reply.status >= 400);
        check_hardened(&reply);
    }
}

/// What never reaches a handler: hyper refuses it by itself.
#[test]
fn web_05_what_is_no_request_is_refused_with_a_reason_and_hardened() {
    let server = server();
    let long = "a".repeat(1 << 17);
    let [path, field] = ["GET /<> HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nx: <>\r\n\r\n"]
        .map(|request| request.replace("<>", &long));
    for (request, code) in [
        ("GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", "head"),
        ("GET / HTTP/1.1\r\nHost: a\r\nx\u{1}: y\r\n\r\n", "head"),
        ("GET / HTTP/1.1\r\nHost: a\r\nx: \u{0}\r\n\r\n", "head"),
        ("GET / HTTP/1.1\r\nHost: a\rX-Evil: yes\r\n\r\n", "head"),
        ("G@T\u{7f} / HTTP/1.1\r\nHost: a\r\n\r\n", "head"),
        ("GET a\u{1}b HTTP/1.1\r\nHost: a\r\n\r\n", "head"),
        ("GET / HTTP/9.9\r\nHost: a\r\n\r\n", "head"),
        ("\u{1}\u{2}\u{3}\r\n\r\n", "head"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "head"),
        (path.as_str(), "query-too-long"),
        (field.as_str(), "query-too-long"),
    ] {
        let what = &request[..request.len().min(60)];
        // As the first request of a connection, and after one that was answered.
        for before in ["", "HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let reply = send(server.address, &format!("{before}{request}"));
            let reply = if before.is_empty() { reply } else { parse(&reply.body) };
            assert_eq!(reply.status, 400, "{what:?}");
            check_hardened(&reply);
            crate::api::check_problem(&reply, 400, code);
            assert_eq!(reply.header("connection"), Some("close"), "{what:?}");
            assert_eq!(reply.header("cache-control"), Some("no-store"), "{what:?}");
        }
    }
}

#[test]
fn web_08_and_10_and_21_nothing_outside_is_reached() {
    let server = server();
    for path in [
        "/static/../../etc/passwd",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static/..%252f..%252fetc/passwd",
        "/static/..\\..\\etc\\passwd",
        "/static/icon.svg%00.html",
        "//etc/passwd",
        "/go?url=http://evil.example/",
        "/.git/config",
        "/admin",
        "/api/v1/stop",
        "/debug/pprof",
    ] {
        assert_eq!(get(server.address, path).status, 404, "{path}");
    }
}

#[test]
fn web_18_nothing_is_smuggled() {
    let server = server();
    let check = |request: &str, status: u16| {
        let reply =
            send(server.address, &format!("{request}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"));
        assert_eq!(reply.status, status, "{request}");
        check_hardened(&reply);
        assert!(!reply.body.contains("ok\n"), "the second request was answered: {request}");
    };
    let post = "POST / HTTP/1.1\r\nHost: a\r\n";
    check(&format!("{post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"), 400);
    check(&format!("{post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 411);
    check(&format!("{post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"), 411);
    check(&format!("{post}Transfer-Encoding: gzip\r\n\r\n"), 400);
    check("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400);
    check("GET / HTTP/1.1\r\n\r\n", 400);
    check("GET / HTTP/1.0\r\n\r\n", 400);
    check("CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n", 405);
    check("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405);
    for method in ["PUT", "PATCH", "DELETE"] {
        for path in ["/", "/search?q=a", "/preferences", "/api/v1/search?q=a", "/mcp"] {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 3");
            check(&format!("{head}\r\n\r\nabc"), 405);
        }
    }
    check("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 405);
    check("GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", 400);
    check("\u{1}\u{2}\u{3}\r\n\r\n", 400);
}

#[test]
fn web_07_no_parameter_becomes_a_header() {
    let server = server();
    let line = "a%0d%0aX-Evil:%20yes";
    let check = |reply: &Reply, what: &str| {
        assert_eq!(reply.header("x-evil"), None, "{what}: {reply:?}");
        assert_eq!(reply.header("set-cookie"), None, "{what}: {reply:?}");
    };
    let names = ["q", "offset", "count", "folded", "explain", "topic", "without", "order", "lang"];
    let others = ["site", "type", "after", "before", "country", "time", "ui", "why", "url", "host"];
    for name in names.into_iter().chain(others) {
        let query = if name == "q" { format!("q={line}") } else { format!("q=a&{name}={line}") };
        for path in [
            "/",
            "/search",
            "/search.rss",
            "/suggest",
            "/cache",
            "/pictures",
            "/preferences",
            "/about-crawler/host",
            "/api/v1/search",
            "/api/v1/why",
        ] {
            check(&get(server.address, &format!("{path}?{query}")), &format!("{path} {name}"));
        }
    }
    for path in [format!("/{line}"), format!("/api/{line}"), format!("/static/{line}")] {
        check(&get(server.address, &path), &path);
    }
    for path in ["/", "/search?q=a", "/opensearch.xml", "/search.rss?q=a", "/preferences"] {
        // As it is, and with a line end that is none.
        for host in [line, "a\rX-Evil: yes", "a\u{b}X-Evil: yes"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close");
            check(&send(server.address, &format!("{head}\r\n\r\n")), &format!("{path} {host:?}"));
        }
    }
}

#[test]
fn web_22_no_other_site_may_read_an_answer() {
    let server = server();
    for origin in ["null", "https://evil.example", "http://localhost", "*"] {
        for path in ["/", "/api/v1/search?q=a", "/api/v1/status", "/nothing"] {
            let head = format!("Host: a\r\nOrigin: {origin}\r\nConnection: close\r\n");
            let reply = send(server.address, &format!("GET {path} HTTP/1.1\r\n{head}\r\n"));
            // Without the field no browser hands the answer to a page of another site.
            check_hardened(&reply);
            assert_eq!(reply.header("access-control-allow-credentials"), None);
            assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        }
    }
}

#[test]
fn web_09_lies_about_the_host_change_nothing() {
    let server = server();
    let ask = |host: &str| {
        let head = format!("Host: {host}\r\nX-Forwarded-Host: {host}\r\nForwarded: host={host}");
        let request = format!("GET /search?q=a HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n");
        send(server.address, &request).body
    };
    assert_eq!(ask("evil.example"), ask("localhost"));
}

/// What names us by an address: a lie must not become the search engine of somebody else.
#[test]
fn web_09_lies_about_the_host_are_repeated_in_no_feed_and_no_description() {
    let url = Some("https://find.example/".to_owned());
    let search = |request: &rank::Request<'_>| found(request, &[]);
    let (nameless, named) = (server(), Server::start(state(search, options_with(url))));
    let ask = |server: &Server, path: &str, host: &str| {
        let head = format!("Host: {host}\r\nX-Forwarded-Host: evil.example\r\nConnection: close");
        send(server.address, &format!("GET {path} HTTP/1.1\r\n{head}\r\n\r\n"))
    };
    for host in ["evil.example", "evil.example:7700", "localhost:7700.evil.example"] {
        let told = ask(&nameless, "/opensearch.xml", host);
        assert_eq!(told.status, 421, "{host}");
        assert_eq!(told.header("content-type"), Some("application/problem+json"));
        assert_eq!(told.header("cache-control"), Some("no-store"));
        assert_eq!(told.json()["code"], "unknown-host");
        assert!(told.json()["detail"].as_str().unwrap().contains("set `serve.url`"));
        let feed = ask(&nameless, "/search.rss?q=a", host);
        assert_eq!(feed.status, 200, "{host}");
        assert!(feed.body.contains("<link>/search?q=a</link>"), "{}", feed.body);
        for path in ["/opensearch.xml", "/search.rss?q=a"] {
            let told = ask(&named, path, host);
            assert_eq!(told.status, 200, "{path}");
            assert!(told.body.contains("https://find.example/search?q="), "{}", told.body);
            assert!(!told.body.contains("evil"), "{}", told.body);
        }
        assert!(!format!("{told:?}{feed:?}").contains("evil"), "{told:?} {feed:?}");
    }
    let cache = |server: &Server, host: &str| {
        let told = ask(server, "/opensearch.xml", host);
        (told.status, told.header("cache-control").unwrap().to_owned())
    };
    assert_eq!(cache(&named, "evil.example"), (200, "public, max-age=86400".to_owned()));
    assert_eq!(cache(&nameless, "localhost"), (200, "private, max-age=86400".to_owned()));
}

fn options_with(url: Option<String>) -> Options {
    Options { url, ..Options::default() }
}

#[test]
fn web_14_large_bodies_are_refused_unread() {
    let server = server();
    // Nothing of the body is sent: whoever waited for it would answer 408, and later than is read.
    for method in ["GET", "POST"] {
        let head = format!("{method} / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n");
        let reply = send(server.address, &head);
        assert_eq!(reply.status, 413);
        assert_eq!(reply.header("connection"), Some("close"));
    }
    let small =
        "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
    assert_eq!(send(server.address, small).status, 200);
}

#[test]
fn large_heads_are_refused() {
    let server = server();
    let path = format!("/search?q={}", "a".repeat(1 << 20));
    assert_eq!(get(server.address, &path).status, 400);
    let fields = "x: y\r\n".repeat(200);
    let request = format!("GET / HTTP/1.1\r\nHost: a\r\n{fields}\r\n");
    assert_eq!(send(server.address, &request).status, 400);
}

#[test]
fn web_12_and_13_slow_heads_idle_connections_and_slow_bodies_are_closed() {
    let short = Duration::from_millis(300);
    let server = Server::with_limits(Limits { head: short, body: short, ..Limits::default() });
    let check = |request: &str, statuses: &[u16]| {
        let begun = Instant::now();
        let mut stream = connect(server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let text = read_to_close(&mut stream);
        let replies: Vec<u16> =
            text.split("HTTP/1.1 ").skip(1).map(|reply| reply[..3].parse().unwrap()).collect();
        assert_eq!(replies, statuses, "{request:?}");
        assert!(begun.elapsed() >= short && begun.elapsed() < Duration::from_secs(8));
    };
    check("", &[]);
    check("GET / HTTP/1.1\r\nHost:", &[]);
    check("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", &[200]);
    check("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", &[408]);
}

#[test]
fn web_12_drops_of_a_head_do_not_keep_a_connection() {
    let limits = Limits { head: Duration::from_millis(400), ..Limits::default() };
    let server = Server::with_limits(limits);
    let mut stream = connect(server.address);
    let begun = Instant::now();
    // One byte every 50 ms: always something new, never a whole head.
    while stream.write_all(b"G").is_ok() {
        std::thread::sleep(Duration::from_millis(50));
        assert!(begun.elapsed() < Duration::from_secs(8), "still open");
    }
}

/// Asks for a large copy and takes `piece` bytes of it at a time, with a pause between; returns
/// how much came before the server closed.
fn take_slowly(server: &Server, piece: usize, pause: Duration) -> usize {
    let mut stream = connect(server.address);
    let request =
        "GET /cache?url=http://a.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let (mut taken, mut buffer) = (0, vec![0; piece]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return taken,
            Ok(length) => taken += length,
        }
        std::thread::sleep(pause);
    }
}

#[test]
fn web_13_readers_who_take_drops_lose_their_connection() {
    const LENGTH: usize = 48 << 20;
    let copy = |request: &CopyRequest| match &request.page {
        Lookup::Url(url) => Ok(PageCopy {
            url: url.clone(),
            title: String::new(),
            fetched: Timestamp::default(),
            language: None,
            html: "a".repeat(LENGTH),
            is_cut: false,
            form: CopyForm::Page,
        }),
        Lookup::Page(_) => Err(NoCopy::Unknown),
    };
    // Patience for two seconds, and for who takes eight times as much as the slow one does.
    let limits =
        Limits { stall: Duration::from_secs(2), least_rate: 32 << 20, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let state = state(|request| found(request, &[]), options).with_copies(Arc::new(copy));
    let server = Server::start(state);
    // Four megabytes a second: the system's buffers move all the time, and hold a part of it.
    let taken = take_slowly(&server, 200 << 10, Duration::from_millis(50));
    assert!(taken < LENGTH, "it got everything");
    assert!(take_slowly(&server, 1 << 20, Duration::ZERO) > LENGTH, "who takes it gets it");
}

#[test]
fn web_15_a_house_full_of_idlers_still_serves_who_asks() {
    // None of them would make room by itself before who asks has given up.
    let head = Duration::from_secs(60);
    let server = Server::with_limits(Limits { connections: 8, head, ..Limits::default() });
    let idlers: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = connect(server.address);
            stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
            stream
        })
        .collect();
    assert_eq!(get(server.address, "/healthz").status, 200);
    drop(idlers);
}

#[test]
fn web_17_a_house_full_of_searches_refuses_at_once() {
    let limits = Limits { connections: 1, ..Limits::default() };
    let (server, gate) = gated(limits);
    let mut busy = connect(server.address);
    busy.write_all(b"GET /search?q=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
    gate.wait();
    let refused = get(server.address, "/healthz");
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    check_hardened(&refused);
    crate::api::check_problem(&refused, 503, "busy");
    assert_eq!(refused.body.len().to_string(), refused.header("content-length").unwrap());
    gate.wait();
    assert_eq!(parse(&read_to_close(&mut busy)).status, 200);
}

#[test]
fn web_17_too_many_searches_are_refused_at_once_and_the_rest_lives() {
    // Who waited for a turn would wait for longer than is read.
    let search = Duration::from_secs(60);
    let limits = Limits { searches: 1, waiting_searches: 0, search, ..Limits::default() };
    let (server, gate) = gated(limits);
    let mut busy = connect(server.address);
    busy.write_all(b"GET /search?q=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
    gate.wait();
    // What is asked for is not even read: these are no questions.
    for path in [
        "/search?q=b",
        "/search?q=%ff",
        "/api/v1/search?q=b",
        "/api/v1/search",
        "/search.rss?q=b",
        "/cache",
    ] {
        let refused = get(server.address, path);
        assert_eq!(refused.status, 503, "{path}");
        assert_eq!(refused.header("retry-after"), Some("1"));
        check_hardened(&refused);
        match path.starts_with("/api") || path.starts_with("/search.rss") {
            true => crate::api::check_problem(&refused, 503, "busy"),
            false => assert!(refused.body.contains("<html lang=\"en\""), "{}", refused.body),
        }
    }
    for (tongue, page) in [("fr", "<html lang=\"fr\""), ("ar", "<html lang=\"ar\" dir=\"rtl\"")] {
        let fields = format!("Accept-Language: {tongue}\r\nAccept-Encoding: gzip\r\n");
        let refused = get_with(server.address, "/search?q=b", &fields);
        assert!(refused.status == 503 && refused.body.contains(page), "{}", refused.body);
    }
    let two = "GET /search?q=b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
    assert_eq!(send(server.address, two).status, 400);
    let told = get_here(server.address, "/metrics", "").body;
    assert!(told.contains("lookfar_searches_refused_total 8\n"), "{told}");
    assert_eq!(get(server.address, "/readyz").body, "not ready: busy\n");
    assert_eq!(get(server.address, "/healthz").status, 200);
    assert_eq!(get(server.address, "/").status, 200);
    gate.wait();
    assert_eq!(parse(&read_to_close(&mut busy)).status, 200);
}

#[test]
fn stopping_lets_a_running_search_finish() {
    let (mut server, gate) = gated(Limits::default());
    let address = server.address;
    let _idle = connect(address);
    let mut busy = connect(address);
    busy.write_all(b"GET /search?q=a HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    gate.wait();
    // The search goes on until nobody is let in any more.
    let opening = std::thread::spawn(move || {
        until("nobody is let in", || TcpStream::connect(address).is_err());
        gate.wait();
    });
    server.stop();
    opening.join().unwrap();
    assert_eq!(parse(&read_to_close(&mut busy)).status, 200);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn web_20_a_failing_search_shows_no_reason() {
    let check = |search: fn(&rank::Request<'_>) -> Result<rank::Results, rank::Error>| {
        let server = Server::start(state(search, Options::default()));
        for path in ["/search?q=a", "/api/v1/search?q=a", "/search.rss?q=a"] {
            let reply = get(server.address, path);
            assert_eq!(reply.status, 500);
            for ours in ["secret", "panic", "damaged", "lists"] {
                assert!(!reply.body.contains(ours), "{path}: {}", reply.body);
            }
            check_hardened(&reply);
        }
    };
    check(|_| panic!("secret reason"));
    // An error that names a file of ours, and has a cause that does.
    check(|_| {
        let source = std::io::Error::other("secret cause in /srv/secret/lists");
        Err(rank::Error::DamagedLists { path: "/srv/secret/lists".into(), source })
    });
}

#[test]
fn a_port_in_use_is_said() {
    let first = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = first.address().unwrap();
    let error = Listener::bind(address).unwrap_err();
    assert!(matches!(error, Error::PortInUse { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("port {} of `127.0.0.1` is in use", address.port()));
    assert!(error.hint().unwrap().contains("--port"));
    let elsewhere = Listener::bind(SocketAddr::from(([192, 0, 2, 1], 0))).unwrap_err();
    assert!(matches!(elsewhere, Error::Bind { .. }), "{elsewhere:?}");
}
