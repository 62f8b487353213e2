//! How a second terminal speaks to the process that crawls (C16, C18).
//!
//! The process listens on the socket `control.sock` in the collection's folder, open to its own
//! user only. A connection carries requests and answers, each a JSON object on a line of its own:
//!
//! ```text
//! {"command":"pause"}  {"command":"resume"}  {"command":"stop"}  {"command":"status"}
//! {"command":"why","url":"https://a.example/x"}
//! {"command":"forget","target":"a.example"}
//! {"command":"hosts","query":{"find":"example","order":"waiting","skip":0,"limit":50}}
//! {"command":"host","name":"a.example"}
//! {"command":"rule","host":"a.example","rule":{"is_paused":true}}
//! {"command":"seeds","urls":["https://a.example/"]}
//! {"command":"settings"}
//! {"command":"grants"}  {"command":"grants","is_on":true}
//! {"command":"owner","host":"a.example","proof":"0f3c…"}
//! → {"ok":…}  or  {"error":{"message":"…","causes":["…"]}}
//! ```
//! After the answer to `stop` the connection stays open until the process ends.

mod client;
mod server;

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use crawl::{HostQuery, HostRule};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use client::{Client, Ended, ask, wait_for_end};
pub(crate) use server::{Desk, Server};

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Request {
    /// Send no new requests.
    Pause,
    /// Go on.
    Resume,
    /// End cleanly.
    Stop,
    /// Tell the numbers.
    Status,
    /// Tell everything known of a URL.
    Why {
        /// In any form.
        url: String,
    },
    /// Take out and keep out.
    Forget {
        /// A URL, a host or a pattern.
        target: String,
    },
    /// List hosts.
    Hosts {
        /// Which.
        query: HostQuery,
    },
    /// Tell about one host.
    Host {
        /// Its name.
        name: String,
    },
    /// Let something hold for one host, also after a restart.
    Rule {
        /// Its name.
        host: String,
        /// What holds.
        rule: HostRule,
    },
    /// Fetch these pages, in any case.
    Seeds {
        /// Their addresses.
        urls: Vec<String>,
    },
    /// Go by what lookfar.toml and seeds.txt say now, as far as that can be done without a restart.
    Settings,
    /// Note every grant of a permit from now on, or no longer; tell whether that is done.
    Grants {
        /// `None` to be told only.
        #[serde(default)]
        is_on: Option<bool>,
    },
    /// Tell what the owner of a host may know, if its robots.txt holds this proof.
    Owner {
        /// Its name.
        host: String,
        /// What must stand there.
        proof: String,
    },
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// It was done; here is what came of it.
    Ok(Value),
    /// It was not.
    Error(Refusal),
}

/// Why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusal {
    message: String,
    causes: Vec<String>,
}

/// What forgetting came to, for `--json` and the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gone {
    pub(crate) target: String,
    pub(crate) urls: u64,
    pub(crate) records: u64,
    pub(crate) captures: u64,
    pub(crate) is_pending: bool,
}

/// Longest request: a URL, encoded in any way.
const REQUEST_BYTES: usize = 64 * 1024;
/// Longest answer: a story of the longest URLs.
const ANSWER_BYTES: usize = 4 * 1024 * 1024;

impl Gone {
    pub(crate) fn new(target: &crawl::Target, forgotten: crawl::Forgotten) -> Self {
        let crawl::Forgotten { urls, records, captures, is_pending } = forgotten;
        Self { target: target.to_string(), urls, records, captures, is_pending }
    }
}

impl From<&anyhow::Error> for Refusal {
    fn from(error: &anyhow::Error) -> Self {
        let causes = error.chain().skip(1).map(ToString::to_string).collect();
        Self { message: error.to_string(), causes }
    }
}

impl From<Refusal> for anyhow::Error {
    fn from(refusal: Refusal) -> Self {
        let Refusal { message, causes } = refusal;
        let mut texts = causes.into_iter().rev().chain([message]);
        let last = texts.next().unwrap_or_default();
        texts.fold(anyhow!(last), anyhow::Error::context)
    }
}

const NAME: &str = "control.sock";

/// The socket's address for the system, which takes no path of more than about 100 bytes.
struct Address {
    path: PathBuf,
    /// Keeps the short way to a folder with a long name open.
    _folder: Option<File>,
}

impl Address {
    fn of(root: &Path) -> io::Result<Self> {
        /// Shorter than on any system: Linux has 108, others 104 or 92.
        const PATH_BYTES: usize = 90;
        let path = root.join(NAME);
        if path.as_os_str().len() <= PATH_BYTES {
            return Ok(Self { path, _folder: None });
        }
        let folder = File::open(root)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{NAME}", folder.as_raw_fd()));
        Ok(Self { path, _folder: Some(folder) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_are_what_the_page_says() {
        let why = Request::Why { url: "x".to_owned() };
        assert_eq!(serde_json::to_string(&why).unwrap(), r#"{"command":"why","url":"x"}"#);
        assert_eq!(
            serde_json::from_str::<Request>(r#"{"command":"pause"}"#).unwrap(),
            Request::Pause
        );
        for text in [r#"{"command":"dance"}"#, r#"{"command":"why"}"#, "{}", "[]", "pause"] {
            assert!(serde_json::from_str::<Request>(text).is_err(), "{text}");
        }
        let ok = serde_json::to_string(&Answer::Ok(Value::Null)).unwrap();
        assert_eq!(ok, r#"{"ok":null}"#);
    }

    #[test]
    fn an_error_comes_over_with_its_causes() {
        let error = anyhow!("inner").context("middle").context("outer");
        let text = serde_json::to_string(&Answer::Error(Refusal::from(&error))).unwrap();
        let Answer::Error(refusal) = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        let there = anyhow::Error::from(refusal);
        let chain: Vec<String> = there.chain().map(ToString::to_string).collect();
        assert_eq!(chain, ["outer", "middle", "inner"]);
    }
}
