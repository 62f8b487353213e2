//! The measures of one query, and their mean over all.

use std::collections::HashMap;
use std::fmt;

use super::Answer;

/// A figure between 0 and 1 for the answers to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Mean over the relevant documents of the precision at their places; 0 for those not found.
    AveragePrecision,
    /// Gain of the first ten answers, discounted by log2(place + 1), as a share of the best there
    /// could be.
    Ndcg10,
    /// Share of relevant ones among ten answers; fewer answers are filled up with wrong ones.
    Precision10,
    /// One divided by the place of the first relevant of ten answers.
    ReciprocalRank10,
    /// Share of the relevant documents among the first hundred answers.
    Recall100,
}

impl Measure {
    /// Every measure, in the order in which they are printed.
    pub const ALL: [Self; 5] = [
        Self::AveragePrecision,
        Self::Ndcg10,
        Self::Precision10,
        Self::ReciprocalRank10,
        Self::Recall100,
    ];
}

/// Prints the name of its mean over queries.
impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AveragePrecision => "MAP",
            Self::Ndcg10 => "nDCG@10",
            Self::Precision10 => "P@10",
            Self::ReciprocalRank10 => "MRR@10",
            Self::Recall100 => "recall@100",
        })
    }
}

/// All measures of one query, or their means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    values: [f64; Measure::ALL.len()],
}

impl Measures {
    /// Judges the answers to one query, best first; `None` if no document is relevant.
    ///
    /// A document counts at its first place only. Cost: linear in answers and verdicts.
    pub fn of(answers: &[Answer], grades: &HashMap<String, i32>) -> Option<Self> {
        let mut ideal: Vec<i32> = grades.values().copied().filter(|grade| *grade > 0).collect();
        if ideal.is_empty() {
            return None;
        }
        ideal.sort_unstable_by_key(|grade| std::cmp::Reverse(*grade));
        let num_relevant = ideal.len() as f64;
        let mut seen = std::collections::HashSet::new();
        let grades: Vec<i32> = answers
            .iter()
            .filter(|answer| seen.insert(answer.document.as_str()))
            .map(|answer| grades.get(&answer.document).copied().unwrap_or(0).max(0))
            .collect();
        let first = |count: usize| grades.iter().take(count).filter(|grade| **grade > 0).count();
        let first_place = grades.iter().take(10).position(|grade| *grade > 0);
        Some(Self {
            values: [
                precisions(&grades) / num_relevant,
                gain(&grades) / gain(&ideal),
                first(10) as f64 / 10.0,
                first_place.map_or(0.0, |place| 1.0 / (place + 1) as f64),
                first(100) as f64 / num_relevant,
            ],
        })
    }

    /// Returns the mean of each measure; all 0 without a query.
    pub fn mean(all: &[Self]) -> Self {
        let mut mean = Self::default();
        for (place, value) in mean.values.iter_mut().enumerate() {
            let sum: f64 = all.iter().map(|measures| measures.values[place]).sum();
            *value = sum / all.len().max(1) as f64;
        }
        mean
    }

    /// Returns the value of a measure.
    pub fn get(&self, measure: Measure) -> f64 {
        self.values[measure as usize]
    }
}

/// Sums the precision at the place of each relevant answer.
fn precisions(grades: &[i32]) -> f64 {
    let (mut num_found, mut sum) = (0_u32, 0.0);
    for (place, _) in grades.iter().enumerate().filter(|(_, grade)| **grade > 0) {
        num_found += 1;
        sum += f64::from(num_found) / (place + 1) as f64;
    }
    sum
}

/// Sums the grades of ten answers, each divided by log2(place + 1) with places from 1.
fn gain(grades: &[i32]) -> f64 {
    let places = (2_u32..).map(|place| f64::from(place).log2());
    grades.iter().take(10).zip(places).map(|(grade, discount)| f64::from(*grade) / discount).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(grades: &[(&str, i32)]) -> HashMap<String, i32> {
        grades.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect()
    }

    /// Judges answers given as letters, best first.
    fn measures(answers: &str, grades: &[(&str, i32)]) -> Option<Measures> {
        let answers: Vec<_> = answers
            .chars()
            .enumerate()
            .map(|(i, id)| Answer { document: id.to_string(), score: -(i as f32) })
            .collect();
        Measures::of(&answers, &judged(grades))
    }

    #[track_caller]
    fn check(answers: &str, grades: &[(&str, i32)], expected: [f64; 5]) {
        let found = measures(answers, grades).unwrap();
        for (measure, expected) in Measure::ALL.into_iter().zip(expected) {
            let value = found.get(measure);
            assert!((value - expected).abs() < 1e-9, "{measure}: {value}, not {expected}");
        }
    }

    #[test]
    fn figures_are_those_computed_by_hand() {
        // Relevant at 1, 3 and 6 of four: AP = (1/1 + 2/3 + 3/6) / 4.
        let dcg = 1.0 + 1.0 / 4_f64.log2() + 1.0 / 7_f64.log2();
        let ideal = 1.0 + 1.0 / 3_f64.log2() + 1.0 / 4_f64.log2() + 1.0 / 5_f64.log2();
        check(
            "axbyzcw",
            &[("a", 1), ("b", 1), ("c", 1), ("d", 1), ("x", 0)],
            [(1.0 + 2.0 / 3.0 + 0.5) / 4.0, dcg / ideal, 0.3, 1.0, 0.75],
        );
    }

    #[test]
    fn higher_grades_gain_more() {
        let dcg = 1.0 + 3.0 / 3_f64.log2();
        let ideal = 3.0 + 1.0 / 3_f64.log2();
        check("ba", &[("a", 3), ("b", 1)], [1.0, dcg / ideal, 0.2, 1.0, 1.0]);
    }

    #[test]
    fn unjudged_and_negative_are_not_relevant() {
        let ideal = 1.0;
        let dcg = 1.0 / 4_f64.log2();
        check(
            "zna",
            &[("a", 1), ("n", -1), ("o", 0)],
            [1.0 / 3.0, dcg / ideal, 0.1, 1.0 / 3.0, 1.0],
        );
    }

    #[test]
    fn a_query_without_relevant_documents_has_no_figures() {
        assert_eq!(measures("ab", &[("a", 0), ("b", -1)]), None);
        assert_eq!(measures("ab", &[]), None);
    }

    #[test]
    fn a_query_without_answers_counts_as_nothing() {
        check("", &[("a", 1)], [0.0; 5]);
    }

    #[test]
    fn a_document_named_twice_counts_once() {
        check("aaa", &[("a", 1)], [1.0, 1.0, 0.1, 1.0, 1.0]);
    }

    #[test]
    fn cuts_leave_out_what_is_behind_them() {
        let answers: String = ('a'..='z').collect();
        // Relevant at 11 and 26.
        let found = measures(&answers, &[("k", 1), ("z", 1)]).unwrap();
        assert_eq!(found.get(Measure::ReciprocalRank10), 0.0);
        assert_eq!(found.get(Measure::Precision10), 0.0);
        assert_eq!(found.get(Measure::Recall100), 1.0);
        assert!(
            (found.get(Measure::AveragePrecision) - (1.0 / 11.0 + 2.0 / 26.0) / 2.0).abs() < 1e-9
        );
    }

    #[test]
    fn the_mean_is_taken_over_queries() {
        let one = measures("a", &[("a", 1)]).unwrap();
        let none = measures("b", &[("a", 1)]).unwrap();
        assert_eq!(Measures::mean(&[one, none]).get(Measure::AveragePrecision), 0.5);
        assert_eq!(Measures::mean(&[]), Measures::default());
    }
}
