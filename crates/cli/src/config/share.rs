//! How much something counts: `true`, `false`, or a number from 0 to 1.

use std::fmt;

use ::graph::Weight;
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// How much a kind of link counts: `true` is 1, `false` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share(pub(crate) Weight);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(ShareVisitor)
    }
}

struct ShareVisitor;

impl Visitor<'_> for ShareVisitor {
    type Value = Share;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("`true`, `false` or a number from 0 to 1")
    }

    fn visit_bool<E: Error>(self, counts: bool) -> Result<Share, E> {
        Ok(Share(counts.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Share, E> {
        let wrong = || E::custom(format!("{value} is not a number from 0 to 1"));
        Weight::new(value).map(Share).ok_or_else(wrong)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Share, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Share, E> {
        self.visit_f64(value as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    fn template(value: &str) -> Result<Weight, String> {
        let text = format!("[graph]\ntemplate = {value}\n");
        let config: Config = toml::from_str(&text).map_err(|error| error.to_string())?;
        Ok(config.graph.counted().template)
    }

    #[test]
    fn a_kind_of_link_counts_in_full_in_part_or_not_at_all() {
        for (value, expected) in
            [("true", 1.0), ("false", 0.0), ("1", 1.0), ("0", 0.0), ("0.25", 0.25)]
        {
            assert_eq!(template(value).unwrap().get(), expected, "{value}");
        }
        for value in ["-0.1", "1.5", "2", "nan", "inf"] {
            let said = template(value).unwrap_err();
            assert!(said.contains("is not a number from 0 to 1"), "{said}");
        }
        let said = template("\"half\"").unwrap_err();
        assert!(said.contains("`true`, `false` or a number from 0 to 1"), "{said}");
    }
}
