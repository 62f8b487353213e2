//! What do fingerprints cost, and how well do they find near duplicates among real pages?
//!
//! `cargo xtask bench duplicates`, with `LOOKFAR_DOCS` set to a folder with unpacked documentation
//! packages, one folder each: PostgreSQL and Python in two releases. Reported are nanoseconds per
//! shingle, the share of fingerprints in the time of reading a page, and how often pairs of pages
//! are taken for near duplicates: a page of one release and its successor, a page and a made
//! copy of it, different pages of one template.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Block, Sketch, Url, Zone};
use parse::fingerprint::{
    NEAR, NEAR_SUPER_SHINGLES, Prints, SHINGLE_WORDS, Shingles, resemblance, super_shingles,
};
use parse::{Input, Options};

/// Two releases of the same pages.
const RELEASES: [(&str, &str); 2] =
    [("postgresql-doc-15", "postgresql-doc-17"), ("python3.11-doc", "python3.13-doc")];
const ALONE: &str = "glibc-doc-reference";

fn main() {
    let Some(docs) = std::env::var_os("LOOKFAR_DOCS") else {
        println!(
            "duplicates: set LOOKFAR_DOCS to unpacked documentation packages; nothing measured"
        );
        return;
    };
    let docs = Path::new(&docs);
    let mut packages: BTreeMap<&str, Vec<Page>> = BTreeMap::new();
    for name in RELEASES.iter().flat_map(|(old, new)| [*old, *new]).chain([ALONE]) {
        packages.insert(name, read(&docs.join(name)));
    }
    let all: Vec<&Page> = packages.values().flatten().collect();
    cost(&all);
    println!("\nsame page in two releases, by true resemblance:");
    for (old, new) in RELEASES {
        releases((old, &packages[old]), (new, &packages[new]));
    }
    println!("\nmade copies, one of each page of {MADE_WORDS} words and more:");
    made(&packages["postgresql-doc-15"]);
    made(&packages["python3.11-doc"]);
    println!("\ndifferent pages of one package:");
    for (name, pages) in &packages {
        template(name, pages);
    }
}

struct Page {
    name: String,
    html: Vec<u8>,
    blocks: Vec<Block>,
    shingles: Shingles,
    sketch: Sketch,
    hash: u128,
}

/// Reads the pages of a package, sorted by name.
fn read(folder: &Path) -> Vec<Page> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                files.push(path);
            }
        }
    }
    files.sort();
    let url = Url::parse("http://docs.example/page.html").unwrap();
    let mut pages = Vec::new();
    for path in files {
        let Ok(html) = std::fs::read(&path) else { continue };
        let parsed = parse::parse(&Input::new(&url, &html), &Options::default());
        // Below the folder that names the release.
        let name = path.to_string_lossy();
        let name = name.rsplit_once("/html/").map_or(&*name, |(_, name)| name).to_owned();
        pages.push(Page {
            name,
            shingles: Shingles::of(&parsed.blocks, SHINGLE_WORDS),
            sketch: parsed.sketch,
            hash: parsed.text_hash,
            blocks: parsed.blocks,
            html,
        });
    }
    pages
}

/// How two pages compare.
struct Verdict {
    supers: usize,
    estimate: f64,
}

impl Verdict {
    fn of(one: &Sketch, other: &Sketch) -> Option<Self> {
        let (left, right) = (super_shingles(one)?, super_shingles(other)?);
        let supers = left.iter().zip(&right).filter(|(left, right)| left == right).count();
        Some(Self { supers, estimate: resemblance(one, other) })
    }

    fn is_near(&self) -> bool {
        self.supers >= NEAR_SUPER_SHINGLES && self.estimate >= NEAR
    }
}

/// Prints nanoseconds per shingle and the share in reading a page.
fn cost(pages: &[&Page]) {
    const ROUNDS: usize = 5;
    let url = Url::parse("http://docs.example/page.html").unwrap();
    let options = Options::default();
    let (mut reading, mut printing) = (f64::MAX, f64::MAX);
    let mut checksum = 0_u128;
    for _ in 0..ROUNDS {
        let start = thread_time();
        for page in pages {
            let parsed = parse::parse(&Input::new(&url, &page.html), &options);
            checksum ^= parsed.text_hash;
        }
        reading = reading.min((thread_time() - start).as_secs_f64());
        let start = thread_time();
        for page in pages {
            checksum ^= Prints::of(&page.blocks).hash;
        }
        printing = printing.min((thread_time() - start).as_secs_f64());
    }
    let main = |page: &Page| -> usize {
        let main = page.blocks.iter().filter(|block| !block.zone.is_frame());
        main.map(|block| block.text.len()).sum()
    };
    let bytes: usize = pages.iter().map(|page| main(page)).sum();
    let words: usize =
        pages.iter().flat_map(|page| &page.blocks).map(|block| block.text.split(' ').count()).sum();
    println!(
        "{} pages, {:.1} MB of main text, about {words} words (best of {ROUNDS}, checksum {:x})",
        pages.len(),
        bytes as f64 / 1e6,
        checksum as u64
    );
    println!(
        "fingerprints, exact and near: {:.4} CPU-s per 1,000 pages, {:.1} ns a word, {:.2} ns a byte, \
         {:.1} % of reading a page",
        printing * 1e3 / pages.len() as f64,
        printing * 1e9 / words as f64,
        printing * 1e9 / bytes as f64,
        printing * 100.0 / reading
    );
    let sizes: Vec<usize> = pages.iter().map(|page| page.shingles.num_shingles()).collect();
    let start = thread_time();
    let made = (0..ROUNDS).flat_map(|_| pages).map(|page| page.shingles.sketch().0.len());
    let filled = made.filter(|length| *length > 0).count();
    let nanos = (thread_time() - start).as_secs_f64() * 1e9;
    let shingles: usize = sizes.iter().sum();
    println!(
        "min-hashes alone: {:.2} ns a shingle ({} sketches of {shingles} different shingles)",
        nanos / (shingles * ROUNDS) as f64,
        filled / ROUNDS
    );
}

/// Returns the CPU time of this thread: others may be busy.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

/// Compares pages of the same name in two releases.
fn releases((old_name, old): (&str, &[Page]), (new_name, new): (&str, &[Page])) {
    let by_name: HashMap<&str, &Page> = new.iter().map(|page| (page.name.as_str(), page)).collect();
    let mut table: BTreeMap<usize, [usize; 4]> = BTreeMap::new();
    let (mut equal, mut short, mut squares, mut num) = (0, 0, 0.0, 0);
    for page in old {
        let Some(other) = by_name.get(page.name.as_str()) else { continue };
        if page.hash == other.hash {
            equal += 1;
            continue;
        }
        let Some(verdict) = Verdict::of(&page.sketch, &other.sketch) else {
            short += 1;
            continue;
        };
        let truth = page.shingles.jaccard(&other.shingles);
        squares += (truth - verdict.estimate).powi(2);
        num += 1;
        let row = table.entry((truth * 20.0) as usize).or_default();
        row[0] += 1;
        row[1] += usize::from(verdict.supers >= 1 && verdict.estimate >= NEAR);
        row[2] += usize::from(verdict.supers >= NEAR_SUPER_SHINGLES);
        row[3] += usize::from(verdict.is_near());
    }
    println!("{old_name} and {new_name}: {equal} equal, {short} too short, {num} differ");
    println!("  J from  pairs  1 of 6 and estimate  2 of 6  2 of 6 and estimate");
    for (bucket, [pairs, one, two, near]) in table.iter().rev() {
        println!("  {:.2}  {pairs:6}  {one:10}  {two:14}  {near:10}", *bucket as f64 / 20.0);
    }
    println!("  error of the estimate (root mean square): {:.4}", (squares / num as f64).sqrt());
}

/// Words that a page needs to have copies made of it.
const MADE_WORDS: usize = 100;

/// How a copy differs from its page.
#[derive(Clone, Copy)]
enum Change {
    /// Another date, time and counter at the top, another side bar.
    Dates,
    /// The name of its host at the end.
    Host,
    /// So many thousandths of the words, each replaced by another one of the page (SPM-09).
    Words(u64),
    /// So many thousandths of the words, in one piece at the end.
    Tail(usize),
}

fn made(pages: &[Page]) {
    use Change::{Dates, Host, Tail, Words};
    let changes = [
        ("other dates, side bar, counter", Dates),
        ("its host's name at the end", Host),
        ("0.5 % of the words swapped", Words(5)),
        ("1 % of the words swapped", Words(10)),
        ("2 % of the words swapped", Words(20)),
        ("5 % of the words swapped", Words(50)),
        ("10 % of the words swapped", Words(100)),
        ("20 % of the words swapped", Words(200)),
        ("2 % of the words more at the end", Tail(20)),
        ("5 % of the words more at the end", Tail(50)),
        ("10 % of the words more at the end", Tail(100)),
    ];
    for (name, change) in changes {
        let (mut num, mut one, mut near, mut truth) = (0, 0, 0, 0.0);
        for (number, page) in pages.iter().enumerate() {
            let words: usize = page.blocks.iter().map(|block| block.text.split(' ').count()).sum();
            if words < MADE_WORDS {
                continue;
            }
            let before = match change {
                Dates => changed(&page.blocks, change, number as u64 + 1_000_000),
                _ => page.blocks.clone(),
            };
            let after = changed(&page.blocks, change, number as u64);
            let sketch = |blocks: &[Block]| Prints::of(blocks).sketch;
            let Some(verdict) = Verdict::of(&sketch(&before), &sketch(&after)) else { continue };
            num += 1;
            let shingles = |blocks: &[Block]| Shingles::of(blocks, SHINGLE_WORDS);
            truth += shingles(&before).jaccard(&shingles(&after));
            one += usize::from(verdict.supers >= 1 && verdict.estimate >= NEAR);
            near += usize::from(verdict.is_near());
        }
        let percent = |count: usize| count as f64 * 100.0 / num as f64;
        println!(
            "  {name:34} {num:5} pages, mean J {:.3}: {:5.1} % folded ({:5.1} % by 1 of 6)",
            truth / num as f64,
            percent(near),
            percent(one)
        );
    }
}

/// Makes a changed copy of a page's text.
fn changed(blocks: &[Block], change: Change, seed: u64) -> Vec<Block> {
    let mut blocks = blocks.to_vec();
    let main = |block: &&mut Block| !block.zone.is_frame();
    let mut words: Vec<String> = blocks
        .iter()
        .filter(|block| !block.zone.is_frame())
        .flat_map(|block| block.text.split(' ').map(str::to_owned))
        .collect();
    words.retain(|word| word.chars().all(char::is_alphabetic));
    let body = |text: String| Block { zone: Zone::Body, text };
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    match change {
        Change::Dates => {
            let text = format!(
                "Posted on {} March 2026, 10:{}, seen {} times",
                1 + draw(28),
                10 + draw(49),
                draw(9_999)
            );
            blocks.insert(0, body(text));
            blocks
                .insert(0, Block { zone: Zone::Boilerplate, text: "Another side bar".to_owned() });
        }
        Change::Host => blocks.push(body("Served by mirror seven of the project".to_owned())),
        Change::Words(thousandths) => {
            for block in blocks.iter_mut().filter(main) {
                let swapped = block.text.split(' ').map(|word| {
                    let is_swapped = draw(1_000) < thousandths && !words.is_empty();
                    if is_swapped {
                        words[draw(words.len() as u64) as usize].as_str()
                    } else {
                        word
                    }
                });
                block.text = swapped.collect::<Vec<_>>().join(" ");
            }
        }
        Change::Tail(thousandths) => {
            let more = (0..words.len() * thousandths / 1_000)
                .map(|_| words[draw(words.len() as u64) as usize].as_str());
            blocks.push(body(more.collect::<Vec<_>>().join(" ")));
        }
    }
    blocks
}

/// Compares every page of a package with every other; says which would be folded.
fn template(name: &str, pages: &[Page]) {
    let supers: Vec<_> = pages.iter().map(|page| super_shingles(&page.sketch)).collect();
    let (mut pairs, mut candidates, mut folded, mut wrong) = (0_u64, 0, 0, Vec::new());
    for (place, page) in pages.iter().enumerate() {
        for (before, other) in pages[..place].iter().enumerate() {
            let (Some(left), Some(right)) = (supers[place], supers[before]) else { continue };
            if page.hash == other.hash {
                continue;
            }
            pairs += 1;
            if !left.iter().zip(&right).any(|(left, right)| left == right) {
                continue;
            }
            candidates += 1;
            let verdict = Verdict::of(&page.sketch, &other.sketch).unwrap();
            if verdict.is_near() {
                folded += 1;
                let truth = page.shingles.jaccard(&other.shingles);
                wrong.push((truth, &page.name, &other.name));
            }
        }
    }
    let sketched = supers.iter().flatten().count();
    println!(
        "  {name}: {} pages, {sketched} with a sketch; {pairs} pairs of different text, \
         {candidates} with a super-shingle in common, {folded} near",
        pages.len()
    );
    wrong.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (truth, page, other) in wrong.iter().take(12) {
        println!("    J {truth:.3}: {page} and {other}");
    }
}
