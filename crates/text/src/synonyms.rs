//! A user's own synonyms (T6), applied to queries.
//!
//! ```text
//! # a comment
//! car, automobile, motor car      each of them means all of them
//! nyc => new york                 the left one means the right one too
//! ```
//! A rule is applied once and never to what a rule has brought: rules in a circle are harmless.

use std::collections::HashMap;
use std::ops::Range;

use crate::analyze::{Analyzer, Token};

/// Lines that are read.
const MOST_RULES: usize = 20_000;
/// Alternatives in one rule.
const MOST_ALTERNATIVES: usize = 32;
/// Words of one alternative.
const MOST_WORDS: usize = 8;
/// Expansions of one query.
const MOST_EXPANSIONS: usize = 128;

/// Rules as the user wrote them, for any language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synonyms {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    from: Vec<String>,
    to: Vec<String>,
}

/// Rules read by one analyzer, ready for queries of its language.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// By the stems of the left side.
    rules: HashMap<Vec<String>, Vec<Vec<Token>>>,
    longest: usize,
}

/// Words that may stand for some words of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Which words of the query.
    pub words: Range<usize>,
    /// What may stand in their place, in order.
    pub tokens: Vec<Token>,
}

impl Synonyms {
    /// Reads rules, one to a line; returns them with the numbers of the lines, from 1, that are
    /// no rules or beyond a limit and were left out.
    pub fn parse(text: &str) -> (Self, Vec<usize>) {
        let mut synonyms = Self::default();
        let mut odd = Vec::new();
        for (place, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let is_full = synonyms.rules.len() >= MOST_RULES;
            match rule(line).filter(|_| !is_full) {
                Some(rule) => synonyms.rules.push(rule),
                None => odd.push(place + 1),
            }
        }
        (synonyms, odd)
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Reads the rules as `analyzer` reads queries, so that they meet.
    pub fn lexicon(&self, analyzer: &Analyzer) -> Lexicon {
        let mut lexicon = Lexicon::default();
        let read = |phrases: &[String]| -> Vec<Vec<Token>> {
            let phrases = phrases.iter().map(|phrase| analyzer.tokens(phrase));
            phrases.filter(|tokens| (1..=MOST_WORDS).contains(&tokens.len())).collect()
        };
        for rule in &self.rules {
            let to = read(&rule.to);
            for from in read(&rule.from) {
                let key = stems(&from);
                let others: Vec<_> = to.iter().filter(|tokens| stems(tokens) != key).collect();
                lexicon.longest = lexicon.longest.max(key.len());
                let known = lexicon.rules.entry(key).or_default();
                for tokens in others {
                    if known.len() < MOST_ALTERNATIVES && !known.contains(tokens) {
                        known.push(tokens.clone());
                    }
                }
            }
        }
        lexicon
    }
}

impl Lexicon {
    /// Returns what may stand for words of a query, given as [`Analyzer::tokens`] has read it.
    ///
    /// Every rule that fits anywhere counts, longer ones first at each word. Cost: linear in the
    /// query; at most 128 expansions.
    pub fn expand(&self, query: &[Token]) -> Vec<Expansion> {
        let mut found = Vec::new();
        for start in 0..query.len() {
            for length in (1..=self.longest.min(query.len() - start)).rev() {
                let words = start..start + length;
                let Some(known) = self.rules.get(&stems(&query[words.clone()])) else { continue };
                for tokens in known {
                    if found.len() == MOST_EXPANSIONS {
                        return found;
                    }
                    found.push(Expansion { words: words.clone(), tokens: tokens.clone() });
                }
            }
        }
        found
    }
}

fn stems(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(|token| token.stem.clone()).collect()
}

/// Reads one rule; `None` if a side is empty.
fn rule(line: &str) -> Option<Rule> {
    let phrases = |side: &str| -> Vec<String> {
        let phrases = side.split(',').map(str::trim).filter(|phrase| !phrase.is_empty());
        phrases.take(MOST_ALTERNATIVES).map(str::to_owned).collect()
    };
    let rule = match line.split_once("=>") {
        Some((from, to)) => Rule { from: phrases(from), to: phrases(to) },
        None => Rule { from: phrases(line), to: phrases(line) },
    };
    let is_rule = !rule.from.is_empty() && !rule.to.is_empty();
    (is_rule && (line.contains("=>") || rule.from.len() > 1)).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[track_caller]
    fn check(rules: &str, query: &str, expected: &[(usize, usize, &str)]) {
        let analyzer = Analyzer::new(Language::parse("en"));
        let (synonyms, odd) = Synonyms::parse(rules);
        assert_eq!(odd, [0; 0], "{rules}");
        let expansions = synonyms.lexicon(&analyzer).expand(&analyzer.tokens(query));
        let found: Vec<_> = expansions
            .iter()
            .map(|expansion| {
                let words: Vec<_> =
                    expansion.tokens.iter().map(|token| token.surface.as_str()).collect();
                (expansion.words.start, expansion.words.end, words.join(" "))
            })
            .collect();
        let found: Vec<_> =
            found.iter().map(|(start, end, words)| (*start, *end, words.as_str())).collect();
        assert_eq!(found, expected, "{query}");
    }

    #[test]
    fn each_of_a_group_means_all_of_it() {
        let rules = "car, automobile, motor car";
        check(rules, "fast cars", &[(1, 2, "automobile"), (1, 2, "motor car")]);
        check(
            rules,
            "a motor car",
            &[(1, 3, "car"), (1, 3, "automobile"), (2, 3, "automobile"), (2, 3, "motor car")],
        );
        check(rules, "train", &[]);
    }

    #[test]
    fn an_arrow_leads_one_way() {
        let rules = "# places\nNYC, big apple => New York\n";
        check(rules, "nyc", &[(0, 1, "new york")]);
        check(rules, "the Big Apple pie", &[(1, 3, "new york")]);
        check(rules, "new york", &[]);
    }

    #[test]
    fn circles_end_after_one_step() {
        check("a1 => b1\nb1 => c1\nc1 => a1", "a1", &[(0, 1, "b1")]);
        check("a1 => a1", "a1", &[]);
    }

    #[test]
    fn lines_that_are_no_rules_are_told() {
        let (synonyms, odd) = Synonyms::parse("one\n=> x\nx =>\n,,\n\n# c\na, b");
        assert_eq!((synonyms.rules.len(), odd), (1, vec![1, 2, 3, 4]));
    }

    #[test]
    fn everything_is_bounded() {
        let group: Vec<String> = (0..999).map(|number| format!("w{number}")).collect();
        let line = group.join(",");
        let (synonyms, _) = Synonyms::parse(&line);
        assert_eq!(synonyms.rules[0].from.len(), MOST_ALTERNATIVES);
        let analyzer = Analyzer::new(None);
        let lexicon = synonyms.lexicon(&analyzer);
        let query = "w1 ".repeat(500);
        assert_eq!(lexicon.expand(&analyzer.tokens(&query)).len(), MOST_EXPANSIONS);
        let (many, odd) = Synonyms::parse(&"a, b\n".repeat(MOST_RULES + 7));
        assert_eq!((many.rules.len(), odd.len()), (MOST_RULES, 7));
    }
}
