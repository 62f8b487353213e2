//! The refusal of a full house, written once (WEB-17).
//!
//! Who asks for a search while all turns and all places to wait are taken is told so before
//! anything of the question is read. In a flood refusals are most of the work, and what they cost
//! is missing for the good answers; so they lie ready as bytes, one for programs and one in each
//! language, without the query and the colours of the visitor.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Response, StatusCode};
use tokio::sync::OnceCell;

use crate::answer::harden;
use crate::app::{App, is_for_programs};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::visit::Visit;

/// The forms of the refusal, each made when it is first needed.
#[derive(Default)]
pub(crate) struct Full {
    json: OnceCell<Ready>,
    pages: [OnceCell<Ready>; Tongue::ALL.len()],
}

/// What is sent.
struct Ready {
    headers: HeaderMap,
    body: Bytes,
}

impl Full {
    /// Returns the refusal in the form of the asked path. Cost: a copy of its header fields.
    pub(crate) async fn answer(&self, app: &App, path: &str, tongue: Tongue) -> Response<Body> {
        let place = Tongue::ALL.iter().position(|known| *known == tongue).unwrap_or_default();
        let form = if is_for_programs(path) { &self.json } else { &self.pages[place] };
        let ready = form.get_or_init(|| Ready::new(app, path, tongue)).await;
        let mut response = Response::new(Body::from(ready.body.clone()));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        *response.headers_mut() = ready.headers.clone();
        response
    }
}

impl Ready {
    async fn new(app: &App, path: &str, tongue: Tongue) -> Self {
        let mut response = app.refuse(&Problem::busy(), path, &Visit::in_tongue(tongue));
        harden(&mut response);
        let (parts, body) = response.into_parts();
        // It is whole in memory: reading it cannot fail.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        Self { headers: parts.headers, body }
    }
}
