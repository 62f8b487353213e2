//! The rules that one robots.txt has for us, read line by line.

use std::time::Duration;

use super::lines::{self, Field};
use super::patterns::{Builder, Decision, Path, Patterns};

/// The rules that one robots.txt has for us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Robots {
    rules: Patterns,
    asked_delay: Option<Duration>,
    sitemaps: Vec<String>,
    has_groups: bool,
}

/// The rule that decided about a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deciding {
    /// Whether it allows the URL.
    pub(crate) allow: bool,
    /// Where it stands and what it says, percent-encoding made normal and escaped for showing:
    /// ``line 7 `Disallow: /search` ``.
    pub(crate) rule: String,
}

/// What decides where the file has more patterns than are tried (ROB-11).
const TOO_COSTLY: &str = "having too many rules with stars to try them all";

/// Most that is read of a file, whoever hands it in: far above what a [`super::Copy`] holds.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Most sitemaps taken from one file (ROB-14).
const SITEMAPS: usize = 100;
/// Longest delay that is understood: longer ones are as good as never.
const LONGEST_DELAY: Duration = Duration::from_secs(u32::MAX as u64);

impl Robots {
    /// Reads a file; lines that make no sense are passed over. `token` is our name.
    pub(crate) fn parse(file: &[u8], token: &str) -> Self {
        let file = lines::octets(&file[..file.len().min(MOST_BYTES)]);
        let mut reader = Reader { token, ..Reader::default() };
        for (number, line) in lines::numbered(&file) {
            if let Some((field, value)) = lines::field(line) {
                reader.read(number, field, value);
            }
        }
        reader.finish()
    }

    /// Returns whether a path with its query may be fetched.
    ///
    /// The longest matching rule decides; allow wins over an equally long disallow.
    pub(crate) fn allows(&self, path_and_query: &str) -> bool {
        if path_and_query == "/robots.txt" {
            return true;
        }
        match self.rules.decide(&Path::new(path_and_query)) {
            Decision::Nothing => true,
            Decision::By(rule) => rule.allow,
            Decision::TooCostly => false,
        }
    }

    /// Returns the rule that decides about a path with its query, if one matches it.
    pub(crate) fn deciding(&self, path_and_query: &str) -> Option<Deciding> {
        if path_and_query == "/robots.txt" {
            return None;
        }
        match self.rules.decide(&Path::new(path_and_query)) {
            Decision::Nothing => None,
            Decision::By(rule) => {
                let text = format!("line {} `{}`", rule.line, self.rules.line(rule));
                Some(Deciding { allow: rule.allow, rule: text })
            }
            Decision::TooCostly => Some(Deciding { allow: false, rule: TOO_COSTLY.to_owned() }),
        }
    }

    /// Returns the delay asked for between two requests; the longest if there are several.
    ///
    /// Not capped (ROB-13): whoever finds it too long leaves the host out, and is never faster.
    pub(crate) fn asked_delay(&self) -> Option<Duration> {
        self.asked_delay
    }

    /// Returns the values of `Sitemap` lines, each once, as they were written: the caller checks
    /// where they point (ROB-14).
    pub(crate) fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// Returns how many rules hold for us.
    #[cfg(test)]
    pub(super) fn num_rules(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether any line of the file named a crawler; a page of HTML does not (ROB-03).
    pub(crate) fn has_groups(&self) -> bool {
        self.has_groups
    }

    /// Returns the memory that the rules take.
    pub(crate) fn bytes(&self) -> usize {
        let sitemaps = self.sitemaps.iter().map(|sitemap| sitemap.capacity() + size_of::<String>());
        size_of::<Self>() + self.rules.bytes() + sitemaps.sum::<usize>()
    }

    /// Returns how many patterns are tried for a path beyond their literal beginning.
    #[cfg(test)]
    pub(super) fn tries(&self, path_and_query: &str) -> usize {
        self.rules.tries(&Path::new(path_and_query))
    }
}

/// Reads lines one after the other.
#[derive(Default)]
struct Reader<'a> {
    token: &'a str,
    ours: Group,
    everyone: Group,
    /// Whether a group is for us, be it without rules (R05, R13).
    found_ours: bool,
    has_groups: bool,
    /// Whom the rules that come next are for.
    agents: Agents,
    /// Whom a delay that comes next is for: a delay ends this list, but not the group (R32). In
    /// files that have nothing but delays, each agent so gets its own.
    delayed: Agents,
    sitemaps: Vec<String>,
}

/// All groups for one token, merged (R10).
#[derive(Default)]
struct Group {
    rules: Builder,
    delay: Option<Duration>,
}

/// A run of user-agent lines.
#[derive(Clone, Copy, Default)]
struct Agents {
    us: bool,
    all: bool,
    /// Whether lines for them have come: the next user-agent line begins a new run.
    closed: bool,
}

impl Reader<'_> {
    fn read(&mut self, number: u32, field: Field, value: &[u8]) {
        match field {
            Field::UserAgent => self.agent(value),
            Field::Allow | Field::Disallow => {
                self.agents.closed = true;
                self.delayed = self.agents;
                let allow = field == Field::Allow;
                if self.agents.us {
                    self.ours.rules.push(allow, number, value);
                }
                if self.agents.all {
                    self.everyone.rules.push(allow, number, value);
                }
            }
            Field::CrawlDelay => {
                self.delayed.closed = true;
                let Some(delay) = delay(value) else { return };
                let groups =
                    [(self.delayed.us, &mut self.ours), (self.delayed.all, &mut self.everyone)];
                for (_, group) in groups.into_iter().filter(|(is_for, _)| *is_for) {
                    group.delay = group.delay.max(Some(delay));
                }
            }
            Field::Sitemap => self.sitemap(value),
        }
    }

    fn agent(&mut self, value: &[u8]) {
        self.has_groups = true;
        // What follows the name, as in `lookfar/2.0` or `* # all`, does not count.
        let is_all = matches!(value, [b'*'] | [b'*', b' ' | b'\t', ..]);
        let is_us = is_token(value, self.token);
        self.found_ours |= is_us;
        for agents in [&mut self.agents, &mut self.delayed] {
            if agents.closed {
                *agents = Agents::default();
            }
            agents.us |= is_us;
            agents.all |= is_all;
        }
    }

    fn sitemap(&mut self, value: &[u8]) {
        let Ok(value) = str::from_utf8(value) else { return };
        let fits = !value.is_empty() && value.len() <= base::limits::URL_BYTES;
        if fits && self.sitemaps.len() < SITEMAPS && !self.sitemaps.iter().any(|old| old == value) {
            self.sitemaps.push(value.to_owned());
        }
    }

    fn finish(self) -> Robots {
        let Group { rules, delay } = if self.found_ours { self.ours } else { self.everyone };
        Robots {
            rules: rules.finish(),
            asked_delay: delay,
            sitemaps: self.sitemaps,
            has_groups: self.has_groups,
        }
    }
}

/// Compares a user-agent line with our token: letters, `_` and `-` up to anything else.
fn is_token(value: &[u8], token: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let end = value.iter().position(|byte| !is_part(byte)).unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(token.as_bytes())
}

/// Reads a number of seconds; one too large for us is the longest we know.
fn delay(value: &[u8]) -> Option<Duration> {
    // Rust also reads `inf`, `+5` and `-0` as numbers.
    if !matches!(value.first()?, b'0'..=b'9' | b'.') {
        return None;
    }
    let seconds: f64 = str::from_utf8(value).ok()?.parse().ok()?;
    let delay = Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_DELAY);
    Some(delay.min(LONGEST_DELAY))
}
