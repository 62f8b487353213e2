//! Preferences that stay with the visitor (Q10).

use std::sync::{Arc, Mutex};

use rank::{Personal, Results};
use serve::Options;

use crate::client::{Reply, get, get_with, post};
use crate::known::Known;
use crate::pages::{HOSTILE, check_only_our_markup, encode};
use crate::server::{Server, found, hit, state};

const OURS: &str = "Sec-Fetch-Site: same-origin\r\n";

fn server() -> Server {
    Server::with_hits(vec![hit("http://www.zoo.example/a", "A", "*a*"); 95])
}

/// Returns the cookie that a browser would send after an answer, as a header field.
#[track_caller]
fn kept(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie").unwrap_or_else(|| panic!("{reply:?}"));
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && cookie.len() < 4_096, "{cookie}");
    format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
}

#[test]
fn preferences_are_saved_in_a_cookie_and_shown_again() {
    let server = server();
    let form = "prefer=zoo.example%0D%0Awww.b.example&lower=&block=ads.example&languages=da+en\
                &topics=&country=dk&town=Nyk%C3%B8bing,+%22M%22&count=20&theme=dark&interface=da&keys=off";
    let reply = post(server.address, "/preferences", OURS, form);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/preferences?saved=1")));
    let cookie = kept(&reply);
    let page = get_with(server.address, "/preferences?saved=1", &cookie).body;
    check_only_our_markup(&page);
    assert!(page.contains("<html lang=\"da\" dir=\"ltr\" class=\"dark\">"), "{page}");
    assert!(page.contains(">zoo.example\nwww.b.example</textarea>"), "{page}");
    assert!(page.contains(" value=\"Nykøbing, &#34;M&#34;\" aria-describedby"), "{page}");
    assert!(page.contains("value=\"da en\"") && page.contains("Gemt."), "{page}");
    assert!(page.contains("<option value=\"dk\" lang=\"en\" data-region=\"dk\" selected>Denmark"));
    assert!(
        page.contains("value=\"off\" checked>")
            && page.contains("<body class=\"\" data-keys=\"off\">")
    );
    // They count for pages, and the number of results with them.
    let results = get_with(server.address, "/search?q=a&offset=20", &cookie).body;
    assert_eq!(results.matches("class=\"hit\"").count(), 20);
    assert!(results.contains("rel=\"next\" href=\"?q=a&#38;offset=40\""), "{results}");
    let plain = get(server.address, "/search?q=a").body;
    assert_eq!(plain.matches("class=\"hit\"").count(), 10);
}

#[test]
fn wishes_reach_the_search_and_programs_have_none() {
    let asked = Arc::new(Mutex::new((Personal::default(), 0)));
    let heard = asked.clone();
    let search = move |request: &rank::Request<'_>| {
        let personal = request.personal.cloned().unwrap_or_default();
        *heard.lock().unwrap() = (personal, request.topics.len());
        if !request.topics.is_empty() {
            let (name, known) = ("news".to_owned(), "there are none".to_owned());
            return Err(rank::Error::Topic { name, known });
        }
        Ok(Results { blocked: 3, ..found(request, &[hit("http://a.example/", "A", "*a*")])? })
    };
    let server = Server::start(state(search, Options::default()));
    let cookie = "Cookie: x=1; lookfar=prefer=zoo.example&block=ads.example&country=dk\
                  &town=New+York\r\n";
    let body = get_with(server.address, "/search?q=a", cookie).body;
    let (personal, _) = asked.lock().unwrap().clone();
    assert_eq!(personal.preferred, ["zoo.example"]);
    assert_eq!((personal.blocked.len(), personal.country.as_deref()), (1, Some("dk")));
    assert_eq!(personal.town.as_deref(), Some("New York"));
    assert!(body.contains("3 results of sites that you block are left out"), "{body}");
    get_with(server.address, "/api/v1/search?q=a", cookie);
    assert!(asked.lock().unwrap().0.is_empty());
    // A topic that this collection does not have is a wish that cannot be met, and no error; asked
    // for in the address, it is one.
    let cookie = "Cookie: lookfar=topics=news:0.7\r\n";
    assert_eq!(get_with(server.address, "/search?q=a", cookie).status, 200);
    assert_eq!(asked.lock().unwrap().1, 0);
    assert_eq!(get_with(server.address, "/search?q=a&topic=news", cookie).status, 400);
}

#[test]
fn topics_that_are_wished_for_reach_the_search_unless_the_address_names_others() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = asked.clone();
    let search = move |request: &rank::Request<'_>| {
        let topics: Vec<String> = request.topics.iter().map(ToString::to_string).collect();
        heard.lock().unwrap().push(topics.join(","));
        found(request, &[hit("http://a.example/", "A", "*a*")])
    };
    let server = Server::start(state(search, Options::default()));
    let check = |path: &str, cookie: &str, expected: &str| {
        assert_eq!(get_with(server.address, path, cookie).status, 200, "{path}");
        assert_eq!(asked.lock().unwrap().drain(..).collect::<Vec<_>>(), [expected], "{path}");
    };
    let wish = "Cookie: lookfar=topics=news:0.7+sport:0.3\r\n";
    check("/search?q=a", wish, "news:0.7,sport:0.3");
    check("/search?q=a&topic=art:0.5", wish, "art:0.5");
    check("/search?q=a", "", "");
    check("/api/v1/search?q=a", wish, "");
}

#[test]
fn one_click_on_a_result_prefers_lowers_blocks_and_forgets_its_site() {
    let server = server();
    let page = get(server.address, "/search?q=a%22b&offset=10&lang=en").body;
    let back = "/search?q=a%22b&#38;offset=10&#38;lang=en";
    assert!(page.contains(&format!("name=\"back\" value=\"{back}\"")), "{page}");
    for (name, words) in
        [("prefer", "Prefer this site"), ("lower", "Lower this site"), ("block", "Block this site")]
    {
        // Words, not signs alone: for screen readers, and where there is no style.
        let button = format!("<button name=\"{name}\" value=\"zoo.example\">{words}</button>");
        assert!(page.contains(&button), "{page}");
    }
    let form = format!("prefer=zoo.example&back={}", encode("/search?q=a%22b&offset=10&lang=en"));
    let reply = post(server.address, "/preferences/site", OURS, &form);
    assert_eq!(reply.status, 303);
    assert_eq!(reply.header("location"), Some("/search?q=a%22b&offset=10&lang=en"));
    let cookie = kept(&reply);
    let page = get_with(server.address, "/search?q=a", &cookie).body;
    assert!(page.contains("<button class=\"on\" name=\"none\" value=\"zoo.example\""), "{page}");
    assert!(!page.contains("name=\"prefer\""), "{page}");
    let fields = format!("{OURS}{cookie}");
    // It is one or the other.
    let lowered = kept(&post(server.address, "/preferences/site", &fields, "lower=zoo.example"));
    assert!(lowered.contains("lower=zoo.example") && !lowered.contains("prefer="), "{lowered}");
    let page = get_with(server.address, "/search?q=a", &lowered).body;
    let pressed = "<button class=\"on\" name=\"none\" value=\"zoo.example\"";
    assert!(page.contains(pressed) && !page.contains("name=\"lower\""), "{page}");
    assert!(page.contains("<button name=\"prefer\" value=\"zoo.example\">"), "{page}");
    let blocked = post(server.address, "/preferences/site", &fields, "block=zoo.example");
    assert!(kept(&blocked).contains("block=zoo.example"));
    assert_eq!(blocked.header("location"), Some("/preferences?saved=1"));
    let none = post(server.address, "/preferences/site", &fields, "none=zoo.example");
    assert!(none.header("set-cookie").unwrap().contains("Max-Age=0"));
    let odd = post(server.address, "/preferences/site", OURS, "prefer=not+a+site");
    assert_eq!((odd.status, odd.header("set-cookie")), (400, None));
}

/// Whether a page of a blocked site is shown at all, the search decides.
#[test]
fn what_is_on_for_a_result_is_marked_by_whatever_site_and_one_click_takes_it_back() {
    let server = Server::with_hits(vec![
        hit("http://www.zoo.example/a", "A", "*a*"),
        hit("http://other.example/", "Other", "*a*"),
    ]);
    let on = |sites: &str| format!("<button class=\"on\" name=\"none\" value=\"{sites}\">");
    for (name, sites) in [
        ("block", "zoo.example"),
        ("block", "www.zoo.example"),
        ("prefer", "www.zoo.example"),
        ("lower", "zoo.example/a"),
        ("lower", "zoo.example www.zoo.example"),
    ] {
        let cookie = format!("Cookie: lookfar={name}={}\r\n", sites.replace(' ', "+"));
        let page = get_with(server.address, "/search?q=a+site:zoo.example", &cookie).body;
        check_only_our_markup(&page);
        assert_eq!(page.matches(&on(sites)).count(), 1, "{name} {sites}: {page}");
        assert_eq!(page.matches(" class=\"on\"").count(), 1, "{name} {sites}: {page}");
        // The other result's button of that name alone.
        assert_eq!(page.matches(&format!(" name=\"{name}\"")).count(), 1, "{name} {sites}: {page}");
        let form = format!("none={}&back=/search?q=a", sites.replace(' ', "+"));
        let reply = post(server.address, "/preferences/site", &format!("{OURS}{cookie}"), &form);
        assert_eq!((reply.status, reply.header("location")), (303, Some("/search?q=a")));
        assert!(reply.header("set-cookie").unwrap().contains("Max-Age=0"), "{name} {sites}");
    }
}

#[test]
fn blocked_sites_are_left_out_on_every_tab() {
    let state = state(|request| found(request, &[]), Options::default());
    let server = Server::start(state.with_knowledge(Arc::new(Known)));
    let cookie = "Cookie: lookfar=block=zoo.example\r\n";
    for (path, shown, said) in [
        ("/pictures?q=a", "class=\"shape\"", "30 results of sites that you block are left out"),
        ("/hubs?q=a", "http://zoo.example/", "1 result of a site that you block is left out"),
    ] {
        let plain = get(server.address, path).body;
        assert!(plain.contains(shown) && !plain.contains("left out"), "{path}: {plain}");
        let page = get_with(server.address, path, cookie).body;
        check_only_our_markup(&page);
        assert!(!page.contains(shown) && page.contains(said), "{path}: {page}");
        assert!(page.contains(&format!("{said} · <a href=\"/preferences\">")), "{path}: {page}");
    }
    // Of the other list nothing is lost, and programs have no wishes.
    assert!(get_with(server.address, "/hubs?q=a", cookie).body.contains("http://hub.example/"));
    let told = get_with(server.address, "/api/v1/graph/hits?q=a", cookie).json();
    assert_eq!(told["authorities"][0]["url"], "http://zoo.example/");
}

#[test]
fn a_language_that_was_asked_for_stays_when_preferences_are_changed() {
    let server = server();
    let cookie = "Cookie: lookfar=prefer=zoo.example\r\n";
    let page = get_with(server.address, "/preferences?ui=da", cookie).body;
    let paths: Vec<&str> = page.split("method=\"post\"").filter_map(action).collect();
    assert_eq!(paths.len(), 3, "{page}");
    assert!(page.contains("href=\"/preferences?prefer=zoo.example&#38;ui=da\""), "{page}");
    for path in paths {
        assert!(path.ends_with("?ui=da"), "{path}");
        let reply = post(server.address, path, OURS, "theme=dark&text=theme+dark");
        match path.starts_with("/preferences/import") {
            true => assert!(reply.body.contains("<html lang=\"da\""), "{reply:?}"),
            false => assert_eq!(reply.header("location"), Some("/preferences?saved=1&ui=da")),
        }
    }
    let results = get(server.address, "/search?q=a&ui=da").body;
    assert!(results.contains("<form action=\"/preferences/site?ui=da\" method=\"post\">"));
    let post = |path: &str, form: &str| post(server.address, path, OURS, form);
    for path in ["/preferences?ui=da", "/preferences/site?ui=da"] {
        let odd = post(path, "prefer=not+a+site&count=11");
        assert!(odd.body.contains("<html lang=\"da\""), "{path}: {odd:?}");
    }
    // Who chooses another for all pages has it at once.
    let chosen = post("/preferences?ui=da", "interface=de");
    assert_eq!(chosen.header("location"), Some("/preferences?saved=1"));
    let plain = post("/preferences", "theme=dark");
    assert_eq!(plain.header("location"), Some("/preferences?saved=1"));
}

/// Returns where the form leads whose tag ends a piece of a page.
fn action(piece: &str) -> Option<&str> {
    piece.rsplit_once("<form action=\"")?.1.strip_suffix("\" ")
}

#[test]
fn web_07_no_preference_becomes_a_header() {
    let server = server();
    let line = "a%0d%0aX-Evil:%20yes";
    let names = ["prefer", "lower", "block", "languages", "topics", "country", "town", "theme"];
    for name in names.into_iter().chain(["interface", "count", "keys", "back"]) {
        for path in ["/preferences", "/preferences/site", "/preferences/import"] {
            let form = format!("{name}={line}&text={name}%20{line}");
            let reply = post(server.address, path, OURS, &form);
            assert_eq!(reply.header("x-evil"), None, "{path} {name}: {reply:?}");
            // What is kept is one line, whatever stood in it.
            if let Some(cookie) = reply.header("set-cookie") {
                assert!(cookie.starts_with("lookfar="), "{path} {name}: {cookie}");
            }
            let back = reply.header("location").unwrap_or("/preferences");
            assert!(back.starts_with("/preferences"), "{path} {name}: {back}");
        }
    }
    let reply = post(server.address, "/preferences", OURS, &format!("town={line}"));
    assert!(kept(&reply).contains("town="), "a town may have spaces and colons: {reply:?}");
    let back = format!("prefer=zoo.example&back=/search?q={line}");
    let reply = post(server.address, "/preferences/site", OURS, &back);
    assert_eq!((reply.status, reply.header("x-evil")), (303, None), "{reply:?}");
}

#[test]
fn web_08_and_21_other_sites_change_nothing_and_nobody_is_sent_elsewhere() {
    let server = server();
    let paths = ["/preferences", "/preferences/site", "/preferences/import", "/preferences/forget"];
    for path in paths {
        for fields in [
            "",
            "Sec-Fetch-Site: cross-site\r\n",
            "Sec-Fetch-Site: same-site\r\n",
            "Origin: http://evil.example\r\n",
            "Origin: null\r\n",
        ] {
            let reply = post(server.address, path, fields, "block=zoo.example");
            assert_eq!((reply.status, reply.header("set-cookie")), (403, None), "{path} {fields}");
        }
        let ours = post(server.address, path, "Origin: http://a\r\n", "block=zoo.example");
        assert!(matches!(ours.status, 200 | 303), "{path}");
    }
    for back in ["//evil.example/", "https://evil.example/search?q=", "/search?q=%0d%0aX-Evil: 1"] {
        let form = format!("prefer=zoo.example&back={}", encode(back));
        let reply = post(server.address, "/preferences/site", OURS, &form);
        assert!(!reply.header("location").unwrap().contains("evil"), "{back}");
        assert_eq!(reply.header("x-evil"), None);
    }
    let lines =
        post(server.address, "/preferences/site", OURS, "prefer=a&back=/search?%0d%0aX:%20y");
    assert_eq!((lines.status, lines.header("x")), (303, None));
}

#[test]
fn preferences_are_carried_as_a_file_and_as_an_address_and_saved_only_when_asked() {
    let server = server();
    let cookie = "Cookie: lookfar=prefer=zoo.example&languages=da+en&town=New+York&theme=dark\r\n";
    let file = get_with(server.address, "/preferences.txt", cookie);
    assert_eq!(file.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(file.header("content-disposition").unwrap().starts_with("attachment"));
    assert!(
        file.body.ends_with("prefer zoo.example\nlanguages da en\ntown New York\ntheme dark\n")
    );
    let form = format!("text={}", encode(&file.body));
    let seen = post(server.address, "/preferences/import", OURS, &form);
    assert_eq!((seen.status, seen.header("set-cookie")), (200, None));
    assert!(seen.body.contains("not saved yet") && seen.body.contains(">zoo.example</textarea>"));
    assert!(seen.body.contains(" value=\"New York\" "), "{seen:?}");
    let page = get_with(server.address, "/preferences", cookie).body;
    let address =
        "/preferences?prefer=zoo.example&#38;languages=da+en&#38;town=New+York&#38;theme=dark";
    assert!(page.contains(&format!("href=\"{address}\"")), "{page}");
    let other = get(server.address, &address.replace("&#38;", "&"));
    assert!(other.body.contains("not saved yet") && other.body.contains(">zoo.example</textarea>"));
    assert_eq!(other.header("set-cookie"), None);
    let forgotten = post(server.address, "/preferences/forget", OURS, "");
    assert!(forgotten.header("set-cookie").unwrap().contains("lookfar=; Path=/; Max-Age=0"));
}

#[test]
fn web_01_hostile_preferences_stay_text_and_do_not_fit() {
    let server = server();
    for text in HOSTILE {
        let value = encode(text);
        let names =
            ["prefer", "languages", "topics", "country", "town", "theme", "interface", "count"];
        for name in names {
            let reply = get(server.address, &format!("/preferences?{name}={value}"));
            check_only_our_markup(&reply.body);
            let form = format!("{name}={value}");
            let reply = post(server.address, "/preferences", OURS, &form);
            check_only_our_markup(&reply.body);
            let cookie = reply.header("set-cookie").unwrap_or_default();
            assert!(!cookie.contains(['<', '"', '\'']), "{cookie}");
        }
        let form = format!("text={value}");
        check_only_our_markup(&post(server.address, "/preferences/import", OURS, &form).body);
        let cookie =
            format!("Cookie: lookfar=prefer={text}&town={text}&theme={text}&interface={text}\r\n");
        let reply = get_with(server.address, "/search?q=a", &cookie);
        assert_eq!(reply.status, 200);
        check_only_our_markup(&reply.body);
        assert!(reply.body.contains("class=\"auto\">"));
    }
}

#[test]
fn more_than_a_browser_keeps_is_said_and_not_cut() {
    let server = server();
    let name = |number: usize| format!("a-rather-long-name-of-a-host-{number:03}.example.org");
    let many: Vec<String> = (0..90).map(name).collect();
    let reply = post(server.address, "/preferences", OURS, &format!("block={}", many.join("+")));
    assert_eq!((reply.status, reply.header("set-cookie")), (400, None));
    assert!(reply.body.contains("no room for more") && reply.body.contains("host-089"));
    let short: Vec<String> = (0..2_000).map(|number| format!("s{number}.example")).collect();
    for (name, typed, kept) in [
        ("block", "a".repeat(60_000), "a".repeat(60_000)),
        ("prefer", short.join("+"), short.join(" ")),
        ("town", "x+y".repeat(3_500), String::new()),
    ] {
        let form = format!("{name}={typed}&languages=da");
        for (path, form) in [
            ("/preferences", form.clone()),
            ("/preferences/import", format!("text=languages+da%0A{name}+{typed}")),
        ] {
            let reply = post(server.address, path, OURS, &form);
            assert_eq!((reply.status, reply.header("set-cookie")), (400, None), "{path} {name}");
            assert!(reply.body.contains("no room for more"), "{path} {name}: {}", reply.body);
            assert!(
                reply.body.contains(" dir=\"ltr\" value=\"da\""),
                "{path} {name}: {}",
                reply.body
            );
            assert!(path != "/preferences" || reply.body.contains(&kept), "{name}");
        }
    }
    // Long is not too much, where there is room for all that is meant.
    let lines = format!("prefer=zoo.example{}", "%0D%0A".repeat(2_000));
    assert!(kept(&post(server.address, "/preferences", OURS, &lines)).ends_with("zoo.example\r\n"));
    let long = format!("town={}&count=20", "x+y".repeat(21));
    let reply = post(server.address, "/preferences", OURS, &long);
    assert!(reply.status == 200 && reply.body.contains("<code><bdi>x yx y"), "{reply:?}");
    assert!(kept(&reply).ends_with("lookfar=count=20\r\n"));
    let huge = format!("Cookie: lookfar=block={}\r\n", "a.example+".repeat(700));
    assert_eq!(get_with(server.address, "/search?q=a", &huge).status, 200);
}
