//! Searches for pictures: pages that match, then what each of their pictures is called.

use std::collections::HashSet;
use std::time::Instant;

use base::Url;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query as Asking, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use super::{Search, Searcher, Watch};
use crate::candidates::{Breadth, Matcher};
use crate::checking::any_of;
use crate::described::leaf_idf;
use crate::first::{self, Walk};
use crate::pictures::{self, Picture, Pictures, Wanted};
use crate::plan::{Check, Expr, Kind, Plan, below};
use crate::steady::Steady;
use crate::{Error, Personal, Query, Request, personal};

/// Pages with pictures of that name that are looked at.
const MOST_PAGES: usize = 200;
/// Pages that are looked at where those are too few.
const MORE_PAGES: usize = 60;
/// Pictures of one page.
const MOST_OF_PAGE: usize = 8;
/// Pages that look made for search engines from here on show nothing.
const SPAM: f32 = 0.5;

impl Searcher {
    /// Answers a question with pictures (P8); of the request only query, window, filters and what the
    /// person wishes count.
    ///
    /// Fails when the query or the window is larger than allowed, and when the index cannot be
    /// read. Cost: bounded by the deadline and by 260 pages, and as many where sites are blocked.
    pub fn pictures(&self, request: &Request<'_>) -> Result<Pictures, Error> {
        let begun = Instant::now();
        let query = Query::parse(request.query)?.narrowed(request.filters);
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
        let personal = request.personal.filter(|personal| !personal.is_empty());
        let look = Look {
            matcher: Matcher { plan: &plan, checker: &self.finder, breadth: Breadth::Wide },
            root,
            wanted: self.wanted(&plan)?,
            enough: request.offset + request.count,
            personal,
            blocked: personal.map_or_else(Vec::new, |personal| {
                personal.blocked_for(query).iter().map(|site| below(site)).collect()
            }),
        };
        let mut gathered = self.gather(&look, Side::Shown)?;
        if !look.blocked.is_empty() {
            let blocked = self.gather(&look, Side::Blocked)?;
            gathered.left_out.extend(blocked.urls);
        }
        // What stands on a page of another site too is shown with that.
        results.blocked = gathered.left_out.difference(&gathered.urls).count() as u64;
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
            let stem = |surface: &String| self.languages.stem(surface);
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

    /// Gathers the pictures of the best pages on one side.
    fn gather(&self, look: &Look<'_>, side: Side) -> tantivy::Result<Gathered> {
        let named = self.named(&look.wanted);
        let narrow = BooleanQuery::new(vec![
            (Occur::Must, look.matcher.query(look.root)),
            (Occur::Must, Box::new(ConstScoreQuery::new(named, 0.0))),
        ]);
        let mut gathered = Gathered::default();
        self.gather_by(Box::new(narrow), MOST_PAGES, look, side, &mut gathered)?;
        if gathered.found.len() < look.enough {
            let any = look.matcher.query(look.root);
            self.gather_by(any, MORE_PAGES, look, side, &mut gathered)?;
        }
        Ok(gathered)
    }

    /// Gathers the pictures of the best pages for a query.
    fn gather_by(
        &self,
        query: Box<dyn Asking>,
        count: usize,
        look: &Look<'_>,
        side: Side,
        gathered: &mut Gathered,
    ) -> tantivy::Result<()> {
        let query = self.on_side(query, look, side);
        let gone = self.snapshot.expired(self.now);
        let is_over = || self.finder.patience.is_over();
        let (searcher, ranks) = (&self.snapshot.searcher, &self.ranks);
        let pages =
            first::best(searcher, query.as_ref(), Walk::Whole, count, ranks, &is_over, gone)?;
        let best = pages.best.first().map_or(1.0, |scored| scored.score).max(f32::MIN_POSITIVE);
        let addresses: Vec<DocAddress> = pages.best.iter().map(|scored| scored.address).collect();
        let shares = match look.personal.filter(|_| side == Side::Shown) {
            Some(personal) => self.shares(personal, &addresses)?,
            None => vec![0.0; addresses.len()],
        };
        for (scored, share) in pages.best.iter().zip(shares) {
            if self.checker.patience.is_over() {
                break;
            }
            let is_spam = self.snapshot.spam(scored.address) >= SPAM;
            let page = match is_spam || !gathered.pages.insert(scored.address) {
                true => None,
                false => self.snapshot.pictured(scored.address)?,
            };
            let Some(page) = page.filter(|page| !page.pictures.is_empty()) else { continue };
            let worth = (scored.score / best).clamp(0.0, 1.0);
            let mut found = pictures::of_page(page, &look.wanted, worth);
            if side == Side::Shown {
                found.retain(|(_, picture)| gathered.takes(picture, &look.blocked));
            }
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            for (score, picture) in found.into_iter().take(MOST_OF_PAGE) {
                // The same picture on several pages is shown with the best of them.
                if gathered.urls.insert(picture.url.clone()) {
                    gathered.found.push((score + share * score.max(0.0), picture));
                }
            }
        }
        Ok(())
    }

    /// Returns the query for those of the pages that are on one side.
    fn on_side(&self, query: Box<dyn Asking>, look: &Look<'_>, side: Side) -> Box<dyn Asking> {
        if look.blocked.is_empty() {
            return query;
        }
        let blocked = self.finder.query(&Check::any(look.blocked.clone()));
        let clause = match side {
            Side::Shown => (Occur::MustNot, Box::new(Steady(blocked)) as Box<dyn Asking>),
            Side::Blocked => (Occur::Must, blocked),
        };
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), clause]))
    }
}

/// What is looked for.
struct Look<'a> {
    matcher: Matcher<'a>,
    root: &'a Expr,
    wanted: Vec<Wanted>,
    /// How many pictures are enough; where there are fewer, pages that say it without a name of a
    /// picture are looked at too.
    enough: usize,
    personal: Option<&'a Personal>,
    /// Sites of which nothing is shown.
    blocked: Vec<Check>,
}

/// Of which pages pictures are gathered.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// Of all but those of blocked sites.
    Shown,
    /// Of those alone, to count them.
    Blocked,
}

/// The pictures so far.
#[derive(Default)]
struct Gathered {
    pages: HashSet<DocAddress>,
    urls: HashSet<Url>,
    found: Vec<(f32, Picture)>,
    left_out: HashSet<Url>,
}

impl Gathered {
    /// Returns whether a picture may be shown; one whose file is on a blocked site leads there, on
    /// whatever page it stands.
    fn takes(&mut self, picture: &Picture, blocked: &[Check]) -> bool {
        let is_out = blocked.iter().any(|site| personal::holds(site, &picture.url));
        if is_out {
            self.left_out.insert(picture.url.clone());
        }
        !is_out
    }
}
