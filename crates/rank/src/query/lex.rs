//! Cuts a query into words, phrases, operators and parentheses.

use super::{Limits, TooLarge};

/// A piece of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Phrase(&'a str),
    And,
    Or,
    Not,
    Open,
    Close,
}

/// Cuts a text into tokens; counts its words.
pub(super) fn tokens(text: &str, limits: Limits) -> Result<Vec<Token<'_>>, TooLarge> {
    let mut tokens = Vec::new();
    let mut num_terms = 0;
    let mut rest = text;
    // Once no quote is left to close one, the others are noise between words.
    let mut quotes_left = text.matches(is_quote).count();
    while let Some(first) = rest.chars().next() {
        let behind = &rest[first.len_utf8()..];
        if is_space(first) {
            rest = behind;
        } else if is_quote(first) {
            quotes_left -= 1;
            rest = behind;
            if quotes_left == 0 {
                continue;
            }
            quotes_left -= 1;
            let end = behind.find(is_quote).expect("a quote was counted behind this one");
            let close = behind[end..].chars().next().map_or(0, char::len_utf8);
            num_terms += push_phrase(&mut tokens, &behind[..end]);
            rest = &behind[end + close..];
        } else if first == '(' || first == ')' {
            tokens.push(if first == '(' { Token::Open } else { Token::Close });
            rest = behind;
        } else if first == '-' && behind.starts_with(|next| can_be_denied(next, quotes_left)) {
            tokens.push(Token::Not);
            rest = behind;
        } else {
            let end = rest.find(ends_word).unwrap_or(rest.len());
            num_terms += push_word(&mut tokens, &rest[..end]);
            rest = &rest[end..];
        }
        if num_terms > limits.terms {
            return Err(TooLarge::Terms(limits.terms));
        }
    }
    Ok(tokens)
}

/// Returns whether a `-` before this character means NOT; `--option` and `-*` do not.
fn can_be_denied(next: char, quotes_left: usize) -> bool {
    next.is_alphanumeric() || next == '(' || (is_quote(next) && quotes_left > 1)
}

fn push_word<'a>(tokens: &mut Vec<Token<'a>>, word: &'a str) -> usize {
    let token = match word {
        "AND" => Token::And,
        "OR" => Token::Or,
        "NOT" => Token::Not,
        _ if is_noise(word) => return 0,
        _ => Token::Word(word),
    };
    tokens.push(token);
    usize::from(matches!(token, Token::Word(_)))
}

fn push_phrase<'a>(tokens: &mut Vec<Token<'a>>, words: &'a str) -> usize {
    let num_terms = words.split(is_space).filter(|word| !is_noise(word)).count();
    if num_terms > 0 {
        tokens.push(Token::Phrase(words));
    }
    num_terms
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

fn ends_word(letter: char) -> bool {
    is_space(letter) || is_quote(letter) || letter == '(' || letter == ')'
}
