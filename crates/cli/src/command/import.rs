//! `lookfar import`: others' archives, folders and collections become pages, without a network.

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::crawl::{Crawler, Import, ImportEvent, ImportOptions, Imported};
use anyhow::{Context, Result, bail};
use archive::foreign::{Files, Item, Lines, Source, Warcs};
use base::{Rules, Url};
use indicatif::{HumanCount, HumanDuration};
use serde_json::json;

use crate::Done;
use crate::args::{ImportArgs, ImportSource, TakeArgs};
use crate::derive;
use crate::place::Place;
use crate::progress::{Of, Progress};

pub(crate) fn run(dir: &Path, args: &ImportArgs) -> Result<Done> {
    let begun = Instant::now();
    let plan = Plan::new(&args.source)?;
    let place = Place::open_without_seeds(dir)?;
    let options = place.config.crawl_options(&place.seeds)?;
    let mut crawler = Crawler::open(&place.collection, options)?;
    let take = &args.source.take_args();
    let only = take.only.iter().map(|pattern| pattern.0.clone()).collect();
    let import = crawler.import(ImportOptions { only, limit: take.limit })?;
    let imported = plan.carry_out(import)?;
    let num_docs = derive::read_on(&place, crawler, derive::From::Before)?;
    let mut out = std::io::stdout().lock();
    if take.json {
        let Imported { taken, known, passed, broken } = &imported;
        let line = json!({
            "imported": taken, "known": known, "broken": broken, "passed_over": passed,
            "documents": num_docs, "seconds": begun.elapsed().as_secs_f64(),
        });
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{}", told(&imported, num_docs))?;
        writeln!(out, "done in {}", HumanDuration(begun.elapsed()))?;
    }
    let is_empty = imported.taken + imported.known == 0;
    Ok(if is_empty { Done::Empty } else { Done::Well })
}

/// What is to be read, looked at before anything is written.
struct Plan {
    parts: Vec<Part>,
    /// Bytes of all of them.
    total: u64,
}

enum Part {
    Warc(PathBuf),
    Folder(PathBuf, Url),
    Lines(PathBuf, Url),
}

impl Plan {
    fn new(source: &ImportSource) -> Result<Self> {
        let mut plan = Self { parts: Vec::new(), total: 0 };
        match source {
            ImportSource::Warc { paths, .. } => {
                for path in paths {
                    plan.add_warcs(path)?;
                }
            }
            ImportSource::Folder { folder, url, .. } => {
                let url = base_url(url)?;
                plan.total = Files::size(folder, &url)?;
                plan.parts.push(Part::Folder(folder.clone(), url));
            }
            ImportSource::Jsonl { files, url, .. } => {
                let url = base_url(url)?;
                for path in files {
                    plan.total += size(path)?;
                    plan.parts.push(Part::Lines(path.clone(), url.clone()));
                }
            }
        }
        Ok(plan)
    }

    /// Adds a file, or those in a folder that are called like archives.
    fn add_warcs(&mut self, path: &Path) -> Result<()> {
        let mut paths = vec![path.to_owned()];
        if path.is_dir() {
            paths = archives_below(path)?;
            if paths.is_empty() {
                bail!("no file in `{}` is called .warc or .arc", path.display());
            }
        }
        for path in paths {
            self.total += size(&path)?;
            self.parts.push(Part::Warc(path));
        }
        Ok(())
    }

    fn carry_out(self, mut import: Import<'_>) -> Result<Imported> {
        let mut progress = Progress::new("imported", Of::Bytes, self.total);
        let (mut done, mut unopened, mut imported) = (0, 0, Imported::default());
        for part in self.parts {
            if import.is_enough() {
                break;
            }
            let source = match part.open() {
                Ok(source) => RefCell::new(source),
                Err(error) => {
                    // One file that cannot be opened does not spoil the others.
                    progress.say(&format!("passed over: {}", chain(&error)));
                    unopened += 1;
                    continue;
                }
            };
            let mut items = Shared(&source);
            let mut watch = |event: ImportEvent<'_>| {
                match event {
                    ImportEvent::Broken(error) => {
                        progress.say(&format!("passed over: {}", chain(error)));
                    }
                    ImportEvent::Done(_) => progress.show(done + items_used(&source)),
                }
                ControlFlow::Continue(())
            };
            imported.clone_from(import.take(&mut items, &mut watch)?);
            done += items_used(&source);
        }
        progress.finish();
        imported.broken += unopened;
        Ok(imported)
    }
}

impl Part {
    fn open(&self) -> Result<Box<dyn Source>, archive::Error> {
        Ok(match self {
            Self::Warc(path) => Box::new(Warcs::open(path)?),
            Self::Folder(path, url) => Box::new(Files::open(path, url)?),
            Self::Lines(path, url) => Box::new(Lines::open(path, url)?),
        })
    }
}

/// A source that is asked how far it is while it is being read.
struct Shared<'a>(&'a RefCell<Box<dyn Source>>);

impl Iterator for Shared<'_> {
    type Item = Result<Item, archive::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.borrow_mut().next()
    }
}

fn items_used(source: &RefCell<Box<dyn Source>>) -> u64 {
    source.borrow().used()
}

fn size(path: &Path) -> Result<u64> {
    let data = std::fs::metadata(path);
    Ok(data.with_context(|| format!("cannot open `{}`", path.display()))?.len())
}

/// Returns the files below a folder that are called like archives, in the order of their names.
fn archives_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot list `{}`", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
            let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
            if kind.is_dir() {
                folders.push(path);
            } else if name.ends_with(".warc") || name.ends_with(".arc") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn base_url(text: &str) -> Result<Url> {
    Url::parse_with(text, Rules::NONE).with_context(|| format!("cannot put pages below `{text}`"))
}

fn told(imported: &Imported, num_docs: u64) -> String {
    let Imported { taken, known, passed, broken } = imported;
    let mut text = format!("imported {} responses", HumanCount(*taken));
    if *known > 0 {
        text += &format!("; {} were there already", HumanCount(*known));
    }
    if *broken > 0 {
        text += &format!("; {} broken", HumanCount(*broken));
    }
    text.push('\n');
    for (reason, count) in passed {
        text += &format!("passed over {:>9}  {reason}\n", HumanCount(*count).to_string());
    }
    text + &format!("{} documents can be found\n", HumanCount(num_docs))
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

impl ImportSource {
    fn take_args(&self) -> TakeArgs {
        match self {
            Self::Warc { take, .. } | Self::Folder { take, .. } | Self::Jsonl { take, .. } => {
                take.clone()
            }
        }
    }
}
