//! What is asked in benches, independent of an index: queries by kind, their words out of pages.

use tantivy::Term;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use crate::bare::Bare;
use crate::corpus::{self, Dice, Texts};

/// Queries of each kind.
const QUERIES: usize = 200;

/// What is asked, independent of an index.
pub struct Asked {
    pub words: Vec<String>,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    And,
    Or,
    Phrase,
}

/// What a query has besides one stem for each of its words.
#[derive(Clone, Copy, Debug)]
pub enum More {
    /// Another stem for each word.
    Stems,
    /// A question that every answer meets.
    Filter,
}

impl Asked {
    /// Reads what [`Self::text`] has written.
    pub fn parse(text: &str) -> Self {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match text.strip_prefix('"') {
            Some(rest) => Self { words: words(rest.trim_end_matches('"')), kind: Kind::Phrase },
            None if text.contains(" OR ") => {
                Self { words: text.split(" OR ").map(str::to_owned).collect(), kind: Kind::Or }
            }
            None => Self { words: words(text), kind: Kind::And },
        }
    }

    /// Returns the query as tantivy has it, on these fields.
    pub fn query(&self, stems: Field, surfaces: Field) -> Box<dyn Query> {
        let term = |field, word: &String| Term::from_field_text(field, word);
        if self.kind == Kind::Phrase {
            let terms = self.words.iter().map(|word| term(surfaces, word));
            return Box::new(PhraseQuery::new(terms.collect()));
        }
        let query = |word| -> Box<dyn Query> {
            Box::new(TermQuery::new(term(stems, word), IndexRecordOption::WithFreqs))
        };
        let occur = if self.kind == Kind::And { Occur::Must } else { Occur::Should };
        match &self.words[..] {
            [word] => query(word),
            words => {
                Box::new(BooleanQuery::new(words.iter().map(|word| (occur, query(word))).collect()))
            }
        }
    }

    /// Returns the query for all words, with more out of another one.
    pub fn query_with(&self, more: More, other: &Self, stems: Field) -> Box<dyn Query> {
        let one = |word: &String| Self { words: vec![word.clone()], kind: Kind::Or };
        let mut clauses = Vec::new();
        for (word, other) in self.words.iter().zip(other.words.iter().cycle()) {
            let mut word = one(word);
            if matches!(more, More::Stems) {
                word.words.push(other.clone());
            }
            clauses.push((Occur::Must, word.query(stems, stems)));
        }
        if matches!(more, More::Filter) {
            let filter = ConstScoreQuery::new(one(&other.words[0]).query(stems, stems), 0.0);
            clauses.push((Occur::Must, Box::new(filter)));
        }
        Box::new(BooleanQuery::new(clauses))
    }

    /// Returns the query as a person writes it.
    pub fn text(&self) -> String {
        match self.kind {
            Kind::And => self.words.join(" "),
            Kind::Or => self.words.join(" OR "),
            Kind::Phrase => format!("\"{}\"", self.words.join(" ")),
        }
    }
}

/// Returns queries by kind, their words out of real or made-up pages.
pub fn groups() -> Vec<(&'static str, Vec<Asked>)> {
    let mut texts = Texts::new(corpus::docs().as_deref());
    let mut dice = Dice(3);
    let mut pages: Vec<String> = (0..20_000).map(|_| texts.next()).collect();
    let mut made_up = Texts::new(None);
    pages.extend((0..20_000).map(|_| made_up.next()));
    let mut group = |name, kind, least: usize, most: usize| {
        let mut asked = Vec::new();
        while asked.len() < QUERIES {
            let count = least + dice.below(most - least + 1);
            let page = &pages[dice.below(pages.len())];
            let from = dice.below(150);
            let row = if kind == Kind::Phrase { count } else { 40 };
            let Some(words) = Bare::words_in_a_row(page, from, row) else { continue };
            let chosen = match kind {
                Kind::Phrase => words,
                _ => (0..count).map(|_| words[dice.below(words.len())].clone()).collect(),
            };
            asked.push(Asked { words: chosen, kind });
        }
        (name, asked)
    };
    vec![
        group("one word", Kind::And, 1, 1),
        group("2-3 AND", Kind::And, 2, 3),
        group("2-5 OR", Kind::Or, 2, 5),
        group("phrase", Kind::Phrase, 2, 3),
    ]
}
