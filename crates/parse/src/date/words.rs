//! Dates as people write them: `17 May 2024`, `May 17th, 2024`, `17.5.2024`, `2024年5月17日`.
//!
//! Only whole days count, and only those that can be read in one way: `5/6/2024` is taken where
//! the language tells which is the month.

use base::Timestamp;

use super::{full_year, midnight};

/// Which number comes first in `5/6/2024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Most of the world.
    DayFirst,
    /// The United States.
    MonthFirst,
    /// English that does not say whose.
    Unknown,
}

impl Order {
    /// Returns the order in a language, by its BCP 47 tag.
    pub(crate) fn of(tag: Option<&str>) -> Self {
        match tag {
            Some("en-us") => Self::MonthFirst,
            Some("en") | None => Self::Unknown,
            Some(_) => Self::DayFirst,
        }
    }
}

/// A date in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) at: Timestamp,
}

/// Pieces of a text looked at: about 60 words.
const MOST_TOKENS: usize = 128;
/// Dates taken from one text.
const MOST_DATES: usize = 8;

/// Returns the dates in a short text, in order.
pub(crate) fn dates(text: &str, order: Order) -> Vec<Found> {
    let mut found = Vec::new();
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return found;
    }
    let tokens = tokens(text);
    let mut place = 0;
    while place < tokens.len() && found.len() < MOST_DATES {
        match date_at(&tokens[place..], order) {
            Some((at, count)) => {
                let (start, end) = (tokens[place].start, tokens[place + count - 1].end);
                found.push(Found { start, end, at });
                place += count;
            }
            None => place += 1,
        }
    }
    found
}

/// A number or a word, and what stands between it and the one before.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    gap: &'a str,
    is_number: bool,
}

impl Token<'_> {
    fn number(&self, most_digits: usize) -> Option<u32> {
        (self.is_number && self.text.len() <= most_digits).then(|| self.text.parse().ok())?
    }

    fn year(&self) -> Option<u32> {
        self.is_number.then(|| full_year(self.text))?
    }

    fn long_year(&self) -> Option<u32> {
        self.year().filter(|_| self.text.len() == 4)
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = 0;
    while tokens.len() < MOST_TOKENS {
        let Some(found) = text[rest..].find(char::is_alphanumeric) else { break };
        let start = rest + found;
        let is_number = text.as_bytes()[start].is_ascii_digit();
        let goes_on = |c: char| match is_number {
            true => c.is_ascii_digit(),
            false => c.is_alphabetic(),
        };
        let length = text[start..].find(|c: char| !goes_on(c)).unwrap_or(text.len() - start);
        // Digits of other scripts are neither; one of them is passed over.
        let first = text[start..].chars().next().map_or(1, char::len_utf8);
        let end = start + length.max(first);
        let before = tokens.last().map_or(0, |token| token.end);
        tokens.push(Token {
            text: &text[start..end],
            start,
            end,
            gap: &text[before..start],
            is_number,
        });
        rest = end;
    }
    tokens
}

/// Reads a date at the first token; also returns how many tokens it takes.
fn date_at(tokens: &[Token<'_>], order: Order) -> Option<(Timestamp, usize)> {
    let first = tokens.first()?;
    if first.is_number {
        ideographic(tokens).or_else(|| numeric(tokens, order)).or_else(|| day_first(tokens))
    } else {
        month_first(tokens)
    }
}

/// Reads `2024年5月17日` and `2024년 5월 17일`.
fn ideographic(tokens: &[Token<'_>]) -> Option<(Timestamp, usize)> {
    let [year, mark, month, second, day, third, ..] = tokens else { return None };
    let is = |token: &Token<'_>, signs: [char; 2]| token.text.starts_with(signs);
    let fits = is(mark, ['年', '년']) && is(second, ['月', '월']) && is(third, ['日', '일']);
    let at = fits.then(|| midnight(year.long_year()?, month.number(2)?, day.number(2)?))??;
    Some((at, 6))
}

/// Reads `2024-05-17`, `17.05.2024`, `17. 5. 2024`, `5/17/24`.
fn numeric(tokens: &[Token<'_>], order: Order) -> Option<(Timestamp, usize)> {
    let [first, second, third, ..] = tokens else { return None };
    let sign = second.gap.trim();
    if sign != third.gap.trim() || !["-", "/", "."].contains(&sign) {
        return None;
    }
    if let Some(year) = first.long_year() {
        return Some((midnight(year, second.number(2)?, third.number(2)?)?, 3));
    }
    let (one, other) = (first.number(2)?, second.number(2)?);
    // `1.2.24` is a version as often as a date.
    let year = if sign == "/" { third.year()? } else { third.long_year()? };
    let day_first = match order {
        _ if sign == "." || one > 12 => true,
        _ if other > 12 => false,
        Order::DayFirst => true,
        Order::MonthFirst => false,
        Order::Unknown if one == other => true,
        Order::Unknown => return None,
    };
    let (day, month) = if day_first { (one, other) } else { (other, one) };
    Some((midnight(year, month, day)?, 3))
}

/// Reads `17 May 2024`, `17th of May, 2024`, `17. Mai 2024`, `17 de mayo de 2024`, `17-Nov-96`.
fn day_first(tokens: &[Token<'_>]) -> Option<(Timestamp, usize)> {
    let day = tokens[0].number(2)?;
    let mut place = 1;
    skip(tokens, &mut place, is_ordinal);
    skip(tokens, &mut place, is_filler);
    skip(tokens, &mut place, is_filler);
    let month = month(tokens.get(place).filter(|token| !token.is_number)?.text)?;
    place += 1;
    skip(tokens, &mut place, is_filler);
    Some((midnight(tokens.get(place)?.year()?, month, day)?, place + 1))
}

/// Reads `May 17, 2024` and `May 17th 2024`.
fn month_first(tokens: &[Token<'_>]) -> Option<(Timestamp, usize)> {
    let month = month(tokens[0].text)?;
    let mut place = 1;
    skip(tokens, &mut place, is_filler);
    let day = tokens.get(place)?.number(2)?;
    place += 1;
    skip(tokens, &mut place, is_ordinal);
    skip(tokens, &mut place, is_filler);
    Some((midnight(tokens.get(place)?.long_year()?, month, day)?, place + 1))
}

fn skip(tokens: &[Token<'_>], place: &mut usize, is: fn(&str) -> bool) {
    *place += usize::from(tokens.get(*place).is_some_and(|token| is(token.text)));
}

fn is_ordinal(word: &str) -> bool {
    ["st", "nd", "rd", "th", "er", "e", "ª", "º"].contains(&word)
}

fn is_filler(word: &str) -> bool {
    ["de", "del", "of", "the", "di", "den"].contains(&word)
}

/// Beginnings of month names in the languages of the web; longer ones before their own beginnings.
#[rustfmt::skip]
const MONTHS: &[(&str, u32)] = &[
    ("jan", 1), ("ene", 1), ("gen", 1), ("янв", 1), ("tammi", 1), ("oca", 1), ("sty", 1),
    ("led", 1), ("ian", 1), ("січ", 1), ("ιαν", 1),
    ("feb", 2), ("fév", 2), ("fev", 2), ("фев", 2), ("helmi", 2), ("şub", 2), ("lut", 2),
    ("úno", 2), ("лют", 2), ("φεβ", 2),
    ("marras", 11), ("mar", 3), ("mär", 3), ("mrt", 3), ("maa", 3), ("мар", 3), ("bře", 3),
    ("бер", 3), ("μαρ", 3),
    ("apr", 4), ("avr", 4), ("abr", 4), ("апр", 4), ("huhti", 4), ("nis", 4), ("kwi", 4),
    ("dub", 4), ("кві", 4), ("απρ", 4),
    ("may", 5), ("mai", 5), ("mag", 5), ("mei", 5), ("maj", 5), ("мая", 5), ("май", 5),
    ("touko", 5), ("kvě", 5), ("тра", 5), ("μαι", 5), ("μαΐ", 5),
    ("jun", 6), ("juin", 6), ("giu", 6), ("июн", 6), ("kesä", 6), ("haz", 6), ("cze", 6),
    ("červenc", 7), ("červn", 6), ("чер", 6), ("ιουν", 6),
    ("jul", 7), ("juil", 7), ("lug", 7), ("июл", 7), ("heinä", 7), ("tem", 7), ("lip", 7),
    ("лип", 7), ("ιουλ", 7),
    ("aug", 8), ("aoû", 8), ("ago", 8), ("авг", 8), ("elo", 8), ("ağu", 8), ("sie", 8),
    ("srp", 8), ("αυγ", 8),
    ("sep", 9), ("set", 9), ("сен", 9), ("syys", 9), ("eyl", 9), ("wrz", 9), ("zář", 9),
    ("oct", 10), ("okt", 10), ("out", 10), ("ott", 10), ("окт", 10),
    ("loka", 10), ("eki", 10), ("paź", 10), ("říj", 10), ("жов", 10), ("οκτ", 10),
    ("nov", 11), ("ноя", 11), ("kas", 11), ("lis", 11), ("νοε", 11),
    ("dec", 12), ("dez", 12), ("dic", 12), ("déc", 12), ("дек", 12), ("joulu", 12), ("ara", 12),
    ("gru", 12), ("pro", 12), ("δεκ", 12),
];

/// Returns the number of a month by its name, cut or whole.
fn month(word: &str) -> Option<u32> {
    if word.len() > 32 {
        return None;
    }
    let word = word.to_lowercase();
    MONTHS.iter().find(|(stem, _)| word.starts_with(stem)).map(|(_, month)| *month)
}

/// Returns the day in an address: `/2024/05/17/`, `/2024-05-17-title`, `/20240517/`; of a month
/// alone (`/2024/05/title`) its first day, and `false`.
pub(crate) fn in_address(path: &str) -> Option<(Timestamp, bool)> {
    let tokens = tokens(path);
    for (place, token) in tokens.iter().enumerate() {
        let rest = &tokens[place..];
        let begins = token.gap.ends_with(['/', '-', '_', '=']);
        if begins && token.is_number && token.text.len() == 8 && token.text.is_ascii() {
            let (year, day) = token.text.split_at(4);
            let (month, day) = day.split_at(2);
            let day = midnight(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
            if let Some(at) = day {
                return Some((at, true));
            }
        }
        if !begins || token.long_year().is_none() {
            continue;
        }
        if let Some((at, _)) = numeric(rest, Order::Unknown) {
            return Some((at, true));
        }
        let [year, month, day, ..] = rest else { continue };
        if month.gap == "/" && day.gap == "/" && month.text.len() == 2 {
            return Some((midnight(year.year()?, month.number(2)?, 1)?, false));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, order: Order, expected: &[&str]) {
        let found = dates(text, order);
        let days: Vec<String> =
            found.iter().map(|date| date.at.rfc3339()[..10].to_owned()).collect();
        assert_eq!(days, expected, "{text}");
    }

    #[test]
    fn months_have_names_in_many_languages() {
        for text in [
            "17 May 2024",
            "17th of May, 2024",
            "Friday, May 17th, 2024",
            "MAY 17 2024",
            "17. Mai 2024",
            "17 de mayo de 2024",
            "17 de maio de 2024",
            "le 17 mai 2024",
            "17 maggio 2024",
            "17 mei 2024",
            "17 maj 2024",
            "17. maj 2024",
            "17 мая 2024 г.",
            "17 maja 2024",
            "17. května 2024",
            "17. toukokuuta 2024",
            "17 Mayıs 2024",
            "2024年5月17日更新",
            "2024년 5월 17일",
            "17-May-24 03:11:17 GMT",
        ] {
            check(text, Order::Unknown, &["2024-05-17"]);
        }
        check("1er juin 2024, 3 juillet 2024", Order::DayFirst, &["2024-06-01", "2024-07-03"]);
        check("2. června 2024 a 3. července 2024", Order::DayFirst, &["2024-06-02", "2024-07-03"]);
        check("Tuesday, 19-Nov-96 03:11:17 GMT", Order::Unknown, &["1996-11-19"]);
    }

    #[test]
    fn numbers_are_read_where_they_can_mean_one_thing() {
        check("2024-05-17", Order::Unknown, &["2024-05-17"]);
        check("2024/5/17", Order::Unknown, &["2024-05-17"]);
        check("17.05.2024", Order::Unknown, &["2024-05-17"]);
        check("17. 5. 2024", Order::Unknown, &["2024-05-17"]);
        check("17/05/2024", Order::Unknown, &["2024-05-17"]);
        check("5/17/96", Order::Unknown, &["1996-05-17"]);
        check("05/06/2024", Order::Unknown, &[]);
        check("05/06/2024", Order::DayFirst, &["2024-06-05"]);
        check("05/06/2024", Order::MonthFirst, &["2024-05-06"]);
        check("05/05/2024", Order::Unknown, &["2024-05-05"]);
    }

    #[test]
    fn what_is_no_day_is_none() {
        for text in [
            "",
            "May 2024",
            "version 1.2.24",
            "1996-2001",
            "31 February 2024",
            "32 May 2024",
            "17 May 1889",
            "17 May 99999",
            "192.168.10.1",
            "2024-13-01",
            "17 and 18 May",
            "１７ May ２０２４",
            "99999999999999999999 May 2024",
        ] {
            check(text, Order::DayFirst, &[]);
        }
        assert!(dates(&"17 May 2024 ".repeat(10_000), Order::DayFirst).len() <= MOST_DATES);
    }

    #[track_caller]
    fn check_address(path: &str, expected: &str) {
        let found = in_address(path);
        let found = found.map(|(at, is_day)| {
            format!("{}{}", &at.rfc3339()[..10], if is_day { "" } else { "?" })
        });
        assert_eq!(found.unwrap_or_default(), expected, "{path}");
    }

    #[test]
    fn addresses_carry_dates() {
        check_address("/2024/05/17/title", "2024-05-17");
        check_address("/blog/2024-05-17-title.html", "2024-05-17");
        check_address("/news/20240517/x", "2024-05-17");
        check_address("/2024/05/title", "2024-05-01?");
        check_address("/2024/title", "");
        check_address("/id/12345678/x", "");
        check_address("/v2024.1.2/", "");
        check_address("/a2024/05/17/", "");
        check_address("/2024/99/17/", "");
        check_address("/", "");
    }
}
