//! Live numbers as server-sent events at `/admin/events`.
//!
//! One event every two seconds, which is its own heartbeat: a listener that is gone is noticed
//! with the next one. A stream ends when the server stops, and after an hour, so that who may
//! listen is asked again; browsers come back by themselves.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Interval, MissedTickBehavior};

use super::Admin;
use super::history::STEP;
use super::room::Pulse;

/// Events of one stream: an hour.
const EVENTS: u32 = 1_800;

/// What a listener is sent.
pub(super) struct Events {
    admin: Arc<Admin>,
    tick: Interval,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    left: u32,
    _place: OwnedSemaphorePermit,
}

#[derive(Serialize)]
struct Told<'a> {
    sample: Vec<(&'static str, f32)>,
    pulse: &'a Pulse,
}

impl Events {
    /// Begins a stream for one listener.
    pub(super) fn new(
        admin: Arc<Admin>,
        mut closing: watch::Receiver<bool>,
        place: OwnedSemaphorePermit,
    ) -> Self {
        let mut tick = tokio::time::interval(STEP);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let closing = Box::pin(async move {
            // A server that is gone is one that has closed.
            let _ = closing.wait_for(|is_closing| *is_closing).await;
        });
        Self { admin, tick, closing, left: EVENTS, _place: place }
    }

    fn next(&self) -> Bytes {
        let history = self.admin.history();
        let sample = history.sample();
        if sample.is_empty() {
            // A server that has just begun knows nothing yet; zeros would be drawn as if it did.
            return Bytes::from_static(b": nothing yet\n\n");
        }
        let told = Told { sample, pulse: history.now() };
        let json = serde_json::to_string(&told).expect("plain numbers and texts");
        // JSON has no line ends of its own, so nothing in it can be taken for another field.
        Bytes::from(format!("event: pulse\ndata: {json}\n\n"))
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 || self.closing.as_mut().poll(context).is_ready() {
            self.left = 0;
            return Poll::Ready(None);
        }
        ready!(self.tick.poll_tick(context));
        self.left -= 1;
        Poll::Ready(Some(Ok(Frame::data(self.next()))))
    }
}
