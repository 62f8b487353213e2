//! Chromium without a window, steered over a pipe.
//!
//! The DevTools protocol is JSON objects, each ended by a zero byte, in on file descriptor 3 and
//! out on 4. A pipe needs no WebSocket library, no port and no race for one, and the browser ends
//! when the pipe is closed, whatever became of the test.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A running browser; ends when it is dropped.
pub(crate) struct Browser {
    child: Child,
    to: Mutex<Option<ChildStdin>>,
    posts: Arc<Posts>,
    next: AtomicU64,
    profile: TempDir,
}

/// Who waits for what.
#[derive(Default)]
struct Posts {
    answers: Mutex<HashMap<u64, Sender<Value>>>,
    /// Events of each tab.
    events: Mutex<HashMap<String, Sender<Value>>>,
}

/// Longest wait for anything: a machine may be busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Nothing but our own page is ever asked for, and no window, sound or service is needed.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--lang=en-US",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// Returns the browser's program, if there is one.
pub(crate) fn program() -> Option<PathBuf> {
    find_program("LOOKFAR_CHROMIUM", NAMES)
}

/// Returns the program that a variable names, or the first of these that the shell would find.
pub(crate) fn find_program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(variable) {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let places = || std::env::split_paths(&path);
    let at = |name: &&str| places().map(|folder| folder.join(name)).find(|path| path.is_file());
    names.iter().find_map(at)
}

/// Says that a program is missing; where every test must be run, that is a failure.
#[track_caller]
pub(crate) fn skip(name: &str) {
    assert!(std::env::var_os("CI").is_none(), "there is no {name}");
    println!("skipped: there is no {name}; `cargo xtask test` installs it");
}

impl Browser {
    /// Starts the program.
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The shell moves our ends of the pipes to where the browser looks for them.
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#]).arg(program);
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg("about:blank").env("HOME", profile.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let to = Mutex::new(child.stdin.take());
        let from = BufReader::new(child.stdout.take().unwrap());
        let posts = Arc::<Posts>::default();
        let reading = posts.clone();
        std::thread::spawn(move || read(from, &reading));
        Self { child, to, posts, next: AtomicU64::new(1), profile }
    }

    /// Calls a method of the browser, or of a tab, and returns what it answers.
    #[track_caller]
    pub(crate) fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let answer = self.try_call(session, method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Calls a method that may fail; the answer has `result` or `error`.
    #[track_caller]
    pub(crate) fn try_call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method });
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let (sender, receiver) = channel();
        self.posts.answers.lock().unwrap().insert(id, sender);
        {
            let mut to = self.to.lock().unwrap();
            let to = to.as_mut().expect("open until it is dropped");
            to.write_all(format!("{message}\0").as_bytes()).expect("the browser has ended");
            to.flush().unwrap();
        }
        match receiver.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(why) => panic!("no answer to {method}: {why}"),
        }
    }

    /// Returns the folder in which it keeps what it knows.
    pub(crate) fn profile(&self) -> &Path {
        self.profile.path()
    }

    /// Returns the events of a tab from now on.
    pub(crate) fn events(&self, session: &str) -> Receiver<Value> {
        let (sender, receiver) = channel();
        self.posts.events.lock().unwrap().insert(session.to_owned(), sender);
        receiver
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Closing the pipe ends it; one that hangs is killed.
        if let Ok(mut to) = self.to.lock() {
            to.take();
        }
        for _ in 0..100 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands answers to those who called and events to their tabs, until the browser ends.
fn read(mut from: impl BufRead, posts: &Posts) {
    let mut bytes = Vec::new();
    while from.read_until(0, &mut bytes).is_ok_and(|len| len > 0) {
        bytes.pop();
        if let Ok(message) = serde_json::from_slice::<Value>(&bytes) {
            deliver(message, posts);
        }
        bytes.clear();
    }
    // Who still waits hears that nothing will come.
    posts.answers.lock().unwrap().clear();
    posts.events.lock().unwrap().clear();
}

fn deliver(message: Value, posts: &Posts) {
    if let Some(id) = message["id"].as_u64() {
        let waiting = posts.answers.lock().unwrap().remove(&id);
        // Who has given up needs no answer.
        let _ = waiting.map(|waiting| waiting.send(message));
    } else if let Some(session) = message["sessionId"].as_str() {
        let tab = posts.events.lock().unwrap().get(session).cloned();
        let _ = tab.map(|tab| tab.send(message));
    }
}
