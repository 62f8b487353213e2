//! What lies between a socket and the HTTP library: heads are recorded, bytes are counted.
//!
//! The recorder keeps the heads as they went over the wire, for the archive, and nothing of the
//! bodies. The counter is the last line of defence: whatever a protocol lets a server send
//! beside a body (interim responses, chunk extensions, PING frames), there is an end to it, and
//! on a connection that is at rest there is nothing to be said at all (HTTP-29).

use std::io;
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use base::limits;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A TCP socket that can be looked at while another owns its stream.
pub(super) struct Socket(pub(super) Arc<TcpStream>);

/// Returns whether nothing has arrived on a socket: no bytes, no end, no error.
///
/// Asks the system, not the runtime, which may not have noticed yet.
pub(super) fn is_quiet(socket: &TcpStream) -> bool {
    let found = SockRef::from(socket).peek(&mut [MaybeUninit::uninit()]);
    matches!(found, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}

/// A stream whose heads are recorded and whose incoming bytes are counted.
pub(super) struct Tapped<S> {
    stream: S,
    tap: Tap,
}

/// The other end of a [`Tapped`] stream.
#[derive(Clone, Default)]
pub(super) struct Tap(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    sent: Head,
    received: Head,
    /// Bytes that may still arrive.
    allowed: usize,
    /// Whether more arrived than that, ever: the connection is lost.
    overrun: bool,
}

/// A head as it comes in, up to its empty line; of what follows nothing is kept.
#[derive(Default)]
struct Head {
    bytes: Vec<u8>,
    done: bool,
}

/// Bytes of a head that are recorded; a longer one is refused.
const RECORDED: usize = limits::HEAD_BYTES;

impl Tap {
    /// Puts the tap between `stream` and whoever reads it.
    pub(super) fn into<S>(self, stream: S) -> Tapped<S> {
        Tapped { stream, tap: self }
    }

    /// Forgets what was recorded and lets `allowed` bytes arrive from now on.
    pub(super) fn begin(&self, allowed: usize) {
        let mut state = self.state();
        *state = State { allowed, overrun: state.overrun, ..State::default() };
    }

    /// Lets `allowed` bytes arrive from now on.
    pub(super) fn allow(&self, allowed: usize) {
        self.state().allowed = allowed;
    }

    /// Returns whether more arrived than was allowed.
    pub(super) fn is_overrun(&self) -> bool {
        self.state().overrun
    }

    /// Takes the heads of the request and of its response, as they went over the wire.
    ///
    /// `None` if the response's head is longer than may be archived.
    pub(super) fn take_heads(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut state = self.state();
        let received = std::mem::take(&mut state.received);
        let sent = std::mem::take(&mut state.sent).bytes;
        received.done.then_some((sent, received.bytes))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Head {
    fn push(&mut self, mut bytes: &[u8]) {
        while !self.done && !bytes.is_empty() {
            if self.bytes.is_empty() {
                // Parsers pass over empty lines before a head.
                bytes = &bytes[bytes.iter().take_while(|byte| b"\r\n".contains(byte)).count()..];
            }
            let seen = self.bytes.len();
            let taken = bytes.len().min(RECORDED - seen);
            self.bytes.extend_from_slice(&bytes[..taken]);
            let Some(end) = end_of_head(&self.bytes, seen) else { return };
            self.bytes.truncate(end);
            bytes = &bytes[end - seen..];
            // `100 Continue`, `103 Early Hints`: they only announce the real one.
            if self.bytes.starts_with(b"HTTP/1.1 1") || self.bytes.starts_with(b"HTTP/1.0 1") {
                self.bytes.clear();
            } else {
                self.done = true;
            }
        }
    }
}

/// Returns the index behind the empty line, which ends in `bytes[seen..]`; servers also end
/// lines with LF alone.
fn end_of_head(bytes: &[u8], seen: usize) -> Option<usize> {
    let from = seen.saturating_sub(2);
    memchr::memchr_iter(b'\n', &bytes[from..]).map(|place| from + place).find_map(|newline| {
        match &bytes[newline + 1..] {
            [b'\n', ..] => Some(newline + 2),
            [b'\r', b'\n', ..] => Some(newline + 3),
            _ => None,
        }
    })
}

impl<S: AsyncRead + Unpin> AsyncRead for Tapped<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let bytes = &buffer.filled()[before..];
        let mut state = self.tap.state();
        if bytes.len() > state.allowed {
            state.overrun = true;
            buffer.set_filled(before);
            return Poll::Ready(Err(io::Error::other("more bytes than may arrive")));
        }
        state.allowed -= bytes.len();
        state.received.push(bytes);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tapped<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.tap.state().sent.push(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            match self.0.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|_| ())),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match self.0.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&*self.0).shutdown(Shutdown::Write))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wire: &[u8], head: &[u8]) {
        for cut in 0..=wire.len() {
            let mut recorded = Head::default();
            recorded.push(&wire[..cut]);
            recorded.push(&wire[cut..]);
            assert!(recorded.done, "cut at {cut}");
            assert_eq!(recorded.bytes, head, "cut at {cut}");
        }
    }

    #[test]
    fn heads_are_recorded_whole_however_they_are_cut() {
        let plain = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\n";
        check(plain, &plain[..25]);
        check(b"HTTP/1.1 200 OK\nA: b\n\nbody", b"HTTP/1.1 200 OK\nA: b\n\n");
        check(b"HTTP/1.1 200 OK\nA: b\n\r\nbody", b"HTTP/1.1 200 OK\nA: b\n\r\n");
        check(b"\r\n\r\nHTTP/1.1 204 No\r\n\r\n", b"HTTP/1.1 204 No\r\n\r\n");
        let interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n";
        check(&[interim, &plain[..]].concat(), &plain[..25]);
    }

    #[test]
    fn a_head_without_end_is_not_kept_beyond_the_limit() {
        let mut head = Head::default();
        for _ in 0..100 {
            head.push(&[b'x'; 1000]);
        }
        assert_eq!((head.bytes.len(), head.done), (RECORDED, false));
    }
}
