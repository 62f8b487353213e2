//! What all handlers share.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderMap, Response};
use rank::{Pictures, Request, Results};

use crate::admin::{Access, Admin};
use crate::copy::CopyFn;
use crate::gate::Gate;
use crate::known::{Knowledge, StoryFn};
use crate::listen::Peer;
use crate::metrics::Metrics;
use crate::owner::Owners;
use crate::params::Params;
use crate::picture::Showing;
use crate::problem::Problem;
use crate::proxy::Proxies;
use crate::suggest::Suggester;
use crate::visit::Visit;
use crate::{Options, State, Status, StatusFn, api, feed, mcp, page};

/// One running server's state.
pub(crate) struct App {
    pub(crate) gate: Gate,
    pub(crate) options: Options,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) copies: Option<CopyFn>,
    pub(crate) metrics: Metrics,
    pub(crate) suggester: Suggester,
    pub(crate) story: Option<StoryFn>,
    knowledge: Option<Arc<dyn Knowledge>>,
    pub(crate) admin: Option<Arc<Admin>>,
    pub(crate) owners: Owners,
    pub(crate) pictures_shown: Option<Showing>,
    status: StatusFn,
}

impl App {
    /// Puts the search behind the gate.
    pub(crate) fn new(state: State) -> Self {
        let State { search, status, options, copies, knowledge, suggest, story, .. } = state;
        let gate = Gate::new(search, options.limits);
        let suggester = Suggester::new(suggest, &options.limits);
        let admin = state.control.map(|control| Admin::new(control, options.url.as_deref()));
        Self {
            proxies: Arc::new(Proxies::new(&options)),
            gate,
            options,
            copies,
            metrics: Metrics::default(),
            suggester,
            story,
            knowledge,
            admin,
            owners: Owners::new(state.owners),
            pictures_shown: state.pictures.and_then(Showing::new),
            status,
        }
    }

    /// Asks what is known, on a thread of its own and under the limits of a search; `None` where
    /// nobody knows anything.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Knowledge) -> Result<Option<T>, rank::Error> + Send + 'static,
    ) -> Result<Option<T>, Problem> {
        let Some(knowledge) = self.knowledge.clone() else { return Ok(None) };
        let answer = self.gate.run(move || question(&*knowledge)).await?;
        answer.map_err(|error| Problem::of(&error))
    }

    /// Returns whether pictures and links can be asked for.
    pub(crate) fn knows_more(&self) -> bool {
        self.knowledge.is_some()
    }

    /// Answers a query with pictures; `None` where nobody knows any.
    pub(crate) async fn pictures(
        &self,
        query: &str,
        params: &Params,
    ) -> Result<Option<Pictures>, Problem> {
        let page = params.page.at((self.options.clock)());
        let (query, params) = (query.to_owned(), Params { page, ..params.clone() });
        let question = move |knowledge: &dyn Knowledge| {
            let (filters, offset, count) = (params.filters(), params.offset, params.count);
            let personal = Some(&params.page.wishes.personal);
            let request =
                Request { offset, count, filters: &filters, personal, ..Request::new(&query) };
            knowledge.pictures(&request)
        };
        self.ask(question).await
    }

    /// Answers a query; no copies are promised where none can be shown.
    pub(crate) async fn search(&self, query: &str, params: &Params) -> Result<Results, Problem> {
        let begun = Instant::now();
        let page = params.page.at((self.options.clock)());
        let params = &Params { page, ..params.clone() };
        let found = self.gate.search(query, params).await;
        self.metrics.searched(begun.elapsed(), found.as_ref().map(|_| ()));
        let mut results = found?;
        for hit in &mut results.hits {
            hit.has_copy &= self.copies.is_some();
        }
        Ok(results)
    }

    /// Returns whether somebody runs this server: whoever may enter the control room, or might if
    /// there were one. A wrong token is answered as slowly as there.
    pub(crate) async fn is_operator(
        &self,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<bool, Problem> {
        match &self.admin {
            Some(admin) => admin.admits(peer, headers).await,
            None => Ok(Access::new(None, self.options.url.as_deref()).admit(peer, headers).is_ok()),
        }
    }

    /// Returns how the crawl is going.
    pub(crate) fn status(&self) -> Status {
        (self.status)()
    }

    /// Says why there is no answer, in the form of the asked path: JSON, or a page in the visitor's
    /// language.
    pub(crate) fn refuse(&self, problem: &Problem, path: &str, visit: &Visit) -> Response<Body> {
        if is_for_programs(path) { problem.json() } else { page::refuse(self, visit, problem) }
    }
}

/// Returns whether programs ask for a path: then problems are told in JSON.
pub(crate) fn is_for_programs(path: &str) -> bool {
    const OTHERS: [&str; 4] =
        [mcp::PATH, feed::RSS_PATH, feed::OPENSEARCH_PATH, feed::SUGGEST_PATH];
    path.starts_with(api::PREFIX) || OTHERS.contains(&path)
}
