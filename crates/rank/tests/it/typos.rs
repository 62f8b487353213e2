//! How many slips are put right, and how many right queries are disturbed: real queries with one
//! word mistyped, from a seed (`docs/spelling.md`).

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Collection;
use rank::{Note, Options, Request, Searcher};

use crate::web::{Web, page};

const SEED: u64 = 7;

/// What came of a number of queries.
#[derive(Debug, Default)]
struct Shares {
    /// Queries with a slip: put right, answered with another spelling, left alone.
    right: u32,
    other: u32,
    left: u32,
    /// Queries as they were, and how many of them another spelling was proposed for.
    asked: u32,
    disturbed: u32,
}

impl Shares {
    fn of(searcher: &Searcher, queries: &[String], is_told: bool) -> Self {
        let (mut shares, mut random) = (Self::default(), Random(SEED));
        for query in queries {
            let results = searcher.search(&Request::new(query)).unwrap();
            // No spelling helps a query that no page answers with all of its words.
            let is_loose = results.notes.iter().any(|note| matches!(note, Note::FewerWords { .. }));
            if results.total.count == 0 || is_loose {
                continue;
            }
            shares.asked += 1;
            if let Some(other) = &results.did_you_mean {
                shares.disturbed += 1;
                if is_told {
                    println!("disturbed: {query} → {other}");
                }
            }
            let Some(typed) = mistyped(query, &mut random) else { continue };
            match searcher.search(&Request::new(&typed)).unwrap().did_you_mean {
                Some(meant) if meant.eq_ignore_ascii_case(query) => shares.right += 1,
                Some(meant) => {
                    shares.other += 1;
                    if is_told {
                        println!("other: {query} typed {typed} → {meant}");
                    }
                }
                None => {
                    shares.left += 1;
                    if is_told {
                        println!("left: {query} typed {typed}");
                    }
                }
            }
        }
        shares
    }

    fn share_right(&self) -> f32 {
        self.right as f32 / (self.right + self.other + self.left).max(1) as f32
    }

    fn share_other(&self) -> f32 {
        self.other as f32 / (self.right + self.other + self.left).max(1) as f32
    }

    fn share_disturbed(&self) -> f32 {
        self.disturbed as f32 / self.asked.max(1) as f32
    }
}

/// Small numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Returns a query with a slip in one of its longer words, two in a long one now and then.
fn mistyped(query: &str, random: &mut Random) -> Option<String> {
    let mut words: Vec<String> = query.split(' ').map(str::to_owned).collect();
    let is_long =
        |word: &String| word.len() >= 5 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    let places: Vec<usize> = (0..words.len()).filter(|place| is_long(&words[*place])).collect();
    let place = *places.get(random.below(places.len()))?;
    let mut letters: Vec<char> = words[place].chars().collect();
    let num_slips = if letters.len() >= 8 && random.below(4) == 0 { 2 } else { 1 };
    for _ in 0..num_slips {
        slip(&mut letters, random);
    }
    let typed: String = letters.into_iter().collect();
    (typed != words[place]).then(|| {
        words[place] = typed;
        words.join(" ")
    })
}

fn slip(letters: &mut Vec<char>, random: &mut Random) {
    // The first letter is seldom wrong.
    let first = usize::from(random.below(10) > 0);
    let place = first + random.below(letters.len() - first);
    let other = char::from(b'a' + u8::try_from(random.below(26)).unwrap());
    match random.below(5) {
        0 if place + 1 < letters.len() => letters.swap(place, place + 1),
        0 | 1 => {
            letters.remove(place);
        }
        2 => letters.insert(place, letters[place]),
        3 => letters[place] = other,
        _ => letters.insert(place, other),
    }
}

fn patient(collection: &Collection) -> Searcher {
    let options = Options { deadline: Duration::from_secs(60), ..Options::default() };
    Searcher::open_with(collection, options).unwrap()
}

fn lines(path: &Path, mut visit: impl FnMut(&serde_json::Value)) {
    for line in fs::read_to_string(path).unwrap().lines() {
        visit(&serde_json::from_str(line).unwrap());
    }
}

/// Returns a folder of the data packs; says so where there is none.
fn pack(name: &str) -> Option<PathBuf> {
    let path = env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

#[test]
fn most_slips_are_put_right_and_hardly_any_query_is_disturbed() {
    let Some(data) = pack("sets") else { return };
    let mut web = Web::new();
    let mut queries = Vec::new();
    for set in ["med", "adi"] {
        let folder = data.join(set);
        lines(&folder.join("docs.jsonl"), |doc| {
            let url = format!("http://{set}.example/{}", doc["id"].as_str().unwrap());
            let mut record = page(&url, doc["text"].as_str().unwrap());
            record.title = doc["title"].as_str().unwrap_or_default().to_owned();
            web.push(&record);
        });
        lines(&folder.join("queries.jsonl"), |query| {
            // Pairs of neighbouring words: whole questions match no page.
            let text = query["text"].as_str().unwrap().to_lowercase();
            let words: Vec<&str> =
                text.split(|letter: char| !letter.is_ascii_alphabetic()).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| word.len() > 3).collect();
            queries.extend(words.windows(2).map(|pair| pair.join(" ")));
        });
    }
    web.index();
    queries.sort_unstable();
    queries.dedup();
    let shares = Shares::of(&patient(&web.collection), &queries, false);
    println!("{shares:?}, seed {SEED}");
    assert!(shares.asked > 200, "{shares:?}");
    assert!(shares.share_right() > 0.7, "{shares:?}");
    assert!(shares.share_other() < 0.1, "{shares:?}");
    assert!(shares.share_disturbed() < 0.03, "{shares:?}");
}

/// For measurements: concept terms of the known items over a collection of the manuals, which
/// `LOOKFAR_KNOWN` names.
#[test]
fn known_items_are_spelled() {
    let Some(data) = pack("known-item") else { return };
    let Some(known) = env::var_os("LOOKFAR_KNOWN").map(PathBuf::from) else {
        return println!("skipped: set LOOKFAR_KNOWN to a collection of the manuals");
    };
    let collection = Collection::open(&known).unwrap();
    index::catch_up(&collection, index::Options::default(), |_| {}).unwrap();
    let searcher = patient(&collection);
    let mut all = Shares::default();
    for name in ["python-genindex.tsv", "postgresql-bookindex.tsv", "glibc-concept-index.tsv"] {
        let list = fs::read_to_string(data.join(name)).unwrap();
        let term = |line: &str| {
            let mut columns = line.split('\t');
            (columns.next() == Some("concept")).then(|| columns.next().map(str::to_lowercase))?
        };
        let is_plain =
            |term: &String| term.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' ');
        let queries: Vec<String> = list.lines().filter_map(term).filter(is_plain).collect();
        let shares = Shares::of(&searcher, &queries, env::var_os("LOOKFAR_TELL").is_some());
        println!("{name}: {shares:?}, seed {SEED}");
        all.right += shares.right;
        all.other += shares.other;
        all.left += shares.left;
        all.asked += shares.asked;
        all.disturbed += shares.disturbed;
    }
    println!(
        "all: {all:?}, right {:.3}, other {:.3}, disturbed {:.3}",
        all.share_right(),
        all.share_other(),
        all.share_disturbed()
    );
    assert!(all.asked > 100 && all.share_right() > 0.5, "{all:?}");
}
