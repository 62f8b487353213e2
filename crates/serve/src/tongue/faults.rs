//! What is wrong with a parameter, in the language of the page.
//!
//! English is what programs read too, so [`Fault`] says it itself; every other language brings
//! sentences with `{0}`, `{1}` where names and values stand.

use super::Tongue;
use super::notes::fill;
use crate::fault::{Fault, FaultWants};

/// The sentences of one language, in the order of [`Fault`].
#[derive(Debug)]
pub(crate) struct FaultWords {
    /// Name of the parameter, here and below.
    pub(crate) missing: &'static str,
    pub(crate) twice: &'static str,
    pub(crate) encoding: &'static str,
    pub(crate) switch: &'static str,
    /// Name, largest number.
    pub(crate) number: &'static str,
    /// Number.
    pub(crate) offset: &'static str,
    /// Number of topics.
    pub(crate) topics: &'static str,
    /// Name, what it takes.
    pub(crate) wants: &'static str,
    pub(crate) language: &'static str,
    pub(crate) site: &'static str,
    pub(crate) file_type: &'static str,
    pub(crate) country: &'static str,
    pub(crate) date: &'static str,
    pub(crate) age: &'static str,
    /// Name, value.
    pub(crate) refused: &'static str,
    pub(crate) one_page: &'static str,
}

impl Tongue {
    /// Says what is wrong.
    pub(crate) fn fault(self, fault: &Fault) -> String {
        let Some(words) = &self.words().faults else { return fault.to_string() };
        let n = |number: usize| self.number(number as u64);
        match fault {
            Fault::Missing { name } => fill(words.missing, &[name]),
            Fault::Twice { name } => fill(words.twice, &[name]),
            Fault::Encoding { name } => fill(words.encoding, &[name]),
            Fault::Switch { name } => fill(words.switch, &[name]),
            Fault::Number { name, most } => fill(words.number, &[name, &n(*most)]),
            Fault::Offset { below } => fill(words.offset, &[&n(*below)]),
            Fault::Topics { most } => fill(words.topics, &[&n(*most)]),
            Fault::Wants { name, wants } => fill(words.wants, &[name, words.of(*wants)]),
            Fault::Refused { name, value, .. } => fill(words.refused, &[name, value]),
            Fault::OnePage => words.one_page.to_owned(),
        }
    }
}

impl FaultWords {
    fn of(&self, wants: FaultWants) -> &'static str {
        match wants {
            FaultWants::Language => self.language,
            FaultWants::Site => self.site,
            FaultWants::Type => self.file_type,
            FaultWants::Country => self.country,
            FaultWants::Date => self.date,
            FaultWants::Age => self.age,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_every_fault_with_all_its_values() {
        let name = || "na{1}me".to_owned();
        let wants = |wants| Fault::Wants { name: name(), wants };
        let faults = [
            Fault::Missing { name: name() },
            Fault::Twice { name: name() },
            Fault::Encoding { name: name() },
            Fault::Switch { name: name() },
            Fault::Number { name: name(), most: 99 },
            Fault::Offset { below: 99 },
            Fault::Topics { most: 99 },
            wants(FaultWants::Language),
            wants(FaultWants::Site),
            wants(FaultWants::Type),
            wants(FaultWants::Country),
            wants(FaultWants::Date),
            wants(FaultWants::Age),
            Fault::Refused {
                name: name(),
                value: "x{0}y".to_owned(),
                reason: "no x{0}y".to_owned(),
            },
            Fault::OnePage,
        ];
        for fault in &faults {
            let english = fault.to_string();
            for tongue in Tongue::ALL {
                let said = tongue.fault(fault);
                assert_eq!(said == english, tongue == Tongue::English, "{said}");
                for value in ["na{1}me", "x{0}y", "`da`", "`example.org`", "`2024-05`", "`week`"] {
                    assert_eq!(said.contains(value), english.contains(value), "{said}");
                }
                let has_number = english.contains("99");
                assert_eq!(said.contains(&tongue.number(99)), has_number, "{said}");
            }
        }
    }
}
