//! Searches for pictures: pages that match, then what each of their pictures is called.

use std::collections::HashSet;
use std::time::Instant;

use base::Url;
use tantivy::Term;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query as Asking, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::{Search, Searcher, Watch};
use crate::candidates::{Breadth, Matcher};
use crate::checking::any_of;
use crate::described::leaf_idf;
use crate::first::{self, Walk};
use crate::pictures::{self, Picture, Pictures, Wanted};
use crate::plan::{Kind, Plan};
use crate::{Error, Query, Request};

/// Pages with pictures of that name that are looked at.
const MOST_PAGES: usize = 200;
/// Pages that are looked at where those are too few.
const MORE_PAGES: usize = 60;
/// Pictures of one page.
const MOST_OF_PAGE: usize = 8;
/// Pages that look made for search engines from here on show nothing.
const SPAM: f32 = 0.5;

impl Searcher {
    /// Answers a question with pictures (P8); of the request only query, window and filters count.
    ///
    /// Fails when the query or the window is larger than allowed, and when the index cannot be
    /// read. Cost: bounded by the deadline and by 260 pages.
    pub fn pictures(&self, request: &Request<'_>) -> Result<Pictures, Error> {
        let begun = Instant::now();
        let query = Query::parse(request.query)?;
        let mut pictures = Pictures { made_of: query.to_string(), ..Pictures::default() };
        self.ask(self.options.strategy, Watch::Lightly, request, begun, |search| {
            Ok(search.pictures(&query, request, &mut pictures)?)
        })?;
        pictures.took = begun.elapsed();
        Ok(pictures)
    }
}

impl Search<'_> {
    fn pictures(
        &self,
        query: &Query,
        request: &Request<'_>,
        results: &mut Pictures,
    ) -> tantivy::Result<()> {
        let mut plan = self.plan(query, &self.finder.patience)?;
        results.notes = std::mem::take(&mut plan.notes);
        let Some(root) = &plan.root else { return Ok(()) };
        results.made_of.clone_from(&plan.made_of);
        let wanted = self.wanted(&plan)?;
        let matcher = Matcher { plan: &plan, checker: &self.finder, breadth: Breadth::Wide };
        let named = self.named(&wanted);
        let narrow = BooleanQuery::new(vec![
            (Occur::Must, matcher.query(root)),
            (Occur::Must, Box::new(ConstScoreQuery::new(named, 0.0))),
        ]);
        let mut gathered = Gathered::default();
        self.gather(&narrow, MOST_PAGES, &wanted, &mut gathered)?;
        if gathered.found.len() < request.offset + request.count {
            self.gather(matcher.query(root).as_ref(), MORE_PAGES, &wanted, &mut gathered)?;
        }
        let mut found = gathered.found;
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.truncate(Request::WINDOW);
        results.listed = found.len();
        let window = found.into_iter().skip(request.offset).take(request.count);
        results.pictures = window.map(|(_, picture)| picture).collect();
        results.is_partial = self.checker.patience.is_over();
        Ok(())
    }

    /// Returns the words that pictures should be called by.
    fn wanted(&self, plan: &Plan) -> tantivy::Result<Vec<Wanted>> {
        let mut wanted = Vec::new();
        for leaf in plan.wanted().filter(|leaf| leaf.kind != Kind::Check) {
            let stem = |surface: &String| self.languages.stems(surface).swap_remove(0);
            // A phrase may have words in it that are not known.
            let stems = |form: &Vec<String>| {
                form.iter().filter(|surface| !surface.is_empty()).map(stem).collect()
            };
            let forms = match leaf.kind {
                Kind::Word => leaf.forms.clone(),
                _ => leaf.forms.iter().map(stems).collect(),
            };
            wanted.push(Wanted { forms, idf: leaf_idf(leaf, &self.snapshot)? });
        }
        Ok(wanted)
    }

    /// Returns the query for pages with pictures that are called by one of the words.
    fn named(&self, wanted: &[Wanted]) -> Box<dyn Asking> {
        let stems: HashSet<&String> =
            wanted.iter().flat_map(|one| one.forms.iter().flatten()).collect();
        let query = |stem: &String| -> Box<dyn Asking> {
            let term = Term::from_field_text(self.snapshot.fields.pictured, stem);
            Box::new(TermQuery::new(term, IndexRecordOption::Basic))
        };
        any_of(stems.into_iter().map(query).collect())
    }

    /// Gathers the pictures of the best pages for a query.
    fn gather(
        &self,
        query: &dyn Asking,
        count: usize,
        wanted: &[Wanted],
        gathered: &mut Gathered,
    ) -> tantivy::Result<()> {
        let gone = self.snapshot.expired(self.now);
        let is_over = || self.finder.patience.is_over();
        let searcher = &self.snapshot.searcher;
        let pages = first::best(searcher, query, Walk::Whole, count, &self.ranks, &is_over, gone)?;
        let best = pages.best.first().map_or(1.0, |scored| scored.score).max(f32::MIN_POSITIVE);
        for scored in &pages.best {
            if self.checker.patience.is_over() {
                break;
            }
            let is_spam = self.snapshot.spam(scored.address) >= SPAM;
            let page = match is_spam || !gathered.pages.insert(scored.address) {
                true => None,
                false => self.snapshot.pictured(scored.address)?,
            };
            let Some(page) = page.filter(|page| !page.pictures.is_empty()) else { continue };
            let mut found = pictures::of_page(page, wanted, (scored.score / best).clamp(0.0, 1.0));
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            for (score, picture) in found.into_iter().take(MOST_OF_PAGE) {
                // The same picture on several pages is shown with the best of them.
                if gathered.urls.insert(picture.url.clone()) {
                    gathered.found.push((score, picture));
                }
            }
        }
        Ok(())
    }
}

/// The pictures so far.
#[derive(Default)]
struct Gathered {
    pages: HashSet<tantivy::DocAddress>,
    urls: HashSet<Url>,
    found: Vec<(f32, Picture)>,
}
