//! The pieces of a page's text that show the query, and the title to go with them (Q6).
//!
//! `window` chooses which, `edge` says where they are cut.

mod edge;
mod window;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use base::{Block, Url, Zone};
use foldhash::fast::RandomState;
use index::StoredPage;
use text::{Analyzer, Beginnings};

use self::window::Match;
use crate::answer::{Segment, Snippet};
use crate::plan::{Kind, Plan};

/// Length of a snippet in characters, about two lines.
const CHARS: usize = 200;
/// Room around the words of a piece, in characters.
const CONTEXT: usize = 20;
/// A shorter piece is filled up with the text that follows it.
const FEW_CHARS: usize = 100;
/// Length of a title as it is shown, in characters.
const TITLE_CHARS: usize = 120;
/// Bytes of a page in which the best piece is looked for: some pages of a book.
const ENOUGH_BYTES: usize = 16 * 1024;
/// Occurrences of the query looked at in one block.
const MOST_MATCHES: usize = 200;
const CUT: &str = "…";
/// Between two pieces.
const BETWEEN: &str = " … ";

/// The words of a query, to be found again in a text.
#[derive(Debug, Default)]
pub(crate) struct Marker {
    /// Leaf by stem.
    stems: HashMap<String, usize, RandomState>,
    /// Leaf by surface form, for phrases.
    surfaces: HashMap<String, usize, RandomState>,
    /// What all of them begin with.
    beginnings: Beginnings,
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
        if marker.stems.is_empty() && marker.surfaces.is_empty() {
            marker.stems.extend(plan.telling.iter().cloned().zip(0..));
        }
        let words = marker.stems.keys().chain(marker.surfaces.keys());
        marker.beginnings = Beginnings::of(words.map(String::as_str));
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

    /// Returns the best pieces of a page's text; an empty one if the page forbids it.
    ///
    /// Without a word of the query in it, a page is shown by its own description, and without one
    /// by the beginning of its main text.
    pub(crate) fn snippet(&self, page: &StoredPage) -> Snippet {
        if page.robots.nosnippet {
            return Snippet::default();
        }
        let analyzer = Analyzer::new(page.language);
        let matches = self.all_matches(&page.blocks, analyzer);
        let windows = window::choose(&page.blocks, &matches, CHARS - CONTEXT, CHARS / 2 - CONTEXT);
        let mut snippet = Snippet::default();
        let text = Text { blocks: &page.blocks, matches: &matches };
        match windows.as_slice() {
            [] => self.stand_in(page, &text, analyzer, &mut snippet),
            [one] => text.push_piece(&mut snippet, one.block, (one.start, one.end)),
            windows => {
                let pieces = windows.iter().map(|window| {
                    let text = &page.blocks[window.block].text;
                    (window.block, edge::widen(text, (window.start, window.end), CHARS / 2))
                });
                text.push_pieces(&mut snippet, pieces);
            }
        }
        if let Some(most) = page.showing.snippet_chars {
            snippet.cut(most as usize);
        }
        snippet
    }

    /// Shows a page in which no word of the query was found.
    fn stand_in(
        &self,
        page: &StoredPage,
        text: &Text<'_>,
        analyzer: Analyzer,
        snippet: &mut Snippet,
    ) {
        let description = page.showing.description.trim();
        if !description.is_empty() {
            let (_, end) = edge::widen(description, (0, 0), CHARS);
            let matches = self.matches(description, analyzer);
            snippet.push_marked(description, (0, end), &matches);
            if !edge::is_whole(description, end) {
                snippet.push(CUT, false);
            }
        } else if let Some(block) = beginning(&page.blocks) {
            text.push_piece(snippet, block, (0, 0));
        }
    }

    /// Returns the words of the query in each block, in order.
    ///
    /// Of a long page only the beginning is looked at, unless words of the query are missing there.
    fn all_matches(&self, blocks: &[Block], analyzer: Analyzer) -> Vec<Vec<Match>> {
        let words = self.stems.values().map(|leaf| *leaf as u64);
        let phrases = self.surfaces.keys().map(|surface| unit_of(surface));
        let mut missing: HashSet<u64> = words.chain(phrases).collect();
        let mut room = ENOUGH_BYTES;
        let mut matches = Vec::with_capacity(blocks.len());
        for block in blocks {
            let mut found = Vec::new();
            if room > 0 || !missing.is_empty() {
                found = self.matches(&block.text, analyzer);
            }
            for Match { unit, .. } in found.iter().filter(|_| !block.zone.is_frame()) {
                missing.remove(unit);
            }
            room = room.saturating_sub(block.text.len());
            matches.push(found);
        }
        matches
    }

    /// Returns where words of the query stand in a text, in order and apart from each other.
    pub(crate) fn ranges(&self, text: &str, analyzer: Analyzer) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for found in self.matches(text, analyzer) {
            match ranges.last_mut() {
                Some(last) if found.start < last.end => last.end = last.end.max(found.end),
                _ => ranges.push(found.start..found.end),
            }
        }
        ranges
    }

    /// Returns the words of the query in a text, in order.
    fn matches(&self, text: &str, analyzer: Analyzer) -> Vec<Match> {
        let mut matches = Vec::new();
        analyzer.for_each_term_among(text, self.beginnings, |term| {
            let unit = match self.stems.get(term.stem) {
                Some(leaf) => *leaf as u64,
                // Each word of a phrase counts by itself.
                None if self.surfaces.contains_key(term.surface) => unit_of(term.surface),
                None => return,
            };
            if matches.len() < MOST_MATCHES {
                let is_stop_word = text::is_stop_word(analyzer.language(), term.surface);
                matches.push(Match { start: term.start, end: term.end, unit, is_stop_word });
            }
        });
        matches
    }
}

/// Tells the words of phrases from each other and from the numbers of leaves: FNV-1a.
fn unit_of(surface: &str) -> u64 {
    let hash = surface.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash | 1 << 63
}

/// A page's text and where the query's words are in it, block by block.
struct Text<'a> {
    blocks: &'a [Block],
    matches: &'a [Vec<Match>],
}

impl Text<'_> {
    /// Adds a stretch widened to the full length, and what follows it if that is little.
    fn push_piece(&self, snippet: &mut Snippet, block: usize, inner: (usize, usize)) {
        let text = self.blocks[block].text.as_str();
        let (start, end) = edge::widen(text, inner, CHARS);
        if !edge::is_begun(text, start) {
            snippet.push(CUT, false);
        }
        snippet.push_marked(text, (start, end), &self.matches[block]);
        let mut is_cut = end < text.trim_end().len();
        let mut is_whole = edge::is_whole(text, end);
        let following = self.blocks.iter().zip(self.matches).skip(block + 1);
        for (block, matches) in following {
            let len = snippet.text().chars().count();
            if is_cut || len >= FEW_CHARS || block.zone.is_frame() {
                break;
            }
            let (_, end) = edge::widen(&block.text, (0, 0), CHARS - len);
            if end == 0 {
                break;
            }
            snippet.push(" · ", false);
            snippet.push_marked(&block.text, (0, end), matches);
            is_cut = end < block.text.trim_end().len();
            is_whole = edge::is_whole(&block.text, end);
        }
        if is_cut && !is_whole {
            snippet.push(CUT, false);
        }
    }

    /// Adds stretches that come in order, one behind the other; those that meet are one.
    fn push_pieces(
        &self,
        snippet: &mut Snippet,
        pieces: impl Iterator<Item = (usize, (usize, usize))>,
    ) {
        let mut joined: Vec<(usize, (usize, usize))> = Vec::new();
        for (block, (start, end)) in pieces {
            match joined.last_mut() {
                Some((before, (_, last))) if *before == block && *last >= start => {
                    *last = end.max(*last);
                }
                _ => joined.push((block, (start, end))),
            }
        }
        for (i, (block, (start, end))) in joined.iter().enumerate() {
            let text = self.blocks[*block].text.as_str();
            if i > 0 {
                snippet.push(BETWEEN, false);
            } else if !edge::is_begun(text, *start) {
                snippet.push(CUT, false);
            }
            snippet.push_marked(text, (*start, *end), &self.matches[*block]);
            if i + 1 == joined.len() && !edge::is_whole(text, *end) {
                snippet.push(CUT, false);
            }
        }
    }
}

impl Snippet {
    /// Adds a stretch of a text with its words marked; matches come in order.
    fn push_marked(&mut self, text: &str, (start, end): (usize, usize), matches: &[Match]) {
        // Words were found in the whole text, as they were indexed; a cut text might read
        // differently at its borders.
        let mut place = start;
        for found in matches {
            // Matches may overlap: pairs of characters, compounds over their members.
            if found.start >= start && found.end > place && found.end <= end {
                let from = found.start.max(place);
                self.push(&text[place..from], false);
                self.push(&text[from..found.end], true);
                place = found.end;
            }
        }
        self.push(&text[place..end], false);
    }

    /// Cuts what is longer than so many characters, the sign of the cut included; between words if
    /// that leaves half of it.
    fn cut(&mut self, most: usize) {
        let text = self.text();
        if text.chars().count() <= most {
            return;
        }
        let room = most.saturating_sub(CUT.chars().count());
        let end = text.char_indices().nth(room).map_or(text.len(), |(end, _)| end);
        let is_border = text[end..].starts_with(char::is_whitespace);
        let border = text[..end].rfind(char::is_whitespace).filter(|place| *place >= end / 2);
        let mut left = if is_border { end } else { border.unwrap_or(end) };
        for segment in &mut self.segments {
            segment.text.truncate(left);
            left -= segment.text.len();
        }
        self.segments.retain(|segment| !segment.text.is_empty());
        if let Some(last) = self.segments.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        if most > 0 {
            self.push(CUT, false);
        }
    }

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

/// Returns the title of a page of which only others' words and its address are known.
pub(crate) fn title_of(text: &str, url: &Url) -> String {
    let text = shown(text);
    if text.is_empty() { url.to_string() } else { text }
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

/// Returns the first block of the main text, for pages that match by other people's words.
fn beginning(blocks: &[Block]) -> Option<usize> {
    let has_text = |block: &Block| !block.text.trim().is_empty();
    let is_main = |block: &Block| block.zone == Zone::Body && has_text(block);
    blocks.iter().position(is_main).or_else(|| blocks.iter().position(has_text))
}

#[cfg(test)]
mod tests {
    use base::{PageId, RobotsFlags, Timestamp};
    use index::Showing;
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
            is_silent: false,
            showing: Showing::default(),
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
    fn a_long_page_is_read_until_every_word_is_found() {
        let filler = "Nothing of note happens here at all. ".repeat(100);
        let mut blocks = vec![(Zone::Boilerplate, "river"), (Zone::Body, "A jaguar is here.")];
        blocks.extend([(Zone::Body, filler.as_str()); 10]);
        blocks.push((Zone::Body, "The jaguar and the river."));
        blocks.extend([(Zone::Body, filler.as_str()); 10]);
        blocks.push((Zone::Body, "Of jaguar and river again, of jaguar, river, and lamps."));
        // The river beside the page is not the one of its text.
        let shown = snippet("jaguar river", &page(&blocks));
        assert!(shown.starts_with("The [jaguar] and the [river]."), "{shown}");
        assert_eq!(snippet("jaguar", &page(&blocks)).matches("[jaguar]").count(), 1);
        let shown = snippet("jaguar river lamps", &page(&blocks));
        assert!(shown.ends_with("and [lamps]."), "{shown}");
    }

    #[test]
    fn htm_11_no_more_is_shown_than_the_page_allows() {
        let mut page = page(&[(Zone::Body, SENTENCE)]);
        let mut check = |most, expected: &str| {
            page.showing.snippet_chars = Some(most);
            let shown = snippet("jaguar river", &page);
            assert_eq!(shown, expected);
            let len = shown.chars().filter(|letter| !matches!(letter, '[' | ']')).count();
            assert!(len <= most as usize, "{most}: {shown}");
        };
        let whole = "[Jaguars] are large cats that live by [rivers].";
        check(200, whole);
        check(43, whole);
        check(42, "[Jaguars] are large cats that live by…");
        check(17, "[Jaguars] are…");
        check(12, "[Jaguars] are…");
        check(11, "[Jaguars]…");
        check(5, "[Jagu]…");
        check(1, "…");
        check(0, "");
        // In any script, also where there is nothing between words.
        page.blocks[0].text = "美洲豹生活在河边。".repeat(20);
        for most in 0..60 {
            page.showing.snippet_chars = Some(most);
            assert!(snippet("jaguar", &page).chars().count() <= most as usize);
        }
    }

    #[test]
    fn the_window_shows_the_most_distinct_words() {
        let filler = "Nothing of note happens here at all. ".repeat(20);
        let text = format!("{filler} jaguar {filler} jaguar and river {filler}");
        let shown = snippet("jaguar river", &page(&[(Zone::Body, &text)]));
        assert!(shown.contains("[jaguar] and [river]"), "{shown}");
        assert!(shown.starts_with("Nothing") && shown.ends_with("all."), "{shown}");
        let len = shown.chars().filter(|letter| !matches!(letter, '[' | ']')).count();
        assert!((150..=205).contains(&len), "{len}: {shown}");
        // Cut between words.
        assert!(shown.trim_matches('…').split(' ').all(|word| {
            let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            filler.contains(word) || ["jaguar", "river", "and"].contains(&word)
        }));
    }

    #[test]
    fn two_places_show_words_that_are_far_apart() {
        let filler = "Nothing of note happens here at all. ".repeat(20);
        let text = format!("{filler}The jaguar swims. {filler}The river sleeps. {filler}");
        let shown = snippet("jaguar river", &page(&[(Zone::Body, &text)]));
        let (one, other) = shown.split_once(" … ").unwrap();
        assert!(one.contains("The [jaguar] swims.") && other.contains("The [river] sleeps."));
        assert!(shown.chars().count() <= CHARS + 10, "{shown}");
        // Near each other they are one.
        let text = format!("{filler}The jaguar swims. Nothing more. The river sleeps. {filler}");
        assert!(!snippet("jaguar river", &page(&[(Zone::Body, &text)])).contains(" … "));
    }

    #[test]
    fn without_a_word_in_the_text_the_description_is_shown() {
        let mut page = page(&[(Zone::Body, SENTENCE)]);
        page.showing.description = "All about lamps. ".repeat(30);
        let shown = snippet("lamp OR zebra", &page);
        assert!(shown.starts_with("All about [lamps]. All"), "{shown}");
        assert!(shown.chars().count() < CHARS + 60 && shown.ends_with('.'), "{shown}");
        assert_eq!(snippet("jaguar", &page), SENTENCE.replace("Jaguars", "[Jaguars]"));
        page.robots.nosnippet = true;
        assert_eq!(snippet("lamp", &page), "");
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
