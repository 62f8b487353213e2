//! From a site's answer to bytes on the socket: conditions, compression, head, pace.

use std::io::{self, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use xxhash_rust::xxh3::xxh3_64;

use crate::head::Head;
use crate::{Answer, Pace, Raw};

/// RFC 9110's date, the only form we write.
const HTTP_DATE: &[BorrowedFormatItem<'_>] = format_description!(
    "[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT"
);

/// Bodies below this size are not worth compressing.
const MIN_GZIP: usize = 1_024;

/// Whether bodies are compressed for clients that accept it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gzip {
    WhenAccepted,
    Never,
}

/// A finished response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) pace: Pace,
}

/// Finishes an answer to a request: 304 where the client's copy is current, gzip where it is
/// accepted, no body for `HEAD`.
pub(crate) fn finish(mut answer: Answer, request: &Head, gzip: Gzip) -> Response {
    add_validator(&mut answer);
    let reads = matches!(request.method.as_str(), "GET" | "HEAD");
    if answer.status == 200 && reads && is_current(&answer, request) {
        answer.status = 304;
        answer.body.clear();
        answer.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
    }
    if gzip == Gzip::WhenAccepted && accepts_gzip(request) && is_worth_compressing(&answer) {
        answer.body = compress(&answer.body);
        answer = answer.with_header("Content-Encoding", "gzip");
        answer = answer.with_header("Vary", "Accept-Encoding");
    }
    let head = head(&answer, request.keep_alive);
    if request.method == "HEAD" {
        answer.body.clear();
    }
    Response { status: answer.status, head, body: answer.body, pace: answer.pace }
}

/// Sends a response and returns how many bytes it had.
pub(crate) async fn send(
    response: &Response,
    socket: &mut (impl AsyncWrite + Unpin),
) -> io::Result<u64> {
    let pace = response.pace;
    wait(pace.before).await;
    let length = (response.head.len() + response.body.len()) as u64;
    if pace.piece == 0 {
        // One write for both: two small packets would wait for each other's acknowledgement.
        let mut whole = Vec::with_capacity(response.head.len() + response.body.len());
        whole.extend_from_slice(&response.head);
        whole.extend_from_slice(&response.body);
        socket.write_all(&whole).await?;
    } else {
        socket.write_all(&response.head).await?;
        send_paced(&response.body, pace, socket).await?;
    }
    socket.flush().await?;
    Ok(length)
}

/// Sends scripted bytes and returns how many there were.
pub(crate) async fn send_raw(raw: &Raw, socket: &mut (impl AsyncWrite + Unpin)) -> io::Result<u64> {
    wait(raw.pace.before).await;
    send_paced(&raw.bytes, raw.pace, socket).await?;
    let mut sent = raw.bytes.len() as u64;
    for _ in 0..raw.times {
        send_paced(&raw.again, raw.pace, socket).await?;
        wait(raw.pace.between).await;
        sent += raw.again.len() as u64;
    }
    socket.flush().await?;
    Ok(sent)
}

async fn send_paced(
    bytes: &[u8],
    pace: Pace,
    socket: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    let piece = if pace.piece == 0 { bytes.len().max(1) } else { pace.piece };
    for (i, piece) in bytes.chunks(piece).enumerate() {
        if i > 0 {
            wait(pace.between).await;
        }
        socket.write_all(piece).await?;
        socket.flush().await?;
    }
    Ok(())
}

/// Waits; not at all for no time.
pub(crate) async fn wait(duration: Duration) {
    if !duration.is_zero() {
        tokio::time::sleep(duration).await;
    }
}

fn head(answer: &Answer, keep_alive: bool) -> Vec<u8> {
    let mut head = Vec::with_capacity(512);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a vector cannot fail.
        let _ = head.write_fmt(text);
        head.extend_from_slice(b"\r\n");
    };
    line(format_args!("HTTP/1.1 {} {}", answer.status, reason(answer.status)));
    line(format_args!("Date: {}", http_date(OffsetDateTime::now_utc())));
    for (name, value) in &answer.headers {
        line(format_args!("{name}: {value}"));
    }
    // RFC 9110 section 8.6: no length where the status forbids a body.
    if !matches!(answer.status, 204 | 304) {
        line(format_args!("Content-Length: {}", answer.body.len()));
    }
    line(format_args!("Connection: {}", if keep_alive { "keep-alive" } else { "close" }));
    line(format_args!(""));
    head
}

fn add_validator(answer: &mut Answer) {
    let unstored = answer.header("cache-control").is_some_and(|value| value.contains("no-store"));
    if answer.status == 200 && !unstored && answer.header("etag").is_none() {
        let tag = format!("\"{:016x}\"", xxh3_64(&answer.body));
        answer.headers.push(("ETag".to_owned(), tag));
    }
}

/// Returns whether the client's copy is the one that would be sent (RFC 9110 section 13.2.2:
/// the entity tag decides where there is one, the date otherwise).
fn is_current(answer: &Answer, request: &Head) -> bool {
    if let Some(wanted) = request.header("if-none-match") {
        let Some(tag) = answer.header("etag") else { return false };
        let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        return wanted.trim() == "*" || wanted.split(',').any(|one| bare(one) == bare(tag));
    }
    let since = request.header("if-modified-since").and_then(parse_http_date);
    let modified = answer.header("last-modified").and_then(parse_http_date);
    matches!((since, modified), (Some(since), Some(modified)) if modified <= since)
}

fn accepts_gzip(request: &Head) -> bool {
    let accepted = request.header("accept-encoding").unwrap_or_default();
    accepted.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && weight.replace(' ', "") != "q=0"
    })
}

fn is_worth_compressing(answer: &Answer) -> bool {
    let kind = answer.header("content-type").unwrap_or_default();
    let text = kind.starts_with("text/") || kind.contains("xml") || kind.contains("json");
    text && answer.body.len() >= MIN_GZIP && answer.header("content-encoding").is_none()
}

fn compress(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), Compression::fast());
    encoder.write_all(body).and_then(|()| encoder.finish()).expect("a vector takes every write")
}

/// Returns a moment as HTTP writes it.
pub(crate) fn http_date(moment: OffsetDateTime) -> String {
    moment.format(HTTP_DATE).expect("the format only names fields that a date has")
}

fn parse_http_date(text: &str) -> Option<OffsetDateTime> {
    PrimitiveDateTime::parse(text.trim(), HTTP_DATE).ok().map(PrimitiveDateTime::assume_utc)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        411 => "Length Required",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
