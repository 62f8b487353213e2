//! Fields of a form, from a query string or a body.

use crate::params::decode_percent;
use crate::problem::Problem;

/// Fields of one form.
const FIELDS: usize = 64;

/// Names and values, decoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads `application/x-www-form-urlencoded`; strict about encoding, as everywhere.
    pub(super) fn parse(raw: &str) -> Result<Self, Problem> {
        let mut fields = Vec::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            if fields.len() == FIELDS {
                let detail = format!("a form has at most {FIELDS} fields");
                return Err(Problem::bad_request("form", detail));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decode = |text: &str| decode_percent(&text.replace('+', " "));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                return Err(Problem::bad_request("encoding", "not percent-encoded UTF-8"));
            };
            fields.push((name, value));
        }
        Ok(Self(fields))
    }

    /// Returns a field, trimmed; empty if it is not there.
    pub(super) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// Returns whether a box was ticked.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Returns a number; `None` for an empty field.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Problem> {
        let text = self.get(name);
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = |_| Problem::bad_request("parameter", format!("`{name}` must be a number"));
        text.parse().map(Some).map_err(wrong)
    }

    /// Returns the fields whose names begin so, without that.
    pub(super) fn below<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        let pairs = self.0.iter();
        pairs.filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded_and_bounded() {
        let form = Form::parse("a=1+2&b=%C3%A6&set.x=y&&c").unwrap();
        assert_eq!((form.get("a"), form.get("b"), form.get("none")), ("1 2", "æ", ""));
        assert!(form.has("c") && !form.has("d"));
        assert_eq!(form.below("set.").collect::<Vec<_>>(), [("x", "y")]);
        assert!(form.number::<u64>("a").is_err());
        assert_eq!(form.number::<u64>("none"), Ok(None));
        for bad in ["a=%ff", "%4=b", &"a=b&".repeat(65)] {
            assert!(Form::parse(bad).is_err(), "{bad}");
        }
    }
}
