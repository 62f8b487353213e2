//! A small made-up collection, imported and served by the real program, and a browser before it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};

use serde_json::json;
use tempfile::TempDir;

use crate::chromium::{self, Browser};
use crate::hostile;
use crate::tab::Tab;

/// What all tests share; it ends with the last of them that uses it.
pub(crate) struct World {
    browser: Browser,
    server: Child,
    address: String,
    _folder: TempDir,
}

static WORLD: Mutex<Weak<World>> = Mutex::new(Weak::new());

impl World {
    /// Returns the world, making it if there is none; `None` if there is no browser.
    pub(crate) fn get() -> Option<Arc<Self>> {
        let Some(program) = chromium::program() else {
            chromium::skip("Chromium");
            return None;
        };
        // A test that failed while it made the world leaves it as it was: not there.
        let mut world = WORLD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(there) = world.upgrade() {
            return Some(there);
        }
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("collection");
        import(&dir, &folder.path().join("pages.jsonl"));
        let (server, address) = serve(&dir);
        let browser = Browser::start(&program);
        let made = Arc::new(Self { browser, server, address, _folder: folder });
        *world = Arc::downgrade(&made);
        Some(made)
    }

    /// Returns where the server is: `127.0.0.1:1234`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Opens a tab in which nothing has happened yet.
    pub(crate) fn tab(&self) -> Tab<'_> {
        self.tab_at(&self.address)
    }

    /// Opens one for the pages of another server.
    pub(crate) fn tab_at(&self, address: &str) -> Tab<'_> {
        Tab::open(&self.browser, address)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

pub(crate) fn lookfar(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookfar"));
    command.arg("--dir").arg(dir).args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn import(dir: &Path, file: &Path) {
    let lines: Vec<String> = pages().chain(hostile::pages()).collect();
    std::fs::write(file, lines.join("\n")).unwrap();
    let run = |arguments: &[&str]| {
        let output = lookfar(dir, arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["import", "jsonl", file.to_str().unwrap(), "--url", "http://a.example/"]);
    // And a file that is no HTML.
    let folder = file.with_file_name("files");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("jaguar.txt"), JAGUAR_IN_PLAIN_TEXT).unwrap();
    run(&["import", "folder", folder.to_str().unwrap(), "--url", "http://ledger.example/"]);
}

const JAGUAR_IN_PLAIN_TEXT: &str = "Ledger of the keepers\n\nTuesday: the onca was fed twice, \
    slept by day and walked along the fence all night. The onca likes fish.\n";

fn serve(dir: &Path) -> (Child, String) {
    begin(lookfar(dir, &["serve", "--port", "0", "--json"]))
}

/// Starts a command that serves and says where, in JSON.
pub(crate) fn begin(mut command: Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let url = told["search_page"].as_str().unwrap();
    (child, url.trim_start_matches("http://").trim_end_matches('/').to_owned())
}

/// Returns a line to import: a page of HTML at an address.
pub(crate) fn page(url: &str, language: &str, title: &str, body: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let html = format!(
        "<!doctype html><html lang={language}><head><meta charset=utf-8><title>{title}</title>\
         </head><body><main><h1>{title}</h1>{body}</main></body></html>"
    );
    json!({ "id": url, "url": url, "html": html }).to_string()
}

/// A museum of lamps with a dozen rooms.
fn rooms() -> impl Iterator<Item = String> {
    (1..=14).map(|room| {
        let body = format!(
            "<p>Room {room} of the museum shows lantern number {room}. The lantern was lit every \
             evening by the keeper of the harbour, who wrote {room} letters about it.</p>\
             <p>Visitors of room {room} like its {} best.</p>\
             <p><a href=/rooms/{}>The next room</a></p>",
            ["glass", "brass", "wick", "handle", "flame", "shade", "hook"][room % 7],
            room + 1
        );
        let url = format!("http://museum.example/rooms/{room}");
        page(&url, "en", &format!("Room {room}: a lantern of the harbour"), &body)
    })
}

/// Pages of two countries.
fn abroad() -> [String; 2] {
    [
        page(
            "http://www.lygter.dk/",
            "da",
            "Lygter fra Danmark",
            "<p>Vi sælger gamle lygter og nye lygter fra hele landet. Hver lygte er pudset.</p>\
             <p>Find os i Nykøbing Mors.</p>",
        ),
        page(
            "http://www.laternen.de/",
            "de",
            "Laternen aus Deutschland",
            "<p>Wir verkaufen alte Laternen und neue Laternen. Jede Laterne ist geputzt.</p>",
        ),
    ]
}

/// The museum, and pages of others, some in letters that run the other way.
fn pages() -> impl Iterator<Item = String> {
    let others = [
        page(
            "http://museum.example/",
            "en",
            "The museum of lamps",
            "<p>Welcome to the museum. Every lantern has a <a href=/rooms/1>room</a>.</p>",
        ),
        page(
            "http://zoo.example/cats/jaguar",
            "en",
            "The jaguar",
            "<p>The jaguar, or onca, is a large cat of the new world. It swims well and hunts by \
             night, and its coat is marked with rosettes.</p>\
             <img src=/pictures/jaguar.jpg alt='A jaguar swims' width=640 height=480>",
        ),
        page(
            "http://cars.example/jaguar",
            "en",
            "The jaguar, a motor car",
            "<p>This motor car has six cylinders and a long bonnet. People who like cars call it \
             elegant.</p><img src=jaguar.png alt='A jaguar on the road'>",
        ),
        page(
            "http://lamps.example/harbour",
            "en",
            "A lantern of the harbour, and who lit it",
            "<p>The keeper of the harbour lit a lantern every evening. The lantern is in a museum \
             now, and people come from far to see it.</p>",
        ),
        page(
            "http://lamps.example/ar",
            "ar",
            "متحف المصابيح",
            "<p>يعرض المتحف مصباحا قديما من الميناء. كان الحارس يشعل المصباح كل مساء.</p>",
        ),
        page(
            "http://lamps.example/da",
            "da",
            "Museet for lygter",
            "<p>Museet viser en gammel lygte fra havnen. Lygten blev tændt hver aften.</p>",
        ),
        page(
            "http://lamps.example/ja",
            "ja",
            "ランプの博物館",
            "<p>博物館には港の古いランタンが展示されています。ランタンは毎晩灯されました。</p>",
        ),
    ];
    rooms().chain(others).chain(abroad())
}
