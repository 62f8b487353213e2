//! A folder of real files served as a host.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use time::OffsetDateTime;

use crate::respond::http_date;
use crate::{Answer, Error, Request, Site};

/// Largest file served; larger ones are answered with 500.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// Most entries listed for a folder without an index page.
const MAX_LISTED: usize = 10_000;

/// A host whose paths are files.
///
/// A folder answers with its `index.html` or `index.htm`, or with a list of what is in it.
/// Nothing outside the folder is served, not even through symbolic links.
pub struct Folder {
    host: String,
    root: PathBuf,
}

impl Folder {
    /// Returns a host that serves the files below `root`, which must be a folder.
    pub fn open(host: &str, root: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Read { path: root.to_owned(), source };
        let root = root.canonicalize().map_err(failed)?;
        fs::read_dir(&root).map_err(failed)?;
        Ok(Self { host: host.to_ascii_lowercase(), root })
    }

    /// Returns the file or folder of a path, or `None` where there is none that may be served.
    fn find(&self, path: &str) -> Option<PathBuf> {
        let decoded = percent_decode(path)?;
        let relative = Path::new(decoded.trim_start_matches('/'));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if decoded.contains(['\0', '\\']) || !relative.components().all(plain) {
            return None;
        }
        // Canonical, so that a link inside the folder cannot lead out of it.
        let found = self.root.join(relative).canonicalize().ok()?;
        found.starts_with(&self.root).then_some(found)
    }
}

impl Site for Folder {
    fn host(&self) -> &str {
        &self.host
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let path = request.path();
        let Some(found) = self.find(path) else { return Answer::not_found() };
        if !found.is_dir() {
            // `/page.html/` names no file.
            return if path.ends_with('/') { Answer::not_found() } else { file(&found) };
        }
        if !path.ends_with('/') {
            let query = request.query().map(|query| format!("?{query}")).unwrap_or_default();
            return Answer::redirect(301, &format!("{path}/{query}"));
        }
        let index = ["index.html", "index.htm"].map(|name| format!("{path}{name}"));
        match index.iter().find_map(|path| self.find(path)).filter(|found| found.is_file()) {
            Some(index) => file(&index),
            None => list(&found, path),
        }
    }
}

fn file(path: &Path) -> Answer {
    let Ok(about) = fs::metadata(path) else { return Answer::not_found() };
    if about.len() > MAX_FILE {
        return Answer::status(500, "text/plain", "this file is too large to serve\n");
    }
    let Ok(body) = fs::read(path) else { return Answer::not_found() };
    let answer = Answer::ok(content_type(path), body);
    let Ok(modified) = about.modified() else { return answer };
    answer.with_header("Last-Modified", &http_date(OffsetDateTime::from(round(modified))))
}

/// Returns a page with a link to each entry of a folder, in order.
fn list(folder: &Path, path: &str) -> Answer {
    let Ok(entries) = fs::read_dir(folder) else { return Answer::not_found() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let slash = if entry.path().is_dir() { "/" } else { "" };
            (!name.starts_with('.')).then(|| format!("{name}{slash}"))
        })
        .take(MAX_LISTED)
        .collect();
    names.sort();
    let title = escape(path);
    let mut html = format!("<!doctype html><title>{title}</title><h1>{title}</h1><ul>");
    for name in names {
        html.push_str(&format!("<li><a href=\"{}\">{}</a>", percent_encode(&name), escape(&name)));
    }
    html.push_str("</ul>");
    Answer::html(html)
}

/// Returns the content type by the ending of the name. HTML names no charset: the page's own
/// `meta` decides, as with most servers of static files.
fn content_type(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" => "text/html",
        "xhtml" => "application/xhtml+xml",
        "txt" | "md" | "rst" | "log" => "text/plain; charset=utf-8",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "xml" => "application/xml",
        "rss" => "application/rss+xml",
        "atom" => "application/atom+xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" => "application/gzip",
        "epub" => "application/epub+zip",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt" => "application/vnd.oasis.opendocument.text",
        "doc" => "application/msword",
        "woff2" => "font/woff2",
        "mp4" => "video/mp4",
        "mp3" => "audio/mpeg",
        _ => "application/octet-stream",
    }
}

/// Returns a path with its percent signs undone, or `None` if that is not UTF-8.
pub(crate) fn percent_decode(path: &str) -> Option<String> {
    percent_decode_str(path).decode_utf8().ok().map(Cow::into_owned)
}

fn percent_encode(name: &str) -> String {
    const ENCODED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
    utf8_percent_encode(name, ENCODED).to_string()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Returns a moment without its fraction of a second, which HTTP dates do not carry.
fn round(moment: SystemTime) -> SystemTime {
    let whole = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(whole)
}
