//! What all spreadsheets share: rows as blocks, numbers and dates as people read them.

use time::{Date, Duration, Month};

use super::build::Builder;

// Not `calamine`, eight packages: it holds whole sheets in memory, here rows go out one by one.
/// The cells of a row: one block, cells apart.
#[derive(Default)]
pub(super) struct Row {
    text: String,
}

/// Bytes of one row; cells past it begin another block.
const ROW_BYTES: usize = 64 * 1024;

impl Row {
    pub(super) fn push(&mut self, cell: &str) {
        let cell = cell.trim();
        if cell.is_empty() || self.text.len() > ROW_BYTES {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str(" | ");
        }
        self.text.push_str(base::limits::cut(cell, ROW_BYTES));
    }

    /// Ends the row.
    pub(super) fn finish(&mut self, builder: &mut Builder<'_>) {
        builder.end_block();
        builder.text(&self.text);
        builder.end_block();
        self.text.clear();
    }
}

/// Writes a number as a cell shows it without a format: as many digits as are sure.
pub(super) fn number(value: f64, is_date: bool) -> String {
    if is_date && let Some(date) = date(value) {
        return date;
    }
    if value == value.trunc() && value.abs() < 1e15 {
        return format!("{value:.0}");
    }
    // Twelve digits are what is left of sums of fractions; the rest is noise.
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    if (1e-5..1e15).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Writes a count of days since 1900 as date, as time, or as both.
fn date(days: f64) -> Option<String> {
    if !(0.0..2_958_466.0).contains(&days) {
        return None;
    }
    let seconds = (days.fract() * 86_400.0).round();
    let clock = format!("{:02}:{:02}", (seconds / 3_600.0) as u32, seconds as u32 % 3_600 / 60);
    if days < 1.0 {
        return Some(clock);
    }
    // Day 60 is a 29 February 1900 that never was; from 1 March on the count begins a day earlier.
    let epoch = Date::from_calendar_date(1899, Month::December, 30).ok()?;
    let date = epoch.checked_add(Duration::days(days as i64))?;
    let date = format!("{}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day());
    Some(if seconds > 0.0 { format!("{date} {clock}") } else { date })
}

/// Returns whether a built-in format shows dates.
pub(super) fn is_date_number(id: u32) -> bool {
    matches!(id, 14..=22 | 27..=36 | 45..=47 | 50..=58)
}

/// Returns whether a format shows dates: letters of dates outside of quotes and brackets.
pub(super) fn is_date_format(code: &str) -> bool {
    let mut quote = None;
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(end), character) if character == end => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '[') => quote = Some(']'),
            (None, '\\' | '_' | '*') => drop(characters.next()),
            (None, 'y' | 'Y' | 'd' | 'D' | 'h' | 'H' | 'm' | 'M' | 's' | 'S') => return true,
            (None, 'G' | 'g' | 'E' | 'e' | '0' | '#') => return false,
            _ => {}
        }
    }
    false
}

/// Returns the words of a header or footer: `&L`, `&C`, `&"Arial,Bold"`, `&12`, `&P` taken out.
pub(super) fn margin(text: &str) -> String {
    let mut words = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '&' {
            words.push(character);
            continue;
        }
        words.push(' ');
        match characters.next() {
            Some('"') => drop(characters.by_ref().find(|character| *character == '"')),
            Some(digit) if digit.is_ascii_digit() => {
                while characters.next_if(char::is_ascii_digit).is_some() {}
            }
            Some('&') => words.push('&'),
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(number(42.0, false), "42");
        assert_eq!(number(0.1 + 0.2, false), "0.3");
        assert_eq!(number(-1234.5, false), "-1234.5");
        assert_eq!(number(1.5e300, false), "1.5e300");
        assert_eq!(number(f64::NAN, false), "NaN");
        assert_eq!(number(39_448.0, true), "2008-01-01");
        assert_eq!(number(39_448.5, true), "2008-01-01 12:00");
        assert_eq!(number(0.25, true), "06:00");
        assert_eq!(number(1e12, true), "1000000000000");
    }

    #[test]
    fn formats_of_dates_are_told() {
        for code in ["yyyy-mm-dd", "[$-409]d/m/yy", "\"am\" hh:mm", "mm:ss"] {
            assert!(is_date_format(code), "{code}");
        }
        for code in ["General", "0.00", "#,##0", "\"days\" 0", "[Red]0.0", "@", "0\\d"] {
            assert!(!is_date_format(code), "{code}");
        }
    }

    #[test]
    fn margins_keep_their_words_only() {
        assert_eq!(margin("&L&\"Arial,Bold\"&12Annual &&co&RPage &P").trim(), "Annual  &co Page");
    }
}
