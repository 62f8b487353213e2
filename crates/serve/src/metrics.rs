//! Numbers for Prometheus at `/metrics`, and whether we can answer at `/readyz` (U6).
//!
//! Every series is written down here, with labels from fixed lists: nothing that a stranger sends
//! makes a new one (WEB-27). Names and units follow Prometheus' own rules; `docs/metrics.md` lists
//! them for people.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Response, StatusCode, Uri};

use crate::Status;
use crate::admin::Pulse;
use crate::app::App;
use crate::listen::Peer;
use crate::params::Params;
use crate::problem::Problem;
use crate::visit::Visit;

/// Upper ends of the classes of search times, in seconds; one more class has no end.
const SECONDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0];
/// Classes of status codes.
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// Front queues that are told apart; a crawl has 16.
const MOST_QUEUES: usize = 64;
/// Reasons that are told apart; a crawl has some fifty.
const MOST_REASONS: usize = 128;
/// Where monitors ask whether a search would be answered.
pub(crate) const READY_PATH: &str = "/readyz";
/// A query that finds something or nothing, but must be answered.
const PROBE: &str = "lookfar";

/// What the server counts of itself since it began.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    answers: [AtomicU64; CLASSES.len()],
    searches: [AtomicU64; SECONDS.len() + 1],
    search_micros: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    limited: AtomicU64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES.len());
        self.answers[class - 1].fetch_add(1, Ordering::Relaxed);
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.limited.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a search and how long it took, the waiting for its turn included.
    pub(crate) fn searched(&self, took: Duration, outcome: Result<(), &Problem>) {
        match outcome {
            Err(problem) if problem.status == StatusCode::SERVICE_UNAVAILABLE => {
                self.refused.fetch_add(1, Ordering::Relaxed);
            }
            Err(problem) if problem.status.is_server_error() => {
                self.failed.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {}
            Ok(()) => {
                let seconds = took.as_secs_f64();
                let class = SECONDS.iter().position(|end| seconds <= *end);
                self.searches[class.unwrap_or(SECONDS.len())].fetch_add(1, Ordering::Relaxed);
                let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                self.search_micros.fetch_add(micros, Ordering::Relaxed);
            }
        }
    }

    fn write(&self, out: &mut String) {
        head(out, "lookfar_http_responses_total", "counter", "Answers, by class of status code.");
        for (class, count) in CLASSES.iter().zip(&self.answers) {
            let count = count.load(Ordering::Relaxed);
            let _ = writeln!(out, "lookfar_http_responses_total{{status=\"{class}\"}} {count}");
        }
        let name = "lookfar_search_duration_seconds";
        head(out, name, "histogram", "How long searches took, the waiting included.");
        let mut count = 0;
        for (end, searches) in SECONDS.iter().zip(&self.searches) {
            count += searches.load(Ordering::Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{end}\"}} {count}");
        }
        count += self.searches[SECONDS.len()].load(Ordering::Relaxed);
        let sum = self.search_micros.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "{name}_sum {sum}\n{name}_count {count}");
        for (name, what, count) in [
            ("lookfar_searches_refused_total", "Searches told to come back later.", &self.refused),
            ("lookfar_searches_failed_total", "Searches that failed on our side.", &self.failed),
            ("lookfar_http_limited_total", "Requests beyond an address's share.", &self.limited),
        ] {
            head(out, name, "counter", what);
            let _ = writeln!(out, "{name} {}", count.load(Ordering::Relaxed));
        }
    }
}

fn head(out: &mut String, name: &str, kind: &str, what: &str) {
    // Writing to a string cannot fail, here and above.
    let _ = writeln!(out, "# HELP {name} {what}\n# TYPE {name} {kind}");
}

/// `GET /metrics`; for whoever may enter the control room (WEB-21). The peer alone says too little: a
/// stranger's name may have been made to point here, and a proxy may not say for whom it asks.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let problem = match app.is_operator(peer, &headers).await {
        Ok(true) => None,
        Ok(false) => Some(Problem::not_found()),
        Err(problem) => Some(problem),
    };
    if let Some(problem) = problem {
        let visit = Visit::new(&headers, uri.query());
        return app.refuse(&problem, uri.path(), &visit);
    }
    let mut out = String::new();
    write_status(&app.status(), &mut out);
    // No zeros before the first numbers are there: a series that begins late is no alarm.
    if let Some(pulse) = app.admin.as_ref().and_then(|admin| admin.pulse()) {
        write_pulse(&pulse, &mut out);
    }
    app.metrics.write(&mut out);
    plain(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", out)
}

/// One number: its name, what kind it is, what it says, and how much.
type Number = (&'static str, &'static str, &'static str, f64);

fn write_all(numbers: &[Number], out: &mut String) {
    for (name, kind, what, value) in numbers {
        head(out, name, kind, what);
        let _ = writeln!(out, "{name} {value}");
    }
}

/// What every server knows.
fn write_status(status: &Status, out: &mut String) {
    let is_crawling = f64::from(u8::from(status.is_crawling));
    let numbers: [Number; 6] = [
        ("lookfar_pages_fetched_total", "counter", "Pages fetched.", status.pages as f64),
        ("lookfar_urls_waiting", "gauge", "URLs that wait to be fetched.", status.queue as f64),
        ("lookfar_hosts", "gauge", "Hosts known.", status.hosts as f64),
        ("lookfar_documents", "gauge", "Pages that can be found.", status.indexed as f64),
        ("lookfar_generation", "gauge", "Link analysis in use.", status.generation as f64),
        ("lookfar_crawling", "gauge", "1 while a crawl runs in this process.", is_crawling),
    ];
    write_all(&numbers, out);
}

/// What the crawl tells the control room besides, whether it runs in this process or in another.
/// The numbers may come out of a file that another process wrote, so names are looked at.
fn write_pulse(pulse: &Pulse, out: &mut String) {
    let is_paused = f64::from(u8::from(pulse.is_paused));
    let numbers: [Number; 15] = [
        ("lookfar_responses_total", "counter", "Responses of any status.", pulse.responses as f64),
        ("lookfar_fetch_errors_total", "counter", "Fetches that failed.", pulse.errors as f64),
        ("lookfar_fetched_bytes_total", "counter", "Bytes of responses.", pulse.bytes as f64),
        ("lookfar_fetched_again_total", "counter", "Pages asked for again.", pulse.again as f64),
        ("lookfar_copies", "gauge", "Pages that repeat others.", pulse.copies as f64),
        ("lookfar_urls", "gauge", "URLs known.", pulse.urls as f64),
        ("lookfar_urls_overdue", "gauge", "Pages due to be fetched again.", pulse.overdue as f64),
        ("lookfar_requests_in_flight", "gauge", "Requests under way.", pulse.in_flight as f64),
        ("lookfar_hosts_ready", "gauge", "Hosts to visit now.", pulse.hosts_ready as f64),
        ("lookfar_hosts_resting", "gauge", "Hosts that rest.", pulse.hosts_resting as f64),
        ("lookfar_paused", "gauge", "1 while the crawl is told to pause.", is_paused),
        ("lookfar_memory_bytes", "gauge", "Memory of the crawling process.", pulse.memory as f64),
        ("lookfar_disk_free_bytes", "gauge", "Free on the disk.", pulse.disk_free as f64),
        ("lookfar_disk_size_bytes", "gauge", "Size of the disk.", pulse.disk_size as f64),
        ("lookfar_collection_bytes", "gauge", "Files of the collection.", pulse.collection as f64),
    ];
    write_all(&numbers, out);
    let name = "lookfar_queue_urls";
    head(out, name, "gauge", "URLs that wait, by front queue; 0 goes first.");
    for (queue, count) in pulse.queues.iter().take(MOST_QUEUES).enumerate() {
        let _ = writeln!(out, "{name}{{queue=\"{queue}\"}} {count}");
    }
    let name = "lookfar_left_out_total";
    head(out, name, "counter", "URLs left out and fetches that failed, by reason.");
    let reasons = pulse.left_out.iter().filter(|reason| is_reason(&reason.name));
    for reason in reasons.take(MOST_REASONS) {
        let _ = writeln!(out, "{name}{{reason=\"{}\"}} {}", reason.name, reason.count);
    }
}

/// Returns whether a text is the name of a reason: our own are words with hyphens.
fn is_reason(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&name.len()) && name.bytes().all(is_part)
}

/// `GET /readyz`: whether a search would be answered now.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Response<Body> {
    let kind = "text/plain; charset=utf-8";
    match app.gate.search(PROBE, &Params::default()).await {
        Ok(_) => plain(StatusCode::OK, kind, "ready\n".to_owned()),
        Err(problem) => {
            plain(StatusCode::SERVICE_UNAVAILABLE, kind, format!("not ready: {}\n", problem.code))
        }
    }
}

fn plain(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_upwards_as_prometheus_wants_it() {
        let metrics = Metrics::default();
        metrics.answered(StatusCode::OK);
        metrics.answered(StatusCode::from_u16(999).unwrap());
        metrics.answered(StatusCode::TOO_MANY_REQUESTS);
        for millis in [1, 2, 30, 5_000] {
            metrics.searched(Duration::from_millis(millis), Ok(()));
        }
        metrics.searched(Duration::ZERO, Err(&Problem::busy()));
        metrics.searched(Duration::ZERO, Err(&Problem::internal()));
        metrics.searched(Duration::ZERO, Err(&Problem::bad_request("query", "too long")));
        let mut out = String::new();
        metrics.write(&mut out);
        for line in [
            "lookfar_http_responses_total{status=\"2xx\"} 1",
            "lookfar_http_responses_total{status=\"5xx\"} 1",
            "lookfar_search_duration_seconds_bucket{le=\"0.001\"} 1",
            "lookfar_search_duration_seconds_bucket{le=\"0.0025\"} 2",
            "lookfar_search_duration_seconds_bucket{le=\"1\"} 3",
            "lookfar_search_duration_seconds_bucket{le=\"+Inf\"} 4",
            "lookfar_search_duration_seconds_sum 5.033",
            "lookfar_search_duration_seconds_count 4",
            "lookfar_searches_refused_total 1",
            "lookfar_searches_failed_total 1",
            "lookfar_http_limited_total 1",
        ] {
            assert!(out.lines().any(|found| found == line), "{line}\n{out}");
        }
    }
}
