//! `lookfar export`: the three databases of a crawl, for others' programs (P2): documents, links,
//! page id ↔ URL.
//!
//! The page log is read twice: once for which record of each page is the last, once for the rows.
//! Memory: some 30 bytes per page, and a batch of rows. Pages that were forgotten are left out.

mod columns;
mod sheet;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base::log::Position;
use base::{Collection, Link, LinkKind, PageId, Rel, pages};
use indicatif::HumanCount;

use crate::Done;
use crate::args::{ExportArgs, ExportFormat, ExportTable};
use crate::progress::{Of, Progress};

use columns::{Column, Subject, Value};
use sheet::Sheet;

pub(crate) fn run(dir: &Path, args: &ExportArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let columns = columns::chosen(args.table, &args.fields)?;
    let to_stdout = args.output.as_deref().is_none_or(|path| path == Path::new("-"));
    let num_rows = match (args.format, to_stdout) {
        (ExportFormat::Parquet, true) => {
            bail!("Parquet is no text: name a file with `--output FILE`")
        }
        (ExportFormat::Jsonl, true) => {
            let mut rows = Lines { columns, out: BufWriter::new(std::io::stdout()), num_rows: 0 };
            each_row(&collection, args.table, &mut |subject| rows.push(subject))?;
            rows.out.flush()?;
            rows.num_rows
        }
        (format, false) => {
            let path = args.output.as_deref().unwrap_or(Path::new("-"));
            let beside = Beside::create(path)?;
            let num_rows = write_to(&collection, args.table, format, columns, &beside.file)?;
            beside.publish()?;
            num_rows
        }
    };
    if !to_stdout {
        let table = args.table.name();
        writeln!(std::io::stderr(), "exported {} {table}", HumanCount(num_rows))?;
    }
    Ok(if num_rows == 0 { Done::Empty } else { Done::Well })
}

fn write_to(
    collection: &Collection,
    table: ExportTable,
    format: ExportFormat,
    columns: Vec<&'static Column>,
    file: &File,
) -> Result<u64> {
    match format {
        ExportFormat::Jsonl => {
            let mut rows = Lines { columns, out: BufWriter::new(file), num_rows: 0 };
            each_row(collection, table, &mut |subject| rows.push(subject))?;
            rows.out.flush()?;
            Ok(rows.num_rows)
        }
        ExportFormat::Parquet => {
            let mut sheet = Sheet::create(file.try_clone()?, columns)?;
            each_row(collection, table, &mut |subject| sheet.push(subject))?;
            sheet.finish()
        }
    }
}

/// A file that is there when it is whole.
struct Beside {
    file: File,
    beside: PathBuf,
    path: PathBuf,
}

impl Beside {
    fn create(path: &Path) -> Result<Self> {
        let beside = path.with_added_extension("new");
        let file = File::create(&beside)
            .with_context(|| format!("cannot create `{}`", beside.display()))?;
        Ok(Self { file, beside, path: path.to_owned() })
    }

    fn publish(self) -> Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.beside, &self.path)
            .with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

/// Rows as JSON, an object per line.
struct Lines<W: Write> {
    columns: Vec<&'static Column>,
    out: W,
    num_rows: u64,
}

impl<W: Write> Lines<W> {
    fn push(&mut self, subject: &Subject<'_>) -> Result<()> {
        self.num_rows += 1;
        // Written by hand, to keep the columns in the order asked for.
        let mut line = String::from("{");
        for column in &self.columns {
            let value = match (column.value)(subject) {
                Value::Nothing => continue,
                Value::Text(text) => serde_json::to_string(&text)?,
                Value::Number(number) => number.to_string(),
                Value::Flag(flag) => flag.to_string(),
                Value::Time(time) => serde_json::to_string(&time.rfc3339())?,
            };
            if line.len() > 1 {
                line.push(',');
            }
            line.push_str(&format!("\"{}\":{value}", column.name));
        }
        line.push_str("}\n");
        Ok(self.out.write_all(line.as_bytes())?)
    }
}

/// Calls `push` for every row of a table.
fn each_row(
    collection: &Collection,
    table: ExportTable,
    push: &mut dyn FnMut(&Subject<'_>) -> Result<()>,
) -> Result<()> {
    if !collection.pages().exists() {
        return Ok(());
    }
    let (last, num_records) = last_records(&collection.pages())?;
    let mut progress = Progress::new("exported", Of::Items, num_records);
    let mut reader = pages::Reader::open(&collection.pages(), Position::START)?;
    let mut number = 0;
    // Only as far as the first reading went: a crawl may go on meanwhile.
    while number < num_records
        && let Some(entry) = reader.next_entry()?
    {
        number += 1;
        let page = &entry.record;
        if number % 256 == 0 {
            progress.show(number);
        }
        if last.get(&page.id) != Some(&entry.start) || page.is_forgotten() {
            continue;
        }
        match table {
            ExportTable::Pages | ExportTable::Ids => {
                push(&Subject { page, link: None, place: None })?;
            }
            ExportTable::Links => {
                let places = page.anchors.iter().copied().chain(std::iter::repeat(None));
                for (link, place) in page.links.iter().chain(&redirect(page)).zip(places) {
                    push(&Subject { page, link: Some(link), place })?;
                }
            }
        }
    }
    progress.finish();
    Ok(())
}

/// Returns where the last record of each page begins, and how many records there are.
fn last_records(folder: &Path) -> Result<(HashMap<PageId, Position>, u64)> {
    let mut last = HashMap::new();
    let mut reader = pages::Reader::open(folder, Position::START)?;
    let mut num_records = 0;
    while let Some(entry) = reader.next_entry()? {
        last.insert(entry.record.id, entry.start);
        num_records += 1;
    }
    Ok((last, num_records))
}

/// Where a page sends its visitors is a link too.
fn redirect(page: &base::PageRecord) -> Option<Link> {
    let target = page.redirect.clone()?;
    Some(Link { target, kind: LinkKind::Redirect, rel: Rel::default(), anchor: String::new() })
}
