//! For site owners: who we are, and for a host that is proved to be theirs what we fetched of it,
//! when, and why not.
//!
//! The proof is a remark in the host's own robots.txt, which the crawl reads anyway, or a text in
//! the DNS at `_lookfar.HOST`, which the crawl looks up at most once a minute: this page cannot be
//! used to make us fetch things. The proof is a hash of the host and of a key that only the asker
//! has; who reads it cannot tell the key from it. Nothing is stored, and of a host without the
//! right proof nothing is told, not even whether it is known.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use base::{Host, Url};
use sha2::{Digest, Sha256};
use tracing::error;

use crate::admin::{Refusal, files};
use crate::app::App;
use crate::gate::Turns;
use crate::params::pairs;
use crate::problem::Problem;
use crate::secret::{hex, random};
use crate::visit::Visit;
use crate::{assets, page};

/// Where we say who we are.
pub(crate) const PATH: &str = "/about-crawler";
/// Where a host's report is.
pub(crate) const HOST_PATH: &str = "/about-crawler/host";

/// Tells what is known of a host whose robots.txt or DNS holds a proof; `None` if neither does, or if
/// the host is not known. Blocks its thread.
pub type OwnerFn =
    Arc<dyn Fn(&OwnerQuestion) -> Result<Option<OwnerReport>, Refusal> + Send + Sync>;

/// What an owner wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerQuestion {
    /// The canonical name of the host.
    pub host: String,
    /// What its robots.txt or DNS must hold.
    pub proof: String,
    /// An address of that host, to be told all of; none if they ask for the host alone. Who writes a
    /// path says no scheme: then it stands here under each, and the first that is known is meant.
    pub urls: Vec<Url>,
}

/// What site owners are told.
#[derive(Clone)]
pub struct About {
    /// The User-Agent of every request.
    pub agent: String,
    /// Our name in a robots.txt.
    pub token: String,
    /// Page or mail address of the person who crawls.
    pub contact: Option<String>,
    /// Shortest time between two requests to one host.
    pub delay: Duration,
    /// Who tells about single hosts.
    pub report: OwnerFn,
}

/// What is known of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerReport {
    /// The host in lines of what and how.
    pub facts: Vec<(String, String)>,
    /// How many of its URLs stand how.
    pub standings: Vec<(String, u64)>,
    /// Some of its pages.
    pub pages: Vec<OwnerPage>,
    /// Whether there are more URLs than were looked at.
    pub is_cut: bool,
    /// The address that was asked for, in lines of what and how; empty if none was.
    pub story: Vec<(String, String)>,
    /// That address; `None` if none was asked for.
    pub url: Option<Url>,
}

/// One page of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerPage {
    /// Its address.
    pub url: String,
    /// Where it stands, in words.
    pub standing: String,
    /// When it was fetched, as people read it.
    pub at: Option<String>,
}

/// What the server keeps for these pages.
pub(crate) struct Owners {
    about: Option<About>,
    /// Apart from those of searches: a slow name server must not hold up who searches.
    turns: Turns,
}

/// Reports at once, those that wait, and how long one may take: a lookup may last some seconds.
const AT_ONCE: usize = 2;
const WAITING: usize = 8;
const PATIENCE: Duration = Duration::from_secs(12);

impl Owners {
    pub(crate) fn new(about: Option<About>) -> Self {
        Self { about, turns: Turns::new(AT_ONCE, WAITING, PATIENCE) }
    }
}

/// What both pages have.
struct Frame<'a> {
    name: &'a str,
    about: &'a About,
}

impl Frame<'_> {
    fn style(&self) -> &'static str {
        &files::STYLE_PATH
    }

    fn icon(&self) -> &'static str {
        assets::ICON_PATH
    }

    fn seconds(&self) -> String {
        self.about.delay.as_secs_f64().to_string()
    }

    /// Returns where a link to the contact leads; only pages and mail addresses are linked.
    fn contact_href(&self) -> Option<String> {
        let contact = self.about.contact.as_deref()?;
        let is_page = contact.starts_with("https://") || contact.starts_with("http://");
        match (is_page, contact.contains('@')) {
            (true, _) => Some(contact.to_owned()),
            (false, true) => Some(format!("mailto:{contact}")),
            (false, false) => None,
        }
    }
}

#[derive(Template)]
#[template(path = "owner.html")]
struct AboutPage<'a> {
    frame: Frame<'a>,
}

#[derive(Template)]
#[template(path = "owner_host.html")]
struct HostPage<'a> {
    frame: Frame<'a>,
    host: String,
    key: String,
    proof: String,
    /// Whether the asker came back with a key.
    is_back: bool,
    report: Option<OwnerReport>,
    /// The address that was asked for.
    url: String,
}

/// `GET /about-crawler`
pub(crate) async fn about(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let shown = match &app.owners.about {
        Some(about) => respond(&AboutPage { frame: Frame { name: &app.options.title, about } }),
        None => Err(Problem::not_found()),
    };
    shown.unwrap_or_else(|problem| refuse(&app, &headers, &uri, &problem))
}

/// `GET /about-crawler/host?host=…&key=…&url=…`
pub(crate) async fn host(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let shown = answer(&app, &uri).await;
    shown.unwrap_or_else(|problem| refuse(&app, &headers, &uri, &problem))
}

fn refuse(app: &App, headers: &HeaderMap, uri: &Uri, problem: &Problem) -> Response<Body> {
    page::refuse(app, &Visit::new(headers, uri.query()), problem)
}

async fn answer(app: &App, uri: &Uri) -> Result<Response<Body>, Problem> {
    let about = app.owners.about.as_ref().ok_or_else(Problem::not_found)?;
    let [host, key, url] = pairs(uri.query(), ["host", "key", "url"])?;
    let host = host.unwrap_or_default();
    let host = Host::parse(host.trim()).ok_or_else(|| {
        Problem::bad_request("host", "write the name of a host, such as `www.example.org`")
    })?;
    let (key, is_back) = match key.filter(|key| !key.is_empty()) {
        Some(key) if is_key(&key) => (key, true),
        Some(_) => return Err(Problem::bad_request("key", "this is not a key of ours")),
        None => (new_key()?, false),
    };
    let urls = addresses(url.as_deref().unwrap_or_default().trim(), &host)?;
    // What they are shown that they have asked for, unless the report says better.
    let asked = urls.first().cloned();
    let proof = proof(host.as_str(), &key);
    let report = match is_back {
        true => {
            let (tell, host, proof) = (about.report.clone(), host.to_string(), proof.clone());
            let question = OwnerQuestion { host, proof, urls };
            let told = app.owners.turns.run(move || tell(&question)).await?;
            told.map_err(|Refusal(reason)| {
                error!(reason, "no report for a site owner");
                let detail = "this cannot be told just now; try again later";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no-report", detail)
            })?
        }
        false => None,
    };
    let frame = Frame { name: &app.options.title, about };
    let told = report.as_ref().and_then(|report| report.url.clone());
    let url = told.or(asked).map_or(String::new(), |url| url.to_string());
    respond(&HostPage { frame, host: host.to_string(), key, proof, is_back, report, url })
}

/// Reads an address of a host; a path alone is one under each scheme, the likelier first.
fn addresses(text: &str, host: &Host) -> Result<Vec<Url>, Problem> {
    let wholes = match text {
        "" => Vec::new(),
        path if path.starts_with('/') => {
            ["https", "http"].map(|scheme| format!("{scheme}://{host}{path}")).to_vec()
        }
        whole => vec![whole.to_owned()],
    };
    let parse = |whole: &String| Url::parse(whole).ok().filter(|url| url.host() == *host);
    let urls: Option<Vec<Url>> = wholes.iter().map(parse).collect();
    urls.ok_or_else(|| {
        Problem::bad_request("url", "write an address of this host, such as `/page`")
    })
}

/// Returns what stands in the robots.txt of a host for whoever has this key.
fn proof(host: &str, key: &str) -> String {
    let mut hash = Sha256::new();
    for part in ["lookfar-verify", host, key] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hex(&hash.finalize()[..16])
}

fn new_key() -> Result<String, Problem> {
    random::<16>().map(|bytes| hex(&bytes)).ok_or_else(Problem::internal)
}

fn is_key(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn respond(page: &impl Template) -> Result<Response<Body>, Problem> {
    let html = page.render().map_err(|error| {
        error!(%error, "cannot write a page");
        Problem::internal()
    })?;
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // Keys stand in these pages.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_of_one_host_and_one_key_and_hides_the_key() {
        let key = new_key().unwrap();
        assert!(is_key(&key) && key != new_key().unwrap());
        let mine = proof("a.example", &key);
        assert_eq!(mine, proof("a.example", &key));
        assert_eq!(mine.len(), 32);
        assert_ne!(mine, proof("b.example", &key));
        assert_ne!(mine, proof("a.example", &new_key().unwrap()));
        assert!(!mine.contains(&key));
        // Owners have published it: it stays as it is.
        let published = proof("a.example", "00112233445566778899aabbccddeeff");
        assert_eq!(published, "9094019060304fbfa5c2e9f4dc1da73e");
        for bad in ["", "x", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
