//! Copies of pages, and what results say besides their words.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use base::{PageId, Timestamp, Url};
use rank::{Hit, Likeness, LinkLikeness, Lookup, Part, Remark, SpamPart, SpamRole};
use serve::{CopyForm, CopyRequest, NoCopy, Options, PageCopy, State};

use crate::client::get;
use crate::server::{Server, found, hit, state};

/// What a page would do that was not made harmless: it must not work here either.
const HOSTILE: &str = "<p>words</p><script>document.title='ran';fetch('/ping')</script>\
    <img src=/ping onerror=\"document.title='ran'\"><iframe src=/ping></iframe>\
    <iframe srcdoc='<script>parent.document.title=1</script>'></iframe>\
    <svg onload=\"document.title='ran'\"><image href=/ping /></svg><object data=/ping></object>\
    <meta http-equiv=refresh content='0;url=/ping'><link rel=stylesheet href=//127.0.0.1/ping>\
    <style>@import '/ping';p{background:url(/ping)}</style><base href=/ping/>\
    <form action=/ping id=f><input autofocus onfocus=\"document.title='ran';f.submit()\"></form>\
    <video src=/ping autoplay></video><embed src=/ping><a id=a href=\"javascript:x\">x</a>";

fn copy(request: &CopyRequest) -> Result<PageCopy, NoCopy> {
    let Lookup::Url(url) = &request.page else { return Err(NoCopy::Unknown) };
    let html = match url.path() {
        "/forbidden" => return Err(NoCopy::Forbidden),
        "/gone" => return Err(NoCopy::Gone),
        "/hostile" => HOSTILE.to_owned(),
        _ => format!("<p>The <mark>{}</mark></p>", request.query),
    };
    Ok(PageCopy {
        url: url.clone(),
        title: "Cats <b>".to_owned(),
        fetched: Timestamp::from_millis(1_763_285_400_000),
        language: Some("ar".to_owned()),
        html,
        is_cut: url.path() == "/long",
        form: if url.path() == "/pdf" { CopyForm::Extracted } else { CopyForm::Page },
    })
}

fn with_copies(hits: Vec<Hit>) -> State {
    state(move |request| found(request, &hits), Options::default()).with_copies(Arc::new(copy))
}

#[test]
fn a_copy_says_what_it_is_and_is_served_inert() {
    let server = Server::start(with_copies(Vec::new()));
    let reply = get(server.address, "/cache?url=http%3A%2F%2Fa.example%2Fx&q=cat");
    assert_eq!(reply.status, 200);
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.ends_with("; sandbox") && policy.starts_with("default-src 'none';"));
    assert!(!["allow-", "script-src", "'self'"].iter().any(|part| policy.contains(part)));
    let again = get(server.address, "/cache?url=http%3A%2F%2Fa.example%2Fx&q=cat");
    assert_ne!(again.header("content-security-policy").unwrap(), policy, "never the same");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    assert!(reply.body.contains("<p>The <mark>cat</mark></p>"));
    assert!(reply.body.contains("<title>Cats &#60;b&#62; – copy"), "{}", reply.body);
    assert!(reply.body.contains("Fetched <time datetime=\"2025-11-16\">16 Nov 2025</time>"));
    assert!(reply.body.contains("<a href=\"http://a.example/x\" rel=\"noopener noreferrer\">"));
    assert!(reply.body.contains("<a href=\"/search?q=cat\">Back to the results"));
    assert!(reply.body.contains("dir=\"rtl\" lang=\"ar\""));
    assert!(!reply.body.contains("The page goes on"));
    let long = get(server.address, "/cache?url=http://a.example/long").body;
    assert!(long.contains("The page goes on") && !long.contains("Back to the results"));
    assert!(
        get(server.address, "/cache?url=http://a.example/pdf").body.contains("text of a document")
    );
}

#[test]
fn web_11_a_page_that_wants_no_copy_has_none_and_it_is_said_why() {
    let server = Server::start(with_copies(Vec::new()));
    for (path, status, why) in [
        ("/cache?url=http://a.example/forbidden", 404, "noarchive"),
        ("/cache?url=http://a.example/gone", 404, "cannot be read any more"),
        ("/cache?page=0:5", 404, "no copy of this page"),
        ("/cache", 400, "name one page"),
        ("/cache?url=javascript:alert(1)", 400, "name one page"),
    ] {
        let reply = get(server.address, path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.body.contains(why), "{path}: {}", reply.body);
    }
    // Without an archive there are no copies, and none are offered.
    let server = Server::with_hits(vec![hit("http://a.example/", "Cats", "a *cat*")]);
    assert_eq!(get(server.address, "/cache?url=http://a.example/x").status, 404);
    assert!(!get(server.address, "/search?q=cat").body.contains("/cache"));
}

#[test]
fn results_offer_copies_similar_pages_and_more_of_the_site() {
    let mut first = hit("http://www.zoo.example/a", "Cats", "a *cat*");
    first.similar = 3;
    first.held_back = 2;
    first.date = Some(Timestamp::from_millis(1_700_000_000_000));
    let mut described = hit("http://b.example/", "Lamps", "");
    described.page = None;
    described.described_by = Some(5);
    described.fetched = None;
    described.snippet.segments.clear();
    let server = Server::start(with_copies(vec![first, described]));
    let body = get(server.address, "/search?q=big+cat").body;
    for part in [
        "<a href=\"/cache?page=0:0&#38;q=big+cat\">Copy</a>",
        "<a href=\"?q=big+cat&#38;folded=0\">3 near copies</a>",
        "<a href=\"?q=big+cat&#38;site=zoo.example\">More from <bdi>zoo.example</bdi></a>",
        "<time datetime=\"2023-11-14\">14 Nov 2023</time>\n<time datetime=\"2025-11-16\">Fetched",
        "Not fetched yet: known by how 5 sites describe it",
    ] {
        assert!(body.contains(part), "{part}\n{body}");
    }
    assert_eq!(body.matches("/cache?").count(), 1, "none of what was never fetched");
    let grouped = get(server.address, "/search?q=cat+OR+dog").body;
    assert!(grouped.contains("?q=cat+OR+dog&#38;site=zoo.example\">More"));
    let chosen = get(server.address, "/search?q=cat&topic=news&without=spam").body;
    assert!(chosen.contains("&#38;topic=news:1&#38;without=spam&#38;site=zoo.example\">More from"));
    let unfolded = get(server.address, "/search?q=cat&folded=0").body;
    assert!(unfolded.contains("fold near copies"));
    let json = get(server.address, "/api/v1/search?q=cat").json();
    let (one, two) = (&json["hits"][0], &json["hits"][1]);
    assert_eq!((one["similar"].as_u64(), one["more_from_site"].as_u64()), (Some(3), Some(2)));
    assert_eq!((two["described_by"].as_u64(), two["copy"].is_null()), (Some(5), true));
}

#[test]
fn scores_are_explained_when_asked_for() {
    let mut cats = hit("http://zoo.example/a", "Cats", "a *cat*");
    cats.parts = vec![
        Part { name: "links", value: 0.5, raw: 0.25, weight: 2.0 },
        Part { name: "text", value: 1.5, raw: 1.5, weight: 1.0 },
    ];
    let (role, kind) = (SpamRole::Target, "farm".to_owned());
    let reasons = vec!["<b>7</b> pages link here".to_owned()];
    cats.remarks = vec![Remark::Spam(Some(SpamPart { role, kind, score: 0.75, reasons }))];
    let server = Server::start(with_copies(vec![cats]));
    let plain = get(server.address, "/search?q=cat").body;
    assert!(!plain.contains("<table>") && !plain.contains("link spam"));
    let body = get(server.address, "/search?q=cat&explain=1").body;
    let (text, links) = (body.find("<code>text</").unwrap(), body.find("<code>links</").unwrap());
    assert!(text < links, "the strongest first");
    assert!(
        body.contains("<td>0.25</td><td>2.00</td><td>0.50</td><td><meter max=\"100\" value=\"25\""),
        "{body}"
    );
    let json = get(server.address, "/api/v1/search?q=cat&explain=1").json();
    let reason = &json["hits"][0]["explanation"][0];
    assert_eq!((reason["raw"].as_f64(), reason["share"].as_f64()), (Some(0.25), Some(0.25)));
    assert!(reason["meaning"].as_str().unwrap().len() > 10);
    let said = "Looks like link spam: held up by a structure of links (farm, certain to 0.75): ";
    let escaped = format!("<bdi>{said}&#60;b&#62;7&#60;/b&#62; pages link here.</bdi>");
    assert!(body.contains(&escaped), "{body}");
    assert_eq!(json["hits"][0]["remarks"][0], format!("{said}<b>7</b> pages link here."));
    // In other languages the evidence alone is English, and marked so.
    let german = get(server.address, "/search?q=cat&explain=1&ui=de").body;
    let said = "<bdi>Sieht nach Linkspam aus: von einem Geflecht von Links gestützt \
                (Linkfarm, Sicherheit 0,75).</bdi> \
                <bdi lang=\"en\">&#60;b&#62;7&#60;/b&#62; pages link here</bdi>";
    assert!(german.contains(said), "{german}");
    // How links count goes along with every link of the page, and what is wrong is told.
    let asked = "&topic=news:0.7&without=spam&order=authorities";
    let body = get(server.address, &format!("/search?q=cat{asked}")).body;
    assert!(body.contains(&format!("explain=1{}", asked.replace('&', "&#38;"))), "{body}");
    let refused = get(server.address, "/api/v1/search?q=cat&topic=news:x").json();
    assert_eq!(refused["detail"], "`topic`: `news:x`: write it like `news=0.7`");
    assert!(get(server.address, "/api/v1/search?q=cat").json()["hits"][0]["explanation"].is_null());
}

#[test]
fn what_is_alike_says_why_and_more_of_a_site_means_the_site() {
    let mut cats = hit("http://cs.uni.example/~ann/a", "Cats", "a *cat*");
    cats.reasons = vec![
        Likeness::Links(LinkLikeness::CitedBySites { sites: 7 }),
        Likeness::Words(vec!["<b>".to_owned(), "cat".to_owned()]),
    ];
    (cats.site, cats.held_back) = ("cs.uni.example/~ann/".into(), 3);
    let server = Server::start(with_copies(vec![cats]));
    let body = get(server.address, "/search?q=cat").body;
    let alike = "Alike: <bdi>cited together by 7 sites; same words: &#60;b&#62;, cat</bdi>";
    assert!(body.contains(alike), "{body}");
    let danish = get(server.address, "/search?q=cat&ui=da").body;
    let alike = "Ligner: <bdi>7 websteder linker til begge; samme ord: &#60;b&#62;, cat</bdi>";
    assert!(danish.contains(alike), "{danish}");
    let more = "href=\"?q=cat&#38;site=cs.uni.example/~ann/\">More from \
                <bdi>cs.uni.example/~ann/</bdi>";
    assert!(body.contains(more), "{body}");
    let json = get(server.address, "/api/v1/search?q=cat").json();
    assert_eq!(json["hits"][0]["alike"][0], "cited together by 7 sites");
}

/// Looks at a copy with a real browser, if there is one. The copy is not made harmless: what is
/// tried is whether the headers alone hold it.
#[test]
fn web_11_a_browser_runs_and_loads_nothing_of_a_copy() {
    // `cargo xtask test` names the browser that it has found or installed: then it must be used.
    let named = std::env::var("LOOKFAR_CHROMIUM").ok();
    let must_start = named.is_some() || std::env::var_os("CI").is_some();
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let Some(browser) = named.or_else(|| names.into_iter().find(|name| is_there(name))) else {
        assert!(!must_start, "there is no browser");
        println!("skipped: there is no Chromium; `cargo xtask test` installs it");
        return;
    };
    let pings = Arc::new(AtomicU64::new(0));
    let counted = pings.clone();
    let search = move |request: &rank::Request<'_>| {
        counted.fetch_add(1, Ordering::Relaxed);
        found(request, &[])
    };
    // Whatever the page loads is a search here, which is counted.
    let html = HOSTILE.replace("/ping", "/search?q=ping");
    let hostile = move |request: &CopyRequest| {
        copy(request).map(|copy| PageCopy { html: html.clone(), ..copy })
    };
    let state = state(search, Options::default()).with_copies(Arc::new(hostile));
    let server = Server::start(state);
    let folder = tempfile::tempdir().unwrap();
    let address = server.address;
    let Some(dom) = dump(
        &browser,
        folder.path(),
        &format!("http://{address}/cache?url=http://a.example/hostile"),
    ) else {
        assert!(!must_start, "`{browser}` does not start");
        println!("skipped: `{browser}` does not start; `cargo xtask test` installs one");
        return;
    };
    assert!(dom.contains("<p>words</p>"), "{dom}");
    assert!(dom.contains("– copy – "), "the title is ours: {dom}");
    assert!(!dom.contains("<title>ran"), "{dom}");
    assert_eq!(pings.load(Ordering::Relaxed), 0, "something was loaded or sent");
    // The same browser does run such things where nothing forbids it.
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<title>no</title><script>document.title='ran'</script>").unwrap();
    let dom = dump(&browser, folder.path(), &format!("file://{}", page.display()));
    assert!(dom.is_some_and(|dom| dom.contains("<title>ran</title>")));
}

fn is_there(name: &str) -> bool {
    let mut version = Command::new(name);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Returns the page as the browser has it after it was loaded; `None` if it does not start.
fn dump(browser: &str, folder: &std::path::Path, url: &str) -> Option<String> {
    let out = folder.join("dom");
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args([
            "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ])
        .args(["--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(url)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(std::fs::File::create(&out).unwrap())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let dom = std::fs::read_to_string(out).unwrap();
    (!dom.trim().is_empty()).then_some(dom)
}

/// The path of a copy names the page by its number.
#[test]
fn copies_are_found_by_number() {
    let by_number = |request: &CopyRequest| match request.page {
        Lookup::Page(page) if Some(page) == PageId::new(3, 17) => {
            let page = Lookup::Url(Url::parse("http://a.example/x").unwrap());
            copy(&CopyRequest { page, ..request.clone() })
        }
        _ => Err(NoCopy::Unknown),
    };
    let state = state(|request| found(request, &[]), Options::default());
    let server = Server::start(state.with_copies(Arc::new(by_number)));
    assert_eq!(get(server.address, "/cache?page=3:17").status, 200);
    assert_eq!(get(server.address, "/cache?page=3:18").status, 404);
}
