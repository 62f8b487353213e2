//! Every part of a score, also those that count nothing: who asks why a page stands where it does
//! may miss just what it lacks.

use crate::{Part, Weights};

/// Adds the parts that the second stage leaves out where they measure nothing.
///
/// Scores of another kind (one part by hubs, pages that were never fetched) stay as they are.
pub(crate) fn completed(parts: &[Part], weights: &Weights) -> Vec<Part> {
    let mut all = parts.to_vec();
    if !parts.iter().any(|part| part.name == "text") {
        return all;
    }
    let seldom = [
        ("freshness", weights.freshness),
        ("quality", weights.quality),
        ("trust", weights.trust),
        ("spam", weights.spam),
        ("closeness", weights.closeness),
        ("phrase", weights.phrase),
        ("letters", weights.letters),
        ("feedback", weights.feedback),
    ];
    for (name, weight) in seldom {
        if !parts.iter().any(|part| part.name == name) {
            all.push(Part::new(name, 0.0, weight));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_added_once_and_counts_nothing() {
        let weights = Weights::default();
        let parts = [Part::new("text", 2.0, 1.0), Part::new("spam", -0.5, 0.5)];
        let all = completed(&parts, &weights);
        assert_eq!(all[..2], parts);
        assert_eq!(all.iter().filter(|part| part.name == "spam").count(), 1);
        assert!(all[2..].iter().all(|part| part.value == 0.0 && part.raw == 0.0));
        assert!(all.iter().any(|part| part.name == "letters" && part.weight == weights.letters));
        let alone = [Part::new("authority", 0.5, 1.0)];
        assert_eq!(completed(&alone, &weights), alone);
    }
}
