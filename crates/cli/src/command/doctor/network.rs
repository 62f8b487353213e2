//! What others meet: the port of the search page, how we present ourselves, and whether names
//! can be looked up.

use std::time::Duration;

use ::crawl::{Agent, Failure};
use base::Url;

use super::collection::Subject;
use super::{Finding, within};
use crate::config::Config;
use crate::place::{unreachable, unreachable_because};

/// Whether the search page can listen.
pub(super) fn port(subject: &Subject) -> Finding {
    const CHECK: &str = "port";
    let listen = subject.config.serve.listen;
    match ::serve::Listener::bind(listen) {
        Ok(_) if !listen.ip().is_loopback() => Finding::warn(
            CHECK,
            format!("{listen} is free; who can reach this machine can search"),
            "if only you should, set `serve.listen` to \"127.0.0.1:7700\"",
        ),
        Ok(_) => Finding::ok(CHECK, format!("{listen} is free")),
        // Most likely it is the very page.
        Err(::serve::Error::PortInUse { .. }) if subject.is_in_use => {
            Finding::ok(CHECK, format!("{listen} is in use, as the collection is"))
        }
        Err(error) => {
            let advice = error.hint().unwrap_or_else(|| "change `serve.listen`".to_owned());
            Finding::bad(CHECK, format!("{:#}", anyhow::Error::from(error)), advice)
        }
    }
}

/// Whether site owners can reach the person who crawls.
pub(super) fn contact(subject: &Subject) -> Finding {
    const CHECK: &str = "contact";
    let crawl = &subject.config.crawl;
    let contact = Some(crawl.contact.clone()).filter(|contact| !contact.is_empty());
    let is_missing = contact.is_none();
    let header = Agent { contact, ..Agent::default() }.header();
    let said = format!("we say `User-Agent: {header}`");
    let advice = "set `crawl.contact` to a page or a mail address: who cannot ask you blocks you";
    match is_missing {
        true if crawl.scope.needs_contact() => Finding::bad(CHECK, said, advice),
        true => Finding::warn(CHECK, said, advice),
        false => Finding::ok(CHECK, said),
    }
}

/// Longest wait for all lookups.
const PATIENCE: Duration = Duration::from_secs(15);
/// Seeds that are looked up.
const SEEDS: usize = 3;
/// Looked up where there are no seeds: a name that is kept for examples, and exists.
const ANY: &str = "https://example.org/";

/// Whether the resolver answers, and knows the hosts that the crawl begins at.
pub(super) fn dns(subject: &Subject) -> Finding {
    let mut seeds: Vec<Url> = subject.seeds.iter().take(SEEDS).cloned().collect();
    if seeds.is_empty() {
        seeds.extend(Url::parse(ANY));
    }
    let config = subject.config.clone();
    let asked = within(PATIENCE, move || {
        let found = unreachable(&config, &seeds);
        (seeds, found)
    });
    let servers = servers(&subject.config);
    let mend = format!("look whether this machine is connected; it asks {servers}");
    const CHECK: &str = "DNS";
    match asked {
        None => Finding::bad(CHECK, format!("no answer in {} s", PATIENCE.as_secs()), mend),
        Some((_, Err(error))) => Finding::bad(CHECK, format!("{error:#}"), mend),
        Some((seeds, Ok(found))) => match found.first() {
            None => {
                let host = seeds.first().map(|url| url.host().to_string()).unwrap_or_default();
                Finding::ok(CHECK, format!("finds `{host}`, asking {servers}"))
            }
            Some((url, failure @ Failure::NoSuchHost)) => {
                Finding::bad(CHECK, unreachable_because(url, *failure), "mend seeds.txt")
            }
            Some((url, failure)) => Finding::bad(CHECK, unreachable_because(url, *failure), mend),
        },
    }
}

fn servers(config: &Config) -> String {
    match config.crawl.dns_servers.as_slice() {
        [] => "the servers of this system".to_owned(),
        servers => servers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
