//! Runs the real binary.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

use base::Collection;
use testweb::Running;

/// Returns a command of the program under test on a collection.
pub(crate) fn lookfar(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookfar"));
    command.arg("--dir").arg(dir).args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs to the end.
pub(crate) fn output(dir: &Path, arguments: &[&str]) -> Output {
    lookfar(dir, arguments).output().unwrap()
}

/// Starts with its output caught.
pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Child {
    let mut command = lookfar(dir, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Makes a collection that crawls a web on loopback.
pub(crate) fn collection(dir: &Path, web: &Running, more: &str) -> Collection {
    let collection = Collection::open_or_create(dir).unwrap();
    let (dns, port) = (web.dns_addr, web.http_port);
    let config = format!(
        "[index]\nanalyse_every = \"300ms\"\n[crawl]\nscope = [\"lookfar\"]\naddresses = \
         \"loopback\"\ndns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\n{more}\n"
    );
    std::fs::write(collection.config(), config).unwrap();
    collection
}

/// Returns a folder of the data packs; says so where there is none.
pub(crate) fn pack(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

/// Returns what `lookfar status` says.
pub(crate) fn status(dir: &Path) -> serde_json::Value {
    let output = output(dir, &["status", "--json"]);
    expect(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns whether the analysis in use has read the page log to its end.
pub(crate) fn is_analysed(dir: &Path) -> bool {
    let place = Collection::open(dir).unwrap();
    let generation = place.generation().unwrap();
    let summary = generation.and_then(|found| graph::read_summary(&place.graph(found)).ok());
    let log = summary.map(|summary| base::pages::Reader::open(&place.pages(), summary.up_to));
    log.is_some_and(|log| log.unwrap().next_entry().unwrap().is_none())
}

/// Waits until something is so; nothing here takes nearly as long as is waited.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Asserts an exit code, showing what was said if it is another one.
#[track_caller]
pub(crate) fn expect(output: &Output, code: i32) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "stdout:\n{out}\nstderr:\n{err}");
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Waits until a process says where it serves; returns that, and what it says from then on.
pub(crate) fn served_at(child: &mut Child) -> (String, BufReader<ChildStderr>) {
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("search page: http://") {
        line.clear();
        assert!(told.read_line(&mut line).unwrap() > 0, "the server has ended");
    }
    let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/').to_owned();
    (address, told)
}

/// A server on the collection; ends when this is dropped.
pub(crate) struct Served {
    child: Child,
    address: String,
}

impl Served {
    pub(crate) fn start(dir: &Path) -> Self {
        Self::from(lookfar(dir, &["serve", "--port", "0"]))
    }

    /// Starts a command that serves, among other things.
    pub(crate) fn from(command: Command) -> Self {
        Self::heard(command).0
    }

    /// The same, with what it says from then on.
    pub(crate) fn heard(mut command: Command) -> (Self, BufReader<ChildStderr>) {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (address, told) = served_at(&mut child);
        (Self { child, address }, told)
    }

    /// Returns the process.
    pub(crate) fn child(&self) -> &Child {
        &self.child
    }

    /// Returns where it serves: `127.0.0.1:1234`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Waits until it has ended.
    pub(crate) fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }
}

impl Served {
    /// Asks as a page of the server itself does, with the fields of a form.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let (address, length) = (self.address(), body.len());
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
