//! Filters as questions to a page, and pages that are related to another.

use base::Url;

use super::Expr;
use super::check::{Check, Place, Start};
use super::planner::Planner;
use super::world::Linking;
use crate::Note;
use crate::query::{Filter, Site};

/// Pages whose likes are looked for in one query: each costs about as much as a search.
const MOST_RELATED: usize = 4;

impl Planner<'_> {
    /// Returns the question of a filter.
    pub(super) fn filter(&mut self, filter: &Filter) -> tantivy::Result<Check> {
        Ok(match filter {
            Filter::Site(site) => below(site),
            Filter::Host(host) => Check::Term(Place::Host, host.clone()),
            Filter::FileType(name) => Check::Term(Place::Kind, name.clone()),
            Filter::Language(language) => Check::Term(Place::Language, language.code().to_owned()),
            Filter::Before(day) => Check::Dated(None, Some(day.start().as_millis())),
            Filter::After(day) => Check::Dated(Some(day.start().as_millis()), None),
            Filter::Country(code) => Check::Term(Place::Country, code.clone()),
            Filter::Cache(url) => {
                let keys = Filter::urls(url).into_iter();
                Check::any(keys.map(|url| Check::Term(Place::Key, url.surt())).collect())
            }
            Filter::Link(url) => match self.world.linking_to(&Filter::urls(url))? {
                Linking::NotYet => {
                    self.note(Note::NoLinksYet { filter: filter.to_string() });
                    Check::NEVER
                }
                Linking::Pages { pages, is_cut } => {
                    if is_cut {
                        let count = pages.len();
                        self.note(Note::SomeLinking { filter: filter.to_string(), count });
                    }
                    Check::Pages(pages)
                }
            },
            Filter::Related(_) => Check::NEVER,
        })
    }

    /// Looks for pages that are like a page.
    pub(super) fn related(&mut self, url: &str, is_wanted: bool) -> tantivy::Result<Option<Expr>> {
        self.num_related += 1;
        if self.num_related > MOST_RELATED {
            self.note(Note::SomeRelated { most: MOST_RELATED });
            let never = self.question(Check::NEVER, Vec::new(), is_wanted);
            return Ok(Some(Expr::Leaf(never)));
        }
        let Some(related) = self.world.related(&Filter::urls(url))? else {
            self.note(Note::RelatedUnknown { url: url.to_owned() });
            let never = self.question(Check::NEVER, Vec::new(), is_wanted);
            return Ok(Some(Expr::Leaf(never)));
        };
        if related.by_links || !related.words.is_empty() {
            let words = related.words.iter().map(|(_, word)| word.clone()).collect();
            self.note(Note::Related { url: url.to_owned(), words, by_links: related.by_links });
        }
        let mut pages = Vec::new();
        for found in related.found {
            let Some(page) = found.page else { continue };
            pages.push(page);
            if !is_wanted {
                continue;
            }
            let known = self.plan.related.get(&page).map_or(0.0, |known| known.score);
            if found.score > known {
                self.plan.related.insert(page, found);
            }
        }
        if is_wanted {
            self.plan.telling.extend(related.words.into_iter().map(|(stem, _)| stem));
        }
        Ok(Some(Expr::Leaf(self.question(Check::Pages(pages), Vec::new(), is_wanted))))
    }
}

/// Returns the question whether a page is on a domain or below it, or in a folder: at any port,
/// unless the site names one. A host with a port or a folder is also meant with `www.` before it.
pub(crate) fn below(site: &str) -> Check {
    let Site { host, port, path } = Site::of(site);
    if port.is_none() && path.is_empty() {
        return Check::Term(Place::Domain, host.to_owned());
    }
    // With a number that is the scheme's own, the address names none.
    let shown = port.map(|port| format!(":{port}")).unwrap_or_default();
    let mut starts = Vec::new();
    for name in [host.to_owned(), format!("www.{host}")] {
        for scheme in ["http", "https"] {
            let url = Url::parse(&format!("{scheme}://{name}{shown}{path}"));
            starts.extend(url.ok().and_then(|url| Start::of(&url, port.is_none())));
        }
    }
    Check::Below(starts)
}
