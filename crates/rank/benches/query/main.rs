//! How fast is the first stage, with the rank of pages counted, against bare tantivy without?
//!
//! `cargo xtask bench query -- --docs 500000`; real text comes from HTML files below `LOOKFAR_DOCS`.
//! The same run, the same texts, the same words; ten best. Then whole answers with snippets, and
//! what each strategy touches and finds.
//!
//! With `--answers 20` only whole answers are asked for, twenty times each, as the server asks for them:
//! the CPU time of one is told, for programs and for the page. `--keep FOLDER` keeps the collection for the
//! next run of the same size.

#![allow(clippy::print_stdout, clippy::unwrap_used, unreachable_pub, missing_docs, dead_code)]

mod asked;
#[path = "../../../index/benches/index/bare.rs"]
mod bare;
#[path = "../../../index/benches/index/corpus.rs"]
mod corpus;
mod made;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asked::{Asked, Kind, More};
use bare::Bare;
use base::Collection;
use corpus::{load, option};
use rank::bench::First;
use rank::{Grouping, Helps, Request, Searcher, Strategy};
use tantivy::ReloadPolicy;
use tantivy::collector::TopDocs;

const MEMORY: usize = 256 * 1024 * 1024;
const ROUNDS: usize = 5;
const COUNT: usize = 10;

fn main() {
    let num_docs = option("--docs", 50_000);
    let temporary = tempfile::tempdir().unwrap();
    let folder = kept().unwrap_or_else(|| temporary.path().to_owned());
    let collection = made(&folder, num_docs);
    let rounds = option("--answers", 0);
    if rounds > 0 {
        return answers(&Searcher::open(&collection).unwrap(), &asked::groups(), rounds);
    }
    let bare = bare::build(&collection, &temporary.path().join("bare"), MEMORY);
    let mut first = First::open(&collection).unwrap().unwrap();
    let groups = asked::groups();
    compare(&first, &bare, &groups);
    by_blocks(&first, &groups);
    let searcher = Searcher::open(&collection).unwrap();
    whole(&searcher, &bare, &groups);
    if option("--strategies", 1) > 0 {
        let begun = Instant::now();
        first.prepare(&collection).unwrap();
        println!("\nlists made in {:.0} s", begun.elapsed().as_secs_f64());
        strategies(&first, &groups);
    }
    drop((first, bare));
    live(&collection, &searcher, &groups, num_docs);
}

/// Returns the folder to keep the collection in, if one is named.
fn kept() -> Option<PathBuf> {
    std::env::args().skip_while(|argument| argument != "--keep").nth(1).map(PathBuf::from)
}

/// Makes the collection, unless it is there.
fn made(folder: &Path, num_docs: usize) -> Collection {
    let collection = Collection::open_or_create(&folder.join("c")).unwrap();
    let stamp = folder.join(format!("made-{num_docs}"));
    if !stamp.exists() {
        let written = made::collection(&collection, num_docs, MEMORY);
        println!("{num_docs} documents, {} of real text; load {}", written.num_real, load());
        std::fs::write(stamp, "").unwrap();
    }
    collection
}

/// Tells the CPU time of whole answers as the server asks for them.
fn answers(searcher: &Searcher, groups: &[(&str, Vec<Asked>)], rounds: usize) {
    println!("CPU of one answer (µs)    for programs    for the page    load {}", load());
    for (name, asked) in groups {
        let texts: Vec<String> = asked.iter().map(Asked::text).collect();
        let cpu = |helps: Helps| {
            let begun = corpus::cpu_seconds_of("self");
            for text in (0..rounds).flat_map(|_| &texts) {
                let grouping = Grouping::Folded;
                let request = Request { helps, grouping, ..Request::new(text) };
                black_box(searcher.search(&request).unwrap());
            }
            let took = corpus::cpu_seconds_of("self") - begun;
            took / (rounds * texts.len()) as f64 * 1e6
        };
        println!("{name:<24} {:>13.0} {:>15.0}", cpu(Helps::NONE), cpu(Helps::ALL));
    }
}

/// Runs each query some times and keeps the best time of each.
fn times<T>(asked: &[T], mut run: impl FnMut(&T)) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; asked.len()];
    for _ in 0..ROUNDS {
        for (asked, best) in asked.iter().zip(&mut best) {
            let begun = Instant::now();
            run(asked);
            *best = begun.elapsed().min(*best);
        }
    }
    best.sort_unstable();
    best
}

fn mean(times: &[Duration]) -> f64 {
    times.iter().map(Duration::as_secs_f64).sum::<f64>() / times.len() as f64 * 1e6
}

fn at(times: &[Duration], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
}

fn compare(first: &First, bare: &Bare, groups: &[(&str, Vec<Asked>)]) {
    let reader = bare.index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
    let reader: tantivy::IndexReader = reader.unwrap();
    let searcher = reader.searcher();
    let fields = first.snapshot.fields;
    println!(
        "segments: {} of ours, {} of bare tantivy; load {}",
        first.snapshot.searcher.segment_readers().len(),
        searcher.segment_readers().len(),
        load()
    );
    println!("first stage, 10 best      bare: mean    p99    ours: mean    p99   ratio (µs)");
    for (name, asked) in groups {
        let bare_times = times(asked, |asked| {
            let query = asked.query(bare.text, bare.text);
            let top = TopDocs::with_limit(COUNT).order_by_score();
            black_box(searcher.search(query.as_ref(), &top).unwrap());
        });
        let own_times = times(asked, |asked| {
            let query = match asked.kind {
                Kind::Phrase => rank::bench::phrase(fields.words, &asked.words),
                _ => asked.query(fields.stems, fields.words),
            };
            let found = first.best(Strategy::BlockMax, query.as_ref(), COUNT);
            black_box(found.unwrap());
        });
        println!(
            "{name:<24} {:>10.0} {:>7.0} {:>12.0} {:>6.0} {:>7.2}",
            mean(&bare_times),
            at(&bare_times, 0.99),
            mean(&own_times),
            at(&own_times, 0.99),
            mean(&own_times) / mean(&bare_times)
        );
    }
}

/// Compares the walk by blocks of queries that tantivy has none for with scoring every match: words
/// that have two stems each, as in a collection of two languages, and words narrowed by a question.
fn by_blocks(first: &First, groups: &[(&str, Vec<Asked>)]) {
    let stems = first.snapshot.fields.stems;
    println!(
        "\nwords and rank, 10 best   every match: mean    p99   by blocks: mean    p99   ratio (µs)"
    );
    for (name, asked) in groups.iter().filter(|(_, asked)| asked[0].kind == Kind::And) {
        for more in [More::Stems, More::Filter] {
            let pairs: Vec<_> = asked.iter().zip(asked.iter().cycle().skip(1)).collect();
            let run = |strategy| {
                times(&pairs, |(asked, other)| {
                    let query = asked.query_with(more, other, stems);
                    black_box(first.best(strategy, query.as_ref(), COUNT).unwrap());
                })
            };
            let (all, blocks) = (run(Strategy::Exhaustive), run(Strategy::BlockMax));
            println!(
                "{name:<10} {:<14} {:>18.0} {:>6.0} {:>17.0} {:>6.0} {:>7.2}",
                format!("{more:?}"),
                mean(&all),
                at(&all, 0.99),
                mean(&blocks),
                at(&blocks, 0.99),
                mean(&blocks) / mean(&all)
            );
        }
    }
}

fn whole(own: &Searcher, bare: &Bare, groups: &[(&str, Vec<Asked>)]) {
    let reader: tantivy::IndexReader = bare.index.reader().unwrap();
    let searcher = reader.searcher();
    println!("\nwhole answers with snippets    bare p99   ours: mean    p99   ratio of p99 (µs)");
    let (mut all_bare, mut all_ours) = (Vec::new(), Vec::new());
    for (name, asked) in groups {
        let bare_times = times(asked, |asked| {
            let query = asked.query(bare.text, bare.text);
            let top = TopDocs::with_limit(COUNT).order_by_score();
            black_box(searcher.search(query.as_ref(), &top).unwrap());
        });
        let own_times = times(asked, |asked| {
            black_box(own.search(&Request::new(&asked.text())).unwrap());
        });
        let (bare, ours) = (at(&bare_times, 0.99), at(&own_times, 0.99));
        println!(
            "{name:<28} {bare:>10.0} {:>12.0} {ours:>6.0} {:>8.1}",
            mean(&own_times),
            ours / bare
        );
        all_bare.extend(bare_times);
        all_ours.extend(own_times);
    }
    all_bare.sort_unstable();
    all_ours.sort_unstable();
    let (bare, ours) = (at(&all_bare, 0.99), at(&all_ours, 0.99));
    println!(
        "{:<28} {bare:>10.0} {:>12.0} {ours:>6.0} {:>8.1}",
        "all of them",
        mean(&all_ours),
        ours / bare
    );
}

/// Asks one question after the other, once alone and once while pages are indexed at full speed.
fn live(
    collection: &Collection,
    searcher: &Searcher,
    groups: &[(&str, Vec<Asked>)],
    num_docs: usize,
) {
    let texts: Vec<String> =
        groups.iter().flat_map(|(_, asked)| asked.iter().map(Asked::text)).collect();
    let ask = |text: &String| {
        let begun = Instant::now();
        black_box(searcher.search(&Request::new(text)).unwrap());
        begun.elapsed()
    };
    let mut alone: Vec<Duration> = texts.iter().chain(&texts).map(ask).collect();
    let more = (num_docs / 4).max(20_000);
    corpus::append_log(collection, num_docs..num_docs + more, None);
    let (mut beside, begun) = (Vec::new(), Instant::now());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let options = index::Options { memory_bytes: MEMORY };
        let indexing = scope.spawn(move || index::catch_up(collection, options, |_| {}).unwrap());
        // As the server does.
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                searcher.refresh().unwrap();
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        for text in texts.iter().cycle() {
            if indexing.is_finished() {
                break;
            }
            beside.push(ask(text));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let rate = more as f64 / begun.elapsed().as_secs_f64();
    println!("\nwhile {more} more pages are indexed, {rate:.0} a second      mean    p99 (µs)");
    for (name, times) in [("alone", &mut alone), ("beside", &mut beside)] {
        times.sort_unstable();
        println!(
            "{name:<10} {:>6} queries {:>26.0} {:>6.0}",
            times.len(),
            mean(times),
            at(times, 0.99)
        );
    }
    println!("ratio of p99 {:.2}", at(&beside, 0.99) / at(&alone, 0.99));
}

fn strategies(first: &First, groups: &[(&str, Vec<Asked>)]) {
    let fields = first.snapshot.fields;
    println!("strategy      queries     mean µs   documents    postings   recall@10");
    for (name, asked) in groups.iter().filter(|(name, _)| *name != "phrase") {
        let find = |strategy, asked: &Asked| {
            let query = asked.query(fields.stems, fields.words);
            first.best(strategy, query.as_ref(), COUNT).unwrap()
        };
        let truth: Vec<_> = asked.iter().map(|one| find(Strategy::Exhaustive, one).0).collect();
        for strategy in Strategy::ALL {
            let (mut took, mut documents, mut postings) = (Duration::ZERO, 0, 0);
            let (mut found, mut wanted) = (0, 0);
            for (asked, truth) in asked.iter().zip(&truth) {
                let (best, report) = find(strategy, asked);
                assert_eq!(report.strategy, strategy, "{:?}", report.note);
                took += report.took;
                documents += report.documents;
                postings += report.postings.unwrap_or(0);
                wanted += truth.len();
                // Any document as good as the last of the best is one of them.
                let worst = truth.last().map_or(0.0, |worst| worst * (1.0 - 1e-5));
                found += best.iter().filter(|score| **score >= worst).count();
            }
            let count = asked.len() as u64;
            println!(
                "{:<13} {name:<10} {:>8.0} {:>11} {:>11} {:>11.3}",
                strategy.name(),
                took.as_secs_f64() * 1e6 / count as f64,
                documents / count,
                postings / count,
                found as f64 / wanted.max(1) as f64
            );
        }
    }
}
