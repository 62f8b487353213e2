//! Parameters of pages: `why` and `ui`, and `time`, which programs have too; and what their visitor
//! wishes.

use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use rank::query::Filter;

use crate::fault::{Fault, FaultWants};
use crate::params::{number, pairs};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::wishes::Wishes;

/// What a page asks for besides, within all limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extras {
    /// Which result alone is explained, counted from 1: `why=3`.
    pub(crate) why: Option<usize>,
    /// The language of the page: `ui=da`. One that we do not speak is not asked for.
    pub(crate) tongue: Option<Tongue>,
    /// How old pages may be: `time=week`.
    pub(crate) time: Option<Time>,
    /// The same as a filter; set where the time of day is known.
    pub(crate) after: Option<Filter>,
    /// Whether to look for what helps to ask on: numbers for the menus of filters, another spelling,
    /// related queries.
    pub(crate) helps: bool,
    /// What the visitor wishes of every search; programs that ask have no wishes.
    pub(crate) wishes: Arc<Wishes>,
}

/// How old pages may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    Day,
    Week,
    Month,
    Year,
}

impl Extras {
    /// Reads the query string of a page.
    pub(super) fn parse(raw: Option<&str>) -> Result<Self, Problem> {
        let [why, ui] = pairs(raw, ["why", "ui"])?;
        let (why, tongue) = (number("why", why)?, ui.as_deref().and_then(Tongue::parse));
        Ok(Self { why, tongue, ..Self::for_programs(raw)? })
    }

    /// Reads what programs have too.
    pub(super) fn for_programs(raw: Option<&str>) -> Result<Self, Problem> {
        let [time] = pairs(raw, [Time::NAME])?;
        let time = match time.as_deref().filter(|time| !time.is_empty()) {
            Some(name) => Some(Time::parse(name).ok_or_else(|| {
                let (name, wants) = (Time::NAME.to_owned(), FaultWants::Age);
                Problem::wrong(Fault::Wants { name, wants })
            })?),
            None => None,
        };
        Ok(Self { time, ..Self::default() })
    }

    /// Returns what goes from page to page.
    pub(crate) fn choices(&self) -> String {
        let time = self.time.map(|time| format!("&time={}", time.name())).unwrap_or_default();
        let ui = self.tongue.map(|tongue| format!("&ui={}", tongue.code())).unwrap_or_default();
        time + &ui
    }

    /// Returns the same at this time: what is a week ago is known.
    pub(crate) fn at(&self, now: Timestamp) -> Self {
        let after = self.time.and_then(|time| Filter::parse("after", &time.earliest(now)));
        Self { after, ..self.clone() }
    }
}

impl Time {
    /// The name of the parameter.
    pub(crate) const NAME: &'static str = "time";
    pub(crate) const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// Returns the value of the parameter.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|time| time.name() == name)
    }

    /// Returns the first day that counts: `2026-11-09`.
    fn earliest(self, now: Timestamp) -> String {
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 31,
            Self::Year => 366,
        };
        let back = Duration::from_secs(days * 24 * 60 * 60);
        let millis = now.as_millis() - i64::try_from(back.as_millis()).unwrap_or(0);
        Timestamp::from_millis(millis.max(0)).rfc3339().chars().take(10).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_ago_is_a_day() {
        let now = Timestamp::parse_rfc3339("2026-11-16T09:30:00Z").unwrap();
        let after = |time: &str, now| {
            let extras = Extras::parse(Some(&format!("time={time}"))).unwrap();
            extras.at(now).after.map(|filter| filter.to_string())
        };
        assert_eq!(after("week", now).as_deref(), Some("after:2026-11-09"));
        assert_eq!(after("day", now).as_deref(), Some("after:2026-11-15"));
        assert_eq!(after("year", Timestamp::default()).as_deref(), Some("after:1970-01-01"));
        assert_eq!(after("", now), None);
    }
}
