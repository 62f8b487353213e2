//! Gathers the phrases of a generation from its pages.
//!
//! | a phrase is | it counts if |
//! |---|---|
//! | the title of a page, or a part of it | the page has a rank; more for a better one |
//! | what a link calls its target | two sites say it that are not the target's |
//! | a heading | two sites have it |
//! | two to four words of running text | three sites say it, or four pages where there is one site (`running`) |
//!
//! So nobody plants a phrase with a page of his own but by its title, which has the rank of the
//! page. Pages that are spam, blocked, forgotten, or that forbid to show their text do not speak.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use base::{Collection, Generation, LinkKind, PageId, PageRecord, Url, Zone};
use graph::{Reputation, Scores};
use tracing::{debug, warn};

use super::running::{Running, Told};
use super::{Phrase, Suggestions, path};
use crate::Error;
use crate::generation::steps;
use crate::phrase::{self, Normal};

/// Phrases that are kept of a generation: some 10 MB in memory and on disk.
const MOST_PHRASES: usize = 100_000;
/// Phrases that are gathered at a time; beyond it those that count least are let go.
const MOST_GATHERED: usize = 400_000;
/// Headings read of one page.
const MOST_HEADINGS: usize = 16;
/// Links read of one page.
const MOST_LINKS: usize = 512;
/// Sites counted for one phrase; more make no difference.
const MOST_VOICES: usize = 16;
/// Sites that must say a phrase that is no title.
const LEAST_VOICES: usize = 2;
/// From here on a page is spam, from 0 to 1.
const SPAM: f32 = 0.5;
/// What the best title is worth, in steps of growth of the number of sites.
const TITLE: f32 = 3.0;
/// What a title of several parts is worth beside the first of them, which is the page's own name
/// more often than not.
const WHOLE: f32 = 0.8;
/// What the later parts are worth: the name of the site, for the most part.
const PART: f32 = 0.5;
/// What a site is worth that says a phrase in its text only.
const TEXT: f32 = 0.5;

/// Phrases under way: pages come in, a file comes out.
pub struct Phrases<'a> {
    collection: Collection,
    generation: Generation,
    scores: Option<Scores>,
    reputation: Option<Reputation>,
    is_kept_out: &'a dyn Fn(&Url) -> bool,
    voice_of: &'a dyn Fn(&Url) -> String,
    /// By normal form.
    gathered: HashMap<String, Gathered>,
    running: Running,
}

#[derive(Debug, Default)]
struct Gathered {
    /// As the first one wrote it.
    shown: String,
    /// Hashes of who says it, each once.
    voices: Vec<u64>,
    /// The best page whose title it is, and what that is worth.
    title: Option<(f32, PageId)>,
    /// What it is worth as a phrase of running text.
    text: f32,
}

impl<'a> Phrases<'a> {
    /// Begins with a generation whose scores are made; it need not be in use yet.
    ///
    /// `is_kept_out` says which pages and targets must not be spoken of, `voice_of` who speaks on
    /// a page.
    pub fn new(
        collection: &Collection,
        generation: Generation,
        is_kept_out: &'a dyn Fn(&Url) -> bool,
        voice_of: &'a dyn Fn(&Url) -> String,
    ) -> Self {
        let folder = collection.scores(generation);
        let told = |error: &graph::Error| warn!(%generation, %error, "phrases go without scores");
        let scores = Scores::open(&folder).inspect_err(told).ok();
        Self {
            collection: collection.clone(),
            generation,
            running: Running::new(scores.as_ref().map_or(0, Scores::len)),
            scores,
            reputation: Reputation::open(&folder).inspect_err(told).ok().flatten(),
            is_kept_out,
            voice_of,
            gathered: HashMap::new(),
        }
    }

    /// Takes what a page says; each page once, in its latest record.
    pub fn push(&mut self, record: &PageRecord) {
        if !self.may_speak(record) {
            return;
        }
        let voice_of = self.voice_of;
        let voice = voice_of(&record.url);
        let number = hash(voice.as_str());
        self.running.push(record, number);
        if let Some(worth) = self.importance(record.id) {
            let parts = phrase::parts(&record.title);
            for (place, part) in parts.iter().enumerate() {
                let share = match place {
                    0 if parts.len() > 1 => WHOLE,
                    0 | 1 => 1.0,
                    _ => PART,
                };
                self.credit(part, number, Some((worth * share, record.id)));
            }
        }
        let unquotable =
            |block: usize| record.unquotable.iter().any(|span| span.block as usize == block);
        let headings = record.blocks.iter().enumerate();
        let headings = headings.filter(|(_, block)| block.zone == Zone::Heading);
        for (place, heading) in headings.take(MOST_HEADINGS) {
            if !unquotable(place) {
                self.credit(&heading.text, number, None);
            }
        }
        for link in record.links.iter().take(MOST_LINKS) {
            // Most links stay on their host, which is quick to see.
            let is_vote = link.kind == LinkKind::Anchor
                && link.rel.is_endorsement()
                && link.target.host_str() != record.url.host_str();
            if is_vote && !(self.is_kept_out)(&link.target) && voice_of(&link.target) != voice {
                self.credit(&link.anchor, number, None);
            }
        }
        if self.gathered.len() > MOST_GATHERED {
            keep_best(&mut self.gathered, MOST_GATHERED / 2, Gathered::weight, f32::total_cmp);
        }
    }

    fn may_speak(&self, record: &PageRecord) -> bool {
        let spam = f32::from(record.spam.score) / 100.0;
        let held_for = self.reputation.as_ref().map_or(0.0, |known| known.spam(record.id));
        index::is_answer(record)
            && !record.is_forgotten()
            && !record.robots.nosnippet
            // It asks to be left out of results from some date on.
            && record.until.is_none()
            && spam.max(held_for) < SPAM
            && !(self.is_kept_out)(&record.url)
    }

    /// Returns how important a page is, from 0 to 1; `None` if it has no rank.
    fn importance(&self, page: PageId) -> Option<f32> {
        let scores = self.scores.as_ref()?;
        scores.get(page).map(|score| steps(score, scores.mean(), scores.max()))
    }

    /// Returns what is known of a phrase; `None` if it is none that could be suggested.
    fn gathered(&mut self, text: &str) -> Option<&mut Gathered> {
        let shown = phrase::shown(text)?;
        let normal = Normal::of(&shown);
        if normal.starts.is_empty() || index::anchors::is_boilerplate(&normal.text) {
            return None;
        }
        let gathered = self.gathered.entry(normal.text).or_default();
        if gathered.shown.is_empty() {
            gathered.shown = shown;
        }
        Some(gathered)
    }

    fn credit(&mut self, text: &str, voice: u64, title: Option<(f32, PageId)>) {
        let Some(gathered) = self.gathered(text) else { return };
        if let Err(place) = gathered.voices.binary_search(&voice)
            && gathered.voices.len() < MOST_VOICES
        {
            gathered.voices.insert(place, voice);
        }
        if let Some(title) = title
            && gathered.title.is_none_or(|known| title.0 > known.0)
        {
            gathered.title = Some(title);
        }
    }

    /// Takes a phrase of running text, which may be known as a title or a name already.
    fn add(&mut self, told: &Told) {
        let Some(gathered) = self.gathered(&told.shown) else { return };
        // Those of one site only are worth something too.
        let others = told.num_voices.saturating_sub(1).max(1) as f32;
        gathered.text = gathered.text.max(TEXT * told.hold * others.ln_1p());
    }

    /// Writes the phrases beside the scores; returns how many there are.
    pub fn finish(mut self) -> Result<usize, Error> {
        let running = std::mem::replace(&mut self.running, Running::new(0));
        for told in running.finish() {
            self.add(&told);
        }
        let may_be_said = |gathered: &Gathered| {
            gathered.voices.len() >= LEAST_VOICES || gathered.title.is_some() || gathered.text > 0.0
        };
        let mut kept: Vec<(String, Gathered)> =
            self.gathered.into_iter().filter(|(_, gathered)| may_be_said(gathered)).collect();
        kept.sort_by(|(text, one), (other_text, other)| {
            other.weight().total_cmp(&one.weight()).then_with(|| text.cmp(other_text))
        });
        kept.truncate(MOST_PHRASES);
        let phrase = |(normal, gathered): (String, Gathered)| Phrase {
            page: gathered
                .title
                .filter(|_| gathered.voices.len() < LEAST_VOICES && gathered.text == 0.0)
                .map(|(_, page)| page),
            shown: gathered.shown.into(),
            normal: normal.into(),
        };
        let suggestions = Suggestions::new(kept.into_iter().map(phrase).collect());
        let path = path(&self.collection, self.generation);
        suggestions.write(&path).map_err(|source| Error::Suggestions { path, source })?;
        debug!(num_phrases = suggestions.phrases.len(), "phrases gathered");
        Ok(suggestions.phrases.len())
    }
}

impl Gathered {
    /// Returns how much a phrase counts.
    fn weight(&self) -> f32 {
        let others = self.voices.len().saturating_sub(1) as f32;
        TITLE * self.title.map_or(0.0, |(worth, _)| worth) + others.ln_1p().max(self.text)
    }
}

impl std::fmt::Debug for Phrases<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut told = formatter.debug_struct("Phrases");
        told.field("gathered", &self.gathered.len()).field("running", &self.running.len());
        told.finish_non_exhaustive()
    }
}

/// Keeps those of a map that rank highest, at most `kept`; equal ones stay or go together.
pub(super) fn keep_best<K, V, R>(
    map: &mut HashMap<K, V>,
    kept: usize,
    rank: impl Fn(&V) -> R,
    order: impl Fn(&R, &R) -> Ordering,
) {
    let mut ranks: Vec<R> = map.values().map(&rank).collect();
    let place = ranks.len().saturating_sub(kept);
    if place == 0 {
        return;
    }
    // The best of those that go; whatever is as good as it goes too.
    let (_, least, _) = ranks.select_nth_unstable_by(place - 1, &order);
    map.retain(|_, value| order(&rank(value), least).is_gt());
}

/// Returns a hash that is the same in every run; it never reaches the disk.
pub(super) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
