//! Pictures of results, handed out as our own: no site in a list learns who is looking (WEB-25).
//!
//! This is no open proxy. An address is fetched only if it comes with a seal, and only our page of
//! pictures makes seals, for what stored pages name. Who fetches is the crawl, behind
//! [`PictureFn`]: this crate opens no connections. What comes back is handed out as pixels, or not
//! at all.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode, Uri};
use base::Url;

use crate::app::App;
use crate::params::pairs;
use crate::problem::Problem;
use crate::secret::Seal;
use crate::view::encode;

/// Where pictures are.
pub(crate) const PATH: &str = "/picture";

/// Fetches a picture that a stored page names, or says that there is none.
pub type PictureFn = Arc<dyn Fn(Url) -> Pin<Box<dyn Future<Output = Shown> + Send>> + Send + Sync>;

/// What came of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its type, one of [`Shown::KINDS`], and its bytes.
    Picture(&'static str, Arc<[u8]>),
    /// None just now; it is worth asking again.
    Later,
    /// None.
    Nothing,
}

impl Shown {
    /// What is handed out: formats that hold pixels and nothing that runs.
    pub const KINDS: [&'static str; 5] =
        ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
}

/// What the server keeps for pictures.
pub(crate) struct Showing {
    fetch: PictureFn,
    /// A link to a picture lives as long as the process.
    seal: Seal,
}

impl Showing {
    /// Shows what `fetch` brings; nothing on a system without random numbers.
    pub(crate) fn new(fetch: PictureFn) -> Option<Self> {
        Seal::new().map(|seal| Self { fetch, seal })
    }

    /// Returns where a picture is found here.
    pub(crate) fn path(&self, url: &Url) -> String {
        format!("{PATH}?u={}&k={}", encode(url.as_str()), self.seal.of(url.as_str()))
    }
}

/// `GET /picture?u=…&k=…`
pub(crate) async fn show(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    answer(&app, &uri).await.unwrap_or_else(|problem| {
        // Nobody reads it: the browser leaves the shape as it is.
        let mut response = problem.respond("text/plain; charset=utf-8", problem.detail.clone());
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    })
}

async fn answer(app: &App, uri: &Uri) -> Result<Response<Body>, Problem> {
    let showing = app.pictures_shown.as_ref().ok_or_else(Problem::not_found)?;
    let [url, seal] = pairs(uri.query(), ["u", "k"])?;
    let (url, seal) = (url.unwrap_or_default(), seal.unwrap_or_default());
    if !showing.seal.is_of(&url, &seal) {
        return Err(Problem::not_found());
    }
    let url = Url::parse_with(&url, base::Rules::NONE).map_err(|_| Problem::not_found())?;
    let (kind, bytes) = match (showing.fetch)(url).await {
        Shown::Picture(kind, bytes) if Shown::KINDS.contains(&kind) => (kind, bytes),
        Shown::Picture(..) | Shown::Nothing => return Err(Problem::not_found()),
        Shown::Later => {
            let detail = "the picture cannot be had just now";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail));
        }
    };
    let mut response = Response::new(Body::from(bytes.to_vec()));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=86400"),
        // Opened by itself it is an origin of its own that may do nothing.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox; frame-ancestors 'none'"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_25_seals_are_of_one_address_and_one_process() {
        let showing = || Showing::new(Arc::new(|_| Box::pin(async { Shown::Nothing }))).unwrap();
        let (one, other) = (showing(), showing());
        let url = Url::parse("http://a.example/cat.png?a=b&c").unwrap();
        let path = one.path(&url);
        let seal = path.rsplit('=').next().unwrap();
        assert!(path.starts_with("/picture?u=http://a.example/cat.png%3Fa%3Db%26c&k="));
        assert_eq!(seal.len(), 32);
        assert!(one.seal.is_of(url.as_str(), seal));
        assert!(!other.seal.is_of(url.as_str(), seal));
        for bad in ["", &seal[1..], &"0".repeat(32), &format!("{seal}0")] {
            assert!(!one.seal.is_of(url.as_str(), bad), "{bad}");
        }
        assert!(!one.seal.is_of("http://a.example/cat.png?a=b&d", seal));
    }
}
