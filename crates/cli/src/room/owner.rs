//! What site owners are told: from the crawl, and only for a host whose robots.txt proves it.

use std::sync::Arc;

use crawl::{OwnerReport, OwnerRobots};
use indicatif::HumanCount;
use serve::{About, OwnerPage, Refusal};

use super::{Crawl, numbers};
use crate::config::Config;
use crate::control::Request;

/// Returns who we are, and who tells about hosts.
pub(crate) fn about(config: &Config, crawl: Crawl) -> About {
    let agent = config.crawl.agent();
    let report = move |host: &str, proof: &str| -> Result<Option<serve::OwnerReport>, Refusal> {
        let request = Request::Owner { host: host.to_owned(), proof: proof.to_owned() };
        let found: Option<OwnerReport> = crawl.ask(&request)?;
        Ok(found.map(told))
    };
    About {
        agent: agent.header(),
        token: agent.token.clone(),
        contact: agent.contact.clone(),
        delay: config.crawl.delay.0,
        report: Arc::new(report),
    }
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
