//! Filters as questions to a page, and pages that are related to another.

use base::Url;

use super::check::{Check, Place};
use super::languages::push_new;
use super::planner::Planner;
use super::world::Linking;
use super::{Expr, Kind};
use crate::query::Filter;

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
                    self.note(format!(
                        "`{filter}`: who links to whom is known after the first link analysis."
                    ));
                    Check::NEVER
                }
                Linking::Pages { pages, is_cut } => {
                    if is_cut {
                        let count = pages.len();
                        self.note(format!(
                            "`{filter}`: {count} of the linking pages are looked at."
                        ));
                    }
                    Check::Pages(pages)
                }
            },
            Filter::Related(_) => Check::NEVER,
        })
    }

    /// Looks for pages with the words that set a page apart.
    pub(super) fn related(&mut self, url: &str, is_wanted: bool) -> tantivy::Result<Option<Expr>> {
        let Some(telling) = self.world.telling(&Filter::urls(url))? else {
            self.note(format!("`related:{url}`: this page is not in the index."));
            let never = self.question(Check::NEVER, Vec::new(), is_wanted);
            return Ok(Some(Expr::Leaf(never)));
        };
        let words: Vec<&str> = telling.stems.iter().map(|(_, word)| word.as_str()).collect();
        let words = words.join(", ");
        self.note(format!("`related:{url}`: pages that share words with it: {words}."));
        let num_stems = telling.stems.len();
        let least = num_stems.div_ceil(3).max(2).min(num_stems).max(1);
        let mut parts = Vec::new();
        for (stem, _) in telling.stems {
            let place = self.leaf(Kind::Word, vec![vec![stem]], Vec::new(), is_wanted);
            push_new(&mut parts, Expr::Leaf(place));
        }
        let own = self.question(Check::Pages(vec![telling.page]), Vec::new(), !is_wanted);
        let others = Expr::Not(Box::new(Expr::Leaf(own)));
        Ok(Some(Expr::And(vec![Expr::Some(least, parts), others])))
    }
}

/// Returns the question whether a page is on a domain or below it, or in a folder.
fn below(site: &str) -> Check {
    if let Some((host, path)) = site.split_once('/') {
        let names = [host.to_owned(), format!("www.{host}")];
        let urls = names.iter().flat_map(|name| {
            ["http", "https"].map(|scheme| Url::parse(&format!("{scheme}://{name}/{path}")))
        });
        return Check::Below(urls.flatten().map(|url| url.surt()).collect());
    }
    Check::Term(Place::Domain, site.to_owned())
}
