//! Trials: what no shared set tells of, asked of real pages with answers that people wrote down.
//!
//! | trial | what is asked | what is right | tells of |
//! |---|---|---|---|
//! | `attacked` | concept terms of three manuals; spammers want every second of them | the page that the manual's index names | `spam`, `trust`, `quality` |
//! | `topic-…` | concept terms of one manual, with its start page as topic | the same | `topics` |
//! | `versions` | headings of a documentation that is there in four versions | the page of the newest | `freshness` |
//! | `related` | `related:` and a page that an index names for a term | the other pages of that term | `related` |
//!
//! All pages lie in one collection, so what helps one trial may harm another. The manuals and their
//! terms are those of [`super::known`]; the documentation is LLVM's, of Debian's packages; the
//! spammers are made up ([`spam`]). Queries are asked as people type them.

mod markup;
mod spam;
mod versions;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{
    Bench,
    known::{self, MANUALS},
    measure_of, served,
};

/// Questions about some weights.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) name: &'static str,
    pub(super) measure: &'static str,
    /// The topic that is asked for.
    topic: Option<&'static str>,
    /// The ranking without what it tells of.
    without: &'static str,
}

pub(super) const TRIALS: [Trial; 6] = [
    Trial { without: "lookfar,spam=0,trust=0,quality=0", ..trial("attacked") },
    Trial { topic: Some("python"), without: "lookfar,topics=0", ..trial("topic-python") },
    Trial { topic: Some("postgresql"), without: "lookfar,topics=0", ..trial("topic-postgresql") },
    Trial { topic: Some("glibc"), without: "lookfar,topics=0", ..trial("topic-glibc") },
    Trial { without: "lookfar,freshness=0", ..trial("versions") },
    Trial { measure: "nDCG@10", without: "lookfar,related=0", ..trial("related") },
];

const fn trial(name: &'static str) -> Trial {
    Trial { name, measure: "MRR@10", topic: None, without: "lookfar" }
}

/// Terms of each manual that are asked for.
const TERMS: usize = 200;
/// Pages whose relatives are asked for.
const RELATED: usize = 300;

impl Trial {
    pub(super) fn queries_path(&self, bench: &Bench) -> PathBuf {
        bench.trial_files().join(format!("{}.queries.tsv", self.name))
    }

    fn qrels_path(&self, bench: &Bench) -> PathBuf {
        bench.trial_files().join(format!("{}.qrels.tsv", self.name))
    }

    /// Asks the queries of a file and returns the measure.
    pub(super) fn ask(&self, bench: &Bench, model: &str, queries: &Path) -> anyhow::Result<f64> {
        let mut command = bench.command(&bench.trials());
        command.args(["eval", "--as-typed", "--addresses", "--depth", "100", "--model", model]);
        command.args(self.topic.iter().flat_map(|topic| ["--topic", topic]));
        command.arg("--queries").arg(queries).arg("--qrels").arg(self.qrels_path(bench));
        measure_of(command, self.measure, self.name)
    }

    fn write(&self, bench: &Bench, asked: &[(String, Vec<String>)]) -> anyhow::Result<()> {
        let (mut queries, mut verdicts) = (String::new(), String::new());
        for (number, (query, pages)) in asked.iter().enumerate() {
            let _ = writeln!(queries, "{number}\t{query}");
            for page in pages {
                let _ = writeln!(verdicts, "{number}\t{page}\t1");
            }
        }
        fs::write(self.queries_path(bench), queries).context("cannot write the queries")?;
        fs::write(self.qrels_path(bench), verdicts).context("cannot write the verdicts")
    }
}

/// Returns where manuals and documentation lie; says so if they are not there.
pub(super) fn docs() -> Option<PathBuf> {
    let docs = known::docs()?;
    let is_whole = versions::is_there(&docs);
    if !is_whole {
        eprintln!(
            "== trials: left out; LOOKFAR_DOCS must have {} too",
            versions::PACKAGES.map(|(package, _)| package).join(", ")
        );
    }
    is_whole.then_some(docs)
}

/// What was measured in one trial.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    name: &'static str,
    measure: &'static str,
    num_queries: usize,
    whole: f64,
    /// Without what it tells of.
    without: f64,
}

/// Crawls the pages, unless they are there from an earlier time, and asks.
pub(super) fn run(
    bench: &Bench,
    docs: &Path,
    trials: &[&Trial],
    profile: &str,
) -> anyhow::Result<Vec<Row>> {
    prepare(bench, docs, profile)?;
    let mut rows = Vec::new();
    for trial in trials {
        let Trial { name, measure, without, .. } = trial;
        eprintln!("== {name}");
        let queries = trial.queries_path(bench);
        let text = fs::read_to_string(&queries).context("cannot read the queries")?;
        let ask = |model| trial.ask(bench, model, &queries);
        let (whole, without) = (ask("lookfar")?, ask(without)?);
        rows.push(Row { name, measure, num_queries: text.lines().count(), whole, without });
    }
    Ok(rows)
}

pub(super) fn table(rows: &[Row]) -> String {
    let mut table = "| trial | queries | measure | whole ranking | without what it tells of |\n\
                     |---|---:|---|---:|---:|\n"
        .to_owned();
    for Row { name, measure, num_queries, whole, without } in rows {
        let _ =
            writeln!(table, "| {name} | {num_queries} | {measure} | {whole:.4} | {without:.4} |");
    }
    table
}

/// Returns where a ranking is worse for what it has against spam, for topics and so on.
pub(super) fn missed(rows: &[Row]) -> Vec<String> {
    let worse = rows.iter().filter(|row| row.whole < row.without - 0.0005);
    let told = |Row { name, whole, without, .. }: &Row| {
        format!("{name} {whole:.4} < {without:.4} without what it tells of")
    };
    worse.map(told).collect()
}

/// Makes and crawls the pages and writes the queries, unless they are there from an earlier time.
pub(super) fn prepare(bench: &Bench, docs: &Path, profile: &str) -> anyhow::Result<()> {
    let (dir, files) = (bench.trials(), bench.trial_files());
    if dir.join("crawled").exists() {
        return Ok(());
    }
    eprintln!("== crawling the pages of the trials");
    fs::create_dir_all(files.join("topics")).context("cannot make a folder for the trials")?;
    let (mut hosts, mut trusted) = (Vec::new(), String::new());
    let (mut all, mut relatives, mut prose) = (Vec::new(), Vec::new(), Vec::new());
    for manual in &MANUALS {
        let (host, terms) = (manual.served(docs), manual.terms(bench)?);
        let (asked, topic) = (evenly(&terms, TERMS), manual.topic());
        let start = format!("http://{}/\n", host.name);
        trusted += &start;
        prose.extend(markup::sentences(&host.pages)?);
        if let Some(trial) = TRIALS.iter().find(|trial| trial.topic == Some(topic)) {
            trial.write(bench, &asked)?;
            let path = files.join(format!("topics/{topic}.txt"));
            fs::write(path, start).context("cannot write a topic")?;
        }
        all.extend(asked);
        relatives.extend(terms.into_iter().filter_map(|(_, pages)| related(pages)));
        hosts.push(host);
    }
    let wanted: Vec<&str> = all.iter().step_by(2).map(|(term, _)| term.as_str()).collect();
    hosts.extend(spam::write(&files, &wanted, &prose)?);
    TRIALS[0].write(bench, &all)?;
    let (versions, headings) = versions::write(&files, docs)?;
    trusted.extend(versions.iter().map(|host| format!("http://{}/\n", host.name)));
    hosts.extend(versions);
    TRIALS[4].write(bench, &headings)?;
    TRIALS[5].write(bench, &evenly(&relatives, RELATED))?;
    fs::write(files.join("trusted.txt"), trusted).context("cannot write the trusted pages")?;
    let exclude: Vec<&str> = known::INDEXES.into_iter().chain(versions::INDEXES).collect();
    let files = files.canonicalize().context("cannot find the files of the trials")?;
    let graph =
        format!("topics = {:?}\ntrusted = {:?}\n", files.join("topics"), files.join("trusted.txt"));
    served::crawl(bench, &hosts, &exclude, &graph, &dir, profile)?;
    fs::write(dir.join("crawled"), "").context("cannot write into the collection")
}

/// Returns the question for the relatives of the first page, if there are others.
fn related(mut pages: Vec<String>) -> Option<(String, Vec<String>)> {
    let first = pages.first()?.clone();
    pages.retain(|page| *page != first);
    pages.sort();
    pages.dedup();
    (!pages.is_empty()).then(|| (format!("related:{first}"), pages))
}

/// Returns so many of them, spread evenly; all if there are no more.
fn evenly<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    let count = count.min(items.len());
    (0..count).map(|i| items[i * items.len() / count].clone()).collect()
}

/// Returns a number that looks like chance and is the same for the same texts (FNV-1a, mixed as
/// SplitMix64 does it).
fn chance(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_is_spread_evenly() {
        assert_eq!(evenly(&[0, 1, 2, 3, 4, 5, 6], 3), [0, 2, 4]);
        assert_eq!(evenly(&[0, 1], 3), [0, 1]);
        assert_eq!(evenly::<u32>(&[], 3), Vec::<u32>::new());
    }

    #[test]
    fn relatives_are_the_other_pages_of_a_term() {
        let pages = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let asked = related(pages(&["http://a/", "http://c/", "http://a/", "http://b/"])).unwrap();
        assert_eq!(asked.0, "related:http://a/");
        assert_eq!(asked.1, ["http://b/", "http://c/"]);
        assert_eq!(related(pages(&["http://a/", "http://a/"])), None);
    }

    #[test]
    fn a_ranking_must_not_be_worse_for_what_it_adds() {
        let row = |whole| Row {
            name: "versions",
            measure: "MRR@10",
            num_queries: 7,
            whole,
            without: 0.5,
        };
        assert!(missed(&[row(0.6), row(0.4996)]).is_empty());
        assert_eq!(missed(&[row(0.4)]), ["versions 0.4000 < 0.5000 without what it tells of"]);
        assert!(table(&[row(0.6)]).ends_with("| versions | 7 | MRR@10 | 0.6000 | 0.5000 |\n"));
    }
}
