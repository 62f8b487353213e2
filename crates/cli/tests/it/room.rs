//! The control room of a real crawl: every action, by what the crawled servers and the files say.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use testweb::{Answer, DnsAnswer, Running, Script, Web};

use crate::control::{is_done, is_held};
use crate::run::{Served, collection, expect, is_analysed, lookfar, output, text, wait_until};

/// A crawl of three hosts that serves its control room.
struct Room {
    web: Running,
    dir: PathBuf,
    served: Served,
    _folder: tempfile::TempDir,
}

/// A site with so many pages; `rules` is its robots.txt.
pub(crate) fn site(host: &str, pages: usize, rules: &str) -> Script {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>page {n}</a> ")).collect();
    let mut site = Script::new(host)
        .answer("/robots.txt", Answer::ok("text/plain", rules))
        .page("/", &format!("<title>{host}</title>{links}"));
    for n in 0..pages {
        let body = format!("<title>{n}</title><p>page number {n} of {host}, with words of its own");
        site = site.page(&format!("/{n}"), &body);
    }
    site
}

/// A site that nothing names, and that looks like no other.
fn another(number: usize) -> Script {
    let links: String = (0..LATER).map(|n| format!("<a href=/{number}/{n}>{n}</a> ")).collect();
    let site = Script::new(&format!("later{number}.lookfar")).page("/", &links);
    (0..LATER).fold(site, |site, n| {
        let words: String = (0..30).map(|word| format!("word{number}x{n}x{word} ")).collect();
        site.page(&format!("/{number}/{n}"), &format!("<title>{words:.12}</title><p>{words}"))
    })
}

const SEEDS: [&str; 3] = ["http://a.lookfar/", "http://b.lookfar/", "http://c.lookfar/"];

impl Room {
    /// Begins; `proof` stands in the robots.txt of the third host.
    fn start(more: &str, proof: &str) -> Self {
        Self::start_with(more, proof, Web::new())
    }

    /// The same on a web that has something already.
    fn start_with(more: &str, proof: &str, web: Web) -> Self {
        let proved = format!("# lookfar-verify: {proof}\nUser-agent: *\nDisallow: /7\n");
        let web = web
            .site(site("a.lookfar", 40, "User-agent: *\nAllow: /\n"))
            .site(site("b.lookfar", 200, "User-agent: *\nAllow: /\n"))
            .site(site("c.lookfar", 10, &proved))
            .site(site("d.lookfar", 2, "User-agent: *\nAllow: /\n"));
        let web = (0..6).map(another).fold(web, Web::site).start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        collection(&dir, &web, &format!("delay = \"60ms\"\ngrants = true\n{more}"));
        let mut arguments = vec!["up", "--port", "0"];
        arguments.extend(SEEDS);
        let served = Served::from(lookfar(&dir, &arguments));
        Self { web, dir, served, _folder: folder }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        self.served.ask(method, path, body)
    }

    fn get(&self, path: &str) -> String {
        self.ask("GET", path, "")
    }

    #[track_caller]
    fn order(&self, body: &str) -> String {
        let reply = self.ask("POST", "/admin/do", body);
        assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
        reply
    }

    fn count(&self, host: &str) -> usize {
        self.web.log().count(host)
    }

    /// Returns the pages that a host was asked for: neither what says which there are, nor the one
    /// by which a crawl sees what this host says of a page that is not there.
    fn pages(&self, host: &str) -> Vec<String> {
        let mut paths = self.web.log().paths(host);
        paths.retain(|path| !path.contains('.'));
        paths
    }

    #[track_caller]
    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        wait_until(what, || is_so(self));
    }

    /// Lets the crawl read another host, which it knows nothing of yet, from beginning to end. It
    /// has taken notice then of what it was told before, and others could have had several turns.
    #[track_caller]
    fn read_another(&self, number: usize) {
        let name = format!("later{number}.lookfar");
        let is_taken = |path: &str| {
            let told = self.order(&format!("action=seeds&urls=http://{name}/{path}"));
            told.contains("are queued")
        };
        // A crawl that has just begun may leave a seed to the next one.
        let mut tries = 0;
        wait_until("the crawl takes seeds", || {
            tries += 1;
            is_taken(&format!("try/{tries}"))
        });
        assert!(is_taken(""));
        let is_read =
            |pages: &[String]| (0..LATER).all(|n| pages.contains(&format!("/{number}/{n}")));
        self.wait_until("another host is read", |room| is_read(&room.pages(&name)));
    }

    /// Waits until a report tells of all pages of the third host; returns it.
    fn report_of_all(&self, path: &str) -> String {
        // Ten pages and the first one, but for the one that is forbidden.
        let is_whole = |report: &str| report.matches("<td>fetched, 200</td>").count() == 10;
        self.wait_until("the third host is read", |room| is_whole(&room.get(path)));
        self.get(path)
    }

    /// Asserts that nothing more goes to a host, while others are read; returns how many requests
    /// it has got. `others` are numbers of hosts that have not been read yet.
    #[track_caller]
    fn settled(&self, host: &str, others: [usize; 2]) -> usize {
        self.read_another(others[0]);
        let count = self.count(host);
        self.read_another(others[1]);
        assert_eq!(self.count(host), count, "{host} is still being read");
        count
    }
}

/// Pages of the hosts that are read while something else is not: as many that their rests add up to
/// some of the longest rest that a test gives to a host.
const LATER: usize = 12;

#[test]
fn hosts_are_paused_limited_and_blocked_from_the_control_room_and_after_a_restart() {
    let room = Room::start("", "x");
    room.wait_until("b is being read", |room| room.count("b.lookfar") > 4);
    let told = room.order("action=host&host=b.lookfar&paused=1");
    assert!(told.contains("For b.lookfar holds from now on: paused"), "{told}");
    let before = room.settled("b.lookfar", [0, 1]);
    assert!(before < 200, "it was done too soon");
    let table = room.get("/admin/hosts?find=b.look");
    assert!(table.contains("b.lookfar") && !table.contains("a.lookfar"), "{table}");
    assert!(table.contains("paused") && table.contains("Go on"), "{table}");
    let why = room.get("/admin/why?url=b.lookfar/199");
    assert!(why.starts_with("HTTP/1.1 200"), "{why}");
    let why = room.get("/admin/why?url=http://b.lookfar/199");
    assert!(why.contains("its rule") && why.contains("waits in front queue"), "{why}");
    assert!(fs::read_to_string(room.dir.join("hosts.txt")).unwrap().contains("b.lookfar paused\n"));

    // A longer rest and a small budget.
    let budget = room.pages("b.lookfar").len() + 6;
    let table = "/admin/hosts?find=b.look%26sort=waiting%26skip=0";
    let body = format!("action=host&host=b.lookfar&delay=0.25&pages={budget}&back={table}");
    let told = room.order(&body);
    let back = "<a href=\"/admin/hosts?find=b.look&#38;sort=waiting&#38;skip=0\">Back</a>";
    assert!(told.contains(back), "{told}");
    let table = room.get("/admin/hosts?find=b.look&sort=waiting&skip=0");
    assert!(table.contains(&format!("<td>0.25 s, {budget} responses</td>")), "{table}");
    room.wait_until("the budget is used", |room| room.pages("b.lookfar").len() > budget - 2);
    let used = room.settled("b.lookfar", [2, 3]);
    let pages = room.pages("b.lookfar");
    assert!(pages.len() <= budget, "{budget}: {pages:?}");
    assert!(room.get("/admin/host?name=b.lookfar").contains("its budget is used up"));

    // Nothing of a blocked host is asked for, however often it is named.
    room.order("action=host&host=d.lookfar&blocked=1");
    room.order("action=seeds&urls=http://d.lookfar/");
    room.read_another(4);
    assert_eq!(room.count("d.lookfar"), 0);

    // All of it outlives the process.
    expect(&output(&room.dir, &["stop"]), 0);
    let Room { web, dir, served, _folder } = room;
    drop(served);
    let served = Served::from(lookfar(&dir, &["up", "--port", "0"]));
    let room = Room { web, dir, served, _folder };
    room.read_another(5);
    assert_eq!((room.count("b.lookfar"), room.count("d.lookfar")), (used, 0));
    room.order("action=host&host=b.lookfar");
    room.wait_until("b goes on", |room| room.count("b.lookfar") > used + 3);
    let rows = room.get("/admin/hosts?sort=rules");
    assert!(rows.find("d.lookfar").unwrap() < rows.find("a.lookfar").unwrap(), "{rows}");
    // What it does, and its own rules.
    assert_eq!(rows.matches("<td>blocked</td>").count(), 2, "{rows}");
}

#[test]
fn the_whole_crawl_is_paused_and_pages_are_forgotten_from_the_control_room() {
    let room = Room::start("", "x");
    room.wait_until("a is being read", |room| room.count("a.lookfar") > 4);
    room.order("action=pause");
    room.wait_until("nothing is under way", |room| is_held(&room.dir));
    let before = room.count("b.lookfar");
    room.wait_until("the page says so", |room| room.get("/admin").contains("The crawl is paused"));
    let status = text(&output(&room.dir, &["status"]).stdout);
    assert!(status.contains("paused"), "{status}");
    let reply = room.order("action=forget&target=a.lookfar&again=a.lookfar");
    assert!(reply.contains("a.lookfar is forgotten"), "{reply}");
    assert!(fs::read_to_string(room.dir.join("blocked.txt")).unwrap().contains("a.lookfar\n"));
    let story = room.get("/admin/why?url=http://a.lookfar/");
    assert!(story.contains("forgotten on request"), "{story}");
    let forgotten = room.count("a.lookfar");
    assert!(is_held(&room.dir));
    assert_eq!(room.count("b.lookfar"), before);
    room.order("action=resume");
    room.wait_until("it goes on", |room| room.count("b.lookfar") > before + 3);
    assert_eq!(room.count("a.lookfar"), forgotten);
    // What makes no sense is refused, and said.
    let odd = room.ask("POST", "/admin/do", "action=forget&target=*&again=*");
    assert!(odd.starts_with("HTTP/1.1 422") && odd.contains("Not done"), "{odd}");
}

#[test]
fn the_first_numbers_of_a_crawl_are_measured() {
    let room = Room::start("", "x");
    // The overview waits for the first ones.
    let page = room.get("/admin");
    assert!(page.contains("The crawl runs.") && page.contains("Pause the crawl"), "{page}");
    let told = room.get("/metrics");
    for name in ["memory_bytes", "disk_free_bytes", "disk_size_bytes", "collection_bytes"] {
        assert!(told.contains(&format!("\nlookfar_{name} ")), "{name}: {told}");
        assert!(!told.contains(&format!("\nlookfar_{name} 0\n")), "{name}: {told}");
    }
    // No chart begins with zeros that nobody has measured.
    let told = room.get("/admin/history");
    let (_, told) = told.split_once("\r\n\r\n").unwrap();
    let told: serde_json::Value = serde_json::from_str(told).unwrap();
    for name in ["memory", "disk"] {
        let series = told["series"].as_array().unwrap();
        let line = series.iter().find(|line| line["name"] == name).unwrap();
        assert!(line["values"][0].as_f64().unwrap() > 0.0, "{name}: {line}");
    }
}

#[test]
fn seeds_and_scope_are_changed_and_numbers_pictures_and_logs_are_shown() {
    let room = Room::start("", "x");
    room.wait_until("it crawls", |room| room.count("a.lookfar") > 0);
    let reply =
        room.order("action=seeds&urls=http%3A%2F%2Fd.lookfar%2F%0D%0Ahttp%3A%2F%2Fa.lookfar%2F");
    assert!(reply.contains("1 pages to begin at are queued"), "{reply}");
    room.wait_until("d is read", |room| room.count("d.lookfar") >= 4);
    assert!(
        fs::read_to_string(room.dir.join("seeds.txt")).unwrap().ends_with("http://d.lookfar/\n")
    );

    let reply =
        room.order("action=set&set.crawl.depth=7&set.crawl.exclude=%5B%22*%2Fprint%2F*%22%5D");
    assert!(reply.contains("The crawl goes by it at once"), "{reply}");
    let config = fs::read_to_string(room.dir.join("lookfar.toml")).unwrap();
    assert!(
        config.contains("depth = 7") && config.contains("exclude = [\"*/print/*\"]"),
        "{config}"
    );
    let refused = room.ask("POST", "/admin/do", "action=set&set.crawl.depth=%22deep%22");
    assert!(refused.starts_with("HTTP/1.1 422"), "{refused}");
    assert_eq!(fs::read_to_string(room.dir.join("lookfar.toml")).unwrap(), config);
    let page = room.get("/admin/settings");
    assert!(page.contains("http://d.lookfar/") && page.contains("value=\"7\""), "{page}");

    room.wait_until("pages are counted", |room| {
        let page = room.get("/admin");
        page.contains(">200</th>") && page.contains(">HTML</th>")
    });
    let drawn = |room: &Room| room.get("/admin/graph").contains("/admin/graph/bowtie.svg");
    room.wait_until("the graph is drawn", drawn);
    let graph = room.get("/admin/graph");
    assert!(graph.contains("PageRank") && graph.contains(".lookfar/"), "{graph}");
    assert!(room.get("/admin/graph/bowtie.svg").contains("<svg"));
    let logs = room.get("/admin/logs");
    assert!(logs.contains("b.lookfar") && logs.contains("127."), "{logs}");

    // A process that only serves shows the same room, over the socket of the one that crawls.
    let beside = Room { served: Served::start(&room.dir), ..room };
    let table = beside.get("/admin/hosts?sort=name");
    assert!(table.contains("a.lookfar") && table.contains("d.lookfar"), "{table}");
    assert!(beside.order("action=host&host=c.lookfar&delay=1").contains("delay=1000ms"));
}

#[test]
fn the_log_of_grants_is_switched_while_the_crawl_runs_and_stays_so_after_a_restart() {
    let room = Room::start("", "x");
    let path = room.dir.join("grants.log");
    let lines = || fs::read_to_string(&path).unwrap_or_default().lines().count();
    room.wait_until("grants are noted", |_| lines() > 3);
    assert!(room.get("/admin/logs").contains("Keep no log of grants"));
    let told = room.order("action=grants&on=0");
    assert!(told.contains("no longer noted, also after a restart"), "{told}");
    let (noted, asked) = (lines(), room.count("b.lookfar"));
    room.wait_until("b is read on", |room| room.count("b.lookfar") > asked + 5);
    assert_eq!(lines(), noted);
    let page = room.get("/admin/logs");
    assert!(page.contains("Keep a log of grants") && page.contains("b.lookfar"), "{page}");
    let config = || fs::read_to_string(room.dir.join("lookfar.toml")).unwrap();
    assert!(config().contains("grants = false"), "{}", config());

    // From a process that only serves, over the socket.
    let beside = Served::start(&room.dir);
    assert!(beside.ask("GET", "/admin/logs", "").contains("They are not written down"));
    let told = beside.ask("POST", "/admin/do", "action=grants&on=1");
    assert!(told.contains("noted in grants.log from now on"), "{told}");
    room.wait_until("grants are noted again", |_| lines() > noted + 2);
    assert!(beside.ask("GET", "/admin/logs", "").contains("They are written to grants.log"));
    assert!(config().contains("grants = true"), "{}", config());
    // What cannot be done is told, and not kept.
    beside.ask("POST", "/admin/do", "action=grants&on=0");
    fs::rename(&path, room.dir.join("aside")).unwrap();
    fs::create_dir(&path).unwrap();
    let refused = beside.ask("POST", "/admin/do", "action=grants&on=1");
    assert!(refused.starts_with("HTTP/1.1 422") && refused.contains("grants.log"), "{refused}");
    assert!(config().contains("grants = false"), "{}", config());
    fs::remove_dir(&path).unwrap();

    // While nobody crawls it is for the next crawl.
    expect(&output(&room.dir, &["stop"]), 0);
    let told = beside.ask("POST", "/admin/do", "action=grants&on=1");
    assert!(told.contains("The next crawl notes its requests"), "{told}");
    assert_eq!(lines(), 0);
    drop(beside);
    let Room { web, dir, served, _folder } = room;
    drop(served);
    let served = Served::from(lookfar(&dir, &["up", "--port", "0"]));
    let room = Room { web, dir, served, _folder };
    room.wait_until("the next crawl notes grants", |_| lines() > 0);
    assert!(room.get("/admin/logs").contains("They are written to grants.log"));
}

#[test]
fn settings_hold_at_once_while_the_crawl_runs() {
    let web = Web::new()
        .site(site("a.lookfar", 3, "").page("/print/1", "<p>for the printer"))
        .site(site("d.lookfar", 12, ""))
        .start()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    collection(&dir, &web, "delay = \"60ms\"");
    let config = fs::read_to_string(dir.join("lookfar.toml")).unwrap();
    fs::write(dir.join("lookfar.toml"), config.replace("[\"lookfar\"]", "\"sites\"")).unwrap();
    let served = Served::from(lookfar(&dir, &["up", "--port", "0", "http://a.lookfar/"]));
    let room = Room { web, dir, served, _folder: folder };
    room.wait_until("a is read", |room| room.count("a.lookfar") >= 5);
    // A new seed brings its site.
    let reply = room.order("action=set&set.crawl.pages_per_host=5&set.rank.quality=0.25");
    let told = "Results go by it at once. The crawl goes by it at once;";
    assert!(reply.contains(told), "{reply}");
    room.order("action=seeds&urls=http://d.lookfar/");
    // Its robots.txt and five of its twelve pages; one of the five may be the page that a crawl
    // asks for to see what a missing one looks like.
    room.wait_until("d is read", |room| room.count("d.lookfar") >= 6);
    room.wait_until("nothing is left to do", |room| is_done(&room.dir));
    let pages = room.pages("d.lookfar").len();
    assert!((4..=5).contains(&pages), "{pages}: {:?}", room.web.log().paths("d.lookfar"));
    // Links are analysed anew though no page has come.
    let generation = |room: &Room| {
        let page = room.get("/api/v1/status");
        let (_, rest) = page.split_once("\"generation\":").unwrap();
        rest.split([',', '}']).next().unwrap().parse::<u64>().unwrap()
    };
    room.wait_until("links are analysed", |room| is_analysed(&room.dir));
    let before = generation(&room);
    let reply = room.order("action=set&set.graph.spam=false");
    assert!(reply.contains("The links are analysed anew."), "{reply}");
    room.wait_until("there is a new generation", |room| generation(room) > before);
}

#[test]
fn owners_see_their_host_once_its_robots_txt_proves_it_and_nobody_is_asked_for_that() {
    // The line of a key that is nobody's but ours.
    let key = "00112233445566778899aabbccddeeff";
    let probe = Room::start("contact = \"me@example.org\"", "x");
    let about = probe.get("/about-crawler");
    assert!(about.contains("mailto:me@example.org") && about.contains("lookfar/"), "{about}");
    let path = format!("/about-crawler/host?host=c.lookfar&key={key}");
    let page = probe.get(&path);
    let line = page.split("lookfar-verify: ").nth(1).unwrap()[..32].to_owned();
    drop(probe);
    let room = Room::start("", &line);
    let report = room.report_of_all(&path);
    let before = room.count("c.lookfar");
    assert!(report.contains("forbidden by robots.txt"), "{report}");
    assert!(report.contains("http://c.lookfar/7") && report.contains("fetched, 200"), "{report}");
    let (_, rest) = report.split_once("<td>fetched, 200</td><td>").unwrap();
    let (at, _) = rest.split_once("</td>").unwrap();
    assert!(base::Timestamp::parse_rfc3339(at).is_some(), "{at} is no time");
    assert!(!report.contains("a.lookfar"), "{report}");
    // Any one of its addresses; by its path alone too, of a host that has no https.
    for (asked, told) in [("/3", "status 200"), ("/7", "robots.txt forbade it")] {
        for begin in ["http://c.lookfar", ""] {
            let page = room.get(&format!("{path}&url={begin}{asked}"));
            let (_, story) = page.split_once("<dt>standing</dt><dd>").unwrap();
            assert!(story.split("</dd>").next().unwrap().contains(told), "{page}");
            assert!(page.contains(&format!("<bdi>http://c.lookfar{asked}</bdi></h2>")), "{page}");
            assert!(!page.contains("warc.gz"), "{page}");
        }
    }
    let page = room.get(&format!("{path}&url=/none"));
    assert!(page.contains("<bdi>https://c.lookfar/none</bdi></h2>"), "{page}");
    assert!(page.contains("never seen"), "{page}");
    for other in ["a.lookfar", "none.lookfar"] {
        let page = room.get(&format!("/about-crawler/host?host={other}&key={key}"));
        assert!(page.contains("We have not seen the line"), "{page}");
    }
    assert_eq!(room.count("c.lookfar"), before, "a report costs the host nothing");
    assert_eq!(room.count("none.lookfar"), 0);
}

#[test]
fn owners_see_their_host_once_the_dns_proves_it_and_the_host_is_not_asked() {
    let key = "ffeeddccbbaa99887766554433221100";
    let probe = Room::start("", "x");
    let path = format!("/about-crawler/host?host=c.lookfar&key={key}");
    let page = probe.get(&path);
    // What people copy into their zone, as the page writes it.
    let record =
        page.split("_lookfar.c.lookfar. IN TXT \"").nth(1).unwrap_or_else(|| panic!("{page}"));
    let text = record.split('"').next().unwrap().to_owned();
    drop(probe);
    let texts = DnsAnswer::texts(&["v=spf1 -all", &text]);
    let room = Room::start_with("", "x", Web::new().dns("_lookfar.c.lookfar", texts));
    let report = room.report_of_all(&path);
    let before = room.count("c.lookfar");
    assert!(report.contains("http://c.lookfar/3") && report.contains("fetched, 200"), "{report}");
    // Another key, and another host with this one, prove nothing.
    for (host, key) in [("c.lookfar", "00112233445566778899aabbccddeeff"), ("a.lookfar", key)] {
        let page = room.get(&format!("/about-crawler/host?host={host}&key={key}"));
        assert!(page.contains("We have not seen the line"), "{page}");
    }
    // However often the page is opened, the name server is asked once.
    for _ in 0..3 {
        room.get(&path);
    }
    assert_eq!(room.web.dns().num_lookups("_lookfar.c.lookfar"), 1);
    assert_eq!(room.count("c.lookfar"), before, "and the host never");
}

#[test]
fn web_28_the_token_opens_the_room_and_stands_nowhere() {
    let web = Web::new().site(site("a.lookfar", 2, "")).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let collection = collection(folder.path(), &web, "");
    let config = fs::read_to_string(collection.config()).unwrap();
    fs::write(collection.config(), format!("{config}\n[serve]\nadmin_token_file = \"token\"\n"))
        .unwrap();
    let failed = output(folder.path(), &["serve", "--port", "0"]);
    expect(&failed, 2);
    let token = "a-token-that-nobody-guesses";
    fs::write(folder.path().join("token"), token).unwrap();
    let served = Served::from(lookfar(folder.path(), &["-vvv", "serve", "--port", "0"]));
    let closed = served.get("/admin");
    assert!(closed.starts_with("HTTP/1.1 401") && !closed.contains(token), "{closed}");
    let mut stream = TcpStream::connect(served.address()).unwrap();
    let head = format!(
        "GET /admin/logs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("answered"), "{reply}");
    assert!(!reply.contains(token), "{reply}");
}
