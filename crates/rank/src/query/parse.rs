//! From tokens to a tree, by recursive descent with a limit on depth.

use super::field::{Field, Zone};
use super::lex::{Token, is_name, is_noise, is_space};
use super::{Limits, Near, Node, Query, TooLarge, word};
use crate::{Note, Wants};

/// Reads all tokens.
pub(super) fn parse(tokens: &[Token<'_>], limits: Limits) -> Result<Query, TooLarge> {
    let mut parser = Parser {
        tokens,
        place: 0,
        depth: 0,
        num_operator_words: 0,
        has_and: false,
        notes: Vec::new(),
        limits,
    };
    let root = parser.any()?;
    // Operators without something to work on are words too, and are printed as such.
    let num_terms: usize = tokens.iter().map(Token::num_terms).sum();
    if num_terms + parser.num_operator_words > limits.terms {
        return Err(TooLarge::Terms(limits.terms));
    }
    let mut notes = parser.notes;
    notes.dedup();
    notes.truncate(MOST_NOTES);
    Ok(Query { root, is_loose: !parser.has_and, notes })
}

/// Notes that are kept: nobody reads more.
const MOST_NOTES: usize = 8;

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    place: usize,
    depth: usize,
    num_operator_words: usize,
    has_and: bool,
    notes: Vec<Note>,
    limits: Limits,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.place).copied()
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.place += usize::from(token.is_some());
        token
    }

    /// Returns whether the token after the present one begins something.
    fn is_followed(&self) -> bool {
        let next = self.tokens.get(self.place + 1);
        let begins = |token: &Token<'_>| {
            !matches!(token, Token::And | Token::Or | Token::Near(_) | Token::Close)
        };
        next.is_some_and(begins)
    }

    /// Returns whether the token after the present one can be near something.
    fn is_followed_closely(&self) -> bool {
        let next = self.tokens.get(self.place + 1);
        matches!(
            next,
            Some(Token::Word(_) | Token::NoField(_) | Token::Exact(_) | Token::Phrase(_))
        )
    }

    /// Reads parts joined by OR, up to a closing parenthesis or the end.
    fn any(&mut self) -> Result<Option<Node>, TooLarge> {
        let mut parts = Vec::from_iter(self.all()?);
        while self.peek() == Some(Token::Or) {
            self.next();
            parts.extend(self.all()?);
        }
        Ok(any_of(parts))
    }

    /// Reads parts joined by AND or by nothing.
    fn all(&mut self) -> Result<Option<Node>, TooLarge> {
        let mut parts = Vec::new();
        let mut has_and = false;
        loop {
            match self.peek() {
                None | Some(Token::Close) => break,
                Some(Token::Or) if !parts.is_empty() && self.is_followed() => break,
                Some(Token::And) if !parts.is_empty() && self.is_followed() => {
                    has_and = true;
                    self.next();
                }
                // Nothing on one of its sides: a word like any other.
                Some(Token::Or) => parts.push(self.as_word("or")),
                Some(Token::And) => parts.push(self.as_word("and")),
                Some(Token::Near(_)) => parts.push(self.as_word("near")),
                Some(_) => parts.extend(self.one()?),
            }
        }
        // An empty group behind it is nothing to join.
        self.has_and |= has_and && parts.len() > 1;
        Ok(all_of(parts))
    }

    /// Reads an item and the negations before it.
    fn one(&mut self) -> Result<Option<Node>, TooLarge> {
        let mut is_denied = false;
        while self.peek() == Some(Token::Not) {
            if !self.is_followed() {
                return Ok(Some(self.as_word("not")));
            }
            self.next();
            is_denied = !is_denied;
        }
        let item = self.item()?.map(|first| self.near(first));
        Ok(if is_denied { item.map(not) } else { item })
    }

    /// Reads what stands near an item.
    fn near(&mut self, first: Node) -> Node {
        let mut rest = Vec::new();
        if !is_close(&first) {
            return first;
        }
        while let Some(Token::Near(asked)) = self.peek()
            && self.is_followed_closely()
        {
            self.next();
            let distance = asked.clamp(1, Near::MOST);
            if distance != asked {
                self.notes.push(Note::NearReach { most: Near::MOST });
            }
            match self.next().and_then(|token| self.plain(token)) {
                Some(part) => rest.push((distance, part)),
                None => break,
            }
        }
        if rest.is_empty() { first } else { Node::Near(Near { first: Box::new(first), rest }) }
    }

    fn item(&mut self) -> Result<Option<Node>, TooLarge> {
        match self.next() {
            Some(Token::Value(field, value)) => Ok(Some(self.value(field, value))),
            Some(Token::Quoted(field, words)) => Ok(self.quoted(field, words)),
            Some(Token::Field(field)) => {
                self.next();
                let inner = self.group()?;
                Ok(inner.map(|inner| self.within(field, inner)))
            }
            Some(Token::Open) => self.group(),
            Some(token) => Ok(self.plain(token)),
            None => Ok(None),
        }
    }

    /// Reads a word or a phrase.
    fn plain(&mut self, token: Token<'_>) -> Option<Node> {
        match token {
            Token::Word(text) => {
                self.note_field(text);
                Some(word::read(text, &mut self.notes))
            }
            Token::NoField(text) => {
                let name = text.trim_end_matches(':').to_owned();
                self.notes.push(Note::NoField { name, text: text.to_owned() });
                Some(Node::Word(text.to_owned()))
            }
            Token::Exact(exact) => Some(self.exact(exact)),
            Token::Phrase(words) => phrase(words),
            _ => None,
        }
    }

    /// Reads what stands behind a plus: there signs are what they are.
    fn exact(&mut self, exact: &str) -> Node {
        word::note_signs(&format!("+{exact}"), &mut self.notes);
        Node::Exact(exact.to_owned())
    }

    /// Says that a word which looks like a field is none.
    fn note_field(&mut self, text: &str) {
        let Some((name, value)) = text.split_once(':') else { return };
        let is_scheme = value.starts_with("//") || name.eq_ignore_ascii_case("mailto");
        let is_known = Field::parse(name).is_some();
        if is_name(name) && !is_scheme && !is_known && !value.is_empty() {
            self.notes.push(Note::NoField { name: name.to_owned(), text: text.to_owned() });
        }
    }

    /// Reads `field:value`.
    fn value(&mut self, field: Field, value: &str) -> Node {
        let Field::Zone(zone) = field else { return self.filter(field, value) };
        if is_noise(value) {
            return Node::Word(format!("{}:{value}", field.name()));
        }
        let part = match value.strip_prefix('+') {
            Some(exact) if exact.starts_with(char::is_alphanumeric) => self.exact(exact),
            _ => word::read(value, &mut self.notes),
        };
        Node::In(zone, Box::new(part))
    }

    /// Reads `field:"words"`.
    fn quoted(&mut self, field: Field, words: &str) -> Option<Node> {
        match field {
            Field::Zone(zone) => phrase(words).map(|part| Node::In(zone, Box::new(part))),
            field => {
                let words: Vec<&str> = words.split(is_space).filter(|w| !w.is_empty()).collect();
                let value = words.join(" ");
                match field.filter(&value) {
                    Some(filter) => Some(Node::Filter(filter)),
                    None => {
                        self.note_value(field, &value);
                        phrase(&value)
                    }
                }
            }
        }
    }

    /// Returns a filter, or what was written as a word if the value does not fit.
    fn filter(&mut self, field: Field, value: &str) -> Node {
        match field.filter(value) {
            Some(filter) => Node::Filter(filter),
            None => {
                self.note_value(field, value);
                Node::Word(format!("{}:{value}", field.name()))
            }
        }
    }

    fn note_value(&mut self, field: Field, value: &str) {
        let wants = match field {
            Field::Zone(_) => Wants::Words,
            Field::Site | Field::Host => Wants::Site,
            Field::FileType => Wants::FileType,
            Field::Language => Wants::Language,
            Field::Before | Field::After => Wants::Date,
            Field::Country => Wants::Country,
            Field::Link | Field::Related | Field::Cache => Wants::Address,
        };
        let (field, value) = (field.name(), value.to_owned());
        self.notes.push(Note::WrongValue { field, wants, value });
    }

    /// Puts everything in a group into a field; what has a field of its own stays there.
    fn within(&mut self, field: Field, node: Node) -> Node {
        let mut inner = |parts: Vec<Node>| -> Vec<Node> {
            parts.into_iter().map(|part| self.within(field, part)).collect()
        };
        match (node, field) {
            (Node::And(parts), _) => Node::And(inner(parts)),
            (Node::Or(parts), _) => Node::Or(inner(parts)),
            (Node::Not(part), _) => Node::Not(Box::new(self.within(field, *part))),
            (node @ (Node::In(..) | Node::Filter(_)), _) => node,
            (node, Field::Zone(zone)) => in_zone(zone, node),
            (Node::Word(value), field) => {
                // It was read as a word, and is none if it fits.
                let is_of_it = |note: &Note| match note {
                    Note::NoPattern { word } => *word == value,
                    // A host before its port.
                    Note::NoField { text, .. } => *text == value,
                    _ => false,
                };
                self.notes.retain(|note| !is_of_it(note));
                self.filter(field, &value)
            }
            (Node::Phrase(value), field) => match field.filter(&value) {
                Some(filter) => Node::Filter(filter),
                None => {
                    self.note_value(field, &value);
                    Node::Phrase(value)
                }
            },
            (node, field) => {
                self.note_value(field, &node.to_string());
                node
            }
        }
    }

    /// Reads what stands between parentheses; the end of the query closes what is open.
    fn group(&mut self) -> Result<Option<Node>, TooLarge> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(TooLarge::Depth(self.limits.depth));
        }
        let inner = self.any()?;
        self.next();
        self.depth -= 1;
        Ok(inner)
    }

    fn as_word(&mut self, word: &str) -> Node {
        self.next();
        self.num_operator_words += 1;
        Node::Word(word.to_owned())
    }
}

fn in_zone(zone: Zone, node: Node) -> Node {
    Node::In(zone, Box::new(node))
}

/// Returns whether something can be near another.
fn is_close(node: &Node) -> bool {
    matches!(
        node,
        Node::Word(_) | Node::Exact(_) | Node::Phrase(_) | Node::Wild(_) | Node::Fuzzy(..)
    )
}

fn not(node: Node) -> Node {
    match node {
        Node::Not(inner) => *inner,
        node => Node::Not(Box::new(node)),
    }
}

pub(super) fn all_of(parts: Vec<Node>) -> Option<Node> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Node::And(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    if flat.len() > 1 { Some(Node::And(flat)) } else { flat.pop() }
}

fn any_of(parts: Vec<Node>) -> Option<Node> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Node::Or(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    if flat.len() > 1 { Some(Node::Or(flat)) } else { flat.pop() }
}

/// Folds white space, so that a phrase has one way to be written. Unknown words at its ends say
/// nothing.
fn phrase(words: &str) -> Option<Node> {
    let is_kept = |word: &&str| !is_noise(word) || *word == "*";
    let words: Vec<&str> = words.split(is_space).filter(is_kept).collect();
    let first = words.iter().position(|word| *word != "*")?;
    let last = words.iter().rposition(|word| *word != "*")?;
    Some(Node::Phrase(words[first..=last].join(" ")))
}
