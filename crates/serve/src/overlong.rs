//! A socket that answers requests too long to be read with 400, and so that it arrives (QRY-02).
//!
//! What is beyond the limits of a head never reaches our handlers: hyper answers by itself, with 431
//! or 414 and without a word of why. People and programs are promised 400 and a reason for whatever
//! cannot be a query, however long it is. Hyper has no place to say so; hence its answer is told by
//! how it begins, since nobody else here sends these two, and replaced on its way out.
//!
//! Whoever sends a megabyte is still sending when it is refused. A socket that is closed then makes
//! the system discard the refusal, so what comes is read for a moment and thrown away.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How the answers begin that are replaced.
const REPLACED: [&[u8]; 2] = [b"HTTP/1.1 431 ", b"HTTP/1.1 414 "];
const ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\n\
    content-type: application/problem+json\r\ncontent-length: 123\r\n\
    cache-control: no-store\r\n\
    x-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\n\
    content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n\
    connection: close\r\n\r\n\
    {\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\
    \"detail\":\"the request is too long; a query may have 1,024 bytes\"}\n";
/// Longest time that what comes after a refusal is read.
const FAREWELL: Duration = Duration::from_millis(250);
/// What is read then at most.
const FAREWELL_BYTES: usize = 4 * 1024 * 1024;

/// Wraps a stream of requests and answers.
#[derive(Debug)]
pub(crate) struct Overlong<S> {
    stream: S,
    /// How much of our own answer is written, once one is replaced.
    written: Option<usize>,
    /// The end of the time for reading on, and how much was read.
    farewell: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Overlong<S> {
    /// Wraps a stream.
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, written: None, farewell: None }
    }
}

impl<S: AsyncWrite + Unpin> Overlong<S> {
    /// Writes what is left of our own answer.
    fn write_answer(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(written) = self.written.filter(|written| *written < ANSWER.len()) {
            let stream = Pin::new(&mut self.stream);
            match ready!(stream.poll_write(context, &ANSWER[written..]))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written = Some(written + count),
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
        if self.written.is_none() && REPLACED.iter().any(|begin| bytes.starts_with(begin)) {
            self.written = Some(0);
        }
        self.written?;
        Some(self.write_answer(context).map_ok(|()| bytes.len()))
    }
}

impl<S: AsyncRead + Unpin> Overlong<S> {
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

impl<S: AsyncRead + Unpin> AsyncRead for Overlong<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Overlong<S> {
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
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.farewell.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        if self.written.is_some() {
            ready!(self.read_on(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// Returns what arrives of what is written, a few bytes at a time.
    async fn arrived(written: &'static [u8]) -> String {
        let (mut far, near) = tokio::io::duplex(16);
        let writer = tokio::spawn(async move {
            let mut near = Overlong::new(near);
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
    async fn qry_02_what_hyper_says_of_too_long_requests_is_a_bad_request() {
        for refused in [
            &b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 414 URI Too Long\r\ncontent-length: 0\r\n\r\n",
        ] {
            let answer = arrived(refused).await;
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
            assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
            let problem: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(problem["status"], 400);
        }
        let other = "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 431 is only said here";
        assert_eq!(arrived(other.as_bytes()).await, other);
    }
}
