//! Firefox without a window, and whether it takes this search among its search engines.
//!
//! Marionette is what drivers of Firefox speak: JSON with its length before it, on a port of
//! loopback. Firefox chooses the port and writes it into its profile, so there is no race for one.
//!
//! ```text
//! length: decimal | ':' | [0, id, command, parameters]     to Firefox
//! length: decimal | ':' | [1, id, error or null, result]   from Firefox
//! ```

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::chromium::{PATIENCE, find_program, skip};
use crate::world::World;

const NAMES: &[&str] = &["firefox-esr", "firefox"];

/// All but loopback goes to a proxy that is not there and cannot be passed by: whatever the
/// browser would like to tell or to fetch, it stays on this machine.
const SETTINGS: &str = r#"
user_pref("marionette.port", 0);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 1);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 1);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 1);
user_pref("network.proxy.socks_remote_dns", true);
user_pref("network.proxy.no_proxies_on", "127.0.0.1");
user_pref("network.proxy.failover_direct", false);
user_pref("network.proxy.allow_bypass", false);
user_pref("network.dns.disabled", true);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.search.update", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("toolkit.telemetry.server", "");
"#;

/// Does what the address bar does: offers the engine of the page that is shown, and adds it.
///
/// The modules have moved between versions of Firefox; both places of each are tried.
const ADD_WHAT_IS_OFFERED: &str = r#"
const [done] = [...arguments].slice(-1);
const opened = ["moz-src:///browser/components/search/", "resource:///modules/"].map(folder => {
  try { return ChromeUtils.importESModule(folder + "OpenSearchManager.sys.mjs").OpenSearchManager }
  catch { return null }
}).find(module => module);
const engines = Services.search ?? ChromeUtils.importESModule(
  "moz-src:///toolkit/components/search/SearchService.sys.mjs").SearchService;
const front = Services.wm.getMostRecentWindow("navigator:browser");
(async () => {
  let offered = [];
  for (let i = 0; i < 500 && !offered.length; i++) {
    await new Promise(resolve => front.setTimeout(resolve, 100));
    offered = opened.getEngines(front.gBrowser.selectedBrowser) || [];
  }
  if (!offered.length) return { missing: "no engine is offered" };
  // Once it is added, it is no longer offered.
  const shown = offered.map(({ title, uri }) => [title, uri]);
  const engine = await engines.addOpenSearchEngine(offered[0].uri, offered[0].icon || "");
  const asked = type => engine.getSubmission("jaguar & cat", type)?.uri.spec;
  return {
    offered: shown,
    name: engine.name,
    search: asked(null),
    suggestions: asked("application/x-suggestions+json"),
    known: (await engines.getVisibleEngines()).map(engine => engine.name),
  };
})().then(done, why => done({ missing: String(why) }));
"#;

/// A running browser; ends when it is dropped.
struct Firefox {
    child: Child,
    wire: BufReader<TcpStream>,
    next: u64,
    _profile: TempDir,
}

impl Firefox {
    /// Starts the program and a session in it.
    fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        std::fs::write(profile.path().join("user.js"), SETTINGS).unwrap();
        let mut command = Command::new(program);
        command.args(["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]);
        command.arg("--profile").arg(profile.path()).env("HOME", profile.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stream = connect(&mut child, &profile.path().join("MarionetteActivePort"));
        stream.set_read_timeout(Some(2 * PATIENCE)).unwrap();
        let mut firefox = Self { child, wire: BufReader::new(stream), next: 1, _profile: profile };
        let greeting = firefox.read();
        assert_eq!(greeting["marionetteProtocol"], 3, "{greeting}");
        firefox.call("WebDriver:NewSession", json!({ "capabilities": {} }));
        firefox
    }

    /// Gives a command and returns what comes of it.
    #[track_caller]
    fn call(&mut self, command: &str, parameters: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let mut message = json!([0, id, command]);
        message.as_array_mut().unwrap().push(parameters);
        let text = message.to_string();
        write!(self.wire.get_mut(), "{}:{text}", text.len()).unwrap();
        let answer = self.read();
        assert_eq!((&answer[0], &answer[1]), (&json!(1), &json!(id)), "{command}: {answer}");
        assert!(answer[2].is_null(), "{command}: {answer}");
        answer[3].clone()
    }

    fn read(&mut self) -> Value {
        let mut length = Vec::new();
        self.wire.read_until(b':', &mut length).expect("an answer from Firefox");
        let length = String::from_utf8(length).unwrap();
        let length = length.trim_end_matches(':').parse().expect("the length of an answer");
        let mut bytes = vec![0; length];
        self.wire.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // Its profile goes with it, so nothing is lost by not asking first.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until Firefox says where it listens, and calls it there.
fn connect(child: &mut Child, file: &Path) -> TcpStream {
    let begun = Instant::now();
    loop {
        let port = std::fs::read_to_string(file).ok().and_then(|port| port.trim().parse().ok());
        let stream = port.and_then(|port: u16| TcpStream::connect(("127.0.0.1", port)).ok());
        if let Some(stream) = stream {
            return stream;
        }
        if let Some(status) = child.try_wait().unwrap() {
            panic!("Firefox does not start: {status}");
        }
        assert!(begun.elapsed() < 2 * PATIENCE, "Firefox does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn program() -> Option<PathBuf> {
    find_program("LOOKFAR_FIREFOX", NAMES)
}

#[test]
fn firefox_takes_this_search_among_its_search_engines() {
    let Some(program) = program() else {
        return skip("Firefox");
    };
    let Some(world) = World::get() else { return };
    let origin = format!("http://{}", world.address());
    let mut firefox = Firefox::start(&program);
    firefox.call("WebDriver:SetTimeouts", json!({ "script": 60_000 }));
    firefox.call("WebDriver:Navigate", json!({ "url": format!("{origin}/") }));
    firefox.call("Marionette:SetContext", json!({ "value": "chrome" }));
    let script = json!({ "script": ADD_WHAT_IS_OFFERED, "args": [] });
    let told = firefox.call("WebDriver:ExecuteAsyncScript", script)["value"].clone();
    assert!(told.get("missing").is_none(), "{told}");
    assert_eq!(told["offered"], json!([["Lookfar", format!("{origin}/opensearch.xml")]]));
    assert_eq!(told["name"], "Lookfar");
    assert_eq!(told["search"], format!("{origin}/search?q=jaguar+%26+cat"));
    assert_eq!(told["suggestions"], format!("{origin}/suggest?q=jaguar+%26+cat"));
    let known = told["known"].as_array().unwrap();
    assert!(known.contains(&"Lookfar".into()), "{told}");
}
