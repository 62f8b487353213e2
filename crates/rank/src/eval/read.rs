//! Readers of topics and verdicts: the forms of TREC, JSON lines, and columns parted by tabs.
//!
//! Which form a file has is seen by its first line. Unlike pages of the web these files are
//! somebody's work for this very purpose: what cannot be read is an error with its line, never
//! passed over, because a figure from half a file looks like a figure.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::{Topic, Verdicts};

/// Longest line, in bytes.
const LINE_BYTES: u64 = 1024 * 1024;
/// Most queries in one file.
const MOST_TOPICS: usize = 1_000_000;
/// Most verdicts in one file; the largest collections that are published have a few millions.
const MOST_VERDICTS: usize = 20_000_000;

/// Why a file of topics or verdicts cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// It cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("line {number} of `{}`: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// There is nothing in it.
    #[error("`{}` has no {what}", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
        /// What it should have.
        what: &'static str,
    },
}

/// Reads queries: `<top>` records of TREC, JSON lines with `id` (or `_id`) and `text`, or lines of
/// an id, a tab and the text. `path` is for error messages.
///
/// Fails on the first line that does not fit, on an id that comes twice, and without a query.
pub fn read_topics(path: &Path, input: impl BufRead) -> Result<Vec<Topic>, Error> {
    let mut lines = Lines::new(path, input);
    let mut topics = Topics { ids: HashSet::new(), topics: Vec::new() };
    let mut tagged = None;
    while let Some(line) = lines.next()? {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        if lines.number_of_content == 1 && trimmed.starts_with('<') {
            tagged = Some(Tagged::default());
        }
        let topic = match &mut tagged {
            Some(tagged) => tagged.line(trimmed).transpose(),
            None if trimmed.starts_with('{') => Some(json_topic(trimmed)),
            None => Some(plain_topic(&line)),
        };
        let pushed = topic.map_or(Ok(()), |topic| topics.push(topic?));
        pushed.map_err(|reason| lines.failed(reason))?;
    }
    if tagged.is_some_and(|tagged| tagged.is_open) {
        return Err(lines.failed("the last `<top>` is not closed".to_owned()));
    }
    if topics.topics.is_empty() {
        return Err(Error::Nothing { path: path.to_owned(), what: "queries" });
    }
    Ok(topics.topics)
}

/// Reads verdicts: `query 0 document grade` of TREC, or columns `query document grade`, parted by
/// tabs or blanks; a first line of column names and further columns are passed over. A grade above
/// 0 means relevant. `path` is for error messages.
///
/// Fails on the first line that does not fit, and without a verdict.
pub fn read_verdicts(path: &Path, input: impl BufRead) -> Result<Verdicts, Error> {
    let mut lines = Lines::new(path, input);
    let mut verdicts = Verdicts::default();
    let mut form = None;
    while let Some(line) = lines.next()? {
        if line.trim().is_empty() {
            continue;
        }
        let fields = fields(&line);
        if lines.number_of_content == 1 {
            form = Columns::of_header(&fields);
            if form.is_some() {
                continue;
            }
        }
        let columns = *form.get_or_insert_with(|| Columns::of_line(&fields));
        let verdict = columns.read(&fields).map_err(|reason| lines.failed(reason))?;
        verdicts.push(verdict.0, verdict.1, verdict.2);
        if verdicts.num_verdicts() > MOST_VERDICTS {
            return Err(lines.failed(format!("more than {MOST_VERDICTS} verdicts")));
        }
    }
    if verdicts.num_verdicts() == 0 {
        return Err(Error::Nothing { path: path.to_owned(), what: "verdicts" });
    }
    Ok(verdicts)
}

/// Lines of bounded length with their numbers.
struct Lines<'a, R> {
    path: &'a Path,
    input: R,
    number: u64,
    /// Lines so far that are not blank.
    number_of_content: u64,
}

impl<'a, R: BufRead> Lines<'a, R> {
    fn new(path: &'a Path, input: R) -> Self {
        Self { path, input, number: 0, number_of_content: 0 }
    }

    fn next(&mut self) -> Result<Option<String>, Error> {
        let mut bytes = Vec::new();
        self.number += 1;
        let read = (&mut self.input).take(LINE_BYTES + 1).read_until(b'\n', &mut bytes);
        let length = read.map_err(|source| Error::Read { path: self.path.to_owned(), source })?;
        if length == 0 {
            return Ok(None);
        }
        if length as u64 > LINE_BYTES {
            return Err(self.failed(format!("longer than {LINE_BYTES} bytes")));
        }
        let line =
            String::from_utf8(bytes).map_err(|_| self.failed("it is not UTF-8".to_owned()))?;
        let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']).to_owned();
        self.number_of_content += u64::from(!line.trim().is_empty());
        Ok(Some(line))
    }

    fn failed(&self, reason: String) -> Error {
        Error::Line { path: self.path.to_owned(), number: self.number, reason }
    }
}

/// The queries so far.
struct Topics {
    ids: HashSet<String>,
    topics: Vec<Topic>,
}

impl Topics {
    fn push(&mut self, topic: Topic) -> Result<(), String> {
        if self.topics.len() >= MOST_TOPICS {
            return Err(format!("more than {MOST_TOPICS} queries"));
        }
        if !self.ids.insert(topic.id.clone()) {
            return Err(format!("there is a query `{}` already", topic.id));
        }
        self.topics.push(topic);
        Ok(())
    }
}

#[derive(Deserialize)]
struct JsonTopic {
    #[serde(alias = "_id")]
    id: Id,
    text: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

fn json_topic(line: &str) -> Result<Topic, String> {
    let JsonTopic { id, text } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let id = match id {
        Id::Text(id) => id,
        Id::Number(id) => id.to_string(),
    };
    Ok(Topic { id, text })
}

fn plain_topic(line: &str) -> Result<Topic, String> {
    let parts = line.split_once('\t').filter(|(id, _)| !id.trim().is_empty());
    let (id, text) = parts.ok_or("no id and text parted by a tab")?;
    Ok(Topic { id: id.trim().to_owned(), text: text.trim().to_owned() })
}

/// A record of TREC under way. Its tags are not closed, but for `<top>` itself:
/// `<num> Number: 301`, `<title> international organized crime`, `<desc> Description: …`.
#[derive(Default)]
struct Tagged {
    is_open: bool,
    number: String,
    title: String,
    description: String,
    /// Which part goes on in the lines to come.
    part: Part,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Other,
    Number,
    Title,
    Description,
}

impl Tagged {
    /// Reads one line, which is not blank; returns a query when it closes one.
    fn line(&mut self, line: &str) -> Result<Option<Topic>, String> {
        let mut rest = line;
        let mut closed = None;
        while !rest.is_empty() {
            let (text, tag, behind) = match rest.split_once('<') {
                Some((text, behind)) => {
                    let (tag, behind) = behind.split_once('>').ok_or("a tag is not closed")?;
                    (text, Some(tag), behind)
                }
                None => (rest, None, ""),
            };
            self.add(text.trim())?;
            if let Some(tag) = tag
                && let Some(topic) = self.tag(&tag.trim().to_ascii_lowercase())?
                && closed.replace(topic).is_some()
            {
                return Err("more than one query in a line".to_owned());
            }
            rest = behind;
        }
        Ok(closed)
    }

    fn tag(&mut self, tag: &str) -> Result<Option<Topic>, String> {
        if !self.is_open && tag != "top" {
            return Err(format!("`<{tag}>` stands outside of `<top>`"));
        }
        self.part = match tag {
            "top" if self.is_open => return Err("a `<top>` in a `<top>`".to_owned()),
            "top" => {
                *self = Self { is_open: true, ..Self::default() };
                Part::Other
            }
            "/top" => return self.finish().map(Some),
            "num" => Part::Number,
            "title" => Part::Title,
            "desc" => Part::Description,
            _ => Part::Other,
        };
        Ok(None)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        if !self.is_open && !text.is_empty() {
            return Err("text outside of `<top>`".to_owned());
        }
        let (part, label) = match self.part {
            Part::Other => return Ok(()),
            Part::Number => (&mut self.number, "number:"),
            Part::Title => (&mut self.title, "topic:"),
            Part::Description => (&mut self.description, "description:"),
        };
        let head = text.get(..label.len()).filter(|head| head.eq_ignore_ascii_case(label));
        let text = if part.is_empty() { &text[head.map_or(0, str::len)..] } else { text };
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(text.trim());
        Ok(())
    }

    fn finish(&mut self) -> Result<Topic, String> {
        let Self { number, title, description, .. } = std::mem::take(self);
        if number.trim().is_empty() {
            return Err("the query that ends here has no `<num>`".to_owned());
        }
        let text = if title.trim().is_empty() { description } else { title };
        Ok(Topic { id: number.trim().to_owned(), text: text.trim().to_owned() })
    }
}

/// Where in a line what stands.
#[derive(Clone, Copy)]
struct Columns {
    topic: usize,
    document: usize,
    grade: usize,
}

impl Columns {
    const TREC: Self = Self { topic: 0, document: 2, grade: 3 };
    const SHORT: Self = Self { topic: 0, document: 1, grade: 2 };

    /// Returns the columns if the fields are their names.
    fn of_header(fields: &[&str]) -> Option<Self> {
        let place = |names: &[&str]| fields.iter().position(|field| names.contains(field));
        Some(Self {
            topic: place(&["query_id", "query-id", "qid", "topic", "query"])?,
            document: place(&["doc_id", "corpus-id", "docid", "docno", "document"])?,
            grade: place(&["rel", "score", "relevance", "grade"])?,
        })
    }

    /// Tells by the first line: TREC's has a fourth column, and a second one that means nothing.
    fn of_line(fields: &[&str]) -> Self {
        if fields.len() >= 4 { Self::TREC } else { Self::SHORT }
    }

    fn read<'a>(self, fields: &[&'a str]) -> Result<(&'a str, &'a str, i32), String> {
        let get = |place: usize| fields.get(place).copied();
        let (Some(topic), Some(document), Some(grade)) =
            (get(self.topic), get(self.document), get(self.grade))
        else {
            return Err(format!("{} columns are too few", fields.len()));
        };
        let grade = grade.parse().map_err(|_| format!("`{grade}` is not a grade"))?;
        Ok((topic, document, grade))
    }
}

fn fields(line: &str) -> Vec<&str> {
    match line.contains('\t') {
        true => line.split('\t').map(str::trim).collect(),
        false => line.split_whitespace().collect(),
    }
}

#[cfg(test)]
mod tests;
