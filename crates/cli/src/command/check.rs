//! `lookfar check`: every file of the collection, verified; with `--repair`, what is made of the
//! page log is made anew where it is damaged.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use ::crawl::Crawler;
use anyhow::{Context, Result, bail};
use base::file::size_below;
use base::{Collection, pages};
use indicatif::HumanCount;
use serde_json::{Value, json};

use crate::Done;
use crate::analyst::Analyst;
use crate::args::CheckArgs;
use crate::command::graph::Shown;
use crate::derive;
use crate::place::{Patience, Place, lock};
use crate::progress::{Of, Progress};

/// What the parts of a collection have to say.
struct Findings<W: Write> {
    out: Out<W>,
    problems: u64,
    broken: Broken,
    /// Bytes of the parts that were looked through.
    done: u64,
    progress: Progress,
}

/// Lines for people, or objects for programs.
struct Out<W: Write> {
    out: W,
    json: bool,
}

/// What can be made anew from the page log, and should be.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Broken {
    frontier: bool,
    index: bool,
    /// Graph, scores, anchors or suggestions.
    generation: bool,
    lists: bool,
}

/// How often the whole is looked through after something was repaired.
const ROUNDS: usize = 2;

pub(crate) fn run(dir: &Path, args: CheckArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    if !args.repair {
        // Nothing may move while it is being verified.
        let _lock = lock(&collection, Patience::TO_WORK)?;
        return Ok(done(inspect(&collection, args)?.0));
    }
    let place = Place::open_without_seeds(dir)?;
    let (mut problems, mut broken) = inspect(&collection, args)?;
    // What is made anew first may show that something made of it no longer fits.
    for _ in 0..ROUNDS {
        if broken == Broken::default() {
            break;
        }
        repair(&place, broken, args)?;
        (problems, broken) = inspect(&collection, args)?;
    }
    Ok(done(problems))
}

fn done(problems: u64) -> Done {
    if problems == 0 { Done::Well } else { Done::Empty }
}

/// Verifies everything and tells what was found; returns how many problems there are, and what
/// of it can be made anew.
fn inspect(collection: &Collection, args: CheckArgs) -> Result<(u64, Broken)> {
    let total = size_below(collection.root());
    let mut findings = Findings {
        out: Out { out: std::io::stdout().lock(), json: args.json },
        problems: 0,
        broken: Broken::default(),
        done: 0,
        progress: Progress::new("checked", Of::Bytes, total),
    };
    findings.archive(collection)?;
    findings.is_done(&collection.archive());
    findings.pages(collection)?;
    findings.is_done(&collection.pages());
    findings.frontier(collection)?;
    findings.is_done(&collection.frontier());
    findings.index(collection)?;
    findings.is_done(&collection.index());
    findings.generation(collection)?;
    findings.lists(collection)?;
    let Findings { mut out, problems, broken, progress, .. } = findings;
    progress.finish();
    let verdict = match problems {
        0 => "everything is in order".to_owned(),
        1 => "1 problem".to_owned(),
        _ => format!("{problems} problems"),
    };
    out.line(&verdict, &json!({ "problems": problems }))?;
    Ok((problems, broken))
}

/// Makes anew what is broken, from the page log.
fn repair(place: &Place, broken: Broken, args: CheckArgs) -> Result<()> {
    let collection = &place.collection;
    let mut out = Out { out: std::io::stdout().lock(), json: args.json };
    let mut say = |part: &str, text: &str| out.line(text, &json!({ "repaired": part }));
    if broken.frontier {
        let options = place.config.crawl_options(&place.seeds)?;
        let repaired = ::crawl::repair(collection, options.clone(), &place.seeds)?;
        say("frontier", "the frontier is made anew")?;
        if repaired == ::crawl::Repaired::Log {
            say("pages", "and so is the page log, from the archive; the old one is in pages.old")?;
            derive::read_on(place, Crawler::open(collection, options)?, derive::From::Nothing)?;
            return Ok(());
        }
    }
    if broken.generation {
        let crawler = Crawler::open(collection, place.config.crawl_options(&place.seeds)?)?;
        let mut shown = Shown::default();
        let renewed = Analyst::once(collection, &crawler)?.renew(&mut |now| shown.show(now));
        shown.finish();
        renewed?;
        say("graph", "links are analysed anew")?;
    }
    if broken.index {
        let rank = rank::importance(collection);
        let options = place.config.refill_options()?;
        index::rebuild_by_rank(collection, options, &rank, |_| {})
            .context("cannot make the index anew")?;
        say("index", "the index is made anew")?;
    }
    if broken.lists {
        rank::renew_lists(collection)?;
        say("lists", "the lists of strategies are made anew")?;
    }
    Ok(())
}

impl<W: Write> Out<W> {
    fn line(&mut self, text: &str, object: &Value) -> Result<()> {
        match self.json {
            true => writeln!(self.out, "{object}")?,
            false => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }
}

impl<W: Write> Findings<W> {
    fn good(&mut self, part: &str, what: &str) -> Result<()> {
        let object = json!({ "part": part, "ok": true, "said": what });
        self.say(&format!("{part:<10} {what}"), &object)
    }

    fn bad(&mut self, part: &str, what: impl std::fmt::Display) -> Result<()> {
        self.problems += 1;
        let object = json!({ "part": part, "ok": false, "said": what.to_string() });
        self.say(&format!("{part:<10} PROBLEM: {what}"), &object)
    }

    /// Tells what cannot be read.
    ///
    /// Where it is this process that lacks files or memory nothing is known of the file, and the
    /// check ends: what is whole must not be thrown away for that (STO-13).
    fn unreadable(&mut self, part: &str, error: &(dyn Error + 'static)) -> Result<()> {
        if wants(error) {
            bail!("cannot check the {part}: {}", chain(error));
        }
        self.bad(part, chain(error))
    }

    fn say(&mut self, text: &str, object: &Value) -> Result<()> {
        let out = &mut self.out;
        self.progress.aside(|| out.line(text, object))
    }

    /// Counts a part that was looked through.
    fn is_done(&mut self, folder: &Path) {
        self.done += size_below(folder);
        self.progress.show(self.done);
    }

    fn archive(&mut self, collection: &Collection) -> Result<()> {
        if !collection.archive().exists() {
            return self.good("archive", "empty");
        }
        let progress = &mut self.progress;
        match archive::check_shown(&collection.archive(), &mut |bytes| progress.show(bytes)) {
            Ok(health) => {
                for problem in &health.problems {
                    self.bad("archive", chain(problem))?;
                }
                let responses = HumanCount(health.num_responses);
                let torn = torn(health.torn_bytes);
                self.good(
                    "archive",
                    &format!("{responses} responses in {} files{torn}", health.num_files),
                )
            }
            Err(error) => self.unreadable("archive", &error),
        }
    }

    fn pages(&mut self, collection: &Collection) -> Result<()> {
        if !collection.pages().exists() {
            return self.good("pages", "empty");
        }
        match pages::check(&collection.pages()) {
            Ok(health) => {
                let torn = torn(health.torn_bytes);
                self.good("pages", &format!("{} records{torn}", HumanCount(health.num_frames)))
            }
            Err(error) => self.unreadable("pages", &error),
        }
    }

    fn frontier(&mut self, collection: &Collection) -> Result<()> {
        match ::crawl::check(collection) {
            Ok(problems) => {
                for problem in &problems {
                    self.broken.frontier = true;
                    self.bad("frontier", problem)?;
                }
                match ::crawl::stored_snapshot(collection) {
                    Ok(stored) => {
                        self.good("frontier", &format!("{} URLs", HumanCount(stored.urls)))
                    }
                    // It has been told.
                    Err(_) => Ok(()),
                }
            }
            Err(error) => {
                // Where the page log cannot be read, nothing could be made of it.
                self.broken.frontier = matches!(error, ::crawl::Error::Frontier(_));
                self.unreadable("frontier", &error)
            }
        }
    }

    fn index(&mut self, collection: &Collection) -> Result<()> {
        match index::check(collection) {
            Ok(health) => {
                for problem in &health.problems {
                    self.broken.index = true;
                    self.bad("index", problem)?;
                }
                if !health.problems.is_empty() {
                    return Ok(());
                }
                if health.num_docs == 0 && health.num_behind == 0 {
                    return self.good("index", "empty");
                }
                let behind = behind(health.num_behind);
                self.good("index", &format!("{} documents{behind}", HumanCount(health.num_docs)))
            }
            Err(error) => {
                self.broken.index = true;
                self.unreadable("index", &error)
            }
        }
    }

    fn generation(&mut self, collection: &Collection) -> Result<()> {
        let Some(generation) = collection.generation()? else {
            return self.good("graph", "no generation yet");
        };
        let problems = self.problems;
        match graph::check_graph(&collection.graph(generation)) {
            Ok(summary) => {
                let (nodes, arcs) =
                    (HumanCount(summary.num_nodes.into()), HumanCount(summary.num_arcs));
                let number = generation.0;
                self.good("graph", &format!("generation {number}: {nodes} nodes, {arcs} arcs"))?;
            }
            Err(error) => self.unreadable("graph", &error)?,
        }
        if let Err(error) = graph::check_scores(&collection.scores(generation)) {
            self.unreadable("scores", &error)?;
        }
        match index::anchors::check(&collection.anchors(generation)) {
            Ok(problems) => problems.iter().try_for_each(|problem| self.bad("anchors", problem))?,
            Err(error) => self.unreadable("anchors", &error)?,
        }
        match rank::check_suggestions(collection) {
            Ok(true) => {}
            // Every generation has the file, with or without phrases in it.
            Ok(false) => self.bad("suggest", "the file `suggestions` is missing")?,
            Err(error) => self.unreadable("suggest", &error)?,
        }
        self.broken.generation = self.problems > problems;
        Ok(())
    }

    fn lists(&mut self, collection: &Collection) -> Result<()> {
        match rank::check_lists(collection) {
            Ok(true) => self.good("lists", "of strategies, whole"),
            // They are made when a strategy first needs them.
            Ok(false) => Ok(()),
            Err(error) => {
                self.broken.lists = true;
                self.unreadable("lists", &error)
            }
        }
    }
}

/// An unfinished write at the end is not damage: the next start cuts it off.
fn torn(bytes: u64) -> String {
    match bytes {
        0 => String::new(),
        bytes => {
            format!(" (and {bytes} bytes of an unfinished write, to be cut off at the next start)")
        }
    }
}

/// Neither is it that a crawl was ended before all of its pages were indexed.
fn behind(num_records: u64) -> String {
    match num_records {
        0 => String::new(),
        1 => " (and 1 record not indexed yet, to be read at the next start)".to_owned(),
        _ => {
            let records = HumanCount(num_records);
            format!(" (and {records} records not indexed yet, to be read at the next start)")
        }
    }
}

/// Returns whether an error says that this process lacks something.
fn wants(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let is_want = error.downcast_ref().is_some_and(index::is_want)
            || error.downcast_ref().is_some_and(index::Error::is_want)
            || error.downcast_ref().is_some_and(graph::Error::is_want);
        if is_want {
            return true;
        }
        cause = error.source();
    }
    false
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
