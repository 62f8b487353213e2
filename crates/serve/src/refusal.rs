//! A socket on which refusals are ours, and arrive (QRY-02, WEB-05).
//!
//! What is too long for a head, or no head at all, never reaches our handlers: hyper answers by itself,
//! with a status alone. People and programs are promised a reason for whatever cannot be a query,
//! however long it is, and the fields of every answer. Hyper has no place to say so; hence its answer
//! is told by what it lacks, since every answer of ours has these fields, and replaced on its way out.
//!
//! Whoever sends a megabyte is still sending when it is refused. A socket that is closed then makes
//! the system discard the refusal, so what comes is read for a moment and thrown away.

use std::io;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::header::{self, HeaderValue};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::answer::harden;
use crate::problem::Problem;

/// What is said of a head that is too long, instead of 414 and 431.
static TOO_LONG: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let detail = "the request is too long; a query may have 1,024 bytes";
    written(&Problem::bad_request("query-too-long", detail))
});
/// What is said of a head that cannot be read.
static UNREADABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let detail = "the request has a line, a method or an address that cannot be read";
    written(&Problem::bad_request("head", detail))
});
/// What every head of ours says, and none that hyper makes by itself.
const OURS: &[u8] = b"\r\nx-content-type-options: ";
/// Longest time that what comes after a refusal is read.
const FAREWELL: Duration = Duration::from_millis(250);
/// What is read then at most.
const FAREWELL_BYTES: usize = 4 * 1024 * 1024;

/// Wraps a stream of requests and answers.
#[derive(Debug)]
pub(crate) struct Refusing<S> {
    stream: S,
    /// Whether everything that was said so far is sent: what comes next begins an answer. A part
    /// of a body, which may hold anything, is never looked at.
    is_flushed: bool,
    /// What is left of our own answer, once one is replaced.
    left: Option<&'static [u8]>,
    /// The end of the time for reading on, and how much was read.
    farewell: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Refusing<S> {
    /// Wraps a stream.
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, is_flushed: true, left: None, farewell: None }
    }
}

impl<S: AsyncWrite + Unpin> Refusing<S> {
    /// Writes what is left of our own answer.
    fn write_answer(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(left) = self.left.filter(|left| !left.is_empty()) {
            match ready!(Pin::new(&mut self.stream).poll_write(context, left))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.left = Some(&left[count..]),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Replaces an answer; `None` if this is none to be replaced.
    fn replace(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Option<Poll<io::Result<usize>>> {
        if self.left.is_none() && self.is_flushed {
            self.left = instead_of(bytes);
        }
        self.is_flushed = false;
        self.left?;
        Some(self.write_answer(context).map_ok(|()| bytes.len()))
    }
}

impl<S: AsyncRead + Unpin> Refusing<S> {
    /// Reads and forgets what still comes, for a moment.
    fn read_on(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let (end, num_read) = self.farewell.get_or_insert_with(|| (Box::pin(sleep(FAREWELL)), 0));
        let mut bytes = [0; 4096];
        while *num_read < FAREWELL_BYTES && end.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => *num_read += buffer.filled().len(),
                _ => break,
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Refusing<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Refusing<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(outcome) = self.replace(context, bytes) {
            return outcome;
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = slices.iter().find(|slice| !slice.is_empty());
        if let Some(outcome) = first.and_then(|slice| self.replace(context, slice)) {
            return outcome;
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.is_flushed = true;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.farewell.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        if self.left.is_some() {
            ready!(self.read_on(context));
        }
        Poll::Ready(Ok(()))
    }
}

/// Returns what is said instead of an answer, if that is one that hyper made by itself: a head of
/// such a status without what is ours, and nothing more.
fn instead_of(answer: &[u8]) -> Option<&'static [u8]> {
    let head = answer.strip_suffix(b"\r\n\r\n")?;
    let status = head.strip_prefix(b"HTTP/1.1 ").or_else(|| head.strip_prefix(b"HTTP/1.0 "))?;
    let instead = match status.get(..4)? {
        b"400 " => &UNREADABLE,
        b"414 " | b"431 " => &TOO_LONG,
        _ => return None,
    };
    let is_ours = head.windows(OURS.len()).any(|field| field == OURS);
    (!is_ours).then(|| instead.as_slice())
}

/// Returns a problem as it goes over the wire to somebody whose connection ends with it.
pub(crate) fn written(problem: &Problem) -> Vec<u8> {
    let mut response = problem.json();
    harden(&mut response);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    let body = problem.text();
    let begin = format!("HTTP/1.1 {}\r\ncontent-length: {}\r\n", problem.status, body.len());
    let mut bytes = begin.into_bytes();
    for (name, value) in response.headers() {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend([b"\r\n", body.as_bytes()].concat());
    bytes
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// Returns what arrives of what is written, a few bytes at a time.
    async fn arrived(written: &'static [u8]) -> String {
        let (mut far, near) = tokio::io::duplex(16);
        let writer = tokio::spawn(async move {
            let mut near = Refusing::new(near);
            near.write_all(written).await.unwrap();
            near.shutdown().await.unwrap();
        });
        let mut text = String::new();
        far.read_to_string(&mut text).await.unwrap();
        drop(far);
        writer.await.unwrap();
        text
    }

    #[tokio::test]
    async fn qry_02_and_web_05_what_hyper_says_by_itself_is_told_in_our_words() {
        for (refused, code) in [
            ("HTTP/1.1 431 Request Header Fields Too Large", "query-too-long"),
            ("HTTP/1.1 414 URI Too Long", "query-too-long"),
            ("HTTP/1.1 400 Bad Request", "head"),
            ("HTTP/1.0 400 Bad Request", "head"),
        ] {
            let refused = format!("{refused}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            let answer = arrived(refused.leak().as_bytes()).await;
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
            assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
            let problem: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(problem["status"], 400);
            assert_eq!(problem["code"], code);
        }
        for other in [
            "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 431 is only said here",
            "HTTP/1.1 400 Bad Request\r\nx-content-type-options: nosniff\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 3\r\n\r\nabc",
            "HTTP/1.1 404 Not Found\r\n\r\n",
        ] {
            assert_eq!(arrived(other.as_bytes()).await, other);
        }
    }

    /// What strangers put into a body may look like anything.
    #[tokio::test]
    async fn only_what_begins_an_answer_is_replaced() {
        const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", BARE.len());
        let (mut far, near) = tokio::io::duplex(4_096);
        let mut near = Refusing::new(near);
        near.write_all(head.as_bytes()).await.unwrap();
        near.write_all(BARE.as_bytes()).await.unwrap();
        near.flush().await.unwrap();
        // The next answer on the same connection is hyper's own.
        near.write_all(BARE.as_bytes()).await.unwrap();
        let mut text = vec![0; head.len() + BARE.len() + UNREADABLE.len()];
        far.read_exact(&mut text).await.unwrap();
        let expected = [head.as_bytes(), BARE.as_bytes(), UNREADABLE.as_slice()].concat();
        assert_eq!(text, expected);
    }
}
