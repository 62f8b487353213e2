//! The shape of an address: what is left when numbers, names of items and values are taken out.
//!
//! Pages that one program makes have one shape (`/calendar/2026/11` → `/calendar/#/#`), so what a
//! few of them were worth tells what the others will be.

use base::Url;
use base::limits::cut;
use xxhash_rust::xxh3::xxh3_64;

/// Names of parameters that a shape tells apart; more make one shape.
const MAX_NAMES: usize = 16;

/// Addresses that differ only in numbers, ids, slugs and values have one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    hash: u64,
    text: String,
}

impl Shape {
    /// Returns the shape of an address, the host apart.
    pub(crate) fn of(url: &Url) -> Self {
        let mut text = String::with_capacity(url.path_and_query().len());
        let (path, query) = match url.path_and_query().split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (url.path(), None),
        };
        let mut segments = path[1..].split('/').peekable();
        while let Some(segment) = segments.next() {
            text.push('/');
            if segments.peek().is_some() {
                push_general(&mut text, segment);
            } else {
                push_last(&mut text, segment);
            }
        }
        if let Some(query) = query {
            push_names(&mut text, query);
        }
        Self { hash: xxh3_64(text.as_bytes()), text }
    }

    /// Returns the wider shape that addresses share which a program may make up one by one: any
    /// item of a folder (`/search/boats` → `/search/**`), any choice of several parameters
    /// (`/list?colour&size` → `/list?**`). `None` where the shape itself says no more.
    pub(crate) fn widened(&self) -> Option<Self> {
        let text = match self.text.split_once('?') {
            Some((path, names)) => names.contains('&').then(|| format!("{path}?**"))?,
            None => {
                let (folder, item) = self.text.rsplit_once('/')?;
                let name = item.split('.').next().unwrap_or_default();
                let is_general = matches!(name, "" | "#" | "*");
                (!is_general).then(|| format!("{folder}/**"))?
            }
        };
        Some(Self { hash: xxh3_64(text.as_bytes()), text })
    }

    /// Returns the number that stands for the shape; it is stored.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the shape for people: `/item/#?sort`.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

fn push_names(text: &mut String, query: &str) {
    let name = |pair| str::split(pair, '=').next().unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for pair in query.split('&').take(4 * MAX_NAMES) {
        let mut general = String::new();
        push_last(&mut general, name(pair));
        names.push(general);
    }
    names.sort_unstable();
    names.dedup();
    names.truncate(MAX_NAMES);
    text.push('?');
    text.push_str(&names.join("&"));
}

/// The last segment may be an item's name: `how-to-sail.html` → `*.html`.
fn push_last(text: &mut String, segment: &str) {
    if segment.contains(';') {
        return push_general(text, segment);
    }
    let (name, extension) = match segment.rfind('.') {
        Some(dot) if is_extension(&segment[dot + 1..]) => segment.split_at(dot),
        _ => (segment, ""),
    };
    if is_slug(name) {
        text.push('*');
    } else {
        push_general(text, name);
    }
    text.push_str(extension);
}

fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Three words and more, or words that need encoding, are the name of an item; `about-us` is not.
fn is_slug(name: &str) -> bool {
    let is_general = is_number(name) || is_id(name);
    !is_general
        && (name.contains('%')
            || name.bytes().filter(|byte| matches!(byte, b'-' | b'_' | b'+' | b'.')).count() >= 2)
}

fn push_general(text: &mut String, segment: &str) {
    if let Some((name, parameters)) = segment.split_once(';') {
        push_general(text, name);
        for parameter in cut(parameters, 64).split(';') {
            text.push(';');
            text.push_str(parameter.split('=').next().unwrap_or_default());
        }
        return;
    }
    if is_number(segment) || is_id(segment) {
        text.push('#');
        return;
    }
    let mut in_number = false;
    for letter in cut(segment, 64).chars() {
        if !letter.is_ascii_digit() {
            text.push(letter);
        } else if !in_number {
            text.push('#');
        }
        in_number = letter.is_ascii_digit();
    }
}

/// Numbers, dates, versions: `2026-11-16`, `1.2.3`.
fn is_number(text: &str) -> bool {
    let mut digits = text.bytes().filter(u8::is_ascii_digit).peekable();
    digits.peek().is_some()
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-_.,:".contains(&byte))
}

/// Hexadecimal ids and UUIDs, and long runs of letters with digits among them.
fn is_id(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_only = |is: fn(&u8) -> bool| text.bytes().all(|byte| byte == b'-' || is(&byte));
    has_digit
        && (text.len() >= 8 && has_only(u8::is_ascii_hexdigit)
            || text.len() >= 16 && !text.contains('-') && has_only(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let url = Url::parse(&format!("http://a.example{path}")).unwrap();
        let shape = Shape::of(&url);
        assert_eq!(shape.text(), expected, "{path}");
        assert_eq!(shape.hash(), xxh3_64(expected.as_bytes()));
    }

    #[test]
    fn numbers_dates_and_ids_are_one() {
        check("/calendar/2026/11", "/calendar/#/#");
        check("/news/2026-11-16/", "/news/#/");
        check("/page12", "/page#");
        check("/v1.2.3/a", "/v#.#.#/a");
        check("/o/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/o/#");
        check("/o/deadbeef01/x", "/o/#/x");
        check("/watch/dQw4w9WgXcQabc123/x", "/watch/#/x");
        check("/123.html", "/#.html");
    }

    #[test]
    fn values_go_and_names_are_sorted() {
        check("/item/3?sort=asc", "/item/#?sort");
        check("/search?q=boats&page=2&q=more", "/search?page&q");
        check("/?1234", "/?#");
        check("/?f[3]=1&f[4]=2", "/?*");
    }

    #[test]
    fn slugs_go_in_the_last_segment_only() {
        check("/blog/how-to-sail-a-boat", "/blog/*");
        check("/blog/how_to_sail.html", "/blog/*.html");
        check("/how-to-sail/about-us", "/how-to-sail/about-us");
        check("/wiki/B%C3%BCcher", "/wiki/*");
        check("/a.tar.gz", "/a.tar.gz");
    }

    #[test]
    fn items_of_a_folder_and_choices_of_parameters_have_a_shape_in_common() {
        let wide = |path: &str| {
            let url = Url::parse(&format!("http://a.example{path}")).unwrap();
            Shape::of(&url).widened().map(|shape| shape.text)
        };
        assert_eq!(wide("/search/boats").as_deref(), Some("/search/**"));
        assert_eq!(wide("/2026/boats+sails").as_deref(), Some("/#/**"));
        assert_eq!(wide("/x/1e9f").as_deref(), Some("/x/**"));
        assert_eq!(wide("/list?size=1&colour=2").as_deref(), Some("/list?**"));
        for path in ["/", "/search/", "/search/12.html", "/search/how-to-sail", "/a?page=2"] {
            assert_eq!(wide(path), None, "{path}");
        }
    }

    #[test]
    fn parameters_of_a_segment_lose_their_values() {
        check("/shop/1;key=1e9f", "/shop/#;key");
        check("/shop;v=2;key=77/list", "/shop;v;key/list");
        check("/;;;/a", "/;;;/a");
    }

    #[test]
    fn short_words_are_kept() {
        check("/", "/");
        check("/about/team.html", "/about/team.html");
        check("/face/cafe", "/face/cafe");
    }
}
