//! The piece of a page's text that shows the query, and the title to go with it (Q6).

use std::collections::HashMap;

use base::{Block, Zone};
use index::StoredPage;
use text::Analyzer;

use crate::answer::{Segment, Snippet};
use crate::plan::{Kind, Plan};

/// Length of a snippet in characters, about two lines.
const CHARS: usize = 200;
/// A shorter piece is filled up with the text that follows it.
const FEW_CHARS: usize = 100;
/// Length of a title as it is shown, in characters.
const TITLE_CHARS: usize = 120;
/// Occurrences of the query looked at in one block.
const MOST_MATCHES: usize = 200;
const CUT: &str = "…";

/// The words of a query, to be found again in a text.
#[derive(Debug, Default)]
pub(crate) struct Marker {
    /// Leaf by stem.
    stems: HashMap<String, usize>,
    /// Leaf by surface form, for phrases.
    surfaces: HashMap<String, usize>,
}

/// A word of the query in a block.
#[derive(Clone, Copy, Debug)]
struct Match {
    start: usize,
    end: usize,
    leaf: usize,
}

/// A stretch of a block.
#[derive(Clone, Copy, Debug)]
struct Window {
    block: usize,
    start: usize,
    end: usize,
    worth: u32,
}

impl Marker {
    /// Takes the words that pages should have.
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut marker = Self::default();
        for (place, leaf) in plan.leaves.iter().enumerate().filter(|(_, leaf)| leaf.is_wanted) {
            for form in &leaf.forms {
                marker.add(leaf.kind, form, place);
            }
            for other in &leaf.others {
                marker.add(other.kind, &other.terms, place);
            }
        }
        marker
    }

    fn add(&mut self, kind: Kind, terms: &[String], place: usize) {
        let known = match kind {
            Kind::Word => &mut self.stems,
            Kind::Phrase => &mut self.surfaces,
            Kind::Check => return,
        };
        for term in terms.iter().filter(|term| !term.is_empty()) {
            known.entry(term.clone()).or_insert(place);
        }
    }

    /// Returns the best piece of a page's text; an empty one if the page forbids it.
    pub(crate) fn snippet(&self, page: &StoredPage) -> Snippet {
        if page.robots.nosnippet {
            return Snippet::default();
        }
        let analyzer = Analyzer::new(page.language);
        let mut best: Option<Window> = None;
        for (place, block) in page.blocks.iter().enumerate() {
            let window = self.best_window(place, block, analyzer);
            if window.is_some_and(|window| best.is_none_or(|best| window.worth > best.worth)) {
                best = window;
            }
        }
        let best = best.or_else(|| beginning(&page.blocks));
        best.map_or_else(Snippet::default, |window| self.cut(&page.blocks, window, analyzer))
    }

    /// Returns the words of the query in a text, in order.
    fn matches(&self, text: &str, analyzer: Analyzer) -> Vec<Match> {
        let mut matches = Vec::new();
        analyzer.for_each_term(text, |term| {
            let leaf = self.stems.get(term.stem).or_else(|| self.surfaces.get(term.surface));
            if let Some(leaf) = leaf
                && matches.len() < MOST_MATCHES
            {
                matches.push(Match { start: term.start, end: term.end, leaf: *leaf });
            }
        });
        matches
    }

    /// Returns the stretch of a block with the most distinct words of the query.
    fn best_window(&self, place: usize, block: &Block, analyzer: Analyzer) -> Option<Window> {
        let matches = self.matches(&block.text, analyzer);
        let mut best: Option<Window> = None;
        for (i, first) in matches.iter().enumerate() {
            let mut leaves = Vec::new();
            let mut end = first.end;
            for other in &matches[i..] {
                if block.text[first.start..other.end].chars().nth(CHARS).is_some() {
                    break;
                }
                end = end.max(other.end);
                leaves.push(other.leaf);
            }
            let num_matches = leaves.len();
            leaves.sort_unstable();
            leaves.dedup();
            let repeats = num_matches.saturating_sub(leaves.len()).min(5);
            let worth = (leaves.len() * 100 + repeats) as u32 + zone_worth(block.zone);
            if best.is_none_or(|best| worth > best.worth) {
                best = Some(Window { block: place, start: first.start, end, worth });
            }
        }
        best
    }

    /// Widens a window to its full length at borders of words, and marks what matches.
    fn cut(&self, blocks: &[Block], window: Window, analyzer: Analyzer) -> Snippet {
        let text = blocks[window.block].text.as_str();
        let (start, end) = widen(text, (window.start, window.end), CHARS, analyzer);
        let mut snippet = Snippet::default();
        if start > 0 {
            snippet.push(CUT, false);
        }
        self.push_marked(&mut snippet, text, start, end, analyzer);
        let mut is_cut = end < text.trim_end().len();
        for block in &blocks[window.block + 1..] {
            let len = snippet.text().chars().count();
            if is_cut || len >= FEW_CHARS || block.zone.is_frame() {
                break;
            }
            let (_, end) = widen(&block.text, (0, 0), CHARS - len, analyzer);
            snippet.push(" · ", false);
            self.push_marked(&mut snippet, &block.text, 0, end, analyzer);
            is_cut = end < block.text.trim_end().len();
        }
        if is_cut {
            snippet.push(CUT, false);
        }
        snippet
    }

    fn push_marked(
        &self,
        snippet: &mut Snippet,
        text: &str,
        start: usize,
        end: usize,
        analyzer: Analyzer,
    ) {
        // Words are found in the whole block, as they were indexed; a cut text might read
        // differently at its borders.
        let mut place = start;
        for found in self.matches(text, analyzer) {
            // Matches may overlap: pairs of characters, compounds over their members.
            if found.start >= start && found.end > place && found.end <= end {
                let from = found.start.max(place);
                snippet.push(&text[place..from], false);
                snippet.push(&text[from..found.end], true);
                place = found.end;
            }
        }
        snippet.push(&text[place..end], false);
    }
}

impl Snippet {
    fn push(&mut self, text: &str, is_marked: bool) {
        let text = clean(text);
        if text.is_empty() {
            return;
        }
        match self.segments.last_mut() {
            Some(last) if last.is_marked == is_marked => last.text.push_str(&text),
            _ => self.segments.push(Segment { text, is_marked }),
        }
    }
}

/// Returns the title of a page as it is shown; `stand_in` is asked before the address is used.
pub(crate) fn title(page: &StoredPage, stand_in: impl FnOnce() -> Option<String>) -> String {
    let heading = || {
        let first = page.blocks.iter().find(|block| block.zone == Zone::Heading);
        first.map(|block| shown(&block.text)).filter(|text| !text.is_empty())
    };
    let own = Some(shown(&page.title)).filter(|title| !title.is_empty());
    own.or_else(heading)
        .or_else(|| stand_in().map(|text| shown(&text)).filter(|text| !text.is_empty()))
        .unwrap_or_else(|| page.url.to_string())
}

/// Makes a text fit for one line: no control characters, not too long.
fn shown(text: &str) -> String {
    let text = clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(TITLE_CHARS) {
        None => text,
        Some((end, _)) => {
            let cut = &text[..end];
            let word_end = cut.rfind(' ').filter(|place| *place > end / 2).unwrap_or(end);
            format!("{}{CUT}", cut[..word_end].trim_end())
        }
    }
}

/// Replaces control characters and drops those that turn the direction of writing: a page must
/// not reorder the text around its snippet.
fn clean(text: &str) -> String {
    let letters = text.chars().filter(|letter| {
        !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    });
    letters.map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Returns the beginning of the main text, for pages that match by other people's words.
fn beginning(blocks: &[Block]) -> Option<Window> {
    let has_text = |block: &&Block| !block.text.trim().is_empty();
    let is_main = |block: &&Block| block.zone == Zone::Body && has_text(block);
    let first = blocks.iter().find(is_main).or_else(|| blocks.iter().find(has_text))?;
    let block = blocks.iter().position(|block| std::ptr::eq(block, first))?;
    Some(Window { block, start: 0, end: 0, worth: 0 })
}

/// Widens a stretch of a text to a number of characters, a third of the room before it, at
/// borders of words.
fn widen(
    text: &str,
    (start, end): (usize, usize),
    num_chars: usize,
    analyzer: Analyzer,
) -> (usize, usize) {
    let room = num_chars.saturating_sub(text[start..end].chars().count());
    let back = |place: usize, count: usize| {
        text[..place].char_indices().rev().take(count).last().map_or(place, |(at, _)| at)
    };
    let forth = |place: usize, count: usize| {
        text[place..].char_indices().nth(count).map_or(text.len(), |(at, _)| place + at)
    };
    let first = back(start, room / 3);
    let taken = text[first..start].chars().count();
    let last = forth(end, room - taken);
    // What the end leaves unused goes to the beginning.
    let unused = room - taken - text[end..last].chars().count();
    let first = back(first, unused);
    align(text, (first, last), (start, end), analyzer)
}

/// Moves the borders of a stretch inwards to borders of words, but never into `inner`.
fn align(
    text: &str,
    (first, last): (usize, usize),
    inner: (usize, usize),
    analyzer: Analyzer,
) -> (usize, usize) {
    let (mut start, mut end) = (None, None);
    analyzer.for_each(text, |word| {
        if word.start >= first && start.is_none() {
            start = Some(word.start);
        }
        if word.end <= last {
            end = Some(word.end);
        }
    });
    let start = if first == 0 { 0 } else { start.unwrap_or(first).min(inner.0).max(first) };
    let end = if last == text.len() { last } else { end.unwrap_or(last).max(inner.1).min(last) };
    (start, end.max(start))
}

/// Text of the article first, then headings, pictures, and side bars last; less than one word.
fn zone_worth(zone: Zone) -> u32 {
    match zone {
        Zone::Body => 50,
        Zone::Caption => 30,
        Zone::Alt | Zone::Folded => 10,
        Zone::Heading => 20,
        Zone::Trail => 5,
        Zone::Boilerplate => 0,
    }
}

#[cfg(test)]
mod tests {
    use base::{PageId, RobotsFlags, Timestamp, Url};
    use text::Language;

    use super::*;
    use crate::Query;
    use crate::plan::{Languages, Nowhere};

    fn page(blocks: &[(Zone, &str)]) -> StoredPage {
        let blocks =
            blocks.iter().map(|(zone, text)| Block { zone: *zone, text: (*text).to_owned() });
        StoredPage {
            id: PageId::new(0, 0).unwrap(),
            url: Url::parse("http://a.example/x").unwrap(),
            title: String::new(),
            language: Language::parse("en"),
            fetched: Timestamp::default(),
            robots: RobotsFlags::default(),
            blocks: blocks.collect(),
        }
    }

    fn snippet(query: &str, page: &StoredPage) -> String {
        let languages = Languages::new(&[("en".to_owned(), 1)], query);
        let query = Query::parse(query).unwrap();
        let plan = Plan::new(&query, &languages, &Nowhere).unwrap();
        let snippet = Marker::new(&plan).snippet(page);
        let pieces = snippet.segments.into_iter().map(|segment| match segment.is_marked {
            true => format!("[{}]", segment.text),
            false => segment.text,
        });
        pieces.collect()
    }

    const SENTENCE: &str = "Jaguars are large cats that live by rivers.";

    #[test]
    fn words_of_the_query_are_marked_in_any_form() {
        let page = page(&[(Zone::Body, SENTENCE)]);
        assert_eq!(
            snippet("jaguar river", &page),
            "[Jaguars] are large cats that live by [rivers]."
        );
        assert_eq!(
            snippet("\"large cats\"", &page),
            SENTENCE.replace("large cats", "[large] [cats]")
        );
        assert_eq!(snippet("jaguar -river", &page), SENTENCE.replace("Jaguars", "[Jaguars]"));
    }

    #[test]
    fn the_window_shows_the_most_distinct_words() {
        let filler = "Nothing of note happens here at all. ".repeat(20);
        let text = format!("{filler} jaguar {filler} jaguar and river {filler}");
        let shown = snippet("jaguar river", &page(&[(Zone::Body, &text)]));
        assert!(shown.contains("[jaguar] and [river]"), "{shown}");
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        let len = shown.chars().filter(|letter| !matches!(letter, '[' | ']')).count();
        assert!((150..=205).contains(&len), "{len}: {shown}");
        // Cut between words.
        assert!(shown.trim_matches('…').split(' ').all(|word| {
            let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            filler.contains(word) || ["jaguar", "river", "and"].contains(&word)
        }));
    }

    #[test]
    fn the_article_is_shown_before_the_side_bar() {
        let page = page(&[
            (Zone::Boilerplate, "jaguar pages"),
            (Zone::Heading, "The jaguar"),
            (Zone::Body, "A jaguar sleeps."),
        ]);
        assert_eq!(snippet("jaguar", &page), "A [jaguar] sleeps.");
    }

    #[test]
    fn short_blocks_are_filled_up_with_what_follows() {
        let page = page(&[(Zone::Heading, "The jaguar"), (Zone::Body, "It sleeps by day.")]);
        assert_eq!(snippet("jaguar", &page), "The [jaguar] · It sleeps by day.");
    }

    #[test]
    fn a_page_found_by_others_words_shows_its_beginning() {
        let empty = page(&[]);
        let page = page(&[(Zone::Boilerplate, "menu"), (Zone::Body, SENTENCE)]);
        assert_eq!(snippet("zebra", &page), SENTENCE);
        assert_eq!(snippet("zebra", &empty), "");
    }

    #[test]
    fn a_page_that_forbids_snippets_has_none() {
        let mut page = page(&[(Zone::Body, SENTENCE)]);
        page.robots.nosnippet = true;
        assert_eq!(snippet("jaguar", &page), "");
    }

    #[test]
    fn odd_texts_do_not_break_it() {
        let texts = [
            "\u{202e}jaguar\u{0}",
            "日本のジャガー".repeat(200).as_str(),
            "é".repeat(9_999).as_str(),
            "",
        ]
        .map(str::to_owned);
        for text in texts {
            let page = page(&[(Zone::Body, &text), (Zone::Body, "jaguar \u{7}\u{202e}x")]);
            for query in ["jaguar", "日本", "é", "zebra"] {
                let shown = snippet(query, &page);
                assert!(!shown.contains(['\u{202e}', '\u{0}', '\u{7}']));
                assert!(shown.chars().count() <= CHARS + 10 + shown.matches('[').count() * 2);
            }
        }
    }

    #[test]
    fn idx_15_a_text_cut_anywhere_has_a_snippet() {
        let text = "İstanbul: jaguar 🐆\u{200d}👩 e\u{301} 日本のジャガー ß jaguars \u{fffd}";
        for end in 0..=text.len() {
            let cut = base::limits::cut(text, end);
            let page =
                page(&[(Zone::Body, cut), (Zone::Heading, &cut[cut.floor_char_boundary(9)..])]);
            for query in ["jaguar", "istanbul", "ジャガー", "ß", "zebra"] {
                let shown = snippet(query, &page);
                assert_eq!(shown.is_empty(), cut.trim().is_empty(), "{query} {cut}");
                assert!(cut.contains('\u{fffd}') || !shown.contains('\u{fffd}'));
            }
        }
    }

    #[test]
    fn a_title_is_never_missing() {
        let mut page = page(&[(Zone::Body, SENTENCE)]);
        assert_eq!(title(&page, || None), "http://a.example/x");
        assert_eq!(title(&page, || Some("Acme".to_owned())), "Acme");
        page.blocks.push(Block { zone: Zone::Heading, text: "Big cats".to_owned() });
        assert_eq!(title(&page, || Some("Acme".to_owned())), "Big cats");
        page.title = "Jaguars\n and\u{202e} more".to_owned();
        assert_eq!(title(&page, || None), "Jaguars and more");
        page.title = "jaguar ".repeat(100);
        let long = title(&page, || None);
        assert!(long.chars().count() <= TITLE_CHARS + 1 && long.ends_with("jaguar…"), "{long}");
    }
}
