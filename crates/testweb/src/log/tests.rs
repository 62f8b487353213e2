//! Tests of the log's questions, on entries written by hand.

use super::*;

const A: Ipv4Addr = Ipv4Addr::new(127, 1, 0, 1);
const B: Ipv4Addr = Ipv4Addr::new(127, 1, 0, 2);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn entry(
    at: u64,
    done: u64,
    connection: u64,
    address: Ipv4Addr,
    host: &str,
    target: &str,
) -> Entry {
    Entry {
        at: ms(at),
        done: Some(ms(done)),
        connection,
        address,
        host: host.into(),
        method: "GET".into(),
        target: target.into(),
        user_agent: "crawler/1".into(),
        status: 200,
        bytes: 1_000,
    }
}

/// Two hosts on address A, one on B.
fn example() -> Log {
    let log = Log::new();
    {
        let mut state = log.state();
        state.entries = vec![
            entry(0, 10, 1, A, "a.lookfar", "/robots.txt"),
            entry(1_000, 1_500, 1, A, "a.lookfar", "/"),
            entry(1_300, 1_400, 2, A, "b.lookfar", "/private/x"),
            entry(3_000, 3_010, 3, A, "a.lookfar", "/z"),
            entry(3_000, 3_010, 4, B, "c.lookfar", "/"),
        ];
        let lives =
            [(1, A, 0, 2_000), (2, A, 1_200, 1_600), (3, A, 1_999, 3_100), (4, B, 0, 4_000)];
        for (id, address, opened, closed) in lives {
            let connection = Connection { address, opened: ms(opened), closed: Some(ms(closed)) };
            state.connections.insert(id, connection);
        }
    }
    log
}

#[test]
fn closest_requests_are_found_by_host_and_by_address() {
    let log = example();
    let of_host = log.closest_two_requests("a.lookfar").unwrap();
    assert_eq!((of_host.gap, of_host.first.target.as_str()), (ms(1_000), "/robots.txt"));
    let of_address = log.closest_two_requests(A).unwrap();
    assert_eq!((of_address.gap, of_address.second.target.as_str()), (ms(300), "/private/x"));
    assert!(log.closest_two_requests("c.lookfar").is_none(), "one request has no gap");
    assert_eq!(log.closest_two_requests(Of::All).unwrap().gap, Duration::ZERO);
}

#[test]
fn connections_and_requests_at_once_are_counted() {
    let log = example();
    // Connection 1 closes one millisecond after 3 opens: within the slack of closing.
    assert_eq!(log.max_connections_at_once("a.lookfar"), 1);
    assert_eq!(log.num_connections("a.lookfar"), 2);
    assert_eq!(log.max_connections_at_once(A), 2);
    assert_eq!(log.max_connections_at_once(Of::All), 3);
    assert_eq!(log.max_requests_at_once("a.lookfar"), 1);
    assert_eq!(log.max_requests_at_once(A), 2);
}

#[test]
fn paths_counts_and_prefixes_answer() {
    let log = example();
    assert_eq!(log.paths("a.lookfar"), ["/robots.txt", "/", "/z"]);
    assert_eq!(log.paths("A.Lookfar").len(), 3);
    assert_eq!(log.count(B), 1);
    assert_eq!(log.under(Of::All, "/private/").len(), 1);
    assert_eq!(log.under("a.lookfar", "/private/").len(), 0);
    assert_eq!(log.user_agents(Of::All), [Arc::from("crawler/1")]);
}

#[test]
fn a_cleared_log_ignores_the_end_of_older_requests() {
    let log = Log::new();
    let old = entry(0, 0, 1, A, "a.lookfar", "/old");
    let ticket = log.arrived(old.clone());
    log.clear();
    log.arrived(entry(5, 5, 1, A, "a.lookfar", "/young"));
    log.finished(ticket, old);
    assert_eq!(log.paths(Of::All), ["/young"]);
}

#[test]
fn written_files_have_one_line_per_request_whatever_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let log = example();
    log.arrived(entry(9_000, 9_001, 5, B, "evil\n\tname", &"/x".repeat(40_000)));
    let tsv = folder.path().join("access.tsv");
    log.write(&tsv).unwrap();
    let text = std::fs::read_to_string(tsv).unwrap();
    assert_eq!(text.lines().count(), 1 + 6);
    assert!(text.lines().all(|line| line.split('\t').count() == 11), "{text}");
    let jsonl = folder.path().join("access.jsonl");
    log.write(&jsonl).unwrap();
    let text = std::fs::read_to_string(jsonl).unwrap();
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["host"].as_str(), first["done_us"].as_u64()),
        (Some("a.lookfar"), Some(10_000))
    );
    assert_eq!(text.lines().count(), 6);
}
