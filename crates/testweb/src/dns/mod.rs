//! The DNS server of the web: the addresses of its hosts, and for some names whatever a test
//! wrote down.

mod answer;
mod packet;
mod server;

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hickory_proto::op::Message;
use hickory_proto::rr::{Name, RecordType};

use crate::hosts::Hosts;

pub use answer::{Broken, DnsAnswer};
pub(crate) use server::serve;

/// Answers in turn, by name in lower case; `*.name` stands for everything below it.
pub(crate) type Scripts = HashMap<String, Vec<DnsAnswer>>;

/// The DNS server as a test sees it.
pub struct Dns {
    hosts: Arc<Hosts>,
    scripts: Scripts,
    /// How long answers may be kept, in seconds, unless a script says otherwise.
    ttl: u32,
    stopped: AtomicBool,
    books: Mutex<Books>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    over_tcp: AtomicUsize,
}

#[derive(Default)]
struct Books {
    /// Distinct questions by name. A client repeats a question under its old number when it
    /// believes it lost; that is not another lookup.
    asked: HashMap<String, HashSet<(RecordType, u16)>>,
    /// Which of its answers each question of a scripted name has reached.
    turns: HashMap<(String, RecordType), HashMap<u16, usize>>,
    packets: usize,
}

/// A question under way; counted until it is dropped.
pub(crate) struct Held(Arc<Dns>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.at_once.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Dns {
    pub(crate) fn new(hosts: Arc<Hosts>, scripts: Scripts, ttl: u32) -> Self {
        Self {
            hosts,
            scripts,
            ttl,
            stopped: AtomicBool::new(false),
            books: Mutex::default(),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            over_tcp: AtomicUsize::new(0),
        }
    }

    /// Returns how often a name was looked up; questions for IPv4 and IPv6 count apart, the
    /// same question sent again does not count.
    pub fn num_lookups(&self, name: &str) -> usize {
        self.books().asked.get(&name.to_ascii_lowercase()).map_or(0, HashSet::len)
    }

    /// Returns how many different names were asked for.
    pub fn num_names(&self) -> usize {
        self.books().asked.len()
    }

    /// Returns how many questions arrived, repeated ones included.
    pub fn num_questions(&self) -> usize {
        self.books().packets
    }

    /// Returns how many of them came over TCP.
    pub fn num_over_tcp(&self) -> usize {
        self.over_tcp.load(Ordering::Relaxed)
    }

    /// Returns the most questions that waited for their answer at one time.
    pub fn most_at_once(&self) -> usize {
        self.most_at_once.load(Ordering::Relaxed)
    }

    /// Falls silent, as a dead server does: packets get lost, connections are closed.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Answers again.
    pub fn resume(&self) {
        self.stopped.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Enters a question in the books.
    pub(crate) fn hold(self: &Arc<Self>) -> Held {
        let at_once = self.at_once.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_at_once.fetch_max(at_once, Ordering::Relaxed);
        Held(Arc::clone(self))
    }

    /// Returns what to answer to a question.
    pub(crate) fn answer(&self, question: &Message) -> DnsAnswer {
        let Some(query) = question.queries.first() else { return DnsAnswer::silence() };
        let (name, kind) = (plain(query.name()), query.query_type());
        let id = question.metadata.id;
        let mut books = self.books();
        books.packets += 1;
        books.asked.entry(name.clone()).or_default().insert((kind, id));
        let Some(script) = self.script(&name) else {
            drop(books);
            return self.of_hosts(&name);
        };
        // The same question again gets the same answer again.
        let turns = books.turns.entry((name, kind)).or_default();
        let next = turns.len();
        let turn = *turns.entry(id).or_insert(next);
        script.get(turn).or(script.last()).cloned().unwrap_or_else(DnsAnswer::silence)
    }

    pub(crate) fn counts_tcp(&self) {
        self.over_tcp.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn ttl(&self) -> u32 {
        self.ttl
    }

    fn script(&self, name: &str) -> Option<&Vec<DnsAnswer>> {
        if let Some(script) = self.scripts.get(name) {
            return Some(script);
        }
        let mut rest = name;
        while let Some((_, parent)) = rest.split_once('.') {
            if let Some(script) = self.scripts.get(&format!("*.{parent}")) {
                return Some(script);
            }
            rest = parent;
        }
        None
    }

    fn of_hosts(&self, name: &str) -> DnsAnswer {
        match self.hosts.resolve(name) {
            Some(addresses) => DnsAnswer::addresses(&addresses),
            // RFC 8020: a name with others below it exists, it only has no records.
            None if self.hosts.has_below(name) => DnsAnswer::empty(),
            None => DnsAnswer::no_such_name(),
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a name in lower case, without the dot of the root.
fn plain(name: &Name) -> String {
    name.to_ascii().trim_end_matches('.').to_ascii_lowercase()
}

fn is_of_kind(address: IpAddr, kind: RecordType) -> bool {
    match kind {
        RecordType::A => address.is_ipv4(),
        RecordType::AAAA => address.is_ipv6(),
        RecordType::ANY => true,
        _ => false,
    }
}
