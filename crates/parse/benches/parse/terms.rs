//! Index terms of manuals: are their words still in the content of the page they lead to?
//!
//! Two shares are told. Of terms whose words are anywhere on the page; that counts words as lost
//! which only navigation has (`Chapter 20. Server Configuration` at the top of every page of the
//! chapter). And of terms whose words are in what the manual's own mark-up sets off as the page's
//! content; we do not know that mark-up, so this is what we lost of the content itself.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use base::{Block, Zone};

use super::help::{read, switch, words, words_of};
use super::pages;

/// The words of a page: in its main content, title and headings; anywhere; and in what the manual
/// sets off as content.
struct Page {
    main: HashSet<String>,
    all: HashSet<String>,
    content: HashSet<String>,
}

struct Manual {
    /// File of terms, and folder of pages.
    terms: &'static str,
    folder: &'static str,
    /// Mark-up before and behind the content of a page.
    before: &'static str,
    behind: &'static str,
}

const MANUALS: [Manual; 3] = [
    Manual {
        terms: "python-genindex.tsv",
        folder: pages::PYTHON,
        before: "<div class=\"body\" role=\"main\">",
        behind: "<div class=\"sphinxsidebar\"",
    },
    Manual {
        terms: "postgresql-bookindex.tsv",
        folder: pages::POSTGRESQL,
        before: "</table><hr /></div>",
        behind: "<div class=\"navfooter\">",
    },
    Manual {
        terms: "glibc-concept-index.tsv",
        folder: "glibc-doc-reference",
        before: "</div>\n<hr>",
        behind: "<hr>\n<div class=\"header\">",
    },
];

/// Pairs of term and page.
#[derive(Default)]
struct Pairs {
    /// Words anywhere on the page, and how many of these are kept.
    present: usize,
    kept: usize,
    /// Words in the content, and how many of these are kept.
    content: usize,
    content_kept: usize,
}

pub(crate) fn run() {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "known-item") else { return };
    println!(
        "terms: kept of those on the page, and of those in the content as the manual marks it"
    );
    let mut all = Pairs::default();
    for manual in &MANUALS {
        let Some(folder) = pages::folder("LOOKFAR_DOCS", manual.folder) else { continue };
        let some = survivors(&pack.join(manual.terms), &folder, manual);
        some.print(manual.terms);
        all.present += some.present;
        all.kept += some.kept;
        all.content += some.content;
        all.content_kept += some.content_kept;
    }
    all.print("all");
}

impl Pairs {
    fn print(&self, name: &str) {
        println!(
            "  {:.2} % of {:>5}, {:.2} % of {:>5}  {name}",
            percent(self.kept, self.present),
            self.present,
            percent(self.content_kept, self.content),
            self.content
        );
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Counts the pairs of term and page whose words survive, and those whose words are there at all.
fn survivors(set: &Path, folder: &Path, manual: &Manual) -> Pairs {
    let mut known: HashMap<String, Option<Page>> = HashMap::new();
    let mut pairs = Pairs::default();
    for line in fs::read_to_string(set).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut query = Vec::new();
        words_of(fields[1], &mut query);
        for target in fields[2].split('|').filter(|_| !query.is_empty()) {
            let page = known
                .entry(target.to_owned())
                .or_insert_with(|| page(&folder.join(target), manual));
            let Some(page) = page.as_ref() else { continue };
            let is_in = |words: &HashSet<String>| query.iter().all(|word| words.contains(word));
            let (is_kept, is_content) = (is_in(&page.main), is_in(&page.content));
            pairs.present += usize::from(is_in(&page.all));
            pairs.kept += usize::from(is_kept);
            pairs.content += usize::from(is_content);
            pairs.content_kept += usize::from(is_content && is_kept);
            if !is_kept && is_in(&page.all) && switch("--pages") {
                let place = if is_content { "content" } else { "frame" };
                println!("  lost with the {place} of {target}: {}", fields[1]);
            }
        }
    }
    pairs
}

fn page(path: &Path, manual: &Manual) -> Option<Page> {
    let body = fs::read(path).ok()?;
    let parsed = read(&body);
    let text = String::from_utf8_lossy(&body);
    let (_, content) = text.split_once(manual.before).unwrap_or(("", &text));
    let (content, _) = content.rsplit_once(manual.behind).unwrap_or((content, ""));
    let words = |blocks: &[Block], passes: fn(Zone) -> bool| {
        let mut words = words(blocks, passes);
        words_of(&parsed.title, &mut words);
        words.into_iter().collect()
    };
    Some(Page {
        main: words(&parsed.blocks, |zone| zone != Zone::Boilerplate),
        all: words(&parsed.blocks, |_| true),
        content: words(&read(content.as_bytes()).blocks, |_| true),
    })
}
