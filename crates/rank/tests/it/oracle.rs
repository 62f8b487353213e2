//! Random queries from the whole grammar, each answer held against a reading of the texts without
//! any index.

use base::{ContentKind, PageRecord, Timestamp, Zone as BaseZone};
use proptest::prelude::*;
use rank::query::{Filter, Near, Node, Query, Zone};
use rank::{Request, Searcher};

use crate::web::{JAGUARS, Web, block, hosts, page};

/// Words of the texts that are their own stems, and one that no text has.
const WORDS: [&str; 9] =
    ["jaguar", "new", "us", "rule", "cat", "big", "world", "football", "zebra"];
const WILD: [&str; 8] = ["jag*", "n?w", "wor*d", "foot*", "ja*r", "c?t", "zeb*", "de*"];
const FUZZY: [&str; 7] =
    ["jagur~1", "wrold~1", "fotball~1", "cut~1", "nee~2", "zebro~1", "rules~2"];
const TITLES: [&str; 5] = ["", "big cat", "new world", "jaguar new world", "football rule"];
const DAYS: [&str; 3] = ["2023-12-31", "2024-01-01", "2024-07-15"];
const FILTERS: [&str; 14] = [
    "lang:en",
    "lang:da",
    "filetype:pdf",
    "filetype:html",
    "site:one.org",
    "site:a.one.org",
    "host:one.org",
    "site:org",
    "before:2024",
    "after:2024-01-01",
    "after:2024-08",
    "country:dk",
    "site:two.dk/x",
    "inurl:page",
];

/// A page as a person would look at it.
#[derive(Clone, Debug)]
struct Seen {
    host: &'static str,
    path: String,
    title: &'static str,
    text: &'static str,
    /// Words in a block of the text.
    block_words: usize,
    language: &'static str,
    kind: ContentKind,
    day: &'static str,
}

impl Seen {
    fn new(number: usize, text: &'static str) -> Self {
        Self {
            host: ["one.org", "a.one.org", "two.dk"][number % 3],
            path: format!("{}page/{number}", ["", "x/"][number % 2]),
            title: TITLES[number % TITLES.len()],
            text,
            block_words: [100, 3, 100, 2, 5][number % 5],
            language: ["en", "en", "da"][number / 2 % 3],
            kind: [ContentKind::Html, ContentKind::Pdf][number / 3 % 2],
            day: DAYS[number / 4 % DAYS.len()],
        }
    }

    fn url(&self) -> String {
        format!("http://{}/{}", self.host, self.path)
    }

    fn record(&self) -> PageRecord {
        let fetched = Timestamp::parse_rfc3339(&format!("{}T12:00:00Z", self.day)).unwrap();
        PageRecord {
            title: self.title.to_owned(),
            language: Some(self.language.to_owned()),
            kind: self.kind,
            fetched,
            blocks: self
                .blocks()
                .iter()
                .map(|words| block(BaseZone::Body, &words.join(" ")))
                .collect(),
            ..page(&self.url(), "")
        }
    }

    fn title_words(&self) -> Vec<&'static str> {
        self.title.split_whitespace().collect()
    }

    /// Returns the words of the text; those of two blocks are no neighbours.
    fn blocks(&self) -> Vec<Vec<&'static str>> {
        let words: Vec<_> = self.text.split_whitespace().collect();
        words.chunks(self.block_words).map(<[_]>::to_vec).collect()
    }
}

/// Returns where a word or phrase stands: first and last place.
fn spans(node: &Node, words: &[&str]) -> Vec<(usize, usize)> {
    let fits = |wanted: &dyn Fn(&str) -> bool| -> Vec<(usize, usize)> {
        words.iter().enumerate().filter(|(_, word)| wanted(word)).map(|(i, _)| (i, i)).collect()
    };
    match node {
        Node::Word(text) | Node::Exact(text) => fits(&|word| word == text),
        Node::Wild(pattern) => fits(&|word| is_like(pattern.as_bytes(), word.as_bytes())),
        Node::Fuzzy(text, edits) => fits(&|word| {
            text[..1] == word[..1]
                && distance(text.as_bytes(), word.as_bytes()) <= usize::from(*edits)
        }),
        Node::Phrase(phrase) => {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            let is_row = |row: &&[&str]| {
                row.iter().zip(&phrase).all(|(word, wanted)| *wanted == "*" || word == wanted)
            };
            let rows = words.windows(phrase.len()).enumerate().filter(|(_, row)| is_row(row));
            rows.map(|(i, row)| (i, i + row.len() - 1)).collect()
        }
        other => panic!("no place for {other:?}"),
    }
}

fn is_near(near: &Near, words: &[&str]) -> bool {
    let mut before = spans(&near.first, words);
    for (most, part) in &near.rest {
        let mut kept = spans(part, words);
        kept.retain(|(start, end)| {
            before.iter().any(|(other_start, other_end)| {
                let gap = if other_start > end {
                    other_start - end
                } else if start > other_end {
                    start - other_end
                } else {
                    return false;
                };
                gap <= *most as usize
            })
        });
        before = kept;
    }
    !before.is_empty()
}

fn is_in(node: &Node, words: &[&str]) -> bool {
    match node {
        Node::Near(near) => is_near(near, words),
        node => !spans(node, words).is_empty(),
    }
}

fn passes(filter: &Filter, page: &Seen) -> bool {
    match filter {
        Filter::Language(language) => language.code() == page.language,
        Filter::FileType(name) => (name == "pdf") == (page.kind == ContentKind::Pdf),
        Filter::Host(host) => page.host == host,
        Filter::Site(site) => match site.split_once('/') {
            Some((host, path)) => page.host == host && page.path.starts_with(path),
            None => page.host == site || page.host.ends_with(&format!(".{site}")),
        },
        Filter::Before(day) => page.day < padded(&day.to_string()).as_str(),
        Filter::After(day) => page.day >= padded(&day.to_string()).as_str(),
        Filter::Country(code) => page.host.ends_with(code),
        other => panic!("no reading for {other:?}"),
    }
}

fn padded(day: &str) -> String {
    format!("{day}{}", &"0000-01-01"[day.len()..])
}

fn holds(node: &Node, page: &Seen) -> bool {
    let title = page.title_words();
    match node {
        Node::And(parts) => parts.iter().all(|part| holds(part, page)),
        Node::Or(parts) => parts.iter().any(|part| holds(part, page)),
        Node::Not(part) => !holds(part, page),
        Node::In(Zone::Title, part) => is_in(part, &title),
        Node::In(Zone::Address, part) => {
            let url = page.url();
            is_in(part, &url.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>())
        }
        Node::Filter(filter) => passes(filter, page),
        node => is_in(node, &title) || page.blocks().iter().any(|words| is_in(node, words)),
    }
}

fn is_like(pattern: &[u8], word: &[u8]) -> bool {
    match pattern.split_first() {
        None => word.is_empty(),
        Some((b'*', rest)) => (0..=word.len()).any(|cut| is_like(rest, &word[cut..])),
        Some((b'?', rest)) => !word.is_empty() && is_like(rest, &word[1..]),
        Some((letter, rest)) => word.first() == Some(letter) && is_like(rest, &word[1..]),
    }
}

/// Levenshtein's distance in which two neighbours that have changed places are one step.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = match (i, j) {
                (0, j) => j,
                (i, 0) => i,
                (i, j) => {
                    let same = usize::from(one[i - 1] != other[j - 1]);
                    let mut least = rows[i - 1][j - 1] + same;
                    least = least.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
                }
            };
        }
    }
    rows[one.len()][other.len()]
}

/// Words and phrases, of any kind.
fn plain() -> impl Strategy<Value = String> {
    let word = || prop::sample::select(&WORDS[..]);
    let phrases =
        ["new world", "big cat", "jaguar new", "jaguar paw", "new * mammal", "us * * apple"];
    prop_oneof![
        6 => word().prop_map(str::to_owned),
        1 => word().prop_map(|word| format!("+{word}")),
        2 => prop::sample::select(phrases.to_vec()).prop_map(|words| format!("\"{words}\"")),
        1 => (word(), 0_usize..5, word()).prop_map(|(one, any, other)| {
            format!("\"{one} {}{other}\"", "* ".repeat(any))
        }),
        2 => prop::sample::select(&WILD[..]).prop_map(str::to_owned),
        2 => prop::sample::select(&FUZZY[..]).prop_map(str::to_owned),
    ]
}

fn queries() -> impl Strategy<Value = String> {
    let near = || {
        (plain(), prop::collection::vec((1_u32..8, plain()), 1..3)).prop_map(|(first, rest)| {
            let rest = rest.iter().map(|(far, part)| format!(" NEAR/{far} {part}"));
            rest.fold(first, |text, part| text + &part)
        })
    };
    let leaf = prop_oneof![
        6 => plain(),
        2 => near(),
        1 => plain().prop_map(|part| format!("title:{part}")),
        1 => near().prop_map(|part| format!("title:({part})")),
        2 => prop::sample::select(&FILTERS[..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(" AND "))),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|parts| format!("({})", parts.join(" OR "))),
            inner.prop_map(|part| format!("NOT ({part})")),
        ]
    })
}

/// The jaguars several times over, in several segments, some of them replaced.
fn web() -> (Web, Vec<Seen>) {
    let mut web = Web::new();
    let mut pages: Vec<Seen> = Vec::new();
    for _ in 0..4 {
        for text in JAGUARS {
            let seen = Seen::new(pages.len(), text);
            web.push(&seen.record());
            pages.push(seen);
        }
        web.index();
    }
    // Every third page says something else now.
    for (number, seen) in pages.iter_mut().enumerate().filter(|(number, _)| number % 3 == 0) {
        seen.text = JAGUARS[(number + 1) % 7];
        let mut record = seen.record();
        record.id = base::PageId::new(0, number as u64).unwrap();
        web.push_as_it_is(&record);
    }
    web.index();
    (web, pages)
}

fn found(searcher: &Searcher, query: &str) -> Vec<String> {
    let request = Request { count: 100, ..Request::new(query) };
    let results = searcher.search(&request).unwrap();
    assert_eq!(results.total.count, results.hits.len() as u64);
    assert!(!hosts(&results).is_empty() || results.hits.is_empty());
    let mut urls: Vec<String> = results.hits.iter().map(|hit| hit.url.to_string()).collect();
    urls.sort_unstable();
    urls
}

#[test]
fn answers_are_what_the_texts_say() {
    let (web, pages) = web();
    let searcher = web.searcher();
    let config = ProptestConfig { cases: 1_500, ..ProptestConfig::default() };
    proptest!(config, |(text in queries())| {
        let Ok(query) = Query::parse(&text) else { return Ok(()) };
        let root = query.root().expect("there are words in it");
        // Words side by side may be loosened; everything here is joined aloud.
        prop_assume!(query.notes().is_empty());
        let mut expected: Vec<String> =
            pages.iter().filter(|page| holds(root, page)).map(Seen::url).collect();
        expected.sort_unstable();
        prop_assert_eq!(found(&searcher, &text), expected, "{}", text);
    });
}

/// Pages with all of some words or, where they are too few, with any, as a person would count them.
#[test]
fn loose_words_find_the_pages_with_all_or_any_of_them() {
    let (web, pages) = web();
    let searcher = web.searcher();
    let words = prop::collection::btree_set(prop::sample::select(&WORDS[..]), 2..6);
    let config = ProptestConfig { cases: 300, ..ProptestConfig::default() };
    proptest!(config, |(words in words)| {
        let count = |page: &Seen| {
            let has = |word: &&&str| holds(&Node::Word((**word).to_owned()), page);
            words.iter().filter(has).count()
        };
        let num_strict = pages.iter().filter(|page| count(page) == words.len()).count();
        let is_enough = num_strict >= if words.len() >= 4 { 10 } else { 1 };
        let least = if is_enough { words.len() } else { 1 };
        let fit = pages.iter().filter(|page| count(page) >= least);
        let mut expected: Vec<String> = fit.map(Seen::url).collect();
        expected.sort_unstable();
        let text = words.iter().copied().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(found(&searcher, &text), expected, "{}", text);
    });
}
