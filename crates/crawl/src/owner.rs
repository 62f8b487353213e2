//! What the owner of a host may know: what we fetched of it, when, and why not (for site owners).

use base::{Host, Url};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::frontier::Standing;
use crate::hosts::HostRow;
use crate::robots::Robots;
use crate::story::{Moment, Sources};

/// What is known of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerReport {
    /// The host in numbers; `None` if no page of it was ever named.
    pub host: Option<HostRow>,
    /// Its robots.txt as we have it, by scheme.
    pub robots: Vec<OwnerRobots>,
    /// Some of its pages.
    pub pages: Vec<OwnerPage>,
    /// How many of its URLs stand how, as far as they were looked at.
    pub standings: Vec<(String, u64)>,
    /// Whether there are more URLs than were looked at.
    pub is_cut: bool,
}

/// A robots.txt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerRobots {
    /// Scheme, host and port.
    pub origin: String,
    /// When it was asked for, the last time that there was an answer.
    pub read: Moment,
    /// Status of the answer.
    pub status: u16,
    /// Seconds between two requests that it asks for.
    pub crawl_delay_seconds: Option<u64>,
    /// Whether our front door is open: whether `/` may be fetched.
    pub is_open: bool,
    /// Words behind `lookfar-verify:` in remarks of the file, a few.
    pub proofs: Vec<String>,
}

/// One URL of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerPage {
    /// Its address.
    pub url: Url,
    /// Where it stands, in words.
    pub standing: String,
    /// When it was fetched.
    pub at: Option<Moment>,
}

/// URLs of a host looked at for one report.
const LOOKED_AT: usize = 20_000;
/// Pages listed of each standing, and in all.
const LISTED: u64 = 25;
const LISTED_IN_ALL: usize = 300;
/// Proofs taken from one file, and their longest.
const PROOFS: usize = 16;
const PROOF_BYTES: usize = 128;
/// What stands before a proof in a remark of a robots.txt.
const MARK: &str = "lookfar-verify:";

/// Gathers what is known of a host. Cost: its URLs, up to a limit.
pub(crate) fn report(host: &Host, sources: &Sources<'_>) -> Result<OwnerReport, Error> {
    let frontier = sources.frontier;
    let mut report = OwnerReport {
        host: frontier.host(host)?.map(|state| sources.row(&state)),
        robots: robots(host, sources)?,
        pages: Vec::new(),
        standings: Vec::new(),
        is_cut: false,
    };
    let mut looked = 0;
    frontier.each_url_of(host, |url, state| {
        if looked == LOOKED_AT {
            report.is_cut = true;
            return false;
        }
        looked += 1;
        let (words, at) = told(&state.standing);
        let place = report.standings.iter_mut().find(|(known, _)| *known == words);
        let count = match place {
            Some((_, count)) => count,
            None => {
                report.standings.push((words.clone(), 0));
                &mut report.standings.last_mut().expect("pushed just now").1
            }
        };
        *count += 1;
        if *count <= LISTED && report.pages.len() < LISTED_IN_ALL {
            report.pages.push(OwnerPage { url, standing: words, at });
        }
        true
    })?;
    report.standings.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    report.pages.sort_by(|one, other| {
        one.standing.cmp(&other.standing).then_with(|| one.url.as_str().cmp(other.url.as_str()))
    });
    Ok(report)
}

/// Returns the proofs that the copies of a host's robots.txt hold: two point reads, no request.
pub(crate) fn proofs(host: &Host, sources: &Sources<'_>) -> Result<Vec<String>, Error> {
    Ok(robots(host, sources)?.into_iter().flat_map(|robots| robots.proofs).collect())
}

/// Returns whether a published word is the proof; an empty one proves nothing.
pub(crate) fn is_proof(word: &str, proof: &str) -> bool {
    !proof.is_empty() && word == proof
}

/// Returns the word in a text of the DNS: with our mark before it, as in a robots.txt, or bare.
pub(crate) fn in_text(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix(MARK).unwrap_or(text).trim().to_owned()
}

fn robots(host: &Host, sources: &Sources<'_>) -> Result<Vec<OwnerRobots>, Error> {
    let mut found = Vec::new();
    for scheme in ["https", "http"] {
        // Only the usual ports: who holds another one need not be who holds the host.
        let Ok(url) = Url::parse(&format!("{scheme}://{host}/")) else { continue };
        let Some(copy) = sources.frontier.robots(url.origin())? else { continue };
        let rules = Robots::parse(&copy.body, &sources.options.agent.token);
        found.push(OwnerRobots {
            origin: url.origin().to_owned(),
            read: Moment(copy.at),
            status: copy.status,
            crawl_delay_seconds: rules.asked_delay().map(|delay| delay.as_secs()),
            is_open: rules.allows("/"),
            proofs: proofs_in(&copy.body),
        });
    }
    Ok(found)
}

/// Finds `# lookfar-verify: WORD` in a robots.txt.
fn proofs_in(body: &[u8]) -> Vec<String> {
    let lines = body.split(|byte| matches!(byte, b'\n' | b'\r'));
    let texts = lines.filter_map(|line| std::str::from_utf8(line).ok());
    let remarks = texts.filter_map(|line| line.trim().strip_prefix('#'));
    let proofs = remarks.filter_map(|remark| remark.trim().strip_prefix(MARK)).map(str::trim);
    proofs.filter(|proof| proof.len() <= PROOF_BYTES).take(PROOFS).map(str::to_owned).collect()
}

fn told(standing: &Standing) -> (String, Option<Moment>) {
    match standing {
        Standing::Waiting { .. } => ("waiting".to_owned(), None),
        Standing::Fetched { status, at, .. } => (format!("fetched, {status}"), Some(Moment(*at))),
        Standing::GivenUp { failure } => (format!("given up: {}", failure.name()), None),
        Standing::Forbidden => ("forbidden by robots.txt".to_owned(), None),
        Standing::LeftOut { reason } => (format!("left out: {reason}"), None),
        Standing::Forgotten => ("forgotten on request".to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_in_the_dns_are_bare_words_or_marked_ones() {
        assert_eq!(in_text(" lookfar-verify: abc "), "abc");
        assert_eq!(in_text("abc"), "abc");
        assert!(is_proof("abc", "abc") && !is_proof("", "") && !is_proof("abc", "ab"));
    }

    #[test]
    fn proofs_are_remarks_of_robots_txt() {
        let body = b"User-agent: *\r\nDisallow: /x # lookfar-verify: no\n\
            #lookfar-verify:  abc123 \n  # lookfar-verify: \xff\n# lookfar-verify: d\rlookfar-verify: e\n";
        assert_eq!(proofs_in(body), ["abc123", "d"]);
        let many = "# lookfar-verify: x\n".repeat(1_000);
        assert_eq!(proofs_in(many.as_bytes()).len(), PROOFS);
        let long = format!("# lookfar-verify: {}", "x".repeat(1_000));
        assert!(proofs_in(long.as_bytes()).is_empty());
    }
}
