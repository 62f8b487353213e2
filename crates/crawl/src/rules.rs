//! What the user holds for more or less important, by pattern (C3).

use base::Url;

use crate::Pattern;

/// Rules that move URLs between the frontier's priority classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityRules(Vec<PriorityRule>);

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorityRule {
    /// Which URLs.
    pub pattern: Pattern,
    /// By how many classes: above 0 they are fetched earlier, below 0 later.
    pub add: i8,
}

impl PriorityRules {
    /// Returns a set of rules.
    pub fn new(rules: Vec<PriorityRule>) -> Self {
        Self(rules)
    }

    /// Returns by how many classes a URL moves: the sum of all rules that match.
    ///
    /// Above 0 it is fetched earlier, below 0 later. Cost: linear in rules and length.
    pub fn adjust(&self, url: &Url) -> i8 {
        let matching = self.0.iter().filter(|rule| rule.pattern.matches(url));
        // In a wider type: with saturation on the way the order of the rules would count.
        let sum: i64 = matching.map(|rule| i64::from(rule.add)).sum();
        let bounded = sum.clamp(i8::MIN.into(), i8::MAX.into());
        i8::try_from(bounded).expect("clamped to its range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(rules: &[(&str, i8)]) -> PriorityRules {
        let rule = |(pattern, add): &(&str, i8)| PriorityRule {
            pattern: Pattern::parse(pattern).unwrap(),
            add: *add,
        };
        PriorityRules::new(rules.iter().map(rule).collect())
    }

    #[track_caller]
    fn check(rules: &PriorityRules, url: &str, expected: i8) {
        assert_eq!(rules.adjust(&Url::parse(url).unwrap()), expected, "{url}");
    }

    #[test]
    fn all_matching_rules_count_together() {
        let rules = rules(&[("*/news/*", 2), ("*?*", -1), ("a.example", 3)]);
        check(&rules, "http://b.example/", 0);
        check(&rules, "http://b.example/news/1", 2);
        check(&rules, "http://b.example/news/1?print", 1);
        check(&rules, "http://a.example/news/1", 5);
    }

    #[test]
    fn sums_are_bounded_and_the_order_of_rules_does_not_count() {
        check(&rules(&[("*", 127), ("*", 127)]), "http://a.example/", 127);
        check(&rules(&[("*", -128), ("*", -128)]), "http://a.example/", -128);
        check(&rules(&[("*", 127), ("*", 127), ("*", -100)]), "http://a.example/", 127);
        check(&rules(&[("*", 100), ("*", 100), ("*", -120)]), "http://a.example/", 80);
        check(&rules(&[("*", -120), ("*", 100), ("*", 100)]), "http://a.example/", 80);
    }

    #[test]
    fn without_rules_nothing_moves() {
        check(&PriorityRules::default(), "http://a.example/", 0);
    }
}
