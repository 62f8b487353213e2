//! What names of classes and ids say about a box.
//!
//! All words are looked for at once by one automaton (Aho and Corasick, 1975): a step per byte,
//! however many words there are. Anything but a letter is a border between words.

use std::collections::VecDeque;
use std::sync::LazyLock;

/// What the class and the id of an element say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::html) struct Marks(u8);

impl Marks {
    /// Part of the frame around the content: menus, banners, side bars.
    pub(in crate::html) const FRAME: Self = Self(1);
    /// Hardly part of an article, though it may be what a page is for: comments, headers.
    pub(in crate::html) const UNLIKELY: Self = Self(2);
    /// May hold an article all the same.
    pub(in crate::html) const MAYBE: Self = Self(4);
    /// Speaks for content.
    pub(in crate::html) const GOOD: Self = Self(8);
    /// Speaks against it.
    pub(in crate::html) const BAD: Self = Self(16);
    /// Buttons to share the page.
    pub(in crate::html) const SHARE: Self = Self(32);
    /// Bread crumbs.
    pub(in crate::html) const TRAIL: Self = Self(64);

    pub(in crate::html) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(in crate::html) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Longest class or id read.
const CLASS_BYTES: usize = 256;

/// Returns what a class or an id says.
pub(super) fn marks(value: &str) -> Marks {
    let automaton = &*AUTOMATON;
    let mut state = automaton.step(0, BORDER);
    let mut found = 0;
    for &byte in value.as_bytes().iter().take(CLASS_BYTES) {
        state = automaton.step(state, symbol(byte));
        found |= automaton.found[state];
    }
    state = automaton.step(state, BORDER);
    Marks(found | automaton.found[state])
}

/// Returns a number that is equal for equal classes, and 0 for none.
pub(super) fn hash(class: &str) -> u32 {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    class.as_bytes().iter().take(CLASS_BYTES).fold(0, step)
}

/// Words and what each says; a blank stands for a border.
#[rustfmt::skip]
const WORDS: [(Marks, &[&str]); 7] = [
    (Marks::FRAME, &[
        " ad ", " ads ", " advert", " banner ", " breadcrumb", " consent ", " cookie", " copyright ",
        " foot ", " footer ", " masthead ", " menu ", " nav ", " navbar ", " navfooter ", " navheader ",
        " navi ", " navigation ", " newsletter ", " pager ", " pagination ", " popup ", " promo ",
        " related ", " share ", " sharing ", "sidebar", " sidenav ", " skip ", " social ",
        " sponsor ", " sponsored ", " topnav ", " widget ",
    ]),
    (Marks::UNLIKELY, &[
        " ad ", "banner", "breadcrumb", "combx", "comment", "community", "cover wrap", "disqus",
        "extra", " foot ", "footer", "gdpr", "header", "legends", "menu", "related", "remark", "replies",
        "rss", "shoutbox", "sidebar", "skyscraper", "social", "sponsor", "supplemental",
        "agegate", "pagination", "pager", "popup", "yom remote",
    ]),
    (Marks::MAYBE, &[
        "and", "article", "body", "column", "content", "layout", "main", "mathjax", "shadow",
    ]),
    (Marks::GOOD, &[
        "article", "body", "content", "entry", "main", "page", "post", "text", "blog", "story",
    ]),
    (Marks::BAD, &[
        " ad ", "hidden", " hid ", "banner", "combx", "comment", "com ", "contact", " foot ", "footer", "gdpr",
        "masthead", "media", "meta", "outbrain", "promo", "related", "scroll", "share",
        "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping", "tags", "widget",
    ]),
    (Marks::SHARE, &[" share ", "sharedaddy"]),
    (Marks::TRAIL, &["breadcrumb", " crumb ", " crumbs "]),
];

const SYMBOLS: usize = 27;
const BORDER: usize = 0;

fn symbol(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => usize::from(byte - b'a') + 1,
        b'A'..=b'Z' => usize::from(byte - b'A') + 1,
        _ => BORDER,
    }
}

struct Automaton {
    /// For each state and symbol, the next state.
    next: Vec<u16>,
    /// For each state, what the words that end there say.
    found: Vec<u8>,
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(Automaton::new);

impl Automaton {
    fn new() -> Self {
        let mut automaton = Self { next: vec![0; SYMBOLS], found: vec![0] };
        for (marks, words) in WORDS {
            for word in words {
                automaton.add(word, marks);
            }
        }
        automaton.link();
        automaton
    }

    fn step(&self, state: usize, symbol: usize) -> usize {
        usize::from(self.next[state * SYMBOLS + symbol])
    }

    /// Adds a word to the tree of words.
    fn add(&mut self, word: &str, marks: Marks) {
        let mut state = 0;
        for byte in word.bytes() {
            let place = state * SYMBOLS + symbol(byte);
            if self.next[place] == 0 {
                let fresh = self.found.len();
                self.next[place] = u16::try_from(fresh).expect("the words have fewer letters");
                self.next.extend([0; SYMBOLS]);
                self.found.push(0);
            }
            state = usize::from(self.next[place]);
        }
        self.found[state] |= marks.0;
    }

    /// Makes a step of every missing one: to where the longest rest of what was read leads.
    fn link(&mut self) {
        let mut rest = vec![0; self.found.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            for symbol in 0..SYMBOLS {
                let behind = if state == 0 { 0 } else { self.step(rest[state], symbol) };
                let child = self.step(state, symbol);
                if child == 0 {
                    let behind = u16::try_from(behind).expect("a state that was made");
                    self.next[state * SYMBOLS + symbol] = behind;
                } else {
                    rest[child] = behind;
                    self.found[child] |= self.found[behind];
                    queue.push_back(child);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, mark: Marks, expected: bool) {
        assert_eq!(marks(value).has(mark), expected, "{value}: {:?}", marks(value));
    }

    #[test]
    fn words_are_found_wherever_they_stand() {
        check("nav", Marks::FRAME, true);
        check("top-nav_2 x", Marks::FRAME, true);
        check("canvas", Marks::FRAME, false);
        check("leftSidebarBox", Marks::FRAME, true);
        check("has-AD", Marks::FRAME, true);
        check("shadow", Marks::FRAME, false);
        check("sidebarticle", Marks::FRAME.or(Marks::GOOD), true);
        check("entry-content", Marks::GOOD, true);
        check("comments-area", Marks::UNLIKELY, true);
        check("com-x", Marks::BAD, true);
        check("company", Marks::BAD, false);
    }

    #[test]
    fn odd_values_say_nothing() {
        for value in ["", " ", "ü–ß", "\0\u{7f}", "adx xad"] {
            assert_eq!(marks(value), Marks::default(), "{value}");
        }
        assert_eq!(marks(&"x".repeat(CLASS_BYTES)), marks(&("x".repeat(CLASS_BYTES) + " nav")));
    }
}
