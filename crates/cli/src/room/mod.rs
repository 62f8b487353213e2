//! The control room's answers (U3): from the crawl, from the files of the collection, from the graph.
//!
//! Questions about the crawl are those of `control`: put to the crawl in this process, or over its
//! socket to the one that crawls while this process only serves, or, while nobody crawls, to the
//! collection itself. So all show the same room.

mod beside;
mod grants;
mod graph;
mod numbers;
mod owner;
mod settings;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::file::size_below;
use base::{Collection, Timestamp};
use crawl::{HostQuery, HostRow, HostRows, HostRule, Story};
use rank::Searcher;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serve::{Control, Grants, GraphView, HostSort, Order, Pulse, Refusal, Room, Settings, Token};

use crate::command::why;
use crate::config::Config;
use crate::control::{Desk, Gone, Request};
use crate::numbers::Numbers;
use crate::recent;
use beside::Beside;
use graph::Drawing;

pub(crate) use owner::about;

/// Answers for one collection.
pub(crate) struct ControlRoom {
    collection: Collection,
    crawl: Crawl,
    /// Whose weights can be changed.
    searcher: Arc<Searcher>,
    drawing: Arc<Drawing>,
    /// Bytes of the collection, and when they were counted.
    size: Mutex<Option<(Instant, u64)>>,
    /// One change at a time of the files that are read and then written here.
    writing: Mutex<()>,
}

/// Where the crawl is.
#[derive(Clone)]
pub(crate) enum Crawl {
    /// In this process.
    Here(Desk),
    /// In another one, or nowhere.
    Elsewhere(Arc<Beside>),
}

/// How long the size of a collection is shown before it is counted again.
const SIZE_FOR: Duration = Duration::from_secs(30);
/// Bytes read of a file that holds a token.
const TOKEN_BYTES: u64 = 64 * 1024;
/// The environment's word for the token; goes before the file.
const TOKEN_VARIABLE: &str = "LOOKFAR_ADMIN_TOKEN";

/// Returns the control room of a collection and who may enter it.
pub(crate) fn control(
    collection: &Collection,
    config: &Config,
    crawl: Crawl,
    searcher: Arc<Searcher>,
) -> Result<Control> {
    let room = Arc::new(ControlRoom {
        collection: collection.clone(),
        crawl,
        searcher,
        drawing: Arc::default(),
        size: Mutex::default(),
        writing: Mutex::default(),
    });
    Ok(Control { room, token: token(collection.root(), config)? })
}

/// Returns who tells whoever is on this machine what the crawl knows of an address.
pub(crate) fn story(crawl: Crawl) -> serve::StoryFn {
    Arc::new(move |url| {
        let story: Result<Value> = crawl.ask(&Request::Why { url: url.to_owned() });
        story.map_err(|error| format!("{error:#}"))
    })
}

/// Reads the token from the environment or from its file; none is fine.
fn token(root: &Path, config: &Config) -> Result<Option<Token>> {
    let path = &config.serve.admin_token_file;
    let (text, place) = match std::env::var(TOKEN_VARIABLE) {
        Ok(text) => (text, TOKEN_VARIABLE.to_owned()),
        Err(_) if path.as_os_str().is_empty() => return Ok(None),
        Err(_) => {
            let path = root.join(path);
            let place = format!("`{}`", path.display());
            let mut text = String::new();
            let file = File::open(&path).with_context(|| format!("cannot open {place}"))?;
            let read = file.take(TOKEN_BYTES).read_to_string(&mut text);
            read.with_context(|| format!("cannot read {place}"))?;
            (text, place)
        }
    };
    let shortest = Token::SHORTEST;
    match Token::new(text.trim()) {
        Some(token) => Ok(Some(token)),
        None => bail!(
            "the token in {place} is no good: write at least {shortest} letters, digits and signs, \
             without blanks"
        ),
    }
}

impl Crawl {
    /// Returns the crawl of a collection that this process only serves.
    pub(crate) fn elsewhere(collection: &Collection) -> Self {
        Self::Elsewhere(Arc::new(Beside::new(collection.clone())))
    }

    /// Puts a question to the crawl or, if there is none, to the collection. Blocks.
    pub(crate) fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T> {
        let value: Value = match self {
            Self::Here(desk) => desk.do_it(request)?,
            Self::Elsewhere(beside) => beside.ask(request)?,
        };
        serde_json::from_value(value).context("an answer of another version")
    }

    /// Returns whether there is a crawl to ask.
    fn is_running(&self) -> bool {
        match self {
            Self::Here(_) => true,
            Self::Elsewhere(beside) => beside.is_running(),
        }
    }

    /// Returns the numbers, as far as they are known without asking.
    fn numbers(&self) -> Numbers {
        match self {
            Self::Here(desk) => desk.numbers(),
            Self::Elsewhere(beside) => Numbers::told_lately(&beside.collection),
        }
    }
}

/// Returns whether an order changes files that the room itself writes: settings and seeds. The lists
/// of hosts and of what is kept out are guarded by those who keep them.
fn is_written_here(order: &Order) -> bool {
    match order {
        Order::Seeds { .. } | Order::Unseed { .. } | Order::Grants { .. } | Order::Set { .. } => {
            true
        }
        Order::Pause | Order::Resume | Order::Host { .. } | Order::Forget { .. } => false,
    }
}

impl ControlRoom {
    /// Returns the numbers. While nobody crawls they are those that the last crawl has told, but for
    /// what others may have changed since: what can be found, and what is left on this machine.
    fn numbers(&self) -> Numbers {
        let mut numbers = self.crawl.numbers();
        if numbers.is_crawling {
            return numbers;
        }
        // What cannot be read now is shown as it was told.
        if let Ok(num_docs) = self.searcher.num_docs() {
            numbers.documents_indexed = num_docs;
        }
        if let Ok(Some(generation)) = self.collection.generation() {
            numbers.generation = generation.0;
        }
        numbers.set_machine(&self.collection);
        numbers
    }

    fn size(&self) -> u64 {
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        match *size {
            Some((at, bytes)) if at.elapsed() < SIZE_FOR => bytes,
            _ => {
                let bytes = size_below(self.collection.root());
                *size = Some((Instant::now(), bytes));
                bytes
            }
        }
    }

    fn set_rule(&self, name: &str, rule: &serve::HostRule) -> Result<String> {
        let millis = |seconds: f64| (seconds * 1000.0).round() as u64;
        let rule = HostRule {
            is_paused: rule.is_paused,
            is_blocked: rule.is_blocked,
            delay_millis: rule.delay.map(millis),
            pages: rule.pages,
        };
        let _: HostRule = self.crawl.ask(&Request::Rule { host: name.to_owned(), rule })?;
        let words = rule.to_string();
        Ok(match words.as_str() {
            "" => format!("{name} is treated like all others from now on."),
            words => format!("For {name} holds from now on: {words}."),
        })
    }

    fn forget(&self, target: &str) -> Result<String> {
        let gone: Gone = self.crawl.ask(&Request::Forget { target: target.to_owned() })?;
        Ok(match gone.is_pending {
            true => format!(
                "{target} is kept out from now on; what is stored of it goes at the next start."
            ),
            false => format!(
                "{target} is forgotten: {} addresses, {} responses of the archive.",
                gone.urls, gone.captures
            ),
        })
    }

    fn obey(&self, order: &Order) -> Result<String> {
        // Who pauses the crawl waits for nobody, least of all for pages that are being forgotten.
        let _turn = is_written_here(order)
            .then(|| self.writing.lock().unwrap_or_else(PoisonError::into_inner));
        match order {
            Order::Pause => {
                let _: Value = self.crawl.ask(&Request::Pause)?;
                Ok("The crawl is paused; requests under way come to their end.".to_owned())
            }
            Order::Resume => {
                let _: Value = self.crawl.ask(&Request::Resume)?;
                Ok("The crawl goes on.".to_owned())
            }
            Order::Host { name, rule } => self.set_rule(name, rule),
            Order::Forget { target } => self.forget(target),
            Order::Seeds { urls } => settings::add_seeds(&self.collection, &self.crawl, urls),
            Order::Unseed { url } => settings::remove_seed(&self.collection, &self.crawl, url),
            Order::Grants { is_on } => grants::switch(&self.collection, &self.crawl, *is_on),
            Order::Set { changes } => {
                settings::set(&self.collection, &self.crawl, &self.searcher, changes)
            }
        }
    }
}

impl Room for ControlRoom {
    fn pulse(&self) -> Pulse {
        Pulse { collection: self.size(), ..numbers::pulse(&self.numbers()) }
    }

    fn hosts(&self, query: &serve::HostQuery) -> Result<serve::HostRows, Refusal> {
        let order = match query.sort {
            HostSort::Waiting => crawl::HostOrder::Waiting,
            HostSort::Fetched => crawl::HostOrder::Fetched,
            HostSort::Errors => crawl::HostOrder::Errors,
            HostSort::Bytes => crawl::HostOrder::Bytes,
            HostSort::Rules => crawl::HostOrder::Rules,
            HostSort::Name => crawl::HostOrder::Name,
        };
        let (find, skip, limit) = (query.find.clone(), query.skip, query.limit);
        let query = HostQuery { find, order, skip, limit };
        let found: HostRows = self.crawl.ask(&Request::Hosts { query })?;
        Ok(serve::HostRows {
            rows: found.rows.into_iter().map(|row| numbers::host(row, now())).collect(),
            total: found.total,
            is_cut: found.is_cut,
        })
    }

    fn host(&self, name: &str) -> Result<Option<serve::HostRow>, Refusal> {
        let found: Option<HostRow> = self.crawl.ask(&Request::Host { name: name.to_owned() })?;
        Ok(found.map(|row| numbers::host(row, now())))
    }

    fn carry_out(&self, order: &Order) -> Result<String, Refusal> {
        Ok(self.obey(order)?)
    }

    fn story(&self, url: &str) -> Result<Vec<(String, String)>, Refusal> {
        let story: Story = self.crawl.ask(&Request::Why { url: url.to_owned() })?;
        let address = ("address".to_owned(), story.url.to_string());
        Ok([address].into_iter().chain(why::lines(&story)).collect())
    }

    fn settings(&self) -> Result<Settings, Refusal> {
        Ok(settings::read(&self.collection)?)
    }

    fn graph(&self) -> Result<GraphView, Refusal> {
        Ok(Drawing::view(&self.drawing, &self.collection)?)
    }

    fn stages(&self) -> Result<Vec<(String, String)>, Refusal> {
        let mut numbers = self.crawl.numbers();
        numbers.set_derived(&self.collection)?;
        Ok(numbers::stages(&self.collection, &numbers))
    }

    fn grants(&self) -> Grants {
        grants::read(&self.collection, &self.crawl)
    }

    fn log(&self) -> Vec<String> {
        recent::lines()
    }
}

fn now() -> Timestamp {
    Timestamp::from(std::time::SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_28_a_token_that_is_no_good_is_refused_without_being_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        assert_eq!(token(folder.path(), &config).unwrap(), None);
        config.serve.admin_token_file = "token".into();
        assert!(token(folder.path(), &config).is_err(), "it is not there");
        std::fs::write(folder.path().join("token"), "shorty\n").unwrap();
        let error = format!("{:#}", token(folder.path(), &config).unwrap_err());
        assert!(error.contains("at least 16") && !error.contains("shorty"), "{error}");
        std::fs::write(folder.path().join("token"), "0123456789abcdef\n").unwrap();
        assert_eq!(token(folder.path(), &config).unwrap(), Token::new("0123456789abcdef"));
    }

    #[test]
    fn who_pauses_the_crawl_or_decides_about_a_host_waits_for_no_change_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(folder.path()).unwrap();
        let _lock = collection.lock().unwrap();
        let options = crate::place::options_of(&collection).unwrap();
        let handle = crawl::Handle::open(&collection, &options).unwrap();
        let desk = Desk { handle: handle.clone(), numbers: Arc::default(), settle: None };
        let room = ControlRoom {
            collection: collection.clone(),
            crawl: Crawl::Here(desk),
            searcher: Arc::new(Searcher::open(&collection).unwrap()),
            drawing: Arc::default(),
            size: Mutex::default(),
            writing: Mutex::default(),
        };
        let orders = [
            Order::Pause,
            Order::Host { name: "a.example".to_owned(), rule: serve::HostRule::default() },
            Order::Forget { target: "b.example".to_owned() },
        ];
        let (asked, (sender, done)) = (&room, std::sync::mpsc::channel());
        std::thread::scope(|scope| {
            let writing = room.writing.lock().unwrap();
            scope.spawn(move || {
                orders.iter().for_each(|order| sender.send(asked.obey(order)).unwrap());
            });
            let waited = [(); 3].map(|()| done.recv_timeout(Duration::from_secs(20)));
            // Before anything fails: who waits for it would wait for ever.
            drop(writing);
            for obeyed in waited {
                obeyed.unwrap().unwrap();
            }
        });
        assert!(handle.is_paused());
    }
}
