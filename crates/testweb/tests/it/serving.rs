//! HTTP as the server speaks it: hosts, keep-alive, conditions, compression, bad requests.

use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use testweb::{Of, Running, Web};

use crate::client::{Client, Echo, get, get_with};

fn two_hosts() -> Running {
    let sites = Web::new().site(Echo("a.lookfar")).site(Echo("b.lookfar"));
    sites.site(Echo("127.9.0.1")).frozen().start().unwrap()
}

#[test]
fn each_host_answers_on_its_own_address() {
    let web = two_hosts();
    assert_ne!(web.address_of("a.lookfar"), web.address_of("b.lookfar"));
    assert_eq!(get(&web, "a.lookfar", "/x?y").text(), "a.lookfar /x");
    assert_eq!(get(&web, "b.lookfar", "/x").text(), "b.lookfar /x");
    assert_eq!(get(&web, "127.9.0.1", "/x").text(), "127.9.0.1 /x");
    assert_eq!(web.hosts().collect::<Vec<_>>(), ["a.lookfar", "b.lookfar", "127.9.0.1"]);
}

#[test]
fn the_host_field_decides_and_the_address_where_it_is_missing() {
    let web = two_hosts();
    let address = web.socket_of("b.lookfar").unwrap();
    let ask = |host: &str| Client::connect(address).get(host, "/", "").text();
    assert_eq!(ask("A.Lookfar:80"), "a.lookfar /");
    assert_eq!(ask(&address.to_string()), "b.lookfar /");
    let mut old = Client::connect(address);
    old.send("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(old.response().text(), "b.lookfar /");
    assert_eq!(Client::connect(address).get("nobody.lookfar", "/", "").status, 404);
}

#[test]
fn browsers_reach_hosts_under_localhost_and_can_follow_their_links() {
    let web = two_hosts();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, web.http_port));
    let host = format!("a.localhost:{}", web.http_port);
    let page = Client::connect(address).get(&host, "/links", "").text();
    let expected = format!(
        r#"<a href="http://b.localhost:{}/x">b</a> <a href="http://elsewhere.example/">e</a>"#,
        web.http_port
    );
    assert_eq!(page, expected);
    assert!(get(&web, "a.lookfar", "/links").text().contains("http://b.lookfar/x"));
    let opened = web.browser_url("http://b.lookfar/x");
    assert_eq!(opened, format!("http://b.localhost:{}/x", web.http_port));
}

#[test]
fn one_connection_carries_many_requests() {
    let web = two_hosts();
    let mut client = Client::connect(web.socket_of("a.lookfar").unwrap());
    for i in 0..20 {
        assert_eq!(client.get("a.lookfar", &format!("/{i}"), "").status, 200);
    }
    client.send(
        "GET /1 HTTP/1.1\r\nHost: a.lookfar\r\n\r\nGET /2 HTTP/1.1\r\nHost: a.lookfar\r\n\r\n",
    );
    assert_eq!(
        (client.response().text(), client.response().text()),
        ("a.lookfar /1".into(), "a.lookfar /2".into())
    );
    let last = client.get("a.lookfar", "/last", "Connection: close\r\n");
    assert_eq!(last.header("connection"), Some("close"));
    assert_eq!(client.rest().unwrap(), b"", "the server closes when asked to");
    let log = web.log();
    assert_eq!((log.count("a.lookfar"), log.num_connections("a.lookfar")), (23, 1));
    assert_eq!(log.requests(Of::All)[0].user_agent.as_ref(), "plain");
}

#[test]
fn a_copy_that_is_current_is_not_sent_again() {
    let web = two_hosts();
    let first = get(&web, "a.lookfar", "/x");
    let tag = first.header("etag").expect("bodies get a validator").to_owned();
    let second = get_with(&web, "a.lookfar", "/x", &format!("If-None-Match: W/\"z\", {tag}\r\n"));
    assert_eq!((second.status, second.body.len()), (304, 0));
    assert_eq!(second.header("etag"), Some(tag.as_str()));
    assert_eq!(get_with(&web, "a.lookfar", "/y", &format!("If-None-Match: {tag}\r\n")).status, 200);

    assert!(get(&web, "a.lookfar", "/dated").header("etag").is_none());
    let dated = |date: &str| {
        get_with(&web, "a.lookfar", "/dated", &format!("If-Modified-Since: {date}\r\n")).status
    };
    assert_eq!(dated("Sun, 01 Nov 2026 10:00:00 GMT"), 304);
    assert_eq!(dated("Sun, 01 Nov 2026 09:59:59 GMT"), 200);
    assert_eq!(dated("yesterday"), 200);
}

#[test]
fn head_has_the_length_and_no_body() {
    let web = two_hosts();
    let mut client = Client::connect(web.socket_of("a.lookfar").unwrap());
    client.send("HEAD /x HTTP/1.1\r\nHost: a.lookfar\r\nConnection: close\r\n\r\n");
    let text = String::from_utf8(client.rest().unwrap()).unwrap();
    assert!(text.contains("Content-Length: 12\r\n") && text.ends_with("\r\n\r\n"), "{text}");
}

#[test]
fn long_text_is_compressed_for_those_who_accept_it() {
    let web = two_hosts();
    let plain = get(&web, "a.lookfar", "/long");
    let small = get_with(&web, "a.lookfar", "/long", "Accept-Encoding: br, gzip;q=0.8\r\n");
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() * 10 < plain.body.len());
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&*small.body).read_to_end(&mut text).unwrap();
    assert_eq!(text, plain.body);
    let refused = get_with(&web, "a.lookfar", "/long", "Accept-Encoding: gzip;q=0\r\n");
    assert!(refused.header("content-encoding").is_none());
}

#[test]
fn bad_requests_get_a_status_and_a_closed_connection() {
    let web = two_hosts();
    let address = web.socket_of("a.lookfar").unwrap();
    let check = |sent: &str, status: u16| {
        let mut client = Client::connect(address);
        client.send(sent);
        assert_eq!(client.response().status, status, "{}", &sent[..sent.len().min(80)]);
    };
    check("nonsense\r\n\r\n", 400);
    check("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411);
    check("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413);
    check("POST / HTTP/1.1\r\nHost: a.lookfar\r\nContent-Length: 4\r\n\r\nbody", 200);
    check(&format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(70_000)), 431);
}

#[test]
fn sites_see_time_pass_when_it_is_pushed() {
    let web = two_hosts();
    assert_eq!(get(&web, "a.lookfar", "/age").text(), "0");
    web.advance(Duration::from_secs(90));
    assert_eq!(get(&web, "a.lookfar", "/age").text(), "90");
}

#[test]
fn a_web_frees_its_ports_when_dropped() {
    let web = two_hosts();
    let (port, dns) = (web.http_port, web.dns_addr.port());
    get(&web, "a.lookfar", "/");
    let taken = Web::new().http_port(port).start().err().expect("the port is in use");
    assert_eq!(taken.to_string(), format!("cannot listen on HTTP port {port}"));
    drop(web);
    let again = Web::new().site(Echo("a.lookfar")).http_port(port).dns_port(dns).start().unwrap();
    assert_eq!(get(&again, "a.lookfar", "/").status, 200);
}

#[test]
fn webs_start_and_stop_inside_a_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let web = two_hosts();
        assert_eq!(get(&web, "a.lookfar", "/").status, 200);
    });
}

#[test]
fn connections_at_once_are_seen_by_host_and_address() {
    let web = Web::new().site(Echo("a.lookfar")).site(Echo("b.lookfar"));
    let web = web.share(&["a.lookfar", "b.lookfar"]).start().unwrap();
    let address = web.address_of("a.lookfar").unwrap();
    assert_eq!(web.address_of("b.lookfar"), Some(address));
    let mut one = Client::connect(web.socket_of("a.lookfar").unwrap());
    let mut two = Client::connect(web.socket_of("b.lookfar").unwrap());
    one.get("a.lookfar", "/", "");
    two.get("b.lookfar", "/", "");
    // Overlaps shorter than the slack of closing do not count.
    std::thread::sleep(Duration::from_millis(10));
    let log = web.log();
    assert!(log.wait_until_idle(Duration::from_secs(10)));
    assert_eq!(log.max_connections_at_once(address), 2);
    assert_eq!(log.max_connections_at_once("a.lookfar"), 1);
    assert_eq!(log.max_requests_at_once(address), 1);
    let closest = log.closest_two_requests(address).unwrap();
    assert_eq!(&*closest.second.host, "b.lookfar");
    assert!(closest.first.done.unwrap() >= closest.first.at);
}

#[test]
fn the_access_log_file_has_every_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access.tsv");
    let web = Web::new().site(Echo("a.lookfar")).access_log(&path).start().unwrap();
    for target in ["/one", "/two"] {
        get(&web, "a.lookfar", target);
        // The file is in the order of endings, which the client sees before the server does.
        assert!(web.log().wait_until_idle(Duration::from_secs(10)));
    }
    drop(web);
    let text = std::fs::read_to_string(path).unwrap();
    let targets: Vec<&str> =
        text.lines().skip(1).filter_map(|line| line.split('\t').nth(7)).collect();
    assert_eq!(targets, ["/one", "/two"]);
}
