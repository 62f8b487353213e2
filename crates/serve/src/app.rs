//! What all handlers share.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::Response;
use rank::Results;

use crate::admin::Admin;
use crate::copy::CopyFn;
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::owner::Owners;
use crate::params::Params;
use crate::problem::Problem;
use crate::{Options, State, Status, StatusFn, api, page};

/// One running server's state.
pub(crate) struct App {
    pub(crate) gate: Gate,
    pub(crate) options: Options,
    pub(crate) copies: Option<CopyFn>,
    pub(crate) metrics: Metrics,
    pub(crate) admin: Option<Arc<Admin>>,
    pub(crate) owners: Owners,
    status: StatusFn,
}

impl App {
    /// Puts the search behind the gate.
    pub(crate) fn new(state: State) -> Self {
        let State { search, status, options, copies, control, owners } = state;
        let gate = Gate::new(search, options.limits);
        let admin = control.map(|control| Admin::new(control, options.url.as_deref()));
        let (metrics, owners) = (Metrics::default(), Owners::new(owners));
        Self { gate, options, copies, metrics, admin, owners, status }
    }

    /// Answers a query; no copies are promised where none can be shown.
    pub(crate) async fn search(&self, query: &str, params: &Params) -> Result<Results, Problem> {
        let begun = Instant::now();
        let found = self.gate.search(query, params).await;
        self.metrics.searched(begun.elapsed(), found.as_ref().map(|_| ()));
        let mut results = found?;
        for hit in &mut results.hits {
            hit.has_copy &= self.copies.is_some();
        }
        Ok(results)
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
