//! The columns of the tables, each with what it says.

use ::crawl::Doubts;
use anyhow::{Result, bail};
use base::{Image, Link, PageRecord, Place, Span, Timestamp, kebab_case};

use crate::args::ExportTable;

/// One column.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) value: fn(&Subject<'_>) -> Value,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    Flag,
    Time,
}

/// What a cell holds.
pub(super) enum Value {
    Nothing,
    Text(String),
    Number(i64),
    Flag(bool),
    Time(Timestamp),
}

/// What a row is about.
pub(super) struct Subject<'a> {
    pub(super) page: &'a PageRecord,
    pub(super) link: Option<&'a Link>,
    /// Where the link's anchor stands.
    pub(super) place: Option<Span>,
}

/// Words told on each side of a link (P6).
const WORDS_AROUND: usize = 10;

impl Subject<'_> {
    /// Returns the words before and behind the link.
    fn around(&self) -> (&str, &str) {
        let words = |place| ::text::around(&self.page.blocks, place, WORDS_AROUND);
        self.place.map_or(("", ""), words)
    }
}

/// Returns the columns asked for, in that order; all of the table without any.
pub(super) fn chosen(table: ExportTable, names: &[String]) -> Result<Vec<&'static Column>> {
    let all = match table {
        ExportTable::Pages => PAGES,
        ExportTable::Links => LINKS,
        ExportTable::Ids => IDS,
    };
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        let Some(column) = all.iter().find(|column| column.name == name) else {
            let known: Vec<&str> = all.iter().map(|column| column.name).collect();
            bail!("there is no field `{name}`; there are {}", known.join(", "));
        };
        chosen.push(column);
    }
    Ok(chosen)
}

const ID: Column = number("id", |row| Value::Number(row.page.id.as_u64().cast_signed()));
const URL: Column = text("url", |row| Value::Text(row.page.url.to_string()));

const IDS: &[Column] = &[ID, URL];

const PAGES: &[Column] = &[
    ID,
    URL,
    Column { name: "fetched", kind: Kind::Time, value: |row| Value::Time(row.page.fetched) },
    number("status", |row| Value::Number(row.page.status.into())),
    text("kind", |row| Value::Text(kebab_case(&row.page.kind))),
    text("language", |row| maybe(row.page.language.as_deref())),
    text("title", |row| maybe(Some(&row.page.title))),
    text("text", |row| {
        let texts: Vec<&str> = row.page.blocks.iter().map(|block| block.text.as_str()).collect();
        maybe(Some(&texts.join("\n")))
    }),
    text("description", |row| maybe(Some(&row.page.about.description))),
    text("author", |row| maybe(Some(&row.page.about.author))),
    Column {
        name: "published",
        kind: Kind::Time,
        value: |row| row.page.about.published.map_or(Value::Nothing, |date| Value::Time(date.at)),
    },
    Column {
        name: "modified",
        kind: Kind::Time,
        value: |row| row.page.about.modified.map_or(Value::Nothing, |date| Value::Time(date.at)),
    },
    text("redirect", |row| maybe(row.page.redirect.as_ref().map(base::Url::as_str))),
    number("copy_of", |row| {
        let original = row.page.copy_of.map(|page| page.as_u64().cast_signed());
        original.map_or(Value::Nothing, Value::Number)
    }),
    Column { name: "noindex", kind: Kind::Flag, value: |row| Value::Flag(row.page.robots.noindex) },
    number("spam", |row| Value::Number(row.page.spam.score.into())),
    number("links", |row| count(row.page.links.len())),
    number("bytes", |row| Value::Number(row.page.body_bytes.cast_signed())),
    text("oddities", |row| {
        let words: Vec<String> = row.page.oddities.iter().map(kebab_case).collect();
        maybe(Some(&words.join(" ")))
    }),
    text("spam_reasons", |row| {
        let reasons = row.page.spam.reasons.iter();
        lines(reasons.map(|reason| {
            format!("{} {} {}", kebab_case(&reason.kind), reason.weight, reason.evidence)
        }))
    }),
    number("hidden_percent", |row| Value::Number(Doubts::of(row.page).hidden_percent.into())),
    text("hidden", |row| {
        let hidden = row.page.hidden.iter();
        lines(hidden.map(|hidden| format!("{}: {}", kebab_case(&hidden.reason), hidden.text)))
    }),
    text("site", |row| maybe(Some(&row.page.about.site_name))),
    text("declared", |row| maybe(row.page.about.language.as_deref())),
    text("types", |row| lines(row.page.about.types.iter())),
    text("alternates", |row| {
        let alternates = row.page.about.alternates.iter();
        lines(alternates.map(|other| format!("{} {}", other.language, other.target)))
    }),
    text("places", |row| lines(row.page.about.places.iter().map(place))),
    text("images", |row| lines(row.page.images.iter().map(image))),
    text("emphasis", |row| {
        lines(row.page.emphasis.iter().filter_map(|span| row.page.text_of(*span)))
    }),
];

const LINKS: &[Column] = &[
    number("from_id", |row| Value::Number(row.page.id.as_u64().cast_signed())),
    text("from", |row| Value::Text(row.page.url.to_string())),
    text("to", |row| maybe(row.link.map(|link| link.target.as_str()))),
    text("kind", |row| row.link.map_or(Value::Nothing, |link| Value::Text(kebab_case(&link.kind)))),
    text("anchor", |row| maybe(row.link.map(|link| link.anchor.as_str()))),
    flag("nofollow", |row| row.link.map_or(Value::Nothing, |link| Value::Flag(link.rel.nofollow))),
    flag("ugc", |row| row.link.map_or(Value::Nothing, |link| Value::Flag(link.rel.ugc))),
    flag("sponsored", |row| {
        row.link.map_or(Value::Nothing, |link| Value::Flag(link.rel.sponsored))
    }),
    text("before", |row| maybe(Some(row.around().0))),
    text("behind", |row| maybe(Some(row.around().1))),
];

const fn text(name: &'static str, value: fn(&Subject<'_>) -> Value) -> Column {
    Column { name, kind: Kind::Text, value }
}

const fn number(name: &'static str, value: fn(&Subject<'_>) -> Value) -> Column {
    Column { name, kind: Kind::Number, value }
}

const fn flag(name: &'static str, value: fn(&Subject<'_>) -> Value) -> Column {
    Column { name, kind: Kind::Flag, value }
}

fn maybe(text: Option<&str>) -> Value {
    text.filter(|text| !text.is_empty()).map_or(Value::Nothing, |text| Value::Text(text.to_owned()))
}

/// Several values of one cell: a line for each.
fn lines<T: ToString>(values: impl Iterator<Item = T>) -> Value {
    let lines: Vec<String> = values.map(|value| value.to_string()).collect();
    maybe(Some(&lines.join("\n")))
}

/// Returns a place as `name; country; latitude, longitude`, as far as it is known.
fn place(place: &Place) -> String {
    let degrees = |millionths: i32| f64::from(millionths) / 1e6;
    let point = place
        .point
        .map(|(latitude, longitude)| format!("{}, {}", degrees(latitude), degrees(longitude)));
    let name = Some(place.name.clone()).filter(|name| !name.is_empty());
    let parts: Vec<String> = [name, place.country.clone(), point].into_iter().flatten().collect();
    parts.join("; ")
}

/// Returns a picture as its address, its size if it is known, and what it is called.
fn image(image: &Image) -> String {
    let mut line = image.target.to_string();
    if image.width > 0 && image.height > 0 {
        line += &format!(" {}x{}", image.width, image.height);
    }
    for text in [&image.caption, &image.alt] {
        if !text.is_empty() {
            line.push(' ');
            line.push_str(text);
        }
    }
    line
}

fn count(count: usize) -> Value {
    Value::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_the_order_asked_for() {
        let names = ["url".to_owned(), "id".to_owned()];
        let found = chosen(ExportTable::Pages, &names).unwrap();
        assert_eq!(found.iter().map(|column| column.name).collect::<Vec<_>>(), ["url", "id"]);
        let error = chosen(ExportTable::Ids, &["title".to_owned()]).err().unwrap();
        assert_eq!(error.to_string(), "there is no field `title`; there are id, url");
    }

    #[test]
    fn variants_are_written_in_words() {
        assert_eq!(kebab_case(&base::Oddity::SoftMissing), "soft-missing");
        assert_eq!(kebab_case(&base::LinkKind::Anchor), "anchor");
    }
}
