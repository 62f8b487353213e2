//! A socket that gives up on readers who take nothing, or next to nothing (WEB-13).
//!
//! Waiting for a reader is paid for out of an allowance. It is full at first, and what the reader
//! takes fills it again, a second for as many bytes as a second should bring: who takes nothing is
//! given up when it is used up, and so is, somewhat later, who takes a drop now and then to keep
//! the seat.
//!
//! Reading needs no clock here: the head of a request has its own limit in hyper, the body one
//! in `answer.rs`.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Wraps a stream; a write fails with `TimedOut` when the allowance is used up.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    stream: S,
    /// The full allowance.
    patience: Duration,
    /// Bytes that make up for a second of waiting.
    least_rate: u32,
    /// What is left, as of `stalled`.
    allowance: Duration,
    alarm: Pin<Box<Sleep>>,
    /// Since when a write waits, if one does.
    stalled: Option<Instant>,
}

impl<S> Patient<S> {
    /// Wraps a stream.
    pub(crate) fn new(stream: S, patience: Duration, least_rate: u32) -> Self {
        let alarm = Box::pin(sleep(patience));
        let least_rate = least_rate.max(1);
        Self { stream, patience, least_rate, allowance: patience, alarm, stalled: None }
    }

    /// Fills the allowance by what was taken, and passes the outcome of a write on.
    fn wrote(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let outcome = self.watch(context, outcome);
        if let Poll::Ready(Ok(length)) = outcome {
            let gained = Duration::from_secs_f64(length as f64 / f64::from(self.least_rate));
            self.allowance = (self.allowance + gained).min(self.patience);
        }
        outcome
    }

    /// Passes an outcome on, or fails if it was waited for too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            if let Some(since) = self.stalled.take() {
                self.allowance = self.allowance.saturating_sub(since.elapsed());
            }
            return outcome;
        }
        if self.stalled.is_none() {
            let now = Instant::now();
            self.stalled = Some(now);
            self.alarm.as_mut().reset(now + self.allowance);
        }
        ready!(self.alarm.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.wrote(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn web_13_a_reader_who_takes_nothing_is_given_up() {
        let (_far, near) = tokio::io::duplex(8);
        let mut near = Patient::new(near, Duration::from_millis(30), 1);
        near.write_all(b"12345678").await.unwrap();
        let error = near.write_all(b"9").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    /// Writes to a reader who takes a byte every few milliseconds, until it is given up.
    async fn drip(least_rate: u32, count: usize) -> io::Result<()> {
        let (mut far, near) = tokio::io::duplex(8);
        let reader = tokio::spawn(async move {
            while far.read_u8().await.is_ok() {
                sleep(Duration::from_millis(5)).await;
            }
        });
        let mut near = Patient::new(near, Duration::from_millis(500), least_rate);
        let outcome = near.write_all(&vec![b'a'; count]).await;
        reader.abort();
        outcome
    }

    #[tokio::test]
    async fn web_13_a_reader_who_takes_drops_is_given_up() {
        // No single wait comes near the half second that is allowed.
        let begun = Instant::now();
        let error = drip(1_000_000, 1_000_000).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
        // Who takes as much as is asked for may take as long as that lasts.
        let begun = Instant::now();
        drip(1, 150).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(600), "{:?}", begun.elapsed());
    }
}
