//! From a request to a response: what every request must be, and what every response carries.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, Request, Response, StatusCode};
use hyper::body::{Body as _, Incoming};
use tower::ServiceExt as _;
use tracing::trace;

use crate::app::App;
use crate::full::Full;
use crate::listen::Peer;
use crate::problem::Problem;
use crate::rate::Buckets;
use crate::tongue::Tongue;
use crate::visit::Visit;
use crate::{Limits, Rate, mcp, metrics, page, routes, squeeze};

/// On every response, errors included (WEB-05). Frames, scripts in pages and anything from
/// elsewhere are off; styles, scripts and pictures are files of ours; what was searched for stays
/// here.
const HARDENING: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
         img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Answers requests; cheap to clone.
#[derive(Clone)]
pub(crate) struct Answerer {
    app: Arc<App>,
    router: Router,
    limits: Limits,
    buckets: Option<Arc<Buckets>>,
    full: Arc<Full>,
}

impl Answerer {
    /// Puts the routes in place.
    pub(crate) fn new(app: App) -> Self {
        let limits = app.options.limits;
        let app = Arc::new(app);
        let buckets = Buckets::new(limits.rate).map(Arc::new);
        let full = Arc::default();
        Self { router: routes::router(app.clone()), app, limits, buckets, full }
    }

    /// Returns the response to one request.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let method = request.method().clone();
        let uri = request.uri().clone();
        let tongue = Tongue::accepted(request.headers()).unwrap_or_default();
        let is_packed = squeeze::is_taken(&method, request.headers());
        let checked = self.take(&request).and_then(|()| check_head(&request, self.limits));
        if checked.is_ok() && is_gated(uri.path()) && self.app.gate.is_full() {
            return self.refuse(uri.path(), tongue).await;
        }
        let admitted = match checked {
            Ok(()) => read_body(request, self.limits).await,
            Err(problem) => Err(problem),
        };
        let mut response = match admitted {
            Ok(request) => {
                self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {})
            }
            Err(problem) => self.app.refuse(&problem, uri.path(), &Visit::in_tongue(tongue)),
        };
        // Strangers write the path: debug formatting escapes it. The query is nobody's business.
        trace!(%method, path = ?base::limits::cut(uri.path(), 200), status = %response.status(), "answered");
        self.app.metrics.answered(response.status());
        harden(&mut response);
        if is_packed { squeeze::squeezed(response).await } else { response }
    }

    /// Sends somebody away who asks for a search, without reading which.
    async fn refuse(&self, path: &str, tongue: Tongue) -> Response<Body> {
        self.app.metrics.searched(Duration::ZERO, Err(&Problem::busy()));
        self.app.metrics.answered(StatusCode::SERVICE_UNAVAILABLE);
        self.full.answer(&self.app, path, tongue).await
    }

    /// Takes a request out of the bucket of who asks (WEB-16).
    fn take(&self, request: &Request<Incoming>) -> Result<(), Problem> {
        let Some(buckets) = &self.buckets else { return Ok(()) };
        let peer = request.extensions().get::<Peer>().copied().unwrap_or_default();
        match peer.network(request.headers(), &self.app.proxies) {
            Some(network) => {
                let count = if searches(request.uri().path()) { Rate::SEARCH } else { 1 };
                buckets.take(network, count, Instant::now()).map_err(Problem::too_many)
            }
            None => Ok(()),
        }
    }
}

/// Returns whether a path asks the searcher, which costs far more than anything else.
fn searches(path: &str) -> bool {
    const CHEAP: [&str; 2] = ["/api/v1/suggest", "/api/v1/status"];
    path.starts_with("/search")
        || path.starts_with("/cache")
        || path == page::PICTURES_PATH
        || path == page::HUBS_PATH
        || path == mcp::PATH
        || path == metrics::READY_PATH
        || path.starts_with("/api/v1/") && !CHEAP.contains(&path)
}

/// Returns whether a path has nothing to say without the searcher. Assistants are told in the words
/// of their protocol, and a monitor in its own.
fn is_gated(path: &str) -> bool {
    searches(path) && path != mcp::PATH && path != metrics::READY_PATH
}

/// Refuses a request whose head is ambiguous, or announces too large a body.
fn check_head(request: &Request<Incoming>, limits: Limits) -> Result<(), Problem> {
    let headers = request.headers();
    if headers.get_all(header::HOST).iter().count() != 1 {
        return Err(Problem::bad_request("host", "a request names one `Host`"));
    }
    // What is not one of the usual methods, or has no path, is not meant for us (WEB-18).
    let is_usual = |method: &Method| {
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE]
            .contains(method)
    };
    if !is_usual(request.method()) || !request.uri().path().starts_with('/') {
        return Err(Problem::method_not_allowed());
    }
    // Two ways of giving a length are the stuff that request smuggling is made of (WEB-18).
    // Nothing we offer needs a body of unknown length, so only one way remains.
    if headers.contains_key(header::TRANSFER_ENCODING) {
        let detail = "a body must come with a `Content-Length`";
        return Err(Problem::new(StatusCode::LENGTH_REQUIRED, "length-required", detail));
    }
    if request.body().size_hint().lower() > limits.body_bytes as u64 {
        let detail = format!("a body may have at most {} bytes", limits.body_bytes);
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body-too-large", detail));
    }
    Ok(())
}

/// Lets a request in whose body arrives whole and in time.
async fn read_body(request: Request<Incoming>, limits: Limits) -> Result<Request<Body>, Problem> {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let all = to_bytes(Body::new(body), limits.body_bytes);
    match tokio::time::timeout(limits.body, all).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(Problem::bad_request("body", "the body did not arrive whole")),
        Err(_) => {
            let detail = "the body did not arrive in time";
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body-too-slow", detail))
        }
    }
}

/// Puts on a response what every one carries.
pub(crate) fn harden(response: &mut Response<Body>) {
    let status = response.status();
    let headers = response.headers_mut();
    for (name, value) in HARDENING {
        // Copies of pages bring a policy that allows even less.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // The router knows what a path allows; requests refused before it get what all paths allow.
    if status == StatusCode::METHOD_NOT_ALLOWED && !headers.contains_key(header::ALLOW) {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    }
    if closes(status) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// Returns whether the other side has shown that its next request is not worth waiting for, or
/// may have left bytes on the line that are not a request. Who is told to come back later (503) keeps
/// the connection: opening another one would cost us more than the refusal.
fn closes(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::METHOD_NOT_ALLOWED
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::LENGTH_REQUIRED
            | StatusCode::PAYLOAD_TOO_LARGE
    )
}
