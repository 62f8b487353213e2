//! Numbers for monitors, and whether we are ready.

use crate::client::get;
use crate::server::Server;

#[test]
fn web_27_whatever_strangers_ask_for_the_numbers_have_the_same_names() {
    let server = Server::with_hits(Vec::new());
    let names = || -> Vec<String> {
        let told = get(server.address, "/metrics");
        assert_eq!(told.status, 200);
        assert!(told.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
        let lines = told.body.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect()
    };
    let before = names();
    for n in 0..50 {
        get(server.address, &format!("/search?q=word{n}"));
        get(server.address, &format!("/made/up/{n}?label=\"{n}"));
    }
    assert_eq!(names(), before);
    let told = get(server.address, "/metrics").body;
    assert!(told.contains("lookfar_search_duration_seconds_count 50"), "{told}");
    assert_eq!(get(server.address, "/readyz").body, "ready\n");
}
