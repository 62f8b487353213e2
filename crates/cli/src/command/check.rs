//! `lookfar check`: every file of the collection, verified.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use base::{Collection, pages};
use indicatif::HumanCount;

use crate::Done;

/// What the parts of a collection have to say.
struct Findings<W: Write> {
    out: W,
    problems: u64,
}

pub(crate) fn run(dir: &Path) -> Result<Done> {
    let collection = Collection::open(dir)?;
    // Nothing may move while it is being verified.
    let _lock = collection.lock()?;
    let mut findings = Findings { out: std::io::stdout().lock(), problems: 0 };
    findings.archive(&collection)?;
    findings.pages(&collection)?;
    findings.frontier(&collection)?;
    findings.index(&collection)?;
    findings.generation(&collection)?;
    let Findings { mut out, problems } = findings;
    match problems {
        0 => writeln!(out, "everything is in order")?,
        1 => writeln!(out, "1 problem")?,
        _ => writeln!(out, "{problems} problems")?,
    }
    Ok(if problems == 0 { Done::Well } else { Done::Empty })
}

impl<W: Write> Findings<W> {
    fn good(&mut self, part: &str, what: &str) -> Result<()> {
        Ok(writeln!(self.out, "{part:<10} {what}")?)
    }

    fn bad(&mut self, part: &str, what: impl std::fmt::Display) -> Result<()> {
        self.problems += 1;
        Ok(writeln!(self.out, "{part:<10} PROBLEM: {what}")?)
    }

    fn archive(&mut self, collection: &Collection) -> Result<()> {
        if !collection.archive().exists() {
            return self.good("archive", "empty");
        }
        match archive::check(&collection.archive()) {
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
            Err(error) => self.bad("archive", chain(&error)),
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
            Err(error) => self.bad("pages", chain(&error)),
        }
    }

    fn frontier(&mut self, collection: &Collection) -> Result<()> {
        match ::crawl::check(collection) {
            Ok(problems) => {
                for problem in &problems {
                    self.bad("frontier", problem)?;
                }
                let known = ::crawl::stored_snapshot(collection)?.urls;
                self.good("frontier", &format!("{} URLs", HumanCount(known)))
            }
            Err(error) => self.bad("frontier", chain(&error)),
        }
    }

    fn index(&mut self, collection: &Collection) -> Result<()> {
        if !collection.index().exists() {
            return self.good("index", "empty");
        }
        match index::check(collection) {
            Ok(health) => {
                for problem in &health.problems {
                    self.bad("index", problem)?;
                }
                self.good("index", &format!("{} documents", HumanCount(health.num_docs)))
            }
            Err(error) => self.bad("index", chain(&error)),
        }
    }

    fn generation(&mut self, collection: &Collection) -> Result<()> {
        let Some(generation) = collection.generation()? else {
            return self.good("graph", "no generation yet");
        };
        match graph::check_graph(&collection.graph(generation)) {
            Ok(summary) => {
                let (nodes, arcs) =
                    (HumanCount(summary.num_nodes.into()), HumanCount(summary.num_arcs));
                let number = generation.0;
                self.good("graph", &format!("generation {number}: {nodes} nodes, {arcs} arcs"))?;
            }
            Err(error) => self.bad("graph", chain(&error))?,
        }
        if let Err(error) = graph::check_scores(&collection.scores(generation)) {
            self.bad("scores", chain(&error))?;
        }
        match index::anchors::check(&collection.anchors(generation)) {
            Ok(problems) => problems.iter().try_for_each(|problem| self.bad("anchors", problem)),
            Err(error) => self.bad("anchors", chain(&error)),
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

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
