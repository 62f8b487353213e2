//! Wrong tokens of the control room: answered slowly, a few at a time, and in nobody's way.

use std::net::SocketAddr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::admin::{TOKEN, get, post, server};
use crate::client::Reply;

/// As long as the right one.
const WRONG: &str = "0123456789-stolen--horse";
/// How long the answer to a wrong token takes.
const GUESS: Duration = Duration::from_millis(500);

fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

fn log_in(address: SocketAddr, token: &str) -> Reply {
    let origin = format!("Origin: http://{address}\r\n");
    post(address, "/admin/login", &origin, &format!("token={token}"))
}

#[test]
fn web_21_who_guesses_tokens_keeps_nobody_out() {
    let (server, _room) = server(Some(TOKEN));
    let address = server.address;
    let guess = move |way: usize| match way % 2 {
        0 => log_in(address, WRONG),
        _ => get(address, "/admin", &bearer(WRONG)),
    };
    let replies: Vec<Reply> = std::thread::scope(|scope| {
        // Three times as many at once as are answered.
        let guessers: Vec<_> = (0..12)
            .map(|way| scope.spawn(move || [(); 4].map(|()| guess(way)).into_iter()))
            .collect();
        while guessers.iter().any(|guesser| !guesser.is_finished()) {
            assert_eq!(log_in(address, TOKEN).status, 303);
            assert_eq!(get(address, "/admin/history", &bearer(TOKEN)).status, 200);
            assert_eq!(get(address, "/metrics", &bearer(TOKEN)).status, 200);
            sleep(Duration::from_millis(20));
        }
        guessers.into_iter().flat_map(|guesser| guesser.join().unwrap()).collect()
    });
    let (wrong, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 401);
    assert!(wrong.len() >= 4 && !refused.is_empty(), "{} and {}", wrong.len(), refused.len());
    for reply in refused {
        assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
        let told = "too many wrong tokens are being answered; try again in a moment";
        assert!(reply.body.contains(told), "{}", reply.body);
    }
}

#[test]
fn web_21_a_wrong_token_is_answered_slowly_wherever_it_is_brought() {
    let (server, _room) = server(Some(TOKEN));
    let address = server.address;
    let slow = |what: &str, status: u16, ask: &dyn Fn() -> Reply| {
        let begun = Instant::now();
        assert_eq!(ask().status, status, "{what}");
        assert!(begun.elapsed() >= GUESS, "{what} after {:?}", begun.elapsed());
    };
    slow("a form", 401, &|| log_in(address, WRONG));
    // The interface tells strangers as much as it tells whoever has no token.
    let why = "/api/v1/why?url=http://a.example/";
    let other = get(address, why, "").status;
    let paths = [("/admin", 401), ("/admin/events", 401), ("/admin/login", 401), ("/metrics", 404)];
    for (path, status) in paths.into_iter().chain([(why, other)]) {
        slow(path, status, &|| get(address, path, &bearer(WRONG)));
    }
    slow("a change", 401, &|| post(address, "/admin/do", &bearer(WRONG), "action=pause"));
}
