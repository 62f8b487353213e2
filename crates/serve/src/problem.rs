//! What we say when we cannot answer: one value, shown as JSON (RFC 9457) or as a page.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use serde::Serialize;
use tracing::error;
use utoipa::ToSchema;

use crate::fault::Fault;

/// What the `type` of every problem begins with; the code follows. It leads to the page about the
/// interface, which every copy of this program has at its own address.
const TYPE: &str = "/api#problem-";

/// The codes of problems and what they mean, for the page about the interface.
pub(crate) const CODES: [(&str, u16, &str); 21] = [
    ("parameter", 400, "A parameter is missing, given twice, or has a value that it cannot have."),
    ("encoding", 400, "A parameter is not percent-encoded UTF-8."),
    ("offset", 400, "The window lies behind what can be reached."),
    ("query-too-long", 400, "The query has more bytes than are read."),
    ("query", 400, "The query has too many words or groups, or names a topic that is not known."),
    ("head", 400, "The request has a line, a method or an address that cannot be read."),
    ("host", 400, "The request names no host, or two."),
    ("body", 400, "The body did not arrive whole, or is not what was expected."),
    ("origin", 403, "A page of another site made the request."),
    ("not-found", 404, "There is nothing at this address, or nothing is known of the page."),
    ("noarchive", 404, "The page asks that no copy of it be shown."),
    ("gone", 404, "The copy of the page cannot be read any more."),
    ("method-not-allowed", 405, "The address does not take this method."),
    ("body-too-slow", 408, "The body did not arrive in time."),
    ("length-required", 411, "A body must say its length."),
    ("body-too-large", 413, "The body is larger than is read."),
    ("body-type", 415, "The body is of a type that is not read here."),
    ("unknown-host", 421, "The name asked for may be a stranger's: `serve.url` is not set."),
    ("too-many-requests", 429, "Too many requests came from one address; `Retry-After` says when."),
    ("internal", 500, "Something failed on our side; the server's log says what."),
    ("busy", 503, "Too much is going on, or what was asked is not ready; `Retry-After` says when."),
];

/// Why there is no answer, in words for the person who asked. It names no path, version or
/// cause of ours: those go to the log (WEB-20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// Short and stable, for programs.
    pub(crate) code: &'static str,
    pub(crate) detail: String,
    /// What is wrong with a parameter, for the page to say in other languages.
    pub(crate) fault: Option<Fault>,
    /// When to come back, in seconds; 0 if that would not help.
    pub(crate) retry_after: u32,
}

/// Why there is no answer (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemJson<'a> {
    /// Names the kind of problem, and leads to what it means.
    #[schema(example = "/api#problem-parameter")]
    r#type: String,
    /// What the status means.
    #[schema(example = "Bad Request")]
    title: &'a str,
    /// The HTTP status.
    #[schema(example = 400, minimum = 400, maximum = 599)]
    status: u16,
    /// The last part of `type`, for programs.
    #[schema(example = "parameter")]
    code: &'a str,
    /// What is wrong, for the person who asked.
    #[schema(example = "`offset` must be a whole number from 0")]
    detail: &'a str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let is_listed = |(known, its, _): &(&str, u16, &str)| *known != code || *its == status;
        debug_assert!(CODES.iter().all(is_listed), "`{code}` has another status than {status}");
        let retry_after = u32::from(status == StatusCode::SERVICE_UNAVAILABLE);
        Self { status, code, detail: detail.into(), fault: None, retry_after }
    }

    pub(crate) fn bad_request(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
    }

    pub(crate) fn method_not_allowed() -> Self {
        let detail = "this address does not take this method; `Allow` says which it does";
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

    pub(crate) fn too_many(retry_after: u32) -> Self {
        let detail = "too many requests came from your address; slow down a little";
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail);
        Self { retry_after: retry_after.max(1), ..problem }
    }

    pub(crate) fn missing(name: &str) -> Self {
        Self::wrong(Fault::Missing { name: name.to_owned() })
    }

    /// A parameter is wrong.
    pub(crate) fn wrong(fault: Fault) -> Self {
        let code = match &fault {
            Fault::Encoding { .. } => "encoding",
            Fault::Offset { .. } => "offset",
            _ => "parameter",
        };
        let detail = fault.to_string();
        Self { fault: Some(fault), ..Self::bad_request(code, detail) }
    }

    /// Tells what `rank` did not answer: what is wrong with the question to the person who asks,
    /// what is wrong with us to the log.
    pub(crate) fn of(error: &rank::Error) -> Self {
        match error {
            rank::Error::NotNow { what } => {
                let detail = format!("{what}; try again later");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
            }
            error if error.is_bad_request() => Self::bad_request("query", error.to_string()),
            error => {
                error!(error = error as &dyn std::error::Error, "search failed");
                Self::internal()
            }
        }
    }

    /// Returns what the status means, in the words of HTTP.
    pub(crate) fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Error")
    }

    /// Returns the JSON form as a response.
    pub(crate) fn json(&self) -> Response<Body> {
        self.respond("application/problem+json", self.text())
    }

    /// Returns the JSON form.
    pub(crate) fn text(&self) -> String {
        let (title, status) = (self.title(), self.status.as_u16());
        let r#type = format!("{TYPE}{}", self.code);
        let json = ProblemJson { r#type, title, status, code: self.code, detail: &self.detail };
        serde_json::to_string(&json).expect("plain strings and a number")
    }

    /// Puts a body of the given type under this problem's status.
    pub(crate) fn respond(&self, content_type: &'static str, body: String) -> Response<Body> {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.retry_after > 0 {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(self.retry_after));
        }
        response
    }
}
