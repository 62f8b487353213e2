//! The control room over a real socket: who gets in, who may change something, what is shown.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serve::{
    Bombs, ChangeView, Control, Count, Grant, Grants, GraphView, HostQuery, HostRow, HostRows,
    HostRule, Options, Order, Pulse, Refusal, Room, Setting, Settings, SpamView, Token,
};

use crate::client::{Reply, connect, send};
use crate::server::{Server, found, state, until};

pub(crate) const TOKEN: &str = "0123456789-correct-horse";
/// What a stranger may call a host, a page or a reason.
const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

/// A room that says evil things and notes what it is told.
#[derive(Default)]
pub(crate) struct Noted {
    orders: Mutex<Vec<Order>>,
    /// The host that it knows, instead of the evil one.
    host: Option<HostRow>,
    /// Whether no links were looked at yet.
    is_early: bool,
    /// Whether nobody crawls.
    is_idle: bool,
    /// Whether the crawl is paused.
    is_paused: bool,
    /// Whether grants are noted.
    is_logging: bool,
}

impl Noted {
    /// Returns a room that knows one host.
    pub(crate) fn of(host: HostRow) -> Self {
        Self { host: Some(host), ..Self::default() }
    }

    /// Returns what it was told so far.
    pub(crate) fn orders(&self) -> Vec<Order> {
        self.orders.lock().unwrap().clone()
    }
}

impl Room for Noted {
    fn pulse(&self) -> Pulse {
        let evil = vec![Count { name: EVIL.to_owned(), count: 3 }];
        Pulse {
            is_crawling: !self.is_idle,
            is_paused: self.is_paused,
            pages: 1_234_567,
            waits_for: Some(EVIL.to_owned()),
            queues: vec![1; 16],
            outcomes: evil.clone(),
            kinds: evil.clone(),
            sizes: evil.clone(),
            left_out: [evil.clone(), vec![Count { name: "too-deep".to_owned(), count: 7 }]]
                .concat(),
            reasons: evil,
            ..Pulse::default()
        }
    }

    fn hosts(&self, query: &HostQuery) -> Result<HostRows, Refusal> {
        if query.find == "nobody" {
            return Err(Refusal("no crawl runs".to_owned()));
        }
        if let Some(host) = &self.host {
            return Ok(HostRows { rows: vec![host.clone()], total: 1, is_cut: false });
        }
        let row = HostRow {
            name: EVIL.to_owned(),
            state: EVIL.to_owned(),
            failure: Some(EVIL.to_owned()),
            rule: HostRule { delay: Some(2.5), pages: Some(7), ..HostRule::default() },
            ..HostRow::default()
        };
        Ok(HostRows { rows: vec![row; query.limit.min(50)], total: 120, is_cut: true })
    }

    fn host(&self, _name: &str) -> Result<Option<HostRow>, Refusal> {
        Ok(self.hosts(&HostQuery { limit: 1, ..HostQuery::default() })?.rows.pop())
    }

    fn carry_out(&self, order: &Order) -> Result<String, Refusal> {
        self.orders.lock().unwrap().push(order.clone());
        match order {
            Order::Set { .. } => Err(Refusal(EVIL.to_owned())),
            _ => Ok(EVIL.to_owned()),
        }
    }

    fn story(&self, url: &str) -> Result<Vec<(String, String)>, Refusal> {
        Ok(vec![(EVIL.to_owned(), url.to_owned())])
    }

    fn settings(&self) -> Result<Settings, Refusal> {
        let setting =
            Setting { key: "crawl.scope".to_owned(), value: EVIL.to_owned(), ..Setting::default() };
        let switch = |key: &str, value: &str| Setting {
            key: key.to_owned(),
            value: value.to_owned(),
            default: "true".to_owned(),
            ..Setting::default()
        };
        let switches = [switch("graph.find_spam", ""), switch("graph.spam", "false")];
        let keys = [setting].into_iter().chain(switches).collect();
        Ok(Settings { seeds: vec![EVIL.to_owned()], keys })
    }

    fn graph(&self) -> Result<GraphView, Refusal> {
        if self.is_early {
            return Ok(GraphView::default());
        }
        let spam = SpamView {
            headline: EVIL.to_owned(),
            reasons: vec![EVIL.to_owned()],
            pages: vec![EVIL.to_owned()],
        };
        Ok(GraphView {
            generation: Some(3),
            bow_tie: Some("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".into()),
            top: vec![(EVIL.to_owned(), 1.0)],
            topics: vec![
                (EVIL.to_owned(), vec![EVIL.to_owned()]),
                ("sport".to_owned(), vec!["http://ball.example/".to_owned()]),
            ],
            spam: vec![spam.clone()],
            bombs: Bombs { found: vec![spam], trouble: None },
            changes: vec![
                ChangeView { url: EVIL.to_owned(), before: 3, after: 41 },
                ChangeView { url: "http://b.example/".to_owned(), before: 8, after: 5 },
            ],
            ..GraphView::default()
        })
    }

    fn stages(&self) -> Result<Vec<(String, String)>, Refusal> {
        Ok(vec![(EVIL.to_owned(), EVIL.to_owned())])
    }

    fn grants(&self) -> Grants {
        let last = vec![Grant { host: EVIL.to_owned(), ..Grant::default() }];
        Grants { is_on: self.is_logging, is_crawling: !self.is_idle, last }
    }

    fn log(&self) -> Vec<String> {
        vec![EVIL.to_owned()]
    }
}

pub(crate) fn server(token: Option<&str>) -> (Server, Arc<Noted>) {
    server_with(token, Options::default())
}

fn server_with(token: Option<&str>, options: Options) -> (Server, Arc<Noted>) {
    let room = Arc::new(Noted::default());
    let token = token.map(|token| Token::new(token).unwrap());
    let state = state(|request| found(request, &[]), options)
        .with_control(Control { room: room.clone(), token });
    (Server::start(state), room)
}

pub(crate) fn get(address: SocketAddr, path: &str, fields: &str) -> Reply {
    let head =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{fields}Connection: close\r\n\r\n");
    send(address, &head)
}

pub(crate) fn post(address: SocketAddr, path: &str, fields: &str, body: &str) -> Reply {
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\n{fields}{kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    send(address, &head)
}

#[test]
fn the_page_of_links_waits_for_the_first_analysis_only_while_a_crawl_runs() {
    let page = |is_early, is_idle| {
        let room = Arc::new(Noted { is_early, is_idle, ..Noted::default() });
        let state = state(|request| found(request, &[]), Options::default())
            .with_control(Control { room, token: None });
        let server = Server::start(state);
        let reply = get(server.address, "/admin/graph", "");
        assert_eq!(reply.header("refresh"), None, "it would wipe what somebody types");
        reply.body
    };
    let early = page(true, false);
    assert!(early.contains("data-waits=\"analysis\"") && early.contains("Look again"), "{early}");
    let idle = page(true, true);
    assert!(!idle.contains("data-waits") && idle.contains("lookfar graph build"), "{idle}");
    let whole = page(false, false);
    assert!(!whole.contains("data-waits") && whole.contains("data-generation=\"3\""), "{whole}");
}

#[test]
fn state_and_buttons_stand_in_one_block_that_says_what_it_was_made_for() {
    let block = |is_idle, is_paused| {
        let room = Arc::new(Noted { is_idle, is_paused, ..Noted::default() });
        let state = state(|request| found(request, &[]), Options::default())
            .with_control(Control { room, token: None });
        let page = get(Server::start(state).address, "/admin", "").body;
        let (_, block) = page.split_once("<div id=\"crawl\"").unwrap();
        block.split_once("<dl class=\"facts\"").unwrap().0.to_owned()
    };
    let running = block(false, false);
    assert!(
        running.contains("data-standing=\"running\"") && running.contains("Pause"),
        "{running}"
    );
    assert!(running.contains("The crawl waits: ") && !running.contains("Go on"), "{running}");
    let paused = block(false, true);
    assert!(paused.contains("data-standing=\"paused\"") && paused.contains("Go on"), "{paused}");
    assert!(paused.contains("The crawl is paused.") && !paused.contains("Pause"), "{paused}");
    let idle = block(true, false);
    assert!(idle.contains("data-standing=\"idle\"") && idle.contains("No crawl runs."), "{idle}");
    assert!(idle.contains("there is nothing to pause") && !idle.contains("<button"), "{idle}");
}

#[test]
fn the_log_of_grants_is_shown_with_the_switch_that_it_stands_on() {
    let page = |is_logging, is_idle| {
        let room = Arc::new(Noted { is_logging, is_idle, ..Noted::default() });
        let state = state(|request| found(request, &[]), Options::default())
            .with_control(Control { room: room.clone(), token: None });
        let server = Server::start(state);
        (get(server.address, "/admin/logs", "").body, server, room)
    };
    let (off, server, room) = page(false, false);
    assert!(off.contains("not written down") && off.contains("name=\"on\" value=\"1\""), "{off}");
    // Lines of an earlier log are shown all the same.
    assert!(off.contains("Grants, the newest first"), "{off}");
    let origin = format!("Origin: http://{}\r\n", server.address);
    let switched =
        |fields: &str| post(server.address, "/admin/do", fields, "action=grants&on=1").status;
    assert_eq!((switched(""), switched("Origin: http://evil.example\r\n")), (403, 403));
    assert_eq!(switched(&origin), 200);
    assert_eq!(*room.orders.lock().unwrap(), [Order::Grants { is_on: true }]);
    assert_eq!(get(server.address, "/admin/do?action=grants&on=0", &origin).status, 404);
    let (on, ..) = page(true, false);
    assert!(on.contains("are written to") && on.contains("name=\"on\" value=\"0\""), "{on}");
    let (later, ..) = page(true, true);
    assert!(later.contains("The next crawl writes them"), "{later}");
}

#[test]
fn bombs_are_shown_with_their_evidence_or_why_they_were_not_looked_for() {
    let (server, _) = server(None);
    let page = get(server.address, "/admin/graph", "").body;
    let bombs = page.split("<h3>Bombs</h3>").nth(1).unwrap();
    let (bombs, _) = bombs.split_once("</section>").unwrap();
    // Headline, reason and page of the one that the room tells.
    assert_eq!(bombs.matches("&#60;script&#62;").count(), 3, "{bombs}");
    assert!(bombs.contains("<details>") && !bombs.contains("None was found"), "{bombs}");
}

#[test]
fn topics_are_shown_with_their_best_pages_and_spam_with_whose_place_would_change() {
    let (server, _) = server(None);
    let page = get(server.address, "/admin/graph", "").body;
    let (_, topics) = page.split_once("<h2>Topics</h2>").unwrap();
    let (topics, rest) = topics.split_once("</section>").unwrap();
    let sport = "<h3>sport</h3><ol class=\"addresses\"><li><bdi>http://ball.example/</bdi></li>";
    assert!(topics.contains(sport) && !topics.contains("There are none"), "{topics}");
    let (_, spam) = rest.split_once("<h2>Link spam</h2>").unwrap();
    let (spam, _) = spam.split_once("<h3>Bombs</h3>").unwrap();
    assert!(spam.contains("Whose place would change without these links"), "{spam}");
    let rows: Vec<&str> = spam.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 2, "{spam}");
    assert!(rows[0].contains("&#60;script&#62;"), "{spam}");
    assert!(rows[0].contains("<td class=\"n\">3</td><td class=\"n\">41</td>"), "{spam}");
    let places = "<bdi>http://b.example/</bdi></th><td class=\"n\">8</td><td class=\"n\">5</td>";
    assert!(rows[1].contains(places), "{spam}");
}

#[test]
fn how_link_spam_counts_is_switched_from_the_page_of_links() {
    let (server, room) = server(None);
    let page = get(server.address, "/admin/graph", "").body;
    let (_, form) = page.split_once("<h2>How spam counts</h2>").unwrap();
    assert!(form.contains("<input type=\"hidden\" name=\"action\" value=\"set\">"), "{form}");
    for part in [
        "<select name=\"set.graph.find_spam\"><option value=\"\">as by default (true)</option>",
        "<select name=\"set.graph.spam\">",
        "<option selected>false</option>",
    ] {
        assert_eq!(form.matches(part).count(), 1, "{part}: {form}");
    }
    assert!(!get(server.address, "/admin/settings", "").body.contains("set.graph."));
    let body = "action=set&set.graph.find_spam=&set.graph.spam=true";
    let switched = |fields: &str| post(server.address, "/admin/do", fields, body).status;
    assert_eq!((switched(""), switched("Origin: http://evil.example\r\n")), (403, 403));
    assert!(room.orders.lock().unwrap().is_empty());
    // This room refuses whatever it is to set, and says so.
    assert_eq!(switched(&format!("Origin: http://{}\r\n", server.address)), 422);
    let change = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let changes = vec![change("graph.find_spam", ""), change("graph.spam", "true")];
    assert_eq!(*room.orders.lock().unwrap(), [Order::Set { changes }]);
}

const PAGES: [&str; 10] = [
    "/admin",
    "/admin?of=day",
    "/admin/hosts",
    "/admin/hosts?find=x&sort=errors&skip=50",
    "/admin/host?name=a.example",
    "/admin/why",
    "/admin/why?url=%3Cscript%3Ealert(1)%3C/script%3E",
    "/admin/settings",
    "/admin/graph",
    "/admin/logs",
];

#[test]
fn web_02_and_05_whatever_the_crawl_has_met_stays_text_in_the_control_room() {
    let (server, _) = server(None);
    for path in PAGES {
        let reply = get(server.address, path, "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        assert!(
            !reply.body.contains("<script>alert") && !reply.body.contains("<img src=x"),
            "{path}"
        );
        assert!(!reply.body.contains("\"'>"), "{path}: a quote ends an attribute");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("x-frame-options"), Some("DENY"));
        assert!(!reply.body.contains(" style=") && !reply.body.contains(" onclick="), "{path}");
    }
    let overview = get(server.address, "/admin", "").body;
    assert!(overview.contains("1,234,567") && overview.contains("&#60;script"), "{overview}");
    let svg = get(server.address, "/admin/graph/bowtie.svg", "");
    assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")));
    assert_eq!(get(server.address, "/admin/graph/degrees.svg", "").status, 404);
    assert_eq!(get(server.address, "/admin/none", "").status, 404);
    let busy = get(server.address, "/admin/hosts?find=nobody", "");
    assert_eq!(busy.status, 409);
    assert!(busy.body.contains("no crawl runs"));
}

#[test]
fn web_21_only_this_machine_enters_without_a_token() {
    let (server, room) = server(None);
    let ask = |fields: &str| get(server.address, "/admin", fields).status;
    assert_eq!(ask(""), 200);
    for field in ["Forwarded: for=203.0.113.7", "X-Forwarded-For: 203.0.113.7", "X-Real-IP: 1"] {
        assert_eq!(ask(&format!("{field}\r\n")), 404, "{field}");
    }
    // A stranger's name that was made to point here.
    let head = "GET /admin HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(send(server.address, head).status, 404);
    // A picture or a script of another site's page.
    assert_eq!(ask("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403);
    // A link that was followed is fine: it changes nothing.
    assert_eq!(ask("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), 200);
    let url = Some("https://find.example".to_owned());
    let (public, _) = server_with(None, Options { url, ..Options::default() });
    assert_eq!(get(public.address, "/admin", "").status, 404, "others come through here");
    assert!(room.orders.lock().unwrap().is_empty());
}

#[test]
fn web_21_changes_are_posts_of_our_own_pages() {
    let (server, room) = server(None);
    let address = server.address;
    let origin = format!("Origin: http://{address}\r\n");
    let done = post(address, "/admin/do", &origin, "action=pause");
    assert_eq!(done.status, 200, "{}", done.body);
    assert!(done.body.contains("Done") && !done.body.contains("<script>alert"));
    assert_eq!(*room.orders.lock().unwrap(), [Order::Pause]);
    for fields in [
        "",
        "Origin: null\r\n",
        "Origin: http://evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Origin: http://evil.example\r\nReferer: http://127.0.0.1/\r\n",
    ] {
        assert_eq!(post(address, "/admin/do", fields, "action=resume").status, 403, "{fields}");
    }
    assert_eq!(get(address, "/admin/do?action=resume", "").status, 404);
    assert_eq!(get(address, "/admin/do?action=resume", &origin).status, 404);
    let put = format!(
        "PUT /admin/do HTTP/1.1\r\nHost: {address}\r\n{origin}Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(send(address, &put).status, 405);
    assert_eq!(room.orders.lock().unwrap().len(), 1, "nothing else was done");
    for (body, status) in [
        ("action=dance", 400),
        ("action=host&host=a.example&delay=x", 400),
        ("action=forget&target=a.example", 400),
        ("action=%ff", 400),
        ("action=set&set.crawl.depth=x", 422),
    ] {
        let reply = post(address, "/admin/do", &origin, body);
        assert_eq!(reply.status, status, "{body}");
        assert!(!reply.body.contains("<script>alert"));
    }
    let json = format!(
        "POST /admin/do HTTP/1.1\r\nHost: {address}\r\n{origin}Content-Type: text/plain\r\nContent-Length: 12\r\nConnection: close\r\n\r\naction=pause"
    );
    assert_eq!(send(address, &json).status, 415);
    let rule = HostRule { is_paused: true, delay: Some(2.5), ..HostRule::default() };
    let body = "action=host&host=a.example&paused=1&delay=2.5&pages=";
    let same = "Sec-Fetch-Site: same-origin\r\n";
    assert_eq!(post(address, "/admin/do", same, body).status, 200);
    let name = "a.example".to_owned();
    assert_eq!(room.orders.lock().unwrap().last(), Some(&Order::Host { name, rule }));
}

#[test]
fn web_21_and_28_with_a_token_everybody_logs_in() {
    let (server, room) = server(Some(TOKEN));
    let address = server.address;
    let origin = format!("Origin: http://{address}\r\n");
    for path in PAGES {
        let reply = get(address, path, "");
        assert_eq!(reply.status, 401, "{path}");
        assert!(!reply.body.contains("1,234,567") && !reply.body.contains(TOKEN), "{path}");
    }
    assert_eq!(get(address, "/admin/events", "").status, 401);
    assert_eq!(post(address, "/admin/do", &origin, "action=pause").status, 401);
    let login = |token: &str, fields: &str| {
        post(address, "/admin/login", fields, &format!("token={token}"))
    };
    assert_eq!(login(TOKEN, "").status, 403, "not from a page of ours");
    assert_eq!(login("wrong-wrong-wrong-wrong", &origin).status, 401);
    let reply = login(TOKEN, &origin);
    assert_eq!((reply.status, reply.header("location")), (303, Some("/admin")));
    let cookie = reply.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(cookie.contains("Path=/admin") && !cookie.contains(TOKEN), "{cookie}");
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(get(address, "/admin", &cookie).status, 200);
    // A cookie alone changes nothing.
    assert_eq!(post(address, "/admin/do", &cookie, "action=pause").status, 403);
    let both = format!("{cookie}{origin}");
    assert_eq!(post(address, "/admin/do", &both, "action=pause").status, 200);
    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    assert_eq!(post(address, "/admin/do", &bearer, "action=resume").status, 200);
    assert_eq!(*room.orders.lock().unwrap(), [Order::Pause, Order::Resume]);
    assert_eq!(post(address, "/admin/logout", &both, "").status, 303);
    assert_eq!(get(address, "/admin", &cookie).status, 401, "the login is over");
}

/// Begins to listen; returns the reader behind the head, or the status if it was refused.
fn listen(address: SocketAddr) -> Result<BufReader<std::net::TcpStream>, u16> {
    let mut stream = connect(address);
    write!(stream, "GET /admin/events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status: u16 = line.split(' ').nth(1).unwrap().parse().unwrap();
    if status != 200 {
        return Err(status);
    }
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line).unwrap();
    }
    Ok(reader)
}

#[test]
fn numbers_come_live_to_a_bounded_number_of_listeners_until_the_server_stops() {
    let (mut server, _) = server(None);
    let mut listeners: Vec<_> = (0..16).map(|_| listen(server.address).unwrap()).collect();
    assert_eq!(listen(server.address).unwrap_err(), 503, "one more");
    for reader in &mut listeners {
        let mut text = String::new();
        // Until the first numbers are known, which may take a moment, there are only comments.
        while !(text.contains("event: pulse\ndata: {") && text.ends_with("\n\n")) {
            assert!(reader.read_line(&mut text).unwrap() > 0, "{text}");
        }
        assert!(text.contains("\"queues\":[1,1,"), "{text}");
    }
    // A listener that leaves makes room for another one; the next event notices.
    drop(listeners.pop());
    until("room is made", || listen(server.address).is_ok());
    let reader = &mut listeners[0];
    let before = std::time::Instant::now();
    server.stop();
    assert!(before.elapsed() < std::time::Duration::from_secs(30));
    let mut rest = String::new();
    while reader.read_line(&mut rest).unwrap_or(0) > 0 {}
    let told = get_history();
    assert!(told["series"].as_array().unwrap().len() >= 10);
}

fn get_history() -> serde_json::Value {
    let (server, _) = server(None);
    let reply = get(server.address, "/admin/history", "");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    reply.json()
}

#[test]
fn without_a_control_room_there_is_nothing_to_enter() {
    let server = Server::with_hits(Vec::new());
    for path in ["/admin", "/admin/events", "/admin/login"] {
        assert_eq!(get(server.address, path, "").status, 404, "{path}");
    }
}

#[test]
fn style_and_script_are_kept_for_ever() {
    let (server, _) = server(None);
    let page = get(server.address, "/admin", "").body;
    for (begin, kind) in [("/static/admin-", "text/css"), ("/static/admin-", "text/javascript")] {
        let ending = if kind == "text/css" { ".css" } else { ".js" };
        let path = page.split('"').find(|path| path.starts_with(begin) && path.ends_with(ending));
        let file = get(server.address, path.unwrap(), "");
        assert!(file.header("content-type").unwrap().starts_with(kind));
        assert!(file.header("cache-control").unwrap().contains("immutable"));
    }
}
