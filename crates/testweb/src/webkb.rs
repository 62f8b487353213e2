//! WebKB, the university web of 1997, served as the hosts it had.
//!
//! The pack is a folder with `webkb-manifest.tsv` (a URL, a tab, a file below the folder) and
//! saved files that begin with the header fields of their time:
//!
//! ```text
//! Date: Mon, 17 Feb 1997 20:58:38 GMT
//! Last-modified: Sat, 17 Feb 1996 01:23:28 GMT
//! Content-type: text/html
//!
//! <HTML>…
//! ```
//!
//! Its 614 spellings of host and port (`GiST.CS.Berkeley.EDU:8000`) are 588 names. All ports
//! of a name are served as one host; where a path differs by port, the `Host` field decides.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::folder::percent_decode;
use crate::{Answer, Error, Request, Site};

/// The list of pages in the pack's folder.
const MANIFEST: &str = "webkb-manifest.tsv";

/// Largest saved page served.
const MAX_PAGE: u64 = 16 * 1024 * 1024;

/// Header fields of the saved page that are sent again.
const KEPT: [&str; 4] = ["content-type", "last-modified", "location", "server"];

/// The WebKB pack, opened.
pub struct WebKb {
    hosts: BTreeMap<String, Pages>,
    num_pages: usize,
}

/// Pages of one host: decoded path and query, then port, to the saved file.
type Pages = BTreeMap<String, BTreeMap<u16, PathBuf>>;

struct Department {
    host: String,
    pages: Pages,
}

impl WebKb {
    /// Reads the manifest of the pack in `folder`; pages are read when they are asked for.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path)
            .map_err(|source| Error::Read { path: path.clone(), source })?;
        let mut hosts: BTreeMap<String, Pages> = BTreeMap::new();
        let mut num_pages = 0;
        for (i, line) in text.lines().enumerate() {
            let (address, file) = parse_line(line)
                .ok_or_else(|| Error::Manifest { path: path.clone(), line: i + 1 })?;
            let pages = hosts.entry(address.host).or_default();
            let by_port = pages.entry(address.target).or_default();
            num_pages += usize::from(by_port.insert(address.port, folder.join(file)).is_none());
        }
        Ok(Self { hosts, num_pages })
    }

    /// Returns how many hosts there are.
    pub fn num_hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Returns how many pages there are, under different host, port, path and query.
    pub fn num_pages(&self) -> usize {
        self.num_pages
    }

    /// Returns the hosts as sites.
    pub fn sites(self) -> Vec<Box<dyn Site>> {
        let site = |(host, pages)| Box::new(Department { host, pages }) as Box<dyn Site>;
        self.hosts.into_iter().map(site).collect()
    }
}

impl Department {
    /// Returns the saved file of a path on a port, or on another port of the same host.
    fn find(&self, target: &str, port: u16) -> Option<&Path> {
        let by_port = self.pages.get(target)?;
        let file = by_port.get(&port).or_else(|| by_port.get(&80));
        file.or_else(|| by_port.values().next()).map(PathBuf::as_path)
    }
}

impl Site for Department {
    fn host(&self) -> &str {
        &self.host
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let Some(target) = percent_decode(request.target) else { return Answer::not_found() };
        let port = request.header("host").and_then(|host| host.rsplit_once(':'));
        let port = port.and_then(|(_, port)| port.parse().ok()).unwrap_or(80);
        if let Some(file) = self.find(&target, port) {
            return saved(file);
        }
        // As the servers of the time did: a folder stands for its index page, and is sent
        // back with its slash.
        let index = ["index.html", "home.html", "Welcome.html"];
        let inside = |folder: &str| {
            index.iter().find_map(|name| self.find(&format!("{folder}{name}"), port))
        };
        if target.ends_with('/') {
            return inside(&target).map_or_else(Answer::not_found, saved);
        }
        let with_slash = format!("{target}/");
        if self.find(&with_slash, port).is_some() || inside(&with_slash).is_some() {
            return Answer::redirect(301, &format!("{}/", request.target));
        }
        Answer::not_found()
    }
}

struct Address {
    host: String,
    port: u16,
    target: String,
}

fn parse_line(line: &str) -> Option<(Address, &Path)> {
    let (url, file) = line.split_once('\t')?;
    let file = Path::new(file);
    if !file.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    // Two URLs end in a private-use character that stood for a line break when the pack was
    // made; what follows a `#` never reached a server.
    let url = url.trim_end_matches('\u{f00d}').split('#').next()?;
    let rest = url.strip_prefix("http://")?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let port = if port.is_empty() { 80 } else { port.parse().ok()? };
    let path = if path.is_empty() { "/" } else { path };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    Some((Address { host, port, target: percent_decode(path)? }, file))
}

/// Returns a saved page as the answer it once was.
fn saved(file: &Path) -> Answer {
    let fits = fs::metadata(file).is_ok_and(|about| about.len() <= MAX_PAGE);
    let Some(bytes) = fits.then(|| fs::read(file).ok()).flatten() else {
        return Answer::status(500, "text/plain", "the saved page cannot be read\n");
    };
    let (fields, body) = split_head(&bytes);
    // The tool that made the pack saved redirects as pages.
    let moved = fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("location"));
    let typed = fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let mut answer = Answer::html(body);
    answer.status = if moved { 301 } else { 200 };
    answer.headers = fields;
    if typed { answer } else { answer.with_header("Content-Type", "text/html") }
}

/// Splits a saved page into the fields worth sending and the body. Pages saved without fields
/// (there are two) begin with their markup.
fn split_head(bytes: &[u8]) -> (Vec<(String, String)>, &[u8]) {
    let mut fields = Vec::new();
    let mut rest = bytes;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).trim_end_matches('\r').to_owned();
        if line.is_empty() {
            return (fields, &rest[end + 1..]);
        }
        let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with('<')) else {
            break;
        };
        if KEPT.iter().any(|kept| name.eq_ignore_ascii_case(kept)) {
            let value: String = value.trim().chars().filter(|c| !c.is_control()).collect();
            fields.push((name.to_owned(), value));
        }
        rest = &rest[end + 1..];
    }
    if fields.is_empty() { (fields, bytes) } else { (fields, rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, u16, &str)>) {
        let parsed = parse_line(line).map(|(address, _)| address);
        let parsed = parsed.as_ref().map(|a| (a.host.as_str(), a.port, a.target.as_str()));
        assert_eq!(parsed, expected, "{line}");
    }

    #[test]
    fn manifest_lines_are_read_with_their_oddities() {
        check("http://GiST.CS.edu:8000/a/b\tx/y", Some(("gist.cs.edu", 8000, "/a/b")));
        check("http://www.cs.cmu.edu:/\tx", Some(("www.cs.cmu.edu", 80, "/")));
        check("http://a.edu/%7Ejosh/\u{f00d}\tx", Some(("a.edu", 80, "/~josh/")));
        check("http://a.edu/x.html#news\tx", Some(("a.edu", 80, "/x.html")));
        check("http://a.edu.\tx", Some(("a.edu", 80, "/")));
        check("http://a.edu\tx", Some(("a.edu", 80, "/")));
        check("http://a.edu/\t../x", None);
        check("http://a.edu/\t/etc/passwd", None);
        check("no tab", None);
    }

    #[test]
    fn saved_heads_are_split_from_bodies() {
        let (fields, body) = split_head(b"Date: x\r\nContent-type: text/html\r\n\r\n<p>a: b");
        assert_eq!(fields, [("Content-type".to_owned(), "text/html".to_owned())]);
        assert_eq!(body, b"<p>a: b");
        assert_eq!(split_head(b"<HTML>\n<a href=http://x>\n\ntext").1[..6], *b"<HTML>");
        assert_eq!(split_head(b"").1, b"");
    }
}
