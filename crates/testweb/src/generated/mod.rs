//! A web made from a seed: as many hosts and pages as asked for, none of them stored.
//!
//! Every page is written when it is requested, and again, byte for byte, when it is requested
//! again. [`Generated::pages`] says beforehand what a crawl must find.

mod dressed;
mod prose;
mod render;
mod shape;
mod words;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use self::shape::{Shape, Spot};
use crate::hosts::TLD;
use crate::respond::http_date;
use crate::{Answer, Pace, Request, Site};

/// How long the pages that are busy at first stay so.
const OUTAGE: Duration = Duration::from_secs(5);

/// A generated web.
pub struct Generated {
    shape: Arc<Shape>,
}

/// What kind of web to make.
#[derive(Clone, Debug)]
pub struct GeneratedOptions {
    /// The same seed and options make the same web.
    pub seed: u64,
    /// Hosts; at least one is made.
    pub hosts: usize,
    /// Pages on all hosts together, of every kind; at least one per host is made.
    pub pages: u64,
    /// Top-level domain of the hosts' names.
    pub tld: String,
    /// Whether hosts have names or are known by address only.
    pub naming: Naming,
    /// Smallest and largest page, roughly. The default is where most of the web's pages lie.
    pub page_bytes: RangeInclusive<usize>,
    /// How much mark-up the text wears. Only plain pages change their text.
    pub dress: Dress,
    /// How many pages misbehave.
    pub mix: Mix,
    /// How many of the last hosts live together on one address.
    pub shared_hosts: usize,
    /// `Crawl-delay` in every robots.txt.
    pub crawl_delay: Option<Duration>,
}

/// How hosts are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `quiet-harbour.lookfar`, for crawlers that can be given our DNS server.
    Names,
    /// `127.100.0.1`, for crawlers that cannot. Links then carry the port that was asked for.
    Addresses,
}

/// How much mark-up pages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dress {
    /// Almost none: paragraphs and links. The most text that a page of a size can have.
    Plain,
    /// As much as a content-management system makes: two thirds of the bytes.
    Site,
}

/// Pages out of a thousand that are not plain. Only pages that no other page is reached
/// through are chosen, except for changing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mix {
    /// Redirects to a plain page, one in four on another host.
    pub redirects: u16,
    /// Links to nothing: 404.
    pub missing: u16,
    /// 500, always.
    pub broken: u16,
    /// 503 with `Retry-After` for the first five seconds of the web, a page afterwards.
    pub busy: u16,
    /// Answers that take up to a second to begin.
    pub slow: u16,
    /// Pages below a path that robots.txt disallows.
    pub disallowed: u16,
    /// Pages of which a paragraph changes every half a minute to every hour.
    pub changing: u16,
}

/// What becomes of a request for a generated page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A page that stays as it is.
    Plain,
    /// A page whose text changes over time.
    Changing,
    /// A page that takes its time.
    Slow,
    /// A page that is 503 at first.
    Busy,
    /// A redirect to a plain or changing page.
    Redirect,
    /// 404.
    Missing,
    /// 500.
    Broken,
    /// A page that robots.txt disallows.
    Disallowed,
}

/// One page that exists in a generated web, as a crawl should find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedPage {
    /// Its URL, without a port.
    pub url: String,
    /// What kind of page it is.
    pub kind: Kind,
    /// The status of the answer once the web has settled.
    pub status: u16,
    /// A word that stands in the text of this page and of no other.
    pub mark: String,
}

impl Default for GeneratedOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            hosts: 10,
            pages: 1_000,
            tld: TLD.to_owned(),
            naming: Naming::Names,
            page_bytes: 20_000..=60_000,
            dress: Dress::Plain,
            mix: Mix::default(),
            shared_hosts: 2,
            crawl_delay: None,
        }
    }
}

impl Default for Mix {
    fn default() -> Self {
        Self {
            redirects: 30,
            missing: 15,
            broken: 5,
            busy: 5,
            slow: 10,
            disallowed: 20,
            changing: 50,
        }
    }
}

impl Mix {
    /// Returns a mix of plain pages only.
    pub fn none() -> Self {
        Self { redirects: 0, missing: 0, broken: 0, busy: 0, slow: 0, disallowed: 0, changing: 0 }
    }
}

impl Generated {
    /// Returns the web of these options. Cost: a few bytes per host, nothing per page.
    pub fn new(options: GeneratedOptions) -> Self {
        Self { shape: Arc::new(Shape::new(options)) }
    }

    /// Returns the hosts as sites.
    pub fn sites(&self) -> Vec<Box<dyn Site>> {
        let num_hosts = self.shape.num_hosts();
        let first_shared = num_hosts.saturating_sub(self.shape.options.shared_hosts);
        let site = |host| {
            let name = self.shape.host_name(host);
            let shared = host >= first_shared;
            Box::new(Host { shape: Arc::clone(&self.shape), host, name, shared }) as Box<dyn Site>
        };
        (0..num_hosts).map(site).collect()
    }

    /// Returns the URL of the home page from which every page can be reached.
    pub fn seed_url(&self) -> String {
        format!("http://{}/", self.shape.host_name(0))
    }

    /// Returns every page there is, host by host; robots.txt and sitemaps are not among them.
    ///
    /// All of them can be reached from [`Self::seed_url`] by links; a polite crawler fetches all
    /// but the [`Kind::Disallowed`] ones.
    pub fn pages(&self) -> impl Iterator<Item = GeneratedPage> {
        let shape = &self.shape;
        (0..shape.num_hosts()).flat_map(move |host| {
            let name = shape.host_name(host);
            (0..shape.num_pages_of(host))
                .map(move |local| expected(shape, &name, Spot { host, local }))
        })
    }
}

impl GeneratedPage {
    /// Returns whether the URL's own answer is a page with text and a mark.
    pub fn has_text(&self) -> bool {
        self.status == 200
    }
}

fn expected(shape: &Shape, name: &str, spot: Spot) -> GeneratedPage {
    let kind = shape.kind(spot);
    let status = match kind {
        Kind::Plain | Kind::Changing | Kind::Slow | Kind::Busy | Kind::Disallowed => 200,
        Kind::Redirect => shape.redirect(spot).0,
        Kind::Missing => 404,
        Kind::Broken => 500,
    };
    let url = format!("http://{name}{}", shape.path(spot));
    GeneratedPage { url, kind, status, mark: prose::mark(shape.number(spot)) }
}

/// One host of a generated web.
struct Host {
    shape: Arc<Shape>,
    host: usize,
    name: String,
    shared: bool,
}

impl Site for Host {
    fn host(&self) -> &str {
        &self.name
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let port = self.port(request);
        match request.target {
            "/robots.txt" if self.shape.has_robots(self.host) => Answer::ok(
                "text/plain; charset=utf-8",
                render::robots(&self.shape, self.host, &port),
            ),
            "/sitemap.xml" => self.sitemap(None, &port),
            target => {
                let part = target.strip_prefix("/sitemap-").and_then(|t| t.strip_suffix(".xml"));
                if let Some(part) = part.and_then(|part| part.parse().ok()) {
                    return self.sitemap(Some(part), &port);
                }
                match self.shape.find(self.host, target) {
                    Some(spot) => self.page(spot, request.elapsed, &port),
                    None => Answer::not_found(),
                }
            }
        }
    }

    fn address_group(&self) -> Option<&str> {
        self.shared.then_some("shared by generated hosts")
    }
}

impl Host {
    fn page(&self, spot: Spot, elapsed: Duration, port: &str) -> Answer {
        match self.shape.kind(spot) {
            Kind::Plain | Kind::Changing | Kind::Disallowed => self.text(spot, elapsed, port),
            Kind::Slow => {
                let wait = self.shape.rng(spot, shape::Purpose::Change).u64(200..=1_000);
                let pace = Pace::after(Duration::from_millis(wait));
                self.text(spot, elapsed, port).with_pace(pace)
            }
            Kind::Busy if elapsed < OUTAGE => {
                let answer = Answer::status(503, "text/plain; charset=utf-8", "busy\n");
                answer.with_header("Retry-After", "2")
            }
            Kind::Busy => self.text(spot, elapsed, port),
            Kind::Missing => Answer::not_found(),
            Kind::Broken => Answer::status(500, "text/html", "<title>Broken</title>"),
            Kind::Redirect => {
                let (status, to) = self.shape.redirect(spot);
                let host = self.shape.host_name(to.host);
                Answer::redirect(status, &format!("http://{host}{port}{}", self.shape.path(to)))
            }
        }
    }

    fn text(&self, spot: Spot, elapsed: Duration, port: &str) -> Answer {
        let answer = Answer::html(render::page(&self.shape, spot, elapsed, port));
        if !self.shape.has_validators(self.host) {
            return answer.with_header("Cache-Control", "no-store");
        }
        let modified = render::modified(&self.shape, spot, elapsed);
        answer.with_header("Last-Modified", &http_date(modified))
    }

    fn sitemap(&self, part: Option<u64>, port: &str) -> Answer {
        match render::sitemap(&self.shape, self.host, part, port) {
            Some(xml) => Answer::ok("application/xml", xml),
            None => Answer::not_found(),
        }
    }

    /// Returns `:port` as the client wrote it, so that its links lead back to the same port.
    fn port(&self, request: &Request<'_>) -> String {
        let host = request.header("host").unwrap_or_default();
        match host.rsplit_once(':') {
            // Browsers come by another name and have their links rewritten.
            Some((name, port)) if name.eq_ignore_ascii_case(&self.name) && port != "80" => {
                format!(":{port}")
            }
            _ => String::new(),
        }
    }
}
