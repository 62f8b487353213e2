//! What links say of a page for one question: importance, on its own or for topics; trust; spam
//! (G3, G4, G7).
//!
//! ```text
//! rank(p)    = PageRank, or Σ share(topic) · rank of the topic (p)
//! importance = ln(1 + rank / mean) / ln(1 + max / mean)       trust: the same of trust
//! spam       = (score − ½) / ½ for pages that spam was found of with a score above ½
//! ```
//! The PageRank of a mix of teleport sets is the mix of their PageRanks, so a blend at the time of
//! the question is what ranking the whole graph for that mix would give (`graph::Reputation` says
//! how dead ends are treated for that to hold). Of a blend the mean is the blend of the means; the
//! largest is bounded by the blend of the largest, which stands in for it.

use std::sync::Arc;

use base::PageId;
use graph::{Scores, SpamRole};

use crate::answer::Part;
use crate::generation::{Links, steps};
use crate::{Error, Request, TopicWeight, Weights};

/// Below this a page is not held for spam: findings are as sure as their score, and half of one is
/// a guess.
const SPAM_FROM: f32 = 0.5;

/// The links of one generation, seen as one question wants it.
#[derive(Debug)]
pub(crate) struct Standing {
    links: Arc<Links>,
    /// Empty for ordinary PageRank. Shares sum to 1.
    topics: Vec<Topic>,
    mean: f32,
    max: f32,
}

#[derive(Debug)]
struct Topic {
    name: String,
    share: f32,
    scores: Arc<Scores>,
}

impl Standing {
    /// Sees pages as everybody sees them.
    pub(crate) fn plain(links: Arc<Links>) -> Self {
        let of = |value: fn(&Scores) -> f32| links.scores.as_ref().map_or(0.0, value);
        let (mean, max) = (of(Scores::mean), of(Scores::max));
        Self { links, topics: Vec::new(), mean, max }
    }

    /// Sees pages by these topics, each at its share of the weights; by none, as everybody.
    ///
    /// Fails on a topic that is not known, and on weights that cannot be blended. The first use of
    /// a topic reads its scores.
    pub(crate) fn new(links: Arc<Links>, wanted: &[TopicWeight]) -> Result<Self, Error> {
        if wanted.is_empty() {
            return Ok(Self::plain(links));
        }
        let sum: f32 = wanted.iter().map(|topic| topic.weight).sum();
        let is_weight = |topic: &TopicWeight| topic.weight >= 0.0;
        let is_few = wanted.len() <= Request::MAX_TOPICS;
        if !(sum > 0.0 && sum.is_finite() && wanted.iter().all(is_weight) && is_few) {
            return Err(Error::TopicWeights);
        }
        let mut topics = Vec::new();
        for TopicWeight { name, weight } in wanted {
            let scores = match &links.reputation {
                Some(reputation) => reputation.topic(name)?,
                None => None,
            };
            let Some(scores) = scores else { return Err(unknown(&links, name)) };
            topics.push(Topic { name: name.clone(), share: weight / sum, scores });
        }
        let blend = |value: fn(&Scores) -> f32| {
            topics.iter().map(|topic| topic.share * value(&topic.scores)).sum()
        };
        let (mean, max) = (blend(Scores::mean), blend(Scores::max));
        Ok(Self { links, topics, mean, max })
    }

    /// Adds what links say of a page to the parts of its score.
    pub(crate) fn add(&self, parts: &mut Vec<Part>, page: PageId, weights: &Weights) {
        let (name, weight) = match self.topics.is_empty() {
            true => ("links", weights.links),
            false => ("topics", weights.topics),
        };
        let importance = self.rank(page).map_or(0.0, |rank| steps(rank, self.mean, self.max));
        parts.push(Part::new(name, importance, weight));
        if let Some(trust) = self.trust() {
            let score = trust.get(page).unwrap_or(0.0);
            parts.push(Part::new("trust", steps(score, trust.mean(), trust.max()), weights.trust));
        }
        let spam = self.spam(page);
        if spam > 0.0 {
            let score: f32 = parts.iter().map(|part| part.value).sum();
            parts.push(Part::new("spam", -spam * score, weights.spam));
        }
    }

    /// Says in sentences what links say of a page, as far as it counts.
    pub(crate) fn remarks(&self, page: PageId, weights: &Weights) -> Vec<String> {
        let mut remarks = Vec::new();
        if weights.topics > 0.0 && !self.topics.is_empty() {
            let times = self.rank(page).unwrap_or(0.0) / self.mean.max(f32::MIN_POSITIVE);
            let percent = |topic: &Topic| format!("{} {:.0} %", topic.name, 100.0 * topic.share);
            let topics: Vec<String> = self.topics.iter().map(percent).collect();
            let topics = topics.join(", ");
            remarks.push(format!("Importance for {topics}: {times:.1} times the mean."));
        }
        if let Some(trust) = self.trust().filter(|_| weights.trust > 0.0) {
            let times = trust.get(page).unwrap_or(0.0) / trust.mean().max(f32::MIN_POSITIVE);
            remarks.push(match times > 0.0 {
                true => format!(
                    "Linked by trusted pages, or by pages they link to: trust {times:.1} times the mean."
                ),
                false => "No link leads here from a trusted page.".to_owned(),
            });
        }
        if weights.spam > 0.0 && self.spam(page) > 0.0 {
            remarks.push(self.spam_remark(page));
        }
        remarks
    }

    fn spam_remark(&self, page: PageId) -> String {
        let reputation = self.links.reputation.as_ref();
        match reputation.and_then(|reputation| reputation.spam_finding(page)) {
            Some((finding, role)) => {
                let part = match role {
                    SpamRole::Target => "held up by a structure of links",
                    SpamRole::Helper => "part of a structure of links that holds up another page",
                };
                let (kind, score) = (&finding.kind, finding.score);
                let reasons = finding.reasons.join("; ");
                format!("Looks like link spam: {part} ({kind}, certain to {score:.2}): {reasons}.")
            }
            None => "Looks like link spam.".to_owned(),
        }
    }

    /// Returns a page's rank, of the blend if there is one; `None` if it came later.
    fn rank(&self, page: PageId) -> Option<f32> {
        if self.topics.is_empty() {
            return self.links.scores.as_ref()?.get(page);
        }
        let mut rank = 0.0;
        for topic in &self.topics {
            rank += topic.share * topic.scores.get(page)?;
        }
        Some(rank)
    }

    fn trust(&self) -> Option<&Scores> {
        self.links.reputation.as_ref()?.trust()
    }

    /// Returns how far a page is above what is let pass, from 0 to 1.
    fn spam(&self, page: PageId) -> f32 {
        let score = self.links.reputation.as_ref().map_or(0.0, |known| known.spam(page));
        ((score - SPAM_FROM) / (1.0 - SPAM_FROM)).clamp(0.0, 1.0)
    }
}

fn unknown(links: &Links, name: &str) -> Error {
    let known: Vec<&str> = links.reputation.iter().flat_map(graph::Reputation::topics).collect();
    let needed = links.reputation.as_ref().and_then(graph::Reputation::needed_memory);
    let known = match known.is_empty() {
        true if needed.is_some() => format!(
            "topics were left out, since ranking them takes {} MiB: raise `graph.memory` in \
             lookfar.toml and run `lookfar graph build --again`",
            needed.unwrap_or_default().div_ceil(1 << 20)
        ),
        true => "none was ranked yet: name them in `graph.topics` of lookfar.toml and run \
                 `lookfar graph build --again`"
            .to_owned(),
        false => format!("there are {}", known.join(", ")),
    };
    Error::Topic { name: name.escape_debug().to_string(), known }
}
