//! Paths of rules, in an order in which those that may match a URL are found without trying all.
//!
//! A pattern is cut at its first star into a literal beginning and a rest. Patterns are sorted
//! by their beginnings; walking along the path narrows the range that agrees with it octet by
//! octet, as in a trie but without one. So a literal rule costs nothing unless it matches, and
//! only patterns with stars whose beginning agrees are tried one by one: longest first, until
//! none that is left could win, and only if the URL has two of their three-octet pieces at all.
//! Each try takes time linear in pattern and path (ROB-12). What the tries for one URL may cost
//! together is bounded: a file can hold tens of thousands of patterns with pieces too short to be
//! told apart beforehand, and a URL for which they cannot all be tried is forbidden (ROB-11).

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::Range;

use percent_encoding::percent_encode_byte;

/// A set of rules that may be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Patterns {
    /// All patterns one after the other, without needless stars and without the final `$`.
    text: Vec<u8>,
    /// Sorted by beginning, then longest first.
    rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) allow: bool,
    /// Line of the file.
    pub(super) line: u32,
    /// Octets of the pattern as it was written, encoding made normal: the longest decides.
    octets: u32,
    start: u32,
    end: u32,
    /// Octets before the first star.
    beginning: u32,
    /// Whether the match must end where the path ends.
    anchored: bool,
    /// Two pieces of three octets that every match has, as places in [`Grams`].
    grams: Option<[u16; 2]>,
}

/// Collects rules.
#[derive(Debug, Default)]
pub(super) struct Builder(Patterns);

/// What the rules say of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision<'a> {
    /// No rule matches.
    Nothing,
    /// This one is the longest that does.
    By(&'a Rule),
    /// To find out would take too long.
    TooCostly,
}

/// Octets of patterns and paths that are compared for one URL at most, about: less than a
/// millisecond. 5,000 patterns with stars that a usual URL may match take a sixth of it.
const WORK: usize = 4_000_000;
/// What a try takes besides, in octets compared.
const WORK_PER_TRY: usize = 64;

/// A path in the forms under which rules may know it.
pub(super) struct Path {
    forms: [Option<Vec<u8>>; 2],
}

impl Builder {
    /// Adds a rule; an empty one restricts nothing (R20).
    pub(super) fn push(&mut self, allow: bool, line: u32, value: &[u8]) {
        if value.is_empty() {
            return;
        }
        let (value, anchored) = match value.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (value, false),
        };
        let pattern = normal(value, |byte| byte == b'$');
        let octets = pattern.len() + usize::from(anchored);
        // The other form comes beside it and not instead, so that no literal match is lost.
        let other = without_reserved(&pattern);
        for pattern in other.iter().chain([&pattern]) {
            self.push_form(allow, line, pattern, octets, anchored);
        }
    }

    fn push_form(&mut self, allow: bool, line: u32, pattern: &[u8], octets: usize, anchored: bool) {
        let Patterns { text, rules } = &mut self.0;
        let start = text.len();
        for byte in pattern {
            if *byte != b'*' || text[start..].last() != Some(&b'*') {
                text.push(*byte);
            }
        }
        // A star at the end says what the end says without it, and lifts an anchor.
        let ends_open = text[start..].ends_with(b"*");
        if ends_open {
            text.pop();
        }
        let stored = &text[start..];
        let beginning = memchr::memchr(b'*', stored).unwrap_or(stored.len());
        // `Robots::parse` reads 16 MiB at most, and no form is longer than three times that.
        let place = |at: usize| u32::try_from(at).expect("patterns of one file are below 4 GiB");
        rules.push(Rule {
            allow,
            line,
            octets: place(octets),
            start: place(start),
            end: place(text.len()),
            beginning: place(beginning),
            anchored: anchored && !ends_open,
            grams: Grams::of_pattern(&stored[beginning..]),
        });
    }

    /// Puts the rules in order; equal ones become one (R18), and allow stays (R19).
    pub(super) fn finish(self) -> Patterns {
        let Patterns { text, mut rules } = self.0;
        let key = |rule: &Rule| {
            let pattern = &text[rule.range()];
            let beginning = &pattern[..rule.beginning as usize];
            (beginning, Reverse(rule.octets), pattern, rule.anchored, !rule.allow, rule.line)
        };
        rules.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        rules.dedup_by(|later, first| {
            (later.octets, later.anchored) == (first.octets, first.anchored)
                && text[later.range()] == text[first.range()]
        });
        let mut text = text;
        text.shrink_to_fit();
        rules.shrink_to_fit();
        Patterns { text, rules }
    }
}

impl Patterns {
    /// Returns what the rules say of a path: the longest that matches decides, and among the
    /// longest one that allows.
    pub(super) fn decide(&self, path: &Path) -> Decision<'_> {
        self.decide_and_count(path).0
    }

    /// Returns how many patterns were tried against the path beyond their beginning.
    #[cfg(test)]
    pub(super) fn tries(&self, path: &Path) -> usize {
        self.decide_and_count(path).1
    }

    fn decide_and_count(&self, path: &Path) -> (Decision<'_>, usize) {
        let (mut best, mut tries, mut work) = (None::<&Rule>, 0, 0);
        for path in path.forms.iter().flatten() {
            let grams = OnceCell::new();
            // The longest beginnings are tried first: what they find shortens the rest.
            for range in self.agreeing(path).into_iter().rev() {
                for rule in &self.rules[range] {
                    if best.is_some_and(|best| best.rank() >= (rule.octets, true)) {
                        break;
                    }
                    let has_grams = |pair: [u16; 2]| {
                        pair.iter()
                            .all(|gram| grams.get_or_init(|| Grams::of_path(path)).has(*gram))
                    };
                    if !rule.grams.is_none_or(has_grams) {
                        continue;
                    }
                    tries += 1;
                    let is_better = best.is_none_or(|best| rule.rank() > best.rank());
                    if !is_better {
                        continue;
                    }
                    if work > WORK {
                        return (Decision::TooCostly, tries);
                    }
                    work += self.cost(rule, path);
                    if self.rest_matches(rule, path) {
                        best = Some(rule);
                    }
                }
            }
        }
        (best.map_or(Decision::Nothing, Decision::By), tries)
    }

    /// Returns how many octets are compared at most to try a rule; one without stars has matched
    /// by its beginning.
    fn cost(&self, rule: &Rule, path: &[u8]) -> usize {
        let pattern = rule.range().len() - rule.beginning as usize;
        let rest = path.len() - rule.beginning as usize;
        // One that is longer than it could match is not looked at.
        if pattern == 0 || pattern > 2 * rest + 1 { 1 } else { WORK_PER_TRY + pattern + rest }
    }

    /// Returns the ranges of rules whose literal beginning is a prefix of the path.
    fn agreeing(&self, path: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let (mut low, mut high) = (0, self.rules.len());
        for length in 0..=path.len() {
            // All of `low..high` begin with `path[..length]`; those that end there come first.
            let ends = |rule: &Rule| rule.beginning as usize == length;
            let longer = low + self.rules[low..high].partition_point(ends);
            if longer > low {
                found.push(low..longer);
                low = longer;
            }
            let Some(next) = path.get(length) else { break };
            let octet = |rule: &Rule| self.text[rule.start as usize + length];
            let from = self.rules[low..high].partition_point(|rule| octet(rule) < *next);
            let to = self.rules[low..high].partition_point(|rule| octet(rule) <= *next);
            (low, high) = (low + from, low + to);
            if low == high {
                break;
            }
        }
        found
    }

    /// Matches what stands behind the beginning of a rule, which the path has.
    ///
    /// The pieces between stars are found one after the other, each at its first place: with
    /// only `*` as a wildcard that is exact.
    fn rest_matches(&self, rule: &Rule, path: &[u8]) -> bool {
        let mut rest = &path[rule.beginning as usize..];
        let pattern = &self.text[rule.range()][rule.beginning as usize..];
        let Some(pattern) = pattern.strip_prefix(b"*") else {
            return !rule.anchored || rest.is_empty();
        };
        // Between two stars stands an octet at least: this pattern has more than the path.
        if pattern.len() > 2 * rest.len() {
            return false;
        }
        let mut pieces = pattern.split(|byte| *byte == b'*');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            let Some(place) = memchr::memmem::find(rest, piece) else { return false };
            rest = &rest[place + piece.len()..];
        }
        match rule.anchored {
            true => rest.ends_with(last),
            false => memchr::memmem::find(rest, last).is_some(),
        }
    }

    /// Returns the rule as a line of a file, for people.
    pub(super) fn line(&self, rule: &Rule) -> String {
        // Normal form is printable ASCII; a pattern of half a megabyte is cut.
        const SHOWN: usize = 200;
        let pattern = &self.text[rule.range()];
        let name = if rule.allow { "Allow" } else { "Disallow" };
        let shown = String::from_utf8_lossy(&pattern[..pattern.len().min(SHOWN)]);
        let end = match (pattern.len() > SHOWN, rule.anchored) {
            (true, _) => "…",
            (false, true) => "$",
            (false, false) => "",
        };
        format!("{name}: {shown}{end}")
    }

    /// Returns how many rules there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns the memory that the rules take.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.rules.capacity() * size_of::<Rule>()
    }
}

impl Rule {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn rank(&self) -> (u32, bool) {
        (self.octets, self.allow)
    }
}

impl Path {
    /// Takes a path with its query.
    pub(super) fn new(path_and_query: &str) -> Self {
        let path = normal(path_and_query.as_bytes(), |byte| matches!(byte, b'*' | b'$'));
        let other = without_reserved(&path);
        Self { forms: [Some(path), other] }
    }
}

/// Which three-octet pieces a path has; a set that may say yes too often.
struct Grams(Vec<u64>);

impl Grams {
    fn of_path(path: &[u8]) -> Self {
        let mut bits = vec![0; 1 << 10];
        for piece in path.windows(3) {
            let gram = Self::gram(piece);
            bits[usize::from(gram >> 6)] |= 1 << (gram & 63);
        }
        Self(bits)
    }

    /// Returns the first and the last piece of the longest run without a star.
    fn of_pattern(rest: &[u8]) -> Option<[u16; 2]> {
        let longest = rest.split(|byte| *byte == b'*').max_by_key(|run| run.len())?;
        Some([Self::gram(longest.first_chunk::<3>()?), Self::gram(longest.last_chunk::<3>()?)])
    }

    fn has(&self, gram: u16) -> bool {
        self.0[usize::from(gram >> 6)] >> (gram & 63) & 1 == 1
    }

    fn gram(piece: &[u8]) -> u16 {
        let number = piece.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
        // Knuth's multiplier spreads the octets over the upper half.
        (number.wrapping_mul(2_654_435_761) >> 16) as u16
    }
}

/// Percent-encodes what is not printable ASCII and what is `special`, decodes encoded unreserved
/// characters, upper-cases hex (R22, R23). So `%2A` in a rule meets a literal star in a path.
fn normal(text: &[u8], special: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        place += 1;
        if let Some(decoded) = (byte == b'%').then(|| octet(&text[place..])).flatten() {
            place += 2;
            if decoded.is_ascii_alphanumeric() || b"-._~".contains(&decoded) {
                out.push(decoded);
            } else {
                out.extend_from_slice(percent_encode_byte(decoded).as_bytes());
            }
        } else if byte.is_ascii_graphic() && !special(byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(percent_encode_byte(byte).as_bytes());
        }
    }
    out
}

/// Decodes reserved characters of a normal text where they are no delimiters, or returns `None`
/// if it has none of them encoded.
///
/// The standard wants reserved characters encoded on both sides (R22): `?u=http://b` in a rule
/// means `?u=http%3A%2F%2Fb` in a URL. But `%2F` in a path is not the slash that parts it (R23),
/// nor `%26` in a query the one that parts its fields. What RFC 3986 has no place for, such as
/// `|`, is encoded in most URLs and raw in most rules.
fn without_reserved(text: &[u8]) -> Option<Vec<u8>> {
    const PATH: &[u8] = b":@!'(),;+&=[]{}|^\\`\"<>";
    const QUERY: &[u8] = b":@!'(),/?[]{}|^\\`\"<>";
    memchr::memchr(b'%', text)?;
    let mut out = Vec::with_capacity(text.len());
    let (mut place, mut plain) = (0, PATH);
    while let Some(&byte) = text.get(place) {
        place += 1;
        if byte == b'?' {
            plain = QUERY;
        }
        let decoded = (byte == b'%').then(|| octet(&text[place..])).flatten();
        if let Some(decoded) = decoded.filter(|decoded| plain.contains(decoded)) {
            place += 2;
            out.push(decoded);
        } else {
            out.push(byte);
        }
    }
    (out.len() < text.len()).then_some(out)
}

/// Returns the octet that two hex digits at the start of `text` stand for.
fn octet(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| (*text.get(at)? as char).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}
