//! Selectors: the names they ask for, and how sure it is that nothing else is asked.

/// How sure it is that a selector fits when all its names do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// Nothing but names is asked.
    Sure,
    /// Something is asked that we do not look at: `:first-child`, `[data-x]`, a neighbour.
    Maybe,
    /// A state that a page does not have until somebody acts: `:hover`, `:target`.
    Never,
}

/// A selector taken apart. Names are hashes of [`of_id`], [`of_class`] and [`of_element`].
#[derive(Debug)]
pub(super) struct Selector {
    /// Names of the element itself, the most telling first.
    pub(super) own: Vec<u64>,
    /// Names of its parent, where `>` asks for them.
    pub(super) parent: Vec<u64>,
    /// Names of elements around it.
    pub(super) around: Vec<u64>,
    pub(super) certainty: Certainty,
    /// Which rule wins: ids, classes, elements, as bytes of one number.
    pub(super) weight: u32,
    /// Whether the element is named by its kind alone.
    pub(super) is_plain: bool,
}

/// Longest selector read.
const SELECTOR_BYTES: usize = 512;
/// The name that every element has.
pub(super) const ANY: u64 = 0;
/// Width in pixels of the screen that conditions are held against.
const SCREEN: f32 = 1_280.0;

/// Returns the name of an element by its kind.
pub(super) fn of_element(name: &str) -> u64 {
    hash(b'<', name)
}

/// Returns the name of an element by one of its classes.
pub(super) fn of_class(class: &str) -> u64 {
    hash(b'.', class)
}

/// Returns the name of an element by its id.
pub(super) fn of_id(id: &str) -> u64 {
    hash(b'#', id)
}

/// FNV-1a: names are short, and one that collides on purpose harms only its own page.
fn hash(kind: u8, name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    name.bytes().fold(step(0xcbf2_9ce4_8422_2325, kind), step)
}

/// One element of a selector: `div.menu#top`.
#[derive(Default)]
struct Compound {
    id: Vec<u64>,
    classes: Vec<u64>,
    element: Option<u64>,
    is_any: bool,
}

impl Compound {
    fn is_empty(&self) -> bool {
        self.id.is_empty() && self.classes.is_empty() && self.element.is_none() && !self.is_any
    }

    fn names(self) -> Vec<u64> {
        let mut names = self.id;
        names.extend(self.classes);
        names.extend(self.element);
        names
    }
}

/// Takes a selector apart; `None` for what speaks of no element (`::before`) or is broken.
pub(super) fn parse(text: &str) -> Option<Selector> {
    let text = text.trim_ascii();
    if text.is_empty() || text.len() > SELECTOR_BYTES {
        return None;
    }
    let mut reader = Reader {
        rest: text,
        done: Vec::new(),
        compound: Compound::default(),
        certainty: Certainty::Sure,
        weight: 0,
    };
    while !reader.rest.is_empty() {
        reader.step()?;
    }
    reader.finish()
}

struct Reader<'a> {
    rest: &'a str,
    /// Compounds read, each with whether `>` stands behind it.
    done: Vec<(Compound, bool)>,
    compound: Compound,
    certainty: Certainty,
    weight: u32,
}

impl Reader<'_> {
    fn step(&mut self) -> Option<()> {
        let before = self.rest;
        let first = before.chars().next()?;
        self.rest = &before[first.len_utf8()..];
        match first {
            '#' => {
                let id = of_id(&self.ident()?);
                self.compound.id.push(id);
                self.weight += 1 << 16;
            }
            '.' => {
                let class = of_class(&self.ident()?);
                self.compound.classes.push(class);
                self.weight += 1 << 8;
            }
            '*' => self.compound.is_any = true,
            ':' => self.pseudo()?,
            '[' => {
                self.rest = self.rest.split_once(']')?.1;
                self.certainty = self.certainty.max(Certainty::Maybe);
                self.compound.is_any = true;
                self.weight += 1 << 8;
            }
            '>' | '+' | '~' => self.combine(first),
            _ if first.is_ascii_whitespace() => self.combine(' '),
            _ if first.is_alphanumeric() || matches!(first, '_' | '-') => {
                self.rest = before;
                let name = self.ident()?.to_ascii_lowercase();
                self.compound.element = Some(of_element(&name));
                self.weight += 1;
            }
            _ => return None,
        }
        Some(())
    }

    /// Takes a name, its escapes undone (`md\:hidden`).
    fn ident(&mut self) -> Option<String> {
        let mut name = String::new();
        let mut characters = self.rest.chars();
        loop {
            let before = characters.as_str();
            match characters.next() {
                Some('\\') => name.extend(characters.next()),
                Some(c) if c.is_alphanumeric() || matches!(c, '_' | '-') => name.push(c),
                _ => {
                    self.rest = before;
                    return (!name.is_empty()).then_some(name);
                }
            }
        }
    }

    fn pseudo(&mut self) -> Option<()> {
        if self.rest.starts_with(':') {
            return None;
        }
        let name = self.ident()?.to_ascii_lowercase();
        if self.rest.starts_with('(') {
            self.rest = self.rest.split_once(')')?.1.trim_start_matches(')');
        }
        self.compound.is_any = true;
        self.weight += 1 << 8;
        let certainty = match &*name {
            "before" | "after" | "first-letter" | "first-line" => return None,
            "link" | "any-link" | "root" => Certainty::Sure,
            "hover" | "focus" | "focus-within" | "focus-visible" | "active" | "visited"
            | "target" | "checked" | "disabled" | "invalid" | "open" | "popover-open" => {
                Certainty::Never
            }
            _ => Certainty::Maybe,
        };
        self.certainty = self.certainty.max(certainty);
        Some(())
    }

    /// Ends a compound.
    fn combine(&mut self, sign: char) {
        if !self.compound.is_empty() {
            let compound = std::mem::take(&mut self.compound);
            self.done.push((compound, false));
        }
        match sign {
            '>' => {
                if let Some(last) = self.done.last_mut() {
                    last.1 = true;
                }
            }
            // What stands beside the element is not looked at.
            '+' | '~' => {
                self.certainty = self.certainty.max(Certainty::Maybe);
                self.done.pop();
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Option<Selector> {
        if self.compound.is_empty() {
            return None;
        }
        let is_plain = self.compound.id.is_empty() && self.compound.classes.is_empty();
        let mut own = self.compound.names();
        if own.is_empty() {
            own.push(ANY);
        }
        let (mut parent, mut around) = (Vec::new(), Vec::new());
        if let Some((_, true)) = self.done.last() {
            parent = self.done.pop().map(|(compound, _)| compound.names()).unwrap_or_default();
        }
        for (compound, _) in self.done {
            around.extend(compound.names());
        }
        let (certainty, weight) = (self.certainty, self.weight);
        Some(Selector { own, parent, around, certainty, weight, is_plain })
    }
}

/// Returns whether the rules behind an at-rule count: those for screens of common width.
pub(super) fn holds(prelude: &str) -> bool {
    let lower = prelude.get(..prelude.floor_char_boundary(512)).unwrap_or("").to_ascii_lowercase();
    if let Some(condition) = lower.strip_prefix("@supports") {
        return !condition.trim_ascii().starts_with("not");
    }
    if lower.starts_with("@layer") {
        return true;
    }
    let Some(queries) = lower.strip_prefix("@media") else { return false };
    media(queries)
}

/// Returns whether a list of media queries, in lower case, means a screen of common width.
pub(super) fn media(queries: &str) -> bool {
    queries.split(',').any(|query| {
        query.split(" and ").all(|part| {
            let part = part.trim_ascii();
            let kind = part.strip_prefix("only ").unwrap_or(part).trim_ascii();
            matches!(kind, "" | "all" | "screen") || width_holds(part)
        })
    })
}

fn width_holds(condition: &str) -> bool {
    let inner = condition.trim_start_matches('(').trim_end_matches(')');
    let Some((name, value)) = inner.split_once(':') else { return false };
    let value = value.trim_ascii();
    let digits = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
    let Ok(number) = value[..digits].parse::<f32>() else { return false };
    let pixels = if value.ends_with("em") { number * 16.0 } else { number };
    match name.trim_ascii() {
        "min-width" => pixels <= SCREEN,
        "max-width" => pixels >= SCREEN,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_taken_apart() {
        let read = parse("body div.menu > ul#top.a").unwrap();
        assert_eq!(read.own, [of_id("top"), of_class("a"), of_element("ul")]);
        assert_eq!(read.parent, [of_class("menu"), of_element("div")]);
        assert_eq!(read.around, [of_element("body")]);
        assert_eq!((read.certainty, read.is_plain), (Certainty::Sure, false));
        assert_eq!(parse("LI").unwrap().own, [of_element("li")]);
        assert_eq!(parse("*").unwrap().own, [ANY]);
        assert_eq!(parse(r".md\:block").unwrap().own, [of_class("md:block")]);
    }

    #[test]
    fn what_is_more_than_names_is_uncertain() {
        let certainty = |text: &str| parse(text).map(|selector| selector.certainty);
        assert_eq!(certainty("a:link"), Some(Certainty::Sure));
        assert_eq!(certainty("li:hover ul"), Some(Certainty::Never));
        assert_eq!(certainty("li:nth-child(2n + 1)"), Some(Certainty::Maybe));
        assert_eq!(certainty("input[type=x] + p"), Some(Certainty::Maybe));
        for text in ["p::before", "p:after", "", ">", ".", "a..b", "{", "a b >", "ü%"] {
            assert_eq!(certainty(text), None, "{text}");
        }
    }

    #[test]
    fn conditions_are_held_against_a_screen() {
        for (prelude, expected) in [
            ("@media screen", true),
            ("@media only screen and (min-width: 40em)", true),
            ("@media (max-width: 600px)", false),
            ("@media print", false),
            ("@media print, screen", true),
            ("@media (prefers-color-scheme: dark)", false),
            ("@supports (display: grid)", true),
            ("@supports not (display: grid)", false),
            ("@keyframes x", false),
            ("@layer base", true),
        ] {
            assert_eq!(holds(prelude), expected, "{prelude}");
        }
    }
}
