//! Index terms of manuals: are their words still in the content of the page they lead to?

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use base::Zone;

use super::{pages, read, switch, words, words_of};

/// The words of a page: in its main content, title and headings, and anywhere.
struct Page {
    main: HashSet<String>,
    all: HashSet<String>,
}

pub(crate) fn run() {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "known-item") else { return };
    let sets = [
        ("python-genindex.tsv", pages::PYTHON),
        ("postgresql-bookindex.tsv", pages::POSTGRESQL),
        ("glibc-concept-index.tsv", "glibc-doc-reference"),
    ];
    let (mut kept, mut present) = (0, 0);
    println!("terms: index terms whose words are all on the page, and in its main content");
    for (set, manual) in sets {
        let Some(folder) = pages::folder("LOOKFAR_DOCS", manual) else { continue };
        let (some_kept, some_present) = survivors(&pack.join(set), &folder);
        println!("  {:.2} % of {some_present}  {set}", percent(some_kept, some_present));
        kept += some_kept;
        present += some_present;
    }
    println!("  {:.2} % of {present}  all", percent(kept, present));
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Counts the pairs of term and page whose words survive, and those whose words are there at all.
fn survivors(set: &Path, folder: &Path) -> (usize, usize) {
    let mut known: HashMap<String, Option<Page>> = HashMap::new();
    let (mut kept, mut present) = (0, 0);
    for line in fs::read_to_string(set).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut query = Vec::new();
        words_of(fields[1], &mut query);
        for target in fields[2].split('|').filter(|_| !query.is_empty()) {
            let page = known.entry(target.to_owned()).or_insert_with(|| page(&folder.join(target)));
            let Some(page) = page.as_ref() else { continue };
            if query.iter().all(|word| page.all.contains(word)) {
                present += 1;
                let survives = query.iter().all(|word| page.main.contains(word));
                kept += usize::from(survives);
                if !survives && switch("--pages") {
                    println!("  lost {target}: {}", fields[1]);
                }
            }
        }
    }
    (kept, present)
}

fn page(path: &Path) -> Option<Page> {
    let parsed = read(&fs::read(path).ok()?);
    let mut main = words(&parsed.blocks, |zone| zone != Zone::Boilerplate);
    words_of(&parsed.title, &mut main);
    let mut all = words(&parsed.blocks, |_| true);
    words_of(&parsed.title, &mut all);
    Some(Page { main: main.into_iter().collect(), all: all.into_iter().collect() })
}
