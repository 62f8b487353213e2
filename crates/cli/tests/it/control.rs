//! A second terminal: pause, resume, stop, why, forget (C16, C18).

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use base::log::Position;
use base::pages;
use serde_json::Value;
use testweb::{Generated, GeneratedOptions, Mix, Running, Script, Web};

use crate::run::{collection, expect, is_analysed, output, start, status, text, wait_until};

/// A crawl of some hundred pages that is under way; killed when the test ends.
struct Crawl {
    web: Running,
    dir: PathBuf,
    child: Child,
    seed: String,
    _folder: tempfile::TempDir,
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Crawl {
    /// Begins a crawl in a folder below a temporary one, and waits for its first pages.
    fn start(name: &str) -> Self {
        let generated = Generated::new(GeneratedOptions {
            hosts: 4,
            pages: 1_000,
            mix: Mix { busy: 0, slow: 0, broken: 0, ..Mix::default() },
            ..GeneratedOptions::default()
        });
        let web = Web::new().sites(generated.sites()).start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join(name);
        collection(&dir, &web, "delay = \"50ms\"");
        let seed = generated.seed_url();
        let child = start(&dir, &["crawl", &seed]);
        let crawl = Self { web, dir, child, seed, _folder: folder };
        wait_until("it crawls", || crawl.status()["pages_fetched"].as_u64() > Some(3));
        crawl
    }

    fn requests(&self) -> usize {
        self.web.log().requests(testweb::Of::All).len()
    }

    fn status(&self) -> Value {
        status(&self.dir)
    }
}

/// Returns whether hosts could be visited and nothing is under way.
pub(crate) fn is_held(dir: &Path) -> bool {
    let status = status(dir);
    let number = |name: &str| status[name].as_u64().unwrap();
    number("in_flight") == 0 && number("hosts_ready") > 0
}

/// Returns whether nothing is under way and nothing waits.
pub(crate) fn is_done(dir: &Path) -> bool {
    let status = status(dir);
    status["in_flight"] == 0 && status["urls_waiting"] == 0
}

fn why(dir: &Path, url: &str) -> Value {
    let output = output(dir, &["why", "--json", url]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

#[test]
fn a_crawl_is_paused_resumed_and_stopped_from_a_second_terminal() {
    let mut crawl = Crawl::start("c");
    let socket = fs::metadata(crawl.dir.join("control.sock")).unwrap();
    assert!(socket.file_type().is_socket());
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);

    expect(&output(&crawl.dir, &["pause"]), 0);
    assert_eq!(crawl.status()["is_paused"], true);
    assert!(text(&output(&crawl.dir, &["status"]).stdout).contains("paused"));
    // Requests under way come to their end; hosts have rested, and none is visited.
    wait_until("nothing is under way", || is_held(&crawl.dir));
    let before = crawl.requests();
    expect(&output(&crawl.dir, &["pause"]), 0);

    // It still answers.
    let story = why(&crawl.dir, &crawl.seed);
    assert_eq!(story["standing"]["state"], "fetched");
    assert_eq!(story["discovered"]["is_seed"], true);
    assert!(is_held(&crawl.dir));
    assert_eq!(crawl.requests(), before, "a paused crawl sends nothing");

    expect(&output(&crawl.dir, &["resume"]), 0);
    assert_eq!(crawl.status()["is_paused"], false);
    wait_until("it goes on", || crawl.requests() > before + 5);

    expect(&output(&crawl.dir, &["stop"]), 0);
    wait_until("nobody listens any more", || !crawl.dir.join("control.sock").exists());
    assert_eq!(crawl.child.wait().unwrap().code(), Some(0));
    assert_eq!(crawl.status()["is_crawling"], false);
    expect(&output(&crawl.dir, &["check"]), 0);
    assert!(crawl.dir.join("archive/0000001.cdxj").exists(), "a clean end closes the file");
}

#[test]
fn without_a_crawl_there_is_nobody_to_pause() {
    let web = Web::new().site(Script::new("a.lookfar").page("/", "a")).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "");
    for command in ["pause", "resume", "stop"] {
        let output = output(folder.path(), &[command]);
        expect(&output, 1);
        assert!(text(&output.stderr).starts_with("no crawl runs in"), "{output:?}");
    }
    let missing = folder.path().join("none");
    for arguments in [&["pause"][..], &["stop"], &["why", "a.example"], &["forget", "a.example"]] {
        expect(&output(&missing, arguments), 2);
    }
}

#[test]
fn the_socket_of_a_killed_process_is_replaced() {
    let mut crawl = Crawl::start("c");
    crawl.child.kill().unwrap();
    crawl.child.wait().unwrap();
    assert!(crawl.dir.join("control.sock").exists());
    expect(&output(&crawl.dir, &["pause"]), 1);
    assert_eq!(why(&crawl.dir, &crawl.seed)["standing"]["state"], "fetched");
    crawl.child = start(&crawl.dir, &["crawl"]);
    wait_until("it listens", || output(&crawl.dir, &["pause"]).status.success());
    expect(&output(&crawl.dir, &["stop"]), 0);
    assert_eq!(crawl.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_folder_with_a_long_name_can_be_steered_too() {
    let mut crawl = Crawl::start(&["collection"; 18].join("-"));
    assert!(crawl.dir.as_os_str().len() > 150);
    expect(&output(&crawl.dir, &["pause"]), 0);
    assert_eq!(crawl.status()["is_paused"], true);
    expect(&output(&crawl.dir, &["stop"]), 0);
    assert_eq!(crawl.child.wait().unwrap().code(), Some(0));
    assert!(!crawl.dir.join("control.sock").exists());
}

#[test]
fn web_21_nonsense_on_the_socket_harms_nobody() {
    let crawl = Crawl::start("c");
    let connect = || UnixStream::connect(crawl.dir.join("control.sock")).unwrap();
    let mut lines = BufReader::new(connect());
    for request in ["pause", "{}", "{\"command\":\"why\",\"url\":\"ftp://x\"}", "\u{0}", ""] {
        lines.get_mut().write_all(format!("{request}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        lines.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["error"]["message"].is_string(), "{request}: {answer}");
    }
    // A line without end is not read to its end.
    let mut endless = connect();
    endless.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let junk = vec![b'x'; 64 * 1024];
    assert!((0..64).any(|_| endless.write_all(&junk).is_err()));
    // Many who say nothing leave room, for they are not many for ever: those who ask later wait.
    let silent: Vec<UnixStream> = (0..10).map(|_| connect()).collect();
    assert_eq!(crawl.status()["is_crawling"], true);
    expect(&output(&crawl.dir, &["pause"]), 0);
    drop(silent);
}

#[test]
fn why_tells_a_story_in_words() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<p>x"))
        .start()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, "delay = \"1ms\"");
    expect(&output(folder.path(), &["crawl", "--until-idle", "http://a.lookfar/"]), 0);
    let told = output(folder.path(), &["why", "http://A.lookfar/x#here"]);
    expect(&told, 0);
    let told = text(&told.stdout);
    for line in [
        "http://a.lookfar/x\n",
        "the fragment was dropped",
        "fetched 20",
        "on http://a.lookfar/, 1 links from a seed",
        "scope       lets it in",
        "so it is allowed",
        "a.lookfar: 2 URLs known, 0 waiting",
        "0000001.warc.gz, byte ",
    ] {
        assert!(told.contains(line), "{line} is missing in:\n{told}");
    }
    let unknown = output(folder.path(), &["why", "http://elsewhere.example/"]);
    expect(&unknown, 1);
    let told = text(&unknown.stdout);
    assert!(told.contains("never seen, and it would be left out"), "{told}");
    assert!(told.contains("leaves it out (out-of-reach)"), "{told}");
    expect(&output(folder.path(), &["why", "not a url"]), 2);
}

#[test]
fn why_tells_of_spam_and_of_what_visitors_do_not_see() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    let page = format!(
        "<title>Cheap pills</title><p>We have been selling things in our little shop for years.\
         <div style='position:absolute;left:-9999px'>{}</div>",
        "cheap pills, buy cheap pills, pills online, ".repeat(20)
    );
    fs::write(docs.join("shop.html"), page).unwrap();
    fs::write(docs.join("good.html"), "<p>Nothing is hidden here, as far as I know.").unwrap();
    fs::write(docs.join("empty.html"), "<script>x()</script>").unwrap();
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    let response = why(&dir, "http://a.example/shop.html")["response"].clone();
    let doubts = &response["doubts"];
    assert!(doubts["spam"].as_u64().unwrap() >= 40, "{response}");
    assert_eq!(doubts["reasons"][0]["kind"], "hidden-text", "{response}");
    assert!(doubts["hidden_percent"].as_u64().unwrap() > 80, "{response}");
    assert_eq!(doubts["hidden"][0]["reason"], "off-screen", "{response}");
    let told = output(&dir, &["why", "http://a.example/shop.html"]);
    let told = text(&told.stdout);
    for line in ["spam        ", "hidden-text ", "is not seen", "off-screen  `cheap pills, buy"] {
        assert!(told.contains(line), "{line} is missing in:\n{told}");
    }
    let good = output(&dir, &["why", "http://a.example/good.html"]);
    let good = text(&good.stdout);
    assert!(!good.contains("spam") && !good.contains("hidden "), "{good}");
    for (name, is_searchable) in [("shop", true), ("good", true), ("empty", false)] {
        let told = why(&dir, &format!("http://a.example/{name}.html"));
        assert_eq!(told["response"]["is_searchable"], is_searchable, "{name}");
    }
}

/// Returns all bytes of the archive, unpacked, and all records of the page log.
fn kept(dir: &Path) -> String {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(dir.join("archive")).unwrap() {
        let packed = fs::read(entry.unwrap().path()).unwrap();
        let _ = flate2::read::MultiGzDecoder::new(&*packed).read_to_end(&mut bytes);
        bytes.extend(packed);
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    let mut reader = pages::Reader::open(&dir.join("pages"), Position::START).unwrap();
    while let Some(entry) = reader.next_entry().unwrap() {
        text += &format!("{:?}", entry.record);
    }
    text
}

fn secrets() -> Running {
    Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/", "<title>hello</title><a href=/s>oleander</a> <a href=/t>t</a>")
                .page("/s", "<title>marzipan</title><p>a secret recipe")
                .page("/t", "<title>tangerine</title><p>no secret"),
        )
        .site(Script::new("b.lookfar").page("/", "<a href=http://a.lookfar/s>oleander</a>"))
        .start()
        .unwrap()
}

const SEEDS: [&str; 2] = ["http://a.lookfar/", "http://b.lookfar/"];

#[track_caller]
fn assert_gone(dir: &Path) {
    // By its own words, and by those of others.
    for word in ["marzipan", "oleander"] {
        let found = output(dir, &["search", "--json", word]);
        assert!(!text(&found.stdout).contains("a.lookfar/s\""), "{}", text(&found.stdout));
    }
    expect(&output(dir, &["search", "tangerine"]), 0);
    let kept = kept(dir);
    assert!(!kept.contains("marzipan") && kept.contains("tangerine"));
    expect(&output(dir, &["check"]), 0);
}

#[test]
fn a_forgotten_page_is_gone_and_does_not_come_back() {
    let web = secrets();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    collection(dir, &web, "delay = \"1ms\"");
    expect(&output(dir, &["crawl", "--until-idle", SEEDS[0], SEEDS[1]]), 0);
    expect(&output(dir, &["search", "marzipan"]), 0);
    assert!(kept(dir).contains("marzipan"));

    let said = output(dir, &["forget", "http://a.lookfar/s"]);
    expect(&said, 0);
    assert!(text(&said.stdout).starts_with("forgot 1 URLs: 1 responses"), "{said:?}");
    assert_gone(dir);
    assert_eq!(why(dir, "http://a.lookfar/s")["standing"]["state"], "forgotten");

    let before = web.log().count("a.lookfar");
    expect(&output(dir, &["crawl", "--until-idle", "http://a.lookfar/s"]), 0);
    assert_eq!(web.log().count("a.lookfar"), before);
    assert_gone(dir);
    expect(&output(dir, &["forget", "https://*/"]), 2);
}

#[test]
fn a_line_written_by_hand_is_obeyed_at_the_next_start() {
    let web = secrets();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    collection(dir, &web, "delay = \"1ms\"");
    expect(&output(dir, &["crawl", "--until-idle", SEEDS[0], SEEDS[1]]), 0);
    fs::write(dir.join("blocked.txt"), "# asked for by mail\nhttp://a.lookfar/s*\n").unwrap();
    expect(&output(dir, &["crawl", "--until-idle"]), 0);
    assert_gone(dir);
    fs::write(dir.join("blocked.txt"), "a.lookfar\nwhat is this\n").unwrap();
    let refused = output(dir, &["crawl", "--until-idle"]);
    expect(&refused, 2);
    assert!(text(&refused.stderr).contains("line 2 of `"), "{refused:?}");
}

#[test]
fn what_is_forgotten_while_a_crawl_runs_is_gone_at_once() {
    let web = secrets();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    collection(dir, &web, "delay = \"1ms\"");
    let mut child = start(dir, &["crawl", SEEDS[0], SEEDS[1]]);
    let is_found = || output(dir, &["search", "marzipan"]).status.success();
    wait_until("it is found", is_found);
    let said = output(dir, &["forget", "--json", "http://a.lookfar/s"]);
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said["target"], "http://a.lookfar/s");
    assert_eq!((&said["is_pending"], &said["captures"]), (&false.into(), &1.into()));
    assert_eq!(why(dir, "http://a.lookfar/s")["blocked"], "http://a.lookfar/s");
    assert!(!kept(dir).contains("marzipan"));
    wait_until("the index has read on", || !is_found());
    expect(&output(dir, &["stop"]), 0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_gone(dir);
}

/// Two sites name a page that robots.txt forbids: it is an answer by their words alone.
fn named_by_others() -> Running {
    let link = "<p>see <a href=http://c.lookfar/x>oleander</a>";
    let rules = testweb::Answer::ok("text/plain", "User-agent: *\nDisallow: /\n");
    Web::new()
        .site(Script::new("a.lookfar").page("/", &format!("<title>one</title>{link}")))
        .site(Script::new("b.lookfar").page("/", &format!("<title>two</title>{link} also")))
        .site(Script::new("c.lookfar").answer("/robots.txt", rules))
        .start()
        .unwrap()
}

fn is_found(dir: &Path) -> bool {
    text(&output(dir, &["search", "--json", "oleander"]).stdout).contains("http://c.lookfar/x")
}

#[test]
fn a_page_known_by_the_words_of_others_alone_is_forgotten_while_a_crawl_runs() {
    let web = named_by_others();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    collection(dir, &web, "delay = \"1ms\"");
    let mut child = start(dir, &["crawl", SEEDS[0], SEEDS[1]]);
    wait_until("it is found", || is_found(dir));
    // Nothing new comes that would make another generation.
    wait_until("all is fetched and analysed", || is_done(dir) && is_analysed(dir));
    expect(&output(dir, &["forget", "http://c.lookfar/x"]), 0);
    wait_until("it is no answer any more", || !is_found(dir));
    expect(&output(dir, &["stop"]), 0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_page_known_by_the_words_of_others_alone_is_forgotten_at_the_next_start() {
    let web = named_by_others();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    collection(dir, &web, "delay = \"1ms\"");
    expect(&output(dir, &["crawl", "--until-idle", SEEDS[0], SEEDS[1]]), 0);
    assert!(is_found(dir));
    fs::write(dir.join("blocked.txt"), "c.lookfar\n").unwrap();
    expect(&output(dir, &["crawl", "--until-idle"]), 0);
    assert!(!is_found(dir));
}
