//! GML, as graph collections use it: `graph [ node [ id 1 label "x" ] edge [ source 1 target 2 ] ]`.
//!
//! Read are `id`, `label`, `source`, `target` and `directed` (0, the default, makes two arcs of
//! an edge); everything else is passed over, lists inside of lists too. A node without a label is
//! called by its id.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{Named, ReadWatch};
use crate::{Error, Links, Node};

/// Deepest nesting of lists. Graphs need two, drawings of graphs three or four.
const MAX_DEPTH: usize = 64;
/// Longest label.
const MAX_LABEL: usize = 64 * 1024;

pub(super) fn read(path: &Path, watch: ReadWatch<'_>) -> Result<Named, Error> {
    let bytes = fs::read(path).map_err(Error::file("read", path))?;
    let total = bytes.len() as u64;
    let text = String::from_utf8_lossy(&bytes);
    let mut tokens = Tokens { text: &text, place: 0, line: 1 };
    let found = Reading::default().read(&mut tokens);
    watch(total, total);
    let line = tokens.line;
    let fail = |reason: String| Error::Line { path: path.to_owned(), line, reason };
    found.map_err(fail)?.finish().map_err(|reason| Error::damaged(path, reason))?
}

/// What a file was found to hold.
#[derive(Default)]
struct Reading<'t> {
    is_directed: bool,
    has_graph: bool,
    nodes: Vec<(&'t str, Option<String>)>,
    edges: Vec<(&'t str, &'t str)>,
    /// The list being read, and what it has said so far.
    item: Item<'t>,
}

#[derive(Default)]
struct Item<'t> {
    id: Option<&'t str>,
    label: Option<String>,
    source: Option<&'t str>,
    target: Option<&'t str>,
}

/// What lists mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Graph,
    Node,
    Edge,
    Other,
}

impl<'t> Reading<'t> {
    fn read(mut self, tokens: &mut Tokens<'t>) -> Result<Self, String> {
        let mut open: Vec<List> = Vec::new();
        while let Some(token) = tokens.next()? {
            let key = match token {
                Token::Close => {
                    let list = open.pop().ok_or("it closes a list that is not open")?;
                    self.close(list)?;
                    continue;
                }
                Token::Word(key) => key,
                Token::Open | Token::Text(_) => return Err("a key is missing".to_owned()),
            };
            match tokens.next()?.ok_or("it ends behind a key")? {
                Token::Open => {
                    if open.len() == MAX_DEPTH {
                        return Err(format!("it has more than {MAX_DEPTH} lists in each other"));
                    }
                    let list = meaning(key, open.last().copied());
                    self.has_graph |= list == List::Graph;
                    // A list inside of a node, such as how it is drawn, must not undo it.
                    if matches!(list, List::Node | List::Edge) {
                        self.item = Item::default();
                    }
                    open.push(list);
                }
                Token::Close => return Err(format!("`{key}` has no value")),
                Token::Word(value) => self.value(open.last().copied(), key, value),
                Token::Text(text) => {
                    let is_label = key == "label" && open.last() == Some(&List::Node);
                    if is_label && text.len() > MAX_LABEL {
                        return Err(format!("a label is longer than {MAX_LABEL} bytes"));
                    }
                    if is_label {
                        self.item.label = Some(plain(text));
                    }
                }
            }
        }
        match open.is_empty() {
            true => Ok(self),
            false => Err("it ends inside of a list".to_owned()),
        }
    }

    fn value(&mut self, list: Option<List>, key: &str, value: &'t str) {
        match (list, key) {
            (Some(List::Graph), "directed") => self.is_directed = value == "1",
            (Some(List::Node), "id") => self.item.id = Some(value),
            (Some(List::Node), "label") => self.item.label = Some(value.to_owned()),
            (Some(List::Edge), "source") => self.item.source = Some(value),
            (Some(List::Edge), "target") => self.item.target = Some(value),
            _ => {}
        }
    }

    fn close(&mut self, list: List) -> Result<(), String> {
        match list {
            List::Node => {
                let item = std::mem::take(&mut self.item);
                let id = item.id.ok_or("a node has no id")?;
                self.nodes.push((id, item.label.filter(|label| !label.is_empty())));
            }
            List::Edge => {
                let source = self.item.source.take().ok_or("an edge has no source")?;
                let target = self.item.target.take().ok_or("an edge has no target")?;
                self.edges.push((source, target));
            }
            List::Graph | List::Other => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<Result<Named, Error>, String> {
        if !self.has_graph {
            return Err("it has no `graph [ … ]`".to_owned());
        }
        let mut numbers = HashMap::with_capacity(self.nodes.len());
        let mut names: Vec<Arc<str>> = Vec::with_capacity(self.nodes.len());
        for (number, (id, label)) in (0..).zip(&self.nodes) {
            if numbers.insert(*id, Node(number)).is_some() {
                return Err(format!("two nodes have the id {id}"));
            }
            names.push(label.as_deref().unwrap_or(id).into());
        }
        let node = |id: &str| numbers.get(id).copied().ok_or(format!("no node has the id {id}"));
        let mut arcs = Vec::with_capacity(self.edges.len());
        for (source, target) in &self.edges {
            let (source, target) = (node(source)?, node(target)?);
            arcs.push((source, target));
            if !self.is_directed {
                arcs.push((target, source));
            }
        }
        let num_nodes = u32::try_from(names.len()).map_err(|_| "it has too many nodes")?;
        Ok(Links::from_arcs(num_nodes, arcs).map(|links| Named::listed(links, names)))
    }
}

/// A list that stands in a node or an edge belongs to neither.
fn meaning(key: &str, inside: Option<List>) -> List {
    match (inside, key) {
        (None, "graph") => List::Graph,
        (Some(List::Graph), "node") => List::Node,
        (Some(List::Graph), "edge") => List::Edge,
        _ => List::Other,
    }
}

enum Token<'t> {
    Open,
    Close,
    /// A key or a number.
    Word(&'t str),
    /// What stood in quotes.
    Text(&'t str),
}

struct Tokens<'t> {
    text: &'t str,
    place: usize,
    line: u64,
}

impl<'t> Tokens<'t> {
    fn next(&mut self) -> Result<Option<Token<'t>>, String> {
        loop {
            let rest = &self.text[self.place..];
            let blank = rest.len() - rest.trim_start().len();
            self.pass(blank);
            // A remark goes to the end of its line.
            let rest = &self.text[self.place..];
            if !rest.starts_with('#') {
                break;
            }
            self.pass(rest.find('\n').unwrap_or(rest.len()));
        }
        let rest = &self.text[self.place..];
        let (token, len) = match rest.as_bytes().first() {
            None => return Ok(None),
            Some(b'[') => (Token::Open, 1),
            Some(b']') => (Token::Close, 1),
            Some(b'"') => {
                let len = rest[1..].find('"').ok_or("a quotation mark is not closed")?;
                (Token::Text(&rest[1..=len]), len + 2)
            }
            Some(_) => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                let len = rest.find(is_end).unwrap_or(rest.len());
                (Token::Word(&rest[..len]), len)
            }
        };
        self.pass(len);
        Ok(Some(token))
    }

    fn pass(&mut self, len: usize) {
        let passed = &self.text.as_bytes()[self.place..self.place + len];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.place += len;
    }
}

/// Undoes the escapes of the form and makes blanks of what steers terminals.
fn plain(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&#34;", "\"");
    let text = text.replace("&#38;", "&").replace("&amp;", "&");
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}
