//! `lookfar eval`: how good the order of answers is, by the verdicts of a test collection.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base::{Collection, PageId, Rules, Url};
use percent_encoding::percent_decode_str;
use rank::eval::{self, Answer, Comparison, Measure, Measures, Run, Topic, Verdicts};
use rank::{Model, Options, Reading, Searcher};
use serde_json::{Map, Value, json};

use crate::Done;
use crate::args::{EvalArgs, Setting};
use crate::config::Config;
use crate::lexicon::open_searcher;
use crate::progress::{Of, Progress};

pub(crate) fn run(dir: &Path, args: &EvalArgs) -> Result<Done> {
    let verdicts = eval::read_verdicts(&args.qrels, open(&args.qrels)?)?;
    let mut topics = eval::read_topics(&args.queries, open(&args.queries)?)?;
    let num_topics = topics.len();
    topics.retain(|topic| verdicts.has_relevant(&topic.id));
    if topics.is_empty() {
        bail!("none of {num_topics} queries has a relevant document in `{}`", args.qrels.display());
    }
    let is_searched = args.as_searched || args.as_typed;
    if !args.topics.is_empty() && !is_searched {
        bail!("`--topic` counts in a search: give `--as-searched` or `--as-typed` too");
    }
    let test = Test { dir, args, topics, verdicts, naming: naming(args)? };
    let judged = test.judge(&args.model)?;
    let left_out = num_topics - test.topics.len();
    drop(writeln!(
        std::io::stderr(),
        "{} queries judged, {left_out} without a relevant document left out",
        test.topics.len()
    ));
    let mut out = std::io::stdout().lock();
    let mean = Measures::mean(&judged.measures);
    if args.json {
        writeln!(out, "{}", as_json(&args.model, test.topics.len(), &mean))?;
    } else {
        for measure in Measure::ALL {
            writeln!(out, "{measure} {:.4}", mean.get(measure))?;
        }
    }
    test.write_files(&judged)?;
    if let Some(other) = &args.compare {
        let other = test.judge(other)?;
        for measure in Measure::ALL {
            let compared = Comparison::new(measure, &judged.measures, &other.measures);
            match args.json {
                true => writeln!(out, "{}", compared_as_json(&compared))?,
                false => writeln!(out, "{}", told(&compared))?,
            }
        }
    }
    Ok(Done::Well)
}

/// A test collection over a collection of ours.
struct Test<'a> {
    dir: &'a Path,
    args: &'a EvalArgs,
    topics: Vec<Topic>,
    verdicts: Verdicts,
    naming: Naming,
}

/// How documents of the test collection are called.
enum Naming {
    /// By what stands behind the last slash of their address.
    Last,
    /// By what stands behind this address; pages elsewhere are no documents.
    Below(String),
    /// By their address.
    Whole,
}

/// What a configuration answered, and what it is worth.
struct Judged {
    run: Run,
    /// Query by query.
    measures: Vec<Measures>,
}

/// Longest work on one query: nobody waits for it.
const DEADLINE: Duration = Duration::from_secs(600);

impl Test<'_> {
    fn judge(&self, setting: &Setting) -> Result<Judged> {
        let collection = Collection::open(self.dir)?;
        let config = Config::read(&collection.config())?;
        let mut options = Options { deadline: DEADLINE, ..config.search_options()? };
        options.weights = setting.weights(options.weights)?;
        let searcher = match self.is_searched(setting) {
            true => open_searcher(&collection, options)?,
            false => Searcher::open_with(&collection, options)?,
        };
        let answers = self.answers(&searcher, setting)?;
        let mut judged = Judged { run: Run::default(), measures: Vec::new() };
        for (topic, answers) in self.topics.iter().zip(answers) {
            judged.run.push(&topic.id, answers);
        }
        for (topic, answers) in judged.run.topics() {
            let grades = self.verdicts.of(topic).and_then(|grades| Measures::of(answers, grades));
            judged.measures.push(grades.expect("only queries with relevant documents are asked"));
        }
        Ok(judged)
    }

    /// Returns whether a setting is asked as people ask it.
    fn is_searched(&self, setting: &Setting) -> bool {
        (self.args.as_searched || self.args.as_typed) && setting.model == Model::Lookfar
    }

    /// Asks every query, on as many threads as there are cores.
    fn answers(&self, searcher: &Searcher, setting: &Setting) -> Result<Vec<Vec<Answer>>> {
        let names = Names { searcher, naming: &self.naming, known: Mutex::default() };
        let reading = if self.args.as_typed { Reading::Typed } else { Reading::Words };
        let next = AtomicUsize::new(0);
        let progress = Progress::new("asked", Of::Items, self.topics.len() as u64);
        let progress = Mutex::new(progress);
        let work = || -> Result<Vec<(usize, Vec<Answer>)>> {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(topic) = self.topics.get(place) else { return Ok(done) };
                let ranking = match self.is_searched(setting) {
                    true => searcher.searched(
                        &topic.text,
                        reading,
                        &self.args.topics,
                        self.args.depth,
                    )?,
                    false => searcher.ranking(&topic.text, setting.model, self.args.depth)?,
                };
                if ranking.is_partial {
                    bail!("query `{}` took more than {} s", topic.id, DEADLINE.as_secs());
                }
                let mut answers = Vec::new();
                for (page, score) in ranking.pages {
                    if let Some(document) = names.of(page)? {
                        answers.push(Answer { document, score });
                    }
                }
                done.push((place, answers));
                if let Ok(mut progress) = progress.try_lock() {
                    progress.show(next.load(Ordering::Relaxed) as u64);
                }
            }
        };
        let mut all = vec![Vec::new(); self.topics.len()];
        let num_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| -> Result<()> {
            let threads: Vec<_> = (0..num_threads).map(|_| scope.spawn(work)).collect();
            for thread in threads {
                let done = thread.join().map_err(|_| anyhow::anyhow!("a thread has ended"))?;
                for (place, answers) in done? {
                    all[place] = answers;
                }
            }
            Ok(())
        })?;
        progress.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
        Ok(all)
    }

    fn write_files(&self, judged: &Judged) -> Result<()> {
        if let Some(path) = &self.args.run {
            let mut file = create(path)?;
            judged.run.write(&self.args.model.to_string(), &mut file)?;
            file.flush()?;
        }
        if let Some(path) = &self.args.per_query {
            let mut file = create(path)?;
            let names = Measure::ALL.map(|measure| measure.to_string());
            writeln!(file, "query\t{}", names.join("\t"))?;
            for (topic, measures) in self.topics.iter().zip(&judged.measures) {
                let values = Measure::ALL.map(|measure| format!("{:.4}", measures.get(measure)));
                writeln!(file, "{}\t{}", topic.id, values.join("\t"))?;
            }
            file.flush()?;
        }
        Ok(())
    }
}

/// Names of pages in the test collection, each looked up once.
struct Names<'a> {
    searcher: &'a Searcher,
    naming: &'a Naming,
    known: Mutex<HashMap<PageId, Option<String>>>,
}

impl Names<'_> {
    fn of(&self, page: PageId) -> Result<Option<String>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = known.get(&page) {
            return Ok(name.clone());
        }
        let url = self.searcher.address(page)?;
        let name = url.and_then(|url| name(url.as_str(), self.naming));
        known.insert(page, name.clone());
        Ok(name)
    }
}

/// Undoes `archive::foreign::address_of`: the id is what stands behind the last slash, decoded.
/// With an address that documents are below, everything behind that; then pages that were crawled
/// have names too, and pages elsewhere have none.
fn name(url: &str, naming: &Naming) -> Option<String> {
    let encoded = match naming {
        Naming::Whole => return Some(url.to_owned()),
        Naming::Below(below) => url.strip_prefix(below)?,
        Naming::Last => url.rsplit('/').next()?,
    };
    percent_decode_str(encoded).decode_utf8().ok().map(Cow::into_owned)
}

fn naming(args: &EvalArgs) -> Result<Naming> {
    if args.addresses {
        return Ok(Naming::Whole);
    }
    let Some(text) = &args.url else { return Ok(Naming::Last) };
    let url =
        Url::parse_with(text, Rules::NONE).with_context(|| format!("no address: `{text}`"))?;
    let slash = if url.as_str().ends_with('/') { "" } else { "/" };
    Ok(Naming::Below(format!("{url}{slash}")))
}

fn as_json(model: &Setting, num_queries: usize, mean: &Measures) -> Value {
    let measures =
        Measure::ALL.map(|measure| (measure.to_string(), Value::from(mean.get(measure))));
    let measures: Map<String, Value> = measures.into_iter().collect();
    json!({ "model": model.to_string(), "queries": num_queries, "measures": measures })
}

fn compared_as_json(compared: &Comparison) -> Value {
    let Comparison { measure, first, second, p, queries: (better, worse, same) } = compared;
    json!({
        "compare": measure.to_string(), "first": first, "second": second,
        "difference": compared.difference(), "p": p, "better": better, "worse": worse, "same": same,
    })
}

fn told(compared: &Comparison) -> String {
    let Comparison { measure, first, second, p, queries: (better, worse, same) } = compared;
    let difference = compared.difference();
    format!(
        "compare {measure} {first:.4} {second:.4} {difference:+.4} p={p:.4} \
         better={better} worse={worse} same={same}"
    )
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
    Ok(BufReader::new(file))
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(BufWriter::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_from_addresses() {
        let base = Url::parse_with("http://set.example/docs", Rules::NONE).unwrap();
        let below = |text: &str| Naming::Below(text.to_owned());
        for id in ["7", "a b/7", "1%2", "ä", "x-._~y"] {
            let url = archive::foreign::address_of(&base, id).unwrap();
            assert_eq!(name(url.as_str(), &Naming::Last).as_deref(), Some(id));
            let found = name(url.as_str(), &below("http://set.example/docs/"));
            assert_eq!(found.as_deref(), Some(id));
            assert_eq!(name(url.as_str(), &below("http://other.example/")), None);
            assert_eq!(name(url.as_str(), &Naming::Whole).as_deref(), Some(url.as_str()));
        }
        let page = "http://docs.example/library/os.html";
        let found = name(page, &below("http://docs.example/"));
        assert_eq!(found.as_deref(), Some("library/os.html"));
    }
}
