//! Cuts a query into words, phrases, operators, fields and parentheses.

use super::field::Field;
use super::{Limits, Near, TooLarge};

/// A piece of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// A word with a colon that stands before a quote or a parenthesis like a field and is none.
    NoField(&'a str),
    /// A word behind a plus.
    Exact(&'a str),
    Phrase(&'a str),
    /// A field with its value, or with a phrase, or before a parenthesis.
    Value(Field, &'a str),
    Quoted(Field, &'a str),
    Field(Field),
    And,
    Or,
    Not,
    /// With the largest distance, as far as it is a number that we know.
    Near(u32),
    Open,
    Close,
}

impl Token<'_> {
    /// Returns how many words there are in it to search for.
    pub(super) fn num_terms(&self) -> usize {
        let is_counted = |word: &&str| !is_noise(word) || *word == "*";
        match self {
            Self::Word(_) | Self::NoField(_) | Self::Exact(_) | Self::Value(..) => 1,
            Self::Phrase(words) | Self::Quoted(_, words) => {
                words.split(is_space).filter(is_counted).count()
            }
            _ => 0,
        }
    }
}

/// Cuts a text into tokens; counts its words.
pub(super) fn tokens(text: &str, limits: Limits) -> Result<Vec<Token<'_>>, TooLarge> {
    let quotes_left = text.matches(is_quote).count();
    let mut lexer =
        Lexer { tokens: Vec::new(), rest: text, num_terms: 0, quotes_left, num_open: 0 };
    while let Some(first) = lexer.rest.chars().next() {
        lexer.take(first);
        if lexer.num_terms > limits.terms {
            return Err(TooLarge::Terms(limits.terms));
        }
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    tokens: Vec<Token<'a>>,
    rest: &'a str,
    num_terms: usize,
    /// Once no quote is left to close one, the others are noise between words.
    quotes_left: usize,
    /// Parentheses to be closed; one that closes nothing is noise too.
    num_open: usize,
}

impl<'a> Lexer<'a> {
    /// Takes one token that begins with `first`.
    fn take(&mut self, first: char) {
        let behind = &self.rest[first.len_utf8()..];
        if is_space(first) {
            self.rest = behind;
        } else if is_quote(first) {
            if let Some(words) = self.quoted() {
                self.push_phrase(words, Token::Phrase(words));
            }
        } else if first == '(' {
            self.num_open += 1;
            self.push(Token::Open);
            self.rest = behind;
        } else if first == ')' {
            if self.num_open > 0 {
                self.num_open -= 1;
                self.push(Token::Close);
            }
            self.rest = behind;
        } else if first == '-' && behind.starts_with(|next| self.can_be_denied(next)) {
            self.push(Token::Not);
            self.rest = behind;
        } else {
            let end = self.rest.find(ends_word).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(end);
            self.rest = rest;
            self.take_word(word);
        }
    }

    /// Takes what stands between the quote at hand and the next; `None` if there is no next.
    fn quoted(&mut self) -> Option<&'a str> {
        let mut letters = self.rest.chars();
        letters.next();
        self.quotes_left -= 1;
        self.rest = letters.as_str();
        if self.quotes_left == 0 {
            return None;
        }
        self.quotes_left -= 1;
        let end = self.rest.find(is_quote).expect("a quote was counted behind this one");
        let (words, behind) = self.rest.split_at(end);
        self.rest = &behind[behind.chars().next().map_or(0, char::len_utf8)..];
        Some(words)
    }

    fn take_word(&mut self, word: &'a str) {
        if let Some((field, value)) = field_of(word) {
            if !value.is_empty() {
                return self.push(Token::Value(field, value));
            }
            if self.rest.starts_with('(') {
                return self.push(Token::Field(field));
            }
            if self.rest.starts_with(is_quote) && self.quotes_left > 1 {
                let words = self.quoted().unwrap_or_default();
                return self.push_phrase(words, Token::Quoted(field, words));
            }
        }
        let token = match word {
            "AND" => Token::And,
            "OR" => Token::Or,
            "NOT" => Token::Not,
            _ if is_noise(word) => return,
            _ if self.seems_field(word) => Token::NoField(word),
            _ => near(word).map_or_else(|| plain(word), Token::Near),
        };
        self.push(token);
    }

    fn push_phrase(&mut self, words: &'a str, token: Token<'a>) {
        if words.split(is_space).any(|word| !is_noise(word)) {
            self.push(token);
        }
    }

    fn push(&mut self, token: Token<'a>) {
        self.num_terms += token.num_terms();
        self.tokens.push(token);
    }

    /// Returns whether a word stands before a quote or a group as fields do.
    fn seems_field(&self, word: &str) -> bool {
        let is_before_quote = self.rest.starts_with(is_quote) && self.quotes_left > 1;
        (is_before_quote || self.rest.starts_with('('))
            && word.strip_suffix(':').is_some_and(is_name)
    }

    /// Returns whether a `-` before this character means NOT; `--option` and `-*` do not.
    fn can_be_denied(&self, next: char) -> bool {
        next.is_alphanumeric()
            || next == '('
            || next == '+'
            || (is_quote(next) && self.quotes_left > 1)
    }
}

/// Takes a word apart into a field that we know and what stands behind the colon.
fn field_of(word: &str) -> Option<(Field, &str)> {
    let (name, value) = word.split_once(':')?;
    Some((Field::parse(name)?, value))
}

/// Returns whether a field could have this name, if there were one.
pub(super) fn is_name(word: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'.';
    !word.is_empty() && word.bytes().all(is_letter)
}

fn plain(word: &str) -> Token<'_> {
    match word.strip_prefix('+') {
        Some(exact) if exact.starts_with(char::is_alphanumeric) => Token::Exact(exact),
        _ => Token::Word(word),
    }
}

/// Reads `NEAR` and `NEAR/5`; a number too large for us is the largest there is.
fn near(word: &str) -> Option<u32> {
    let rest = word.strip_prefix("NEAR")?;
    if rest.is_empty() {
        return Some(Near::DEFAULT);
    }
    let digits = rest.strip_prefix('/')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// Returns whether there is nothing in a word that could be searched for.
pub(super) fn is_noise(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_punctuation() || is_space(letter))
}

pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Straight and typographic double quotes; telephones write the latter by themselves.
fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

pub(super) fn ends_word(letter: char) -> bool {
    is_space(letter) || is_quote(letter) || letter == '(' || letter == ')'
}
