//! Pictures as answers (P8): which of a page's pictures show what was asked for.
//!
//! ```text
//! score = share of the words that name the picture, rare words first
//!         (alternative text and caption 1, file name 0.6, title of the page 0.3)
//!       + 0.3 · score of the page / best score − 0.2 if it is small
//! ```
//! A picture of which nothing is said is shown only if the title of its page says everything.

use std::collections::HashSet;
use std::time::Duration;

use base::Url;
use index::Pictured;
use serde::Serialize;
use text::Analyzer;

use crate::Note;

/// The pictures for one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pictures {
    /// The asked window of the pictures, best first.
    pub pictures: Vec<Picture>,
    /// How many there are to page through.
    pub listed: usize,
    /// How the query was understood.
    pub made_of: String,
    /// What a person should know of it, in sentences.
    pub notes: Vec<Note>,
    /// How many were left out because they, or the pages they are on, are of sites that the asker
    /// blocks.
    pub blocked: u64,
    /// Whether the time ran out before everything was looked at.
    pub is_partial: bool,
    /// How long it took.
    pub took: Duration,
}

/// A picture on a page. Texts are plain and must be escaped by whoever shows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Where it is.
    pub url: Url,
    /// The page that it is on.
    pub page_url: Url,
    /// The title of that page; the address stands in for a missing one.
    pub page_title: String,
    /// What it shows, as the page says: alternative text or caption; may be empty.
    pub alt: String,
    /// Width in pixels as the page says; 0 if it says nothing.
    pub width: u32,
    /// Height, likewise.
    pub height: u32,
}

/// What a word of the picture's name is worth.
const NAME: f32 = 0.6;
/// What a word of the page's title is worth.
const TITLE: f32 = 0.3;
/// What the page counts for.
const PAGE: f32 = 0.3;
/// What is taken off a small picture.
const SMALL: f32 = 0.2;
/// Pictures with a shorter side are small.
const SMALL_SIDE: u32 = 100;

/// A word of the query.
pub(crate) struct Wanted {
    /// The ways to read it, each a list of stems.
    pub(crate) forms: Vec<Vec<String>>,
    /// How telling it is.
    pub(crate) idf: f32,
}

/// Returns the pictures of a page that show what is wanted, with their scores.
///
/// `worth` says how good the page is beside the best, from 0 to 1.
pub(crate) fn of_page(page: Pictured, wanted: &[Wanted], worth: f32) -> Vec<(f32, Picture)> {
    let analyzer = Analyzer::new(page.language);
    let stems = |text: &str| -> HashSet<String> {
        analyzer.terms(text).into_iter().map(|term| term.stem).collect()
    };
    let all: f32 = wanted.iter().map(|wanted| wanted.idf).sum();
    let title = stems(&page.title);
    let title_says_all = wanted.iter().all(|wanted| wanted.is_in(&title));
    let page_title = match page.title.trim() {
        "" => page.url.as_str().to_owned(),
        title => title.to_owned(),
    };
    let mut found = Vec::new();
    for picture in page.pictures {
        let said = stems(&format!("{}\n{}", picture.alt, picture.caption));
        let name = stems(&picture.name());
        let (mut own, mut score) = (0.0, 0.0);
        for wanted in wanted {
            let value = match () {
                () if wanted.is_in(&said) => 1.0,
                () if wanted.is_in(&name) => NAME,
                () => 0.0,
            };
            own += value * wanted.idf;
            let by_title = if wanted.is_in(&title) { TITLE } else { 0.0 };
            score += f32::max(value, by_title) * wanted.idf;
        }
        let is_named = !(picture.alt.is_empty() && picture.caption.is_empty());
        if own == 0.0 && (is_named && !wanted.is_empty() || !title_says_all) {
            continue;
        }
        let is_small =
            [picture.width, picture.height].into_iter().any(|side| side != 0 && side < SMALL_SIDE);
        let share = if all > 0.0 { score / all } else { 0.0 };
        let score = share + PAGE * worth - if is_small { SMALL } else { 0.0 };
        let alt = if picture.alt.is_empty() { picture.caption } else { picture.alt };
        found.push((
            score,
            Picture {
                url: picture.url,
                page_url: page.url.clone(),
                page_title: page_title.clone(),
                alt,
                width: picture.width,
                height: picture.height,
            },
        ));
    }
    found
}

impl Wanted {
    fn is_in(&self, stems: &HashSet<String>) -> bool {
        self.forms.iter().any(|form| form.iter().all(|stem| stems.contains(stem)))
    }
}
