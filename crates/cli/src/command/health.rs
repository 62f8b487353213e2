//! `lookfar health`: asks the search page whether it lives, for containers and monitors (U6).

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::Done;
use crate::args::{HealthArgs, ListenArgs};
use crate::config::Config;
use crate::engine::{page_url, reachable};

use super::up::listen_address;

/// Longest wait for the whole answer.
const PATIENCE: Duration = Duration::from_secs(4);
/// Longest head of an answer that is read: the status is at its beginning.
const ANSWER_BYTES: usize = 64;

pub(crate) fn run(dir: &Path, args: HealthArgs) -> Result<Done> {
    let config = Config::read(&dir.join("lookfar.toml"))?;
    let listen = ListenArgs { port: args.port, listen: None };
    let address = reachable(listen_address(&config, listen));
    let url = page_url(address);
    let asked = ask(address);
    let mut out = io::stdout().lock();
    if args.json {
        let because = asked.as_ref().err().map(ToString::to_string);
        let line = json!({ "url": url, "is_alive": asked.is_ok(), "because": because });
        writeln!(out, "{line}")?;
    } else {
        match &asked {
            Ok(()) => writeln!(out, "the search page at {url} lives")?,
            Err(error) => writeln!(out, "the search page at {url} does not answer: {error}")?,
        }
    }
    Ok(if asked.is_ok() { Done::Well } else { Done::Empty })
}

fn ask(address: SocketAddr) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    let left = || match until.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut stream = TcpStream::connect_timeout(&address, left()?)?;
    stream.set_write_timeout(Some(left()?))?;
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes())?;
    let mut head = Vec::new();
    while head.len() < ANSWER_BYTES && !head.contains(&b'\n') {
        stream.set_read_timeout(Some(left()?))?;
        let mut part = [0; ANSWER_BYTES];
        match stream.read(&mut part)? {
            0 => break,
            len => head.extend_from_slice(&part[..len]),
        }
    }
    match head.starts_with(b"HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(io::Error::other("it says something else than 200")),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Asks a server that answers like this.
    fn asked(answer: &'static [u8]) -> io::Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let server = std::thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            let mut request = [0; 1024];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(answer).unwrap();
        });
        let asked = ask(address);
        server.join().unwrap();
        asked
    }

    #[test]
    fn only_200_is_alive() {
        asked(b"HTTP/1.1 200 OK\r\n\r\nok\n").unwrap();
        for answer in [&b"HTTP/1.1 503 Busy\r\n\r\n"[..], b"", b"SSH-2.0-x\r\n"] {
            assert!(asked(answer).is_err());
        }
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert!(ask(closed).is_err());
    }

    #[test]
    fn a_page_for_everybody_is_asked_and_opened_on_this_machine() {
        let of = |text: &str| page_url(text.parse().unwrap());
        assert_eq!(of("0.0.0.0:80"), "http://127.0.0.1:80/");
        assert_eq!(of("[::]:80"), "http://[::1]:80/");
        assert_eq!(of("192.0.2.1:80"), "http://192.0.2.1:80/");
    }
}
