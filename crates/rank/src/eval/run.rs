//! Answers by query, and the run file that other tools read.

use std::io::{self, Write};

/// A document that was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its id in the test collection.
    pub document: String,
    /// What it was ordered by.
    pub score: f32,
}

/// The answers to the queries of a test collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    answers: Vec<(String, Vec<Answer>)>,
}

impl Run {
    /// Adds the answers to a query, in any order.
    ///
    /// They are kept as `trec_eval` would read them: by falling score, equal scores by falling id.
    pub fn push(&mut self, topic: &str, mut answers: Vec<Answer>) {
        answers.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| other.document.cmp(&one.document))
        });
        self.answers.push((topic.to_owned(), answers));
    }

    /// Returns the queries in the order in which they were added, with their answers, best first.
    pub fn topics(&self) -> impl Iterator<Item = (&str, &[Answer])> {
        self.answers.iter().map(|(topic, answers)| (topic.as_str(), answers.as_slice()))
    }

    /// Writes the run in the form of TREC: `query Q0 document place score name`.
    ///
    /// Scores are written in full, so that a reader finds the same order.
    pub fn write(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        for (topic, answers) in self.topics() {
            for (place, Answer { document, score }) in (1..).zip(answers) {
                writeln!(out, "{} Q0 {} {place} {score:?} {name}", word(topic), word(document))?;
            }
        }
        Ok(())
    }
}

/// Fields are parted by white space, so an id with some in it is written without.
fn word(id: &str) -> String {
    id.split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(document: &str, score: f32) -> Answer {
        Answer { document: document.to_owned(), score }
    }

    #[test]
    fn equal_scores_stand_in_falling_order_of_their_ids() {
        let mut run = Run::default();
        run.push("1", vec![answer("a", 1.0), answer("c", 1.0), answer("b", 2.0)]);
        let (_, answers) = run.topics().next().unwrap();
        let ids: Vec<_> = answers.iter().map(|answer| answer.document.as_str()).collect();
        assert_eq!(ids, ["b", "c", "a"]);
    }

    #[test]
    fn a_run_is_written_as_trec_reads_it() {
        let mut run = Run::default();
        run.push("q 1", vec![answer("d1", 0.5), answer("d2", 0.1)]);
        let mut written = Vec::new();
        run.write("lookfar", &mut written).unwrap();
        let expected = "q_1 Q0 d1 1 0.5 lookfar\nq_1 Q0 d2 2 0.1 lookfar\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
