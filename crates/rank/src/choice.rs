//! What a question may say of how links count: which topics, what not, in which order.

use std::fmt;
use std::str::FromStr;

use crate::Weights;

/// A topic and how much it counts beside others: `news=0.7`, `news:0.7`, or `news` for 1.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicWeight {
    /// What the topic is called.
    pub name: String,
    /// Its weight; only the ratio to the others matters.
    pub weight: f32,
}

impl FromStr for TopicWeight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, weight) = text.split_once(['=', ':']).unwrap_or((text, "1"));
        let weight = weight.trim().parse().ok().filter(|weight: &f32| weight.is_finite());
        match weight.filter(|weight| *weight >= 0.0) {
            Some(weight) if !name.trim().is_empty() => {
                Ok(Self { name: name.trim().to_owned(), weight })
            }
            _ => Err(format!("`{}`: write it like `news=0.7`", text.escape_debug())),
        }
    }
}

impl fmt::Display for TopicWeight {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.name, self.weight)
    }
}

/// What of the links does not count: `pagerank`, `trust`, `spam`, several with commas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Without {
    /// Importance by links, topics included.
    pub pagerank: bool,
    /// Trust.
    pub trust: bool,
    /// What is taken from pages that look like spam.
    pub spam: bool,
}

impl Without {
    /// Returns the weights that are left.
    pub(crate) fn applied(self, mut weights: Weights) -> Weights {
        for (is_out, weight) in [
            (self.pagerank, &mut weights.links),
            (self.pagerank, &mut weights.topics),
            (self.trust, &mut weights.trust),
            (self.spam, &mut weights.spam),
        ] {
            if is_out {
                *weight = 0.0;
            }
        }
        weights
    }
}

impl FromStr for Without {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut without = Self::default();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "pagerank" => without.pagerank = true,
                "trust" => without.trust = true,
                "spam" => without.spam = true,
                other => {
                    let other = other.escape_debug();
                    return Err(format!("no `{other}`; there are pagerank, trust, spam"));
                }
            }
        }
        Ok(without)
    }
}

/// Writes what [`FromStr`] reads; nothing if everything counts.
impl fmt::Display for Without {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [("pagerank", self.pagerank), ("trust", self.trust), ("spam", self.spam)];
        let names: Vec<&str> =
            all.into_iter().filter(|(_, is_out)| *is_out).map(|(name, _)| name).collect();
        formatter.write_str(&names.join(","))
    }
}

/// What puts answers into order: `relevance` or `authorities`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sorting {
    /// How well they fit, and everything else that is known of them.
    #[default]
    Relevance,
    /// Among the best of those, how much good hubs link to them (HITS); the others behind.
    Authorities,
}

impl FromStr for Sorting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "relevance" => Ok(Self::Relevance),
            "authorities" => Ok(Self::Authorities),
            other => {
                let other = other.escape_debug();
                Err(format!("no order `{other}`; there are relevance and authorities"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_written_with_their_weight() {
        let topic = |text: &str| text.parse::<TopicWeight>();
        let news = |weight| Ok(TopicWeight { name: "news".to_owned(), weight });
        assert_eq!(topic("news"), news(1.0));
        assert_eq!(topic("news=0.7"), news(0.7));
        assert_eq!(topic(" news : 2"), news(2.0));
        assert_eq!(topic(&topic("news=0.25").unwrap().to_string()), news(0.25));
        for bad in ["", "=1", "news=", "news=x", "news=-1", "news=NaN", "news=inf", ":"] {
            assert!(topic(bad).unwrap_err().contains("news=0.7"), "{bad}");
        }
    }

    #[test]
    fn what_is_left_out_has_no_weight() {
        let without: Without = "spam, pagerank".parse().unwrap();
        assert_eq!(without, Without { pagerank: true, trust: false, spam: true });
        assert_eq!(without.to_string(), "pagerank,spam");
        let weights = without.applied(Weights::default());
        assert_eq!((weights.links, weights.spam), (0.0, 0.0));
        assert!(weights.trust > 0.0);
        assert_eq!("".parse(), Ok(Without::default()));
        assert!("links".parse::<Without>().unwrap_err().contains("pagerank, trust, spam"));
        assert!("by hub".parse::<Sorting>().unwrap_err().contains("authorities"));
        assert_eq!("authorities".parse(), Ok(Sorting::Authorities));
    }
}
