//! Small pictures of numbers, as SVG drawn here: complete without a script.

use super::history::Unit;
use crate::tongue::Tongue;

/// Size of a chart in its own units.
pub(super) const WIDTH: f32 = 300.0;
pub(super) const HEIGHT: f32 = 64.0;
/// Values drawn; more are drawn by their mean.
const COLUMNS: usize = 150;

/// A line over time.
pub(super) struct Chart {
    /// What the script calls it.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    /// The last value, written for people.
    pub(super) last: String,
    /// The largest that is drawn.
    pub(super) largest: String,
    /// The `d` of a path; empty if there is nothing to draw yet.
    pub(super) path: String,
}

impl Chart {
    /// Draws values, the oldest first; `room` of them fill the width.
    pub(super) fn new(
        (name, title, unit): (&'static str, &'static str, Unit),
        values: &[f32],
        room: usize,
    ) -> Self {
        let columns = columns(values, room.div_ceil(COLUMNS).max(1));
        let largest = columns.iter().copied().fold(0.0, f32::max);
        Self {
            name,
            title,
            unit: unit_name(unit),
            last: written(f64::from(values.last().copied().unwrap_or_default()), unit),
            largest: written(f64::from(largest), unit),
            path: path(&columns, largest),
        }
    }
}

/// Returns means of so many values each, counted from the newest.
fn columns(values: &[f32], each: usize) -> Vec<f32> {
    let mut columns: Vec<f32> =
        values.rchunks(each).map(|some| some.iter().sum::<f32>() / some.len() as f32).collect();
    columns.truncate(COLUMNS);
    columns.reverse();
    columns
}

fn path(columns: &[f32], largest: f32) -> String {
    let step = WIDTH / (COLUMNS - 1) as f32;
    let begin = WIDTH - step * columns.len().saturating_sub(1) as f32;
    let mut path = String::new();
    for (i, value) in columns.iter().enumerate() {
        let share = if largest > 0.0 { value / largest } else { 0.0 };
        let (x, y) = (begin + step * i as f32, HEIGHT - 1.0 - (HEIGHT - 2.0) * share);
        path += &format!("{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
    }
    path
}

pub(super) fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Rate => "rate",
        Unit::Count => "count",
        Unit::Bytes => "bytes",
        Unit::Percent => "percent",
    }
}

/// Writes a number for people.
pub(super) fn written(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Rate if value < 9.95 => format!("{value:.1}"),
        Unit::Rate | Unit::Count => Tongue::English.number(value.max(0.0).round() as u64),
        Unit::Bytes => bytes(value),
        Unit::Percent => format!("{value:.1} %"),
    }
}

/// Writes a number of bytes for people: `1.4 MB`.
pub(super) fn bytes(value: f64) -> String {
    let mut value = value.max(0.0);
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 999.5 {
            let digits = usize::from(value < 9.95 && unit != "B");
            return format!("{value:.digits$} {unit}");
        }
        value /= 1_000.0;
    }
    format!("{value:.1} TB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_value_is_at_the_right_edge_and_the_largest_at_the_top() {
        let chart = Chart::new(("x", "X", Unit::Count), &[0.0, 10.0, 5.0], 150);
        assert_eq!(chart.path, "M296.0 63.0L298.0 1.0L300.0 32.0");
        assert_eq!((chart.last.as_str(), chart.largest.as_str()), ("5", "10"));
        assert_eq!(Chart::new(("x", "X", Unit::Count), &[], 150).path, "");
        assert_eq!(Chart::new(("x", "X", Unit::Count), &[0.0], 150).path, "M300.0 63.0");
    }

    #[test]
    fn many_values_are_drawn_by_their_means() {
        let values: Vec<f32> = (0..1_800).map(|n| n as f32).collect();
        let columns = columns(&values, 12);
        assert_eq!((columns.len(), columns[149]), (150, 1_793.5));
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(written(3.12, Unit::Rate), "3.1");
        assert_eq!(written(1_234.4, Unit::Count), "1,234");
        for (value, text) in [
            (0.0, "0 B"),
            (999.0, "999 B"),
            (1_000.0, "1.0 kB"),
            (1.25e7, "12 MB"),
            (9.9e12, "9.9 TB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }
}
