//! The hosts of the demo web while they are filled, and how they answer.

use std::collections::{BTreeMap, HashMap};

use crate::site::{Answer, Pace, Request, Site};

use super::media;
use super::page::{Look, Page};

/// What a page of the demo web is to a search engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A page worth finding.
    Good,
    /// Made to mislead: farm, stuffing, hidden text.
    Spam,
    /// One of endlessly many.
    Trap,
    /// The same as another page, or nearly.
    Copy,
    /// A redirect or an error.
    Fault,
    /// Must not be fetched, indexed or reached: robots.txt, noindex, nofollow.
    Barred,
    /// Not an HTML page: robots.txt, sitemap, picture, PDF.
    File,
}

/// One address of a host.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    pub(super) kind: Kind,
    pub(super) answer: Answer,
    /// The address that this one copies.
    pub(super) copy_of: Option<String>,
}

/// Answers what no stored address does, such as the months of a calendar.
pub(super) type Dynamic = Box<dyn Fn(&Request<'_>) -> Option<Answer> + Send + Sync>;

/// One host of the demo web.
pub(super) struct DemoHost {
    name: String,
    look: Look,
    resources: BTreeMap<String, Resource>,
    dynamic: Option<Dynamic>,
}

impl DemoHost {
    /// Returns a host without pages.
    pub(super) fn new(name: &str, look: Look) -> Self {
        Self { name: name.to_owned(), look, resources: BTreeMap::new(), dynamic: None }
    }

    /// Returns the dress of the host's pages.
    pub(super) fn look(&self) -> &Look {
        &self.look
    }

    /// Returns the address of a path on this host.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.name)
    }

    /// Adds a page in the host's dress.
    pub(super) fn page(&mut self, path: &str, kind: Kind, page: &Page) {
        let html = self.look.render(page);
        self.put(path, kind, Answer::html(html));
    }

    /// Adds any answer.
    ///
    /// # Panics
    /// When the path is taken: two pages of ours must not shadow each other.
    pub(super) fn put(&mut self, path: &str, kind: Kind, answer: Answer) {
        let resource = Resource { kind, answer, copy_of: None };
        let before = self.resources.insert(path.to_owned(), resource);
        assert!(before.is_none(), "`{}{path}` is written twice", self.name);
    }

    /// Adds an answer that repeats the page at `original`, word by word or nearly.
    pub(super) fn put_copy(&mut self, path: &str, original: &str, answer: Answer) {
        self.put(path, Kind::Copy, answer);
        if let Some(resource) = self.resources.get_mut(path) {
            resource.copy_of = Some(original.to_owned());
        }
    }

    /// Changes a stored answer.
    ///
    /// # Panics
    /// When the path is unknown: it is one of our own constants.
    pub(super) fn edit(&mut self, path: &str, change: impl FnOnce(&mut Answer)) {
        let resource = self.resources.get_mut(path).expect("edited paths are stored");
        change(&mut resource.answer);
    }

    /// Answers everything else that this host knows.
    pub(super) fn set_dynamic(&mut self, dynamic: Dynamic) {
        self.dynamic = Some(dynamic);
    }

    /// Returns what is stored under a path.
    pub(super) fn resource(&self, path: &str) -> Option<&Resource> {
        self.resources.get(path)
    }

    /// Returns every stored path with its resource.
    pub(super) fn resources(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources.iter().map(|(path, resource)| (path.as_str(), resource))
    }

    /// Adds robots.txt (with the sitemap's address if there is one).
    pub(super) fn robots(&mut self, rules: &str) {
        self.put("/robots.txt", Kind::File, Answer::ok("text/plain; charset=utf-8", rules));
    }

    /// Adds a sitemap of the good pages so far.
    pub(super) fn sitemap(&mut self) {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        for (path, resource) in &self.resources {
            if resource.kind == Kind::Good {
                let url = self.url(path).replace('&', "&amp;");
                xml.push_str(&format!("  <url><loc>{url}</loc></url>\n"));
            }
        }
        xml.push_str("</urlset>\n");
        self.put("/sitemap.xml", Kind::File, Answer::ok("application/xml", xml));
    }

    fn missing(&self) -> Answer {
        let page = Page {
            title: "Page not found".to_owned(),
            main: "<p>There is no page at this address. Perhaps it moved; the <a href=\"/\">front \
                   page</a> leads on.</p>"
                .to_owned(),
            ..Page::default()
        };
        Answer { status: 404, ..Answer::html(self.look.render(&page)) }
    }
}

impl Site for DemoHost {
    fn host(&self) -> &str {
        &self.name
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let exact = self.resources.get(request.target);
        if let Some(answer) = self.dynamic.as_ref().and_then(|dynamic| dynamic(request)) {
            return answer;
        }
        // A static page does not care about parameters it does not know, as most servers.
        if let Some(resource) = exact.or_else(|| self.resources.get(request.path())) {
            return fresh(&resource.answer, request);
        }
        match media::picture(request.path(), self.look.hue) {
            Some(svg) => Answer::ok("image/svg+xml", svg),
            None => self.missing(),
        }
    }
}

/// Returns the answer, or 304 when the visitor holds it already.
fn fresh(answer: &Answer, request: &Request<'_>) -> Answer {
    if answer.status != 200 {
        return answer.clone();
    }
    let tag = format!("\"{:016x}\"", hash(&[&answer.body]));
    if request.header("if-none-match") == Some(tag.as_str()) {
        let headers = vec![("ETag".to_owned(), tag)];
        return Answer { status: 304, headers, body: Vec::new(), pace: Pace::default() };
    }
    answer.clone().with_header("ETag", &tag)
}

/// All hosts, by name.
#[derive(Default)]
pub(super) struct World {
    hosts: HashMap<String, DemoHost>,
    order: Vec<String>,
}

impl World {
    /// Adds a finished host.
    pub(super) fn push(&mut self, host: DemoHost) {
        self.order.push(host.name.clone());
        let before = self.hosts.insert(host.name.clone(), host);
        assert!(before.is_none(), "host `{}` is built twice", self.order[self.order.len() - 1]);
    }

    /// Returns a host by name.
    ///
    /// # Panics
    /// When there is none: the names are our own constants.
    pub(super) fn host(&self, name: &str) -> &DemoHost {
        self.hosts.get(name).unwrap_or_else(|| panic!("no demo host `{name}`"))
    }

    /// Returns a host by name, to add to it.
    ///
    /// # Panics
    /// As [`Self::host`].
    pub(super) fn host_mut(&mut self, name: &str) -> &mut DemoHost {
        self.hosts.get_mut(name).unwrap_or_else(|| panic!("no demo host `{name}`"))
    }

    /// Returns the hosts in the order they were added.
    pub(super) fn hosts(&self) -> impl Iterator<Item = &DemoHost> {
        self.order.iter().map(|name| self.host(name))
    }

    /// Returns the hosts as sites.
    pub(super) fn into_sites(mut self) -> Vec<Box<dyn Site>> {
        let order = std::mem::take(&mut self.order);
        order
            .iter()
            .filter_map(|name| self.hosts.remove(name))
            .map(|host| Box::new(host) as Box<dyn Site>)
            .collect()
    }
}

/// Returns a hash of several byte strings that never changes (FNV-1a, then mixed).
pub(super) fn hash(parts: &[&[u8]]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.iter().chain(&[0xff]) {
            state = (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let mixed = (state ^ (state >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}
