//! Handshakes that fail, certificates that lie, connections that end without a farewell.

use testweb::{Certificate, Handshake, Of, Tls};

use super::*;

fn site(host: &str, tls: Tls) -> Script {
    Script::new(host).page("/", "hello").tls(tls)
}

#[tokio::test]
async fn a_good_certificate_of_an_extra_authority_is_trusted() {
    let sites =
        [site("a.lookfar", Tls::default()), site("b.lookfar", Tls::speaking(&["http/1.1"]))];
    let visitor = Visitor::of(sites);
    assert_body(&visitor.good("https://a.lookfar/").await, "hello", None);
    let fetched = visitor.good("https://b.lookfar/").await;
    assert_body(&fetched, "hello", None);
    assert!(fetched.request.starts_with(b"GET / HTTP/1.1\r\nHost: b.lookfar\r\n"));
    let strict = Visitor::with([site("a.lookfar", Tls::default())], |options| {
        options.extra_roots.clear();
    });
    assert_eq!(strict.bad("https://a.lookfar/").await, Failure::Certificate);
}

#[test]
fn an_extra_authority_that_cannot_be_read_is_an_error() {
    let options = FetchOptions { extra_roots: vec![vec![1, 2, 3].into()], ..<_>::default() };
    assert!(matches!(Fetcher::new(options, &Agent::default()), Err(crate::Error::Root { .. })));
}

#[tokio::test]
async fn tls_01_certificates_that_are_not_good_are_refused() {
    let bad = [
        ("expired.lookfar", Certificate::Expired),
        ("selfsigned.lookfar", Certificate::SelfSigned),
        ("wrong.lookfar", Certificate::For(vec!["other.lookfar".to_owned()])),
        ("unknown.lookfar", Certificate::UnknownIssuer),
    ];
    let sites = bad.clone().map(|(host, certificate)| site(host, Tls::showing(certificate)));
    let visitor = Visitor::of(sites);
    for (host, _) in bad {
        let failure = visitor.bad(&format!("https://{host}/")).await;
        assert_eq!(failure, Failure::Certificate, "{host}");
    }
    assert_eq!(visitor.web.log().count(Of::All), 0);
}

/// A ServerHello in a version and with a cipher suite of old.
fn hello(version: [u8; 2], suite: [u8; 2]) -> Vec<u8> {
    let mut hello = vec![0x02, 0, 0, 38];
    hello.extend_from_slice(&version);
    hello.extend_from_slice(&[9; 32]);
    hello.push(0);
    hello.extend_from_slice(&suite);
    hello.push(0);
    [&[0x16, version[0], version[1], 0, 42][..], &hello].concat()
}

#[tokio::test]
async fn tls_02_old_versions_and_weak_ciphers_are_refused() {
    let raw = |bytes: Vec<u8>| Tls::shaking(Handshake::Raw(bytes));
    let visitor = Visitor::of([
        // `protocol_version`, `handshake_failure`: the server wants something else than we do.
        site("alert.lookfar", raw(vec![0x15, 3, 1, 0, 2, 2, 70])),
        site("failure.lookfar", raw(vec![0x15, 3, 3, 0, 2, 2, 40])),
        site("tls10.lookfar", raw(hello([3, 1], [0, 0x2F]))),
        site("ssl3.lookfar", raw(hello([3, 0], [0, 0x2F]))),
        site("rc4.lookfar", raw(hello([3, 3], [0, 0x05]))),
        site("plain.lookfar", raw(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec())),
        site("gone.lookfar", raw(Vec::new())),
    ]);
    for host in ["alert", "failure", "tls10", "ssl3", "rc4", "plain", "gone"] {
        let failure = visitor.bad(&format!("https://{host}.lookfar/")).await;
        assert_eq!(failure, Failure::Tls, "{host}");
    }
}

#[tokio::test]
async fn tls_03_a_handshake_that_stalls_is_left_at_its_limit() {
    let stalling = |bytes| Tls::shaking(Handshake::Stalls(bytes));
    let visitor =
        Visitor::of([site("mute.lookfar", stalling(0)), site("hello.lookfar", stalling(150))]);
    for host in ["mute", "hello"] {
        let failure = visitor.bad(&format!("https://{host}.lookfar/")).await;
        assert_eq!(failure, Failure::HandshakeTimeout, "{host}");
    }
}

#[tokio::test]
async fn tls_04_long_chains_and_huge_certificates_fail_within_bounds() {
    let visitor = Visitor::with(
        [
            site("three.lookfar", Tls::showing(Certificate::Chain(3))),
            site("hundred.lookfar", Tls::showing(Certificate::Chain(100))),
            site("big.lookfar", Tls::showing(Certificate::Big(1024 * 1024))),
        ],
        // The made-up authority needs a while to sign a hundred times.
        |options| options.handshake = Duration::from_secs(20),
    );
    visitor.good("https://three.lookfar/").await;
    let failure = visitor.bad("https://hundred.lookfar/").await;
    assert_eq!(failure, Failure::Certificate);
    assert_eq!(visitor.bad("https://big.lookfar/").await, Failure::Tls);
}

#[tokio::test]
async fn tls_05_no_farewell_after_a_whole_body_is_fine() {
    let whole = said("Content-Length: 5\r\n", "hello").then(End::Vanish);
    let chunks = said("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n");
    let script = Script::new("a.lookfar").tls(Tls::speaking(&["http/1.1"]));
    let visitor =
        Visitor::of([script.raw("/length", whole).raw("/chunks", chunks.then(End::Vanish))]);
    assert_body(&visitor.good("https://a.lookfar/length").await, "hello", None);
    assert_body(&visitor.good("https://a.lookfar/chunks").await, "hello", None);
}

#[tokio::test]
async fn tls_06_no_farewell_after_a_body_without_length_marks_it_as_cut() {
    let open = || said("Content-Type: text/html\r\n", "hello");
    let script = Script::new("a.lookfar").tls(Tls::speaking(&["http/1.1"]));
    let script = script.raw("/vanish", open().then(End::Vanish));
    let visitor = Visitor::of([script.raw("/close", open().then(End::Close))]);
    let fetched = visitor.good("https://a.lookfar/vanish").await;
    assert_body(&fetched, "hello", Some(Cut::Disconnect));
    assert_body(&visitor.good("https://a.lookfar/close").await, "hello", None);
}

#[tokio::test]
async fn tls_07_a_wildcard_stands_for_one_label() {
    let wild = |name: &str| Tls::showing(Certificate::For(vec![name.to_owned()]));
    let visitor = Visitor::of([
        site("one.wild.lookfar", wild("*.wild.lookfar")),
        site("two.deep.wild.lookfar", wild("*.wild.lookfar")),
        site("three.deep.wild.lookfar", wild("*.*.wild.lookfar")),
    ]);
    visitor.good("https://one.wild.lookfar/").await;
    for host in ["two.deep.wild.lookfar", "three.deep.wild.lookfar"] {
        assert_eq!(visitor.bad(&format!("https://{host}/")).await, Failure::Certificate, "{host}");
    }
}

#[tokio::test]
async fn tls_08_a_protocol_that_was_not_offered_ends_the_connection() {
    let forged = Handshake::Forged(b"\x02h2".to_vec(), b"\x02h3".to_vec());
    let unforged = Handshake::Forged(b"\x02h2".to_vec(), b"\x02h2".to_vec());
    let visitor = Visitor::of([
        site("forged.lookfar", Tls::shaking(forged)),
        site("unforged.lookfar", Tls::shaking(unforged)),
    ]);
    assert_eq!(visitor.bad("https://forged.lookfar/").await, Failure::Tls);
    visitor.good("https://unforged.lookfar/").await;
}
