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
//!
//! Shares come from the user, or, for the topic [`BY_QUERY`], from the query (after Haveliwala's
//! topic-sensitive PageRank): in proportion to how many of a topic's visitors are on the pages that
//! were found, which by Bayes' rule is how likely the topic is, if all were as likely before.

use std::sync::{Arc, OnceLock};

use base::PageId;
use graph::{BY_QUERY, Scores, WHOLE_WEB};

use crate::answer::Part;
use crate::generation::{Links, steps};
use crate::remark::{Remark, SpamPart};
use crate::{Error, Request, TopicWeight, Weights};

/// Below this a page is not held for spam: findings are as sure as their score, and half of one is
/// a guess.
const SPAM_FROM: f32 = 0.5;

/// The links of one generation, seen as one question wants it.
#[derive(Debug)]
pub(crate) struct Standing {
    links: Arc<Links>,
    /// Empty for ordinary PageRank.
    topics: Vec<Topic>,
    /// The share that the query divides among them. With it, the topics' own shares sum to 1.
    by_query: f32,
    /// Known from the beginning, unless the query has a share to divide.
    blend: OnceLock<Blend>,
}

#[derive(Debug)]
struct Topic {
    name: String,
    /// What the user gave it.
    share: f32,
    scores: Arc<Scores>,
}

/// How much each topic counts, and what that makes of mean and largest.
#[derive(Debug)]
struct Blend {
    /// In the order of the topics; they sum to 1.
    shares: Vec<f32>,
    mean: f32,
    max: f32,
}

/// Topics with a smaller share are not named.
const NAMED_FROM: f32 = 0.005;

impl Standing {
    /// Sees pages as everybody sees them.
    pub(crate) fn plain(links: Arc<Links>) -> Self {
        let of = |value: fn(&Scores) -> f32| links.scores.as_ref().map_or(0.0, value);
        let blend = Blend { shares: Vec::new(), mean: of(Scores::mean), max: of(Scores::max) };
        Self { links, topics: Vec::new(), by_query: 0.0, blend: blend.into() }
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
        let (mut topics, mut by_query) = (Vec::new(), 0.0);
        for TopicWeight { name, weight } in wanted {
            match name == BY_QUERY {
                true => by_query += weight / sum,
                false => topics.push(topic(&links, name, weight / sum)?),
            }
        }
        if by_query > 0.0 {
            let known = links.reputation.iter().flat_map(graph::Reputation::topics);
            let others: Vec<&str> =
                known.filter(|name| topics.iter().all(|topic| topic.name != *name)).collect();
            if topics.is_empty() && others.is_empty() {
                return Err(unknown(&links, BY_QUERY));
            }
            for name in others {
                topics.push(topic(&links, name, 0.0)?);
            }
        }
        let shares = topics.iter().map(|topic| topic.share).collect();
        let standing = Self { links, topics, by_query, blend: OnceLock::new() };
        if by_query == 0.0 {
            standing.blend.get_or_init(|| standing.blend_of(shares));
        }
        Ok(standing)
    }

    /// Lets the pages that were found say how much each topic counts, if the query is to say so and
    /// has not yet. Linear in pages and topics.
    pub(crate) fn tell(&self, pages: &(impl Iterator<Item = PageId> + Clone)) {
        if self.blend.get().is_none() && pages.clone().next().is_some() {
            self.blend.get_or_init(|| self.told_by(pages));
        }
    }

    /// Divides the query's share among the topics.
    fn told_by(&self, pages: &(impl Iterator<Item = PageId> + Clone)) -> Blend {
        let visitors = |topic: &Topic| -> f32 {
            pages.clone().map(|page| topic.scores.get(page).unwrap_or(0.0)).sum()
        };
        let visitors: Vec<f32> = self.topics.iter().map(visitors).collect();
        let all: f32 = visitors.iter().sum();
        let told = |(topic, visitors): (&Topic, &f32)| {
            let part = match all > 0.0 && all.is_finite() {
                true => visitors / all,
                // Nobody was ever there: pages that came after the ranking.
                false => f32::from(topic.name == WHOLE_WEB),
            };
            topic.share + self.by_query * part
        };
        self.blend_of(self.topics.iter().zip(&visitors).map(told).collect())
    }

    fn blend_of(&self, shares: Vec<f32>) -> Blend {
        let blend = |value: fn(&Scores) -> f32| {
            self.topics.iter().zip(&shares).map(|(topic, share)| share * value(&topic.scores)).sum()
        };
        let (mean, max) = (blend(Scores::mean), blend(Scores::max));
        Blend { shares, mean, max }
    }

    /// Returns the blend; as no page would tell it, if none has.
    fn blend(&self) -> &Blend {
        self.blend.get_or_init(|| self.told_by(&std::iter::empty()))
    }

    /// Adds what links say of a page to the parts of its score.
    pub(crate) fn add(&self, parts: &mut Vec<Part>, page: PageId, weights: &Weights) {
        let (name, weight) = match self.topics.is_empty() {
            true => ("links", weights.links),
            false => ("topics", weights.topics),
        };
        let importance = self.rank(page).map_or(0.0, |rank| {
            let Blend { mean, max, .. } = *self.blend();
            steps(rank, mean, max)
        });
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

    /// Returns what links say of a page, as far as it counts.
    pub(crate) fn remarks(&self, page: PageId, weights: &Weights) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if weights.topics > 0.0 && !self.topics.is_empty() {
            remarks.push(self.topics_remark(page));
        }
        if let Some(trust) = self.trust().filter(|_| weights.trust > 0.0) {
            let times = trust.get(page).unwrap_or(0.0) / trust.mean().max(f32::MIN_POSITIVE);
            remarks.push(if times > 0.0 { Remark::Trusted { times } } else { Remark::NotTrusted });
        }
        if weights.spam > 0.0 && self.spam(page) > 0.0 {
            remarks.push(Remark::Spam(self.spam_part(page)));
        }
        remarks
    }

    fn topics_remark(&self, page: PageId) -> Remark {
        let blend = self.blend();
        let times = self.rank(page).unwrap_or(0.0) / blend.mean.max(f32::MIN_POSITIVE);
        let names = self.topics.iter().map(|topic| topic.name.clone());
        let mut topics: Vec<(String, f32)> = names.zip(blend.shares.iter().copied()).collect();
        let is_told_by_pages = self.by_query > 0.0;
        if is_told_by_pages {
            topics.retain(|(_, share)| *share >= NAMED_FROM);
            topics.sort_by(|one, other| other.1.total_cmp(&one.1));
        }
        Remark::Topics { topics, is_told_by_pages, times }
    }

    fn spam_part(&self, page: PageId) -> Option<SpamPart> {
        let (finding, role) = self.links.reputation.as_ref()?.spam_finding(page)?;
        let (kind, reasons) = (finding.kind.clone(), finding.reasons.clone());
        Some(SpamPart { role, kind, score: finding.score, reasons })
    }

    /// Returns a page's rank, of the blend if there is one; `None` if it came later.
    fn rank(&self, page: PageId) -> Option<f32> {
        if self.topics.is_empty() {
            return self.links.scores.as_ref()?.get(page);
        }
        let mut rank = 0.0;
        for (topic, share) in self.topics.iter().zip(&self.blend().shares) {
            rank += share * topic.scores.get(page)?;
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

/// Returns a topic that is known.
fn topic(links: &Links, name: &str, share: f32) -> Result<Topic, Error> {
    let scores = match &links.reputation {
        Some(reputation) => reputation.topic(name)?,
        None => None,
    };
    let Some(scores) = scores else { return Err(unknown(links, name)) };
    Ok(Topic { name: name.to_owned(), share, scores })
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
