//! Where the plain words of a query stand in its text: those that another spelling may replace,
//! while everything around them stays as it was typed.

use std::ops::Range;

use super::field::{Field, Zone};
use super::lex::{self, Token, is_space};
use super::{Limits, Query};

impl Query {
    /// Returns where the words stand that pages should have: alone, in quotes, in the title.
    ///
    /// Left out is what was meant as it is written (behind a plus, patterns, `word~`), what pages
    /// should not have, and everything that is no word of letters alone.
    pub(crate) fn plain_words(text: &str) -> Vec<Range<usize>> {
        let tokens = lex::tokens(text, Limits::default()).unwrap_or_default();
        let mut words = Words { text, found: Vec::new(), denied: Denied::default() };
        tokens.into_iter().for_each(|token| words.push(token));
        words.found
    }
}

struct Words<'a> {
    text: &'a str,
    found: Vec<Range<usize>>,
    denied: Denied,
}

/// What of a query is passed over.
#[derive(Default)]
struct Denied {
    /// Whether the next item is.
    next: bool,
    /// Whether the last item was: what is near it is too.
    last: bool,
    num_open: usize,
    /// The group that is passed over, by the number of groups that were open in it.
    group: Option<usize>,
}

impl<'a> Words<'a> {
    fn push(&mut self, token: Token<'a>) {
        let denied = &mut self.denied;
        match token {
            Token::Not => denied.next = !denied.next,
            Token::Field(field) => denied.next |= field != Field::Zone(Zone::Title),
            Token::Near(_) => denied.next = denied.last,
            Token::And | Token::Or => denied.next = false,
            Token::Open => denied.open(),
            Token::Close => denied.close(),
            Token::Word(_)
            | Token::NoField(_)
            | Token::Exact(_)
            | Token::Phrase(_)
            | Token::Value(..)
            | Token::Quoted(..) => {
                if !denied.item() {
                    self.push_item(token);
                }
            }
        }
    }

    fn push_item(&mut self, token: Token<'a>) {
        match token {
            Token::Word(word)
            | Token::NoField(word)
            | Token::Value(Field::Zone(Zone::Title), word) => self.push_word(word),
            Token::Phrase(words) | Token::Quoted(Field::Zone(Zone::Title), words) => {
                words.split(is_space).for_each(|word| self.push_word(word));
            }
            _ => {}
        }
    }

    fn push_word(&mut self, word: &'a str) {
        let core = word.trim_matches(|letter| matches!(letter, ',' | '.' | ';' | ':' | '!' | '?'));
        if core.is_empty() || !core.chars().all(char::is_alphabetic) {
            return;
        }
        let start = core.as_ptr().addr() - self.text.as_ptr().addr();
        self.found.push(start..start + core.len());
    }
}

impl Denied {
    /// Returns whether the item at hand is passed over.
    fn item(&mut self) -> bool {
        self.last = self.next || self.group.is_some();
        self.next = false;
        self.last
    }

    fn open(&mut self) {
        self.num_open += 1;
        if self.next && self.group.is_none() {
            self.group = Some(self.num_open);
        }
        self.next = false;
    }

    fn close(&mut self) {
        self.last = self.group.is_some();
        if self.group == Some(self.num_open) {
            self.group = None;
        }
        self.num_open = self.num_open.saturating_sub(1);
        self.next = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let words = Query::plain_words(text);
        let found: Vec<&str> = words.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_found_where_they_may_be_spelled_anew() {
        check("Big, jagaur!", &["Big", "jagaur"]);
        check("\"big jagaur\" title:cat title:\"a b\"", &["big", "jagaur", "cat", "a", "b"]);
        check("title:(cat OR dog) inurl:(x y) zoo", &["cat", "dog", "zoo"]);
        check("+exact patt* w?rd nearly~1 c++ 68k x86 a_b host-name", &[]);
        check("site:exmaple.org exmaple lang:en", &["exmaple"]);
        check("日本語 søgning", &["日本語", "søgning"]);
        check("", &[]);
    }

    #[test]
    fn what_pages_should_not_have_is_left_alone() {
        check("cat -dog", &["cat"]);
        check("cat NOT (dog OR (wolf fox)) bird", &["cat", "bird"]);
        check("NOT NOT cat", &["cat"]);
        check("NOT dog NEAR wolf cat", &["cat"]);
        check("cat NEAR/3 paw", &["cat", "paw"]);
        check("NOT (((dog", &[]);
        check("dog) NOT cat) bird", &["dog", "bird"]);
    }
}
