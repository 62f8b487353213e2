//! Numbers along an axis: where they lie, which are named, how they are written.

use super::{Axis, Scale, Unit};
use crate::structure::svg::grouped;

/// Named numbers on an axis, about.
const NUM_TICKS: f64 = 6.0;

/// An axis with its ends.
pub(super) struct Ruler {
    scale: Scale,
    unit: Unit,
    /// In numbers, or in powers of ten.
    low: f64,
    high: f64,
    /// Distance between ticks, in the same.
    step: f64,
    /// The ends on the picture.
    ends: (f64, f64),
}

impl Ruler {
    /// Lays out an axis that holds all the numbers, which fit its scale.
    pub(super) fn new(axis: &Axis, ends: (f64, f64), numbers: impl Iterator<Item = f64>) -> Self {
        let measure = |number: f64| match axis.scale {
            Scale::Linear => number,
            Scale::Log => number.log10(),
        };
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) =
            numbers.map(measure).fold(none, |(low, high), at| (low.min(at), high.max(at)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if axis.scale == Scale::Linear {
            low = low.min(0.0);
        }
        let step = match axis.scale {
            Scale::Linear => round_step((high - low) / NUM_TICKS),
            Scale::Log => ((high - low) / (NUM_TICKS + 2.0)).ceil().max(1.0),
        };
        // A little less than the next tick is the next tick: 0.6000000001 needs no 0.8.
        low = (low / step + 1e-9).floor() * step;
        high = ((high / step - 1e-9).ceil() * step).max(low + step);
        Self { scale: axis.scale, unit: axis.unit, low, high, step, ends }
    }

    /// Returns where a number lies on the picture.
    pub(super) fn place(&self, number: f64) -> f64 {
        let measured = match self.scale {
            Scale::Linear => number,
            Scale::Log => number.log10(),
        };
        let share = (measured - self.low) / (self.high - self.low);
        self.ends.0 + share * (self.ends.1 - self.ends.0)
    }

    /// Returns the named numbers: where they lie and what they say.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        // Both ends are whole steps; a few tens of them at most.
        let num_steps = ((self.high - self.low) / self.step).round() as u32;
        let tick = |i: u32| {
            let measured = self.low + f64::from(i) * self.step;
            let number = match self.scale {
                Scale::Linear => rounded_to(measured, self.step),
                Scale::Log => 10f64.powf(measured),
            };
            let share = (measured - self.low) / (self.high - self.low);
            (self.ends.0 + share * (self.ends.1 - self.ends.0), written(number, self.unit))
        };
        (0..=num_steps).map(tick).collect()
    }
}

/// Returns 1, 2 or 5 times a power of ten, not below `least` and above 0.
fn round_step(least: f64) -> f64 {
    let least = least.max(1e-15);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| *step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

/// Takes out what adding up steps has put in: 0.30000000000000004 is 0.3.
fn rounded_to(number: f64, step: f64) -> f64 {
    if number.abs() < step / 2.0 { 0.0 } else { number }
}

/// Writes a number as people read it, with some three digits.
pub(super) fn written(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Percent => plain(number * 100.0) + "%",
        Unit::Number => plain(number),
    }
}

fn plain(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e7).contains(&size) {
        return scientific(number);
    }
    if size >= 1_000.0 {
        let sign = if number < 0.0 { "−" } else { "" };
        return sign.to_owned() + &grouped(size.round() as u64);
    }
    let digits = (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize;
    let text = format!("{number:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0') } else { &text };
    text.trim_end_matches('.').replace('-', "−")
}

fn scientific(number: f64) -> String {
    let text = format!("{number:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.').replace('-', "−");
    let raised: String = power.chars().map(superscript).collect();
    match digits.as_str() {
        "1" => format!("10{raised}"),
        _ => format!("{digits}·10{raised}"),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        '4'..='9' => char::from_u32('⁰' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scale: Scale, unit: Unit, numbers: &[f64], expected: &[&str]) {
        let axis = Axis { label: String::new(), scale, unit };
        let ruler = Ruler::new(&axis, (0.0, 100.0), numbers.iter().copied());
        let ticks = ruler.ticks();
        assert_eq!(ticks.iter().map(|tick| &tick.1).collect::<Vec<_>>(), expected);
        assert_eq!((ticks[0].0, ticks.last().unwrap().0), (0.0, 100.0));
        assert!(numbers.iter().all(|number| (-0.01..100.01).contains(&ruler.place(*number))));
    }

    #[test]
    fn shares_go_from_nothing_to_all() {
        let expected = ["0%", "20%", "40%", "60%", "80%", "100%"];
        check(Scale::Linear, Unit::Percent, &[0.02, 1.0], &expected);
    }

    #[test]
    fn ticks_are_round_numbers() {
        check(Scale::Linear, Unit::Number, &[-3.0, 7.0], &["−4", "−2", "0", "2", "4", "6", "8"]);
        let thousands = ["0", "500", "1,000", "1,500", "2,000", "2,500", "3,000"];
        check(Scale::Linear, Unit::Number, &[2_999.0], &thousands);
        check(
            Scale::Linear,
            Unit::Number,
            &[0.3],
            &["0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3"],
        );
    }

    #[test]
    fn logarithmic_axes_count_in_powers_of_ten() {
        check(
            Scale::Log,
            Unit::Number,
            &[0.02, 900.0],
            &["0.01", "0.1", "1", "10", "100", "1,000"],
        );
        let far = ["10⁻¹⁶", "10⁻¹²", "10⁻⁸", "10⁻⁴", "1", "10,000", "10⁸", "10¹²", "10¹⁶"];
        check(Scale::Log, Unit::Number, &[1e-15, 1e15], &far);
    }

    #[test]
    fn one_number_or_none_makes_an_axis_too() {
        check(Scale::Linear, Unit::Number, &[], &["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        check(Scale::Log, Unit::Number, &[10.0], &["10", "100"]);
        check(Scale::Linear, Unit::Number, &[0.0], &["0", "10⁻¹⁵"]);
        check(Scale::Linear, Unit::Number, &[5.0, 5.0], &["0", "1", "2", "3", "4", "5"]);
    }
}
