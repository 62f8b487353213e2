//! One visitor: opens addresses, types and clicks, and sees what the page does.

use std::cell::RefCell;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use serde_json::{Value, json};

use crate::chromium::{Browser, PATIENCE};

/// A tab with cookies and a cache of its own; closed when it is dropped.
pub(crate) struct Tab<'a> {
    browser: &'a Browser,
    context: String,
    session: String,
    /// Begins every address of ours: `http://127.0.0.1:1234`.
    origin: String,
    events: Receiver<Value>,
    seen: RefCell<Seen>,
}

/// What the page did so far.
#[derive(Default)]
struct Seen {
    num_loads: usize,
    /// What must not happen: dialogs, errors, exceptions.
    faults: Vec<String>,
    /// Everything that was asked for.
    requests: Vec<String>,
    /// Bytes that came over the wire.
    num_bytes: f64,
}

impl<'a> Tab<'a> {
    /// Opens a tab for the pages of a server at `address`.
    pub(crate) fn open(browser: &'a Browser, address: &str) -> Self {
        let context = browser.call(None, "Target.createBrowserContext", json!({}));
        let context = text(&context["browserContextId"]);
        let params = json!({ "url": "about:blank", "browserContextId": context });
        let target = text(&browser.call(None, "Target.createTarget", params)["targetId"]);
        let params = json!({ "targetId": target, "flatten": true });
        let session = text(&browser.call(None, "Target.attachToTarget", params)["sessionId"]);
        let events = browser.events(&session);
        let origin = format!("http://{address}");
        let tab = Self { browser, context, session, origin, events, seen: RefCell::default() };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        // Tests run side by side in one browser, and only one tab has its focus.
        tab.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        tab.size(1280, 900);
        tab
    }

    /// Calls a method of the protocol.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// Opens a path of ours and waits until it is loaded.
    #[track_caller]
    pub(crate) fn goto(&self, path: &str) {
        let before = self.num_loads();
        let url = format!("{}{path}", self.origin);
        let answer = self.call("Page.navigate", json!({ "url": url }));
        assert!(answer.get("errorText").is_none(), "{url}: {answer}");
        self.wait_for_load(before);
    }

    /// Does something that leads to another page, and waits until that is loaded.
    #[track_caller]
    pub(crate) fn follow(&self, lead: impl FnOnce(&Self)) {
        let before = self.num_loads();
        lead(self);
        self.wait_for_load(before);
    }

    #[track_caller]
    fn wait_for_load(&self, before: usize) {
        let until = Instant::now() + PATIENCE;
        while self.num_loads() == before {
            let left = until.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left).expect("the page does not load");
            self.note(&event);
        }
    }

    fn num_loads(&self) -> usize {
        self.drain();
        self.seen.borrow().num_loads
    }

    /// Returns the value of an expression in the page.
    #[track_caller]
    pub(crate) fn eval(&self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Returns the text of an expression's value.
    #[track_caller]
    pub(crate) fn text(&self, expression: &str) -> String {
        text(&self.eval(expression))
    }

    /// Returns the text that people see of the first element.
    #[track_caller]
    pub(crate) fn text_of(&self, selector: &str) -> String {
        self.text(&format!("document.querySelector({}).innerText", json!(selector)))
    }

    /// Returns how many elements there are.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> u64 {
        let counted = self.eval(&format!("document.querySelectorAll({}).length", json!(selector)));
        counted.as_u64().unwrap()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        let begun = Instant::now();
        while self.eval(&format!("!!({expression})")) != true {
            assert!(begun.elapsed() < PATIENCE, "never: {expression}");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }

    /// Clicks into the middle of the first element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2] }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Types text where the focus is.
    #[track_caller]
    pub(crate) fn write(&self, written: &str) {
        // A field that is to have the focus from the start gets it with the first picture of the
        // page, which may come after it was loaded; what is written before that is lost.
        self.until("['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName)");
        self.call("Input.insertText", json!({ "text": written }));
    }

    /// Presses and lets go of a key: `Enter`, `ArrowDown`, `/`, `j`.
    #[track_caller]
    pub(crate) fn press(&self, key: &str) {
        let (code, number, typed) = match key {
            "Enter" => ("Enter", 13, "\r"),
            "Tab" => ("Tab", 9, ""),
            "Escape" => ("Escape", 27, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "/" => ("Slash", 191, "/"),
            "j" => ("KeyJ", 74, "j"),
            "k" => ("KeyK", 75, "k"),
            other => panic!("no key {other} is known"),
        };
        let params = |kind: &str| {
            let mut params = json!({
                "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number,
            });
            if kind == "keyDown" && !typed.is_empty() {
                params["text"] = typed.into();
            }
            params
        };
        self.call("Input.dispatchKeyEvent", params("keyDown"));
        self.call("Input.dispatchKeyEvent", params("keyUp"));
    }

    /// Gives the window a size; below 600 it is that of a phone.
    pub(crate) fn size(&self, width: u32, height: u32) {
        let params = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// Lets the visitor like the light or the dark.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Switches the scripts of pages off.
    pub(crate) fn without_scripts(&self) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    }

    /// Lets the visitor read this language.
    pub(crate) fn speak(&self, language: &str) {
        let headers = json!({ "Accept-Language": language });
        self.call("Network.setExtraHTTPHeaders", json!({ "headers": headers }));
    }

    /// Returns a picture of the window as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        base64(text(&answer["data"]).as_bytes())
    }

    /// Asserts that nothing went wrong so far and nothing was asked of anybody else.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        self.drain();
        let seen = self.seen.borrow();
        assert!(seen.faults.is_empty(), "{:?}", seen.faults);
        let ours = format!("{}/", self.origin);
        let foreign: Vec<&String> =
            seen.requests.iter().filter(|url| !url.starts_with(&ours)).collect();
        assert!(foreign.is_empty(), "asked of others: {foreign:?}");
        assert!(!seen.requests.is_empty(), "nothing was asked of us either");
    }

    /// Waits until an address is asked for, of us or of others.
    #[track_caller]
    pub(crate) fn until_asked(&self, url: &str) {
        let begun = Instant::now();
        while !self.requests().iter().any(|asked| asked == url) {
            assert!(begun.elapsed() < PATIENCE, "never asked for: {url}");
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }

    /// Returns what was asked for.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.drain();
        self.seen.borrow().requests.clone()
    }

    /// Returns how many bytes came over the wire so far, heads included.
    pub(crate) fn num_bytes(&self) -> u64 {
        self.drain();
        self.seen.borrow().num_bytes as u64
    }

    fn drain(&self) {
        while let Ok(event) = self.events.try_recv() {
            self.note(&event);
        }
    }

    fn note(&self, event: &Value) {
        let mut seen = self.seen.borrow_mut();
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Page.loadEventFired" => seen.num_loads += 1,
            "Page.javascriptDialogOpening" => {
                seen.faults.push(format!("a dialog: {}", params["message"]));
            }
            "Runtime.exceptionThrown" => {
                seen.faults.push(format!("an exception: {}", params["exceptionDetails"]));
            }
            "Runtime.consoleAPICalled" if params["type"] == "error" => {
                seen.faults.push(format!("the console: {}", params["args"]));
            }
            // A page that says 404 is one that we asked for.
            "Log.entryAdded"
                if params["entry"]["level"] == "error"
                    && params["entry"]["source"] != "network" =>
            {
                seen.faults.push(format!("the log: {}", params["entry"]["text"]));
            }
            "Network.loadingFinished" => {
                seen.num_bytes += params["encodedDataLength"].as_f64().unwrap_or_default();
            }
            "Network.requestWillBeSent" => seen.requests.push(text(&params["request"]["url"])),
            _ => {}
        }
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let params = json!({ "browserContextId": self.context });
            self.browser.try_call(None, "Target.disposeBrowserContext", params);
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// Undoes base 64.
fn base64(text: &[u8]) -> Vec<u8> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for byte in text.iter().filter(|byte| **byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

#[test]
fn base_64_is_undone() {
    assert_eq!(base64(b"bG9va2Zhcg=="), b"lookfar");
    assert_eq!(base64(b"+/8="), [0xfb, 0xff]);
}
