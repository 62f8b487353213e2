//! Sentences from rules: how the bulk of the demo web is written.
//!
//! A rule is a name with alternatives; a slot in braces asks for one of them.
//!
//! ```text
//! {habitat}          a fact of the page, or else an alternative of the rule `habitat`
//! {habit*2-3}        two or three different alternatives, as sentences in a row
//! {quiet|shy|bold}   one of the words given here
//! {a:colour}         the same with "a" or "an" before it
//! {n:3-17}           a number
//! {@islands}         a page of the theme `islands`, linked by its name
//! [[birds:robin|the robin]]   a link to a known page, or [[robin]] within one host
//! ```
//! Each rule is a shuffled deck per page: no sentence comes twice before all came once, and a
//! sentence that would repeat a long fact waits until there is no other.

use std::collections::{HashMap, HashSet};

use super::markup;

/// Deepest nesting of rules; our texts need four.
const MAX_DEPTH: usize = 12;
/// Words from which on a fact is a phrase that readers notice when it comes twice.
const PHRASE: usize = 4;

/// Named rules with their alternatives.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    rules: HashMap<String, Vec<String>>,
}

impl Grammar {
    /// Adds one alternative to a rule.
    pub(super) fn push(&mut self, rule: &str, alternative: &str) {
        self.rules.entry(rule.to_owned()).or_default().push(alternative.to_owned());
    }

    /// Returns the alternatives of a rule.
    pub(super) fn rule(&self, name: &str) -> Option<&[String]> {
        self.rules.get(name).map(Vec::as_slice)
    }
}

/// A page that sentences can link to.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Last word of its address.
    pub(super) slug: String,
    /// What people call it.
    pub(super) name: String,
    /// Its whole address.
    pub(super) url: String,
}

/// Every page that sentences can link to, by theme.
#[derive(Debug, Default)]
pub(super) struct Atlas {
    themes: HashMap<String, Vec<Entry>>,
    /// Articles: found by slug, never picked at random.
    articles: HashMap<(String, String), Entry>,
}

impl Atlas {
    /// Adds a page that may be picked at random.
    pub(super) fn push(&mut self, theme: &str, entry: Entry) {
        self.themes.entry(theme.to_owned()).or_default().push(entry);
    }

    /// Adds a page that is only linked by name.
    pub(super) fn push_article(&mut self, theme: &str, entry: Entry) {
        self.articles.insert((theme.to_owned(), entry.slug.clone()), entry);
    }

    /// Returns the pages of a theme that may be picked.
    pub(super) fn theme(&self, theme: &str) -> &[Entry] {
        self.themes.get(theme).map_or(&[], Vec::as_slice)
    }

    /// Returns the page of a theme with this slug.
    pub(super) fn find(&self, theme: &str, slug: &str) -> Option<&Entry> {
        self.articles
            .get(&(theme.to_owned(), slug.to_owned()))
            .or_else(|| self.theme(theme).iter().find(|entry| entry.slug == slug))
    }
}

/// Writes the text of one page.
pub(super) struct Writer<'a> {
    own: &'a Grammar,
    shared: &'a Grammar,
    atlas: &'a Atlas,
    theme: &'a str,
    facts: HashMap<String, String>,
    rng: fastrand::Rng,
    decks: HashMap<String, Vec<usize>>,
    /// Facts of several words that a sentence has used up.
    said: HashSet<String>,
    depth: usize,
}

impl<'a> Writer<'a> {
    /// Returns a writer whose every choice follows from `seed`.
    pub(super) fn new(
        own: &'a Grammar,
        shared: &'a Grammar,
        atlas: &'a Atlas,
        theme: &'a str,
        seed: u64,
    ) -> Self {
        let rng = fastrand::Rng::with_seed(seed);
        let (facts, decks, said) = (HashMap::new(), HashMap::new(), HashSet::new());
        Self { own, shared, atlas, theme, facts, rng, decks, said, depth: 0 }
    }

    /// Gives a fact a name; it wins over a rule of that name.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.facts.insert(name.to_owned(), value.to_owned());
    }

    /// Returns a number within the two bounds, both included.
    pub(super) fn number(&mut self, low: usize, high: usize) -> usize {
        self.rng.usize(low..=high.max(low))
    }

    /// Returns the template with every slot filled, sentences capitalised, links marked.
    pub(super) fn write(&mut self, template: &str) -> String {
        markup::sentences(self.expand(template).trim())
    }

    /// Returns the template with every slot filled.
    ///
    /// An unknown slot becomes `⟦name⟧`: our own tests look for it, a reader would see it.
    pub(super) fn expand(&mut self, template: &str) -> String {
        let mut out = String::with_capacity(template.len() * 2);
        let mut rest = template;
        while let Some(at) = rest.find(['{', '[']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(inner) = rest.strip_prefix("[[").and_then(|tail| tail.split_once("]]")) {
                let target = self.expand(inner.0);
                out.push_str(&self.reference(&target));
                rest = inner.1;
            } else if rest.starts_with('{') {
                let end = matching_brace(rest);
                out.push_str(&self.slot(&rest[1..end]));
                rest = rest.get(end + 1..).unwrap_or("");
            } else {
                out.push('[');
                rest = &rest[1..];
            }
        }
        out.push_str(rest);
        out
    }

    fn slot(&mut self, inner: &str) -> String {
        if self.depth >= MAX_DEPTH {
            return format!("⟦{inner}⟧");
        }
        self.depth += 1;
        let text = self.fill(inner);
        self.depth -= 1;
        text
    }

    fn fill(&mut self, inner: &str) -> String {
        let choices = split_choices(inner);
        if choices.len() > 1 {
            let choice = choices[self.rng.usize(..choices.len())];
            return self.expand(choice);
        }
        if let Some(name) = inner.strip_prefix("a:") {
            let text = self.fill(name);
            let first = markup::plain(&text).chars().next().unwrap_or('x').to_ascii_lowercase();
            let article = if "aeiou".contains(first) { "an" } else { "a" };
            return format!("{article} {text}");
        }
        if let Some(name) = inner.strip_prefix('^') {
            return markup::sentences(&self.fill(name));
        }
        if let Some(range) = inner.strip_prefix("n:") {
            let (low, high) = bounds(range);
            return self.number(low, high).to_string();
        }
        if let Some(theme) = inner.strip_prefix('@') {
            return self.pick(theme);
        }
        if let Some((name, range)) = inner.split_once('*') {
            let (low, high) = bounds(range);
            let count = self.number(low, high);
            let parts: Vec<String> = (0..count).map(|_| self.fill(name)).collect();
            return parts.join(" ");
        }
        if let Some(fact) = self.facts.get(inner).cloned() {
            return self.expand(&fact);
        }
        self.draw(inner)
    }

    /// Draws the next card of a rule's deck and expands it.
    fn draw(&mut self, name: &str) -> String {
        let (own, shared) = (self.own, self.shared);
        let Some(rule) = own.rule(name).or_else(|| shared.rule(name)) else {
            return format!("⟦{name}⟧");
        };
        let mut deck = self.decks.remove(name).unwrap_or_default();
        if deck.is_empty() {
            deck.extend(0..rule.len());
            self.rng.shuffle(&mut deck);
        }
        let fresh = deck.iter().rposition(|card| !self.repeats(&rule[*card]));
        let card = deck.remove(fresh.unwrap_or(deck.len() - 1));
        self.decks.insert(name.to_owned(), deck);
        self.remember(&rule[card]);
        self.expand(&rule[card])
    }

    /// Whether the template would say a phrase again that this page has said.
    fn repeats(&self, template: &str) -> bool {
        self.said.iter().any(|fact| mentions(template, fact))
    }

    /// Notes which phrases the template says; names and short words may come again.
    fn remember(&mut self, template: &str) {
        for (fact, value) in &self.facts {
            if value.split(' ').count() >= PHRASE && mentions(template, fact) {
                self.said.insert(fact.clone());
            }
        }
    }

    /// Picks a page of a theme; early pages are picked more often, as on the real web.
    fn pick(&mut self, theme: &str) -> String {
        let atlas = self.atlas;
        let entries = atlas.theme(theme);
        if entries.is_empty() {
            return format!("⟦@{theme}⟧");
        }
        let share = self.rng.f64().powi(2);
        // Truncation is the point: a share below one times the length is an index.
        let at = ((share * entries.len() as f64) as usize).min(entries.len() - 1);
        markup::link(&entries[at].url, &entries[at].name)
    }

    fn reference(&self, inner: &str) -> String {
        let (target, label) = inner.split_once('|').unwrap_or((inner, ""));
        if target.starts_with("http://") || target.starts_with('/') {
            return markup::link(target, if label.is_empty() { target } else { label });
        }
        let (theme, slug) = target.split_once(':').unwrap_or((self.theme, target));
        let Some(entry) = self.atlas.find(theme, slug) else {
            return format!("⟦{inner}⟧");
        };
        let words = slug.replace('-', " ");
        markup::link(&entry.url, if label.is_empty() { &words } else { label })
    }
}

/// Whether a template has a slot for this fact.
fn mentions(template: &str, fact: &str) -> bool {
    template.match_indices(fact).any(|(at, _)| {
        let before = template[..at].chars().next_back();
        matches!(before, Some('{' | '^' | ':')) && template[at + fact.len()..].starts_with('}')
    })
}

/// Returns the byte offset of the brace that closes the one at the start.
fn matching_brace(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Splits `quiet|{shy|bold}` at the bars outside braces and brackets.
fn split_choices(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut choices) = (0_i32, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'|' if depth == 0 => {
                choices.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    choices.push(&text[start..]);
    choices
}

/// Reads `3` or `3-5`.
pub(super) fn bounds(range: &str) -> (usize, usize) {
    let (low, high) = range.split_once('-').unwrap_or((range, range));
    (low.trim().parse().unwrap_or(1), high.trim().parse().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, expected: &str) {
        let (mut own, shared, mut atlas) =
            (Grammar::default(), Grammar::default(), Atlas::default());
        own.push("colour", "amber");
        let url = "http://birds.lookfar/robin".to_owned();
        atlas.push("birds", Entry { slug: "robin".into(), name: "Robin".into(), url });
        let mut writer = Writer::new(&own, &shared, &atlas, "birds", 1);
        writer.set("size", "small");
        assert_eq!(markup::plain(&writer.write(template)), expected);
    }

    #[test]
    fn slots_are_filled() {
        check(
            "{a:colour} bird. {size}, {n:4-4}. {x|x} {colour*2}",
            "An amber bird. Small, 4. X amber amber",
        );
    }

    #[test]
    fn pages_are_picked_and_referred_to() {
        check("see {@birds}, [[robin]], [[birds:robin|it]] [1]", "See Robin, robin, it [1]");
    }

    #[test]
    fn a_phrase_is_said_once_while_there_is_something_else_to_say() {
        let mut own = Grammar::default();
        for card in ["x {voice}", "y {voice}", "z"] {
            own.push("song", card);
        }
        let (shared, atlas) = (Grammar::default(), Atlas::default());
        for seed in 0..20 {
            let mut writer = Writer::new(&own, &shared, &atlas, "x", seed);
            writer.set("voice", "a low growl from underground");
            assert_eq!(writer.expand("{song*2}").matches("growl").count(), 1);
        }
    }

    #[test]
    fn unknown_names_stand_out() {
        check("{nowhere} [[nothing]]", "⟦nowhere⟧ ⟦nothing⟧");
    }

    #[test]
    fn a_deck_gives_every_alternative_before_repeating() {
        let mut own = Grammar::default();
        for card in ["a", "b", "c", "d"] {
            own.push("card", card);
        }
        let (shared, atlas) = (Grammar::default(), Atlas::default());
        let text = Writer::new(&own, &shared, &atlas, "x", 9).expand("{card*4}");
        let mut cards: Vec<&str> = text.split(' ').collect();
        cards.sort_unstable();
        assert_eq!(cards, ["a", "b", "c", "d"]);
    }
}
