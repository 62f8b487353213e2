//! The control room before a crawl that runs: live numbers, buttons, pictures, logs.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use base::Collection;
use tempfile::TempDir;
use testweb::{Answer, Running, Script, Web};

use crate::hostile::{PAYLOADS, escaped};
use crate::tab::Tab;
use crate::world::{World, begin, lookfar};

/// Every page of the room, and those for site owners.
pub(crate) const ROOMS: &[&str] = &[
    "/admin",
    "/admin?of=day",
    "/admin/hosts",
    "/admin/host?name=big.lookfar",
    "/admin/why",
    "/admin/why?url=http://big.lookfar/1",
    "/admin/settings",
    "/admin/graph",
    "/admin/logs",
    "/admin/nothing",
    "/about-crawler",
    "/about-crawler/host?host=big.lookfar",
    OWNED,
];

/// The report of a host that is proved to belong to who has this key.
const OWNED: &str = "/about-crawler/host?host=small.lookfar&key=00112233445566778899aabbccddeeff";
/// The robots.txt that proves it, with the line that the page asks whoever has the key for.
const PROOF: &str = "# lookfar-verify: 0877207fbbac067feb34087c95b78c21\n";

/// A crawl that takes some minutes, and its server; ends with the last test that uses it.
pub(crate) struct Crawl {
    web: Running,
    child: Child,
    address: String,
    _folder: TempDir,
}

static CRAWL: Mutex<Weak<Crawl>> = Mutex::new(Weak::new());

impl Crawl {
    pub(crate) fn get() -> Arc<Self> {
        let mut crawl = CRAWL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(there) = crawl.upgrade() {
            return there;
        }
        let small = site("small.lookfar", 30)
            .answer("/robots.txt", Answer::ok("text/plain", PROOF))
            .answer("/lantern.png", Answer::ok("image/png", PNG));
        let web = Web::new()
            .site(site("big.lookfar", 900))
            .site(small)
            .site(Script::new("shut.lookfar").answer("/robots.txt", no_robots()))
            .start()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        configure(&dir, &web);
        let seeds = ["http://big.lookfar/", "http://small.lookfar/", "http://shut.lookfar/"];
        let mut command = lookfar(&dir, &["up", "--port", "0", "--json"]);
        let (child, address) = begin({
            command.args(seeds);
            command
        });
        let made = Arc::new(Self { web, child, address, _folder: folder });
        *crawl = Arc::downgrade(&made);
        made
    }

    pub(crate) fn tab<'a>(&self, world: &'a World) -> Tab<'a> {
        world.tab_at(&self.address)
    }
}

/// Opens the report of a host, once the crawl has read in its robots.txt whose it is, and a page.
#[track_caller]
pub(crate) fn open_report(tab: &Tab<'_>) {
    let begun = std::time::Instant::now();
    while {
        tab.goto(OWNED);
        !tab.text_of("main").contains("fetched, 200")
    } {
        assert!(begun.elapsed() < crate::chromium::PATIENCE, "{}", tab.text_of("main"));
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One pixel.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\rIDATx\xdac\xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";

fn no_robots() -> Answer {
    Answer::status(503, "text/plain", "come back later")
}

fn site(host: &str, pages: usize) -> Script {
    let links: String = (1..=pages).map(|n| format!("<a href=/{n}>page {n}</a> ")).collect();
    let picture = "<img src=/lantern.png alt='A lantern of the harbour'>";
    // Somebody who means no good calls a page so, links to it so, and has it at such a path.
    let bad = escaped(&PAYLOADS[..2].join(" "));
    let start = format!(
        "<title>{host} {bad}</title>{picture}{links}<a href=/nowhere>nowhere</a>\
         <a href=\"/bad/'{bad}\">{bad}</a>"
    );
    (1..=pages).fold(Script::new(host).page("/", &start), |site, n| {
        let words = "words of its own ".repeat(n % 60);
        let body = format!(
            "<title>Page {n}</title><p>Page number {n} of {host}, with {words}.</p>\
             <a href=/>home</a> <a href=/{}>next</a>",
            n + 1
        );
        site.page(&format!("/{n}"), &body)
    })
}

fn configure(dir: &Path, web: &Running) {
    let collection = Collection::open_or_create(dir).unwrap();
    let (dns, port) = (web.dns_addr, web.http_port);
    let config = format!(
        "[index]\nanalyse_every = \"2s\"\n[crawl]\nscope = [\"lookfar\"]\ndelay = \"150ms\"\n\
         grants = true\ncontact = \"owner@example.org\"\naddresses = \"loopback\"\n\
         dns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\n"
    );
    std::fs::write(collection.config(), config).unwrap();
}

#[test]
fn numbers_and_charts_renew_themselves() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    tab.goto("/admin");
    let pages = "Number(document.querySelector('[data-fact=pages]').textContent.replace(/,/g, ''))";
    let before = tab.eval(pages).as_f64().unwrap();
    tab.until(&format!("{pages} > {before} + 3"));
    // Each chart is a line of some length that ends at the right edge.
    for chart in [
        "pages", "bytes", "errors", "waiting", "ready", "resting", "fresh", "copies", "memory",
        "disk",
    ] {
        tab.until(&format!(
            "(document.querySelector('[data-chart={chart}] path').getAttribute('d') || '')\
             .split('L').length > 2"
        ));
    }
    for table in ["outcomes", "kinds", "sizes", "reasons", "queues"] {
        tab.until(&format!("document.querySelectorAll('[data-bars={table}] tr').length > 0"));
    }
    let wide = "document.querySelector('[data-bars=outcomes] rect').getBoundingClientRect().width";
    assert!(tab.eval(wide).as_f64().unwrap() > 20.0, "the longest bar can be seen");
    assert!(tab.requests().iter().any(|url| url.ends_with("/admin/events")));
    tab.is_quiet();
}

#[test]
fn a_host_is_paused_slowed_and_let_go_with_buttons() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    for has_scripts in [true, false] {
        let tab = crawl.tab(&world);
        if !has_scripts {
            tab.without_scripts();
        }
        tab.goto("/admin/hosts?find=small");
        assert_eq!(tab.count("tbody tr"), 1, "{}", tab.text_of("main"));
        tab.follow(|tab| tab.click("tbody button"));
        assert!(tab.text_of("main").contains("small.lookfar holds from now on: paused"));
        tab.follow(|tab| tab.click("main a"));
        assert_eq!(tab.text("location.pathname"), "/admin/hosts");
        assert_eq!(tab.text_of("tbody button"), "Go on");
        tab.follow(|tab| tab.click("tbody th a"));
        assert_eq!(tab.text("location.pathname"), "/admin/host");
        assert_eq!(tab.eval("document.querySelector('[name=paused]').checked"), true);
        tab.click("[name=paused]");
        tab.click("[name=delay]");
        tab.write("2.5");
        tab.click("[name=pages]");
        tab.write("500");
        tab.follow(|tab| tab.click("form.card button"));
        let told = tab.text_of("main");
        assert!(told.contains("delay=2500ms") && told.contains("pages=500"), "{told}");
        tab.goto("/admin/host?name=small.lookfar");
        assert_eq!(tab.text("document.querySelector('[name=delay]').value"), "2.5");
        tab.eval(
            "document.querySelectorAll('[name=delay], [name=pages]').forEach(e => e.value = ''); 1",
        );
        tab.follow(|tab| tab.click("form.card button"));
        assert!(tab.text_of("main").contains("treated like all others"));
        tab.is_quiet();
    }
}

#[test]
fn a_row_of_the_table_opens_and_changes_what_holds_for_its_host() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    for has_scripts in [true, false] {
        let tab = crawl.tab(&world);
        if !has_scripts {
            tab.without_scripts();
        }
        let back = |tab: &Tab<'_>| {
            tab.follow(|tab| tab.click("main a"));
            let path = tab.text("location.pathname + location.search");
            assert_eq!(path, "/admin/hosts?find=shut&sort=waiting&skip=0");
        };
        let rules =
            |tab: &Tab<'_>| tab.text("document.querySelector('tbody tr').cells[5].innerText");
        let open = |tab: &Tab<'_>| {
            tab.click(".rules summary");
            tab.until("document.querySelector('.rules').open");
        };
        tab.goto("/admin/hosts?find=shut");
        assert_eq!(tab.count("tbody tr"), 1, "{}", tab.text_of("main"));
        assert_eq!(tab.eval("document.querySelector('.rules').open"), false);
        tab.follow(|tab| tab.click("tbody button"));
        back(&tab);
        // Saved without a word of the pause, which stays.
        open(&tab);
        tab.click(".rules [name=delay]");
        tab.write("2.5");
        tab.click(".rules [name=pages]");
        tab.write("40");
        tab.follow(|tab| tab.click(".rules button"));
        assert!(tab.text_of("main").contains("paused delay=2500ms pages=40"));
        back(&tab);
        assert_eq!(rules(&tab), "paused, 2.5 s, 40 responses");
        // Who types another name forgets nothing.
        open(&tab);
        tab.click(".rules [name=again]");
        tab.write("big.lookfar");
        tab.follow(|tab| tab.click(".rules .danger"));
        assert!(tab.text_of("main").contains("nothing was forgotten"));
        tab.goto("/admin/hosts?find=shut");
        open(&tab);
        assert_eq!(tab.text("document.querySelector('.rules [name=delay]').value"), "2.5");
        tab.eval(
            "document.querySelectorAll('.rules [name=delay], .rules [name=pages]')\
             .forEach(e => e.value = ''); 1",
        );
        tab.follow(|tab| tab.click(".rules button"));
        back(&tab);
        assert_eq!(rules(&tab), "paused");
        tab.follow(|tab| tab.click("tbody button"));
        assert!(tab.text_of("main").contains("treated like all others"));
        tab.is_quiet();
    }
}

#[test]
fn the_crawl_is_paused_and_goes_on() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let (tab, watched) = (crawl.tab(&world), crawl.tab(&world));
    // Where somebody else looks on, words and button never say two things, at no moment.
    watched.goto("/admin");
    watched.eval(CONTRADICTIONS);
    tab.goto("/admin");
    tab.follow(|tab| tab.click("button[value=pause]"));
    tab.goto("/admin");
    let is_paused = "document.getElementById('state').textContent == 'The crawl is paused.'";
    tab.until(is_paused);
    watched.until(is_paused);
    let paused = (tab.count("button[value=resume]"), watched.count("button[value=resume]"));
    tab.follow(|tab| tab.click("button[value=resume]"));
    assert_eq!(paused, (1, 1));
    let before = crawl.web.log().count("big.lookfar");
    tab.goto("/admin");
    let is_running = "document.getElementById('state').textContent == 'The crawl runs.'";
    tab.until(is_running);
    watched.until(is_running);
    assert_eq!(watched.count("button[value=pause]"), 1);
    assert_eq!(watched.text("window.contradictions.join()"), "");
    watched.is_quiet();
    let begun = std::time::Instant::now();
    while crawl.web.log().count("big.lookfar") <= before {
        assert!(begun.elapsed().as_secs() < 60, "it does not go on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    tab.is_quiet();
}

/// Notes each moment at which the page says that the crawl is paused and offers to pause it, or the
/// other way round.
const CONTRADICTIONS: &str = "
    window.contradictions = [];
    new MutationObserver(() => {
        const words = document.getElementById('state').textContent;
        const offers = document.querySelector('#crawl button[name=action]')?.value;
        const isPaused = words == 'The crawl is paused.';
        if (words.startsWith('The crawl') && isPaused != (offers == 'resume'))
            window.contradictions.push(words + ' ' + offers);
    }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
    1";

/// A server of an empty collection; ends when this is dropped.
struct Idle {
    child: Child,
    address: String,
    _folder: TempDir,
}

impl Idle {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Collection::open_or_create(folder.path()).unwrap();
        let (child, address) = begin(lookfar(folder.path(), &["serve", "--port", "0", "--json"]));
        Self { child, address, _folder: folder }
    }

    /// Listens to the numbers, as long as what is returned lives.
    fn listen(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET /admin/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let (mut reader, mut line) = (BufReader::new(stream), String::new());
        reader.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
        reader
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_page_that_is_sent_no_numbers_says_to_load_it_again() {
    let Some(world) = World::get() else { return };
    let idle = Idle::start();
    let says =
        |words: &str| format!("document.getElementById('state').textContent.includes('{words}')");
    let [first, late] = [(); 2].map(|()| world.tab_at(&idle.address));
    first.goto("/admin");
    first.until_asked(&format!("http://{}/admin/events", idle.address));
    // With the page, as many as may listen.
    let listeners: Vec<_> = (0..15).map(|_| idle.listen()).collect();
    late.goto("/admin");
    late.until(&says("load the page again"));
    // A server that is gone may come back.
    drop((listeners, idle));
    first.until(&says("trying again"));
    assert_eq!(first.count(".live"), 0);
}

#[test]
fn web_25_pictures_are_shown_and_come_from_us() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    let shown = "document.querySelector('.shape img[src*=\"small.lookfar\"]')";
    let begun = std::time::Instant::now();
    loop {
        tab.goto("/pictures?q=lantern");
        // The page may not be found yet, and its host may be resting.
        std::thread::sleep(std::time::Duration::from_millis(500));
        if tab.eval(&format!("({shown}?.naturalWidth ?? 0) > 0")) == true {
            break;
        }
        assert!(begun.elapsed() < crate::chromium::PATIENCE, "{}", tab.text_of("main"));
    }
    let source = tab.text(&format!("new URL({shown}.src).origin"));
    assert_eq!(source, tab.text("location.origin"), "no site learns who is looking");
    assert_eq!(
        crawl.web.log().paths("small.lookfar").iter().filter(|p| *p == "/lantern.png").count(),
        1
    );
}

#[test]
fn pictures_of_links_stories_seeds_and_logs_are_shown() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    tab.goto("/admin/graph");
    // The pictures come by themselves, and what somebody types meanwhile stays.
    let field = "document.querySelector('form.card input:not([type])')";
    tab.eval(&format!("{field}.value = 'typed'; 1"));
    tab.until("document.querySelectorAll('main img').length >= 2");
    assert_eq!(tab.text(&format!("{field}.value")), "typed");
    tab.goto("/admin/graph");
    tab.until(
        "[...document.querySelectorAll('main section > img')].every(e => e.naturalWidth > 100)",
    );
    let sources = tab.text("[...document.querySelectorAll('main img')].map(e => e.src).join()");
    for picture in ["bowtie.svg", "gathered.svg", "degrees.svg"] {
        assert!(sources.contains(picture), "{sources}");
    }
    let told = tab.text_of("main");
    for words in [".lookfar/", "Topics", "Link spam", "graph.spam", "PageRank"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    tab.goto("/admin/why");
    tab.click("[name=url]");
    tab.write("http://big.lookfar/");
    tab.follow(|tab| tab.press("Enter"));
    assert!(tab.text_of(".story").contains("200"), "{}", tab.text_of("main"));
    tab.goto("/admin/settings");
    assert!(tab.text_of("main").contains("http://shut.lookfar/"));
    tab.click("[name=urls]");
    tab.write("http://small.lookfar/1");
    tab.follow(|tab| tab.click("form.card button"));
    let told = tab.text_of("main");
    assert!(told.contains("queued") || told.contains("known already"), "{told}");
    tab.goto("/admin/settings");
    tab.follow(|tab| tab.click("button[value='http://small.lookfar/1']"));
    let told = tab.text_of("main");
    assert!(told.contains("http://small.lookfar/1 is no longer in seeds.txt"), "{told}");
    tab.goto("/admin/settings");
    assert_eq!((tab.count(".addresses li"), tab.count("[value$='small.lookfar/1']")), (3, 0));
    tab.goto("/admin/logs");
    assert!(tab.count("tbody tr") > 0, "{}", tab.text_of("main"));
    tab.is_quiet();
}

#[test]
fn the_room_is_whole_on_a_phone_and_without_scripts() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    tab.without_scripts();
    for (width, height) in [(320, 640), (1280, 900)] {
        tab.size(width, height);
        for path in ROOMS {
            tab.goto(path);
            assert!(!tab.text_of("main h1").is_empty(), "{path}");
            tab.eval("document.querySelectorAll('details').forEach(e => e.open = true); 1");
            let wide = tab.eval("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= width.into(), "{path} is {wide} wide in a window of {width}");
        }
    }
    tab.goto("/admin");
    assert!(tab.count("[data-chart] path[d^=M]") >= 10, "charts are drawn by the server too");
    tab.is_quiet();
}

#[test]
fn owners_are_told_who_we_are_and_how_to_prove_who_they_are() {
    let Some(world) = World::get() else { return };
    let crawl = Crawl::get();
    let tab = crawl.tab(&world);
    tab.without_scripts();
    tab.goto("/about-crawler");
    let told = tab.text_of("main");
    for words in ["owner@example.org", "Disallow: /", "RFC 9309", "Retry-After"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    tab.click("[name=host]");
    tab.write("big.lookfar");
    tab.follow(|tab| tab.press("Enter"));
    assert!(tab.text_of("pre").starts_with("# lookfar-verify: "));
    tab.follow(|tab| tab.click("main a"));
    assert!(tab.text_of(".trouble").contains("We have not seen the line"));
    // Whose line is there sees what was fetched, and when.
    open_report(&tab);
    let times = tab.eval(
        "[...document.querySelectorAll('tbody tr')]\
         .filter(e => e.cells[1].textContent == 'fetched, 200')\
         .map(e => Date.now() - Date.parse(e.cells[2].textContent))",
    );
    let times = times.as_array().unwrap();
    assert!(!times.is_empty());
    for age in times {
        // Milliseconds, less than an hour of them; whole seconds are told.
        assert!((-1_000.0..3_600_000.0).contains(&age.as_f64().unwrap()), "{age}");
    }
    tab.is_quiet();
}
