//! Hosts that mean no good: each costs time, memory or descriptors whoever lets them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use testweb::{Answer, Broken, DnsAnswer, End, Pace, Raw, Request, Script, Site, Web};

/// A host, or many, whose pages are made up as they are asked for.
struct MadeUp {
    host: &'static str,
    answer: fn(&Request<'_>, u64) -> Answer,
    /// Requests so far: what makes two answers differ.
    count: AtomicU64,
}

impl Site for MadeUp {
    fn host(&self) -> &str {
        self.host
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        if request.target == "/robots.txt" {
            return Answer::not_found();
        }
        (self.answer)(request, self.count.fetch_add(1, Ordering::Relaxed))
    }
}

/// Where a crawl begins to reach all of them.
pub(super) const SEED: &str = "http://hub.lookfar/";

/// Adds all of them.
pub(super) fn add(web: Web) -> Web {
    let web = made_up().into_iter().fold(web.site(hub()), Web::site);
    let web = rude().into_iter().fold(web, |web, (host, raw)| {
        web.site(Script::new(&format!("{host}.lookfar")).otherwise_raw(raw))
    });
    let web = late().into_iter().fold(web, |web, (host, raw)| {
        let links: String = (0..20).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
        let script = Script::new(&format!("{host}.lookfar")).page("/", &links);
        web.site(script.answer("/robots.txt", Answer::not_found()).otherwise_raw(raw))
    });
    web.dns("servfail.lookfar", DnsAnswer::server_failure())
        .dns("silent.lookfar", DnsAnswer::silence())
        .dns("pointer.lookfar", DnsAnswer::broken(Broken::PointerLoop))
        .dns("noise.lookfar", DnsAnswer::broken(Broken::Noise))
        .dns("alias.lookfar", DnsAnswer::alias("alias.lookfar").ttl(0))
        .dns("nobody.lookfar", DnsAnswer::no_such_name().ttl(0))
}

/// Returns a page that links to all of them; seeds that cannot be reached would be refused.
fn hub() -> Script {
    let names = ["servfail", "silent", "pointer", "noise", "alias", "nobody", "n0.wild"];
    let names = names.into_iter().map(|name| format!("{name}.lookfar"));
    let rude = rude().into_iter().chain(late()).map(|(host, _)| format!("{host}.lookfar"));
    let made_up = made_up().into_iter().map(|site| site.host.to_owned());
    let hosts = names.chain(rude).chain(made_up).filter(|host| !host.starts_with('*'));
    let links = hosts.map(|host| format!("<a href=http://{host}/>{host}</a> "));
    Script::new("hub.lookfar").page("/", &links.collect::<String>())
}

/// Pages without end.
fn made_up() -> Vec<MadeUp> {
    let site = |host, answer| MadeUp { host, answer, count: AtomicU64::new(0) };
    vec![
        site("calendar.lookfar", |request, _| {
            let day: u64 = request.target[1..].parse().unwrap_or(1);
            Answer::html(format!("<p>Nothing on day {day}.<a href=/{}>Next day</a>", day + 1))
        }),
        site("maze.lookfar", |request, _| {
            let links = (0..300).map(|n| format!("<a href=\"{}/{n}\">{n}</a> ", request.path()));
            Answer::html(format!("<p>It is dark.{}", links.collect::<String>()))
        }),
        site("sessions.lookfar", |_, count| {
            Answer::html(format!("<p>Our shop.<a href=/?sid={count:x}>On</a>"))
        }),
        // Texts that nobody has written before, so that nothing is to be learned of them.
        site("babel.lookfar", |request, count| {
            let words: String = (0..60).map(|n| format!("w{:x} ", hash(count * 64 + n))).collect();
            let next = hash(request.target.len() as u64 + count);
            Answer::html(format!("<title>{next:x}</title><p>{words}<a href=/{next:x}>more</a>"))
        }),
        site("*.wild.lookfar", |request, count| {
            let host = request.header("host").unwrap_or_default().len() as u64;
            let names = (0..5).map(|n| hash(count * 8 + n + host));
            let links = names.map(|name| format!("<a href=http://n{name:x}.wild.lookfar/>x</a> "));
            Answer::html(links.collect::<String>())
        }),
        site("runaround.lookfar", |_, count| Answer::redirect(302, &format!("/{count}"))),
        site("limits.lookfar", |_, count| match count % 3 {
            0 => Answer::status(429, "text/html", "").with_header("Retry-After", "999999999"),
            1 => Answer::status(503, "text/html", "busy"),
            _ => Answer::html("<p>now you may <a href=/again>come in</a>"),
        }),
        site("deep.lookfar", |request, count| match count % 2 {
            0 => Answer::html(format!("{}{}", "<div>".repeat(50_000), link_on(request))),
            _ => Answer::html(format!("{}{}", "<table><b><p>".repeat(9_000), link_on(request))),
        }),
        site("large.lookfar", |request, count| {
            let words: String = (0..40_000).map(|n| format!("{:x} ", n * (count % 50))).collect();
            Answer::html(format!("{}<!-- {words:x<60000}{words} -->", link_on(request)))
        }),
        // A body that is not what its coding says.
        site("packed.lookfar", |request, _| {
            Answer::html(link_on(request)).with_header("Content-Encoding", "gzip")
        }),
    ]
}

fn link_on(request: &Request<'_>) -> String {
    let place: u64 = request.target[1..].parse().unwrap_or(0);
    format!("<a href=/{}>on</a>", (place + 1) % 40)
}

/// Hosts that answer every request, robots.txt among them, with these bytes.
fn rude() -> Vec<(&'static str, Raw)> {
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    vec![
        ("hang", Raw::new("").then(End::Hang)),
        ("reset", Raw::new("").then(End::Reset)),
        ("shell", Raw::new("SSH-2.0-OpenSSH_9.2\r\n")),
        ("fields", Raw::new(ok).followed_by("X: y\r\n".repeat(100), 1 << 30)),
    ]
}

/// Hosts that begin well, and answer what they link to with these bytes.
fn late() -> Vec<(&'static str, Raw)> {
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let long = format!("{ok}Content-Length: 5368709120\r\n\r\n<p>");
    let drip = Pace::pieces(1, Duration::from_millis(500));
    vec![
        ("cut", Raw::new(format!("{ok}Content-Length: 500\r\n\r\n<p>cut")).then(End::Reset)),
        ("endless", Raw::new(long).followed_by("word ".repeat(1_000), 1 << 30)),
        ("drip", Raw::new(format!("{ok}\r\n<p>slowly, slowly, slowly")).paced(drip)),
        ("stall", Raw::new(format!("{ok}Content-Length: 90\r\n\r\n<p>wait")).then(End::Hang)),
        ("chunks", Raw::new(format!("{ok}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"))),
    ]
}

/// Returns a number that tells nothing of the one before (the mixing step of `SplitMix64`).
fn hash(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number ^ (number >> 27)
}
