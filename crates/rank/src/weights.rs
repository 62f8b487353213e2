//! How much what counts: the named numbers of the ranking, as they stand in `lookfar.toml`.

use serde::Deserialize;

/// How much each term of the score counts; the formula is above.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// BM25: how soon further occurrences stop to count.
    pub k1: f32,
    /// BM25: how much long pages are held back, from 0 to 1.
    pub b: f32,
    /// Occurrences in the text that one in the title is worth.
    pub title_zone: f32,
    /// Occurrences in the text that one in boilerplate is worth: a word of the side bar is not
    /// what the page is about (W15).
    pub aside_zone: f32,
    /// A word in the very form that was asked for (T3).
    pub exact: f32,
    /// A title made of the query's words.
    pub title: f32,
    /// A word in the URL.
    pub address: f32,
    /// Words of others in links to the page. Large enough that a handful of sites agreeing on a
    /// name outweigh a page that only mentions it (W16).
    pub anchors: f32,
    /// Number of foreign sites at which anchors count half of their weight.
    pub anchor_half: f32,
    /// Importance by links: the most it can add.
    pub links: f32,
    /// Importance by links for topics that were asked for, in place of `links`. Larger: who names a
    /// topic says what he means by the words.
    pub topics: f32,
    /// Trust that flows from checked pages: the most it can add. Nothing where nobody is trusted.
    pub trust: f32,
    /// Share of the score that is taken from a page that surely takes part in spam of links, from
    /// 0 to 1.
    pub spam: f32,
    /// Words of the query that stand near each other on the page.
    pub closeness: f32,
    /// Neighbours in the query that stand side by side on the page too, in that order.
    pub phrase: f32,
    /// Likeness of spelling: at most this share of the best page's text score.
    pub letters: f32,
    /// Words that the best answers have in common; off by default: some collections gain by it and
    /// others lose.
    pub feedback: f32,
    /// Pages that say they were worked on lately: the most it can add. Small, since it is the
    /// page's own word.
    pub freshness: f32,
    /// Pages that look made for search engines: the share of their own words' worth that the
    /// surest of them lose.
    pub quality: f32,
    /// Likeness to the page of `related:`, from 0 to 1. It is what was asked for, so it outweighs all
    /// that a page adds by itself.
    pub related: f32,
    /// `k1` of the model `bm25`.
    pub plain_k1: f32,
    /// `b` of the model `bm25`.
    pub plain_b: f32,
}

impl Default for Weights {
    /// Begun by hand and by trials on the test collections, and kept because of a measurement: what
    /// `cargo xtask eval --tune` finds in their place brings nothing on sets that it was not found on
    /// (docs/measurements/2026-11-18-tuning.md). `topics`, `trust`, `spam`, `freshness`, `quality` and
    /// `related` come of its trials; `feedback` is off because some sets lose by it.
    fn default() -> Self {
        Self {
            k1: 1.2,
            b: 0.75,
            title_zone: 3.0,
            aside_zone: 0.15,
            exact: 0.25,
            title: 0.8,
            address: 0.2,
            anchors: 5.0,
            anchor_half: 3.0,
            links: 1.0,
            topics: 8.0,
            trust: 1.0,
            spam: 0.8,
            closeness: 0.8,
            phrase: 0.2,
            letters: 0.4,
            feedback: 0.0,
            freshness: 0.2,
            quality: 0.7,
            related: 20.0,
            // What others compare with: the defaults of Anserini.
            plain_k1: 0.9,
            plain_b: 0.4,
        }
    }
}

/// No weight may be larger: scores stay finite whatever is asked for.
const LARGEST: f32 = 1e6;

impl Weights {
    /// Sets a weight by its name.
    ///
    /// Fails when there is no such weight, or the value is not one: negative, not finite, or
    /// above 1 where a share is meant.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), String> {
        let mut all = self.all();
        let names = all.each_ref().map(|(name, _)| *name).join(", ");
        let found = all.iter_mut().find(|(known, _)| *known == name);
        let Some((_, weight)) = found else {
            return Err(format!("no weight `{name}`; there are {names}"));
        };
        **weight = value;
        self.check()
    }

    /// Returns an error that names the first weight whose value is not one.
    pub fn check(&self) -> Result<(), String> {
        let mut copy = *self;
        for (name, value) in copy.all() {
            let most = if SHARES.contains(&name) { 1.0 } else { LARGEST };
            if !(0.0..=most).contains(value) {
                return Err(format!("weight `{name}` must be between 0 and {most}, not {value}"));
            }
        }
        Ok(())
    }
}

impl Weights {
    fn all(&mut self) -> [(&'static str, &mut f32); 22] {
        [
            ("k1", &mut self.k1),
            ("b", &mut self.b),
            ("title_zone", &mut self.title_zone),
            ("aside_zone", &mut self.aside_zone),
            ("exact", &mut self.exact),
            ("title", &mut self.title),
            ("address", &mut self.address),
            ("anchors", &mut self.anchors),
            ("anchor_half", &mut self.anchor_half),
            ("links", &mut self.links),
            ("topics", &mut self.topics),
            ("trust", &mut self.trust),
            ("spam", &mut self.spam),
            ("closeness", &mut self.closeness),
            ("phrase", &mut self.phrase),
            ("letters", &mut self.letters),
            ("feedback", &mut self.feedback),
            ("freshness", &mut self.freshness),
            ("quality", &mut self.quality),
            ("related", &mut self.related),
            ("plain_k1", &mut self.plain_k1),
            ("plain_b", &mut self.plain_b),
        ]
    }
}

/// Weights that are shares: at most 1.
const SHARES: [&str; 4] = ["b", "plain_b", "quality", "spam"];
