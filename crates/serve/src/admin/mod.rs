//! The control room at `/admin`: what the crawl does, and how it is steered (U3, C18).
//!
//! One door for every path below `/admin`: [`enter`] asks who comes, and of a change whether it
//! comes from one of our own pages, before anything else is looked at. GET changes nothing.
//!
//! ```text
//! enter → access (who) → pages (GET: what is shown) ─┐
//!                      └→ orders (POST: what changes) ┴→ room (answers; blocks; on its own thread)
//! history ← room, every two seconds;  events ← history
//! ```

mod access;
mod chart;
mod events;
pub(crate) mod files;
mod form;
mod history;
mod orders;
mod pages;
mod room;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use tokio::sync::{Semaphore, watch};
use tracing::error;

use crate::app::App;
use crate::listen::Peer;
use crate::page;
use crate::problem::Problem;
use crate::visit::Visit;
use access::{Denied, Who};
use events::Events;
use form::Form;
use history::{History, STEP};

pub(crate) use access::Access;
pub use room::{
    Bombs, ChangeView, Control, Count, Grant, Grants, GraphView, HostQuery, HostRow, HostRows,
    HostRule, HostSort, Order, Pulse, Refusal, Room, Setting, Settings, SpamView, Token,
};

/// Listeners of live numbers at once.
const LISTENERS: usize = 16;
/// Questions to the room at once.
const QUESTIONS: usize = 4;
/// Wrong tokens that are being answered at once; more are refused at once.
const GUESSES: usize = 4;
/// How long the answer to a wrong token takes.
const GUESS: Duration = Duration::from_millis(500);
/// How often is looked whether the first numbers are there.
const GLANCE: Duration = Duration::from_millis(20);
/// Longest wait for an answer of the room.
const ANSWER: Duration = Duration::from_secs(30);

/// Our pages may run our script and listen to us, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// The control room of one server.
pub(crate) struct Admin {
    room: Arc<dyn Room>,
    access: Access,
    history: Mutex<History>,
    listeners: Arc<Semaphore>,
    questions: Semaphore,
    guesses: Semaphore,
    closing: OnceLock<watch::Receiver<bool>>,
}

impl Admin {
    /// `url` is the public address of the page, if it has one.
    pub(crate) fn new(control: Control, url: Option<&str>) -> Arc<Self> {
        let Control { room, token } = control;
        Arc::new(Self {
            room,
            access: Access::new(token, url),
            history: Mutex::default(),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
            questions: Semaphore::new(QUESTIONS),
            guesses: Semaphore::new(GUESSES),
            closing: OnceLock::new(),
        })
    }

    /// Begins to keep the numbers, until the server closes. Needs a runtime.
    pub(crate) fn begin(self: &Arc<Self>, mut closing: watch::Receiver<bool>) {
        let _ = self.closing.set(closing.clone());
        let admin = self.clone();
        tokio::spawn(async move {
            let closed = async move {
                let _ = closing.wait_for(|is_closing| *is_closing).await;
            };
            tokio::select! {
                () = closed => {}
                () = admin.keep_history() => {}
            }
        });
    }

    async fn keep_history(&self) {
        loop {
            let room = self.room.clone();
            match tokio::task::spawn_blocking(move || room.pulse()).await {
                Ok(pulse) => self.history().push(Instant::now(), pulse),
                Err(error) => error!(%error, "the control room cannot tell the numbers"),
            }
            tokio::time::sleep(STEP).await;
        }
    }

    /// Returns whether somebody may enter; slowly if the token that they bring is wrong.
    pub(crate) async fn admits(&self, peer: Peer, headers: &HeaderMap) -> Result<bool, Problem> {
        match self.access.admit(peer, headers) {
            Err(Denied::WrongToken) => {
                self.delay_guess().await?;
                Ok(false)
            }
            admitted => Ok(admitted.is_ok()),
        }
    }

    /// Holds up the answer to a wrong token. Who brings the right one never comes here, so those who
    /// guess keep nobody out.
    async fn delay_guess(&self) -> Result<(), Problem> {
        let turn = self.guesses.try_acquire();
        let _turn = turn.map_err(|_| busy("too many wrong tokens are being answered"))?;
        tokio::time::sleep(GUESS).await;
        Ok(())
    }

    /// Returns the numbers of the last two seconds; `None` while there are none yet.
    pub(crate) fn pulse(&self) -> Option<Pulse> {
        let history = self.history();
        (!history.is_empty()).then(|| history.now().clone())
    }

    /// Waits until there are numbers, but not for long: who opens the page as the server begins
    /// would read zeros as if they had been measured.
    async fn wait_for_numbers(&self) {
        let are_there = async {
            while self.history().is_empty() {
                tokio::time::sleep(GLANCE).await;
            }
        };
        // A disk that is slow shows zeros.
        let _ = tokio::time::timeout(STEP, are_there).await;
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the room on a thread of its own; what takes too long goes on without us.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Room) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.questions.try_acquire();
        let _turn = turn.map_err(|_| busy("the control room is asked for too much at once"))?;
        let room = self.room.clone();
        let answer = tokio::task::spawn_blocking(move || question(&*room));
        match tokio::time::timeout(ANSWER, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                error!(%error, "the control room panicked");
                Err(Problem::internal())
            }
            Err(_) => {
                let detail = "this takes longer than half a minute; it goes on by itself";
                Err(Problem::new(StatusCode::ACCEPTED, "slow", detail))
            }
        }
    }
}

/// Everything below `/admin`.
pub(crate) async fn enter(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    request: Request<Body>,
) -> Response<Body> {
    let visit = Visit::new(request.headers(), request.uri().query());
    let Some(admin) = app.admin.clone() else {
        return page::refuse(&app, &visit, &Problem::not_found());
    };
    let mut response = match admin.answer(&app, peer, request).await {
        Ok(response) => response,
        Err(problem) if problem.status == StatusCode::NOT_FOUND => {
            page::refuse(&app, &visit, &problem)
        }
        Err(problem) => pages::problem(&app, &problem),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // With none at all a browser would not say either that a form is one of ours.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

impl Admin {
    async fn answer(
        self: &Arc<Self>,
        app: &App,
        peer: Peer,
        request: Request<Body>,
    ) -> Result<Response<Body>, Problem> {
        let is_change = match *request.method() {
            Method::GET | Method::HEAD => false,
            Method::POST => true,
            _ => return Err(Problem::method_not_allowed()),
        };
        let (path, headers) = (request.uri().path().to_owned(), request.headers());
        let admitted = self.access.admit(peer, headers);
        let who = match (admitted, path.as_str()) {
            (Ok(who), _) => Some(who),
            (Err(Denied::Login), "/admin/login") => None,
            (Err(Denied::Login), _) => return Ok(pages::login(app, false)),
            (Err(Denied::WrongToken), _) => {
                self.delay_guess().await?;
                return Ok(pages::login(app, true));
            }
            (Err(Denied::CrossSite), _) => return Err(cross_site()),
            (Err(Denied::Closed), _) => return Err(Problem::not_found()),
        };
        if !is_change {
            // Not the request itself: a body cannot be shared between threads.
            let uri = request.uri().clone();
            return self.show(app, who, &uri).await;
        }
        if self.access.may_change(who, headers).is_err() {
            return Err(cross_site());
        }
        match (path.as_str(), who) {
            ("/admin/login", _) => self.log_in(app, request).await,
            ("/admin/logout", Some(_)) => {
                let cookie = self.access.log_out(headers);
                let mut response = see("/admin/login");
                response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
                Ok(response)
            }
            ("/admin/do", Some(_)) => {
                let form = read_form(request).await?;
                let order = orders::read(&form)?;
                let back = orders::back(&form, &order);
                let done = self.ask(move |room| room.carry_out(&order)).await?;
                Ok(pages::done(app, done, &back))
            }
            _ => Err(Problem::not_found()),
        }
    }

    /// Answers a GET.
    async fn show(
        self: &Arc<Self>,
        app: &App,
        who: Option<Who>,
        uri: &Uri,
    ) -> Result<Response<Body>, Problem> {
        let path = uri.path();
        let query = Form::parse(uri.query().unwrap_or_default())?;
        let Some(who) = who else { return Ok(pages::login(app, false)) };
        match path {
            "/admin" => {
                self.wait_for_numbers().await;
                Ok(pages::overview(self, app, who, &query))
            }
            "/admin/hosts" => pages::hosts(self, app, &query).await,
            "/admin/host" => pages::host(self, app, &query).await,
            "/admin/why" => pages::why(self, app, &query).await,
            "/admin/settings" => pages::settings(self, app).await,
            "/admin/graph" => pages::graph(self, app).await,
            "/admin/graph/bowtie.svg" => pages::picture(self, |view| view.bow_tie).await,
            "/admin/graph/degrees.svg" => pages::picture(self, |view| view.degrees).await,
            "/admin/graph/gathered.svg" => pages::picture(self, |view| view.gathered).await,
            "/admin/logs" => pages::logs(self, app).await,
            "/admin/history" => Ok(pages::history(self, &query)),
            "/admin/events" => self.listen(),
            "/admin/login" => Ok(see("/admin")),
            _ => Err(Problem::not_found()),
        }
    }

    fn listen(self: &Arc<Self>) -> Result<Response<Body>, Problem> {
        let place = self.listeners.clone().try_acquire_owned();
        let (Ok(place), Some(closing)) = (place, self.closing.get()) else {
            let detail = "too many pages listen to the numbers already";
            return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "listeners", detail));
        };
        let events = Events::new(self.clone(), closing.clone(), place);
        let mut response = Response::new(Body::new(events));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        // For proxies that gather answers before they pass them on.
        let buffering = HeaderName::from_static("x-accel-buffering");
        headers.insert(buffering, HeaderValue::from_static("no"));
        Ok(response)
    }

    async fn log_in(&self, app: &App, request: Request<Body>) -> Result<Response<Body>, Problem> {
        let form = read_form(request).await?;
        match self.access.log_in(form.get("token")) {
            Some(cookie) => {
                let mut response = see("/admin");
                response.headers_mut().insert(header::SET_COOKIE, cookie);
                Ok(response)
            }
            None => {
                self.delay_guess().await?;
                Ok(pages::login(app, self.access.has_token()))
            }
        }
    }
}

/// Says that there is no turn, and why.
fn busy(why: &str) -> Problem {
    let detail = format!("{why}; try again in a moment");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail)
}

fn cross_site() -> Problem {
    let detail = "this was asked for by another site, or not by a page of ours";
    Problem::new(StatusCode::FORBIDDEN, "cross-site", detail)
}

/// Sends a browser to another of our pages.
fn see(path: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(path));
    response
}

/// Reads the body of a form; its size was bounded at the door.
async fn read_form(request: Request<Body>) -> Result<Form, Problem> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_form = kind.is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    if !is_form {
        let detail = "a change is sent as a form (application/x-www-form-urlencoded)";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "form", detail));
    }
    let body = axum::body::to_bytes(request.into_body(), usize::MAX).await;
    let text = body.ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    Form::parse(&text.ok_or_else(|| Problem::bad_request("form", "the form is not UTF-8"))?)
}
