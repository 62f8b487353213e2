//! What the numbers were: the last hour every two seconds, the last day every minute (U3).
//!
//! Two rings of fixed size, filled whether or not anybody looks, so that a page opened late has a
//! past to show.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::room::Pulse;

/// Time between two samples.
pub(crate) const STEP: Duration = Duration::from_secs(2);
/// Samples of the hour.
const HOUR: usize = 1_800;
/// Samples of the day.
const DAY: usize = 1_440;
/// Samples of the hour that make one of the day.
const PER_MINUTE: usize = 30;

/// What is drawn over time: its name in the page and the script, and for people.
pub(crate) const SERIES: [(&str, &str, Unit); 11] = [
    ("pages", "Pages per second", Unit::Rate),
    ("bytes", "Bytes per second", Unit::Bytes),
    ("errors", "Failed fetches per second", Unit::Rate),
    ("waiting", "URLs waiting", Unit::Count),
    ("ready", "Hosts ready", Unit::Count),
    ("resting", "Hosts resting", Unit::Count),
    ("copies", "Pages that repeat others", Unit::Count),
    ("overdue", "Pages due again", Unit::Count),
    ("fresh", "Pages not due again", Unit::Percent),
    ("memory", "Memory", Unit::Bytes),
    ("disk", "Disk left", Unit::Bytes),
];

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Rate,
    Count,
    Bytes,
    Percent,
}

type Sample = [f32; SERIES.len()];

/// The numbers so far.
#[derive(Default)]
pub(crate) struct History {
    hour: VecDeque<Sample>,
    day: VecDeque<Sample>,
    /// Samples since the day's last one.
    pending: Vec<Sample>,
    last: Option<(Instant, u64, u64)>,
    now: Pulse,
}

/// A ring for the script.
#[derive(Serialize)]
pub(crate) struct Drawn {
    /// Seconds between two values.
    step: u64,
    /// Values by series, the oldest first.
    series: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    unit: Unit,
    values: Vec<f32>,
}

impl History {
    /// Takes in the numbers of a moment.
    pub(crate) fn push(&mut self, at: Instant, pulse: Pulse) {
        let (bytes, errors) = match self.last {
            Some((then, bytes, errors)) => {
                let seconds = at.saturating_duration_since(then).as_secs_f64().max(0.001);
                let rate = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
                (rate(pulse.bytes, bytes), rate(pulse.errors, errors))
            }
            None => (0.0, 0.0),
        };
        self.last = Some((at, pulse.bytes, pulse.errors));
        let sample = [
            pulse.pages_per_second,
            bytes,
            errors,
            pulse.waiting as f64,
            pulse.hosts_ready as f64,
            pulse.hosts_resting as f64,
            pulse.copies as f64,
            pulse.overdue as f64,
            pulse.percent_fresh(),
            pulse.memory as f64,
            pulse.disk_free as f64,
        ];
        let sample = sample.map(|value| if value.is_finite() { value as f32 } else { 0.0 });
        push(&mut self.hour, sample, HOUR);
        self.pending.push(sample);
        if self.pending.len() == PER_MINUTE {
            push(&mut self.day, mean(&self.pending), DAY);
            self.pending.clear();
        }
        self.now = pulse;
    }

    /// Returns the last numbers.
    pub(crate) fn now(&self) -> &Pulse {
        &self.now
    }

    /// Returns the last sample as names and values.
    pub(crate) fn sample(&self) -> Vec<(&'static str, f32)> {
        let Some(sample) = self.hour.back() else { return Vec::new() };
        SERIES.iter().zip(sample).map(|((name, ..), value)| (*name, *value)).collect()
    }

    /// Returns the last hour, or the last day.
    pub(crate) fn drawn(&self, is_day: bool) -> Drawn {
        let (ring, step) = if is_day { (&self.day, 60) } else { (&self.hour, STEP.as_secs()) };
        let line = |(i, series): (usize, &(&'static str, &'static str, Unit))| Line {
            name: series.0,
            unit: series.2,
            values: ring.iter().map(|sample| sample[i]).collect(),
        };
        Drawn { step, series: SERIES.iter().enumerate().map(line).collect() }
    }

    /// Returns whether no numbers have been taken in yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.hour.is_empty()
    }

    /// Returns how many samples there are of the hour, or of the day.
    pub(crate) fn len(&self, is_day: bool) -> usize {
        if is_day { self.day.len() } else { self.hour.len() }
    }

    /// Returns the values of one series, by its place.
    pub(crate) fn values(&self, series: usize, is_day: bool) -> Vec<f32> {
        let ring = if is_day { &self.day } else { &self.hour };
        ring.iter().map(|sample| sample[series]).collect()
    }
}

fn push(ring: &mut VecDeque<Sample>, sample: Sample, size: usize) {
    if ring.len() == size {
        ring.pop_front();
    }
    ring.push_back(sample);
}

fn mean(samples: &[Sample]) -> Sample {
    let mut sum = [0.0_f64; SERIES.len()];
    for sample in samples {
        for (sum, value) in sum.iter_mut().zip(sample) {
            *sum += f64::from(*value);
        }
    }
    sum.map(|sum| (sum / samples.len().max(1) as f64) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(seconds: u64) -> History {
        let (mut history, start) = (History::default(), Instant::now());
        for second in (0..seconds).step_by(2) {
            let pulse = Pulse { bytes: 1_000 * second, waiting: second, ..Pulse::default() };
            history.push(start + Duration::from_secs(second), pulse);
        }
        history
    }

    #[test]
    fn rates_are_differences_over_time() {
        let history = filled(20);
        let bytes = history.sample()[1].1;
        assert_eq!(bytes, 1_000.0);
        assert_eq!(history.values(3, false).last(), Some(&18.0));
    }

    #[test]
    fn the_rings_have_an_end() {
        let history = filled(2 * 24 * 3_600);
        assert_eq!(history.values(0, false).len(), HOUR);
        assert_eq!(history.values(0, true).len(), DAY);
        let day = history.values(3, true);
        // A minute is the mean of its samples.
        assert_eq!(day.last().copied(), Some((2 * 24 * 3_600 - 31) as f32));
    }
}
