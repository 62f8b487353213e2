//! The lessons themselves: evidence gathered from fetches, advice drawn from it.
//!
//! Two kinds. *Spellings*: a parameter, a slash, upper case, an order or an origin that makes no
//! difference; learnt from pages that turned out the same, forgotten for good at the first pair
//! that differs. *Shapes*: addresses of one make ([`Shape`]) that bring nothing; believed while
//! the last hundred or so fetches say so.

use base::{Rules, Url};
use serde::{Deserialize, Serialize};

use super::Shape;
use super::account::{Account, Worth};
use super::kinship::{Kinship, Origin, Parts, name_of};
use super::memory::{Entry, Memory, Text};
use super::novelty::{Sketch, Watch};

/// Most that the lessons of one host take when stored.
#[cfg(test)]
pub(crate) const MAX_BYTES: usize = 10 * 1024;

/// Shapes and parameters that are kept account of; the least useful entry goes.
const MAX_SHAPES: usize = 64;
const MAX_PARAMETERS: usize = 32;
/// Longest name of a parameter that is learnt.
const NAME_BYTES: usize = 40;

/// Pairs of pages that must agree before a parameter is dropped.
const PARAMETER_WITNESSES: u8 = 5;
/// Pairs of pages that must agree before another spelling is chosen.
const SPELLING_WITNESSES: u8 = 3;
/// Pages of a shape before their words are watched: most shapes have one page.
const UNWATCHED: u16 = 2;
/// Rewritings of an address until it must stand still.
const ROUNDS: usize = 4;

/// What is learnt of one host, under all its origins.
///
/// Best kept for a name and its `www.` twin together ([`Self::host_of`]), since each is evidence
/// about the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Lessons {
    shapes: Vec<Account>,
    parameters: Vec<Parameter>,
    lower_case: Evidence,
    drop_slash: Evidence,
    add_slash: Evidence,
    sort: Evidence,
    /// From each origin (rows) to each other.
    origins: [[Evidence; Origin::COUNT]; Origin::COUNT],
    memory: Memory,
    watch: Watch,
}

/// What one fetch brought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation<'a> {
    /// The address that was asked.
    pub(crate) url: &'a Url,
    /// The page that named it first.
    pub(crate) from: Option<&'a Url>,
    /// Hash of the page's text, where it has one.
    pub(crate) text_hash: Option<u64>,
    /// What its main text is made of.
    pub(crate) sketch: &'a Sketch,
    /// What came of it.
    pub(crate) outcome: Outcome<'a>,
}

/// What came of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<'a> {
    /// A page that was not known before.
    New,
    /// The same text as that page of the collection.
    CopyOf(&'a Url),
    /// Nearly the same text: nothing new, but no proof that the two addresses are one page.
    NearCopyOf(&'a Url),
    /// A page without anything to find.
    Empty,
    /// A page that only says that there is none.
    Missing,
    /// No page, and the server says so: 404, 410 and their like.
    Absent,
    /// Another address.
    Redirect(&'a Url),
}

/// What to do with an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Fetch it.
    Fetch,
    /// Leave it: others like it brought nothing.
    Skip(Fruitless),
    /// Take this address, which is the same page. It needs no further advice.
    Instead(Url),
}

/// A shape whose pages bring nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fruitless {
    /// The shape's text, or its beginning.
    pub(crate) shape: String,
    /// Pages of it that were fetched.
    pub(crate) fetched: u32,
}

impl Lessons {
    /// Returns the bytes of memory that they take, about.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>()
            + self.shapes.len() * Account::WEIGHT
            + self.parameters.len() * (size_of::<Parameter>() + NAME_BYTES)
            + self.memory.weight()
            + self.watch.weight()
    }

    /// Returns the name under which the lessons of an address are best kept: without `www.`.
    pub(crate) fn host_of(url: &Url) -> &str {
        Parts::of(url).bare
    }

    /// Learns from a fetch; returns whether the page says anything new, as far as is known.
    pub(crate) fn observe(&mut self, seen: &Observation<'_>) -> bool {
        let here = Parts::of(seen.url);
        let spelling = here.spelling(None);
        let is_first = !self.memory.find(spelling.key).any(|entry| entry.form == spelling.form);
        let is_new = self.account(seen);
        let text = match (seen.outcome, seen.text_hash) {
            (Outcome::New | Outcome::CopyOf(_) | Outcome::NearCopyOf(_), Some(hash)) => {
                Text::of_hash(hash)
            }
            (Outcome::Empty | Outcome::Missing | Outcome::Absent, _) => Text::NOTHING,
            _ => Text::ELSEWHERE,
        };
        // A page that is fetched again is no new witness, and its kin may have changed since.
        if is_first {
            let mut found = self.compare(here, text);
            match seen.outcome {
                Outcome::CopyOf(original) => {
                    let kinship = here.kinship(Parts::of(original));
                    found.extend(kinship.map(|kinship| (kinship, true)));
                }
                Outcome::Redirect(target) => self.follow(here, Parts::of(target)),
                _ => {}
            }
            self.conclude(found);
        }
        self.memory.put(Entry { key: spelling.key, form: spelling.form, text });
        for name in here.names() {
            let spelling = here.without(name);
            self.memory.put(Entry { key: spelling.key, form: spelling.form, text });
        }
        is_new
    }

    /// Returns what to do with an address, under the default rules for URLs.
    #[cfg(test)]
    pub(crate) fn verdict(&self, url: &Url) -> Advice {
        self.verdict_under(url, Rules::default())
    }

    /// Returns what to do with an address; a rewritten one is canonical under `rules`.
    pub(crate) fn verdict_under(&self, url: &Url, rules: Rules) -> Advice {
        match self.rewritten(url, rules) {
            None => self.verdict_of_shape(url),
            Some(instead) => match self.verdict_of_shape(&instead) {
                Advice::Fetch => Advice::Instead(instead),
                skip => skip,
            },
        }
    }

    /// Returns what to do with an address as it is written, whatever other spellings there are.
    pub(crate) fn verdict_of_shape(&self, url: &Url) -> Advice {
        match self.fruitless(url) {
            Some(account) => {
                Advice::Skip(Fruitless { shape: account.text.clone(), fetched: account.total })
            }
            None => Advice::Fetch,
        }
    }

    /// Returns how many pages of the address's shape were fetched, as far as is remembered.
    #[cfg(test)]
    pub(crate) fn fetched_of_shape(&self, url: &Url) -> u32 {
        let hash = Shape::of(url).hash();
        self.shapes.iter().find(|account| account.hash == hash).map_or(0, |account| account.total)
    }

    /// Returns the parameters that make no difference.
    pub(crate) fn idle_parameters(&self) -> impl Iterator<Item = &str> {
        let learnt = self.parameters.iter().filter(|one| one.evidence.has(PARAMETER_WITNESSES));
        learnt.map(|one| one.name.as_str())
    }

    /// Returns in which ways the page's remembered kin agree with it or differ from it.
    fn compare<'a>(&self, here: Parts<'a>, text: Text) -> Vec<(Kinship<'a>, bool)> {
        let spelling = here.spelling(None);
        let mut found = Vec::new();
        for kin in self.memory.find(spelling.key) {
            let agrees = text.agrees(kin.text);
            // An origin with a port of its own has no twin.
            let kinship = spelling
                .kinship(kin.form)
                .filter(|kinship| here.port.is_none() || !matches!(kinship, Kinship::Origin(..)));
            found.extend(kinship.zip(agrees));
        }
        for name in here.names() {
            let with_other_value = here.without(name);
            let others = self.memory.find(with_other_value.key);
            let others = others.filter(|kin| kin.form != with_other_value.form);
            let rest = here.spelling(Some(name));
            let without = self.memory.find(rest.key).filter(|kin| kin.form == rest.form);
            for kin in others.chain(without) {
                found
                    .extend(text.agrees(kin.text).map(|agrees| (Kinship::Parameter(name), agrees)));
            }
        }
        found
    }

    /// Takes each finding into account once, however many kin say the same.
    fn conclude(&mut self, mut found: Vec<(Kinship<'_>, bool)>) {
        let mut taken = Vec::new();
        for finding in found.drain(..) {
            if taken.contains(&finding) {
                continue;
            }
            taken.push(finding);
            let (kinship, agrees) = finding;
            match kinship {
                Kinship::Parameter(name) => self.weigh_parameter(name, agrees),
                Kinship::Case => self.lower_case.weigh(agrees),
                Kinship::Order => self.sort.weigh(agrees),
                Kinship::Slash => {
                    self.drop_slash.weigh(agrees);
                    self.add_slash.countered |= !agrees;
                }
                Kinship::Origin(one, other) => {
                    let (lesser, better) = (one.min(other), one.max(other));
                    self.origin(lesser, better).weigh(agrees);
                    self.origin(better, lesser).countered |= !agrees;
                }
            }
        }
    }

    /// Learns from a redirect: it also says which spelling the site itself prefers, and a rewriting
    /// against it would go round in circles.
    fn follow(&mut self, from: Parts<'_>, to: Parts<'_>) {
        match from.kinship(to) {
            Some(Kinship::Parameter(name)) => {
                let has = |parts: Parts<'_>| parts.pairs(None).any(|pair| name_of(pair) == name);
                match (has(from), has(to)) {
                    (true, false) => self.weigh_parameter(name, true),
                    (false, true) => self.weigh_parameter(name, false),
                    _ => {}
                }
            }
            Some(Kinship::Case) => {
                let is_lower = to.core == lower_case(to.core);
                self.lower_case.weigh(is_lower);
            }
            Some(Kinship::Order) => {
                let is_sorted = to.pairs(None).map(name_of).is_sorted();
                self.sort.weigh(is_sorted);
            }
            Some(Kinship::Slash) => {
                self.add_slash.weigh(to.has_slash);
                self.drop_slash.weigh(!to.has_slash);
            }
            Some(Kinship::Origin(from, to)) => {
                // Never back to an address that anybody on the way could read (RED-07).
                if to.is_https() || !from.is_https() {
                    self.origin(from, to).weigh(true);
                }
                self.origin(to, from).weigh(false);
            }
            None => {}
        }
    }

    fn origin(&mut self, from: Origin, to: Origin) -> &mut Evidence {
        &mut self.origins[from.index()][to.index()]
    }

    fn weigh_parameter(&mut self, name: &str, agrees: bool) {
        if name.is_empty() || name.len() > NAME_BYTES {
            return;
        }
        if let Some(known) = self.parameters.iter_mut().find(|known| known.name == name) {
            known.evidence.weigh(agrees);
            return;
        }
        if self.parameters.len() >= MAX_PARAMETERS {
            // What was countered is kept: it must not be learnt again.
            let weakest = self.parameters.iter().enumerate();
            let weakest = weakest.filter(|(_, known)| !known.evidence.countered);
            let weakest = weakest.min_by_key(|(_, known)| known.evidence.witnesses);
            let Some((place, _)) = weakest else { return };
            self.parameters.remove(place);
        }
        let mut evidence = Evidence::default();
        evidence.weigh(agrees);
        self.parameters.push(Parameter { name: name.to_owned(), evidence });
    }

    /// Keeps the books on the shapes of what was fetched; returns whether it was useful. Redirects
    /// are no pages.
    fn account(&mut self, seen: &Observation<'_>) -> bool {
        let worth = match seen.outcome {
            // Dead links come from real pages, so they have an end; they say nothing of a shape.
            Outcome::Redirect(_) | Outcome::Absent => return false,
            Outcome::Missing => Worth::Missing,
            Outcome::CopyOf(_) | Outcome::NearCopyOf(_) | Outcome::Empty => Worth::Useless,
            Outcome::New => Worth::Useful,
        };
        let shape = Shape::of(seen.url);
        let wide = shape.widened();
        // Where every page may have a shape of its own, the wider one is what they have in common.
        let common = wide.as_ref().unwrap_or(&shape);
        // Pages that a list names are meant, however little they say; those that their like go on
        // naming without end are not.
        // What a near copy says is taken in too, or the next page seems to say it first.
        let is_near = matches!(seen.outcome, Outcome::NearCopyOf(_));
        let repeats_others = (worth == Worth::Useful || is_near)
            && seen.from.is_some_and(|from| is_kin(from, seen.url, common))
            && self.account_of(common).fetched >= UNWATCHED
            && self.watch.is_stale(common.hash(), seen.sketch, is_question(seen.url));
        let worth = if repeats_others { Worth::Useless } else { worth };
        self.account_of(&shape).add(worth);
        // Dead links of a folder say nothing against its other pages.
        if let Some(wide) = wide.filter(|_| worth != Worth::Missing) {
            self.account_of(&wide).add(worth);
        }
        worth == Worth::Useful
    }

    fn account_of(&mut self, shape: &Shape) -> &mut Account {
        let place = self.shapes.iter().position(|account| account.hash == shape.hash());
        let place = place.unwrap_or_else(|| {
            if self.shapes.len() >= MAX_SHAPES {
                let rarest = self.shapes.iter().enumerate();
                let rarest = rarest.min_by_key(|(_, account)| account.fetched);
                let rarest = rarest.map_or(0, |(place, _)| place);
                self.shapes.remove(rarest);
            }
            self.shapes.push(Account::new(shape));
            self.shapes.len() - 1
        });
        &mut self.shapes[place]
    }

    /// Returns the account of a shape that brings nothing, unless this address is to probe it.
    fn fruitless(&self, url: &Url) -> Option<&Account> {
        if !self.shapes.iter().any(Account::is_fruitless) {
            return None;
        }
        let shape = Shape::of(url);
        let wide = shape.widened();
        std::iter::once(shape).chain(wide).find_map(|shape| {
            let account = self.shapes.iter().find(|account| account.hash == shape.hash())?;
            (account.is_fruitless() && !account.is_probe(url)).then_some(account)
        })
    }

    /// Returns the better spelling of an address, if there is one.
    fn rewritten(&self, url: &Url, rules: Rules) -> Option<Url> {
        let is_learnt = |evidence: &Evidence| evidence.has(SPELLING_WITNESSES);
        let spellings = [&self.lower_case, &self.drop_slash, &self.add_slash, &self.sort];
        let has_lesson = self.idle_parameters().next().is_some()
            || spellings.into_iter().any(is_learnt)
            || self.origins.iter().flatten().any(is_learnt);
        if !has_lesson {
            return None;
        }
        let mut current = self.rewrite(url, rules)?;
        for _ in 0..ROUNDS {
            let next = self.rewrite(&current, rules)?;
            if next == current {
                return (current != *url).then_some(current);
            }
            current = next;
        }
        None
    }

    fn rewrite(&self, url: &Url, rules: Rules) -> Option<Url> {
        let parts = Parts::of(url);
        let mut text = match parts.port {
            None => self.best_origin(parts.origin).text(parts.bare),
            Some(_) => url.origin().to_owned(),
        };
        let is_learnt = |evidence: &Evidence| evidence.has(SPELLING_WITNESSES);
        if is_learnt(&self.lower_case) {
            text.push_str(&lower_case(parts.core));
        } else {
            text.push_str(parts.core);
        }
        let last = parts.core.rsplit('/').next().unwrap_or_default();
        let gets_slash = is_learnt(&self.add_slash) && !last.contains('.');
        let loses_slash = is_learnt(&self.drop_slash) && !parts.core.is_empty();
        if parts.core.is_empty() || gets_slash || parts.has_slash && !loses_slash {
            text.push('/');
        }
        let is_idle = |pair: &str| self.idle_parameters().any(|name| name == name_of(pair));
        let mut pairs: Vec<&str> = parts.pairs(None).filter(|pair| !is_idle(pair)).collect();
        if is_learnt(&self.sort) {
            pairs.sort_by_key(|pair| name_of(pair));
        }
        for (place, pair) in pairs.into_iter().enumerate() {
            text.push(if place == 0 { '?' } else { '&' });
            text.push_str(pair);
        }
        Url::parse_with(&text, rules).ok()
    }

    /// Follows what is learnt of origins to its end; stays where that goes round in circles, or to
    /// an origin that is known to differ.
    fn best_origin(&self, from: Origin) -> Origin {
        let evidence = |from: Origin, to: Origin| self.origins[from.index()][to.index()];
        let mut current = from;
        for _ in 0..Origin::COUNT {
            let learnt = |to: &Origin| evidence(current, *to).has(SPELLING_WITNESSES);
            match Origin::all().filter(learnt).last() {
                Some(next) => current = next,
                None if evidence(from, current).countered => return from,
                None => return current,
            }
        }
        from
    }
}

/// Witnesses for a lesson; one against it is enough for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Evidence {
    witnesses: u8,
    countered: bool,
}

impl Evidence {
    fn weigh(&mut self, agrees: bool) {
        if agrees {
            self.witnesses = self.witnesses.saturating_add(1);
        } else {
            self.countered = true;
        }
    }

    fn has(self, witnesses: u8) -> bool {
        !self.countered && self.witnesses >= witnesses
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Parameter {
    name: String,
    evidence: Evidence,
}

/// Returns whether a page was named by its like: one of its shape, or another question to the same
/// path.
fn is_kin(from: &Url, url: &Url, common: &Shape) -> bool {
    if from.host_str() != url.host_str() {
        return false;
    }
    let shape = Shape::of(from);
    let shape = shape.widened().unwrap_or(shape);
    shape.hash() == common.hash() || is_question(url) && from.path() == url.path()
}

/// Whether an address carries a question: words in its query or its last segment, or a choice of
/// several parameters. One number alone names an item, as `?id=7` does.
fn is_question(url: &Url) -> bool {
    let parts = Parts::of(url);
    let last = parts.core.rsplit('/').next().unwrap_or_default();
    let is_words = |pair: &str| {
        let value = pair.split_once('=').map_or("", |(_, value)| value);
        !value.is_empty() && !value.bytes().any(|byte| byte.is_ascii_digit())
    };
    parts.pairs(None).count() > 1
        || parts.pairs(None).any(is_words)
        || last.contains('+')
        || last.contains("%20")
}

/// Writes a path in lower case, the hexadecimal digits of its encodings apart.
fn lower_case(path: &str) -> String {
    let mut digits = 0;
    let lower = |letter: char| {
        if letter == '%' {
            digits = 2;
        } else if digits > 0 {
            digits -= 1;
            return letter;
        }
        letter.to_ascii_lowercase()
    };
    path.chars().map(lower).collect()
}

#[cfg(test)]
mod tests;
