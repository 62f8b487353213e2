//! From a theme to the pages of its host.

use std::collections::HashSet;

use super::grammar::{Atlas, Grammar, Writer, bounds};
use super::markup;
use super::page::{self, Block, Look, Page};
use super::theme::{Article, Row, Theme};
use super::world::{DemoHost, Kind, hash};

/// Links in a sidebar to pages of the same host.
const NEIGHBOURS: usize = 5;
/// Links in a sidebar to pages of other hosts.
const ELSEWHERE: usize = 3;

/// What a whole build has in common.
pub(super) struct Desk<'a> {
    pub(super) seed: u64,
    pub(super) shared: &'a Grammar,
    pub(super) atlas: &'a Atlas,
}

/// One page of a host as lists show it.
struct Item {
    path: String,
    name: String,
    group: String,
    blurb: String,
    page: Page,
}

impl Desk<'_> {
    /// Returns a writer for one page of a theme.
    pub(super) fn writer<'b>(&'b self, theme: &'b Theme, path: &str) -> Writer<'b> {
        let seed = hash(&[&self.seed.to_le_bytes(), theme.key.as_bytes(), path.as_bytes()]);
        Writer::new(&theme.grammar, self.shared, self.atlas, &theme.key, seed)
    }

    /// Builds the host of a theme with all its pages.
    pub(super) fn host(&self, theme: &Theme) -> DemoHost {
        let mut items: Vec<Item> = Vec::new();
        for (at, row) in theme.rows.iter().enumerate() {
            items.push(self.row_page(theme, row, at + 1));
        }
        for (at, article) in theme.articles.iter().enumerate() {
            items.push(self.article_page(theme, article, theme.rows.len() + at + 1));
        }
        let groups = groups_of(&items);
        let mut host = DemoHost::new(theme.setting("host"), look(theme, &groups));
        for at in 0..items.len() {
            items[at].page.aside = self.aside(theme, &items, at);
        }
        for item in &items {
            host.page(&item.path, Kind::Good, &item.page);
        }
        for (path, group) in &groups {
            host.page(path, Kind::Good, &self.group_page(theme, group, path, &items));
        }
        let home = self.home_page(theme, &groups, &items);
        if theme.setting("home") != "custom" {
            host.page("/", Kind::Good, &home);
        }
        if theme.setting("index") == "yes" {
            let html = host.look().render(&home);
            let original = host.url("/");
            host.put_copy("/index.html", &original, crate::site::Answer::html(html));
        }
        if !theme.about.is_empty() {
            host.page("/about", Kind::Good, &self.about_page(theme));
        }
        finish(&mut host, theme);
        host
    }

    fn row_page(&self, theme: &Theme, row: &Row, number: usize) -> Item {
        let path = theme.path(&row.slug, number);
        let mut writer = self.writer(theme, &path);
        for (key, value) in &row.facts {
            writer.set(key, value);
        }
        writer.set("slug", &row.slug);
        let variant = writer.number(0, theme.plans.len().saturating_sub(1));
        let lines = theme.plans.get(variant).map_or(&[][..], Vec::as_slice);
        self.item(theme, &mut writer, lines, (path, row.name.clone(), row.fact("group").to_owned()))
    }

    fn article_page(&self, theme: &Theme, article: &Article, number: usize) -> Item {
        let path = theme.path(&article.slug, number);
        let mut writer = self.writer(theme, &path);
        writer.set("slug", &article.slug);
        let title = article.title.clone();
        self.item(theme, &mut writer, &article.lines, (path, title, article.group.clone()))
    }

    fn item(
        &self,
        theme: &Theme,
        writer: &mut Writer<'_>,
        lines: &[String],
        (path, name, group): (String, String, String),
    ) -> Item {
        let (title, blocks) = write_blocks(writer, lines);
        let lead = blocks.iter().find_map(|block| match block {
            Block::Text(text) => Some(markup::first_sentence(text)),
            _ => None,
        });
        let blurb = lead.unwrap_or_default();
        let main = page::blocks(&blocks, &theme.url(&path));
        let description = markup::escape(&blurb);
        let head = format!("<meta name=\"description\" content=\"{description}\">\n");
        let name = markup::heading(&name);
        let title = title.unwrap_or_else(|| name.clone());
        Item { path, name, group, blurb, page: Page { title, head, main, aside: String::new() } }
    }

    fn aside(&self, theme: &Theme, items: &[Item], at: usize) -> String {
        let mut writer = self.writer(theme, &format!("{}#aside", items[at].path));
        let labels = labels(theme);
        let own: Vec<&Item> = items.iter().filter(|item| item.group == items[at].group).collect();
        let here = own.iter().position(|item| item.path == items[at].path).unwrap_or(0);
        let near: Vec<(String, String)> = (1..own.len())
            .take(NEIGHBOURS)
            .map(|step| own[(here + step) % own.len()])
            .enumerate()
            .map(|(nth, item)| (address(theme, &item.path, at + nth), item.name.clone()))
            .collect();
        let mut out = String::new();
        if theme.grammar.rule("aside").is_some() {
            let note = writer.write("{aside}");
            out.push_str(&format!("<p>{}</p>\n", markup::html(&note, &mut HashSet::new())));
        }
        if !near.is_empty() {
            out.push_str(&format!("<h3>{}</h3>\n{}", labels[2], page::link_list(&near)));
        }
        let far = self.elsewhere(theme, &mut writer);
        if !far.is_empty() {
            out.push_str(&format!("<h3>{}</h3>\n{}", labels[3], page::link_list(&far)));
        }
        out
    }

    fn elsewhere(&self, theme: &Theme, writer: &mut Writer<'_>) -> Vec<(String, String)> {
        let related: Vec<&str> = theme.setting("related").split_whitespace().collect();
        let mut links: Vec<(String, String)> = Vec::new();
        for nth in 0..ELSEWHERE.min(related.len() * 2) {
            let entries = self.atlas.theme(related[(nth + writer.number(0, 9)) % related.len()]);
            if entries.is_empty() {
                continue;
            }
            let entry = &entries[writer.number(0, entries.len() - 1)];
            if links.iter().all(|(url, _)| *url != entry.url) {
                links.push((entry.url.clone(), markup::heading(&entry.name)));
            }
        }
        links
    }

    fn group_page(&self, theme: &Theme, group: &str, path: &str, items: &[Item]) -> Page {
        let mut writer = self.writer(theme, path);
        writer.set("group", group);
        let (title, blocks) = write_blocks(&mut writer, &theme.group);
        let own: Vec<&Item> = items.iter().filter(|item| item.group == group).collect();
        let main = page::blocks(&blocks, &theme.url(path)) + &listing(theme, &own);
        Page { title: title.unwrap_or_else(|| group.to_owned()), main, ..Page::default() }
    }

    fn home_page(&self, theme: &Theme, groups: &[(String, String)], items: &[Item]) -> Page {
        let mut writer = self.writer(theme, "/");
        let (title, blocks) = write_blocks(&mut writer, &theme.home);
        let mut main = page::blocks(&blocks, &theme.url("/"));
        for (path, group) in groups {
            let links: Vec<(String, String)> = items
                .iter()
                .filter(|item| item.group == *group)
                .take(6)
                .map(|item| (item.path.clone(), item.name.clone()))
                .collect();
            let group = markup::escape(group);
            main.push_str(&format!("<h2><a href=\"{path}\">{group}</a></h2>\n"));
            main.push_str(&page::link_list(&links));
        }
        let ungrouped: Vec<&Item> = items.iter().filter(|item| item.group.is_empty()).collect();
        if !ungrouped.is_empty() {
            main.push_str(&listing(theme, &ungrouped));
        }
        let title = title.unwrap_or_else(|| theme.setting("name").to_owned());
        Page { title, main, ..Page::default() }
    }

    fn about_page(&self, theme: &Theme) -> Page {
        let mut writer = self.writer(theme, "/about");
        let (title, blocks) = write_blocks(&mut writer, &theme.about);
        let main = page::blocks(&blocks, &theme.url("/about"));
        Page { title: title.unwrap_or_else(|| labels(theme)[1].clone()), main, ..Page::default() }
    }
}

/// Adds robots.txt and the sitemap as the settings ask.
fn finish(host: &mut DemoHost, theme: &Theme) {
    let mut rules = theme.setting("robots").to_owned();
    if theme.setting("sitemap") == "yes" {
        host.sitemap();
        let start = if rules.is_empty() { "User-agent: *\nDisallow:\n" } else { "" };
        rules = format!("{start}{rules}\nSitemap: {}", theme.url("/sitemap.xml"));
    }
    if !rules.is_empty() {
        host.robots(&format!("{}\n", rules.trim()));
    }
}

/// Returns home, about, see also, elsewhere in the theme's language.
fn labels(theme: &Theme) -> [String; 4] {
    let mut own = theme.setting("labels").split('|');
    ["Home", "About", "See also", "Elsewhere"]
        .map(|label| own.next().filter(|own| !own.is_empty()).unwrap_or(label).to_owned())
}

fn look(theme: &Theme, groups: &[(String, String)]) -> Look {
    let labels = labels(theme);
    let mut nav = vec![("/".to_owned(), labels[0].clone())];
    nav.extend(groups.iter().take(8).cloned());
    if !theme.about.is_empty() {
        nav.push(("/about".to_owned(), labels[1].clone()));
    }
    Look {
        name: theme.setting("name").to_owned(),
        tagline: theme.setting("tagline").to_owned(),
        hue: theme.setting("hue").parse().unwrap_or(210),
        layout: theme.setting("layout").parse().unwrap_or(0),
        lang: if theme.setting("lang").is_empty() { "en" } else { theme.setting("lang") }
            .to_owned(),
        nav,
        footer: markup::escape(theme.setting("footer")),
    }
}

/// Returns path and name of each group, in order of appearance.
fn groups_of(items: &[Item]) -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for item in items.iter().filter(|item| !item.group.is_empty()) {
        if groups.iter().all(|(_, name)| *name != item.group) {
            let slug = markup::slug(&item.group);
            // Letters that no slug keeps (Japanese, Arabic) get a number instead.
            let slug = if slug.len() < 2 { format!("part{}", groups.len() + 1) } else { slug };
            groups.push((format!("/{slug}/"), item.group.clone()));
        }
    }
    groups
}

/// Returns a list of pages with what each is about.
fn listing(theme: &Theme, items: &[&Item]) -> String {
    let mut out = String::from("<dl>\n");
    for (at, item) in items.iter().enumerate() {
        let href = markup::escape(&address(theme, &item.path, at));
        let (name, blurb) = (markup::escape(&item.name), markup::escape(&item.blurb));
        out.push_str(&format!("<dt><a href=\"{href}\">{name}</a></dt>\n<dd>{blurb}</dd>\n"));
    }
    out.push_str("</dl>\n");
    out
}

/// Returns the address of a page as this host writes it; noisy hosts write it in odd ways (W13).
fn address(theme: &Theme, path: &str, nth: usize) -> String {
    if theme.setting("noise") != "yes" {
        return path.to_owned();
    }
    let host = theme.setting("host");
    match nth % 6 {
        0 => format!("http://{host}:80{path}"),
        1 => format!("/about/..{path}"),
        2 => format!("{path}#top"),
        3 => format!("{path}?utm_source=list&utm_medium=link"),
        4 => format!("HTTP://{}{path}", host.to_uppercase()),
        _ => path.to_owned(),
    }
}

/// Writes the lines of a plan; returns the title, if one of them is `# title`, and the blocks.
pub(super) fn write_blocks(
    writer: &mut Writer<'_>,
    lines: &[String],
) -> (Option<String>, Vec<Block>) {
    let (mut title, mut blocks) = (None, Vec::new());
    for line in lines {
        let line = match line.strip_prefix("? ") {
            Some(_) if writer.number(0, 1) == 0 => continue,
            Some(rest) => rest,
            None => line,
        };
        if let Some(text) = line.strip_prefix("# ") {
            title = Some(markup::plain(&writer.write(text)));
        } else {
            write_line(writer, line, &mut blocks);
        }
    }
    (title, blocks)
}

fn write_line(writer: &mut Writer<'_>, line: &str, blocks: &mut Vec<Block>) {
    let (mark, text) = line.split_once(' ').unwrap_or((line, ""));
    match mark {
        "##" => blocks.push(Block::Heading(writer.write(text))),
        ">" => blocks.push(Block::Quote(writer.write(text))),
        "~" => blocks.push(Block::Meta(writer.write(text))),
        "!" => {
            let caption = writer.write(text);
            let slug = markup::slug(&caption);
            let name: String = slug.chars().take(48).collect();
            blocks.push(Block::Figure(format!("/img/{name}.svg"), caption));
        }
        "|" => {
            let (key, value) = text.split_once('|').unwrap_or((text, ""));
            let row = (writer.write(key), writer.write(value));
            if let Some(Block::Table(rows)) = blocks.last_mut() {
                rows.push(row);
            } else {
                blocks.push(Block::Table(vec![row]));
            }
        }
        _ if mark.starts_with(['*', '+']) && mark.len() < 6 && !text.is_empty() => {
            let (low, high) = bounds(&mark[1..]);
            let count = writer.number(low, high);
            let items: Vec<String> = (0..count).map(|_| writer.write(text)).collect();
            match (mark.starts_with('+'), blocks.last_mut()) {
                (true, Some(Block::Steps(known))) | (false, Some(Block::Bullets(known))) => {
                    known.extend(items);
                }
                (true, _) => blocks.push(Block::Steps(items)),
                (false, _) => blocks.push(Block::Bullets(items)),
            }
        }
        _ => blocks.push(Block::Text(writer.write(line))),
    }
}
