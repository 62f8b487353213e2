//! What site owners are told: from the crawl, and only for a host whose robots.txt proves it.

use std::sync::Arc;

use anyhow::Result;
use base::Url;
use crawl::{Fate, OwnerReport, OwnerRobots, Story};
use indicatif::HumanCount;
use serve::{About, OwnerPage, OwnerQuestion, Refusal};

use super::{Crawl, numbers};
use crate::command::why;
use crate::config::Config;
use crate::control::Request;

/// Returns who we are, and who tells about hosts.
pub(crate) fn about(config: &Config, crawl: Crawl) -> About {
    let agent = config.crawl.agent();
    let report = move |question: &OwnerQuestion| -> Result<Option<serve::OwnerReport>, Refusal> {
        let OwnerQuestion { host, proof, urls } = question;
        let request = Request::Owner { host: host.clone(), proof: proof.clone() };
        let Some(found) = crawl.ask::<Option<OwnerReport>>(&request)? else { return Ok(None) };
        let known = known(&crawl, urls)?;
        let story = known.as_ref().map(story).unwrap_or_default();
        let url = known.map(|story| story.url);
        Ok(Some(serve::OwnerReport { url, story, ..told(found) }))
    };
    About {
        agent: agent.header(),
        token: agent.token.clone(),
        contact: agent.contact.clone(),
        delay: config.crawl.delay.0,
        report: Arc::new(report),
    }
}

/// What owners are told of one address. What else there is to tell is about others, or is the
/// business of whoever crawls: who links to it, which rule of ours has it, where it lies on our disk.
const OWN: [&str; 10] = [
    "asked as",
    "standing",
    "visits",
    "scope",
    "learnt",
    "robots.txt",
    "redirects",
    "searchable",
    "odd",
    "spam",
];

/// Returns what is known of the first of these addresses that was ever seen; if none was, of the
/// first.
fn known(crawl: &Crawl, urls: &[Url]) -> Result<Option<Story>> {
    let mut unseen = None;
    for url in urls {
        let story: Story = crawl.ask(&Request::Why { url: url.to_string() })?;
        if story.standing != Fate::NeverSeen {
            return Ok(Some(story));
        }
        unseen.get_or_insert(story);
    }
    Ok(unseen)
}

fn story(story: &Story) -> Vec<(String, String)> {
    let mut lines = why::lines(story);
    lines.retain(|(what, _)| OWN.contains(&what.as_str()));
    lines
}

fn told(report: OwnerReport) -> serve::OwnerReport {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut say = |what: &str, how: String| facts.push((what.to_owned(), how));
    for robots in &report.robots {
        say("robots.txt", about_robots(robots));
    }
    if let Some(row) = report.host {
        let (known, waiting) = (HumanCount(row.known), HumanCount(row.waiting));
        say("addresses", format!("{known} known, {waiting} wait"));
        say("responses", HumanCount(row.responses).to_string());
        if let Some(failure) = &row.failure {
            say("trouble", format!("{failure}, {} times in a row", row.errors));
        }
        say("now", numbers::host(row, super::now()).state);
    }
    let page = |page: crawl::OwnerPage| OwnerPage {
        url: page.url.to_string(),
        standing: page.standing,
        at: page.at.map(|moment| moment.to_string()),
    };
    serve::OwnerReport {
        facts,
        standings: report.standings,
        pages: report.pages.into_iter().map(page).collect(),
        is_cut: report.is_cut,
        story: Vec::new(),
        url: None,
    }
}

fn about_robots(robots: &OwnerRobots) -> String {
    let OwnerRobots { origin, read, status, crawl_delay_seconds, is_open, .. } = robots;
    let open = if *is_open { "lets us in" } else { "keeps us out of `/`" };
    let delay = match crawl_delay_seconds {
        Some(seconds) => format!("; asks for {seconds} s between requests"),
        None => String::new(),
    };
    format!("{origin}: read {read}, status {status}; {open}{delay}")
}
