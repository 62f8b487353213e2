//! The web that is fetched: made once, kept in memory, served by a process of its own.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use testweb::{Answer, Dress, Generated, GeneratedOptions, Mix, Naming, Pace, Request, Site, Web};

use crate::job::{Job, Part};

/// Which web.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WebShape {
    pub(crate) hosts: usize,
    pub(crate) pages: u64,
    pub(crate) page_bytes: (usize, usize),
    /// Pages have next to no mark-up.
    pub(crate) is_plain: bool,
    /// Hosts are known by address and port, for crawlers that cannot be given a DNS server.
    pub(crate) by_address: bool,
    /// How long every answer takes to begin.
    pub(crate) latency: Duration,
}

/// A web in another process; dropping it ends that.
pub(crate) struct Served {
    pub(crate) shape: WebShape,
    pub(crate) http_port: u16,
    pub(crate) dns: SocketAddr,
    child: Child,
}

impl Served {
    /// Starts a web and waits until all its pages are made.
    pub(crate) fn start(shape: WebShape) -> Self {
        let dns = SocketAddr::from(([127, 0, 0, 1], 0));
        let (http_port, delay) = (0, Duration::ZERO);
        let part = Part::Serve;
        let job = Job { part, shape, http_port, dns, concurrency: 0, delay, seconds: None };
        let mut child = job.command().stdin(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let http_port = line(&mut output).parse().unwrap();
        let dns = line(&mut output).parse().unwrap();
        Self { shape, http_port, dns, child }
    }

    /// Returns the addresses of all home pages.
    pub(crate) fn homes(&self) -> Vec<String> {
        let homes = pages(self.shape).into_keys();
        homes.map(|host| format!("http://{host}:{}/", self.http_port)).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn line(output: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    line.trim().to_owned()
}

/// Returns the paths of all pages by host.
pub(crate) fn pages(shape: WebShape) -> BTreeMap<String, Vec<String>> {
    let mut pages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in generated(shape).pages() {
        let (host, path) = page.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        pages.entry(host.to_owned()).or_default().push(format!("/{path}"));
    }
    pages
}

/// Serves until the standard input ends.
pub(crate) fn serve(shape: WebShape) {
    let latency = shape.latency;
    let keep = |site: Box<dyn Site>| Arc::new(Kept { site, latency, answers: Mutex::default() });
    let sites: Vec<Arc<Kept>> = generated(shape).sites().into_iter().map(keep).collect();
    let shared = sites.iter().map(|site| Box::new(Shared(site.clone())) as Box<dyn Site>);
    let web = Web::new().sites(shared).frozen().without_gzip().start().unwrap();
    let pages = pages(shape);
    for site in &sites {
        let host = match shape.by_address {
            true => format!("{}:{}", site.site.host(), web.http_port),
            false => site.site.host().to_owned(),
        };
        let headers = [("host".to_owned(), host)];
        for path in &pages[site.site.host()] {
            let elapsed = Duration::ZERO;
            site.answer(&Request { method: "GET", target: path, headers: &headers, elapsed });
        }
    }
    println!("{}\n{}", web.http_port, web.dns_addr);
    io::copy(&mut io::stdin(), &mut io::sink()).unwrap();
}

fn generated(shape: WebShape) -> Generated {
    let (least, most) = shape.page_bytes;
    Generated::new(GeneratedOptions {
        hosts: shape.hosts,
        pages: shape.pages,
        naming: if shape.by_address { Naming::Addresses } else { Naming::Names },
        page_bytes: least..=most,
        dress: if shape.is_plain { Dress::Plain } else { Dress::Site },
        mix: Mix::none(),
        shared_hosts: 0,
        ..GeneratedOptions::default()
    })
}

/// A host whose answers are made once.
struct Kept {
    site: Box<dyn Site>,
    latency: Duration,
    answers: Mutex<HashMap<String, Answer>>,
}

impl Kept {
    fn answer(&self, request: &Request<'_>) -> Answer {
        let mut answers = self.answers.lock().unwrap();
        if let Some(answer) = answers.get(request.target) {
            return answer.clone();
        }
        let answer = self.site.answer(request).with_pace(Pace::after(self.latency));
        answers.insert(request.target.to_owned(), answer.clone());
        answer
    }
}

struct Shared(Arc<Kept>);

impl Site for Shared {
    fn host(&self) -> &str {
        self.0.site.host()
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        self.0.answer(request)
    }
}
