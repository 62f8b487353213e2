//! Compounds: words written in one, with a hyphen, or apart (T2).
//!
//! A page's compound is found whole and by its members; a query for it finds the other spellings
//! through [`Analyzer::join`] and [`Analyzer::splits`], which ask what words the index has.

use base::limits::TOKEN_BYTES;

use crate::analyze::Analyzer;
use crate::segment::continues;

/// Members of one compound; longer chains are lists or noise.
const MOST_MEMBERS: usize = 8;
/// Digits that make a number worth finding whole: telephone numbers, dates, ISBN.
const FEW_DIGITS: usize = 7;
/// Letters of a part that a word may be split into.
const PART_LETTERS: usize = 3;
/// Longest word that is split.
const SPLIT_BYTES: usize = 64;

/// A compound in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its whole begins, behind `https://`.
    name: usize,
    /// Whether the signs between the members belong to the whole.
    keeps_signs: bool,
}

impl Chain {
    /// Writes the compound in one word.
    pub(crate) fn write(&self, text: &str, out: &mut String) {
        let raw = &text[self.name..self.end];
        if self.keeps_signs {
            out.push_str(raw);
        } else {
            out.extend(raw.chars().filter(|sign| !is_joint(*sign) && *sign != '/'));
        }
    }
}

/// Returns the compound that begins with the word at `start..end`, and where to look for the next
/// one: a stretch with too many members is left behind at once, so that the cost stays linear.
pub(crate) fn chain(text: &str, start: usize, end: usize) -> (Option<Chain>, usize) {
    let dotted = text[..start].ends_with('.');
    let joins = |sign: char| is_joint(sign) || matches!(sign, '.' | '@' | '&' | '/' | ':' | '+');
    if !dotted && !text[end..].starts_with(joins) {
        return (None, end);
    }
    let found = address(text, start)
        .or_else(|| mail(text, start))
        .or_else(|| signed(text, start, end))
        .or_else(|| dots(text, start))
        .or_else(|| joints(text, start))
        .or_else(|| dotted.then(|| dot_name(text, start, end)).flatten())
        .filter(|chain| chain.end - chain.name <= TOKEN_BYTES);
    let next = found.map_or_else(|| behind(text, start, end, joins), |chain| chain.end);
    (found, next.max(end))
}

/// Returns where a stretch of too many members ends; `end` if it has few.
fn behind(text: &str, start: usize, end: usize, joins: impl Fn(char) -> bool) -> usize {
    let tail = window(text, start);
    let mut count = 0;
    for (place, sign) in tail.char_indices() {
        if joins(sign) {
            count += 1;
        } else if !continues(sign) {
            return if count > MOST_MEMBERS { start + place } else { end };
        }
    }
    if count > MOST_MEMBERS { start + tail.len() } else { end }
}

/// Signs that join words: hyphens and the low line.
fn is_joint(sign: char) -> bool {
    matches!(sign, '-' | '_' | '\u{2010}' | '\u{2011}')
}

/// Returns the part of `text` from `start` that may hold a compound.
fn window(text: &str, start: usize) -> &str {
    base::limits::cut(&text[start..], TOKEN_BYTES + 8)
}

/// `https://example.com/a?b`, `www.example.com`: the address without its scheme.
fn address(text: &str, start: usize) -> Option<Chain> {
    let tail = window(text, start);
    let has = |head: &str| tail.get(..head.len()).is_some_and(|t| t.eq_ignore_ascii_case(head));
    let scheme = match () {
        () if has("http://") => 7,
        () if has("https://") => 8,
        () if has("ftp://") => 6,
        () if has("www.") => 0,
        () => return None,
    };
    let is_end = |sign: char| !sign.is_ascii_graphic() || "<>\"'()[]{}|\\^`".contains(sign);
    let length = tail.find(is_end).unwrap_or(tail.len());
    let length = tail[..length].trim_end_matches(['.', ',', ';', ':', '!', '?', '/']).len();
    let begins = tail.as_bytes().get(scheme).is_some_and(u8::is_ascii_alphanumeric);
    (length > scheme && begins).then_some(Chain {
        start,
        end: start + length,
        name: start + scheme,
        keeps_signs: true,
    })
}

/// `bob.smith+list@example.com`.
fn mail(text: &str, start: usize) -> Option<Chain> {
    let tail = window(text, start);
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "._+-".contains(sign);
    let at = tail.find(|sign| !is_name(sign)).filter(|at| tail[*at..].starts_with('@'))?;
    let is_host = |sign: char| sign.is_ascii_alphanumeric() || ".-".contains(sign);
    let host = &tail[at + 1..];
    let host = &host[..host.find(|sign| !is_host(sign)).unwrap_or(host.len())];
    let host = host.trim_end_matches(['.', '-']);
    let is_mail = host.contains('.') && host.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_mail.then(|| signs(start, start + at + 1 + host.len()))
}

/// `AT&T`, `R&D`, `TCP/IP`, `I/O`: short names around one sign.
fn signed(text: &str, start: usize, end: usize) -> Option<Chain> {
    const LETTERS: usize = 4;
    let sign = *text.as_bytes().get(end)?;
    let first = &text[start..end];
    let tail = window(text, end + text[end..].chars().next()?.len_utf8());
    let second = &tail[..tail.find(|next| !continues(next)).unwrap_or(tail.len())];
    let is_name = |part: &str| {
        (1..=LETTERS).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let is_upper = |part: &str| !part.contains(|letter: char| letter.is_ascii_lowercase());
    let has_letter = first.contains(|letter: char| letter.is_ascii_alphabetic());
    let end = end + 1 + second.len();
    let chain = match sign {
        b'&' => signs(start, end),
        b'/' if is_upper(first) && is_upper(second) => {
            Chain { keeps_signs: false, ..signs(start, end) }
        }
        _ => return None,
    };
    (has_letter && is_name(first) && is_name(second)).then_some(chain)
}

/// `node.js`, `example.com`, `ASP.NET`: names of parts with dots; not two sentences.
fn dots(text: &str, start: usize) -> Option<Chain> {
    let tail = window(text, start);
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    let raw = &tail[..tail.find(|sign| !is_name(sign)).unwrap_or(tail.len())];
    let raw = raw.trim_end_matches(['.', '-', '_']);
    let is_upper = |part: &str| part.bytes().all(|byte| byte.is_ascii_uppercase());
    let mut parts = raw.split('.');
    let mut last = parts.next()?;
    let mut count = 1;
    for part in parts {
        let is_next = part.starts_with(|next: char| next.is_ascii_lowercase())
            || part.starts_with(|next: char| next.is_ascii_digit())
            || is_upper(part) && is_upper(last);
        if !is_next {
            return None;
        }
        last = part;
        count += 1;
    }
    // Acronyms lose their dots elsewhere, and numbers keep theirs.
    let is_word = raw.split('.').any(|part| part.len() > 1)
        && raw.contains(|letter: char| letter.is_ascii_alphabetic());
    let is_number = raw.starts_with(|first: char| first.is_ascii_digit());
    ((2..=MOST_MEMBERS).contains(&count) && is_word && !is_number)
        .then(|| signs(start, start + raw.len()))
}

/// `host-name`, `pg_stat_activity`.
fn joints(text: &str, start: usize) -> Option<Chain> {
    let tail = window(text, start);
    let (mut count, mut letters, mut digits, mut end) = (1, 0, 0, 0);
    let mut is_open = false;
    for (place, sign) in tail.char_indices() {
        if is_joint(sign) && !is_open && place > 0 {
            is_open = true;
            count += 1;
        } else if continues(sign) {
            letters += usize::from(sign.is_alphabetic());
            digits += usize::from(sign.is_ascii_digit());
            is_open = false;
            end = place + sign.len_utf8();
        } else {
            break;
        }
    }
    count -= usize::from(is_open);
    let is_worth = letters > 0 || digits >= FEW_DIGITS;
    ((2..=MOST_MEMBERS).contains(&count) && is_worth)
        .then(|| Chain { keeps_signs: false, ..signs(start, start + end) })
}

/// `.NET`, `.gitignore`: a name that begins with a dot.
fn dot_name(text: &str, start: usize, end: usize) -> Option<Chain> {
    let before = text[..start - 1].chars().next_back();
    let is_free = before.is_none_or(|before| before.is_whitespace() || "(\"'“".contains(before));
    let is_name = text[start..end].bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_free && is_name).then(|| signs(start - 1, end))
}

fn signs(start: usize, end: usize) -> Chain {
    Chain { start, end, name: start, keeps_signs: true }
}

/// Calls `visit` with the pieces of an identifier in camel case: `getElementById`, `XMLHttpRequest`.
///
/// Names of two pieces that begin with a capital (`JavaScript`, `YouTube`) and pieces of one
/// letter (`iPhone`) are names of things, not lists of words.
pub(crate) fn humps(raw: &str, mut visit: impl FnMut(usize, usize)) {
    let bytes = raw.as_bytes();
    if bytes.len() < 4 || !raw.is_ascii() || !bytes[1..].iter().any(u8::is_ascii_uppercase) {
        return;
    }
    let is_border = |place: usize| {
        bytes[place].is_ascii_uppercase()
            && (bytes[place - 1].is_ascii_lowercase()
                || bytes[place - 1].is_ascii_uppercase()
                    && bytes.get(place + 1).is_some_and(u8::is_ascii_lowercase))
    };
    let borders = || (1..bytes.len()).filter(|place| is_border(*place));
    let first = borders().next().unwrap_or(bytes.len());
    let count = borders().take(MOST_MEMBERS).count() + 1;
    let is_list = count >= 3 || count == 2 && bytes[0].is_ascii_lowercase() && first >= 2;
    if !is_list || count > MOST_MEMBERS {
        return;
    }
    let mut start = 0;
    for end in borders().chain([bytes.len()]) {
        if end - start >= 2 {
            visit(start, end);
        }
        start = end;
    }
}

/// Returns the surface form of two words written in one: `hostname` for `host` and `name`.
///
/// For queries: a page may have the compound where the query has two words. Numbers are not
/// joined.
pub fn join(one: &str, other: &str) -> Option<String> {
    let is_word = |word: &str| word.chars().all(char::is_alphabetic) && !word.is_empty();
    let fits = one.len() + other.len() <= SPLIT_BYTES;
    (fits && is_word(one) && is_word(other)).then(|| format!("{one}{other}"))
}

impl Analyzer {
    /// Returns the letters with which the language joins words.
    pub fn links(&self) -> &'static [&'static str] {
        self.language().map_or(&[], |language| links(language.code()))
    }

    /// Returns the ways to part a surface form into two words that `knows` knows, by surface.
    ///
    /// For queries: `hostname` may stand as `host name` on a page, and a German compound has its
    /// parts elsewhere. Parts have three letters or more; the letters with which the language
    /// joins words (`s` in `Arbeitsamt`) may fall out. Cost: linear in the word times `knows`.
    pub fn splits(
        &self,
        surface: &str,
        mut knows: impl FnMut(&str) -> bool,
    ) -> Vec<(String, String)> {
        let mut splits = Vec::new();
        if surface.len() > SPLIT_BYTES || !surface.chars().all(char::is_alphabetic) {
            return splits;
        }
        let links = self.links();
        for (place, _) in surface.char_indices() {
            let (head, tail) = surface.split_at(place);
            if tail.chars().count() < PART_LETTERS || !knows(tail) {
                continue;
            }
            let bare = links.iter().filter_map(|link| head.strip_suffix(link));
            for head in [head].into_iter().chain(bare) {
                if head.chars().count() >= PART_LETTERS && knows(head) {
                    splits.push((head.to_owned(), tail.to_owned()));
                    break;
                }
            }
        }
        splits
    }
}

/// Letters that join the parts of a compound, by language.
fn links(code: &str) -> &'static [&'static str] {
    match code {
        "de" => &["s", "es", "n", "en", "er", "e"],
        "nl" | "af" => &["s", "en", "n", "e"],
        "da" | "no" => &["s", "e"],
        "sv" => &["s", "o", "e"],
        "fi" => &["n"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let end = text.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(text.len());
        let mut whole = String::new();
        if let (Some(chain), _) = chain(text, 0, end) {
            chain.write(text, &mut whole);
        }
        assert_eq!(whole, expected, "{text}");
    }

    #[test]
    fn compounds_are_seen_to_their_end() {
        check("host-name, x", "hostname");
        check("pg_stat_activity.", "pgstatactivity");
        check("state-of-the-art!", "stateoftheart");
        check("bob.smith+x@mail.example.com.", "bob.smith+x@mail.example.com");
        check("https://Example.com/a/b?c=1).", "Example.com/a/b?c=1");
        check("http://a.example/", "a.example");
        check("node.js is", "node.js");
        check("ASP.NET", "ASP.NET");
        check("AT&T", "AT&T");
        check("TCP/IP", "TCPIP");
        check("555-123456", "555123456");
        check("café‐bar", "cafébar");
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "end.And so",
            "and/or",
            "5-6",
            "word-",
            "word- x",
            "a--b",
            "http://",
            "x@y",
            "U.S.A.",
            "this:that",
            "one",
            "a+b",
            "1.5x",
        ] {
            check(text, "");
        }
        check(&"a-".repeat(99), "");
        check(&format!("{}-b", "a".repeat(9_999)), "");
    }

    #[track_caller]
    fn parts(raw: &str, expected: &str) {
        let mut found = Vec::new();
        humps(raw, |start, end| found.push(&raw[start..end]));
        assert_eq!(found.join(" "), expected, "{raw}");
    }

    #[test]
    fn identifiers_come_apart_and_names_do_not() {
        parts("getElementById", "get Element By Id");
        parts("XMLHttpRequest", "XML Http Request");
        parts("toString", "to String");
        for name in ["JavaScript", "iPhone", "YouTube", "eBay", "USA", "word", "Éa", "NASA"] {
            parts(name, "");
        }
    }

    #[test]
    fn words_are_parted_where_both_parts_are_known() {
        let analyzer = Analyzer::new(Language::parse("de"));
        let words = ["arbeit", "amt", "haus", "tür", "host", "name"];
        let knows = |word: &str| words.contains(&word);
        let split = |word: &str| analyzer.splits(word, knows);
        let pair = |one: &str, other: &str| vec![(one.to_owned(), other.to_owned())];
        assert_eq!(split("arbeitsamt"), pair("arbeit", "amt"));
        assert_eq!(split("haustür"), pair("haus", "tür"));
        assert_eq!(split("hostname"), pair("host", "name"));
        assert_eq!(split("hausx"), []);
        assert_eq!(split(&"haus".repeat(99)), []);
    }
}
