//! From tokens to a tree, by recursive descent with a limit on depth.

use super::lex::{Token, is_noise, is_space};
use super::{Limits, Node, TooLarge};

/// Reads all tokens; `None` if nothing is left to search for.
pub(super) fn parse(tokens: &[Token<'_>], limits: Limits) -> Result<Option<Node>, TooLarge> {
    let mut parser = Parser { tokens, place: 0, depth: 0, num_operator_words: 0, limits };
    let mut parts = Vec::new();
    loop {
        parts.extend(parser.any()?);
        // A closing parenthesis that nothing opened is noise.
        match parser.next() {
            Some(_) => {}
            None => break,
        }
    }
    // The other words were counted when the text was cut.
    match parser.num_operator_words > limits.terms {
        true => Err(TooLarge::Terms(limits.terms)),
        false => Ok(all_of(parts)),
    }
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    place: usize,
    depth: usize,
    num_operator_words: usize,
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
        matches!(next, Some(Token::Word(_) | Token::Phrase(_) | Token::Open | Token::Not))
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
        loop {
            match self.peek() {
                None | Some(Token::Close) => break,
                Some(Token::Or) if !parts.is_empty() && self.is_followed() => break,
                Some(Token::And) if !parts.is_empty() && self.is_followed() => {
                    self.next();
                }
                // Nothing on one of its sides: a word like any other.
                Some(Token::Or) => parts.push(self.as_word("or")),
                Some(Token::And) => parts.push(self.as_word("and")),
                Some(_) => parts.extend(self.one()?),
            }
        }
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
        let item = self.item()?;
        Ok(if is_denied { item.map(not) } else { item })
    }

    fn item(&mut self) -> Result<Option<Node>, TooLarge> {
        match self.next() {
            Some(Token::Word(word)) => Ok(Some(Node::Word(word.to_owned()))),
            Some(Token::Phrase(words)) => Ok(phrase(words)),
            Some(Token::Open) => self.group(),
            _ => Ok(None),
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

fn not(node: Node) -> Node {
    match node {
        Node::Not(inner) => *inner,
        node => Node::Not(Box::new(node)),
    }
}

fn all_of(parts: Vec<Node>) -> Option<Node> {
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

/// Folds white space, so that a phrase has one way to be written.
fn phrase(words: &str) -> Option<Node> {
    let words: Vec<&str> = words.split(is_space).filter(|word| !is_noise(word)).collect();
    (!words.is_empty()).then(|| Node::Phrase(words.join(" ")))
}
