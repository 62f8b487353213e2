//! Rules of the page's own style sheets, found by the names of an element.
//!
//! Each rule stands under one name of its subject (id, else class, else element), as browsers
//! keep theirs. What it asks of elements further out is answered by counts of the names that are
//! open, so a look costs as much as the rules under the element's own names, and those are
//! bounded. Two liberties: ancestors are not compared in order, and rules are taken as uncertain
//! where a selector asks for more than names.

use std::collections::HashMap;

use base::limits;
use foldhash::fast::RandomState;

use super::selector::{self, Certainty, Selector};
use super::style::{Declared, Ink, Style};
use crate::html::hidden::colour::Paint;

/// Text of style sheets read, in bytes.
pub(super) const SHEET_BYTES: usize = 512 * 1024;
/// Rules kept, and rules under one name.
const RULES: usize = 4_096;
const RULES_PER_NAME: usize = 64;
/// Rules looked at for a page before those that need more than one name are left out.
const PATIENCE: u32 = 20_000_000;
/// Blocks of `@media` inside each other.
const BLOCKS: usize = 16;

/// The rules of a page, and the names of the elements that are open.
#[derive(Default)]
pub(super) struct Sheet {
    rules: Vec<Rule>,
    declared: Vec<Declared>,
    names: HashMap<u64, NameId, RandomState>,
    by_name: Vec<Name>,
    /// Whether another sheet is asked for, which we do not see.
    pub(super) imports: bool,
    looked: u32,
    matched: Vec<u32>,
}

type NameId = u32;

#[derive(Default)]
struct Name {
    /// Rules whose subject has this name first.
    rules: Vec<u32>,
    /// Rules that show something, under all names of their subjects.
    openers: Vec<u32>,
    /// Open elements that have it.
    open: u32,
}

struct Rule {
    /// Names of the element, of its parent, of elements around it.
    own: Box<[NameId]>,
    parent: Box<[NameId]>,
    around: Box<[NameId]>,
    declared: u32,
    weight: u32,
    certainty: Certainty,
    /// Whether the subject is named by its element alone.
    is_plain: bool,
}

/// What the sheets say of an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said {
    pub(super) normal: Style,
    pub(super) important: Style,
}

impl Sheet {
    /// Adds the text of a `<style>` element.
    pub(super) fn read(&mut self, text: &str) {
        let text = without_comments(limits::cut(text, SHEET_BYTES));
        let mut rest = text.as_str();
        let mut open_blocks = 0;
        while let Some((prelude, end, behind)) = next_piece(rest) {
            let prelude = prelude.trim_ascii();
            rest = behind;
            match end {
                b'{' if prelude.starts_with('@') => {
                    if open_blocks < BLOCKS && selector::holds(prelude) {
                        open_blocks += 1;
                    } else {
                        rest = block(rest).1;
                    }
                }
                b'{' => {
                    let (body, behind) = block(rest);
                    rest = behind;
                    self.add(prelude, body);
                }
                b';' => {
                    let word = prelude.as_bytes().get(..7).unwrap_or_default();
                    self.imports |= word.eq_ignore_ascii_case(b"@import");
                }
                // `}` ends a block that held.
                _ => open_blocks = open_blocks.saturating_sub(1),
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn add(&mut self, selectors: &str, body: &str) {
        let declared = Declared::parse(body);
        if declared.is_empty() {
            return;
        }
        let place = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.declared.push(declared);
        for text in selectors.split(',').take(256) {
            if self.rules.len() >= RULES {
                return;
            }
            if let Some(selector) = selector::parse(text) {
                self.keep(&selector, place, declared.opens());
            }
        }
    }

    fn keep(&mut self, selector: &Selector, declared: u32, opens: bool) {
        let mut ids = |hashes: &[u64]| -> Box<[NameId]> {
            hashes.iter().map(|hash| self.name(*hash)).collect()
        };
        let own = ids(&selector.own);
        let (parent, around) = (ids(&selector.parent), ids(&selector.around));
        let Some(first) = own.first().copied() else { return };
        let Ok(place) = u32::try_from(self.rules.len()) else { return };
        // A rule for another state never decides; it only says that there is one.
        let hides = selector.certainty != Certainty::Never;
        let under = &mut self.by_name[first as usize].rules;
        if hides && under.len() < RULES_PER_NAME {
            under.push(place);
        }
        if opens {
            for name in own.iter().take(8) {
                let under = &mut self.by_name[*name as usize].openers;
                if under.len() < RULES_PER_NAME {
                    under.push(place);
                }
            }
        }
        self.rules.push(Rule {
            own,
            parent,
            around,
            declared,
            weight: selector.weight,
            certainty: selector.certainty,
            is_plain: selector.is_plain,
        });
    }

    fn name(&mut self, hash: u64) -> NameId {
        let next = u32::try_from(self.by_name.len()).expect("a few names per rule");
        let name = *self.names.entry(hash).or_insert(next);
        if name == next {
            self.by_name.push(Name::default());
        }
        name
    }

    /// Returns the number of a name that some rule asks for.
    pub(super) fn known(&self, hash: u64) -> Option<NameId> {
        self.names.get(&hash).copied()
    }

    /// Notes that an element with these names opens.
    pub(super) fn enter(&mut self, names: &[NameId]) {
        for name in names {
            self.by_name[*name as usize].open += 1;
        }
    }

    /// Notes that it closes.
    pub(super) fn leave(&mut self, names: &[NameId]) {
        for name in names {
            self.by_name[*name as usize].open -= 1;
        }
    }

    /// Says what the rules declare for an element with the names `own` in one with `parent`.
    pub(super) fn ask(&mut self, own: &[NameId], parent: &[NameId]) -> Said {
        let mut said = Said::default();
        self.matched.clear();
        for name in own {
            let name = &self.by_name[*name as usize];
            for place in &name.rules {
                if self.rules[*place as usize].fits(own, parent, &self.by_name, self.looked) {
                    self.matched.push(*place);
                }
            }
            self.looked = self.looked.saturating_add(name.rules.len() as u32);
        }
        // Rules are kept in page order, so equal weights stay in it.
        self.matched.sort_by_key(|place| (self.rules[*place as usize].weight, *place));
        self.matched.dedup();
        for place in &self.matched {
            let rule = &self.rules[*place as usize];
            let Declared { normal, important } = self.declared[rule.declared as usize];
            if rule.certainty == Certainty::Sure {
                said.normal.overlay(&normal);
                said.important.overlay(&important);
            } else {
                said.normal.overlay(&blurred(&normal));
                said.important.overlay(&blurred(&important));
            }
        }
        said
    }

    /// Returns whether a rule that does not hold now would show the element.
    pub(super) fn opens(&self, own: &[NameId], parent: &[NameId]) -> bool {
        own.iter().any(|name| {
            self.by_name[*name as usize].openers.iter().any(|place| {
                let rule = &self.rules[*place as usize];
                let fits = rule.fits(own, parent, &self.by_name, 0);
                let holds = fits && rule.certainty == Certainty::Sure;
                // `li:hover ul` speaks of this list only if it stands in an `li`.
                !holds && (fits || !rule.is_plain)
            })
        })
    }
}

impl Rule {
    fn fits(&self, own: &[NameId], parent: &[NameId], names: &[Name], looked: u32) -> bool {
        let is_simple = self.parent.is_empty() && self.around.is_empty();
        (is_simple || looked < PATIENCE)
            && self.own.iter().all(|name| own.contains(name))
            && self.parent.iter().all(|name| parent.contains(name))
            && self.around.iter().all(|name| names[*name as usize].open > 0)
    }
}

/// What remains of a style that may hold or not: colours are in doubt, the rest is not believed.
fn blurred(style: &Style) -> Style {
    Style {
        colour: style.colour.map(|_| Ink::Paint(Paint::Unknown)),
        background: style.background.map(|_| Paint::Unknown),
        ..Style::default()
    }
}

// Not `cssparser`, three packages for some 70 lines here and in `style.rs`: its tokens alone cost 0.3
// of the time that all of reading a sheet costs, and values would still be read by hand.
/// Copies a sheet without comments and without the marks that hid it from browsers of the past.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    if out.contains("<!--") || out.contains("-->") {
        out = out.replace("<!--", "").replace("-->", "");
    }
    out
}

/// Returns the text up to the next `{`, `;` or `}`, that sign, and what is behind it.
fn next_piece(text: &str) -> Option<(&str, u8, &str)> {
    let place = text.bytes().position(|byte| matches!(byte, b'{' | b';' | b'}'))?;
    Some((&text[..place], text.as_bytes()[place], &text[place + 1..]))
}

/// Returns the declarations up to the `}` that ends the block, without the blocks inside it, and
/// what is behind.
fn block(text: &str) -> (&str, &str) {
    let mut depth = 1_u32;
    let mut body = text.len();
    let mut quote = None;
    for (place, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            // A line ends a quote that nobody closed.
            (Some(open), _) if open == byte || byte == b'\n' => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => {
                depth += 1;
                body = body.min(place);
            }
            (None, b'}') => {
                depth -= 1;
                if depth == 0 {
                    return (&text[..body.min(place)], &text[place + 1..]);
                }
            }
            _ => {}
        }
    }
    (&text[..body], "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::hidden::selector::{of_class, of_element};

    fn sheet(text: &str) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.read(text);
        sheet
    }

    /// Asks for an element by name and classes: whether it is displayed, and may be opened.
    fn displays(sheet: &mut Sheet, element: &str, classes: &[&str]) -> (Option<bool>, bool) {
        let hashes = classes.iter().map(|class| of_class(class)).chain([of_element(element)]);
        let own: Vec<NameId> = hashes.filter_map(|hash| sheet.known(hash)).collect();
        let said = sheet.ask(&own, &[]);
        (said.important.displays.or(said.normal.displays), sheet.opens(&own, &[]))
    }

    #[test]
    fn rules_are_found_by_their_names() {
        let mut sheet = sheet(
            "/* x */ p, .a { display: none } .b.c{display:none} @media print { .d {display:none} }
             @media screen and (min-width: 700px) { .e { display: none } } @font-face { x: y }
             .f { margin: 0 } @import 'x'; .g { display:none }",
        );
        for (classes, expected) in [
            (&["a"][..], Some(false)),
            (&["b"], None),
            (&["b", "c"], Some(false)),
            (&["d"], None),
            (&["e"], Some(false)),
            (&["f"], None),
            (&["g"], Some(false)),
        ] {
            assert_eq!(displays(&mut sheet, "div", classes).0, expected, "{classes:?}");
        }
        assert_eq!(displays(&mut sheet, "p", &[]).0, Some(false));
        assert!(sheet.imports);
    }

    #[test]
    fn the_heavier_rule_wins_and_then_the_later() {
        let mut sheet = sheet(
            ".a{display:none} div{display:block} .b{display:none} .b{display:block}
             .c{display:none!important} div.c{display:block}",
        );
        assert_eq!(displays(&mut sheet, "div", &["a"]).0, Some(false));
        assert_eq!(displays(&mut sheet, "div", &["b"]).0, Some(true));
        assert_eq!(displays(&mut sheet, "div", &["c"]).0, Some(false));
    }

    #[test]
    fn rules_of_another_state_open() {
        let mut sheet = sheet(
            ".m{display:none} .m.open{display:block} .n{display:none} .n:hover{display:block}
             .o{display:none}",
        );
        assert_eq!(displays(&mut sheet, "div", &["m"]), (Some(false), true));
        assert_eq!(displays(&mut sheet, "div", &["n"]), (Some(false), true));
        assert_eq!(displays(&mut sheet, "div", &["o"]), (Some(false), false));
    }

    #[test]
    fn broken_and_endless_sheets_end() {
        for text in ["{", "}", "a{", "@media", "@media{", "a{b", "/*", "a{b:c}}}}.x{display:none}"]
        {
            sheet(text);
            sheet(&text.repeat(50_000));
        }
        let many = sheet(&".a .b{display:none}".repeat(30_000));
        assert!(many.rules.len() <= RULES && many.by_name.len() == 2);
    }
}
