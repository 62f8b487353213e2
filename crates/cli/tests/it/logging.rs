//! What strangers send, in the log.

use std::io::{Read, Write};
use std::net::TcpStream;

use base::Collection;

use crate::run::{served_at, start};

#[test]
fn web_26_what_strangers_send_is_one_short_escaped_line() {
    logged("text");
}

#[test]
fn web_26_a_log_for_programs_is_an_object_per_line_whatever_strangers_send() {
    let log = logged("json");
    let line = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(line).collect();
    let answered = |line: &&serde_json::Value| line["fields"]["message"] == "answered";
    let answered = lines.iter().find(answered).unwrap();
    assert_eq!(
        (&answered["level"], &answered["target"]),
        (&"TRACE".into(), &"serve::answer".into())
    );
    assert!(answered["timestamp"].is_string() && answered["fields"]["status"].is_string());
}

/// Sends what strangers may send, and returns what was logged of it.
fn logged(format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    std::fs::write(collection.config(), "").unwrap();
    let arguments = ["-vvv", "--log-format", format, "serve", "--port", "0"];
    let mut child = start(folder.path(), &arguments);
    let (address, mut told) = served_at(&mut child);
    let requests: [Vec<u8>; 6] = [
        b"/search?q=%1b[31mred%0aevil%00".to_vec(),
        b"/%1b[31mred%0a%0d2026-01-01 forged".to_vec(),
        "/\u{1b}[31m\u{202e}\u{9b}raw".into(),
        b"/\xff\xfe\xc0\x80".to_vec(),
        [b"/".as_slice(), &[b'a'; 60_000]].concat(),
        b"/nothing HTTP/1.1\r\nUser-Agent: \xff\x9b31m\r\nReferer: http://evil/\r\nX: y".to_vec(),
    ];
    for path in &requests {
        let mut stream = TcpStream::connect(&address).unwrap();
        let end = b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(&[b"GET ", path.as_slice(), end].concat());
        let _ = stream.read_to_end(&mut Vec::new());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut log = Vec::new();
    told.read_to_end(&mut log).unwrap();
    let log = String::from_utf8(log).expect("nothing but text");
    assert!(log.contains("answered"), "{log}");
    for line in log.lines() {
        assert!(line.len() < 1_000, "{line}");
        assert!(!line.contains(|letter: char| letter.is_control()), "{line:?}");
        assert!(!line.contains('\u{202e}') && !line.starts_with("2026-01-01 forged"), "{line:?}");
    }
    // What was searched for, and who asked, is nobody's business.
    assert!(!log.contains("evil") && !log.contains("31m\u{fffd}"), "{log}");
    log
}
