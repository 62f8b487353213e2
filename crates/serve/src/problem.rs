//! What we say when we cannot answer: one value, shown as JSON (RFC 9457) or as a page.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use serde::Serialize;

/// Why there is no answer, in words for the person who asked. It names no path, version or
/// cause of ours: those go to the log (WEB-20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// Short and stable, for programs.
    pub(crate) code: &'static str,
    pub(crate) detail: String,
}

/// The JSON form. `type` is left out: RFC 9457 reads that as "the status says it all".
#[derive(Serialize)]
struct ProblemJson<'a> {
    title: &'a str,
    status: u16,
    code: &'a str,
    detail: &'a str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into() }
    }

    pub(crate) fn bad_request(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
    }

    pub(crate) fn method_not_allowed() -> Self {
        let detail = "this address can only be read (GET, HEAD)";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", detail)
    }

    pub(crate) fn busy() -> Self {
        let detail = "too many searches are running; try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
    }

    pub(crate) fn internal() -> Self {
        let detail = "the search failed on our side; the server's log says why";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    /// Returns what the status means, in the words of HTTP.
    pub(crate) fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Error")
    }

    /// Returns the JSON form as a response.
    pub(crate) fn json(&self) -> Response<Body> {
        let (title, status) = (self.title(), self.status.as_u16());
        let json = ProblemJson { title, status, code: self.code, detail: &self.detail };
        let text = serde_json::to_string(&json).expect("plain strings and a number");
        self.respond("application/problem+json", text)
    }

    /// Puts a body of the given type under this problem's status.
    pub(crate) fn respond(&self, content_type: &'static str, body: String) -> Response<Body> {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
