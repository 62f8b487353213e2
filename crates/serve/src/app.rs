//! What all handlers share.

use axum::body::Body;
use axum::http::Response;

use crate::gate::Gate;
use crate::problem::Problem;
use crate::{Options, State, Status, StatusFn, api, page};

/// One running server's state.
pub(crate) struct App {
    pub(crate) gate: Gate,
    pub(crate) options: Options,
    status: StatusFn,
}

impl App {
    /// Puts the search behind the gate.
    pub(crate) fn new(state: State) -> Self {
        let State { search, status, options } = state;
        Self { gate: Gate::new(search, options.limits), options, status }
    }

    /// Returns how the crawl is going.
    pub(crate) fn status(&self) -> Status {
        (self.status)()
    }

    /// Says why there is no answer, in the language of the asked path: JSON or a page.
    pub(crate) fn refuse(&self, problem: &Problem, path: &str) -> Response<Body> {
        if path.starts_with(api::PREFIX) { problem.json() } else { page::refuse(self, problem) }
    }
}
