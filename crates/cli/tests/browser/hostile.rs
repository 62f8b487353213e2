//! Titles, addresses, texts and queries of people who mean no good (WEB-01 to WEB-04, WEB-11).

use serde_json::{Value, json};

use crate::room::{Crawl, ROOMS, open_report};
use crate::tab::Tab;
use crate::world::{World, page};

/// What breaks out of a page that does not escape: of an element, an attribute, a script, an
/// address, a template.
pub(crate) const PAYLOADS: &[&str] = &[
    "\"><svg/onload=alert(1)>",
    "</title><script>alert(2)</script>",
    "' onfocus=alert(3) autofocus x='",
    "\" onmouseover=alert(4) style=position:fixed;inset:0 x=\"",
    "<img src=x onerror=alert(5)>",
    "<meta http-equiv=refresh content=\"0;url=http://evil.example/\">",
    "<base href=http://evil.example/>",
    "<iframe src=http://evil.example/></iframe>",
    "<link rel=stylesheet href=http://evil.example/x.css>",
    "<form action=http://evil.example/><input name=q>",
    "javascript:alert(6)",
    "&lt;script&gt;alert(7)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(8)&#62;",
    "{{constructor.constructor('alert(9)')()}} ${alert(10)}",
    "--></style></script><script>alert(11)</script>",
    "\u{202e}<script>alert(12)</script>\u{2066}",
    "data:text/html,<script>alert(14)</script>",
    "vbscript:msgbox(15)",
    "https://alert:16@evil.example/",
];

/// Addresses that nobody may be led to, as addresses of pages and of links; the last one is, but not
/// with the name and the password.
const ADDRESSES: &[&str] = &[
    "javascript:alert(30)",
    "JaVaScRiPt:alert(31)//http://osmium.example/",
    "data:text/html,<script>alert(32)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgzMyk8L3NjcmlwdD4=",
    "vbscript:msgbox(34)",
    "http://reader:secret@osmium.example/metals",
];

/// Characters of a step of an address that a result shows.
const STEP_CHARS: usize = 40;

/// What a page is called that links to all of them.
const HUB: &str = "Many links </title><script>alert(13)</script>";

/// Pages that say these things in their title, text, description and address; all of them have
/// the word `zirconium`.
pub(crate) fn pages() -> impl Iterator<Item = String> {
    let numbered = PAYLOADS.iter().enumerate().map(move |(number, payload)| {
        let url = address(number, payload);
        let body = format!(
            "<meta name=description content=\"zirconium {0}\"><meta name=author content=\"{0}\">\
             <p>Text number {number} about zirconium {0} and zirconium again.</p>\
             <img src=\"/z{number}.png\" alt=\"zirconium {0}\" width=300 height=200>",
            escaped(payload)
        );
        page(&url, "en", &format!("Zirconium {number} {payload}"), &body)
    });
    // Somebody links to all of them: a hub, by a name no better than theirs.
    let link = |(number, payload): (usize, &&str)| {
        format!("<li><a href=\"{}\">{}</a></li>", address(number, payload), escaped(payload))
    };
    let links: String = PAYLOADS.iter().enumerate().map(link).collect();
    let hub = page("http://hub.example/", "en", HUB, &format!("<ul>{links}</ul>"));
    // As it is, for the copy: what a browser would run.
    let html = format!(
        "<!doctype html><title>Raw palladium</title><body onload=alert(20)><p>Palladium: {}</p>\
         <a href='javascript:alert(21)'>here</a><script>alert(22)</script>",
        PAYLOADS.join(" ")
    );
    let raw = json!({ "id": 1, "url": "http://raw.example/palladium", "html": html }).to_string();
    numbered.chain([hub, raw]).chain(ADDRESSES.iter().map(|address| osmium(address)))
}

/// Returns a page at an address, with links to all such addresses.
fn osmium(address: &str) -> String {
    let link =
        |address: &&str| format!("<li><a href=\"{}\">osmium here</a></li>", escaped(address));
    let links: String = ADDRESSES.iter().map(link).collect();
    let title = format!("Osmium of {address}");
    page(address, "en", &title, &format!("<p>Osmium is a heavy metal.</p><ul>{links}</ul>"))
}

/// Returns the address of a page that says such a thing: as a step of the path, which a result shows
/// in its own letters, and as it is after the question mark.
fn address(number: usize, payload: &str) -> String {
    let (step, all) = (encoded(&step(payload)), encoded(payload));
    format!("http://hostile{number}.example/{step}/zirconium?x={all}")
}

/// Returns what can stand in the path and is shown decoded: nothing that parts or turns text.
fn step(payload: &str) -> String {
    shown(payload).replace(['/', ' '], "_")
}

/// Returns a text as pages show it: without controls that turn it around.
fn shown(payload: &str) -> String {
    payload.chars().filter(char::is_ascii).collect()
}

/// Returns text as it stands in HTML, in an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Asserts that everything in the page is as we write pages.
#[track_caller]
fn is_ours(tab: &Tab<'_>, what: &str) {
    let odd = tab.text(
        "[...document.querySelectorAll('*')].filter(e => \
           ['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'FRAME', 'STYLE'].includes(e.tagName) \
           || e.tagName == 'SCRIPT' && (e.textContent.trim() || !e.src.startsWith(location.origin)) \
           || e.tagName == 'META' && e.httpEquiv \
           || e.tagName == 'FORM' && new URL(e.getAttribute('action') || '', location).origin != location.origin \
           || e.tagName == 'LINK' && new URL(e.href).origin != location.origin \
           || e.tagName == 'A' && e.hasAttribute('href') && !['http:', 'https:'].includes(e.protocol) \
           || e.tagName == 'A' && (e.username || e.password) \
           || [...e.attributes].some(a => a.name.startsWith('on') || a.name == 'style') \
         ).map(e => e.outerHTML.slice(0, 200)).join('\\n')",
    );
    assert_eq!(odd, "", "{what}");
    tab.is_quiet();
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn web_01_no_query_becomes_markup_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    // One might undo another, so each has pages of its own where it is most at home.
    for payload in PAYLOADS {
        let query = encoded(payload);
        tab.goto(&format!("/search?q=lantern+OR+{query}&explain=1&count=3"));
        is_ours(&tab, payload);
        tab.goto(&format!("/search?q={query}"));
        is_ours(&tab, payload);
        // The box holds what was asked, letter by letter, but for what is cleaned away.
        let held = tab.text("document.querySelector('input[name=q]').value");
        assert_eq!(held.trim(), shown(payload).trim(), "{payload}");
    }
    for payloads in PAYLOADS.chunks(6) {
        let query = encoded(&payloads.join(" "));
        for path in [
            format!("/search?q={query}&offset=abc"),
            format!("/search?q=x&topic={query}&without={query}&order={query}"),
            format!("/cache?url={query}&q={query}"),
            format!("/cache?url=http://zoo.example/cats/jaguar&q={query}"),
            format!("/hubs?q={query}"),
            format!("/hubs?q=lantern+OR+{query}&lang=en"),
            format!("/{query}"),
        ] {
            tab.goto(&path);
            is_ours(&tab, &path);
        }
    }
}

/// Each alone: what does not fit is refused at the first of them.
#[test]
fn web_01_no_filter_and_no_preference_becomes_markup_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for payload in PAYLOADS {
        let text = encoded(payload);
        for path in [
            format!("/search?q=lantern&lang={text}"),
            format!("/search?q=lantern&type={text}"),
            format!("/search?q=lantern&country={text}"),
            format!("/search?q=lantern&time={text}"),
            format!("/search?q=lantern&site={text}"),
            format!("/preferences?prefer={text}&lower={text}&town={text}&languages={text}"),
        ] {
            tab.goto(&path);
            is_ours(&tab, &path);
        }
        // And as a file that is pasted.
        tab.goto("/preferences");
        let file = json!(format!("prefer {payload}\ntown {payload}\ntopics {payload}\n{payload}"));
        tab.eval(&format!("document.getElementById('text').value = {file}; 1"));
        tab.follow(|tab| tab.click("form[action='/preferences/import'] button"));
        assert!(tab.count(".said code") > 0, "{payload}: {}", tab.text_of("main"));
        is_ours(&tab, payload);
    }
}

/// The elements of a feed.
const FEED: &[&str] = &[
    "rss",
    "channel",
    "title",
    "link",
    "description",
    "opensearch:totalResults",
    "opensearch:startIndex",
    "opensearch:itemsPerPage",
    "item",
    "guid",
    "pubDate",
];

/// Browsers have no reader of feeds, but they can tell what one is made of.
#[test]
fn web_01_and_02_a_feed_holds_only_its_own_elements_to_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/");
    let parsed = |query: &str| {
        format!(
            "fetch('/search.rss?q={query}').then(reply => reply.text())\
             .then(text => new DOMParser().parseFromString(text, 'text/xml'))"
        )
    };
    // Where it is not well formed, there is a `parsererror`.
    let foreign = |query: &str| {
        let elements = format!(
            "{}.then(feed => [...feed.querySelectorAll('*')].map(e => e.tagName)\
             .filter(name => !{}.includes(name)).join())",
            parsed(query),
            json!(FEED)
        );
        tab.text(&elements)
    };
    for payload in PAYLOADS {
        assert_eq!(foreign(&encoded(payload)), "", "{payload}");
    }
    let all = "zirconium&folded=0&count=100";
    assert_eq!(foreign(all), "");
    let titles = tab.text(&format!(
        "{}.then(feed => [...feed.querySelectorAll('item > title')]\
         .map(e => e.textContent).join('\\n'))",
        parsed(all)
    ));
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let title = format!("Zirconium {number} {}", shown(payload));
        assert!(titles.lines().any(|line| line == title), "{title} is not among {titles}");
    }
    tab.is_quiet();
}

/// Queries of the query language's hostile list, as people would paste them.
const ODD: &[&str] = &[
    "",
    " ",
    "!?.,;",
    "🦇🦇",
    "the of and",
    "\"open",
    "(lantern",
    "lantern)",
    "AND OR NOT",
    "- *",
    ":",
    "a:",
    ":a",
    "^",
    "~",
    "lantern^1e309",
    "lantern^-1",
    "lantern^NaN",
    "lantern^0",
    "^0",
    "lan*",
    "*tern",
    "*",
    "?",
    "l?ntern",
    "lantern~99",
    "a~",
    "lantern~",
    "_all:lantern",
    "a.b:lantern",
    "[* TO *]",
    "/(.*a){2000}/",
    "site:",
    "site:*",
    "site:*.example lantern",
    "site:*.*.* lantern",
    "site:localhost lantern",
    "site:127.0.0.1 lantern",
    "site:[::1] lantern",
    "site:169.254.169.254 lantern",
    "lang:",
    "lang:xx",
    "filetype:",
    "filetype:*",
    "filetype:../pdf",
    "before:",
    "country:",
    "related:",
    "link:",
    "before:9999-99-99",
    "\u{202e}nretnal",
    "lan\u{200b}tern",
    "l\u{0301}antern",
    "ｌａｎｔｅｒｎ",
    "lantern\0jaguar",
    "lantern\r\nSet-Cookie: a=b",
    "{{7*7}}",
    "%00",
    "../../etc/passwd",
];

#[test]
fn qry_01_and_05_and_16_odd_queries_are_a_page_like_any_other() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for query in ODD {
        let path = format!("/search?q={}", encoded(query));
        tab.goto(&path);
        is_ours(&tab, query);
        assert_eq!(tab.count("main"), 1, "{query}");
    }
    // Within the limit of a query, and beyond all reason for a site, a language, a type, a day.
    for field in ["site", "host", "lang", "filetype", "before", "after", "country", "related"] {
        let value = "9".repeat(1_000);
        tab.goto(&format!("/search?q=lantern+{field}:{value}"));
        is_ours(&tab, field);
        assert_eq!(tab.count("main"), 1, "{field}");
    }
    for name in ["site", "lang", "type", "before", "after", "country", "time"] {
        tab.goto(&format!("/search?q=lantern&{name}={}", "9".repeat(5_000)));
        is_ours(&tab, name);
        assert_eq!(tab.count("main"), 1, "{name}");
    }
    for (query, what) in
        [("(".repeat(2_000), "deep"), ("a ".repeat(500), "many"), ("x".repeat(5_000), "long")]
    {
        tab.goto(&format!("/search?q={}", encoded(&query)));
        assert!(!tab.text_of("main h1").is_empty(), "{what}");
        is_ours(&tab, what);
    }
    assert_eq!(tab.text("document.cookie"), "");
}

#[test]
fn web_02_and_03_and_04_no_page_found_becomes_markup_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    // Each page is looked at, ten at a time.
    let mut hits = Vec::new();
    for offset in (0..).step_by(10) {
        let path = format!("/search?q=zirconium&folded=0&offset={offset}");
        tab.goto(&path);
        is_ours(&tab, &path);
        let found = tab.eval(
            "[...document.querySelectorAll('.hit')].map(e => \
             ['h2 a > bdi', 'p', 'cite'].map(part => e.querySelector(part).innerText))",
        );
        let found = found.as_array().unwrap();
        if found.is_empty() {
            break;
        }
        hits.extend(found.clone());
    }
    assert_eq!(hits.len(), PAYLOADS.len(), "{hits:?}");
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let host = format!("hostile{number}.example");
        let is_its = |hit: &&Value| hit[2].as_str().unwrap().starts_with(&host);
        let hit = hits.iter().find(is_its).unwrap_or_else(|| panic!("no {host}: {hits:?}"));
        let text = |part: usize| hit[part].as_str().unwrap();
        let payload = shown(payload);
        assert_eq!(text(0), format!("Zirconium {number} {payload}"));
        assert!(text(1).contains(&payload), "{payload} is not shown as it is: {hit}");
        let step: String = step(&payload).chars().take(STEP_CHARS).collect();
        assert!(text(2).contains(&step), "{step} is not shown as it is: {hit}");
    }
    for path in [
        "/search?q=zirconium&explain=1",
        "/search?q=zirconium+script&folded=0",
        "/search?q=%22text+number%22",
    ] {
        tab.goto(path);
        assert!(tab.count(".hit") > 0, "{path}");
        is_ours(&tab, path);
    }
    let mouse = json!({ "type": "mouseMoved", "x": 300, "y": 300 });
    tab.call("Input.dispatchMouseEvent", mouse);
    tab.is_quiet();
}

/// Whatever address a page or a link claims to have.
#[test]
fn web_03_results_lead_to_no_script_no_data_and_carry_no_password() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for path in ["/search?q=osmium&folded=0", "/search?q=%22osmium+here%22", "/hubs?q=osmium"] {
        tab.goto(path);
        is_ours(&tab, path);
    }
    tab.goto("/search?q=osmium&folded=0");
    let links = "[...document.querySelectorAll('.hit h2 a')].map(e => e.href).join()";
    assert_eq!(tab.text(links), "http://osmium.example/metals");
    assert_eq!(tab.text_of(".hit h2 a > bdi"), format!("Osmium of {}", ADDRESSES[5]));
    tab.follow(|tab| tab.click(".facts a[href^='/cache?']"));
    assert!(tab.text_of("main").contains("Osmium is a heavy metal."), "{}", tab.text_of("main"));
    is_ours(&tab, "the copy");
    for address in ADDRESSES {
        tab.goto(&format!("/search?q=osmium+OR+{}", encoded(&format!("related:{address}"))));
        is_ours(&tab, address);
        tab.goto(&format!("/cache?url={}&q=osmium", encoded(address)));
        is_ours(&tab, address);
    }
}

/// What was added around the results: pictures, hubs, another spelling, related searches.
#[test]
fn web_02_nothing_that_helps_becomes_markup_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/pictures?q=zirconium");
    let pictures =
        tab.eval("[...document.querySelectorAll('.pictures li')].map(e => e.textContent)");
    let pictures = pictures.as_array().unwrap();
    assert_eq!(pictures.len(), PAYLOADS.len(), "{pictures:?}");
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let payload = shown(payload);
        // What it shows, and what its page is called.
        let both = [format!("zirconium {payload}"), format!("Zirconium {number} {payload}")];
        let has_both = |told: &Value| both.iter().all(|text| told.as_str().unwrap().contains(text));
        assert!(pictures.iter().any(has_both), "{both:?} are not among {pictures:?}");
    }
    is_ours(&tab, "pictures");
    tab.goto("/hubs?q=zirconium");
    let told = tab.text("document.querySelector('.hubs').textContent");
    assert!(told.contains(HUB), "{HUB} is not among {told}");
    assert!(told.contains("Zirconium "), "none of those that it links to is among {told}");
    is_ours(&tab, "hubs");
    for payload in PAYLOADS {
        let query = encoded(payload);
        for path in [
            format!("/pictures?q={query}"),
            format!("/search?q=zirconiom+{query}"),
            format!("/search?q=zirconium&site=zoo.example&ui={query}"),
        ] {
            tab.goto(&path);
            is_ours(&tab, &path);
        }
    }
}

/// Titles are suggested that are short and hold no address: these.
#[test]
fn web_02_no_suggestion_becomes_markup_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    for number in [0, 4, 14, 15] {
        let typed = &format!("zirconium {number}");
        tab.goto("/");
        tab.write(typed);
        tab.until("document.querySelectorAll('#suggestions li').length > 0");
        let suggested = tab.text("document.getElementById('suggestions').textContent");
        let payload = shown(PAYLOADS[number]);
        assert!(payload.contains('<'), "{payload} would be harmless");
        assert!(suggested.contains(&payload), "{payload} is not among {suggested}");
        for _ in 0..8 {
            tab.press("ArrowDown");
        }
        is_ours(&tab, typed);
    }
}

/// The control room repeats what people type and what strangers call their hosts and pages.
#[test]
fn web_01_and_02_nothing_becomes_markup_in_the_control_room() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    for payload in PAYLOADS {
        let text = encoded(payload);
        for path in [
            format!("/admin/hosts?find={text}&sort={text}"),
            format!("/admin/host?name={text}"),
            format!("/admin/why?url=http://big.lookfar/{text}"),
            format!("/admin/why?url={text}"),
            format!("/about-crawler/host?host={text}&key={text}"),
        ] {
            tab.goto(&path);
            is_ours(&tab, &path);
        }
    }
    // What the crawl has met itself: a title, words of a link, a path.
    let begun = std::time::Instant::now();
    while {
        tab.goto("/search?q=svg+onload");
        tab.count(".hit") == 0
    } {
        assert!(begun.elapsed() < crate::chromium::PATIENCE, "{}", tab.text_of("main"));
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    assert!(tab.text_of(".hits").contains("<svg/onload=alert(1)>"), "{}", tab.text_of(".hits"));
    is_ours(&tab, "a title");
    for path in ROOMS.iter().filter(|path| path.starts_with("/admin")) {
        tab.goto(path);
        is_ours(&tab, path);
    }
    open_report(&tab);
    is_ours(&tab, "the report for a site owner");
    tab.goto("/admin/why");
    tab.click("[name=url]");
    tab.write(PAYLOADS[0]);
    tab.follow(|tab| tab.press("Enter"));
    assert_eq!(tab.text("document.querySelector('[name=url]').value"), PAYLOADS[0]);
    is_ours(&tab, "what was typed");
}

#[test]
fn web_11_a_copy_of_a_hostile_page_does_nothing_in_a_browser() {
    let Some(world) = World::get() else { return };
    let tab = world.tab();
    tab.goto("/cache?url=http://raw.example/palladium&q=palladium");
    assert!(tab.text_of("main").contains("Palladium"));
    is_ours(&tab, "the copy");
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let url = encoded(&address(number, payload));
        tab.goto(&format!("/cache?url={url}&q=zirconium"));
        assert!(tab.text_of("main").contains(&shown(payload)), "copy {number}");
        is_ours(&tab, &format!("copy {number}"));
    }
}
