//! A theme file: everything one host says, as text.
//!
//! ```text
//! @host birds.lookfar            settings, one per line (see `Theme::setting`)
//! %facts name|group|…            a table: one page per row, columns are slots
//! Robin|Thrushes and chats|…
//! %each islands                  or: one page per page of another theme, with its facts
//! %make 80                       or: rows composed by the grammar, `name = …` first
//! town = {@islands}
//! thing,group = {object}         an alternative `bell~Sounds` taken apart
//! %article slug | Title | group  a page written by hand
//! %page                          what a page is made of; several variants may follow
//! %home, %about, %group          the other pages of the host
//! %habit                         anything else is a rule: one alternative per line
//! // a comment
//! ```
//! Lines of a page: `## heading`, `> quote`, `~ author and date`, `! caption of a picture`,
//! `*4 bullet` and `+3-5 step` (repeated), `| key | value`, `? line that half the pages have`.

use std::collections::{HashMap, HashSet};

use super::grammar::{Atlas, Entry, Grammar, Writer, bounds};
use super::markup;
use super::world::hash;

/// Rows made by grammar are the same for every seed: addresses do not move.
const ROW_SEED: u64 = 20_260_701;

/// One host's texts, read from its file.
#[derive(Debug, Default)]
pub(super) struct Theme {
    /// Short name in the atlas: the host without its top-level domain.
    pub(super) key: String,
    settings: HashMap<String, String>,
    pub(super) grammar: Grammar,
    pub(super) rows: Vec<Row>,
    pub(super) articles: Vec<Article>,
    pub(super) plans: Vec<Vec<String>>,
    pub(super) home: Vec<String>,
    pub(super) about: Vec<String>,
    pub(super) group: Vec<String>,
    each: Option<String>,
    make: Option<(usize, Vec<(String, String)>)>,
}

/// A page to be composed.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) slug: String,
    pub(super) name: String,
    pub(super) facts: Vec<(String, String)>,
}

/// A page written by hand.
#[derive(Clone, Debug)]
pub(super) struct Article {
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) group: String,
    pub(super) lines: Vec<String>,
}

impl Row {
    /// Returns a fact, or the empty string.
    pub(super) fn fact(&self, name: &str) -> &str {
        self.facts.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// Where the reader of a theme file is.
enum Section {
    Settings,
    Facts(Vec<String>),
    Make,
    Article,
    Page,
    Lines(&'static str),
    Rule(String),
}

impl Theme {
    /// Reads a theme file.
    ///
    /// # Panics
    /// When a file of ours is malformed: a table row with a cell too few, a rule without a name.
    pub(super) fn parse(text: &str) -> Self {
        let mut theme = Self::default();
        let mut section = Section::Settings;
        for line in text.lines().filter(|line| !line.starts_with("//")) {
            if let Some(header) = line.strip_prefix('%') {
                section = theme.open_section(header.trim());
            } else if !line.trim().is_empty() {
                theme.push_line(&section, line.trim_end());
            }
        }
        theme.key = theme.setting("host").trim_end_matches(".lookfar").to_owned();
        theme
    }

    /// Returns a setting, or the empty string.
    ///
    /// `host`, `name`, `tagline`, `topic`, `hue`, `layout`, `path`, `lang`, `footer`, `related`
    /// (themes for the sidebar), `labels` (home, about, see also, elsewhere), `robots`,
    /// `sitemap`, `index` (a copy at `/index.html`), `noise` (addresses written in odd ways),
    /// `home` (`custom` when the front page is made elsewhere).
    pub(super) fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("", String::as_str)
    }

    /// Returns the path of a page: the setting `path` with slug and number filled in.
    pub(super) fn path(&self, slug: &str, number: usize) -> String {
        let pattern =
            if self.setting("path").is_empty() { "/{slug}" } else { self.setting("path") };
        pattern.replace("{slug}", slug).replace("{number}", &number.to_string())
    }

    /// Returns the whole address of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.setting("host"))
    }

    fn open_section(&mut self, header: &str) -> Section {
        let (word, rest) = header.split_once(' ').unwrap_or((header, ""));
        match word {
            "facts" => Section::Facts(rest.split('|').map(|cell| cell.trim().to_owned()).collect()),
            "each" => {
                self.each = Some(rest.trim().to_owned());
                Section::Settings
            }
            "make" => {
                self.make = Some((bounds(rest).0, Vec::new()));
                Section::Make
            }
            "article" => {
                let mut cells = rest.split('|').map(|cell| cell.trim().to_owned());
                let mut next = || cells.next().unwrap_or_default();
                let (slug, title, group) = (next(), next(), next());
                self.articles.push(Article { slug, title, group, lines: Vec::new() });
                Section::Article
            }
            "page" => {
                self.plans.push(Vec::new());
                Section::Page
            }
            "home" => Section::Lines("home"),
            "about" => Section::Lines("about"),
            "group" => Section::Lines("group"),
            _ => Section::Rule(word.to_owned()),
        }
    }

    fn push_line(&mut self, section: &Section, line: &str) {
        match section {
            Section::Settings => {
                let (key, value) =
                    line.trim_start_matches('@').split_once(' ').unwrap_or((line, ""));
                let known = self.settings.entry(key.to_owned()).or_default();
                // A setting given twice has several lines: robots rules, for one.
                let gap = if known.is_empty() { "" } else { "\n" };
                *known = format!("{known}{gap}{}", value.trim());
            }
            Section::Facts(columns) => self.push_row(columns, line),
            Section::Make => {
                let (key, value) = line
                    .split_once('=')
                    .unwrap_or_else(|| panic!("`{line}` is no `key = template`"));
                let bindings = &mut self.make.as_mut().expect("section `make` is open").1;
                bindings.push((key.trim().to_owned(), value.trim().to_owned()));
            }
            Section::Article => {
                self.articles.last_mut().expect("an article is open").lines.push(line.to_owned());
            }
            Section::Page => self.plans.last_mut().expect("a page is open").push(line.to_owned()),
            Section::Lines("home") => self.home.push(line.to_owned()),
            Section::Lines("about") => self.about.push(line.to_owned()),
            Section::Lines(_) => self.group.push(line.to_owned()),
            Section::Rule(name) => self.grammar.push(name, line.trim()),
        }
    }

    fn push_row(&mut self, columns: &[String], line: &str) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(cells.len(), columns.len(), "cells of `{line}`");
        let facts: Vec<(String, String)> =
            columns.iter().cloned().zip(cells.iter().map(|cell| (*cell).to_owned())).collect();
        let name = cells[0].to_owned();
        self.rows.push(Row { slug: markup::slug(&name), name, facts });
    }

    /// Adds this theme's tables and articles to the atlas.
    pub(super) fn register(&self, atlas: &mut Atlas) {
        for (number, row) in self.rows.iter().enumerate() {
            let url = self.url(&self.path(&row.slug, number + 1));
            atlas.push(&self.key, Entry { slug: row.slug.clone(), name: row.name.clone(), url });
        }
        for (number, article) in self.articles.iter().enumerate() {
            let url = self.url(&self.path(&article.slug, self.rows.len() + number + 1));
            let (slug, name) = (article.slug.clone(), article.title.clone());
            atlas.push_article(&self.key, Entry { slug, name, url });
        }
    }
}

/// Fills the rows of themes that take or make them, and registers every theme.
///
/// Themes may refer to those that come before them in the list.
pub(super) fn fill_rows(themes: &mut [Theme], shared: &Grammar) -> Atlas {
    let mut atlas = Atlas::default();
    for at in 0..themes.len() {
        if let Some(source) = themes[at].each.clone() {
            let rows = themes.iter().find(|theme| theme.key == source).map(|theme| &theme.rows);
            themes[at].rows = rows.expect("`%each` names an earlier theme").clone();
        }
        if let Some((count, bindings)) = themes[at].make.take() {
            themes[at].rows = make_rows(&themes[at], count, &bindings, shared, &atlas);
        }
        themes[at].register(&mut atlas);
    }
    atlas
}

fn make_rows(
    theme: &Theme,
    count: usize,
    bindings: &[(String, String)],
    shared: &Grammar,
    atlas: &Atlas,
) -> Vec<Row> {
    let seed = hash(&[theme.key.as_bytes(), &ROW_SEED.to_le_bytes()]);
    let mut writer = Writer::new(&theme.grammar, shared, atlas, &theme.key, seed);
    let (mut rows, mut slugs) = (Vec::new(), HashSet::new());
    // Some attempts repeat a name; a grammar that can name fewer than `count` pages is caught
    // by the bound and by the page counts that the tests expect.
    for _ in 0..count * 20 {
        if rows.len() == count {
            break;
        }
        let mut facts = Vec::new();
        for (key, template) in bindings {
            let value = writer.expand(template);
            // `thing,group = {row}` takes an alternative `lamp~Lights` apart.
            for (key, value) in key.split(',').zip(value.split('~')) {
                writer.set(key, value);
                facts.push((key.to_owned(), value.to_owned()));
            }
        }
        if has_twins(&facts) {
            continue;
        }
        let name = facts.iter().find(|(key, _)| key == "name").map(|(_, value)| value.as_str());
        let name = markup::sentences(&markup::plain(name.expect("a made row has a name")));
        let slug = markup::slug(&name);
        if slugs.insert(slug.clone()) {
            facts.retain(|(key, _)| key != "name");
            facts.push(("name".to_owned(), name.clone()));
            rows.push(Row { slug, name, facts });
        }
    }
    rows
}

/// Whether two facts are the same linked page: no town plays against itself.
fn has_twins(facts: &[(String, String)]) -> bool {
    let links: Vec<&str> = facts
        .iter()
        .map(|(_, value)| value.as_str())
        .filter(|value| markup::is_link(value))
        .collect();
    links.iter().collect::<HashSet<_>>().len() < links.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "@host birds.lookfar\n@path /b/{slug}\n%facts name|group\nRobin|Chats\n\
                        // no bird\nBlack Kite|Raptors\n%article song | On song | Essays\nBirds sing.\n\
                        %page\n## {name}\n%call\nha\nho\n";

    #[test]
    fn a_theme_file_is_read() {
        let theme = Theme::parse(FILE);
        assert_eq!((theme.key.as_str(), theme.rows.len()), ("birds", 2));
        assert_eq!(theme.rows[1].slug, "black-kite");
        assert_eq!(theme.rows[1].fact("group"), "Raptors");
        assert_eq!(theme.articles[0].lines, ["Birds sing."]);
        assert_eq!(theme.grammar.rule("call").unwrap(), ["ha", "ho"]);
        assert_eq!(theme.plans, [["## {name}"]]);
    }

    #[test]
    fn made_rows_are_unique_and_repeatable() {
        let text = "@host x.lookfar\n%make 4\nname = {ha|ho} {n:1-2}\n";
        let rows = || {
            let mut themes = [Theme::parse(text)];
            fill_rows(&mut themes, &Grammar::default());
            themes[0].rows.iter().map(|row| row.slug.clone()).collect::<Vec<_>>()
        };
        let unique: HashSet<String> = rows().into_iter().collect();
        assert_eq!(unique.len(), 4);
        assert_eq!(rows(), rows());
    }
}
