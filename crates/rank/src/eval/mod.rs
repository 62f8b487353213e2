//! How good an order of answers is, judged by people's verdicts (Q13).
//!
//! ```text
//! topics   → what is asked        ┐
//! verdicts → what is relevant     ├→ Measures for each query → their mean
//! run      → what was answered    ┘                          → Comparison of two runs
//! ```
//! Conventions are those of `trec_eval`, so that its figures for a run file written here are the
//! same: answers count in order of falling score, equal scores in falling order of their ids;
//! what nobody judged is not relevant; nor is what was judged 0 or less. As with its option `-c`,
//! a query without an answer counts as 0; one without a relevant document is left out.

mod compare;
mod measure;
mod read;
mod run;

pub use compare::{Comparison, ROUNDS, SEED};
pub use measure::{Measure, Measures};
pub use read::{Error, read_topics, read_verdicts};
pub use run::{Answer, Run};

use std::collections::HashMap;

/// A question of a test collection. Its text is words: nothing in it is an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name in verdicts and runs.
    pub id: String,
    /// What is asked.
    pub text: String,
}

/// What people found relevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    grades: HashMap<String, HashMap<String, i32>>,
    num: usize,
}

impl Verdicts {
    /// Adds a verdict; a later one on the same document goes before an earlier one.
    pub fn push(&mut self, topic: &str, document: &str, grade: i32) {
        let documents = match self.grades.get_mut(topic) {
            Some(documents) => documents,
            None => self.grades.entry(topic.to_owned()).or_default(),
        };
        self.num += usize::from(documents.insert(document.to_owned(), grade).is_none());
    }

    /// Returns how many verdicts there are.
    pub fn num_verdicts(&self) -> usize {
        self.num
    }

    /// Returns the documents judged for a query, with their grades; `None` if none was.
    pub fn of(&self, topic: &str) -> Option<&HashMap<String, i32>> {
        self.grades.get(topic)
    }

    /// Returns whether a document of any query was found relevant for it.
    pub fn has_relevant(&self, topic: &str) -> bool {
        self.of(topic).is_some_and(|documents| documents.values().any(|grade| *grade > 0))
    }
}
