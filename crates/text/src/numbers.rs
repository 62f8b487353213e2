//! Numbers: their signs as a language writes them, units written close, dates with dots.

use crate::language::Numbers;

/// Units that stand behind a number with or without a space (`10km` is `10 km`), sorted.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "bit", "bits", "bpm", "byte", "bytes", "cc", "cl", "cm", "cm2", "cm3", "db", "dl", "dpi", "eur", "fps",
    "ft", "gb", "gbit", "gbps", "ghz", "gib", "gr", "gw", "gwh", "h", "ha", "hp", "hz", "inch", "kb", "kbit",
    "kbps", "kcal", "kg", "khz", "kib", "kj", "km", "km2", "kmh", "kn", "kpa", "kr", "kv", "kw",
    "kwh", "l", "lb", "lbs", "lm", "m2", "m3", "mah", "mb", "mbit", "mbps", "mg", "mhz", "mi", "mib",
    "min", "ml", "mm", "mm2", "mph", "mpx", "ms", "mw", "mwh", "nm", "ns", "oz", "pb", "ppm", "psi", "pt",
    "px", "rpm", "sec", "sek", "tb", "tib", "twh", "usd", "vdc", "wh", "yd", "°c", "°f", "µg", "µm", "µs",
    "г", "гб", "гц", "ч", "кб", "кг", "км", "л", "мб", "мг", "мин", "мл", "мм", "см", "т", "руб",
];

/// Returns the pieces of a raw word that are words of their own, in order: number and unit, the
/// fields of a date; else the word itself.
pub(crate) fn pieces(text: &str, start: usize, end: usize) -> Pieces {
    let raw = &text.as_bytes()[start..end];
    let mut pieces = Pieces { ranges: [(start, end); 3], place: 0, count: 1 };
    if !raw[0].is_ascii_digit() {
        return pieces;
    }
    if let Some(dots) = date_dots(raw) {
        let [one, two] = dots.map(|dot| start + dot);
        pieces.ranges = [(start, one), (one + 1, two), (two + 1, end)];
        pieces.count = 3;
    } else if let Some(letters) = unit_start(&text[start..end]) {
        pieces.ranges[0].1 = start + letters;
        pieces.ranges[1].0 = start + letters;
        pieces.count = 2;
    }
    pieces
}

/// At most three ranges.
pub(crate) struct Pieces {
    ranges: [(usize, usize); 3],
    place: usize,
    count: usize,
}

impl Iterator for Pieces {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let range = self.ranges[..self.count].get(self.place)?;
        self.place += 1;
        Some(*range)
    }
}

/// Returns where the dots of a date like `15.01.2024` are.
fn date_dots(raw: &[u8]) -> Option<[usize; 2]> {
    if !(8..=10).contains(&raw.len()) {
        return None;
    }
    let one = raw.iter().position(|byte| *byte == b'.')?;
    let two = one + 1 + raw[one + 1..].iter().position(|byte| *byte == b'.')?;
    let is_date = one <= 2 && (2..=3).contains(&(two - one)) && raw.len() - two == 5;
    let is_digits = raw[two + 1..].iter().all(u8::is_ascii_digit);
    (is_date && is_digits).then_some([one, two])
}

/// Returns where the unit of a number begins.
fn unit_start(raw: &str) -> Option<usize> {
    let letters = raw.find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, '.' | ','))?;
    let unit = &raw[letters..];
    if unit.len() > 8 {
        return None;
    }
    let is_unit = if unit.is_ascii() {
        let mut lower = [0; 8];
        let lower = &mut lower[..unit.len()];
        lower.copy_from_slice(unit.as_bytes());
        lower.make_ascii_lowercase();
        UNITS.iter().any(|known| known.as_bytes() == lower)
    } else {
        UNITS.contains(&unit.to_lowercase().as_str())
    };
    is_unit.then_some(letters)
}

/// Returns the ASCII digit of a decimal digit of another script.
pub(crate) fn ascii_digit(character: char) -> Option<char> {
    const ZEROS: [u32; 18] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
        0xE50, 0xED0, 0xF20, 0x1040, 0x17E0,
    ];
    let code = u32::from(character);
    if !(0x660..=0x17E9).contains(&code) {
        return None;
    }
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

/// Brings the signs inside a number to one form, the value's: `1,000` and `1.000` become `1000`,
/// `3,14` becomes `3.14`. Versions (`1.2.3`) stay.
pub(crate) fn plain_signs(number: &mut String, numbers: Numbers) {
    match numbers {
        Numbers::Point => number.retain(|sign| !matches!(sign, ',' | '\'')),
        Numbers::Comma => {
            if is_grouped(number) {
                number.retain(|sign| sign != '.');
            }
            number.retain(|sign| sign != '\'');
            // One byte for another.
            *number = number.replace(',', ".");
        }
    }
}

/// Returns whether every dot before the comma stands before exactly three digits.
fn is_grouped(number: &str) -> bool {
    let whole = number.split(',').next().unwrap_or_default();
    let mut groups = whole.split('.');
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && is_digits(first))
        && groups.all(|group| group.len() == 3 && is_digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: &[&str]) {
        let found: Vec<&str> =
            pieces(raw, 0, raw.len()).map(|(start, end)| &raw[start..end]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn units_and_dates_come_apart() {
        check("10km", &["10", "km"]);
        check("2.5GHz", &["2.5", "GHz"]);
        check("5км", &["5", "км"]);
        check("15.01.2024", &["15", "01", "2024"]);
        check("1.2.2024", &["1", "2", "2024"]);
    }

    #[test]
    fn other_words_with_digits_stay_whole() {
        for word in ["68k", "3d", "1st", "mp3", "10", "1.2.3", "10.0.0.1", "4kilo", "192.168.1.10"]
        {
            check(word, &[word]);
        }
    }

    #[test]
    fn signs_are_read_as_the_language_writes_them() {
        for (numbers, number, expected) in [
            (Numbers::Point, "1,000,000", "1000000"),
            (Numbers::Point, "3.14", "3.14"),
            (Numbers::Comma, "1.000.000", "1000000"),
            (Numbers::Comma, "1.000,50", "1000.50"),
            (Numbers::Comma, "3,14", "3.14"),
            (Numbers::Comma, "1.2.3", "1.2.3"),
        ] {
            let mut found = number.to_owned();
            plain_signs(&mut found, numbers);
            assert_eq!(found, expected, "{number}");
        }
    }

    #[test]
    fn digits_of_all_scripts_are_one() {
        let found: Option<String> = "٢٠۲४৪๔".chars().map(ascii_digit).collect();
        assert_eq!(found.as_deref(), Some("202444"));
        assert_eq!(ascii_digit('x'), None);
    }
}
